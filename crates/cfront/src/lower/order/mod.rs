//! The order of evaluation. C leaves open in which order the parts of an expression are evaluated;
//! where that can be told apart, the model has a choice, and the orders meet again behind the
//! expression.
//!
//! `effects` says what an evaluation may do, `plan` which evaluations a full expression has and which
//! of them C orders, `schedule` in which orders they can run. Here, they run: the value of each goes to a
//! temporary of its own, and what is evaluated later finds it there. The same text may so be lowered several times, but
//! it runs once: what it creates is counted once.
//!
//! Two choices of ours. (1) Plain and `volatile` reads of shared variables are read from left to right: without
//! synchronisation in between, an execution that can tell their order has a data race, which is
//! undefined behaviour. Accesses to `_Atomic` objects, calls that synchronise and whatever stands
//! beside them are explored. What relies on this says so ([`Assumption::LeftToRight`]). (2) The value of an assignment is the value assigned; it is not read again.

mod effects;
mod overlap;
mod plan;
mod schedule;

use super::build::{JoinPoint, TemplateBuilder, set};
use super::expr::assigned;
use super::input::Input;
use super::place::{Spot, Target};
use super::{Facts, Lowerer, Memory, fold};
use crate::Assumption;
use crate::hir::{Expr as CExpr, ExprKind, InitEntry, Place, Type as CType};
use crate::points_to::walk::{Event, walk_expr};
use ccfa::{Expr, LocKind, Type, Undefined, VarRef};
use plan::{Action, Orders, Part, Plan};
use schedule::{Status, Turn};
use std::collections::HashMap;

pub use effects::Summaries;

/// What was evaluated already, in the function at hand: by the address of the expression.
#[derive(Clone, Default)]
pub struct Evaluated(HashMap<usize, Known>);

/// A value that was evaluated already.
#[derive(Clone)]
enum Known {
    Scalar(Expr),
    Record(Target),
}

/// Tells expressions apart.
fn identity(expr: &CExpr) -> usize {
    std::ptr::from_ref(&*expr.kind) as usize
}

/// A plan that is being lowered.
struct Exploration<'p, 'e> {
    plan: &'p Plan<'e>,
    /// The values of the actions that were lowered.
    values: HashMap<usize, Known>,
    /// By node: where it writes or reads.
    targets: HashMap<usize, Target>,
    /// The old value that `x op= y` has read.
    old: HashMap<usize, Expr>,
    /// What it is going to write.
    new: HashMap<usize, Expr>,
    /// The temporaries of each action.
    temps: HashMap<(usize, usize), VarRef>,
    lowered: Vec<bool>,
}

