//! `α̇(post(ρ, S))`: the predicates that hold after a transition (Figure 7, lines 10 and 11).
//!
//! The paper asks of each predicate whether the strongest postcondition implies it. We ask whether what is
//! known before the transition implies its weakest precondition, which is the same and needs no quantifiers,
//! since assignments are functions of the state before. A predicate that was unknown, keeps its meaning and is
//! connected to nothing that the transition adds is still unknown, and is not asked about.

use crate::aret::{AbstractState, Aret};
use crate::context::Context;
use crate::ids::{InstanceId, StateId};
use crate::premises::Premises;
use crate::symbols::SymbolSet;
use ccfa::EdgeId;
use logic::Term;

impl Aret<'_> {
    /// The literals of the successor of a state by an edge that is taken where the premises hold, which include
    /// the state's own literals; `None` if it cannot be taken there.
    pub(crate) fn post_edge(
        &self,
        context: &mut Context,
        state: StateId,
        mut premises: Vec<Term>,
        mover: InstanceId,
        edge: EdgeId,
    ) -> Option<Vec<Term>> {
        premises.extend(&context.transition(mover, edge).guards);
        self.post(context, state, &premises, &mut |context, predicate| {
            context.precondition(mover, edge, predicate)
        })
    }

    /// The literals of a successor of a state, where `precondition` turns a predicate about the successor into a
    /// formula over the variables of the premises; `None` if the premises cannot hold.
    pub(crate) fn post(
        &self,
        context: &mut Context,
        state: StateId,
        premises: &[Term],
        precondition: &mut dyn FnMut(&mut Context, Term) -> Term,
    ) -> Option<Vec<Term>> {
        let known = Premises::new(context, premises)?;
        let AbstractState { view, literals: own, .. } = &self[state];
        let is_own = |term: &Term| own.binary_search(term).is_ok();
        let added: Vec<Term> = premises.iter().filter(|term| !is_own(term)).copied().collect();
        let connected = context.connected(premises, &added, &SymbolSet::default());
        let mut literals = Vec::new();
        for predicate in &self.abstraction(*view).predicates {
            let before = precondition(context, *predicate);
            let may_be_known = before != *predicate
                || is_own(predicate)
                || is_own(&context.terms.not(*predicate))
                || !context.symbols(*predicate).is_disjoint(&connected);
            if may_be_known {
                literals.extend(known.literal(context, *predicate, before));
            }
        }
        Some(literals)
    }
}
