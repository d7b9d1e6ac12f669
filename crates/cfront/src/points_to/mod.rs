//! What pointers may point to: an inclusion-based points-to analysis of the
//! typed program.
//!
//! After Andersen, *Program Analysis and Specialization for the C Programming
//! Language*, 1994, Chapter 4, solved in waves after Pereira and Berlin, CGO 2009.
//! Each object has one node that stands for everything stored in it, and each
//! function one for what it returns; the program gives inclusions between
//! nodes (`constraints`), and `solve` makes them true. Functions behind
//! pointers are found on the way.
//!
//! **Precision.** No order of statements, no contexts, no fields: a variable is
//! one object for all its fields, all activations and all threads, an
//! allocation is one object per call in the text. There is one exception: a
//! function that hands its parameters on to `__rely_spawn` starts, at each call,
//! only the thread of that call, so `pthread_create` does not mix up the
//! arguments of all threads.
//!
//! **Why sound.** Types play no role: casts are transparent, integers carry
//! targets as pointers do, and arithmetic passes on the targets of all its
//! operands. Not passed on are truth values, an index into an array, and the
//! difference of two pointers, which C defines within one object only. What
//! leads out of the analysis (a number that happens to be an address, a
//! function without body that keeps or invents a pointer) is not tracked: the
//! lowering checks at run time that an access stays within the targets given
//! here, so a missed target costs an answer and never makes a wrong one.
//!
//! **Sharing** (`is_shared`) must be sound by itself: a local that is not
//! shared is kept out of other threads' sight altogether. Another thread gets
//! hold of an address only by reading it from something it can already reach: a
//! static variable, an allocation, its argument, what a thread that ended left
//! behind, or a local whose address it found there. All these are
//! followed, whether or not another thread really looks. Should
//! it come by an untracked way, the access lies outside its targets and fails
//! the check above, on which this argument depends.

mod calls;
mod constraints;
mod cycles;
mod flow;
mod library;
mod outlive;
mod retyped;
mod solve;
mod uses;
pub(crate) mod walk;

use crate::hir::{Expr, ExprKind, FuncId, Lifetime, Unit, VarId};
use crate::scopes::LocalScopes;
use crate::syntax::ast::Range;
use flow::{Values, value};
use outlive::Outlived;
use solve::{ConstraintNode, PointeeSet, Solution};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use uses::VariableUses;

pub use library::ALLOCATORS;
pub use retyped::may_be_retyped;

/// Something a pointer can point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointee {
    /// A variable, with all its fields and elements, in all its activations.
    Var(VarId),
    /// All that is allocated by the call at this place.
    Heap(Range),
    /// A function.
    Function(FuncId),
}

/// What is known about all pointers of a program.
#[derive(Clone, Debug)]
pub struct PointsTo {
    solution: Solution,
    uses: VariableUses,
    /// By variable.
    shared: Vec<bool>,
    outlived: Outlived,
    has_addresses_as_integers: bool,
    scopes: LocalScopes,
}

/// Analyses a whole program.
pub fn analyse(unit: &Unit) -> PointsTo {
    let uses = VariableUses::of(unit);
    let mut graph = constraints::build(unit, &uses);
    graph.solve();
    let solution = graph.into_solution(unit);
    let shared = shared(unit, &solution);
    let scopes = LocalScopes::of(unit);
    let outlived = outlive::outlived(unit, &solution, &scopes);
    let mut known =
        PointsTo { solution, uses, shared, outlived, has_addresses_as_integers: false, scopes };
    known.has_addresses_as_integers = known.find_addresses_as_integers(unit);
    known
}

impl PointsTo {
    /// What the value of `expr`, an expression of the program, may point to or
    /// into. Sorted.
    pub fn targets(&self, expr: &Expr) -> Vec<Pointee> {
        let targets = value(&mut Reader(&self.solution), expr).unwrap_or_default();
        let mut objects: Vec<Pointee> = self.solution.objects(&targets).collect();
        objects.sort_unstable();
        objects
    }

