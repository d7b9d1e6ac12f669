//! What functions without a body do with pointers, by their names.

/// Functions that return new memory. `realloc` and its kin, which may return
/// the old memory, stand elsewhere.
pub const ALLOCATORS: &[&str] = &[
    "malloc",
    "calloc",
    "valloc",
    "memalign",
    "aligned_alloc",
    "alloca",
    "alloca_with_align",
    "rely_variable_array",
    "strdup",
    "strndup",
    "kmalloc",
    "kmalloc_array",
    "kmalloc_node",
    "kzalloc",
    "kzalloc_node",
    "kcalloc",
    "kmem_cache_alloc",
    "kmem_cache_zalloc",
    "kvmalloc",
    "kvzalloc",
    "vmalloc",
    "vzalloc",
    "devm_kmalloc",
    "devm_kzalloc",
    "ldv_malloc",
    "ldv_zalloc",
    "ldv_xmalloc",
    "ldv_xzalloc",
];

/// `f(old, …)` returns `old` or new memory with the same contents.
const REALLOCATORS: &[&str] = &["realloc", "reallocarray", "krealloc"];

/// `f(destination, source, …)` copies memory and returns (into) `destination`.
const COPIERS: &[&str] = &[
    "memcpy", "memmove", "mempcpy", "memccpy", "strcpy", "strncpy", "stpcpy", "stpncpy", "strcat",
    "strncat", "strlcpy", "strlcat",
];

/// `f(x, …)` returns `x`, or a pointer into it.
const RETURNING_FIRST: &[&str] =
    &["memset", "memchr", "memrchr", "strchr", "strrchr", "index", "rindex", "strstr", "strpbrk"];

/// How the names of atomic operations begin.
const ATOMICS: &[&str] = &["__sync_", "__atomic_", "__c11_atomic_", "atomic_"];

/// Starts a thread: `__rely_spawn(function, argument)`.
const SPAWN: &str = "__rely_spawn";
/// Waits for a thread and returns its end value.
const JOIN: &str = "__rely_join";
/// Ends the thread that calls it: `__rely_end_thread(end_value)`.
const END_THREAD: &str = "__rely_end_thread";

/// What a function without a body does with pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LibraryFunction {
    /// Returns new memory.
    Allocate,
    /// Returns new memory or its argument, with the contents of the latter.
    Reallocate,
    /// Stores new memory where its argument points: `posix_memalign`.
    AllocateInto,
    /// Copies from the second argument's targets to the first one's; returns the first.
    Copy,
    /// Returns its first argument.
    First,
    /// Starts a thread.
    Spawn,
    /// Returns what a thread has left behind.
    Join,
    /// Leaves something behind and ends the thread.
    EndThread,
    /// Works atomically on its first argument's targets.
    Atomic(AtomicOperands),
    /// Nothing we know of.
    Other,
}

/// What the arguments of an atomic operation are, from the second on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtomicOperands {
    /// Values.
    Values,
    /// One pointer to a value, then values: compare and exchange.
    PointerThenValues,
    /// Pointers to values: GNU's generic forms.
    Pointers,
}

/// What the function of this name does, if it has no body.
pub(super) fn classify(name: &str) -> LibraryFunction {
    let plain = name.trim_start_matches("__builtin_").trim_start_matches("__");
    let plain = plain.trim_end_matches("_chk");
    match name {
        SPAWN => LibraryFunction::Spawn,
        JOIN => LibraryFunction::Join,
        END_THREAD => LibraryFunction::EndThread,
        "posix_memalign" => LibraryFunction::AllocateInto,
        _ if ATOMICS.iter().any(|prefix| name.starts_with(prefix)) => {
            LibraryFunction::Atomic(operands(name))
        }
        _ if ALLOCATORS.contains(&plain) => LibraryFunction::Allocate,
        _ if REALLOCATORS.contains(&plain) => LibraryFunction::Reallocate,
        _ if COPIERS.contains(&plain) => LibraryFunction::Copy,
        _ if RETURNING_FIRST.contains(&plain) => LibraryFunction::First,
        _ => LibraryFunction::Other,
    }
}

fn operands(name: &str) -> AtomicOperands {
    match name {
        "__atomic_load" | "__atomic_store" | "__atomic_exchange" | "__atomic_compare_exchange" => {
            AtomicOperands::Pointers
        }
        _ if name.contains("compare_exchange") => AtomicOperands::PointerThenValues,
        _ => AtomicOperands::Values,
    }
}
