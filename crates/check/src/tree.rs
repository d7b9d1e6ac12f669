//! Checks an abstract reachability tree, condition by condition (`evidence::Tree`).
//!
//! FMCAD'13, Definitions 3.2 and 4.5, Proposition 4.6 and Section IV-D. The paper
//! shows first that the tree covers all monotonic paths and then that these are
//! enough; we argue about one path, so that what is assumed of steps that are left
//! out is what we check and nothing else. The paper's rule not to leave out steps
//! after a loop's back edge is not needed for that.
//!
//! # What is shown
//!
//! A step is an edge *e* of an instance *T*. *Wrong* is a state that is bad in the sense of
//! `ccfa::property`, or in which a thread is at a model limit. No step leaves a state with a thread
//! at a location that is not plain: there the program or the model has ended. A node stands for the states with its locations in which all of
//! its label holds. *Needed* are the root, the children of needed nodes that are not
//! covered, and the nodes that cover needed nodes. We check that
//!
//! - **(1)** the root is at the entries, and its label holds in every initial state;
//! - **(2)** for a needed child of a needed node that is not covered: whenever the
//!   label of the parent holds and the step can be taken, the label of the child
//!   holds after it;
//! - **(3)** a needed node that is covered has the locations of the node that covers
//!   it, its label implies the label of that node, and that node is not covered;
//! - **(4)** no state is wrong that a needed node stands for. If the property is violated or the model ends at
//!   its locations, its label cannot hold;
//! - **(5)** for each needed node *v* that is not covered and whose locations are plain, and for each step
//!   (T, e) from them, where T may move (no other instance is at an atomic
//!   location): *v* has a child by it, or the label of *v* excludes it, or it may be
//!   *left out* at *v* and at each needed node that *v* covers, or T is *not in the persistent set*
//!   of *v*.
//!
//! The steps from given locations have an order (`AccessSummaries::order`), in which those of an
//! instance that is a *singleton persistent set* there come first (`ccfa::footprint`): none of its edges
//! conflicts with an edge that another instance can ever come to, leads to an atomic location, or
//! leaves the head of a loop. An instance T is not in the persistent set of *v* if
//!
//! - **(i)** no instance is at an atomic location, and another instance A is a singleton persistent
//!   set, the first of them in the order;
//! - **(ii)** wherever the label of *v* holds, A can take a step to a location that is plain or
//!   must not be reached.
//!
//! A step (T, e) may be left out at a node *u* that was reached from its parent by a
//! step (T', e') if
//!
//! - **(a)** T is not T', and (T, e) comes before (T', e') in the order of steps from the
//!   locations of the parent;
//! - **(b)** the source of e' is not atomic, and the target of *e* is not atomic;
//! - **(c)** wherever the label of the parent holds, e' and then *e* commute in the
//!   sense of `commute`: they touch different cells, except that both read.
//!   (That the label of *u* holds between them follows by (2).)
//!
//! # Why no wrong state is reachable
//!
//! Suppose one is. Look at the paths from an initial state to a wrong state that have no wrong
//! state before. Among them take those with the fewest steps that leave heads of loops; each loop of a
//! thread has a head, so there is a bound for their length, and as sequences of steps there are finitely many.
//! Of these take the least: where two sequences differ first, the order of steps
//! decides; if one is the beginning of the other, it is less. (Up to there both are the same, so the
//! locations are, on which the order depends.) Its
//! states are s₀…sₙ. Only sₙ is wrong. In what follows, another path is *better* if it leads from an
//! initial state to a wrong one, has no more steps that leave heads, and at the first place where it differs has
//! a smaller step. (It may pass wrong states before: then its beginning is a path
//! in question, and what is cut off comes after that place.) There is no better path.
//!
//! Claim: for each i there are needed nodes uᵢ and vᵢ at the locations of sᵢ, whose
//! labels hold in sᵢ; vᵢ is not covered; uᵢ is vᵢ or covered by it; and uᵢ is the
//! root if i = 0, else a child of vᵢ₋₁ by the i-th step.
//!
//! For i = 0, take the root as u₀: (1). Given uᵢ, take uᵢ itself or the node
//! that covers it as vᵢ: (3). Given vᵢ with i < n, look at the next step (T, e),
//! from sᵢ to sᵢ₊₁. It leaves sᵢ, so all locations of sᵢ and vᵢ are plain, and T may move there: (5)
//! applies. If vᵢ has a child by the step, it is needed, and by (2) its label
//! holds in sᵢ₊₁: this is uᵢ₊₁. The label of vᵢ cannot exclude the step, since it
//! holds in sᵢ and the step is taken. Nor is T outside the persistent set of vᵢ, as shown below.
//! Else the step is left out at uᵢ, for uᵢ is vᵢ or a needed node that vᵢ covers. So uᵢ is not the root: its parent is vᵢ₋₁,
//! and (T', e') is the i-th step, from s = sᵢ₋₁ to s' = sᵢ. The label of vᵢ₋₁ holds in
//! *s*. We swap the two steps:
//!
//! - T has not moved between *s* and *s'*, so in *s* it is at the source of *e*. Only a
//!   thread at an atomic location could keep it from moving there. T' has moved
//!   from *s*, so that could only be T' itself, but by (b) it is not at an atomic
//!   location in *s*. By (c), *e* can be taken in *s*; let *t* be the state after it, with
//!   the same arbitrary values.
//! - If *e* leads to a location that is not plain, sᵢ₊₁ is sₙ and wrong because of that location, and so
//!   is *t*: the path that ends with it is better.
//! - Otherwise, in *t*, T' is where it was in *s*, and no thread is at an atomic location: none
//!   was in *s*, and T has not come to one, by (b). By (c), e' can be taken in
//!   *t* and leads to sᵢ₊₁.
//!
//! The new path has the same steps and ends in the same state, but is better, by (a): the first
//! place where it differs has *e* instead of e'. Contradiction.
//!
//! Suppose that T is not in the persistent set of vᵢ, because of A.
//!
//! - *A moves later on.* Its first step from there, *a*, does not conflict with the steps before
//!   it, all of which are of other instances. So it can be taken in sᵢ already, with the same result
//!   after them: no instance is at an atomic location in sᵢ, and *a* does not lead to one. (If it leads
//!   to a location that is not plain, the path that ends with it is better, as above.) The new path
//!   has the same steps and is better: the first place where it differs has *a*, which comes
//!   before all steps of other instances.
//! - *A does not move any more.* By (ii) it can take a step *a* in sᵢ, which does not conflict with
//!   any that follow. If it leads to a location that must not be reached, the path that ends there
//!   is better. Otherwise the steps that follow can be taken after it, and lead to a state s'. s' is
//!   wrong, as shown for a persistent set in `closed`: the instance that is where it must
//!   not be in sₙ is not A, which has been where it is since sᵢ. The new path has one step
//!   more, but this one does not leave a head; and it is better as before.
//!
//! Contradiction; so the claim holds.
//!
//! For i = n, the label of vₙ holds in sₙ, which is wrong: against (4). ∎
//!
//! Nothing is assumed about children that are there twice or that move a thread
//! which may not: they are more than is needed.

