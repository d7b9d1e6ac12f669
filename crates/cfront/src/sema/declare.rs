//! Declarations of variables and types, at file scope and in blocks
//! (C11, 6.7, 6.9.2). Functions are in `function`.

use super::constant::as_constant;
use super::function::Whose;
use super::init::{Init, initializer, static_initializer};
use super::scope::Symbol;
use super::specifiers::has_attribute;
use super::{MAX_DIAGNOSTICS, Res, Sema, VARIABLE_ARRAY, disagreement, error};
use crate::hir::{InitEntry, Lifetime, Stmt, StmtKind, Type, TypeId, Var, VarId};
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
            self.declare_tag_only(&d.specifiers);
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
        let is_extern = refers && init.is_none() || self.is_replaced_weak(name);
        let is_static = specifiers.storage == Some(Storage::Static);
        let known = self.known_entity(&name.name);
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
                self.must_agree_var(var, (name, range), (ty, static_lifetime(specifiers)))?;
                self.linkage.compose(&self.types, &mut self.objects, var, ty, !is_extern);
                var
            }
            None => {
                let lifetime = static_lifetime(specifiers);
                let link_name = self.links.link_name(&name.name);
                self.objects.add_plain(&link_name, ty, lifetime, range)
            }
        };
        self.bind_entity(&name.name, Symbol::Var(var));
        if is_static && !self.links.is_other_name(&name.name) {
            self.linkage.make_static_var(var);
        }
        self.mark_var(var, name, ty, specifiers, &declarator.attributes)?;
        if !is_extern {
            self.define_global(var, name, init.as_ref())?;
            self.note_const(var, specifiers);
        }
        Ok(var)
    }

    /// All declarations of a variable must give it one type and one lifetime.
    fn must_agree_var(
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
        self.must_be_one_type((name, range), (declared.ty, ty), declared.range, whose)
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

    /// `const int n = 5;` may be used where a constant is needed, as gcc does.
    fn note_const(&mut self, var: VarId, specifiers: &Specifiers) {
        let entries = self.objects.var(var).init.clone().unwrap_or_default();
        self.note_const_entries(var, specifiers, &entries);
    }

    fn note_const_entries(&mut self, var: VarId, specifiers: &Specifiers, entries: &[InitEntry]) {
        let qualifiers = specifiers.qualifiers;
        let ty = self.types.innermost_element(self.objects.var(var).ty);
        self.objects.var_mut(var).is_const = qualifiers.is_const && !self.types.is_pointer(ty);
        if !qualifiers.is_const
            || qualifiers.is_volatile
            || self.objects.var(var).limit.is_some()
            || !self.types.is_integer(self.objects.var(var).ty)
        {
            return;
        }
        let value = match entries {
            [] => Some(0),
            [entry] => as_constant(&entry.value),
            _ => None,
        };
        if let Some(value) = value {
            self.constants.insert(var, value);
        }
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
        self.note_const(var, specifiers);
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
        self.note_const_entries(var, specifiers, &entries);
        Ok(StmtKind::Declare(var, Some(entries)))
    }

    /// At the end of a unit, `int a[];` has one element (C11, 6.9.2), and
    /// every variable that is defined must have a size.
    pub(super) fn complete_tentative(&mut self) {
        for id in self.linkage.vars_of_unit(&self.objects) {
            let var = self.objects.var_mut(id);
            if var.init.is_none() || matches!(var.lifetime, Lifetime::Local(_)) {
                continue;
            }
            if let Type::Array(element, None) = *self.types.get(var.ty) {
                var.ty = self.types.array(element, Some(1));
            }
            if let Err(diagnostic) = check_complete(&self.types, var)
                && self.diagnostics.len() < MAX_DIAGNOSTICS
            {
                self.diagnostics.push(diagnostic);
            }
        }
    }
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
