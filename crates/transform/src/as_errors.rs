//! Races and deadlocks become errors (`ccfa::races`, `ccfa::deadlocks`): engines look for these alone.
//!
//! A proof about the program after is one about the program before, by the arguments there: `Proof::RacesAsErrors` and
//! `Proof::DeadlocksAsErrors` say that it is meant so. A witness loses the steps that are new: those with which a thread stops before an access and another meets
//! it, or with which threads give up. What is left leads to the state in which two race, unless
//! the first has been kept from its access since, or in which no thread can move: else it is an answer of neither kind. With memory orders weaker
//! than `seq_cst` there may be races in no interleaving: `orders` says where a proof is an answer.

use crate::orders::weaker;
use crate::pipeline::{Transformation, WayBack};
use crate::resource_order::InOrder;
use ccfa::semantics::{ANY, System};
use ccfa::{Limit, Program, Property, deadlocks, races};
use evidence::{Proof, Reason, Verdict, Witness};

/// Makes races errors, if they are asked for.
pub struct Races;

/// Makes an error of deadlocks, if they are asked for, in one of two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadlocksAs {
    /// All threads have given up; of programs that are not parameterised.
    AllGaveUp,
    /// Resources are taken out of order; of programs in which there is an order.
    OutOfOrder,
}

struct RacesAsErrors(Program);
struct DeadlocksAsErrors(Program);

impl Transformation for Races {
    fn apply(&self, program: &Program) -> Vec<Box<dyn WayBack>> {
        let Property { races, deadlocks, .. } = program.property;
        match races && !deadlocks {
            true => vec![Box::new(RacesAsErrors(races::as_errors(program)))],
            false => Vec::new(),
        }
    }
}

impl Transformation for DeadlocksAs {
    fn apply(&self, program: &Program) -> Vec<Box<dyn WayBack>> {
        match self {
            _ if !program.property.deadlocks => Vec::new(),
            DeadlocksAs::AllGaveUp if program.is_parameterised() => Vec::new(),
            DeadlocksAs::AllGaveUp => {
                vec![Box::new(DeadlocksAsErrors(deadlocks::as_errors(program)))]
            }
            DeadlocksAs::OutOfOrder => InOrder::of(program).map_or_else(Vec::new, |made| {
                let made: Box<dyn WayBack> = Box::new(made);
                vec![made]
            }),
        }
    }
}

impl WayBack for RacesAsErrors {
    fn program(&self) -> &Program {
        &self.0
    }

    fn back(&self, before: &Program, verdict: Verdict) -> Verdict {
        let not_shown =
            "two accesses may race, but the execution found does not show both of them at once";
        match verdict {
            Verdict::Safe(proof) => match weaker(before) {
                None => Verdict::Safe(Proof::RacesAsErrors(Box::new(proof))),
                Some(access) => Verdict::Unknown(Reason::Limit {
                    limit: Limit::Unsupported,
                    what: "a memory order weaker than `seq_cst`, where a data race is asked for"
                        .to_string(),
                    span: access.span,
                }),
            },
            Verdict::Unsafe(witness) => old_steps(before, witness, not_shown),
            unknown => unknown,
        }
    }
}

impl WayBack for DeadlocksAsErrors {
    fn program(&self) -> &Program {
        &self.0
    }

    fn back(&self, before: &Program, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Safe(proof) => Verdict::Safe(Proof::DeadlocksAsErrors(Box::new(proof))),
            Verdict::Unsafe(witness) => old_steps(
                before,
                witness,
                "threads may wait for each other, but the execution found does not show it",
            ),
            unknown => unknown,
        }
    }
}

/// The steps that are steps of the program before, if they lead to a bad state.
fn old_steps(before: &Program, mut witness: Witness, not_shown: &str) -> Verdict {
    let instances = before.instances(witness.instances);
    witness.steps.retain(|step| {
        let template = instances.get(step.instance).map(|one| before.template_of(one.thread));
        template.is_some_and(|template| step.edge.index() < template.edges.len())
    });
    match leads_to_a_bad_state(before, &witness) {
        true => Verdict::Unsafe(witness),
        false => Verdict::Unknown(Reason::Beyond(not_shown.to_string())),
    }
}

/// Does the witness lead to a state that is bad? (`check` asks again, with more care.)
pub(crate) fn leads_to_a_bad_state(program: &Program, witness: &Witness) -> bool {
    let system = System::new(program, witness.instances);
    let mut state = system.initial();
    let mut values = witness.initial.iter().copied();
    for cell in state.cells.iter_mut().filter(|cell| **cell == ANY) {
        *cell = values.next();
    }
    for step in &witness.steps {
        let edge = &system.template(step.instance).edges[step.edge.index()];
        let mut taken = step.havoc.iter().copied();
        match system.step(&state, step.instance, edge, &mut |_| taken.next()) {
            Some(next) => state = next,
            None => return false,
        }
    }
    system.bad(&state).is_some()
}
