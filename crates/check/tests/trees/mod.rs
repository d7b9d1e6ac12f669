//! Trees as text. A line for each node:
//!
//! ```text
//! root : x == 0                           // its label: formulas with `;` between them
//! 0 main start->end : x == 1; y == 0      // parent, thread, edge by its locations
//! 0 main start->end/1 : => 3              // the second such edge; covered by node 3
//! ```

// Each test binary uses its own part of this module.
#![allow(dead_code)]

pub mod naive;

use ccfa::semantics::System;
use ccfa::text::{location_name, parse, parse_expr, print_expr};
use ccfa::{EdgeId, Expr, Program, Type};
use evidence::{Proof, Reached, Reason, Tree, TreeNode, Verdict};

pub fn program(text: &str) -> Program {
    parse(&format!("program \"test\"\n{text}")).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

pub fn tree(program: &Program, text: &str) -> Tree {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Tree { nodes: lines.map(|line| node(program, line)).collect() }
}

fn node(program: &Program, line: &str) -> TreeNode {
    let system = System::new(program, 0);
    let scope = Tree::scope(&system);
    let (line, cover) = match line.split_once("=>") {
        Some((line, cover)) => (line, Some(cover.trim().parse().expect("a node"))),
        None => (line, None),
    };
    let (way, label) = line.split_once(" :").expect("a colon before the label");
    let formula = |text: &str| -> Expr {
        parse_expr(program, Some(&scope), Type::Bool, text)
            .unwrap_or_else(|e| panic!("{e:?}: {text}"))
    };
    let parts = label.split(';').map(str::trim).filter(|part| !part.is_empty());
    let words: Vec<&str> = way.split_whitespace().collect();
    let reached = match words[..] {
        ["root"] => None,
        [parent, thread, edge] => Some(reached(&system, parent, thread, edge)),
        _ => panic!("what is `{way}`?"),
    };
    TreeNode { reached, label: parts.map(formula).collect(), cover }
}

fn reached(system: &System, parent: &str, thread: &str, edge: &str) -> Reached {
    let named = |i: &usize| system.program.instance_name(system.instances[*i]) == thread;
    let instance = (0..system.instances.len()).find(named).expect("a thread");
    let template = system.template(instance);
    let (ends, number) = edge.split_once('/').unwrap_or((edge, "0"));
    let (source, target) = ends.split_once("->").expect("an arrow");
    let is_meant = |(_, edge): &(usize, &ccfa::Edge)| {
        location_name(template, edge.source) == source
            && location_name(template, edge.target) == target
    };
    let mut edges = template.edges.iter().enumerate().filter(is_meant);
    let (edge, _) = edges.nth(number.parse().expect("a number")).expect("an edge");
    let parent = parent.parse().expect("a node");
    Reached { parent, instance, edge: EdgeId(edge as u32) }
}

/// A tree for people, almost as it is read.
pub fn write(program: &Program, tree: &Tree) -> String {
    let system = System::new(program, 0);
    let scope = Tree::scope(&system);
    let mut text = String::new();
    for (number, node) in tree.nodes.iter().enumerate() {
        let way = match node.reached {
            None => "root".to_string(),
            Some(Reached { parent, instance, edge }) => {
                let name = system.instances.get(instance).map(|one| program.instance_name(*one));
                format!("{parent} {} edge {}", name.unwrap_or_default(), edge.0)
            }
        };
        let label = node.label.iter().map(|part| print_expr(program, Some(&scope), part));
        let cover = node.cover.map_or(String::new(), |cover| format!(" => {cover}"));
        let label = label.collect::<Vec<_>>().join("; ");
        text += &format!("{number:3}: {way} : {label}{cover}\n");
    }
    text
}

/// What `check` says against a tree; `None` if it passes. If races are asked for, it is about the program in which they are errors.
pub fn refusal(program: &Program, tree: Tree) -> Option<String> {
    let proof = engine_suite::about(program, Proof::Tree(tree));
    match engine_suite::confirm(program, Verdict::Safe(proof)) {
        Verdict::Safe(_) => None,
        Verdict::Unknown(Reason::CheckFailed(why)) => Some(why),
        other => panic!("neither passed nor refused: {other:?}"),
    }
}
