//! Trees for many small programs, right and wrong ones: right ones pass, and for
//! a program that the oracle calls unsafe no tree does, whatever is done to it.

mod asked;
mod trees;
use ccfa::random::{Rng, Shape};
use ccfa::{EdgeId, Expr, Program, Type};
use engine_suite::tiny;
use evidence::{Tree, TreeNode};
use trees::naive::{RIGHT, Unwound, WRONG, unwind};
use trees::refusal;

/// So many of the tiny programs are left out after each one that is taken.
const STRIDE: usize = 37;
const SEEDS: std::ops::Range<u64> = 0..400;

/// Small programs, each with whether something wrong can be reached in what proofs for it are about. Every other one is asked for
/// error locations alone.
fn programs() -> impl Iterator<Item = (String, Program, bool)> {
    let tiny = tiny::programs().enumerate().step_by(STRIDE);
    let tiny = tiny.map(|(number, program)| (format!("tiny program {number}"), program));
    let shape = Shape {
        locations: 3,
        edges: 3,
        types: vec![Type::Bool, Type::unsigned(2), Type::signed(2)],
        ..Shape::default()
    };
    let random =
        SEEDS.map(move |seed| (format!("seed {seed}"), ccfa::random::program(seed, &shape)));
    let choice = ccfa::text::parse(CHOICE).expect("a program");
    let all = tiny.chain(random).chain([("choice".to_string(), choice)]).enumerate();
    all.filter_map(|(number, (name, mut program))| {
        if number % 2 == 1 {
            asked::ask(&mut program, &mut Rng::new(number as u64));
        }
        let is_bad = |program: &Program| Some(asked::truth(program, 0)?.contains(&true));
        let (before, after) = (is_bad(&program)?, is_bad(&asked::subject(&program))?);
        assert!(after || !before, "{}", ccfa::text::print(&program));
        Some((name, program, after))
    })
}

/// A fault that is lost if a node covers one after which less may be left out (FMCAD'13,
/// Section IV-C).
const CHOICE: &str = "program \"choice\"
    shared x: u2 = 0
    template check() { error bad: \"x == 0\"   entry start   start -> bad: when x != 0 }
    template write() { start -> chosen: x := 1   start -> chosen   chosen -> end: x := 0 }
    thread check = check()
    thread write = write()";

fn show(name: &str, program: &Program, tree: &Tree) -> String {
    let tree = trees::write(&asked::subject(program), tree);
    format!("{name}\n{}\n{tree}", ccfa::text::print(program))
}

#[test]
fn right_trees_pass_and_unsafe_programs_have_none() {
    let (mut passed, mut refused) = (0, 0);
    let mut nodes = RIGHT.map(|_| 0);
    for (name, program, is_bad) in programs() {
        for (method, nodes) in RIGHT.into_iter().zip(&mut nodes) {
            let Some(Unwound { tree, looks_safe }) = unwind(&asked::subject(&program), method)
            else {
                continue;
            };
            assert_eq!(looks_safe, !is_bad, "{}", show(&name, &program, &tree));
            *nodes += if is_bad { 0 } else { tree.nodes.len() };
            let why = refusal(&program, tree.clone());
            assert_eq!(why.is_some(), is_bad, "{why:?}\n{}", show(&name, &program, &tree));
            *(if is_bad { &mut refused } else { &mut passed }) += 1;
        }
    }
    println!("{passed} passed, {refused} refused; nodes {nodes:?}");
    assert!(passed > 500 && refused > 500, "{passed} passed, {refused} refused");
    assert!(nodes.is_sorted_by(|a, b| a > b), "a reduction left out nothing: {nodes:?}");
}

#[test]
fn wrong_engines_are_found_out() {
    // For each defect: how often it hides an error.
    let mut hidden = WRONG.map(|method| (method, 0));
    for (name, program, is_bad) in programs().filter(|(.., is_bad)| *is_bad) {
        for (method, hidden) in &mut hidden {
            let Some(Unwound { tree, looks_safe }) = unwind(&asked::subject(&program), *method)
            else {
                continue;
            };
            *hidden += usize::from(looks_safe && is_bad);
            let refused = refusal(&program, tree.clone()).is_some();
            assert!(refused, "{method:?}: {}", show(&name, &program, &tree));
        }
    }
    println!("{hidden:?}");
    assert!(hidden.iter().all(|(_, hidden)| *hidden > 0), "{hidden:?}");
}

#[test]
fn no_change_makes_an_unsafe_program_safe() {
    let mut accepted = 0;
    for (number, (name, program, is_bad)) in programs().enumerate() {
        let mut rng = Rng::new(number as u64);
        let method = *rng.pick(&[RIGHT.as_slice(), &WRONG].concat());
        let Some(Unwound { tree, .. }) = unwind(&asked::subject(&program), method) else {
            continue;
        };
        for _ in 0..4 {
            let mut changed = tree.clone();
            for _ in 0..=rng.below(3) {
                mutate(&mut rng, &mut changed);
            }
            let passed = refusal(&program, changed.clone()).is_none();
            assert!(!(passed && is_bad), "{}", show(&name, &program, &changed));
            accepted += usize::from(passed && changed != tree);
        }
    }
    println!("{accepted} changed trees of safe programs are still proofs");
    assert!(accepted > 100, "only {accepted} changed trees are proofs");
}

fn mutate(rng: &mut Rng, tree: &mut Tree) {
    if tree.nodes.is_empty() {
        return;
    }
    let (node, other) = (rng.below(tree.nodes.len()), rng.below(tree.nodes.len()));
    match rng.below(8) {
        0 => remove(tree, node),
        1 => tree.nodes[node].label = vec![],
        2 => tree.nodes[node].label = vec![Expr::FALSE],
        3 => tree.nodes[node].label = tree.nodes[other].label.clone(),
        4 => tree.nodes[node].cover = Some(other as u32),
        5 => tree.nodes[node].cover = None,
        6 => {
            if let Some(reached) = &mut tree.nodes[node].reached {
                reached.edge = EdgeId(rng.below(4) as u32);
            }
        }
        _ => {
            let more = tree.nodes[other].label.clone();
            tree.nodes[node].label.extend(more);
        }
    }
}

/// Takes a node and all below it away.
fn remove(tree: &mut Tree, gone: usize) {
    let mut kept: Vec<Option<u32>> = Vec::new();
    let mut nodes: Vec<TreeNode> = Vec::new();
    for (number, node) in tree.nodes.iter().enumerate() {
        let parent =
            node.reached.map(|reached| kept.get(reached.parent as usize).copied().flatten());
        let stays = number != gone && parent != Some(None);
        kept.push(stays.then_some(nodes.len() as u32));
        if stays {
            let mut node = node.clone();
            if let (Some(reached), Some(Some(parent))) = (&mut node.reached, parent) {
                reached.parent = parent;
            }
            nodes.push(node);
        }
    }
    for node in &mut nodes {
        node.cover = node.cover.and_then(|cover| kept.get(cover as usize).copied().flatten());
    }
    tree.nodes = nodes;
}
