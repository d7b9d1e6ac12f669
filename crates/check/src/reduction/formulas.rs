//! What paths of a reduction do, as formulas over the variables before (`logic::Step`), in which constants
//! have their values; and questions about them. Most answers are plain to see, as equal formulas are the
//! same term; for the rest the bits are asked.

use crate::{Means, refuse};
use ccfa::liveness::live_locals;
use ccfa::sharing::instances;
use ccfa::{
    Arg, Assign, Count, Edge, EdgeId, Expr, Init, LocId, LocalId, Place, Program, Rhs, SharedId,
    TemplateId, Type, Var, VarRef,
};
use evidence::{Reason, Reduction};
use logic::bits::{Bits, Cadical};
use logic::{Answer, FastMap, Node, Sort, Step, Symbol, Term, Terms, step};
use std::collections::{BTreeMap, BTreeSet};

/// What a path does if it is taken at one go.
#[derive(Clone)]
pub(super) struct Composed {
    /// It can be taken if all of these hold.
    enabled: Vec<Term>,
    /// What it leaves in the variables that it assigns, and in constants.
    values: BTreeMap<Symbol, Term>,
    /// Its last edge can be taken, once the others are.
    pub last: Term,
    /// Can it not be taken, plainly?
    is_false: bool,
}

impl Composed {
    pub fn is_false(&self) -> bool {
        self.is_false
    }
}

/// The formulas of a reduction, and who decides them.
pub(super) struct Formulas<'a> {
    program: &'a Program,
    reduction: &'a Reduction,
    terms: Terms,
    solver: Bits<Cadical>,
    pub means: Means<'a>,
    /// The shared variables.
    shared: Names,
    /// By template.
    words: Vec<Words>,
}

/// The formulas of a template.
struct Words {
    names: Names,
    /// The values of constants.
    constants: BTreeMap<Symbol, Term>,
    /// By edge before; made when it is needed.
    steps: FastMap<EdgeId, Step>,
    /// By location after: the locals after that are live there.
    live: Vec<BTreeSet<LocalId>>,
}

/// The symbols of variables.
#[derive(Clone, Default)]
struct Names {
    before: Symbols,
    /// Those of the variables before to which the variables after are mapped.
    after: Symbols,
}

#[derive(Clone, Default)]
struct Symbols {
    shared: Vec<Symbol>,
    locals: Vec<Symbol>,
}

impl Symbols {
    fn get(&self, var: VarRef) -> Symbol {
        match var {
            VarRef::Shared(id) => self.shared[id.index()],
            VarRef::Local(id) => self.locals[id.index()],
        }
    }
}

