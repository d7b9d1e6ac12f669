//! What is left out of programs, on such as are small enough to read; and what comes back.

use ccfa::text::{parse, parse_expr, print};
use ccfa::{EdgeId, LocId, Program, ThreadId, Type};
use evidence::{
    Assertions, Proof, Reached, Region, Slot, Tree, TreeNode, Verdict, View, Witness, WitnessStep,
};
use transform::{Pipeline, Slice};

fn program(text: &str) -> Program {
    parse(&format!("program \"test\"\n{text}")).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

fn slice(program: &Program) -> Pipeline {
    Pipeline::run(program.clone(), &[Box::new(Slice)])
}

/// The slice of the first program is the second.
#[track_caller]
fn becomes(before: &str, after: &str) {
    assert_eq!(print(slice(&program(before)).program()), print(&program(after)));
}

#[track_caller]
fn stays(text: &str) {
    becomes(text, text);
}

fn confirmed(program: &Program, verdict: &Verdict) -> bool {
    engine_suite::confirm(program, verdict.clone()) == *verdict
}

#[test]
fn what_nothing_depends_on_is_left_out() {
    becomes(
        "template t() {
           local x: u8 = 3
           local y: u8 = 0
           local z: u8 = 0
           a -> b: x := x + 1, z := z + 2
           b -> c: when z == 4 then y := x, z := 0
         }
         thread t = t()",
        "template t() {
           local x: u8 = 3
           local y: u8 = 0
           local z: u8 = 0
           a -> b: z := z + 2
           b -> c: when z == 4 then z := 0
         }
         thread t = t()",
    );
}

#[test]
fn others_can_tell_what_a_step_touches() {
    becomes(
        "shared s: u8 = 5
         shared a: u8[2] = 7
         template t() { local x: u8 = 0  a -> b: x := s  b -> c: s := s + 1  c -> d: a[1] := any }
         thread t[2] = t()",
        "shared s: u8 = 5
         shared a: u8[2] = 7
         template t() {
           local x: u8 = 0
           a -> b: when s == s
           b -> c: when s == s then s := 5
           c -> d: a[1] := 7
         }
         thread t[2] = t()",
    );
}

#[test]
fn what_decides_about_a_step_stays() {
    let is_in_a_guard = "local x: u8 = 0  a -> b: x := x + 1  b -> c: when x == 1";
    let may_overflow = "local x: i8 = 0  a -> a: x := x + 1";
    let goes_into_a_guard =
        "local x: u8 = 0  local y: u8 = 0  a -> b: x := x + 1  b -> c: y := x  c -> d: when y == 1";
    let is_an_index =
        "local x: u8 = 0  local y: u8[2] = 0  a -> b: x := x + 1  b -> c: when y[x] == 1";
    for steps in [is_in_a_guard, may_overflow, goes_into_a_guard, is_an_index] {
        stays(&format!("template t() {{ {steps} }} thread t = t()"));
    }
    stays(
        "shared s: u8 = any
         initial s < 3
         template t() { a -> b: s := 0 }
         thread t = t()",
    );
}

/// That a quotient is defined still matters, though its value does not.
#[test]
fn what_must_be_defined_must_be_so_still() {
    becomes(
        "template t() {
           local x: u8 = any
           local y: u8 = 0
           local z: u8[2] = 0
           a -> b: y := 7 / x
           b -> c: z[x] := y
         }
         thread t = t()",
        "template t() {
           local x: u8 = any
           local y: u8 = 0
           local z: u8[2] = 0
           a -> b: when 7 / x == 7 / x
           b -> c: when z[x] == z[x]
         }
         thread t = t()",
    );
}

#[test]
fn what_has_no_value_to_be_held_at_stays() {
    stays("template t(n: u8) { a -> a: n := n + 1 } thread t = t(3)");
    stays("template t() { local x: u8[2] = {1, 2}  a -> a: x[0] := 3 } thread t = t()");
    stays("shared s: u8[2] = 0 template t() { a -> a: s := any } thread t = t()");
}

#[test]
fn witnesses_come_back_with_all_arbitrary_values() {
    let program = program(
        "template t() {
           local x: u8 = any
           local y: u8 = 0
           local z: u8[2] = 0
           local w: u8 = any
           a -> b: when w == 7 then z := any, y := any, x := any
           b -> bad: when y == 3
           error bad: \"\"
         }
         thread t = t()",
    );
    let step = |edge, havoc| WitnessStep { instance: 0, edge: EdgeId(edge), havoc };
    let steps = vec![step(0, vec![3]), step(1, vec![])];
    let found = Verdict::Unsafe(Witness { instances: 0, initial: vec![7], steps });
    let sliced = slice(&program);
    assert!(confirmed(sliced.program(), &found));
    let Verdict::Unsafe(back) = sliced.back(found) else { panic!("no witness") };
    assert!(confirmed(&program, &Verdict::Unsafe(back.clone())), "{back:?}");
}

/// A thread that counts its steps, and another that must not continue. Nobody asks for the count.
const COUNTING: &str = "
    shared count: u8 = 0
    template t() { local mine: u8 = 0  a -> a: mine := mine + 1  a -> a: count := count + 2 }
    template u() { c -> bad: when false  error bad: \"\" }
    thread t = t()
    thread u = u()";

/// The tree says of the slice what does not hold of the program before.
#[test]
fn labels_come_back_without_what_is_left_out() {
    let program = program(COUNTING);
    let scope = Tree::scope(&ccfa::semantics::System::new(&program, 0));
    let held = |text| parse_expr(&program, Some(&scope), Type::Bool, text).unwrap();
    let node = |edge: Option<u32>| TreeNode {
        reached: edge.map(|edge| Reached { parent: 0, instance: 0, edge: EdgeId(edge) }),
        label: vec![held("count == 0"), held("`t.mine` == 0")],
        cover: edge.map(|_| 0),
    };
    let tree = Tree { nodes: vec![node(None), node(Some(0)), node(Some(1))] };
    let found = Verdict::Safe(Proof::Tree(tree));
    let sliced = slice(&program);
    assert!(confirmed(sliced.program(), &found));
    assert!(!confirmed(&program, &found));
    assert!(confirmed(&program, &sliced.back(found)));
}

/// So do assertions.
#[test]
fn assertions_come_back_without_what_is_left_out() {
    let program = program(COUNTING);
    let slot = |thread| Slot { thread: ThreadId(thread), index: None };
    let view = |owner| {
        let mut view = View { slots: vec![slot(owner)], regions: vec![] };
        let scope = view.scope(&program);
        let count = parse_expr(&program, Some(&scope), Type::Bool, "count == 0").unwrap();
        view.regions = vec![Region { at: vec![Some(vec![LocId(0)])], holds: vec![count] }];
        view
    };
    let views = vec![view(0), view(1)];
    let found = Verdict::Safe(Proof::Assertions(Assertions { views }));
    let sliced = slice(&program);
    assert!(confirmed(sliced.program(), &found));
    assert!(!confirmed(&program, &found));
    assert!(confirmed(&program, &sliced.back(found)));
}
