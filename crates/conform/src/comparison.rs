//! Comparisons of a term with a constant, and what they say about it.

use ccfa::{BinOp, Expr, Type};

/// A comparison of a term with a constant.
#[derive(Clone, Copy)]
pub(crate) struct Comparison<'e> {
    pub op: BinOp,
    pub term: &'e Expr,
    pub constant: i128,
    /// The type of both.
    pub ty: Type,
    /// Does the term stand on the left?
    pub on_left: bool,
}

impl<'e> Comparison<'e> {
    /// `expr` as such a comparison.
    pub fn of(expr: &'e Expr) -> Option<Comparison<'e>> {
        let Expr::Binary(op @ (BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le), left, right) = expr
        else {
            return None;
        };
        let (term, constant, ty, on_left) = match (&**left, &**right) {
            (_, Expr::Const(constant, ty)) => (left, *constant, *ty, true),
            (Expr::Const(constant, ty), _) => (right, *constant, *ty, false),
            _ => return None,
        };
        Some(Comparison { op: *op, term, constant, ty, on_left })
    }

    /// The comparison as an expression.
    pub fn expr(&self) -> Expr {
        let constant = Expr::Const(self.constant, self.ty);
        match self.on_left {
            true => Expr::binary(self.op, self.term.clone(), constant),
            false => Expr::binary(self.op, constant, self.term.clone()),
        }
    }

    /// Does it hold if the term has this value?
    pub fn holds(&self, value: i128) -> bool {
        let (left, right) =
            if self.on_left { (value, self.constant) } else { (self.constant, value) };
        match self.op {
            BinOp::Eq => left == right,
            BinOp::Ne => left != right,
            BinOp::Lt => left < right,
            _ => left <= right,
        }
    }

    /// The values of the term from which on the answer is another.
    pub fn changes(&self) -> Vec<i128> {
        match (self.op, self.on_left) {
            (BinOp::Lt, true) | (BinOp::Le, false) => vec![self.constant],
            (BinOp::Lt, false) | (BinOp::Le, true) => vec![self.constant + 1],
            _ => vec![self.constant, self.constant + 1],
        }
    }
}
