//! What kinds and classes of undefined behaviour are called: short names for the text form and for the models of library
//! functions, sentences for people.

use super::{Class, Undefined};

macro_rules! words {
    ($($kind:ident $name:literal $text:literal;)*) => {
        impl Undefined {
            /// Its short name: stable, one word.
            pub fn name(self) -> &'static str {
                match self { $(Undefined::$kind => $name),* }
            }

            /// In words, for people.
            pub fn text(self) -> &'static str {
                match self { $(Undefined::$kind => $text),* }
            }
        }
    };
}

impl Undefined {
    /// The kind of this short name.
    pub fn named(name: &str) -> Option<Undefined> {
        Undefined::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

impl Class {
    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Class::Memory => "memory",
            Class::Overflow => "overflow",
            Class::Arithmetic => "arithmetic",
            Class::Locks => "locks",
            Class::Threads => "threads",
            Class::Other => "other",
            Class::Leaks => "leaks",
        }
    }
}

words! {
    NullPointer "null_pointer" "a null pointer is dereferenced";
    UseAfterFree "use_after_free" "memory is used after it was freed";
    DeadObject "dead_object" "an object is used after the end of its lifetime";
    OutOfBounds "out_of_bounds" "an access outside the bounds of an object";
    Misaligned "misaligned" "an access at an address that is not aligned for it";
    WrongType "wrong_type" "an object is accessed as a type that it does not have";
    NotAnObject "not_an_object" "a pointer that points to no object";
    ConstWritten "const_written" "a string literal or an object that is `const` is written";
    UnrelatedPointers "unrelated_pointers"
        "pointers into different objects are ordered or subtracted";
    NoValue "no_value" "bytes are read that are no value of their type";
    IndexOutOfBounds "index_out_of_bounds" "an array index out of bounds";
    InvalidFree "invalid_free" "what is freed is not the start of an allocation";
    DoubleFree "double_free" "what is freed was freed before";
    EmptyArray "empty_array" "an array without elements";
    DivisionByZero "division_by_zero" "division by zero";
    SignedOverflow "signed_overflow" "signed overflow";
    ShiftAmount "shift_amount" "a shift by a negative or too large amount";
    Uninitialised "uninitialised" "a variable is read before it was written";
    NoResult "no_result" "a function returns no value, and its caller uses one";
    InvalidCallee "invalid_callee"
        "a call through a pointer that points to no function of this type";
    Unsequenced "unsequenced"
        "an object is changed while the same expression uses or changes it, in no fixed order";
    Overlap "overlap" "`memcpy` from memory to memory that overlaps it";
    Unreachable "unreachable" "`__builtin_unreachable` is reached";
    Trap "trap" "`__builtin_trap` is reached";
    InvalidStartRoutine "invalid_start_routine" "a thread whose start routine is no function";
    InvalidJoin "invalid_join" "joining a thread that does not exist or was joined or detached";
    InvalidDetach "invalid_detach"
        "detaching a thread that does not exist or was joined or detached";
    SelfJoin "self_join" "a thread joins itself";
    InvalidKey "invalid_key" "use of a key that does not exist";
    InvalidHandle "invalid_handle" "use of a handle that is not valid here";
    InvalidWaitHandle "invalid_wait_handle" "a wait for a handle that is not valid";
    InitialisedAgain "initialised_again"
        "what threads wait for is initialised again, and was not destroyed";
    MutexInvalidType "mutex_invalid_type" "mtx_init with an unknown type";
    MutexUninitialised "mutex_uninitialised" "use of a mutex that is not initialised";
    MutexDestroyedLocked "mutex_destroyed_locked" "a locked mutex is destroyed";
    MutexDestroyedTwice "mutex_destroyed_twice" "a destroyed mutex is destroyed again";
    MutexRelocked "mutex_relocked" "a plain mutex is locked by the thread that owns it";
    MutexNotTimed "mutex_not_timed" "mtx_timedlock on a mutex that is not timed";
    MutexNotOwned "mutex_not_owned" "a mutex is unlocked by a thread that does not own it";
    RwlockDestroyed "rwlock_destroyed" "use of a destroyed read-write lock";
    RwlockDestroyedLocked "rwlock_destroyed_locked" "a locked read-write lock is destroyed";
    RwlockDestroyedTwice "rwlock_destroyed_twice" "a destroyed read-write lock is destroyed again";
    RwlockNotHeld "rwlock_not_held"
        "a read-write lock is unlocked by a thread that does not hold it";
    SpinDestroyed "spin_destroyed" "use of a spin lock that is destroyed or not initialised";
    SpinDestroyedLocked "spin_destroyed_locked" "a locked spin lock is destroyed";
    SpinDestroyedTwice "spin_destroyed_twice" "a spin lock is destroyed that is destroyed already or not initialised";
    SpinRelocked "spin_relocked" "a spin lock is locked by the thread that holds it";
    SpinNotHeld "spin_not_held" "a spin lock is unlocked by a thread that does not hold it";
    ConditionDestroyed "condition_destroyed" "use of a destroyed condition variable";
    ConditionDestroyedTwice "condition_destroyed_twice"
        "a destroyed condition variable is destroyed again";
    ConditionDestroyedInUse "condition_destroyed_in_use"
        "a condition variable is destroyed while threads wait for it";
    WaitNotOwned "wait_not_owned" "a thread waits with a mutex that it does not own";
    WaitLockedAgain "wait_locked_again"
        "a thread waits with a mutex that it has locked more than once";
    BarrierUninitialised "barrier_uninitialised" "use of a barrier that is not initialised";
    BarrierDestroyedUninitialised "barrier_destroyed_uninitialised"
        "a barrier that is not initialised is destroyed";
    BarrierDestroyedInUse "barrier_destroyed_in_use"
        "a barrier is destroyed while threads wait at it";
    SemaphoreDestroyed "semaphore_destroyed" "use of a destroyed semaphore";
    SemaphoreDestroyedTwice "semaphore_destroyed_twice" "a destroyed semaphore is destroyed again";
    SectionDeleted "section_deleted" "use of a deleted critical section";
    SectionDeletedLocked "section_deleted_locked"
        "a critical section is deleted while a thread is in it";
    SectionDeletedTwice "section_deleted_twice" "a deleted critical section is deleted again";
    SectionNotHeld "section_not_held" "a thread leaves a critical section in which it is not";
    LockNotHeld "lock_not_held" "a lock is released by a thread that does not hold it";
    LockNotHeldShared "lock_not_held_shared" "a lock is released that nobody holds for reading";
    MemoryLost "memory_lost" "nothing points to allocated memory any more";
    MemoryNotFreed "memory_not_freed" "allocated memory is not freed when the program ends";
}
