//! The table of gcc's flags: how each is spelled, and what it means for the text of a program.
//!
//! Only flags that are known to leave the meaning of a program as it is are passed over. Names and spellings are those of gcc's manual ("Option
//! Summary"), some are clang's. Of several rows that match, the one with the longest name counts.

use crate::types::DataModel;

/// A row that matches.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    pub name: &'static str,
    pub valued: ValuedAs,
    pub meaning: FlagMeaning,
}

/// Where a flag has its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValuedAs {
    /// It has none.
    None,
    /// Whatever follows belongs to its name (`-Wall`).
    Rest,
    /// Directly behind it (`-std=c99`).
    Joined,
    /// As the next word.
    Next,
    /// Directly behind it, or as the next word.
    JoinedOrNext,
}

/// What a flag means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagMeaning {
    /// Nothing for what a program means.
    Nothing,
    /// What the preprocessor makes of it: definitions of macros, mostly.
    Preprocessor,
    /// The same; the value is a directory.
    Directory,
    /// The same; the value is a file that is looked for like one of `#include "…"`.
    IncludedFile,
    /// Sizes of types.
    Model(DataModel),
    /// Does signed arithmetic wrap around?
    Wraps(bool),
    /// Which C it is.
    Standard,
    /// Which language it is.
    Language,
    /// Its value has flags, with commas between them.
    ForPreprocessor,
    /// It changes the meaning in a way that is not modelled: why.
    Refused(&'static str),
}

use FlagMeaning::*;
use ValuedAs::*;

type Rows = (ValuedAs, FlagMeaning, &'static [&'static str]);

