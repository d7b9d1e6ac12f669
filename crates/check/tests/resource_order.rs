//! Deadlock freedom by an order of resources (`ccfa::resource_order`), by brute force on many small programs and orders made at random: if no error is reachable
//! after, there is no deadlock before. Defects put into the program after are caught.

mod asked;

use ccfa::random::Rng;
use ccfa::resource_order::{Resource, ResourceOrder, Wait, as_errors};
use ccfa::{Bad, Edge, Expr, LocId, LocalId, Program, Property, SharedId, ThreadId, Type, VarRef};

const SEEDS: std::ops::Range<u64> = 0..6_000;

/// Instances of a thread in any number with which a deadlock is looked for, and with which an error is: an order may name one that a deadlock does not need.
const MAX_BEFORE: u32 = 2;
const MAX_AFTER: u32 = 3;

/// Numbers of the variables that every program has: two locks, an array of two, a flag, and who has ended.
const LOCKS: [u32; 3] = [0, 1, 2];
const ENDED: u32 = 4;

/// The type of what tells threads apart.
const ID: Type = Type::unsigned(40);

/// A program with locks, at random: `main` may create one thread of any number, and two others run from the start.
fn program(rng: &mut Rng) -> Program {
    let any = rng.one_in(2);
    let mut text = String::from(
        "program \"random\" shared a: u40 = 0   shared b: u40 = 0   shared c: u40[2] = 0
         shared f: bool = false   shared ended: bool[3] = false   shared go: bool = false\n",
    );
    text += &template(rng, "main", any);
    text += &template(rng, "w", false);
    if any {
        text += &template(rng, "many", false);
        text += "thread many[*] = many(index + 4)\n";
    }
    text += "thread main = main(1)   thread w[2] = w(index + 2)\n";
    let mut program = ccfa::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    program.property = Property { errors: rng.one_in(2), deadlocks: true, ..Property::default() };
    program
}

/// Some operations one after the other, then the note of having ended.
fn template(rng: &mut Rng, name: &str, creates: bool) -> String {
    let (mut edges, mut manner) = (Vec::new(), String::new());
    let mut step = |does: &str| {
        let at = edges.len();
        edges.push(format!("l{at} -> l{}: {does}\n", at + 1));
    };
    if name == "many" {
        manner += "resting location l0\n";
        step("when go then go := false");
    }
    if creates {
        step("when !go then go := true");
        step("when !go");
    }
    let mut held: Vec<&str> = Vec::new();
    let mut atomic = None;
    for _ in 0..rng.below(5) {
        let lock = *rng.pick(&["a", "b", "c[0]", "c[1]"]);
        match rng.below(10) {
            0..=4 if !held.contains(&lock) || rng.one_in(8) => {
                step(&format!("when {lock} == 0 then {lock} := self"));
                held.push(lock);
            }
            5 if rng.one_in(3) => step(&format!("when {lock} == 0 then {lock} := 7")),
            6 => step("f := true"),
            7 if rng.one_in(2) => step("when f"),
            8 if rng.one_in(2) => step(&format!("when ended[{}]", rng.below(3))),
            9 if rng.one_in(3) && atomic.is_none() => atomic = Some(lock),
            _ => {
                if let Some(lock) = held.pop() {
                    step(&format!("{lock} := 0"));
                }
            }
        }
    }
    while let Some(lock) = held.pop().filter(|_| !rng.one_in(10)) {
        step(&format!("{lock} := 0"));
    }
    match name {
        "main" => step("ended[0] := true"),
        "w" => step("ended[self - 1] := true"),
        _ => {}
    }
    let last = edges.len();
    if let Some(lock) = atomic {
        manner += &format!(
            "atomic location inside\n l{last} -> inside\n inside -> l{}: when {lock} == 0\n",
            last + 1
        );
    }
    format!("template {name}(self: u40) {{\n entry l0\n {manner}{} }}\n", edges.concat())
}

