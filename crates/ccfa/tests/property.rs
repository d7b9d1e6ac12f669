//! Which states are bad: each clause of the definition on small models, then all reachable states of
//! models with a known answer, then that states with `ANY` err towards bad.

use ccfa::deadlocks::one_is_open;
use ccfa::random::{Rng, Shape, program as random_program};
use ccfa::semantics::{ANY, State, System};
use ccfa::{Bad, Expr, LocId, Program, SharedId, VarRef, text};
use std::collections::HashSet;

fn program(source: &str) -> Program {
    text::parse(source).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

/// In short: `error 0`, `undefined 1`, `race a:0 b:1`, `deadlock`, `limit` or `fine`.
fn verdict(system: &System, state: &State) -> String {
    match system.bad(state) {
        Some(Bad::Error { instance }) => format!("error {instance}"),
        Some(Bad::Undefined { instance }) => format!("undefined {instance}"),
        Some(Bad::Race(sides)) => {
            let side =
                |i: usize| format!("{}:{}.{}", sides[i].instance, sides[i].edge.0, sides[i].access);
            format!("race {} {}", side(0), side(1))
        }
        Some(Bad::Deadlock) => "deadlock".to_string(),
        None if system.limit(state).is_some() => "limit".to_string(),
        None => "fine".to_string(),
    }
}

/// The judgement of the initial state.
fn check(source: &str, expected: &str) {
    let program = program(source);
    let system = System::new(&program, 2);
    assert_eq!(verdict(&system, &system.initial()), expected, "{source}");
}

#[test]
fn locations() {
    let at = |property: &str, a: &str, b: &str| {
        format!(
            "{property} template a() {{ {a} }} template b() {{ {b} }} thread a = a() thread b = b()"
        )
    };
    let (plain, error) = ("location l", "error l: \"x\"");
    let (memory, locks) = ("undefined l: dead_object", "undefined l: mutex_relocked");
    let limit = "limit bound l: \"x\"";
    for (property, a, b, expected) in [
        ("", plain, plain, "fine"),
        ("", plain, error, "error 1"),
        ("", plain, "error l: call \"f\"", "error 1"),
        ("", plain, memory, "limit"),
        ("", error, memory, "limit"),
        ("", error, limit, "limit"),
        ("property memory", memory, plain, "undefined 0"),
        ("property memory", memory, locks, "limit"),
        ("property memory, locks", memory, locks, "undefined 0"),
        ("property undefined", plain, locks, "undefined 1"),
        ("property undefined", limit, locks, "limit"),
        ("property undefined", error, locks, "fine"),
        ("property error, undefined", locks, error, "error 1"),
        ("property nothing", plain, error, "fine"),
        ("property nothing", plain, memory, "limit"),
    ] {
        check(&at(property, a, b), expected);
    }
}

#[test]
fn races() {
    let model = |a: &str, b: &str| {
        format!(
            "property race shared x: u8 = 0 shared y: u8 = 0 shared v: u8[3] = 0 shared i: u8 = 1 \
             shared j: u8 = any shared never: bool = false \
             template a() {{ {a} }} template b() {{ {b} }} thread a = a() thread b = b()"
        )
    };
    let write = "l -> m: x := 1 { write x }";
    for (a, b, expected) in [
        (write, write, "race 0:0.0 1:0.0"),
        (write, "l -> m { read x }", "race 0:0.0 1:0.0"),
        (write, "l -> m { read x volatile }", "race 0:0.0 1:0.0"),
        (write, "l -> m { read x atomic seq_cst }", "race 0:0.0 1:0.0"),
        (write, "l -> m { read y; update x atomic relaxed }", "race 0:0.0 1:0.1"),
        (write, "l -> m { acquire x }", "race 0:0.0 1:0.0"),
        (write, "l -> m { read y }", "fine"),
        (write, "l -> m { fence seq_cst; signal_fence relaxed }", "fine"),
        (write, "l -> m: y := x", "fine"),
        ("l -> m { read x }", "l -> m { read x }", "fine"),
        ("l -> m { write x atomic release }", "l -> m { read x atomic acquire }", "fine"),
        ("l -> m { acquire x }", "l -> m { release x }", "fine"),
        // Guards and definedness.
        (write, "l -> m: when never { write x }", "fine"),
        (write, "l -> m: when j == 1 { write x }", "race 0:0.0 1:0.0"),
        (write, "l -> m: y := y / 0 { write x }", "fine"),
        (write, "l -> m: when never { write x } l -> n { write x }", "race 0:0.0 1:1.0"),
        // Elements.
        ("l -> m { write v[1] }", "l -> m { read v[i] }", "race 0:0.0 1:0.0"),
        ("l -> m { write v[2] }", "l -> m { read v[i] }", "fine"),
        ("l -> m { write v[2] }", "l -> m { read v[j] }", "race 0:0.0 1:0.0"),
        ("l -> m { write v[2] }", "l -> m { read v }", "race 0:0.0 1:0.0"),
        ("l -> m { write v[2] }", "l -> m { read v[i / 0] }", "fine"),
        // One thread alone.
        (write, "location l", "fine"),
        ("l -> m { write x } l -> n { write x }", "location l", "fine"),
    ] {
        check(&model(a, b), expected);
    }
    // Copies of one thread are different instances.
    check(
        "property race shared x: u8 = 0 template t() { a -> b { write x } } thread t[*] = t()",
        "race 0:0.0 1:0.0",
    );
}

/// A section races with what others do outside of one: by the step that enters it, and by those inside.
#[test]
fn races_of_atomic_sections() {
    let model = |entering: &str, inside: &str, b: &str| {
        format!(
            "property race shared x: u8 = 0 \
             template a() {{ l -> m {entering} m -> n {inside} atomic location m }} \
             template b() {{ {b} }} thread a = a() thread b = b()"
        )
    };
    let (write, read) = ("{ write x }", "l -> m { read x }");
    assert_eq!(reached(&model(write, "", read)), ["race"]);
    assert_eq!(reached(&model("", write, read)), ["fine", "race"]);
    assert_eq!(reached(&model("", "{ read x }", "l -> m { write x }")), ["fine", "race"]);
    assert_eq!(reached(&model("", "{ read x }", read)), ["fine"]);
    assert_eq!(reached(&model("", write, "l -> m m -> n { read x } atomic location m")), ["fine"]);
    // The step that enters a section is outside of it.
    let entering = "l -> m { read x } m -> n atomic location m";
    assert_eq!(reached(&model("", write, entering)), ["fine", "race"]);
    // While a third is in a section, the other two cannot move.
    let third = "template c() { l -> m m -> n atomic location m } thread c = c()";
    assert_eq!(reached(&format!("{} {third}", model("", "", read))), ["fine"]);
}

#[test]
fn deadlocks() {
    let model = |a: &str, b: &str| {
        format!(
            "property deadlock shared x: u8 = 0 shared y: u8 = any shared s: i8 = any shared v: u8[2] = 0 \
             template a() {{ {a} }} template b() {{ {b} }} thread a = a() thread b = b()"
        )
    };
    let (waits, ended) = ("l -> m: when x == 1", "location l");
    for (a, b, expected) in [
        (ended, ended, "fine"),
        (waits, ended, "deadlock"),
        (waits, waits, "deadlock"),
        (waits, "l -> m", "fine"),
        (waits, "l -> l", "fine"),
        ("resting location l l -> m: when x == 1", ended, "fine"),
        ("resting location l l -> m: when x == 1", waits, "deadlock"),
        (waits, "error l: \"x\"", "fine"),
        // A guard that only may hold does not help.
        (waits, "l -> m: when y == 1", "deadlock"),
        (waits, "l -> m: when y == 1 l -> n: when y == 2", "deadlock"),
        // Of two that are opposite one holds.
        (waits, "l -> m: when y == 1 l -> n: when y != 1", "fine"),
        (waits, "l -> m: when y < x l -> n: when x <= y", "fine"),
        // So does one of several that are the cases of a decision, also if some of its conditions are known.
        (
            waits,
            "l -> m: when y < 3 && y == 1 l -> n: when y < 3 && y != 1 l -> o: when 3 <= y",
            "fine",
        ),
        (
            waits,
            "l -> m: when x == 0 && y == 1 l -> n: when x == 0 && y != 1 l -> o: when x != 0 && y < 3",
            "fine",
        ),
        (waits, "l -> m: when x != 0 && y == 1 l -> n: when x != 0 && y != 1", "deadlock"),
        (waits, "l -> m: when y < 3 && y == 1 l -> n: when y < 3 && y != 1", "deadlock"),
        (waits, "l -> m: when y < 3 && y == 1 l -> o: when 3 <= y", "deadlock"),
        (
            waits,
            "l -> m: when y < 3 && v[y] == 1 l -> n: when y < 3 && v[y] != 1 l -> o: when 3 <= y",
            "fine",
        ),
        // Nobody waits for a step that has no value.
        (waits, "l -> m: s := s + 1", "fine"),
        (waits, "l -> m: v[y] := 1", "fine"),
        (waits, "l -> m: v[x + 2] := 1", "fine"),
        (waits, "l -> m: when v[x + 2] == 1", "fine"),
        (waits, "l -> m: when s + 1 == 0 || true", "fine"),
        (waits, "l -> m: when x == 1 && v[x + 2] == 1", "deadlock"),
    ] {
        check(&model(a, b), expected);
    }
}

/// All sets of up to three conjunctions of three conditions and their opposites, against the table of all values.
#[test]
fn that_one_guard_is_open_is_what_the_table_of_truth_says() {
    let condition = |n: u32| Expr::Var(VarRef::Shared(SharedId(n)));
    let conditions: Vec<(Expr, Expr)> =
        (0..3).map(|n| (condition(n), Expr::negate(condition(n)))).collect();
    // A conjunction is a number with three digits: each condition is in it, or its opposite, or neither.
    let digit = |guard: usize, n: usize| guard / 3_usize.pow(n as u32) % 3;
    let conjuncts = |guard: usize| -> Vec<&Expr> {
        let conjunct = |n: usize| match digit(guard, n) {
            0 => None,
            1 => Some(&conditions[n].0),
            _ => Some(&conditions[n].1),
        };
        (0..3).filter_map(conjunct).collect()
    };
    let holds = |guard: usize, values: usize| {
        (0..3).all(|n| [true, values >> n & 1 == 1, values >> n & 1 == 0][digit(guard, n)])
    };
    let mut open = 0;
    for guards in (0..27_usize.pow(3)).map(|all| [all % 27, all / 27 % 27, all / 729]) {
        let expected = (0..8).all(|values| guards.iter().any(|guard| holds(*guard, values)));
        let found = one_is_open(guards.iter().map(|guard| conjuncts(*guard)).collect());
        assert_eq!(found, expected, "{guards:?}");
        open += usize::from(found);
    }
    assert!(!one_is_open(Vec::new()));
    assert!((2_000..10_000).contains(&open), "{open}");
}

/// The judgements of all reachable states, which the model's variables keep few.
fn reached(source: &str) -> Vec<String> {
    let program = program(source);
    let system = System::new(&program, 2);
    let mut seen: HashSet<State> = HashSet::new();
    let mut waiting = vec![system.initial()];
    let mut verdicts = HashSet::new();
    while let Some(state) = waiting.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let verdict = verdict(&system, &state);
        let goes_on = verdict == "fine";
        verdicts.insert(verdict.split(' ').next().unwrap_or_default().to_string());
        for instance in (0..system.instances.len()).filter(|_| goes_on) {
            if !system.may_move(&state, instance) {
                continue;
            }
            let at = state.locations[instance];
            let edges = system.template(instance).edges.iter().filter(|edge| edge.source == at);
            waiting.extend(edges.filter_map(|e| system.step(&state, instance, e, &mut |_| ANY)));
        }
    }
    let mut verdicts: Vec<String> = verdicts.into_iter().collect();
    verdicts.sort();
    verdicts
}

