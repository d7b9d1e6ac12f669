//! A part of the budget: an engine that does not decide quickly makes room for
//! the next one.

use engine::{Budget, Stop};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks at the whole budget.
const TICK: Duration = Duration::from_millis(10);

/// A budget that ends with the whole one, or earlier.
pub struct TimeSlice {
    /// What the engine polls.
    pub budget: Budget,
    /// Dropped with the slice: the watching thread ends.
    _alive: Option<Sender<()>>,
}

impl TimeSlice {
    /// At most `time` of `whole`.
    pub fn of(whole: &Budget, time: Option<Duration>) -> TimeSlice {
        let Some(time) = time else {
            return TimeSlice { budget: whole.clone(), _alive: None };
        };
        let budget = Budget::default();
        let (alive, ended) = channel();
        let (part, whole) = (budget.clone(), whole.clone());
        thread::spawn(move || {
            let start = Instant::now();
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if start.elapsed() >= time || whole.exhausted().is_some() {
                    part.stop(Stop::Timeout);
                }
            }
        });
        TimeSlice { budget, _alive: Some(alive) }
    }
}
