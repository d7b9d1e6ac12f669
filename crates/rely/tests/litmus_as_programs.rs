//! Programs in C and litmus tests in C agree: random programs are written as both; the final states that the axioms find are exactly those
//! that the program with an assertion about them has. Models under which programs are not decided are left to the litmus tests, and
//! named.

#[allow(clippy::duplicate_mod)]
#[path = "../../litmus/tests/support/mod.rs"]
mod litmus_support;

use ccfa::random::Rng;
use litmus_support::program::{Kind, LOCATIONS, Language, Program, random};
use rely::{CheckOptions, Control, Input, MemoryModel, Question, Verdict};
use std::collections::BTreeSet;

/// Programs for each model.
const PROGRAMS: u64 = 30;

#[test]
fn programs_and_tests_agree() {
    for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
        let (mut decided, mut weak) = (0, 0);
        for seed in 0..PROGRAMS {
            let program = random(Language::C, 4, &mut Rng::new(seed));
            let states = states(&program, model);
            let Some(verdict) = asserted(&program, model, &states) else {
                println!("{model}: programs are not decided under it");
                assert_ne!(model, MemoryModel::Sc, "they are decided under sc");
                break;
            };
            assert_eq!(verdict, Verdict::Safe, "{model}, seed {seed}: all of {states:?}");
            // Without one of them, and if there is one that is not sequential, without that.
            let sequential = self::states(&program, MemoryModel::Sc);
            let missing = states.difference(&sequential).next().or(states.first());
            weak += usize::from(states != sequential);
            let fewer = states.iter().filter(|state| Some(*state) != missing).cloned().collect();
            let verdict = asserted(&program, model, &fewer);
            assert_eq!(verdict, Some(Verdict::Unsafe), "{model}, seed {seed}: {missing:?}");
            decided += 1;
        }
        println!("{model}: {decided} programs, {weak} of them weak");
    }
}

/// The final states, by the axioms.
fn states(program: &Program, model: MemoryModel) -> BTreeSet<Vec<i64>> {
    let test = litmus::parse(&program.text()).expect("generated texts can be read");
    let test = litmus::compile(&test, model);
    let axioms = axioms::axioms(model);
    let decision = litmus::decide(&test, &axioms, &rely::Budget::default()).expect("no limit");
    let number = |value: &litmus::test::Datum| match value {
        litmus::test::Datum::Number(number) => *number,
        litmus::test::Datum::Address(_) => panic!("there are no addresses"),
    };
    decision.states.keys().map(|state| state.iter().map(number).collect()).collect()
}

/// Does the program end in these states only? Nothing, if programs are not decided under the model.
fn asserted(program: &Program, model: MemoryModel, states: &BTreeSet<Vec<i64>>) -> Option<Verdict> {
    let mut options = CheckOptions::asking([Question::Assertions]);
    options.read.memory_model = model;
    let text = as_c(program, states);
    let input = Input::c("generated.c", text.clone());
    match rely::check(&input, &options, &mut Control::default()) {
        Ok(answers) => Some(answers.worst().verdict),
        Err(bad) if bad.to_string().contains("are not decided under") => None,
        Err(bad) => panic!("{bad} in\n{text}"),
    }
}

/// The program with threads, which asserts in the end that it is in one of these states.
fn as_c(program: &Program, states: &BTreeSet<Vec<i64>>) -> String {
    let mut text =
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n".to_string();
    let locations = &LOCATIONS[..program.locations()];
    locations.iter().for_each(|name| text += &format!("atomic_int {name};\n"));
    let mut observed = Vec::new();
    let mut functions = String::new();
    for (thread, steps) in program.threads.iter().enumerate() {
        functions += &format!("void *t{thread}(void *unused) {{\n");
        for (number, step) in steps.iter().enumerate() {
            let (location, value) = (LOCATIONS[step.location], step.value);
            let order = format!("memory_order_{}", step.mark);
            let register = format!("r{thread}_{number}");
            functions += &match step.kind {
                Kind::Read => {
                    format!("    {register} = atomic_load_explicit(&{location}, {order});\n")
                }
                Kind::Write => {
                    format!("    atomic_store_explicit(&{location}, {value}, {order});\n")
                }
                Kind::Swap => format!(
                    "    {register} = atomic_exchange_explicit(&{location}, {value}, {order});\n"
                ),
                Kind::Fence => format!("    atomic_thread_fence({order});\n"),
            };
            if step.reads() {
                text += &format!("int {register};\n");
                observed.push(register);
            }
        }
        functions += "    return 0;\n}\n";
    }
    observed.extend(locations.iter().map(ToString::to_string));
    let is = |state: &Vec<i64>| {
        let parts = observed.iter().zip(state).map(|(name, value)| format!("{name} == {value}"));
        format!("({})", parts.collect::<Vec<_>>().join(" && "))
    };
    let one_of: Vec<String> = states.iter().map(is).chain(["0".to_string()]).collect();
    let each = |line: &dyn Fn(usize) -> String| -> String {
        (0..program.threads.len()).map(line).collect()
    };
    let create = each(&|n| format!("    pthread_t id{n}; pthread_create(&id{n}, 0, t{n}, 0);\n"));
    let join = each(&|n| format!("    pthread_join(id{n}, 0);\n"));
    let assertion = one_of.join(" || ");
    format!("{text}{functions}int main(void) {{\n{create}{join}    assert({assertion});\n}}\n")
}
