//! What is asked beside error locations, for each kind of evidence: right evidence passes, and each
//! condition that is broken on purpose is found. Most of the broken ones are about programs for
//! which accepting the proof would be a wrong SAFE.

mod asked;
mod common;
mod trees;
mod views;
use ccfa::semantics::State;
use ccfa::{Bad, EdgeId, Program};
use evidence::{Witness, WitnessStep};
use trees::naive::{Method, unwind};

/// Two threads that lock, write, unlock, and end.
const LOCK: &str = "
    shared m: bool = false   shared x: u8 = 0
    template t() {
      a -> b: when !m then m := true { acquire m }
      b -> c: x := 1 { write x }
      c -> d: m := false { release m }
    }
    thread one = t()   thread two = t()";

/// The second writes without the lock, waits for it for ever, or does both.
const VARIANTS: [(&str, bool, bool); 4] = [
    ("a -> b: when !m then m := true { acquire m }", false, false),
    ("a -> b: when !m { acquire m }", true, false),
    ("a -> b: when !m && x == 2 then m := true { acquire m }", false, true),
    ("a -> b: when m { acquire m }", true, true),
];

fn program(text: &str) -> Program {
    trees::program(text)
}

/// The program whose second thread locks in this way, asked for races or for deadlocks.
fn variants() -> Vec<(Program, Option<&'static str>)> {
    let mut programs = Vec::new();
    for (lock, races, deadlocks) in VARIANTS {
        let second = "template u() {
              LOCK
              b -> c: x := 1 { write x }
              c -> d: m := false { release m }
            }
            thread two = u()";
        let text = LOCK.replace("thread two = t()", &second.replace("LOCK", lock));
        for asked in ["race", "deadlock"] {
            let race = (races && asked.contains("race")).then_some("race");
            let deadlock = (deadlocks && asked.contains("deadlock")).then_some("deadlock");
            let program = program(&format!("property {asked}\n{text}"));
            let truth = asked::truth(&program, 0).expect("it is small");
            assert_eq!(
                truth.contains(&true),
                race.or(deadlock).is_some(),
                "{truth:?} {asked} {text}"
            );
            programs.push((program, race.or(deadlock)));
        }
    }
    programs
}

/// The refusal speaks of what is wrong, and a race is an error; without, there is none.
#[track_caller]
fn judge(program: &Program, refusal: Option<String>, wrong: Option<&str>) {
    let text = ccfa::text::print(program);
    match (&refusal, wrong) {
        (None, None) => {}
        (Some(why), _) if why == ONLY_STATES => assert!(program.property.deadlocks, "{text}"),
        (Some(why), Some(_)) => {
            let words = match program.property.races {
                true => ["is at an error", "false need not hold after"],
                false => ["is a deadlock", "may be a deadlock"],
            };
            assert!(words.iter().any(|word| why.contains(word)), "{why}\n{text}");
        }
        _ => panic!("{refusal:?}, though {wrong:?}\n{text}"),
    }
}

#[test]
fn closed_sets() {
    for (program, wrong) in variants() {
        let subject = asked::subject(&program);
        let set = common::proof(&subject, &[], &common::everything(&subject));
        judge(&program, common::refusal(&program, set), wrong);
    }
}

#[test]
fn trees_with_and_without_reduction() {
    for (program, wrong) in variants() {
        for method in [Method::Full, Method::Reduced, Method::Persistent] {
            let tree = unwind(&asked::subject(&program), method).expect("it is small").tree;
            judge(&program, trees::refusal(&program, tree), wrong);
        }
    }
}

const LOCK_PROOF: &str = "
    view one two
    at a|d a|d : !m
    at b|c a|d : m
    at a|d b|c : m";

#[track_caller]
fn assertions(model: &str, proof: &str, why: Option<&str>) {
    let program = program(model);
    let proof = views::assertions(&asked::subject(&program), proof);
    let refusal = views::refusal(&program, proof);
    assert_eq!(refusal.as_deref(), why, "{model}");
}

