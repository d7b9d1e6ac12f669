//! Interpolants along a path from linear arithmetic: for loops.
//!
//! Weakest preconditions say `x + 3 <= n` after one iteration, `x + 2 <= n` after the
//! next, and so on. The certificate of infeasibility of a path, found by the simplex
//! of `logic`, tends to say what all iterations have in common. Its reading of
//! arithmetic ignores that unsigned numbers wrap, so each formula is
//! put to the deciding layer before it is believed.

use crate::search::{Search, UnwindError};
use crate::tree::NodeId;
use logic::{Sort, Symbol, Term, Terms};
use solve::interpolate::{Limits, sequence};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A path, one set of formulas for each step, in which each variable has one symbol for each time
/// that it is assigned.
struct Unrolled {
    groups: Vec<Vec<Term>>,
    /// Which variable of the state a symbol stands for.
    meaning: HashMap<Symbol, Symbol>,
}

impl Search<'_, '_> {
    /// Has the path to `v` been at the place of `v` before?
    pub(crate) fn is_in_loop(&self, v: NodeId) -> bool {
        let place = self.tree[v].place;
        let mut node = v;
        while let Some((parent, _)) = &self.tree[node].parent {
            node = *parent;
            if self.tree[node].place == place {
                return true;
            }
        }
        false
    }

    /// What to add to which label, so that `goal` follows at `v`; nothing if linear
    /// arithmetic does not show it.
    pub(crate) fn linear_interpolants(
        &mut self,
        v: NodeId,
        goal: Term,
        core: &HashSet<Term>,
    ) -> Result<Option<Vec<(NodeId, Term)>>, UnwindError> {
        let path = self.tree.path(v);
        let Some(unrolled) = self.unroll(&path, goal, core) else { return Ok(None) };
        let Some(found) = sequence(&mut self.terms, &unrolled.groups, Limits::default()) else {
            return Ok(None);
        };
        let mut labels = Vec::new();
        for formula in found {
            labels.push(self.terms.substitute(formula, &mut |terms, symbol| {
                unrolled.meaning.get(&symbol).map(|state| terms.symbol(*state))
            }));
        }
        if !self.is_inductive(&path, &labels, goal)? {
            return Ok(None);
        }
        let mut result = Vec::new();
        for (node, label) in path.into_iter().zip(labels) {
            for part in self.terms.conjuncts(label) {
                if self.terms.constant_value(part) != Some(1) {
                    result.push((node, part));
                }
            }
        }
        result.push((v, goal));
        Ok(Some(result))
    }

    /// The path as formulas over what `goal` and the core depend on; nothing if arrays
    /// are among it.
    fn unroll(&mut self, path: &[NodeId], goal: Term, core: &HashSet<Term>) -> Option<Unrolled> {
        let relevant = self.relevant(path, goal, core)?;
        let mut meaning = HashMap::new();
        let mut now: HashMap<Symbol, Term> = HashMap::new();
        let mut first = vec![];
        for symbol in &relevant[0] {
            let version = self.version(*symbol, &mut meaning);
            now.insert(*symbol, version);
            let variable = self.terms.symbol(*symbol);
            let value = self.on_path(variable, path[0]);
            if self.terms.constant_value(value).is_some() {
                first.push(self.terms.eq(version, value));
            }
        }
        let mut groups = vec![first];
        for (number, node) in path.iter().enumerate().skip(1) {
            let (_, action) = self.tree[*node].parent.clone()?;
            let conditions = self.tree[*node].conditions.clone();
            let mut group = Vec::new();
            for (guard, condition) in action.guards.iter().zip(conditions) {
                if core.contains(&condition) {
                    group.push(replace(&mut self.terms, *guard, &now));
                }
            }
            let mut after = now.clone();
            for (symbol, value) in &action.assigns {
                if relevant[number].contains(symbol) {
                    let value = replace(&mut self.terms, *value, &now);
                    let version = self.version(*symbol, &mut meaning);
                    group.push(self.terms.eq(version, value));
                    after.insert(*symbol, version);
                }
            }
            now = after;
            groups.push(group);
        }
        let not_goal = self.terms.not(goal);
        groups.push(vec![replace(&mut self.terms, not_goal, &now)]);
        Some(Unrolled { groups, meaning })
    }

    /// For each node of the path, the variables that matter from there on.
    fn relevant(
        &self,
        path: &[NodeId],
        goal: Term,
        core: &HashSet<Term>,
    ) -> Option<Vec<BTreeSet<Symbol>>> {
        let mut sets = vec![BTreeSet::from_iter(self.terms.symbols_of(goal))];
        for node in path.iter().skip(1).rev() {
            let later = sets.last()?;
            let (_, action) = self.tree[*node].parent.as_ref()?;
            let mut before = BTreeSet::new();
            for symbol in later {
                match action.assigns.get(symbol) {
                    Some(value) => before.extend(self.terms.symbols_of(*value)),
                    None => before.extend([*symbol]),
                }
            }
            for (guard, condition) in action.guards.iter().zip(&self.tree[*node].conditions) {
                if core.contains(condition) {
                    before.extend(self.terms.symbols_of(*guard));
                }
            }
            before.retain(|symbol| self.vocabulary.index(*symbol).is_some());
            sets.push(before);
        }
        sets.reverse();
        let scalar = |symbol: &Symbol| matches!(self.terms.symbol_sort(*symbol), Sort::Scalar(_));
        sets.iter().flatten().all(scalar).then_some(sets)
    }

    fn version(&mut self, symbol: Symbol, meaning: &mut HashMap<Symbol, Symbol>) -> Term {
        let name = self.terms.symbol_name(symbol).to_string();
        let version = self.terms.declare(name, self.terms.symbol_sort(symbol));
        meaning.insert(version, symbol);
        self.terms.symbol(version)
    }

    /// Does each label follow from the one before, the first one from the start, and
    /// `goal` from the last?
    fn is_inductive(
        &mut self,
        path: &[NodeId],
        labels: &[Term],
        goal: Term,
    ) -> Result<bool, UnwindError> {
        let start = self.on_path(labels[0], path[0]);
        let mut questions = vec![(vec![self.initially], start)];
        for (number, node) in path.iter().enumerate().skip(1) {
            let (_, action) = self.tree[*node].parent.clone().expect("a node below the root");
            let mut premises = action.guards.clone();
            premises.push(labels[number - 1]);
            let after = self.before(&action, labels[number]);
            questions.push((premises, after));
        }
        questions.push((vec![labels[path.len() - 1]], goal));
        for (premises, conclusion) in questions {
            if !self.follows(&premises, conclusion)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn replace(terms: &mut Terms, term: Term, now: &HashMap<Symbol, Term>) -> Term {
    terms.substitute(term, &mut |_, symbol| now.get(&symbol).copied())
}
