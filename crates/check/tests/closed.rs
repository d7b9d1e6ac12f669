//! Proofs by closed sets: right ones pass; each condition that is broken on
//! purpose is found, most of them with a program for which accepting the
//! proof would be a wrong SAFE.

mod common;
use ccfa::semantics::State;
use ccfa::*;
use common::*;
use evidence::{ClosedSet, Expansion, Proof, Reason, Verdict};
use std::time::Duration;

fn reduced() -> (Program, ClosedSet) {
    let program = independent();
    let set = proof(
        &program,
        &[&[0], &[1]],
        &[
            (state(&[0, 0], &[Some(0), Some(0)]), 1, 2),
            (state(&[1, 0], &[Some(1), Some(0)]), 2, 1),
            (state(&[1, 1], &[Some(1), Some(1)]), 0, 0),
        ],
    );
    (program, set)
}

/// Thread `b` goes straight to an error (or whatever `ends` makes of it), thread
/// `a` is the one a wrong reduction waits for.
fn waits_for(a: Template, ends: fn(Template, usize) -> Template) -> Program {
    let b = template("b", 2, vec![edge(0, 1, Expr::TRUE, vec![set_bit(Y, 1)])]);
    bits(vec![a, ends(b, 1)])
}

const ZERO: [Option<i128>; 2] = [Some(0), Some(0)];

#[test]
fn right_proofs_pass() {
    let (program, set) = reduced();
    assert_eq!(refusal(&program, set), None);
    let full = proof(&program, &[], &everything(&program));
    assert_eq!(full.expansions.len(), 4);
    assert_eq!(refusal(&program, full), None);
}

#[test]
fn every_state_is_needed() {
    let (program, set) = reduced();
    let words = set.states.len() / set.expansions.len();
    for index in [0, 2] {
        let mut set = set.clone();
        set.states.drain(index * words..(index + 1) * words);
        set.expansions.remove(index);
        assert_refused(&program, set, "is not in the set");
    }
}

/// The start, and where `a` is at the location `end` and x is `value`; `a` has gone there from the start by steps between.
fn around(end: u32, value: i128) -> [(State, u32, u32); 2] {
    [(state(&[0, 0], &ZERO), 0, 0), (state(&[end, 0], &[Some(value), Some(0)]), 0, 0)]
}

#[test]
fn states_between_members_are_left_out() {
    let most = evidence::MAX_PASSED_STATES;
    for (steps, is_fine) in [(1, true), (most, true), (most + 1, false)] {
        let edges = (0..=steps).map(|at| edge(at, at + 1, Expr::TRUE, vec![set_bit(X, 1)]));
        let a = template("a", steps as usize + 2, edges.collect());
        let program = bits(vec![a.clone(), template("b", 1, vec![])]);
        let set = proof(&program, &[], &around(steps + 1, 1));
        assert_eq!(refusal(&program, set).is_none(), is_fine, "{steps} states between");
        let inside = bits(vec![at(a, 1, LocKind::Plain, true), template("b", 1, vec![])]);
        let set = proof(&inside, &[], &around(steps + 1, 1));
        assert_eq!(refusal(&inside, set).is_none(), is_fine, "{steps} states between, one atomic");
        // Ranks fall from a member before to the one behind.
        let [mut start, mut end] = around(steps + 1, 1);
        for (first, last) in [(0, 0), (1, 1), (1, 0)] {
            (start.1, start.2, end.2) = (1, first, last);
            let set = proof(&program, &[&[0]], &[start.clone(), end.clone()]);
            assert_eq!(refusal(&program, set).is_none(), is_fine && first > last);
        }
    }
}

