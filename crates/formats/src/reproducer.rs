//! A reproducer: a stand-alone C program that fails as the interleaving that was found says, every time it runs. It is the program of the user, preprocessed, with
//! hooks before the steps that other threads can notice; and a scheduler (`reproducer/scheduler.c`) that lets threads pass them in the order of the interleaving.
//!
//! The idea of forcing a recorded schedule on a program is that of deterministic replay (Choi and Srinivasan, SPDT 1998: only the switches between threads matter). Here
//! nothing was recorded: the schedule is that of a witness. Who makes the text with the hooks knows C; here is what the file says of itself, and what it is read by again.

use crate::run::RunData;
use std::fmt::Write;

const SCHEDULER: &str = include_str!("reproducer/scheduler.c");

/// How a reproducer begins: so it is known again, and what is made of it.
const MARK: &str = "// A reproducer of rely, version 1";
/// What the compiler is told beyond `-pthread`.
const FLAGS: &str = "// flags: ";
/// Words that are said on standard error when it fails; ` | ` is between alternatives.
const EXPECTS: &str = "// expects: ";
/// It fails by not ending.
const HANGS: &str = "// hangs";
/// Stands between the words of [`EXPECTS`].
const OR: &str = " | ";

/// A program with hooks, and the order in which they are passed.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Reproducer {
    /// The text before the scheduler, and the one behind it.
    pub text: [String; 2],
    /// The names of the threads.
    pub threads: Vec<String>,
    /// Which one begins.
    pub main: usize,
    /// Which one fails: it goes on when all steps are made.
    pub fails: usize,
    /// Where hooks stand, for people. The last one is the end of a thread.
    pub places: Vec<String>,
    /// The steps, in order.
    pub steps: Vec<ForcedStep>,
    /// What parts of the scheduler are needed: names of its macros.
    pub parts: Vec<&'static str>,
    /// How it fails.
    pub failure: NativeFailure,
}

/// A step at a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedStep {
    /// Who.
    pub thread: usize,
    /// Index into the places.
    pub place: usize,
    /// The value that it yields.
    pub value: i128,
}

/// How a program that is run shows its error.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NativeFailure {
    /// What the compiler must be told.
    pub flags: &'static str,
    /// What is said then, in one of these ways.
    pub says: Vec<String>,
    /// So many threads wait for ever.
    pub waiting: usize,
    /// Two accesses race: then the program ends.
    pub is_race: bool,
    /// It is noticed when the program ends.
    pub is_at_end: bool,
}

/// What a reproducer says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReproducerHead {
    /// What the compiler is told.
    pub flags: Vec<String>,
    /// What is said when it fails, in one of these ways.
    pub says: Vec<String>,
    /// Does it fail by not ending?
    pub hangs: bool,
}

/// The file for the first answer that can be reproduced.
pub fn write(run: &RunData) -> Option<String> {
    let (answer, reproducer) =
        run.answers.iter().find_map(|answer| Some((answer, answer.reproducer?)))?;
    Some(reproducer.file(answer.evidence, run.version))
}

/// What a file says of itself, if it is a reproducer.
pub fn read_head(text: &str) -> Option<ReproducerHead> {
    let mut lines = text.lines();
    lines.next().filter(|first| *first == MARK)?;
    let mut head = ReproducerHead { flags: Vec::new(), says: Vec::new(), hangs: false };
    for line in lines.take_while(|line| line.starts_with("//")) {
        if let Some(flags) = line.strip_prefix(FLAGS) {
            head.flags = flags.split_whitespace().map(str::to_string).collect();
        } else if let Some(says) = line.strip_prefix(EXPECTS) {
            head.says = says.split(OR).map(str::to_string).collect();
        }
        head.hangs |= line == HANGS;
    }
    (!head.says.is_empty()).then_some(head)
}

impl Reproducer {
    /// The whole file.
    fn file(&self, evidence: &str, version: &str) -> String {
        let [before, behind] = &self.text;
        let head = self.head(evidence, version);
        format!(
            "{head}\n{before}\n# 1 \"rely-scheduler\"\n{}\n{SCHEDULER}\n{behind}",
            self.tables()
        )
    }

    fn head(&self, evidence: &str, version: &str) -> String {
        let flags = self.failure.flags;
        let mut head = format!("{MARK}\n");
        if !flags.is_empty() {
            head += &format!("{FLAGS}{flags}\n");
        }
        head += &format!("{EXPECTS}{}\n", self.failure.says.join(OR));
        if self.failure.waiting > 0 {
            head += &format!("{HANGS}\n");
        }
        let evidence = evidence.replace("*/", "* /").replace("/*", "/ *").replace("??/", "?? /");
        let space = if flags.is_empty() { "" } else { " " };
        head + &format!(
            "/* The program as rely {version} has read it, and a scheduler that forces the interleaving below: it fails every time.\n   \
             Compile it with:  cc -g -pthread{space}{flags} THIS_FILE\n   \
             or say:           rely replay THIS_FILE\n\n{evidence}*/\n"
        )
    }

