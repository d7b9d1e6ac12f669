//! Rely-guarantee proofs found automatically: A. Gupta, C. Popeea and A. Rybalchenko, *Predicate
//! Abstraction and Refinement for Verifying Multi-Threaded Programs*, POPL 2011.
//!
//! The abstract states that can be reached are computed for each thread on its own, as far as predicates can tell,
//! together with the interference of the other threads. If an error seems to be reachable, its derivation is a
//! set of recursion-free Horn clauses; a solution of these says which predicates
//! are missing, and if there is none, the derivation may be a real counterexample.
//!
//! With the paper beside the code:
//!
//! | the paper | here |
//! |---|---|
//! | `MAIN` (Figure 6) | [`main`](self) below |
//! | programs, transitions, `φ_init` (Section 3) | `context` |
//! | `ABSTREACHENV` (Figure 7) | `reach`; its states `R_i` and `Parent` in `aret`; `α̇(post(ρ, S))` in `post` |
//! | environment transitions `E_i`, `α̈` (Figure 7) | `environment`, if one thread is tracked; `interference`, if more are |
//! | `REFINE` (Figure 9) | `refine`; `Ṗ_i` in `predicates`, `P̈_{i.j}` in `transition_predicates` |
//! | `MKHORNCLAUSES`, `MKTREE` (Figures 10, 11, 15) | `horn` |
//! | `SOLVELINEARHC` (Figure 14) | `solve_linear` |
//! | `MKPATH` (Figure 8) | `path` |
//!
//! Beside these, `view` says which threads are tracked together, `cubes` and `premises` answer what is asked of sets of literals
//! once, `congruence` has the first predicates, `values` and `explicit` decide modular proofs by values, `proof` writes the proof down.
//!
//! Where we differ (each module says why that is sound; and nothing here is trusted: `check` verifies the assertions and replays the path):
//! - **Views instead of two kinds of clauses.** The paper first admits assertions about one thread
//!   and shared variables (modular), then about all variables. We track one thread, then
//!   two, then three, until all are tracked (or, if there are few, all at once). One tracked thread is the paper's modular case, all
//!   are its unrestricted one; those between are new, and they work for parameterised threads: an environment
//!   thread moves under what is known of it beside each of the tracked threads
//!   (compare J. Hoenicke, R. Majumdar, A. Podelski, *Thread modularity at many levels*, POPL 2017).
//! - **Control locations** of all tracked threads are explicit, so refinement is about data alone (the paper's Section 8).
//! - **Environment transitions** are abstracted (`environment`) where that is asked for, or where the other rule finds no
//!   predicates: that of Owicki and Gries, for views. There, interference is applied edge
//!   by edge, under what is known of the thread that moves. It needs more abstract states and fewer refinements, which
//!   mostly is the better bargain.
//! - **Values.** If abstract states become many with one tracked thread, the states that the modular
//!   rule can reach are computed explicitly (`values`). That decides whether there is a modular proof, where values are few: if not, more threads
//!   are tracked at once; if so, that is the proof.
//! - **Solutions** come from weakest preconditions along the core, from linear arithmetic, and
//!   from the values on the derivation (`refine`).

mod aret;
mod congruence;
mod context;
mod cubes;
mod descriptor;
mod environment;
mod explicit;
mod horn;
mod ids;
mod interference;
mod path;
mod post;
mod predicates;
mod premises;
#[cfg(test)]
mod progress_tests;
mod proof;
mod reach;
mod refine;
mod solve_linear;
mod symbols;
mod transition_predicates;
mod values;
#[cfg(test)]
mod values_tests;
mod view;
#[cfg(test)]
mod worked_examples;

use aret::Aret;
use ccfa::Program;
use context::Context;
use engine::{Budget, Counter, Engine, Event, Observer};
use environment::Environment;
use evidence::{Assertions, Proof, Reason, Verdict};
use ids::StateId;
use refine::{Precision, Refined, refine};
use values::{Modular, modular};
use view::Views;

pub use descriptor::RELY_GUARANTEE;

/// If there are parameterised threads, so many threads are tracked at most: the abstract states of more are too many.
const MAX_TRACKED_THREADS: usize = 3;

/// So many threads are all tracked at once, if one at a time does not do: abstract states are still few, and nothing is lost.
const MAX_JOINT_THREADS: usize = 4;

/// With so many abstract states, explicit values are computed, too: where values are few, these decide sooner.
const MIN_STATES_FOR_VALUES: usize = 150;

/// After so many refinements, more threads are tracked: a proof with fewer would mostly have been found.
const MAX_REFINEMENTS: u64 = 60;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct RelyGuarantee {
    /// Begin with one tracked thread, so that modular proofs are found where there are any; or with
    /// as many as there can be.
    pub bias: bool,
    /// How interference is applied, if one thread is tracked.
    pub rule: Rule,
}