impl Lowerer<'_> {
    /// Lowers a full expression: what can be evaluated in several orders first, then `finish`, which finds its value.
    pub(super) fn in_any_order(&mut self, expr: &CExpr, finish: impl FnOnce(&mut Self)) {
        if !self.t.dead && !self.input.is_in_library(&self.t) {
            self.input.note_left_to_right(&mut self.t, expr);
        }
        if self.t.dead || self.input.is_in_library(&self.t) || !self.input.can_differ(expr) {
            return finish(self);
        }
        let orders = plan::of_expression(self.input.summaries, expr);
        self.explore(orders, expr, &|_, _| {}, finish);
    }

    /// Lowers the elements of an initialiser of what lies at `target`.
    pub(super) fn elements_in_any_order(&mut self, target: &Target, entries: &[InitEntry]) {
        let in_turn = |lowerer: &mut Self| {
            for entry in entries {
                if !lowerer.t.is_evaluated(&entry.value) {
                    lowerer.initialise(target, entry);
                }
            }
        };
        let [first, _, ..] = entries else { return in_turn(self) };
        if self.t.dead || self.input.is_in_library(&self.t) {
            return in_turn(self);
        }
        self.input.note_elements_left_to_right(&mut self.t, entries);
        let orders = plan::of_elements(self.input.summaries, entries);
        self.explore(
            orders,
            &first.value,
            &|lowerer, node| {
                let is_node = |entry: &&InitEntry| identity(&entry.value) == identity(node);
                if let Some(entry) = entries.iter().find(is_node) {
                    lowerer.initialise(target, entry);
                }
            },
            in_turn,
        );
    }

    /// Explores the orders, then goes on with `finish`. Elements of initialisers are lowered by `element`.
    fn explore(
        &mut self,
        orders: Orders,
        expr: &CExpr,
        element: &dyn Fn(&mut Self, &CExpr),
        finish: impl FnOnce(&mut Self),
    ) {
        let plan = match orders {
            Orders::One => return finish(self),
            Orders::Unclear => {
                self.at(expr.range);
                return self.t.unsupported("the order of evaluation around a statement expression");
            }
            Orders::TooMany => {
                self.at(expr.range);
                let most = plan::MAX_ACTIONS;
                let what = format!("the order of evaluation of more than {most} operands");
                return self.t.unsupported(what);
            }
            Orders::Many(plan) => plan,
        };
        let Some(schedule) = schedule::schedule(&plan) else {
            self.at(expr.range);
            let count = plan.actions.iter().filter(|one| !one.relations.rivals.is_empty()).count();
            return self.t.unsupported(format!("the order of evaluation of {count} operands"));
        };
        let (before, around) = (self.t.frame().evaluated.clone(), self.t.span);
        let mut run = Exploration::new(&plan);
        let mut points = vec![None; schedule.states.len()];
        points[0] = self.t.join_point_here();
        for (number, (state, turns)) in schedule.states.iter().enumerate() {
            self.t.resume(points[number]);
            self.t.frame().evaluated = run.evaluated(&before, state);
            if self.t.dead || turns.is_empty() {
                continue;
            }
            for turn in turns {
                self.t.resume(points[number]);
                self.at(plan.actions[turn.action].node.range);
                if turns.len() > 1 {
                    self.t.step(Expr::TRUE, vec![]);
                }
                self.perform(&mut run, (state, turn), &mut points, element);
            }
        }
        self.t.span = around;
        finish(self);
        if let Some(frame) = self.t.frames.last_mut() {
            frame.evaluated = before;
        }
    }

    /// Performs an action and goes where it leads.
    fn perform(
        &mut self,
        run: &mut Exploration,
        (state, turn): (&[Status], &Turn),
        points: &mut [JoinPoint],
        element: &dyn Fn(&mut Self, &CExpr),
    ) {
        let number = turn.action;
        let action = &run.plan.actions[number];
        let counted = run.lowered[number].then(|| self.found.clone());
        if counted.is_some() {
            self.t.forget_labels(action.node);
        }
        let [yes, no] = turn.next;
        if action.part == Part::Branch {
            let (mut then, mut otherwise) = (None, None);
            self.branch(condition_of(action.node), &mut then, &mut otherwise);
            for (decided, next) in [(then, yes), (otherwise, no)] {
                self.t.resume(decided);
                self.t.join_at(&mut points[next]);
            }
        } else if action.part == Part::Element {
            element(self, action.node);
            run.values.insert(number, Known::Scalar(Expr::TRUE));
            self.t.join_at(&mut points[yes]);
        } else {
            self.act(run, state, number);
            self.t.join_at(&mut points[yes]);
        }
        run.lowered[number] = true;
        if let Some(counted) = counted {
            self.found.count_once(counted);
        }
    }

    fn act(&mut self, run: &mut Exploration, state: &[Status], number: usize) {
        let action = &run.plan.actions[number];
        match (action.part, &*action.node.kind) {
            (Part::Evaluate, ExprKind::Load(place)) => {
                if let Some(constant) = self.t.bound_constant(place) {
                    return run.keep(&self.input, &mut self.t, number, constant);
                }
                let target = self.target_of(run, state, number, place);
                if self.input.is_record(action.node) {
                    return self.record_of(run, number, |lowerer, spot| {
                        lowerer.copy_from(place, &target, spot);
                    });
                }
                let value = self.load_from(place, &target);
                run.keep(&self.input, &mut self.t, number, value);
            }
            (Part::Evaluate, ExprKind::AssignOp { place, .. }) => {
                let target = self.target_of(run, state, number, place);
                let value = self.assign_op_at(action.node, &target);
                run.keep(&self.input, &mut self.t, number, value);
            }
            (Part::Evaluate, _) => self.value_of(run, number, action.node),
            (Part::Prepare, ExprKind::Assign(place, value)) => {
                self.prepare(run, number, place, value);
            }
            (Part::ReadOld, ExprKind::AssignOp { place, .. }) => {
                let target = self.target_of(run, state, number, place);
                let old = self.load_from(place, &target);
                let temp = run.temp(&mut self.t, number, 0, self.input.scalar_type(place.ty));
                self.t.step(Expr::TRUE, vec![set(temp, old)]);
                run.old.insert(identity(action.node), Expr::Var(temp));
            }
            (Part::Compute, _) => self.compute(run, number),
            (Part::Write, _) => self.write_out(run, state, number),
            (Part::Meet, _) => self.meet(run, state, number),
            (Part::Branch | Part::Prepare | Part::ReadOld | Part::Element, _) => {
                unreachable!("these parts belong to other nodes, or are done by `perform`")
            }
        }
    }

    /// Where an action accesses memory: not where a partner does.
    fn target_of(
        &mut self,
        run: &mut Exploration,
        state: &[Status],
        number: usize,
        place: &Place,
    ) -> Target {
        let target = self.target(place);
        let target = run.freeze(&self.input, &mut self.t, number, target);
        run.ask_partners(&mut self.memory(), state, number, &target);
        target
    }

    /// A record becomes the value of an action.
    fn record_of(
        &mut self,
        run: &mut Exploration,
        number: usize,
        fill: impl FnOnce(&mut Self, &Target),
    ) {
        let ty = run.plan.actions[number].node.ty;
        if let Some(Known::Record(spot)) = run.values.get(&number).cloned() {
            return fill(self, &spot);
        }
        match self.objects.temporary(&self.input.unit.types, "operand", ty) {
            Ok(object) => {
                let spot = Target::Spot(Spot::start(object));
                run.values.insert(number, Known::Record(spot.clone()));
                fill(self, &spot);
            }
            Err(what) => self.t.unsupported(what),
        }
    }

    /// The value of an expression becomes that of an action.
    fn value_of(&mut self, run: &mut Exploration, number: usize, expr: &CExpr) {
        if self.input.is_record(expr) {
            return self.record_of(run, number, |lowerer, spot| lowerer.record_into(expr, spot));
        }
        if *self.input.unit.types.get(expr.ty) == CType::Void {
            self.effect(expr);
            run.values.insert(number, Known::Scalar(self.input.zero(expr)));
            return;
        }
        let value = self.expr(expr);
        run.keep(&self.input, &mut self.t, number, value);
    }

    fn prepare(&mut self, run: &mut Exploration, number: usize, place: &Place, value: &CExpr) {
        let node = run.plan.actions[number].node;
        if !self.input.is_record(value) {
            let source = value;
            let value = self.expr(source);
            self.memory().refuse_as_number(source);
            let ty = self.input.scalar_type(place.ty).unwrap_or(Type::signed(32));
            let temp = run.temp(&mut self.t, number, 0, Some(ty));
            self.t.step(Expr::TRUE, vec![set(temp, value)]);
            run.new.insert(identity(node), Expr::Var(temp));
            let result = assigned(place, ty, Expr::Var(temp));
            run.values.insert(number, Known::Scalar(result));
        }
        let target = self.target(place);
        run.freeze(&self.input, &mut self.t, number, target);
    }

    fn compute(&mut self, run: &mut Exploration, number: usize) {
        let node = run.plan.actions[number].node;
        let ExprKind::AssignOp { place, operand, result_is_old, .. } = &*node.kind else { return };
        let Some(old) = run.old.get(&identity(node)).cloned() else { return };
        let amount = self.typed(operand);
        let new = self.updated(node, old.clone(), amount);
        let ty = self.input.scalar_type(place.ty).unwrap_or(Type::signed(32));
        let temp = run.temp(&mut self.t, number, 0, Some(ty));
        self.t.step(Expr::TRUE, vec![set(temp, new)]);
        run.new.insert(identity(node), Expr::Var(temp));
        let result = if *result_is_old { old } else { assigned(place, ty, Expr::Var(temp)) };
        run.values.insert(number, Known::Scalar(result));
    }

    /// The effect of an assignment.
    fn write_out(&mut self, run: &mut Exploration, state: &[Status], number: usize) {
        let node = run.plan.actions[number].node;
        let (ExprKind::Assign(place, _) | ExprKind::AssignOp { place, .. }) = &*node.kind else {
            return;
        };
        let Some(target) = run.targets.get(&identity(node)).cloned() else { return };
        run.ask_partners(&mut self.memory(), state, number, &target);
        match (run.new.get(&identity(node)).cloned(), &*node.kind) {
            (Some(value), _) => self.memory().store(place, &target, value, None),
            (None, ExprKind::Assign(_, value)) => {
                self.assign_record(place, value, &target);
                run.values.insert(number, Known::Record(target));
            }
            (None, _) => {}
        }
    }

    /// The value of `&&`, `||` or `?:` after its decision.
    fn meet(&mut self, run: &mut Exploration, state: &[Status], number: usize) {
        let node = run.plan.actions[number].node;
        let is_branch = |one: &Action| one.part == Part::Branch && std::ptr::eq(one.node, node);
        let decided = run.plan.actions.iter().position(is_branch).map(|branch| state[branch]);
        let holds = decided == Some(Status::Decided(true));
        let ty = self.input.int_type(node);
        let truth = match (&*node.kind, holds) {
            (ExprKind::Cond(_, then, otherwise), _) => {
                return self.value_of(run, number, if holds { then } else { otherwise });
            }
            (ExprKind::And(_, right), true) | (ExprKind::Or(_, right), false) => self.truth(right),
            _ => {
                if holds {
                    Expr::TRUE
                } else {
                    Expr::FALSE
                }
            }
        };
        run.keep(&self.input, &mut self.t, number, fold::number(ty, truth));
    }
}