/// The same where races are errors: at #4 is who has stopped before the write.
fn race_proof() -> String {
    nobody(
        "view one two
        at a|d a|d : !m; NOBODY
        at b|c a|d : m; NOBODY
        at a|d b|c : m; NOBODY
        at #4 a|d : m
        at a|d #4 : m",
    )
}

/// `NOBODY`: no thread has stopped before an access.
fn nobody(text: &str) -> String {
    text.replace("NOBODY", "`.race.access` == 0")
}

/// What a proof that is no closed set is told where deadlocks are asked for.
const ONLY_STATES: &str = "only a closed set of states says anything about deadlocks";

#[test]
fn assertions_exclude_races() {
    let model = |old, new| format!("property race {}", LOCK.replacen(old, new, 1));
    assertions(&model("", ""), &race_proof(), None);
    let race = Some("one may be at #5, a forbidden location");
    assertions(&model("", ""), "view one two\n at * * :", race);
    assertions(&model(": when !m then m := true", ""), "", race);
    assertions(&model("m := false {", "m := true {"), "view one\n at * :", race);
    // The second never has the lock.
    let proof = "view one two\n at a a : !m; NOBODY\n at b|c|d a : m; NOBODY
        at a b|c|d : m; NOBODY\n at #4 a : m\n at a #4 : m";
    assertions(&model("m := false {", "m := true {"), &nobody(proof), None);
    assertions(&format!("property deadlock {LOCK}"), LOCK_PROOF, Some(ONLY_STATES));
}

/// A thread that waits for ever is a deadlock, unless it rests there.
#[test]
fn states_in_which_threads_rest_are_no_deadlocks() {
    let waits = format!("property deadlock {}", LOCK.replace("m := false {", "m := true {"));
    let rests = waits.replace("a -> b", "resting location a\n a -> b");
    for (model, is_deadlock) in [(waits, true), (rests, false)] {
        let program = program(&model);
        let set = common::proof(&program, &[], &common::everything(&program));
        let refusal = common::refusal(&program, set);
        assert_eq!(refusal.is_some_and(|why| why.contains("deadlock")), is_deadlock, "{model}");
    }
}

/// What is left out of who has stopped, and of what they hold, is missed.
#[test]
fn what_has_stopped_matters() {
    let model = format!("property race {LOCK}");
    for (old, new) in [
        ("at b|c a|d : m; `.race.access` == 0", "at b|c a|d : m"),
        ("at #4 a|d : m\n", "at #4 a|d :\n"),
        ("at #4 a|d : m\n", ""),
        ("at a|d a|d : !m; `.race.access` == 0", "at a|d a|d : !m"),
    ] {
        let proof = race_proof();
        assert!(proof.contains(old), "{old}");
        let program = program(&model);
        let broken = views::assertions(&asked::subject(&program), &proof.replace(old, new));
        assert!(views::refusal(&program, broken).is_some(), "{new}");
    }
}

/// A proof about races is about the program in which they are errors, and says so. Where deadlocks are asked for, too,
/// there is none: who has stopped would be in one.
#[test]
fn proofs_about_races_are_about_errors() {
    use evidence::{Proof, Reason, Verdict};
    let confirm = |asked: &str, wrapped: usize, subject: bool| {
        let program = program(&format!("property {asked} {LOCK}"));
        let about = if subject { ccfa::races::as_errors(&program) } else { program.clone() };
        let set = common::proof(&about, &[], &common::everything(&about));
        let wrap = |proof, _| Proof::RacesAsErrors(Box::new(proof));
        let proof = (0..wrapped).fold(Proof::Closed(set), wrap);
        match engine_suite::confirm(&program, Verdict::Safe(proof)) {
            Verdict::Safe(_) => None,
            Verdict::Unknown(Reason::CheckFailed(why)) => Some(why),
            other => panic!("neither passed nor refused: {other:?}"),
        }
    };
    let bare = Some("the proof is not about the program in which races are errors".to_string());
    let stuck = Some("a thread that has stopped before an access is no deadlock".to_string());
    assert_eq!(confirm("race", 1, true), None);
    assert_eq!(confirm("error, race", 1, true), None);
    assert_eq!(confirm("race", 0, true), bare);
    assert_eq!(confirm("race", 0, false), bare);
    assert_eq!(confirm("race, deadlock", 0, false), bare);
    assert_eq!(confirm("race, deadlock", 1, true), stuck);
    assert_eq!(confirm("deadlock", 1, true), stuck);
    assert_eq!(confirm("deadlock", 0, false), None);
    // The program before is another one than that after.
    assert!(confirm("race", 1, false).is_some());
    // Where no races are asked for, their absence does no harm.
    assert_eq!(confirm("error", 1, true), None);
}