/// An order at random: most orders of the locks, marks and waits are right, some are wrong in some way.
fn order(rng: &mut Rng, program: &Program) -> ResourceOrder {
    let mut resources: Vec<Resource> =
        LOCKS.iter().map(|lock| Resource::Lock(SharedId(*lock))).collect();
    for (number, thread) in program.threads.iter().enumerate() {
        let own = Expr::binary(
            ccfa::BinOp::Sub,
            Expr::Var(VarRef::Local(LocalId(0))),
            Expr::Const(1, ID),
        );
        let ended = Expr::Index(VarRef::Shared(SharedId(ENDED)), Box::new(own));
        if thread.name != "many" {
            let thread = ThreadId(number as u32);
            resources.push(Resource::Thread { thread, runs: Expr::negate(ended) });
        }
    }
    for last in (1..resources.len()).rev() {
        resources.swap(last, rng.below(last + 1));
    }
    if rng.one_in(2) {
        resources.sort_by_key(|resource| matches!(resource, Resource::Lock(_)));
    }
    let mark = |_| (!rng.one_in(12)).then_some(Expr::Var(VarRef::Local(LocalId(0))));
    let marks = program.templates.iter().map(mark).collect();
    let waits = program.templates.iter().map(|template| {
        let waits = template.edges.iter().flat_map(|edge| waits_of(program, &resources, edge));
        waits.collect::<Vec<Wait>>()
    });
    let mut waits: Vec<Vec<Wait>> = waits.collect();
    for waits in waits.iter_mut().filter(|_| rng.one_in(10)) {
        waits.pop();
    }
    ResourceOrder { resources, marks, waits }
}

/// What the guard of an edge asks for.
fn waits_of(program: &Program, resources: &[Resource], edge: &Edge) -> Vec<Wait> {
    let mut found = Vec::new();
    let position = |wanted: &dyn Fn(&Resource) -> bool| resources.iter().position(wanted);
    edge.guard.walk(&mut |part| {
        let (var, element) = match part {
            Expr::Var(VarRef::Shared(var)) => (*var, Expr::Const(0, ID)),
            Expr::Index(VarRef::Shared(var), index) => match **index {
                Expr::Const(index, _) => (*var, Expr::Const(index, ID)),
                _ => return,
            },
            _ => return,
        };
        let (resource, element) = match (var.0, element) {
            (ENDED, Expr::Const(who, ty)) => {
                let name = if who == 0 { "main" } else { "w" };
                let is_it = |resource: &Resource| {
                    matches!(resource, Resource::Thread { thread, .. } if program.threads[thread.index()].name == name)
                };
                (position(&is_it), Expr::Const((who - 1).max(0), ty))
            }
            (_, element) => (position(&|resource| *resource == Resource::Lock(var)), element),
        };
        found.extend(resource.map(|resource| Wait { at: edge.source, resource, element }));
    });
    found
}

/// Is there a deadlock, with some number of instances?
fn deadlocks(program: &Program) -> Option<bool> {
    let mut found = false;
    for instances in 0..=MAX_BEFORE {
        asked::visit(program, instances, |system, state| {
            found |= system.bad(state) == Some(Bad::Deadlock);
        })?;
    }
    Some(found)
}

/// Is an error reachable that is new?
fn errs(after: &Program) -> Option<bool> {
    let mut found = false;
    for instances in 0..=MAX_AFTER {
        asked::visit(after, instances, |system, state| {
            found |= matches!(system.bad(state), Some(Bad::Error { .. }));
        })?;
        if found {
            break;
        }
    }
    Some(found)
}

fn cases() -> impl Iterator<Item = (u64, Program, ResourceOrder)> {
    SEEDS.map(|seed| {
        let mut rng = Rng::new(seed);
        let program = program(&mut rng);
        let order = order(&mut rng, &program);
        (seed, program, order)
    })
}

#[test]
fn without_an_error_after_there_is_no_deadlock_before() {
    let (mut proved, mut with) = (0, 0);
    for (seed, program, order) in cases() {
        let Ok(after) = as_errors(&program, &order) else { continue };
        let (Some(deadlock), Some(error)) = (deadlocks(&program), errs(&after)) else { continue };
        let text = ccfa::text::print(&after);
        assert!(error || !deadlock, "seed {seed}: a deadlock is lost\n{order:?}\n{text}");
        (proved, with) = (proved + usize::from(!error), with + usize::from(deadlock));
    }
    println!("{proved} proved, {with} with a deadlock");
    assert!(proved > 500 && with > 500, "{proved} proved, {with} with a deadlock");
}

/// A defect: whether an edge that is new is kept.
type Defect = fn(&Program, usize, &Edge) -> bool;

