//! Terms as expressions that are defined everywhere: formulas of an engine become evidence.
//!
//! Terms have values where expressions of `ccfa` are undefined, so division, shifts,
//! signed arithmetic and reading of arrays are written with the cases spelled out.

use ccfa::wellformed::typing::MAX_DEPTH;
use ccfa::{BinOp, Expr, LocalId, SharedId, Type, VarRef};
use logic::{ArithOp, Node, Sort, Symbol, Term, Terms, Vocabulary};

/// Constant arrays with more elements are not written as expressions.
const MOST_CHOICES: usize = 64;

/// Terms that would become larger expressions are not written. (A term may share parts,
/// an expression repeats them.)
const MOST_PARTS: usize = 100_000;

/// A formula as an expression that is defined everywhere, for evidence; `variable` says which
/// variable a symbol is. `None` if it is none, or if a long constant array occurs, or
/// if the expression would be too large.
pub fn expression(
    terms: &Terms,
    term: Term,
    variable: &dyn Fn(Symbol) -> Option<VarRef>,
) -> Option<Expr> {
    let mut express = Express { variable, terms, parts: MOST_PARTS };
    express.term(term, MAX_DEPTH).filter(|expr| is_shallow(expr, MAX_DEPTH))
}

/// A formula over the symbols of a state as an expression in which locals are numbered through all
/// instances, as [`Vocabulary::holds`] reads it.
pub fn state_expression(vocabulary: &Vocabulary, terms: &Terms, term: Term) -> Option<Expr> {
    let variable = |symbol| {
        let index = vocabulary.index(symbol)?;
        Some(match index.checked_sub(vocabulary.shared) {
            None => VarRef::Shared(SharedId(index as u32)),
            Some(local) => VarRef::Local(LocalId(local as u32)),
        })
    };
    expression(terms, term, &variable)
}

/// Writes terms as expressions.
struct Express<'a> {
    variable: &'a dyn Fn(Symbol) -> Option<VarRef>,
    terms: &'a Terms,
    /// So many more may be written.
    parts: usize,
}

impl Express<'_> {
    /// A term nested at most `depth` deep.
    fn term(&mut self, term: Term, depth: usize) -> Option<Expr> {
        self.parts = self.parts.checked_sub(1)?;
        let depth = depth.checked_sub(1)?;
        let (terms, variable) = (self.terms, self.variable);
        let mut part = |term: &Term| self.term(*term, depth);
        Some(match terms.node(term) {
            Node::Const(value, ty) => Expr::Const(*value, *ty),
            Node::Symbol(symbol) => Expr::Var(variable(*symbol)?),
            Node::Not(a) => Expr::negate(part(a)?),
            Node::And(parts) => {
                balanced(parts.iter().map(part).collect::<Option<Vec<Expr>>>()?, Expr::and)
            }
            Node::Or(parts) => {
                balanced(parts.iter().map(part).collect::<Option<Vec<Expr>>>()?, Expr::or)
            }
            Node::Eq(a, b) => Expr::eq(part(a)?, part(b)?),
            Node::Le(a, b) => Expr::binary(BinOp::Le, part(a)?, part(b)?),
            Node::Cast(ty, a) => Expr::Cast(*ty, Box::new(part(a)?)),
            Node::Ite(c, a, b) => Expr::ite(part(c)?, part(a)?, part(b)?),
            Node::Arith(op, a, b) => {
                let (left, right) = (part(a)?, part(b)?);
                if matches!(op, ArithOp::Div | ArithOp::Rem | ArithOp::Shl | ArithOp::Shr) {
                    self.charge(&left, 3)?;
                    self.charge(&right, 3)?;
                }
                total(*op, terms.ty(term), left, right, terms.ty(*b))
            }
            Node::Select(array, index) => self.element(*array, *index, depth)?,
            Node::ConstArray(..) | Node::Store(..) => return None,
        })
    }

    fn element(&mut self, array: Term, index: Term, depth: usize) -> Option<Expr> {
        let Sort::Array { len, element } = self.terms.sort(array) else {
            unreachable!("an array should be selected from")
        };
        let (place, ty) = (self.term(index, depth)?, self.terms.ty(index));
        let read = match self.terms.node(array) {
            Node::Symbol(symbol) => Expr::Index((self.variable)(*symbol)?, Box::new(place.clone())),
            Node::ConstArray(values, ..) if values.len() <= MOST_CHOICES => {
                self.charge(&place, values.len())?;
                chosen(values, element, &place, ty)
            }
            _ => return None,
        };
        self.charge(&place, 2)?;
        Some(guarded_read(place, ty, len, element, read))
    }

    /// Counts copies of an expression as written.
    fn charge(&mut self, expr: &Expr, copies: usize) -> Option<()> {
        let mut size = 0;
        expr.walk(&mut |_| size += 1);
        self.parts = self.parts.checked_sub(size * copies)?;
        Some(())
    }
}

/// Is it nested less than `depth` deep? (`ccfa::wellformed` asks for it.)
fn is_shallow(expr: &Expr, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let fine = |part: &Expr| is_shallow(part, depth);
    match expr {
        Expr::Const(..) | Expr::Var(_) => true,
        Expr::Index(_, a) | Expr::Unary(_, a) | Expr::Cast(_, a) => fine(a),
        Expr::Binary(_, a, b) => fine(a) && fine(b),
        Expr::Ite(c, a, b) => fine(c) && fine(a) && fine(b),
    }
}