const FLAGS: &[Rows] = &[
    // Macros and headers.
    (JoinedOrNext, Preprocessor, &["-D", "-U", "-A"]),
    (JoinedOrNext, Directory, &["-I", "-isystem", "-iquote", "-idirafter", "-isysroot"]),
    (Next, Directory, &["--include-directory", "--sysroot"]),
    (Joined, Directory, &["--sysroot="]),
    (JoinedOrNext, IncludedFile, &["-include", "-imacros"]),
    (Next, Preprocessor, &["--define-macro", "--undefine-macro"]),
    (None, Preprocessor, &["-nostdinc", "-undef", "-trigraphs", "-pthread", "-pthreads"]),
    (None, Preprocessor, &["-ffreestanding", "-fhosted"]),
    (Rest, Preprocessor, &["-finput-charset=", "-fsanitize=", "-fmacro-prefix-map="]),
    (Joined, ForPreprocessor, &["-Wp,"]),
    // Which C.
    (Joined, Standard, &["-std=", "--std="]),
    (Next, Standard, &["--std"]),
    (None, Standard, &["-ansi", "--ansi"]),
    (JoinedOrNext, Language, &["-x"]),
    (None, Model(DataModel::Ilp32), &["-m32"]),
    (None, Model(DataModel::Lp64), &["-m64"]),
    (None, Wraps(true), &["-fwrapv", "-fno-strict-overflow"]),
    (None, Wraps(false), &["-fno-wrapv", "-fstrict-overflow"]),
    // What is made, and where; messages.
    (None, Nothing, &["-c", "-S", "-E", "-s", "-w", "-v", "-p", "-pg", "-pipe", "-shared"]),
    (None, Nothing, &["-static", "-pie", "-no-pie", "-rdynamic", "-static-libgcc", "-nostdlib"]),
    (None, Nothing, &["-nodefaultlibs", "-nostartfiles", "-static-pie", "-pedantic", "--pedantic"]),
    (None, Nothing, &["-pedantic-errors", "--coverage", "-coverage", "-Qunused-arguments"]),
    (None, Nothing, &["-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-P", "-C", "-CC", "-H", "-###"]),
    (JoinedOrNext, Nothing, &["-o", "-l", "-L", "-B", "-MF", "-MT", "-MQ", "-u"]),
    (Next, Nothing, &["--param", "-dumpdir", "-dumpbase", "-aux-info"]),
    (
        Rest,
        Nothing,
        &["-g", "-W", "-save-temps", "-fdiagnostics-", "-fmessage-length=", "--param="],
    ),
    (Rest, Nothing, &["-fmax-errors=", "-ferror-limit=", "-ftabstop=", "-fdump-", "-Rpass"]),
    (None, Nothing, &["-fcolor-diagnostics", "-fansi-escape-codes", "-fcaret-diagnostics"]),
    (None, Nothing, &["-fshow-column", "-fsyntax-only", "-fverbose-asm", "-fanalyzer"]),
    (
        None,
        Nothing,
        &["-frecord-gcc-switches", "-fident", "-fpch-preprocess", "-fworking-directory"],
    ),
    (Rest, Nothing, &["-fdebug-", "-ffile-prefix-map=", "-fprofile-prefix-map=", "-fopt-info"]),
    (Rest, Nothing, &["-Wa,--noexecstack", "-Wl,--as-needed", "-Wl,--no-as-needed", "-Wl,-rpath"]),
    (Rest, Nothing, &["-Wl,--gc-sections", "-Wl,--build-id", "-Wl,--hash-style", "-Wl,-Bsymbolic"]),
    (Rest, Nothing, &["-Wl,--no-undefined", "-Wl,--export-dynamic", "-Wl,-soname", "-Wl,-Map"]),
    (None, Nothing, &["-Wl,-z,relro", "-Wl,-z,now", "-Wl,-z,relro,-z,now", "-Wl,-z,noexecstack"]),
    (None, Nothing, &["-Wl,-z,defs", "-Wl,-O1", "-Wl,-E"]),
    // Optimisations, as far as they keep to the C standard. Macros say whether a program is optimised.
    (None, Preprocessor, &["-O", "-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Oz", "-finline"]),
    (
        Rest,
        Nothing,
        &["-ftree-", "-fipa-", "-finline-", "-funroll-", "-falign-", "-fsched", "-fira-"],
    ),
    // With threads, it is `-pthread`, too.
    (Rest, Preprocessor, &["-ftree-parallelize-loops="]),
    (Rest, Nothing, &["-fgcse", "-fvect-cost-model", "-fsimd-cost-model", "-flto", "-fprofile-"]),
    (Rest, Nothing, &["-freorder-", "-fif-conversion", "-fcse-", "-fmodulo-sched", "-foptimize-"]),
    (None, Nothing, &["-fstrict-aliasing", "-fdelete-null-pointer-checks", "-fwrapv-pointer"]),
    (None, Nothing, &["-fsection-anchors", "-fmerge-constants", "-fsemantic-interposition"]),
    (None, Nothing, &["-fpeel-loops", "-fsplit-loops", "-funswitch-loops", "-fweb", "-fgraphite"]),
    (None, Nothing, &["-fomit-frame-pointer", "-fthread-jumps", "-fcrossjumping", "-fdefer-pop"]),
    (
        None,
        Nothing,
        &["-fjump-tables", "-ftoplevel-reorder", "-funit-at-a-time", "-fwhole-program"],
    ),
    (None, Nothing, &["-frename-registers", "-fcaller-saves", "-fexpensive-optimizations"]),
    (None, Nothing, &["-fkeep-inline-functions", "-fkeep-static-functions", "-fcode-hoisting"]),
    (
        None,
        Nothing,
        &["-fkeep-static-consts", "-fzero-initialized-in-bss", "-foptimize-sibling-calls"],
    ),
    (None, Nothing, &["-fbuiltin", "-fno-builtin", "-fdollars-in-identifiers"]),
    // A macro says so; that two bodies of an inline function may differ is noticed, whichever counts.
    (None, Preprocessor, &["-fgnu89-inline"]),
    (Rest, Nothing, &["-fno-builtin-"]),
    (None, Nothing, &["-flax-vector-conversions", "-fextended-identifiers", "-fsigned-char"]),
    (None, Nothing, &["-fno-unsigned-char", "-fsigned-bitfields", "-fno-unsigned-bitfields"]),
    (None, Nothing, &["-fno-short-enums", "-fno-short-wchar", "-fno-common", "-fno-pack-struct"]),
    (None, Nothing, &["-fno-exceptions", "-fno-trapv", "-fno-fast-math", "-ffp-contract=off"]),
    (None, Nothing, &["-fno-ms-extensions", "-fno-openmp", "-fasm", "-fno-merge-all-constants"]),
    (None, Nothing, &["-fno-non-call-exceptions", "-fno-instrument-functions"]),
    // Code for a system: where it may be loaded, how it is guarded and measured. Of most, macros tell.
    (None, Preprocessor, &["-fpic", "-fPIC", "-fpie", "-fPIE", "-fasynchronous-unwind-tables"]),
    (Rest, Preprocessor, &["-fstack-protector", "-fcf-protection", "-fno-sanitize", "-fhardened"]),
    (None, Nothing, &["-fplt", "-ffunction-sections", "-fdata-sections", "-funwind-tables"]),
    (Rest, Nothing, &["-fstack-clash-protection", "-fstrict-flex-arrays"]),
    (Rest, Nothing, &["-fstack-usage", "-fstack-check", "-fstack-reuse="]),
    (Rest, Nothing, &["-fsanitize-recover", "-fsanitize-undefined-trap-on-error", "-ftls-model="]),
    (Rest, Nothing, &["-fvisibility=", "-fzero-call-used-regs=", "-ftrivial-auto-var-init="]),
    (Rest, Nothing, &["-fpatchable-function-entry="]),
    (None, Nothing, &["-ftest-coverage", "-fuse-linker-plugin", "-ffat-lto-objects"]),
    (Rest, Nothing, &["-fuse-ld="]),
    // The machine: what it can do is a macro.
    (Rest, Preprocessor, &["-march=", "-mtune=", "-mcpu=", "-msse", "-mssse3", "-mavx", "-mbmi"]),
    (Rest, Preprocessor, &["-mcmodel=", "-mbranch-protection=", "-mfpmath=", "-mindirect-branch"]),
    (None, Preprocessor, &["-mmmx", "-mpopcnt", "-maes", "-mpclmul", "-mcx16", "-mfma", "-mf16c"]),
    (None, Preprocessor, &["-mlzcnt", "-madx", "-mrdrnd", "-mrdseed", "-msha", "-mrtm", "-mmovbe"]),
    (
        None,
        Preprocessor,
        &["-mred-zone", "-mno-red-zone", "-mwaitpkg", "-mlse", "-moutline-atomics"],
    ),
    (None, Preprocessor, &["-mshstk", "-mtls-dialect=gnu2", "-mtls-dialect=gnu", "-mfxsr"]),
    // What changes the meaning.
    (None, Refused("makes `char` unsigned, which is not modelled"), &["-funsigned-char"]),
    (None, Refused("makes `char` unsigned, which is not modelled"), &["-fno-signed-char"]),
    (None, Refused("gives enumerations other sizes, which is not modelled"), &["-fshort-enums"]),
    (None, Refused("makes bit-fields unsigned, which is not modelled"), &["-funsigned-bitfields"]),
    (None, Refused("makes bit-fields unsigned, which is not modelled"), &["-fno-signed-bitfields"]),
    (Rest, Refused("gives records another layout, which is not modelled"), &["-fpack-struct"]),
    (None, Refused("gives records another layout, which is not modelled"), &["-mms-bitfields"]),
    (None, Refused("gives records another layout, which is not modelled"), &["-malign-double"]),
    (
        None,
        Refused("ends the program where arithmetic overflows, which is not modelled"),
        &["-ftrapv"],
    ),
    (Rest, Refused("makes threads of pragmas, which is not modelled"), &["-fopenmp", "-fopenacc"]),
    (Rest, Refused("keeps to other rules than those of C"), &["-ffast-math", "-Ofast"]),
    (
        None,
        Refused("runs cleanup handlers where a thread ends, which is not modelled"),
        &["-fexceptions"],
    ),
    (None, Refused("merges definitions of several files, which is not modelled"), &["-fcommon"]),
    (
        None,
        Refused("has pointers of 32 bits and registers of 64, which is not modelled"),
        &["-mx32"],
    ),
    (Rest, Refused("is for the linker, and may change what a name means"), &["-Wl,"]),
    (Rest, Refused("is for the assembler, which rely does not ask"), &["-Wa,"]),
];

