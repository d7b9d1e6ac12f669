//! Typed terms, hash-consed: equal terms have equal handles.
//!
//! Terms are **total**: every term has a value under every valuation of its
//! symbols. Where an expression of the program is undefined (`ccfa::expr`), its
//! term has some value, and a separate formula says that it is defined (see
//! [`crate::step`]). The meaning of each operator is at its [`Node`].
//!
//! Terms are made by the constructors (`make`), which ask *rules* what becomes of a node: the node itself, or a
//! term that means the same under every valuation. The checker believes the few rules of `plain`; engines bring many more
//! (`solve::rewrite`). Whatever the rules are, code that takes terms apart may rely on this:
//! - `<`, `>`, `!=`, unary minus and `~` do not exist: they are written with `Le`,
//!   `Eq`, `Not`, `Sub` and `Xor`;
//! - `And` and `Or` have at least two operands, sorted, none twice, none of the
//!   same kind, none constant;
//! - `Not` stands before no constant and no other `Not`;
//! - `Le` is between numbers, `Cast` from numbers to numbers;
//! - a constant is the right operand of `Eq`; a constant index is a `u32`;
//! - a `Select` is from a symbol or a constant array, never from a `Store`.

use crate::range::Range;
use crate::{FastMap, FastSet};
use ccfa::Type;

/// A handle of a term in its [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(crate) u32);

/// A free symbol of a formula: a variable of the program at some time, or an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// What kind of values a term has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A scalar of the program. Formulas have the type `Bool`.
    Scalar(Type),
    /// An array of `len` scalars.
    Array {
        /// The type of its elements.
        element: Type,
        /// How many there are, at least 1.
        len: u32,
    },
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A value of a scalar type.
    Const(i128, Type),
    /// An array whose elements are these; if there is one value only, all elements are it.
    ConstArray(Box<[i128]>, Type, u32),
    /// A free symbol.
    Symbol(Symbol),
    /// `!a`
    Not(Term),
    /// All hold.
    And(Box<[Term]>),
    /// One holds.
    Or(Box<[Term]>),
    /// Both sides (of one scalar type, also `Bool`) are equal.
    Eq(Term, Term),
    /// The left side is at most the right side, as numbers of their common type.
    Le(Term, Term),
    /// Arithmetic. Both sides have the type of the result, except the amount of a shift.
    Arith(ArithOp, Term, Term),
    /// The value of the type congruent to the operand; to `Bool`: is it not zero?
    Cast(Type, Term),
    /// `a` if `c`, else `b`: scalars only.
    Ite(Term, Term, Term),
    /// Element of an array; 0 if the index is out of bounds.
    Select(Term, Term),
    /// The array with one element changed; unchanged if the index is out of bounds.
    Store(Term, Term, Term),
}

/// Arithmetic operators. Results wrap into their type; `Int` does not wrap, and has
/// neither shifts nor bitwise operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArithOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient towards zero; by zero it is 0.
    Div,
    /// Remainder with the sign of the dividend; by zero it is the dividend.
    Rem,
    /// Shift left; by a negative amount or by the width or more it is 0.
    Shl,
    /// Shift right, arithmetic if signed; by a negative amount or by the width or
    /// more only the sign is left (0 or -1).
    Shr,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
}

/// What becomes of a node: a term that means the same.
pub type Rules = fn(&mut Terms, Node) -> Term;

/// Owns terms and symbols.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Entry>,
    pub(crate) table: FastMap<Node, Term>,
    symbols: Vec<(String, Sort)>,
    pub(crate) rules: Rules,
}

#[derive(Clone, Debug)]
struct Entry {
    node: Node,
    sort: Sort,
    range: Range,
}

impl Sort {
    /// The sort of formulas.
    pub const BOOL: Sort = Sort::Scalar(Type::Bool);
}

impl Terms {
    /// No terms yet; they are made by these rules.
    pub fn with_rules(rules: Rules) -> Terms {
        let (nodes, table, symbols) = Default::default();
        Terms { nodes, table, symbols, rules }
    }

