//! What the tests of `sema` share: analysing a text, and asking for facts.
#![allow(dead_code)] // Each test file uses some of them.

pub mod invariants;

use cfront::DataModel;
use cfront::hir::{ExprKind, Field, Function, Type, Unit, Var};
use cfront::sema::{UnitOptions, analyse};
use cfront::source::SourceMap;
use cfront::syntax::{ast::TranslationUnit, parse};

fn parsed(text: &str) -> TranslationUnit {
    parse(text).unwrap_or_else(|d| panic!("does not parse: {} in\n{text}", d.message))
}

/// Analyses a text together with models; the messages with line and column.
pub fn try_with_models(models: &str, text: &str, model: DataModel) -> Result<Unit, Vec<String>> {
    let offset = models.len() as u32;
    let units = [
        (&parsed(models), UnitOptions { is_model: true, offset: 0 }),
        (&parsed(text), UnitOptions { is_model: false, offset }),
    ];
    let map = SourceMap::new("test.c", text, false);
    let unit = analyse(&units, model).map_err(|diagnostics| {
        let shown = diagnostics.iter().map(|d| {
            let place = map.place(d.range.lo - offset);
            format!("{}:{}: {}", place.line, place.column, d.message)
        });
        shown.collect::<Vec<String>>()
    })?;
    let broken = invariants::check(&unit);
    assert!(broken.is_empty(), "{}\nin\n{text}", broken.join("\n"));
    Ok(unit)
}

pub fn try_unit(text: &str, model: DataModel) -> Result<Unit, Vec<String>> {
    try_with_models("", text, model)
}

pub fn unit(text: &str, model: DataModel) -> Unit {
    try_unit(text, model).unwrap_or_else(|messages| panic!("{}\nin\n{text}", messages.join("\n")))
}

/// The last variable of that name.
pub fn var<'u>(unit: &'u Unit, name: &str) -> &'u Var {
    let found = unit.vars.iter().rev().find(|v| v.name == name);
    found.unwrap_or_else(|| panic!("there is no variable {name}"))
}

pub fn function<'u>(unit: &'u Unit, name: &str) -> &'u Function {
    let found = unit.functions.iter().rev().find(|f| f.name == name);
    found.unwrap_or_else(|| panic!("there is no function {name}"))
}

/// The initial value of a static integer.
pub fn number(unit: &Unit, name: &str) -> i128 {
    match var(unit, name).init.as_deref() {
        Some([]) => 0,
        Some([entry]) => match *entry.value.kind {
            ExprKind::Const(value) => value,
            _ => panic!("{name} is no number: {entry:?}"),
        },
        other => panic!("{name} is no number: {other:?}"),
    }
}

pub fn type_name(unit: &Unit, name: &str) -> String {
    unit.types.name(var(unit, name).ty)
}

/// The entries of a static initialiser: offset and number.
pub fn entries(unit: &Unit, name: &str) -> Vec<(u64, i128)> {
    let init = var(unit, name).init.as_deref().unwrap_or_default();
    init.iter()
        .map(|entry| match *entry.value.kind {
            ExprKind::Const(value) => (entry.offset, value),
            _ => (entry.offset, -999),
        })
        .collect()
}

/// A field of the record that is the type of a variable, with its offset.
pub fn field<'u>(unit: &'u Unit, variable: &str, name: &str) -> (u64, &'u Field) {
    let Type::Record(record) = unit.types.get(var(unit, variable).ty) else {
        panic!("{variable} is no record");
    };
    let found = unit.types.find_field(*record, name);
    found.unwrap_or_else(|| panic!("there is no field {name}"))
}

/// The body of a function as Rust shows it, without places.
pub fn body(unit: &Unit, name: &str) -> String {
    let text = format!("{:?}", function(unit, name).body);
    let mut parts = text.split("range: Range { lo: ");
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        plain.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
    }
    plain.replace(",  }", " }").replace(", }", " }")
}
