//! The processes P₁ … P_N of the paper. Identical ones are one [`Process`] that there is
//! several times: what is true of one instance is true of each, and is computed once.
//!
//! Two instances of a thread are identical if they have the same arguments, or differ only in
//! arguments that do not matter ([`crate::relevant`]). Others are processes of their own, each
//! with its arguments as constants, so that `fork[me]` is one certain fork.

use crate::bdd::Result;
use crate::relevant::Relevant;
use crate::values::{ValueSets, analyse, argument, guess};
use ccfa::{Arg, Count, Init, LocalId, Program, Template, Thread, ThreadId, VarRef};
use engine::Budget;
use std::collections::BTreeSet;

/// More arguments are not told apart: that is one more than a variable can have values here (`values`).
const MAX_ARGUMENTS: u32 = 257;

/// A process, or several identical ones.
#[derive(Clone)]
pub(crate) struct Process<'p> {
    /// The thread of which it is an instance.
    pub thread: ThreadId,
    /// Which instance; `None` for any of them.
    pub index: Option<u32>,
    /// How many there are; `u32::MAX` if the thread is parameterised.
    pub count: u32,
    /// What it runs.
    pub template: &'p Template,
    args: &'p [Arg],
}

/// All processes, what matters and which values it has.
pub(crate) struct Processes<'p> {
    /// The program.
    pub program: &'p Program,
    /// The processes.
    pub list: Vec<Process<'p>>,
    /// Which variables matter.
    pub relevant: Relevant,
    /// Their values, with guesses.
    pub values: ValueSets,
    /// Their values without guesses.
    pub exact: ValueSets,
}

impl Process<'_> {
    /// The possible values of each argument.
    pub fn arguments(&self) -> Vec<BTreeSet<i128>> {
        let instances = match self.index {
            Some(index) => index..index + 1,
            None => 0..self.count.min(MAX_ARGUMENTS),
        };
        self.args.iter().map(|arg| argument(*arg, instances.clone())).collect()
    }
}

impl<'p> Processes<'p> {
    /// Reads them off the program. Variables with too many values get `window` of them.
    pub fn new(program: &'p Program, window: usize, budget: &Budget) -> Result<Processes<'p>> {
        let whole_threads: Vec<Process> = program
            .threads
            .iter()
            .enumerate()
            .map(|(number, thread)| whole_thread(program, number, thread))
            .filter(|process| process.count > 0)
            .collect();
        let values = analyse(program, &whole_threads, budget)?;
        let relevant = Relevant::new(program, &whole_threads, &values);
        let list: Vec<Process> = whole_threads
            .iter()
            .flat_map(|process| relevant_instances(process, &relevant))
            .collect();
        let exact = analyse(program, &list, budget)?;
        let relevant = Relevant::new(program, &list, &exact);
        let values = guess(program, &list, &exact, window, budget)?;
        Ok(Processes { program, list, relevant, values, exact })
    }

    /// Are there parameterised threads whose instances are not identical?
    pub fn have_unbounded_indices(&self) -> bool {
        let parameterised = self.list.iter().filter(|process| process.count == u32::MAX);
        parameterised.into_iter().any(|process| has_index(process, &self.relevant))
    }

    /// How many instances there are; `u32::MAX` if the thread is parameterised.
    pub fn total(&self) -> u32 {
        self.list.iter().fold(0, |total, process| total.saturating_add(process.count))
    }
}

fn whole_thread<'p>(program: &'p Program, number: usize, thread: &'p Thread) -> Process<'p> {
    let count = match thread.count {
        Count::Exactly(count) => count,
        Count::Any => u32::MAX,
    };
    let thread_id = ThreadId(number as u32);
    let template = program.template_of(thread_id);
    Process { thread: thread_id, index: None, count, template, args: &thread.args }
}

/// The process itself, or its instances if these are not identical.
fn relevant_instances<'p>(process: &Process<'p>, relevant: &Relevant) -> Vec<Process<'p>> {
    if !has_index(process, relevant) || process.count == u32::MAX {
        return vec![process.clone()];
    }
    (0..process.count)
        .map(|index| Process { index: Some(index), count: 1, ..process.clone() })
        .collect()
}

/// Does a local that matters begin with the index of the instance?
fn has_index(process: &Process, relevant: &Relevant) -> bool {
    let locals = process.template.locals.iter().enumerate();
    locals.into_iter().any(|(local, var)| match var.init {
        Init::Param(number) => {
            let var = VarRef::Local(LocalId(local as u32));
            matches!(process.args[number as usize], Arg::Index(_))
                && relevant.matters(process.thread, var)
        }
        _ => false,
    })
}
