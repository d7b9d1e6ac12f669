//! What the user sees while rely works and when it ends: verbose remarks and a
//! progress line on standard error, the report on standard output.
//!
//! Several threads have something to say; one lock orders them. Who ends the
//! process keeps the lock, so there is one report and nothing after it.

use rely::{BadInput, Event, Phase, Progress, Report, grouped};
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
    phase: Option<Phase>,
    shown: Option<Instant>,
    /// The numbers of the engine at work, in words.
    numbers: String,
}

/// What is printed at the end, and the exit code.
pub struct Output {
    pub stdout: String,
    pub stderr: String,
    pub code: u8,
}

impl Output {
    pub fn of(report: &Report) -> Output {
        let code = report.verdict.exit_code();
        Output { stdout: report.to_string(), stderr: String::new(), code }
    }
}

impl Console {
    /// Starts the clock.
    pub fn new(verbose: bool) -> Console {
        Console {
            start: Instant::now(),
            verbose,
            interactive: io::stderr().is_terminal(),
            states: AtomicU64::new(0),
            line: Mutex::new(Line { phase: None, shown: None, numbers: String::new() }),
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
            Progress::Began(phase) => {
                self.lock().phase = Some(phase);
                self.states.store(0, Ordering::Relaxed);
            }
            Progress::Ended(phase, time) => {
                self.note(&format!("{phase}: {:.3} s", time.as_secs_f64()));
                let numbers = std::mem::take(&mut self.lock().numbers);
                if !numbers.is_empty() {
                    self.note(&numbers);
                }
            }
            Progress::Engine(name, why) => self.note(&format!("engine {name}: {why}")),
            Progress::Remark(remark) => self.note(remark),
            Progress::Event(Event::Copies(copies)) => {
                self.note(&format!("with {copies} copies of each unbounded thread"));
            }
            Progress::Event(event) => self.count(event),
            _ => {}
        }
    }

    fn count(&self, event: Event) {
        let (states, numbers) = match event {
            Event::Explored { states, .. } => (states, format!("states seen: {}", grouped(states))),
            Event::Impact { nodes, covers, implications, cover_expansions } => (
                nodes,
                format!(
                    "nodes: {}, covers: {}, implications asked for covers: {}, nodes by cover \
                     expansions: {}",
                    grouped(nodes),
                    grouped(covers),
                    grouped(implications),
                    grouped(cover_expansions)
                ),
            ),
            Event::Assertions { in_view, regions, predicates, refinements } => (
                regions,
                format!(
                    "threads in view: {in_view}, abstract states: {}, predicates: {predicates}, \
                     refinements: {refinements}",
                    grouped(regions),
                ),
            ),
            Event::ThreadModular { nodes, refinements, predicates } => (
                nodes,
                format!(
                    "nodes of decision diagrams: {}, refinements: {refinements}, predicates: \
                     {predicates}",
                    grouped(nodes),
                ),
            ),
            _ => return,
        };
        self.states.store(states, Ordering::Relaxed);
        self.lock().numbers = numbers;
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
            let phase = line.phase.map_or("starting".to_string(), |phase| phase.to_string());
            complain(&format!("\r\x1b[K{phase}…{states} {seconds:.1} s"));
            line.shown = Some(Instant::now());
        }
    }

    /// Writes what a command gives and ends the process. The first caller wins; others
    /// wait for the end. A reader who has gone away is no reason to complain.
    pub fn finish(&self, output: &Output) -> ! {
        let _last_word = self.last_word();
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(output.stdout.as_bytes()).and_then(|()| stdout.flush());
        complain(&output.stderr);
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                complain(&format!("error: cannot write the answer: {error}\n"));
                std::process::exit(BAD_INPUT)
            }
            _ => std::process::exit(i32::from(output.code)),
        }
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
