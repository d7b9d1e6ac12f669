//! What every engine shares: one verb, a budget, and events for
//! observers. Engines do not print, do not read clocks and do not know each other.

mod descriptor;
mod instances;

use ccfa::{Program, Property};
use evidence::{Reason, Verdict};

pub use ccfa::{Budget, Stop};
pub use descriptor::{Descriptor, EngineOption, NoSuchValue, OptionValues, Settings};
pub use instances::by_instances;

/// Decides programs. It can be moved to another thread.
pub trait Engine: Send {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Does it find deadlocks, too? Then it decides programs that ask for them.
    fn finds_deadlocks(&self) -> bool {
        false
    }

    /// Does it look at all states, unless it gives up? Then where it says that the model ends, no other engine finds a proof.
    fn is_exhaustive(&self) -> bool {
        false
    }

    /// Does it solve for values with which an error is reached? Then it may find one where others only say that the model ends.
    fn solves_for_values(&self) -> bool {
        false
    }

    /// Can an error location of `program` be reached? Ends soon after `budget`
    /// is exhausted, with its reason.
    fn verify(
        &mut self,
        program: &Program,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Verdict;
}

/// Why an engine does not decide this property, if that is so. Engines look for error locations, and some for
/// deadlocks: what they would say of anything else is about something else.
pub fn unknown_property(engine: &dyn Engine, property: &Property) -> Option<Reason> {
    let about_locations = Property { deadlocks: false, ..property.clone() } == Property::default();
    let why = match property.deadlocks {
        false if about_locations => return None,
        true if about_locations && engine.finds_deadlocks() => return None,
        true if about_locations => format!("{} does not look for deadlocks", engine.name()),
        _ => "no engine decides this property: errors, or errors and deadlocks, are decided"
            .to_string(),
    };
    Some(Reason::Beyond(why))
}

/// Watches an engine at work.
pub trait Observer {
    /// Something happened.
    fn event(&mut self, event: Event);
}

/// What an engine tells of its work. New kinds may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Its numbers so far. The first says how much has been searched.
    Counters(&'a [Counter]),
    /// The search starts again, with so many instances of each parameterised thread.
    Instances(u32),
}

/// A number that an engine counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// What it counts, in the plural.
    pub name: &'static str,
    /// How many there are.
    pub value: u64,
}

impl Event<'_> {
    /// The value of the counter of this name, if this event tells it.
    pub fn counter(&self, name: &str) -> Option<u64> {
        let Event::Counters(counters) = self else { return None };
        counters.iter().find(|counter| counter.name == name).map(|counter| counter.value)
    }
}

/// Watches nothing.
pub struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: Event) {}
}
