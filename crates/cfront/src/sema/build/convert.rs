//! Conversions (C11, 6.3): decay, promotions, and the implicit conversions of assignment
//! and calls. In which types C computes is said in `types::arithmetic`.

use super::{Builder, Lvalue, Operand};
use crate::hir::{
    BitField, Expr, ExprKind, InitEntry, Lifetime, Place, PlaceKind, RecordId, Stmt, StmtKind,
    Type, TypeId, VarId,
};
use crate::sema::constant::{as_constant, simplify};
use crate::sema::{FLOATING, Res, VARIABLE_ARGUMENTS, WIDE, constant, error, expr, unsupported};
use crate::syntax::ast::Range;
use crate::types::Types;

impl Builder<'_> {
    /// The value of what an expression denotes: arrays and functions decay.
    pub fn rvalue(&mut self, operand: Operand) -> Res<Expr> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Function(id, range) => {
                let ty = self.types.pointer(self.objects.function(id).ty);
                Ok(expr(ExprKind::FunctionAddr(id), ty, range))
            }
            Operand::Place(lvalue) => self.load(lvalue),
        }
    }

    /// The type of an operand before it is converted to a value.
    pub fn operand_type(&self, operand: &Operand) -> TypeId {
        match operand {
            Operand::Value(value) => value.ty,
            Operand::Function(id, _) => self.objects.function(*id).ty,
            Operand::Place(lvalue) => self.types.unatomic(lvalue.declared),
        }
    }

    fn load(&mut self, lvalue: Lvalue) -> Res<Expr> {
        let Lvalue { place, declared } = lvalue;
        let range = place.range;
        let ty = self.types.unatomic(place.ty);
        match *self.types.get(ty) {
            Type::Array(element, _) | Type::VariableArray(element) => {
                let pointer = self.types.pointer(element);
                Ok(simplify(self.types, expr(ExprKind::AddrOf(place), pointer, range)))
            }
            Type::Void => match place.kind {
                PlaceKind::Deref(pointer) => Ok(expr(ExprKind::Cast(pointer), ty, range)),
                _ => error(range, "this has no value"),
            },
            Type::Record(_) if self.types.size_of(ty).is_none() => {
                let name = self.types.name(ty);
                error(range, format!("{name} is not complete, so it has no value"))
            }
            _ => match place.bits {
                None => Ok(expr(ExprKind::Load(place), ty, range)),
                Some(bits) => {
                    let load = expr(ExprKind::Load(place), ty, range);
                    Ok(self.bit_field_value(load, bits, declared))
                }
            },
        }
    }

    /// The value of a bit-field is an `int` if that holds all its values.
    pub fn bit_field_value(&mut self, value: Expr, bits: BitField, declared: TypeId) -> Expr {
        let ty = self.types.promoted_bits(bits, declared);
        self.cast_integer(value, ty)
    }

    fn cast_integer(&self, value: Expr, ty: TypeId) -> Expr {
        if value.ty == ty {
            return value;
        }
        let range = value.range;
        expr(ExprKind::Cast(value), ty, range)
    }

    pub fn promote(&mut self, value: Expr) -> Expr {
        let ty = self.types.promoted(value.ty);
        self.cast_scalar(value, ty)
    }

    /// A conversion between scalar types, or to `void`, folded if constant.
    /// Requires that both types are such.
    pub fn cast_scalar(&mut self, value: Expr, ty: TypeId) -> Expr {
        if value.ty == ty {
            return value;
        }
        let range = value.range;
        if let ExprKind::Unsupported(what) = &*value.kind {
            return unsupported(what, ty, range);
        }
        if ty == Types::VOID {
            return expr(ExprKind::Cast(value), ty, range);
        }
        if self.types.is_float(ty) || self.types.is_float(value.ty) {
            return unsupported(FLOATING, ty, range);
        }
        let too_wide = self.types.integer(ty).is_some_and(|i| i.bits > 64 && !i.signed);
        match as_constant(&value) {
            Some(number) if number < 0 && too_wide => unsupported(WIDE, ty, range),
            Some(number) => constant(self.types.wrap(number, ty), ty, range),
            None => expr(ExprKind::Cast(value), ty, range),
        }
    }

    /// The implicit conversion of assignments, arguments, initialisers and
    /// `return`. Pointers and integers convert into each other, as in old C.
    pub fn convert(&mut self, value: Expr, to: TypeId) -> Res<Expr> {
        let ty = self.types.unatomic(to);
        if value.ty == ty {
            return Ok(value);
        }
        let range = value.range;
        if let ExprKind::Unsupported(what) = &*value.kind {
            return Ok(unsupported(what, ty, range));
        }
        let (from_scalar, to_scalar) = (self.types.is_scalar(value.ty), self.types.is_scalar(ty));
        if from_scalar && to_scalar {
            return Ok(self.cast_scalar(value, ty));
        }
        if matches!(self.types.get(ty), Type::VaList)
            || matches!(self.types.get(value.ty), Type::VaList)
        {
            return Ok(unsupported(VARIABLE_ARGUMENTS, ty, range));
        }
        match (self.types.as_record(value.ty), self.types.as_record(ty)) {
            (Some(from), Some(to)) if self.types.same_record(from, to) => {
                Ok(self.reinterpret(value, ty))
            }
            (_, Some(union)) if self.types.record(union).is_transparent => {
                self.union_of(value, ty, union)
            }
            _ => {
                let (from, to) = (self.types.name(value.ty), self.types.name(ty));
                error(range, format!("a value of type {from} does not convert to {to}"))
            }
        }
    }

    /// A record seen as another one of the same layout.
    fn reinterpret(&mut self, value: Expr, ty: TypeId) -> Expr {
        let range = value.range;
        let from = self.types.pointer(value.ty);
        let to = self.types.pointer(ty);
        let place = match *value.kind {
            ExprKind::Load(place) => place,
            _ => Place { ty: value.ty, bits: None, range, kind: PlaceKind::Temporary(value) },
        };
        let address = expr(ExprKind::AddrOf(place), from, range);
        let place = Place {
            kind: PlaceKind::Deref(expr(ExprKind::Cast(address), to, range)),
            ty,
            bits: None,
            range,
        };
        expr(ExprKind::Load(place), ty, range)
    }

    /// A union that holds a value in the member of its type (else the first).
    pub fn union_of(&mut self, value: Expr, ty: TypeId, union: RecordId) -> Res<Expr> {
        let range = value.range;
        let fields = match &self.types.record(union).layout {
            Some(layout) if !layout.fields.is_empty() => layout.fields.clone(),
            _ => return error(range, "this union has no members"),
        };
        let field = fields.iter().find(|f| f.ty == value.ty).unwrap_or(&fields[0]);
        let entry = InitEntry {
            offset: 0,
            bits: None,
            ty: field.ty,
            value: self.convert(value, field.ty)?,
        };
        let var = self.fresh_local(ty, range)?;
        let declare = Stmt { kind: StmtKind::Declare(var, Some(vec![entry])), range };
        let load = self.load_of(var, range);
        Ok(expr(ExprKind::Stmt(vec![declare], Some(load)), ty, range))
    }

    /// A nameless variable of the function at hand.
    pub fn fresh_local(&mut self, ty: TypeId, range: Range) -> Res<VarId> {
        match self.function {
            Some(id) => Ok(self.objects.add_plain("", ty, Lifetime::Local(id), range)),
            None => error(range, "a statement stands outside of any function"),
        }
    }

    /// Default argument promotions: for variadic and unprototyped functions.
    pub fn promote_argument(&mut self, value: Expr) -> Expr {
        match self.types.get(value.ty) {
            Type::Float { size: 0..8 } => {
                let double = self.types.float(8);
                self.cast_scalar(value, double)
            }
            _ => self.promote(value),
        }
    }

    pub fn as_condition(&mut self, value: Expr) -> Res<Expr> {
        let range = value.range;
        if self.types.is_float(value.ty) {
            return Ok(unsupported(FLOATING, Types::INT, range));
        }
        if !self.types.is_scalar(value.ty) && !is_unsupported(&value) {
            let name = self.types.name(value.ty);
            return error(range, format!("a value of type {name} is no condition"));
        }
        Ok(self.without_widening(value))
    }

    /// Whether a value is zero does not change when it is widened.
    fn without_widening(&self, value: Expr) -> Expr {
        match *value.kind {
            ExprKind::Cast(inner)
                if self.types.is_integer(inner.ty)
                    && (value.ty == Types::BOOL
                        || self.width(inner.ty) <= self.width(value.ty)) =>
            {
                inner
            }
            kind => Expr { kind: Box::new(kind), ..value },
        }
    }

    /// In bits; a `_Bool` is stored in eight.
    fn width(&self, ty: TypeId) -> Option<u64> {
        match self.types.get(ty) {
            Type::WideBits { width, .. } => Some(u64::from(*width)),
            _ => self.types.size_of(ty).map(|size| 8 * size),
        }
    }
}

pub(in crate::sema) fn is_unsupported(value: &Expr) -> bool {
    matches!(*value.kind, ExprKind::Unsupported(_))
}

/// A null pointer constant: zero as an integer or as `void *`.
pub(in crate::sema) fn is_null(types: &Types, value: &Expr) -> bool {
    as_constant(value) == Some(0)
        && (types.is_integer(value.ty) || types.pointee(value.ty) == Some(Types::VOID))
}
