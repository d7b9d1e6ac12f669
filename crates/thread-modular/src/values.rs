//! Which values a variable can have: an analysis that makes domains small and finite.
//!
//! For each variable a set of values, for arrays one set for all elements; where a thread is does
//! not count, except that steps from places which it cannot reach are left out. A step is
//! looked at with the sets of what it reads, narrowed by those parts of its guard
//! that read one thing only: `x := x + 1` under `x < 3 && ...` gives at most 3. A set that
//! becomes too large is given up, and the variable may be anything.
//!
//! The sets contain every value of every run, whatever the other threads do. So states with
//! other values need no code, and an algorithm that goes on from too many states never meets them.
//!
//! A counter that is given up may still have few values in fact: nothing here sees that a
//! semaphore is never posted twice in a row. So its values are **guessed**: the first few that
//! turn up. A step that would write another one *escapes*, and that it never happens is
//! proved together with the property ([`crate::step`]). If it happens, more values are guessed.

use crate::bdd::{Result, check_budget};
use crate::process::Process;
use ccfa::semantics::{binary, unary};
use ccfa::{Arg, Assign, BinOp, Edge, Expr, Init, Place, Program, Rhs, Type, Var, VarRef};
use engine::Budget;
use std::collections::{BTreeSet, HashMap};

/// More values of a variable are not enumerated: all values of a byte are.
const MAX_VALUES: usize = 256;
/// A variable whose values become more so often may have any of its type: else a counter would be followed one by one.
const MAX_GROWTHS: usize = 24;
/// More pairs of operands are not tried one by one: that is all pairs of bytes.
const MAX_PAIRS: usize = 1 << 16;

/// Some values; `None` for any of the type.
pub(crate) type Domain = Option<BTreeSet<i128>>;

/// What variables can hold.
#[derive(Clone)]
pub(crate) struct ValueSets {
    /// The shared ones.
    pub shared: Vec<Domain>,
    /// The locals of each process.
    pub locals: Vec<Vec<Domain>>,
    /// For each process, which locations it can reach at most.
    pub reached: Vec<Vec<bool>>,
    /// How often the values of a variable of a process (or of any) became more.
    growth: HashMap<(Option<usize>, VarRef), usize>,
}

/// What an expression can give.
pub(crate) struct PossibleValues {
    /// Its values.
    pub values: Domain,
    /// Can it be undefined?
    pub may_fail: bool,
}

/// What is known where an expression is evaluated.
pub(crate) struct ValueScope<'a> {
    program: &'a Program,
    process: &'a Process<'a>,
    shared: &'a [Domain],
    locals: &'a [Domain],
    narrowed: HashMap<Expr, BTreeSet<i128>>,
}

/// Analyses the whole program.
pub(crate) fn analyse(
    program: &Program,
    processes: &[Process],
    budget: &Budget,
) -> Result<ValueSets> {
    fixpoint(program, processes, None, budget)
}

/// The same; what `exact` has given up gets the first `window` values that turn up.
pub(crate) fn guess(
    program: &Program,
    processes: &[Process],
    exact: &ValueSets,
    window: usize,
    budget: &Budget,
) -> Result<ValueSets> {
    let mut domains = exact.shared.iter().chain(exact.locals.iter().flatten());
    if domains.all(Option::is_some) {
        return Ok(exact.clone());
    }
    fixpoint(program, processes, Some((exact, window)), budget)
}

fn fixpoint(
    program: &Program,
    processes: &[Process],
    guess: Option<(&ValueSets, usize)>,
    budget: &Budget,
) -> Result<ValueSets> {
    let shared = program.shared.iter().map(|var| initial(var, &[])).collect();
    let locals = |process: &Process| {
        process.template.locals.iter().map(|var| initial(var, &process.arguments())).collect()
    };
    let reached = |process: &Process| {
        let mut reached = vec![false; process.template.locations.len()];
        reached[process.template.entry.index()] = true;
        reached
    };
    let mut values = ValueSets {
        shared,
        locals: processes.iter().map(locals).collect(),
        reached: processes.iter().map(reached).collect(),
        growth: HashMap::new(),
    };
    loop {
        let mut changed = false;
        for (number, process) in processes.iter().enumerate() {
            check_budget(budget)?;
            for edge in &process.template.edges {
                changed |= values.follow(program, processes, number, edge, guess);
            }
        }
        if !changed {
            return Ok(values);
        }
    }
}

