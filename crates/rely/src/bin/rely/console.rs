//! What the user sees while rely works and when it ends: verbose remarks and a
//! progress line on standard error, the report on standard output.
//!
//! Several threads have something to say; one lock orders them. Who ends the
//! process keeps the lock, so there is one report and nothing after it.

use crate::color;
use crate::export::Exports;
use rely::{Answers, BadInput, Counter, Event, Phase, Progress, Report, Stop, grouped};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Work shorter than this shows no progress: lines that come and go at once only flicker.
const MIN_SHOWN_TIME: Duration = Duration::from_secs(1);
/// Time between two progress lines.
const REFRESH: Duration = Duration::from_millis(100);
/// Exit code for an input or a command line with mistakes.
const BAD_INPUT: i32 = 2;

/// The user's terminal or whatever stands for it.
pub struct Console {
    start: Instant,
    verbose: bool,
    /// Is the answer coloured?
    color: bool,
    interactive: bool,
    line: Mutex<Line>,
    /// What is answered so far.
    answered: Mutex<Vec<Report>>,
    /// What is to be written for other tools at the end.
    exports: Mutex<Exports>,
    /// The report is being written: from now on, signals end the process at once.
    pub ending: Arc<AtomicBool>,
}

/// The progress line.
#[derive(Default)]
struct Line {
    phase: Option<Phase>,
    /// The engine at work, and with how many instances of each parameterised thread.
    engine: Option<&'static str>,
    instances: Option<u32>,
    /// The numbers of the engine at work.
    counters: Vec<Counter>,
    /// How long each part of the work took, all in all.
    times: Vec<(Phase, Duration)>,
    shown: Option<Instant>,
}

/// What is printed at the end, and the exit code.
pub struct Output {
    pub stdout: String,
    pub stderr: String,
    pub code: u8,
    /// What is told to other tools.
    answers: Option<Answers>,
}

impl Output {
    /// A text that is no answer.
    pub fn of_text(stdout: String, stderr: String, code: u8) -> Output {
        Output { stdout, stderr, code, answers: None }
    }

    pub fn of(report: &Report) -> Output {
        Output::of_all(Answers::of(report.clone()))
    }

    /// The exit code is that of the worst answer.
    pub fn of_all(answers: Answers) -> Output {
        let code = answers.worst().verdict.exit_code();
        Output { stdout: answers.to_string(), stderr: String::new(), code, answers: Some(answers) }
    }
}

