//! The checker of evidence. **Trusted.**
//!
//! Every SAFE and every UNSAFE passes [`confirm`] before it is printed. Evidence that
//! is refuted becomes UNKNOWN, loudly: it is a defect of the engine. So nothing
//! an engine does can make an answer wrong, as long as this crate is right; it
//! is small for that reason and knows no engine. What a step means it asks
//! `ccfa::semantics`, and for proofs with formulas `logic`: terms, steps as formulas
//! and the solver for bits, nothing else of it. Evidence may be malformed in any way: it is refused with
//! a sentence that says why, never with a panic. The *program* is taken to be
//! well-formed.
//!
//! Reading order: `replay` (witnesses); `closed` (proofs by sets of states; with the
//! argument why the conditions suffice; `ccfa::footprint` says which steps conflict),
//! `members`; `tree` (abstract reachability trees; with the argument), `commute` (which steps
//! can be swapped), `skeleton` (what is malformed), `obligations` (formulas); `assertions`
//! (assertions about tracked threads, for parameterised programs, too; with the argument); `reduction` (that a proof
//! about a smaller program is one about this; with the argument). A proof about races speaks of the program in which
//! they are errors (`ccfa::races`; with the argument), and one about deadlocks may speak of the program in which these are (`ccfa::deadlocks`), or
//! in which it is one to take resources out of order (`ccfa::resource_order`).

mod assertions;
mod closed;
mod commute;
mod describe;
mod members;
mod obligations;
mod observe;
mod reduction;
mod replay;
mod skeleton;
mod tree;

pub use observe::{Observer, Premise};
pub use reduction::check as confirm_reduction;
pub use replay::{Replay, execute, replay};

use ccfa::resource_order::as_errors;
use ccfa::{Budget, Program, Property};
use evidence::{Proof, Reason, Verdict};
use logic::certificate::IntegerSearch;

/// With what formulas are decided.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// What it finds is verified, not believed.
    pub integers: IntegerSearch,
    /// Once it is exhausted, nothing more is decided.
    pub budget: &'a Budget,
    /// Is told what is asked.
    pub observer: Option<&'a dyn Observer>,
}

/// The verdict, if its evidence holds for `program`. Refuted evidence gives
/// `Unknown(CheckFailed)`. Once `budget` is exhausted, whatever has not been
/// checked in full is `Unknown` for that reason: an unchecked proof is no proof. What `integers` finds is verified, not
/// believed.
pub fn confirm(
    program: &Program,
    verdict: Verdict,
    integers: IntegerSearch,
    budget: &Budget,
) -> Verdict {
    let checked = match &verdict {
        Verdict::Safe(proof) => proves(program, proof, Means::new(integers, budget)),
        Verdict::Unsafe(witness) => match replay(program, witness) {
            Ok(_) => Ok(()),
            Err(why) => refuse(why),
        },
        Verdict::Unknown(_) => Ok(()),
    };
    checked.map_or_else(Verdict::Unknown, |()| verdict)
}

/// Does this prove that the program reaches no bad state (`ccfa::property`) and no model limit? An observer is told of all that is asked
/// of formulas.
pub fn proves(program: &Program, proof: &Proof, means: Means) -> Result<(), Reason> {
    let Property { races, deadlocks, .. } = program.property;
    let of = |after: Program, proof| proves(&after, proof, means);
    match proof {
        Proof::RacesAsErrors(_) if deadlocks => {
            refuse("a thread that has stopped before an access is no deadlock")
        }
        Proof::RacesAsErrors(proof) => of(ccfa::races::as_errors(program), proof),
        Proof::DeadlocksAsErrors(_) if program.is_parameterised() => {
            refuse("of a parameterised program it is not known when all threads have given up")
        }
        Proof::DeadlocksAsErrors(proof) => of(ccfa::deadlocks::as_errors(program), proof),
        Proof::Ordered(order, proof) => of(as_errors(program, order).or_else(refuse)?, proof),
        _ if races => refuse("the proof is not about the program in which races are errors"),
        Proof::Tree(_) | Proof::Assertions(_) if deadlocks => {
            refuse("only a closed set of states says anything about deadlocks")
        }
        Proof::Closed(set) => closed::check(program, set, means.budget),
        Proof::Tree(tree) => tree::check(program, tree, means),
        Proof::Assertions(proof) => assertions::check(program, proof, means),
        Proof::Reduced(reduction, proof) => {
            reduction::check(program, reduction, means)?;
            proves(&reduction.program, proof, means)
        }
    }
}

fn refuse<T>(why: impl Into<String>) -> Result<T, Reason> {
    Err(Reason::CheckFailed(why.into()))
}