/// What is said of a flag that stands in no row.
const UNKNOWN: &str = "is a flag that rely does not know; it may change what the program means";

/// The standards that are read, and whether they are the C of 1990.
const STANDARDS: &[(&str, bool)] = &[
    ("c90", true),
    ("c89", true),
    ("gnu90", true),
    ("gnu89", true),
    ("iso9899:1990", true),
    ("iso9899:199409", true),
    ("c99", false),
    ("c9x", false),
    ("gnu99", false),
    ("gnu9x", false),
    ("iso9899:1999", false),
    ("iso9899:199x", false),
    ("c11", false),
    ("c1x", false),
    ("gnu11", false),
    ("gnu1x", false),
    ("iso9899:2011", false),
    ("c17", false),
    ("c18", false),
    ("gnu17", false),
    ("gnu18", false),
    ("iso9899:2017", false),
    ("iso9899:2018", false),
];

/// Is a standard the C of 1990? `None` if it is not read.
pub fn is_c90(standard: &str) -> Option<bool> {
    STANDARDS.iter().find(|(name, _)| *name == standard).map(|(_, is_c90)| *is_c90)
}

/// The flag that a word is, if it is one; or why it is refused.
pub fn find(word: &str) -> Result<Option<Flag>, String> {
    if !word.starts_with('-') || word == "-" {
        return Ok(Option::None);
    }
    let positive = word.replacen("-fno-", "-f", 1);
    let keeps_meaning = |flag: &Flag| matches!(flag.meaning, Nothing | Preprocessor);
    let negated = row_of(&positive).filter(|flag| positive != word && keeps_meaning(flag));
    let negated = negated.map(|flag| Flag { valued: Rest, ..flag });
    let no_machine = || word.strip_prefix("-mno-").map(|rest| format!("-m{rest}"));
    let machine = || no_machine().and_then(|positive| row_of(&positive));
    let machine = || machine().filter(|flag| flag.meaning == Preprocessor);
    match row_of(word).or(negated).or_else(machine) {
        Some(Flag { meaning: Refused(reason), .. }) => Err(format!("`{word}` {reason}")),
        Some(flag) => Ok(Some(flag)),
        Option::None => Err(format!("`{word}` {UNKNOWN}")),
    }
}