    /// What the values stored anywhere in `object` may point to.
    pub fn contents(&self, object: Pointee) -> impl Iterator<Item = Pointee> + '_ {
        let contents = self.solution.content(object).map(|node| self.solution.points_to(node));
        contents.into_iter().flat_map(|set| self.solution.objects(set))
    }

    /// Is the address of (a part of) the variable used other than to access
    /// it there and then?
    pub fn is_address_taken(&self, var: VarId) -> bool {
        self.uses.address_taken[var.index()]
    }

    /// Does the variable ever get a value besides its static initialiser or,
    /// for a parameter, its argument? True if its address is taken.
    pub fn is_ever_assigned(&self, var: VarId) -> bool {
        self.uses.assigned[var.index()] || self.is_address_taken(var)
    }

    /// Does an assignment name the variable? Its initialiser does not count.
    pub fn is_ever_reassigned(&self, var: VarId) -> bool {
        self.uses.reassigned[var.index()]
    }

    /// May another thread access the variable? For locals, parameters and
    /// thread-local variables: may its address reach another thread? Static
    /// variables are always shared. Functions without a body that are not in
    /// `library` are taken to keep nothing: their caller must see to that.
    pub fn is_shared(&self, var: VarId) -> bool {
        self.shared[var.index()]
    }

    /// May the address of a local be looked at, by its own thread, when the local is gone?
    pub fn is_outlived(&self, var: VarId) -> bool {
        self.outlived.has_var(var)
    }

    /// May the address of what the call at this place allocates in its frame be looked at when that is gone?
    pub fn is_outlived_allocation(&self, call: Range) -> bool {
        self.outlived.has_allocation(call)
    }

    /// May an integer hold an address? So it is if a pointer is converted to one, or a variable
    /// without any pointer in it holds one.
    pub(crate) fn has_addresses_as_integers(&self) -> bool {
        self.has_addresses_as_integers
    }

    fn find_addresses_as_integers(&self, unit: &Unit) -> bool {
        let types = &unit.types;
        let is_kept = (0..unit.vars.len()).any(|var| {
            !types.has_pointer(unit.vars[var].ty)
                && self.contents(Pointee::Var(VarId(var as u32))).next().is_some()
        });
        let mut is_converted = false;
        for function in &unit.functions {
            walk::walk(function.body.as_deref().unwrap_or_default(), &mut |event| {
                let walk::Event::Expr(expr) = event else { return };
                let ExprKind::Cast(inner) = &*expr.kind else { return };
                let is_integer = types.is_integer(expr.ty) && types.is_pointer(inner.ty);
                is_converted |= is_integer && !self.targets(inner).is_empty();
            });
        }
        is_kept || is_converted
    }

    /// The blocks of locals and labels.
    pub(crate) fn scopes(&self) -> &LocalScopes {
        &self.scopes
    }
}

/// The variables that other threads may see, by variable.
fn shared(unit: &Unit, solution: &Solution) -> Vec<bool> {
    let mut shared = vec![false; unit.vars.len()];
    let mut pending: Vec<ConstraintNode> = solution.escape_roots().collect();
    for (index, var) in unit.vars.iter().enumerate() {
        let is_local = matches!(var.lifetime, Lifetime::Local(_));
        shared[index] = var.lifetime == Lifetime::Static;
        if !is_local {
            pending.extend(solution.content(Pointee::Var(VarId(index as u32))));
        }
    }
    while let Some(node) = pending.pop() {
        for object in solution.objects(solution.points_to(node)) {
            if let Pointee::Var(var) = object
                && !std::mem::replace(&mut shared[var.index()], true)
            {
                pending.extend(solution.content(object));
            }
        }
    }
    shared
}

/// Reads values off the solution.
struct Reader<'a>(&'a Solution);

impl Values for Reader<'_> {
    type Value = PointeeSet;

    fn address(&mut self, object: Pointee) -> PointeeSet {
        self.0.singleton(object)
    }

    fn content(&mut self, var: VarId) -> PointeeSet {
        let node = self.0.content(Pointee::Var(var));
        node.map(|node| self.0.points_to(node).clone()).unwrap_or_default()
    }

    fn load(&mut self, pointer: PointeeSet) -> PointeeSet {
        let mut loaded = PointeeSet::default();
        for node in self.0.objects(&pointer).filter_map(|object| self.0.content(object)) {
            loaded.union_with(self.0.points_to(node));
        }
        loaded
    }

    fn join(&mut self, mut left: PointeeSet, right: PointeeSet) -> PointeeSet {
        left.union_with(&right);
        left
    }

    fn result(&mut self, call: Range) -> PointeeSet {
        let node = self.0.result(call);
        node.map(|node| self.0.points_to(node).clone()).unwrap_or_default()
    }
}

impl Pointee {
    /// Variables first, then allocations, then functions, each in the order of the text.
    fn key(self) -> (u8, u32, u32) {
        match self {
            Pointee::Var(var) => (0, var.0, 0),
            Pointee::Heap(range) => (1, range.lo, range.hi),
            Pointee::Function(function) => (2, function.0, 0),
        }
    }
}

impl Ord for Pointee {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Pointee {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Pointee {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
