//! Essential predicates (the paper's Section 4), and the abstraction of a process by them.
//!
//! An essential predicate χ of a process says that one of its variables, its location among
//! them, has a certain value. In the abstraction, two values are equivalent if no predicate names them.

use crate::bdd::{Bdd, Result, is_empty};
use crate::process::Processes;
use crate::space::{Occupant, Space};
use crate::variable::Variable;
use std::collections::BTreeSet;

/// Ψⱼ for every process: for each of its variables, the values that predicates name.
#[derive(Clone)]
pub(crate) struct Exposed {
    values: Vec<Vec<BTreeSet<i128>>>,
}

impl Exposed {
    /// No predicates.
    pub fn nothing(processes: &Processes) -> Exposed {
        Exposed { values: vec![Vec::new(); processes.list.len()] }
    }

    /// How many predicates there are; those of identical processes are counted for each.
    pub fn count(&self, processes: &Processes) -> u64 {
        let of = |(values, process): (&Vec<BTreeSet<i128>>, &crate::process::Process)| {
            let instances = if process.count == u32::MAX { 1 } else { u64::from(process.count) };
            instances * values.iter().map(|values| values.len() as u64).sum::<u64>()
        };
        self.values.iter().zip(&processes.list).map(of).sum()
    }

    /// The values of a variable of a process that predicates name.
    #[cfg(test)]
    pub fn named(&self, process: usize, variable: usize) -> impl Iterator<Item = i128> + '_ {
        self.values[process].get(variable).into_iter().flatten().copied()
    }

    /// Names every value; says whether that is anything new.
    pub fn expose_all(&mut self, space: &Space) -> bool {
        let mut new = false;
        for process in 0..space.processes.list.len() {
            for (number, variable) in space.variables_of(space.slot(0, process)).enumerate() {
                for value in &variable.values {
                    new |= self.insert(process, number, *value);
                }
            }
        }
        new
    }

    /// Adds all essential predicates with respect to the states in `set`, of the process in this
    /// slot; says whether one is new.
    ///
    /// A variable is essential with respect to s ∈ `set` if another value of it leads out of
    /// `set`. The values in such states are those that remain when the states are
    /// taken away which are in `set` for every value.
    pub fn essential(
        &mut self,
        space: &Space,
        set: &Bdd,
        slot: usize,
        process: usize,
    ) -> Result<bool> {
        let mut new = false;
        let occupant: &Occupant = space.slot(slot, process);
        for (number, variable) in space.variables_of(occupant).enumerate() {
            let outside = space.dd.minus(&variable.valid, set)?;
            let can_leave = space.dd.exists(&outside, &variable.cube)?;
            let essential = space.dd.and(set, &can_leave)?;
            for (value, is) in variable.values.iter().zip(&variable.is) {
                if !is_empty(&space.dd.and(&essential, is)?) {
                    new |= self.insert(process, number, *value);
                }
            }
        }
        Ok(new)
    }

    fn insert(&mut self, process: usize, variable: usize, value: i128) -> bool {
        let variables = &mut self.values[process];
        if variables.len() <= variable {
            variables.resize(variable + 1, BTreeSet::new());
        }
        variables[variable].insert(value)
    }

    /// The states, abstracted by the predicates of the process in this slot.
    pub fn abstracted(
        &self,
        space: &Space,
        states: &Bdd,
        slot: usize,
        process: usize,
    ) -> Result<Bdd> {
        let mut seen = states.clone();
        for (number, variable) in space.variables_of(space.slot(slot, process)).enumerate() {
            let named = self.values[process].get(number);
            seen = abstract_variable(space, &seen, variable, named)?;
        }
        Ok(seen)
    }
}

fn abstract_variable(
    space: &Space,
    states: &Bdd,
    variable: &Variable,
    named: Option<&BTreeSet<i128>>,
) -> Result<Bdd> {
    let dd = &space.dd;
    let Some(named) = named.filter(|named| !named.is_empty()) else {
        return dd.exists(states, &variable.cube);
    };
    if named.len() + 1 >= variable.values.len() {
        return Ok(states.clone());
    }
    let rest = variable.among(dd, |value| !named.contains(&value))?;
    let any_of_the_rest = dd.and_exists(states, &rest, &variable.cube)?;
    dd.or(&dd.minus(states, &rest)?, &dd.and(&any_of_the_rest, &rest)?)
}
