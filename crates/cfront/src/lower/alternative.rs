//! One way an access can go, and how the bytes of a value lie in the cells it meets, least
//! significant first: in one cell, in a part of one, or in several.

use super::cells::Group;
use super::fold;
use super::locate::INDEX;
use super::objects::ObjectId;
use crate::hir::BitField;
use ccfa::{Assign, BinOp, Expr, Place, Rhs, Type, VarRef};

/// One way an access can go.
#[derive(Clone, Debug)]
pub struct Alternative {
    pub object: ObjectId,
    /// If the address is there.
    pub place: Expr,
    /// And what there is of the object reaches so far.
    pub condition: Expr,
    /// And the object is alive.
    pub alive: Expr,
    /// What its life is in, if it is allocated and freed.
    pub state: Option<Expr>,
    /// The cells it meets, lowest bits of the value first; bits that are in none are unspecified.
    pub parts: Vec<CellPart>,
    /// It must not be written.
    pub read_only: bool,
    /// It is not of the source.
    pub is_own: bool,
}

/// The bits that a value and one cell have in common.
#[derive(Clone, Debug)]
pub struct CellPart {
    pub var: VarRef,
    /// Its group in the object.
    pub group: usize,
    pub cell: Type,
    /// Size of the cell in bytes: a `_Bool` has one, though its type has one bit.
    pub size: u64,
    /// Index of the cell; `None` for a scalar variable.
    pub index: Option<Expr>,
    /// The lowest of the bits in the cell.
    pub shift: u64,
    /// The lowest of the bits in the value.
    pub at: u64,
    pub bits: u64,
    /// What says whether it was written, if that is noted.
    pub written: Option<VarRef>,
}

pub const BOOL: Type = Type::unsigned(1);
/// What the model's one bit of a `_Bool` has no room for.
pub const NO_TRUTH_VALUE: &str = "a byte other than 0 and 1 in a `_Bool`";

impl Alternative {
    /// The condition that the access goes this way and is defined.
    pub fn possible(&self) -> Expr {
        Expr::and(self.condition.clone(), self.alive.clone())
    }

    /// What is read, as a value of type `ty`.
    pub fn value(&self, ty: Type) -> Expr {
        if let Some(only) = self.whole_cell() {
            return fold::cast(ty, only.cell, only.read());
        }
        let wide = self.representation();
        let bits = self.parts.iter().map(|part| part.contribution(wide));
        let bits = bits.reduce(|a, b| fold::binary(BinOp::BitOr, wide, a, b));
        fold::cast(ty, wide, bits.unwrap_or(Expr::Const(0, wide)))
    }

    /// The assignments that write `value`, of type `ty`.
    pub fn write(&self, ty: Type, value: &Expr) -> Vec<Assign> {
        if let Some(only) = self.whole_cell() {
            let value = only.set(fold::cast(only.cell, ty, value.clone()));
            return std::iter::once(value).chain(self.note_written()).collect();
        }
        let wide = self.representation();
        let bits = unsigned_value(wide, ty, value);
        let values = self.parts.iter().map(|part| part.set(part.changed(wide, &bits)));
        values.chain(self.note_written()).collect()
    }

    /// The assignments that make what lies here arbitrary.
    pub fn havoc(&self) -> Vec<Assign> {
        let havoc = |part: &CellPart| Assign { place: part.place(), value: Rhs::Havoc };
        self.parts.iter().map(havoc).chain(self.note_written()).collect()
    }

    /// May what is read be no value of its type? So it is where a byte is read as a `_Bool`.
    pub fn may_be_no_value(&self, ty: Type) -> bool {
        ty == BOOL && self.parts.iter().any(|part| part.cell != BOOL)
    }

    /// The cells have room for what is written: not so where a byte other than 0 and 1 goes to a
    /// `_Bool`, of which the model has one bit.
    pub fn has_room(&self, ty: Type, value: &Expr) -> Expr {
        let narrow = self.parts.iter().filter(|part| part.cell == BOOL && ty != BOOL);
        let wide = self.representation();
        let bits = unsigned_value(wide, ty, value);
        let byte = |part: &CellPart| {
            let byte = fold::cast(Type::unsigned(8), wide, moved(wide, &bits, part.at));
            fold::binary(BinOp::Le, Type::unsigned(8), byte, Expr::Const(1, Type::unsigned(8)))
        };
        fold::all(narrow.map(byte).collect())
    }

    /// The one cell that is met as a whole, if it is so.
    pub fn whole_cell(&self) -> Option<&CellPart> {
        match &self.parts[..] {
            [only] if only.is_whole() && only.at == 0 => Some(only),
            _ => None,
        }
    }

    /// The type of the bytes that are accessed, as one number.
    fn representation(&self) -> Type {
        let end = self.parts.iter().map(|part| part.at + part.bits).max().unwrap_or(8);
        Type::unsigned(end as u8)
    }
}

impl CellPart {
    pub fn is_whole(&self) -> bool {
        self.shift == 0 && self.bits == 8 * self.size
    }

    pub fn read(&self) -> Expr {
        match &self.index {
            None => Expr::Var(self.var),
            Some(index) => Expr::Index(self.var, Box::new(index.clone())),
        }
    }

    fn place(&self) -> Place {
        match &self.index {
            None => Place::Var(self.var),
            Some(index) => Place::Element(self.var, index.clone()),
        }
    }

    fn set(&self, value: Expr) -> Assign {
        Assign { place: self.place(), value: Rhs::Expr(value) }
    }

    /// Its bits at their place in the value, all others zero.
    fn contribution(&self, wide: Type) -> Expr {
        let cell = Type::unsigned(width(self.cell));
        let bits = moved(cell, &fold::cast(cell, self.cell, self.read()), self.shift);
        let narrow = Type::unsigned((self.bits as u8).min(width(self.cell)));
        let bits = fold::cast(wide, narrow, fold::cast(narrow, cell, bits));
        fold::binary(BinOp::Shl, wide, bits, Expr::Const(i128::from(self.at), wide))
    }

    /// The cell after its bits were taken from those of a value.
    fn changed(&self, wide: Type, bits: &Expr) -> Expr {
        let bits = moved(wide, bits, self.at);
        if self.is_whole() {
            return fold::cast(self.cell, wide, bits);
        }
        let cell = Type::unsigned(width(self.cell));
        let old = fold::cast(cell, self.cell, self.read());
        let new = fold::cast(cell, wide, bits);
        let new = insert(cell, old, new, self.shift as u8, self.bits as u8);
        fold::cast(self.cell, cell, new)
    }
}

/// A value as a number without sign.
fn unsigned_value(wide: Type, ty: Type, value: &Expr) -> Expr {
    let unsigned = Type::unsigned(width(ty));
    fold::cast(wide, unsigned, fold::cast(unsigned, ty, value.clone()))
}

/// A number of type `ty` without its lowest bits.
fn moved(ty: Type, value: &Expr, by: u64) -> Expr {
    fold::binary(BinOp::Shr, ty, value.clone(), Expr::Const(i128::from(by), ty))
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
