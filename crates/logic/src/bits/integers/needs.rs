//! On which bits and integers depends what open terms say: all of that must be known before they
//! can be read.

use super::super::blast::{Blaster, Clamp};
use super::super::circuit::{Circuit, Lit};
use super::super::select::Index;
use crate::FastMap;
use crate::term::{ArithOp, Node, Sort, Term, Terms};
use ccfa::Type;
use std::collections::BTreeSet;

/// The bits of which an open term itself consists.
pub(super) fn own_bits(blaster: &Blaster, term: Term) -> Vec<Lit> {
    let mut bits: Vec<Lit> = blaster.known_word(term).map_or(Vec::new(), |word| word.to_vec());
    bits.extend(blaster.known_residue(term).unwrap_or_default());
    if let Some(Clamp { low, high, place, .. }) = blaster.clamp(term) {
        bits.extend([*low, *high]);
        bits.extend(place);
    }
    bits
}

/// All bits that matter for what an open term says. Makes the signs it needs.
pub(super) fn bits(
    terms: &Terms,
    blaster: &mut Blaster,
    signs: &mut FastMap<Term, Lit>,
    term: Term,
) -> Vec<Lit> {
    let mut bits = own_bits(blaster, term);
    let mut sign = |circuit: &mut Circuit, term| {
        let lit = *signs.entry(term).or_insert_with(|| circuit.input());
        bits.push(lit);
    };
    if let Node::Eq(..) = terms.node(term) {
        sign(&mut blaster.circuit, term);
    }
    let numbers = numbers(terms, blaster, &[term]);
    for number in &numbers {
        if let Some((_, dividend, _)) = quotient(terms, *number) {
            sign(&mut blaster.circuit, dividend);
        }
    }
    for number in numbers {
        bits.extend(number_bits(terms, blaster, number));
    }
    bits
}

fn number_bits(terms: &Terms, blaster: &mut Blaster, number: Term) -> Vec<Lit> {
    if let Some(word) = blaster.known_word(number) {
        return word.to_vec();
    }
    match terms.node(number) {
        Node::Ite(condition, ..) => {
            blaster.known_word(*condition).map_or(Vec::new(), |word| word.to_vec())
        }
        Node::Select(array, _) => {
            let mut bits = blaster.index_word(terms, number);
            bits.push(in_bounds(blaster, terms, *array, &bits));
            bits
        }
        _ => Vec::new(),
    }
}

pub(super) fn in_bounds(blaster: &mut Blaster, terms: &Terms, array: Term, index: &[Lit]) -> Lit {
    let Sort::Array { len, .. } = terms.sort(array) else {
        unreachable!("an array should be selected from")
    };
    Index { bits: index, signed: true }.in_bounds(&mut blaster.circuit, len)
}

/// The integer terms that are read for open terms, operands first.
pub(super) fn numbers(terms: &Terms, blaster: &Blaster, open: &[Term]) -> BTreeSet<Term> {
    let mut stack = Vec::new();
    for term in open {
        stack.extend(blaster.known_residue(*term).map(|_| *term));
        stack.extend(blaster.clamp(*term).map(|clamp| clamp.index));
        if let Node::Le(a, b) | Node::Eq(a, b) = terms.node(*term) {
            stack.extend([*a, *b]);
        }
    }
    // A term is made after its operands, so their order is right.
    let mut numbers = BTreeSet::new();
    while let Some(term) = stack.pop() {
        if numbers.insert(term) {
            match terms.node(term) {
                Node::Arith(ArithOp::Add | ArithOp::Sub | ArithOp::Mul, a, b) => {
                    stack.extend([*a, *b]);
                }
                Node::Ite(_, a, b) if blaster.known_word(term).is_none() => stack.extend([*a, *b]),
                _ => stack.extend(quotient(terms, term).map(|(_, dividend, _)| dividend)),
            }
        }
    }
    numbers
}

/// The operator, the dividend and the divisor of a quotient or remainder by a constant.
pub(super) fn quotient(terms: &Terms, term: Term) -> Option<(ArithOp, Term, i128)> {
    match terms.node(term) {
        Node::Arith(op @ (ArithOp::Div | ArithOp::Rem), a, b) if terms.ty(term) == Type::Int => {
            let divisor = terms.constant_value(*b).filter(|divisor| *divisor != 0)?;
            Some((*op, *a, divisor))
        }
        _ => None,
    }
}
