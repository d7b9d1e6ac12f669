//! Certificates of reductions that are wrong: the checker refuses each of a table, and among random ones
//! it accepts none that loses an error or a model limit which a naive search finds.

mod naive;

use ccfa::random::{self, Rng, Shape};
use ccfa::{
    Assign, Budget, EdgeId, Expr, Init, LocId, LocalId, Program, Rhs, SharedId, Template, Type,
};
use check::Means;
use evidence::{Reduction, TemplateReduction};
use naive::reachable;
use transform::{Fuse, Pipeline, Transformation, reductions};

fn accepted(before: &Program, reduction: &Reduction) -> Result<(), String> {
    let answer = check::confirm_reduction(
        before,
        reduction,
        Means::new(solve::integers, &Budget::default()),
    );
    answer.map_err(|why| format!("{why:?}"))
}

fn parse(text: &str) -> Program {
    ccfa::text::parse(&format!("program \"test\"\n{text}"))
        .unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

/// The program after lies in the program before by the names of locations and variables; the paths are those of all edges
/// after, template by template.
fn lying(before: &Program, after: Program, paths: &[&[&[u32]]]) -> Reduction {
    let shared = |name: &String| before.shared.iter().position(|var| var.name == *name);
    let shared = after.shared.iter().map(|var| SharedId(shared(&var.name).unwrap() as u32));
    let template = |(number, after): (usize, &Template)| {
        let before = &before.templates[number];
        let local = |name: &String| before.locals.iter().position(|var| var.name == *name);
        let at = |name: &String| before.locations.iter().position(|at| at.name == *name);
        TemplateReduction {
            locals: after.locals.iter().map(|v| LocalId(local(&v.name).unwrap() as u32)).collect(),
            constants: Vec::new(),
            locations: after.locations.iter().map(|l| LocId(at(&l.name).unwrap() as u32)).collect(),
            paths: paths[number].iter().map(|p| p.iter().map(|e| EdgeId(*e)).collect()).collect(),
        }
    };
    Reduction {
        shared: shared.collect(),
        constants: Vec::new(),
        irrelevant: false,
        templates: after.templates.iter().enumerate().map(template).collect(),
        program: after,
    }
}

/// A program before, one after, the paths of its edges, and whether that is right.
type Case = (&'static str, &'static str, &'static str, &'static [&'static [&'static [u32]]], bool);

