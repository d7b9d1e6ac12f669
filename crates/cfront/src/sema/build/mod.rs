//! Typed expressions from typed operands: what C's operators and conversions mean, without
//! any syntax tree. The walk over the tree (`sema::expr`) finds the operands and asks here.
//!
//! A `Builder` may enter types and nameless variables of the function at hand into their
//! tables. Names, scopes and statements it does not know.

mod assign;
mod call;
mod convert;
mod operators;
mod place;

use super::objects::Objects;
use crate::hir::{Expr, FuncId, Place, TypeId};
use crate::syntax::ast::Range;
use crate::types::Types;

pub(super) use assign::is_repeatable;
pub(super) use convert::is_unsupported;
pub(super) use place::whole;

/// What building an expression can see and change.
pub(super) struct Builder<'a> {
    pub types: &'a mut Types,
    pub objects: &'a mut Objects,
    /// The function whose body is being analysed.
    pub function: Option<FuncId>,
}

/// What an expression denotes before it is used as a value.
pub(super) enum Operand {
    Value(Expr),
    Place(Lvalue),
    Function(FuncId, Range),
}

/// A place, with the type its values have.
pub(super) struct Lvalue {
    pub place: Place,
    /// For bit-fields the declared type, else the type of the place.
    pub declared: TypeId,
}