mod told;

use crate::describe::describe;
use crate::obligations::{Obligations, Transition, sorted};
use crate::skeleton::{SkeletonNode, skeleton};
use crate::{Means, refuse};
use ccfa::footprint::AccessSummaries;
use ccfa::semantics::System;
use ccfa::text::print_expr;
use ccfa::wellformed::typing::type_of;
use ccfa::{Budget, Edge, Expr, LocId, LocKind, Program, Template, Type};
use evidence::{Reason, Tree};
use logic::{FastMap, Term};

/// Does `tree` prove that `program` has its property?
pub(crate) fn check(program: &Program, tree: &Tree, means: Means) -> Result<(), Reason> {
    if program.is_parameterised() {
        return refuse("a tree says nothing about parameterised programs");
    }
    let system = System::new(program, 0);
    let skeleton = skeleton(&system, tree)?;
    let scope = Tree::scope(&system);
    let mut obligations = Obligations::new(&system, means);
    let labels = labels(program, tree, &scope, &mut obligations, means.budget)?;
    let summaries = AccessSummaries::new(&system);
    let mut checker = TreeChecker { system, summaries, tree, skeleton, scope, labels, obligations };
    checker.root()?;
    for number in 0..tree.nodes.len() {
        means.budget.check()?;
        if checker.skeleton[number].needed {
            checker.node(number)?;
        }
    }
    Ok(())
}

