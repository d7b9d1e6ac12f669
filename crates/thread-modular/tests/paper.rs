//! The paper's five systems: who can prove them, and with how much. Every proof is confirmed by
//! `check`. Times are in `bench/thread-modular`.

#[path = "../../../bench/thread-modular/models.rs"]
mod models;

use engine::{Budget, Engine, Event, Observer};
use evidence::{Proof, Reason, Verdict};
use models::Model;
use std::collections::HashSet;
use thread_modular::{Method, ThreadModular};

/// Remembers the last numbers.
#[derive(Default)]
struct Numbers {
    refinements: u64,
    predicates: u64,
}

impl Observer for Numbers {
    fn event(&mut self, event: Event) {
        let counter = |name| event.counter(name).expect("it is counted");
        *self = Numbers { refinements: counter("refinements"), predicates: counter("predicates") };
    }
}

/// The verdict after `check` has seen its evidence, and the numbers.
fn verdict(text: &str, method: Method) -> (Verdict, Numbers) {
    let program = ccfa::text::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let mut numbers = Numbers::default();
    let verdict = ThreadModular { method }.verify(&program, &Budget::default(), &mut numbers);
    let verdict = engine_suite::confirm(&program, verdict);
    if let Verdict::Unknown(reason @ Reason::CheckFailed(_)) = &verdict {
        panic!("{}\n{text}", reason.describe(&program));
    }
    (verdict, numbers)
}

fn is_safe(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Safe(_))
}

/// Tables 1 to 5, column "conclusive?".
#[test]
fn each_method_is_as_conclusive_as_in_the_paper() {
    let rows = [
        (Model::MuxSem, 8, false),
        (Model::MuxSemLast, 8, false),
        (Model::MuxSemCount, 8, false),
        (Model::Bakery, 3, true),
        (Model::Philosophers, 4, false),
    ];
    for (model, processes, without_refinement) in rows {
        let text = model.text(processes);
        let name = model.name();
        assert_eq!(is_safe(&verdict(&text, Method::Tmmc).0), without_refinement, "TMMC, {name}");
        for method in [Method::Auto, Method::Tmmcir, Method::Afr] {
            assert!(is_safe(&verdict(&text, method).0), "{method:?}, {name}");
        }
    }
}

/// Identical processes are computed once: the proof is about any two, however many there are.
#[test]
fn a_thousand_processes_are_two() {
    for model in [Model::MuxSem, Model::MuxSemLast, Model::MuxSemCount] {
        let (verdict, numbers) = verdict(&model.text(1000), Method::Tmmcir);
        let Verdict::Safe(Proof::Assertions(proof)) = verdict else { panic!("{}", model.name()) };
        assert_eq!(proof.views.len(), 1);
        assert_eq!(proof.views[0].slots.len(), 2);
        assert!(proof.views[0].regions.len() <= 6, "{:?}", proof.views[0].regions);
        assert_eq!((numbers.refinements, numbers.predicates), (1, 3000));
    }
}

/// `auto` takes what is better for the program: AFR, with one view of everyone, for a few threads,
/// and TMMCIR for more, or for any number.
#[test]
fn a_few_threads_are_looked_at_together() {
    for (processes, together) in [(3, true), (4, false)] {
        let (verdict, _) = verdict(&Model::Philosophers.text(processes), Method::Auto);
        let Verdict::Safe(Proof::Assertions(proof)) = verdict else { panic!("not proved") };
        let of_everyone = proof.views.len() == 1 && proof.views[0].slots.len() == processes;
        assert_eq!(of_everyone, together, "{processes} philosophers");
    }
    let any = Model::MuxSem.text(20).replace("p[20]", "p[*]");
    assert!(is_safe(&verdict(&any, Method::Auto).0));
}