/// A proof rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Owicki and Gries; where no predicates are found, environment transitions.
    Auto,
    /// Interference is abstracted to environment transitions (REACHENV, the paper's Figure 5).
    ReachEnv,
    /// Interference is applied edge by edge.
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
            true => MAX_TRACKED_THREADS,
            false => program.instances(0).len(),
        };
        if most == 0 {
            return Verdict::Safe(Proof::Assertions(Assertions { views: Vec::new() }));
        }
        let mut context = Context::new(program, most as u32 + 1, budget);
        let mut attempt = Attempt {
            tracked: if self.bias { 1 } else { most },
            most,
            few: !program.is_parameterised() && most <= MAX_JOINT_THREADS,
            environment: self.rule == Rule::ReachEnv,
            other_rule: self.rule == Rule::Auto,
        };
        loop {
            let failure = match main(&mut context, &attempt, observer) {
                Ok(verdict) => return verdict,
                Err(failure) => failure,
            };
            match attempt.next(&failure) {
                Some(next) if context.check_budget().is_ok() => attempt = next,
                _ => return Verdict::Unknown(failure.reason()),
            }
        }
    }
}

/// How to look for a proof.
struct Attempt {
    /// So many threads are tracked,
    tracked: usize,
    /// of so many that can be,
    most: usize,
    /// which are few.
    few: bool,
    /// Interference is abstracted, if one thread is tracked.
    environment: bool,
    /// Otherwise that is to be tried, too.
    other_rule: bool,
}

/// Why there is no verdict.
enum NoVerdict {
    /// There is no proof with so many tracked threads, or looking for it takes too long.
    NoProof(Reason),
    /// No more predicates were found, or something else went wrong.
    GaveUp(Reason),
}

impl NoVerdict {
    fn reason(self) -> Reason {
        match self {
            NoVerdict::NoProof(reason) | NoVerdict::GaveUp(reason) => reason,
        }
    }
}

impl From<Reason> for NoVerdict {
    fn from(reason: Reason) -> NoVerdict {
        NoVerdict::GaveUp(reason)
    }
}

impl Attempt {
    /// What to try after a failure.
    fn next(&self, failure: &NoVerdict) -> Option<Attempt> {
        if self.tracked == 1 && self.other_rule && matches!(failure, NoVerdict::GaveUp(_)) {
            return Some(Attempt { environment: true, other_rule: false, ..*self });
        }
        let tracked = if self.few { self.most } else { self.tracked + 1 };
        (self.tracked < self.most).then_some(Attempt { tracked, ..*self })
    }

    /// The environment of the first abstraction, if one thread is tracked. (If that is the only one, there is no
    /// interference to be abstracted.)
    fn environment(&self, precision: &Precision) -> Option<Environment> {
        let is_abstract = self.environment && self.most > 1;
        let predicates = is_abstract.then(|| precision.transition_predicates.clone());
        (self.tracked == 1).then(|| Environment::new(predicates))
    }

    /// May explicit values decide whether there is a proof?
    fn may_use_values(&self) -> bool {
        self.tracked == 1 && self.most > 1 && !self.environment
    }

    fn no_proof(&self) -> NoVerdict {
        let threads = match self.tracked {
            1 => "one tracked thread".to_string(),
            count => format!("{count} tracked threads"),
        };
        NoVerdict::NoProof(Reason::Beyond(format!("no proof was found with {threads}")))
    }
}

/// `MAIN`, with so many tracked threads.
fn main(
    context: &mut Context,
    attempt: &Attempt,
    observer: &mut dyn Observer,
) -> Result<Verdict, NoVerdict> {
    let views = Views::new(context, attempt.tracked)?;
    let mut precision = Precision::new(context, &views);
    let mut may_use_values = attempt.may_use_values();
    for refinements in 0.. {
        let environment = attempt.environment(&precision);
        let mut aret = Aret::new(context, &views, &precision.predicates, environment);
        let errors = aret.reach(context)?;
        observer.event(Event::Counters(&[
            Counter { name: "abstract states", value: aret.states.len() as u64 },
            Counter { name: "tracked threads", value: attempt.tracked as u64 },
            Counter { name: "predicates", value: precision.len() as u64 },
            Counter { name: "refinements", value: refinements },
        ]));
        if errors.is_empty() {
            return Ok(proof::proof(context, &aret));
        }
        if refinements == MAX_REFINEMENTS && attempt.tracked < attempt.most {
            break;
        }
        if may_use_values && aret.states.len() > MIN_STATES_FOR_VALUES {
            may_use_values = false;
            match modular(context) {
                Modular::No => break,
                Modular::Proof(regions) => return Ok(proof::by_values(context, &views, &regions)),
                Modular::Undecided => {}
            }
        }
        if let Some(path) = exclude(context, attempt, &aret, errors, &mut precision)? {
            return Ok(path);
        }
    }
    Err(attempt.no_proof())
}

/// `REFINE` for each of the error states; a verdict if the derivation of one of them is a path.
fn exclude(
    context: &mut Context,
    attempt: &Attempt,
    aret: &Aret,
    errors: Vec<StateId>,
    precision: &mut Precision,
) -> Result<Option<Verdict>, NoVerdict> {
    let mut is_new = false;
    for error in errors {
        match refine(context, aret, error, precision)? {
            Refined::Excluded => is_new = true,
            // The predicates found for another one may exclude it.
            Refined::NothingNew => {}
            Refined::NoSolution(tree) if tree.is_path() => {
                return Ok(Some(path::mk_path(context, aret, &tree)));
            }
            Refined::NoSolution(_) => return Err(attempt.no_proof()),
        }
    }
    match is_new {
        true => Ok(None),
        false => {
            let why = "no predicates were found that exclude an abstract error";
            Err(NoVerdict::GaveUp(Reason::Beyond(why.into())))
        }
    }
}
