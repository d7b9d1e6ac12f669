//! Rely-guarantee proofs found automatically: A. Gupta, C. Popeea and A. Rybalchenko, *Predicate
//! Abstraction and Refinement for Verifying Multi-Threaded Programs*, POPL 2011.
//!
//! What can be reached is computed for each thread on its own, as far as predicates can tell,
//! together with what the others do to it. If an error seems to be reachable, its derivation is a
//! set of recursion-free Horn clauses; a solution of these says which predicates
//! are missing, and if there is none, the derivation may be a real counterexample.
//!
//! The paper's procedures: `MAIN` here, `ABSTREACHENV` in `reach`, `REFINE` in `refine`,
//! `MKHORNCLAUSES` and `MKTREE` in `horn`, `SOLVELINEARHC` in `solve`, `MKPATH` in `path`.
//! `setting` is the program as formulas, `view` says who is looked at together,
//! `predicates` and `environment` keep what was found, `congruence` what is plain to see; `known`
//! answers what follows from what. `values` and `run` decide modular proofs by values.
//!
//! Where we differ:
//! - **Views instead of two kinds of clauses.** The paper first admits assertions about one thread
//!   and shared variables (modular), then about all variables. We put one thread in view, then
//!   two, then three, until all are (or, if there are few, all at once). One in view is the paper's modular case, all in
//!   view its unrestricted one; those between are new, and they work for threads in any number:
//!   whoever is not in view moves under what is known of him beside each of those in view
//!   (compare J. Hoenicke, R. Majumdar, A. Podelski, *Thread modularity at many levels*, POPL 2017).
//! - **Control locations** of all in view are explicit, so refinement is about data alone.
//! - **Environment transitions** are abstracted (`environment`) where that is asked for, or where the other rule finds no
//!   predicates: that of Owicki and Gries, for views. There, what a thread does to others is looked at step
//!   by step, under what is known of it. It needs more abstract states and fewer refinements, which
//!   mostly is the better bargain.
//! - **Values.** If abstract states become many with one thread in view, the program is run as the modular
//!   rule sees it (`values`). That decides whether there is a modular proof, where values are few: if not, more threads
//!   are put in view at once; if so, that is the proof.
//! - **Solutions** come from weakest preconditions along the core, from linear arithmetic, and
//!   from the values on the derivation, in this order; where a loop compares by size, linear arithmetic
//!   comes first.
//!
//! Nothing here is trusted: `check` verifies the assertions and replays the path.

mod congruence;
mod descriptor;
mod environment;
mod horn;
mod known;
mod numbered;
mod path;
mod predicates;
#[cfg(test)]
mod progress_tests;
mod proof;
mod reach;
mod refine;
mod run;
mod setting;
mod solve;
mod symbols;
mod values;
#[cfg(test)]
mod values_tests;
mod view;
#[cfg(test)]
mod worked_examples;

use ccfa::Program;
use engine::{Budget, Engine, Event, Observer};
use environment::Environment;
use evidence::{Assertions, Proof, Reason, Verdict};
use reach::Facts;
use refine::{Found, Refined, refine};
use setting::Setting;
use values::{Modular, modular};
use view::Views;

pub use descriptor::RELY_GUARANTEE;

/// Of threads in any number, so many are looked at together at most.
const MOST_OF_MANY: usize = 3;

/// So many threads are all put in view at once, if one at a time does not do.
const FEW: usize = 4;

/// If there are more facts, it may be better to look at values.
const MANY: usize = 150;

/// After so many refinements, more threads are put in view.
const PATIENCE: u64 = 60;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct RelyGuarantee {
    /// Begin with one thread in view, so that modular proofs are found where there are any; or with
    /// as many as there can be.
    pub bias: bool,
    /// How to look at the steps of others, if one thread is in view.
    pub rule: Rule,
}

/// A proof rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Owicki and Gries; where no predicates are found, environment transitions.
    Auto,
    /// What others do is abstracted to environment transitions (the paper's Figure 5).
    ReachEnv,
    /// The steps of others are looked at one by one.
    OwickiGries,
}

impl Default for RelyGuarantee {
    fn default() -> RelyGuarantee {
        RelyGuarantee { bias: true, rule: Rule::Auto }
    }
}

