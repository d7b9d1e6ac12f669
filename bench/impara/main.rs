//! `impact` against the figures of the paper that it implements.
//!
//!     cargo bench -p impact --bench impara            # all nine programs
//!     cargo bench -p impact --bench impara -- stack   # those whose name has this
//!     cargo bench -p impact --bench impara -- dPOR    # in this configuration
//!
//! Each program runs once in each of the paper's four configurations: with
//! static or dynamic partial-order reduction (sPOR, dPOR), without or with
//! forced covers (FC). A run has a limit of time, and so has the check of its
//! evidence by `check`. A wrong or a refuted answer ends everything.
//!
//! The table puts the paper's figures in brackets behind ours. Time is theirs on
//! their machine; nodes are nodes of the tree, of which ours stand for longer
//! steps, because `transform` joins local statements with what follows (before the engine, and
//! not counted in its time). The programs are ours, written from the same algorithms (`examples/impara`).

mod paper;

use cfront::{Bounds, CProgram, LowerOptions, Property, Purpose, ReadOptions};
use engine::{Budget, Engine, Event, Observer};
use evidence::{Reason, Verdict};
use impact::{Configuration, Impact, PartialOrderReduction};
use paper::{Figures, Row};
use std::path::Path;
use std::time::{Duration, Instant};
use transform::{Pipeline, reductions};

/// For a run, and once more for the check of its evidence.
const LIMIT: Duration = Duration::from_secs(60);
/// Trees are walked by recursion, and may be deep.
const STACK_BYTES: usize = 512 << 20;

/// The paper's configurations, in its order.
const CONFIGURATIONS: [(&str, Configuration); 4] = [
    ("sPOR", Configuration { reduction: PartialOrderReduction::Static, force_cover: false }),
    ("sPOR+FC", Configuration { reduction: PartialOrderReduction::Static, force_cover: true }),
    ("dPOR", Configuration { reduction: PartialOrderReduction::Dynamic, force_cover: false }),
    ("dPOR+FC", Configuration { reduction: PartialOrderReduction::Dynamic, force_cover: true }),
];

/// One of our runs.
struct Run {
    answer: Answer,
    figures: Figures,
    check_seconds: f64,
}

/// What a run ended with, after its evidence was checked.
#[derive(PartialEq)]
enum Answer {
    Safe,
    Unsafe,
    /// No answer, and why not.
    None(String),
}

