//! What a call means: inclusions between arguments and parameters, between
//! what is returned and the call's result, and what the library does.

use super::library::{AtomicOperands, LibraryFunction};
use super::solve::{ConstraintGraph, ConstraintNode};
use crate::hir::{FuncId, VarId};
use crate::syntax::ast::Range;
use std::rc::Rc;

/// What calling a function does.
pub(super) enum Routine {
    /// It has a body.
    Defined {
        /// Its parameters.
        params: Vec<VarId>,
        /// Threads it starts with its own parameters: positions of the
        /// function and of the argument.
        spawns: Vec<(usize, usize)>,
    },
    /// It has none.
    Library(LibraryFunction),
}

/// A call.
pub(super) struct CallSite {
    /// The arguments that may be addresses.
    pub(super) arguments: Vec<Option<ConstraintNode>>,
    /// Gets what the call returns.
    pub(super) result: ConstraintNode,
    /// Where it stands.
    pub(super) range: Range,
}

/// What happens to the functions a pointer points to.
#[derive(Clone)]
pub(super) enum Waiting {
    /// They are called.
    Call(Rc<CallSite>),
    /// They become threads with this argument.
    Spawn(Option<ConstraintNode>),
}

impl CallSite {
    fn argument(&self, position: usize) -> Option<ConstraintNode> {
        self.arguments.get(position).copied().flatten()
    }

    /// All arguments behind the first.
    fn operands(&self) -> impl Iterator<Item = ConstraintNode> + '_ {
        self.arguments.iter().skip(1).copied().flatten()
    }
}

impl ConstraintGraph {
    /// Calls a function.
    pub(super) fn call(&mut self, site: &CallSite, function: FuncId) {
        match self.routines.clone()[function.index()] {
            Routine::Library(library) => self.call_library(site, library),
            Routine::Defined { .. } => {
                self.enter(function, &site.arguments);
                self.include(self.returned(function), site.result);
            }
        }
    }

    /// A pointer to `function` has reached a call or the start of a thread.
    pub(super) fn call_found(&mut self, waiting: &Waiting, function: FuncId) {
        match waiting {
            Waiting::Call(site) => self.call(site, function),
            Waiting::Spawn(argument) => {
                self.enter(function, &[*argument]);
                self.include(self.returned(function), self.left_by_threads());
            }
        }
    }

    /// Passes arguments; too many or too few do no harm.
    fn enter(&mut self, function: FuncId, arguments: &[Option<ConstraintNode>]) {
        let routines = self.routines.clone();
        let Routine::Defined { params, spawns } = &routines[function.index()] else { return };
        for (argument, param) in arguments.iter().zip(params) {
            self.include_some(*argument, self.variable(*param));
        }
        for (started, passed) in spawns {
            let argument = |position: usize| arguments.get(position).copied().flatten();
            self.spawn(argument(*started), argument(*passed));
        }
    }

    fn spawn(&mut self, started: Option<ConstraintNode>, passed: Option<ConstraintNode>) {
        self.include_some(passed, self.passed_to_threads());
        if let Some(started) = started
            && self.spawns.insert((started, passed))
        {
            self.wait(Waiting::Spawn(passed), started);
        }
    }

    fn call_library(&mut self, site: &CallSite, library: LibraryFunction) {
        let first = site.argument(0);
        match library {
            LibraryFunction::Allocate => {
                let memory = self.allocation(site.range);
                self.include(memory, site.result);
            }
            LibraryFunction::Reallocate => {
                let memory = self.allocation(site.range);
                self.include(memory, site.result);
                self.include_some(first, site.result);
                self.copy_contents(first, Some(memory));
            }
            LibraryFunction::AllocateInto => {
                let memory = self.allocation(site.range);
                self.store_some(Some(memory), first);
            }
            LibraryFunction::Copy => {
                self.copy_contents(site.argument(1), first);
                self.include_some(first, site.result);
            }
            LibraryFunction::First => self.include_some(first, site.result),
            LibraryFunction::Spawn => self.spawn(first, site.argument(1)),
            LibraryFunction::Join => self.include(self.left_by_threads(), site.result),
            LibraryFunction::EndThread => self.include_some(first, self.left_by_threads()),
            LibraryFunction::Atomic(operands) => self.call_atomic(site, operands),
            LibraryFunction::Other => {}
        }
    }

    /// All values may get into the targets and out of them; the old or the new
    /// content is returned.
    fn call_atomic(&mut self, site: &CallSite, operands: AtomicOperands) {
        let Some(pointer) = site.argument(0) else { return };
        let pointers = match operands {
            AtomicOperands::Values => 0,
            AtomicOperands::PointerThenValues => usize::from(site.argument(1).is_some()),
            AtomicOperands::Pointers => usize::MAX,
        };
        for operand in site.operands().take(pointers) {
            self.copy_contents(Some(operand), Some(pointer));
            self.copy_contents(Some(pointer), Some(operand));
        }
        for operand in site.operands().skip(pointers) {
            self.store(operand, pointer);
        }
        let content = self.load(pointer);
        self.include(content, site.result);
    }

    /// Includes what the targets of `source` hold in what those of `destination` hold.
    fn copy_contents(
        &mut self,
        source: Option<ConstraintNode>,
        destination: Option<ConstraintNode>,
    ) {
        if let (Some(source), Some(destination)) = (source, destination) {
            let content = self.load(source);
            self.store(content, destination);
        }
    }

    fn store_some(&mut self, from: Option<ConstraintNode>, pointer: Option<ConstraintNode>) {
        if let (Some(from), Some(pointer)) = (from, pointer) {
            self.store(from, pointer);
        }
    }

    fn include_some(&mut self, from: Option<ConstraintNode>, to: ConstraintNode) {
        if let Some(from) = from {
            self.include(from, to);
        }
    }
}
