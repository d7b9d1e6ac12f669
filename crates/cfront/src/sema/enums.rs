//! Enumerations: their tags and constants (C11, 6.7.2.2, 6.7.2.3). An enumeration is an
//! integer type.

use super::records::wrong_tag;
use super::scope::{Scopes, Symbol, Tag};
use super::specifiers::has_attribute;
use super::{Res, Sema, error};
use crate::hir::TypeId;
use crate::syntax::ast::{Enum, Expression, Ident};
use crate::types::Types;

impl Sema {
    /// `enum tag`, `enum tag { … }`: an integer type.
    pub(super) fn enum_type(&mut self, definition: &Enum) -> Res<TypeId> {
        let Some(constants) = &definition.constants else {
            return self.scopes.mention_enum(definition, self.options.offset);
        };
        let values = self.enum_values(constants)?;
        let packed = has_attribute(&definition.attributes, "packed");
        let low = values.iter().map(|v| v.1).min().unwrap_or(0);
        let high = values.iter().map(|v| v.1).max().unwrap_or(0);
        let ty = self.types.enumeration(low, high, packed);
        let ty = self.with_mode(ty, &definition.attributes)?;
        for (name, value) in values {
            let fits = i32::try_from(value).is_ok();
            let constant_type = if fits { Types::INT } else { ty };
            let symbol = Symbol::Constant(value, constant_type);
            self.scopes.bind(&name.name, symbol);
        }
        if let Some(tag) = &definition.tag {
            self.scopes.bind_tag(&tag.name, Tag::Enum(ty));
        }
        Ok(ty)
    }

    fn enum_values(
        &mut self,
        constants: &[(Ident, Option<Expression>)],
    ) -> Res<Vec<(Ident, i128)>> {
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
            let symbol = Symbol::Constant(next, enum_constant_type(&mut self.types, next));
            let shadows_model = matches!(
                self.scopes.innermost().symbols.get(&name.name),
                Some(Symbol::Function(_) | Symbol::Var(_))
            );
            if shadows_model && self.scopes.at_file_scope() {
                self.scopes.bind(&name.name, symbol);
            } else {
                self.scopes.bind_new(&name.name, symbol, range)?;
            }
            values.push((name.clone(), next));
            next += 1;
        }
        Ok(values)
    }
}

impl Scopes {
    fn mention_enum(&self, definition: &Enum, offset: u32) -> Res<TypeId> {
        let Some(tag) = &definition.tag else {
            return error(definition.range.moved(offset), "an enum needs a tag or constants");
        };
        match self.lookup_tag(&tag.name) {
            Some(Tag::Enum(ty)) => Ok(ty),
            Some(Tag::Record(_)) => wrong_tag(&tag.name, tag.range.moved(offset)),
            None => Ok(Types::UINT),
        }
    }
}

/// The type a constant has inside its own enum definition.
fn enum_constant_type(types: &mut Types, value: i128) -> TypeId {
    if i32::try_from(value).is_ok() { Types::INT } else { types.enumeration(value, value, false) }
}
