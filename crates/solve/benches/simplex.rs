//! Microseconds for a question of 21 constraints on 10 variables, and for the interpolants of a
//! path with 20 steps. Easy: 2 variables a constraint, coefficients 1 and -1; random: 5 variables,
//! coefficients up to 9. Run with `cargo bench -p logic --bench simplex`.

use ccfa::Type;
use ccfa::random::Rng;
use logic::certificate::{Outcome, Problem};
use logic::constraint::{Constraint, Form, LinearVar};
use logic::{ArithOp, Sort, Term, Terms};
use solve::interpolate::{Limits, sequence};
use solve::simplex::{Effort, solve};
use std::time::Instant;

const VARIABLES: u64 = 10;
const CONSTRAINTS: usize = 21;

fn main() {
    let easy: Vec<Problem> = (0..2000).map(|seed| problem(seed, 2, 1)).collect();
    let random: Vec<Problem> = (0..2000).map(|seed| problem(seed, 5, 9)).collect();
    for (name, depth) in [("rationals", 0), ("integers", Effort::default().depth)] {
        let effort = Effort { depth, ..Effort::default() };
        measure(&format!("easy, {name}"), &easy, effort);
        measure(&format!("random, {name}"), &random, effort);
    }
    for steps in [5, 20] {
        let start = Instant::now();
        let found = (0..20).filter(|_| counters(steps).is_some()).count();
        let each = start.elapsed().as_micros() / 20;
        println!("two counters, {steps} steps: {each} us, {found} of 20 refuted");
    }
}

fn measure(name: &str, problems: &[Problem], effort: Effort) {
    let start = Instant::now();
    let (mut infeasible, mut unknown) = (0, 0);
    for problem in problems {
        match solve(problem, effort) {
            Outcome::Infeasible(_) => infeasible += 1,
            Outcome::Integers(_) => {}
            Outcome::Unknown => unknown += 1,
        }
    }
    let each = start.elapsed().as_secs_f64() * 1e6 / problems.len() as f64;
    let count = problems.len();
    println!("{name}: {each:.1} us; of {count}, {infeasible} infeasible, {unknown} unknown");
}

fn problem(seed: u64, width: u64, largest: u64) -> Problem {
    let mut random = Rng::new(seed);
    let mut below = |limit: u64| random.number() % limit;
    let mut constraint = || {
        let cells: Vec<(LinearVar, i128)> = (0..width)
            .map(|_| {
                let size = 1 + below(largest) as i128;
                (LinearVar(below(VARIABLES) as u32), if below(2) == 0 { size } else { -size })
            })
            .collect();
        Constraint::at_most_zero(Form::new(cells, below(21) as i128 - 10))
    };
    let constraints = (0..CONSTRAINTS).map(|_| constraint()).collect();
    Problem { variables: VARIABLES as usize, constraints }
}

/// `x = i = 0; while (i < n) { i++; x++; } assert(x == n)` with so many turns.
fn counters(steps: usize) -> Option<Vec<Term>> {
    let mut terms = solve::terms();
    let int = Type::signed(32);
    let (one, zero) = (terms.constant(1, int), terms.constant(0, int));
    let fresh = |terms: &mut Terms, name: &str| {
        let symbol = terms.declare(name, Sort::Scalar(int));
        terms.symbol(symbol)
    };
    let n = fresh(&mut terms, "n");
    let (mut x, mut i) = (fresh(&mut terms, "x"), fresh(&mut terms, "i"));
    let mut groups = vec![vec![terms.eq(x, zero), terms.eq(i, zero)]];
    for _ in 0..steps {
        let (next_x, next_i) = (fresh(&mut terms, "x"), fresh(&mut terms, "i"));
        let sums = [x, i].map(|value| terms.arith(ArithOp::Add, value, one));
        let guard = terms.lt(i, n);
        groups.push(vec![guard, terms.eq(next_x, sums[0]), terms.eq(next_i, sums[1])]);
        (x, i) = (next_x, next_i);
    }
    groups.push(vec![terms.le(n, i), terms.ne(x, n)]);
    sequence(&mut terms, &groups, Limits::default())
}
