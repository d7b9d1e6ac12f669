//! What a run is controlled by: a budget that tells it to stop, and an observer of its progress.

use crate::input::Task;
use crate::report::Report;
use cfront::{Bounds, DataModel};
use engine::{Budget, Event, Observer};
use std::fmt;
use std::time::{Duration, Instant};

/// When to stop, and whom to tell what happens. [`Control::default`] never stops and tells nothing.
pub struct Control<'a> {
    /// Polled all the time; a clone of it can be stopped from any thread.
    pub budget: Budget,
    observer: Box<dyn FnMut(Progress<'_>) + Send + 'a>,
}

/// What happens during a run. New kinds may come.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// A part of the work begins.
    Began(Phase),
    /// It has ended, and took so long.
    Ended(Phase, Duration),
    /// It is this engine's turn, for this reason.
    Engine(&'static str, &'a str),
    /// The engine at work tells something.
    Event(Event<'a>),
    /// A program in C was read, with these sizes of its types.
    Read(DataModel),
    /// A remark for people.
    Remark(&'a str),
    /// One of several questions is answered. (All answers come at the end, too.)
    Answer(&'a Report),
}

/// A part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The program is read: preprocessed, parsed, typed.
    Reading,
    /// A model of it is made.
    Modelling,
    /// An engine looks for a proof or a counterexample.
    Exploring,
    /// The checker confirms what the engine has found.
    Checking,
}

impl fmt::Display for Phase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Phase::Reading => "reading",
            Phase::Modelling => "modelling",
            Phase::Exploring => "exploring",
            Phase::Checking => "checking",
        })
    }
}

impl<'a> Control<'a> {
    /// Stops with the budget, and tells the observer what happens. It is called on another thread.
    pub fn new(budget: Budget, observer: impl FnMut(Progress<'_>) + Send + 'a) -> Control<'a> {
        Control { budget, observer: Box::new(observer) }
    }

    /// Remarks on what was read.
    pub(crate) fn announce(&mut self, task: &Task) {
        for note in &task.notes {
            self.remark(note);
        }
        if let Some(Bounds { recursion, objects, .. }) = task.bounds {
            self.remark(&format!(
                "read with recursion up to {recursion} deep, up to {objects} objects of an allocation"
            ));
        }
        let templates = &task.program.templates;
        self.remark(&format!(
            "the model: threads: {}, locations: {}, steps: {}, shared variables: {}",
            task.program.threads.len(),
            templates.iter().map(|template| template.locations.len()).sum::<usize>(),
            templates.iter().map(|template| template.edges.len()).sum::<usize>(),
            task.program.shared.len(),
        ));
    }

    /// Does a part of the work in no more than this time. It is a share of a time limit, so the clock counts.
    pub(crate) fn within<T>(
        &mut self,
        time: Option<Duration>,
        work: impl FnOnce(&mut Control) -> T,
    ) -> T {
        let whole = self.budget.clone();
        self.budget = time.map_or_else(|| whole.clone(), |time| whole.child(time));
        let result = work(self);
        self.budget = whole;
        result
    }

    pub(crate) fn tell(&mut self, progress: Progress) {
        (self.observer)(progress);
    }

    pub(crate) fn remark(&mut self, remark: &str) {
        self.tell(Progress::Remark(remark));
    }

    /// Does a part of the work.
    pub(crate) fn phase<T>(&mut self, phase: Phase, work: impl FnOnce(&mut Control) -> T) -> T {
        self.tell(Progress::Began(phase));
        let start = Instant::now();
        let result = work(self);
        self.tell(Progress::Ended(phase, start.elapsed()));
        result
    }
}

impl Default for Control<'_> {
    fn default() -> Self {
        Control::new(Budget::default(), |_| {})
    }
}

impl Observer for Control<'_> {
    fn event(&mut self, event: Event) {
        self.tell(Progress::Event(event));
    }
}