/// The conjuncts of the label of each node. The same parts occur in many labels: each is translated once.
fn labels(
    program: &Program,
    tree: &Tree,
    scope: &Template,
    obligations: &mut Obligations,
    budget: &Budget,
) -> Result<Vec<Vec<Term>>, Reason> {
    let mut conjuncts: FastMap<&Expr, Vec<Term>> = FastMap::default();
    let mut labels = Vec::new();
    for (number, node) in tree.nodes.iter().enumerate() {
        budget.check()?;
        let mut label = Vec::new();
        for part in &node.label {
            // First of all, since nothing else is safe from deep nesting.
            match type_of(program, Some(scope), part) {
                Ok(Type::Bool) => {}
                Ok(_) => return refuse(format!("the label of node {number} is no formula")),
                Err(why) => return refuse(format!("the label of node {number}: {why}")),
            }
            let conjuncts =
                conjuncts.entry(part).or_insert_with(|| obligations.part_of_label(part));
            label.extend_from_slice(conjuncts);
        }
        labels.push(sorted(label));
    }
    Ok(labels)
}

struct TreeChecker<'a> {
    system: System<'a>,
    summaries: AccessSummaries,
    tree: &'a Tree,
    /// By node.
    skeleton: Vec<SkeletonNode>,
    /// The variables of labels.
    scope: Template,
    /// By node.
    labels: Vec<Vec<Term>>,
    obligations: Obligations<'a>,
}

