//! Types from declaration specifiers and declarators (C11, 6.7.2–6.7.7).

use super::attributes::Marks;
use super::scope::Symbol;
use super::{MAX_OBJECT_BYTES, Res, Sema, error};
use crate::hir::{Type, TypeId};
use crate::syntax::ast::{
    Attribute, Declarator, Derived, ExprKind, Expression, IntKind, Param, Range, Specifiers,
    TypeName, TypeSpecifier,
};
use crate::types::{DataModel, Types};

/// What specifiers say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    pub ty: TypeId,
    /// What `aligned(n)` demands here.
    pub align: Option<u64>,
    /// What `aligned(n)` in the typedef makes of the type.
    pub type_align: Option<u64>,
}

impl Sema {
    /// The type that specifiers give.
    pub(super) fn base(&mut self, specifiers: &Specifiers) -> Res<Base> {
        let ty = self.specified_type(specifiers)?;
        let mut base = Base { ty, align: None, type_align: None };
        if let TypeSpecifier::Named(name) = &specifiers.ty
            && let Some(Symbol::Typedef(_, align)) = self.scopes.lookup(&name.name)
        {
            base.type_align = align;
        }
        base.ty = self.with_mode(base.ty, &specifiers.attributes)?;
        base.align = self.alignment(&specifiers.attributes)?;
        if specifiers.qualifiers.is_atomic {
            base.ty = self.types.atomic(base.ty);
        }
        Ok(base)
    }

    fn specified_type(&mut self, specifiers: &Specifiers) -> Res<TypeId> {
        Ok(match &specifiers.ty {
            TypeSpecifier::Implicit => Types::INT,
            TypeSpecifier::Void => Types::VOID,
            TypeSpecifier::Bool => Types::BOOL,
            TypeSpecifier::Int { kind, signed } => self.types.int(*kind, signed.unwrap_or(true)),
            TypeSpecifier::Float(spelling) => float_type(&mut self.types, spelling),
            TypeSpecifier::Complex(part) => {
                let part = Specifiers { ty: (**part).clone(), ..specifiers.clone() };
                let part = self.specified_type(&part)?;
                self.types.intern(Type::Complex(part))
            }
            TypeSpecifier::Named(name) => match self.scopes.lookup(&name.name) {
                Some(Symbol::Typedef(ty, _)) => ty,
                _ => {
                    let message = format!("`{}` is not the name of a type", name.name);
                    return error(self.at(name.range), message);
                }
            },
            TypeSpecifier::Record(record) => self.record_type(record, &specifiers.attributes)?,
            TypeSpecifier::Enum(definition) => self.enum_type(definition)?,
            TypeSpecifier::TypeofExpr(expr) => self.type_of_expr(expr)?,
            TypeSpecifier::TypeofType(name) => self.type_name(name)?,
            TypeSpecifier::Atomic(name) => {
                let ty = self.type_name(name)?;
                self.types.atomic(ty)
            }
            TypeSpecifier::AutoType => {
                let range = self.at(specifiers.range);
                return error(range, "`__auto_type` needs a variable with an initialiser");
            }
            TypeSpecifier::VaList => self.types.intern(Type::VaList),
        })
    }

    /// The type of an expression that is not evaluated, nor converted.
    pub(super) fn type_of_expr(&mut self, expr: &Expression) -> Res<TypeId> {
        let operand = self.operand(expr)?;
        Ok(self.build().operand_type(&operand))
    }

    /// The type that a type name means.
    pub(super) fn type_name(&mut self, name: &TypeName) -> Res<TypeId> {
        let base = self.base(&name.specifiers)?;
        self.derive(base.ty, &name.declarator)
    }

    /// The type of the declared name: the base, with the declarator around it.
    pub(super) fn derive(&mut self, base: TypeId, declarator: &Declarator) -> Res<TypeId> {
        let mut ty = self.with_mode(base, &declarator.attributes)?;
        for derived in declarator.derived.iter().rev() {
            ty = self.derive_once(ty, derived, declarator)?;
        }
        Ok(ty)
    }

    fn derive_once(&mut self, ty: TypeId, step: &Derived, whole: &Declarator) -> Res<TypeId> {
        match step {
            Derived::Pointer(qualifiers) => {
                let pointer = self.types.pointer(ty);
                Ok(match qualifiers.is_atomic {
                    true => self.types.atomic(pointer),
                    false => pointer,
                })
            }
            Derived::Array(size, _) => {
                if self.types.is_function(ty) || ty == Types::VOID {
                    let message = format!("an array of {} is not possible", self.types.name(ty));
                    return error(self.at(whole.range), message);
                }
                let array = self.array_type(ty, size.as_deref())?;
                match check_size(&self.types, array, self.at(whole.range)) {
                    // gcc takes it, and no machine has the memory.
                    Err(problem)
                        if self
                            .types
                            .size_of(array)
                            .is_some_and(|size| i64::try_from(size).is_ok()) =>
                    {
                        self.marks.limits.push((problem.message, problem.range));
                        Ok(self.types.array(ty, Some(1)))
                    }
                    checked => checked.map(|()| array),
                }
            }
            Derived::Function { params, variadic, unprototyped } => {
                let params = self.parameter_types(params)?;
                let variadic = *variadic || (*unprototyped && params.is_empty());
                let ret = self.types.unatomic(ty);
                Ok(self.types.intern(Type::Function { ret, params, variadic }))
            }
        }
    }

