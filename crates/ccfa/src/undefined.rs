//! The kinds of undefined behaviour, and the class by which each is asked for. How they are called, and the words in which a person reads
//! of them, are in `words`.

mod words;

macro_rules! kinds {
    ($($(#[$doc:meta])* $class:ident: $($kind:ident)*;)*) => {
        /// A kind of undefined behaviour; `text` says which.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum Undefined {
            $($($kind,)*)*
        }

        /// What kinds of undefined behaviour have in common: users ask for them together.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Class {
            $($(#[$doc])* $class,)*
        }

        impl Undefined {
            /// All of them.
            pub const ALL: &[Undefined] = &[$($(Undefined::$kind),*),*];

            /// What it belongs to.
            pub fn class(self) -> Class {
                match self { $($(Undefined::$kind)|* => Class::$class),* }
            }
        }

        impl Class {
            /// All of them.
            pub const ALL: &[Class] = &[$(Class::$class),*];
            /// All but the last one, which C defines.
            pub const UNDEFINED: &[Class] = Class::ALL.split_at(Class::ALL.len() - 1).0;
        }
    };
}

kinds! {
    /// Accesses to what is no live object, or beyond its end; wrong deallocation.
    Memory: NullPointer UseAfterFree DeadObject OutOfBounds Misaligned WrongType NotAnObject
        ConstWritten UnrelatedPointers NoValue IndexOutOfBounds InvalidFree DoubleFree EmptyArray;
    /// Signed arithmetic whose result does not fit its type.
    Overflow: SignedOverflow;
    /// Other operators without a result.
    Arithmetic: DivisionByZero ShiftAmount;
    /// Wrong use of mutexes, condition variables and their like.
    Locks: InitialisedAgain MutexInvalidType MutexUninitialised MutexDestroyedLocked MutexDestroyedTwice
        MutexRelocked MutexNotTimed MutexNotOwned RwlockDestroyed RwlockDestroyedLocked
        RwlockDestroyedTwice RwlockNotHeld SpinDestroyed SpinDestroyedLocked SpinDestroyedTwice
        SpinRelocked SpinNotHeld ConditionDestroyed ConditionDestroyedTwice WaitNotOwned
        ConditionDestroyedInUse WaitLockedAgain BarrierUninitialised BarrierDestroyedUninitialised BarrierDestroyedInUse
        SemaphoreDestroyed SemaphoreDestroyedTwice SectionDeleted SectionDeletedLocked
        SectionDeletedTwice SectionNotHeld LockNotHeld LockNotHeldShared;
    /// Wrong use of threads, thread-specific keys and handles.
    Threads: InvalidStartRoutine InvalidJoin InvalidDetach SelfJoin InvalidKey InvalidHandle
        InvalidWaitHandle;
    /// The rest.
    Other: Uninitialised NoResult InvalidCallee Unsequenced Overlap Unreachable Trap;
    /// Allocated memory that is lost, or not freed when the program ends. C defines that, so it is the last one.
    Leaks: MemoryLost MemoryNotFreed;
}
