//! A weaker set of states that is as good a proof.
//!
//! The set of all reachable states says more than a proof needs: that the tickets of those
//! who wait have no gaps between them, say, which is another formula for each choice of those who
//! wait. Of two shared cells, a weaker set says only what is known whatever processes do that write
//! neither; of all processes, where they can be together. If no error can be reached from it,
//! and no step leads out of it, it is a proof, too: one that is said with few formulas, which
//! `check` has to look at once.

use crate::access::writes;
use crate::bdd::{Bdd, Result};
use crate::relations::{Group, Projection, pairs};
use crate::space::{Cell, Space};
use crate::variable::Variable;
use std::collections::BTreeSet;

/// A weaker set.
pub(crate) struct Weaker {
    /// The states.
    pub states: Bdd,
    /// What it says of each shared cell and of any two, by their number, and of the processes that write them.
    pub relations: Vec<Projection>,
}

/// The weaker set for one of states of these processes; `None` if there are not some cells to
/// relate, or too many.
pub(crate) fn weaker(space: &Space, tracked: &[usize], reached: &Bdd) -> Result<Option<Weaker>> {
    let cells = space.cells();
    let pairs = pairs(cells.len(), |_| true);
    if pairs.is_empty() {
        return Ok(None);
    }
    let single = (0..cells.len()).map(|cell| vec![cell]);
    let written =
        tracked.iter().map(|process| writes(space.processes, *process)).collect::<Vec<_>>();
    let mut relations = Vec::new();
    let mut states = space.dd.exists(reached, &space.cube(|_| true)?)?;
    for group in single.chain(pairs) {
        let says = space.dd.exists(reached, &unrelated(space, &cells, &written, &group)?)?;
        states = space.dd.and(&states, &says)?;
        relations.push(Projection { group, says });
    }
    Ok(Some(Weaker { states, relations }))
}

/// All cells but those of the group, and all slots of processes that write none of them.
fn unrelated(
    space: &Space,
    cells: &[(Cell, &Variable)],
    written: &[BTreeSet<Cell>],
    group: &Group,
) -> Result<Bdd> {
    let group: Vec<Cell> = group.iter().map(|cell| cells[*cell].0).collect();
    let mut unrelated = space.cube(|cell| !group.contains(cell))?;
    for (slot, written) in written.iter().enumerate() {
        if group.iter().all(|cell| !written.contains(cell)) {
            unrelated = space.dd.and(&unrelated, &space.slot_cube(slot)?)?;
        }
    }
    Ok(unrelated)
}
