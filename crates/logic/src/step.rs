//! Steps of a program as formulas. **Trusted.**
//!
//! A [`Vocabulary`] has one symbol for each variable of a state. A [`Step`] is an
//! edge of an instance over these symbols: when it is enabled (its guard holds
//! and everything it evaluates is defined), what it assigns, and the inputs it
//! takes. The path of a thread, weakest preconditions and the obligations of a
//! proof are all made from steps by substitution.
//!
//! Expressions *of proofs* speak of the state as a whole: in them, local variable
//! number n means the n-th of the locals of all instances, in the order of
//! [`System`]. [`Vocabulary::holds`] reads them (and `solve::express` writes them).

use crate::term::{ArithOp, Sort, Symbol, Term, Terms};
use ccfa::semantics::System;
use ccfa::{BinOp, Edge, Expr, Init, LocalId, Place, Rhs, SharedId, Type, UnOp, Var, VarRef};
use std::collections::BTreeMap;

/// A symbol for each variable of a state.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// The shared variables, then the locals of each instance.
    pub symbols: Vec<Symbol>,
    /// How many shared variables there are.
    pub shared: usize,
    /// Where the locals of each instance begin in `symbols`.
    locals: Vec<usize>,
    first: u32,
}

/// An edge of an instance.
#[derive(Clone, Debug)]
pub struct Step {
    /// The edge can be taken.
    pub enabled: Term,
    /// What each variable becomes that it assigns.
    pub assigns: BTreeMap<Symbol, Term>,
    /// The symbols that stand for arbitrary values it takes: a scalar, or a whole
    /// array, in the order in which they are written.
    pub inputs: Vec<Symbol>,
}

/// Symbols for variables.
pub fn declare(terms: &mut Terms, vars: &[Var]) -> Vec<Symbol> {
    vars.iter().map(|var| terms.declare(var.name.clone(), sort(var))).collect()
}

impl Vocabulary {
    /// Declares the symbols.
    pub fn new(terms: &mut Terms, system: &System) -> Vocabulary {
        let mut symbols = declare(terms, &system.program.shared);
        let shared = symbols.len();
        let mut locals = Vec::new();
        for (number, instance) in system.instances.iter().enumerate() {
            locals.push(symbols.len());
            let owner = system.program.instance_name(*instance);
            for var in &system.template(number).locals {
                symbols.push(terms.declare(format!("{owner}.{}", var.name), sort(var)));
            }
        }
        let first = symbols.first().map_or(0, |symbol| symbol.0);
        Vocabulary { symbols, shared, locals, first }
    }

    /// The symbol of a variable as seen by an instance.
    pub fn symbol(&self, instance: usize, var: VarRef) -> Symbol {
        match var {
            VarRef::Shared(id) => self.symbols[id.index()],
            VarRef::Local(id) => self.symbols[self.locals[instance] + id.index()],
        }
    }

    /// The place of a symbol in `symbols`, if it is one of the state.
    pub fn index(&self, symbol: Symbol) -> Option<usize> {
        let index = symbol.0.checked_sub(self.first)? as usize;
        (index < self.symbols.len()).then_some(index)
    }

    /// The values of the variables at the start, in the order of `symbols`; the
    /// symbols themselves where they may be anything. The second part is
    /// `Program::initial`.
    pub fn initial(&self, terms: &mut Terms, system: &System) -> (Vec<Term>, Term) {
        let state = system.initial();
        let mut values = Vec::new();
        let shared = (0..self.shared).map(|n| (0, VarRef::Shared(SharedId(n as u32))));
        let locals = (0..system.instances.len()).flat_map(|instance| {
            let count = system.template(instance).locals.len();
            (0..count).map(move |n| (instance, VarRef::Local(LocalId(n as u32))))
        });
        for (instance, var) in shared.chain(locals) {
            let declared = system.var(instance, var);
            let offset = system.offset(instance, var);
            let cells = &state.cells[offset..offset + declared.cells()];
            values.push(match cells.iter().copied().collect::<Option<Vec<i128>>>() {
                Some(cells) if declared.init != Init::Any => match declared.len {
                    None => terms.constant(cells[0], declared.ty),
                    Some(len) => terms.constant_array(&cells, declared.ty, len),
                },
                _ => terms.symbol(self.symbol(instance, var)),
            });
        }
        let condition = match &system.program.initial {
            Some(condition) => self.holds(terms, condition),
            None => terms.truth(true),
        };
        (values, condition)
    }

