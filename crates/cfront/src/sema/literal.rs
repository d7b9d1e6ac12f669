//! Literals (C11, 6.4.4, 6.4.5): which types numbers and characters have, and what a string
//! puts into an array.

use super::objects::Objects;
use super::{FLOATING, Res, constant, error, unsupported};
use crate::hir::{Expr, InitEntry, Lifetime, Type, TypeId, Var, VarId};
use crate::syntax::ast::{IntKind, Range};
use crate::types::Types;

/// How an integer is written.
#[derive(Clone, Copy)]
pub(super) struct Spelling {
    /// With `u`.
    pub unsigned: bool,
    /// How many `l`.
    pub longs: u8,
    /// Decimal, not octal, hexadecimal or binary.
    pub decimal: bool,
}

/// An integer has the first type of a list that holds it (C11, 6.4.4.1).
pub(super) fn integer(types: &mut Types, value: u128, how: Spelling, range: Range) -> Res<Expr> {
    let Ok(number) = i128::try_from(value) else {
        return error(range, "this number is too large");
    };
    let kinds = [IntKind::Int, IntKind::Long, IntKind::LongLong];
    for kind in kinds.into_iter().skip(usize::from(how.longs.min(2))) {
        for signed in [true, false] {
            let allowed = if signed { !how.unsigned } else { how.unsigned || !how.decimal };
            let ty = types.int(kind, signed);
            if allowed && types.holds(number, ty) {
                return Ok(constant(number, ty, range));
            }
        }
    }
    let ty = types.int(IntKind::LongLong, false);
    if !types.holds(number, ty) {
        return error(range, "this number is too large");
    }
    let signed = types.int(IntKind::Int128, true);
    Ok(constant(number, if how.unsigned { ty } else { signed }, range))
}

pub(super) fn floating(types: &mut Types, text: &str, range: Range) -> Expr {
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let is_imaginary = |c: char| matches!(c.to_ascii_lowercase(), 'i' | 'j');
    if text.contains(is_imaginary) {
        let part = match text.contains(['.', 'e', 'E']) {
            true => floating(types, &text.replace(is_imaginary, ""), range).ty,
            false => Types::INT,
        };
        return unsupported(FLOATING, types.intern(Type::Complex(part)), range);
    }
    let ty = match text.chars().last() {
        Some('f' | 'F') if !is_hex || text.contains(['p', 'P']) => types.float(4),
        Some('l' | 'L') => types.long_double(),
        _ => types.float(8),
    };
    unsupported(FLOATING, ty, range)
}

/// The value of a decimal constant of type `double` or `float`.
pub(super) fn float_value(text: &str) -> Option<f64> {
    match text.strip_suffix(['f', 'F']) {
        Some(text) => text.parse::<f32>().ok().map(f64::from),
        None => text.parse().ok(),
    }
}

pub(super) fn character(types: &mut Types, value: i128, prefix: char, range: Range) -> Expr {
    let ty = match prefix {
        '\0' => Types::INT,
        _ => types.character(prefix),
    };
    constant(types.wrap(value, ty), ty, range)
}

/// A string literal: an array that lives as long as the program.
pub(super) fn string(
    types: &mut Types,
    objects: &mut Objects,
    (units, prefix): (&[u32], char),
    range: Range,
) -> VarId {
    objects.string(units, prefix, || {
        let element = types.character(prefix);
        Var {
            name: String::new(),
            ty: types.array(element, Some(units.len() as u64 + 1)),
            lifetime: Lifetime::Static,
            init: Some(string_entries(types, units, element, 0, u64::MAX, range)),
            align: None,
            limit: None,
            is_const: false,
            range,
        }
    })
}

/// The characters of a literal that are not zero, at most `limit` of them.
pub(super) fn string_entries(
    types: &Types,
    units: &[u32],
    element: TypeId,
    offset: u64,
    limit: u64,
    range: Range,
) -> Vec<InitEntry> {
    let size = types.size_of(element).unwrap_or(1);
    let characters = units.iter().zip(0..limit).filter(|(unit, _)| **unit != 0);
    characters
        .map(|(unit, index)| InitEntry {
            offset: offset.saturating_add(index * size),
            bits: None,
            ty: element,
            value: constant(types.wrap(i128::from(*unit), element), element, range),
        })
        .collect()
}
