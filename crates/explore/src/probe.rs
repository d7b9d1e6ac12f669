//! Single executions that look for a deadlock, when a search has gone on for a while.
//!
//! Threads that wait for each other in a circle have each come some way: so of the threads that can move, one that
//! has done least goes on. Where one thread cannot get in the way of the others (`ccfa::lookahead`), its step is taken and does not count, nor do those
//! within an atomic section. Among equals chance decides, the same in each run. A search by breadth needs all states before such a deadlock.

use crate::machine::StepTarget;
use crate::search::{Ended, StateSearch};
use crate::store::hash;
use ccfa::lookahead::Lookahead;
use ccfa::random::Rng;
use engine::Budget;

/// Executions that are tried: a deadlock that these miss needs threads that are far apart, and is left to the search.
const MAX_PROBES: u64 = 8;

/// Steps of an execution: one that goes on for longer has most likely come into a loop.
const MAX_PROBE_STEPS: usize = 4_000;

impl StateSearch<'_> {
    /// Tries single executions, if deadlocks are asked for and that was not done yet.
    pub fn probe_once(&mut self, budget: &Budget) -> Result<(), Ended> {
        if std::mem::replace(&mut self.probed, true) {
            return Ok(());
        }
        let ahead = Lookahead::new(&self.model.system, &[]);
        for seed in 0..MAX_PROBES {
            self.another().probe(&ahead, &mut Rng::new(seed), budget)?;
        }
        Ok(())
    }

    /// One execution; `Err` if it ends in a deadlock.
    fn probe(&mut self, ahead: &Lookahead, chance: &mut Rng, budget: &Budget) -> Result<(), Ended> {
        self.start()?;
        let mut turns = vec![0u32; self.model.system.instances.len()];
        let (mut state, mut last) = (0, 0);
        for _ in 0..MAX_PROBE_STEPS.min(MAX_PROBE_STEPS * self.store.len()) {
            budget.check().map_err(|stop| Ended::Gave(stop.into()))?;
            let counts = !self.expand_singleton(ahead, state, last)?;
            if counts {
                self.expand_all(state)?;
            }
            let moves = self.successors.moves.iter().enumerate();
            let plain = moves.filter(|(_, by)| by.reaches == StepTarget::Plain);
            let least = plain.min_by_key(|(_, by)| (turns[by.instance as usize], chance.below(8)));
            let Some((number, by)) = least else { return Ok(()) };
            last = by.instance as usize;
            turns[last] += u32::from(counts);
            let words = self.model.layout.words;
            let next = &self.successors.words[number * words..][..words];
            let (found, new) = self.store.insert(next, hash(next))?;
            if !new {
                return Ok(());
            }
            self.enter(found, state);
            state = found;
        }
        Ok(())
    }

    /// Finds the successors by a thread that is a singleton persistent set, the last one first. Is there one?
    fn expand_singleton(
        &mut self,
        ahead: &Lookahead,
        state: u32,
        last: usize,
    ) -> Result<bool, Ended> {
        let (model, words) = (self.model, self.store.state(state));
        let unpacked = model.layout.unpack(words);
        let only = model.machine.atomic_instance(words);
        let mut order: Vec<usize> = (0..model.system.instances.len()).collect();
        order.sort_by_key(|instance| *instance != only.unwrap_or(last));
        for &instance in &order[..if only.is_some() { 1 } else { order.len() }] {
            self.successors.clear();
            model.machine.expand_set(words, 1 << instance, &mut self.successors)?;
            let others: Vec<usize> = order.iter().copied().filter(|i| *i != instance).collect();
            if self.successors.moves.iter().any(|by| by.reaches == StepTarget::Plain)
                && (only.is_some() || ahead.is_persistent(&unpacked, &[instance], &others))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
