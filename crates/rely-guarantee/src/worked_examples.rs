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

use crate::environment::Environment;
use crate::horn::{Clause, Condition, HornTree};
use crate::reach::{Facts, Origin};
use crate::refine::{Found, Refined, refine};
use crate::setting::Setting;
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
fn lock_bit_with_both_in_view() {
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

fn golden(name: &str, in_view: usize, environment: bool) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = here.join(format!("../../examples/threader/{name}.rely"));
    let model = std::fs::read_to_string(model).expect("the example should be there");
    let told = told(&model, in_view, environment);
    let rule = if environment { "environment" } else { "steps" };
    let file = here.join(format!("src/worked_examples/{name}-{in_view}-{rule}.txt"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, &told).expect("the golden file should be writable");
    }
    let expected = std::fs::read_to_string(&file).expect("the golden file should be there");
    assert_eq!(told, expected, "{}", file.display());
}

/// `MAIN`, told.
fn told(model: &str, in_view: usize, environment: bool) -> String {
    let program = ccfa::text::parse(model).expect("the example should be a model");
    let mut setting = Setting::new(&program, in_view as u32 + 1, &Budget::default());
    let views = Views::new(&setting, in_view).expect("there should be few threads");
    let mut found = Found::new(&mut setting, &views);
    let mut text = String::new();
    for round in 0.. {
        let abstracted = environment.then(|| found.transitions.clone());
        let abstraction = (in_view == 1).then(|| Environment::new(abstracted));
        let mut facts = Facts::new(&mut setting, &views, &found.predicates, abstraction);
        let bad = facts.reach(&mut setting).expect("there should be time");
        writeln!(text, "Round {round}").expect("a string can be written to");
        Told { setting: &mut setting, views: &views, facts: &facts, text: &mut text }.round();
        let Some(first) = bad.first() else {
            return text + "No error: this is a proof.\n";
        };
        let tree = HornTree::new(&mut setting, &views, &facts, *first).expect("it should be small");
        Told { setting: &mut setting, views: &views, facts: &facts, text: &mut text }
            .clauses(&tree);
        for bad in bad {
            let refined = refine(&mut setting, &views, &facts, bad, &mut found);
            if let Ok(Refined::NoSolution(_)) = refined {
                return text + "The clauses have no solution.\n";
            }
        }
        text.push('\n');
    }
    text
}

struct Told<'a, 'p, 'v> {
    setting: &'a mut Setting<'p>,
    views: &'v Views,
    facts: &'a Facts<'v>,
    text: &'a mut String,
}

impl Told<'_, '_, '_> {
    fn line(&mut self, line: String) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn round(&mut self) {
        for (number, view) in self.views.views.iter().enumerate() {
            let names: Vec<String> = view.members.iter().map(|member| self.name(*member)).collect();
            self.line(format!("  in view: {}", names.join(", ")));
            self.line(format!(
                "    predicates: {}",
                self.all(&self.facts.predicates[number], ", ")
            ));
            for (fact, said) in self.facts.facts.iter().enumerate() {
                if said.view == number && said.counts {
                    let at: Vec<String> = view
                        .members
                        .iter()
                        .zip(&said.at)
                        .map(|(member, at)| self.place(*member, *at))
                        .collect();
                    let literals = self.all(&said.literals, " && ");
                    let from = self.origin(&said.origin, &view.members);
                    self.line(format!("    {fact}. {} {{ {literals} }}  {from}", at.join(" ")));
                }
            }
            let abstracted = self.facts.environment.iter().filter(|e| e.is_abstract());
            let changes = abstracted.flat_map(|e| e.changes(number));
            for change in changes.cloned().collect::<Vec<_>>() {
                let name = |symbol| self.setting.terms.symbol_name(symbol).to_string();
                let writes: Vec<String> = change.writes.iter().map(|s| name(*s)).collect();
                let literals = self.all(&change.literals, " && ");
                self.line(format!("    change of {} {{ {literals} }}", writes.join(", ")));
            }
        }
    }

    fn origin(&self, origin: &Origin, members: &[usize]) -> String {
        match origin {
            Origin::Initial => "initially".to_string(),
            Origin::Symmetry { of, .. } => format!("as {of}"),
            Origin::Member { of, place, edge } => {
                format!("from {of} by {}", self.step(members[*place], *edge))
            }
            Origin::Stranger { of, stranger, edge, beside } => {
                let step = self.step(*stranger, *edge);
                format!("from {of} by {step} of another one in {beside:?}")
            }
        }
    }

    /// The clauses, and which conditions cannot hold together.
    fn clauses(&mut self, tree: &HornTree) {
        self.line("  an abstract error:".to_string());
        for (number, node) in tree.nodes.iter().enumerate() {
            let body = match &node.clause {
                Clause::Initial => "initially".to_string(),
                Clause::Symmetry { child, .. } => format!("R{child}, renamed"),
                Clause::Step { children, mover, edge, .. } => {
                    let known: Vec<String> =
                        children.iter().map(|(child, _)| format!("R{child}")).collect();
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
            formulas.iter().map(|f| solve::show(&self.setting.terms, *f)).collect();
        shown.join(between)
    }

    fn name(&self, member: usize) -> String {
        self.setting.system.program.instance_name(self.setting.system.instances[member])
    }

    fn place(&self, member: usize, at: LocId) -> String {
        location_name(self.setting.system.template(member), at)
    }

    fn step(&self, member: usize, edge: EdgeId) -> String {
        let edge = &self.setting.system.template(member).edges[edge.index()];
        format!("{} -> {}", self.place(member, edge.source), self.place(member, edge.target))
    }
}
