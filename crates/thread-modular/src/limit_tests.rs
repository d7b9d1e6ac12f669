//! Limits end a run with UNKNOWN, wherever it is at that time; never with a crash.

use crate::{Method, ThreadModular};
use engine::{Budget, Engine, Event, Observer, Silent, Stop};
use evidence::{Reason, Verdict};

const METHODS: [Method; 3] = [Method::Tmmc, Method::Tmmcir, Method::Afr];

/// Tickets that count up to `most`.
fn tickets(most: usize) -> ccfa::Program {
    let text = format!(
        r#"
program "tickets"
shared next: u8 = 0
shared serving: u8 = 0
template customer() {{
  local mine: u8 = 0
  idle -> waiting: when next < {most} then mine := next, next := next + 1
  waiting -> served: when mine == serving
  served -> bad: when mine != serving
  served -> idle: when serving < {most} then serving := serving + 1
  error bad: "one after the other"
}}
thread t[2] = customer()
"#
    );
    ccfa::text::parse(&text).expect("a program")
}

#[test]
fn without_capacity_for_nodes_there_is_no_verdict() {
    let program = tickets(4);
    for method in [Method::Tmmcir, Method::Afr] {
        let mut decided = Vec::new();
        for capacity in (5..=14).map(|bits| 1 << bits) {
            let engine = ThreadModular { method };
            let budget = Budget::default();
            decided.push(match engine.verify_within(&[capacity], &program, &budget, &mut Silent) {
                Verdict::Safe(_) => true,
                Verdict::Unknown(Reason::Beyond(why)) => {
                    assert_eq!(why, "the decision diagrams would have too many nodes");
                    false
                }
                verdict => panic!("{method:?} with {capacity} nodes: {verdict:?}"),
            });
        }
        assert!(!decided[0], "{method:?}: a few nodes are not enough");
        assert!(decided[decided.len() - 1], "{method:?}: many are");
        let engine = ThreadModular { method };
        let verdict =
            engine.verify_within(&[1 << 5, 1 << 14], &program, &Budget::default(), &mut Silent);
        assert!(matches!(verdict, Verdict::Safe(_)), "{method:?}: a larger capacity is tried");
    }
}

/// Stops the run at the first thing that it tells.
struct Impatient(Budget, Stop);

impl Observer for Impatient {
    fn event(&mut self, _: Event) {
        self.0.stop(self.1);
    }
}

#[test]
fn without_memory_or_time_there_is_no_verdict() {
    let program = tickets(4);
    for method in METHODS {
        for (stop, reason) in
            [(Stop::Memory, Reason::OutOfMemory), (Stop::Timeout, Reason::Timeout)]
        {
            let budget = Budget::default();
            budget.stop(stop);
            let verdict = ThreadModular { method }.verify(&program, &budget, &mut Silent);
            assert_eq!(verdict, Verdict::Unknown(reason.clone()), "{method:?} at once");
            if method == Method::Tmmc {
                continue; // it is not conclusive here, in whatever time
            }
            let budget = Budget::default();
            let mut impatient = Impatient(budget.clone(), stop);
            let verdict = ThreadModular { method }.verify(&program, &budget, &mut impatient);
            assert_eq!(verdict, Verdict::Unknown(reason), "{method:?} later");
        }
    }
}
