//! Decides whether a multi-threaded C program can go wrong (an assertion that fails, undefined behaviour, a data race, a deadlock): the library. The command `rely`
//! (`src/bin/rely`) reads arguments, prints and keeps the limits of its process; everything else is here and
//! does none of that.
//!
//! - A program, or a litmus test, comes [in](Input) as a file or as a text in memory.
//! - [`check()`], [`conform()`] and [`show`] work on it; [`Control`] says when to stop and hears of the progress.
//! - A [`Report`] comes out for each answer: the verdict, its evidence in words and as data. [`Answers`] has all of them.
//!
//! Every SAFE and every UNSAFE was confirmed by the checker before it is reported.
//!
//! # A program in memory
//!
//! ```
//! use rely::{CheckOptions, Control, Input, Verdict};
//!
//! let text = "
//!     #include <assert.h>
//!     int x;
//!     int main(void) { x = 1; assert(x == 1); }
//! ";
//! let input = Input::c("small.c", text);
//! let answers = rely::check(&input, &CheckOptions::default(), &mut Control::default())?;
//! assert_eq!(answers.worst().verdict, Verdict::Safe);
//! println!("{answers}"); // what the command line prints
//! # Ok::<(), rely::BadInput>(())
//! ```
//!
//! # The interleaving that leads to an error
//!
//! ```
//! use rely::{CheckOptions, Control, Input, Verdict};
//!
//! let text = "
//!     #include <assert.h>
//!     #include <pthread.h>
//!     int x;
//!     void *writer(void *unused) { x = 1; return 0; }
//!     int main(void) {
//!         pthread_t thread;
//!         pthread_create(&thread, 0, writer, 0);
//!         assert(x == 0);
//!     }
//! ";
//! let input = Input::c("race.c", text);
//! let answers = rely::check(&input, &CheckOptions::default(), &mut Control::default())?;
//! let report = answers.worst();
//! assert_eq!(report.verdict, Verdict::Unsafe);
//! let interleaving = report.interleaving.as_ref().expect("UNSAFE comes with an interleaving");
//! assert_eq!(interleaving.failure.what, "assert(x == 0)");
//! for row in &interleaving.rows {
//!     let thread = &interleaving.threads[row.thread];
//!     let changes = row.changes.iter().map(|change| format!(" {} = {}", change.name, change.new));
//!     println!("line {}: {thread}: {}{}", row.line, row.text, changes.collect::<String>());
//! }
//! # Ok::<(), rely::BadInput>(())
//! ```
//!
//! # A litmus test
//!
//! ```
//! use rely::{CheckOptions, Control, Input, MemoryModel, Verdict};
//!
//! let text = r"X86 SB
//! { }
//!  P0          | P1          ;
//!  MOV [x],$1  | MOV [y],$1  ;
//!  MOV EAX,[y] | MOV EAX,[x] ;
//! exists (0:EAX=0 /\ 1:EAX=0)";
//! let input = Input::litmus("SB.litmus", text);
//! let mut options = CheckOptions::default();
//! options.read.memory_model = MemoryModel::Tso;
//! let answers = rely::check(&input, &options, &mut Control::default())?;
//! assert_eq!(answers.worst().verdict, Verdict::Unsafe); // the state can be reached
//! # Ok::<(), rely::BadInput>(())
//! ```
//!
//! # Some questions
//!
//! Without more, [everything](Question::EVERYTHING) is asked.
//!
//! ```
//! use rely::{CheckOptions, Control, Input, Question, Verdict};
//!
//! let text = "
//!     #include <assert.h>
//!     extern int __VERIFIER_nondet_int(void);
//!     int main(void) { int x = __VERIFIER_nondet_int(); assert(x == x); return -x; }
//! ";
//! let input = Input::c("negate.c", text);
//! let questions = [Question::Assertions, Question::Overflow];
//! let options = CheckOptions::asking(questions);
//! let answers = rely::check(&input, &options, &mut Control::default())?;
//! let verdict = |question| answers.answer(question).map(|report| report.verdict);
//! assert_eq!(verdict(Question::Overflow), Some(Verdict::Unsafe));
//! assert_eq!(verdict(Question::Assertions), Some(Verdict::Safe));
//! assert_eq!(answers.worst().verdict, Verdict::Unsafe);
//! # Ok::<(), rely::BadInput>(())
//! ```
//!
//! # Progress and cancellation
//!
//! ```
//! use rely::{Budget, Cause, CheckOptions, Control, Input, Progress, Stop, Verdict};
//! use std::time::Duration;
//!
//! let endless = "
//!     #include <assert.h>
//!     unsigned long x;
//!     int main(void) {
//!         while (1) { x = x * 6364136223846793005ul + 1; assert(x != 42); }
//!     }
//! ";
//! let budget = Budget::default();
//! let limit = budget.clone();
//! std::thread::spawn(move || {
//!     std::thread::sleep(Duration::from_millis(200));
//!     limit.stop(Stop::Timeout); // or from wherever the user says that it is enough
//! });
//! let mut engines = Vec::new();
//! let mut control = Control::new(budget, |progress| {
//!     if let Progress::Engine(name, why) = progress {
//!         engines.push(format!("{name}: {why}"));
//!     }
//! });
//! let input = Input::c("endless.c", endless);
//! let answers = rely::check(&input, &CheckOptions::default(), &mut control)?;
//! drop(control);
//! assert_eq!(answers.worst().verdict, Verdict::Unknown(Cause::Timeout));
//! assert!(engines[0].starts_with("explore: "));
//! # Ok::<(), rely::BadInput>(())
//! ```
//!
//! # A program that is compiled with flags
//!
//! ```
//! use rely::{CheckOptions, CompilerOptions, Control, Input, Verdict};
//!
//! let input = Input::c("sum.c", "int main(void) { int x = LARGE; return x + 1 < x; }");
//! let flags = ["-DLARGE=2147483647", "-O2", "-fwrapv"].map(String::from);
//! let mut options = CheckOptions::default();
//! (options.read.compiler, _) = CompilerOptions::read(&flags)?;
//! let answers = rely::check(&input, &options, &mut Control::default())?;
//! assert_eq!(answers.worst().verdict, Verdict::Safe); // nothing is undefined, since sums wrap around
//! # Ok::<(), rely::BadInput>(())
//! ```
//!
//! # A program without `main`
//!
//! ```
//! use rely::{Assumption, CheckOptions, Control, Input, Verdict};
//!
//! let input = Input::c("sign.c", "int sign(int n) { return n < 0 ? -1 : n > 0; }");
//! let mut options = CheckOptions::default();
//! options.read.entry = Some("sign".into()); // with any number
//! let answers = rely::check(&input, &options, &mut Control::default())?;
//! assert_eq!(answers.worst().verdict, Verdict::Safe);
//! assert!(answers.worst().assumptions.contains(&Assumption::BeginsAsInitialised));
//! # Ok::<(), rely::BadInput>(())
//! ```
//!
//! # A project
//!
//! ```no_run
//! use rely::{CheckOptions, Control, Input};
//!
//! let files = ["queue.c", "tests/harness.c"].map(Into::into); // none: all of the project's
//! let input = Input::project("build/compile_commands.json", files.to_vec());
//! let answers = rely::check(&input, &CheckOptions::default(), &mut Control::default())?;
//! # Ok::<(), rely::BadInput>(())
//! ```
//!
//! # Mistakes in the program
//!
//! ```
//! use rely::{CheckOptions, Control, Input};
//!
//! let input = Input::c("wrong.c", "int main(void) { return 1 }");
//! let bad = rely::check(&input, &CheckOptions::default(), &mut Control::default())
//!     .expect_err("a semicolon is missing");
//! let complaint = &bad.complaints[0];
//! assert_eq!(complaint.place.map(|(line, column, _)| (line, column)), Some((1, 27)));
//! println!("{bad}"); // each complaint with its line and a caret
//! ```
//!
//! # An engine and its options
//!
//! ```
//! use rely::{CheckOptions, ENGINES};
//!
//! for engine in ENGINES {
//!     println!("{}: {}", engine.name, engine.about);
//! }
//! let impact = rely::engine("impact").expect("it is in the list");
//! let mut options = CheckOptions { engine: Some(impact), ..CheckOptions::default() };
//! options.settings.set(&impact.options[0], "spor")?;
//! # Ok::<(), rely::NoSuchValue>(())
//! ```
//!
//! Inside, `pipeline` is the story of the whole tool on one screen.