impl<'a> Formulas<'a> {
    pub fn new(
        program: &'a Program,
        reduction: &'a Reduction,
        means: Means<'a>,
    ) -> Result<Formulas<'a>, Reason> {
        let solver = Bits::new(means.integers, means.budget);
        let mut terms = Terms::new();
        let mut shared = Names::default();
        shared.before.shared = step::declare(&mut terms, &program.shared);
        let kept = reduction.shared.iter().map(|var| shared.before.shared[var.index()]);
        shared.after.shared = kept.collect();
        let ids = (0..program.templates.len() as u32).map(TemplateId);
        let words = ids.map(|id| Words::new(program, reduction, id, &mut terms, shared.clone()));
        let words = words.collect::<Result<_, _>>()?;
        Ok(Formulas { program, reduction, terms, solver, means, shared, words })
    }

    pub fn check_budget(&self) -> Result<(), Reason> {
        Ok(self.means.budget.check()?)
    }

    /// Does the initial condition after hold wherever that before holds?
    pub fn begins_alike(&mut self) -> Result<bool, Reason> {
        let mut holds = |program: &Program, symbols: &Symbols| match &program.initial {
            Some(condition) => step::holds(&mut self.terms, condition, &|var| symbols.get(var)),
            None => self.terms.truth(true),
        };
        let before = holds(self.program, &self.shared.before);
        let after = holds(&self.reduction.program, &self.shared.after);
        let elsewhere = self.terms.not(after);
        self.contradict(&[before, elsewhere])
    }

    fn step(&mut self, id: TemplateId, edge: EdgeId) -> Step {
        let Words { names, constants, steps, .. } = &mut self.words[id.index()];
        let terms = &mut self.terms;
        let declared = &self.program.templates[id.index()].edges[edge.index()];
        let make = || {
            let step = Step::of(terms, declared, &|var| names.before.get(var));
            with_values(terms, step, constants)
        };
        steps.entry(edge).or_insert_with(make).clone()
    }

    /// Can an edge plainly never be taken? (No is always right.)
    pub fn is_closed(&mut self, id: TemplateId, edge: EdgeId) -> bool {
        if self.words[id.index()].constants.is_empty() {
            return self.program.templates[id.index()].edges[edge.index()].guard == Expr::FALSE;
        }
        let enabled = self.step(id, edge).enabled;
        self.terms.constant_value(enabled) == Some(0)
    }

    /// Does an edge, wherever it can be taken, assign to a constant the value that it has?
    pub fn assigns_constant(
        &mut self,
        id: TemplateId,
        edge: EdgeId,
        assign: &Assign,
    ) -> Result<bool, Reason> {
        let (Place::Var(var) | Place::Element(var, _)) = assign.place;
        let declared = self.program.var(&self.program.templates[id.index()], var);
        let Words { names, constants, .. } = &self.words[id.index()];
        let expected = match (declared.len, &declared.init) {
            (None, _) => constants.get(&names.before.get(var)).copied(),
            (Some(_), Init::Value(value)) => Some(self.terms.constant(*value, declared.ty)),
            _ => None,
        };
        let before = names.before.clone();
        let path = self.nothing_done(id);
        let path = self.then(id, &path, edge);
        match (&assign.value, expected) {
            (Rhs::Expr(value), Some(expected)) => {
                let value = self.value(id, value, &before);
                self.are_equal(&path, value, expected)
            }
            _ => self.is_impossible(&path),
        }
    }

    /// The value of an expression about these variables, where constants have theirs.
    fn value(&mut self, id: TemplateId, expr: &Expr, symbols: &Symbols) -> Term {
        let constants = &self.words[id.index()].constants;
        let value = step::value(&mut self.terms, expr, &|var| symbols.get(var));
        self.terms.substitute(value, &mut |_, symbol| constants.get(&symbol).copied())
    }

    /// What the empty path does.
    pub fn nothing_done(&mut self, id: TemplateId) -> Composed {
        let values = self.words[id.index()].constants.clone();
        Composed { enabled: Vec::new(), values, last: self.terms.truth(true), is_false: false }
    }

    /// What a path and then an edge do.
    pub fn then(&mut self, id: TemplateId, path: &Composed, edge: EdgeId) -> Composed {
        let step = self.step(id, edge);
        let step = with_values(&mut self.terms, step, &path.values);
        let mut composed = path.clone();
        composed.last = step.enabled;
        composed.enabled.extend(self.terms.conjuncts(step.enabled));
        composed.values.extend(step.assigns);
        let all = self.terms.and(composed.enabled.iter().copied());
        composed.is_false = self.terms.constant_value(all) == Some(0);
        composed
    }

    /// These variables may hold anything now.
    pub fn havoc(
        &mut self,
        id: TemplateId,
        composed: &mut Composed,
        changed: impl Iterator<Item = SharedId>,
    ) {
        let constants = &self.words[id.index()].constants;
        for var in changed {
            let symbol = self.shared.before.get(VarRef::Shared(var));
            if !constants.contains_key(&symbol) {
                let fresh = self.terms.declare("interference", self.terms.symbol_sort(symbol));
                composed.values.insert(symbol, self.terms.symbol(fresh));
            }
        }
    }

    /// Where the guards of all these edges before are defined and false, are those of all these edges after?
    pub fn closed_alike(
        &mut self,
        id: TemplateId,
        before: &[EdgeId],
        after: &[&Edge],
    ) -> Result<bool, Reason> {
        let closed = |edge: &Edge| {
            Edge::new(edge.source, edge.target, Expr::negate(edge.guard.clone()), Vec::new())
        };
        let mut blocked = self.nothing_done(id);
        for edge in before {
            let closed = closed(&self.program.templates[id.index()].edges[edge.index()]);
            let Words { names, constants, .. } = &self.words[id.index()];
            let step = Step::of(&mut self.terms, &closed, &|var| names.before.get(var));
            let step = with_values(&mut self.terms, step, constants);
            blocked.enabled.extend(self.terms.conjuncts(step.enabled));
        }
        for edge in after {
            let step = self.step_after(id, &closed(edge), &blocked);
            if !self.follows(&blocked, step.enabled)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Can a path not be taken?
    pub fn is_impossible(&mut self, composed: &Composed) -> Result<bool, Reason> {
        Ok(composed.is_false || self.contradict(&composed.enabled)?)
    }

    /// After a path, does one of these hold?
    pub fn some_holds(&mut self, path: &Composed, ways: &[Term]) -> Result<bool, Reason> {
        let some = self.terms.or(ways.iter().copied());
        self.follows(path, some)
    }

    /// Wherever a path can be taken, can this edge after from the same location, and does it leave the same?
    pub fn simulates(
        &mut self,
        id: TemplateId,
        edge: &Edge,
        path: &Composed,
    ) -> Result<bool, Reason> {
        let step = self.step_after(id, edge, path);
        if !self.follows(path, step.enabled)? {
            return Ok(false);
        }
        let compared: BTreeSet<Symbol> = self.compared(id, edge.target);
        let assigned = path.values.keys().chain(step.assigns.keys());
        let assigned: BTreeSet<Symbol> =
            assigned.copied().filter(|s| compared.contains(s)).collect();
        for symbol in assigned {
            let unchanged = self.terms.symbol(symbol);
            let constant = self.words[id.index()].constants.get(&symbol).copied();
            let otherwise = constant.unwrap_or(unchanged);
            let left = path.values.get(&symbol).copied().unwrap_or(otherwise);
            let right = step.assigns.get(&symbol).copied().unwrap_or(otherwise);
            if !self.are_equal(path, left, right)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The variables that must hold the same at a location after.
    fn compared(&self, id: TemplateId, target: LocId) -> BTreeSet<Symbol> {
        let Words { names, live, .. } = &self.words[id.index()];
        let live = live[target.index()].iter().map(|local| names.after.get(VarRef::Local(*local)));
        names.after.shared.iter().copied().chain(live).collect()
    }

    /// An edge after, which chooses for its havocs what the path leaves there.
    fn step_after(&mut self, id: TemplateId, edge: &Edge, path: &Composed) -> Step {
        let after = self.words[id.index()].names.after.clone();
        let step = Step::of(&mut self.terms, edge, &|var| after.get(var));
        let havocs = edge.assigns.iter().filter(|assign| assign.value == Rhs::Havoc);
        let mut values = self.words[id.index()].constants.clone();
        for (input, assign) in step.inputs.iter().zip(havocs) {
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            let symbol = after.get(*var);
            let unchanged = self.terms.symbol(symbol);
            let left = path.values.get(&symbol).copied().unwrap_or(unchanged);
            let chosen = match &assign.place {
                Place::Var(_) => left,
                Place::Element(_, index) => {
                    let index = self.value(id, index, &after);
                    self.terms.select(left, index)
                }
            };
            values.insert(*input, chosen);
        }
        with_values(&mut self.terms, step, &values)
    }

    /// Are these equal wherever the path can be taken?
    fn are_equal(&mut self, path: &Composed, left: Term, right: Term) -> Result<bool, Reason> {
        if left == right {
            return Ok(true);
        }
        let nodes = (self.terms.node(left).clone(), self.terms.node(right).clone());
        if let (Node::Store(a, i, v), Node::Store(b, j, w)) = nodes
            && self.are_equal(path, a, b)?
            && self.are_equal(path, i, j)?
            && self.are_equal(path, v, w)?
        {
            return Ok(true);
        }
        let equal = match self.terms.sort(left) {
            Sort::Scalar(_) => self.terms.eq(left, right),
            Sort::Array { .. } => {
                let index = self.terms.declare("index", Sort::Scalar(Type::unsigned(32)));
                let index = self.terms.symbol(index);
                let (left, right) =
                    (self.terms.select(left, index), self.terms.select(right, index));
                self.terms.eq(left, right)
            }
        };
        self.follows(path, equal)
    }

    /// Does a formula hold wherever the path can be taken?
    fn follows(&mut self, path: &Composed, formula: Term) -> Result<bool, Reason> {
        let parts = self.terms.conjuncts(formula);
        for part in parts {
            let is_given =
                path.enabled.contains(&part) || self.terms.constant_value(part) == Some(1);
            if !is_given {
                let negated = self.terms.not(part);
                let mut formulas = path.enabled.clone();
                formulas.push(negated);
                if !self.contradict(&formulas)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Can these formulas not hold together?
    fn contradict(&mut self, formulas: &[Term]) -> Result<bool, Reason> {
        match self.solver.check(&self.terms, formulas) {
            Answer::Unsat => Ok(self.means.tell(&self.terms, &[formulas])),
            Answer::Sat => Ok(false),
            Answer::Unknown => {
                self.check_budget()?;
                Ok(false)
            }
        }
    }
}

impl Words {
    fn new(
        program: &Program,
        reduction: &Reduction,
        id: TemplateId,
        terms: &mut Terms,
        mut names: Names,
    ) -> Result<Words, Reason> {
        let declared = &program.templates[id.index()];
        let certificate = &reduction.templates[id.index()];
        names.before.locals = step::declare(terms, &declared.locals);
        let kept = certificate.locals.iter().map(|var| names.before.locals[var.index()]);
        names.after.locals = kept.collect();
        let mut constants = BTreeMap::new();
        let shared = reduction.constants.iter().map(|var| VarRef::Shared(*var));
        let locals = certificate.constants.iter().copied().map(VarRef::Local);
        for var in shared.chain(locals) {
            let Some(value) = initially(terms, program, id, program.var(declared, var)) else {
                return refuse("a variable is said to be constant that has no one value");
            };
            constants.insert(names.before.get(var), value);
        }
        let live = live_locals(&reduction.program.templates[id.index()]);
        Ok(Words { names, constants, steps: FastMap::default(), live })
    }
}

/// The initial value of a variable, if it has one.
fn initially(terms: &mut Terms, program: &Program, id: TemplateId, var: &Var) -> Option<Term> {
    let values = match &var.init {
        Init::Any => return None,
        Init::Value(value) => vec![*value; var.cells()],
        Init::Values(values) => values.clone(),
        Init::Param(param) => {
            let mut runs = program
                .threads
                .iter()
                .filter(|thread| thread.template == id && thread.count != Count::Exactly(0));
            match (runs.next()?.args[*param as usize], instances(program, id)) {
                (Arg::Value(value) | Arg::Index(value), 1) => vec![value],
                _ => return None,
            }
        }
    };
    Some(match var.len {
        None => terms.constant(values[0], var.ty),
        Some(len) => terms.constant_array(&values, var.ty, len),
    })
}

/// A step from where variables have these values.
fn with_values(terms: &mut Terms, step: Step, values: &BTreeMap<Symbol, Term>) -> Step {
    if values.is_empty() {
        return step;
    }
    let mut done = FastMap::default();
    let mut value = |_: &mut Terms, symbol| values.get(&symbol).copied();
    let mut put_in = |term: Term| terms.substitute_memo(term, &mut value, &mut done);
    let enabled = put_in(step.enabled);
    let assigns = step.assigns.iter().map(|(symbol, term)| (*symbol, put_in(*term))).collect();
    Step { enabled, assigns, inputs: step.inputs }
}