/// Two threads that lock two mutexes and write what both protect: in one order or in opposite ones,
/// under the lock or not.
#[test]
fn locking_exhaustively() {
    let thread = |name: &str, first: &str, second: &str, early: bool| {
        let write = "x := 1 - x { write x }";
        let (before, inside) = if early { (write, "x := x") } else { ("x := x", write) };
        format!(
            "template {name}() {{
               a -> b: {before}
               b -> c: when {first} == 0 then {first} := 1 {{ acquire {first} }}
               c -> d: when {second} == 0 then {second} := 1 {{ acquire {second} }}
               d -> e: {inside}
               e -> f: {second} := 0 {{ release {second} }}
               f -> g: {first} := 0 {{ release {first} }}
             }} thread {name} = {name}()"
        )
    };
    let model = |second: (&str, &str), early: bool| {
        format!(
            "property error, race, deadlock shared m: u1 = 0 shared n: u1 = 0 shared x: u8 = 0 {} {}",
            thread("one", "m", "n", false),
            thread("two", second.0, second.1, early)
        )
    };
    assert_eq!(reached(&model(("m", "n"), false)), ["fine"]);
    assert_eq!(reached(&model(("n", "m"), false)), ["deadlock", "fine"]);
    assert_eq!(reached(&model(("m", "n"), true)), ["fine", "race"]);
    assert_eq!(reached(&model(("n", "m"), true)), ["deadlock", "fine", "race"]);
}

