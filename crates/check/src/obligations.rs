//! Labels and steps as formulas, and questions about them.
//!
//! A question is always the same: can these formulas hold together? The bits
//! decide it (`logic::bits`; of integers without bounds it believes verified certificates
//! alone), unless it is plain to see: a formula is `false` or stands beside its negation, or
//! what is to follow is given. Values that formulas give to variables are put in first: then little is left to
//! ask. Answers are kept, since proofs ask the same again and again; and of
//! formulas that cannot hold together those that are to blame (the *core*, as the bits
//! find it) are kept, since no others can hold together with them either.

use crate::commute::CellFootprint;
use crate::{Means, refuse};
use ccfa::semantics::System;
use ccfa::{EdgeId, Expr};
use evidence::Reason;
use logic::bits::{Bits, Cadical};
use logic::{Answer, FastMap, FastSet, Node, Symbol, Term, Terms, Vocabulary};
use std::collections::BTreeMap;

/// So many cores are kept for a formula: each is compared with every later question.
const MAX_CORES: usize = 100;

/// An instance and an edge of its template.
pub(crate) type Transition = (usize, EdgeId);

/// Formulas, and the solver that decides them.
pub(crate) struct Obligations<'a> {
    terms: Terms,
    vocabulary: Vocabulary,
    /// By instance and edge.
    steps: Vec<Vec<StepFormulas<'a>>>,
    /// By a step and the one after it.
    conflicts: FastMap<(Transition, Transition), Option<Vec<Term>>>,
    solver: Bits<Cadical>,
    /// Whether these formulas (sorted) can hold together.
    answers: FastMap<Box<[Term]>, bool>,
    /// Formulas that cannot hold together, by the last of them.
    cores: FastMap<Term, Vec<Vec<Term>>>,
    /// The symbols of formulas.
    symbols: FastMap<Term, Vec<Symbol>>,
    pub means: Means<'a>,
}

struct StepFormulas<'a> {
    /// It can be taken if all of these hold.
    enabled: Vec<Term>,
    /// What each variable becomes that it assigns.
    assigns: BTreeMap<Symbol, Term>,
    /// Terms about the state after the step, as terms about the state before.
    before: FastMap<Term, Term>,
    footprint: CellFootprint<'a>,
}

