//! Makes a failing program smaller: greedily leaves out threads, edges,
//! assignments, guards and adornments for as long as it still fails.

use ccfa::{Expr, LocKind, Program};

/// A program with nothing left to leave out that still `fails`.
pub fn shrink(program: &Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    while let Some(smaller) = candidates(&smallest).into_iter().find(|smaller| fails(smaller)) {
        smallest = smaller;
    }
    smallest
}

/// Programs with one thing less, those with a large thing less first.
fn candidates(program: &Program) -> Vec<Program> {
    let mut smaller = Vec::new();
    let mut without = |change: &dyn Fn(&mut Program)| {
        let mut changed = program.clone();
        change(&mut changed);
        if changed != *program {
            smaller.push(changed);
        }
    };
    for thread in (1..program.threads.len()).chain((!program.threads.is_empty()).then_some(0)) {
        if program.threads.len() > 1 {
            without(&|program| drop(program.threads.remove(thread)));
        }
    }
    without(&|program| program.initial = None);
    for (t, template) in program.templates.iter().enumerate() {
        for e in 0..template.edges.len() {
            without(&|program| drop(program.templates[t].edges.remove(e)));
        }
        for (e, edge) in template.edges.iter().enumerate() {
            for a in 0..edge.assigns.len() {
                without(&|program| drop(program.templates[t].edges[e].assigns.remove(a)));
            }
            without(&|program| program.templates[t].edges[e].guard = Expr::TRUE);
        }
        for l in 0..template.locations.len() {
            without(&|program| program.templates[t].locations[l].atomic = false);
            without(&|program| program.templates[t].locations[l].kind = LocKind::Plain);
        }
    }
    smaller
}