/// Reachable tickets have no gaps, which is another formula for each choice of those who wait; but
/// the proof about all customers says no more than it must, in a few formulas.
#[test]
fn a_proof_about_all_says_no_more_than_it_must() {
    let formulas = |text: &str| {
        let Verdict::Safe(Proof::Assertions(proof)) = verdict(text, Method::Afr).0 else {
            panic!("not proved")
        };
        let regions = proof.views.iter().flat_map(|view| &view.regions);
        let formulas = regions.flat_map(|region| &region.holds).collect::<HashSet<_>>();
        formulas.len()
    };
    for processes in 3..=5 {
        let pairs = processes * (processes - 1) / 2;
        let of_each_and_of_pairs = (1 + 2) * processes + 3 * pairs;
        let said = formulas(&Model::Bakery.text(processes));
        assert!(said <= of_each_and_of_pairs, "{said} formulas for {processes} customers");
    }
}

/// Of three cells, any two may be unset, but not all three: what is said of two is no proof.
#[test]
fn a_proof_about_all_says_as_much_as_it_must() {
    let text = r#"
program "one token"
shared token: bool[3] = {true, false, false}
template holder(me: u8, next: u8) {
  idle -> passing: when token[me] then token[next] := true, token[me] := false
  passing -> idle: when !token[me]
  idle -> bad: when !token[0] && !token[1] && !token[2]
  error bad: "the token is lost"
}
thread p = holder(0, 1)
thread q = holder(1, 2)
thread r = holder(2, 0)
"#;
    assert!(is_safe(&verdict(text, Method::Afr).0));
    let lost = text.replace("token[next] := true, token[me] := false", "token[me] := false");
    assert!(matches!(verdict(&lost, Method::Afr).0, Verdict::Unsafe(_)));
}

/// Any number of processes: the same proof.
#[test]
fn any_number_of_processes() {
    let text = Model::MuxSem.text(20).replace("p[20]", "p[*]");
    assert!(is_safe(&verdict(&text, Method::Tmmcir).0));
    let broken = text.replace("when x then x := false", "when true then x := false");
    let Verdict::Unsafe(witness) = verdict(&broken, Method::Tmmcir).0 else {
        panic!("two can be critical")
    };
    assert_eq!(witness.instances, 2);
}

/// A philosopher sees its own forks and its neighbours: the views of a larger table are as small.
#[test]
fn philosophers_see_their_neighbours() {
    let regions = |processes: usize| {
        let (verdict, _) = verdict(&Model::Philosophers.text(processes), Method::Tmmcir);
        let Verdict::Safe(Proof::Assertions(proof)) = verdict else { panic!("not proved") };
        assert_eq!(proof.views.len(), 3 * processes, "each alone and with both neighbours");
        proof.views.iter().map(|view| view.regions.len()).max()
    };
    assert_eq!(regions(5), regions(7));
}

/// How large a counter gets is guessed and proved: the semaphore is never above one.
#[test]
fn values_are_guessed() {
    let text = r#"
program "semaphore"
shared x: u32 = 1
shared flag: bool = false
template process() {
  idle -> critical: when 0 < x then x := x - 1
  critical -> leaving: when !flag then flag := true
  critical -> bad: when flag
  leaving -> posting: flag := false
  posting -> idle: x := x + 1
  error bad: "mutual exclusion"
}
thread p[3] = process()
"#;
    let more = text.replace("p[3]", "p[*]");
    for (text, method) in [(text, Method::Auto), (text, Method::Tmmcir), (&more, Method::Tmmcir)] {
        assert!(is_safe(&verdict(text, method).0), "{method:?}");
        let broken = text.replace("x: u32 = 1", "x: u32 = 2");
        assert!(matches!(verdict(&broken, method).0, Verdict::Unsafe(_)), "{method:?}");
    }
    let endless = text.replace("when 0 < x then x := x - 1", "x := x + 1");
    assert!(!is_safe(&verdict(&endless, Method::Tmmcir).0), "two can be critical");
}

/// Two philosophers who take the same fork.
#[test]
fn a_broken_table_is_found() {
    let broken = Model::Philosophers.text(4).replace("when !fork[right] then", "when true then");
    for method in [Method::Auto, Method::Tmmcir, Method::Afr] {
        let (verdict, _) = verdict(&broken, method);
        assert!(matches!(verdict, Verdict::Unsafe(_)), "{method:?}: {verdict:?}");
    }
}
