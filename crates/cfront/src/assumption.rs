//! What is assumed where C or the system leave a choice and not every choice is explored, in one table: for each
//! assumption its short name and a sentence for people. A model says which of them it relies on.

macro_rules! assumptions {
    ($($kind:ident $name:literal $text:literal;)*) => {
        /// An assumption.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Assumption {
            $(#[doc = $text] $kind,)*
        }

        impl Assumption {
            /// All of them.
            pub const ALL: &[Assumption] = &[$(Assumption::$kind),*];

            /// Its short name: stable, one word.
            pub fn name(self) -> &'static str {
                match self { $(Assumption::$kind => $name),* }
            }

            /// In words, for people.
            pub fn text(self) -> &'static str {
                match self { $(Assumption::$kind => $text),* }
            }
        }
    };
}

assumptions! {
    SequentialConsistency "sequential_consistency"
        "memory is sequentially consistent: a write is seen by all threads at once";
    TotalStoreOrder "total_store_order"
        "memory is that of the model tso: a write may become visible to other threads later, after those before it; functions that synchronise threads are fences";
    PartialStoreOrder "partial_store_order"
        "memory is that of the model pso: a write may become visible to other threads later, after those before it to the same place; functions that synchronise threads are fences";
    BeginsAsInitialised "begins_as_initialised"
        "where the program begins, variables hold what they are initialised with, and there is one thread";
    LeftToRight "left_to_right"
        "plain accesses to shared memory within one expression, and to the parts of what is copied or filled, go from left to right, the right side of an assignment first";
    NoAliases "no_aliases"
        "what is changed through a `restrict` pointer is accessed only through that pointer, while it is in scope";
    PromisesKept "promises_kept"
        "what attributes promise of functions (`nonnull`, `pure`, `malloc` and their like) is kept";
    AnyType "any_type"
        "what was written as one type may be read as another, as with `gcc -fno-strict-aliasing`";
    CreationSucceeds "creation_succeeds" "creating a thread never fails";
    AllocationSucceeds "allocation_succeeds" "allocating memory never fails";
    OutputSucceeds "output_succeeds" "writing output never fails";
    MissingReturnAnything "missing_return_anything" "functions without a body return any value and do nothing else";
    ForeignVariables "foreign_variables"
        "variables that no file defines hold any value where the program begins, and are changed by the program alone";
    NoOverflow "no_overflow" "signed arithmetic does not overflow";
    OverflowGivesValue "overflow_gives_value" "signed overflow, which can happen, gives some value";
    OverflowMayGiveValue "overflow_may_give_value" "signed overflow, should it happen, gives some value";
    ReadsGiveValue "reads_give_value" "a read outside the bounds of an object, should it happen, gives some value";
    UnwrittenGivesValue "unwritten_gives_value" "what has no value where it is used (a variable or memory that was not written, the result of a function that returns none), should that happen, has some value";
    OverflowWraps "overflow_wraps" "signed overflow wraps around";
}
