//! Threads in any number that know which one they are: errors are shown with instances that have
//! the numbers it takes, and numbers that lie apart are known to differ.

use engine::{Budget, Engine, Silent};
use evidence::Verdict;
use rely_guarantee::RelyGuarantee;

/// Confirmed by the checker.
fn verdict(model: &str) -> Verdict {
    let program = ccfa::text::parse(model).expect("the model should be a program");
    let found = RelyGuarantee::default().verify(&program, &Budget::default(), &mut Silent);
    engine_suite::confirm(&program, found)
}

#[test]
fn a_certain_number_takes_as_many_copies() {
    let model = r#"program "sixth"
        template t(n: u64) {
            entry start
            location start
            error bad: "n is 7"
            start -> bad: when n == 7
        }
        thread t[*] = t(index + 2)"#;
    let Verdict::Unsafe(witness) = verdict(model) else { panic!("the sixth should fail") };
    assert_eq!(witness.instances, 6);
}

#[test]
fn numbers_may_be_in_another_order_than_steps() {
    let model = r#"program "order"
        shared first: u64 = 0
        template t(n: u64) {
            entry start
            location start
            location end
            error bad: "a smaller one comes later"
            start -> end: when first == 0 then first := n
            start -> bad: when first != 0 && n < first
        }
        thread t[*] = t(index + 1)"#;
    let Verdict::Unsafe(witness) = verdict(model) else { panic!("the second first should fail") };
    assert_eq!(witness.steps.iter().map(|step| step.instance).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn numbers_of_two_kinds_that_lie_apart_differ() {
    let model = |base: &str| {
        format!(
            r#"program "kinds"
            shared owner: u64 = 0
            template a(n: u64) {{
                entry start
                location start
                location end
                start -> end: when owner == 0 then owner := n
            }}
            template b(n: u64) {{
                entry start
                location start
                error bad: "an a has my number"
                start -> bad: when owner == n
            }}
            thread a[*] = a(index + 1)
            thread b[*] = b(index + {base})"#
        )
    };
    let apart = verdict(&model("4294967297"));
    assert!(matches!(apart, Verdict::Safe(_)), "{apart:?}");
    let same = verdict(&model("3"));
    assert!(matches!(same, Verdict::Unsafe(_)), "{same:?}");
}
