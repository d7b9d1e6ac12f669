//! The kinds of undefined behaviour, in one table: for each its short name in the text form and in
//! the library of models, the class it is asked for by, and the words in which a person reads of it.

macro_rules! kinds {
    ($($kind:ident $name:literal $class:ident $text:literal;)*) => {
        /// A kind of undefined behaviour.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Undefined {
            $(#[doc = $text] $kind,)*
        }

        impl Undefined {
            /// All of them.
            pub const ALL: &[Undefined] = &[$(Undefined::$kind),*];

            /// Its short name: stable, one word.
            pub fn name(self) -> &'static str {
                match self { $(Undefined::$kind => $name),* }
            }

            /// What it belongs to.
            pub fn class(self) -> Class {
                match self { $(Undefined::$kind => Class::$class),* }
            }

            /// In words, for people.
            pub fn text(self) -> &'static str {
                match self { $(Undefined::$kind => $text),* }
            }
        }
    };
}

/// What kinds of undefined behaviour have in common: users ask for them together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Accesses to what is no live object, or beyond its end; wrong deallocation.
    Memory,
    /// Signed arithmetic whose result does not fit its type.
    Overflow,
    /// Other operators without a result.
    Arithmetic,
    /// Wrong use of mutexes, condition variables and their like.
    Locks,
    /// Wrong use of threads, thread-specific keys and handles.
    Threads,
    /// The rest.
    Other,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 6] = [
        Class::Memory,
        Class::Overflow,
        Class::Arithmetic,
        Class::Locks,
        Class::Threads,
        Class::Other,
    ];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Class::Memory => "memory",
            Class::Overflow => "overflow",
            Class::Arithmetic => "arithmetic",
            Class::Locks => "locks",
            Class::Threads => "threads",
            Class::Other => "other",
        }
    }
}

impl Undefined {
    /// The kind of this short name.
    pub fn named(name: &str) -> Option<Undefined> {
        Undefined::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

kinds! {
    NullPointer "null_pointer" Memory "a null pointer is dereferenced";
    UseAfterFree "use_after_free" Memory "memory is used after it was freed";
    DeadObject "dead_object" Memory "an object is used after the end of its lifetime";
    OutOfBounds "out_of_bounds" Memory "an access outside the bounds of an object";
    Misaligned "misaligned" Memory "an access at an address that is not aligned for it";
    WrongType "wrong_type" Memory "an object is accessed as a type that it does not have";
    NotAnObject "not_an_object" Memory "a pointer that points to no object";
    ConstWritten "const_written" Memory "a string literal or an object that is `const` is written";
    UnrelatedPointers "unrelated_pointers" Memory
        "pointers into different objects are ordered or subtracted";
    NoValue "no_value" Memory "bytes are read that are no value of their type";
    IndexOutOfBounds "index_out_of_bounds" Memory "an array index out of bounds";
    InvalidFree "invalid_free" Memory "what is freed is not the start of an allocation";
    DoubleFree "double_free" Memory "what is freed was freed before";
    EmptyArray "empty_array" Memory "an array without elements";
    DivisionByZero "division_by_zero" Arithmetic "division by zero";
    SignedOverflow "signed_overflow" Overflow "signed overflow";
    ShiftAmount "shift_amount" Arithmetic "a shift by a negative or too large amount";
    InvalidCallee "invalid_callee" Other
        "a call through a pointer that points to no function of this type";
    Unsequenced "unsequenced" Other
        "an object is changed while the same expression uses or changes it, in no fixed order";
    Unreachable "unreachable" Other "`__builtin_unreachable` is reached";
    Trap "trap" Other "`__builtin_trap` is reached";
    InvalidStartRoutine "invalid_start_routine" Threads
        "a thread whose start routine is no function";
    InvalidJoin "invalid_join" Threads
        "joining a thread that does not exist or was joined or detached";
    InvalidDetach "invalid_detach" Threads
        "detaching a thread that does not exist or was joined or detached";
    SelfJoin "self_join" Threads "a thread joins itself";
    InvalidKey "invalid_key" Threads "use of a key that does not exist";
    InvalidHandle "invalid_handle" Threads "use of a handle that is not valid here";
    InvalidWaitHandle "invalid_wait_handle" Threads "a wait for a handle that is not valid";
    MutexInvalidType "mutex_invalid_type" Locks "mtx_init with an unknown type";
    MutexUninitialised "mutex_uninitialised" Locks "use of a mutex that is not initialised";
    MutexDestroyedLocked "mutex_destroyed_locked" Locks "a locked mutex is destroyed";
    MutexDestroyedTwice "mutex_destroyed_twice" Locks "a destroyed mutex is destroyed again";
    MutexRelocked "mutex_relocked" Locks "a plain mutex is locked by the thread that owns it";
    MutexNotTimed "mutex_not_timed" Locks "mtx_timedlock on a mutex that is not timed";
    MutexNotOwned "mutex_not_owned" Locks "a mutex is unlocked by a thread that does not own it";
    RwlockDestroyed "rwlock_destroyed" Locks "use of a destroyed read-write lock";
    RwlockDestroyedLocked "rwlock_destroyed_locked" Locks "a locked read-write lock is destroyed";
    RwlockDestroyedTwice "rwlock_destroyed_twice" Locks
        "a destroyed read-write lock is destroyed again";
    RwlockNotHeld "rwlock_not_held" Locks
        "a read-write lock is unlocked by a thread that does not hold it";
    SpinDestroyed "spin_destroyed" Locks "use of a destroyed spin lock";
    SpinDestroyedLocked "spin_destroyed_locked" Locks "a locked spin lock is destroyed";
    SpinDestroyedTwice "spin_destroyed_twice" Locks "a destroyed spin lock is destroyed again";
    SpinRelocked "spin_relocked" Locks "a spin lock is locked by the thread that holds it";
    SpinNotHeld "spin_not_held" Locks "a spin lock is unlocked by a thread that does not hold it";
    ConditionDestroyed "condition_destroyed" Locks "use of a destroyed condition variable";
    ConditionDestroyedTwice "condition_destroyed_twice" Locks
        "a destroyed condition variable is destroyed again";
    WaitNotOwned "wait_not_owned" Locks "a thread waits with a mutex that it does not own";
    WaitLockedAgain "wait_locked_again" Locks
        "a thread waits with a mutex that it has locked more than once";
    BarrierUninitialised "barrier_uninitialised" Locks "use of a barrier that is not initialised";
    BarrierDestroyedUninitialised "barrier_destroyed_uninitialised" Locks
        "a barrier that is not initialised is destroyed";
    BarrierDestroyedInUse "barrier_destroyed_in_use" Locks
        "a barrier is destroyed while threads wait at it";
    SemaphoreDestroyed "semaphore_destroyed" Locks "use of a destroyed semaphore";
    SemaphoreDestroyedTwice "semaphore_destroyed_twice" Locks
        "a destroyed semaphore is destroyed again";
    SectionDeleted "section_deleted" Locks "use of a deleted critical section";
    SectionDeletedLocked "section_deleted_locked" Locks
        "a critical section is deleted while a thread is in it";
    SectionDeletedTwice "section_deleted_twice" Locks "a deleted critical section is deleted again";
    SectionNotHeld "section_not_held" Locks "a thread leaves a critical section in which it is not";
    LockNotHeld "lock_not_held" Locks "a lock is released by a thread that does not hold it";
    LockNotHeldShared "lock_not_held_shared" Locks
        "a lock is released that nobody holds for reading";
}
