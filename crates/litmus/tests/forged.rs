//! Executions that are none are refused: `verify` believes nothing of what it is given.

use ccfa::{Budget, MemoryModel};
use litmus::Candidate;
use litmus::test::Datum;

const MESSAGE_PASSING: &str = "X86 MP
{ }
 P0         | P1          ;
 MOV [x],$1 | MOV EAX,[y] ;
 MOV [y],$1 | MOV EBX,[x] ;
exists (1:EAX=1 /\\ 1:EBX=0)";

/// The execution in which both reads see what was written, and what becomes of it.
fn verified(forge: impl Fn(&mut Candidate)) -> Result<(), String> {
    let test = litmus::parse(MESSAGE_PASSING).expect("the test can be read");
    let axioms = axioms::axioms(MemoryModel::Tso);
    let decision = litmus::decide(&test, &axioms, &Budget::default()).expect("nobody stops it");
    let seen = vec![Datum::Number(1), Datum::Number(1)];
    let mut candidate = decision.states[&seen].clone();
    forge(&mut candidate);
    litmus::verify(&test, &axioms, &candidate).map(|_| ())
}

/// Events: 0 and 1 are the initial writes of x and y, 2 and 3 the writes of P0, 4 and 5 the reads of P1.
#[test]
fn forged_executions_are_refused() {
    assert_eq!(verified(|_| {}), Ok(()));
    let refused = |why: &str, forge: &dyn Fn(&mut Candidate)| {
        assert_eq!(verified(forge), Err(why.to_string()));
    };
    refused("each thread has its choices", &|candidate| candidate.choices.truncate(1));
    refused("a thread does not come to its end", &|candidate| candidate.choices[1].truncate(1));
    let not_written = "a read reads what was not written";
    refused(not_written, &|candidate| candidate.choices[1][0] = Datum::Number(2));
    refused(not_written, &|candidate| candidate.reads_from = vec![(3, 4), (3, 5)]);
    refused(not_written, &|candidate| candidate.reads_from = vec![(4, 4), (2, 5)]);
    refused(not_written, &|candidate| candidate.reads_from = vec![(3, 4), (2, 5), (2, 5)]);
    refused(not_written, &|candidate| candidate.reads_from = vec![(3, 4), (2, 9)]);
    refused(not_written, &|candidate| candidate.reads_from = vec![(9, 4), (2, 5)]);
    refused("a read reads from nowhere", &|candidate| candidate.reads_from = vec![(3, 4)]);
    let no_order = "coherence is no order of the writes of a location";
    refused(no_order, &|candidate| candidate.coherence[0] = vec![2, 0]);
    refused(no_order, &|candidate| candidate.coherence[0] = vec![0]);
    refused(no_order, &|candidate| candidate.coherence[0] = vec![0, 2, 3]);
    refused("each location has its coherence order", &|candidate| {
        candidate.coherence.truncate(1);
    });
    // The forbidden outcome itself.
    refused("the axiom `propagation` does not hold", &|candidate| {
        candidate.choices[1] = vec![Datum::Number(1), Datum::Number(0)];
        candidate.reads_from = vec![(3, 4), (0, 5)];
    });
}
