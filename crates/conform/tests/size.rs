//! The checker is linear in the thread and quadratic in the abstract thread (Section
//! 3.1), and has the thread's control structure.

use ccfa::{Edge, Expr, Place, Program, Rhs, ThreadId};
use conform::{checker, read_machine};

/// A thread of `steps` steps and an abstract thread of `states` states, in which
/// every state can go to every other.
fn program(steps: usize, states: usize) -> Program {
    let mut text =
        String::from("shared g: i32 = 0 shared h: i32 = 0 template t() { local x: i32 = 0 ");
    for step in 0..steps {
        text += &format!("l{step} -> l{}: when h > 0 then g := x + h ", step + 1);
    }
    text += "} template a() { ";
    for from in 0..states {
        for to in 0..states {
            text += &format!("n{from} -> n{to}: when h > {to} then g := any ");
        }
    }
    text += "} template m() { e -> e: g := any, h := any } thread t = t() thread m = m()";
    ccfa::text::parse(&text).expect("it is a program")
}

fn expr_size(expr: &Expr) -> usize {
    let mut count = 0;
    expr.walk(&mut |_| count += 1);
    count
}

fn edge_size(edge: &Edge) -> usize {
    let assigned = edge.assigns.iter().map(|assign| {
        let index = if let Place::Element(_, index) = &assign.place { expr_size(index) } else { 0 };
        let value = if let Rhs::Expr(value) = &assign.value { expr_size(value) } else { 0 };
        1 + index + value
    });
    1 + expr_size(&edge.guard) + assigned.sum::<usize>()
}

/// Size of the text, and number of edges, of the checker.
fn size(steps: usize, states: usize) -> (usize, usize) {
    let program = program(steps, states);
    let machine = read_machine(&program, &program.templates[1]).expect("it is a machine");
    assert_eq!(machine.nodes.len(), states);
    let checker = checker(&program, ThreadId(0), &machine, &[&machine]).expect("it can be checked");
    let edges = &checker.program.templates[0].edges;
    (edges.iter().map(edge_size).sum(), edges.len())
}

#[test]
fn linear_in_the_thread() {
    let sizes: Vec<usize> = [10, 20, 40, 80].iter().map(|steps| size(*steps, 4).0).collect();
    for pair in sizes.windows(2) {
        assert!(pair[1] <= 2 * pair[0], "twice the steps, more than twice the size: {sizes:?}");
    }
}

#[test]
fn quadratic_in_the_abstract_thread() {
    let sizes: Vec<usize> = [4, 8, 16, 32].iter().map(|states| size(5, *states).0).collect();
    for pair in sizes.windows(2) {
        assert!(
            pair[1] <= 4 * pair[0],
            "twice the states, more than four times the size: {sizes:?}"
        );
        assert!(pair[1] > 3 * pair[0], "every pair of states counts: {sizes:?}");
    }
}

#[test]
fn the_control_structure_is_the_threads() {
    for states in [2, 9] {
        // One edge for each step and one from each location to "no candidate".
        assert_eq!(size(7, states).1, 7 + 8);
    }
}