/// While one is stuck in an atomic section, the other cannot move either, though its step is enabled.
#[test]
fn a_blocked_atomic_section_is_a_deadlock() {
    let model = "property deadlock shared x: u8 = 0
        template a() { s -> t   t -> e: when x == 1   atomic location t }
        template b() { s -> s }
        thread a = a() thread b = b()";
    let proof = "view a b\n at * * : x == 0";
    assertions(model, proof, Some(ONLY_STATES));
    let program = program(model);
    let set = common::proof(&program, &[], &common::everything(&program));
    assert_eq!(common::refusal(&program, set).as_deref(), Some("state 1 is a deadlock"));
    let tree = unwind(&program, Method::Full).expect("it is small").tree;
    assert_eq!(trees::refusal(&program, tree).as_deref(), Some(ONLY_STATES));
}

#[test]
fn a_parameterised_thread_races_with_itself() {
    let many = |asked: &str| {
        let model = LOCK.replace("thread two = t()", "").replace("thread one =", "thread t[*] =");
        format!("property {asked} {model}")
    };
    let proof = nobody(
        "view t t
         at a|d a|d : m || NOBODY
         at b|c a|d : m; NOBODY
         at a|d b|c : m; NOBODY
         at #4 a|d : m
         at a|d #4 : m",
    );
    let race = Some("t may be at #5, a forbidden location");
    assertions(&many("race"), &proof, None);
    assertions(&many("race"), "", race);
    assertions(&many("race"), "view t\n at * :", race);
    let proof = "view t t\n at a|d a|d :\n at b|c a|d : m\n at a|d b|c : m";
    assertions(&many("deadlock"), proof, Some(ONLY_STATES));
    let two =
        "property race shared x: u8 = 0 template t() { a -> b { write x } } thread t[2] = t()";
    assertions(two, "", Some("t may be at #3, a forbidden location"));
    assertions(&two.replace("t[2]", "t[1]"), "view t\n at a|b :", None);
    assertions(
        two,
        "view t\n at a|b|#2 :",
        Some("view 0 of t need not hold after t: a -> #3 in region 0"),
    );
    // Where they start, the program ends: with none of them it does not.
    let ends = "property memory template t() { error a: \"x\" }
        template u() { a -> b   undefined b: dead_object } thread t[*] = t() thread u[2] = u()";
    assertions(ends, "", Some("t ends the program where it starts"));
    // Where races are asked for, so are errors.
    assertions(&ends.replace("memory", "race"), "", Some("t may be at a, a forbidden location"));
}

