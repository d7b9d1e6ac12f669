//! The paper's weak spot is many shared variables: each of its views shows all of them. Ours show what
//! those in view use; so the views of a larger table are not larger, while they would be if they
//! showed everything.

#[allow(dead_code)] // The other systems are for others.
#[path = "../../../bench/thread-modular/models.rs"]
mod models;

use crate::bdd::{Room, size};
use crate::expose::Exposed;
use crate::process::Processes;
use crate::sight::Sight;
use crate::space::Space;
use crate::views::Views;
use engine::Budget;
use models::Model;

/// The nodes of the largest view of so many philosophers, each with one other.
fn largest_view(philosophers: usize, near: bool) -> usize {
    let program = ccfa::text::parse(&Model::Philosophers.text(philosophers)).expect("a program");
    let budget = Budget::default();
    let processes = Processes::new(&program, 2, &budget).expect("time");
    let room = Room::new(1 << 18, &budget);
    let seating = vec![(0..philosophers).collect::<Vec<usize>>(); 3];
    let space = Space::new(&processes, &seating, &room).expect("room");
    let mut exposed = Exposed::nothing(&processes);
    exposed.expose_all(&space);
    let mut views =
        Views::new(&space, Sight { others: 1, near, loose: false }, &exposed).expect("room");
    views.reach().expect("room");
    views.list.iter().map(|view| size(&view.reached)).max().unwrap_or(0)
}

#[test]
fn views_of_a_larger_table_are_not_larger() {
    let near = [4, 5, 6].map(|philosophers| largest_view(philosophers, true));
    let far = [4, 5, 6].map(|philosophers| largest_view(philosophers, false));
    assert!(near[0] == near[1] && near[1] == near[2], "{near:?}");
    assert!(near[0] < far[0] && far[0] < far[1] && far[1] < far[2], "{near:?}, {far:?}");
}