impl ValueSets {
    /// What a process knows at a step; `None` if the step can never be taken.
    pub fn at<'a>(
        &'a self,
        program: &'a Program,
        processes: &'a [Process<'a>],
        number: usize,
        edge: &Edge,
    ) -> Option<ValueScope<'a>> {
        let mut scope = ValueScope {
            program,
            process: &processes[number],
            shared: &self.shared,
            locals: &self.locals[number],
            narrowed: HashMap::new(),
        };
        let possible = self.reached[number][edge.source.index()] && scope.assume(&edge.guard);
        possible.then_some(scope)
    }

    /// The values of a variable, as seen by a process.
    pub fn domain(&self, number: usize, var: VarRef) -> &Domain {
        match var {
            VarRef::Shared(id) => &self.shared[id.index()],
            VarRef::Local(id) => &self.locals[number][id.index()],
        }
    }

    /// Adds what a step gives; says whether that is anything new.
    fn follow(
        &mut self,
        program: &Program,
        processes: &[Process],
        number: usize,
        edge: &Edge,
        guess: Option<(&ValueSets, usize)>,
    ) -> bool {
        let Some(scope) = self.at(program, processes, number, edge) else { return false };
        let written: Vec<(VarRef, Domain)> =
            edge.assigns.iter().map(|assign| scope.assigned(assign)).collect();
        let mut changed = !std::mem::replace(&mut self.reached[number][edge.target.index()], true);
        for (var, values) in written {
            let domain = match var {
                VarRef::Shared(id) => &mut self.shared[id.index()],
                VarRef::Local(id) => &mut self.locals[number][id.index()],
            };
            let given_up = guess.filter(|(exact, _)| exact.domain(number, var).is_none());
            let new = match given_up {
                None => join(domain, values),
                Some((_, window)) => join_some(domain, values, window),
            };
            if new && given_up.is_none() {
                let owner = matches!(var, VarRef::Local(_)).then_some(number);
                let growth = self.growth.entry((owner, var)).or_default();
                *growth += 1;
                if *growth > MAX_GROWTHS {
                    *domain = small(program.var(processes[number].template, var).ty);
                }
            }
            changed |= new;
        }
        changed
    }
}

