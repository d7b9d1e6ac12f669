//! One way an access can go, and how the bytes of a value lie in the cells it meets: a whole
//! cell, a part of one, or a row of bytes, least significant first.

use super::cells::Group;
use super::fold;
use super::locate::INDEX;
use crate::hir::BitField;
use ccfa::{Assign, BinOp, Expr, Place, Rhs, Type, VarRef};

/// One way an access can go.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// If this holds.
    pub condition: Expr,
    pub var: VarRef,
    pub cell: Type,
    /// Index of the cell; `None` for a scalar variable.
    pub index: Option<Expr>,
    pub shift: u64,
    pub bytes: u64,
    pub whole: bool,
    /// It must not be written.
    pub read_only: bool,
    /// It is not of the source.
    pub is_own: bool,
}

impl Alternative {
    /// What is read, as a value of type `ty`.
    pub fn value(&self, ty: Type) -> Expr {
        let cell = |at: u64| match &self.index {
            None => Expr::Var(self.var),
            Some(index) => Expr::Index(self.var, Box::new(plus(index.clone(), at))),
        };
        if self.whole {
            return fold::cast(ty, self.cell, cell(0));
        }
        let unsigned = |ty: Type| Type::unsigned(width(ty));
        if self.bytes == 0 {
            let wide = unsigned(self.cell);
            let bits = fold::cast(wide, self.cell, cell(0));
            let amount = Expr::Const(i128::from(self.shift), wide);
            return fold::cast(ty, wide, fold::binary(BinOp::Shr, wide, bits, amount));
        }
        let wide = unsigned(ty);
        let part = |at: u64| {
            let byte = fold::cast(wide, self.cell, cell(at));
            fold::binary(BinOp::Shl, wide, byte, Expr::Const(8 * i128::from(at), wide))
        };
        let bits = (0..self.bytes).map(part).reduce(|a, b| fold::binary(BinOp::BitOr, wide, a, b));
        fold::cast(ty, wide, bits.expect("at least one byte"))
    }

    /// The assignments that write `value`, of type `ty`.
    pub fn write(&self, ty: Type, value: &Expr) -> Vec<Assign> {
        let assign =
            |at: u64, value: Expr| Assign { place: self.place(at), value: Rhs::Expr(value) };
        if self.whole {
            return vec![assign(0, fold::cast(self.cell, ty, value.clone()))];
        }
        if self.bytes == 0 {
            let wide = Type::unsigned(width(self.cell));
            let old = match &self.index {
                None => Expr::Var(self.var),
                Some(index) => Expr::Index(self.var, Box::new(index.clone())),
            };
            let new = insert(
                wide,
                fold::cast(wide, self.cell, old),
                fold::cast(
                    wide,
                    Type::unsigned(width(ty)),
                    fold::cast(Type::unsigned(width(ty)), ty, value.clone()),
                ),
                self.shift as u8,
                width(ty),
            );
            return vec![assign(0, fold::cast(self.cell, wide, new))];
        }
        let wide = Type::unsigned(width(ty));
        let bits = fold::cast(wide, ty, value.clone());
        let byte = |at: u64| {
            let amount = Expr::Const(8 * i128::from(at), wide);
            fold::cast(self.cell, wide, fold::binary(BinOp::Shr, wide, bits.clone(), amount))
        };
        (0..self.bytes).map(|at| assign(at, byte(at))).collect()
    }

    /// The assignments that make what lies here arbitrary.
    pub fn havoc(&self) -> Vec<Assign> {
        let assign = |at: u64| Assign { place: self.place(at), value: Rhs::Havoc };
        (0..self.bytes.max(1)).map(assign).collect()
    }

    /// The indices of the cells it meets.
    pub fn indices(&self) -> Vec<Option<Expr>> {
        let index = |at: u64| self.index.clone().map(|index| plus(index, at));
        (0..self.bytes.max(1)).map(index).collect()
    }

    fn place(&self, at: u64) -> Place {
        match &self.index {
            None => Place::Var(self.var),
            Some(index) => Place::Element(self.var, plus(index.clone(), at)),
        }
    }
}

fn plus(index: Expr, at: u64) -> Expr {
    match at {
        0 => index,
        at => fold::binary(BinOp::Add, INDEX, index, Expr::Const(i128::from(at), INDEX)),
    }
}

/// Width in bits.
pub fn width(ty: Type) -> u8 {
    match ty {
        Type::Bits { width, .. } => width,
        Type::Bool => 1,
        Type::Int => 64,
    }
}

/// `old` with `bits` bits at `shift` replaced by those of `value`.
pub fn insert(wide: Type, old: Expr, value: Expr, shift: u8, bits: u8) -> Expr {
    let ones = (1i128 << bits) - 1;
    let keep = Expr::constant(!(ones << shift), wide);
    let kept = fold::binary(BinOp::BitAnd, wide, old, keep);
    let masked = fold::binary(BinOp::BitAnd, wide, value, Expr::constant(ones, wide));
    let moved = fold::binary(BinOp::Shl, wide, masked, Expr::Const(i128::from(shift), wide));
    fold::binary(BinOp::BitOr, wide, kept, moved)
}

/// The value of a bit-field whose storage unit has the value `unit`.
pub fn extract_bits(bits: BitField, ty: Type, unit: Expr) -> Expr {
    let wide = Type::unsigned(width(ty));
    let unit = fold::cast(wide, ty, unit);
    let moved = fold::binary(BinOp::Shr, wide, unit, Expr::Const(i128::from(bits.shift), wide));
    let signed = matches!(ty, Type::Bits { signed: true, .. });
    let narrow = Type::Bits { width: bits.width, signed };
    fold::cast(ty, narrow, fold::cast(narrow, wide, moved))
}

/// The storage unit `unit` with a bit-field set to `value`.
pub fn insert_bits(bits: BitField, ty: Type, unit: Expr, value: Expr) -> Expr {
    let wide = Type::unsigned(width(ty));
    let (unit, value) = (fold::cast(wide, ty, unit), fold::cast(wide, ty, value));
    fold::cast(ty, wide, insert(wide, unit, value, bits.shift, bits.width))
}

/// Assignments to all cells of one copy of a group.
pub fn copy_cells(var: VarRef, group: &Group, copy: Option<&Expr>, rhs: &Rhs) -> Vec<Assign> {
    let index = INDEX;
    let first = copy.map_or(Expr::Const(0, index), |copy| {
        let per_copy = Expr::Const(i128::from(group.len()), index);
        fold::binary(BinOp::Mul, index, copy.clone(), per_copy)
    });
    let element = |cell: u64| {
        let at =
            fold::binary(BinOp::Add, index, first.clone(), Expr::Const(i128::from(cell), index));
        Assign { place: ccfa::Place::Element(var, at), value: rhs.clone() }
    };
    (0..group.len()).map(element).collect()
}
