//! The types that arithmetic is done in (C11, 6.3.1): promotions, the usual arithmetic
//! conversions, what bit-fields and enumerations are converted to, and which values a type has.

use super::{DataModel, Types};
use crate::hir::{BitField, Type, TypeId};
use crate::syntax::ast::IntKind;

impl Types {
    /// An integer or floating type?
    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        self.is_integer(id) || self.is_float(id)
    }

    /// Reduces a value to the range of an integer or pointer type.
    pub fn wrap(&self, value: i128, ty: TypeId) -> i128 {
        match self.get(ty) {
            Type::Bool => i128::from(value != 0),
            Type::Pointer(_) => wrap_bits(value, 8 * self.pointer_size() as u32, false),
            _ => match self.integer(ty) {
                Some(integer) => wrap_bits(value, integer.bits, integer.signed),
                None => value,
            },
        }
    }

    /// Does a type have this value?
    pub fn holds(&self, value: i128, ty: TypeId) -> bool {
        self.wrap(value, ty) == value
    }

    /// The type after integer promotion.
    pub fn promoted(&self, ty: TypeId) -> TypeId {
        match self.get(ty) {
            Type::Bool | Type::Int { kind: IntKind::Char | IntKind::Short, .. } => Types::INT,
            _ => ty,
        }
    }

    /// The type of a bit-field's value: `int` if that holds all its values, else (C leaves it open, and
    /// gcc chooses) one of its own width.
    pub fn promoted_bits(&mut self, bits: BitField, declared: TypeId) -> TypeId {
        let Some(integer) = self.integer(declared) else {
            return declared;
        };
        match bits.width {
            0..=31 => Types::INT,
            32 if integer.signed => Types::INT,
            32 => Types::UINT,
            width if u32::from(width) < integer.bits.min(64) => {
                self.intern(Type::WideBits { width, signed: integer.signed })
            }
            _ => declared,
        }
    }

    /// The common type of two arithmetic operands.
    pub fn common(&mut self, a: TypeId, b: TypeId) -> TypeId {
        match (self.get(a), self.get(b)) {
            (Type::Float { size: x }, Type::Float { size: y }) => {
                return if x >= y { a } else { b };
            }
            (Type::Complex(_) | Type::Vector { .. }, _) => return a,
            (_, Type::Complex(_) | Type::Vector { .. }) => return b,
            (Type::Float { .. }, _) => return a,
            (_, Type::Float { .. }) => return b,
            _ => {}
        }
        let (a, b) = (self.promoted(a), self.promoted(b));
        let (&Type::Int { kind: ka, signed: sa }, &Type::Int { kind: kb, signed: sb }) =
            (self.get(a), self.get(b))
        else {
            return self.wider(a, b);
        };
        if sa == sb {
            return if ka as u8 >= kb as u8 { a } else { b };
        }
        let (unsigned, unsigned_kind, signed, signed_kind) = match sa {
            true => (b, kb, a, ka),
            false => (a, ka, b, kb),
        };
        if unsigned_kind as u8 >= signed_kind as u8 {
            unsigned
        } else if self.size_of(signed) > self.size_of(unsigned) {
            signed
        } else {
            self.int(signed_kind, false)
        }
    }

    /// The common type where a bit-field is wider than `int`: the more bits the higher the rank; of
    /// equally many, `unsigned`.
    fn wider(&self, a: TypeId, b: TypeId) -> TypeId {
        let rank = |ty| self.integer(ty).map(|integer| (integer.bits, !integer.signed));
        if rank(b) > rank(a) { b } else { a }
    }

    /// The integer type of an enumeration with these extreme values. gcc's choice: unsigned
    /// unless a value is negative, at least `int` unless packed.
    pub fn enumeration(&mut self, low: i128, high: i128, packed: bool) -> TypeId {
        let signed = low < 0;
        let kinds: &[IntKind] = match packed {
            true => &[IntKind::Char, IntKind::Short, IntKind::Int, IntKind::Long],
            false => &[IntKind::Int, IntKind::Long],
        };
        for &kind in kinds {
            let ty = self.int(kind, signed);
            if self.holds(low, ty) && self.holds(high, ty) {
                return ty;
            }
        }
        self.int(IntKind::LongLong, signed)
    }

    /// The type of the characters of a literal with this prefix.
    pub fn character(&mut self, prefix: char) -> TypeId {
        match prefix {
            'L' => self.wchar_t(),
            'u' => self.int(IntKind::Short, false),
            'U' => Types::UINT,
            _ => Types::CHAR,
        }
    }

    /// `long double`
    pub fn long_double(&mut self) -> TypeId {
        let size = match self.model() {
            DataModel::Ilp32 => 12,
            DataModel::Lp64 => 16,
        };
        self.float(size)
    }
}

fn wrap_bits(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return value;
    }
    let low = value & ((1i128 << bits) - 1);
    if signed && low >> (bits - 1) & 1 == 1 { low - (1i128 << bits) } else { low }
}
