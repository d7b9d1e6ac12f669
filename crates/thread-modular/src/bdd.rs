//! Sets of states as binary decision diagrams: the few operations that the algorithms
//! need, on the library `oxidd`. No other file names it.
//!
//! A manager of the library has capacity for a fixed number of nodes. If they are used up, what is
//! no longer needed is collected and the operation tried again; if that does not help, the run
//! ends with [`RunError::OutOfNodes`], and may be started again with a larger capacity.

use engine::Budget;
use evidence::Reason;
use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::util::{AllocResult, OptBool};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, Manager, ManagerRef,
    Subst,
};
use std::cell::Cell;
use std::rc::Rc;

/// A set of states, or of values of some variables. Equal sets are equal diagrams.
pub(crate) type Bdd = BDDFunction;

/// Which bits are renamed to which.
pub(crate) type Renaming = Subst<Bdd>;

/// Why a run ends without a verdict.
#[derive(Debug)]
pub(crate) enum RunError {
    /// The capacity for nodes is used up.
    OutOfNodes,
    /// A variable has more values than were guessed.
    OutOfValues,
    /// There is another reason.
    Because(Reason),
}

pub(crate) type Result<T, E = RunError> = std::result::Result<T, E>;

/// The reason for a program that this engine cannot decide.
pub(crate) fn beyond(why: impl Into<String>) -> RunError {
    RunError::Because(Reason::Beyond(why.into()))
}

/// Fails if the budget is exhausted.
pub(crate) fn check_budget(budget: &Budget) -> Result<()> {
    budget.check().map_err(|stop| RunError::Because(stop.into()))
}

/// A manager with capacity for a fixed number of nodes: where the diagrams of a run are kept. To make one takes a
/// moment, so it is made once.
#[derive(Clone)]
pub(crate) struct NodeCapacity<'b> {
    manager: BDDManagerRef,
    budget: &'b Budget,
    nodes: usize,
    peak: Rc<Cell<usize>>,
}

impl<'b> NodeCapacity<'b> {
    /// Capacity for `nodes` nodes.
    pub fn new(nodes: usize, budget: &'b Budget) -> NodeCapacity<'b> {
        NodeCapacity {
            manager: new_manager(nodes, nodes / 2, 1),
            budget,
            nodes,
            peak: Rc::default(),
        }
    }

    /// The most nodes that were seen at a time.
    pub fn peak(&self) -> usize {
        let now = self.manager.with_manager_shared(|manager| manager.num_inner_nodes());
        self.peak.set(self.peak.get().max(now));
        self.peak.get()
    }
}

/// Diagrams over some bits.
pub(crate) struct Diagrams<'b> {
    capacity: NodeCapacity<'b>,
    bits: u32,
}

impl<'b> Diagrams<'b> {
    /// Diagrams over so many bits. (There may be more, from earlier ones.)
    pub fn new(capacity: NodeCapacity<'b>, bits: u32) -> Diagrams<'b> {
        let bits = capacity.manager.with_manager_exclusive(|manager| {
            manager.add_vars(bits.saturating_sub(manager.num_vars()));
            manager.num_vars()
        });
        Diagrams { capacity, bits }
    }

    /// Does the operation, if need be after a collection of garbage.
    fn attempt(&self, operation: impl Fn() -> AllocResult<Bdd>) -> Result<Bdd> {
        check_budget(self.capacity.budget)?;
        operation().or_else(|_| {
            self.capacity.peak();
            // The library collects by itself at times: exclusive access waits for the end of that.
            let in_use = self.capacity.manager.with_manager_exclusive(|manager| {
                manager.gc();
                manager.num_inner_nodes()
            });
            // Near capacity, garbage would be collected again and again.
            if in_use > self.capacity.nodes / 2 {
                return Err(RunError::OutOfNodes);
            }
            operation().map_err(|_| RunError::OutOfNodes)
        })
    }

    /// Nothing.
    pub fn none(&self) -> Bdd {
        self.capacity.manager.with_manager_shared(Bdd::f)
    }

    /// Everything.
    pub fn all(&self) -> Bdd {
        self.capacity.manager.with_manager_shared(Bdd::t)
    }

    /// Where this bit is set.
    pub fn bit(&self, bit: u32) -> Result<Bdd> {
        self.attempt(|| self.capacity.manager.with_manager_shared(|manager| Bdd::var(manager, bit)))
    }

    /// What is in both.
    pub fn and(&self, a: &Bdd, b: &Bdd) -> Result<Bdd> {
        self.attempt(|| a.and(b))
    }

    /// What is in one or the other.
    pub fn or(&self, a: &Bdd, b: &Bdd) -> Result<Bdd> {
        self.attempt(|| a.or(b))
    }

    /// What is in the first and not in the second.
    pub fn minus(&self, a: &Bdd, b: &Bdd) -> Result<Bdd> {
        self.attempt(|| b.imp_strict(a))
    }

    /// What is not in it.
    pub fn not(&self, a: &Bdd) -> Result<Bdd> {
        self.attempt(|| a.not())
    }

    /// Quantifies the bits of `cube` existentially.
    pub fn exists(&self, a: &Bdd, cube: &Bdd) -> Result<Bdd> {
        self.attempt(|| a.exists(cube))
    }

    /// What is in both, without the bits of `cube`: the relational product.
    pub fn and_exists(&self, a: &Bdd, b: &Bdd, cube: &Bdd) -> Result<Bdd> {
        self.attempt(|| a.apply_exists(BooleanOperator::And, b, cube))
    }

    /// What is in all of them.
    pub fn all_of<'a>(&self, sets: impl IntoIterator<Item = &'a Bdd>) -> Result<Bdd> {
        sets.into_iter().try_fold(self.all(), |all, set| self.and(&all, set))
    }

    /// What is in one of them.
    pub fn any_of<'a>(&self, sets: impl IntoIterator<Item = &'a Bdd>) -> Result<Bdd> {
        sets.into_iter().try_fold(self.none(), |any, set| self.or(&any, set))
    }

    /// The set after `renaming`.
    pub fn rename(&self, a: &Bdd, renaming: &Renaming) -> Result<Bdd> {
        self.attempt(|| a.substitute(renaming))
    }

    /// Renames the bits of the first list to those of the second.
    pub fn renaming(&self, from: &[u32], to: &[u32]) -> Result<Renaming> {
        let to = to.iter().map(|bit| self.bit(*bit)).collect::<Result<Vec<Bdd>>>()?;
        Ok(Subst::new(from.to_vec(), to))
    }

    /// The values of all bits in some member.
    pub fn pick(&self, a: &Bdd) -> Option<Vec<bool>> {
        let member = a.pick_cube(|_, _, _| false)?;
        debug_assert_eq!(member.len(), self.bits as usize);
        Some(member.into_iter().map(|bit| bit == OptBool::True).collect())
    }
}

/// Is nothing in it?
pub(crate) fn is_empty(a: &Bdd) -> bool {
    !a.satisfiable()
}

/// How many nodes it has.
#[cfg(test)]
pub(crate) fn size(a: &Bdd) -> usize {
    oxidd::Function::node_count(a)
}
