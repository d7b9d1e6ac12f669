//! Puts programs before an engine and judges its verdicts.

use crate::models::Expected;
use crate::oracle::{Truth, truth};
use crate::shrink::shrink;
use ccfa::Program;
use engine::{Budget, Engine, Silent, Stop};
use evidence::{Reason, Verdict};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What an engine promises.
#[derive(Clone, Copy, Debug)]
pub struct Expect {
    /// It decides every program that the oracle decides.
    pub complete: bool,
}

/// Time for a program that the oracle decides: ample.
const DECIDED: Duration = Duration::from_secs(60);
/// Time for one where UNKNOWN is a fine answer: the oracle does not decide it, or the engine
/// does not promise to. Enough for nearly all that is ever decided.
const UNDECIDED: Duration = Duration::from_millis(50);

/// How often an engine said what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// SAFE, confirmed.
    pub safe: usize,
    /// UNSAFE, confirmed.
    pub unsafe_: usize,
    /// UNKNOWN.
    pub unknown: usize,
}

/// How many programs an engine decides at least.
#[derive(Clone, Copy, Debug)]
pub struct Decided {
    /// SAFE, confirmed.
    pub safe: usize,
    /// UNSAFE, confirmed.
    pub unsafe_: usize,
}

/// An engine has failed.
pub struct EngineFailure {
    /// Which program, what the engine said and what is wrong with it.
    pub what: String,
    /// A small program on which it fails, too.
    pub program: Box<Program>,
}

impl Tally {
    /// Adds another one.
    pub fn add(&mut self, other: Tally) {
        self.safe += other.safe;
        self.unsafe_ += other.unsafe_;
        self.unknown += other.unknown;
    }

    /// Panics if fewer programs were decided.
    pub fn demand(&self, least: Decided) {
        let enough = self.safe >= least.safe && self.unsafe_ >= least.unsafe_;
        assert!(enough, "too few programs are decided: {self:?}, at least {least:?}");
    }

    fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Safe(_) => self.safe += 1,
            Verdict::Unsafe(_) => self.unsafe_ += 1,
            Verdict::Unknown(_) => self.unknown += 1,
        }
    }
}

impl fmt::Display for EngineFailure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}\n\n{}", self.what, ccfa::text::print(&self.program))
    }
}

impl fmt::Debug for EngineFailure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An engine before its judge.
pub(crate) struct Judge<'e> {
    engine: &'e mut dyn Engine,
    expect: Expect,
    pub tally: Tally,
}