mod agenda;
mod bad_input;
mod conformance;
mod control;
mod decided;
mod deep_stack;
mod dot;
mod engines;
mod excerpt;
mod input;
mod litmus_test;
mod model_text;
mod obligations;
mod options;
mod others;
mod pipeline;
mod plan;
mod property;
mod protection;
mod question;
mod report;
mod reproducer;

mod show;
mod strategy;
mod vacuity;
mod weak_memory;
mod work_clock;

pub use bad_input::BadInput;
pub use ccfa::MemoryModel;
pub use cfront::{
    Assumption, Choices, CompilerOptions, Complaint, DataModel, Leaks, MissingFunctions, Property,
    RefusedFlag, SignedOverflow, expand as expand_argument_files,
};
pub use conformance::conform;
pub use control::{Control, Phase, Progress};
pub use engine::{
    Budget, Counter, Descriptor, EngineOption, Event, NoSuchValue, OptionValues, Settings, Stop,
};
pub use engines::{ENGINES, engine};
pub use input::Input;
pub use obligations::{Obligation, Script};
pub use options::{CheckOptions, ConformOptions, ReadOptions};
pub use pipeline::check;
pub use property::{PropertyFile, read_property};
pub use question::Question;
pub use report::{
    Answers, Cause, Change, Failure, Interleaving, ReachedLimit, Report, Row, SourcePlace, Verdict,
    grouped,
};
pub use show::{Format, Shown, show};
