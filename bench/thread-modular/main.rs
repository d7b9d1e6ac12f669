//! `thread-modular` against the figures of the paper that it implements.
//!
//!     cargo bench -p thread-modular --bench thread-modular            # all rows
//!     cargo bench -p thread-modular --bench thread-modular -- Bakery  # those with this name
//!
//! Each row of the paper's five tables runs once, with a limit of time, and so does the check of
//! its evidence by `check`. The paper's figures stand in brackets behind ours. A wrong or a
//! refuted answer ends everything: all these systems are safe. Its nodes are NuSMV's peak, ours the
//! most that the manager of the diagrams held when it was looked at, with garbage. Each row has a
//! process of its own, so that its memory can be told (`MB`, the most it had at a time, with the check).
//! Beside the seconds that pass there are those that processors work (`CPU`, by the hundredth), for busy machines.

mod models;
mod paper;

use engine::{Budget, Engine, Event, Observer};
use evidence::{Proof, Reason, Verdict};
use paper::{Figures, Row};
use std::process::Command;
use std::time::{Duration, Instant};
use thread_modular::{Method, ThreadModular};

/// For a run, and once more for the check of its evidence.
const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if let [flag, row] = &args[..]
        && flag == "--row"
    {
        return run(&paper::TABLE[row.parse::<usize>().expect("a number")]);
    }
    println!(
        "{:<20}{:>5} {:<8}{:>19}{:>7}{:>21}{:>12}{:>14}{:>12}{:>9}{:>9}{:>7}{:>6}",
        "system",
        "",
        "method",
        "s",
        "CPU",
        "nodes",
        "refinements",
        "predicates",
        "conclusive",
        "regions",
        "check s",
        "CPU",
        "MB"
    );
    for (number, row) in paper::TABLE.iter().enumerate() {
        if args.iter().all(|arg| row.model.name().contains(arg.as_str())) {
            in_own_process(number);
        }
    }
}

/// Runs a row where nothing was before.
fn in_own_process(row: usize) {
    let this = std::env::current_exe().expect("this program has a file");
    let status = Command::new(this).args(["--row", &row.to_string()]).status();
    assert!(status.expect("this program starts").success(), "row {row} failed");
}

/// Runs a row and prints it.
fn run(row: &Row) {
    let text = row.model.text(row.processes);
    let program = ccfa::text::parse(&text).expect("the model is a program");
    let mut numbers = Numbers::default();
    let mut engine = ThreadModular { method: row.method };
    let (verdict, search) = within(|budget| engine.verify(&program, budget, &mut numbers));
    let regions = regions(&verdict);
    let (verdict, check) =
        within(|budget| check::confirm(&program, verdict, solve::integers, budget));
    let conclusive = match verdict {
        Verdict::Safe(_) => true,
        Verdict::Unsafe(_) => panic!("{}: a wrong answer", row.model.name()),
        Verdict::Unknown(Reason::CheckFailed(why)) => panic!("refuted evidence: {why}"),
        Verdict::Unknown(_) => false,
    };
    let refined =
        matches!(row.method, Method::Tmmcir).then_some((numbers.refinements, numbers.predicates));
    let (seconds, nodes) = (Some(search.wall), Some(numbers.nodes));
    print(row, Figures { seconds, nodes, refined, conclusive }, search.cpu, regions, check);
}

/// How large the proof is, if there is one.
fn regions(verdict: &Verdict) -> usize {
    match verdict {
        Verdict::Safe(Proof::Assertions(proof)) => {
            proof.views.iter().map(|view| view.regions.len()).sum()
        }
        _ => 0,
    }
}

/// How many seconds something took.
struct Seconds {
    wall: f64,
    cpu: f64,
}

/// The seconds that processors have worked for this process, as Linux counts them.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|text| text.parse::<f64>().ok());
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}

/// The most memory that this process has had, in MB, as Linux counts it.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

/// Does work within the limit; also says how long it took.
fn within<T>(work: impl FnOnce(&Budget) -> T) -> (T, Seconds) {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let result = work(&Budget::default().child(LIMIT));
    let seconds = Seconds { wall: start.elapsed().as_secs_f64(), cpu: cpu_seconds() - cpu };
    (result, seconds)
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
        let counter = |name| event.counter(name).expect("it is counted");
        *self = Numbers {
            nodes: counter("nodes of decision diagrams"),
            refinements: counter("refinements"),
            predicates: counter("predicates"),
        };
    }
}

fn print(row: &Row, ours: Figures, cpu: f64, regions: usize, check: Seconds) {
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
        "{:<20}{:>5} {method:<8}{:>19}{cpu:>7.2}{:>21}{:>12}{:>14}{:>12}{regions:>9}{:>9.3}{:>7.2}{:>6}",
        row.model.name(),
        row.processes,
        beside(&seconds),
        beside(&nodes),
        beside(&refinements),
        beside(&predicates),
        beside(&conclusive),
        check.wall,
        check.cpu,
        peak_megabytes(),
    );
}
