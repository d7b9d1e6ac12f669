//! Assertions about threads and what disturbs them: the proof of rely-guarantee reasoning.
//!
//! POPL'11, Figure 5 (proof rule REACHENV): for each thread i an assertion `R_i` and
//! an *environment transition* `E_i` that describes what the other threads do. Here
//! an assertion belongs to a [`View`]: one thread or several that are looked at
//! together, beside the shared variables. The first of them is the *owner*, the
//! `i` of the paper; a proof is *modular* if each view shows its owner alone.
//!
//! A view speaks of [`Role`]s, not of instances, and its assertion is meant for **every**
//! choice of different instances for its roles. So a proof about "any instance of T", or
//! about any two, is a proof for every number of instances: such a proof says what
//! an instance does to the ones in view if it is itself in none of their places.
//!
//! The views prove that no error and no gap is reachable if
//! 1. **CS1**: what a view says holds initially;
//! 2. **CS2**: it still holds after a step of its owner;
//! 3. **CS3, CS4**: it still holds after a step of anyone else, in view or not. If the
//!    view has an environment, in two parts: each such step is one of the environment's
//!    changes, and these keep the assertion. If not, directly (Owicki and Gries);
//! 4. **CS5**: all assertions together exclude errors and gaps.
//!
//! Whoever moves, all that the views say about those in sight may be assumed
//! before the step. Why this suffices is argued where it is checked, in `check::assertions`.

use ccfa::{Expr, Instance, LocId, Program, Template, ThreadId, Var, VarRef};

/// Assertions that are kept by all steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertions {
    /// What holds of whom.
    pub views: Vec<View>,
}

/// An assertion about some threads.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Who is in view: different instances. The first is the owner.
    pub roles: Vec<Role>,
    /// `R`: one of these holds.
    pub regions: Vec<Region>,
    /// `E`: each step of an instance that is not the owner is one of these, or changes nothing in
    /// view. `None`: the proof does not say; steps of others are looked at one by one.
    pub environment: Option<Vec<Change>>,
}

/// A place in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Role {
    /// An instance of this thread:
    pub thread: ThreadId,
    /// the one with this index, or any if `None`. Threads of which there may be any number
    /// have no particular instances.
    pub index: Option<u32>,
}

/// Some states of those in view.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// For each role, the locations where its instance is; `None` for anywhere.
    pub at: Vec<Option<Vec<LocId>>>,
    /// All of these hold. An expression is false where it is undefined. Local variable number n
    /// is the n-th of the locals of all roles, in order: see [`View::scope`].
    pub holds: Vec<Expr>,
}

/// Some steps of an instance that is not the owner, as those in view see them.
///
/// One instance moves, in view or not. So of those in view, at most one changes its location and
/// its locals, whatever is said here about the others; and never the owner.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// For each role, the locations where its instance is before the step; `None` for anywhere.
    pub from: Vec<Option<Vec<LocId>>>,
    /// And where it is afterwards. The owner does not move: its entries do not count.
    pub to: Vec<Option<Vec<LocId>>>,
    /// The variables that may change; numbered as in regions. All others keep their value; but
    /// an array counts as changed wherever one of its elements is assigned.
    pub writes: Vec<VarRef>,
    /// All of these hold, of the values before and after: see [`View::change_scope`].
    pub holds: Vec<Expr>,
}

impl Assertions {
    /// Does no assertion speak of two threads?
    pub fn is_modular(&self) -> bool {
        self.views.iter().all(|view| view.roles.len() == 1)
    }
}

impl View {
    /// What regions can speak of, as a template with the locals of all roles.
    pub fn scope(&self, program: &Program) -> Template {
        let mut scope = Template { name: "those in view".to_string(), ..Template::default() };
        for (number, role) in self.roles.iter().enumerate() {
            let owner = self.role_name(program, number);
            let locals = program.template_of(role.thread).locals.iter();
            scope.locals.extend(
                locals.map(|var| Var { name: format!("{owner}.{}", var.name), ..var.clone() }),
            );
        }
        scope
    }

    /// What changes can speak of: the scope of regions, then the shared variables after the
    /// step and the locals of all roles after the step, as further locals.
    pub fn change_scope(&self, program: &Program) -> Template {
        let mut scope = self.scope(program);
        let after = |var: &Var| Var { name: format!("{}'", var.name), ..var.clone() };
        let locals: Vec<Var> = program.shared.iter().chain(&scope.locals).map(after).collect();
        scope.locals.extend(locals);
        scope
    }

    /// A name for a role: the thread's, with a number if it has several in view.
    pub fn role_name(&self, program: &Program, number: usize) -> String {
        let role = self.roles[number];
        let name = &program.threads[role.thread.index()].name;
        let same = |other: &&Role| other.thread == role.thread;
        match role.index {
            Some(index) => program.instance_name(Instance { thread: role.thread, index }),
            None if self.roles.iter().filter(same).count() == 1 => name.clone(),
            None => format!("{name}#{}", self.roles[..number].iter().filter(same).count() + 1),
        }
    }
}
