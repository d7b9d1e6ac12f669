//! Theorems 1 and 2 of the paper on tiny random threads, against brute force.

mod tiny;

use ccfa::random::Rng;
use ccfa::{Count, Program, Template, ThreadId};
use conform::{Machine, checker, compose, compose_counted};
use engine::{Budget, Engine, Silent};
use evidence::Verdict;
use explore::Explorer;
use impact::{Configuration, Impact, PartialOrderReduction};

/// Has the program an error? Evidence is checked.
fn fails(engine: &mut dyn Engine, program: &Program) -> bool {
    assert_eq!(ccfa::wellformed::check(program), Ok(()), "{}", ccfa::text::print(program));
    let verdict = engine.verify(program, &Budget::default(), &mut Silent);
    match check::confirm(program, verdict, solve::integers, &Budget::default()) {
        Verdict::Safe(_) => false,
        Verdict::Unsafe(_) => true,
        Verdict::Unknown(reason) => {
            panic!("{}\n{}", reason.describe(program), ccfa::text::print(program))
        }
    }
}

fn explorer() -> Explorer {
    Explorer::default()
}

fn impact() -> Impact {
    let configuration =
        Configuration { reduction: PartialOrderReduction::Dynamic, force_cover: true };
    Impact { configuration }
}

/// Does the thread with this number conform, as the checker says?
fn conforms(
    engine: &mut dyn Engine,
    program: &Program,
    number: u32,
    machines: &[&Machine],
) -> bool {
    let machine = machines[number as usize];
    let checker = checker(program, ThreadId(number), machine, machines).expect("it can be checked");
    !fails(engine, &checker.program)
}

#[test]
fn conformance_is_what_the_paper_says() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let thread = tiny::thread(&mut rng, "t");
        let machine = tiny::machine(&mut rng, &thread);
        // A second thread that may do anything, so that no variable is the first one's own.
        let program = tiny::program(&[thread.clone(), meddler()], [0, 0]);
        let expected = tiny::is_abstraction(&tiny::program(&[thread], [0, 0]), &machine);
        let found = conforms(&mut explorer(), &program, 0, &[&machine]);
        assert_eq!(found, expected, "seed {seed}\n{machine:#?}\n{}", ccfa::text::print(&program));
        if seed % 4 == 0 {
            assert_eq!(conforms(&mut impact(), &program, 0, &[&machine]), expected, "seed {seed}");
        }
        (yes, no) = if expected { (yes + 1, no) } else { (yes, no + 1) };
    }
    assert!(yes > 60 && no > 60, "{yes} conform, {no} do not");
}

/// A condition of a machine that is not defined is false. It must not make the step of
/// the thread disappear, and with it the error.
#[test]
fn what_is_undefined_hides_nothing() {
    let text = "shared g: u8 = 1 template t() { a -> b: when g == 0 then g := 1 } \
                template m() { a -> a: g := any } thread t = t() thread m = m()";
    let program = ccfa::text::parse(text).expect("it is a program");
    let spec = "abstract t {\n initial X\n X -> Y: when 7 / g == 7 then g := any\n}";
    let specs = conform::text::parse(&program, spec).expect("it is a machine");
    let [(_, conform::text::Spec::Machine(defined))] = &specs[..] else { panic!("one machine") };
    let mut partial = defined.clone();
    let ccfa::Expr::Binary(ccfa::BinOp::And, _, division) = &defined.moves[0].guard else {
        panic!("the text form asks whether the division is defined");
    };
    partial.moves[0].guard = (**division).clone();
    for machine in [defined, &partial] {
        assert!(!conforms(&mut explorer(), &program, 0, &[machine]), "{machine:#?}");
    }
}

/// A thread that writes every shared variable.
fn meddler() -> Template {
    let text = "shared g0: u1 = 0 shared g1: u1 = 0 \
                template meddler() { a -> a: g0 := any, g1 := any } thread m = meddler()";
    ccfa::text::parse(text).expect("it is a program").templates.remove(0)
}

