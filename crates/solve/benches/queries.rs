//! How long does a small question take? Streams as engines ask them: premises over ten
//! numbers and five flags (bounds, `x == y + c`, flags) and a negated conclusion.
//! From question to question, most premises change in "jumping" streams and one in "walking"
//! streams; in both, all symbols change now and then.

use ccfa::random::Rng;
use ccfa::{Budget, Type};
use logic::{Answer, ArithOp, Sort, Term, Terms};
use solve::{BitSolver, Decider, QuickSolver, Solver};
use std::time::Instant;

const NUMBER: Type = Type::signed(32);
const QUESTIONS: usize = 1000;
const EPOCHS: usize = 20;

fn main() {
    for (name, changes) in [("jumping", usize::MAX), ("walking", 1)] {
        for premises in [5, 20] {
            let (terms, questions) = stream(premises, changes);
            println!("{name}, {premises} premises:");
            measure("BitSolver", &mut BitSolver::new(&Budget::default()), &terms, &questions);
            measure("QuickSolver", &mut QuickSolver::new(&Budget::default()), &terms, &questions);
            let mut decider = Decider::new(&Budget::default());
            measure("Decider", &mut decider, &terms, &questions);
            println!("      {:?}", decider.counters());
        }
    }
}

fn measure<S: Solver>(name: &str, solver: &mut S, terms: &Terms, questions: &[Vec<Term>]) {
    let start = Instant::now();
    let answers: Vec<Answer> = questions.iter().map(|asked| solver.check(terms, asked)).collect();
    let each = start.elapsed().as_nanos() / questions.len() as u128;
    let unsat = answers.iter().filter(|answer| **answer == Answer::Unsat).count();
    println!("  {name:12} {each:9} ns per question, {unsat} of {} unsat", questions.len());
}

/// Questions of some premises, `changes` of which change each time.
fn stream(premises: usize, changes: usize) -> (Terms, Vec<Vec<Term>>) {
    let mut terms = solve::terms();
    let mut rng = Rng::new(1);
    let mut questions = Vec::new();
    for epoch in 0..EPOCHS {
        let symbols = Symbols::declare(&mut terms, epoch);
        let mut held: Vec<Term> =
            (0..premises).map(|_| symbols.atom(&mut terms, &mut rng)).collect();
        for _ in 0..QUESTIONS / EPOCHS {
            for _ in 0..changes.min(premises) {
                let place = rng.below(premises);
                held[place] = symbols.atom(&mut terms, &mut rng);
            }
            let conclusion = symbols.atom(&mut terms, &mut rng);
            let negated = terms.not(conclusion);
            questions.push([held.clone(), vec![negated]].concat());
        }
    }
    (terms, questions)
}

struct Symbols {
    numbers: Vec<Term>,
    flags: Vec<Term>,
}

impl Symbols {
    fn declare(terms: &mut Terms, epoch: usize) -> Symbols {
        let mut some = |name: &str, ty, count| -> Vec<Term> {
            let mut one = |number| {
                let symbol = terms.declare(format!("{name}{number}.{epoch}"), Sort::Scalar(ty));
                terms.symbol(symbol)
            };
            (0..count).map(&mut one).collect()
        };
        Symbols { numbers: some("x", NUMBER, 10), flags: some("p", Type::Bool, 5) }
    }

    fn atom(&self, terms: &mut Terms, rng: &mut Rng) -> Term {
        let (x, y) = (*rng.pick(&self.numbers), *rng.pick(&self.numbers));
        let flag = *rng.pick(&self.flags);
        let constant = terms.constant(rng.below(20) as i128 - 5, NUMBER);
        match rng.below(6) {
            0 => terms.le(x, constant),
            1 => terms.le(constant, x),
            2 => {
                let sum = terms.arith(ArithOp::Add, y, constant);
                terms.eq(x, sum)
            }
            3 => terms.le(x, y),
            4 => {
                let bound = terms.le(x, constant);
                terms.or([flag, bound])
            }
            _ if rng.one_in(2) => flag,
            _ => terms.not(flag),
        }
    }
}
