//! From the program to inclusions between nodes.

use super::Pointee;
use super::calls::{CallSite, Routine, Waiting};
use super::flow::{ValueLocation, Values, location, value};
use super::library::{LibraryFunction, classify};
use super::solve::{ConstraintGraph, ConstraintNode};
use super::uses::VariableUses;
use super::walk::{Event, walk, walk_entries};
use crate::ABSTRACT_PREFIX;
use crate::hir::{Callee, Expr, ExprKind, FuncId, Function, PlaceKind, Unit, VarId};
use crate::syntax::ast::Range;
use std::rc::Rc;

/// All inclusions the program demands, not yet solved.
pub(super) fn build(unit: &Unit, uses: &VariableUses) -> ConstraintGraph {
    let routines = unit.functions.iter().map(|function| routine(unit, uses, function)).collect();
    let mut builder =
        ConstraintBuilder { unit, uses, graph: ConstraintGraph::new(unit.vars.len(), routines) };
    for (index, var) in unit.vars.iter().enumerate() {
        let entries = var.init.as_deref().unwrap_or_default();
        builder.see(None, &Event::Declare(VarId(index as u32), entries));
        walk_entries(entries, &mut |event| builder.see(None, &event));
    }
    for (index, function) in unit.functions.iter().enumerate() {
        let body = function.body.as_deref().unwrap_or_default();
        walk(body, &mut |event| builder.see(Some(FuncId(index as u32)), &event));
    }
    builder.abstract_threads();
    builder.graph
}

/// What a call of the function does.
fn routine(unit: &Unit, uses: &VariableUses, function: &Function) -> Routine {
    let Some(body) = &function.body else {
        return Routine::Library(classify(&function.name));
    };
    let mut spawns = Vec::new();
    walk(body, &mut |event| {
        if let Event::Expr(expr) = event {
            spawns.extend(forwarded_spawn(unit, uses, function, expr));
        }
    });
    Routine::Defined { params: function.params.clone(), spawns }
}

/// If `expr` starts a thread with parameters of `function` that never change:
/// the positions of the thread's function and of its argument.
fn forwarded_spawn(
    unit: &Unit,
    uses: &VariableUses,
    function: &Function,
    expr: &Expr,
) -> Option<(usize, usize)> {
    let ExprKind::Call(Callee::Direct(callee), arguments) = &*expr.kind else { return None };
    let callee = &unit.functions[callee.index()];
    if callee.body.is_some() || classify(&callee.name) != LibraryFunction::Spawn {
        return None;
    }
    let position = |argument: &Expr| {
        let var = loaded_variable(argument).filter(|var| uses.is_constant(*var))?;
        function.params.iter().position(|param| *param == var)
    };
    Some((position(arguments.first()?)?, position(arguments.get(1)?)?))
}

/// The variable of which `expr` is the value.
fn loaded_variable(expr: &Expr) -> Option<VarId> {
    match &*expr.kind {
        ExprKind::Cast(inner) => loaded_variable(inner),
        ExprKind::Load(place) => match place.kind {
            PlaceKind::Var(var) => Some(var),
            _ => None,
        },
        _ => None,
    }
}

struct ConstraintBuilder<'a> {
    unit: &'a Unit,
    uses: &'a VariableUses,
    graph: ConstraintGraph,
}

impl ConstraintBuilder<'_> {
    /// An abstract thread gets the arguments of its start routine.
    fn abstract_threads(&mut self) {
        let functions = &self.unit.functions;
        for function in functions.iter() {
            let Some(routine) = function.name.strip_prefix(ABSTRACT_PREFIX) else { continue };
            let routine = functions.iter().find(|other| other.name == routine);
            let params = routine.map(|routine| routine.params.as_slice()).unwrap_or_default();
            for (from, to) in params.iter().zip(&function.params) {
                let (from, to) = (self.graph.variable(*from), self.graph.variable(*to));
                self.graph.include(from, to);
            }
        }
    }

    /// Adds what an event in `function` (or in a static initialiser) demands.
    fn see(&mut self, function: Option<FuncId>, event: &Event) {
        match event {
            Event::Declare(var, entries) => {
                for entry in *entries {
                    self.store(ValueLocation::Variable(*var), &entry.value);
                }
            }
            Event::Return(returned) => {
                if let (Some(function), Some(from)) = (function, value(self, returned)) {
                    let to = self.graph.returned(function);
                    self.graph.include(from, to);
                }
            }
            Event::Expr(expr) => match &*expr.kind {
                ExprKind::Assign(place, assigned)
                | ExprKind::AssignOp { place, operand: assigned, .. } => {
                    let to = location(self, place);
                    self.store(to, assigned);
                }
                ExprKind::Call(callee, arguments) => self.call(function, expr, callee, arguments),
                _ => {}
            },
            Event::Birth(_) | Event::Loop(_) | Event::Label(_) | Event::Goto(_) => {}
        }
    }

    fn store(&mut self, to: ValueLocation<ConstraintNode>, stored: &Expr) {
        let Some(from) = value(self, stored) else { return };
        match to {
            ValueLocation::Variable(var) => {
                let to = self.graph.variable(var);
                self.graph.include(from, to);
            }
            ValueLocation::Pointer(Some(pointer)) => self.graph.store(from, pointer),
            ValueLocation::Pointer(None) | ValueLocation::Temporary(_) => {}
        }
    }

    fn call(&mut self, caller: Option<FuncId>, call: &Expr, callee: &Callee, arguments: &[Expr]) {
        let caller = caller.map(|caller| &self.unit.functions[caller.index()]);
        if caller
            .is_some_and(|caller| forwarded_spawn(self.unit, self.uses, caller, call).is_some())
        {
            return; // Every call of the caller starts the thread instead.
        }
        let site = CallSite {
            arguments: arguments.iter().map(|argument| value(self, argument)).collect(),
            result: self.graph.result(call.range),
            range: call.range,
        };
        match callee {
            Callee::Direct(function) => self.graph.call(&site, *function),
            Callee::Pointer(pointer) => {
                if let Some(pointer) = value(self, pointer) {
                    self.graph.wait(Waiting::Call(Rc::new(site)), pointer);
                }
            }
        }
    }
}

impl Values for ConstraintBuilder<'_> {
    type Value = ConstraintNode;

    fn address(&mut self, object: Pointee) -> ConstraintNode {
        self.graph.address(object)
    }

    fn content(&mut self, var: VarId) -> ConstraintNode {
        self.graph.variable(var)
    }

    fn load(&mut self, pointer: ConstraintNode) -> ConstraintNode {
        self.graph.load(pointer)
    }

    fn join(&mut self, left: ConstraintNode, right: ConstraintNode) -> ConstraintNode {
        let both = self.graph.fresh();
        self.graph.include(left, both);
        self.graph.include(right, both);
        both
    }

    fn result(&mut self, call: Range) -> ConstraintNode {
        self.graph.result(call)
    }
}
