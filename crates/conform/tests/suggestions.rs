//! A suggested abstract thread conforms by construction, and its text says
//! everything about it.

mod tiny;

use ccfa::random::Rng;
use conform::{suggest, text};

#[test]
fn suggestions_are_abstractions() {
    let mut smaller = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let thread = tiny::thread(&mut rng, "t");
        let program = tiny::program(std::slice::from_ref(&thread), [0, 0]);
        let Ok(machine) = suggest(&program, &thread) else { continue };
        assert!(
            tiny::is_abstraction(&program, &machine),
            "seed {seed}\n{}\n{}",
            ccfa::text::print(&program),
            text::print(&program, &machine, "t")
        );
        smaller += usize::from(machine.nodes.len() < thread.locations.len() - 1);
    }
    assert!(smaller > 50, "only {smaller} suggestions have fewer states than the thread");
}

/// A number that a machine cannot remember is known by what it is compared with.
#[test]
fn suggestions_for_numbers_are_abstractions() {
    let (mut suggested, mut precise) = (0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let thread = tiny::counting_thread(&mut rng, "t");
        let program = tiny::program(std::slice::from_ref(&thread), [0, 0]);
        let Ok(machine) = suggest(&program, &thread) else { continue };
        let shown = || {
            let (whole, machine) =
                (ccfa::text::print(&program), text::print(&program, &machine, "t"));
            format!("seed {seed}\n{whole}\n{machine}")
        };
        assert!(tiny::is_abstraction(&program, &machine), "{}", shown());
        suggested += 1;
        // A thread that cannot go wrong: neither should the suggestion, if it is precise.
        let safe = machine.nodes.iter().all(|node| node.failures.is_empty());
        let fails = thread.edges.iter().any(|edge| edge.target.index() == 4);
        precise += usize::from(fails && safe);
    }
    assert!(suggested > 300, "only {suggested} threads have a suggestion");
    assert!(precise > 10, "only {precise} suggestions know that an error cannot be reached");
}

#[test]
fn what_is_printed_is_read() {
    let mut compared = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let thread = tiny::thread(&mut rng, "t");
        let program = tiny::program(std::slice::from_ref(&thread), [0, 0]);
        let machine = tiny::machine(&mut rng, &thread);
        let printed = text::print(&program, &machine, "t");
        let specs = text::parse(&program, &printed).expect("it was printed");
        let [(name, text::Spec::Machine(again))] = &specs[..] else { panic!("one machine") };
        assert_eq!(name, "t");
        let reprinted = text::print(&program, again, "t");
        let third = text::parse(&program, &reprinted).expect("it was printed");
        assert_eq!(third, specs, "seed {seed}");
        for old in tiny::globals() {
            for (number, node) in machine.nodes.iter().enumerate() {
                let other = again.nodes.iter().position(|other| other.name == node.name);
                let Some(other) = other else { continue };
                assert_eq!(tiny::wrong(&machine, old, number), tiny::wrong(again, old, other));
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "only {compared} states were compared");
}

#[test]
fn mistakes_are_found_in_their_line() {
    let model = "shared g: i32 = 0 template t() { a -> b: g := 1 } \
                 template idle() { a -> b } thread t = t()";
    let program = ccfa::text::parse(model).expect("it is a program");
    for (text, line, message) in [
        ("abstract u {\n}", 1, "no thread runs `u`"),
        ("abstract t {\n  X: assert h > 0\n}", 2, "h > 0"),
        ("abstract t {\n\n  X -> Y: then h := 1\n}", 3, "no shared variable `h`"),
        ("abstract t {\n  X -> Y: if g > 0\n}", 2, "expected `when`, `then` or `with`"),
        ("abstract t {\n  X -> Y", 2, "does not end with `}`"),
        ("machine t {", 1, "expected `abstract NAME {`"),
        ("abstract t {\n}\nabstract t {\n}", 3, "second abstract thread of `t`"),
        ("abstract idle {\n}", 1, "no thread runs `idle`"),
        ("modular t {\n  assume g > 0\n}", 2, "expected `pre`"),
    ] {
        let error = text::parse(&program, text).expect_err("it is wrong");
        assert_eq!(error.line, line, "{text}");
        assert!(error.message.contains(message), "{text}: {}", error.message);
    }
}
