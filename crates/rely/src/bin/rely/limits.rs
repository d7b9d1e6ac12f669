//! The limits of a run, and when they count as reached.
//!
//! A limit is a promise about the whole process, so work is asked to stop
//! shortly before the limit and the process ends at the limit, whether the
//! work has stopped or not.

use rely::Stop;
use std::time::Duration;

/// How long work that was asked to stop may take before the process ends anyway: a limit that holds late is none.
pub const MAX_GRACE: Duration = Duration::from_millis(500);

/// What a run may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Resident memory in bytes.
    pub memory: Option<u64>,
}

/// How close a run is to its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressure {
    /// Continue.
    None,
    /// Stop the work and report.
    Ask(Stop),
    /// End the process now.
    Force(Stop),
}

impl Limits {
    /// Judges the time since the start and the memory in use (0 if unknown).
    pub fn pressure(&self, elapsed: Duration, resident: u64) -> Pressure {
        let time = judge(self.time, elapsed, soft, Stop::Timeout);
        let reserve = |limit: u64| limit - (limit / 16).min(64_000_000);
        let memory = judge(self.memory, resident, reserve, Stop::Memory);
        match (time, memory) {
            (Pressure::Force(_), _) | (_, Pressure::None) => time,
            (_, Pressure::Force(_)) | (Pressure::None, _) => memory,
            (Pressure::Ask(_), Pressure::Ask(_)) => time,
        }
    }
}

/// When work that may take so long is asked to stop.
pub fn soft(limit: Duration) -> Duration {
    limit - MAX_GRACE.min(limit / 10)
}

fn judge<T: PartialOrd + Copy>(
    limit: Option<T>,
    used: T,
    soft: impl Fn(T) -> T,
    stop: Stop,
) -> Pressure {
    match limit {
        Some(limit) if used >= limit => Pressure::Force(stop),
        Some(limit) if used >= soft(limit) => Pressure::Ask(stop),
        _ => Pressure::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seconds: u64, megabytes: u64, elapsed: f64, used: u64, expected: Pressure) {
        let limits = Limits {
            time: Some(Duration::from_secs(seconds)),
            memory: Some(megabytes * 1_000_000),
        };
        let pressure = limits.pressure(Duration::from_secs_f64(elapsed), used * 1_000_000);
        assert_eq!(pressure, expected);
    }

    #[test]
    fn asks_first_and_forces_at_the_limit() {
        check(10, 1600, 9.4, 10, Pressure::None);
        check(10, 1600, 9.6, 10, Pressure::Ask(Stop::Timeout));
        check(10, 1600, 10.0, 10, Pressure::Force(Stop::Timeout));
        check(10, 1600, 1.0, 1540, Pressure::Ask(Stop::Memory));
        check(10, 1600, 1.0, 1600, Pressure::Force(Stop::Memory));
        check(10, 1600, 9.6, 1600, Pressure::Force(Stop::Memory));
        check(10, 1600, 10.0, 1600, Pressure::Force(Stop::Timeout));
        check(1, 1600, 0.91, 0, Pressure::Ask(Stop::Timeout));
    }

    #[test]
    fn no_limit_no_pressure() {
        let hour = Duration::from_secs(3600);
        assert_eq!(Limits::default().pressure(hour, u64::MAX), Pressure::None);
    }
}
