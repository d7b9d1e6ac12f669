//! Proofs by trees, written by hand: right ones pass; each condition that is
//! broken on purpose is found. Many of the broken ones are about programs for
//! which accepting the proof would be a wrong SAFE.

mod asked;
mod trees;
use ccfa::{Budget, Count, EdgeId, Expr, LocalId, SharedId, Type, VarRef};
use evidence::{Proof, Reason, Tree, Verdict};
use std::time::Duration;
use trees::{program, refusal, tree};

#[track_caller]
fn accepted(model: &str, proof: &str) {
    let program = program(model);
    assert_eq!(refusal(&program, tree(&program, proof)), None);
}

#[track_caller]
fn refused(model: &str, proof: &str, why: &str) {
    let program = program(model);
    assert_eq!(refusal(&program, tree(&program, proof)).as_deref(), Some(why));
}

/// The proof with `old` replaced is refused.
#[track_caller]
fn spoiled(model: &str, proof: &str, old: &str, new: &str, why: &str) {
    assert!(proof.contains(old), "`{old}` does not occur");
    refused(model, &proof.replacen(old, new, 1), why);
}

/// Thread b copies x while thread a sets it.
const COPY: &str = "
    shared x: u8 = 0
    shared y: u8 = 0
    template a() { start -> end: x := 1 }
    template b() {
      start -> done: y := x
      error bad: \"y < 2\"
      done -> bad: when 1 < y
    }
    thread a = a()
    thread b = b()";

const COPY_PROOF: &str = "
    root : x == 0; y == 0
    0 a start->end : x == 1; y < 2
    0 b start->done : x < 2; y < 2
    1 b start->done : x < 2; y < 2
    3 b done->bad : false
    2 a start->end : x == 1; y < 2 => 3";

#[test]
fn right_proofs_pass() {
    accepted(COPY, COPY_PROOF);
}

#[test]
fn the_root_holds_initially() {
    let why = "the label of the root, x == 1, need not hold";
    spoiled(COPY, COPY_PROOF, "root : x == 0", "root : x == 1", why);
    let any = "shared x: u8 = any
        template a() { start -> end: x := 1 }
        thread a = a()";
    accepted(any, "root :\n0 a start->end :");
    refused(
        any,
        "root : x < 255\n0 a start->end :",
        "the label of the root, x < 255, need not hold",
    );
    let bounded = any.replace("template", "initial x < 7\n template");
    accepted(&bounded, "root : x < 7\n0 a start->end : x < 7");
    refused(
        &bounded,
        "root : x < 6\n0 a start->end :",
        "the label of the root, x < 6, need not hold",
    );
}

#[test]
fn labels_follow_from_steps() {
    for (old, new, why) in [
        (
            "start->end : x == 1",
            "start->end : x == 0",
            "node 1: x == 0 need not hold after a: start -> end from node 0",
        ),
        (
            "1 b start->done : x < 2; y < 2",
            "1 b start->done : x < 2; y < 1",
            "node 3: y < 1 need not hold after b: start -> done from node 1",
        ),
        (
            "0 a start->end : x == 1; y < 2",
            "0 a start->end : y < 2",
            "node 3: y < 2 need not hold after b: start -> done from node 1",
        ),
        (
            "2 a start->end : x == 1; y < 2 => 3",
            "2 a start->end : x == 1; y == 0 => 3",
            "node 5: y == 0 need not hold after a: start -> end from node 2",
        ),
    ] {
        spoiled(COPY, COPY_PROOF, old, new, why);
    }
}

#[test]
fn arbitrary_values_are_all_meant() {
    let model = "shared x: u8 = 0
        shared v: u8[2] = 0
        template a() { start -> one: x := any   one -> two: v[0] := any   two -> three: v := any }
        thread a = a()";
    let proof = "
        root : v[0] == 0; v[1] == 0
        0 a start->one : x <= 255; v[0] == 0; v[1] == 0
        1 a one->two : v[1] == 0
        2 a two->three :";
    accepted(model, proof);
    for (old, new, what) in [
        ("x <= 255", "x < 255", "node 1: x < 255 need not hold after a: start -> one from node 0"),
        (
            "two : v[1] == 0",
            "two : v[0] == 0",
            "node 2: v[0] == 0 need not hold after a: one -> two from node 1",
        ),
        (
            "three :",
            "three : v[1] == 0",
            "node 3: v[1] == 0 need not hold after a: two -> three from node 2",
        ),
    ] {
        spoiled(model, proof, old, new, what);
    }
}

