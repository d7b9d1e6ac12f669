//! Which declarations speak of one thing (C11, 6.2.2): in one unit, in several, and in our
//! models, whose definitions the user's replace.

use super::UnitOptions;
use super::objects::Objects;
use super::scope::Symbol;
use super::{Res, error};
use crate::hir::{FuncId, Type, TypeId, VarId};
use crate::syntax::ast::Range;
use crate::types::Types;
use std::collections::{HashMap, HashSet};

/// What is known of the linkage of variables and functions.
#[derive(Default)]
pub(super) struct Linkage {
    /// Is the unit our own library of models?
    is_model: bool,
    /// How many variables and functions there were when this unit began.
    first_var: usize,
    first_function: usize,
    /// How many variables the models have.
    model_vars: usize,
    /// Variables and functions with internal linkage.
    static_vars: HashSet<VarId>,
    static_functions: HashSet<FuncId>,
    /// Variables with an initialiser of their own, and where.
    initialised: HashMap<VarId, Range>,
    /// Functions that the user declares (those that are only called have the type that the call gives them).
    declared: HashSet<FuncId>,
    /// Functions with a body.
    bodies: HashMap<FuncId, KnownBody>,
    /// Those with several: one at most is not for inlining only.
    has_several: HashSet<FuncId>,
    /// Functions whose body speaks of what each unit has for itself.
    has_own: HashSet<FuncId>,
    /// How many units there were before this one.
    unit: usize,
    /// By which unit a variable is defined, and where.
    definers: HashMap<VarId, (usize, Range)>,
    /// How many functions the models have.
    model_functions: usize,
}

impl Linkage {
    pub fn begin_unit(&mut self, options: UnitOptions, objects: &Objects) {
        self.is_model = options.is_model;
        self.first_var = objects.var_count();
        self.first_function = objects.function_count();
    }

    pub fn end_unit(&mut self, objects: &Objects) {
        if self.is_model {
            self.model_vars = objects.var_count();
            self.model_functions = objects.function_count();
        }
        self.unit += 1;
    }

    /// How many units there were before this one.
    pub fn unit(&self) -> usize {
        self.unit
    }

    /// Was it declared in this unit for the first time, or is it no variable or function?
    pub fn is_of_unit(&self, symbol: &Symbol) -> bool {
        match symbol {
            Symbol::Var(id) => id.index() >= self.first_var,
            Symbol::Function(id) => id.index() >= self.first_function,
            Symbol::Constant(..) | Symbol::Typedef(..) => true,
        }
    }

    /// Was a variable declared in an earlier unit of the user's?
    pub fn is_other_var(&self, var: VarId) -> bool {
        (self.model_vars..self.first_var).contains(&var.index())
    }

    /// The same for a function.
    pub fn is_other_function(&self, id: FuncId) -> bool {
        (self.model_functions..self.first_function).contains(&id.index())
    }

    /// This unit defines a variable. If another one does, where?
    pub fn define_var(&mut self, var: VarId, range: Range) -> Option<Range> {
        let (unit, first) = *self.definers.entry(var).or_insert((self.unit, range));
        (unit != self.unit).then_some(first)
    }

    /// The variables of this unit.
    pub fn vars_of_unit(&self, objects: &Objects) -> impl Iterator<Item = VarId> + use<> {
        objects.var_ids().skip(self.first_var)
    }

    /// Gives a variable internal linkage.
    pub fn make_static_var(&mut self, var: VarId) {
        self.static_vars.insert(var);
    }

    /// Gives a function internal linkage.
    pub fn make_static_function(&mut self, id: FuncId) {
        self.static_functions.insert(id);
    }

    /// Only what has external linkage outlives a unit.
    pub fn is_external(&self, symbol: &Symbol) -> bool {
        match symbol {
            Symbol::Var(id) => !self.static_vars.contains(id),
            Symbol::Function(id) => !self.static_functions.contains(id),
            Symbol::Constant(..) | Symbol::Typedef(..) => false,
        }
    }

    /// Is it a variable of the models, and we are in the user's text?
    pub fn is_foreign_model(&self, var: VarId) -> bool {
        !self.is_model && var.index() < self.model_vars
    }

    /// The variable that a declaration of `name` at file scope speaks of, if the file scope
    /// knows it as `known`.
    pub fn known_global(
        &self,
        objects: &Objects,
        known: Option<&Symbol>,
        (name, range): (&str, Range),
        is_static: bool,
        is_extern: bool,
    ) -> Res<Option<VarId>> {
        match known {
            Some(&Symbol::Var(var)) => {
                let foreign = is_static && var.index() < self.first_var;
                Ok((!foreign && (!self.is_foreign_model(var) || is_extern)).then_some(var))
            }
            Some(Symbol::Function(id)) if self.is_replaceable(objects, *id) => Ok(None),
            Some(_) => error(range, format!("`{name}` is declared as something else")),
            None => Ok(None),
        }
    }