#[test]
fn nothing_is_left_out_where_others_count() {
    let free = |source, target| edge(source, target, Expr::TRUE, vec![]);
    let set = |source, target, value| edge(source, target, Expr::TRUE, vec![set_bit(X, value)]);
    // `b` comes to an error if x is set.
    let program = |a: Template| {
        let b = template("b", 2, vec![edge(0, 1, Expr::Var(X), vec![])]);
        bits(vec![a, error(b, 1)])
    };
    let conflicts = template("a", 3, vec![set(0, 1, 1), set(1, 2, 0)]);
    let trap = template("a", 3, vec![set(0, 1, 1), free(1, 2)]);
    let trap = at(trap, 2, LocKind::Plain, true);
    let branches = template("a", 4, vec![free(0, 1), free(1, 2), free(1, 3)]);
    let goes_round = template("a", 3, vec![free(0, 1), free(1, 1)]);
    let stays = template("a", 3, vec![free(0, 1), edge(1, 2, Expr::Var(Y), vec![])]);
    for (why, a, x) in [
        ("a reads or writes what b writes or reads", conflicts, 0),
        ("a keeps b out for ever", trap, 1),
        ("a may go elsewhere", limit(branches, 3), 0),
        ("a does not come to the member", goes_round, 0),
        ("a cannot move", stays, 0),
        ("a is at an error", error(template("a", 3, vec![free(0, 1), free(1, 2)]), 1), 0),
    ] {
        let program = program(a);
        let why_not = refusal(&program, proof(&program, &[], &around(2, x)));
        let is_named = why_not.as_ref().is_some_and(|refused| refused.contains("not in the set"));
        assert!(is_named, "{why}: {why_not:?}");
    }
}

#[test]
fn between_members_nobody_may_be_blocked() {
    // Nobody knows x. `a` waits for it, `b` for ever.
    let a =
        template("a", 3, vec![edge(0, 1, Expr::TRUE, vec![]), edge(1, 2, Expr::Var(X), vec![])]);
    let b = template("b", 2, vec![edge(0, 1, Expr::FALSE, vec![])]);
    let mut program = program(vec![var("x", BIT, Init::Any)], vec![a, b]);
    let states = [0, 2].map(|at| (state(&[at, 0], &[None]), 0, 0));
    let set = proof(&program, &[], &states);
    assert_eq!(refusal(&program, set.clone()), None);
    program.property.deadlocks = true;
    assert!(refusal(&program, set).is_some());
}

#[test]
fn ranks_must_fall() {
    let (program, set) = reduced();
    for (index, rank) in [(0, 1), (0, 0), (1, 0), (1, 2), (2, 1)] {
        let mut set = set.clone();
        set.expansions[index].rank = rank;
        assert_refused(&program, set, "rank too high");
    }
}

#[test]
fn a_loop_may_not_keep_others_waiting() {
    let a = template("a", 1, vec![edge(0, 0, Expr::TRUE, vec![])]);
    let program = waits_for(a, error);
    for rank in [0, 1, u32::MAX] {
        let set = proof(&program, &[&[0]], &[(state(&[0, 0], &ZERO), 1, rank)]);
        assert_refused(&program, set, "rank too high");
    }
}

#[test]
fn who_cannot_move_is_no_excuse() {
    let stuck = template("a", 2, vec![edge(0, 1, Expr::FALSE, vec![])]);
    for (a, threads) in [(stuck, vec![0]), (template("a", 1, vec![]), vec![])] {
        let program = waits_for(a, error);
        let set = proof(&program, &[&threads], &[(state(&[0, 0], &ZERO), 1, 1)]);
        assert_refused(&program, set, "no thread can move");
    }
}

#[test]
fn atomic_sections_keep_others_out() {
    // Nobody leaves this one again.
    let a = template("a", 2, vec![edge(0, 1, Expr::TRUE, vec![])]);
    let program = waits_for(at(a, 1, LocKind::Plain, true), error);
    for rank in [0, 1] {
        let states = [(state(&[0, 0], &ZERO), 1, 2), (state(&[1, 0], &ZERO), 0, rank)];
        let why = if rank == 0 { "rank too high" } else { "no thread can move" };
        assert_refused(&program, proof(&program, &[&[0]], &states), why);
    }

    // Inside one, naming fewer threads is refused.
    let inside = at(
        template("a", 3, vec![edge(0, 1, Expr::TRUE, vec![]), edge(1, 2, Expr::TRUE, vec![])]),
        1,
        LocKind::Plain,
        true,
    );
    let program = bits(vec![inside, template("b", 1, vec![])]);
    let mut states = everything(&program);
    assert_eq!(refusal(&program, proof(&program, &[&[0]], &states)), None);
    states[1] = (states[1].0.clone(), 1, 1);
    assert_refused(&program, proof(&program, &[&[0]], &states), "in an atomic section");
}

