//! The model: concurrent control-flow automata (CCFA).
//!
//! A [`Program`] has shared variables, [`Template`]s of threads and the
//! [`Thread`]s that run them. A template is a control-flow automaton whose
//! [`Edge`]s each carry **one atomic step**: a guard, then simultaneous
//! assignments, some of them to arbitrary values. Everything else of C and
//! POSIX is lowered to such steps by `cfront`, so that engines, checker and
//! interpreter know one kind of edge.
//!
//! Reading order: [`program`] (the nouns), [`expr`] (what a step computes),
//! [`semantics`] (what a step means), [`property`] (which states are bad), [`undefined`] (kinds of undefined behaviour),
//! [`access`] and [`source`] (what the model keeps of the C program), [`text`] (how it is written down),
//! [`wellformed`] (what everyone may assume).
//!
//! Then, as they are needed: [`footprint`] and [`lookahead`] (which steps conflict, which threads are persistent sets);
//! [`races`], [`deadlocks`] and [`resource_order`] (these as errors); [`store_buffers`] (weaker memory models, named in [`memory_model`]);
//! [`dataflow`] (the solver for facts at locations) with [`liveness`], [`irrelevant`], [`sharing`] and `reachable`;
//! `build`, [`fold`], `rename`, [`read_write`] and [`definedness`] (expressions and edges: made, simplified, taken apart);
//! [`random`] (programs for tests) and [`budget`] (the signal to stop).

pub mod access;
pub mod budget;
mod build;
pub mod dataflow;
pub mod deadlocks;
pub mod definedness;
pub mod expr;
pub mod fold;
pub mod footprint;
pub mod irrelevant;
pub mod liveness;
pub mod lookahead;
pub mod memory_model;
pub mod program;
pub mod property;
pub mod races;
pub mod random;
mod reachable;
pub mod read_write;
mod rename;
pub mod resource_order;
pub mod semantics;
pub mod sharing;
pub mod source;
pub mod store_buffers;
pub mod text;
pub mod undefined;
pub mod wellformed;

pub use access::{Access, AccessKind, Cell, Direction, LockOperation, Mode, Order};
pub use budget::{Budget, Stop, WorkClock};
pub use build::set;
pub use expr::{BinOp, Expr, Type, UnOp};
pub use memory_model::MemoryModel;
pub use program::{
    Arg, Assign, Count, Edge, EdgeId, ErrorKind, Init, Instance, Limit, LocId, LocKind, LocalId,
    Location, Place, Program, Rhs, SharedId, Template, TemplateId, Thread, ThreadId, Var, VarRef,
};
pub use property::{Bad, Property};
pub use source::{
    Call, CallId, Details, Dim, FailedOperation, Object, ObjectId, ObjectLife, Origin, Part,
    PartOf, Span,
};
pub use undefined::{Class, Undefined};
