//! The tables of *Abstract Threads* (TACAS 2010), Section 4, beside ours: seconds to
//! verify the concrete and the abstract program, by number of threads.
//!
//!     cargo bench -p conform --bench abstract_threads              # up to 11 threads
//!     cargo bench -p conform --bench abstract_threads -- 8 bluetooth
//!
//! Ours is `explore` with partial-order reduction and the check of its evidence; for the
//! abstract program also with counted copies. Where `spin` is installed, it verifies a Promela
//! export of the same programs, with its own reduction. What takes longer than the limit
//! (or, for SPIN, more than 4 GB) is not tried with more threads. First of all the workers'
//! conformance is checked, and its time is printed.

mod drivers;
#[path = "../spin/promela.rs"]
mod promela;

use ccfa::{Program, ThreadId};
use conform::{Machine, checker, compose_counted, read_machine};
use drivers::{DRIVERS, Driver, PAPER};
use engine::{Budget, Engine, Silent};
use evidence::Verdict;
use explore::Explorer;
use impact::{Configuration, Impact, PartialOrderReduction};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A column ends with what needs longer than this.
const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let most = args.iter().find_map(|arg| arg.parse().ok()).unwrap_or(11);
    let wanted = |driver: &&Driver| {
        let names: Vec<&String> = args.iter().filter(|arg| arg.parse::<usize>().is_err()).collect();
        names.is_empty() || names.iter().any(|name| driver.name.contains(name.as_str()))
    };
    DRIVERS.iter().filter(wanted).for_each(|driver| table(driver, most));
}

fn table(driver: &Driver, most: usize) {
    let (_, concrete, abstractly) =
        PAPER.iter().find(|(name, ..)| *name == driver.name).expect("a table");
    println!("{}: the worker conforms ({} s)", driver.name, conformance(driver));
    println!(
        "{:>7} | {:>9} {:>9} {:>9} | {:>9} {:>9} {:>9} {:>9}",
        "", "concrete", "", "", "abstract", "", "", ""
    );
    println!(
        "{:>7} | {:>9} {:>9} {:>9} | {:>9} {:>9} {:>9} {:>9}",
        "threads", "paper", "spin", "ours", "paper", "spin", "ours", "counted"
    );
    let mut columns = [
        Column::default(),
        Column::default(),
        Column::default(),
        Column::default(),
        Column::default(),
    ];
    for threads in 1..=most {
        let whole = parse(&driver.text(threads, false));
        let composed = parse(&driver.text(threads, true));
        let [a, b, c, d, e] = &mut columns;
        println!(
            "{:>7} | {:>9} {:>9} {:>9} | {:>9} {:>9} {:>9} {:>9}",
            threads,
            concrete.get(threads - 1).unwrap_or(&"-"),
            a.next(|| spin(&whole)),
            b.next(|| explore(&whole)),
            abstractly.get(threads - 1).unwrap_or(&"-"),
            c.next(|| spin(&composed)),
            d.next(|| explore(&composed)),
            e.next(|| explore(&counted(&whole))),
        );
    }
}

/// What came of a measurement.
enum Measured {
    Seconds(f64),
    OverTheLimit,
    /// There is nothing to measure with.
    Missing,
}

/// Times, until one is too long.
#[derive(Default)]
struct Column {
    over: bool,
}

impl Column {
    fn next(&mut self, measure: impl FnOnce() -> Measured) -> String {
        if self.over {
            return "-".into();
        }
        match measure() {
            Measured::Seconds(seconds) => format!("{seconds:.3}"),
            Measured::OverTheLimit => {
                self.over = true;
                format!("over {} s", LIMIT.as_secs())
            }
            Measured::Missing => {
                self.over = true;
                "-".into()
            }
        }
    }
}

fn parse(text: &str) -> Program {
    ccfa::text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn abstract_worker(program: &Program) -> Machine {
    let template = program.templates.iter().find(|template| template.name == "abstract_worker");
    read_machine(program, template.expect("a template")).expect("a machine")
}

/// Seconds for the check that the worker conforms.
fn conformance(driver: &Driver) -> String {
    let program = parse(&driver.text(2, false));
    let machine = abstract_worker(&program);
    let start = Instant::now();
    let checker = checker(&program, ThreadId(1), &machine, &[&machine]).expect("a checker");
    let configuration =
        Configuration { reduction: PartialOrderReduction::Dynamic, force_cover: true };
    let verdict =
        Impact { configuration }.verify(&checker.program, &Budget::default(), &mut Silent);
    let verdict = check::confirm(&checker.program, verdict, solve::integers, &Budget::default());
    assert!(matches!(verdict, Verdict::Safe(_)), "{}: {verdict:?}", driver.name);
    format!("{:.3}", start.elapsed().as_secs_f64())
}

/// The composition in which the workers are counted; with one of them, there is
/// nothing to count.
fn counted(program: &Program) -> Program {
    let machine = abstract_worker(program);
    match program.threads.len() {
        1 => program.clone(),
        _ => {
            let pairs = [(ThreadId(1), &machine)];
            compose_counted(program, &pairs).unwrap_or_else(|| conform::compose(program, &pairs))
        }
    }
}

/// Seconds until the proof is found and checked.
fn explore(program: &Program) -> Measured {
    let budget = Budget::default().child(LIMIT);
    let start = Instant::now();
    let mut explorer = Explorer::default();
    let verdict = explorer.verify(program, &budget, &mut Silent);
    match check::confirm(program, verdict, solve::integers, &budget) {
        Verdict::Safe(_) => Measured::Seconds(start.elapsed().as_secs_f64()),
        Verdict::Unsafe(_) => panic!("the driver should be safe"),
        Verdict::Unknown(_) => Measured::OverTheLimit,
    }
}

/// Seconds that SPIN's verifier takes.
fn spin(program: &Program) -> Measured {
    let directory = std::env::temp_dir().join(format!("rely-abstract-{}", std::process::id()));
    let measured = match verifier(&directory, program) {
        None => Measured::Missing,
        Some(()) => {
            let limit = LIMIT.as_secs().to_string();
            let start = Instant::now();
            let output = run(&directory, "timeout", &[&limit, "./pan", "-E", "-m1000000", "-w20"]);
            let seconds = start.elapsed().as_secs_f64();
            match output.filter(|text| !text.contains("out of memory")) {
                Some(text) => {
                    assert!(text.contains("errors: 0"), "the driver should be safe: {text}");
                    Measured::Seconds(seconds)
                }
                None => Measured::OverTheLimit,
            }
        }
    };
    let _ = std::fs::remove_dir_all(&directory);
    measured
}

/// Has SPIN make the verifier `pan` of a program; nothing without SPIN.
fn verifier(directory: &Path, program: &Program) -> Option<()> {
    std::fs::create_dir_all(directory).ok()?;
    std::fs::write(directory.join("model.pml"), promela::promela(program)).ok()?;
    run(directory, "spin", &["-a", "model.pml"])?;
    run(directory, "gcc", &["-O2", "-DSAFETY", "-DMEMLIM=4000", "-o", "pan", "pan.c"])?;
    Some(())
}

fn run(directory: &Path, program: &str, args: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(args).current_dir(directory).stdin(Stdio::null()).output();
    let output = output.ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
