//! Keeps what the command line promises, whatever the work does: limits hold,
//! Ctrl-C is answered, and a defect of ours does not look like a verdict.
//!
//! A thread watches clock, memory and signals while the work is done. Work that was asked to
//! stop and does not is left behind.

use crate::console::{Console, Output};
use crate::limits::{self, Limits, MAX_GRACE, Pressure};
use crate::memory;
use rely::{BadInput, Budget, Cause, Report, Stop, Verdict};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks at clock, memory and signals.
const TICK: Duration = Duration::from_millis(10);

/// What a command does.
type Outcome = Result<Output, BadInput>;

/// Does the work under limits and ends the process with what it gives.
pub fn run(
    console: &Arc<Console>,
    limits: Limits,
    work: impl FnOnce(Budget, &Console) -> Outcome,
) -> ! {
    let budget = match limits.time {
        Some(time) => Budget::default().child(limits::soft(time)),
        None => Budget::default(),
    };
    let watch = Watch {
        console: Arc::clone(console),
        limits,
        budget: budget.clone(),
        interrupted: catch_signals(&console.ending),
        asked: None,
    };
    thread::spawn(move || watch.keep());
    shielded(console, |console| work(budget, console))
}

/// Does the work and ends the process with what it gives, also if it panics.
pub fn shielded(console: &Arc<Console>, work: impl FnOnce(&Console) -> Outcome) -> ! {
    let alarmed = Arc::clone(console);
    panic::set_hook(Box::new(move |panic| alarmed.alarm(&panic.to_string())));
    match panic::catch_unwind(AssertUnwindSafe(|| work(console))) {
        Ok(Ok(output)) => console.finish(&output),
        Ok(Err(bad)) => console.refuse(&bad),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map_or("see standard error", String::as_str);
            console.finish(&Output::of(&Report::defect(said)))
        }
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
                i32::from(Verdict::Unknown(Cause::Interrupt).exit_code()),
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
    /// Since when the work is asked to stop, and why.
    asked: Option<(Instant, Stop)>,
}

impl Watch {
    fn keep(mut self) {
        loop {
            thread::sleep(TICK);
            self.heed_signals();
            self.heed_limits();
            match self.asked {
                Some((since, why)) if since.elapsed() >= MAX_GRACE => self.force(why),
                _ => {}
            }
            self.console.refresh();
        }
    }

    /// The first Ctrl-C asks, the second one forces.
    fn heed_signals(&mut self) {
        if self.interrupted.swap(false, Ordering::Relaxed) {
            if let Some((_, why)) = self.asked {
                self.force(why);
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
                self.force(self.asked.map_or(stop, |(_, why)| why));
            }
        }
    }

    fn ask(&mut self, stop: Stop) {
        self.budget.stop(stop);
        self.asked.get_or_insert_with(|| (Instant::now(), stop));
    }

    fn force(&self, why: Stop) -> ! {
        self.console.give_up(why)
    }
}