impl<'e> Judge<'e> {
    pub fn new(engine: &'e mut dyn Engine, expect: Expect) -> Judge<'e> {
        Judge { engine, expect, tally: Tally::default() }
    }

    /// Judges what the engine says about a program; `expected` by its author.
    pub fn program(
        &mut self,
        program: &Program,
        expected: Option<Expected>,
        name: impl Fn() -> String,
    ) -> Result<(), EngineFailure> {
        match self.verdict(program, expected) {
            Ok(verdict) => {
                self.tally.count(&verdict);
                Ok(())
            }
            Err(why) => {
                let mut still_fails = |smaller: &Program| {
                    ccfa::wellformed::check(smaller).is_ok() && self.verdict(smaller, None).is_err()
                };
                // Some failures are against the author's word alone.
                let fails = still_fails(program);
                let small = if fails { shrink(program, &mut still_fails) } else { program.clone() };
                let engine = self.engine.name();
                let what = match self.verdict(&small, None) {
                    Err(now) if fails => format!("{why}; on the program made smaller: {now}"),
                    _ => why,
                };
                Err(EngineFailure {
                    what: format!("{engine} on {}: {what}", name()),
                    program: Box::new(small),
                })
            }
        }
    }

    /// The engine's verdict, or what is wrong with it.
    fn verdict(
        &mut self,
        program: &Program,
        expected: Option<Expected>,
    ) -> Result<Verdict, String> {
        let truth = truth(program);
        let promised = truth.is_some() && self.expect.complete;
        let limit = if promised { DECIDED } else { UNDECIDED };
        let mut run = |budget: &Budget| self.engine.verify(program, budget, &mut Silent);
        let claimed = catch_unwind(AssertUnwindSafe(|| limited(limit, &mut run)));
        let claimed = claimed.map_err(|_| "it panicked".to_string())?;
        let word = describe(&claimed);
        let time = Budget::default().child(DECIDED);
        let confirmed = check::confirm(program, claimed, solve::integers, &time);
        if let Verdict::Unknown(Reason::CheckFailed(why)) = &confirmed {
            return Err(format!("{word} is refuted by check: {why}"));
        }
        if let (Some(truth), Some(expected)) = (truth, expected)
            && (truth.error, truth.limit && !truth.error) != meaning(expected)
        {
            return Err(format!("the model expects {expected:?}, the oracle says {truth:?}"));
        }
        match objection(&confirmed, truth, expected, self.expect) {
            None => Ok(confirmed),
            Some(objection) => Err(format!("{word}, but {objection}")),
        }
    }
}

/// Runs with a budget that ends after `limit`. What counts is the work of this thread and not the
/// clock: how many programs are decided must not depend on what else the machine does.
fn limited<T>(limit: Duration, run: &mut dyn FnMut(&Budget) -> T) -> T {
    let budget = Budget::default();
    let work = Work::of_this_thread();
    std::thread::scope(|scope| {
        let (done, wait) = mpsc::channel::<()>();
        let watched = budget.clone();
        scope.spawn(move || {
            while wait.recv_timeout(limit / 4) == Err(mpsc::RecvTimeoutError::Timeout) {
                if work.time() > limit {
                    watched.stop(Stop::Timeout);
                    return;
                }
            }
        });
        let result = run(&budget);
        drop(done);
        result
    })
}

/// How long a thread has worked since it was made: CPU time where the system tells it.
struct Work {
    /// Where Linux says how long the thread has run, in nanoseconds, before anything else.
    file: PathBuf,
    before: Option<Duration>,
    begin: Instant,
}

impl Work {
    fn of_this_thread() -> Work {
        let thread = std::fs::read_link("/proc/thread-self").unwrap_or_default();
        let file = Path::new("/proc").join(thread).join("schedstat");
        let before = cpu_time(&file);
        Work { file, before, begin: Instant::now() }
    }

    fn time(&self) -> Duration {
        let cpu =
            cpu_time(&self.file).zip(self.before).map(|(now, before)| now.saturating_sub(before));
        cpu.unwrap_or_else(|| self.begin.elapsed())
    }
}

fn cpu_time(file: &Path) -> Option<Duration> {
    let text = std::fs::read_to_string(file).ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Is an error reachable; is a limit but no error reachable?
fn meaning(expected: Expected) -> (bool, bool) {
    (expected == Expected::Unsafe, expected == Expected::Limit)
}

/// What the oracle or the author has against a verdict.
fn objection(
    verdict: &Verdict,
    truth: Option<Truth>,
    expected: Option<Expected>,
    expect: Expect,
) -> Option<String> {
    let error = truth.map(|truth| truth.error).or(expected.map(|e| meaning(e).0));
    let limit = truth.map(|truth| truth.limit).or(expected.map(|e| meaning(e).1));
    let wrong = match verdict {
        Verdict::Safe(_) => error == Some(true) || limit == Some(true),
        Verdict::Unsafe(_) => error == Some(false),
        // An engine that meets a limit may stop there.
        Verdict::Unknown(Reason::Limit { .. } | Reason::Undefined { .. }) => {
            truth.is_some() && limit == Some(false)
        }
        Verdict::Unknown(_) => expect.complete && truth.is_some(),
    };
    wrong.then(|| format!("the oracle says {truth:?} and the author {expected:?}"))
}

fn describe(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(_) => "SAFE".into(),
        Verdict::Unsafe(witness) => format!("UNSAFE ({} steps)", witness.steps.len()),
        Verdict::Unknown(reason) => format!("UNKNOWN ({reason:?})"),
    }
}
