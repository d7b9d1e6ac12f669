//! Variables and functions at file scope: which of them a name is, in this unit and for the linker, and whether declarations of
//! one agree (C11, 6.2.2, 6.2.7).

use super::attributes::LinkNames;
use super::linkage::Linkage;
use super::objects::Objects;
use super::scope::{Scopes, Symbol};
use super::weak::WeakDefinitions;
use super::{Res, disagreement};
use crate::hir::{FuncId, Lifetime, TypeId, VarId};
use crate::syntax::ast::{Declarator, Derived, Ident, Range};
use crate::types::Types;
use std::collections::HashMap;
use std::rc::Rc;

/// Whose an earlier declaration is.
#[derive(Clone, Copy)]
enum Whose {
    SameUnit,
    OtherUnit,
    /// Not the user's: there is nothing to agree with.
    Nobody,
}

/// The names at file scope. It can bind one; types and objects it only reads.
pub(super) struct Entities<'r> {
    pub types: &'r Types,
    pub scopes: &'r mut Scopes,
    pub objects: &'r Objects,
    pub linkage: &'r Linkage,
    pub links: &'r mut LinkNames,
    /// What the user's units so far define or declare for others, by the linker's names.
    pub linked: &'r HashMap<Rc<str>, Symbol>,
    pub weak_definitions: &'r WeakDefinitions,
}

impl Entities<'_> {
    /// The variable or function that a declaration of `name` at file scope may speak of.
    pub fn known(&self, name: &Rc<str>) -> Option<Symbol> {
        let file = &self.scopes.file().symbols;
        let link = self.links.link_name(name);
        let here = self.links.linked.get(&link).copied();
        let elsewhere = || self.linked.get(&link).copied();
        if !self.links.is_other_name(name) || self.links.declared.contains(name) {
            let own = file.get(name).filter(|symbol| self.linkage.is_of_unit(symbol)).copied();
            return own.or(here).or_else(elsewhere).or_else(|| file.get(name).copied());
        }
        let plain = || file.get(&link).filter(|_| !self.links.is_other_name(&link)).copied();
        here.or_else(plain).or_else(elsewhere)
    }

    /// Enters a variable or function at file scope.
    pub fn bind(&mut self, name: &Rc<str>, symbol: Symbol) {
        self.scopes.file_mut().symbols.insert(name.clone(), symbol);
        let link = self.links.link_name(name);
        self.links.linked.insert(link, symbol);
        if self.links.is_other_name(name) {
            self.links.declared.insert(name.clone());
        }
    }

    /// Has this definition names instead of types for parameters, and no declaration before it has types?
    pub fn is_old_style(&self, name: &Ident, declarator: &Declarator) -> bool {
        let has_types = match self.known(&name.name) {
            Some(Symbol::Function(id)) => !self.types.is_unprototyped(self.objects.function(id).ty),
            _ => false,
        };
        let first = declarator.derived.first();
        !has_types && matches!(first, Some(Derived::Function { unprototyped: true, .. }))
    }

    /// All declarations of a function must give it one type. (What a call declares does not say which, nor do names for parameters.)
    pub fn must_agree(&self, id: FuncId, (name, range): (&Ident, Range), ty: TypeId) -> Res<()> {
        let function = self.objects.function(id);
        if function.is_model {
            return Ok(());
        }
        let is_here = self.linkage.is_declared(id)
            && !function.old_style
            && !self.links.is_one_of_several(&name.name);
        must_be_one_type(
            self.types,
            (name, range),
            (function.ty, ty),
            function.range,
            match self.linkage.is_other_function(id) {
                true => Whose::OtherUnit,
                false if is_here => Whose::SameUnit,
                false => Whose::Nobody,
            },
        )
    }

    /// All declarations of a variable must give it one type and one lifetime.
    pub fn must_agree_var(
        &self,
        var: VarId,
        (name, range): (&Ident, Range),
        (ty, lifetime): (TypeId, Lifetime),
    ) -> Res<()> {
        let declared = self.objects.var(var);
        if declared.lifetime != lifetime && !self.linkage.is_foreign_model(var) {
            let message = format!("`{}` is thread-local in one declaration only", name.name);
            return disagreement(range, declared.range, message);
        }
        let whose = match self.linkage.is_other_var(var) {
            true => Whose::OtherUnit,
            false if self.linkage.is_foreign_model(var) => Whose::Nobody,
            false if self.links.is_one_of_several(&name.name) => Whose::Nobody,
            false => Whose::SameUnit,
        };
        must_be_one_type(self.types, (name, range), (declared.ty, ty), declared.range, whose)
    }

    /// Is the weak definition at hand replaced by that of another unit?
    pub fn is_replaced(&self, name: &Ident) -> bool {
        self.links.is_weak(&name.name)
            && self.weak_definitions.is_replaced(&name.name, self.linkage.unit())
    }
}

/// Two declarations of one name must agree: what they say, where the first stands, and whose it is.
fn must_be_one_type(
    types: &Types,
    (name, range): (&Ident, Range),
    (first, second): (TypeId, TypeId),
    other: Range,
    whose: Whose,
) -> Res<()> {
    let (agree, place) = match whose {
        Whose::OtherUnit => (types.agree(first, second), " in another file"),
        Whose::SameUnit => (types.compatible(first, second), ""),
        Whose::Nobody => return Ok(()),
    };
    match agree {
        true => Ok(()),
        false => disagreement(range, other, format!("`{}` has another type{place}", name.name)),
    }
}
