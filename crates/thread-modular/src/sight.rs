//! Which views there are, and what each shows.
//!
//! A view shows its owner and a few more processes, and all shared cells or those that they
//! use. Others stand in ascending order: in which order they are seen makes no difference.

use crate::access::accesses;
use crate::bdd::{Maybe, beyond};
use crate::process::Processes;
use crate::space::Cell;
use std::collections::{BTreeSet, HashMap};

/// More views than these are too many.
const MOST_VIEWS: usize = 4000;

/// How much a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    /// So many processes beside the owner.
    pub others: usize,
    /// Only the shared cells that those in view use, and only others that use a cell of the owner.
    pub near: bool,
    /// Only relations between two shared cells at a time: see [`crate::relations`].
    pub loose: bool,
}

/// The roles of all views, and the cells that each shows.
pub(crate) fn all_roles(
    processes: &Processes,
    sight: Sight,
) -> Maybe<Vec<(Vec<usize>, BTreeSet<Cell>)>> {
    let used: Vec<BTreeSet<Cell>> =
        (0..processes.list.len()).map(|number| accesses(processes, number)).collect();
    let every: BTreeSet<Cell> = used.iter().flatten().copied().collect();
    let mut all = Vec::new();
    for owner in 0..processes.list.len() {
        let mut tuples = vec![vec![owner]];
        for _ in 0..sight.others {
            tuples =
                tuples.iter().flat_map(|roles| longer(processes, sight, &used, roles)).collect();
            if all.len() + tuples.len() > MOST_VIEWS {
                return Err(beyond("too many different processes to look at them together"));
            }
        }
        let everyone = Sight { near: false, ..sight };
        if sight.others > 0 && tuples.len() < longer(processes, everyone, &used, &[owner]).len() {
            tuples.push(vec![owner]); // for those who do not see it with its neighbours
        }
        for roles in tuples {
            let near = roles.iter().flat_map(|role| used[*role].iter().copied()).collect();
            all.push((roles, if sight.near { near } else { every.clone() }));
        }
    }
    Ok(all)
}

/// The roles with one more, in all ways; others are in ascending order.
fn longer(
    processes: &Processes,
    sight: Sight,
    used: &[BTreeSet<Cell>],
    roles: &[usize],
) -> Vec<Vec<usize>> {
    let first = if roles.len() == 1 { 0 } else { roles[roles.len() - 1] };
    let fits = |other: &usize| {
        let is_there = roles.iter().filter(|role| *role == other).count();
        is_there < processes.list[*other].count as usize
            && (!sight.near || !used[roles[0]].is_disjoint(&used[*other]))
    };
    let with = |other: usize| [roles, &[other]].concat();
    let longer: Vec<Vec<usize>> = (first..processes.list.len()).filter(fits).map(with).collect();
    if longer.is_empty() && roles.len() == 1 { vec![roles.to_vec()] } else { longer }
}

/// For each cell, those that are in a view with it: whoever disturbs a view is known by views
/// that show one of its cells, so no others can be in sight.
pub(crate) fn beside(all: &[(Vec<usize>, BTreeSet<Cell>)]) -> HashMap<Cell, BTreeSet<Cell>> {
    let mut beside: HashMap<Cell, BTreeSet<Cell>> = HashMap::new();
    for (_, visible) in all {
        for cell in visible {
            beside.entry(*cell).or_default().extend(visible);
        }
    }
    beside
}