/// Which elements are accessed matters, and what formulas say about it.
#[test]
fn elements_are_told_apart() {
    let model = |i: &str, j: &str| {
        format!(
            "property race shared v: u8[4] = 0 shared i: u8 = 1 shared j: u8 = 2
             template a() {{ s -> e {{ write v{i} }} }} template b() {{ s -> e {{ read v{j} }} }}
             thread a = a() thread b = b()"
        )
    };
    let race = Some("view 0 of a, b need not hold after b: s -> #3 in region 1");
    // Before which element the first stops, if this is known.
    for (i, j, element, wrong) in [
        ("[0]", "[1]", "0", None),
        ("[1]", "[1]", "1", race),
        ("[i]", "[j]", "1", None),
        ("[i]", "[j - 1]", "1", race),
        ("", "[1]", "-1", race),
        ("[2]", "", "2", race),
    ] {
        let model = model(i, j);
        let proof = "view a b\n at s|e s|e : i == 1; j == 2; NOBODY
            at #2 s|e : i == 1; j == 2; `.race.element` == ELEMENT";
        assertions(&model, &nobody(&proof.replace("ELEMENT", element)), wrong);
        let program = program(&model);
        let subject = asked::subject(&program);
        for method in [Method::Full, Method::Reduced, Method::Persistent] {
            let tree = unwind(&subject, method).expect("it is small").tree;
            let refusal = trees::refusal(&program, tree);
            let says = |why: String| why.contains("false need not hold after");
            assert_eq!(refusal.map(says), wrong.map(|_| true), "{model}");
        }
        let set = common::proof(&subject, &[], &common::everything(&subject));
        let refusal = common::refusal(&program, set);
        let says = |why: String| why.contains("is at an error");
        assert_eq!(refusal.map(says), wrong.map(|_| true), "{model}");
    }
    // Without the formulas nothing is known of the elements.
    let proof = nobody("view a b\n at s|e s|e : NOBODY\n at #2 s|e :");
    assertions(&model("[i]", "[j]"), &proof, race);
}

fn at(locations: &[u32], cells: &[Option<i128>]) -> State {
    common::state(locations, cells)
}

/// Thread 0 alone, with a rank above that of what follows.
fn first(state: State) -> (State, u32, u32) {
    (state, 1, 1)
}

fn all(state: State) -> (State, u32, u32) {
    (state, 0, 0)
}

#[track_caller]
fn reduced(model: &str, states: &[(State, u32, u32)], why: Option<&str>) {
    let program = program(model);
    let set = common::proof(&asked::subject(&program), &[&[0]], states);
    let refusal = common::refusal(&program, set);
    match why {
        None => assert_eq!(refusal, None),
        Some(why) => assert!(refusal.as_ref().is_some_and(|r| r.contains(why)), "{refusal:?}"),
    }
}

/// Who may stop before an access must not go first where another may meet it.
#[test]
fn accesses_forbid_reduction() {
    let model = |asked: &str, index: &str| {
        format!(
            "property {asked} shared v: u8[2] = 0 shared i: u8 = 0
             template a() {{ s -> e {{ write v{index} }} }}
             template b() {{ s -> t: i := 1   t -> e {{ write v[1] }} }}
             thread a = a() thread b = b()"
        )
    };
    let states = |races: bool| {
        let cells = |i| -> Vec<Option<i128>> {
            let cells = [Some(0), Some(0), Some(i)].into_iter();
            cells.chain(races.then_some([Some(0), Some(-1)]).into_iter().flatten()).collect()
        };
        let at = |locations: &[u32], i| at(locations, &cells(i));
        [first(at(&[0, 0], 0)), all(at(&[1, 0], 0)), all(at(&[1, 1], 1)), all(at(&[1, 2], 1))]
    };
    reduced(&model("error", "[1]"), &states(false), None);
    reduced(&model("race", "[1]"), &states(true), Some("leaves out conflicts"));
    // The second changes where the first writes.
    let elsewhere = model("race", "[i]").replace("write v[1]", "write v[0]");
    reduced(&elsewhere, &states(true), Some("leaves out conflicts"));
    // Without an access that conflicts nobody stops.
    let other = model("race", "[i]").replace("write v[1]", "fence seq_cst");
    reduced(&other, &states(true), None);
}

/// If it is not certain that a thread of the persistent set can move, the others' deadlock is lost.
#[test]
fn reduction_minds_deadlocks() {
    let model = |asked: &str| {
        format!(
            "property {asked} shared x: u8 = any
             template a() {{ s -> e: when x == 1 }} template b() {{ s -> e }}
             thread a = a() thread b = b()"
        )
    };
    let states =
        [first(at(&[0, 0], &[None])), all(at(&[1, 0], &[None])), all(at(&[1, 1], &[None]))];
    reduced(&model("error"), &states, None);
    reduced(&model("deadlock"), &states, Some("no thread can move"));
    let certain = model("deadlock").replace("x: u8 = any", "x: u8 = 1");
    let known = states.clone().map(|(state, set, rank)| (at_one(state), set, rank));
    reduced(&certain, &known, None);
    // b may be stuck in an atomic section, whatever a does.
    let stuck = certain.replace("s -> e }", "s -> t   t -> e: when x == 2   atomic location t }");
    reduced(&stuck, &known, Some("is a deadlock"));
}

