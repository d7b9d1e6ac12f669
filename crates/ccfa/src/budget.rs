//! The signal to stop: one for everything that may run long.
//!
//! The owner of the clock or the memory limit calls [`Budget::stop`]; what runs long calls
//! [`Budget::check`] often enough and passes the error on with `?`. A child ends with its parent, or
//! earlier: by the clock, or, so that a busy machine changes no verdict, when its thread has worked for so long, by a clock that
//! the caller brings. Nothing
//! else here knows the model; it is here because all crates can see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// The signal to stop. Clones are the same budget. The default has no limit until it is told to stop.
#[derive(Clone, Debug, Default)]
pub struct Budget(Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    stop: AtomicU8,
    parent: Option<Budget>,
    end: Option<End>,
}

#[derive(Debug)]
enum End {
    /// At this time.
    At(Instant),
    /// When the thread has worked for so long. It cannot have before `next_look`, in nanoseconds since `began`.
    Worked {
        clock: WorkClock,
        thread: ThreadId,
        until: Duration,
        began: Instant,
        next_look: AtomicU64,
    },
}

/// For how long the calling thread has worked, if the system tells.
pub type WorkClock = fn() -> Option<Duration>;

/// Why to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stop {
    /// Out of time.
    Timeout = 1,
    /// Out of memory.
    Memory = 2,
    /// Asked to.
    Interrupt = 3,
}

impl Budget {
    /// A budget that ends with this one, or when so much time has passed.
    pub fn child(&self, time: Duration) -> Budget {
        // A time that no clock can show is no limit.
        self.ending(Instant::now().checked_add(time).map(End::At))
    }

    /// A budget that ends with this one, or when the calling thread has worked for so long. For other threads, and where the
    /// clock tells nothing, it is [`Budget::child`].
    pub fn slice(&self, time: Duration, clock: WorkClock) -> Budget {
        let Some(until) = clock().and_then(|used| used.checked_add(time)) else {
            return self.child(time);
        };
        let next_look = AtomicU64::new(nanoseconds(time));
        let (thread, began) = (thread::current().id(), Instant::now());
        self.ending(Some(End::Worked { clock, thread, until, began, next_look }))
    }

    fn ending(&self, end: Option<End>) -> Budget {
        Budget(Arc::new(Signal { stop: AtomicU8::new(0), parent: Some(self.clone()), end }))
    }

    /// How much time there is at least, if that is known.
    pub fn remaining(&self) -> Option<Duration> {
        let own = self.0.end.as_ref().map(End::remaining);
        let parent = self.0.parent.as_ref().and_then(Budget::remaining);
        own.into_iter().chain(parent).min()
    }

    /// Asks everything that polls this budget to stop. The first reason stands.
    pub fn stop(&self, why: Stop) {
        let _ = self.0.stop.compare_exchange(0, why as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The reason to stop, if there is one. Cheap.
    pub fn check(&self) -> Result<(), Stop> {
        match self.0.stop.load(Ordering::Relaxed) {
            0 => {}
            1 => return Err(Stop::Timeout),
            2 => return Err(Stop::Memory),
            _ => return Err(Stop::Interrupt),
        }
        if let Some(parent) = &self.0.parent {
            parent.check()?;
        }
        if self.0.end.as_ref().is_some_and(End::has_come) {
            self.stop(Stop::Timeout);
            return Err(Stop::Timeout);
        }
        Ok(())
    }
}

impl End {
    fn remaining(&self) -> Duration {
        match self {
            End::At(end) => end.saturating_duration_since(Instant::now()),
            End::Worked { began, next_look, .. } => {
                let next_look = Duration::from_nanos(next_look.load(Ordering::Relaxed));
                next_look.saturating_sub(began.elapsed())
            }
        }
    }

    /// Cheap: how long a thread has worked is asked only when so much time has passed.
    fn has_come(&self) -> bool {
        if !self.remaining().is_zero() {
            return false;
        }
        let End::Worked { clock, thread, until, began, next_look } = self else { return true };
        let used = clock().filter(|_| *thread == thread::current().id());
        let left = used.map_or(Duration::ZERO, |used| until.saturating_sub(used));
        next_look.store(nanoseconds(began.elapsed() + left), Ordering::Relaxed);
        left.is_zero()
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn the_first_reason_stands() {
        let budget = Budget::default();
        assert_eq!(budget.check(), Ok(()));
        budget.clone().stop(Stop::Memory);
        budget.stop(Stop::Interrupt);
        assert_eq!(budget.check(), Err(Stop::Memory));
    }

    thread_local! {
        static WORKED: Cell<u64> = const { Cell::new(0) };
    }

    /// A clock that shows what the test wants, in milliseconds.
    fn clock() -> Option<Duration> {
        Some(Duration::from_millis(WORKED.get()))
    }

    #[test]
    fn a_slice_ends_when_its_thread_has_worked_for_so_long() {
        let whole = Budget::default();
        let slice = whole.slice(Duration::from_millis(20), clock);
        thread::sleep(Duration::from_millis(40));
        assert_eq!(slice.check(), Ok(()), "who sleeps does not work");
        WORKED.set(19);
        assert_eq!(slice.check(), Ok(()));
        WORKED.set(20);
        thread::sleep(Duration::from_millis(40));
        assert_eq!((slice.check(), whole.check()), (Err(Stop::Timeout), Ok(())));
        let long = whole.slice(Duration::MAX, clock);
        assert_eq!(long.check(), Ok(()));
        whole.stop(Stop::Memory);
        assert_eq!(long.check(), Err(Stop::Memory));
    }

    #[test]
    fn a_slice_is_a_child_where_its_clock_tells_nothing() {
        let slice = Budget::default().slice(Duration::from_millis(20), || None);
        thread::sleep(Duration::from_millis(40));
        assert_eq!(slice.check(), Err(Stop::Timeout));
        let slice = Budget::default().slice(Duration::from_millis(20), clock);
        thread::sleep(Duration::from_millis(40));
        let elsewhere = thread::scope(|scope| scope.spawn(|| slice.check()).join());
        assert_eq!(
            elsewhere.expect("it ends"),
            Err(Stop::Timeout),
            "the clock is of its own thread"
        );
    }

    #[test]
    fn a_child_ends_with_its_parent_or_earlier() {
        let whole = Budget::default();
        let (long, short) = (whole.child(Duration::MAX), whole.child(Duration::ZERO));
        assert_eq!((long.check(), short.check()), (Ok(()), Err(Stop::Timeout)));
        assert_eq!(whole.check(), Ok(()), "a child says nothing to its parent");
        whole.stop(Stop::Interrupt);
        assert_eq!(long.check(), Err(Stop::Interrupt));
        assert_eq!(short.check(), Err(Stop::Timeout), "the first reason stands");
        assert_eq!((whole.remaining(), short.remaining()), (None, Some(Duration::ZERO)));
        let hour = long.child(Duration::from_secs(3600));
        let remaining = hour.child(Duration::MAX).remaining().expect("its parent ends");
        assert!(remaining <= Duration::from_secs(3600));
        let grandchild = long.child(Duration::MAX);
        assert_eq!(grandchild.check(), Err(Stop::Interrupt));
    }
}