    fn array_type(&mut self, element: TypeId, size: Option<&Expression>) -> Res<TypeId> {
        let Some(size) = size else {
            return Ok(self.types.array(element, None));
        };
        if self.prototype_depth > 0 {
            let known = self.value(size).ok().and_then(|e| self.constants.fold(&self.types, &e));
            return Ok(match known.and_then(|n| u64::try_from(n).ok()) {
                Some(length) => self.types.array(element, Some(length)),
                None => self.types.intern(Type::VariableArray(element)),
            });
        }
        let value = self.value(size)?;
        match self.constants.fold(&self.types, &value) {
            Some(length) => match u64::try_from(length) {
                Ok(length) => Ok(self.types.array(element, Some(length))),
                Err(_) => error(value.range, "the size of an array is negative"),
            },
            None if !self.types.is_integer(value.ty) => {
                error(value.range, "the size of an array must be an integer")
            }
            None if self.body.is_none() => {
                let value = self.integer_constant(size, "the size of this array")?;
                Ok(self.types.array(element, u64::try_from(value).ok()))
            }
            None => Ok(self.types.intern(Type::VariableArray(element))),
        }
    }

    fn parameter_types(&mut self, params: &[Param]) -> Res<Vec<TypeId>> {
        self.prototype_depth += 1;
        let types = params.iter().map(|p| self.parameter_type(p)).collect();
        self.prototype_depth -= 1;
        types
    }

    /// The type of a parameter: arrays and functions are pointers.
    pub(super) fn parameter_type(&mut self, param: &Param) -> Res<TypeId> {
        let base = self.base(&param.specifiers)?;
        let ty = self.derive(base.ty, &param.declarator)?;
        Ok(self.types.decayed(ty))
    }

    /// The attributes `mode` and `vector_size` change a type. Values of
    /// vectors are no more modelled than those of floating types.
    pub(super) fn with_mode(&mut self, ty: TypeId, attributes: &[Attribute]) -> Res<TypeId> {
        let mut ty = ty;
        for attribute in attributes.iter().filter(|a| a.name == "mode") {
            let at = self.at(attribute.range);
            ty = in_mode(&mut self.types, &mut self.marks, ty, attribute, at);
        }
        let Some(vector) = attributes.iter().find(|a| a.name == "vector_size") else {
            return Ok(ty);
        };
        let size = match vector.args.first() {
            Some(size) => self.integer_constant(size, "the size of a vector")?,
            None => return error(self.at(vector.range), "`vector_size` needs a size"),
        };
        match u16::try_from(size) {
            Ok(size) if size.is_power_of_two() => Ok(self.types.intern(Type::Vector { size })),
            _ => error(self.at(vector.range), "this size of a vector is not possible"),
        }
    }

    /// The strongest alignment that attributes demand.
    pub(super) fn alignment(&mut self, attributes: &[Attribute]) -> Res<Option<u64>> {
        let mut strongest = None;
        for attribute in attributes.iter().filter(|a| a.name == "aligned") {
            let align = match attribute.args.first() {
                None => 16,
                Some(arg) => self.integer_constant(arg, "an alignment")?,
            };
            let Some(align) = u64::try_from(align).ok().filter(|a| *a <= 1 << 28) else {
                return error(self.at(attribute.range), "this alignment is not possible");
            };
            if align > 0 && !align.is_power_of_two() {
                return error(self.at(attribute.range), "an alignment must be a power of two");
            }
            strongest = strongest.max(Some(align.max(1)));
        }
        Ok(strongest)
    }
}

/// Is an attribute given?
pub(super) fn has_attribute(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|a| a.name == name)
}

/// An array with a length must have a size, and no object is too large.
pub(super) fn check_size(types: &Types, ty: TypeId, range: Range) -> Res<()> {
    let size = types.size_of(ty);
    let overflows = match *types.get(ty) {
        Type::Array(element, Some(_)) => size.is_none() && types.size_of(element).is_some(),
        _ => false,
    };
    if overflows || size.is_some_and(|size| size > MAX_OBJECT_BYTES) {
        return error(range, "this object is too large");
    }
    Ok(())
}

/// What `mode` makes of a type.
fn in_mode(
    types: &mut Types,
    marks: &mut Marks,
    ty: TypeId,
    attribute: &Attribute,
    at: Range,
) -> TypeId {
    let mode = match attribute.args.first().map(|arg| &*arg.kind) {
        Some(ExprKind::Ident(mode)) => mode.name.trim_matches('_'),
        _ => "",
    };
    let is_wide = types.model() == DataModel::Lp64;
    let kind = match mode {
        "QI" | "byte" => IntKind::Char,
        "HI" => IntKind::Short,
        "SI" => IntKind::Int,
        "DI" if is_wide => IntKind::Long,
        "DI" => IntKind::LongLong,
        "TI" => IntKind::Int128,
        "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => {
            IntKind::Long
        }
        "SF" => return types.float(4),
        "DF" => return types.float(8),
        "XF" => return types.long_double(),
        "TF" | "DC" => return types.float(16),
        _ => {
            let what = format!("the attribute `mode({mode})`");
            marks.limits.push((what, at));
            return ty;
        }
    };
    // A pointer stays one: only its size is said again.
    if types.is_pointer(ty) {
        return ty;
    }
    let signed = types.integer(ty).is_none_or(|i| i.signed);
    types.int(kind, signed)
}

/// The floating type of a spelling.
fn float_type(types: &mut Types, spelling: &str) -> TypeId {
    match spelling {
        "float" | "_Float32" => types.float(4),
        "_Float16" | "__fp16" | "__bf16" => types.float(2),
        "long double" | "_Float64x" | "__float80" => types.long_double(),
        "_Float128" | "__float128" => types.float(16),
        _ => types.float(8),
    }
}