impl Engine for RelyGuarantee {
    fn name(&self) -> &'static str {
        "rely-guarantee"
    }

    fn verify(
        &mut self,
        program: &Program,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Verdict {
        let most = match program.is_parameterised() {
            true => MOST_OF_MANY,
            false => program.instances(0).len(),
        };
        if most == 0 {
            return Verdict::Safe(Proof::Assertions(Assertions { views: Vec::new() }));
        }
        let mut setting = Setting::new(program, most as u32 + 1, budget);
        let mut attempt = Attempt {
            in_view: if self.bias { 1 } else { most },
            most,
            few: !program.is_parameterised() && most <= FEW,
            environment: self.rule == Rule::ReachEnv,
            other_rule: self.rule == Rule::Auto,
        };
        loop {
            let failure = match main(&mut setting, &attempt, observer) {
                Ok(verdict) => return verdict,
                Err(failure) => failure,
            };
            match attempt.next(&failure) {
                Some(next) if setting.pause().is_ok() => attempt = next,
                _ => return Verdict::Unknown(failure.reason()),
            }
        }
    }
}

/// How to look for a proof.
struct Attempt {
    /// So many threads are in view,
    in_view: usize,
    /// of so many that can be,
    most: usize,
    /// which are few.
    few: bool,
    /// What others do is abstracted, if one is in view.
    environment: bool,
    /// Otherwise that is to be tried, too.
    other_rule: bool,
}

/// Why there is no verdict.
enum Failure {
    /// There is no proof with so many in view, or looking for it takes too long.
    NoProof(Reason),
    /// No more predicates were found, or something else went wrong.
    Stuck(Reason),
}

impl Failure {
    fn reason(self) -> Reason {
        match self {
            Failure::NoProof(reason) | Failure::Stuck(reason) => reason,
        }
    }
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Failure {
        Failure::Stuck(reason)
    }
}

impl Attempt {
    /// What to try after a failure.
    fn next(&self, failure: &Failure) -> Option<Attempt> {
        if self.in_view == 1 && self.other_rule && matches!(failure, Failure::Stuck(_)) {
            return Some(Attempt { environment: true, other_rule: false, ..*self });
        }
        let in_view = if self.few { self.most } else { self.in_view + 1 };
        (self.in_view < self.most).then_some(Attempt { in_view, ..*self })
    }

    /// With all in view, nobody disturbs them.
    fn abstracts_environment(&self) -> bool {
        self.environment && self.in_view == 1 && self.most > 1
    }
}

/// `MAIN`, with so many threads in view.
fn main(
    setting: &mut Setting,
    attempt: &Attempt,
    observer: &mut dyn Observer,
) -> Result<Verdict, Failure> {
    let in_view = attempt.in_view;
    let views = Views::new(setting, in_view)?;
    let mut found = Found::new(setting, &views);
    let mut may_run = in_view == 1 && attempt.most > 1 && !attempt.environment;
    for refinements in 0.. {
        let abstracted = attempt.abstracts_environment().then(|| found.transitions.clone());
        let environment = (in_view == 1).then(|| Environment::new(abstracted));
        let mut facts = Facts::new(setting, &views, &found.predicates, environment);
        let bad = facts.reach(setting)?;
        observer.event(Event::Assertions {
            in_view: in_view as u64,
            regions: facts.facts.len() as u64,
            predicates: found.len() as u64,
            refinements,
        });
        if bad.is_empty() {
            return Ok(proof::proof(setting, &views, &facts));
        }
        if refinements == PATIENCE && in_view < attempt.most {
            break;
        }
        if may_run && facts.facts.len() > MANY {
            may_run = false;
            match modular(setting) {
                Modular::No => return Err(no_proof(in_view)),
                Modular::Proof(regions) => return Ok(proof::by_values(setting, &views, &regions)),
                Modular::Unclear => {}
            }
        }
        let mut is_new = false;
        for bad in bad {
            match refine(setting, &views, &facts, bad, &mut found)? {
                Refined::Excluded => is_new = true,
                // Those found for another one may exclude it.
                Refined::NothingNew => {}
                Refined::NoSolution(tree) if tree.is_run() => {
                    return Ok(path::mk_path(setting, &views, &facts, &tree));
                }
                Refined::NoSolution(_) => return Err(no_proof(in_view)),
            }
        }
        if !is_new {
            let why = "no predicates were found that exclude an abstract error";
            return Err(Failure::Stuck(Reason::Beyond(why.into())));
        }
    }
    Err(no_proof(in_view))
}

fn no_proof(in_view: usize) -> Failure {
    let why = format!("no proof was found with {} in view", threads(in_view));
    Failure::NoProof(Reason::Beyond(why))
}

fn threads(count: usize) -> String {
    match count {
        1 => "one thread".to_string(),
        count => format!("{count} threads"),
    }
}
