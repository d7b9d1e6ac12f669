//! Expressions about types: `sizeof`, `_Alignof`, `offsetof`, `_Generic`,
//! `__builtin_types_compatible_p`, static assertions. All are folded here.
//!
//! Types carry no qualifiers, enumerations are integers and `char` is one with `signed char`: where a choice
//! between types depends on that, it is not modelled.

use super::{Operand, Res, Sema, VARIABLE_ARRAY, constant, error, unsupported};
use crate::hir::{Expr, PlaceKind, Type, TypeId};
use crate::syntax::ast::{
    self, Designator, ExprKind, IntKind, Range, StaticAssert, TypeName, TypeSpecifier,
};
use crate::types::Types;

impl Sema {
    pub(super) fn query(&mut self, e: &ast::Expression, range: Range) -> Res<Expr> {
        match &*e.kind {
            ExprKind::SizeofType(name) => {
                let ty = self.type_name(name)?;
                size(&mut self.types, ty, range)
            }
            ExprKind::SizeofExpr(operand) => {
                let operand = self.operand(operand)?;
                if let Some(size) = self.variable_size(&operand, range) {
                    return Ok(size);
                }
                let ty = self.build().operand_type(&operand);
                size(&mut self.types, ty, range)
            }
            ExprKind::AlignofType(name) => {
                let base = self.base(&name.specifiers)?;
                let ty = self.derive(base.ty, &name.declarator)?;
                let given = base.align.or(base.type_align);
                let given = given.filter(|_| name.declarator.derived.is_empty());
                let align = given.unwrap_or_else(|| self.types.align_of(ty));
                Ok(size_constant(&mut self.types, align, range))
            }
            ExprKind::AlignofExpr(operand) => {
                let align = self.alignment_of(operand)?;
                Ok(size_constant(&mut self.types, align, range))
            }
            ExprKind::Offsetof(name, path) => self.offsetof(name, path, range),
            ExprKind::TypesCompatible(a, b) => {
                let types = (self.type_name(a)?, self.type_name(b)?);
                let same = self.types.compatible(types.0, types.1);
                if same && !is_surely_same(&self.types, types.0, a, b) {
                    return Ok(unsupported(ERASED, Types::INT, range));
                }
                Ok(constant(i128::from(same), Types::INT, range))
            }
            _ => error(range, "this expression is not understood"),
        }
    }

    /// The alignment of what an expression denotes: attributes may give a variable, a function or a member
    /// another one than its type has.
    fn alignment_of(&mut self, e: &ast::Expression) -> Res<u64> {
        if let ExprKind::Member { base, arrow, field } = &*e.kind {
            let record = self.type_of_expr(base)?;
            let record = if *arrow { self.types.pointee(record) } else { Some(record) };
            let record = record.and_then(|ty| self.types.as_record(self.types.unatomic(ty)));
            if let Some((_, found)) = record.and_then(|id| self.types.find_field(id, &field.name)) {
                return Ok(found.align);
            }
        }
        let operand = self.operand(e)?;
        let given = match &operand {
            Operand::Function(id, _) => self.marks.function_aligns.get(id).copied(),
            Operand::Place(lvalue) => match lvalue.place.kind {
                PlaceKind::Var(var) => self.objects.var(var).align,
                _ => None,
            },
            Operand::Value(_) => None,
        };
        let ty = self.build().operand_type(&operand);
        Ok(given.unwrap_or_else(|| self.types.align_of(ty)))
    }

