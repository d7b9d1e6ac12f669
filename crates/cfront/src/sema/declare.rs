//! Declarations of variables and types, at file scope and in blocks
//! (C11, 6.7, 6.9.2). Functions are in `function`.

use super::init::{Init, initializer, static_initializer};
use super::linkage::Linkage;
use super::objects::Objects;
use super::scope::Symbol;
use super::specifiers::has_attribute;
use super::{Res, Sema, VARIABLE_ARRAY, disagreement, error};
use crate::hir::{InitEntry, Lifetime, Stmt, StmtKind, Type, TypeId, Var, VarId};
use crate::source::Diagnostic;
use crate::syntax::ast::{
    Declaration, Declarator, Ident, InitDeclarator, Initializer, Range, Specifiers, Storage,
    TypeSpecifier,
};
use crate::types::Types;

impl Sema {
    pub(super) fn file_declaration(&mut self, declaration: &Declaration) -> Res<()> {
        let mut nothing = Vec::new();
        self.declaration(declaration, &mut nothing)
    }

    /// A declaration in any scope; what must run stands in `out`.
    pub(super) fn declaration(&mut self, d: &Declaration, out: &mut Vec<Stmt>) -> Res<()> {
        if let TypeSpecifier::AutoType = d.specifiers.ty {
            return self.auto_declaration(d, out);
        }
        if d.declarators.is_empty() {
            self.scopes.declare_tag_only(&mut self.types, &d.specifiers);
        }
        let base = self.base(&d.specifiers)?;
        for declarator in &d.declarators {
            let ty = self.derive(base.ty, &declarator.declarator)?;
            let Some(name) = declarator.declarator.name.clone() else {
                return error(self.at(declarator.declarator.range), "a name is missing here");
            };
            if has_attribute(&declarator.declarator.attributes, "transparent_union")
                && let Some(record) = self.types.as_record(ty)
            {
                self.types.set_transparent(record);
            }
            if !self.types.is_function(ty) {
                self.note_restrict(&declarator.declarator);
            }
            if d.specifiers.storage == Some(Storage::Typedef) {
                let own = self.alignment(&declarator.declarator.attributes)?.max(base.align);
                let is_plain = declarator.declarator.derived.is_empty();
                let inherited = base.type_align.filter(|_| is_plain);
                self.declare_typedef(&name, ty, own.or(inherited))?;
            } else if self.types.is_function(ty) {
                self.declare_function(&name, ty, &d.specifiers, &declarator.declarator)?;
            } else if self.scopes.at_file_scope() {
                self.global(&name, ty, &d.specifiers, declarator)?;
            } else {
                self.local(&name, ty, &d.specifiers, declarator, out)?;
            }
        }
        Ok(())
    }

    /// A pointer of the program's own is declared `restrict`.
    pub(super) fn note_restrict(&mut self, declarator: &Declarator) {
        self.has_restrict |= !self.options.is_model && declarator.is_restrict();
    }

    fn declare_typedef(&mut self, name: &Ident, ty: TypeId, align: Option<u64>) -> Res<()> {
        let range = self.at(name.range);
        let ty = match self.platform.stands_for(&name.name) {
            Some(library_type) if self.scopes.at_file_scope() => library_type,
            _ => ty,
        };
        let known = self.scopes.innermost().symbols.get(&name.name).copied();
        match known {
            Some(Symbol::Var(_) | Symbol::Constant(..)) if !self.scopes.at_file_scope() => {
                error(range, format!("`{}` is declared twice in one block", name.name))
            }
            _ => {
                self.scopes.bind(&name.name, Symbol::Typedef(ty, align));
                Ok(())
            }
        }
    }

