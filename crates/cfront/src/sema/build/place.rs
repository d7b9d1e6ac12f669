//! Places (C11, 6.5.2.1, 6.5.2.3, 6.5.3.2): dereferences, elements, members, addresses.

use super::convert::is_unsupported;
use super::{Builder, Lvalue, Operand};
use crate::hir::{Expr, ExprKind, Place, PlaceKind, Type, TypeId, VarId};
use crate::sema::constant::simplify;
use crate::sema::{Res, VARIABLE_ARRAY, constant, error, expr, unsupported};
use crate::syntax::ast::Range;
use crate::types::Types;

impl Builder<'_> {
    /// The whole of a variable.
    pub fn variable(&self, var: VarId, range: Range) -> Operand {
        Operand::Place(whole(self.objects.place(var, range)))
    }

    /// The value of a variable.
    pub fn load_of(&self, var: VarId, range: Range) -> Expr {
        let place = self.objects.place(var, range);
        let ty = place.ty;
        expr(ExprKind::Load(place), ty, range)
    }

    /// What is not supported stays so when it is used as a place.
    pub fn unsupported_place(&mut self, value: Expr) -> Lvalue {
        let ty = value.ty;
        let pointer = self.types.pointer(ty);
        whole(Place {
            ty,
            bits: None,
            range: value.range,
            kind: PlaceKind::Deref(Expr { ty: pointer, ..value }),
        })
    }

    /// `*e`
    pub fn deref(&mut self, pointer: Expr, range: Range) -> Res<Operand> {
        let Some(target) = self.types.pointee(pointer.ty) else {
            let name = self.types.name(pointer.ty);
            return error(range, format!("`*` needs a pointer, not a value of type {name}"));
        };
        if self.types.is_function(target) {
            return Ok(Operand::Value(pointer));
        }
        let place = match *pointer.kind {
            ExprKind::AddrOf(inner) if inner.ty == target => Place { range, ..inner },
            ExprKind::AddrOf(array) if self.types.element(array.ty) == Some(target) => {
                return self.element(array, constant(0, Types::INT, range), range);
            }
            kind => Place {
                kind: PlaceKind::Deref(Expr { kind: Box::new(kind), ..pointer }),
                ty: target,
                bits: None,
                range,
            },
        };
        Ok(Operand::Place(whole(place)))
    }

    /// `&e`
    pub fn address_of(&mut self, operand: Operand, range: Range) -> Res<Expr> {
        let lvalue = match operand {
            Operand::Function(..) => return self.rvalue(operand),
            Operand::Place(lvalue) => lvalue,
            Operand::Value(value) => {
                let is_function = self
                    .types
                    .pointee(value.ty)
                    .is_some_and(|target| self.types.is_function(target));
                if is_function {
                    return Ok(value);
                }
                if is_unsupported(&value) {
                    self.unsupported_place(value)
                } else {
                    return error(range, "a value that is in no variable has no address");
                }
            }
        };
        if lvalue.place.bits.is_some() {
            return error(range, "a bit-field has no address");
        }
        let ty = self.types.pointer(lvalue.place.ty);
        Ok(match lvalue.place.kind {
            PlaceKind::Deref(pointer) if pointer.ty == ty => Expr { range, ..pointer },
            _ => simplify(self.types, expr(ExprKind::AddrOf(lvalue.place), ty, range)),
        })
    }

    /// `a[i]`, also `i[a]`.
    pub fn subscript(&mut self, base: Operand, index: Expr, range: Range) -> Res<Operand> {
        let base = match base {
            Operand::Place(lvalue) if self.types.element(lvalue.place.ty).is_some() => {
                return self.element(lvalue.place, index, range);
            }
            other => self.rvalue(other)?,
        };
        let is_vector = matches!(self.types.get(base.ty), Type::Vector { .. });
        let is_lost = is_unsupported(&base)
            && ![base.ty, index.ty].iter().any(|ty| self.types.is_pointer(*ty));
        if is_vector || is_lost {
            let value = unsupported(VECTOR_ELEMENT, Types::INT, range);
            return Ok(Operand::Place(self.unsupported_place(value)));
        }
        let (pointer, index) = match self.types.is_pointer(base.ty) {
            true => (base, index),
            false => (index, base),
        };
        if !self.types.is_pointer(pointer.ty) {
            return error(range, "`[]` needs an array or a pointer");
        }
        let sum = self.pointer_add(pointer, index, range)?;
        self.deref(sum, range)
    }

    /// An element of an array that is a place.
    fn element(&mut self, array: Place, index: Expr, range: Range) -> Res<Operand> {
        let Some(ty) = self.types.element(array.ty) else {
            return error(range, "`[]` needs an array or a pointer");
        };
        if !self.types.is_integer(index.ty) && !is_unsupported(&index) {
            return error(index.range, "an index must be an integer");
        }
        let Some(size) = self.types.size_of(ty) else {
            return self.unknown_size(ty, range);
        };
        Ok(Operand::Place(whole(Place {
            kind: PlaceKind::Index(Box::new(array), index, size),
            ty,
            bits: None,
            range,
        })))
    }

    fn unknown_size(&mut self, ty: TypeId, range: Range) -> Res<Operand> {
        if matches!(self.types.get(ty), Type::VariableArray(_)) {
            let value = unsupported(VARIABLE_ARRAY, ty, range);
            return Ok(Operand::Place(self.unsupported_place(value)));
        }
        let name = self.types.name(ty);
        error(range, format!("the size of {name} is not known here"))
    }

    /// `e.f`; the name of the member stands at `at`.
    pub fn member(
        &mut self,
        operand: Operand,
        (field, at): (&str, Range),
        range: Range,
    ) -> Res<Operand> {
        let place = match operand {
            Operand::Place(lvalue) => lvalue.place,
            Operand::Value(value) if is_unsupported(&value) => self.unsupported_place(value).place,
            Operand::Value(value) => Place {
                ty: value.ty,
                bits: None,
                range: value.range,
                kind: PlaceKind::Temporary(value),
            },
            Operand::Function(..) => return error(range, "a function has no members"),
        };
        let name = self.types.name(place.ty);
        let Some(record) = self.types.as_record(self.types.unatomic(place.ty)) else {
            return error(at, format!("{name} has no members, so no `{field}`"));
        };
        if self.types.record(record).layout.is_none() {
            return error(at, format!("{name} is not complete, its members are not known"));
        }
        let Some((offset, found)) = self.types.find_field(record, field) else {
            return error(at, format!("{name} has no member `{field}`"));
        };
        let (ty, declared, bits) = (found.ty, found.declared, found.bits);
        let end = offset + self.types.size_of(ty).unwrap_or(0);
        if bits.is_some() && self.types.size_of(place.ty).is_some_and(|size| end > size) {
            let value = unsupported(ODD_BIT_FIELD, declared, range);
            return Ok(Operand::Place(self.unsupported_place(value)));
        }
        Ok(Operand::Place(Lvalue {
            place: Place { kind: PlaceKind::Field(Box::new(place), offset), ty, bits, range },
            declared,
        }))
    }
}

const VECTOR_ELEMENT: &str = "an element of a vector";

/// No integer type covers the bits without leaving the record.
const ODD_BIT_FIELD: &str = "packed bit-field without a storage unit";

/// A place that is no bit-field.
pub(in crate::sema) fn whole(place: Place) -> Lvalue {
    Lvalue { declared: place.ty, place }
}
