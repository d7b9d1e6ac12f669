//! Who plays the slots: a few instances of each thread that stand for all.
//!
//! A thread is *named* if a slot names one of its instances, or if it has only one.
//! Of a named thread, all instances are on the stage. Of any other thread, one instance is
//! as good as another, so there are only as many on the stage as can be in sight together:
//! those in a view and one more, if so many exist.

use crate::refuse;
use ccfa::semantics::System;
use ccfa::{Count, Program};
use evidence::{Assertions, Reason, Slot};

/// So many instances of a thread can be told apart.
const MOST_NAMED: u32 = 1000;
/// If those in sight can fill the slots of a view in more ways than these, what it says about
/// them is not made use of.
const MOST_WAYS: usize = 1000;
/// More ways to fill the slots of a view than these are not checked.
const MOST_CASTINGS: usize = 100_000;

/// Where the instances in sight come from.
pub(super) struct Stage {
    /// The program with as many instances of each thread as are on the stage. Its instances are
    /// the *actors*.
    pub program: Program,
    /// By thread.
    pub named: Vec<bool>,
}

impl Stage {
    /// The stage for these views, which are well-formed.
    pub fn new(program: &Program, proof: &Assertions) -> Result<Stage, Reason> {
        let mut staged = program.clone();
        let mut named = Vec::new();
        for (number, thread) in staged.threads.iter_mut().enumerate() {
            let is_its = |slot: &&Slot| slot.thread.index() == number;
            let slots = || proof.views.iter().flat_map(|view| &view.slots).filter(is_its);
            let is_named = thread.count == Count::Exactly(1) || slots().any(|r| r.index.is_some());
            let in_view = |view: &evidence::View| view.slots.iter().filter(is_its).count();
            let needed = 1 + proof.views.iter().map(in_view).max().unwrap_or(0) as u32;
            match thread.count {
                Count::Exactly(count) if is_named && count > MOST_NAMED => {
                    return refuse(format!("{} has too many instances to name one", thread.name));
                }
                Count::Exactly(count) if is_named || count < needed => {}
                _ => thread.count = Count::Exactly(needed),
            }
            named.push(is_named);
        }
        Ok(Stage { program: staged, named })
    }

    /// Actors for these slots, one way for all that differ in the choice among equals.
    pub fn castings(&self, system: &System, slots: &[Slot]) -> Result<Vec<Vec<usize>>, Reason> {
        let in_order = |chosen: &[usize], actor: usize| {
            let instance = system.instances[actor];
            let same = |other: &&usize| system.instances[**other].thread == instance.thread;
            self.named[instance.thread.index()]
                || chosen.iter().filter(same).count() == instance.index as usize
        };
        let all: Vec<usize> = (0..system.instances.len()).collect();
        match fill(system, slots, &all, &in_order, MOST_CASTINGS) {
            Some(castings) => Ok(castings),
            None => refuse("a view can be filled in too many ways"),
        }
    }

    /// Those who are not among `seen`, one of each that are equal.
    pub fn others(&self, system: &System, seen: &[usize]) -> Vec<usize> {
        let unseen = |actor: &usize| {
            let instance = system.instances[*actor];
            let same = |other: &&usize| system.instances[**other].thread == instance.thread;
            let first = seen.iter().filter(same).count() == instance.index as usize;
            !seen.contains(actor) && (self.named[instance.thread.index()] || first)
        };
        (0..system.instances.len()).filter(unseen).collect()
    }
}

/// All ways to give these slots to those in sight; none if there are too many.
pub(super) fn ways(system: &System, slots: &[Slot], sight: &[usize]) -> Vec<Vec<usize>> {
    fill(system, slots, sight, &|_, _| true, MOST_WAYS).unwrap_or_default()
}

/// Different actors for all slots, such that each may come after those before it; if there are
/// not more ways than `most`.
fn fill(
    system: &System,
    slots: &[Slot],
    actors: &[usize],
    may_follow: &dyn Fn(&[usize], usize) -> bool,
    most: usize,
) -> Option<Vec<Vec<usize>>> {
    let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
    for slot in slots {
        let plays = |actor: usize| {
            let instance = system.instances[actor];
            instance.thread == slot.thread && slot.index.is_none_or(|index| index == instance.index)
        };
        let longer = ways.iter().flat_map(|way| {
            let next = move |actor: &&usize| {
                plays(**actor) && !way.contains(actor) && may_follow(way, **actor)
            };
            actors.iter().filter(next).map(move |&actor| [way.as_slice(), &[actor]].concat())
        });
        ways = longer.take(most + 1).collect();
        if ways.len() > most {
            return None;
        }
    }
    Some(ways)
}
