//! The constructors of terms: each gives a normal form of what it is asked for. **Trusted.**
//!
//! The engines execute paths by substitution, so what can be decided by looking at a
//! term and its operands is decided here, and no solver sees it. Every rule is an
//! equivalence under all valuations, in the types it is used for; every constructor
//! looks at a bounded neighbourhood only (chains of stores, of constants in `Ite` and
//! of nested `And`/`Or` are walked once). Rules give up where a mathematical integer
//! would leave `i128`.
//!
//! The parts: [`boolean`] (`not`, `and`, `or`), [`choice`] (`ite`), [`bounds`] (what several bounds
//! on one term say together), [`compare`] (`==`, `<=`), [`arith`] (arithmetic and
//! conversions), [`array`](mod@array) (`select`, `store`).

mod arith;
mod array;
mod boolean;
mod bounds;
mod choice;
mod compare;

use crate::term::{Node, Sort, Symbol, Term, Terms};
use ccfa::Type;

impl Terms {
    /// A constant; wrapped into its type.
    pub fn constant(&mut self, value: i128, ty: Type) -> Term {
        self.intern(Node::Const(ty.wrap(value), ty), Sort::Scalar(ty))
    }

    /// `true` or `false`.
    pub fn truth(&mut self, value: bool) -> Term {
        self.constant(i128::from(value), Type::Bool)
    }

    /// A constant array; one value stands for all elements.
    pub fn constant_array(&mut self, values: &[i128], element: Type, len: u32) -> Term {
        let uniform = values.iter().all(|value| *value == values[0]);
        let values = if uniform { &values[..1] } else { values };
        let node = Node::ConstArray(values.into(), element, len);
        self.intern(node, Sort::Array { element, len })
    }

    /// A symbol as a term.
    pub fn symbol(&mut self, symbol: Symbol) -> Term {
        let sort = self.symbol_sort(symbol);
        self.intern(Node::Symbol(symbol), sort)
    }

    /// The term of a scalar node: a constant if it can have one value only.
    fn scalar(&mut self, node: Node, ty: Type) -> Term {
        match self.node_range(&node, Sort::Scalar(ty)) {
            Some((low, high)) if low == high => self.constant(low, ty),
            _ => self.intern(node, Sort::Scalar(ty)),
        }
    }

    /// `x` and `k` if the term is `x + k` with a constant `k`, else the term and 0.
    fn split_offset(&self, term: Term) -> (Term, i128) {
        match *self.node(term) {
            Node::Arith(crate::ArithOp::Add, x, k) => match self.constant_value(k) {
                Some(k) => (x, k),
                None => (term, 0),
            },
            _ => (term, 0),
        }
    }
}