#[test]
fn covers_are_weaker_and_uncovered() {
    for (old, new, why) in [
        (
            "1 b start->done : x < 2; y < 2",
            "1 b start->done : x < 2; y == 1; y < 2",
            "node 5 does not imply y == 1 of its cover 3",
        ),
        ("=> 3", "=> 2", "node 5 is covered by 2, which is at other locations"),
        ("=> 3", "=> 5", "node 5 is covered by 5, which is covered itself"),
        ("=> 3", "=> 6", "node 5 is covered by a node that does not exist"),
        (
            "1 b start->done : x < 2; y < 2",
            "1 b start->done : x < 2; y < 2 => 5",
            "node 5 is covered by 3, which is covered itself",
        ),
    ] {
        spoiled(COPY, COPY_PROOF, old, new, why);
    }
}

#[test]
fn errors_and_gaps_cannot_be_reached() {
    let why = "node 4 is at a forbidden location, but may be reached";
    for label in ["", "y < 2", "x == 0 || y == 0"] {
        let new = format!("3 b done->bad : {label}");
        spoiled(COPY, COPY_PROOF, "3 b done->bad : false", &new, why);
    }
    // Any label that cannot hold will do.
    accepted(COPY, &COPY_PROOF.replace("bad : false", "bad : 1 < y; y < 2"));
    let limit = COPY.replace("error bad", "limit unsupported bad");
    accepted(&limit, COPY_PROOF);
    spoiled(&limit, COPY_PROOF, "3 b done->bad : false", "3 b done->bad :", why);
    let at_once = "template a() { error bad: \"true\" entry bad } thread a = a()";
    refused(at_once, "root :", "node 0 is at a forbidden location, but may be reached");
    refused(at_once, "root : false", "the label of the root, false, need not hold");
}

#[test]
fn nothing_that_can_happen_is_missing() {
    refused(COPY, "root :", "node 0 has no child for a: start -> end");
    let half = "root :\n0 a start->end :";
    refused(COPY, half, "node 0 has no child for b: start -> done");
    // Without its label, node 3 has something to be afraid of.
    let why = "node 3 has no child for b: done -> bad";
    let unlabelled = COPY_PROOF.replace("3 b done->bad : false", "2 b done->bad : false");
    accepted(COPY, &unlabelled);
    spoiled(COPY, &unlabelled, "1 b start->done : x < 2; y < 2", "1 b start->done : x < 2", why);
    // What is not covered goes on.
    spoiled(COPY, COPY_PROOF, "; y < 2 => 3", "", "node 5 has no child for b: done -> bad");
}

#[test]
fn below_covered_nodes_anything_goes() {
    let more = format!("{COPY_PROOF}\n 5 b done->bad : x == 7 => 0");
    accepted(COPY, &more);
    spoiled(
        COPY,
        &more,
        "; y < 2 => 3",
        "; y < 2",
        "node 6 is covered by 0, which is at other locations",
    );
    // Unless it covers a node that is needed.
    let model = "shared x: u8 = 0
        template a() { start -> start: x := 1 }
        thread a = a()";
    let proof = "
        root : => 1
        0 a start->start : => 0";
    refused(model, proof, "node 0 is covered by 1, which is covered itself");
    accepted(model, "root : => 1\n0 a start->start :\n1 a start->start : => 1");
    accepted(model, "root : x < 2 => 1\n0 a start->start : x < 2\n1 a start->start : x == 1 => 1");
    let proof = "root : x < 2 => 1\n0 a start->start : x < 2\n1 a start->start : x == 0 => 1";
    refused(model, proof, "node 2: x == 0 need not hold after a: start -> start from node 1");
}

