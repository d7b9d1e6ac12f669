//! The paper's worked examples, round by round: predicates, abstract states, environment
//! transitions, and the derivation of an abstract error as Horn clauses with the reason why it is none.
//!
//! Sections 2, 6 and 7 have LockBit, LockId and LockBitCnt. Our models state the error of two threads in
//! their critical sections by a variable that both write, so there are two more steps than in the paper. What
//! the paper says of them is there: LockId has a modular proof, found in a few rounds, in which
//! transition predicates speak of `lock`; LockBit and LockBitCnt have none, and the clauses that show it
//! let both take the lock. (The numbers of Figure 13, where linear arithmetic solves such
//! clauses, are a test of `logic`.)
//!
//! `UPDATE_GOLDEN=1 cargo test` writes the texts anew.

use crate::aret::{Aret, Parent};
use crate::context::Context;
use crate::environment::Environment;
use crate::horn::{Clause, Condition, HornTree};
use crate::ids::{InstanceId, NodeId, StateId};
use crate::refine::{Precision, Refined, refine};
use crate::view::Views;
use ccfa::text::location_name;
use ccfa::{EdgeId, LocId};
use engine::Budget;
use logic::Term;
use std::fmt::Write;
use std::path::Path;

#[test]
fn lock_bit_has_no_modular_proof() {
    golden("lock-bit", 1, true);
}

#[test]
fn lock_bit_with_both_tracked() {
    golden("lock-bit", 2, false);
}

#[test]
fn lock_id_by_environment_transitions() {
    golden("lock-id", 1, true);
}

#[test]
fn lock_id_step_by_step() {
    golden("lock-id", 1, false);
}

#[test]
fn lock_bit_cnt_has_no_modular_proof() {
    golden("lock-bit-cnt", 1, true);
}

fn golden(name: &str, tracked: usize, environment: bool) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = here.join(format!("../../examples/threader/{name}.rely"));
    let model = std::fs::read_to_string(model).expect("the example should be there");
    let told = told(&model, tracked, environment);
    let rule = if environment { "environment" } else { "steps" };
    let file = here.join(format!("src/worked_examples/{name}-{tracked}-{rule}.txt"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, &told).expect("the golden file should be writable");
    }
    let expected = std::fs::read_to_string(&file).expect("the golden file should be there");
    assert_eq!(told, expected, "{}", file.display());
}

/// `MAIN`, told.
fn told(model: &str, tracked: usize, environment: bool) -> String {
    let program = ccfa::text::parse(model).expect("the example should be a model");
    let mut context = Context::new(&program, tracked as u32 + 1, &Budget::default());
    let views = Views::new(&context, tracked).expect("there should be few threads");
    let mut precision = Precision::new(&mut context, &views);
    let mut text = String::new();
    for round in 0.. {
        let abstracted = environment.then(|| precision.transition_predicates.clone());
        let abstraction = (tracked == 1).then(|| Environment::new(abstracted));
        let mut aret = Aret::new(&mut context, &views, &precision.predicates, abstraction);
        let errors = aret.reach(&mut context).expect("there should be time");
        writeln!(text, "Round {round}").expect("a string can be written to");
        Told { context: &context, aret: &aret, text: &mut text }.round();
        let Some(first) = errors.first() else {
            return text + "No error: this is a proof.\n";
        };
        let tree = HornTree::new(&mut context, &aret, *first).expect("it should be small");
        Told { context: &context, aret: &aret, text: &mut text }.clauses(&tree);
        for error in errors {
            let refined = refine(&mut context, &aret, error, &mut precision);
            if let Ok(Refined::NoSolution(_)) = refined {
                return text + "The clauses have no solution.\n";
            }
        }
        text.push('\n');
    }
    text
}

struct Told<'a, 'p, 'v> {
    context: &'a Context<'p>,
    aret: &'a Aret<'v>,
    text: &'a mut String,
}

impl Told<'_, '_, '_> {
    fn line(&mut self, line: String) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn round(&mut self) {
        for (id, view) in self.aret.views.iter() {
            let names: Vec<String> = view.tracked.iter().map(|i| self.name(*i)).collect();
            self.line(format!("  tracked: {}", names.join(", ")));
            let predicates = self.all(&self.aret.abstraction(id).predicates, ", ");
            self.line(format!("    predicates: {predicates}"));
            for (StateId(number), state) in self.aret.reached(id) {
                let places = view.tracked.iter().zip(&state.at);
                let at: Vec<String> = places.map(|(i, at)| self.location(*i, *at)).collect();
                let literals = self.all(&state.literals, " && ");
                let from = self.parent(&state.parent, &view.tracked);
                self.line(format!("    {number}. {} {{ {literals} }}  {from}", at.join(" ")));
            }
            let abstracted = self.aret.environment.iter().filter(|e| e.is_abstract());
            for transition in abstracted.flat_map(|e| e.transitions(id)) {
                let name = |symbol| self.context.terms.symbol_name(symbol).to_string();
                let writes: Vec<String> = transition.writes.iter().map(|s| name(*s)).collect();
                let literals = self.all(&transition.literals, " && ");
                let writes = writes.join(", ");
                self.line(format!("    environment transition on {writes} {{ {literals} }}"));
            }
        }
    }

    fn parent(&self, parent: &Parent, tracked: &[InstanceId]) -> String {
        match parent {
            Parent::Initial => "initially".to_string(),
            Parent::Symmetry { of, .. } => format!("as {}", of.0),
            Parent::Local { of, slot, edge } => {
                format!("from {} by {}", of.0, self.step(tracked[*slot], *edge))
            }
            Parent::Environment { of, thread, edge, origins } => {
                let step = self.step(*thread, *edge);
                let origins: Vec<usize> = origins.iter().map(|origin| origin.0).collect();
                format!("from {} by {step} of an environment thread in {origins:?}", of.0)
            }
        }
    }

    /// The clauses, and which conditions cannot hold together.
    fn clauses(&mut self, tree: &HornTree) {
        self.line("  an abstract error:".to_string());
        for (NodeId(number), node) in tree.iter() {
            let body = match &node.clause {
                Clause::Initial => "initially".to_string(),
                Clause::Symmetry { child, .. } => format!("R{}, renamed", child.0),
                Clause::Step { children, mover, edge, .. } => {
                    let known: Vec<String> =
                        children.iter().map(|(child, _)| format!("R{}", child.0)).collect();
                    format!("{} and {}", known.join(" and "), self.step(*mover, *edge))
                }
            };
            let guards = node.conditions.iter().filter_map(|(_, what)| match what {
                Condition::Guard(guard) => Some(*guard),
                _ => None,
            });
            let guards: Vec<Term> = guards.collect();
            self.line(format!("    R{number} <- {body}  {}", self.all(&guards, " && ")));
        }
    }

    fn all(&self, formulas: &[Term], between: &str) -> String {
        let shown: Vec<String> =
            formulas.iter().map(|f| solve::show(&self.context.terms, *f)).collect();
        shown.join(between)
    }

    fn name(&self, InstanceId(number): InstanceId) -> String {
        self.context.system.program.instance_name(self.context.system.instances[number])
    }

    fn location(&self, instance: InstanceId, at: LocId) -> String {
        location_name(self.context.template(instance), at)
    }

    fn step(&self, instance: InstanceId, edge: EdgeId) -> String {
        let edge = &self.context.template(instance).edges[edge.index()];
        let [source, target] = [edge.source, edge.target].map(|at| self.location(instance, at));
        format!("{source} -> {target}")
    }
}