impl Input<'_> {
    /// Our library of models is written for one order.
    fn is_in_library(&self, t: &TemplateBuilder) -> bool {
        let Some(frame) = t.frames.last() else { return true };
        self.unit.functions[frame.function.index()].is_model
    }

    /// Can orders differ in a full expression?
    fn can_differ(&self, expr: &CExpr) -> bool {
        let known = &self.summaries.can_differ;
        if let Some(known) = known.borrow().get(&identity(expr)) {
            return *known;
        }
        let orders = plan::of_expression(self.summaries, expr);
        let can_differ = !matches!(orders, Orders::One);
        known.borrow_mut().insert(identity(expr), can_differ);
        can_differ
    }

    /// Says that plain accesses go from left to right, if the expression has several in no order.
    fn note_left_to_right(&self, t: &mut TemplateBuilder, expr: &CExpr) {
        if !self.may_be_seen(t) {
            return;
        }
        let known = &self.summaries.goes_left_to_right;
        let is_known = known.borrow().get(&identity(expr)).copied();
        let relies = is_known.unwrap_or_else(|| {
            let relies = plan::has_unordered_accesses(self.summaries, expr);
            known.borrow_mut().insert(identity(expr), relies);
            relies
        });
        if relies {
            t.assumed.insert(Assumption::LeftToRight);
        }
    }

    /// The same of the elements of an initialiser, which C does not order.
    fn note_elements_left_to_right(&self, t: &mut TemplateBuilder, entries: &[InitEntry]) {
        let summaries = self.summaries;
        let is_shared =
            |entry: &&InitEntry| summaries.is_plainly_shared(&summaries.whole(&entry.value));
        if self.may_be_seen(t) && entries.iter().filter(is_shared).nth(1).is_some() {
            t.assumed.insert(Assumption::LeftToRight);
        }
    }
}

