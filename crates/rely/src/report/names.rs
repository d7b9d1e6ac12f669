//! Variables and values as the user knows them: by what they are in the source.

use super::Change;
use super::dead::may_be_read;
use ccfa::semantics::{State, System, Value};
use ccfa::{LocalId, Program, SharedId, Var, VarRef};
use std::collections::BTreeMap;

/// A value of a variable.
pub fn value(program: &Program, var: &Var, value: Value) -> String {
    value.map_or("anything".to_string(), |value| program.value_text(var, value))
}

/// The visible cells that may hold anything at the start, with what they hold.
pub fn chosen_at_start(system: &System, concrete: &State) -> Vec<Change> {
    let initial = system.initial();
    let names = cell_names(system, &initial);
    let open = initial.cells.iter().enumerate();
    open.filter(|(_, value)| value.is_none())
        .filter_map(|(cell, _)| {
            let (name, var) = names.get(&cell)?;
            let new = value(system.program, var, concrete.cells[cell]);
            Some(Change { name: name.clone(), old: String::new(), new })
        })
        .collect()
}

/// Name and variable of every visible cell that may hold anything at the start and whose value there can matter.
fn cell_names<'p>(system: &System<'p>, initial: &State) -> BTreeMap<usize, (String, &'p Var)> {
    let program = system.program;
    let mut names = BTreeMap::new();
    let mut add = |instance: usize, var: VarRef, owner: &str| {
        let (declared, offset) = (system.var(instance, var), system.offset(instance, var));
        for number in 0..declared.cells() {
            let name = format!("{owner}{}", program.cell_name(declared, number as u64));
            names.insert(offset + number, (name, declared));
        }
    };
    let is_open = |instance: usize, var: VarRef| {
        let (declared, offset) = (system.var(instance, var), system.offset(instance, var));
        let mut cells = initial.cells[offset..offset + declared.cells()].iter();
        program.is_of_source(declared) && cells.any(Option::is_none)
    };
    for var in (0..program.shared.len() as u32).map(|number| VarRef::Shared(SharedId(number))) {
        if is_open(0, var) {
            add(0, var, "");
        }
    }
    for (instance, one) in system.instances.iter().enumerate() {
        let owner = format!("{}'s ", program.instance_name(*one));
        let template = system.template(instance);
        for local in (0..template.locals.len()).map(|number| VarRef::Local(LocalId(number as u32)))
        {
            if is_open(instance, local) && may_be_read(template, template.entry, local) {
                add(instance, local, &owner);
            }
        }
    }
    names
}