/// All parts, of which there are some, joined as a tree of little depth.
fn balanced(mut parts: Vec<Expr>, join: fn(Expr, Expr) -> Expr) -> Expr {
    if parts.len() > 1 {
        let right = balanced(parts.split_off(parts.len() / 2), join);
        return join(balanced(parts, join), right);
    }
    parts.pop().expect("a junction should have operands")
}

/// `a op b` as terms mean it, defined everywhere.
fn total(op: ArithOp, ty: Type, a: Expr, b: Expr, b_ty: Type) -> Expr {
    let constant = match &b {
        Expr::Const(value, _) => Some(*value),
        _ => None,
    };
    let zero = Expr::Const(0, ty);
    let plain = |op, a, b| Expr::binary(op, a, b);
    let choose = |c, a, b| Expr::Ite(Box::new(c), Box::new(a), Box::new(b));
    match (op, ty) {
        (ArithOp::BitAnd, _) => plain(BinOp::BitAnd, a, b),
        (ArithOp::BitOr, _) => plain(BinOp::BitOr, a, b),
        (ArithOp::BitXor, _) => plain(BinOp::BitXor, a, b),
        (ArithOp::Add | ArithOp::Sub | ArithOp::Mul, _) => {
            let op = match op {
                ArithOp::Add => BinOp::Add,
                ArithOp::Sub => BinOp::Sub,
                _ => BinOp::Mul,
            };
            match ty {
                Type::Bits { width, signed: true } => {
                    let through = |side| Expr::Cast(Type::unsigned(width), Box::new(side));
                    Expr::Cast(ty, Box::new(plain(op, through(a), through(b))))
                }
                _ => plain(op, a, b),
            }
        }
        (ArithOp::Div | ArithOp::Rem, _) => {
            let (op, by_zero, by_minus_one) = match op {
                ArithOp::Div => {
                    (BinOp::Div, zero.clone(), total(ArithOp::Sub, ty, zero.clone(), a.clone(), ty))
                }
                _ => (BinOp::Rem, a.clone(), zero.clone()),
            };
            let quotient = plain(op, a, b.clone());
            match (constant, ty) {
                (Some(value), _) if value != 0 && value != -1 => quotient,
                (_, Type::Bits { signed: false, .. }) => {
                    choose(plain(BinOp::Eq, b, zero), by_zero, quotient)
                }
                _ => {
                    let minus_one = plain(BinOp::Eq, b.clone(), Expr::constant(-1, ty));
                    let rest = choose(minus_one, by_minus_one, quotient);
                    choose(plain(BinOp::Eq, b, zero), by_zero, rest)
                }
            }
        }
        (ArithOp::Shl | ArithOp::Shr, _) => {
            let Type::Bits { width, signed } = ty else { return zero };
            let width = i128::from(width);
            let left = matches!(op, ArithOp::Shl);
            let outside = if left || !signed {
                zero
            } else {
                choose(plain(BinOp::Lt, a.clone(), zero.clone()), Expr::constant(-1, ty), zero)
            };
            let shifted = plain(if left { BinOp::Shl } else { BinOp::Shr }, a, b.clone());
            match constant {
                Some(amount) if (0..width).contains(&amount) => shifted,
                Some(_) => outside,
                None => choose(within(b, b_ty, width), shifted, outside),
            }
        }
    }
}

/// `0 <= index < len`
fn within(index: Expr, ty: Type, len: i128) -> Expr {
    if ty == Type::Bool {
        // The amount of a shift, by 0 or 1: truths are not ordered.
        return if len > 1 { Expr::TRUE } else { Expr::negate(index) };
    }
    let mut inside = Expr::TRUE;
    if ty.bounds().is_none_or(|(low, _)| low < 0) {
        inside = Expr::binary(BinOp::Le, Expr::Const(0, ty), index.clone());
    }
    if ty.bounds().is_none_or(|(_, high)| high >= len) {
        inside = Expr::and(inside, Expr::binary(BinOp::Lt, index, Expr::Const(len, ty)));
    }
    inside
}

/// `read` at `index` of an array of `len` elements; 0 if that is out of bounds.
fn guarded_read(index: Expr, ty: Type, len: u32, element: Type, read: Expr) -> Expr {
    let inside = match &index {
        Expr::Const(value, _) if (0..i128::from(len)).contains(value) => Expr::TRUE,
        _ => within(index, ty, i128::from(len)),
    };
    match inside {
        Expr::TRUE => read,
        inside => Expr::Ite(Box::new(inside), Box::new(read), Box::new(Expr::Const(0, element))),
    }
}

/// The element of a constant array at `index`, which is in bounds, as a choice among the values.
fn chosen(values: &[i128], element: Type, index: &Expr, ty: Type) -> Expr {
    let (last, others) = values.split_last().expect("an array should have elements");
    others.iter().enumerate().rev().fold(Expr::Const(*last, element), |rest, (place, value)| {
        if !ty.contains(place as i128) {
            return rest;
        }
        let here = Expr::eq(index.clone(), Expr::Const(place as i128, ty));
        Expr::Ite(Box::new(here), Box::new(Expr::Const(*value, element)), Box::new(rest))
    })
}