const CASES: &[Case] = &[
    (
        "a visible write and what follows it",
        "shared s: u8 = 0
         template t() { local x: u8 = 0  a -> b: s := 1  b -> c: x := 2 }
         template o() { p -> q: when s == 1 }
         thread t = t() thread o = o()",
        "shared s: u8 = 0
         template t() { local x: u8 = 0  a -> c: s := 1, x := 2 }
         template o() { p -> q: when s == 1 }
         thread t = t() thread o = o()",
        &[&[&[0, 1]], &[&[0]]],
        true,
    ),
    (
        "two visible steps",
        "shared s: u8 = 0  shared r: u8 = 0
         template t() { a -> b: s := 1  b -> c: r := 1 }
         template o() { p -> bad: when s == 1 && r == 0  error bad: \"\" }
         thread t = t() thread o = o()",
        "shared s: u8 = 0  shared r: u8 = 0
         template t() { a -> c: s := 1, r := 1 }
         template o() { p -> bad: when s == 1 && r == 0  error bad: \"\" }
         thread t = t() thread o = o()",
        &[&[&[0, 1]], &[&[0]]],
        false,
    ),
    (
        "two visible steps of twins",
        "shared s: u8 = 0
         template t() { local x: u8 = 0  a -> b: x := s  b -> c: s := x + 1
                        c -> bad: when s == 1  error bad: \"\" }
         thread t[2] = t()",
        "shared s: u8 = 0
         template t() { local x: u8 = 0  a -> c: x := s, s := s + 1
                        c -> bad: when s == 1  error bad: \"\" }
         thread t[2] = t()",
        &[&[&[0, 1], &[2]]],
        false,
    ),
    (
        "the same two steps of a thread on its own",
        "shared s: u8 = 0
         template t() { local x: u8 = 0  a -> b: x := s  b -> c: s := x + 1
                        c -> bad: when s == 1  error bad: \"\" }
         thread t = t()",
        "shared s: u8 = 0
         template t() { local x: u8 = 0  a -> c: x := s, s := s + 1
                        c -> bad: when s == 1  error bad: \"\" }
         thread t = t()",
        &[&[&[0, 1], &[2]]],
        true,
    ),
    (
        "a step that may block after a visible write",
        "shared s: u8 = 0
         template t() { local x: u8 = 0  a -> b: s := 1  b -> c: when x == 1 }
         template o() { p -> bad: when s == 1  error bad: \"\" }
         thread t = t() thread o = o()",
        "shared s: u8 = 0
         template t() { local x: u8 = 0  a -> c: when x == 1 then s := 1 }
         template o() { p -> bad: when s == 1  error bad: \"\" }
         thread t = t() thread o = o()",
        &[&[&[0, 1]], &[&[0]]],
        false,
    ),
    (
        "a step that may be undefined after a visible write",
        "shared s: u8 = 0
         template t() { local x: u8 = 0  a -> b: s := 1  b -> c: x := 1 / x }
         template o() { p -> bad: when s == 1  error bad: \"\" }
         thread t = t() thread o = o()",
        "shared s: u8 = 0
         template t() { local x: u8 = 0  a -> c: s := 1, x := 1 / x }
         template o() { p -> bad: when s == 1  error bad: \"\" }
         thread t = t() thread o = o()",
        &[&[&[0, 1]], &[&[0]]],
        false,
    ),
    (
        "a path is missing",
        "template t() { local x: u8 = any  a -> b: x := x + 1  b -> c: when x == 1
                        b -> bad: when x != 1  error bad: \"\" }
         thread t = t()",
        "template t() { local x: u8 = any  a -> c: when x == 0 then x := x + 1 }
         thread t = t()",
        &[&[&[0, 1]]],
        false,
    ),
    (
        "a path is missing that cannot be taken",
        "template t() { local x: u8 = any  a -> b: x := 1  b -> c: when x == 1
                        b -> bad: when x != 1  error bad: \"\" }
         thread t = t()",
        "template t() { local x: u8 = any  a -> c: x := 1 }
         thread t = t()",
        &[&[&[0, 1]]],
        true,
    ),
    (
        "another guard",
        "template t() { local x: u8 = any  a -> b: x := x + 1  b -> bad: when x == 1  error bad: \"\" }
         thread t = t()",
        "template t() { local x: u8 = any  a -> bad: when x == 1 then x := x + 1  error bad: \"\" }
         thread t = t()",
        &[&[&[0, 1]]],
        false,
    ),
    (
        "another value of a live variable",
        "template t() { local x: u8 = 0  a -> b: x := 1  b -> bad: when x == 1  error bad: \"\" }
         thread t = t()",
        "template t() { local x: u8 = 0  a -> b: x := 2  b -> bad: when x == 1  error bad: \"\" }
         thread t = t()",
        &[&[&[0], &[1]]],
        false,
    ),
    (
        "another initial value of a live variable",
        "template t() { local x: u8 = any  a -> bad: when x == 1  error bad: \"\" }
         thread t = t()",
        "template t() { local x: u8 = 0  a -> bad: when x == 1  error bad: \"\" }
         thread t = t()",
        &[&[&[0]]],
        false,
    ),
    (
        "another value of a dead variable",
        "template t() { local x: u8 = any  a -> b: x := 1  b -> b }
         thread t = t()",
        "template t() { local x: u8 = 0  a -> b: x := 2  b -> b }
         thread t = t()",
        &[&[&[0], &[1]]],
        true,
    ),
    (
        "a value less for a havoc",
        "shared s: u8 = 0
         template t() { a -> b: s := any  b -> bad: when s == 7  error bad: \"\" }
         thread t = t()",
        "shared s: u8 = 0
         template t() { a -> b: s := 1  b -> bad: when s == 7  error bad: \"\" }
         thread t = t()",
        &[&[&[0], &[1]]],
        false,
    ),
    (
        "a removed loop",
        "template t() { local x: u8 = 0  a -> b  b -> b: x := x + 1  b -> bad: when x == 3
                        error bad: \"\" }
         thread t = t()",
        "template t() { local x: u8 = 0  a -> bad: when x == 3  error bad: \"\" }
         thread t = t()",
        &[&[&[0, 2]]],
        false,
    ),
    (
        "a removed error",
        "template t() { a -> bad  bad -> c  error bad: \"\" }
         thread t = t()",
        "template t() { a -> c }
         thread t = t()",
        &[&[&[0, 1]]],
        false,
    ),
    (
        "an atomic section opened",
        "shared s: u8 = 0
         template t() { atomic location b  a -> b: s := 1  b -> c: s := 2 }
         template o() { p -> bad: when s == 1  error bad: \"\" }
         thread t = t() thread o = o()",
        "shared s: u8 = 0
         template t() { a -> b: s := 1  b -> c: s := 2 }
         template o() { p -> bad: when s == 1  error bad: \"\" }
         thread t = t() thread o = o()",
        &[&[&[0], &[1]], &[&[0]]],
        false,
    ),
    (
        "an atomic section as one step",
        "shared s: u8 = 0
         template t() { atomic location b  a -> b: s := 1  b -> c: when s == 1 then s := 2 }
         template o() { p -> bad: when s == 1  error bad: \"\" }
         thread t = t() thread o = o()",
        "shared s: u8 = 0
         template t() { a -> c: s := 2 }
         template o() { p -> bad: when s == 1  error bad: \"\" }
         thread t = t() thread o = o()",
        &[&[&[0, 1]], &[&[0]]],
        true,
    ),
    (
        "a visible step on the way into an atomic section",
        "shared s: u8 = 0
         template t() { local x: u8 = 0  atomic location c  a -> b: x := s  b -> c
                        c -> bad: when s != x  error bad: \"\" }
         template o() { p -> q: s := 1 }
         thread t = t() thread o = o()",
        "shared s: u8 = 0
         template t() { local x: u8 = 0  atomic location c  a -> c: x := s
                        c -> bad: when s != x  error bad: \"\" }
         template o() { p -> q: s := 1 }
         thread t = t() thread o = o()",
        &[&[&[0, 1], &[2]], &[&[0]]],
        false,
    ),
    (
        "a step that blocks on the way out of an atomic section",
        "shared s: u8 = 0  shared r: u8 = 0
         template t() { local x: u8 = 0  atomic location b  a -> b: s := 1  b -> c  c -> d: when r == 1 }
         template o() { p -> bad: when s == 1  error bad: \"\" }
         thread t = t() thread o = o()",
        "shared s: u8 = 0  shared r: u8 = 0
         template t() { local x: u8 = 0  atomic location b  a -> b: s := 1  b -> d: when r == 1 }
         template o() { p -> bad: when s == 1  error bad: \"\" }
         thread t = t() thread o = o()",
        &[&[&[0], &[1, 2]], &[&[0]]],
        false,
    ),
    (
        "fewer threads",
        "template t() { a -> bad  error bad: \"\" }
         thread t = t() thread u = t()",
        "template t() { a -> bad  error bad: \"\" }
         thread t = t()",
        &[&[&[0]]],
        false,
    ),
    (
        "an initial condition that was not there",
        "shared s: u8 = any
         template t() { a -> bad: when s == 3  error bad: \"\" }
         thread t = t()",
        "shared s: u8 = any
         initial s == 1
         template t() { a -> bad: when s == 3  error bad: \"\" }
         thread t = t()",
        &[&[&[0]]],
        false,
    ),
];

#[test]
fn each_forged_certificate_is_refused() {
    let mut refused = 0;
    for (name, before, after, paths, right) in CASES {
        let before = parse(before);
        let answer = accepted(&before, &lying(&before, parse(after), paths));
        assert_eq!(answer.is_ok(), *right, "{name}: {answer:?}");
        refused += usize::from(answer.is_err());
    }
    assert!(refused > 14, "{refused}");
}

#[test]
fn what_is_no_constant_is_refused() {
    let text = "
        shared s: u8 = 0
        shared r: u8 = any
        template t() { a -> b: s := 1  b -> bad: when s == 1 && r == 2  error bad: \"\" }
        thread t = t()";
    for constant in [SharedId(0), SharedId(1), SharedId(7)] {
        let before = parse(text);
        let mut reduction = lying(&before, before.clone(), &[&[&[0], &[1]]]);
        assert_eq!(accepted(&before, &reduction), Ok(()));
        reduction.constants.push(constant);
        assert!(accepted(&before, &reduction).is_err(), "{constant:?}");
    }
}

/// Certificates that do not fit together are refused, without a panic.
#[test]
fn malformed_certificates_are_refused() {
    let before = parse(
        "shared s: u8 = 0
         template t() { local x: u8 = 0  a -> b: s := x  b -> bad: when s == 1  error bad: \"\" }
         thread t = t()",
    );
    let right = lying(&before, before.clone(), &[&[&[0], &[1]]]);
    assert_eq!(accepted(&before, &right), Ok(()));
    let mutants: [fn(&mut Reduction); 10] = [
        |r| r.shared.clear(),
        |r| r.shared[0] = SharedId(9),
        |r| r.templates.clear(),
        |r| r.templates[0].locals[0] = LocalId(4),
        |r| r.templates[0].locations.swap(0, 2),
        |r| r.templates[0].locations[1] = LocId(0),
        |r| r.templates[0].locations[1] = LocId(99),
        |r| r.templates[0].paths.truncate(1),
        |r| r.templates[0].paths[0] = vec![EdgeId(77)],
        |r| r.templates[0].constants.push(LocalId(3)),
    ];
    for (number, mutate) in mutants.iter().enumerate() {
        let mut mutant = right.clone();
        mutate(&mut mutant);
        assert!(accepted(&before, &mutant).is_err(), "mutant {number}");
    }
}

/// Makes something of a reduction wrong, perhaps.
fn corrupt(before: &Program, reduction: &mut Reduction, rng: &mut Rng) {
    let number = rng.below(reduction.program.templates.len());
    let kind = rng.below(8);
    let certificate = &mut reduction.templates[number];
    let template = &mut reduction.program.templates[number];
    if template.edges.is_empty() {
        return;
    }
    let edge = rng.below(template.edges.len());
    match kind {
        0 => {
            template.edges.remove(edge);
            certificate.paths.remove(edge);
        }
        1 => {
            let guard = std::mem::replace(&mut template.edges[edge].guard, Expr::TRUE);
            template.edges[edge].guard = Expr::negate(guard);
        }
        2 => {
            let other = template.edges[rng.below(template.edges.len())].guard.clone();
            template.edges[edge].guard = other;
        }
        3 => drop(template.edges[edge].assigns.pop()),
        4 => {
            let other = rng.below(certificate.paths.len().max(1));
            certificate.paths.swap(edge, other);
        }
        5 => {
            let havoc = |assign: &&mut Assign| assign.value == Rhs::Havoc;
            let types: Vec<_> = template.locals.iter().map(|var| var.ty).collect();
            if let Some(assign) = template.edges[edge].assigns.iter_mut().find(havoc)
                && let ccfa::Place::Var(ccfa::VarRef::Local(var)) = assign.place
                && template.locals[var.index()].len.is_none()
            {
                assign.value = Rhs::Expr(Expr::Const(0, types[var.index()]));
            }
        }
        6 => reduction.constants.push(SharedId(rng.below(before.shared.len().max(1)) as u32)),
        _ => {
            let any = |var: &&mut ccfa::Var| var.init == Init::Any;
            if let Some(var) = reduction.program.shared.iter_mut().find(any) {
                var.init = Init::Value(0);
            }
        }
    }
}

/// What the checker says of a reduction, and whether the naive search knows of something that is lost.
#[derive(Default, Debug)]
struct Tally {
    accepted: usize,
    refused: usize,
    lost: usize,
}

impl Tally {
    fn count(&mut self, before: &Program, reduction: &Reduction, name: &str) {
        let after = &reduction.program;
        if ccfa::wellformed::check(after).is_err() {
            return;
        }
        let (Some(old), Some(new)) = (reachable(before), reachable(after)) else { return };
        let is_lost = !old.is_subset(&new);
        self.lost += usize::from(is_lost);
        match accepted(before, reduction) {
            Ok(()) => {
                self.accepted += 1;
                let (before, after) = (ccfa::text::print(before), ccfa::text::print(after));
                assert!(!is_lost, "{name}: accepted, but something is lost\n{before}\n{after}");
            }
            Err(_) => self.refused += 1,
        }
    }
}

/// Little data, and much that threads do to each other.
fn quarrelling() -> Shape {
    Shape {
        threads: 2,
        shared: 2,
        locations: 6,
        edges: 8,
        depth: 1,
        types: vec![Type::Bool, Type::unsigned(2)],
        arrays: false,
        havoc: false,
        ..Shape::default()
    }
}

#[test]
fn no_corrupted_reduction_that_loses_something_is_accepted() {
    let mut tally = Tally::default();
    for seed in 0..2400 {
        let mut rng = Rng::new(!seed);
        let shape = if seed % 2 == 0 { quarrelling() } else { Shape::default() };
        let pipeline = Pipeline::run(random::program(seed, &shape), &reductions());
        for (before, certificate) in pipeline.certificates() {
            let mut reduction = certificate.expect("reductions have certificates").clone();
            corrupt(before, &mut reduction, &mut rng);
            tally.count(before, &reduction, &format!("seed {seed}"));
        }
    }
    assert!(tally.accepted > 100 && tally.refused > 500 && tally.lost > 30, "{tally:?}");
}

/// Two threads that do one thing after the other to the same variables, and to one of their own.
fn chains(rng: &mut Rng) -> Program {
    let step = |rng: &mut Rng| {
        let (var, other) = [("s", "r"), ("r", "s")][rng.below(2)];
        let value = rng.below(3);
        match rng.below(7) {
            0 => format!("x := {var}"),
            1 => format!("{var} := x"),
            2 => format!("{var} := {value}u2"),
            3 => format!("{var} := {other}"),
            4 => format!("when {var} == {value}u2"),
            5 => format!("x := x + {value}u2"),
            _ => format!("when x != {value}u2 then {var} := 1u2"),
        }
    };
    let mut text = "shared s: u2 = 0\nshared r: u2 = 0\n".to_string();
    for name in ["t", "u"] {
        let length = 2 + rng.below(4);
        text += &format!("template {name}() {{ local x: u2 = 0\n");
        for number in 0..length {
            text += &format!("l{number} -> l{}: {}\n", number + 1, step(rng));
        }
        let (value, other) = (rng.below(3), rng.below(3));
        let bad = format!("when s == {value}u2 && x == {other}u2");
        text +=
            &format!("l{length} -> bad: {bad}\nerror bad: \"\"\n}}\nthread {name} = {name}()\n");
    }
    parse(&text)
}

/// Steps are fused as if some locations were atomic; but they are not.
#[test]
fn no_fusion_that_others_can_see_and_that_loses_something_is_accepted() {
    let mut tally = Tally::default();
    for seed in 0..3000 {
        let mut rng = Rng::new(!seed);
        let program = chains(&mut rng);
        let mut atomic = program.clone();
        for template in &mut atomic.templates {
            let entry = template.entry.index();
            for (number, location) in template.locations.iter_mut().enumerate() {
                location.atomic |= number != entry && rng.below(2) == 0;
            }
        }
        let fuse: [Box<dyn Transformation>; 1] = [Box::new(Fuse { stepwise: false })];
        let pipeline = Pipeline::run(atomic, &fuse);
        let Some((_, Some(certificate))) = pipeline.certificates().next() else { continue };
        let mut reduction = certificate.clone();
        for (number, template) in reduction.program.templates.iter_mut().enumerate() {
            let kept = &reduction.templates[number].locations;
            for (location, at) in template.locations.iter_mut().zip(kept) {
                location.atomic = program.templates[number].locations[at.index()].atomic;
            }
        }
        tally.count(&program, &reduction, &format!("seed {seed}"));
    }
    assert!(tally.accepted > 100 && tally.refused > 100 && tally.lost > 10, "{tally:?}");
}