    /// `__auto_type x = e;`
    fn auto_declaration(&mut self, d: &Declaration, out: &mut Vec<Stmt>) -> Res<()> {
        for declarator in &d.declarators {
            let range = self.at(declarator.declarator.range);
            let (Some(name), Some(Initializer::Expr(e))) =
                (&declarator.declarator.name, &declarator.init)
            else {
                return error(range, "`__auto_type` needs a variable with an initialiser");
            };
            let value = self.value(e)?;
            let function = self.body(range)?.id;
            let at = self.at(name.range);
            let lifetime = Lifetime::Local(function);
            let var = self.objects.add_plain(&name.name, value.ty, lifetime, at);
            self.scopes.bind_new(&name.name, Symbol::Var(var), at)?;
            let entry = InitEntry { offset: 0, bits: None, ty: value.ty, value };
            out.push(Stmt { kind: StmtKind::Declare(var, Some(vec![entry])), range });
        }
        Ok(())
    }

    /// A variable at file scope, or `extern` in a block.
    fn global(
        &mut self,
        name: &Ident,
        ty: TypeId,
        specifiers: &Specifiers,
        InitDeclarator { declarator, init }: &InitDeclarator,
    ) -> Res<VarId> {
        let range = self.at(name.range);
        // An alias defines nothing: what it names is defined elsewhere.
        let is_alias =
            |attributes| has_attribute(attributes, "alias") || has_attribute(attributes, "weakref");
        let refers = specifiers.storage == Some(Storage::Extern)
            || is_alias(&specifiers.attributes)
            || is_alias(&declarator.attributes);
        let is_extern = refers && init.is_none() || self.entities().is_replaced(name);
        let is_static = specifiers.storage == Some(Storage::Static);
        let known = self.entities().known(&name.name);
        let place = (&*name.name, range);
        let known = self.linkage.known_global(
            &self.objects,
            known.as_ref(),
            place,
            is_static,
            is_extern,
        )?;
        let var = match known {
            Some(var) => {
                self.entities().must_agree_var(
                    var,
                    (name, range),
                    (ty, static_lifetime(specifiers)),
                )?;
                self.linkage.compose(&self.types, &mut self.objects, var, ty, !is_extern);
                var
            }
            None => {
                let lifetime = static_lifetime(specifiers);
                let link_name = self.links.link_name(&name.name);
                self.objects.add_plain(&link_name, ty, lifetime, range)
            }
        };
        self.entities().bind(&name.name, Symbol::Var(var));
        if is_static && !self.links.is_other_name(&name.name) {
            self.linkage.make_static_var(var);
        }
        self.mark_var(var, name, ty, specifiers, &declarator.attributes)?;
        if !is_extern {
            self.define_global(var, name, init.as_ref())?;
            self.constants.note(&self.types, &mut self.objects, (var, specifiers.qualifiers), None);
        }
        Ok(var)
    }

    fn define_global(&mut self, var: VarId, name: &Ident, init: Option<&Initializer>) -> Res<()> {
        let range = self.at(name.range);
        if let Some(other) = self.linkage.define_var(var, range) {
            return disagreement(range, other, format!("`{}` is defined in two files", name.name));
        }
        let Some(init) = init else {
            self.objects.var_mut(var).init.get_or_insert_default();
            return Ok(());
        };
        if let Some(other) = self.linkage.initialise(var, range) {
            return disagreement(range, other, format!("`{}` is defined twice", name.name));
        }
        self.initialise_static(var, init, range)
    }

    fn initialise_static(&mut self, var: VarId, init: &Initializer, range: Range) -> Res<()> {
        let ty = self.objects.var(var).ty;
        let (entries, ty) = static_initializer(self, ty, Init::from(init), range)?;
        self.objects.var_mut(var).init = Some(entries);
        self.objects.var_mut(var).ty = ty;
        Ok(())
    }

    fn local(
        &mut self,
        name: &Ident,
        ty: TypeId,
        specifiers: &Specifiers,
        declarator: &InitDeclarator,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let range = self.at(name.range);
        match specifiers.storage {
            Some(Storage::Extern) => {
                let var = self.global(name, ty, specifiers, declarator)?;
                self.scopes.bind(&name.name, Symbol::Var(var));
                Ok(())
            }
            Some(Storage::Static) => self.static_local(name, ty, specifiers, declarator),
            _ if specifiers.thread_local => self.static_local(name, ty, specifiers, declarator),
            _ => {
                let end = match &declarator.init {
                    Some(Initializer::Expr(value)) => self.at(value.range).hi,
                    Some(Initializer::List(_, list)) => self.at(*list).hi,
                    None => range.hi,
                };
                match self.variable_array(name, ty, declarator)? {
                    Some(statements) => out.extend(statements),
                    None => {
                        let kind = self.automatic(name, ty, specifiers, declarator)?;
                        out.push(Stmt { kind, range: Range { hi: end, ..range } });
                    }
                }
                let own = declarator.declarator.attributes.iter();
                let cleanup = own.chain(&specifiers.attributes).find(|a| a.name == "cleanup");
                match cleanup {
                    Some(attribute) => self.cleanup(name, attribute, out),
                    None => Ok(()),
                }
            }
        }
    }