#[test]
fn a_step_that_ends_the_program_is_no_step() {
    // a may end the program, at an error that is not asked for; or b comes to a model limit before.
    let a = error(template("a", 2, vec![edge(0, 1, Expr::TRUE, vec![])]), 1);
    let mut program = waits_for(a, limit);
    program.property.errors = false;
    let states = [(state(&[0, 0], &ZERO), 1, 1), (state(&[1, 0], &ZERO), 0, 0)];
    assert_refused(&program, proof(&program, &[&[0]], &states), "no thread can move");
}

#[test]
fn where_deadlocks_are_asked_for_a_step_must_be_certain() {
    // a goes round for ever if one of its guards holds; b goes one step and waits. If none holds, both wait.
    let a = |guards: Vec<Expr>| {
        let first = guards.into_iter().map(|guard| edge(0, 1, guard, vec![]));
        template("a", 2, first.chain([edge(1, 1, Expr::TRUE, vec![])]).collect())
    };
    let b =
        || template("b", 3, vec![edge(0, 1, Expr::TRUE, vec![]), edge(1, 2, Expr::FALSE, vec![])]);
    let x = || Expr::Var(X);
    for (guards, is_certain) in [
        (vec![x()], false),
        (vec![x(), x()], false),
        (vec![x(), Expr::negate(x())], true),
        (vec![Expr::TRUE], true),
    ] {
        let mut program = program(vec![var("x", BIT, Init::Any)], vec![a(guards), b()]);
        program.property.deadlocks = true;
        let states = [([0, 0], 1, 1), ([1, 0], 0, 0), ([1, 1], 0, 0)];
        let states = states.map(|(at, set, rank)| (state(&at, &[None]), set, rank));
        let why = refusal(&program, proof(&program, &[&[0]], &states));
        assert_eq!(why.is_none(), is_certain, "{why:?}");
        assert!(why.is_none_or(|why| why.contains("no thread can move")));
    }
}

/// Thread `a` enters an atomic section, writes a variable there and leaves it; thread `b` fails if it sees the one or the other.
fn enters(writes: VarRef, fails: Option<VarRef>) -> Program {
    let edges = vec![
        edge(0, 1, Expr::TRUE, vec![]),
        // Two ways, so that nothing is between members.
        edge(1, 2, Expr::TRUE, vec![set_bit(writes, 1)]),
        edge(1, 2, Expr::TRUE, vec![set_bit(writes, 1)]),
        edge(2, 3, Expr::TRUE, vec![]),
        edge(2, 3, Expr::TRUE, vec![]),
    ];
    let a = at(at(template("a", 4, edges), 1, LocKind::Plain, true), 2, LocKind::Plain, true);
    let seen = fails.map_or(Expr::FALSE, |var| Expr::negate(Expr::Var(var)));
    bits(vec![a, error(template("b", 2, vec![edge(0, 1, seen, vec![])]), 1)])
}

#[test]
fn an_atomic_section_is_one_block() {
    let inside = |rank: [u32; 3]| {
        let at = |at: u32, x: i128| state(&[at, 0], &[Some(x), Some(1)]);
        vec![
            (at(0, 0), 1, rank[0]),
            (at(1, 0), 0, rank[1]),
            (at(2, 1), 0, rank[2]),
            (at(3, 1), 0, 0),
        ]
    };
    let program = |fails| Program {
        shared: [0, 1].map(|value| var("v", BIT, Init::Value(value))).to_vec(),
        ..enters(X, fails)
    };
    let check =
        |fails, rank| refusal(&program(fails), proof(&program(fails), &[&[0]], &inside(rank)));
    // b reads y, which stays as it is; or nothing.
    for fails in [None, Some(Y)] {
        assert_eq!(check(fails, [3, 2, 1]), None);
        for rank in [[3, 0, 0], [3, 2, 0], [3, 1, 1], [3, 3, 1], [1, 2, 3], [0, 2, 1]] {
            let why = check(fails, rank).expect("ranks are wrong");
            assert!(why.contains("rank too high"), "{rank:?}: {why}");
        }
    }
    // b fails as long as x is 0; what the section writes later conflicts with that.
    let why = check(Some(X), [3, 2, 1]).expect("a wrong proof");
    assert!(why.contains("conflict"), "{why}");
}