    /// The formula for "`expr` is defined and true", where locals are numbered
    /// through all instances.
    pub fn holds(&self, terms: &mut Terms, expr: &Expr) -> Term {
        let symbol = |var: VarRef| match var {
            VarRef::Shared(id) => self.symbols[id.index()],
            VarRef::Local(id) => self.symbols[self.shared + id.index()],
        };
        holds(terms, expr, &symbol)
    }

    /// The value of an expression of an instance (whatever it is where it is undefined).
    pub fn value(&self, terms: &mut Terms, instance: usize, expr: &Expr) -> Term {
        value(terms, expr, &|var| self.symbol(instance, var))
    }

    /// An edge of an instance.
    pub fn step(&self, terms: &mut Terms, instance: usize, edge: &Edge) -> Step {
        Step::of(terms, edge, &|var| self.symbol(instance, var))
    }
}

/// Which symbol a variable is.
pub type Naming<'a> = dyn Fn(VarRef) -> Symbol + 'a;

/// The formula for "`expr` is defined and true".
pub fn holds(terms: &mut Terms, expr: &Expr, symbol: &Naming) -> Term {
    let (value, defined) = Translate { terms, symbol }.expr(expr);
    terms.and([value, defined])
}

/// The value of an expression (whatever it is where it is undefined).
pub fn value(terms: &mut Terms, expr: &Expr, symbol: &Naming) -> Term {
    Translate { terms, symbol }.expr(expr).0
}

impl Step {
    /// An edge whose variables are these symbols.
    pub fn of(terms: &mut Terms, edge: &Edge, symbol: &Naming) -> Step {
        let (guard, defined) = Translate { terms, symbol }.expr(&edge.guard);
        let mut enabled = vec![guard, defined];
        let mut assigns = BTreeMap::new();
        let mut inputs = Vec::new();
        for assign in &edge.assigns {
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            let target = symbol(*var);
            let value = match &assign.value {
                Rhs::Expr(value) => {
                    let (value, defined) = Translate { terms, symbol }.expr(value);
                    enabled.push(defined);
                    value
                }
                Rhs::Havoc => {
                    let sort = match (terms.symbol_sort(target), &assign.place) {
                        (Sort::Array { element, .. }, Place::Element(..)) => Sort::Scalar(element),
                        (sort, _) => sort,
                    };
                    let name = format!("input to {}", terms.symbol_name(target));
                    let input = terms.declare(name, sort);
                    inputs.push(input);
                    terms.symbol(input)
                }
            };
            let value = match &assign.place {
                Place::Var(_) => value,
                Place::Element(_, index) => {
                    let (index, defined) = Translate { terms, symbol }.expr(index);
                    let Sort::Array { len, .. } = terms.symbol_sort(target) else {
                        unreachable!("an element should be of an array")
                    };
                    let inside = terms.in_bounds(index, len);
                    enabled.extend([defined, inside]);
                    // Elements of one array: their indices differ, so the order is no matter.
                    let before = match assigns.get(&target) {
                        Some(before) => *before,
                        None => terms.symbol(target),
                    };
                    terms.store(before, index, value)
                }
            };
            assigns.insert(target, value);
        }
        let enabled = terms.and(enabled);
        Step { enabled, assigns, inputs }
    }
}

/// The sort of a variable.
pub fn sort(var: &Var) -> Sort {
    match var.len {
        None => Sort::Scalar(var.ty),
        Some(len) => Sort::Array { element: var.ty, len },
    }
}

/// The term of an expression and the formula for "it is defined".
struct Translate<'a> {
    terms: &'a mut Terms,
    symbol: &'a dyn Fn(VarRef) -> Symbol,
}

