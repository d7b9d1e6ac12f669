//! Proofs by assertions, written by hand: right ones pass; each condition that is broken
//! on purpose is found. Many of the broken ones are about programs for which accepting the
//! proof would be a wrong SAFE.

mod asked;
mod views;
use ccfa::{Budget, Expr, LocId, LocalId, SharedId, ThreadId, VarRef};
use evidence::{Assertions, Proof, Reason, Slot, Verdict};
use std::time::Duration;
use views::{assertions, program, refusal};

#[track_caller]
fn accepted(model: &str, proof: &str) {
    let program = program(model);
    assert_eq!(refusal(&program, assertions(&program, proof)), None);
}

#[track_caller]
fn refused(model: &str, proof: &str, why: &str) {
    let program = program(model);
    assert_eq!(refusal(&program, assertions(&program, proof)).as_deref(), Some(why));
}

/// The proof passes, but not with `old` replaced.
#[track_caller]
fn spoiled(model: &str, proof: &str, old: &str, new: &str, why: &str) {
    assert!(proof.contains(old), "`{old}` does not occur");
    refused(model, &proof.replacen(old, new, 1), why);
}

/// POPL'11, Figure 3: the lock knows who has it.
const LOCK_ID: &str = "
    shared lock: u8 = 0
    template thread(me: u8) {
      start -> critical: when lock == 0 then lock := me
      critical -> bad: when lock != me
      critical -> start: when lock == me then lock := 0
      error bad: \"lock == me\"
    }
    thread a = thread(1)
    thread b = thread(2)";

/// It has a modular proof.
const LOCK_ID_PROOF: &str = "
    view a
    at start : a.me == 1
    at critical : a.me == 1; lock == 1
    view b
    at start : b.me == 2
    at critical : b.me == 2; lock == 2";

/// POPL'11, Figure 1, with an observer for mutual exclusion: the lock is a bit.
const LOCK_BIT: &str = "
    shared lock: bool = false
    shared inside: u8 = 0
    template thread() {
      start -> locked: when !lock then lock := true
      locked -> critical: inside := inside + 1
      critical -> bad: when inside != 1
      critical -> leave: when inside == 1 then inside := inside - 1
      leave -> start: lock := false
      error bad: \"mutual exclusion\"
    }";

fn lock_bit(threads: &str) -> String {
    format!("{LOCK_BIT}\n{threads}")
}

const LOCK_BIT_PROOF: &str = "
    view a b
    at start start : inside == 0
    at locked|leave start : lock; inside == 0
    at critical start : lock; inside == 1
    at start locked|leave : lock; inside == 0
    at start critical : lock; inside == 1";

const ANY_LOCK_BIT_PROOF: &str = "
    view T T
    at start * :
    at * start :
    view T
    at start : lock || inside == 0
    at locked|leave : lock; inside == 0
    at critical : lock; inside == 1";

/// Any number of customers draw tickets; overflow ends the run.
const TICKETS: &str = "
    shared next: i32 = 0
    shared serving: i32 = 0
    template customer() {
      local mine: i32 = any
      start -> wait: mine := next, next := next + 1
      wait -> critical: when serving == mine
      critical -> bad: when serving != mine
      critical -> start: when serving == mine then serving := serving + 1
      error bad: \"my turn\"
    }
    thread T[*] = customer()";

const TICKETS_PROOF: &str = "
    view T
    at start :
    at wait : T.mine < next
    at critical : serving == T.mine; T.mine < next
    view T T
    at start * :
    at * start :
    at wait|critical wait|critical : T#1.mine != T#2.mine";

/// As `LOCK_ID`, parameterised, with different numbers.
const ANY_LOCK_ID: &str = "
    shared lock: u64 = 0
    template thread(me: u64) {
      start -> critical: when lock == 0 then lock := me
      critical -> bad: when lock != me
      critical -> start: when lock == me then lock := 0
      error bad: \"lock == me\"
    }
    thread T[*] = thread(index + 1)";

const ANY_LOCK_ID_PROOF: &str = "
    view T
    at start : T.me != 0
    at critical : T.me != 0; lock == T.me
    view T T
    at * * : T#1.me != T#2.me";

