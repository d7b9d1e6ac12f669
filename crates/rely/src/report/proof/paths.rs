//! A tree in words: the facts about shared variables that it uses when a thread comes to a line.
//!
//! A fact belongs to one path of the tree, and not every interleaving is in the tree: so these
//! are not assertions that hold at the line whatever happens.

use super::formula::{Case, Formula};
use super::places::{Places, ProofPlace, list};
use super::scope::{Scope, vars};
use super::table::Row;
use ccfa::semantics::System;
use ccfa::{Expr, Program, VarRef};
use evidence::{Tree, TreeNode};
use std::collections::BTreeMap;

/// So many facts are shown of a line: a row has to fit on a screen.
const MAX_FACTS: usize = 3;

/// For each instance, with its name: a row for each line.
pub fn facts(program: &Program, tree: &Tree) -> Vec<(String, Vec<Row>)> {
    let system = System::new(program, 0);
    let scope = Scope::of_system(&system);
    let of_instance = |(number, instance): (usize, &ccfa::Instance)| {
        (program.instance_name(*instance), rows(&system, &scope, tree, number))
    };
    system.instances.iter().enumerate().map(of_instance).collect()
}

fn rows(system: &System, scope: &Scope, tree: &Tree, instance: usize) -> Vec<Row> {
    let template = system.template(instance);
    let places = Places::new(system.program, template);
    let mut uses: BTreeMap<ProofPlace, BTreeMap<String, usize>> = BTreeMap::new();
    for node in &tree.nodes {
        let Some(reached) = node.reached.filter(|reached| reached.instance == instance) else {
            continue;
        };
        let place = places.of(template.edges[reached.edge.index()].target);
        for fact in shown(scope, node) {
            *uses.entry(place.clone()).or_default().entry(fact).or_default() += 1;
        }
    }
    let row = |(place, facts): (ProofPlace, BTreeMap<String, usize>)| {
        Row::new(list(system.program, &[place], &[]), most_used(facts))
    };
    uses.into_iter().map(row).collect()
}

/// What is told of a node.
fn shown<'a>(scope: &'a Scope, node: &'a TreeNode) -> impl Iterator<Item = String> + 'a {
    let text = |fact| Formula::any_of(Case::of(scope, std::slice::from_ref(fact))).text(scope);
    let shared = |fact: &&Expr| vars(fact).iter().any(|var| matches!(var, VarRef::Shared(_)));
    node.label.iter().filter(shared).map(text).filter(|text| !text.is_empty())
}

/// "x == 1; y < 3; 4 more"
fn most_used(facts: BTreeMap<String, usize>) -> String {
    let mut facts: Vec<(String, usize)> = facts.into_iter().collect();
    facts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut texts: Vec<String> =
        facts.iter().take(MAX_FACTS).map(|(text, _)| text.clone()).collect();
    if facts.len() > MAX_FACTS {
        texts.push(format!("{} more", facts.len() - MAX_FACTS));
    }
    texts.join("; ")
}