    /// What a term is.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize].node
    }

    /// What values it has.
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.0 as usize].sort
    }

    /// The type of a scalar term.
    pub fn ty(&self, term: Term) -> Type {
        match self.sort(term) {
            Sort::Scalar(ty) => ty,
            Sort::Array { .. } => unreachable!("a scalar term should be given, not an array"),
        }
    }

    /// How many terms there are: handles are smaller.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A new symbol; the name is for people.
    pub fn declare(&mut self, name: impl Into<String>, sort: Sort) -> Symbol {
        self.symbols.push((name.into(), sort));
        Symbol(self.symbols.len() as u32 - 1)
    }

    /// The name of a symbol.
    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.0 as usize].0
    }

    /// The sort of a symbol.
    pub fn symbol_sort(&self, symbol: Symbol) -> Sort {
        self.symbols[symbol.0 as usize].1
    }

    /// The value of a constant scalar.
    pub fn constant_value(&self, term: Term) -> Option<i128> {
        match self.node(term) {
            Node::Const(value, _) => Some(*value),
            _ => None,
        }
    }

    /// The term of a node as it is. Only rules may call it: they know what is said above.
    pub fn intern(&mut self, node: Node) -> Term {
        if let Some(term) = self.table.get(&node) {
            return *term;
        }
        let term = Term(self.nodes.len() as u32);
        let sort = self.node_sort(&node);
        let range = self.node_range(&node, sort);
        self.nodes.push(Entry { node: node.clone(), sort, range });
        self.table.insert(node, term);
        term
    }

    /// From now on, a node that is no term yet becomes this term, which means the same.
    pub fn remember(&mut self, node: Node, term: Term) {
        self.table.entry(node).or_insert(term);
    }

    fn node_sort(&self, node: &Node) -> Sort {
        match node {
            Node::Const(_, ty) | Node::Cast(ty, _) => Sort::Scalar(*ty),
            Node::ConstArray(_, element, len) => Sort::Array { element: *element, len: *len },
            Node::Symbol(symbol) => self.symbol_sort(*symbol),
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Eq(..) | Node::Le(..) => Sort::BOOL,
            Node::Arith(_, a, _) | Node::Ite(_, a, _) | Node::Store(a, ..) => self.sort(*a),
            Node::Select(array, _) => Sort::Scalar(self.array_sort(*array).0),
        }
    }

    /// The type of the elements of an array, and how many there are.
    pub fn array_sort(&self, array: Term) -> (Type, u32) {
        match self.sort(array) {
            Sort::Array { element, len } => (element, len),
            Sort::Scalar(_) => unreachable!("an array should be given"),
        }
    }

    /// The least and the greatest value a scalar term can have, as far as is easily
    /// seen; `None` for mathematical integers without known bounds (and for arrays).
    pub fn range(&self, term: Term) -> Option<(i128, i128)> {
        self.nodes[term.0 as usize].range
    }

    /// Formulas that hold together exactly where this one holds: the operands of an `And`.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        self.flattened(vec![term], true).unwrap_or_else(|| vec![term])
    }

    /// The operands of an `And` (or `Or`): sorted, those of nested ones among them, without neutral ones; `None` if one decides.
    pub fn flattened(&self, mut todo: Vec<Term>, and: bool) -> Option<Vec<Term>> {
        let mut parts = Vec::with_capacity(todo.len());
        while let Some(part) = todo.pop() {
            match self.node(part) {
                Node::And(inner) if and => todo.extend(inner.iter()),
                Node::Or(inner) if !and => todo.extend(inner.iter()),
                Node::Const(value, _) if (*value == 1) == and => {}
                Node::Const(..) => return None,
                _ => parts.push(part),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        Some(parts)
    }

    /// The terms a term is made of.
    pub fn operands(&self, term: Term) -> impl Iterator<Item = Term> + '_ {
        let (list, few): (&[Term], [Option<Term>; 3]) = match self.node(term) {
            Node::Const(..) | Node::ConstArray(..) | Node::Symbol(_) => (&[], [None; 3]),
            Node::And(list) | Node::Or(list) => (list, [None; 3]),
            Node::Not(a) | Node::Cast(_, a) => (&[], [Some(*a), None, None]),
            Node::Eq(a, b) | Node::Le(a, b) | Node::Arith(_, a, b) | Node::Select(a, b) => {
                (&[], [Some(*a), Some(*b), None])
            }
            Node::Ite(a, b, c) | Node::Store(a, b, c) => (&[], [Some(*a), Some(*b), Some(*c)]),
        };
        list.iter().copied().chain(few.into_iter().flatten())
    }

    /// These terms and all that they are made of, each once.
    pub fn subterms(&self, of: impl IntoIterator<Item = Term>) -> impl Iterator<Item = Term> + '_ {
        let (mut seen, mut stack) = (FastSet::default(), Vec::from_iter(of));
        std::iter::from_fn(move || {
            let next = std::iter::from_fn(|| stack.pop()).find(|term| seen.insert(*term))?;
            stack.extend(self.operands(next));
            Some(next)
        })
    }

    /// The symbols that occur in a term, each once.
    pub fn symbols_of(&self, term: Term) -> Vec<Symbol> {
        let symbol = |term| match self.node(term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        };
        let mut symbols: Vec<Symbol> = self.subterms([term]).filter_map(symbol).collect();
        symbols.sort();
        symbols
    }
}