#[test]
fn conflicts_forbid_reduction() {
    // b fails if it sees x before a sets it: write after read, now and later.
    let a = || template("a", 2, vec![edge(0, 1, Expr::TRUE, vec![set_bit(X, 1)])]);
    let x_is_zero = || Expr::negate(Expr::Var(X));
    let now = template("b", 2, vec![edge(0, 1, x_is_zero(), vec![])]);
    let later = vec![edge(0, 1, Expr::TRUE, vec![]), edge(1, 2, x_is_zero(), vec![])];
    for b in [error(now, 1), error(template("b", 3, later), 2)] {
        let program = bits(vec![a(), b]);
        let start = (state(&[0, 0], &ZERO), 1, 1);
        let mut states = vec![start];
        states.extend((0..2).map(|at| (state(&[1, at], &[Some(1), Some(0)]), 0, 0)));
        states.truncate(program.templates[1].locations.len());
        assert_refused(&program, proof(&program, &[&[0]], &states), "conflict");
    }
}

#[test]
fn disabled_edges_conflict_too() {
    // a can fail once b has set x; now it can only loop once.
    let a = vec![edge(0, 1, Expr::TRUE, vec![]), edge(0, 2, Expr::Var(X), vec![])];
    let b = template("b", 2, vec![edge(0, 1, Expr::TRUE, vec![set_bit(X, 1)])]);
    let program = bits(vec![error(template("a", 3, a), 2), b]);
    let states = [
        (state(&[0, 0], &ZERO), 1, 1),
        (state(&[1, 0], &ZERO), 0, 0),
        (state(&[1, 1], &[Some(1), Some(0)]), 0, 0),
    ];
    assert_refused(&program, proof(&program, &[&[0]], &states), "conflict");
}

#[test]
fn writes_conflict_with_writes() {
    let thread =
        |name, value| template(name, 2, vec![edge(0, 1, Expr::TRUE, vec![set_bit(X, value)])]);
    let program = bits(vec![thread("a", 0), thread("b", 1)]);
    let states = [
        (state(&[0, 0], &ZERO), 1, 1),
        (state(&[1, 0], &ZERO), 0, 0),
        (state(&[1, 1], &[Some(1), Some(0)]), 0, 0),
    ];
    assert_refused(&program, proof(&program, &[&[0]], &states), "conflict");
}

#[test]
fn errors_and_limits_are_wrong() {
    type Ends = fn(Template, usize) -> Template;
    for (ends, why) in [(error as Ends, "is at an error"), (limit, "is where the model ends")] {
        let program = waits_for(template("a", 1, vec![]), ends);
        let set = proof(&program, &[], &everything(&program));
        assert_refused(&program, set, why);
        let set = proof(&program, &[], &everything(&program)[..1]);
        assert_refused(&program, set, "a successor by b is not in the set");
    }
}

/// x is arbitrary at the start, then y; each fails on one value if `bad`.
fn arbitrary(ty: Type, bad: Option<i128>) -> Program {
    let x_is = |value| Expr::eq(Expr::Var(X), Expr::constant(value, ty));
    let mut edges = vec![edge(0, 1, Expr::TRUE, vec![(X, Rhs::Havoc)])];
    edges.extend(bad.map(|value| edge(1, 2, x_is(value), vec![])));
    let a = error(template("a", 3, edges), 2);
    program(vec![var("x", ty, Init::Any)], vec![a])
}

