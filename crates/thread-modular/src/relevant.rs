//! Which variables matter for where threads can go (cone of influence).
//!
//! A variable matters if a guard reads it, if an expression that may be undefined reads it (then the step
//! cannot be taken), or if it is assigned to one that matters. What does
//! not matter is not encoded: a step without the assignments to it can be taken exactly when
//! the whole step can. That frees a process from ghost variables (the `last` and the counters of
//! MUX-SEM-LAST and MUX-SEM-COUNT), and often makes processes identical. (`transform::slice` has left out before what no
//! template needs; here it is asked for each thread, with the values that its variables can have.)

use crate::process::Process;
use crate::values::{ValueScope, ValueSets};
use ccfa::{Assign, Edge, Expr, Place, Program, Rhs, ThreadId, VarRef};
use std::collections::HashSet;

/// The variables that matter. Locals are told apart by thread.
pub(crate) struct Relevant {
    shared: HashSet<VarRef>,
    locals: HashSet<(ThreadId, VarRef)>,
}

impl Relevant {
    /// Finds them.
    pub fn new(program: &Program, processes: &[Process], values: &ValueSets) -> Relevant {
        let mut relevant = Relevant { shared: HashSet::new(), locals: HashSet::new() };
        if let (Some(condition), Some(process)) = (&program.initial, processes.first()) {
            relevant.add(process.thread, condition);
        }
        loop {
            let mut changed = false;
            for (number, process) in processes.iter().enumerate() {
                for edge in &process.template.edges {
                    changed |= match values.at(program, processes, number, edge) {
                        Some(scope) => relevant.follow(process.thread, edge, &scope),
                        None if !values.reached[number][edge.source.index()] => false,
                        None => relevant.excludes(values, number, process.thread, &edge.guard),
                    };
                }
            }
            if !changed {
                return relevant;
            }
        }
    }

    /// Does the variable matter, for this thread?
    pub fn matters(&self, thread: ThreadId, var: VarRef) -> bool {
        match var {
            VarRef::Shared(_) => self.shared.contains(&var),
            VarRef::Local(_) => self.locals.contains(&(thread, var)),
        }
    }

    fn follow(&mut self, thread: ThreadId, edge: &Edge, scope: &ValueScope) -> bool {
        let mut changed = self.add(thread, &edge.guard);
        for assign in &edge.assigns {
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            let matters = self.matters(thread, *var);
            for part in parts(assign) {
                if matters || scope.eval(part).may_fail {
                    changed |= self.add(thread, part);
                }
            }
            if element_may_fail(assign, scope) {
                changed |= self.insert(thread, *var);
            }
        }
        changed
    }

    /// A proof must say why a step can never be taken: which values the guard reads.
    fn excludes(
        &mut self,
        values: &ValueSets,
        number: usize,
        thread: ThreadId,
        guard: &Expr,
    ) -> bool {
        let mut changed = false;
        guard.walk(&mut |part| {
            if let Expr::Var(var) | Expr::Index(var, _) = part
                && values.domain(number, *var).is_some()
            {
                changed |= self.insert(thread, *var);
            }
        });
        changed
    }

    /// All that an expression reads matters.
    fn add(&mut self, thread: ThreadId, expr: &Expr) -> bool {
        let mut changed = false;
        expr.walk(&mut |part| {
            if let Expr::Var(var) | Expr::Index(var, _) = part {
                changed |= self.insert(thread, *var);
            }
        });
        changed
    }

    fn insert(&mut self, thread: ThreadId, var: VarRef) -> bool {
        match var {
            VarRef::Shared(_) => self.shared.insert(var),
            VarRef::Local(_) => self.locals.insert((thread, var)),
        }
    }
}

/// The expressions of an assignment: index and value.
pub(crate) fn parts(assign: &Assign) -> impl Iterator<Item = &Expr> {
    let index = match &assign.place {
        Place::Element(_, index) => Some(index),
        Place::Var(_) => None,
    };
    let value = match &assign.value {
        Rhs::Expr(value) => Some(value),
        Rhs::Havoc => None,
    };
    index.into_iter().chain(value)
}

/// Can the element that is written be out of bounds?
fn element_may_fail(assign: &Assign, scope: &ValueScope) -> bool {
    match &assign.place {
        Place::Var(_) => false,
        Place::Element(var, index) => {
            let length = scope.cells(*var) as i128;
            let index = scope.eval(index).values;
            !index.is_some_and(|all| all.iter().all(|i| (0..length).contains(i)))
        }
    }
}
