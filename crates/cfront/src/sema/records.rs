//! Structs, unions and enums: their tags and definitions (C11, 6.7.2.1–6.7.2.3).

use super::scope::{Symbol, Tag};
use super::specifiers::has_attribute;
use super::{Res, Sema, error};
use crate::hir::{RecordId, Type, TypeId};
use crate::syntax::ast::{
    Attribute, Enum, Expr, FieldDeclarator, Ident, IntKind, Member, Range, Record, Specifiers,
    TypeSpecifier,
};
use crate::types::{FieldSpec, Types, layout};
use std::collections::HashSet;

impl Sema {
    /// `struct tag`, `struct tag { … }`. Attributes may also stand around it.
    pub(super) fn record_type(&mut self, record: &Record, around: &[Attribute]) -> Res<TypeId> {
        let id = match &record.members {
            None => self.mention_record(record)?,
            Some(members) => {
                let id = self.begin_record(record)?;
                self.define_record(id, record, members, around)?;
                id
            }
        };
        Ok(self.types.intern(Type::Record(id)))
    }

    fn mention_record(&mut self, record: &Record) -> Res<RecordId> {
        let Some(tag) = &record.tag else {
            return error(self.at(record.range), "a struct needs a tag or members");
        };
        match self.lookup_tag(&tag.name) {
            Some(Tag::Record(id)) if self.types.record(id).is_union == record.is_union => Ok(id),
            Some(_) => self.wrong_tag(tag),
            None => Ok(self.declare_record(record.is_union, tag)),
        }
    }

    fn wrong_tag<T>(&self, tag: &Ident) -> Res<T> {
        let message = format!("the tag `{}` means another kind of type", tag.name);
        error(self.at(tag.range), message)
    }

    fn declare_record(&mut self, is_union: bool, tag: &Ident) -> RecordId {
        let id = self.types.add_record(&tag.name, is_union);
        self.scope().tags.insert(tag.name.clone(), Tag::Record(id));
        id
    }

    /// `struct tag;` alone declares the tag in the innermost scope.
    pub(super) fn declare_tag_only(&mut self, specifiers: &Specifiers) {
        if let TypeSpecifier::Record(record) = &specifiers.ty
            && let (Some(tag), None) = (&record.tag, &record.members)
            && !self.scope().tags.contains_key(&tag.name)
        {
            self.declare_record(record.is_union, tag);
        }
    }

    /// The record a definition completes: a new one, or one declared before.
    fn begin_record(&mut self, record: &Record) -> Res<RecordId> {
        let Some(tag) = &record.tag else {
            return Ok(self.types.add_record("", record.is_union));
        };
        let known = self.scope().tags.get(&tag.name).copied();
        match known {
            None => Ok(self.declare_record(record.is_union, tag)),
            Some(Tag::Record(id)) if self.types.record(id).is_union == record.is_union => {
                if self.types.record(id).layout.is_some() {
                    let message = format!("`{}` is defined twice", tag.name);
                    return error(self.at(tag.range), message);
                }
                Ok(id)
            }
            Some(_) => self.wrong_tag(tag),
        }
    }

    fn define_record(
        &mut self,
        id: RecordId,
        record: &Record,
        members: &[Member],
        around: &[Attribute],
    ) -> Res<()> {
        let packed = has_attribute(&record.attributes, "packed") || has_attribute(around, "packed");
        let mut specs = Vec::new();
        for member in members {
            match member {
                Member::StaticAssert(assertion) => self.static_assert(assertion)?,
                Member::Fields { specifiers, declarators } => {
                    self.fields(specifiers, declarators, packed, &mut specs)?
                }
            }
        }
        self.check_field_names(&specs, record.range)?;
        let align = self.alignment(&record.attributes)?;
        let result = layout(&mut self.types, record.is_union, &specs, align);
        for spec in specs.iter().filter(|s| s.bits.is_some() && !s.name.is_empty()) {
            self.bit_types.insert((id, spec.name.clone()), spec.ty);
        }
        self.types.complete(id, result);
        let ty = self.types.intern(Type::Record(id));
        self.check_size(ty, self.at(record.range))?;
        if has_attribute(&record.attributes, "transparent_union")
            || has_attribute(around, "transparent_union")
        {
            self.transparent.insert(id);
        }
        Ok(())
    }

    /// The type a bit-field was declared with.
    pub(super) fn declared_type(&self, record: RecordId, name: &str) -> Option<TypeId> {
        if let Some(ty) = self.bit_types.get(&(record, name.to_string())) {
            return Some(*ty);
        }
        let layout = self.types.record(record).layout.as_ref()?;
        let anonymous = layout.fields.iter().filter(|f| f.name.is_empty());
        anonymous
            .filter_map(|f| self.types.as_record(f.ty))
            .find_map(|inner| self.declared_type(inner, name))
    }

    fn check_field_names(&self, specs: &[FieldSpec], range: Range) -> Res<()> {
        let mut seen = HashSet::new();
        for spec in specs.iter().filter(|s| !s.name.is_empty()) {
            if !seen.insert(&spec.name) {
                let message = format!("two members are called `{}`", spec.name);
                return error(self.at(range), message);
            }
        }
        Ok(())
    }

    fn fields(
        &mut self,
        specifiers: &Specifiers,
        declarators: &[FieldDeclarator],
        packed: bool,
        specs: &mut Vec<FieldSpec>,
    ) -> Res<()> {
        let base = self.base(specifiers)?;
        let packed = packed || has_attribute(&specifiers.attributes, "packed");
        if declarators.is_empty() {
            if self.types.as_record(base.ty).is_some() && !is_plain_mention(specifiers) {
                specs.push(FieldSpec {
                    name: String::new(),
                    ty: base.ty,
                    bits: None,
                    packed,
                    align: base.align,
                });
            }
            return Ok(());
        }
        for declarator in declarators {
            let mut spec = FieldSpec {
                name: String::new(),
                ty: base.ty,
                bits: None,
                packed,
                align: base.align,
            };
            self.field(declarator, specifiers.range, &mut spec)?;
            specs.push(spec);
        }
        Ok(())
    }