impl<'a> Obligations<'a> {
    /// All steps of the system; no questions yet.
    pub fn new(system: &System<'a>, means: Means<'a>) -> Obligations<'a> {
        let mut terms = Terms::new();
        let vocabulary = Vocabulary::new(&mut terms, system);
        let steps = (0..system.instances.len()).map(|instance| {
            let edges = system.template(instance).edges.iter();
            let step = edges.map(|edge| {
                let step = vocabulary.step(&mut terms, instance, edge);
                StepFormulas {
                    enabled: terms.conjuncts(step.enabled),
                    assigns: step.assigns,
                    before: FastMap::default(),
                    footprint: CellFootprint::of(edge),
                }
            });
            step.collect()
        });
        let steps = steps.collect();
        let solver = Bits::new(means.integers, means.budget);
        let (conflicts, answers, cores, symbols) = Default::default();
        Obligations { terms, vocabulary, steps, conflicts, solver, answers, cores, symbols, means }
    }

    /// The conjuncts of a part of a label.
    pub fn part_of_label(&mut self, part: &Expr) -> Vec<Term> {
        let holds = self.vocabulary.holds(&mut self.terms, part);
        self.terms.conjuncts(holds)
    }

    /// Where formulas are made.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// The symbols of the variables.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The values of the variables at the start, and what else holds then.
    pub fn initial(&mut self, system: &System) -> (Vec<Term>, Term) {
        self.vocabulary.initial(&mut self.terms, system)
    }

    /// An error once the budget is used up.
    pub fn check_budget(&self) -> Result<(), Reason> {
        Ok(self.means.budget.check()?)
    }

    /// These hold whenever the step is taken. Where they say which value a variable has, the value
    /// stands for it in the step.
    pub fn suppose(&mut self, (instance, edge): Transition, known: &[Term]) {
        let values = self.values_in(known);
        let terms = &mut self.terms;
        let mut value =
            |term: Term| terms.substitute(term, &mut |_, symbol| values.get(&symbol).copied());
        let step = &mut self.steps[instance][edge.index()];
        step.before.clear();
        step.assigns.values_mut().for_each(|term| *term = value(*term));
        let enabled = step.enabled.iter().map(|term| value(*term)).collect::<Vec<Term>>();
        let enabled = enabled.into_iter().flat_map(|term| self.terms.conjuncts(term));
        step.enabled = sorted(enabled.chain(known.iter().copied()).collect());
    }

    /// The variables that must have certain values for the formulas to hold, and the values.
    fn values_in(&mut self, formulas: &[Term]) -> FastMap<Symbol, Term> {
        formulas.iter().filter_map(|formula| self.value_in(*formula)).collect()
    }

    /// The variable that must have a certain value for the formula to hold, and the value.
    fn value_in(&mut self, formula: Term) -> Option<(Symbol, Term)> {
        let (variable, value) = match *self.terms.node(formula) {
            Node::Eq(variable, value) => (variable, value),
            Node::Not(variable) => (variable, self.terms.truth(false)),
            _ => (formula, self.terms.truth(true)),
        };
        match self.terms.node(variable) {
            Node::Symbol(symbol) if self.terms.constant_value(value).is_some() => {
                Some((*symbol, value))
            }
            _ => None,
        }
    }

    /// What must hold for the step to be taken.
    pub fn enabled(&self, transition: Transition) -> &[Term] {
        &self.step(transition).enabled
    }

    /// Does it hold in all initial states?
    pub fn holds_initially(&mut self, system: &System, formula: Term) -> Result<bool, Reason> {
        let (values, condition) = self.initial(system);
        let condition = self.with_values(condition, &values);
        let formula = self.with_values(formula, &values);
        self.follows(&[&[condition]], formula)
    }

    /// A formula with these values for the variables.
    pub fn with_values(&mut self, formula: Term, values: &[Term]) -> Term {
        let vocabulary = &self.vocabulary;
        let mut value = |_: &mut Terms, symbol| vocabulary.index(symbol).map(|n| values[n]);
        self.terms.substitute(formula, &mut value)
    }

    /// Does it hold after the step from wherever these hold?
    pub fn holds_after(
        &mut self,
        premises: &[Term],
        transition: Transition,
        formula: Term,
    ) -> Result<bool, Reason> {
        let formula = self.before(transition, formula);
        if premises.contains(&formula) {
            return Ok(true);
        }
        let enabled = self.step(transition).enabled.clone();
        self.follows(&[premises, &enabled], formula)
    }

    /// Do these exclude that the step can be taken?
    pub fn excludes(&mut self, premises: &[Term], transition: Transition) -> Result<bool, Reason> {
        let enabled = self.step(transition).enabled.clone();
        self.impossible(&[premises, &enabled])
    }

    /// Can one of the steps be taken wherever these hold?
    pub fn one_can_be_taken(
        &mut self,
        premises: &[Term],
        transitions: Vec<Transition>,
    ) -> Result<bool, Reason> {
        let mut none = Vec::new();
        for transition in transitions {
            let enabled = self.step(transition).enabled.clone();
            let enabled = self.terms.and(enabled);
            none.push(self.terms.not(enabled));
        }
        self.impossible(&[premises, &none])
    }

    /// Does the step touch no shared variable?
    pub fn is_local(&self, transition: Transition) -> bool {
        self.step(transition).footprint.is_empty()
    }

    /// Do two steps of different threads commute, if these hold before the first?
    pub fn commute(
        &mut self,
        premises: &[Term],
        first: Transition,
        second: Transition,
    ) -> Result<bool, Reason> {
        let Some(conflicts) = self.conflicts(first, second) else { return Ok(false) };
        let enabled = self.step(first).enabled.clone();
        for conflict in conflicts {
            if !self.impossible(&[premises, &enabled, &[conflict]])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The formulas, before the first step, each of which makes it conflict with the second;
    /// `None` if they conflict anyway.
    fn conflicts(&mut self, first: Transition, second: Transition) -> Option<Vec<Term>> {
        if let Some(known) = self.conflicts.get(&(first, second)) {
            return known.clone();
        }
        let pairs = self.step(first).footprint.conflicts(&self.step(second).footprint);
        let mut same = |(i, j)| {
            let i = self.vocabulary.value(&mut self.terms, first.0, i);
            let j = self.vocabulary.value(&mut self.terms, second.0, j);
            let j = self.before(first, j);
            self.terms.same_index(i, j)
        };
        let conflicts: Option<Vec<Term>> =
            pairs.map(|pairs| pairs.into_iter().map(&mut same).collect());
        self.conflicts.insert((first, second), conflicts.clone());
        conflicts
    }

    /// A term about the state after a step as a term about the state before it.
    pub fn before(&mut self, (instance, edge): Transition, term: Term) -> Term {
        let StepFormulas { assigns, before, .. } = &mut self.steps[instance][edge.index()];
        let mut assigned = |_: &mut Terms, symbol| assigns.get(&symbol).copied();
        self.terms.substitute_memo(term, &mut assigned, before)
    }

    fn step(&self, (instance, edge): Transition) -> &StepFormulas<'a> {
        &self.steps[instance][edge.index()]
    }

    /// Does the conclusion hold wherever all premises hold?
    pub fn follows(&mut self, premises: &[&[Term]], conclusion: Term) -> Result<bool, Reason> {
        if premises.iter().any(|given| given.contains(&conclusion)) {
            return Ok(true);
        }
        let negated = self.terms.not(conclusion);
        self.impossible(&[premises, &[&[negated]]].concat())
    }

    /// Can these formulas not hold together?
    pub fn impossible(&mut self, formulas: &[&[Term]]) -> Result<bool, Reason> {
        Ok(self.decide(formulas)? && self.means.tell(&self.terms, formulas))
    }

    /// Those that have no symbol in common, directly or by others, are independent: all can
    /// hold together if those of each group can. Groups come up more often than their unions. That of
    /// the last formulas is asked about first, being to blame most often.
    fn decide(&mut self, formulas: &[&[Term]]) -> Result<bool, Reason> {
        let all = sorted(formulas.concat());
        if let Some(answer) = self.known(&all) {
            return Ok(answer);
        }
        let goal = formulas.last().copied().unwrap_or_default();
        let (mut seed, mut others): (Vec<Term>, Vec<Term>) =
            all.iter().copied().partition(|formula| goal.contains(formula));
        let mut answer = Ok(false);
        loop {
            let group = self.group(seed, &mut others);
            match self.known(&group).map_or_else(|| self.ask(&group), Ok) {
                Ok(false) => {}
                // What is not decided here may not matter for another group.
                undecided @ Err(_) => answer = undecided,
                impossible @ Ok(true) => {
                    answer = impossible;
                    break;
                }
            }
            let Some(next) = others.pop() else { break };
            seed = vec![next];
        }
        if let Ok(answer) = answer {
            self.answers.insert(all.into_boxed_slice(), answer);
        }
        answer
    }

    /// The answer, if it is plain to see or was found before.
    fn known(&self, formulas: &[Term]) -> Option<bool> {
        let contradicts = |formula: &Term| match self.terms.node(*formula) {
            Node::Not(inner) => formulas.binary_search(inner).is_ok(),
            Node::Const(value, _) => *value == 0,
            _ => false,
        };
        if formulas.iter().any(contradicts) {
            return Some(true);
        }
        self.answers.get(formulas).copied().or_else(|| self.has_core(formulas).then_some(true))
    }

    /// Are there some among these formulas that cannot hold together, as was found before?
    fn has_core(&self, formulas: &[Term]) -> bool {
        let is_here = |core: &Vec<Term>| core.iter().all(|f| formulas.binary_search(f).is_ok());
        let cores = formulas.iter().filter_map(|last| self.cores.get(last));
        cores.flatten().any(is_here)
    }

    /// Asks about what is left once values are put in, or the solver if none is known.
    fn ask(&mut self, formulas: &[Term]) -> Result<bool, Reason> {
        let answer = match self.with_known_values(formulas) {
            Some(left) => self.decide(&[&left])?,
            None => match self.solver.check(&self.terms, formulas) {
                Answer::Unsat => {
                    self.keep_core();
                    true
                }
                Answer::Sat if !self.solver.is_candidate() => false,
                Answer::Sat | Answer::Unknown => {
                    self.means.budget.check()?;
                    return refuse("the solver did not decide a condition of the proof");
                }
            },
        };
        self.answers.insert(formulas.into(), answer);
        Ok(answer)
    }

    /// Where formulas say which values variables have: what is left of all once the values are in
    /// their place. Either both can hold together or neither. Whatever makes the formulas true gives these
    /// values, so it makes true what is left; and what is left does not speak of the
    /// variables any more, so whatever makes it true can give them these values. (If a variable is said to have two
    /// values, `false` is left.)
    fn with_known_values(&mut self, formulas: &[Term]) -> Option<Vec<Term>> {
        let values = self.values_in(formulas);
        if values.is_empty() {
            return None;
        }
        let terms = &mut self.terms;
        let mut value =
            |term: &Term| terms.substitute(*term, &mut |_, symbol| values.get(&symbol).copied());
        let left: Vec<Term> = formulas.iter().map(&mut value).collect();
        Some(left.into_iter().flat_map(|term| self.terms.conjuncts(term)).collect())
    }

    /// Keeps what the last answer of the solver is to blame on.
    fn keep_core(&mut self) {
        let core = sorted(self.solver.core().to_vec());
        let Some(last) = core.last() else { return };
        let cores = self.cores.entry(*last).or_default();
        if cores.len() < MAX_CORES {
            cores.push(core);
        }
    }

    /// Takes from the others those that share a symbol with the seed, or with a formula that
    /// does, and so on; with the seed.
    fn group(&mut self, seed: Vec<Term>, others: &mut Vec<Term>) -> Vec<Term> {
        let mut group = Vec::new();
        let mut reached: FastSet<Symbol> = FastSet::default();
        let mut new = seed;
        while !new.is_empty() {
            for formula in &new {
                reached.extend(self.symbols(*formula));
            }
            group.append(&mut new);
            let is_near = |formula: &mut Term| {
                self.symbols(*formula).iter().any(|symbol| reached.contains(symbol))
            };
            new = others.extract_if(.., is_near).collect();
        }
        sorted(group)
    }

    /// The symbols of a formula.
    pub fn symbols(&mut self, formula: Term) -> &[Symbol] {
        let terms = &self.terms;
        self.symbols.entry(formula).or_insert_with(|| terms.symbols_of(formula))
    }
}

/// In order, none twice.
pub(crate) fn sorted(mut formulas: Vec<Term>) -> Vec<Term> {
    formulas.sort();
    formulas.dedup();
    formulas
}