impl Console {
    /// Starts the clock.
    pub fn new(verbose: bool, color: bool) -> Console {
        Console {
            start: Instant::now(),
            verbose,
            color,
            interactive: io::stderr().is_terminal(),
            line: Mutex::default(),
            answered: Mutex::default(),
            exports: Mutex::default(),
            ending: Arc::default(),
        }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Hears what happens.
    pub fn hear(&self, progress: Progress) {
        match progress {
            Progress::Began(phase) => self.lock().begin(phase),
            Progress::Read(model) => self.exports().read_with(model),
            Progress::Ended(phase, time) => {
                self.lock().took(phase, time);
                self.note(&format!("{phase}: {:.3} s", time.as_secs_f64()));
                let counters = self.lock().counters.clone();
                if !counters.is_empty() {
                    self.note(&listed(&counters));
                }
            }
            Progress::Engine(name, why) => {
                self.lock().engine = Some(name);
                self.note(&format!("engine {name}: {why}"));
            }
            Progress::Event(Event::Counters(counters)) => self.lock().counters = counters.to_vec(),
            Progress::Event(Event::Instances(instances)) => {
                self.lock().instances = Some(instances);
                let each = "of each thread that runs in any number";
                self.note(&format!("with {instances} instances {each}"));
            }
            Progress::Remark(remark) => self.note(remark),
            Progress::Answer(report) => {
                let names: Vec<&str> = report.questions.iter().map(|one| one.name()).collect();
                self.note(&format!("{}: {}", names.join(", "), report.verdict));
                self.answered.lock().unwrap_or_else(PoisonError::into_inner).push(report.clone());
            }
            _ => {}
        }
    }

    /// A remark for those who asked for remarks.
    pub fn note(&self, remark: &str) {
        if self.verbose {
            let mut line = self.lock();
            line.erase();
            complain(&format!("rely: {remark}\n"));
        }
    }

    /// Something went wrong inside; the report will say so, too.
    pub fn alarm(&self, what: &str) {
        if let Ok(mut line) = self.line.try_lock() {
            line.erase();
        }
        complain(&format!("rely: internal error: {what}\n"));
    }

    /// Refreshes the progress line if it is time to.
    pub fn refresh(&self) {
        if !self.interactive || self.elapsed() < MIN_SHOWN_TIME {
            return;
        }
        let mut line = self.lock();
        if line.shown.is_none_or(|shown| shown.elapsed() >= REFRESH) {
            complain(&format!("\r\x1b[K{}", line.text(self.elapsed())));
            line.shown = Some(Instant::now());
        }
    }

    /// Writes what a command gives and ends the process. The first caller wins; others
    /// wait for the end.
    pub fn finish(&self, output: &Output) -> ! {
        let last_word = self.last_word();
        let mut exports = self.exports();
        let failed = output.answers.as_ref().map_or(Vec::new(), |answers| {
            exports.write(answers, output.code, self.elapsed(), &last_word.times)
        });
        let written = match exports.takes_stdout() {
            true => Ok(()),
            false if self.color && output.answers.is_some() => print(&color::paint(&output.stdout)),
            false => print(&output.stdout),
        };
        let written = written.map_err(|error| format!("the answer: {error}"));
        complain(&output.stderr);
        let failed: Vec<String> = failed.into_iter().chain(written.err()).collect();
        failed.iter().for_each(|what| complain(&format!("error: cannot write {what}\n")));
        std::process::exit(if failed.is_empty() { i32::from(output.code) } else { BAD_INPUT })
    }

    /// What is to be written for other tools at the end.
    pub fn export_to(&self, exports: Exports) {
        *self.exports() = exports;
    }

    fn exports(&self) -> MutexGuard<'_, Exports> {
        self.exports.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the process with what is answered so far, as the rest had to be given up.
    pub fn give_up(&self, why: Stop) -> ! {
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.finish(&Output::of_all(Answers::cut_short(answered, why)))
    }

    /// Says what is wrong with the input and ends the process.
    pub fn refuse(&self, bad: &BadInput) -> ! {
        let _last_word = self.last_word();
        complain(&bad.to_string());
        std::process::exit(BAD_INPUT)
    }

    fn last_word(&self) -> MutexGuard<'_, Line> {
        let mut line = self.lock();
        self.ending.store(true, Ordering::Relaxed);
        line.erase();
        line
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    fn begin(&mut self, phase: Phase) {
        self.phase = Some(phase);
        self.instances = None;
        self.counters.clear();
    }

    /// "exploring (impact, 2 instances)… 1,234 nodes, 5.6 s"
    fn text(&self, elapsed: Duration) -> String {
        let mut text = self.phase.map_or("starting".to_string(), |phase| phase.to_string());
        if let (Some(Phase::Exploring), Some(engine)) = (self.phase, self.engine) {
            let instances = self.instances.map(|count| format!(", {count} instances"));
            text += &format!(" ({engine}{})", instances.unwrap_or_default());
        }
        text.push('…');
        if let Some(Counter { name, value }) = self.counters.first() {
            text += &format!(" {} {name},", grouped(*value));
        }
        format!("{text} {:.1} s", elapsed.as_secs_f64())
    }

    fn took(&mut self, phase: Phase, time: Duration) {
        match self.times.iter_mut().find(|(known, _)| *known == phase) {
            Some((_, sum)) => *sum += time,
            None => self.times.push((phase, time)),
        }
    }

    fn erase(&mut self) {
        if self.shown.take().is_some() {
            complain("\r\x1b[K");
        }
    }
}

/// Writes to standard output. A reader who has gone away is no reason to complain.
pub fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes to standard error; if that fails it cannot be told.
fn complain(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// "nodes: 1,234, covers: 5"
fn listed(counters: &[Counter]) -> String {
    let one = |counter: &Counter| format!("{}: {}", counter.name, grouped(counter.value));
    counters.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{Line, listed};
    use rely::{Counter, Phase};
    use std::time::Duration;

    #[test]
    fn progress_says_who_does_what() {
        let mut line = Line::default();
        assert_eq!(line.text(Duration::from_millis(1234)), "starting… 1.2 s");
        line.begin(Phase::Reading);
        assert_eq!(line.text(Duration::from_secs(2)), "reading… 2.0 s");
        line.engine = Some("impact");
        line.begin(Phase::Exploring);
        assert_eq!(line.text(Duration::from_secs(3)), "exploring (impact)… 3.0 s");
        line.instances = Some(2);
        line.counters =
            vec![Counter { name: "nodes", value: 1234 }, Counter { name: "covers", value: 5 }];
        let text = line.text(Duration::from_secs(4));
        assert_eq!(text, "exploring (impact, 2 instances)… 1,234 nodes, 4.0 s");
        assert_eq!(listed(&line.counters), "nodes: 1,234, covers: 5");
        line.begin(Phase::Checking);
        assert_eq!(line.text(Duration::from_secs(5)), "checking… 5.0 s");
    }
}
