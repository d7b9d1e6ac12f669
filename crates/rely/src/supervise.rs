//! Keeps what the command line promises, whatever the work does: limits hold,
//! Ctrl-C is answered, and a defect of ours does not look like a verdict.
//!
//! The work runs on a thread of its own with a large stack (it recurses over
//! trees as deep as the input), while another thread watches clock, memory and
//! signals. Work that was asked to stop and does not is left behind.

use crate::console::Console;
use crate::input::BadInput;
use crate::limits::{GRACE, Limits, Pressure};
use crate::memory;
use crate::report::Report;
use engine::{Budget, Stop};
use evidence::Reason;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::any::Any;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks at clock, memory and signals.
const TICK: Duration = Duration::from_millis(10);
/// Stack of the working thread; the next size is tried where the system refuses one.
const STACKS: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

/// What a command does.
type Outcome = Result<Report, BadInput>;

/// Does the work under limits and ends the process with its report.
pub fn run(
    console: &Arc<Console>,
    limits: Limits,
    work: impl Fn(&Budget, &Console) -> Outcome + Send + Sync + 'static,
) -> ! {
    let budget = Budget::default();
    let watch = Watch {
        console: Arc::clone(console),
        limits,
        budget: budget.clone(),
        interrupted: catch_signals(&console.ending),
        asked: None,
    };
    thread::spawn(move || watch.keep());
    let its_console = Arc::clone(console);
    shielded(console, move || work(&budget, &its_console))
}

/// Does the work and ends the process with its report, also if the work panics.
pub fn shielded(console: &Arc<Console>, work: impl Fn() -> Outcome + Send + Sync + 'static) -> ! {
    let alarmed = Arc::clone(console);
    panic::set_hook(Box::new(move |panic| alarmed.alarm(&panic.to_string())));
    let work = Arc::new(work);
    let on_stack = |&size: &usize| {
        let work = Arc::clone(&work);
        thread::Builder::new().stack_size(size).spawn(move || work()).ok()
    };
    match STACKS.iter().find_map(on_stack).map(thread::JoinHandle::join) {
        Some(Ok(Ok(report))) => console.finish(&report),
        Some(Ok(Err(bad))) => console.refuse(&bad),
        Some(Err(panic)) => console.finish(&Report::defect(message(panic.as_ref()))),
        None => console.finish(&Report::defect("the system gives no thread to work on")),
    }
}

/// A flag that Ctrl-C and a request to terminate raise. Once the report is
/// being written, they end the process.
fn catch_signals(ending: &Arc<AtomicBool>) -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Where the system refuses, the signal does what it always did.
        let _ = flag::register(signal, Arc::clone(&interrupted)).and_then(|_| {
            flag::register_conditional_shutdown(
                signal,
                i32::from(Report::UNKNOWN),
                Arc::clone(ending),
            )
        });
    }
    interrupted
}

/// What the watching thread knows.
struct Watch {
    console: Arc<Console>,
    limits: Limits,
    budget: Budget,
    interrupted: Arc<AtomicBool>,
    /// Since when the work is asked to stop.
    asked: Option<Instant>,
}

impl Watch {
    fn keep(mut self) {
        loop {
            thread::sleep(TICK);
            self.heed_signals();
            self.heed_limits();
            if self.asked.is_some_and(|asked| asked.elapsed() >= GRACE) {
                self.force();
            }
            self.console.refresh();
        }
    }

    /// The first Ctrl-C asks, the second one forces.
    fn heed_signals(&mut self) {
        if self.interrupted.swap(false, Ordering::Relaxed) {
            if self.asked.is_some() {
                self.force();
            }
            self.ask(Stop::Interrupt);
        }
    }

    fn heed_limits(&mut self) {
        let resident = self.limits.memory.and_then(|_| memory::resident()).unwrap_or(0);
        match self.limits.pressure(self.console.elapsed(), resident) {
            Pressure::None => {}
            Pressure::Ask(stop) => self.ask(stop),
            Pressure::Force(stop) => {
                self.ask(stop);
                self.force();
            }
        }
    }

    fn ask(&mut self, stop: Stop) {
        self.budget.stop(stop);
        self.asked.get_or_insert_with(Instant::now);
    }

    fn force(&self) -> ! {
        let why = self.budget.exhausted().unwrap_or(Reason::Interrupted);
        self.console.finish(&Report::gave_up(&why))
    }
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
