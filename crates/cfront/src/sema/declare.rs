//! Declarations of variables and types, at file scope and in blocks
//! (C11, 6.7, 6.9.2). Functions are in `function`.

use super::fold::as_constant;
use super::init::Init;
use super::scope::Symbol;
use super::specifiers::has_attribute;
use super::{Res, Sema, VARIABLE_ARRAY, error};
use crate::hir::{InitEntry, Lifetime, Stmt, StmtKind, Type, TypeId, Var, VarId};
use crate::source::Diagnostic;
use crate::syntax::ast::{
    Declaration, Ident, InitDeclarator, Initializer, Range, Specifiers, Storage, TypeSpecifier,
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
            if has_attribute(&declarator.declarator.attributes, "transparent_union") {
                self.transparent.extend(self.types.as_record(ty));
            }
            if d.specifiers.storage == Some(Storage::Typedef) {
                let own = self.alignment(&declarator.declarator.attributes)?;
                let inherited = base.align.filter(|_| declarator.declarator.derived.is_empty());
                self.declare_typedef(&name, ty, own.or(inherited))?;
            } else if self.types.is_function(ty) {
                self.declare_function(&name, ty, &d.specifiers, &declarator.declarator)?;
            } else if self.at_file_scope() {
                self.global(&name, ty, &d.specifiers, declarator.init.as_ref())?;
            } else {
                self.local(&name, ty, &d.specifiers, declarator, out)?;
            }
        }
        Ok(())
    }

    fn declare_typedef(&mut self, name: &Ident, ty: TypeId, align: Option<u64>) -> Res<()> {
        let range = self.at(name.range);
        let ty = match self.overrides.get(&name.name) {
            Some(&override_type) if !self.options.is_model => override_type,
            _ => ty,
        };
        let known = self.scope().symbols.get(&name.name).copied();
        match known {
            Some(Symbol::Var(_) | Symbol::Constant(..)) if !self.at_file_scope() => {
                error(range, format!("`{}` is declared twice in one block", name.name))
            }
            _ => {
                self.bind(&name.name, Symbol::Typedef(ty, align));
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
            let function = self.function_context(range)?.id;
            let var = self.new_var(Var {
                name: name.name.to_string(),
                ty: value.ty,
                lifetime: Lifetime::Local(function),
                init: None,
                range: self.at(name.range),
            });
            self.bind_new(&name.name, Symbol::Var(var), self.at(name.range))?;
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
        init: Option<&Initializer>,
    ) -> Res<VarId> {
        let range = self.at(name.range);
        let is_extern = specifiers.storage == Some(Storage::Extern) && init.is_none();
        let is_static = specifiers.storage == Some(Storage::Static);
        let var = match self.known_global(name, is_static, is_extern)? {
            Some(var) => {
                self.compose(var, ty, !is_extern);
                var
            }
            None => {
                let lifetime = match specifiers.thread_local {
                    true => Lifetime::Thread,
                    false => Lifetime::Static,
                };
                let var = self.new_var(Var {
                    name: name.name.to_string(),
                    ty,
                    lifetime,
                    init: None,
                    range,
                });
                self.scopes[0].symbols.insert(name.name.clone(), Symbol::Var(var));
                var
            }
        };
        if is_static {
            self.static_vars.insert(var);
        }
        if !is_extern {
            self.define_global(var, name, init)?;
            self.note_const(var, specifiers);
        }
        Ok(var)
    }

    /// The variable that a declaration at file scope speaks of, if it is known.
    fn known_global(&self, name: &Ident, is_static: bool, is_extern: bool) -> Res<Option<VarId>> {
        let range = self.at(name.range);
        match self.scopes[0].symbols.get(&name.name) {
            Some(&Symbol::Var(var)) => {
                let is_models = !self.options.is_model && var.index() < self.model_vars;
                let foreign = is_static && var.index() < self.first_var;
                Ok((!foreign && (!is_models || is_extern)).then_some(var))
            }
            Some(Symbol::Function(id)) if self.is_replaceable(*id) => Ok(None),
            Some(_) => error(range, format!("`{}` is declared as something else", name.name)),
            None => Ok(None),
        }
    }

    /// A second declaration may complete an array; a definition's type counts.
    fn compose(&mut self, var: VarId, ty: TypeId, defines: bool) {
        let old = self.vars[var.index()].ty;
        if old == ty || (!self.options.is_model && var.index() < self.model_vars) {
            return;
        }
        let completes = matches!(self.types.get(old), Type::Array(_, None));
        let incomplete = matches!(self.types.get(ty), Type::Array(_, None));
        if completes || (defines && !incomplete && !self.initialised.contains(&var)) {
            self.vars[var.index()].ty = ty;
        }
    }

    fn define_global(&mut self, var: VarId, name: &Ident, init: Option<&Initializer>) -> Res<()> {
        let range = self.at(name.range);
        let Some(init) = init else {
            self.vars[var.index()].init.get_or_insert_default();
            return Ok(());
        };
        if !self.initialised.insert(var) {
            return error(range, format!("`{}` is defined twice", name.name));
        }
        self.initialise_static(var, init, range)
    }

    fn initialise_static(&mut self, var: VarId, init: &Initializer, range: Range) -> Res<()> {
        let ty = self.vars[var.index()].ty;
        let (entries, ty) = self.static_initializer(ty, Init::from(init), range)?;
        self.vars[var.index()].init = Some(entries);
        self.vars[var.index()].ty = ty;
        Ok(())
    }

    /// `const int n = 5;` may be used where a constant is needed, as gcc does.
    fn note_const(&mut self, var: VarId, specifiers: &Specifiers) {
        let entries = self.vars[var.index()].init.clone().unwrap_or_default();
        self.note_const_entries(var, specifiers, &entries);
    }

    fn note_const_entries(&mut self, var: VarId, specifiers: &Specifiers, entries: &[InitEntry]) {
        let qualifiers = specifiers.qualifiers;
        if !qualifiers.is_const
            || qualifiers.is_volatile
            || !self.types.is_integer(self.vars[var.index()].ty)
        {
            return;
        }
        let value = match entries {
            [] => Some(0),
            [entry] => as_constant(&entry.value),
            _ => None,
        };
        if let Some(value) = value {
            self.const_values.insert(var, value);
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
                let var = self.global(name, ty, specifiers, declarator.init.as_ref())?;
                self.bind(&name.name, Symbol::Var(var));
                Ok(())
            }
            Some(Storage::Static) => {
                self.static_local(name, ty, specifiers, declarator.init.as_ref())
            }
            _ if specifiers.thread_local => {
                self.static_local(name, ty, specifiers, declarator.init.as_ref())
            }
            _ => {
                let kind = match self.variable_array(name, ty, declarator)? {
                    Some(kind) => kind,
                    None => self.automatic(name, ty, specifiers, declarator.init.as_ref())?,
                };
                out.push(Stmt { kind, range });
                if has_attribute(&declarator.declarator.attributes, "cleanup")
                    || has_attribute(&specifiers.attributes, "cleanup")
                {
                    let kind = StmtKind::Unsupported("cleanup attribute".to_string());
                    out.push(Stmt { kind, range });
                }
                Ok(())
            }
        }
    }

    fn static_local(
        &mut self,
        name: &Ident,
        ty: TypeId,
        specifiers: &Specifiers,
        init: Option<&Initializer>,
    ) -> Res<()> {
        let range = self.at(name.range);
        let lifetime = match specifiers.thread_local {
            true => Lifetime::Thread,
            false => Lifetime::Static,
        };
        let var = self.new_var(Var {
            name: name.name.to_string(),
            ty,
            lifetime,
            init: Some(Vec::new()),
            range,
        });
        self.bind_new(&name.name, Symbol::Var(var), range)?;
        if let Some(init) = init {
            self.initialise_static(var, init, range)?;
        }
        self.check_complete(var)?;
        self.note_const(var, specifiers);
        Ok(())
    }

    fn automatic(
        &mut self,
        name: &Ident,
        ty: TypeId,
        specifiers: &Specifiers,
        init: Option<&Initializer>,
    ) -> Res<StmtKind> {
        let range = self.at(name.range);
        let function = self.function_context(range)?.id;
        let var = self.new_var(Var {
            name: name.name.to_string(),
            ty,
            lifetime: Lifetime::Local(function),
            init: None,
            range,
        });
        self.bind_new(&name.name, Symbol::Var(var), range)?;
        if self.is_variable_array(ty) {
            return Ok(StmtKind::Unsupported(VARIABLE_ARRAY.to_string()));
        }
        let Some(init) = init else {
            self.check_complete(var)?;
            return Ok(StmtKind::Declare(var, None));
        };
        let (entries, ty) = self.initializer(ty, Init::from(init), range)?;
        self.vars[var.index()].ty = ty;
        self.check_complete(var)?;
        self.note_const_entries(var, specifiers, &entries);
        Ok(StmtKind::Declare(var, Some(entries)))
    }

    pub(super) fn is_variable_array(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::VariableArray(_) => true,
            Type::Array(element, _) => self.is_variable_array(*element),
            _ => false,
        }
    }

    fn check_complete(&self, var: VarId) -> Res<()> {
        let var = &self.vars[var.index()];
        if var.ty == Types::VOID || self.types.size_of(var.ty).is_none() {
            let name = self.types.name(var.ty);
            let message = format!("`{}` has the type {name}, which is not complete", var.name);
            return error(var.range, message);
        }
        Ok(())
    }

    /// At the end of a unit, `int a[];` has one element (C11, 6.9.2), and
    /// every variable that is defined must have a size.
    pub(super) fn complete_tentative(&mut self) {
        for index in self.first_var..self.vars.len() {
            let var = &self.vars[index];
            if var.init.is_none() || matches!(var.lifetime, Lifetime::Local(_)) {
                continue;
            }
            if let Type::Array(element, None) = *self.types.get(var.ty) {
                self.vars[index].ty = self.types.array(element, Some(1));
            }
            if let Err(diagnostic) = self.check_complete(VarId(index as u32)) {
                self.report(diagnostic);
            }
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < super::MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }
}