#[test]
fn arbitrary_values_are_covered_as_any_or_one_by_one() {
    let ty = Type::unsigned(3);
    let one_by_one: Vec<_> = (0..2)
        .flat_map(|at| (0..8).map(move |value| (state(&[at], &[Some(value)]), 0, 0)))
        .collect();
    let program = arbitrary(ty, None);
    assert_eq!(refusal(&program, proof(&program, &[], &everything(&program))), None);
    assert_eq!(refusal(&program, proof(&program, &[], &one_by_one)), None);
    for index in 0..one_by_one.len() {
        let mut states = one_by_one.clone();
        states.remove(index);
        assert_refused(&program, proof(&program, &[], &states), "is not in the set");
    }
    let failing = arbitrary(ty, Some(5));
    assert_refused(&failing, proof(&failing, &[], &one_by_one), "not in the set");
    let any = everything(&failing);
    assert_refused(&failing, proof(&failing, &[], &any), "at an error");
    assert_refused(&failing, proof(&failing, &[], &any[..2]), "not in the set");
}

#[test]
fn large_types_are_covered_as_any_only() {
    let program = arbitrary(INT, None);
    let states = [(state(&[0], &[None]), 0, 0), (state(&[1], &[None]), 0, 0)];
    assert_eq!(refusal(&program, proof(&program, &[], &states)), None);
    let states = [(state(&[0], &[None]), 0, 0), (state(&[1], &[Some(7)]), 0, 0)];
    assert_refused(&program, proof(&program, &[], &states), "not in the set");
}

#[test]
fn what_no_member_tells_is_forgotten() {
    let x_is_set = Expr::eq(Expr::Var(X), Expr::constant(1, BIT));
    let edges = vec![edge(0, 1, Expr::TRUE, vec![set_bit(Y, 1)]), edge(1, 2, x_is_set, vec![])];
    let program = bits(vec![error(template("a", 3, edges), 2)]);
    let set = |first: [Option<i128>; 2], second: [Option<i128>; 2]| {
        proof(&program, &[], &[(state(&[0], &first), 0, 0), (state(&[1], &second), 0, 0)])
    };
    assert_eq!(refusal(&program, set([Some(0), None], [Some(0), None])), None);
    // One member tells: then all must.
    for (first, second) in [(None, Some(1)), (Some(0), None)] {
        assert_refused(&program, set([Some(0), first], [Some(0), second]), "not in the set");
    }
    // It decides about a step.
    assert_refused(&program, set([None, None], [None, None]), "not in the set");
}

#[test]
fn the_initial_condition_counts() {
    let mut program = arbitrary(Type::unsigned(2), Some(3));
    program.templates[0].edges[0].assigns.clear();
    program.initial =
        Some(Expr::binary(BinOp::Lt, Expr::Var(X), Expr::constant(3, Type::unsigned(2))));
    let states: Vec<_> = (0..2)
        .flat_map(|at| (0..3).map(move |value| (state(&[at], &[Some(value)]), 0, 0)))
        .collect();
    assert_eq!(refusal(&program, proof(&program, &[], &states)), None);
    program.initial = None;
    assert_refused(&program, proof(&program, &[], &states), "an initial state");
}

#[test]
fn any_number_of_threads_is_beyond_closed_sets() {
    let (mut program, set) = reduced();
    program.threads[0].count = Count::Any;
    assert_refused(&program, set, "parameterised programs");
}

/// A member more, all of whose threads are followed.
fn add(set: &mut ClosedSet, words: u64) {
    set.states.push(words);
    set.expansions.push(Expansion::default());
}