impl Run {
    fn answered(&self) -> bool {
        !matches!(self.answer, Answer::None(_))
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let is_configuration = |arg: &String| CONFIGURATIONS.iter().any(|(name, _)| name == arg);
    let (configurations, names): (Vec<_>, Vec<_>) = args.into_iter().partition(is_configuration);
    let wanted = |row: &&Row| names.iter().all(|name| row.program.contains(name.as_str()));
    println!(
        "{:<18}{:<8} {:<7}{:>18}{:>20}{:>16}{:>13}{:>9}",
        "program", "", "answer", "s", "nodes", "implications", "expansions", "check s"
    );
    let (mut runs, mut answered, mut answered_in_paper) = (0, 0, 0);
    for row in paper::TABLE.iter().filter(wanted) {
        let program = load(row.program);
        for ((name, configuration), theirs) in CONFIGURATIONS.into_iter().zip(row.runs) {
            if !configurations.is_empty() && !configurations.iter().any(|wanted| wanted == name) {
                continue;
            }
            let ours = run(&program, configuration);
            assert!(
                !ours.answered() || (ours.answer == Answer::Safe) == row.safe,
                "{} with {name}: a wrong answer",
                row.program
            );
            print(row.program, name, &ours, theirs);
            runs += 1;
            answered += u32::from(ours.answered());
            answered_in_paper += u32::from(theirs.is_some());
        }
    }
    println!("answered: {answered} of {runs} runs; in the paper: {answered_in_paper}");
}

/// A program, and what `rely` makes of it for engines.
fn load(name: &str) -> Pipeline {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/impara");
    let options = LowerOptions {
        purpose: Purpose::Verification,
        choices: cfront::Choices::default(),
        property: Property::Assertions,
        bounds: Bounds { recursion: 4, objects: 8, delayed_writes: 0 },
    };
    let program =
        CProgram::from_files(&[folder.join(format!("{name}.c"))], &ReadOptions::default());
    let loaded = program.and_then(|program| program.lower(&options));
    let program = loaded.unwrap_or_else(|bad| panic!("{name}: {:?}", bad.complaints)).program;
    Pipeline::run(program, &reductions())
}

/// Runs the engine and checks what it says, against the program as it was read.
fn run(pipeline: &Pipeline, configuration: Configuration) -> Run {
    let mut statistics = Statistics::default();
    let (verdict, seconds) = within(LIMIT, |budget| {
        Impact { configuration }.verify(pipeline.program(), budget, &mut statistics)
    });
    let (program, verdict) = (pipeline.before(), pipeline.back(verdict));
    let (verdict, check_seconds) =
        within(LIMIT, |budget| check::confirm(program, verdict, solve::integers, budget));
    let answer = match verdict {
        Verdict::Safe(_) => Answer::Safe,
        Verdict::Unsafe(_) => Answer::Unsafe,
        Verdict::Unknown(Reason::CheckFailed(why)) => panic!("refuted evidence: {why}"),
        Verdict::Unknown(reason) => Answer::None(reason.describe(program).to_string()),
    };
    Run { answer, figures: statistics.figures(seconds), check_seconds }
}

/// Does work on a large stack within the limit; also says how many seconds it took.
fn within<T: Send>(limit: Duration, work: impl FnOnce(&Budget) -> T + Send) -> (T, f64) {
    std::thread::scope(|scope| {
        let start = Instant::now();
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let worker = thread
            .spawn_scoped(scope, move || work(&Budget::default().child(limit)))
            .expect("a thread");
        let result = worker.join();
        (
            result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            start.elapsed().as_secs_f64(),
        )
    })
}

/// The engine's last word on its numbers.
#[derive(Default)]
struct Statistics {
    nodes: u64,
    implications: u64,
    cover_expansions: u64,
}

impl Observer for Statistics {
    fn event(&mut self, event: Event) {
        let counter = |name| event.counter(name).expect("it is counted");
        if matches!(event, Event::Counters(_)) {
            *self = Statistics {
                nodes: counter("nodes"),
                implications: counter("implications asked for covers"),
                cover_expansions: counter("nodes by cover expansions"),
            };
        }
    }
}

impl Statistics {
    fn figures(&self, seconds: f64) -> Figures {
        let expansions = (100 * self.cover_expansions).checked_div(self.nodes).unwrap_or(0);
        Figures { seconds, nodes: self.nodes, implications: self.implications, expansions }
    }
}

fn print(program: &str, configuration: &str, ours: &Run, theirs: Option<Figures>) {
    let (answer, why) = match &ours.answer {
        Answer::Safe => ("SAFE", ""),
        Answer::Unsafe => ("UNSAFE", ""),
        Answer::None(why) => ("-", why.as_str()),
    };
    let beside = |ours: String, figure: &dyn Fn(Figures) -> String| {
        format!("{ours} ({})", theirs.map_or("-".to_string(), figure))
    };
    let seconds = |run: Figures| format!("{:.1}", run.seconds);
    let nodes = |run: Figures| run.nodes.to_string();
    let implications = |run: Figures| run.implications.to_string();
    let expansions = |run: Figures| format!("{}%", run.expansions);
    let figures = ours.figures;
    println!(
        "{program:<18}{configuration:<8} {answer:<7}{:>18}{:>20}{:>16}{:>13}{:>9.2}  {why}",
        beside(format!("{:.2}", figures.seconds), &seconds),
        beside(nodes(figures), &nodes),
        beside(implications(figures), &implications),
        beside(expansions(figures), &expansions),
        ours.check_seconds,
    );
}