impl Translate<'_> {
    fn expr(&mut self, expr: &Expr) -> (Term, Term) {
        let always = self.terms.truth(true);
        match expr {
            Expr::Const(value, ty) => (self.terms.constant(*value, *ty), always),
            Expr::Var(var) => (self.terms.symbol((self.symbol)(*var)), always),
            Expr::Index(var, index) => {
                let (index, defined) = self.expr(index);
                let array = self.terms.symbol((self.symbol)(*var));
                let Sort::Array { len, .. } = self.terms.sort(array) else {
                    unreachable!("an array should be indexed")
                };
                let inside = self.terms.in_bounds(index, len);
                (self.terms.select(array, index), self.terms.and([defined, inside]))
            }
            Expr::Unary(op, operand) => self.unary(*op, operand),
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Cast(ty, operand) => {
                let (value, defined) = self.expr(operand);
                (self.terms.cast(*ty, value), defined)
            }
            Expr::Ite(condition, then, otherwise) => {
                let (condition, defined) = self.expr(condition);
                let (then, then_defined) = self.expr(then);
                let (otherwise, otherwise_defined) = self.expr(otherwise);
                let value = self.terms.ite(condition, then, otherwise);
                let branch = self.terms.ite(condition, then_defined, otherwise_defined);
                (value, self.terms.and([defined, branch]))
            }
        }
    }

    fn unary(&mut self, op: UnOp, operand: &Expr) -> (Term, Term) {
        let (value, defined) = self.expr(operand);
        let ty = self.terms.ty(value);
        match op {
            UnOp::Not => (self.terms.not(value), defined),
            UnOp::BitNot => {
                let ones = self.terms.constant(-1, ty);
                (self.terms.arith(ArithOp::BitXor, value, ones), defined)
            }
            UnOp::Neg => {
                let zero = self.terms.constant(0, ty);
                let fits = self.fits(ArithOp::Sub, zero, value);
                let result = self.terms.arith(ArithOp::Sub, zero, value);
                (result, self.terms.and([defined, fits]))
            }
        }
    }

    fn binary(&mut self, op: BinOp, left: &Expr, right: &Expr) -> (Term, Term) {
        let (a, a_defined) = self.expr(left);
        let (b, b_defined) = self.expr(right);
        let terms = &mut *self.terms;
        let both = terms.and([a_defined, b_defined]);
        let arith = match op {
            BinOp::Eq => return (terms.eq(a, b), both),
            BinOp::Ne => return (terms.ne(a, b), both),
            BinOp::Lt => return (terms.lt(a, b), both),
            BinOp::Le => return (terms.le(a, b), both),
            BinOp::And => {
                let needed = terms.implies(a, b_defined);
                return (terms.and([a, b]), terms.and([a_defined, needed]));
            }
            BinOp::Or => {
                let needed = terms.or([a, b_defined]);
                return (terms.or([a, b]), terms.and([a_defined, needed]));
            }
            BinOp::Add => ArithOp::Add,
            BinOp::Sub => ArithOp::Sub,
            BinOp::Mul => ArithOp::Mul,
            BinOp::Div => ArithOp::Div,
            BinOp::Rem => ArithOp::Rem,
            BinOp::Shl => ArithOp::Shl,
            BinOp::Shr => ArithOp::Shr,
            BinOp::BitAnd => ArithOp::BitAnd,
            BinOp::BitOr => ArithOp::BitOr,
            BinOp::BitXor => ArithOp::BitXor,
        };
        let fits = self.fits(arith, a, b);
        (self.terms.arith(arith, a, b), self.terms.and([both, fits]))
    }

    /// The formula for "`a op b` is defined if both sides are".
    fn fits(&mut self, op: ArithOp, a: Term, b: Term) -> Term {
        let terms = &mut *self.terms;
        let ty = terms.ty(a);
        match (op, ty) {
            (ArithOp::BitAnd | ArithOp::BitOr | ArithOp::BitXor, _) => terms.truth(true),
            (ArithOp::Shl | ArithOp::Shr, Type::Bits { width, .. }) => {
                terms.in_bounds(b, u32::from(width))
            }
            (ArithOp::Shl | ArithOp::Shr, _) => terms.truth(false),
            (ArithOp::Div | ArithOp::Rem, _) => {
                let zero = terms.constant(0, ty);
                let not_zero = terms.ne(b, zero);
                let Type::Bits { signed: true, .. } = ty else { return not_zero };
                let (least, _) = ty.bounds().expect("bits should have bounds");
                let (least, minus_one) = (terms.constant(least, ty), terms.constant(-1, ty));
                let (not_least, not_minus) = (terms.ne(a, least), terms.ne(b, minus_one));
                let no_overflow = terms.or([not_least, not_minus]);
                terms.and([not_zero, no_overflow])
            }
            (_, Type::Int | Type::Bits { signed: false, .. }) => terms.truth(true),
            (_, Type::Bool | Type::Bits { signed: true, .. }) => {
                let (low, high) = ty.bounds().expect("bits should have bounds");
                let (a, b) = (terms.cast(Type::Int, a), terms.cast(Type::Int, b));
                let exact = terms.arith(op, a, b);
                let low = terms.constant(low, Type::Int);
                let high = terms.constant(high, Type::Int);
                let (above, below) = (terms.le(low, exact), terms.le(exact, high));
                terms.and([above, below])
            }
        }
    }
}
