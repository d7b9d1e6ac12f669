//! The constructors of terms. **Trusted.**
//!
//! Each asks the rules of its [`Terms`] what becomes of a node; what has no node of its own is
//! written with others.

use crate::plain;
use crate::term::{ArithOp, Node, Symbol, Term, Terms};
use ccfa::Type;

impl Terms {
    /// No terms yet; they are made by the rules that the checker believes.
    pub fn new() -> Terms {
        Terms::with_rules(plain::rules)
    }

    /// The term of a node by the rules.
    pub(crate) fn make(&mut self, node: Node) -> Term {
        (self.rules)(self, node)
    }

    /// A constant; wrapped into its type.
    pub fn constant(&mut self, value: i128, ty: Type) -> Term {
        self.intern(Node::Const(ty.wrap(value), ty))
    }

    /// `true` or `false`.
    pub fn truth(&mut self, value: bool) -> Term {
        self.constant(i128::from(value), Type::Bool)
    }

    /// A constant array; one value stands for all elements.
    pub fn constant_array(&mut self, values: &[i128], element: Type, len: u32) -> Term {
        let uniform = values.iter().all(|value| *value == values[0]);
        let values = if uniform { &values[..1] } else { values };
        self.intern(Node::ConstArray(values.into(), element, len))
    }

    /// A symbol as a term.
    pub fn symbol(&mut self, symbol: Symbol) -> Term {
        self.intern(Node::Symbol(symbol))
    }

    /// `!a`
    pub fn not(&mut self, a: Term) -> Term {
        self.make(Node::Not(a))
    }

    /// All of `parts` hold.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        self.make(Node::And(parts.into_iter().collect()))
    }

    /// One of `parts` holds.
    pub fn or(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        self.make(Node::Or(parts.into_iter().collect()))
    }

    /// If `a` then `b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    /// `a == b`
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.make(Node::Eq(a, b))
    }

    /// `a != b`
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// `a <= b`
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        self.make(Node::Le(a, b))
    }

    /// `a < b`
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        let other = self.le(b, a);
        self.not(other)
    }

    /// Arithmetic.
    pub fn arith(&mut self, op: ArithOp, a: Term, b: Term) -> Term {
        self.make(Node::Arith(op, a, b))
    }

    /// Conversion.
    pub fn cast(&mut self, ty: Type, a: Term) -> Term {
        self.make(Node::Cast(ty, a))
    }

    /// `a` if `c`, else `b`.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        self.make(Node::Ite(c, a, b))
    }

    /// Element of an array.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        self.make(Node::Select(array, index))
    }

    /// The array with one element changed.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        self.make(Node::Store(array, index, value))
    }

    /// `0 <= index < len`, as numbers.
    pub fn in_bounds(&mut self, index: Term, len: u32) -> Term {
        let index = self.cast(Type::Int, index);
        let zero = self.constant(0, Type::Int);
        let last = self.constant(i128::from(len) - 1, Type::Int);
        let parts = [self.le(zero, index), self.le(index, last)];
        self.and(parts)
    }

    /// Are two indices, perhaps of different types, the same number?
    pub fn same_index(&mut self, a: Term, b: Term) -> Term {
        if self.ty(a) == self.ty(b) {
            return self.eq(a, b);
        }
        let (a, b) = (self.cast(Type::Int, a), self.cast(Type::Int, b));
        self.eq(a, b)
    }
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}
