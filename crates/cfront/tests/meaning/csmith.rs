//! Programs that csmith generates: the checksum of their variables is what gcc's program prints, and the model ends without
//! having seen another one. csmith's programs have no undefined behaviour, so a model that finds some is wrong, too.
//!
//! Their run-time library ([`prelude`]) is our own: arithmetic that never overflows, and a checksum.
//! `RELY_PROGRAMS=n` says how many programs, `RELY_SEED=n` with which seed to begin.

use crate::interpret::{self, Ending};
use crate::{number_from, tools};
use cfront::DataModel;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Programs of every run.
const PROGRAMS: u64 = 200;

/// So many of a hundred must be decided: the others are too large for the model.
const MIN_DECIDED_PERCENT: u64 = 50;

/// Small programs: what takes long to run or to inline says little.
const OPTIONS: &[&str] = &[
    "--no-argc",
    "--no-float",
    "--max-funcs",
    "3",
    "--max-block-depth",
    "2",
    "--max-block-size",
    "3",
    "--max-expr-complexity",
    "4",
    "--max-array-dim",
    "2",
    "--max-array-len-per-dim",
    "4",
    "--max-struct-fields",
    "5",
    "--max-union-fields",
    "4",
];

/// A program may run for ever; in seconds.
const MAX_RUN_SECONDS: &str = "2";

/// Expressions of the model may be deep.
const STACK_BYTES: usize = 1 << 28;

#[test]
fn csmith_programs_mean_what_gcc_says() {
    let works = Command::new("csmith")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !works || !crate::native::is_available(DataModel::Lp64) {
        return tools::skip("csmith", "no programs of its are compared");
    }
    let first = number_from("RELY_SEED").unwrap_or(1);
    let count = number_from("RELY_PROGRAMS").unwrap_or(PROGRAMS);
    let (next, decided, left_out) = (AtomicU64::new(first), AtomicU64::new(0), AtomicU64::new(0));
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let work = || loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= first + count {
                    return;
                }
                match outcome(seed) {
                    Outcome::Agrees => drop(decided.fetch_add(1, Ordering::Relaxed)),
                    Outcome::Undecided => {}
                    Outcome::LeftOut => drop(left_out.fetch_add(1, Ordering::Relaxed)),
                    Outcome::Differs(what) => {
                        failures.lock().expect("no panic").push(format!("seed {seed}: {what}"))
                    }
                }
            };
            let worker = std::thread::Builder::new().stack_size(STACK_BYTES);
            worker.spawn_scoped(scope, work).expect("the system gives us a thread");
        }
    });
    let failures = failures.into_inner().expect("no panic");
    let (decided, left_out) = (decided.into_inner(), left_out.into_inner());
    let undecided = count - left_out - decided - failures.len() as u64;
    eprintln!("csmith, programs from seed {first} on:");
    for (number, what) in [
        (decided, "agree"),
        (undecided, "are too large for the model"),
        (left_out, "do not end in time"),
        (failures.len() as u64, "DISAGREE"),
    ] {
        eprintln!("{number:7}  {what}");
    }
    assert!(failures.is_empty(), "csmith {}:\n{}", OPTIONS.join(" "), failures.join("\n"));
    let enough = (count - left_out) * MIN_DECIDED_PERCENT / 100;
    assert!(decided >= enough, "only {decided} of {count} are decided");
}

enum Outcome {
    /// The model computes the checksum.
    Agrees,
    /// The model ends at a limit.
    Undecided,
    /// The machine has no checksum in time.
    LeftOut,
    Differs(String),
}

fn outcome(seed: u64) -> Outcome {
    let Some(program) = generate(seed) else { return Outcome::LeftOut };
    let Some(checksum) = native_checksum(&program, seed) else { return Outcome::LeftOut };
    let end = format!("if (rely_sum != {checksum}ULL) reach_error(); }}");
    let model = format!("extern void reach_error(void);\n{}", whole(&program, &end));
    match interpret::run_in_two_orders(&model, DataModel::Lp64, false) {
        Ending::Finished => Outcome::Agrees,
        Ending::Trouble(what) if what.starts_with("model limit") || what == "too many steps" => {
            Outcome::Undecided
        }
        Ending::Trouble(what) => Outcome::Differs(what),
        Ending::Differs(_) => Outcome::Differs(format!("the checksum is not {checksum}")),
    }
}