    fn field(&mut self, field: &FieldDeclarator, range: Range, spec: &mut FieldSpec) -> Res<()> {
        let mut range = self.at(range);
        if let Some(declarator) = &field.declarator {
            range = self.at(declarator.range);
            spec.ty = self.derive(spec.ty, declarator)?;
            if !declarator.derived.is_empty() {
                spec.align = None;
            }
            spec.packed |= has_attribute(&declarator.attributes, "packed");
            spec.align = self.alignment(&declarator.attributes)?.max(spec.align);
            if let Some(name) = &declarator.name {
                spec.name = name.name.to_string();
            }
        }
        if let Some(width) = &field.bits {
            spec.bits = Some(self.bit_width(width, spec)?);
        } else if self.types.is_function(spec.ty) || spec.ty == Types::VOID {
            let ty = self.types.name(spec.ty);
            return error(range, format!("a member cannot have the type {ty}"));
        } else if self.types.size_of(spec.ty).is_none()
            && !matches!(self.types.get(spec.ty), Type::Array(_, None))
        {
            let message = format!("the type of `{}` is not complete", spec.name);
            return error(range, message);
        }
        self.check_size(spec.ty, range)
    }

    fn bit_width(&mut self, width: &Expr, spec: &FieldSpec) -> Res<u32> {
        let range = self.at(width.range);
        let value = self.integer_constant(width, "the width of a bit-field")?;
        let Some(integer) = self.types.integer(spec.ty) else {
            return error(range, "a bit-field must have an integer type");
        };
        match u32::try_from(value) {
            Ok(width) if width <= integer.bits && (width > 0 || spec.name.is_empty()) => Ok(width),
            _ => error(range, format!("a bit-field cannot have {value} bits")),
        }
    }

    /// `enum tag`, `enum tag { … }`: an integer type.
    pub(super) fn enum_type(&mut self, definition: &Enum) -> Res<TypeId> {
        let Some(constants) = &definition.constants else {
            return self.mention_enum(definition);
        };
        let values = self.enum_values(constants)?;
        let packed = has_attribute(&definition.attributes, "packed");
        let low = values.iter().map(|v| v.1).min().unwrap_or(0);
        let high = values.iter().map(|v| v.1).max().unwrap_or(0);
        let ty = self.enum_underlying(low, high, packed);
        for (name, value) in values {
            let fits = i32::try_from(value).is_ok();
            let constant_type = if fits { Types::INT } else { ty };
            let symbol = Symbol::Constant(value, constant_type);
            self.scope().symbols.insert(name.name.clone(), symbol);
        }
        if let Some(tag) = &definition.tag {
            self.scope().tags.insert(tag.name.clone(), Tag::Enum(ty));
        }
        Ok(ty)
    }

    fn mention_enum(&mut self, definition: &Enum) -> Res<TypeId> {
        let Some(tag) = &definition.tag else {
            return error(self.at(definition.range), "an enum needs a tag or constants");
        };
        match self.lookup_tag(&tag.name) {
            Some(Tag::Enum(ty)) => Ok(ty),
            Some(Tag::Record(_)) => self.wrong_tag(tag),
            None => Ok(Types::UINT),
        }
    }

    fn enum_values(&mut self, constants: &[(Ident, Option<Expr>)]) -> Res<Vec<(Ident, i128)>> {
        let mut values: Vec<(Ident, i128)> = Vec::new();
        let mut next = 0;
        for (name, expr) in constants {
            if let Some(expr) = expr {
                next = self.integer_constant(expr, "an enumeration constant")?;
            }
            let range = self.at(name.range);
            if !(i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&next) {
                return error(range, format!("`{}` has a value beyond 64 bits", name.name));
            }
            let symbol = Symbol::Constant(next, self.enum_constant_type(next));
            let shadows_model = matches!(
                self.scope().symbols.get(&name.name),
                Some(Symbol::Function(_) | Symbol::Var(_))
            );
            if shadows_model && self.at_file_scope() {
                self.bind(&name.name, symbol);
            } else {
                self.bind_new(&name.name, symbol, range)?;
            }
            values.push((name.clone(), next));
            next += 1;
        }
        Ok(values)
    }

    /// The type a constant has inside its own enum definition.
    fn enum_constant_type(&mut self, value: i128) -> TypeId {
        if i32::try_from(value).is_ok() {
            Types::INT
        } else {
            self.enum_underlying(value, value, false)
        }
    }

    /// gcc's choice: unsigned unless a value is negative, at least `int`.
    fn enum_underlying(&mut self, low: i128, high: i128, packed: bool) -> TypeId {
        let signed = low < 0;
        let kinds: &[IntKind] = match packed {
            true => &[IntKind::Char, IntKind::Short, IntKind::Int, IntKind::Long],
            false => &[IntKind::Int, IntKind::Long],
        };
        for &kind in kinds {
            let ty = self.types.int(kind, signed);
            if self.wrap(low, ty) == low && self.wrap(high, ty) == high {
                return ty;
            }
        }
        self.types.int(IntKind::LongLong, signed)
    }
}

/// `struct s;` inside a struct declares nothing (no member).
fn is_plain_mention(specifiers: &Specifiers) -> bool {
    match &specifiers.ty {
        TypeSpecifier::Record(record) => record.members.is_none() && record.tag.is_some(),
        _ => false,
    }
}
