//! Functions: declarations, definitions, and what a second one means.
//!
//! The user's definition replaces a model's; a mere declaration never changes
//! a model. Otherwise a later prototype adds what an earlier one left open.

use super::labels::Labels;
use super::scope::Symbol;
use super::specifiers::has_attribute;
use super::{Current, Res, Sema, error};
use crate::hir::{FuncId, Function, Lifetime, Type, TypeId, Var, VarId};
use crate::syntax::ast::{Declarator, Derived, FunctionDef, Ident, Param, Specifiers, Storage};

impl Sema {
    /// May something of another kind take the name of this function?
    pub(super) fn is_replaceable(&self, id: FuncId) -> bool {
        let function = &self.functions[id.index()];
        function.is_model || function.body.is_none() || id.index() < self.first_function
    }

    pub(super) fn declare_function(
        &mut self,
        name: &Ident,
        ty: TypeId,
        specifiers: &Specifiers,
        declarator: &Declarator,
    ) -> Res<FuncId> {
        let is_static = specifiers.storage == Some(Storage::Static);
        let noreturn = specifiers.noreturn
            || has_attribute(&declarator.attributes, "noreturn")
            || has_attribute(&specifiers.attributes, "noreturn");
        let id = match self.known_function(name, is_static)? {
            Some(id) => {
                self.merge(id, ty);
                id
            }
            None => self.new_function(name, ty),
        };
        self.functions[id.index()].noreturn |= noreturn;
        if is_static {
            self.static_functions.insert(id);
        }
        self.bind(&name.name, Symbol::Function(id));
        Ok(id)
    }

    /// The function that a declaration speaks of, if it is known.
    fn known_function(&self, name: &Ident, is_static: bool) -> Res<Option<FuncId>> {
        let range = self.at(name.range);
        match self.scopes[0].symbols.get(&name.name) {
            Some(&Symbol::Function(id)) => {
                let foreign = is_static && id.index() < self.first_function;
                Ok((!foreign).then_some(id))
            }
            Some(Symbol::Var(var)) if var.index() < self.first_var => Ok(None),
            Some(_) => error(range, format!("`{}` is declared as something else", name.name)),
            None => Ok(None),
        }
    }

    fn new_function(&mut self, name: &Ident, ty: TypeId) -> FuncId {
        let id = FuncId(self.functions.len() as u32);
        self.functions.push(Function {
            name: name.name.to_string(),
            ty,
            params: Vec::new(),
            variadic: self.is_variadic(ty),
            noreturn: false,
            body: None,
            labels: 0,
            is_model: false,
            range: self.at(name.range),
        });
        let symbol = Symbol::Function(id);
        self.scopes[0].symbols.insert(name.name.clone(), symbol);
        id
    }

    fn is_variadic(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Function { variadic: true, .. })
    }

    /// A second declaration: the type of a body stays, a prototype beats none.
    fn merge(&mut self, id: FuncId, ty: TypeId) {
        let function = &self.functions[id.index()];
        let unprototyped = matches!(
            self.types.get(ty),
            Type::Function { params, variadic: true, .. } if params.is_empty()
        );
        if function.body.is_some() || (unprototyped && function.ty != ty) {
            return;
        }
        let variadic = self.is_variadic(ty);
        let function = &mut self.functions[id.index()];
        function.ty = ty;
        function.variadic = variadic;
    }

    pub(super) fn function_definition(&mut self, definition: &FunctionDef) -> Res<()> {
        let base = self.base(&definition.specifiers)?;
        let declarator = &definition.declarator;
        let ty = self.derive(base.ty, declarator)?;
        let (Some(name), Some(Derived::Function { params, .. })) =
            (&declarator.name, declarator.derived.first())
        else {
            return error(self.at(declarator.range), "this is no definition of a function");
        };
        let id = self.declare_function(name, ty, &definition.specifiers, declarator)?;
        self.begin_body(id, ty, name, declarator, &definition.specifiers)?;
        self.function_body(id, ty, params, definition)
    }

    fn begin_body(
        &mut self,
        id: FuncId,
        ty: TypeId,
        name: &Ident,
        declarator: &Declarator,
        specifiers: &Specifiers,
    ) -> Res<()> {
        let range = self.at(name.range);
        let function = &self.functions[id.index()];
        let replaces_model = function.is_model && !self.options.is_model;
        let replaces = replaces_model || self.inline_only.contains(&id);
        if function.body.is_some() && !replaces {
            return error(range, format!("`{}` has two bodies", name.name));
        }
        let gnu_inline = specifiers.inline
            && (specifiers.storage == Some(Storage::Extern)
                || has_attribute(&specifiers.attributes, "gnu_inline")
                || has_attribute(&declarator.attributes, "gnu_inline"));
        match gnu_inline {
            true => self.inline_only.insert(id),
            false => self.inline_only.remove(&id),
        };
        let Some(Derived::Function { variadic, .. }) = declarator.derived.first() else {
            return error(range, "this is no definition of a function");
        };
        let function = &mut self.functions[id.index()];
        function.ty = ty;
        function.is_model = self.options.is_model;
        function.variadic = *variadic;
        function.range = range;
        function.body = Some(Vec::new());
        Ok(())
    }

    fn function_body(
        &mut self,
        id: FuncId,
        ty: TypeId,
        params: &[Param],
        definition: &FunctionDef,
    ) -> Res<()> {
        let Type::Function { ret, params: types, .. } = self.types.get(ty).clone() else {
            return error(self.at(definition.range), "this is no definition of a function");
        };
        self.current = Some(Current {
            id,
            name: self.functions[id.index()].name.clone(),
            ret,
            labels: Labels::new(),
            switches: Vec::new(),
            loops: 0,
            breakable: 0,
        });
        self.push_scope();
        let mut vars = Vec::new();
        for (param, ty) in params.iter().zip(types) {
            vars.push(self.parameter(id, param, ty)?);
        }
        let mut body = Vec::new();
        self.block_items(&definition.body.items, &mut body)?;
        self.pop_scope();
        if let Some(mut current) = self.current.take() {
            current.labels.pop()?;
            let function = &mut self.functions[id.index()];
            function.labels = current.labels.count();
            function.params = vars;
            function.body = Some(body);
        }
        Ok(())
    }

    fn parameter(&mut self, function: FuncId, param: &Param, ty: TypeId) -> Res<VarId> {
        let range = self.at(param.declarator.range);
        if self.types.size_of(ty).is_none() || ty == crate::types::Types::VOID {
            let name = self.types.name(ty);
            return error(range, format!("a parameter has the type {name}, which is not complete"));
        }
        let name = param.declarator.name.as_ref();
        let var = self.new_var(Var {
            name: name.map_or(String::new(), |n| n.name.to_string()),
            ty,
            lifetime: Lifetime::Local(function),
            init: None,
            range: name.map_or(range, |n| self.at(n.range)),
        });
        if let Some(name) = name {
            self.bind_new(&name.name, Symbol::Var(var), self.at(name.range))?;
        }
        Ok(var)
    }
}
