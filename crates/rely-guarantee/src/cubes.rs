//! Cubes: sets of literals, each with one identifier, and what was found out about them.
//!
//! Abstract states at different locations often have the same literals, and what a transition makes of them
//! depends on these alone: so questions about cubes are asked once.

use crate::context::{Context, Renaming};
use crate::ids::{CubeId, InstanceId, Interner, ViewId};
use crate::symbols::SymbolSet;
use ccfa::EdgeId;
use logic::{FastMap, Term};
use std::rc::Rc;

/// A transition of an environment thread, as it concerns a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Interference {
    /// The view whose tracked threads it interferes with.
    pub view: ViewId,
    /// The environment thread: an instance that the view does not track.
    pub thread: InstanceId,
    pub edge: EdgeId,
}

#[derive(Default)]
pub(crate) struct Cubes {
    /// The literals of each, sorted.
    literals: Interner<CubeId, Rc<[Term]>>,
    renamed: FastMap<(CubeId, Renaming), CubeId>,
    relevant: FastMap<(CubeId, Interference), CubeId>,
    compatible: FastMap<(CubeId, CubeId), bool>,
    enabled: FastMap<(CubeId, InstanceId, EdgeId), bool>,
}

impl Cubes {
    pub fn intern(&mut self, mut literals: Vec<Term>) -> CubeId {
        literals.sort();
        literals.dedup();
        self.literals.intern(literals.into())
    }

    pub fn literals(&self, cube: CubeId) -> &Rc<[Term]> {
        self.literals.get(cube)
    }

    pub fn renamed(&mut self, context: &mut Context, cube: CubeId, renaming: &Renaming) -> CubeId {
        if renaming.is_identity() {
            return cube;
        }
        if let Some(known) = self.renamed.get(&(cube, renaming.clone())) {
            return *known;
        }
        let literals = self.literals(cube).clone();
        let literals = literals.iter().map(|term| context.renamed(*term, renaming)).collect();
        let result = self.intern(literals);
        self.renamed.insert((cube, renaming.clone()), result);
        result
    }

    /// What is known of an environment thread, without the literals that are connected neither to its transition nor
    /// to the variables that the predicates of the view mention: so there are fewer cases of interference.
    pub fn relevant(
        &mut self,
        context: &mut Context,
        cube: CubeId,
        interference: Interference,
        mentioned: &SymbolSet,
    ) -> CubeId {
        let key = (cube, interference);
        if let Some(known) = self.relevant.get(&key) {
            return *known;
        }
        let transition = context.transition(interference.thread, interference.edge);
        let about: Vec<Term> =
            transition.guards.iter().chain(transition.assigns.values()).copied().collect();
        let literals = self.literals(cube).clone();
        let connected = context.connected(&literals, &about, mentioned);
        let mut kept = Vec::new();
        for literal in literals.iter() {
            if !context.symbols(*literal).is_disjoint(&connected) {
                kept.push(*literal);
            }
        }
        let result = self.intern(kept);
        self.relevant.insert(key, result);
        result
    }

    /// Are two cubes satisfiable together?
    pub fn are_compatible(&mut self, context: &mut Context, a: CubeId, b: CubeId) -> bool {
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.compatible.get(&key) {
            return *known;
        }
        let all = [&self.literals(a)[..], self.literals(b)].concat();
        let answer = context.is_satisfiable(&all);
        self.compatible.insert(key, answer);
        answer
    }

    /// Can an edge be taken where a cube holds?
    pub fn is_enabled(
        &mut self,
        context: &mut Context,
        cube: CubeId,
        mover: InstanceId,
        edge: EdgeId,
    ) -> bool {
        if let Some(known) = self.enabled.get(&(cube, mover, edge)) {
            return *known;
        }
        let all = [&self.literals(cube)[..], &context.transition(mover, edge).guards].concat();
        let answer = context.is_satisfiable(&all);
        self.enabled.insert((cube, mover, edge), answer);
        answer
    }
}

/// Both are sorted.
pub(crate) fn is_subset(small: &[Term], large: &[Term]) -> bool {
    small.iter().all(|term| large.binary_search(term).is_ok())
}