#[test]
fn if_the_program_fails_so_does_the_composition() {
    let (mut failing, mut safe) = (0, 0);
    for seed in 0..1200 {
        let mut rng = Rng::new(seed);
        let threads = [tiny::thread(&mut rng, "a"), tiny::thread(&mut rng, "b")];
        let machines = [tiny::machine(&mut rng, &threads[0]), tiny::machine(&mut rng, &threads[1])];
        let machines = [&machines[0], &machines[1]];
        let pairs = [(ThreadId(0), machines[0]), (ThreadId(1), machines[1])];
        for from in tiny::globals() {
            let program = tiny::program(&threads, from);
            if !(0..2).all(|number| conforms(&mut explorer(), &program, number, &machines)) {
                continue;
            }
            let abstractly = fails(&mut explorer(), &compose(&program, &pairs));
            let concretely = fails(&mut explorer(), &program);
            assert!(
                abstractly || !concretely,
                "seed {seed}: it fails from {from:?} and its composition does not\n{}",
                ccfa::text::print(&program)
            );
            failing += usize::from(concretely);
            safe += usize::from(!abstractly);
        }
    }
    assert!(failing > 50 && safe > 50, "{failing} programs fail, {safe} compositions are safe");
}

#[test]
fn counted_instances_do_what_instances_do() {
    let (mut failing, mut safe) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let thread = tiny::thread(&mut rng, "a");
        let machine = Machine { initial: vec![0], ..tiny::machine(&mut rng, &thread) };
        let mut program = tiny::program(&[thread], [0, 0]);
        program.threads[0].count = Count::Exactly(3);
        let pairs = [(ThreadId(0), &machine)];
        let counted = compose_counted(&program, &pairs).expect("there are instances");
        let expected = fails(&mut explorer(), &compose(&program, &pairs));
        assert_eq!(fails(&mut explorer(), &counted), expected, "seed {seed}\n{machine:#?}");
        failing += usize::from(expected);
        safe += usize::from(!expected);
    }
    assert!(failing > 30 && safe > 30, "{failing} fail, {safe} are safe");
}

/// What some number of instances can do, the counters for any number can do as well.
#[test]
fn any_number_of_copies_can_do_what_few_can() {
    let (mut failing, mut safe) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let thread = tiny::thread(&mut rng, "a");
        let machine = Machine { initial: vec![0], ..tiny::machine(&mut rng, &thread) };
        let mut program = tiny::program(&[thread], [0, 0]);
        let pairs = [(ThreadId(0), &machine)];
        let mut with = |count: Count| {
            program.threads[0].count = count;
            match count {
                Count::Exactly(_) => fails(&mut explorer(), &compose(&program, &pairs)),
                Count::Any => {
                    let counted = compose_counted(&program, &pairs).expect("there are instances");
                    fails(&mut explorer(), &counted)
                }
            }
        };
        let few = (1..=4).any(|count| with(Count::Exactly(count)));
        let any = with(Count::Any);
        assert!(any || !few, "seed {seed}: few copies fail\n{machine:#?}");
        failing += usize::from(few);
        safe += usize::from(!any);
    }
    assert!(failing > 30 && safe > 30, "{failing} fail, {safe} are safe");
}

/// "Many" does not end where counting does: here it takes six instances to go wrong.
#[test]
fn many_instances_are_more_than_were_counted() {
    let text = "shared g: u4 = 0 template t() { a -> b: g := g + 1 } thread t[*] = t()";
    let program = ccfa::text::parse(text).expect("it is a program");
    for (spec, expected) in [("g <= 5", true), ("g == g", false)] {
        let spec =
            format!("abstract t {{\n initial X\n Y: assert {spec}\n X -> Y: then g := g + 1\n}}");
        let specs = conform::text::parse(&program, &spec).expect("it is a machine");
        let [(_, conform::text::Spec::Machine(machine))] = &specs[..] else { panic!("{spec}") };
        let counted = compose_counted(&program, &[(ThreadId(0), machine)]).expect("instances");
        assert_eq!(fails(&mut explorer(), &counted), expected, "{spec}");
    }
}
