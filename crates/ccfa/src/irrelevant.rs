//! Irrelevant steps: those of threads that can do nothing any more that matters, and those that
//! only end the program. **Trusted.**
//!
//! *Bad* is an error location or one where the model ends. A location is **idle** if no thread that
//! is there can come to a bad one, or write a shared variable that another instance reads. The steps
//! from idle locations that are not atomic are irrelevant. Why: from a path to a bad state take out
//! all that a thread does once it is at such a location. The others do not miss it: they read
//! nothing that it wrote, and where it stays it keeps no thread from moving. And it is not the one that
//! comes to the bad location.
//!
//! A location is a **dead end** if it is atomic and no step from it leads to a bad location or out of
//! the atomic section, but only to further dead ends. A thread that is there is there for ever, and no
//! other moves. So no path to a bad state passes it, and the steps to it are irrelevant. (The end of
//! `main` is one, and an assumption that fails in an atomic section.)
//!
//! Without these steps a bad location is reached if and only if it is with them. They are looked for
//! again without those found before, until there are no more: each time the argument is about
//! the program that is left.

use crate::dataflow::solve;
use crate::program::{Edge, EdgeId, LocKind, Location, Program, Template, TemplateId};
use crate::sharing::Sharing;

/// Takes irrelevant steps out of those that are `taken`, by template and edge. Were there any?
pub fn remove(program: &Program, taken: &mut [Vec<bool>]) -> bool {
    let mut removed = false;
    loop {
        let sharing = Sharing::of(program, &|id, edge: EdgeId| taken[id.index()][edge.index()]);
        let mut found = false;
        for (number, taken) in taken.iter_mut().enumerate() {
            found |= remove_from(program, TemplateId(number as u32), &sharing, taken);
        }
        removed |= found;
        if !found {
            return removed;
        }
    }
}

/// Takes the irrelevant steps of one template out. Were there any?
fn remove_from(program: &Program, id: TemplateId, sharing: &Sharing, taken: &mut [bool]) -> bool {
    let template = &program.templates[id.index()];
    let silent = |edge: &Edge| {
        !edge.read_write_sets().shared_writes().any(|var| sharing.others_read(id, var))
    };
    let silent: Vec<bool> = template.edges.iter().map(silent).collect();
    let plain = |at: &Location| at.kind == LocKind::Plain;
    let idle = template.locations.iter().map(plain).collect();
    let idle = largest(template, taken, idle, &silent);
    let ending = template.locations.iter().map(|at| at.atomic && plain(at)).collect();
    let dead_end = largest(template, taken, ending, &vec![true; template.edges.len()]);
    let mut found = false;
    for (edge, taken) in template.edges.iter().zip(taken) {
        let source = edge.source.index();
        let stays = idle[source] && !template.locations[source].atomic;
        if *taken && (stays || dead_end[edge.target.index()]) {
            *taken = false;
            found = true;
        }
    }
    found
}

/// The largest subset of these locations from which, of the steps that are taken, only `allowed`
/// ones lead, and only to members.
fn largest(template: &Template, taken: &[bool], members: Vec<bool>, allowed: &[bool]) -> Vec<bool> {
    let outside = members.iter().map(|member| !member).collect();
    let outside = solve(
        template,
        |edge| (edge.target, edge.source),
        outside,
        |edge, after, here| {
            let leaves = taken[edge.index()] && (!allowed[edge.index()] || *after);
            leaves && !std::mem::replace(here, true)
        },
    );
    outside.iter().map(|outside| !outside).collect()
}