/// The row with the longest name that a word matches.
fn row_of(word: &str) -> Option<Flag> {
    let rows = FLAGS.iter().flat_map(|(valued, meaning, names)| {
        names.iter().map(|name| Flag { name, valued: *valued, meaning: *meaning })
    });
    rows.filter(|flag| flag.matches(word)).max_by_key(|flag| flag.name.len())
}

impl Flag {
    fn matches(&self, word: &str) -> bool {
        match self.valued {
            None | Next => word == self.name,
            Rest | Joined | JoinedOrNext => {
                let rest = word.strip_prefix(self.name);
                // Another flag behind a comma (`-Wl,--as-needed,--wrap=malloc`) is not part of this one.
                let is_list = self.meaning == Nothing && self.name.contains(',');
                rest.is_some_and(|rest| !(is_list && rest.contains(",-")))
            }
        }
    }

    /// Is the next word its value?
    pub fn takes_next(&self, word: &str) -> bool {
        matches!(self.valued, Next | JoinedOrNext) && word == self.name
    }

    /// Its value.
    pub fn value<'w>(
        &self,
        word: &'w str,
        next: Option<&'w String>,
    ) -> Result<Option<&'w str>, String> {
        match self.valued {
            None | Rest => Ok(Option::None),
            _ if self.takes_next(word) => match next {
                Some(next) => Ok(Some(next)),
                Option::None => Err(format!("`{word}` needs a value behind it")),
            },
            _ => Ok(Some(&word[self.name.len()..])),
        }
    }
}
