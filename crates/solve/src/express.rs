//! Terms as expressions that are defined everywhere: formulas of an engine become evidence.
//!
//! Terms have values where expressions of `ccfa` are undefined, so division, shifts,
//! signed arithmetic and reading of arrays are written with the cases spelled out.

use ccfa::fold::balanced;
use ccfa::wellformed::typing::MAX_EXPR_LEVELS;
use ccfa::{BinOp, Expr, LocalId, SharedId, Type, VarRef};
use logic::{ArithOp, Node, Sort, Symbol, Term, Terms, Vocabulary};

/// Constant arrays with more elements are not written as expressions: each is a choice inside the one before.
const MAX_ELEMENTS: usize = 64;

/// Terms that would become larger expressions are not written: a term may share parts,
/// an expression repeats them.
const MAX_PARTS: usize = 100_000;

/// A formula as an expression that is defined everywhere, for evidence; `variable` says which
/// variable a symbol is. `None` if it is none, or if a long constant array occurs, or
/// if the expression would be too large.
pub fn expression(
    terms: &Terms,
    term: Term,
    variable: &dyn Fn(Symbol) -> Option<VarRef>,
) -> Option<Expr> {
    let mut express = Express { variable, terms, parts: MAX_PARTS };
    express.term(term, MAX_EXPR_LEVELS).filter(|expr| is_shallow(expr, MAX_EXPR_LEVELS))
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
                balanced(parts.iter().map(part).collect::<Option<Vec<Expr>>>()?, Expr::and)?
            }
            Node::Or(parts) => {
                balanced(parts.iter().map(part).collect::<Option<Vec<Expr>>>()?, Expr::or)?
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
            Node::ConstArray(values, ..) if values.len() <= MAX_ELEMENTS => {
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

/// `a op b` as terms mean it, defined everywhere.
fn total(op: ArithOp, ty: Type, a: Expr, b: Expr, b_ty: Type) -> Expr {
    match op {
        ArithOp::BitAnd => Expr::binary(BinOp::BitAnd, a, b),
        ArithOp::BitOr => Expr::binary(BinOp::BitOr, a, b),
        ArithOp::BitXor => Expr::binary(BinOp::BitXor, a, b),
        ArithOp::Add => wrapping(BinOp::Add, ty, a, b),
        ArithOp::Sub => wrapping(BinOp::Sub, ty, a, b),
        ArithOp::Mul => wrapping(BinOp::Mul, ty, a, b),
        ArithOp::Div => {
            let negative = wrapping(BinOp::Sub, ty, Expr::Const(0, ty), a.clone());
            divided(BinOp::Div, ty, a, b, Expr::Const(0, ty), negative)
        }
        ArithOp::Rem => divided(BinOp::Rem, ty, a.clone(), b, a, Expr::Const(0, ty)),
        ArithOp::Shl => shifted(BinOp::Shl, ty, a, b, b_ty),
        ArithOp::Shr => shifted(BinOp::Shr, ty, a, b, b_ty),
    }
}

/// A sum, difference or product modulo the type's range: signed ones are computed without signs.
fn wrapping(op: BinOp, ty: Type, a: Expr, b: Expr) -> Expr {
    match ty {
        Type::Bits { width, signed: true } => {
            let unsigned = |side| Expr::Cast(Type::unsigned(width), Box::new(side));
            Expr::Cast(ty, Box::new(Expr::binary(op, unsigned(a), unsigned(b))))
        }
        _ => Expr::binary(op, a, b),
    }
}

/// A quotient or remainder, with the values that terms give it where C gives none.
fn divided(op: BinOp, ty: Type, a: Expr, b: Expr, by_zero: Expr, by_minus_one: Expr) -> Expr {
    let is = |value| Expr::binary(BinOp::Eq, b.clone(), Expr::constant(value, ty));
    let quotient = Expr::binary(op, a, b.clone());
    match (constant(&b), ty) {
        (Some(value), _) if value != 0 && value != -1 => quotient,
        (_, Type::Bits { signed: false, .. }) => choose(is(0), by_zero, quotient),
        _ => choose(is(0), by_zero, choose(is(-1), by_minus_one, quotient)),
    }
}

/// A shift, with the values that terms give it where the amount is outside the width.
fn shifted(op: BinOp, ty: Type, a: Expr, b: Expr, b_ty: Type) -> Expr {
    let zero = Expr::Const(0, ty);
    let Type::Bits { width, signed } = ty else { return zero };
    let width = i128::from(width);
    let outside = if op == BinOp::Shl || !signed {
        zero
    } else {
        choose(Expr::binary(BinOp::Lt, a.clone(), zero.clone()), Expr::constant(-1, ty), zero)
    };
    let shifted = Expr::binary(op, a, b.clone());
    match constant(&b) {
        Some(amount) if (0..width).contains(&amount) => shifted,
        Some(_) => outside,
        None => choose(within(b, b_ty, width), shifted, outside),
    }
}

fn choose(condition: Expr, yes: Expr, no: Expr) -> Expr {
    Expr::Ite(Box::new(condition), Box::new(yes), Box::new(no))
}

fn constant(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Const(value, _) => Some(*value),
        _ => None,
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
