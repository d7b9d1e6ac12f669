//! Attempts to take a lock that may fail: it is not said that a failure synchronises (see [`crate::Choices::attempts_fail`]).

use ccfa::{Call, Program, Span};

/// The functions of our library that take a lock, or see that a thread has ended, or fail; others call these. (`mtx_trylock` may fail without cause in any case.)
const ATTEMPTS: [&str; 10] = [
    "pthread_mutex_trylock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_spin_trylock",
    "__rely_sem_try",
    "pthread_tryjoin_np",
    "pthread_timedjoin_np",
    "TryEnterCriticalSection",
    "TryAcquireSRWLockExclusive",
    "TryAcquireSRWLockShared",
];

/// The place of a call in the user's text that takes a lock or fails, if a program has one.
pub fn attempt_at_a_lock(program: &Program) -> Option<Option<Span>> {
    let tries = |call: &&Call| ATTEMPTS.contains(&call.function.as_str());
    program.calls.iter().find(tries).map(|call| call.site)
}