impl TemplateBuilder {
    /// Lets a piece of text be lowered again: its labels are new ones.
    fn forget_labels(&mut self, expr: &CExpr) {
        let frame = self.frame();
        walk_expr(expr, &mut |event| {
            if let Event::Label(label) = event {
                frame.labels.remove(&label);
            }
        });
    }

    /// The value of a scalar that was evaluated already.
    pub fn known(&self, expr: &CExpr) -> Option<Expr> {
        match self.frames.last()?.evaluated.0.get(&identity(expr))? {
            Known::Scalar(value) => Some(value.clone()),
            Known::Record(_) => None,
        }
    }

    /// Was it evaluated already?
    pub fn is_evaluated(&self, expr: &CExpr) -> bool {
        let frame = self.frames.last();
        frame.is_some_and(|frame| frame.evaluated.0.contains_key(&identity(expr)))
    }

    /// Where a record lies that was evaluated already.
    pub fn known_record(&self, expr: &CExpr) -> Option<Target> {
        match self.frames.last()?.evaluated.0.get(&identity(expr))? {
            Known::Record(target) => Some(target.clone()),
            Known::Scalar(_) => None,
        }
    }
}

fn condition_of(node: &CExpr) -> &CExpr {
    match &*node.kind {
        ExprKind::And(condition, _)
        | ExprKind::Or(condition, _)
        | ExprKind::Cond(condition, ..) => condition,
        _ => node,
    }
}

