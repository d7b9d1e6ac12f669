//! Functions: declarations, definitions, and what a second one means.
//!
//! The user's definition replaces a model's; a mere declaration never changes
//! a model. Otherwise a later prototype adds what an earlier one left open.

use super::attributes::mark_replaced;
use super::body::Body;
use super::build::is_repeatable;
use super::linkage::{BodyStanding, merge};
use super::scope::Symbol;
use super::specifiers::has_attribute;
use super::{Res, Sema, disagreement, error};
use crate::hir::{FuncId, Lifetime, Stmt, StmtKind, Type, TypeId, VarId};
use crate::syntax::ast::{Declarator, Derived, FunctionDef, Ident, Param, Specifiers, Storage};

/// Is it a body for inlining that only stands before the function proper, as with `_FORTIFY_SOURCE`? What it guards against is undefined
/// behaviour; else it calls the function.
fn is_guard(definition: &FunctionDef) -> bool {
    let FunctionDef { specifiers, declarator, .. } = definition;
    let has = |name| {
        has_attribute(&specifiers.attributes, name) || has_attribute(&declarator.attributes, name)
    };
    specifiers.storage == Some(Storage::Extern) && has("gnu_inline") && has("artificial")
}

impl Sema {
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
        let range = self.at(name.range);
        let known = self.entities().known(&name.name);
        let id =
            match self.linkage.known_function(known.as_ref(), (&name.name, range), is_static)? {
                Some(id) => {
                    self.entities().must_agree(id, (name, range), ty)?;
                    merge(&self.types, &mut self.objects, id, ty);
                    id
                }
                None => {
                    let variadic = self.types.is_variadic(ty);
                    let link_name = self.links.link_name(&name.name);
                    self.objects.add_function(&link_name, ty, variadic, range)
                }
            };
        self.linkage.declare_function(id);
        self.entities().bind(&name.name, Symbol::Function(id));
        self.mark_function(id, name, ty, [&specifiers.attributes, &declarator.attributes])?;
        self.objects.function_mut(id).noreturn |= noreturn;
        if is_static && !self.links.is_other_name(&name.name) {
            self.linkage.make_static_function(id);
        }
        self.scopes.bind(&name.name, Symbol::Function(id));
        Ok(id)
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
        let old_style = self.entities().is_old_style(name, declarator);
        let id = self.declare_function(name, ty, &definition.specifiers, declarator)?;
        if self.entities().is_replaced(name) || is_guard(definition) {
            return Ok(());
        }
        self.begin_body(id, ty, name, definition)?;
        self.objects.function_mut(id).old_style = old_style;
        self.function_body(id, ty, params, definition)
    }

    fn begin_body(
        &mut self,
        id: FuncId,
        ty: TypeId,
        name: &Ident,
        FunctionDef { specifiers, declarator, words, .. }: &FunctionDef,
    ) -> Res<()> {
        let range = self.at(name.range);
        let gnu_inline = specifiers.inline
            && (specifiers.storage == Some(Storage::Extern)
                || has_attribute(&specifiers.attributes, "gnu_inline")
                || has_attribute(&declarator.attributes, "gnu_inline"));
        // A unit that declares a function `inline` and nothing else defines it for itself only (C11 6.7.4, 7).
        let is_own = specifiers.inline && specifiers.storage.is_none();
        match self.linkage.define(&self.objects, id, gnu_inline || is_own, *words) {
            BodyStanding::Only => {}
            BodyStanding::Second => {
                let other = self.objects.function(id).range;
                return disagreement(range, other, format!("`{}` has two bodies", name.name));
            }
            BodyStanding::OtherThanInline => {
                let what = format!("`{}`, which has another body for inlining", name.name);
                self.objects.function_mut(id).limit = Some(what);
            }
        }
        let Some(Derived::Function { variadic, .. }) = declarator.derived.first() else {
            return error(range, "this is no definition of a function");
        };
        let function = self.objects.function_mut(id);
        function.ty = ty;
        function.is_model = self.options.is_model;
        function.variadic = *variadic;
        function.range = range;
        function.body = Some(Vec::new());
        if !self.options.is_model {
            mark_replaced(function, specifiers.storage == Some(Storage::Static));
        }
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
        let name = self.objects.function(id).name.clone();
        self.body = Some(Body::new(id, name, ret));
        self.scopes.push();
        let mut vars = Vec::new();
        for (param, ty) in params.iter().zip(types) {
            vars.push(self.parameter(id, param, ty)?);
        }
        let mut body = Vec::new();
        self.parameter_sizes(params, &mut body)?;
        self.block_items(&definition.body.items, &mut body)?;
        self.scopes.pop();
        if let Some(mut context) = self.body.take() {
            context.labels.pop()?;
            let function = self.objects.function_mut(id);
            function.labels = context.labels.count();
            function.label_names = context.labels.named;
            function.params = vars;
            function.body = Some(body);
            if self.linkage.has_other_things(id) {
                let what = format!("`{}`, of which each file has another one", function.name);
                function.limit = Some(what);
            }
        }
        Ok(())
    }

    /// The sizes of array parameters are computed when the function is called, for their effects.
    fn parameter_sizes(&mut self, params: &[Param], out: &mut Vec<Stmt>) -> Res<()> {
        for step in params.iter().flat_map(|param| &param.declarator.derived) {
            if let Derived::Array(Some(size), _) = step {
                let value = self.value(size)?;
                if !is_repeatable(&self.objects, &value) {
                    let range = value.range;
                    out.push(Stmt { kind: StmtKind::Expr(value), range });
                }
            }
        }
        Ok(())
    }

    fn parameter(&mut self, function: FuncId, param: &Param, ty: TypeId) -> Res<VarId> {
        self.note_restrict(&param.declarator);
        let range = self.at(param.declarator.range);
        if self.types.size_of(ty).is_none() || ty == crate::types::Types::VOID {
            let name = self.types.name(ty);
            return error(range, format!("a parameter has the type {name}, which is not complete"));
        }
        let name = param.declarator.name.as_ref();
        let at = name.map_or(range, |n| self.at(n.range));
        let text = name.map_or("", |n| &*n.name);
        let var = self.objects.add_plain(text, ty, Lifetime::Local(function), at);
        if let Some(name) = name {
            self.scopes.bind_new(&name.name, Symbol::Var(var), at)?;
        }
        Ok(var)
    }
}