#[test]
fn definedness_counts() {
    // The step cannot be taken where its expressions are undefined; nor does a
    // label hold there.
    let model = "shared x: i8 = any
        shared v: u8[2] = 0
        template a() { start -> end: x := x + 1   error bad: \"0\"   end -> bad: when x == -128 }
        thread a = a()";
    accepted(model, "root :\n0 a start->end : -128 < x");
    let why = "node 1: -127 < x need not hold after a: start -> end from node 0";
    refused(model, "root :\n0 a start->end : -127 < x", why);
    let why = "the label of the root, v[x] == 0, need not hold";
    refused(model, "root : v[x] == 0\n0 a start->end : -128 < x", why);
    accepted(model, "root : true || v[x] == 0\n0 a start->end : -128 < x");
}

/// After a choice of the second thread, the first may look at x. The fault needs
/// it to do so right after `x := 1`. (FMCAD'13, Section IV-C; y is touched lest the
/// second thread be alone where it writes that.)
const CHOICE: &str = "
    shared x: u8 = 0
    shared y: u8 = 0
    template check() {
      error bad: \"x == 0\"
      entry start
      start -> ok: when x == 0
      start -> bad: when x != 0
      bad -> bad: when y == 0
    }
    template write() {
      start -> chosen: x := 1
      start -> chosen
      chosen -> end: x := 0
    }
    thread check = check()
    thread write = write()";

const CHOICE_PROOF: &str = "
    root : x == 0
    0 check start->ok :
    0 write start->chosen : => 3
    0 write start->chosen/1 :
    3 write chosen->end : x == 0
    1 write start->chosen :
    1 write start->chosen/1 :
    5 write chosen->end :
    6 write chosen->end :
    4 check start->ok :";

#[test]
fn a_cover_is_expanded_for_those_it_covers() {
    refused(CHOICE, CHOICE_PROOF, "node 3 has no child for check: start -> ok");
    // With a child for it, the error appears there.
    let expanded = format!("{CHOICE_PROOF}\n 3 check start->ok :\n 10 write chosen->end :");
    refused(CHOICE, &expanded, "node 3 has no child for check: start -> bad");
    let expanded = format!("{expanded}\n 3 check start->bad : false");
    let why = "node 12: false need not hold after check: start -> bad from node 3";
    refused(CHOICE, &expanded, why);
    // If no branch touches x, the same tree is a proof.
    accepted(&CHOICE.replace("x := 1", "y := 1"), CHOICE_PROOF);
}

/// Two steps that touch different variables; then the first thread fails.
const APART: &str = "
    shared x: u8 = 0
    shared y: u8 = 0
    template first() { start -> end: x := 1 }
    template second() { start -> end: y := 1 }
    thread first = first()
    thread second = second()";

const APART_PROOF: &str = "
    root :
    0 first start->end :
    0 second start->end :
    1 second start->end :";

#[test]
fn steps_that_commute_are_left_out_in_one_order() {
    accepted(APART, APART_PROOF);
    let late = "
        root :
        0 first start->end :
        0 second start->end :
        2 first start->end :";
    refused(APART, late, "node 1 has no child for second: start -> end");
    // At the root nothing is left out.
    refused(APART, "root :\n0 second start->end :", "node 0 has no child for first: start -> end");
    for (old, new) in [
        ("x := 1", "x := 1, y := 2"),
        ("x := 1", "y := 2"),
        ("x := 1", "x := y"),
        ("x := 1", "when y == 0"),
        ("x := 1", "x := ite(x == 0, 1, y)"),
        ("x := 1", "when x == 0 || y == 0"),
        ("y := 1", "y := x"),
        ("y := 1", "when x == 0"),
        ("y := 1", "y := any, x := any"),
    ] {
        refused(
            &APART.replace(old, new),
            APART_PROOF,
            "node 2 has no child for first: start -> end",
        );
    }
    // Both may read.
    accepted(&APART.replace("x := 1", "when y == 0").replace("y := 1", "when y == 0"), APART_PROOF);
}

#[test]
fn steps_that_touch_nothing_shared_have_their_place() {
    let local = |name: &str| format!("{name}() {{ local r: u8 = 0 ");
    let model = APART.replace("first() {", &local("first")).replace("x := 1", "r := 1");
    let proof = "
        root : y == 0
        0 first start->end : y == 0
        0 second start->end : y == 1
        2 first start->end : y == 1";
    // It could also touch something, so the thread is not alone.
    let not_alone = model.replace("r := 1", "r := 1   start -> never: when y == 9");
    accepted(&not_alone, proof);
    let other = proof.replace("2 first start->end", "1 second start->end");
    refused(&not_alone, &other, "node 2 has no child for first: start -> end");
    // But where it can do nothing else, it comes first; then the order of the threads decides.
    accepted(&model, "root :\n0 first start->end :\n1 second start->end :");
    refused(&model, proof, "node 1 has no child for second: start -> end");
    let both = model.replace("second() {", &local("second")).replace("y := 1", "r := 1");
    accepted(&both, APART_PROOF);
    refused(&both, &proof.replace("y == 1", ""), "node 1 has no child for second: start -> end");
    let again = model.replace("r := 1 }", "r := 1   end -> more: x := 1 }");
    refused(&again, proof, "node 1 has no child for first: end -> more");
}

#[test]
fn instances_of_one_thread_have_their_own_locals() {
    let model = "shared seen: bool[2] = false
        shared go: bool = any
        template w(me: u8) { local r: u8 = 0   start -> mid: when go then r := me   mid -> end: seen[me] := true }
        thread w[2] = w(index)";
    let known = "`w[0].me` == 0; `w[1].me` == 1";
    let proof = format!(
        "
        root : {known}
        0 w[0] start->mid : {known}
        0 w[1] start->mid :
        1 w[0] mid->end :
        1 w[1] start->mid : {known}
        3 w[1] start->mid :
        4 w[0] mid->end :
        4 w[1] mid->end : {known}
        5 w[1] mid->end :
        2 w[1] mid->end :"
    );
    // Node 7 comes by w[1] and leaves out the step of w[0] at mid; node 2 and
    // what is below it leave out those of w[0] at the start.
    accepted(model, &format!("{proof}\n 6 w[1] mid->end :"));
    let proof =
        proof.replace("4 w[0] mid->end :", "4 w[0] mid->end : `w[0].r` == 0; `w[1].r` == 1");
    let why = "node 6: `w[0].r` == 0 need not hold after w[0]: mid -> end from node 4";
    refused(model, &format!("{proof}\n 6 w[1] mid->end :"), why);
}

/// Both write v, at places that differ.
const ARRAY: &str = "
    shared v: u8[3] = 0
    shared i: u2 = any
    shared j: u8 = any
    initial u8(i) != j
    template first() {
      start -> end: v[i] := 1
      error bad: \"v[i] == 1\"
      end -> bad: when v[i] != 1
    }
    template second() { start -> end: v[j] := 2 }
    thread first = first()
    thread second = second()";

const ARRAY_PROOF: &str = "
    root : u8(i) != j
    0 first start->end : u8(i) != j; v[i] == 1
    0 second start->end :
    1 second start->end : u8(i) != j; v[i] == 1";

/// What excludes a step need not have anything to do with it.
#[test]
fn what_cannot_hold_excludes_every_step() {
    let model = "shared x: u8 = 0
        shared y: u8 = 0
        shared z: u8 = any
        template a() {
          start -> never: when x < y && y < x
          error bad: \"z is not 1\"
          never -> bad: when z == 1
        }
        thread a = a()";
    let proof = "root : z <= 255\n0 a start->never : x < y; y < x";
    accepted(model, proof);
    for part in ["x < y; ", "; y < x"] {
        let why = "node 1 has no child for a: never -> bad";
        spoiled(model, proof, part, "", why);
    }
}

#[test]
fn labels_tell_elements_apart() {
    accepted(ARRAY, ARRAY_PROOF);
    // The proof is about the order "second, first" also where that matters.
    let anywhere = ARRAY.replace("initial u8(i) != j", "");
    let proof = ARRAY_PROOF.replace("u8(i) != j", "");
    refused(
        &anywhere,
        &proof,
        "node 3: v[i] == 1 need not hold after second: start -> end from node 1",
    );
    let proof = proof.replace("v[i] == 1", "");
    refused(&anywhere, &proof, "node 1 has no child for first: end -> bad");
}

#[test]
fn elements_commute_if_their_indices_differ() {
    let commute = |first: &str, second: &str, label: &str| {
        let initial = if label.is_empty() { String::new() } else { format!("initial {label}") };
        let program = program(&format!(
            "shared v: u8[3] = any
            shared w: u2[3] = any
            shared i: u2 = any
            shared j: u8 = any
            {initial}
            template first() {{ start -> end: {first} }}
            template second() {{ local k: u8 = 0   start -> end: {second} }}
            thread first = first()
            thread second = second()"
        ));
        let label = if label.is_empty() { "true" } else { label };
        let root = format!("root : `second.k` == 0; {label}");
        let proof = APART_PROOF.replace("root :", &root);
        match refusal(&program, tree(&program, &proof)) {
            None => true,
            Some(why) => {
                assert_eq!(why, "node 2 has no child for first: start -> end");
                false
            }
        }
    };
    for (first, second, label) in [
        ("v[0] := 1", "v[1] := 2", ""),
        ("v[i] := 1", "v[j] := 2", "u8(i) != j"),
        ("v[i] := 1", "v[1] := 2", "i == 0"),
        ("when v[i] == 0", "v[j] := 2", "u8(i) < j"),
        ("v[i] := 1", "when v[j] == 0", "u8(i) < j"),
        ("when v[i] == 0", "when v[j] == 0", ""),
        ("v[w[0]] := 1", "w[1] := 2", ""),
        ("v[w[0]] := 1", "v[w[1]] := 2", "w[0] != w[1]"),
        // The index before the step counts.
        ("v[1] := 1", "v[k] := 2, k := 1", ""),
        // Where the second is out of bounds, it cannot be taken.
        ("v[i] := 1", "v[j] := 2", "i == 3 || j == 7"),
    ] {
        assert!(commute(first, second, label), "{first} and {second} if {label}");
    }
    for (first, second, label) in [
        ("v[1] := 1", "v[1] := 2", ""),
        ("v[0] := 1", "v := any", ""),
        ("v := any", "v[0] := 1", ""),
        ("v[i] := 1", "v[j] := 2", ""),
        ("v[i] := 1", "v[j] := 2", "u8(i) <= j"),
        ("v[i] := 1", "v[1] := 2", "i != 0"),
        ("when v[i] == 0", "v[j] := 2", ""),
        ("v[i] := 1", "when v[j] == 0", ""),
        ("v[w[0]] := 1", "w[0] := 2", ""),
        ("w[0] := 2", "v[w[0]] := 1", ""),
        ("v[w[0]] := 1", "v[w[1]] := 2", ""),
        ("v[0] := 1", "v[k] := 2, k := 1", ""),
    ] {
        assert!(!commute(first, second, label), "{first} and {second} if {label}");
    }
}

/// The first step of a is nobody's business; b, on its own, would not find anything.
const ALONE: &str = "
    shared x: u8 = 0
    shared y: u8 = 0
    template a() { local r: u8 = 0   start -> mid: r := 1   mid -> end: x := 1 }
    template b() {
      error bad: \"y == 0\"
      entry start
      start -> next: when x == 0
      next -> bad: when y != 0
    }
    thread a = a()
    thread b = b()";

/// b waits at the root, and at node 4.
const ALONE_PROOF: &str = "
    root : y == 0; `a.r` == 0
    0 a start->mid : y == 0
    1 a mid->end : y == 0
    2 b start->next : y == 0
    1 b start->next : y == 0
    4 a mid->end : y == 0";

#[test]
fn others_wait_for_who_is_alone() {
    accepted(ALONE, ALONE_PROOF);
    // A singleton persistent set is expanded, and nothing waits for b, which is none.
    let gone = ALONE_PROOF.replace("4 a mid->end : y == 0", "");
    refused(ALONE, &gone, "node 4 has no child for a: mid -> end");
    let b_alone = "
        root : y == 0
        0 b start->next : y == 0";
    refused(ALONE, b_alone, "node 0 has no child for a: start -> mid");
    let why = "node 0 has no child for b: start -> next";
    for (old, new) in [
        // What a does next meets what b does.
        ("r := 1", "r := 1, x := 0"),
        // a may be blocked.
        ("r := 1", "when y == 1"),
        ("r := 1", "when r == 1"),
        // a may run for ever.
        ("r := 1", "r := 1   mid -> start"),
        // While a is at an atomic location, b cannot move.
        ("r := 1", "r := 1   atomic location mid"),
    ] {
        refused(&ALONE.replace(old, new), ALONE_PROOF, why);
    }
    let reads = ALONE.replace("r := 1", "r := y");
    accepted(&reads, ALONE_PROOF);
    let interfering = reads.replace("next -> bad", "next -> more: y := 0   next -> bad");
    refused(&interfering, ALONE_PROOF, why);
    // That a is not blocked is said by the label.
    let guarded = ALONE.replace("r := 1", "when r == 0 then r := 1");
    accepted(&guarded, ALONE_PROOF);
    refused(&guarded, &ALONE_PROOF.replace("; `a.r` == 0", ""), why);
    // It may be by one of several edges.
    let branches = ALONE.replace("r := 1", "when r == 0 then r := 1   start -> end: when r != 0");
    accepted(&branches, ALONE_PROOF);
    refused(
        &branches,
        &ALONE_PROOF.replace("; `a.r` == 0", ""),
        "node 0 has no child for a: start -> end",
    );
}

#[test]
fn atomic_locations_keep_steps_in_place() {
    // b has left its atomic section with x = 1; before that no other thread could see it.
    let leaves = "
        shared x: u8 = 0
        template a() { error bad: \"x == 0\"  entry start  start -> bad: when x == 1 }
        template b() { start -> mid: x := 1   atomic location mid   mid -> end }
        thread a = a()
        thread b = b()";
    let proof = "
        root : x == 0
        0 b start->mid :
        1 b mid->end :";
    refused(leaves, proof, "node 2 has no child for a: start -> bad");
    let open = leaves.replace("atomic location", "location").replace("-> end", "-> end: x := 1");
    refused(&open, proof, "node 1 has no child for a: start -> bad");
    accepted(
        &leaves.replace("when x == 1", "when x == 2"),
        &proof.replace("mid :", "mid : x == 1").replace("end :", "end : x == 1"),
    );

    // Once a is in its section, b cannot do its step any more.
    let enters = "
        shared x: u8 = 0
        shared y: u8 = 0
        template a() {
          start -> mid: x := 1
          atomic location mid
          error bad: \"y == 0\"
          mid -> bad: when y != 0
          mid -> end: when y == 0
        }
        template b() { start -> end: y := 1 }
        thread a = a()
        thread b = b()";
    let proof = "
        root : y == 0
        0 a start->mid : y == 0
        1 a mid->end :
        2 b start->end :
        0 b start->end :";
    refused(enters, proof, "node 4 has no child for a: start -> mid");
    // Without the section it may be left out there, but b can move in between.
    let open = enters.replace("atomic location", "location");
    refused(&open, proof, "node 1 has no child for b: start -> end");
    accepted(
        &enters.replace("y := 1", "when true"),
        &format!("{proof} y == 0\n 4 a start->mid : y == 0\n 5 a mid->end :"),
    );
}

#[test]
fn malformed_trees_are_refused() {
    let program = program(COPY);
    let proof = tree(&program, COPY_PROOF);
    type Mutation = (&'static str, fn(&mut Tree));
    let mutations: [Mutation; 14] = [
        ("the tree has no root", |tree| tree.nodes.clear()),
        ("node 0 has no parent before it", |tree| tree.nodes[0].reached = tree.nodes[1].reached),
        ("node 1 has no parent before it", |tree| tree.nodes[1].reached = None),
        ("node 3 has no parent before it", |tree| parent(tree, 3, 3)),
        ("node 3 has no parent before it", |tree| parent(tree, 3, u32::MAX)),
        ("node 3 is reached along an edge that starts elsewhere", |tree| parent(tree, 3, 2)),
        ("node 3 is reached by a thread that does not exist", |tree| mover(tree, 3, 2, 0)),
        ("node 3 is reached by a thread that does not exist", |tree| mover(tree, 3, usize::MAX, 0)),
        ("node 3 is reached along an edge that does not exist", |tree| mover(tree, 3, 1, 2)),
        ("node 3 is reached along an edge that starts elsewhere", |tree| mover(tree, 3, 1, 1)),
        ("node 5 is covered by a node that does not exist", |tree| tree.nodes[5].cover = Some(6)),
        ("the label of node 2 is no formula", |tree| label(tree, Expr::Const(1, Type::Int))),
        ("the label of node 2: there is no shared variable number 2", |tree| {
            label(tree, Expr::Var(VarRef::Shared(SharedId(2))))
        }),
        ("the label of node 2: there is no local variable number 0", |tree| {
            label(tree, Expr::Var(VarRef::Local(LocalId(0))))
        }),
    ];
    for (why, mutate) in mutations {
        let mut tree = proof.clone();
        mutate(&mut tree);
        assert_eq!(refusal(&program, tree).as_deref(), Some(why));
    }
}

fn parent(tree: &mut Tree, node: usize, parent: u32) {
    tree.nodes[node].reached.as_mut().expect("not the root").parent = parent;
}

fn mover(tree: &mut Tree, node: usize, instance: usize, edge: u32) {
    let reached = tree.nodes[node].reached.as_mut().expect("not the root");
    (reached.instance, reached.edge) = (instance, EdgeId(edge));
}

fn label(tree: &mut Tree, formula: Expr) {
    tree.nodes[2].label = vec![formula];
}

#[test]
fn ill_typed_labels_are_refused() {
    let program = program(COPY);
    let x = || Expr::Var(VarRef::Shared(SharedId(0)));
    let deep = (0..2000).fold(Expr::TRUE, |inner, _| Expr::unary(ccfa::UnOp::Not, inner));
    for (formula, why) in [
        (Expr::eq(x(), Expr::TRUE), "the right operand of `==` is bool, but u8 is needed"),
        (Expr::Const(2, Type::Bool), "2 is not a value of bool"),
        (
            Expr::Cast(Type::unsigned(65), Box::new(x())),
            "an integer of 65 bits: only 1 to 64 bits exist",
        ),
        (
            Expr::Index(VarRef::Shared(SharedId(0)), Box::new(x())),
            "`x` has an index but is no array",
        ),
        (deep, "an expression is nested more than 1000 deep"),
    ] {
        let mut tree = tree(&program, COPY_PROOF);
        label(&mut tree, formula);
        assert_eq!(refusal(&program, tree), Some(format!("the label of node 2: {why}")));
    }
}

#[test]
fn any_number_of_threads_is_beyond_trees() {
    let mut program = program(APART);
    let tree = tree(&program, APART_PROOF);
    program.threads[0].count = Count::Any;
    let why = "a tree says nothing about parameterised programs";
    assert_eq!(refusal(&program, tree).as_deref(), Some(why));
}

#[test]
fn without_threads_nothing_happens() {
    let mut program = program(APART);
    program.threads.clear();
    let root = || tree(&program, "root : x == 0");
    assert_eq!(refusal(&program, root()), None);
    let mut more = root();
    more.nodes.extend(tree(&trees::program(APART), APART_PROOF).nodes.into_iter().skip(1));
    let why = "node 1 is reached by a thread that does not exist";
    assert_eq!(refusal(&program, more).as_deref(), Some(why));
}

#[test]
fn an_unfinished_check_is_a_timeout() {
    let program = program(COPY);
    let proof = Verdict::Safe(Proof::Tree(tree(&program, COPY_PROOF)));
    assert_eq!(
        check::confirm(&program, proof, solve::integers, &Budget::default().child(Duration::ZERO)),
        Verdict::Unknown(Reason::Timeout)
    );
}
