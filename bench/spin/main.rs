//! `explore` against SPIN: states per second and memory, on the same models.
//!
//!     cargo bench -p explore --bench spin            # all models, best of 3
//!     cargo bench -p explore --bench spin -- filter  # those whose name has this
//!
//! Each model is written once, as `.rely` text, and translated to Promela edge by
//! edge; both tools must report the same number of states, without reduction.
//! SPIN is compiled as its manual advises for safety properties
//! (`-O2 -DSAFETY -DNOREDUCE`; `-DBFS` for breadth first), with a hash table of as
//! many slots as there are states and a depth limit a little above what the search needs.
//! Runs of both tools alternate, and the best of three counts. Time is the processor
//! time of the whole process, as the machine may have more to do; memory is SPIN's "total actual memory usage" and, for us, the peak
//! resident set of a process of its own.
//!
//! The last columns are our states and seconds with partial-order reduction.
//! (Arrays count as one variable there, so models whose threads share arrays are
//! hardly reduced.)
//!
//! The goal: at least half of SPIN's states per second and at most twice its
//! memory, on every model. The last lines say whether it was met.

mod models;
mod promela;

use engine::{Budget, Engine, Silent};
use evidence::{Proof, Verdict};
use explore::{Explorer, SearchOrder};
use models::Model;
use std::path::Path;
use std::process::Command;

const ROUNDS: usize = 3;

/// What a run took.
#[derive(Clone, Copy, Debug)]
struct Run {
    states: u64,
    seconds: f64,
    megabytes: f64,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if let [child, name, order, reduce] = &args[..]
        && child == "--child"
    {
        return run_child(name, order, reduce == "reduce");
    }
    let wanted = |model: &Model| args.iter().all(|arg| model.name.contains(arg.as_str()));
    let mut met = true;
    println!(
        "{:<22} {:<5} {:>9} {:>9} {:>9} {:>6} {:>8} {:>8} {:>6} {:>10} {:>7}",
        "model",
        "order",
        "states",
        "ours/s",
        "SPIN/s",
        "ratio",
        "our MB",
        "SPIN MB",
        "ratio",
        "reduced",
        "s"
    );
    for model in models::all().iter().filter(|model| wanted(model)) {
        for order in ["dfs", "bfs"] {
            met &= compare(model, order);
        }
    }
    println!(
        "goal (speed ratio >= 0.5, memory ratio <= 2): {}",
        if met { "met" } else { "NOT met" }
    );
    if !met {
        std::process::exit(1);
    }
}

fn compare(model: &Model, order: &str) -> bool {
    let spin = Spin::build(model, order);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(run_ours(model, order, "full"));
        theirs.push(spin.run());
    }
    let _ = std::fs::remove_dir_all(&spin.directory);
    let (ours, theirs) = (best(&ours), best(&theirs));
    assert_eq!(ours.states, theirs.states, "{}: both tools should see the same states", model.name);
    let reduced = run_ours(model, order, "reduce");
    let rate = |run: Run| run.states as f64 / run.seconds;
    let speed = rate(ours) / rate(theirs);
    let memory = ours.megabytes / theirs.megabytes;
    println!(
        "{:<22} {:<5} {:>9} {:>8.2}M {:>8.2}M {:>6.2} {:>8.1} {:>8.1} {:>6.2} {:>10} {:>7.2}",
        model.name,
        order,
        ours.states,
        rate(ours) / 1e6,
        rate(theirs) / 1e6,
        speed,
        ours.megabytes,
        theirs.megabytes,
        memory,
        reduced.states,
        reduced.seconds,
    );
    speed >= 0.5 && memory <= 2.0
}

fn best(runs: &[Run]) -> Run {
    *runs.iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).expect("at least one round")
}

/// Our search, in a process of its own, so that it can be measured.
fn run_ours(model: &Model, order: &str, reduce: &str) -> Run {
    let program = std::env::current_exe().expect("our own path");
    let program = program.to_str().expect("a plain path");
    let args = ["--child", &model.name, order, reduce];
    let (output, seconds) = run(Path::new("."), program, &args);
    let numbers: Vec<f64> =
        output.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    Run { states: numbers[0] as u64, seconds, megabytes: numbers[1] }
}

