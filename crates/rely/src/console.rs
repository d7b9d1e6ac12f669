//! What the user sees while rely works and when it ends: verbose remarks and a
//! progress line on standard error, the report on standard output.
//!
//! Several threads have something to say; one lock orders them. Who ends the
//! process keeps the lock, so there is one report and nothing after it.

use crate::excerpt;
use crate::input::BadInput;
use crate::report::Report;
use engine::{Event, Observer};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Work shorter than this shows no progress.
const QUIET: Duration = Duration::from_secs(1);
/// Time between two progress lines.
const REFRESH: Duration = Duration::from_millis(100);
/// Exit code for an input or a command line with mistakes.
const BAD_INPUT: i32 = 2;

/// The user's terminal or whatever stands for it.
pub struct Console {
    start: Instant,
    verbose: bool,
    interactive: bool,
    states: AtomicU64,
    line: Mutex<Line>,
    /// The report is being written: from now on, signals end the process at once.
    pub ending: Arc<AtomicBool>,
}

/// The progress line.
struct Line {
    phase: &'static str,
    shown: Option<Instant>,
}

impl Console {
    /// Starts the clock.
    pub fn new(verbose: bool) -> Console {
        Console {
            start: Instant::now(),
            verbose,
            interactive: io::stderr().is_terminal(),
            states: AtomicU64::new(0),
            line: Mutex::new(Line { phase: "starting", shown: None }),
            ending: Arc::default(),
        }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Does a part of the work under a name.
    pub fn phase<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        self.lock().phase = name;
        let start = Instant::now();
        let result = work();
        self.note(&format!("{name}: {:.3} s", start.elapsed().as_secs_f64()));
        result
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

    /// An observer that counts states for the progress line.
    pub fn observer(&self) -> Counter<'_> {
        self.states.store(0, Ordering::Relaxed);
        Counter { console: self, last: String::new() }
    }

    fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    /// Refreshes the progress line if it is time to.
    pub fn refresh(&self) {
        if !self.interactive || self.elapsed() < QUIET {
            return;
        }
        let mut line = self.lock();
        if line.shown.is_none_or(|shown| shown.elapsed() >= REFRESH) {
            let states = match self.states() {
                0 => String::new(),
                states => format!(" {} states or nodes,", grouped(states)),
            };
            let seconds = self.elapsed().as_secs_f64();
            complain(&format!("\r\x1b[K{}…{states} {seconds:.1} s", line.phase));
            line.shown = Some(Instant::now());
        }
    }

    /// Writes the report and ends the process. The first caller wins; others
    /// wait for the end. A reader who has gone away is no reason to complain.
    pub fn finish(&self, report: &Report) -> ! {
        let _last_word = self.last_word();
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(report.stdout.as_bytes()).and_then(|()| stdout.flush());
        complain(&report.stderr);
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                complain(&format!("error: cannot write the answer: {error}\n"));
                std::process::exit(BAD_INPUT)
            }
            _ => std::process::exit(i32::from(report.code)),
        }
    }

    /// Says what is wrong with the input and ends the process.
    pub fn refuse(&self, bad: &BadInput) -> ! {
        let _last_word = self.last_word();
        complain(&excerpt::complaints(bad));
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
    fn erase(&mut self) {
        if self.shown.take().is_some() {
            complain("\r\x1b[K");
        }
    }
}

/// Writes to standard error; there is nobody to tell if that fails.
fn complain(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Counts states, or nodes.
pub struct Counter<'c> {
    console: &'c Console,
    /// The numbers so far, in words.
    pub last: String,
}

impl Observer for Counter<'_> {
    fn event(&mut self, event: Event) {
        match event {
            Event::Explored { states, .. } => {
                self.console.states.store(states, Ordering::Relaxed);
                self.last = format!("states seen: {}", grouped(states));
            }
            Event::Impact { nodes, covers, implications, cover_expansions } => {
                self.console.states.store(nodes, Ordering::Relaxed);
                self.last = format!(
                    "nodes: {}, covers: {}, implications asked for covers: {}, nodes by cover \
                     expansions: {}",
                    grouped(nodes),
                    grouped(covers),
                    grouped(implications),
                    grouped(cover_expansions)
                );
            }
            Event::Assertions { in_view, regions, predicates, refinements } => {
                self.console.states.store(regions, Ordering::Relaxed);
                self.last = format!(
                    "threads in view: {in_view}, abstract states: {}, predicates: {predicates}, \
                     refinements: {refinements}",
                    grouped(regions),
                );
            }
            Event::ThreadModular { nodes, refinements, predicates } => {
                self.console.states.store(nodes, Ordering::Relaxed);
                self.last = format!(
                    "nodes of decision diagrams: {}, refinements: {refinements}, predicates: \
                     {predicates}",
                    grouped(nodes),
                );
            }
            Event::Copies(copies) => {
                self.console.note(&format!("with {copies} copies of each unbounded thread"));
            }
            _ => {}
        }
    }
}

/// A number with commas between its thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
