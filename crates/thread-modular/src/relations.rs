//! Sets of states as relations between two shared cells at a time.
//!
//! Many invariants say something about what a process writes and each other cell: the customer that
//! is served in a bakery has a smaller ticket than each other one. The set of all reachable
//! tickets is much more complicated, and so is its diagram. The *closure* of a set is
//! what its projections on a cell that the owner writes and another one (with the locals of the tracked
//! processes) say together: a larger set, often just as
//! useful, with a small diagram and a short proof.

use crate::bdd::{Bdd, Result};
use crate::space::Space;
use crate::variable::Variable;

/// With more pairs, relations are not used: twelve cells have so many, and more would take longer than all cells together.
const MAX_PAIRS: usize = 66;

/// Some cells of a list, one or two, by number.
pub(crate) type Group = Vec<usize>;

/// What a set says of some cells alone.
#[derive(Clone)]
pub(crate) struct Projection {
    /// Which cells.
    pub group: Group,
    /// What it says.
    pub says: Bdd,
}

/// Do relations of pairs say less than the whole, for so many cells?
pub(crate) fn make_a_difference(cells: usize) -> bool {
    cells > 2
}

/// All pairs of one of `cells` cells that is chosen and another one; none if there are
/// too many, or if a pair is all that there is.
pub(crate) fn pairs(cells: usize, is_chosen: impl Fn(usize) -> bool) -> Vec<Group> {
    let all = (0..cells).flat_map(|first| (first + 1..cells).map(move |second| [first, second]));
    let chosen = all.filter(|pair| pair.iter().any(|cell| is_chosen(*cell)));
    let pairs: Vec<Group> = chosen.map(Vec::from).collect();
    if !make_a_difference(cells) || pairs.len() > MAX_PAIRS { Vec::new() } else { pairs }
}

/// What a set says of each group of cells.
pub(crate) fn projections(
    space: &Space,
    cells: &[&Variable],
    set: &Bdd,
    groups: &[Group],
) -> Result<Vec<Projection>> {
    let mut all = Vec::new();
    for group in groups {
        let others = (0..cells.len()).filter(|cell| !group.contains(cell));
        let others = space.dd.all_of(others.map(|cell| &cells[cell].cube))?;
        all.push(Projection { group: group.clone(), says: space.dd.exists(set, &others)? });
    }
    Ok(all)
}

/// What the projections say of the states of a set. Those with the same first cell are joined
/// before the others: together they have a small diagram, with that cell on top.
pub(crate) fn meet(space: &Space, states: &Bdd, projections: &[Projection]) -> Result<Bdd> {
    let mut all = states.clone();
    for chunk in projections.chunk_by(|a, b| a.group[0] == b.group[0]).rev() {
        let joined = space.dd.all_of(chunk.iter().map(|projection| &projection.says))?;
        all = space.dd.and(&all, &joined)?;
    }
    Ok(all)
}