const DEFECTS: [(&str, Defect); 5] = [
    ("who has ended may hold a lock", |before, template, edge| {
        leaves(before, template, edge.source)
    }),
    ("who is blocked need not wait for what is known", |_, _, edge| holds(&edge.guard)),
    ("what is held need not be lower", |_, _, edge| !holds(&edge.guard)),
    ("a section may be blocked", |before, template, edge| {
        !before.templates[template].locations[edge.source.index()].atomic
    }),
    ("a lock may be marked by anybody", |before, template, edge| {
        let old = before.templates[template].edges.iter();
        let beside = old.filter(|old| old.source == edge.source).map(|old| &old.guard);
        !beside.into_iter().any(|guard| edge.guard.conjuncts().first() == Some(&guard))
    }),
];

fn leaves(before: &Program, template: usize, at: LocId) -> bool {
    before.templates[template].edges.iter().any(|edge| edge.source == at)
}

/// Does a condition ask whether the thread holds something?
fn holds(guard: &Expr) -> bool {
    let own = Expr::Var(VarRef::Local(LocalId(0)));
    let mut found = false;
    guard.walk(&mut |part| found |= *part == own);
    found
}

#[test]
fn defects_are_noticed() {
    let mut noticed = DEFECTS.map(|(name, _)| (name, 0));
    for (_, program, order) in cases() {
        let Ok(after) = as_errors(&program, &order) else { continue };
        if deadlocks(&program) != Some(true) {
            continue;
        }
        for ((_, defect), (_, noticed)) in DEFECTS.iter().zip(&mut noticed) {
            if *noticed >= 3 {
                continue;
            }
            let mut after = after.clone();
            for (number, before) in program.templates.iter().enumerate() {
                let template = &mut after.templates[number];
                let new = template.edges.split_off(before.edges.len());
                let kept = new.into_iter().filter(|edge| defect(&program, number, edge));
                template.edges.extend(kept);
            }
            *noticed += usize::from(errs(&after) == Some(false));
        }
    }
    println!("{noticed:?}");
    assert!(noticed.iter().all(|(_, noticed)| *noticed > 0), "{noticed:?}");
}

/// A thread in any number that can always begin keeps the others from a deadlock; one that cannot does not.
#[test]
fn threads_that_have_not_begun_count() {
    let text = |guard: &str| {
        format!(
            "program \"spare\" shared go: bool = false   shared x: bool = false
             template main() {{ s -> t: go := true   t -> e: when x }}
             template many() {{ resting location s   s -> e: when {guard} }}
             thread main = main()   thread many[*] = many()"
        )
    };
    for (guard, deadlock) in [("go", false), ("x", true)] {
        let mut program = ccfa::text::parse(&text(guard)).expect("a model");
        program.property = Property { deadlocks: true, ..Property::default() };
        let mut found = Vec::new();
        for instances in 0..3 {
            let mut any = false;
            asked::visit(&program, instances, |system, state| {
                any |= system.bad(state) == Some(Bad::Deadlock);
            });
            found.push(any);
        }
        assert_eq!(found, [false, deadlock, deadlock], "{guard}");
    }
}

/// Whatever is wrong with an order is refused, never a panic.
#[test]
fn malformed_orders_are_refused() {
    let program = program(&mut Rng::new(1));
    let fine = order(&mut Rng::new(1), &program);
    let number = |value| Expr::Const(value, ID);
    let far = Expr::Var(VarRef::Shared(SharedId(99)));
    let wait = |resource, element| Wait { at: LocId(0), resource, element };
    let with_wait = |one: Wait| {
        let mut order = fine.clone();
        order.waits[0] = vec![one];
        order
    };
    let malformed = [
        ResourceOrder { marks: Vec::new(), ..fine.clone() },
        ResourceOrder { marks: vec![Some(far.clone()); program.templates.len()], ..fine.clone() },
        ResourceOrder { resources: vec![Resource::Lock(SharedId(99))], ..fine.clone() },
        ResourceOrder {
            resources: vec![Resource::Thread { thread: ThreadId(99), runs: Expr::TRUE }],
            ..fine.clone()
        },
        ResourceOrder {
            resources: vec![Resource::Thread { thread: ThreadId(0), runs: far.clone() }],
            ..fine.clone()
        },
        with_wait(wait(99, number(0))),
        with_wait(wait(0, far)),
        with_wait(wait(0, Expr::Const(-1, Type::signed(8)))),
    ];
    for (number, order) in malformed.iter().enumerate() {
        assert!(as_errors(&program, order).is_err(), "order number {number}");
    }
}
