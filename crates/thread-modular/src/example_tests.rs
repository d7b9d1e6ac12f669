//! Examples 1 to 3 of the paper: MUX-SEM with two processes, set by set.
//!
//! A state is written as in the paper: the semaphore, the auxiliary variables u₁ to u₄, which
//! say that P₁ or P₂ is at 2 or at 3, and after the bar locations.

use crate::bdd::{Bdd, NodeCapacity, is_empty};
use crate::expose::Exposed;
use crate::process::Processes;
use crate::space::Space;
use crate::tracking::Tracking;
use crate::views::Views;
use engine::Budget;

const MUX_SEM: &str = r#"
program "MUX-SEM"
shared x: bool = true
template process() {
  l0 -> l1
  l1 -> l2: when x then x := false
  l2 -> l3
  l3 -> l0: x := true
}
thread p[2] = process()
"#;

const OWNER_ONLY: Tracking = Tracking { others: 0, only_used: false, pairwise: false };
const WITH_OTHERS: Tracking = Tracking { others: 1, only_used: false, pairwise: false };

/// Everything that an example needs.
fn with_two(example: impl FnOnce(&Space, &mut Exposed)) {
    let program = ccfa::text::parse(MUX_SEM).expect("a program");
    let budget = Budget::default();
    let processes = Processes::new(&program, 2, &budget).expect("time");
    assert_eq!(processes.list.len(), 1, "the processes are identical");
    let capacity = NodeCapacity::new(1 << 12, &budget);
    let space = Space::new(&processes, &[vec![0], vec![0]], &capacity)
        .expect("there should be enough nodes");
    example(&space, &mut Exposed::nothing(&processes));
}

fn views<'s, 'a>(space: &'s Space<'a>, exposed: &'s Exposed, tracking: Tracking) -> Views<'s, 'a> {
    let mut views = Views::new(space, tracking, exposed).expect("there should be enough nodes");
    views.reach().expect("there should be enough nodes");
    views
}

/// All (x, location of P₁, location of P₂) in a set.
fn states(space: &Space, set: &Bdd) -> Vec<(i128, i128, i128)> {
    let [x] = &space.shared[0][..] else { panic!("x is one cell") };
    let [one, two] = [0, 1].map(|slot| &space.slot(slot, 0).location);
    let mut states = Vec::new();
    for x_value in 0..2 {
        for l1 in 0..4 {
            for l2 in 0..4 {
                let here = [(x, x_value), (one, l1), (two, l2)];
                let here = here.map(|(variable, value)| variable.equals(value).expect("a value"));
                let here = space.dd.all_of(here).expect("there should be enough nodes");
                if !is_empty(&space.dd.and(&here, set).expect("there should be enough nodes")) {
                    states.push((x_value, l1, l2));
                }
            }
        }
    }
    states
}

/// ¬π: both are at 2 or 3.
fn error(space: &Space) -> Bdd {
    let critical = |slot: usize| {
        space
            .slot(slot, 0)
            .location
            .among(&space.dd, |location| location >= 2)
            .expect("there should be enough nodes")
    };
    space.dd.and(&critical(0), &critical(1)).expect("there should be enough nodes")
}

fn aux(states: Vec<(i128, i128, i128)>, locations: impl Fn(i128, i128) -> String) -> Vec<String> {
    let bit = |holds: bool| u8::from(holds);
    let write = |(x, l1, l2): (i128, i128, i128)| {
        let u = [l1 == 2, l1 == 3, l2 == 2, l2 == 3].map(bit);
        format!("({x},{},{},{},{}|{})", u[0], u[1], u[2], u[3], locations(l1, l2))
    };
    let mut all: Vec<String> = states.into_iter().map(write).collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn example_1_nothing_is_excluded() {
    with_two(|space, exposed| {
        let mut owner_only = views(space, exposed, OWNER_ONLY);
        let everything = 2 * 4 * 4;
        assert_eq!(states(space, &owner_only.list[0].reached).len(), everything);
        let join = owner_only.join(&[0, 0]).expect("there should be enough nodes");
        assert_eq!(states(space, &join).len(), everything);
    });
}

#[test]
fn example_2_essential_predicates() {
    with_two(|space, exposed| {
        let known = exposed.clone();
        let join =
            views(space, &known, OWNER_ONLY).join(&[0, 0]).expect("there should be enough nodes");
        let wrong = space.dd.and(&join, &error(space)).expect("there should be enough nodes");
        assert_eq!(states(space, &wrong).len(), 2 * 2 * 2);
        assert!(exposed.essential(space, &wrong, 0, 0).expect("there should be enough nodes"));
        let location = exposed.named(0, 0).collect::<Vec<i128>>();
        assert_eq!(location, [2, 3], "the predicates l = 2 and l = 3");
        assert!(
            !exposed.essential(space, &wrong, 1, 0).expect("there should be enough nodes"),
            "those of P₂ are the same"
        );
    });
}

#[test]
fn example_3_augmented_processes() {
    with_two(|space, exposed| {
        let wrong = error(space);
        exposed.essential(space, &wrong, 0, 0).expect("there should be enough nodes");
        let mut with_others = views(space, exposed, WITH_OTHERS);
        let first = states(space, &with_others.list[0].reached);
        let expected = [
            "(0,0,0,0,1|0)",
            "(0,0,0,0,1|1)",
            "(0,0,0,1,0|0)",
            "(0,0,0,1,0|1)",
            "(0,0,1,0,0|3)",
            "(0,1,0,0,0|2)",
            "(1,0,0,0,0|0)",
            "(1,0,0,0,0|1)",
        ];
        assert_eq!(aux(first, |l1, _| l1.to_string()), expected, "R̄₁");
        let join = with_others.join(&[0, 0]).expect("there should be enough nodes");
        let expected = [
            "(0,0,0,0,1|0,3)",
            "(0,0,0,0,1|1,3)",
            "(0,0,0,1,0|0,2)",
            "(0,0,0,1,0|1,2)",
            "(0,0,1,0,0|3,0)",
            "(0,0,1,0,0|3,1)",
            "(0,1,0,0,0|2,0)",
            "(0,1,0,0,0|2,1)",
            "(1,0,0,0,0|0,0)",
            "(1,0,0,0,0|0,1)",
            "(1,0,0,0,0|1,0)",
            "(1,0,0,0,0|1,1)",
        ];
        assert_eq!(aux(states(space, &join), |l1, l2| format!("{l1},{l2}")), expected, "R̄");
        assert!(
            is_empty(&space.dd.and(&join, &wrong).expect("there should be enough nodes")),
            "so π holds"
        );
    });
}