    /// What the scheduler is about.
    fn tables(&self) -> String {
        let blocks: Vec<&[ForcedStep]> =
            self.steps.chunk_by(|one, next| one.thread == next.thread).collect();
        self.numbers(blocks.len()) + &self.names() + &self.schedule(&blocks)
    }

    fn numbers(&self, blocks: usize) -> String {
        let failure = &self.failure;
        let numbers = [
            ("RELY_THREADS", self.threads.len()),
            ("RELY_MAIN", self.main),
            ("RELY_FAILS", self.fails),
            ("RELY_STEPS", self.steps.len()),
            ("RELY_BLOCKS", blocks),
            ("RELY_PLACES", self.places.len()),
            ("RELY_END", self.places.len() - 1),
            ("RELY_DEADLOCK", failure.waiting),
            ("RELY_RACE", usize::from(failure.is_race)),
            ("RELY_FAILS_AT_END", usize::from(failure.is_at_end)),
        ];
        let parts = self.parts.iter().map(|part| (*part, 1));
        let define = |(name, value)| format!("#define {name} {value}\n");
        let flags = format!("#define RELY_FLAGS {}\n", literal(failure.flags));
        numbers.into_iter().chain(parts).map(define).collect::<String>() + &flags
    }

    /// The names of threads and places.
    fn names(&self) -> String {
        let names = |all: &[String]| -> String {
            all.iter().map(|one| format!("    {},\n", literal(one))).collect()
        };
        format!(
            "static const char *const rely_threads[] = {{\n{}    \"one that is in no step\"\n}};\n\
             static const char *const rely_places[] = {{\n{}}};\n",
            names(&self.threads),
            names(&self.places)
        )
    }

    /// The steps, and the blocks that they form.
    fn schedule(&self, blocks: &[&[ForcedStep]]) -> String {
        let (mut steps, mut rows, mut first) = (String::new(), String::new(), 0);
        for block in blocks {
            for step in *block {
                let place = self.places[step.place].replace("*/", "* /").replace("/*", "/ *");
                let (name, value) = (&self.threads[step.thread], constant(step.value));
                let _ = writeln!(steps, "    {{{}, {value}}}, /* {name}: {place} */", step.place);
            }
            let _ =
                writeln!(rows, "    {{{}, {first}, {}}},", block[0].thread, first + block.len());
            first += block.len();
        }
        format!(
            "static const struct {{ int place; long long value; }} rely_steps[RELY_STEPS + 1] = {{\n{steps}    {{0, 0}}\n}};\n\
             static const struct {{ int thread, first, end; }} rely_blocks[RELY_BLOCKS + 1] = {{\n{rows}    {{0, 0, 0}}\n}};\n"
        )
    }
}

/// A string literal of C.
fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out + "\""
}

/// A number as a constant that fits into `long long`.
fn constant(value: i128) -> String {
    match i64::try_from(value) {
        Ok(i64::MIN) => "(-9223372036854775807LL - 1)".to_string(),
        Ok(value) => format!("{value}LL"),
        Err(_) => format!("(long long){}ULL", value as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::{ForcedStep, NativeFailure, Reproducer, constant, literal, read_head};

    /// A reproducer with one step.
    fn small(failure: NativeFailure) -> Reproducer {
        Reproducer {
            threads: vec!["main".to_string()],
            places: vec!["a.c:1: x /* */".to_string(), "the end".to_string()],
            steps: vec![ForcedStep { thread: 0, place: 0, value: -1 }],
            failure,
            ..Reproducer::default()
        }
    }

    #[test]
    fn what_a_file_says_of_itself_is_read_again() {
        let says = vec!["data race".to_string(), "or else".to_string()];
        let race = NativeFailure {
            flags: "-fsanitize=thread",
            says: says.clone(),
            ..NativeFailure::default()
        };
        let head = read_head(&small(race).file("", "1")).expect("it is one");
        assert_eq!(
            (head.flags, &head.says, head.hangs),
            (vec!["-fsanitize=thread".to_string()], &says, false)
        );
        let deadlock = NativeFailure { says, waiting: 2, ..NativeFailure::default() };
        let head = read_head(&small(deadlock).file("", "1")).expect("it is one");
        assert!(head.flags.is_empty() && head.hangs);
        assert_eq!(read_head("int main(void) { return 0; }\n"), None);
        assert_eq!(read_head(""), None);
    }

    #[test]
    fn comments_end_where_they_should() {
        let failure = NativeFailure { says: vec!["x".to_string()], ..NativeFailure::default() };
        let file = small(failure).file("a */ b /* c", "1");
        assert!(file.contains("a * / b / * c*/\n"), "{file}");
        assert!(file.contains("{0, -1LL}, /* main: a.c:1: x / * * / */\n"), "{file}");
    }

    #[test]
    fn constants_and_literals_of_c() {
        assert_eq!(constant(i128::from(i64::MIN)), "(-9223372036854775807LL - 1)");
        assert_eq!(constant(i128::from(u64::MAX)), "(long long)18446744073709551615ULL");
        assert_eq!(literal("a\"b\\\n"), "\"a\\\"b\\\\ \"");
    }
}