    fn static_local(
        &mut self,
        name: &Ident,
        ty: TypeId,
        specifiers: &Specifiers,
        InitDeclarator { declarator, init }: &InitDeclarator,
    ) -> Res<()> {
        let range = self.at(name.range);
        let var = self.objects.add_plain(&name.name, ty, static_lifetime(specifiers), range);
        self.objects.var_mut(var).init = Some(Vec::new());
        self.scopes.bind_new(&name.name, Symbol::Var(var), range)?;
        self.mark_var(var, name, ty, specifiers, &declarator.attributes)?;
        if let Some(init) = init {
            self.initialise_static(var, init, range)?;
        }
        check_complete(&self.types, self.objects.var(var))?;
        self.constants.note(&self.types, &mut self.objects, (var, specifiers.qualifiers), None);
        if let (Some(body), false) = (&self.body, self.objects.var(var).is_const) {
            self.linkage.note_own(body.id);
        }
        Ok(())
    }

    fn automatic(
        &mut self,
        name: &Ident,
        ty: TypeId,
        specifiers: &Specifiers,
        InitDeclarator { declarator, init }: &InitDeclarator,
    ) -> Res<StmtKind> {
        let range = self.at(name.range);
        let function = self.body(range)?.id;
        let var = self.objects.add_plain(&name.name, ty, Lifetime::Local(function), range);
        self.scopes.bind_new(&name.name, Symbol::Var(var), range)?;
        self.mark_var(var, name, ty, specifiers, &declarator.attributes)?;
        if self.types.is_variable_array(ty) {
            return Ok(StmtKind::Unsupported(VARIABLE_ARRAY.to_string()));
        }
        let Some(init) = init else {
            check_complete(&self.types, self.objects.var(var))?;
            return Ok(StmtKind::Declare(var, None));
        };
        let (entries, ty) = initializer(self, ty, Init::from(init), range)?;
        self.objects.var_mut(var).ty = ty;
        check_complete(&self.types, self.objects.var(var))?;
        self.constants.note(
            &self.types,
            &mut self.objects,
            (var, specifiers.qualifiers),
            Some(&entries),
        );
        Ok(StmtKind::Declare(var, Some(entries)))
    }
}

/// At the end of a unit, `int a[];` has one element (C11, 6.9.2), and
/// every variable that is defined must have a size.
pub(super) fn complete_tentative(
    linkage: &Linkage,
    objects: &mut Objects,
    types: &mut Types,
) -> Vec<Diagnostic> {
    let mut incomplete = Vec::new();
    for id in linkage.vars_of_unit(objects) {
        let var = objects.var_mut(id);
        if var.init.is_none() || matches!(var.lifetime, Lifetime::Local(_)) {
            continue;
        }
        if let Type::Array(element, None) = *types.get(var.ty) {
            var.ty = types.array(element, Some(1));
        }
        incomplete.extend(check_complete(types, var).err());
    }
    incomplete
}

fn static_lifetime(specifiers: &Specifiers) -> Lifetime {
    match specifiers.thread_local {
        true => Lifetime::Thread,
        false => Lifetime::Static,
    }
}

fn check_complete(types: &Types, var: &Var) -> Res<()> {
    if var.ty == Types::VOID || types.size_of(var.ty).is_none() {
        let name = types.name(var.ty);
        let message = format!("`{}` has the type {name}, which is not complete", var.name);
        return error(var.range, message);
    }
    Ok(())
}
