//! Putting cases together says the same, or less; never more.

use super::{Case, Formula};
use crate::report::proof::scope::Scope;
use ccfa::random::Rng;
use ccfa::semantics::{State, System};
use ccfa::text::{parse, parse_expr};
use ccfa::{Expr, Program, ThreadId, Type};

fn model() -> Program {
    let text = "program \"three numbers\"
        file 0 \"three.c\"
        shared x: u2 = 0 source \"x\" \"unsigned\"
        shared y: i2 = 0 source \"y\" \"int\"
        shared b: bool = false source \"b\" \"_Bool\"
        shared `.own`: bool = false
        template t() { start -> end }
        thread t = t()";
    parse(text).expect("a model")
}

fn expr(program: &Program, text: &str) -> Expr {
    parse_expr(program, None, Type::Bool, text).expect("an expression")
}

fn told(facts: &[&str]) -> String {
    let program = model();
    let scope = Scope::of_thread(&program, ThreadId(0));
    let facts: Vec<Expr> = facts.iter().map(|text| expr(&program, text)).collect();
    Formula::any_of(Case::of(&scope, &facts)).text(&scope)
}

#[test]
fn facts_in_c() {
    assert_eq!(told(&["x == 1", "b"]), "b && x == 1");
    assert_eq!(told(&["0 <= x", "x < 3", "1 <= x"]), "1 <= x <= 2");
    assert_eq!(told(&["!(x == 1 || b)"]), "!b && x != 1");
    assert_eq!(told(&["x == 1 && b || x == 1 && !b"]), "x == 1");
    assert_eq!(told(&["x + 3 == 1"]), "x == 2");
    assert_eq!(told(&["(y & 1) == 0"]), "(y & 1) == 0");
    assert_eq!(told(&["x == 0 || x == 2", "b"]), "(x == 0 || x == 2) && b");
    assert_eq!(told(&["b && x == 1 || !b && y == 1"]), "!b && y == 1 || b && x == 1");
}

#[test]
fn facts_about_names_of_our_own_are_left_out() {
    assert_eq!(told(&["`.own`", "x == 1"]), "x == 1");
    assert_eq!(told(&["`.own` || x == 1"]), "");
}

/// All states of the model's visible variables.
fn states(system: &System) -> Vec<State> {
    let mut states = Vec::new();
    for (x, y, b) in (0..32).map(|n| (n & 3, (n >> 2 & 3) - 2, n >> 4)) {
        let mut state = system.initial();
        state.cells[..3].copy_from_slice(&[Some(x), Some(y), Some(b)]);
        states.push(state);
    }
    states
}

fn holds(system: &System, state: &State, expr: &Expr) -> bool {
    system.eval(state, 0, expr) == Ok(Some(1))
}

/// Does a formula hold in a state, as seen by an instance?
pub fn formula_holds(system: &System, instance: usize, state: &State, formula: &Formula) -> bool {
    let case_holds = |case: &Case| {
        case.0.iter().all(|(term, within)| {
            let value = system.eval(state, instance, term).ok().flatten().expect("a value");
            let ty = term.ty(&|var| system.var(instance, var).ty);
            within.contains(&super::Ranges::only(ty, value))
        })
    };
    case_holds(&formula.common) && formula.rest.iter().all(|cases| cases.iter().any(case_holds))
}

fn random_fact(program: &Program, random: &mut Rng) -> Expr {
    let facts = ["x == 1", "x != 2", "x < 2", "1 <= x", "y == -1", "y < 1", "0 <= y", "b", "!b"];
    let [a, b, c] = [(); 3].map(|()| *random.pick(&facts));
    let shapes = [
        a.to_string(),
        format!("{a} || {b}"),
        format!("{a} && {b} || {c}"),
        format!("!({a} && {b})"),
    ];
    expr(program, random.pick::<String>(&shapes))
}

#[test]
fn random_cases_are_told_rightly() {
    let program = model();
    let system = System::new(&program, 0);
    let scope = Scope::of_thread(&program, ThreadId(0));
    let states = states(&system);
    let (mut exact, mut less) = (0, 0);
    for seed in 0..2000 {
        let mut random = Rng::new(seed);
        let mut side = || -> Vec<Vec<Expr>> {
            let count = 1 + random.below(4);
            (0..count)
                .map(|_| (0..2).map(|_| random_fact(&program, &mut random)).collect())
                .collect()
        };
        let (left, right) = (side(), side());
        let formula_of = |regions: &[Vec<Expr>]| {
            Formula::any_of(regions.iter().flat_map(|facts| Case::of(&scope, facts)).collect())
        };
        let formula = formula_of(&left).and(formula_of(&right));
        for state in &states {
            let meant = |regions: &[Vec<Expr>]| {
                regions.iter().any(|facts| facts.iter().all(|fact| holds(&system, state, fact)))
            };
            let expected = meant(&left) && meant(&right);
            let actual = formula_holds(&system, 0, state, &formula);
            assert!(actual || !expected, "seed {seed}: {} says too much", formula.text(&scope));
            match actual == expected {
                true => exact += 1,
                false => less += 1,
            }
        }
    }
    assert!(exact > 10 * less, "{exact} states told exactly, {less} not");
}
