//! Variables and values as the user knows them.
//!
//! The translation from C gives unique names: `f::x` for the `x` of function
//! `f`, `x#2` for the second `x` of its scope. Names that begin with a dot are its
//! own and not shown.

use super::interleaving::Change;
use ccfa::semantics::{State, System, Value};
use ccfa::{LocalId, SharedId, Type, Var, VarRef};
use std::collections::BTreeMap;

/// Is this a variable of the user's?
pub fn is_visible(var: &Var) -> bool {
    !var.name.starts_with('.')
}

/// The name of a variable in the source.
pub fn plain_name(var: &Var) -> &str {
    let name = var.name.split('#').next().unwrap_or(&var.name);
    name.rsplit("::").next().unwrap_or(name)
}

/// The name of a variable in the source; of an array, that of one element.
pub fn cell_name(var: &Var, number: usize) -> String {
    let name = plain_name(var);
    match var.len {
        None => name.to_string(),
        Some(_) => format!("{name}[{number}]"),
    }
}

/// A value of a type.
pub fn value(ty: Type, value: Value) -> String {
    match (ty, value) {
        (_, None) => "anything".to_string(),
        (Type::Bool, Some(value)) => (value != 0).to_string(),
        (_, Some(value)) => value.to_string(),
    }
}

/// The visible cells that may hold anything at the start, with what they hold.
pub fn chosen_at_start(system: &System, concrete: &State) -> Vec<Change> {
    let names = cell_names(system);
    let open = system.initial().cells.into_iter().enumerate();
    open.filter(|(_, value)| value.is_none())
        .filter_map(|(cell, _)| {
            let (name, ty) = names.get(&cell)?;
            let new = value(*ty, concrete.cells[cell]);
            Some(Change { name: name.clone(), old: String::new(), new })
        })
        .collect()
}

/// Name and type of every visible cell.
fn cell_names(system: &System) -> BTreeMap<usize, (String, Type)> {
    let mut names = BTreeMap::new();
    let mut add = |instance: usize, var: VarRef, owner: &str| {
        let (declared, offset) = (system.var(instance, var), system.offset(instance, var));
        for number in (0..declared.cells()).filter(|_| is_visible(declared)) {
            let name = format!("{owner}{}", cell_name(declared, number));
            names.insert(offset + number, (name, declared.ty));
        }
    };
    for number in 0..system.program.shared.len() {
        add(0, VarRef::Shared(SharedId(number as u32)), "");
    }
    for (instance, one) in system.instances.iter().enumerate() {
        let owner = format!("{}'s ", system.program.instance_name(*one));
        for number in 0..system.template(instance).locals.len() {
            add(instance, VarRef::Local(LocalId(number as u32)), &owner);
        }
    }
    names
}
