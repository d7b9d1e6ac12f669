//! Predicates, and the abstraction they make.
//!
//! As in the paper, there is a set of predicates for each thread, if one is in view. If there are more, predicates
//! belong to the roles that they speak of: what is found for two threads in view is of use in
//! each view that shows such two, in either order.

use crate::congruence;
use crate::setting::Setting;
use crate::view::{View, Views, role_of};
use ccfa::Type;
use logic::{ArithOp, Node, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// When so many values of a variable have been told apart, what they have in common is a predicate.
const ENOUGH: usize = 3;

/// The predicates found so far.
pub(crate) struct Predicates {
    /// By the roles that they speak of, as formulas about the first players of these.
    found: BTreeMap<Vec<usize>, BTreeSet<Term>>,
    /// With one in view, each has its own, even those about shared variables alone.
    apart: bool,
}

impl Predicates {
    /// What is plain to see.
    pub fn new(setting: &mut Setting, views: &Views) -> Predicates {
        let apart = views.views.iter().all(|view| view.roles.len() == 1);
        let mut predicates = Predicates { found: BTreeMap::new(), apart };
        for predicate in congruence::predicates(setting) {
            for view in &views.views {
                predicates.add(setting, view, predicate);
            }
        }
        predicates
    }

    pub fn len(&self) -> usize {
        self.found.values().map(BTreeSet::len).sum()
    }

    /// Adds the atoms of a formula that was found for a view; says whether there was a new one.
    pub fn add(&mut self, setting: &mut Setting, view: &View, formula: Term) -> bool {
        let mut new = false;
        for atom in atoms(&setting.terms, formula) {
            let atom = canonical(&mut setting.terms, atom);
            new |= self.add_atom(setting, view, atom);
        }
        new
    }

    fn add_atom(&mut self, setting: &mut Setting, view: &View, atom: Term) -> bool {
        if setting.terms.constant_value(atom).is_some() {
            return false;
        }
        let symbols = setting.symbols(atom);
        let owners: BTreeSet<usize> = symbols.iter().filter_map(|s| setting.owner(s)).collect();
        if !owners.iter().all(|owner| view.members.contains(owner)) {
            return false;
        }
        if self.apart {
            return self.insert(setting, view.roles.clone(), atom);
        }
        let mut members: Vec<usize> = owners.into_iter().collect();
        members.sort_by_key(|member| role_of(setting, *member));
        let roles: Vec<usize> = members.iter().map(|m| role_of(setting, *m)).collect();
        let view = View::of_roles(setting, roles.clone());
        let renaming = members.iter().copied().zip(view.members.iter().copied()).collect();
        let atom = setting.renamed(atom, &renaming);
        for order in view.symmetries() {
            let members: Vec<usize> = order.iter().map(|place| view.members[*place]).collect();
            let same = setting.renamed(atom, &view.renaming(&members));
            if self.found.get(&roles).is_some_and(|found| found.contains(&same)) {
                return false;
            }
        }
        self.insert(setting, roles, atom)
    }

    fn insert(&mut self, setting: &mut Setting, roles: Vec<usize>, atom: Term) -> bool {
        let new = self.found.entry(roles.clone()).or_default().insert(atom);
        if let Some((roles, same)) = same_in_both(setting, &roles, atom) {
            self.found.entry(roles).or_default().insert(same);
        }
        if let Some(pattern) = self.pattern(setting, &roles, atom) {
            self.found.entry(roles).or_default().insert(pattern);
        }
        new
    }

    /// If a variable is said to have several values: the low bits that they have in common.
    fn pattern(&self, setting: &mut Setting, roles: &[usize], atom: Term) -> Option<Term> {
        let (variable, value) = value_said(&setting.terms, atom)?;
        let said = self.found[roles].iter().filter_map(|other| value_said(&setting.terms, *other));
        let values: Vec<i128> =
            said.filter(|(other, _)| *other == variable).map(|(_, v)| v).collect();
        let ty = setting.terms.ty(variable);
        let differing = values.iter().fold(0, |bits, other| bits | (other ^ value));
        let low = differing.trailing_zeros();
        if values.len() < ENOUGH || low == 0 || ty.bounds().is_none_or(|(_, high)| high >> low == 0)
        {
            return None;
        }
        let mask = (1i128 << low) - 1;
        let mask_term = setting.terms.constant(mask, ty);
        let bits = setting.terms.arith(ArithOp::BitAnd, variable, mask_term);
        let common = setting.terms.constant(value & mask, ty);
        Some(setting.terms.eq(bits, common))
    }

    /// Those that speak of members of a view alone.
    pub fn within(&self, setting: &mut Setting, view: &View) -> Vec<Term> {
        let mut all = BTreeSet::new();
        for (roles, predicates) in &self.found {
            let scope = View::of_roles(setting, roles.clone());
            for members in embeddings(roles, view) {
                let renaming = scope.renaming(&members);
                for predicate in predicates {
                    all.insert(setting.renamed(*predicate, &renaming));
                }
            }
        }
        all.into_iter().collect()
    }
}

/// If a thread of which there may be any number compares an integer that it has with one that all
/// see: whether two of them have the same. Such an integer says whose turn it is, and has so many
/// values that they cannot be told apart one by one.
fn same_in_both(setting: &mut Setting, roles: &[usize], atom: Term) -> Option<(Vec<usize>, Term)> {
    let [role] = *roles else { return None };
    let Node::Eq(a, b) = *setting.terms.node(atom) else { return None };
    if !setting.is_many(role) || setting.terms.ty(a) != Type::Int {
        return None;
    }
    let own = match (setting.is_shared(a), setting.is_shared(b)) {
        (true, false) => b,
        (false, true) => a,
        _ => return None,
    };
    let two = View::of_roles(setting, vec![role, role]);
    let other = setting.renamed(own, &vec![(two.members[0], two.members[1])]);
    Some((vec![role, role], setting.terms.eq(own, other)))
}

/// All ways to choose members of a view for some roles.
fn embeddings(roles: &[usize], view: &View) -> Vec<Vec<usize>> {
    let mut ways = vec![Vec::new()];
    for role in roles {
        let mut longer = Vec::new();
        for way in ways {
            for (other, member) in view.roles.iter().zip(&view.members) {
                if other == role && !way.contains(member) {
                    longer.push([&way[..], &[*member]].concat());
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