fn run_child(name: &str, order: &str, reduce: bool) {
    let model = models::all().into_iter().find(|model| model.name == name).expect("a model");
    let program = ccfa::text::parse(&model.text).unwrap_or_else(|error| panic!("{error}"));
    let order = if order == "bfs" { SearchOrder::BreadthFirst } else { SearchOrder::DepthFirst };
    let mut explorer = Explorer { order, reduce, ..Explorer::default() };
    let verdict = explorer.verify(&program, &Budget::default(), &mut Silent);
    let Verdict::Safe(Proof::Closed(set)) = verdict else { panic!("not SAFE: {verdict:?}") };
    println!("{} {}", set.expansions.len(), peak_megabytes());
}

fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("VmHWM");
    let kilobytes: f64 = line.split_whitespace().nth(1).expect("a number").parse().expect("one");
    kilobytes / 1024.0
}

/// A model compiled by SPIN.
struct Spin {
    directory: std::path::PathBuf,
    options: Vec<String>,
}

impl Spin {
    fn build(model: &Model, order: &str) -> Spin {
        let directory = std::env::temp_dir().join(format!("rely-spin-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a temporary directory");
        let program = ccfa::text::parse(&model.text).unwrap_or_else(|error| panic!("{error}"));
        std::fs::write(directory.join("model.pml"), promela::promela(&program)).expect("written");
        run(&directory, "spin", &["-a", "model.pml"]);
        let mut flags =
            vec!["-O2", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=16000", "-o", "pan", "pan.c"];
        if order == "bfs" {
            flags.insert(0, "-DBFS");
        }
        run(&directory, "gcc", &flags);
        let mut spin = Spin { directory, options: spin_options(24, 20_000_000) };
        let (first, depth) = spin.measure();
        let slots = first.states.next_power_of_two().trailing_zeros();
        spin.options = spin_options(slots, depth + depth / 16 + 1000);
        spin
    }

    fn run(&self) -> Run {
        self.measure().0
    }

    /// A run, and how deep it went.
    fn measure(&self) -> (Run, u64) {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        let (output, seconds) = run(&self.directory, "./pan", &options);
        let before = |marker: &str| -> f64 {
            let line = output.lines().find(|line| line.contains(marker));
            let line = line.unwrap_or_else(|| panic!("no {marker:?} in\n{output}"));
            let words = line.split(marker).next().expect("a part").split_whitespace();
            words.last().expect("a number").parse().unwrap_or_else(|_| panic!("{line}"))
        };
        assert!(!output.contains("max search depth too small"), "{output}");
        assert!(output.contains("errors: 0"), "{output}");
        let depth = output.split("depth reached ").nth(1).expect("a depth");
        let depth = depth.split([',', ' ']).next().expect("a number").parse().expect("a number");
        let states = before(" states, stored") as u64;
        (Run { states, seconds, megabytes: before("\ttotal actual memory usage") }, depth)
    }
}

/// Slots of the hash table (as a power of two), limit of depth, and: that
/// no thread can move is no error.
fn spin_options(slots: u32, depth: u64) -> Vec<String> {
    vec![format!("-w{slots}"), format!("-m{depth}"), "-E".into()]
}

/// What a program prints and how many seconds of processor time it takes.
fn run(directory: &Path, program: &str, args: &[&str]) -> (String, f64) {
    let mut command = Command::new("sh");
    command.args(["-c", "\"$0\" \"$@\" && times", program]).args(args).current_dir(directory);
    let output = command.output().expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{program}: {text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let (_, times) = text.trim_end().rsplit_once('\n').expect("the shell's report");
    let seconds = times.split_whitespace().map(|time| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').expect("minutes");
        let number = |text: &str| -> f64 { text.parse().expect("a number") };
        number(minutes) * 60.0 + number(seconds)
    });
    let seconds = seconds.sum();
    (text, seconds)
}
