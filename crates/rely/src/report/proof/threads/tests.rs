//! What is told of a thread is true in every state that the program reaches.

use super::{TrackedThread, always, tracked_threads};
use crate::report::proof::formula::tests::formula_holds;
use ccfa::semantics::{State, System};
use ccfa::{Expr, Program};
use engine::{Budget, Engine, Silent};
use evidence::{Assertions, Proof, Verdict};
use rely_guarantee::RelyGuarantee;

const MODELS: [&str; 3] = [
    include_str!("../../../../../../examples/threader/lock-id.rely"),
    include_str!("../../../../../../examples/threader/lock-bit.rely"),
    include_str!("../../../../../../examples/threader/lock-bit-cnt.rely"),
];

fn proof(program: &Program) -> Assertions {
    let mut engine = RelyGuarantee::default();
    match engine.verify(program, &Budget::default(), &mut Silent) {
        Verdict::Safe(Proof::Assertions(proof)) => proof,
        other => panic!("no proof: {other:?}"),
    }
}

/// All states of a program without arbitrary values.
fn reachable(system: &System) -> Vec<State> {
    let mut states = vec![system.initial()];
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        next += 1;
        for instance in 0..system.instances.len() {
            for edge in &system.template(instance).edges {
                let here = edge.source == state.locations[instance];
                let after = here.then(|| system.step(&state, instance, edge, &mut |_| None));
                states.extend(after.flatten().filter(|after| !states.contains(after)));
            }
        }
    }
    states
}

fn check(system: &System, instance: usize, thread: &TrackedThread, state: &State) {
    let at = state.locations[instance];
    let knows = thread.holds_at(|location| location == at);
    assert!(formula_holds(system, instance, state, &knows), "{} at {at:?}", thread.name);
    for edge in thread.writing_steps().filter(|edge| edge.source == at) {
        if system.eval(state, instance, &edge.guard) == Ok(Some(1)) {
            let when = thread.condition(&[edge], |_: &Expr| true).expect("it is taken");
            assert!(formula_holds(system, instance, state, &when), "{} from {at:?}", thread.name);
        }
    }
}

#[test]
fn what_is_told_holds_wherever_the_program_comes() {
    for model in MODELS {
        let program = ccfa::text::parse(model).expect("a model");
        let proof = proof(&program);
        let system = System::new(&program, 0);
        let tracked_threads = tracked_threads(&program, &proof);
        assert_eq!(tracked_threads.len(), system.instances.len(), "one for each instance");
        let told =
            tracked_threads.iter().map(|thread| thread.assertions(&always(&tracked_threads)).len());
        assert!(told.sum::<usize>() > 2, "{}: something is told", program.name);
        for state in reachable(&system) {
            for (instance, thread) in tracked_threads.iter().enumerate() {
                check(&system, instance, thread, &state);
            }
        }
    }
}
