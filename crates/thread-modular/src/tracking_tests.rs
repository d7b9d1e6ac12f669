//! The paper's weak spot is many shared variables: each of its views has all of them. Ours have those that
//! the tracked processes use; so the views of a larger table are not larger, while they would be if they
//! had everything.

#[allow(dead_code)] // The other systems are for others.
#[path = "../../../bench/thread-modular/models.rs"]
mod models;

use crate::bdd::{NodeCapacity, size};
use crate::expose::Exposed;
use crate::process::Processes;
use crate::space::Space;
use crate::tracking::Tracking;
use crate::views::Views;
use engine::Budget;
use models::Model;

/// The nodes of the largest view of so many philosophers, each with one other.
fn largest_view(philosophers: usize, only_used: bool) -> usize {
    let program = ccfa::text::parse(&Model::Philosophers.text(philosophers)).expect("a program");
    let budget = Budget::default();
    let processes = Processes::new(&program, 2, &budget).expect("time");
    let capacity = NodeCapacity::new(1 << 18, &budget);
    let occupants = vec![(0..philosophers).collect::<Vec<usize>>(); 3];
    let space =
        Space::new(&processes, &occupants, &capacity).expect("there should be enough nodes");
    let mut exposed = Exposed::nothing(&processes);
    exposed.expose_all(&space);
    let mut views =
        Views::new(&space, Tracking { others: 1, only_used, pairwise: false }, &exposed)
            .expect("there should be enough nodes");
    views.reach().expect("there should be enough nodes");
    views.list.iter().map(|view| size(&view.reached)).max().unwrap_or(0)
}

#[test]
fn views_of_a_larger_table_are_not_larger() {
    let used = [4, 5, 6].map(|philosophers| largest_view(philosophers, true));
    let all = [4, 5, 6].map(|philosophers| largest_view(philosophers, false));
    assert!(used[0] == used[1] && used[1] == used[2], "{used:?}");
    assert!(used[0] < all[0] && all[0] < all[1] && all[1] < all[2], "{used:?}, {all:?}");
}
