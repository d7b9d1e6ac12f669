//! Predicates `Ṗ_i` (Figure 9, lines 8 to 10).
//!
//! As in the paper, there is a set of predicates for each thread, if one is tracked. If there are more, predicates
//! belong to the classes that they speak of: what is found for two tracked threads is of use in
//! each view that tracks such two, in either order. Beside the atoms of solutions there are two kinds of generalised
//! ones: the low bits that several values have in common, and that two instances hold the same index. More
//! predicates never make an abstraction wrong.

use crate::congruence;
use crate::context::{Context, Renaming};
use crate::ids::{ClassId, InstanceId};
use crate::view::{View, Views};
use ccfa::Type;
use logic::{ArithOp, Node, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// When so many values of a variable have been told apart, what they have in common is a predicate; with fewer that would be chance.
const MIN_VALUES: usize = 3;

/// The predicates found so far.
pub(crate) struct Predicates {
    /// By the classes that they speak of, as formulas about the first representatives of these.
    found: BTreeMap<Vec<ClassId>, BTreeSet<Term>>,
    /// With one tracked thread, each view has its own, even those about shared variables alone.
    per_view: bool,
}

impl Predicates {
    /// Congruences.
    pub fn new(context: &mut Context, views: &Views) -> Predicates {
        let per_view = views.iter().all(|(_, view)| view.classes.len() == 1);
        let mut predicates = Predicates { found: BTreeMap::new(), per_view };
        for predicate in congruence::predicates(context) {
            for (_, view) in views.iter() {
                predicates.add(context, view, predicate);
            }
        }
        predicates
    }

    pub fn len(&self) -> usize {
        self.found.values().map(BTreeSet::len).sum()
    }

    /// Adds the atoms of a formula that was found for a view; says whether there was a new one.
    pub fn add(&mut self, context: &mut Context, view: &View, formula: Term) -> bool {
        let mut new = false;
        for atom in atoms(&context.terms, formula) {
            let atom = canonical(&mut context.terms, atom);
            new |= self.add_atom(context, view, atom);
        }
        new
    }

    fn add_atom(&mut self, context: &mut Context, view: &View, atom: Term) -> bool {
        if context.terms.constant_value(atom).is_some() {
            return false;
        }
        let symbols = context.symbols(atom);
        let owners: BTreeSet<InstanceId> =
            symbols.iter().filter_map(|s| context.owner(s)).collect();
        if !owners.iter().all(|owner| view.tracked.contains(owner)) {
            return false;
        }
        if self.per_view {
            return self.insert(context, view.classes.clone(), atom);
        }
        let mut owners: Vec<InstanceId> = owners.into_iter().collect();
        owners.sort_by_key(|owner| context.class_of(*owner));
        let classes: Vec<ClassId> = owners.iter().map(|o| context.class_of(*o)).collect();
        let view = View::of_classes(context, classes.clone());
        let atom = context.renamed(atom, &Renaming::new(&owners, &view.tracked));
        for order in view.symmetries() {
            let same = context.renamed(atom, &view.permutation(&order));
            if self.found.get(&classes).is_some_and(|found| found.contains(&same)) {
                return false;
            }
        }
        self.insert(context, classes, atom)
    }

    fn insert(&mut self, context: &mut Context, classes: Vec<ClassId>, atom: Term) -> bool {
        let new = self.found.entry(classes.clone()).or_default().insert(atom);
        if let Some((two, same)) = same_in_both(context, &classes, atom) {
            self.found.entry(two).or_default().insert(same);
        }
        if let Some(pattern) = self.pattern(context, &classes, atom) {
            self.found.entry(classes).or_default().insert(pattern);
        }
        new
    }

    /// If a variable is said to have several values: the low bits that they have in common.
    fn pattern(&self, context: &mut Context, classes: &[ClassId], atom: Term) -> Option<Term> {
        let (variable, value) = value_said(&context.terms, atom)?;
        let said =
            self.found[classes].iter().filter_map(|other| value_said(&context.terms, *other));
        let values: Vec<i128> =
            said.filter(|(other, _)| *other == variable).map(|(_, v)| v).collect();
        let ty = context.terms.ty(variable);
        let differing = values.iter().fold(0, |bits, other| bits | (other ^ value));
        let low = differing.trailing_zeros();
        if values.len() < MIN_VALUES
            || low == 0
            || ty.bounds().is_none_or(|(_, high)| high >> low == 0)
        {
            return None;
        }
        let mask = (1i128 << low) - 1;
        let mask_term = context.terms.constant(mask, ty);
        let bits = context.terms.arith(ArithOp::BitAnd, variable, mask_term);
        let common = context.terms.constant(value & mask, ty);
        Some(context.terms.eq(bits, common))
    }

    /// Those that speak of tracked threads of a view alone.
    pub fn within(&self, context: &mut Context, view: &View) -> Vec<Term> {
        let mut all = BTreeSet::new();
        for (classes, predicates) in &self.found {
            let scope = View::of_classes(context, classes.clone());
            for instances in embeddings(classes, view) {
                let renaming = scope.renaming(&instances);
                for predicate in predicates {
                    all.insert(context.renamed(*predicate, &renaming));
                }
            }
        }
        all.into_iter().collect()
    }
}

/// If a parameterised thread compares a local unbounded integer with a shared one: whether two instances have
/// the same. Such an integer says whose turn it is, and has so many values that they cannot be told apart one by one.
fn same_in_both(
    context: &mut Context,
    classes: &[ClassId],
    atom: Term,
) -> Option<(Vec<ClassId>, Term)> {
    let [class] = *classes else { return None };
    let Node::Eq(a, b) = *context.terms.node(atom) else { return None };
    if !context.is_parameterised(class) || context.terms.ty(a) != Type::Int {
        return None;
    }
    let own = match (context.is_shared(a), context.is_shared(b)) {
        (true, false) => b,
        (false, true) => a,
        _ => return None,
    };
    let two = View::of_classes(context, vec![class, class]);
    let other = context.renamed(own, &Renaming::new(&two.tracked[..1], &two.tracked[1..]));
    Some((vec![class, class], context.terms.eq(own, other)))
}

/// All ways to choose tracked threads of a view for some classes.
fn embeddings(classes: &[ClassId], view: &View) -> Vec<Vec<InstanceId>> {
    let mut ways = vec![Vec::new()];
    for class in classes {
        let mut longer = Vec::new();
        for way in ways {
            for (other, instance) in view.classes.iter().zip(&view.tracked) {
                if other == class && !way.contains(instance) {
                    longer.push([&way[..], &[*instance]].concat());
                }
            }
        }
        ways = longer;
    }
    ways
}

/// `PredsOf`: the formulas of which a formula is built by and, or and not.
pub(crate) fn atoms(terms: &Terms, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        match terms.node(term) {
            Node::Not(inner) => stack.push(*inner),
            Node::And(parts) | Node::Or(parts) => stack.extend(parts.iter()),
            _ => found.push(term),
        }
    }
    found
}

/// `c <= x` says the same as `!(x <= c - 1)`.
fn canonical(terms: &mut Terms, atom: Term) -> Term {
    let Node::Le(low, x) = *terms.node(atom) else { return atom };
    let ty = terms.ty(x);
    match terms.constant_value(low) {
        Some(c) if ty.bounds().is_none_or(|(least, _)| least < c) => {
            let below = terms.constant(c - 1, ty);
            terms.le(x, below)
        }
        _ => atom,
    }
}

/// `variable == value`
fn value_said(terms: &Terms, atom: Term) -> Option<(Term, i128)> {
    let Node::Eq(a, b) = *terms.node(atom) else { return None };
    for (variable, value) in [(a, b), (b, a)] {
        if let (Node::Symbol(_), Some(value)) = (terms.node(variable), terms.constant_value(value))
        {
            return Some((variable, value));
        }
    }
    None
}
