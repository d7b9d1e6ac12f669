//! Compiles programs with the system's compiler and runs them. For 32 bits
//! nothing but the compiler is needed: the few functions of a run-time library
//! that the programs use are in [`START_32`].

use cfront::DataModel;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A program that prints a number for each function.
const PRINT: &str = "
static void emit(unsigned long long v)
{
    char buffer[17];
    int i;
    for (i = 15; i >= 0; i--, v >>= 4)
        buffer[i] = \"0123456789abcdef\"[v & 15];
    buffer[16] = '\\n';
    rely_write(buffer, 17);
}
";

const START_64: &str = "
long write(int, const void *, unsigned long);
static void rely_write(const char *text, int count) { write(1, text, count); }
";

/// Linux on x86: system calls, and what gcc expects of its library.
const START_32: &str = "
static void rely_write(const char *text, int count)
{
    int result;
    __asm__ volatile(\"int $0x80\" : \"=a\"(result) : \"a\"(4), \"b\"(1), \"c\"(text), \"d\"(count) : \"memory\");
}
void *memset(void *to, int byte, unsigned int count)
{
    char *at = to;
    while (count--) *at++ = byte;
    return to;
}
void *memcpy(void *to, const void *from, unsigned int count)
{
    char *at = to;
    const char *source = from;
    while (count--) *at++ = *source++;
    return to;
}
static unsigned long long rely_divide(unsigned long long a, unsigned long long b, unsigned long long *rest)
{
    unsigned long long quotient = 0, r = 0;
    int i, carry;
    for (i = 63; i >= 0; i--) {
        carry = r >> 63;
        r = r << 1 | (a >> i & 1);
        if (carry || r >= b) { r -= b; quotient |= 1ULL << i; }
    }
    *rest = r;
    return quotient;
}
unsigned long long __udivdi3(unsigned long long a, unsigned long long b)
{
    unsigned long long rest;
    return rely_divide(a, b, &rest);
}
unsigned long long __umoddi3(unsigned long long a, unsigned long long b)
{
    unsigned long long rest;
    rely_divide(a, b, &rest);
    return rest;
}
long long __divdi3(long long a, long long b)
{
    unsigned long long rest, q = rely_divide(a < 0 ? -(unsigned long long)a : a, b < 0 ? -(unsigned long long)b : b, &rest);
    return (a < 0) != (b < 0) ? -q : q;
}
long long __moddi3(long long a, long long b)
{
    unsigned long long rest;
    rely_divide(a < 0 ? -(unsigned long long)a : a, b < 0 ? -(unsigned long long)b : b, &rest);
    return a < 0 ? -rest : rest;
}
int main(void);
void _start(void)
{
    main();
    __asm__ volatile(\"int $0x80\" : : \"a\"(1), \"b\"(0));
    for (;;) ;
}
";

/// `-fwrapv` etc.: the meaning that `signed_wraps` gives to C, on every machine.
const FLAGS: &[&str] = &["-std=gnu11", "-w", "-fwrapv", "-fno-strict-aliasing", "-fsigned-char"];

/// A compiler, and how much it optimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compiler(pub &'static str, pub &'static str);

/// The one whose word counts.
pub const JUDGE: Compiler = Compiler("cc", "-O0");

/// Others: where they say something else, C leaves a choice, or behaviour is undefined.
pub const OTHERS: &[Compiler] = &[
    Compiler("clang", "-O0"),
    Compiler("cc", "-O2"),
    Compiler("clang", "-O2"),
    Compiler("cc", "-O1"),
    Compiler("clang", "-O1"),
    Compiler("cc", "-O3"),
    Compiler("clang", "-O3"),
];

const FLAGS_32: &[&str] = &[
    "-m32",
    "-ffreestanding",
    "-nostdlib",
    "-static",
    "-fno-pie",
    "-no-pie",
    "-fno-stack-protector",
];

/// Undefined behaviour ends the run: for programs that were made smaller.
const CHECKED: &[&str] = &["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"];

/// What every program may use.
pub fn prelude(model: DataModel) -> String {
    let size = if model == DataModel::Lp64 { "unsigned long" } else { "unsigned int" };
    format!(
        "extern void reach_error(void);\nvoid *memset(void *, int, {size});\nvoid *memcpy(void *, const void *, {size});\n"
    )
}

/// Does this machine compile and run programs of this data model?
pub fn is_available(model: DataModel) -> bool {
    let probe = "unsigned long long f(void) { return sizeof(long) * 8 + 1; }\n";
    let expected = if model == DataModel::Lp64 { 65 } else { 33 };
    run(probe, &["f".to_string()], model, false) == Ok(vec![expected])
}

/// The other compilers that work here. Those that do not are named, loudly.
pub fn others() -> Vec<Compiler> {
    let probe = "unsigned long long f(void) { return 7; }\n";
    let works = |compiler: &Compiler| {
        run_by(*compiler, probe, &["f".to_string()], DataModel::Lp64, false) == Ok(vec![7])
    };
    let (can, cannot): (Vec<Compiler>, Vec<Compiler>) = OTHERS.iter().copied().partition(works);
    for Compiler(name, level) in cannot {
        crate::tools::skip(&format!("`{name} {level}`"), "its word on our programs is not asked");
    }
    can
}

/// The values of functions without parameters.
pub fn run(
    text: &str,
    functions: &[String],
    model: DataModel,
    checked: bool,
) -> Result<Vec<u64>, String> {
    run_by(JUDGE, text, functions, model, checked)
}

/// The same, as a certain compiler has it.
pub fn run_by(
    compiler: Compiler,
    text: &str,
    functions: &[String],
    model: DataModel,
    checked: bool,
) -> Result<Vec<u64>, String> {
    let start = if model == DataModel::Lp64 { START_64 } else { START_32 };
    let mut whole = format!("{}{text}{start}{PRINT}int main(void)\n{{\n", prelude(model));
    for function in functions {
        whole.push_str(&format!("    emit({function}());\n"));
    }
    whole.push_str("    return 0;\n}\n");
    let (source, binary) = (scratch("c"), scratch("exe"));
    std::fs::write(&source, whole).map_err(|error| error.to_string())?;
    let answer = compile_and_run(compiler, &source, &binary, model, checked);
    for file in [&source, &binary] {
        // It does not exist if the compiler failed.
        let _ = std::fs::remove_file(file);
    }
    let numbers: Vec<u64> =
        answer?.lines().filter_map(|line| u64::from_str_radix(line, 16).ok()).collect();
    match numbers.len() == functions.len() {
        true => Ok(numbers),
        false => Err("the program ended early".to_string()),
    }
}

fn compile_and_run(
    Compiler(name, level): Compiler,
    source: &Path,
    binary: &Path,
    model: DataModel,
    checked: bool,
) -> Result<String, String> {
    let mut compile = Command::new(name);
    compile.arg(level).args(FLAGS).args(if model == DataModel::Lp64 { &[][..] } else { FLAGS_32 });
    compile.args(if checked { CHECKED } else { &[] }).arg("-o").arg(binary).arg(source);
    let compiled =
        compile.stdin(Stdio::null()).output().map_err(|error| format!("no `{name}`: {error}"))?;
    if !compiled.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&compiled.stderr)));
    }
    let ran =
        Command::new(binary).stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    match ran.status.success() {
        true => Ok(String::from_utf8_lossy(&ran.stdout).into_owned()),
        false => Err(format!("the program ended with {}", ran.status)),
    }
}

/// A new file name.
fn scratch(extension: &str) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("rely-meaning-{}-{number}.{extension}", std::process::id()))
}