/// While `a` is in the middle, `b` cannot move.
const ATOMIC: &str = "
    shared x: u8 = 0
    template a() {
      start -> middle: x := 1
      middle -> end: when x == 1
      middle -> bad: when x != 1
      atomic location middle
      error bad: \"x == 1\"
    }
    template b() { start -> end: x := 2 }
    thread a = a()
    thread b = b()";

const ATOMIC_PROOF: &str = "
    view a
    at start|end :
    at middle : x == 1";

/// Both are in one view, and one of them alone may move.
const ATOMIC_PAIR: &str = "
    shared x: u8 = 0
    template t() {
      start -> middle: x := 1
      middle -> end: x := 0
      end -> bad: when x != 0
      atomic location middle
      error bad: \"x == 0\"
    }
    thread T[2] = t()";

const ATOMIC_PAIR_PROOF: &str = "
    view T T
    at start|end start|end : x == 0
    at middle start|end :
    at start|end middle :";

/// Only two views together say that the error is not reached.
const TOGETHER: &str = "
    shared x: u8 = 0
    template a() { start -> bad: when x == 1   error bad: \"x == 0\"   bad -> start: x := 1 }
    template b() { start -> end }
    thread a = a()
    thread b[*] = b()";

const TOGETHER_PROOF: &str = "
    view a
    at start :
    at bad : x == 1
    view b
    at * : x == 0";

fn two_locks() -> String {
    lock_bit("thread a = thread()\n thread b = thread()")
}

fn any_lock() -> String {
    lock_bit("thread T[*] = thread()")
}

/// Programs with proofs none of whose parts can be left out.
fn proofs() -> Vec<(String, String)> {
    [
        (LOCK_ID, LOCK_ID_PROOF),
        (&two_locks(), LOCK_BIT_PROOF),
        (&any_lock(), ANY_LOCK_BIT_PROOF),
        (ANY_LOCK_ID, ANY_LOCK_ID_PROOF),
        (TICKETS, TICKETS_PROOF),
        (ATOMIC, ATOMIC_PROOF),
        (ATOMIC_PAIR, ATOMIC_PAIR_PROOF),
        (TOGETHER, TOGETHER_PROOF),
    ]
    .map(|(model, proof)| (model.to_string(), proof.to_string()))
    .to_vec()
}

#[test]
fn right_proofs_pass() {
    for (model, proof) in proofs() {
        accepted(&model, &proof);
    }
}

/// Each region and conjunct is needed.
#[test]
fn no_part_can_be_left_out() {
    for (model, proof) in proofs() {
        let program = program(&model);
        let whole = assertions(&program, &proof);
        let mut needless = Vec::new();
        let mut check = |change: &dyn Fn(&mut Assertions), what: String| {
            let mut less = whole.clone();
            change(&mut less);
            if refusal(&program, less).is_none() {
                needless.push(what);
            }
        };
        for (v, view) in whole.views.iter().enumerate() {
            for (r, region) in view.regions.iter().enumerate() {
                check(&|less| drop(less.views[v].regions.remove(r)), format!("{v} region {r}"));
                for part in 0..region.holds.len() {
                    check(
                        &|less| drop(less.views[v].regions[r].holds.remove(part)),
                        format!("{v} region {r} formula {part}"),
                    );
                }
            }
        }
        assert!(needless.is_empty(), "{proof}\ndoes not need view {needless:?}");
    }
}

#[test]
fn what_views_say_holds_initially() {
    let why = "view 0 of a need not hold initially";
    spoiled(LOCK_ID, LOCK_ID_PROOF, "a.me == 1", "a.me == 2", why);
    spoiled(LOCK_ID, LOCK_ID_PROOF, "a.me == 1", "a.me == 1; lock != 0", why);
    spoiled(LOCK_ID, LOCK_ID_PROOF, "at start", "at critical", why);
    let any = "shared x: u8 = any   initial x < 7
        template a() { start -> end }
        thread a = a()";
    accepted(any, "view a\n at * : x < 7");
    refused(any, "view a\n at * : x < 6", why);
    refused(any, "view a", why);
}

#[test]
fn instances_have_different_numbers() {
    let why = "view 1 of T#1, T#2 need not hold initially";
    refused(&ANY_LOCK_ID.replace("index + 1", "7"), ANY_LOCK_ID_PROOF, why);
    let why = "view 0 of T need not hold initially";
    refused(&ANY_LOCK_ID.replace("index + 1", "index"), ANY_LOCK_ID_PROOF, why);
    let numbers = |count: &str, holds: &str| {
        let model = "template t(me: i64, you: i64) { start -> end }   thread T[N] = t(index + 5, index - 1)";
        let proof = format!("view T T\n at * * : {holds}");
        let program = program(&model.replace('N', count));
        refusal(&program, assertions(&program, &proof)).is_none()
    };
    assert!(numbers("3", "T#1.me <= 7; 5 <= T#1.me; T#1.you == T#1.me - 6; T#1.you != T#2.you"));
    assert!(!numbers("3", "T#1.me <= 6"));
    assert!(!numbers("3", "T#1.me < T#2.me"));
    assert!(numbers("2", "T#1.me + T#2.me == 11"));
    assert!(!numbers("3", "T#1.me + T#2.me == 11"));
    assert!(numbers("*", "5 <= T#2.me"));
    assert!(!numbers("*", "T#1.me < 1000"));
}

#[test]
fn steps_keep_what_views_say() {
    let why = "view 0 of a need not hold after a: start -> critical in region 0";
    spoiled(LOCK_ID, LOCK_ID_PROOF, "lock == 1", "lock == 0", why);
    let why = "view 0 of a need not hold after b: start -> critical in region 0";
    spoiled(LOCK_ID, LOCK_ID_PROOF, "a.me == 1", "a.me == 1; lock == 0", why);
    let why = "view 0 of a need not hold after a: critical -> bad in region 1";
    spoiled(LOCK_ID, LOCK_ID_PROOF, "; lock == 1", "", why);
    let why = "view 0 of a, b need not hold after a: locked -> critical in region 1";
    let two = two_locks();
    spoiled(&two, LOCK_BIT_PROOF, "at locked|leave start : lock;", "at locked|leave start :", why);
    let why = "view 0 of a, b need not hold after b: locked -> critical in region 3";
    let (old, new) = ("at start locked|leave : lock; inside == 0", "at start locked|leave : lock");
    spoiled(&two, LOCK_BIT_PROOF, old, new, why);
    let why = "view 1 of T need not hold after another T: locked -> critical in region 1";
    let proof = ANY_LOCK_BIT_PROOF.replace("at start * :", "at * * :");
    refused(&any_lock(), &proof, why);
}

#[test]
fn arbitrary_values_are_all_meant() {
    let model = "shared x: u8 = 0
        template a() { start -> end: x := any }
        thread a = a()";
    accepted(model, "view a\n at start : x == 0\n at end : x <= 255");
    let why = "view 0 of a need not hold after a: start -> end in region 0";
    refused(model, "view a\n at start : x == 0\n at end : x < 255", why);
}

/// What is true of two threads need not be true of two among three.
#[test]
fn those_out_of_view_move_too() {
    let proof = "
        view T T
        at start start : !lock; inside == 0
        at locked|leave start : lock; inside == 0
        at critical start : lock; inside == 1
        at start locked|leave : lock; inside == 0
        at start critical : lock; inside == 1";
    accepted(&lock_bit("thread T[2] = thread()"), proof);
    let why = "view 0 of T#1, T#2 need not hold after another T: start -> locked in region 0";
    refused(&lock_bit("thread T[3] = thread()"), proof, why);
    refused(&any_lock(), proof, why);
    let other =
        "thread T[2] = thread()\n template u() { start -> end: lock := false } thread U = u()";
    let why = "view 0 of T#1, T#2 need not hold after U: start -> end in region 1";
    refused(&lock_bit(other), proof, why);
    refused(
        &lock_bit(&other.replace("U = u()", "U[0] = u()")),
        "",
        "T may be at bad, a forbidden location",
    );
    accepted(&lock_bit(&other.replace("U = u()", "U[0] = u()")), proof);
}

/// Someone writes a slot, and someone watches slot 0.
const SLOTS: &str = "
    shared slot: u8[2] = 0
    template writer(me: u8) {
      start -> done: slot[me] := 1
    }
    template reader() {
      watch -> bad: when slot[0] != 0
      error bad: \"slot 0 is mine\"
    }
    thread w = writer(1)
    thread r = reader()";

/// What an instance is said to be, in whichever view, may be used where it moves; what only some
/// regions say, or what is not true of it, may not.
#[test]
fn who_moves_is_known_by_its_own_view() {
    let model = SLOTS;
    let proof = "
    view r
    at watch : slot[0] == 0
    view w
    at start : w.me == 1
    at done :";
    accepted(model, proof);
    let interference = "view 0 of r need not hold after w: start -> done in region 0";
    spoiled(model, proof, "start : w.me == 1", "start : w.me <= 1", interference);
    let (one, two) = ("at start : w.me == 1", "at start : w.me == 1\n at start|done : w.me == 0");
    spoiled(model, proof, one, two, interference);
    spoiled(model, proof, "start : w.me == 1", "* :\n at done : w.me == 1", interference);
    let other = model.replace("writer(1)", "writer(0)");
    refused(&other, proof, "view 1 of w need not hold initially");
    let proof = "
    view r
    at watch : slot[0] == 0
    view r w
    at * start : w.me == 1
    at * done :";
    accepted(model, proof);
    spoiled(model, proof, "start : w.me == 1", "start : w.me <= 1", interference);
    let (one, two) =
        ("at * start : w.me == 1", "at * start : w.me == 1\n at watch start|done : w.me == 0");
    spoiled(model, proof, one, two, interference);
    spoiled(model, proof, "start : w.me == 1", "* :\n at * done : w.me == 1", interference);
    refused(&other, proof, "view 1 of r, w need not hold initially");
}

/// Only what is said of the one who moves becomes a part of its guard, not what is said of
/// another one that is there.
#[test]
fn who_moves_is_not_mistaken_for_another() {
    let model = format!("{SLOTS}\nthread v = writer(0)");
    let proof = "
    view r
    at watch : slot[0] == 0
    view w v
    at start * : w.me == 1
    at done * :";
    refused(&model, proof, "view 0 of r need not hold after v: start -> done in region 0");
    accepted(
        &model.replace("writer(0)", "writer(1)"),
        &format!("{proof}\nview v\nat * : v.me == 1"),
    );
}

#[test]
fn at_atomic_locations_only_one_moves() {
    let why = "view 0 of a need not hold after b: start -> end in region 1";
    refused(&ATOMIC.replace("atomic location middle", ""), ATOMIC_PROOF, why);
    let why = "view 0 of T#1, T#2 need not hold after T#1: start -> middle in region 2";
    refused(&ATOMIC_PAIR.replace("atomic location middle", ""), ATOMIC_PAIR_PROOF, why);
    // With a third one, an environment thread may be in the middle.
    let why = "view 0 of T#1, T#2 need not hold after another T: start -> middle in region 0";
    refused(&ATOMIC_PAIR.replace("T[2]", "T[3]"), ATOMIC_PAIR_PROOF, why);
    // The one at an atomic location moves.
    let why = "view 0 of a need not hold after a: middle -> end in region 1";
    spoiled(ATOMIC, ATOMIC_PROOF, "start|end", "start", why);
}

/// What two views say of one instance fits together only location by location.
#[test]
fn views_are_joined_by_location() {
    let model = "shared x: u8 = 0   shared y: u8 = 0
        template a() { start -> bad: when x != y   error bad: \"x == y\" }
        template b() { start -> end: x := 1, y := 1 }
        thread a = a()
        thread b = b()";
    let proof = "
        view a b
        at start * :
        view b
        at start : x == 0
        at end : x == 1
        view b
        at start : y == 0
        at end : y == 1";
    accepted(model, proof);
    let why = "view 0 of a, b need not hold after a: start -> bad in region 0";
    refused(model, &proof.replace("y == 1", "y <= 1"), why);
}

/// Integers without bounds, as far as they are linear.
#[test]
fn unbounded_integers_are_decided() {
    let model = "shared x: int = 0   shared y: int = 0
        template a() {
          start -> start: x := x + 1, y := y + 1
          start -> bad: when x / 2 != y / 2
          error bad: \"x == y\"
        }
        thread a[*] = a()";
    let proof = "
        view a
        at start : x == y";
    accepted(model, proof);
    accepted(model, &proof.replace("x == y", "x <= y && y < x + 1"));
    let why = "view 0 of a need not hold after a: start -> bad in region 0";
    refused(model, &proof.replace("x == y", "x <= y"), why);
    let why = "view 0 of a need not hold after a: start -> start in region 0";
    refused(model, &proof.replace("x == y", "x == y && x < 1000"), why);
}

/// What cannot be decided from one view, may be with another.
#[test]
fn products_of_integers_may_be_decided() {
    let model = "shared x: int = 0   shared flag: bool = false
        template a() { start -> bad: when flag && x * x == 2int   error bad: \"!flag\" }
        template b() { start -> start: x := x + 1 }
        thread a = a()
        thread b = b()";
    let proof = "
        view a b
        at start * :
        view b
        at * : !flag";
    accepted(model, proof);
    let why = "the solver did not decide a condition of the proof";
    refused(model, &proof.replace("!flag", ""), why);
}

#[test]
fn errors_and_limits_are_excluded() {
    let why = "a may be at bad, a forbidden location";
    spoiled(
        TOGETHER,
        TOGETHER_PROOF,
        "at bad : x == 1",
        "at bad :",
        "a may be at bad, a forbidden location",
    );
    refused(TOGETHER, "view a\n at * :", why);
    refused(TOGETHER, "", why);
    refused(&TOGETHER.replace("error bad", "limit bound bad"), "", why);
    accepted(&TOGETHER.replace("error bad", "limit bound bad"), TOGETHER_PROOF);
    let at_once = "template a() { error bad: \"true\"   entry bad }   thread a[*] = a()";
    refused(at_once, "", why);
    refused(at_once, "view a\n at * : false", "view 0 of a need not hold initially");
    accepted(&at_once.replace("[*]", "[0]"), "");
    // Any one may be there, not only the first.
    let model = "template t(me: u8) { start -> bad: when me == 1   error bad: \"0\" }
        thread T[2] = t(index)";
    let first = "view T[0]\n at start : `T[0].me` == 0";
    refused(model, first, "T may be at bad, a forbidden location");
    let both = format!("{first}\n view T[1]\n at start : `T[1].me` == 1");
    refused(model, &both, "view 1 of T[1] need not hold after T[1]: start -> bad in region 0");
    accepted(&model.replace("me == 1", "me == 2"), &both);
}

#[test]
fn instances_can_be_named() {
    let model = LOCK_ID.replace("thread a = thread(1)", "thread T[2] = thread(index + 1)");
    let model = model.replace("thread b = thread(2)", "");
    let named = LOCK_ID_PROOF
        .replace("a.me", "`T[0].me`")
        .replace("b.me", "`T[1].me`")
        .replace("view a", "view T[0]")
        .replace("view b", "view T[1]");
    accepted(&model, &named);
    let why = "view 0 of T[0] need not hold initially";
    spoiled(&model, &named, "`T[0].me` == 1", "`T[0].me` == 2", why);
    let why = "view 0 of T[0] need not hold after T[1]: start -> critical in region 0";
    spoiled(&model, &named, "`T[0].me` == 1", "`T[0].me` == 1; lock != 2", why);
    let first = &named[..named.find("view T[1]").unwrap()];
    refused(
        &model,
        first,
        "view 0 of T[0] need not hold after T[1]: critical -> start in region 1",
    );
    // Beside a named instance, any other may be tracked.
    let mixed = "
        view T[0] T
        at start start : `T[0].me` == 1; T#2.me == 2
        at critical start : `T[0].me` == 1; lock == 1; T#2.me == 2
        at start critical : `T[0].me` == 1; lock == 2; T#2.me == 2";
    accepted(&model, mixed);
    let why = "view 0 of T[0], T#2 need not hold after T[2]: critical -> start in region 2";
    refused(&model.replace("T[2]", "T[3]"), mixed, why);
}

#[test]
fn definedness_counts() {
    let model = "shared x: i8 = any
        shared v: u8[2] = 0
        template a() { start -> end: x := x + 1   error bad: \"0\"   end -> bad: when x == -128 }
        thread a = a()";
    accepted(model, "view a\n at start :\n at end : -128 < x");
    let why = "view 0 of a need not hold after a: start -> end in region 0";
    refused(model, "view a\n at start :\n at end : -127 < x", why);
    refused(model, "view a\n at * : v[x] == 0", "view 0 of a need not hold initially");
    accepted(model, "view a\n at start : true || v[x] == 0\n at end : -128 < x");
}

#[test]
fn malformed_proofs_are_refused() {
    let program = program(&LOCK_ID.replace("thread b", "thread c[*]"));
    let proof = "view a\n at * :\n view c c\n at * * :";
    let whole = assertions(&program, proof);
    let slot = |thread, index| Slot { thread: ThreadId(thread), index };
    type Spoil<'a> = &'a dyn Fn(&mut Assertions);
    let number = Expr::Var(VarRef::Shared(SharedId(0)));
    let missing = |id| Expr::Var(VarRef::Local(LocalId(id)));
    let cases: [(Spoil, &str); 12] = [
        (&|p| p.views[0].slots.clear(), "view 0 tracks no thread"),
        (&|p| p.views[0].slots[0] = slot(2, None), "view 0 tracks a thread that does not exist"),
        (
            &|p| p.views[0].slots[0] = slot(0, Some(1)),
            "view 0 tracks an instance of a that does not exist",
        ),
        (
            &|p| p.views[0].slots[0] = slot(1, Some(0)),
            "view 0 names an instance of c, which is parameterised",
        ),
        (
            &|p| p.views[1].slots = vec![slot(0, None); 2],
            "view 1 tracks more instances of a than there are",
        ),
        (
            &|p| p.views[1].slots = vec![slot(0, Some(0)); 2],
            "view 1 tracks more instances of a than there are",
        ),
        (
            &|p| p.views[1].regions[0].at.truncate(1),
            "view 1, region 0: it has not one set of locations for each slot",
        ),
        (
            &|p| p.views[1].regions[0].at.push(None),
            "view 1, region 0: it has not one set of locations for each slot",
        ),
        (
            &|p| p.views[1].regions[0].at[1] = Some(vec![LocId(3)]),
            "view 1, region 0: it speaks of a location that does not exist",
        ),
        (
            &|p| p.views[1].regions[0].holds.push(number.clone()),
            "view 1, region 0: what holds is no formula",
        ),
        (
            &|p| p.views[1].regions[0].holds.push(missing(2)),
            "view 1, region 0: there is no local variable number 2",
        ),
        (
            &|p| p.views[1].regions[0].holds.push(Expr::eq(missing(1), Expr::TRUE)),
            "view 1, region 0: the right operand of `==` is bool, but u8 is needed",
        ),
    ];
    for (spoil, why) in cases {
        let mut proof = whole.clone();
        spoil(&mut proof);
        assert_eq!(refusal(&program, proof).as_deref(), Some(why));
    }
    let twice = views::program(&LOCK_ID.replace("thread b", "thread c[2]"));
    let proof = assertions(&twice, "view c[1] c[1]\n at * * :");
    assert_eq!(refusal(&twice, proof).as_deref(), Some("view 0 tracks an instance of c twice"));
}

#[test]
fn an_interrupted_check_is_no_proof() {
    let program = program(LOCK_ID);
    let verdict = Verdict::Safe(Proof::Assertions(assertions(&program, LOCK_ID_PROOF)));
    let confirmed = check::confirm(
        &program,
        verdict,
        solve::integers,
        &Budget::default().child(Duration::ZERO),
    );
    assert_eq!(confirmed, Verdict::Unknown(Reason::Timeout));
}