    fn offsetof(&mut self, name: &TypeName, path: &[Designator], range: Range) -> Res<Expr> {
        let mut ty = self.type_name(name)?;
        let mut offset = 0u64;
        for step in path {
            let (next, by) = match step {
                Designator::Field(field) => {
                    let at = self.at(field.range);
                    let type_name = self.types.name(ty);
                    let record = self.types.as_record(self.types.unatomic(ty));
                    let found = record.and_then(|r| self.types.find_field(r, &field.name));
                    let Some((by, found)) = found else {
                        return error(at, format!("{type_name} has no member `{}`", field.name));
                    };
                    (found.ty, by)
                }
                Designator::Index(index) | Designator::Range(index, _) => {
                    let number = self.value(index)?;
                    let Some(number) = self.constants.fold(&self.types, &number) else {
                        return Ok(unsupported(VARIABLE_OFFSET, self.types.size_t(), range));
                    };
                    let Some(element) = self.types.element(ty) else {
                        return error(range, "`[]` needs an array");
                    };
                    let size = self.types.size_of(element).unwrap_or(0);
                    (element, (number as u64).wrapping_mul(size))
                }
            };
            ty = next;
            offset = offset.wrapping_add(by);
        }
        Ok(size_constant(&mut self.types, offset, range))
    }

    pub(super) fn generic(
        &mut self,
        control: &ast::Expression,
        cases: &[(Option<TypeName>, ast::Expression)],
        range: Range,
    ) -> Res<Operand> {
        let ty = self.value(control)?.ty;
        let (mut default, mut chosen) = (None, Vec::new());
        for (name, result) in cases {
            match name {
                None => default = Some(result),
                Some(name) => {
                    let candidate = self.type_name(name)?;
                    if self.types.compatible(ty, candidate) {
                        chosen.push(result);
                    }
                }
            }
        }
        if let [_, _, ..] = chosen[..] {
            return Ok(Operand::Value(unsupported(ERASED, Types::INT, range)));
        }
        match chosen.pop().or(default) {
            Some(result) => self.operand(result),
            None => {
                let name = self.types.name(ty);
                error(range, format!("`_Generic` has no case for {name}"))
            }
        }
    }

    pub(super) fn static_assert(&mut self, assertion: &StaticAssert) -> Res<()> {
        let holds = self.integer_constant(&assertion.condition, "a static assertion")?;
        if holds != 0 {
            return Ok(());
        }
        let range = self.at(assertion.range);
        match &assertion.message {
            Some(message) => error(range, format!("the static assertion fails: {message}")),
            None => error(range, "the static assertion fails"),
        }
    }
}

/// A question about types that are one to us.
const ERASED: &str =
    "a choice between types that differ in qualifiers, enumerations or `char` only";
const VARIABLE_OFFSET: &str = "`offsetof` with an index that is not constant";
const LIBRARY_SIZE: &str = "the size of a type of the platform's library";

/// `sizeof` a type.
fn size(types: &mut Types, ty: TypeId, range: Range) -> Res<Expr> {
    if types.is_oversized(ty) {
        return Ok(unsupported(LIBRARY_SIZE, types.size_t(), range));
    }
    if let Some(size) = types.size_of(ty) {
        return Ok(size_constant(types, size, range));
    }
    if types.is_variable_array(ty) {
        return Ok(unsupported(VARIABLE_ARRAY, types.size_t(), range));
    }
    error(range, format!("the size of {} is not known here", types.name(ty)))
}

fn size_constant(types: &mut Types, size: u64, range: Range) -> Expr {
    let ty = types.size_t();
    constant(types.wrap(i128::from(size), ty), ty, range)
}

/// Our types know no qualifiers below a pointer, no enumerations, and one type of 8 bits with a sign: two that
/// are the same to us may differ in C.
fn is_surely_same(types: &Types, ty: TypeId, a: &TypeName, b: &TypeName) -> bool {
    let word = |name: &TypeName| match &name.specifiers.ty {
        TypeSpecifier::Int { kind, signed } => Some((*kind, *signed == Some(true))),
        _ => None,
    };
    match *types.get(ty) {
        Type::Array(element, _) => is_surely_same(types, element, a, b),
        Type::Void | Type::Bool | Type::Float { .. } | Type::Record(_) => true,
        Type::Int { kind: IntKind::Char, signed: true } => word(a).is_some() && word(a) == word(b),
        // An enumeration is compatible with its integer type, but not with another one.
        Type::Int { signed, .. } => word(a).or(word(b)).is_some() || signed,
        _ => false,
    }
}