impl TreeChecker<'_> {
    /// (1), but for the locations, which `skeleton` gave it.
    fn root(&mut self) -> Result<(), Reason> {
        self.tell_root();
        for part in self.labels[0].clone() {
            if !self.obligations.holds_initially(&self.system, part)? {
                let what = self.show(0, part);
                return refuse(format!("the label of the root, {what}, need not hold"));
            }
        }
        Ok(())
    }

    /// (2) to (5) for a needed node.
    fn node(&mut self, number: usize) -> Result<(), Reason> {
        let property = &self.system.program.property;
        let is_forbidden = self.kinds(number).any(|kind| property.forbids(kind));
        self.tell_safety(number, is_forbidden);
        if is_forbidden && !self.obligations.impossible(&[&self.labels[number]])? {
            return refuse(format!("node {number} is at a forbidden location, but may be reached"));
        }
        if let Some(cover) = self.tree.nodes[number].cover {
            return self.covering(number, cover as usize);
        }
        for child in self.skeleton[number].children.clone() {
            self.well_labelled(number, child)?;
        }
        if self.kinds(number).any(|kind| *kind != LocKind::Plain) {
            return Ok(());
        }
        self.complete(number)
    }

    /// (2)
    fn well_labelled(&mut self, parent: usize, child: usize) -> Result<(), Reason> {
        let Some((_, step)) = self.reached(child) else { return Ok(()) };
        self.tell_edge(parent, child, step);
        for part in self.labels[child].clone() {
            if !self.obligations.holds_after(&self.labels[parent], step, part)? {
                let (what, step) = (self.show(child, part), describe(&self.system, step));
                return refuse(format!(
                    "node {child}: {what} need not hold after {step} from node {parent}"
                ));
            }
        }
        Ok(())
    }

    /// (3), but for what `skeleton` has checked.
    fn covering(&mut self, number: usize, cover: usize) -> Result<(), Reason> {
        self.tell_cover(number, cover);
        for part in self.labels[cover].clone() {
            if !self.obligations.follows(&[&self.labels[number]], part)? {
                let what = self.show(cover, part);
                return refuse(format!("node {number} does not imply {what} of its cover {cover}"));
            }
        }
        Ok(())
    }

    /// (5)
    fn complete(&mut self, number: usize) -> Result<(), Reason> {
        self.tell_completeness(number);
        let persistent = self.singleton_persistent(number)?;
        for step in self.steps(number) {
            if persistent.is_none_or(|only| only == step.0)
                && !self.has_child(number, step)
                && !self.left_out(number, step)?
                && !self.obligations.excludes(&self.labels[number], step)?
            {
                let step = describe(&self.system, step);
                return refuse(format!("node {number} has no child for {step}"));
            }
        }
        Ok(())
    }

    /// (i) and (ii): the instance whose steps are enough.
    fn singleton_persistent(&mut self, number: usize) -> Result<Option<usize>, Reason> {
        let at = &self.skeleton[number].at;
        let first = self.summaries.first_singleton_persistent(&at.locations);
        let Some(only) = first.filter(|_| self.system.atomic_instance(at).is_none()) else {
            return Ok(None);
        };
        let property = &self.system.program.property;
        let goes_on = |step: &Transition| {
            let target = self.edge(*step).target;
            let kind = &self.system.template(step.0).locations[target.index()].kind;
            step.0 == only && (*kind == LocKind::Plain || property.forbids(kind))
        };
        let moves = self.steps(number).into_iter().filter(goes_on).collect();
        let can_move = self.obligations.one_can_be_taken(&self.labels[number], moves)?;
        Ok(can_move.then_some(only))
    }

    fn has_child(&self, number: usize, step: Transition) -> bool {
        let by_step = |child: &usize| self.reached(*child).is_some_and(|(_, by)| by == step);
        self.skeleton[number].children.iter().any(by_step)
    }

    /// May the step be left out at the node and at all that it covers?
    fn left_out(&mut self, number: usize, step: Transition) -> Result<bool, Reason> {
        let mut nodes = vec![number];
        nodes.extend(&self.skeleton[number].covers);
        for node in nodes {
            if !self.left_out_at(node, step)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// (a) to (c)
    fn left_out_at(&mut self, number: usize, step: Transition) -> Result<bool, Reason> {
        let Some((parent, last)) = self.reached(number) else { return Ok(false) };
        let (from, to) = (self.edge(last).source, self.edge(step).target);
        let order = |step| self.order(parent, step);
        let in_order = step.0 != last.0 && order(step) < order(last);
        if !in_order || self.is_atomic(last.0, from) || self.is_atomic(step.0, to) {
            return Ok(false);
        }
        self.obligations.commute(&self.labels[parent], last, step)
    }

    /// Where a step stands in the order of steps from the locations of a node.
    fn order(&self, number: usize, step: Transition) -> (u8, usize) {
        let at = &self.skeleton[number].at.locations;
        self.summaries.order(at, step.0, self.obligations.is_local(step))
    }

    /// The parent and the step from it.
    fn reached(&self, number: usize) -> Option<(usize, Transition)> {
        let reached = self.tree.nodes[number].reached?;
        Some((reached.parent as usize, (reached.instance, reached.edge)))
    }

    /// The kinds of the locations of a node.
    fn kinds(&self, number: usize) -> impl Iterator<Item = &LocKind> {
        let at = &self.skeleton[number].at;
        (0..at.locations.len()).map(|instance| &self.system.location(at, instance).kind)
    }

    fn is_atomic(&self, instance: usize, location: LocId) -> bool {
        self.system.template(instance).locations[location.index()].atomic
    }

    /// The steps from the locations of a node, of instances that may move there.
    fn steps(&self, number: usize) -> Vec<Transition> {
        let at = &self.skeleton[number].at;
        let movers = (0..at.locations.len()).filter(|i| self.system.may_move(at, *i));
        let edges = |i: usize| &self.summaries.of(i, at.locations[i]).edges;
        movers.flat_map(|i| edges(i).iter().map(move |edge| (i, *edge))).collect()
    }

    fn edge(&self, (instance, edge): Transition) -> &Edge {
        &self.system.template(instance).edges[edge.index()]
    }

    /// That of the node's label which a conjunct comes from, for people.
    fn show(&mut self, number: usize, conjunct: Term) -> String {
        for part in &self.tree.nodes[number].label {
            if self.obligations.part_of_label(part).contains(&conjunct) {
                return print_expr(self.system.program, Some(&self.scope), part);
            }
        }
        "the label".to_string()
    }
}
