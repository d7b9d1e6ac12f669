//! The finite instance of a parameterised program that stands for all of its instances.
//!
//! A thread is *named* if a slot names one of its instances, or if it has only one.
//! Of a named thread, the finite instance has all instances. The instances of any other thread are
//! symmetric, so as many are enough as conditions can speak of together: as many as a view
//! tracks and one more, if so many exist.

use crate::refuse;
use ccfa::semantics::System;
use ccfa::{Count, Program};
use evidence::{Assertions, Reason, Slot};

/// So many instances of a thread can be told apart: each is a view's instance of its own.
const MAX_NAMED_INSTANCES: u32 = 1000;
/// If a view has more instantiations than these among some instances, its assertion is not used
/// as a premise about them: fewer premises are always sound.
const MAX_PREMISES: usize = 1000;
/// More instantiations of a view than these are not checked, and the proof is refused: each is a question.
const MAX_INSTANTIATIONS: usize = 100_000;

/// A program with finitely many instances.
pub(super) struct FiniteInstance {
    /// The program with its number of instances of each thread.
    pub program: Program,
    /// By thread.
    pub named: Vec<bool>,
}

impl FiniteInstance {
    /// The finite instance for these views, which are well-formed.
    pub fn new(program: &Program, proof: &Assertions) -> Result<FiniteInstance, Reason> {
        let mut finite = program.clone();
        let mut named = Vec::new();
        for (number, thread) in finite.threads.iter_mut().enumerate() {
            let is_its = |slot: &&Slot| slot.thread.index() == number;
            let slots = || proof.views.iter().flat_map(|view| &view.slots).filter(is_its);
            let is_named = thread.count == Count::Exactly(1) || slots().any(|s| s.index.is_some());
            let tracked = |view: &evidence::View| view.slots.iter().filter(is_its).count();
            let most = proof.views.iter().map(tracked).max();
            let needed = 1 + most.unwrap_or(0) as u32;
            match thread.count {
                Count::Exactly(count) if is_named && count > MAX_NAMED_INSTANCES => {
                    return refuse(format!("{} has too many instances to tell apart", thread.name));
                }
                Count::Exactly(count) if is_named || count < needed => {}
                _ => thread.count = Count::Exactly(needed),
            }
            named.push(is_named);
        }
        Ok(FiniteInstance { program: finite, named })
    }

    /// The instantiations of these slots, one for all that are symmetric.
    pub fn instantiations(
        &self,
        system: &System,
        slots: &[Slot],
    ) -> Result<Vec<Vec<usize>>, Reason> {
        let all: Vec<usize> = (0..system.instances.len()).collect();
        let represents = |chosen: &[usize], next| self.represents(system, chosen, next);
        match instantiate(system, slots, &all, &represents, MAX_INSTANTIATIONS) {
            Some(instantiations) => Ok(instantiations),
            None => refuse("a view has too many instantiations"),
        }
    }

    /// The instances that are not among the tracked ones, one for all that are symmetric.
    pub fn environment(&self, system: &System, tracked: &[usize]) -> Vec<usize> {
        let is_other =
            |other: &usize| !tracked.contains(other) && self.represents(system, tracked, *other);
        (0..system.instances.len()).filter(is_other).collect()
    }

    /// Does the instance stand for all of its thread that are not among these? Of a thread that is not
    /// named, the first of them do that are left.
    fn represents(&self, system: &System, chosen: &[usize], next: usize) -> bool {
        let instance = system.instances[next];
        let same = |other: &&usize| system.instances[**other].thread == instance.thread;
        self.named[instance.thread.index()]
            || chosen.iter().filter(same).count() == instance.index as usize
    }
}

/// All instantiations of these slots among some instances; none if there are too many.
pub(super) fn instantiations_among(
    system: &System,
    slots: &[Slot],
    instances: &[usize],
) -> Vec<Vec<usize>> {
    instantiate(system, slots, instances, &|_, _| true, MAX_PREMISES).unwrap_or_default()
}

/// Different instances for all slots, such that each may follow those chosen before it; if there are
/// not more ways than `most`.
fn instantiate(
    system: &System,
    slots: &[Slot],
    instances: &[usize],
    may_follow: &dyn Fn(&[usize], usize) -> bool,
    most: usize,
) -> Option<Vec<Vec<usize>>> {
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    for slot in slots {
        let fits = |instance: usize| {
            let instance = system.instances[instance];
            instance.thread == slot.thread && slot.index.is_none_or(|index| index == instance.index)
        };
        let longer = found.iter().flat_map(|chosen| {
            let next = move |next: &&usize| {
                fits(**next) && !chosen.contains(next) && may_follow(chosen, **next)
            };
            instances.iter().filter(next).map(move |&next| [chosen.as_slice(), &[next]].concat())
        });
        found = longer.take(most + 1).collect();
        if found.len() > most {
            return None;
        }
    }
    Some(found)
}
