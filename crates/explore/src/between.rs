//! States that are left out of a large set: where the thread that has just moved goes on alone, to one state.
//!
//! Nothing branches there, so the set keeps the next state in its place: `check` finds those between again (`check::closed`), and so do ranks and witnesses here.
//! Which states are left out depends on what was stored before. So a search for the way takes the first state that is
//! stored; from a successor on there is one.

use crate::machine::{Machine, Overflow, StepTarget, Successors, Transition};
use crate::store::{Store, hash};
use evidence::MAX_PASSED_STATES;

/// The first stored state from a successor of a stored one on, by the steps of the instance that has led there.
pub(crate) fn stored(
    machine: &Machine,
    store: &Store,
    successor: &[u64],
    instance: u32,
) -> Result<u32, Overflow> {
    let mut state = successor.to_vec();
    let mut next = Successors::default();
    for _ in 0..=MAX_PASSED_STATES {
        if let Some(found) = store.find(&state, hash(&state)) {
            return Ok(found);
        }
        machine.expand_alone(&state, instance, &mut next)?;
        state.copy_from_slice(&next.words[..store.words()]);
    }
    panic!("behind a successor there should be a stored state");
}

/// The moves from a stored state to another.
pub(crate) fn moves(
    machine: &Machine,
    from: &[u64],
    to: &[u64],
) -> Result<Vec<Transition>, Overflow> {
    let mut first = Successors::default();
    machine.expand(from, &mut first)?;
    let plain = |by: &&Transition| by.reaches == StepTarget::Plain;
    for (successor, by) in first.words.chunks(to.len()).zip(&first.moves) {
        let (mut moves, mut state) = (vec![*by], successor.to_vec());
        let mut next = Successors::default();
        while state != to && moves.len() <= MAX_PASSED_STATES as usize {
            machine.expand_alone(&state, by.instance, &mut next)?;
            let Some(by) = next.moves.first().filter(plain) else { break };
            moves.push(*by);
            state.copy_from_slice(&next.words[..to.len()]);
        }
        if state == to {
            return Ok(moves);
        }
    }
    panic!("a state on the path should lead to the next one");
}
