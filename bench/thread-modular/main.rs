//! `thread-modular` against the figures of the paper that it implements.
//!
//!     cargo bench -p thread-modular --bench thread-modular            # all rows
//!     cargo bench -p thread-modular --bench thread-modular -- Bakery  # those with this name
//!
//! Each row of the paper's five tables runs once, with a limit of time, and so does the check of
//! its evidence by `check`. The paper's figures stand in brackets behind ours. A wrong or a
//! refuted answer ends everything: all these systems are safe. Its nodes are NuSMV's peak, ours the
//! most that the manager of the diagrams held when it was looked at, with garbage.

mod models;
mod paper;

use engine::{Budget, Engine, Event, Observer, Stop};
use evidence::{Reason, Verdict};
use paper::{Figures, Row};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use thread_modular::{Method, ThreadModular};

/// For a run, and once more for the check of its evidence.
const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let wanted = |row: &&Row| args.iter().all(|arg| row.model.name().contains(arg.as_str()));
    println!(
        "{:<20}{:>5} {:<8}{:>19}{:>21}{:>12}{:>14}{:>12}{:>9}",
        "system", "", "method", "s", "nodes", "refinements", "predicates", "conclusive", "check s"
    );
    for row in paper::TABLE.iter().filter(wanted) {
        run(row);
    }
}

/// Runs a row and prints it.
fn run(row: &Row) {
    let text = row.model.text(row.processes);
    let program = ccfa::text::parse(&text).expect("the model is a program");
    let mut numbers = Numbers::default();
    let mut engine = ThreadModular { method: row.method };
    let (verdict, seconds) = within(|budget| engine.verify(&program, budget, &mut numbers));
    let (verdict, check_seconds) = within(|budget| {
        let budget = budget.clone();
        check::confirm(&program, verdict, move || budget.exhausted().is_some())
    });
    let conclusive = match verdict {
        Verdict::Safe(_) => true,
        Verdict::Unsafe(_) => panic!("{}: a wrong answer", row.model.name()),
        Verdict::Unknown(Reason::CheckFailed(why)) => panic!("refuted evidence: {why}"),
        Verdict::Unknown(_) => false,
    };
    let refined =
        matches!(row.method, Method::Tmmcir).then_some((numbers.refinements, numbers.predicates));
    let seconds = Some(seconds);
    let nodes = Some(numbers.nodes);
    print(row, Figures { seconds, nodes, refined, conclusive }, check_seconds);
}

/// Does work while another thread keeps the limit; also says how many seconds it took.
fn within<T>(work: impl FnOnce(&Budget) -> T) -> (T, f64) {
    let budget = Budget::default();
    let (done, waiting) = channel::<()>();
    std::thread::scope(|scope| {
        let watched = budget.clone();
        scope.spawn(move || {
            if waiting.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout) {
                watched.stop(Stop::Timeout);
            }
        });
        let start = Instant::now();
        let result = work(&budget);
        let seconds = start.elapsed().as_secs_f64();
        drop(done); // the other thread need not wait any longer
        (result, seconds)
    })
}

/// The engine's last word on its numbers.
#[derive(Default)]
struct Numbers {
    nodes: u64,
    refinements: u64,
    predicates: u64,
}

impl Observer for Numbers {
    fn event(&mut self, event: Event) {
        if let Event::ThreadModular { nodes, refinements, predicates } = event {
            *self = Numbers { nodes, refinements, predicates };
        }
    }
}

fn print(row: &Row, ours: Figures, check_seconds: f64) {
    let method = match row.method {
        Method::Auto => "auto",
        Method::Tmmc => "TMMC",
        Method::Tmmcir => "TMMCIR",
        Method::Afr => "AFR",
    };
    let seconds = |run: Figures| run.seconds.map_or(">3600".to_string(), |s| format!("{s:.3}"));
    let nodes = |run: Figures| run.nodes.map_or("-".to_string(), |nodes| nodes.to_string());
    let refinements = |run: Figures| run.refined.map_or("-".to_string(), |(n, _)| n.to_string());
    let predicates = |run: Figures| run.refined.map_or("-".to_string(), |(_, n)| n.to_string());
    let conclusive = |run: Figures| if run.conclusive { "yes" } else { "no" }.to_string();
    let beside = |figure: &dyn Fn(Figures) -> String| {
        format!("{} ({})", figure(ours), row.paper.map_or("-".to_string(), figure))
    };
    println!(
        "{:<20}{:>5} {method:<8}{:>19}{:>21}{:>12}{:>14}{:>12}{check_seconds:>9.3}",
        row.model.name(),
        row.processes,
        beside(&seconds),
        beside(&nodes),
        beside(&refinements),
        beside(&predicates),
        beside(&conclusive),
    );
}
