//! Do two places of one expression overlap? First what the text alone tells, then what is asked of
//! addresses when the program runs.

use super::super::place::Target;
use super::super::{Memory, fold};
use super::effects::{Root, Summaries, root};
use crate::hir::{BitField, ExprKind, Place, PlaceKind, Type, TypeId};
use crate::points_to::Pointee;
use ccfa::{BinOp, Expr};
use std::ops::Range;

impl Summaries<'_> {
    /// May two places, one of which is written, be or contain the same scalar?
    pub fn may_overlap(&self, a: &Place, b: &Place) -> bool {
        match (root(a), root(b)) {
            (Root::Variable(left), Root::Variable(right)) => {
                left == right && self.extents_meet(a, b)
            }
            (Root::Variable(var), Root::Pointer(pointer))
            | (Root::Pointer(pointer), Root::Variable(var)) => {
                self.points_to.targets(pointer).contains(&Pointee::Var(var))
            }
            (Root::Pointer(left), Root::Pointer(right)) => {
                let (to_left, to_right) =
                    (self.points_to.targets(left), self.points_to.targets(right));
                // Two objects of one type are the same or apart.
                let apart = self.unit.types.pointee(left.ty) == self.unit.types.pointee(right.ty)
                    && !self.extents_meet(a, b);
                !apart && to_left.iter().any(|object| to_right.contains(object))
            }
            (Root::Temporary, _) | (_, Root::Temporary) => false,
        }
    }

    /// Do the bytes (or bits) meet, counted from what the places are part of?
    fn extents_meet(&self, a: &Place, b: &Place) -> bool {
        if self.start(a) == self.start(b) && are_other_bits(a, b) {
            return false;
        }
        let (a_start, b_start) = (self.start(a), self.start(b));
        let are_fixed = a_start.is_empty() && b_start.is_empty();
        let distance = i128::from(b_start.start) - i128::from(a_start.start);
        if are_fixed && neighbours(a, b).any(|of_neighbours| of_neighbours == distance) {
            return false;
        }
        let (left, right) = (self.extent(a), self.extent(b));
        left.start < right.end && right.start < left.end
    }

    /// The bytes that a place lies in, whatever its indices are.
    fn extent(&self, place: &Place) -> Range<u64> {
        let (start, bytes) = (self.start(place), self.bytes(place));
        start.start.saturating_add(bytes.start)..start.end.saturating_add(bytes.end)
    }

    /// The bytes of a place, counted from where it (a bit-field: its storage unit) begins.
    pub fn bytes(&self, place: &Place) -> Range<u64> {
        match place.bits {
            None => 0..self.size(place.ty),
            Some(BitField { shift, width }) => {
                u64::from(shift) / 8..(u64::from(shift) + u64::from(width)).div_ceil(8)
            }
        }
    }

    /// From the first to the last byte at which a place can begin.
    fn start(&self, place: &Place) -> Range<u64> {
        match &place.kind {
            PlaceKind::Var(_) | PlaceKind::Temporary(_) => 0..0,
            PlaceKind::Deref(pointer) => match &*pointer.kind {
                ExprKind::AddrOf(inner) => self.start(inner),
                _ => 0..0,
            },
            PlaceKind::Field(inner, offset) => {
                let start = self.start(inner);
                start.start + offset..start.end.saturating_add(*offset)
            }
            PlaceKind::Index(array, index, size) => {
                let start = self.start(array);
                match (&*index.kind, self.count(array.ty)) {
                    (ExprKind::Const(index), Some(_)) if *index >= 0 => {
                        let offset = (*index as u64).saturating_mul(*size);
                        start.start.saturating_add(offset)..start.end.saturating_add(offset)
                    }
                    (_, Some(count)) => {
                        let last = (count.max(1) - 1).saturating_mul(*size);
                        start.start..start.end.saturating_add(last)
                    }
                    (_, None) => 0..u64::MAX,
                }
            }
        }
    }

    fn count(&self, array: TypeId) -> Option<u64> {
        match self.unit.types.get(self.unit.types.unatomic(array)) {
            Type::Array(_, count) => count.filter(|count| *count > 0),
            _ => None,
        }
    }

    fn size(&self, ty: TypeId) -> u64 {
        self.unit.types.size_of(self.unit.types.unatomic(ty)).unwrap_or(u64::MAX)
    }
}

impl Memory<'_, '_> {
    /// Do two places, which lie at these targets, overlap? Of a bit-field only the bytes with its bits count.
    pub fn overlap(&mut self, a: (&Place, &Target), b: (&Place, &Target)) -> Expr {
        if let (Target::Spot(a), Target::Spot(b)) = (a.1, b.1)
            && a.object != b.object
        {
            return Expr::FALSE;
        }
        let ty = self.input.pointer_type();
        let neighbours = neighbours(a.0, b.0);
        let (a_bytes, b_bytes) = (self.input.summaries.bytes(a.0), self.input.summaries.bytes(b.0));
        let (a, b) =
            (a.1.clone().at_offset(a_bytes.start, ty), b.1.clone().at_offset(b_bytes.start, ty));
        let (a_size, b_size) = (a_bytes.end - a_bytes.start, b_bytes.end - b_bytes.start);
        let (Some(a), Some(b)) = (self.address_of(&a), self.address_of(&b)) else {
            return Expr::FALSE;
        };
        let ends = |start: &Expr, size: u64| {
            fold::binary(BinOp::Add, ty, start.clone(), Expr::Const(i128::from(size), ty))
        };
        let before_end = |one: &Expr, other: &Expr, size| {
            fold::binary(BinOp::Lt, ty, one.clone(), ends(other, size))
        };
        let meet = Expr::and(before_end(&a, &b, b_size), before_end(&b, &a, a_size));
        // Bit-fields may share a byte and no bit of it.
        neighbours.fold(meet, |meet, distance| {
            let offset = Expr::Const(
                ty.wrap(distance + i128::from(b_bytes.start) - i128::from(a_bytes.start)),
                ty,
            );
            let there = fold::binary(BinOp::Add, ty, a.clone(), offset);
            let are_neighbours = fold::binary(BinOp::Eq, ty, there, b.clone());
            Expr::and(meet, Expr::negate(are_neighbours))
        })
    }
}

/// Are two bit-fields, if they lie in one storage unit, other bits of it?
fn are_other_bits(a: &Place, b: &Place) -> bool {
    let (Some(a), Some(b)) = (a.bits, b.bits) else { return false };
    a.shift + a.width <= b.shift || b.shift + b.width <= a.shift
}

/// Storage units have at most so many bytes: no integer has more.
const MAX_UNIT_BYTES: i128 = 16;

/// By how many bytes the storage unit of the second bit-field may begin after that of the first one (or before it, in a packed record)
/// such that the fields have bits in one byte, but no bit in common.
pub fn neighbours(a: &Place, b: &Place) -> impl Iterator<Item = i128> + use<> {
    let bits = |field: BitField, unit: i128| {
        let start = unit * 8 + i128::from(field.shift);
        start..start + i128::from(field.width)
    };
    let bytes = |bits: &Range<i128>| bits.start.div_euclid(8)..(bits.end - 1).div_euclid(8) + 1;
    let meet = |a: &Range<i128>, b: &Range<i128>| a.start < b.end && b.start < a.end;
    a.bits.zip(b.bits).into_iter().flat_map(move |(a, b)| {
        (-MAX_UNIT_BYTES..=MAX_UNIT_BYTES).filter(move |distance| {
            let (a, b) = (bits(a, 0), bits(b, *distance));
            meet(&bytes(&a), &bytes(&b)) && !meet(&a, &b)
        })
    })
}