/// The program of a seed, without the header of csmith's own library.
fn generate(seed: u64) -> Option<String> {
    // csmith writes a file about the platform where it is started.
    let folder = std::env::temp_dir().join(format!("rely-csmith-{}-{seed}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let mut command = Command::new("csmith");
    command.args(OPTIONS).arg("--seed").arg(seed.to_string()).current_dir(&folder);
    let output = command.output();
    std::fs::remove_dir_all(&folder).ok()?;
    let text = String::from_utf8(output.ok()?.stdout).ok()?;
    text.contains("int main").then(|| text.replace("#include \"csmith.h\"", ""))
}

/// With the run-time library; `end` is what the program does with its checksum.
fn whole(program: &str, end: &str) -> String {
    format!("{}static void platform_main_end(unsigned s, int f) {{ {end}\n{program}", prelude())
}

fn native_checksum(program: &str, seed: u64) -> Option<u64> {
    let name = format!("rely-csmith-{}-{seed}-run", std::process::id());
    let (source, binary) =
        (std::env::temp_dir().join(format!("{name}.c")), std::env::temp_dir().join(name));
    let text = whole(program, "__builtin_printf(\"%llu\\n\", rely_sum); }");
    std::fs::write(&source, text).ok()?;
    let compiled = Command::new("cc")
        .args(["-w", "-O0", "-o"])
        .arg(&binary)
        .arg(&source)
        .stderr(Stdio::null())
        .status();
    let ran = compiled.is_ok_and(|status| status.success()).then(|| {
        Command::new("timeout").arg(MAX_RUN_SECONDS).arg(&binary).stdin(Stdio::null()).output()
    });
    for file in [&source, &binary] {
        // It does not exist if the compiler failed.
        let _ = std::fs::remove_file(file);
    }
    let output = ran?.ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// What csmith's programs call: integers of fixed sizes, operators without undefined behaviour (which give the left operand
/// where the result would be undefined), and the checksum.
fn prelude() -> String {
    let mut text = String::from(
        "typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;\n\
         typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned uint32_t; typedef unsigned long uint64_t;\n\
         static unsigned long long rely_sum; static unsigned crc32_context;\n\
         static void crc32_gentab(void) {}\n\
         static void transparent_crc(uint64_t v, char *n, int f) { rely_sum = (rely_sum ^ v) * 1099511628211ULL; }\n\
         static void platform_main_begin(void) {}\n",
    );
    for bits in [8, 16, 32, 64] {
        let max = (1u128 << (bits - 1)) - 1;
        let named = |template: &str, max: String, name: String| {
            let template = template.replace("BITS", &bits.to_string()).replace("MIN", "(-MAX - 1)");
            template.replace("MAX", &max).replace('T', &name)
        };
        text.push_str(&named(SIGNED, format!("{max}L"), format!("int{bits}_t")));
        text.push_str(&named(UNSIGNED, format!("{}UL", 2 * max + 1), format!("uint{bits}_t")));
    }
    text
}

const SIGNED: &str = "
static T safe_unary_minus_func_T_s(T a) { return a == MIN ? a : -a; }
static T safe_add_func_T_s_s(T a, T b) { return (b > 0 && a > MAX - b) || (b < 0 && a < MIN - b) ? a : a + b; }
static T safe_sub_func_T_s_s(T a, T b) { return (b < 0 && a > MAX + b) || (b > 0 && a < MIN + b) ? a : a - b; }
static T safe_mul_func_T_s_s(T a, T b)
{
    if (a > 0 ? (b > 0 ? a > MAX / b : b < MIN / a) : (b > 0 ? a < MIN / b : a != 0 && b < MAX / a)) return a;
    return a * b;
}
static T safe_div_func_T_s_s(T a, T b) { return b == 0 || (a == MIN && b == -1) ? a : a / b; }
static T safe_mod_func_T_s_s(T a, T b) { return b == 0 || (a == MIN && b == -1) ? a : a % b; }
static T safe_lshift_func_T_s_s(T a, int b) { return a < 0 || b < 0 || b >= BITS || a > (MAX >> b) ? a : a << b; }
static T safe_lshift_func_T_s_u(T a, unsigned b) { return a < 0 || b >= BITS || a > (MAX >> b) ? a : a << b; }
static T safe_rshift_func_T_s_s(T a, int b) { return a < 0 || b < 0 || b >= BITS ? a : a >> b; }
static T safe_rshift_func_T_s_u(T a, unsigned b) { return a < 0 || b >= BITS ? a : a >> b; }
";

const UNSIGNED: &str = "
static T safe_unary_minus_func_T_u(T a) { return -a; }
static T safe_add_func_T_u_u(T a, T b) { return 1U * a + b; }
static T safe_sub_func_T_u_u(T a, T b) { return 1U * a - b; }
static T safe_mul_func_T_u_u(T a, T b) { return 1U * a * b; }
static T safe_div_func_T_u_u(T a, T b) { return b == 0 ? a : a / b; }
static T safe_mod_func_T_u_u(T a, T b) { return b == 0 ? a : a % b; }
static T safe_lshift_func_T_u_s(T a, int b) { return b < 0 || b >= BITS || a > (MAX >> b) ? a : a << b; }
static T safe_lshift_func_T_u_u(T a, unsigned b) { return b >= BITS || a > (MAX >> b) ? a : a << b; }
static T safe_rshift_func_T_u_s(T a, int b) { return b < 0 || b >= BITS ? a : a >> b; }
static T safe_rshift_func_T_u_u(T a, unsigned b) { return b >= BITS ? a : a >> b; }
";