impl ValueScope<'_> {
    /// Narrows what is read to what lets the condition hold; `false` if nothing does.
    fn assume(&mut self, condition: &Expr) -> bool {
        if let Expr::Binary(BinOp::And, left, right) = condition {
            return self.assume(left) && self.assume(right);
        }
        if let Some(read) = only_read(condition)
            && let Some(values) = self.eval(&read).values
        {
            let mut holds = |value: &i128| {
                self.narrowed.insert(read.clone(), BTreeSet::from([*value]));
                self.can_hold(condition)
            };
            let values: BTreeSet<i128> = values.into_iter().filter(|v| holds(v)).collect();
            self.narrowed.insert(read, values);
        }
        self.can_hold(condition)
    }

    fn can_hold(&self, condition: &Expr) -> bool {
        self.eval(condition).values.is_none_or(|values| values.contains(&1))
    }

    /// What an assignment writes, and the values.
    fn assigned(&self, assign: &Assign) -> (VarRef, Domain) {
        let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
        let ty = self.var(*var).ty;
        match &assign.value {
            Rhs::Havoc => (*var, small(ty)),
            Rhs::Expr(value) => (*var, self.eval(value).values),
        }
    }

    /// How many scalars a variable holds.
    pub fn cells(&self, var: VarRef) -> usize {
        self.var(var).cells()
    }

    fn var(&self, var: VarRef) -> &Var {
        self.program.var(self.process.template, var)
    }

    fn domain(&self, var: VarRef) -> Domain {
        match var {
            VarRef::Shared(id) => self.shared[id.index()].clone(),
            VarRef::Local(id) => self.locals[id.index()].clone(),
        }
    }

    /// What an expression can give.
    pub fn eval(&self, expr: &Expr) -> PossibleValues {
        let ty = expr.ty(&|var| self.var(var).ty);
        let mut outcome = self.any_outcome(expr);
        outcome.values = outcome.values.or_else(|| small(ty));
        outcome
    }

    fn any_outcome(&self, expr: &Expr) -> PossibleValues {
        let sure = |values: Domain| PossibleValues { values, may_fail: false };
        match expr {
            Expr::Const(value, _) => sure(Some(BTreeSet::from([*value]))),
            Expr::Var(var) => sure(self.narrowed.get(expr).cloned().or_else(|| self.domain(*var))),
            Expr::Index(var, index) => {
                let index = self.eval(index);
                let length = self.var(*var).cells() as i128;
                let inside =
                    index.values.is_some_and(|all| all.iter().all(|i| (0..length).contains(i)));
                let values = self.narrowed.get(expr).cloned().or_else(|| self.domain(*var));
                PossibleValues { values, may_fail: index.may_fail || !inside }
            }
            Expr::Unary(op, operand) => {
                let ty = operand.ty(&|var| self.var(var).ty);
                let each = |value: i128| unary(*op, ty, value).map_err(|_| ());
                self.map(operand, partial(ty), each)
            }
            Expr::Cast(ty, operand) => self.map(operand, false, |value| Ok(Some(ty.wrap(value)))),
            Expr::Binary(op @ (BinOp::And | BinOp::Or), left, right) => {
                let settled = i128::from(*op == BinOp::Or);
                self.choose(left, |value| if value == settled { None } else { Some(right) })
            }
            Expr::Ite(condition, then, otherwise) => {
                self.choose(condition, |value| Some(if value == 0 { otherwise } else { then }))
            }
            Expr::Binary(op, left, right) => self.pairs(*op, left, right),
        }
    }

    /// What one operand gives decides what comes next; without that, it is the value.
    fn choose<'e>(
        &self,
        first: &Expr,
        next: impl Fn(i128) -> Option<&'e Box<Expr>>,
    ) -> PossibleValues {
        let first = self.eval(first);
        let mut result = PossibleValues { values: Some(BTreeSet::new()), may_fail: first.may_fail };
        for value in first.values.unwrap_or_default() {
            let outcome = match next(value) {
                None => PossibleValues { values: Some(BTreeSet::from([value])), may_fail: false },
                Some(expr) => self.eval(expr),
            };
            result.may_fail |= outcome.may_fail;
            result.values = match (result.values, outcome.values) {
                (Some(mut all), Some(more)) => {
                    all.extend(more);
                    Some(all)
                }
                _ => None,
            };
        }
        result
    }

    fn map(
        &self,
        operand: &Expr,
        partial: bool,
        each: impl Fn(i128) -> Result<Option<i128>, ()>,
    ) -> PossibleValues {
        let operand = self.eval(operand);
        let Some(values) = operand.values else {
            return PossibleValues { values: None, may_fail: operand.may_fail || partial };
        };
        collect(operand.may_fail, values.into_iter().map(each))
    }

    fn pairs(&self, op: BinOp, left: &Expr, right: &Expr) -> PossibleValues {
        let ty = left.ty(&|var| self.var(var).ty);
        let (left, right) = (self.eval(left), self.eval(right));
        let may_fail = left.may_fail || right.may_fail;
        match (left.values, right.values) {
            (Some(left), Some(right)) if left.len() * right.len() <= MAX_PAIRS => {
                let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (*a, *b)));
                let results = pairs.map(|(a, b)| binary(op, ty, a, b).map_err(|_| ()));
                match op {
                    BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le => compare(may_fail, results),
                    _ => collect(may_fail, results),
                }
            }
            _ => {
                let fails = match op {
                    BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr => true,
                    BinOp::Add | BinOp::Sub | BinOp::Mul => partial(ty),
                    _ => false,
                };
                PossibleValues { values: None, may_fail: may_fail || fails }
            }
        }
    }
}