/// A thread that was not created rests; one that was and waits for ever does not.
#[test]
fn creation_and_deadlocks() {
    let model = |create: &str| {
        format!(
            "property deadlock shared created: bool = false shared go: bool = false \
             template main() {{ a -> b: {create} }} \
             template worker() {{ resting location idle idle -> work: when created work -> done: when go }} \
             thread main = main() thread worker = worker()"
        )
    };
    assert_eq!(reached(&model("created := false")), ["fine"]);
    assert_eq!(reached(&model("created := true")), ["deadlock", "fine"]);
    // The step that ends the program ends waiting, too.
    let ends = model("created := true").replace("a -> b:", "atomic location b a -> b:");
    assert_eq!(reached(&ends), ["fine"]);
}

/// A state that knows less is bad if one that knows more is.
#[test]
fn unspecified_values_err_towards_bad() {
    let shape = Shape { decorated: true, properties: true, ..Shape::default() };
    let mut tally = [0usize; 3];
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let program = random_program(seed, &shape);
        let system = System::new(&program, 2);
        let mut state = system.initial();
        let mut types = Vec::new();
        types.extend(program.shared.iter().flat_map(|var| vec![var.ty; var.cells()]));
        for instance in 0..system.instances.len() {
            let locals = &system.template(instance).locals;
            types.extend(locals.iter().flat_map(|var| vec![var.ty; var.cells()]));
            let count = system.template(instance).locations.len();
            state.locations[instance] = LocId(rng.below(count) as u32);
        }
        for (cell, ty) in state.cells.iter_mut().zip(&types) {
            *cell = Some(rng.value(*ty));
        }
        let mut less = state.clone();
        less.cells.iter_mut().filter(|_| rng.one_in(3)).for_each(|cell| *cell = ANY);
        let (known, unknown) = (system.bad(&state), system.bad(&less));
        assert!(
            known.is_none() || unknown.is_some(),
            "seed {seed}: {known:?}\n{}",
            text::print(&program)
        );
        let kind = match known {
            Some(Bad::Race(_)) => 0,
            Some(Bad::Deadlock) => 1,
            _ => 2,
        };
        tally[kind] += 1;
    }
    assert!(tally[0] > 20 && tally[1] > 20, "{tally:?}");
}