    /// A second declaration may complete an array; a definition's type counts.
    pub fn compose(
        &self,
        types: &Types,
        objects: &mut Objects,
        var: VarId,
        ty: TypeId,
        defines: bool,
    ) {
        let old = objects.var(var).ty;
        if old == ty || self.is_foreign_model(var) {
            return;
        }
        let completes = matches!(types.get(old), Type::Array(_, None));
        let incomplete = matches!(types.get(ty), Type::Array(_, None));
        if completes || (defines && !incomplete && !self.initialised.contains_key(&var)) {
            objects.var_mut(var).ty = ty;
        }
    }

    /// Notes that a variable has an initialiser. If it had one before, where?
    pub fn initialise(&mut self, var: VarId, range: Range) -> Option<Range> {
        self.initialised.insert(var, range)
    }

    /// Notes that the text at hand declares a function.
    pub fn declare_function(&mut self, id: FuncId) {
        if !self.is_model {
            self.declared.insert(id);
        }
    }

    /// Does a text of the user's declare it?
    pub fn is_declared(&self, id: FuncId) -> bool {
        self.declared.contains(&id)
    }

    /// The function that a declaration speaks of, if the file scope knows its name as `known`.
    pub fn known_function(
        &self,
        known: Option<&Symbol>,
        (name, range): (&str, Range),
        is_static: bool,
    ) -> Res<Option<FuncId>> {
        match known {
            Some(&Symbol::Function(id)) => {
                let foreign = is_static && id.index() < self.first_function;
                Ok((!foreign).then_some(id))
            }
            Some(Symbol::Var(var)) if var.index() < self.first_var => Ok(None),
            Some(_) => error(range, format!("`{name}` is declared as something else")),
            None => Ok(None),
        }
    }

    /// May something of another kind take the name of this function?
    fn is_replaceable(&self, objects: &Objects, id: FuncId) -> bool {
        let function = objects.function(id);
        function.is_model || function.body.is_none() || id.index() < self.first_function
    }

    /// Notes that a function gets a body of these words here.
    pub fn define(
        &mut self,
        objects: &Objects,
        id: FuncId,
        is_inline_only: bool,
        words: u64,
    ) -> BodyStanding {
        let replaces_model = objects.function(id).is_model && !self.is_model;
        let body = KnownBody { is_inline_only, words, unit: self.unit };
        let before = self.bodies.insert(id, body).filter(|_| !replaces_model);
        let Some(before) = before else { return BodyStanding::Only };
        let is_for_elsewhere = is_inline_only && before.unit != self.unit;
        if !(before.is_inline_only || is_for_elsewhere) {
            return BodyStanding::Second;
        }
        let is_inline_only = is_inline_only && before.is_inline_only;
        self.bodies.insert(id, KnownBody { is_inline_only, ..body });
        self.has_several.insert(id);
        match before.words == words {
            true => BodyStanding::Only,
            false => BodyStanding::OtherThanInline,
        }
    }

    /// Notes that the body of a function speaks of this, which may belong to the unit alone.
    pub fn note_use(&mut self, objects: &Objects, function: FuncId, used: &Symbol) {
        let is_own = match used {
            Symbol::Var(var) => !self.is_external(used) && !objects.var(*var).is_const,
            _ => !self.is_external(used) && matches!(used, Symbol::Function(_)),
        };
        if is_own {
            self.has_own.insert(function);
        }
    }

    /// Notes that a function has a variable that outlives its calls.
    pub fn note_own(&mut self, function: FuncId) {
        self.has_own.insert(function);
    }

    /// Do bodies of a function for inlining speak of different things in the same words? C forbids that (C11 6.7.4, 3); compilers do not.
    pub fn has_other_things(&self, function: FuncId) -> bool {
        self.has_several.contains(&function) && self.has_own.contains(&function)
    }
}

/// What is known of a body.
#[derive(Clone, Copy)]
struct KnownBody {
    is_inline_only: bool,
    words: u64,
    unit: usize,
}

/// What a body of a function is to those before it.
pub(super) enum BodyStanding {
    /// There is no other one.
    Only,
    /// There is one that stays: it is a mistake.
    Second,
    /// A body for inlining has other words: which of the two a call reaches is unspecified (C11 6.7.4, 7).
    OtherThanInline,
}

/// A second declaration of a function: the type of a body stays, a prototype beats none.
pub(super) fn merge(types: &Types, objects: &mut Objects, id: FuncId, ty: TypeId) {
    let unprototyped = types.is_unprototyped(ty);
    let function = objects.function_mut(id);
    if function.body.is_some() || (unprototyped && function.ty != ty) {
        return;
    }
    function.ty = ty;
    function.variadic = types.is_variadic(ty);
}
