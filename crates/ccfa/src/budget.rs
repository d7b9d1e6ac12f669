//! The signal to stop: one for everything that may run long.
//!
//! The owner of the clock or the memory limit calls [`Budget::stop`]; what runs long calls
//! [`Budget::check`] often enough and passes the error on with `?`. A child ends with its parent, or
//! earlier: that is how an engine gets a slice of the time. Nothing else here knows the model; it is here
//! because all crates can see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// The signal to stop. Clones are the same budget. The default has no limit until it is told to stop.
#[derive(Clone, Debug, Default)]
pub struct Budget(Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    stop: AtomicU8,
    parent: Option<Budget>,
    end: Option<Instant>,
}

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
        let end = Instant::now().checked_add(time);
        Budget(Arc::new(Signal { stop: AtomicU8::new(0), parent: Some(self.clone()), end }))
    }

    /// How much time there is, if that is known.
    pub fn remaining(&self) -> Option<Duration> {
        let own = self.0.end.map(|end| end.saturating_duration_since(Instant::now()));
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
        if self.0.end.is_some_and(|end| Instant::now() >= end) {
            self.stop(Stop::Timeout);
            return Err(Stop::Timeout);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_stands() {
        let budget = Budget::default();
        assert_eq!(budget.check(), Ok(()));
        budget.clone().stop(Stop::Memory);
        budget.stop(Stop::Interrupt);
        assert_eq!(budget.check(), Err(Stop::Memory));
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
