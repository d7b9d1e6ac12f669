//! Structs and unions: their tags and definitions (C11, 6.7.2.1, 6.7.2.3).

use super::scope::{Scopes, Tag};
use super::specifiers::{check_size, has_attribute};
use super::{Res, Sema, error};
use crate::hir::{RecordId, Type, TypeId};
use crate::syntax::ast::{
    Attribute, Derived, Expression, FieldDeclarator, Ident, Member, Range, Record, Specifiers,
    TypeSpecifier,
};
use crate::types::{Demands, FieldSpec, Types, layout};
use std::collections::HashSet;

impl Sema {
    /// `struct tag`, `struct tag { … }`. Attributes may also stand around it.
    pub(super) fn record_type(&mut self, record: &Record, around: &[Attribute]) -> Res<TypeId> {
        let id = match &record.members {
            None => self.scopes.mention_record(&mut self.types, record, self.options.offset)?,
            Some(members) => {
                let id = self.scopes.begin_record(&mut self.types, record, self.options.offset)?;
                self.define_record(id, record, members, around)?;
                id
            }
        };
        Ok(self.types.intern(Type::Record(id)))
    }

    fn define_record(
        &mut self,
        id: RecordId,
        record: &Record,
        members: &[Member],
        around: &[Attribute],
    ) -> Res<()> {
        // Before the keyword, `packed` and `aligned` are about what is declared, not about the type.
        let packed = has_attribute(&record.attributes, "packed");
        let mut specs = Vec::new();
        for member in members {
            match member {
                Member::StaticAssert(assertion) => self.static_assert(assertion)?,
                Member::Fields { specifiers, declarators } => {
                    self.fields(specifiers, declarators, packed, &mut specs)?
                }
            }
        }
        check_field_names(&specs, self.at(record.range))?;
        let demands = Demands { align: self.alignment(&record.attributes)?, pack: record.pack };
        let result = layout(&mut self.types, record.is_union, &specs, demands);
        self.has_long_bits |= result.has_long_bits && !self.options.is_model;
        self.types.complete(id, result);
        if let Some(tag) = record.tag.as_ref().filter(|_| self.options.is_model) {
            self.platform.note_type(&mut self.types, &tag.name, id);
        }
        let ty = self.types.intern(Type::Record(id));
        check_size(&self.types, ty, self.at(record.range))?;
        if has_attribute(&record.attributes, "transparent_union")
            || has_attribute(around, "transparent_union")
        {
            self.types.set_transparent(id);
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
        let plain = FieldSpec {
            name: String::new(),
            ty: base.ty,
            bits: None,
            packed,
            align: base.align,
            type_align: base.type_align,
        };
        if declarators.is_empty() {
            if self.types.as_record(base.ty).is_some() && !is_plain_mention(specifiers) {
                specs.push(plain);
            }
            return Ok(());
        }
        for declarator in declarators {
            let mut spec = plain.clone();
            self.field(declarator, specifiers.range, &mut spec)?;
            specs.push(spec);
        }
        Ok(())
    }

    fn field(&mut self, field: &FieldDeclarator, range: Range, spec: &mut FieldSpec) -> Res<()> {
        let mut range = self.at(range);
        if let Some(declarator) = &field.declarator {
            self.note_restrict(declarator);
            range = self.at(declarator.range);
            spec.ty = self.derive(spec.ty, declarator)?;
            if !declarator.derived.iter().all(|step| matches!(step, Derived::Array(..))) {
                spec.type_align = None;
            }
            spec.packed |= has_attribute(&declarator.attributes, "packed");
            spec.align = self.alignment(&declarator.attributes)?.max(spec.align);
            if let Some(name) = &declarator.name {
                spec.name = name.name.to_string();
            }
        }
        spec.packed |= has_attribute(&field.attributes, "packed");
        spec.align = self.alignment(&field.attributes)?.max(spec.align);
        if self.types.is_variable_array(spec.ty) {
            self.marks.limits.push(("a variable-length array in a struct".to_string(), range));
            let element = self.types.element(spec.ty).unwrap_or(Types::CHAR);
            let is_nested = self.types.is_variable_array(element);
            spec.ty = self.types.array(if is_nested { Types::CHAR } else { element }, None);
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
        check_size(&self.types, spec.ty, range)
    }

    fn bit_width(&mut self, width: &Expression, spec: &FieldSpec) -> Res<u32> {
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
}

impl Scopes {
    fn mention_record(&mut self, types: &mut Types, record: &Record, offset: u32) -> Res<RecordId> {
        let Some(tag) = &record.tag else {
            return error(record.range.moved(offset), "a struct needs a tag or members");
        };
        match self.lookup_tag(&tag.name) {
            Some(Tag::Record(id)) if types.record(id).is_union == record.is_union => Ok(id),
            Some(_) => wrong_tag(&tag.name, tag.range.moved(offset)),
            None => Ok(self.declare_record(types, record.is_union, tag)),
        }
    }

    fn declare_record(&mut self, types: &mut Types, is_union: bool, tag: &Ident) -> RecordId {
        let id = types.add_record(&tag.name, is_union);
        self.bind_tag(&tag.name, Tag::Record(id));
        id
    }

    /// `struct tag;` alone declares the tag in the innermost scope.
    pub fn declare_tag_only(&mut self, types: &mut Types, specifiers: &Specifiers) {
        if let TypeSpecifier::Record(record) = &specifiers.ty
            && let (Some(tag), None) = (&record.tag, &record.members)
            && !self.innermost().tags.contains_key(&tag.name)
        {
            self.declare_record(types, record.is_union, tag);
        }
    }

    /// The record a definition completes: a new one, or one declared before.
    fn begin_record(&mut self, types: &mut Types, record: &Record, offset: u32) -> Res<RecordId> {
        let Some(tag) = &record.tag else {
            return Ok(types.add_record("", record.is_union));
        };
        let known = self.innermost().tags.get(&tag.name).copied();
        match known {
            None => Ok(self.declare_record(types, record.is_union, tag)),
            Some(Tag::Record(id)) if types.record(id).is_union == record.is_union => {
                if types.record(id).layout.is_some() {
                    let message = format!("`{}` is defined twice", tag.name);
                    return error(tag.range.moved(offset), message);
                }
                Ok(id)
            }
            Some(_) => wrong_tag(&tag.name, tag.range.moved(offset)),
        }
    }
}

/// `struct s;` inside a struct declares nothing (no member).
fn is_plain_mention(specifiers: &Specifiers) -> bool {
    match &specifiers.ty {
        TypeSpecifier::Record(record) => record.members.is_none() && record.tag.is_some(),
        _ => false,
    }
}

fn check_field_names(specs: &[FieldSpec], range: Range) -> Res<()> {
    let mut seen = HashSet::new();
    match specs.iter().find(|spec| !spec.name.is_empty() && !seen.insert(&spec.name)) {
        Some(spec) => error(range, format!("two members are called `{}`", spec.name)),
        None => Ok(()),
    }
}

/// A tag that is not of the kind its keyword says.
pub(super) fn wrong_tag<T>(tag: &str, range: Range) -> Res<T> {
    error(range, format!("the tag `{tag}` means another kind of type"))
}
