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
//! [`semantics`] (what a step means), [`text`] (how it is written down),
//! [`wellformed`] (what everyone may assume). [`random`] makes programs for tests.

pub mod access;
pub mod definedness;
pub mod expr;
pub mod footprint;
pub mod program;
pub mod random;
pub mod semantics;
pub mod text;
pub mod wellformed;

pub use expr::{BinOp, Expr, Type, UnOp};
pub use program::{
    Arg, Assign, Count, Edge, EdgeId, Gap, Init, Instance, LocId, LocKind, LocalId, Location,
    Place, Program, Rhs, SharedId, Span, Template, TemplateId, Thread, ThreadId, Var, VarRef,
};
