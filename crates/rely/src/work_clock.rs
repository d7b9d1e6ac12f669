//! The clock by which engines take turns.

use std::time::Duration;

/// For how long the calling thread has worked, if the system tells (Linux does).
pub fn processor_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::processor_time;

    #[test]
    fn it_goes_on_while_a_thread_works() {
        let start = processor_time().expect("this system tells");
        let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while processor_time().is_some_and(|now| now == start) {
            assert!(std::time::Instant::now() < end, "work is never noticed");
        }
        assert!(processor_time().is_some_and(|now| now > start));
    }
}