/// Can arithmetic in this type overflow?
fn partial(ty: Type) -> bool {
    matches!(ty, Type::Bits { signed: true, .. })
}

/// What a comparison gives, which does not fail: once it may be either, there is no more to learn.
fn compare(
    may_fail: bool,
    mut results: impl Iterator<Item = Result<Option<i128>, ()>>,
) -> PossibleValues {
    let Some(first) = results.next() else { return collect(may_fail, std::iter::empty()) };
    let other = results.find(|result| *result != first);
    collect(may_fail, [Some(first), other].into_iter().flatten())
}

fn collect(
    may_fail: bool,
    results: impl Iterator<Item = Result<Option<i128>, ()>>,
) -> PossibleValues {
    let mut outcome = PossibleValues { values: Some(BTreeSet::new()), may_fail };
    for result in results {
        match (result, &mut outcome.values) {
            (Err(()), _) => outcome.may_fail = true,
            (Ok(Some(value)), Some(values)) => {
                values.insert(value);
            }
            _ => outcome.values = None,
        }
    }
    outcome
}

/// The one thing that a condition reads, if it reads one thing only, in a fixed place.
fn only_read(condition: &Expr) -> Option<Expr> {
    let mut reads: Vec<Expr> = Vec::new();
    condition.walk(&mut |part| {
        if matches!(part, Expr::Var(_) | Expr::Index(..)) && !reads.contains(part) {
            reads.push(part.clone());
        }
    });
    let fixed = |read: &Expr| match read {
        Expr::Index(_, index) => matches!(**index, Expr::Const(..)),
        _ => true,
    };
    if reads.len() == 1 { reads.pop().filter(fixed) } else { None }
}

/// All values of a small type.
fn small(ty: Type) -> Domain {
    let (low, high) = ty.bounds()?;
    (high - low < MAX_VALUES as i128).then(|| (low..=high).collect())
}

fn initial(var: &Var, arguments: &[BTreeSet<i128>]) -> Domain {
    match &var.init {
        Init::Any => small(var.ty),
        Init::Value(value) => Some(BTreeSet::from([*value])),
        Init::Values(values) => within(values.iter().copied().collect()),
        Init::Param(number) => within(arguments[*number as usize].clone()),
    }
}

fn within(values: BTreeSet<i128>) -> Domain {
    (values.len() <= MAX_VALUES).then_some(values)
}

/// Adds values; says whether that is anything new.
fn join(domain: &mut Domain, more: Domain) -> bool {
    let Some(values) = domain else { return false };
    let before = values.len();
    match more {
        None => *domain = None,
        Some(more) => {
            values.extend(more);
            let after = values.len();
            if after == before {
                return false;
            }
            if after > MAX_VALUES {
                *domain = None;
            }
        }
    }
    true
}

/// Adds values while there are fewer than `window`; says whether that is anything new.
fn join_some(domain: &mut Domain, more: Domain, window: usize) -> bool {
    let (Some(values), Some(more)) = (domain.as_mut(), more) else {
        return domain.take().is_some();
    };
    let before = values.len();
    for value in more {
        if values.len() < window {
            values.insert(value);
        }
    }
    values.len() > before
}

/// The values that an argument has in the instances from `0` to `count`.
pub(crate) fn argument(arg: Arg, instances: std::ops::Range<u32>) -> BTreeSet<i128> {
    match arg {
        Arg::Value(value) => BTreeSet::from([value]),
        Arg::Index(base) => instances.map(|index| base + i128::from(index)).collect(),
    }
}
