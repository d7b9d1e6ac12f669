//! Which views there are, and what each tracks.
//!
//! A view tracks its owner and a few more processes, and all shared cells or those that they
//! use. Others stand in ascending order: their order makes no difference. (The paper has one view for each process, with the
//! auxiliary variables of all others, and all shared variables.)

use crate::access::accesses;
use crate::bdd::{Result, beyond};
use crate::process::Processes;
use crate::space::Cell;
use std::collections::{BTreeSet, HashMap};

/// More views are not made: each has its own states.
const MAX_VIEWS: usize = 4000;

/// How much a view tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tracking {
    /// So many processes beside the owner.
    pub others: usize,
    /// Only the shared cells that the tracked processes use, and only others that use a cell of the owner.
    pub only_used: bool,
    /// Only relations between two shared cells at a time: see [`crate::relations`].
    pub pairwise: bool,
}

/// The tracked processes of all views, and the cells that each tracks.
pub(crate) fn all_views(
    processes: &Processes,
    tracking: Tracking,
) -> Result<Vec<(Vec<usize>, BTreeSet<Cell>)>> {
    let used: Vec<BTreeSet<Cell>> =
        (0..processes.list.len()).map(|number| accesses(processes, number)).collect();
    let every: BTreeSet<Cell> = used.iter().flatten().copied().collect();
    let mut all = Vec::new();
    for owner in 0..processes.list.len() {
        let mut tuples = vec![vec![owner]];
        for _ in 0..tracking.others {
            tuples = tuples
                .iter()
                .flat_map(|tracked| longer(processes, tracking, &used, tracked))
                .collect();
            if all.len() + tuples.len() > MAX_VIEWS {
                return Err(beyond("too many different processes to look at them together"));
            }
        }
        let with_all = Tracking { only_used: false, ..tracking };
        if tracking.others > 0 && tuples.len() < longer(processes, with_all, &used, &[owner]).len()
        {
            tuples.push(vec![owner]); // for processes that are not tracked with its neighbours
        }
        for tracked in tuples {
            let own = tracked.iter().flat_map(|process| used[*process].iter().copied()).collect();
            all.push((tracked, if tracking.only_used { own } else { every.clone() }));
        }
    }
    Ok(all)
}

/// The tracked processes with one more, in all ways; others are in ascending order.
fn longer(
    processes: &Processes,
    tracking: Tracking,
    used: &[BTreeSet<Cell>],
    tracked: &[usize],
) -> Vec<Vec<usize>> {
    let first = if tracked.len() == 1 { 0 } else { tracked[tracked.len() - 1] };
    let fits = |other: &usize| {
        let is_there = tracked.iter().filter(|process| *process == other).count();
        is_there < processes.list[*other].count as usize
            && (!tracking.only_used || !used[tracked[0]].is_disjoint(&used[*other]))
    };
    let with = |other: usize| [tracked, &[other]].concat();
    let longer: Vec<Vec<usize>> = (first..processes.list.len()).filter(fits).map(with).collect();
    if longer.is_empty() && tracked.len() == 1 { vec![tracked.to_vec()] } else { longer }
}

/// For each cell, those that are in a view with it: what is known of a process that interferes with a view comes from
/// views with a cell in common, so only these cells can occur.
pub(crate) fn beside(all: &[(Vec<usize>, BTreeSet<Cell>)]) -> HashMap<Cell, BTreeSet<Cell>> {
    let mut beside: HashMap<Cell, BTreeSet<Cell>> = HashMap::new();
    for (_, visible) in all {
        for cell in visible {
            beside.entry(*cell).or_default().extend(visible);
        }
    }
    beside
}