#[test]
fn malformed_sets_are_refused() {
    let (program, set) = reduced();
    type Mutation = (&'static str, fn(&mut ClosedSet));
    let mutations: [Mutation; 13] = [
        ("number of cells", |set| set.any_cells.clear()),
        ("number of cells", |set| set.any_cells.push(true)),
        ("not in the set", |set| add(set, 1 << 63)),
        ("one expansion for each", |set| set.states.truncate(1)),
        ("one expansion for each", |set| set.states.push(0)),
        ("one expansion for each", |set| set.expansions.clear()),
        ("does not exist", |set| set.persistent_sets.clear()),
        ("no thread can move", |set| set.persistent_sets[0] = vec![1]),
        ("rank too high", |set| set.persistent_sets.swap(0, 1)),
        ("no thread can move", |set| set.persistent_sets[1] = vec![2]),
        ("does not exist", |set| set.expansions[1].persistent_set = 3),
        ("not in the set", |set| set.any_cells = vec![true, true]),
        ("an initial state", |set| {
            set.states.clear();
            set.expansions.clear();
        }),
    ];
    for (why, mutate) in mutations {
        let mut set = set.clone();
        mutate(&mut set);
        assert_refused(&program, set, why);
    }
}

#[test]
fn locations_out_of_range_are_refused() {
    // Three locations need two bits; the fourth value names none.
    let program = bits(vec![template("a", 3, vec![])]);
    let set = proof(&program, &[], &[(state(&[0], &ZERO), 0, 0), (state(&[3], &ZERO), 0, 0)]);
    assert_refused(&program, set, "location that does not exist");
}

#[test]
fn no_bit_flip_makes_an_unsafe_program_safe_or_the_checker_panic() {
    let a = template("a", 3, vec![edge(0, 1, Expr::TRUE, vec![]), edge(1, 2, Expr::TRUE, vec![])]);
    let program = waits_for(a, error);
    let states: Vec<_> =
        everything(&program).into_iter().filter(|(s, ..)| s.locations[1] == LocId(0)).collect();
    let set = proof(&program, &[&[0], &[1]], &states);
    let mut tried = 0;
    for word in 0..set.states.len() {
        for bit in 0..64 {
            for expansion in 0..27 {
                let mut set = set.clone();
                set.states[word] ^= 1 << bit;
                for (index, entry) in set.expansions.iter_mut().enumerate() {
                    entry.persistent_set = expansion / 3u32.pow(index as u32) % 3;
                    entry.rank = 2 - index as u32;
                }
                assert!(refusal(&program, set).is_some());
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 3 * 64 * 27);
}

#[test]
fn an_unfinished_check_is_a_timeout() {
    let (program, set) = reduced();
    let verdict = check::confirm(
        &program,
        Verdict::Safe(Proof::Closed(set)),
        solve::integers,
        &Budget::default().child(Duration::ZERO),
    );
    assert_eq!(verdict, Verdict::Unknown(Reason::Timeout));
}

/// `cargo test --release -p check -- --ignored --nocapture speed`
#[test]
#[ignore = "a measurement"]
fn speed() {
    // Four threads count to 31 each; every one reads its neighbour, too.
    let ty = Type::unsigned(32);
    let thread = |number: u32| {
        let mine = VarRef::Shared(SharedId(number));
        let neighbour = VarRef::Shared(SharedId((number + 1) % 4));
        let one = Expr::constant(1, ty);
        let guard = Expr::binary(BinOp::Lt, Expr::Var(mine), Expr::constant(31, ty));
        let add = Expr::binary(BinOp::Add, Expr::Var(mine), one);
        let hundred = Expr::constant(100, ty);
        let fails = Expr::binary(BinOp::Lt, hundred, Expr::Var(neighbour));
        let steps =
            vec![edge(0, 0, guard, vec![(mine, Rhs::Expr(add))]), edge(0, 1, fails, vec![])];
        error(template(&format!("t{number}"), 2, steps), 1)
    };
    let shared = (0..4).map(|i| var(&format!("x{i}"), ty, Init::Value(0))).collect();
    let program = program(shared, (0..4).map(thread).collect());
    let value = |index: i128, cell: i128| Some(index >> (5 * cell) & 31);
    let states: Vec<_> = (0..1 << 20)
        .map(|index| (state(&[0; 4], &[0, 1, 2, 3].map(|cell| value(index, cell))), 0, 0))
        .collect();
    let set = proof(&program, &[], &states);
    let begin = std::time::Instant::now();
    assert_eq!(refusal(&program, set), None);
    let seconds = begin.elapsed().as_secs_f64();
    println!("{} states in {seconds:.2} s: {:.0}/s", states.len(), states.len() as f64 / seconds);
}