fn at_one(state: State) -> State {
    State { cells: vec![Some(1)], ..state }
}

/// An error that is not asked for ends the program: what follows it does not count, and no
/// persistent set may hurry to it.
#[test]
fn errors_that_are_not_asked_for_end_the_program() {
    let model = "property memory shared x: u8 = 0
        template a() { s -> bad   error bad: \"no\" }
        template b() { s -> t   t -> u   undefined u: dead_object }
        thread a = a() thread b = b() thread c = b()";
    let x = [Some(0)];
    let hurried = [first(at(&[0, 0, 0], &x)), all(at(&[1, 0, 0], &x))];
    reduced(model, &hurried, Some("no thread can move"));
    let program = program(model);
    for method in [Method::Full, Method::Reduced, Method::Persistent, Method::IgnoresEnds] {
        let tree = unwind(&program, method).expect("it is small").tree;
        assert!(trees::refusal(&program, tree).is_some(), "{method:?}");
    }
    let safe = trees::program(&model.replace("undefined u: dead_object", ""));
    for method in [Method::Full, Method::Reduced, Method::Persistent] {
        let tree = unwind(&safe, method).expect("it is small").tree;
        assert_eq!(trees::refusal(&safe, tree), None, "{method:?}");
    }
    // The others fail only after the error: that is no execution.
    let after = trees::program(
        &model.replace("s -> bad", "s -> bad: x := 1").replace("s -> t ", "s -> t: when x == 1 "),
    );
    let states = [all(at(&[0, 0, 0], &x)), all(at(&[1, 0, 0], &[Some(1)]))];
    assert_eq!(common::refusal(&after, common::proof(&after, &[], &states)), None);
    let proof = "view a b\n at s s : x == 0\n at bad s :\n view a c\n at s s : x == 0\n at bad s :";
    let proof = views::assertions(&after, proof);
    assert_eq!(views::refusal(&after, proof), None);
    // Where races are asked for, so are errors.
    let race =
        trees::program(&model.replace("memory", "race").replace("undefined u: dead_object", ""));
    let subject = asked::subject(&race);
    let set = common::proof(&subject, &[], &common::everything(&subject));
    assert!(common::refusal(&race, set).is_some_and(|why| why.contains("is at an error")));
}

/// Undefined behaviour is bad if it is asked for, and a limit if not; it is no answer in either case.
#[test]
fn undefined_behaviour_is_asked_for_by_class() {
    for (asked, set, tree, assertion) in [
        ("error", "is where the model ends", "is at a forbidden location", "a forbidden location"),
        ("locks", "is where the model ends", "is at a forbidden location", "a forbidden location"),
        (
            "memory",
            "is where behaviour is undefined",
            "is at a forbidden location",
            "a forbidden location",
        ),
    ] {
        let model = format!(
            "property {asked} template a() {{ s -> u   undefined u: dead_object }} thread a = a()"
        );
        let program = program(&model);
        let states = [all(at(&[0], &[])), all(at(&[1], &[]))];
        let refused = [
            common::refusal(&program, common::proof(&program, &[], &states)),
            trees::refusal(&program, trees::tree(&program, "root :\n 0 a s->u :")),
            views::refusal(&program, views::assertions(&program, "view a\n at * :")),
        ];
        for (refusal, why) in refused.into_iter().zip([set, tree, assertion]) {
            assert!(refusal.as_ref().is_some_and(|r| r.contains(why)), "{asked}: {refusal:?}");
        }
        let witness = Witness { instances: 0, initial: vec![], steps: steps(&[(0, 0)]) };
        let bad = check::replay(&program, &witness).map(|replay| replay.bad);
        let expected = (asked == "memory").then_some(Bad::Undefined { instance: 0 });
        assert_eq!(bad.ok(), expected, "{asked}");
    }
}

fn steps(steps: &[(usize, u32)]) -> Vec<WitnessStep> {
    let step = |&(instance, edge)| WitnessStep { instance, edge: EdgeId(edge), havoc: Vec::new() };
    steps.iter().map(step).collect()
}

/// What the replay says: the kind of the bad state, or what is wrong with the witness.
fn replayed(model: &str, taken: &[(usize, u32)], initial: &[i128]) -> String {
    let witness = Witness { instances: 2, initial: initial.to_vec(), steps: steps(taken) };
    match check::replay(&program(model), &witness).map(|replay| replay.bad) {
        Ok(Bad::Error { instance }) => format!("error {instance}"),
        Ok(Bad::Undefined { instance }) => format!("undefined {instance}"),
        Ok(Bad::Race(sides)) => format!("race {} {}", sides[0].instance, sides[1].instance),
        Ok(Bad::Deadlock) => "deadlock".to_string(),
        Err(why) => why,
    }
}

#[test]
fn witnesses_end_in_bad_states() {
    let none = "the witness does not end in a bad state";
    let open = LOCK.replace(": when !m then m := true", "");
    let race = [(0, 0), (1, 0)];
    assert_eq!(replayed(&format!("property race {open}"), &race, &[]), "race 0 1");
    assert_eq!(replayed(&format!("property race {open}"), &race[..1], &[]), none);
    assert_eq!(replayed(&format!("property deadlock {open}"), &race, &[]), none);
    assert_eq!(replayed(&open, &race, &[]), none);
    let kept = LOCK.replace("m := false {", "m := true {");
    let deadlock = [(0, 0), (0, 1), (0, 2)];
    assert_eq!(replayed(&format!("property deadlock {kept}"), &deadlock, &[]), "deadlock");
    assert_eq!(replayed(&format!("property deadlock {kept}"), &deadlock[..2], &[]), none);
    assert_eq!(replayed(&format!("property race {kept}"), &deadlock, &[]), none);
    // Where the program has ended, nothing happens any more.
    let ends = "shared x: u8 = 0 template a() { s -> bad   error bad: \"no\" }
        template b() { s -> t   t -> e { write x } }
        thread a = a() thread b = b() thread c = b()";
    let ended = "step 2 of the witness: a thread is where the program or the model ends";
    let after = [(0, 0), (1, 0), (2, 0)];
    assert_eq!(replayed(&format!("property race {ends}"), &after, &[]), ended);
    assert_eq!(replayed(&format!("property race {ends}"), &after[1..], &[]), "race 1 2");
    assert_eq!(replayed(&format!("property race {ends}"), &after[..1], &[]), none);
    assert_eq!(replayed(&format!("property error, race {ends}"), &after[..1], &[]), "error 0");
}

/// Beyond our representation, neither is a race certain nor a deadlock.
#[test]
fn integers_beyond_our_representation_prove_nothing() {
    let large = 1 << 120;
    let race = "property race shared x: int = any shared y: u8 = 0
        template t() { s -> e: when GUARD { write y } } thread t[2] = t()";
    let too_large = "an integer grows too large to replay";
    let negative = race.replace("GUARD", "x * x < 0");
    assert_eq!(replayed(&negative, &[], &[large]), too_large);
    assert_eq!(replayed(&race.replace("GUARD", "0 < x"), &[], &[large]), "race 0 1");
    let waits = "property deadlock shared x: int = any
        template t() { s -> e: when GUARD } thread t = t()";
    let positive = waits.replace("GUARD", "0 < x * x");
    assert_eq!(replayed(&positive, &[], &[large]), too_large);
    assert_eq!(replayed(&waits.replace("GUARD", "x < 0"), &[], &[large]), "deadlock");
}