impl<'p, 'e> Exploration<'p, 'e> {
    fn new(plan: &'p Plan<'e>) -> Exploration<'p, 'e> {
        Exploration {
            plan,
            values: HashMap::new(),
            targets: HashMap::new(),
            old: HashMap::new(),
            new: HashMap::new(),
            temps: HashMap::new(),
            lowered: vec![false; plan.actions.len()],
        }
    }

    /// What is evaluated in a state.
    fn evaluated(&self, before: &Evaluated, state: &[Status]) -> Evaluated {
        let mut all = before.clone();
        for (number, action) in self.plan.actions.iter().enumerate() {
            if let (Status::Done, Some(value)) = (state[number], self.values.get(&number)) {
                all.0.insert(identity(action.node), value.clone());
            }
        }
        all
    }

    /// A temporary of an action, which is the same whenever it is lowered.
    fn temp(
        &mut self,
        t: &mut TemplateBuilder,
        action: usize,
        slot: usize,
        ty: Option<Type>,
    ) -> VarRef {
        let ty = ty.unwrap_or(Type::signed(32));
        *self.temps.entry((action, slot)).or_insert_with(|| t.temp(ty))
    }

    /// Puts the value of an action into its temporary.
    fn keep(&mut self, input: &Input, t: &mut TemplateBuilder, number: usize, value: Expr) {
        let ty = input.int_type(self.plan.actions[number].node);
        let temp = self.temp(t, number, 0, Some(ty));
        t.step(Expr::TRUE, vec![set(temp, value)]);
        self.values.insert(number, Known::Scalar(Expr::Var(temp)));
    }

    /// A target that stays where it is, whatever happens to the variables it was computed from.
    fn freeze(
        &mut self,
        input: &Input,
        t: &mut TemplateBuilder,
        number: usize,
        target: Target,
    ) -> Target {
        let node = identity(self.plan.actions[number].node);
        let mut slot = 0;
        let mut fix = |value: Expr, ty: Type| match value {
            Expr::Const(..) => value,
            value => {
                slot += 1;
                let temp = self.temp(t, number, slot, Some(ty));
                t.step(Expr::TRUE, vec![set(temp, value)]);
                Expr::Var(temp)
            }
        };
        let target = match target {
            Target::Spot(mut spot) => {
                for term in &mut spot.terms {
                    term.index = fix(term.index.clone(), term.ty);
                }
                Target::Spot(spot)
            }
            Target::Address { value, objects, shape } => {
                let value = fix(value, input.pointer_type());
                Target::Address { value, objects, shape }
            }
            Target::Nowhere => Target::Nowhere,
        };
        self.targets.insert(node, target.clone());
        target
    }

    /// Behaviour is undefined if an action accesses what a partner that is done has accessed.
    fn ask_partners(&self, memory: &mut Memory, state: &[Status], number: usize, target: &Target) {
        let action = &self.plan.actions[number];
        let Some(place) = action.place() else { return };
        for partner in &action.relations.partners {
            let other = &self.plan.actions[*partner];
            let theirs = self.targets.get(&identity(other.node)).cloned();
            let (Status::Done, Some(theirs), Some(their_place)) =
                (state[*partner], theirs, other.place())
            else {
                continue;
            };
            let meet = memory.overlap((place, target), (their_place, &theirs));
            if meet == Expr::FALSE {
                continue;
            }
            memory.t.require_or(Expr::negate(meet), LocKind::Undefined(Undefined::Unsequenced));
        }
    }
}

impl Facts {
    /// Takes back what was counted twice: it was all counted in `before`.
    fn count_once(&mut self, before: Facts) {
        self.spawned.extend(before.spawned);
        for (site, allocation) in before.heap {
            if let Some(again) = self.heap.get_mut(&site) {
                again.copies = allocation.copies;
            }
        }
    }
}
