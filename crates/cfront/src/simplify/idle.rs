//! Removes steps that cannot matter: those of threads that have nothing to do any more, and
//! those that only end the program.
//!
//! A location is **idle** if no thread that is there can come to an error or a gap, or write
//! a shared variable that another instance reads. The steps from idle locations that are not atomic
//! go. Why that keeps what is reachable: from a path to an error or a gap take out all that
//! a thread does once it is at such a location. The others do not miss it: they read nothing
//! that it wrote, and where it stays it keeps nobody from moving. And it is not the one that gets to the error.
//!
//! A location is a **dead end** if it is atomic and no step from it leads to an error, to a gap or out of the
//! atomic section but to further dead ends. Who is there is there for ever, and nobody else moves. So no path to
//! an error or a gap passes it, and the steps to it go. (The end of `main` is one, and an assumption that fails
//! in an atomic section.)
//!
//! What is left are fewer steps of the same program, so nothing is reached that was not before.

use ccfa::{Count, LocKind, Program, SharedId, Template};
use std::collections::BTreeSet;

/// Removes steps that cannot matter. Were there any?
pub fn cut(program: &mut Program) -> bool {
    let mut changed = false;
    for number in 0..program.templates.len() {
        let heard = heard(program, number);
        let template = &mut program.templates[number];
        let (idle, dead_end) = (idle(template, &heard), dead_ends(template));
        let locations = &template.locations;
        let before = template.edges.len();
        template.edges.retain(|edge| {
            let stays = idle[edge.source.index()] && !locations[edge.source.index()].atomic;
            !stays && !dead_end[edge.target.index()]
        });
        changed |= template.edges.len() < before;
    }
    changed
}

/// The shared variables that instances read beside one that runs this template.
fn heard(program: &Program, template: usize) -> BTreeSet<SharedId> {
    let runs = program.threads.iter().filter(|thread| thread.template.index() == template);
    let counts = runs.map(|thread| match thread.count {
        Count::Exactly(count) => u64::from(count),
        Count::Any => 2,
    });
    let has_twin = counts.sum::<u64>() > 1;
    let others = program.templates.iter().enumerate().filter(|(n, _)| has_twin || *n != template);
    let edges = others.flat_map(|(_, other)| &other.edges);
    edges.flat_map(|edge| edge.read_write_sets().shared_reads().collect::<Vec<_>>()).collect()
}

/// By location: is it idle, if others hear of these variables?
fn idle(template: &Template, heard: &BTreeSet<SharedId>) -> Vec<bool> {
    let silent =
        |edge: &ccfa::Edge| !edge.read_write_sets().shared_writes().any(|id| heard.contains(&id));
    let silent: Vec<bool> = template.edges.iter().map(silent).collect();
    let plain = template.locations.iter().map(|location| location.kind == LocKind::Plain);
    largest(template, plain.collect(), &silent)
}

/// By location: is it a dead end?
fn dead_ends(template: &Template) -> Vec<bool> {
    let candidates = template.locations.iter().map(|at| at.atomic && at.kind == LocKind::Plain);
    largest(template, candidates.collect(), &vec![true; template.edges.len()])
}

/// The largest subset of these locations from which only these edges lead, and only to members.
fn largest(template: &Template, mut members: Vec<bool>, edges: &[bool]) -> Vec<bool> {
    let mut changed = true;
    while changed {
        changed = false;
        for (edge, allowed) in template.edges.iter().zip(edges).rev() {
            let keeps = *allowed && members[edge.target.index()];
            changed |= members[edge.source.index()] && !keeps;
            members[edge.source.index()] &= keeps;
        }
    }
    members
}
