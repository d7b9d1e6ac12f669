//! Sets of states as binary decision diagrams: the few operations that the algorithms
//! need, on the library `oxidd`. No other file names it.
//!
//! A manager of the library has room for a fixed number of nodes. If they are used up, what is
//! no longer needed is collected and the operation tried again; if that does not help, the run
//! ends with [`Stuck::Nodes`], and whoever started it may start again with more room.

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

/// Why a run cannot go on.
#[derive(Debug)]
pub(crate) enum Stuck {
    /// There is no room for more nodes.
    Nodes,
    /// A variable has more values than were guessed.
    Values,
    /// There is another reason.
    Because(Reason),
}

/// What most things here give.
pub(crate) type Maybe<T> = Result<T, Stuck>;

/// The reason for a program that this engine cannot decide.
pub(crate) fn beyond(why: impl Into<String>) -> Stuck {
    Stuck::Because(Reason::Beyond(why.into()))
}

/// Nothing, as long as there is no reason to stop.
pub(crate) fn go_on(budget: &Budget) -> Maybe<()> {
    budget.exhausted().map_or(Ok(()), |reason| Err(Stuck::Because(reason)))
}

/// Where the diagrams of a run are kept. To make one takes a moment, so it is made once.
#[derive(Clone)]
pub(crate) struct Room<'b> {
    manager: BDDManagerRef,
    budget: &'b Budget,
    nodes: usize,
    peak: Rc<Cell<usize>>,
}

impl<'b> Room<'b> {
    /// Room for `nodes` nodes.
    pub fn new(nodes: usize, budget: &'b Budget) -> Room<'b> {
        Room { manager: new_manager(nodes, nodes / 2, 1), budget, nodes, peak: Rc::default() }
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
    room: Room<'b>,
    bits: u32,
}

impl<'b> Diagrams<'b> {
    /// Diagrams over so many bits. (There may be more, from others before.)
    pub fn new(room: Room<'b>, bits: u32) -> Diagrams<'b> {
        let bits = room.manager.with_manager_exclusive(|manager| {
            manager.add_vars(bits.saturating_sub(manager.num_vars()));
            manager.num_vars()
        });
        Diagrams { room, bits }
    }

    /// Does the operation, if need be after a collection of garbage.
    fn attempt(&self, operation: impl Fn() -> AllocResult<Bdd>) -> Maybe<Bdd> {
        go_on(self.room.budget)?;
        operation().or_else(|_| {
            self.room.peak();
            // The library collects by itself at times: whoever is exclusive waits for the end of that.
            let in_use = self.room.manager.with_manager_exclusive(|manager| {
                manager.gc();
                manager.num_inner_nodes()
            });
            // With little room, garbage would be collected again and again.
            if in_use > self.room.nodes / 2 {
                return Err(Stuck::Nodes);
            }
            operation().map_err(|_| Stuck::Nodes)
        })
    }

    /// Nothing.
    pub fn none(&self) -> Bdd {
        self.room.manager.with_manager_shared(Bdd::f)
    }

    /// Everything.
    pub fn all(&self) -> Bdd {
        self.room.manager.with_manager_shared(Bdd::t)
    }

    /// Where this bit is set.
    pub fn bit(&self, bit: u32) -> Maybe<Bdd> {
        self.attempt(|| self.room.manager.with_manager_shared(|manager| Bdd::var(manager, bit)))
    }

    /// What is in both.
    pub fn and(&self, a: &Bdd, b: &Bdd) -> Maybe<Bdd> {
        self.attempt(|| a.and(b))
    }

    /// What is in one or the other.
    pub fn or(&self, a: &Bdd, b: &Bdd) -> Maybe<Bdd> {
        self.attempt(|| a.or(b))
    }

    /// What is in the first and not in the second.
    pub fn minus(&self, a: &Bdd, b: &Bdd) -> Maybe<Bdd> {
        self.attempt(|| b.imp_strict(a))
    }

    /// What is not in it.
    pub fn not(&self, a: &Bdd) -> Maybe<Bdd> {
        self.attempt(|| a.not())
    }

    /// Forgets the bits of `cube`.
    pub fn exists(&self, a: &Bdd, cube: &Bdd) -> Maybe<Bdd> {
        self.attempt(|| a.exists(cube))
    }

    /// What is in both, without the bits of `cube`: the relational product.
    pub fn and_exists(&self, a: &Bdd, b: &Bdd, cube: &Bdd) -> Maybe<Bdd> {
        self.attempt(|| a.apply_exists(BooleanOperator::And, b, cube))
    }

    /// What is in all of them.
    pub fn all_of<'a>(&self, sets: impl IntoIterator<Item = &'a Bdd>) -> Maybe<Bdd> {
        sets.into_iter().try_fold(self.all(), |all, set| self.and(&all, set))
    }

    /// What is in one of them.
    pub fn any_of<'a>(&self, sets: impl IntoIterator<Item = &'a Bdd>) -> Maybe<Bdd> {
        sets.into_iter().try_fold(self.none(), |any, set| self.or(&any, set))
    }

    /// The set after `renaming`.
    pub fn rename(&self, a: &Bdd, renaming: &Renaming) -> Maybe<Bdd> {
        self.attempt(|| a.substitute(renaming))
    }

    /// Renames the bits of the first list to those of the second.
    pub fn renaming(&self, from: &[u32], to: &[u32]) -> Maybe<Renaming> {
        let to = to.iter().map(|bit| self.bit(*bit)).collect::<Maybe<Vec<Bdd>>>()?;
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
