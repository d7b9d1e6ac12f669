//! The worked example of POPL'11, Figure 13: the tree of clauses of LockBitCnt, its refutation and
//! the solution that is read off from it.
//!
//! Thread 1 counts (`m1` to `m2`), takes the lock (to `m3`), and then meets the interference (to `m4`) of
//! thread 2 (`n1`), whose step is the environment transition `e2`.

use ccfa::Type;
use logic::{ArithOp, Sort, Term, Terms};
use solve::interpolate::{Limits, tree};

/// The nodes in our order, children first, and the parents of each.
const NODES: [(&str, Option<usize>); 6] = [
    ("m1", Some(1)),
    ("m2", Some(2)),
    ("m3", Some(5)),
    ("n1", Some(4)),
    ("e2", Some(5)),
    ("m4", None),
];

/// Variables of the states before each step, and what the leaves of the tree say of them.
struct Example {
    terms: Terms,
    cnt: [Term; 3],
    lock: [Term; 3],
}

impl Example {
    fn new() -> Example {
        let mut terms = solve::terms();
        let mut copies = |name: &str| {
            [4, 3, 2].map(|time| {
                let symbol = terms.declare(format!("{name}{time}"), Sort::Scalar(Type::Int));
                terms.symbol(symbol)
            })
        };
        let (cnt, lock) = (copies("cnt"), copies("lock"));
        Example { terms, cnt, lock }
    }

    fn is(&mut self, variable: Term, value: i128) -> Term {
        let value = self.terms.constant(value, Type::Int);
        self.terms.eq(variable, value)
    }

    /// The leaves below each node: initial condition, guards and assignments. In the modular
    /// clauses, thread 2 has its own `cnt`.
    fn groups(&mut self, modular: bool) -> Vec<Vec<Term>> {
        let [cnt4, cnt3, cnt2] = self.cnt;
        let [lock4, lock3, lock2] = self.lock;
        let one = self.terms.constant(1, Type::Int);
        let counted = self.terms.arith(ArithOp::Add, cnt4, one);
        let m1 = vec![self.is(cnt4, 0), self.is(lock4, 0)];
        let m2 = vec![
            self.terms.eq(cnt3, counted),
            self.terms.le(one, cnt3),
            self.terms.eq(lock3, lock4),
        ];
        let m3 = vec![self.is(lock3, 0), self.is(lock2, 1), self.terms.eq(cnt3, cnt2)];
        let n1_cnt = match modular {
            true => {
                let own = self.terms.declare("cntVIII".to_string(), Sort::Scalar(Type::Int));
                self.terms.symbol(own)
            }
            false => cnt2,
        };
        let n1 = vec![self.is(n1_cnt, 0), self.is(lock2, 0)];
        let e2 = vec![self.is(lock2, 0)];
        vec![m1, m2, m3, n1, e2, Vec::new()]
    }

    fn solve(&mut self, groups: &[Vec<Term>]) -> Vec<String> {
        let parents = NODES.map(|(_, parent)| parent);
        let solution = tree(&mut self.terms, groups, &parents, Limits::default());
        let solution = solution.expect("the clauses should have a solution");
        let said = solution.iter().zip(NODES);
        said.map(|(label, (name, _))| format!("{name}: {}", solve::show(&self.terms, *label)))
            .collect()
    }
}

#[test]
fn the_paper_s_proof_gives_the_paper_s_solution() {
    let mut example = Example::new();
    let mut groups = example.groups(false);
    // The atoms that have the weight 1 in the paper's proof.
    for (node, kept) in [(0, None), (1, Some(1)), (2, Some(2)), (3, Some(0)), (4, None)] {
        groups[node] = kept.map(|atom: usize| groups[node][atom]).into_iter().collect();
    }
    let expected = [
        "m1: true",
        "m2: 1 <= cnt3",
        "m3: 1 <= cnt2",
        "n1: cnt2 <= 0",
        "e2: cnt2 <= 0",
        "m4: false",
    ];
    assert_eq!(example.solve(&groups), expected);
}

#[test]
fn the_modular_clauses_speak_of_the_lock() {
    let mut example = Example::new();
    let groups = example.groups(true);
    let solution = example.solve(&groups).join(", ");
    assert!(solution.contains("lock2"), "{solution}");
    assert!(!solution.contains("cnt"), "no label of a solution can speak of cnt: {solution}");
}
