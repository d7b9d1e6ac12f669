//! The evaluations that a full expression consists of, and which of them C orders.
//!
//! C11, 6.5: operands come before their operator, both sides of an assignment before its effect,
//! arguments with their effects before the call, and what stands before a sequence point before what
//! stands behind it. All else is in any order. Calls do not mix with one another nor with an
//! assignment `x op= y` (6.5.2.2, 6.5.16.2, 6.5.2.4).
//!
//! Two evaluations without order, one of which writes a scalar that the other accesses: undefined
//! behaviour (6.5, paragraph 2), unless one of them is inside a call. They are *partners*, and whether they meet is asked
//! where they run. If their order can be told apart in another way, they are *rivals*, and both orders are explored.
//! Evaluations that have neither rivals nor partners run where their value is needed.

use super::effects::{Effects, Rivalry, Root, Summaries, root};
use crate::hir::{Callee, Expr, ExprKind, InitEntry, Place, PlaceKind, Type};
use std::collections::BTreeSet;

/// What is done in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The value of a node, with all it does: a read, a call, an atomic update.
    Evaluate,
    /// Both sides of an assignment.
    Prepare,
    /// What `x op= y` reads of `x`.
    ReadOld,
    /// What `x op= y` will write to `x`.
    Compute,
    /// The effect of an assignment.
    Write,
    /// The decision of `&&`, `||` and `?:`.
    Branch,
    /// Their value.
    Meet,
    /// An element of an initialiser, with all it does.
    Element,
}

/// Something to do.
pub struct Action<'e> {
    pub node: &'e Expr,
    pub part: Part,
    effects: Effects,
    /// What comes before.
    pub after: BTreeSet<usize>,
    /// What comes before and is no part of it: it stands before a comma.
    behind: BTreeSet<usize>,
    /// The decisions on which it depends, and what they must be.
    pub inside: Vec<(usize, bool)>,
    /// Nothing of the surroundings happens meanwhile.
    pub is_call: bool,
    /// What a statement expression does, one by one.
    events: Vec<Effects>,
    /// What a statement expression does in no call and by no atomic access.
    plain: Effects,
    pub relations: Relations,
}

/// How an action stands to others that C does not order.
#[derive(Default)]
pub struct Relations {
    /// Both orders are to be explored.
    pub rivals: BTreeSet<usize>,
    /// They fail if we do not stop them before.
    pub hidden: BTreeSet<usize>,
    /// They must not access the same scalar.
    pub partners: BTreeSet<usize>,
}

/// What is to be done for a full expression in more than one order.
pub struct Plan<'e> {
    pub actions: Vec<Action<'e>>,
}

/// The orders of a full expression.
pub enum Orders<'e> {
    /// They cannot be told apart.
    One,
    Many(Plan<'e>),
    /// More than we tell apart.
    Unclear,
    /// More evaluations than [`MAX_ACTIONS`].
    TooMany,
}

/// So many evaluations of an expression are ordered at most: the time for more grows with their cube.
pub const MAX_ACTIONS: usize = 400;

/// The orders of a full expression.
pub fn of_expression<'e>(summaries: &Summaries, expr: &'e Expr) -> Orders<'e> {
    if !summaries.has_active_part(expr) {
        return Orders::One;
    }
    let mut planner = Planner::new(summaries);
    planner.value(expr);
    planner.finish()
}

/// The orders of the elements of an initialiser, which do not mix with one another.
pub fn of_elements<'e>(summaries: &Summaries, entries: &'e [InitEntry]) -> Orders<'e> {
    let mut planner = Planner::new(summaries);
    if !entries.iter().any(|entry| summaries.whole(&entry.value).is_active()) {
        return Orders::One;
    }
    for entry in entries.iter().filter(|entry| !matches!(*entry.value.kind, ExprKind::Const(_))) {
        if planner.actions.len() > MAX_ACTIONS {
            break;
        }
        let effects = summaries.whole(&entry.value);
        let number = planner.action(&entry.value, Part::Element, effects, &Done::default());
        planner.actions[number].is_call = true;
    }
    planner.finish()
}

/// Are there two plain accesses to shared memory in an expression that C does not order?
pub fn has_unordered_accesses(summaries: &Summaries, expr: &Expr) -> bool {
    let mut planner = Planner::new(summaries);
    planner.value(expr);
    let actions = 0..planner.actions.len();
    let is_plainly_shared =
        |number: &usize| summaries.is_plainly_shared(&planner.actions[*number].effects);
    let shared: Vec<usize> = actions.filter(is_plainly_shared).collect();
    let mut later = shared.iter();
    shared.iter().any(|first| {
        later.next();
        later.clone().any(|second| planner.are_unordered(*first, *second))
    })
}

/// Evaluations of a part of an expression: those that its value needs, and all.
#[derive(Clone, Default)]
struct Done {
    value: BTreeSet<usize>,
    all: BTreeSet<usize>,
}

impl Done {
    fn and(mut self, other: Done) -> Done {
        self.value.extend(other.value);
        self.all.extend(other.all);
        self
    }

    /// Then this action, which gives the value.
    fn then(mut self, action: usize) -> Done {
        self.value.insert(action);
        self.all.insert(action);
        self
    }

    /// With all effects.
    fn complete(mut self) -> Done {
        self.value.extend(&self.all);
        self
    }
}

struct Planner<'s, 'a, 'e> {
    summaries: &'s Summaries<'a>,
    actions: Vec<Action<'e>>,
    /// What lies before the last sequence point.
    after: BTreeSet<usize>,
    /// What stands before a comma behind which we are.
    behind: BTreeSet<usize>,
    inside: Vec<(usize, bool)>,
}

impl<'s, 'a, 'e> Planner<'s, 'a, 'e> {
    fn new(summaries: &'s Summaries<'a>) -> Self {
        let (after, behind) = (BTreeSet::new(), BTreeSet::new());
        Planner { summaries, actions: vec![], after, behind, inside: vec![] }
    }

    fn action(&mut self, node: &'e Expr, part: Part, effects: Effects, before: &Done) -> usize {
        if self.actions.len() > MAX_ACTIONS {
            return MAX_ACTIONS; // There will be no plan.
        }
        let mut after = BTreeSet::new();
        for earlier in before.value.iter().chain(&self.after) {
            after.insert(*earlier);
            after.extend(&self.actions[*earlier].after);
        }
        self.actions.push(Action {
            node,
            part,
            effects,
            after,
            behind: self.behind.clone(),
            inside: self.inside.clone(),
            is_call: false,
            events: vec![],
            plain: Effects::default(),
            relations: Relations::default(),
        });
        self.actions.len() - 1
    }

    fn value(&mut self, expr: &'e Expr) -> Done {
        match &*expr.kind {
            ExprKind::Const(_) | ExprKind::FunctionAddr(_) | ExprKind::Unsupported(_) => {
                Done::default()
            }
            ExprKind::Load(place) => self.load(expr, place),
            ExprKind::AddrOf(place) => self.place(place),
            ExprKind::Cast(inner) => match &*inner.kind {
                // What an allocation is for says the cast.
                ExprKind::Call(callee, args) => self.call(expr, inner, callee, args),
                _ => self.value(inner),
            },
            ExprKind::Unary(_, operand) => {
                let before = self.value(operand);
                self.computed(expr, before)
            }
            ExprKind::Binary(_, left, right) => {
                let before = self.value(left).and(self.value(right));
                self.computed(expr, before)
            }
            ExprKind::PtrAdd(left, right, _) | ExprKind::PtrDiff(left, right, _) => {
                self.value(left).and(self.value(right))
            }
            ExprKind::And(left, right) => self.choice(expr, left, &[(true, right)]),
            ExprKind::Or(left, right) => self.choice(expr, left, &[(false, right)]),
            ExprKind::Cond(condition, then, otherwise) => {
                self.choice(expr, condition, &[(true, then), (false, otherwise)])
            }
            ExprKind::Assign(place, value) => self.assign(expr, place, value),
            ExprKind::AssignOp { place, operand, .. } => self.update(expr, place, operand),
            ExprKind::Call(callee, args) => self.call(expr, expr, callee, args),
            ExprKind::Comma(first, second) => {
                let first = self.value(first);
                let before = (self.after.clone(), self.behind.clone());
                self.after.extend(&first.all);
                self.behind.extend(&first.all);
                let second = self.value(second);
                (self.after, self.behind) = before;
                Done { value: &first.all | &second.value, all: &first.all | &second.all }
            }
            ExprKind::Stmt(..) => {
                let effects = self.summaries.whole(expr);
                let number = self.action(expr, Part::Evaluate, effects, &Done::default());
                let action = &mut self.actions[number];
                action.is_call = true;
                for (event, is_plain) in self.summaries.events(expr) {
                    if is_plain {
                        action.plain.add(&event);
                    }
                    action.events.push(event);
                }
                Done::default().then(number)
            }
        }
    }

    /// Arithmetic that may fail.
    fn computed(&mut self, expr: &'e Expr, before: Done) -> Done {
        let effects = self.summaries.of(expr);
        if !effects.fails {
            return before;
        }
        let number = self.action(expr, Part::Evaluate, effects, &before);
        before.then(number)
    }

    fn load(&mut self, expr: &'e Expr, place: &'e Place) -> Done {
        let before = self.place(place);
        if let Root::Temporary = root(place) {
            return before;
        }
        let number = self.action(expr, Part::Evaluate, self.summaries.of(expr), &before);
        before.then(number)
    }

    /// What has to be evaluated to know where a place lies.
    fn place(&mut self, place: &'e Place) -> Done {
        match &place.kind {
            PlaceKind::Var(_) => Done::default(),
            PlaceKind::Field(base, _) => self.place(base),
            PlaceKind::Index(base, index, _) => self.place(base).and(self.value(index)),
            PlaceKind::Temporary(value) => self.value(value),
            PlaceKind::Deref(pointer) => match &*pointer.kind {
                ExprKind::AddrOf(inner) => self.place(inner),
                _ => self.value(pointer),
            },
        }
    }

    fn call(
        &mut self,
        node: &'e Expr,
        call: &'e Expr,
        callee: &'e Callee,
        args: &'e [Expr],
    ) -> Done {
        let mut before = match callee {
            Callee::Direct(_) => Done::default(),
            Callee::Pointer(pointer) => self.value(pointer),
        };
        for arg in args {
            before = before.and(self.value(arg));
        }
        let before = before.complete();
        let number = self.action(node, Part::Evaluate, self.summaries.of(call), &before);
        self.actions[number].is_call = true;
        Done { value: BTreeSet::from([number]), all: before.then(number).all }
    }

    fn assign(&mut self, expr: &'e Expr, place: &'e Place, value: &'e Expr) -> Done {
        let before = self.place(place).and(self.value(value));
        let prepared = self.action(expr, Part::Prepare, Effects::default(), &before);
        let before = before.then(prepared);
        let write = self.action(expr, Part::Write, self.summaries.of(expr), &before);
        let done = before.clone().then(write);
        match self.is_record(expr) {
            // Its value is what lies there then.
            true => done,
            false => Done { value: before.value, all: done.all },
        }
    }

    fn update(&mut self, expr: &'e Expr, place: &'e Place, operand: &'e Expr) -> Done {
        let target = self.place(place);
        if matches!(self.summaries.unit.types.get(place.ty), Type::Atomic(_)) {
            let before = target.and(self.value(operand));
            let number = self.action(expr, Part::Evaluate, self.summaries.of(expr), &before);
            return before.then(number);
        }
        let (mut reads, mut writes) = (Effects::default(), Effects::default());
        self.summaries.read(place, &|_| false, &mut reads);
        self.summaries.write(place, &|_| false, &mut writes);
        let operand = self.value(operand);
        let calls = self.calls_of(&operand, &reads);
        let read = self.action(expr, Part::ReadOld, reads, &target);
        // Behind the calls, but not behind what stands before them: that is without order.
        if let Some(read) = self.actions.get_mut(read) {
            read.after.extend(&calls);
            read.behind.extend(calls);
        }
        let before = target.then(read).and(operand);
        let fails = Effects { fails: true, ..Effects::default() };
        let computed = self.action(expr, Part::Compute, fails, &before);
        let before = before.then(computed);
        let write = self.action(expr, Part::Write, writes, &before);
        Done { all: before.clone().then(write).all, value: before.value }
    }

    /// The calls in the right side of `x op= y`. None comes between the read of `x` and its write (6.5.16.2, 3: the operation is a
    /// single evaluation), and the write needs their values: so the read comes behind them. What a statement expression does to `x` itself is no call.
    fn calls_of(&self, operand: &Done, read: &Effects) -> BTreeSet<usize> {
        let is_call = |action: &Action| action.is_call && !action.plain.meets(read);
        let is_call = |one: &&usize| self.actions.get(**one).is_some_and(is_call);
        operand.all.iter().filter(is_call).copied().collect()
    }

    fn choice(&mut self, expr: &'e Expr, condition: &'e Expr, ways: &[(bool, &'e Expr)]) -> Done {
        let condition = self.value(condition).complete();
        let branch = self.action(expr, Part::Branch, Effects::default(), &condition);
        let sequence_point = self.after.clone();
        self.after.extend(&condition.all);
        self.after.insert(branch);
        let mut done = Done::default();
        for (when, way) in ways {
            self.inside.push((branch, *when));
            done = done.and(self.value(way));
            self.inside.pop();
        }
        self.after = sequence_point;
        let needed = if self.is_void(expr) { done.clone().complete() } else { done.clone() };
        let meet = self.action(expr, Part::Meet, Effects::default(), &needed.then(branch));
        let all = &(&condition.all | &done.all) | &BTreeSet::from([branch, meet]);
        Done { value: BTreeSet::from([meet]), all }
    }

    fn is_record(&self, expr: &Expr) -> bool {
        let types = &self.summaries.unit.types;
        matches!(types.get(types.unatomic(expr.ty)), Type::Record(_))
    }

    fn is_void(&self, expr: &Expr) -> bool {
        *self.summaries.unit.types.get(expr.ty) == Type::Void
    }
}

impl<'e> Planner<'_, '_, 'e> {
    fn finish(mut self) -> Orders<'e> {
        let count = self.actions.len();
        if count > MAX_ACTIONS {
            return Orders::TooMany;
        }
        for first in 0..count {
            for second in first + 1..count {
                let active =
                    [first, second].iter().any(|one| self.actions[*one].effects.is_active());
                if active && self.are_unordered(first, second) && !self.relate(first, second) {
                    return Orders::Unclear;
                }
            }
        }
        let relevant = self.relevant();
        if relevant.is_empty() {
            return Orders::One;
        }
        self.keep_updates_whole();
        Orders::Many(self.plan(&relevant))
    }

    fn are_unordered(&self, first: usize, second: usize) -> bool {
        let (a, b) = (&self.actions[first], &self.actions[second]);
        let exclusive = a.inside.iter().any(|(branch, when)| b.inside.contains(&(*branch, !when)));
        !exclusive && !b.after.contains(&first) && !a.after.contains(&second)
    }

    /// Notes how two actions without order stand to each other; false if that is not clear.
    fn relate(&mut self, first: usize, second: usize) -> bool {
        let (a, b) = (&self.actions[first], &self.actions[second]);
        // A statement expression is an operand as others are: C has no order for what both do by themselves.
        let has_statements = !a.events.is_empty() || !b.events.is_empty();
        if has_statements && a.plain().zip(b.plain()).is_some_and(|(a, b)| a.meets(b)) {
            return false;
        }
        let mut same_memory = a.effects.meets(&b.effects);
        let mut partners = false;
        if let (true, false, false, Some(left), Some(right)) =
            (same_memory, a.is_call, b.is_call, a.place(), b.place())
        {
            partners = self.summaries.may_overlap(left, right);
            // Where they do not meet, their order is all the same.
            same_memory = false;
        }
        let rivalry = self.summaries.rivalry(&a.effects, &b.effects, same_memory);
        if rivalry == Some(Rivalry::Order) && !(self.is_single(a, b) && self.is_single(b, a)) {
            return false;
        }
        for (one, other, hides) in
            [(first, second, Rivalry::FailsSecond), (second, first, Rivalry::FailsFirst)]
        {
            let relations = &mut self.actions[one].relations;
            if partners {
                relations.partners.insert(other);
            }
            if rivalry == Some(Rivalry::Order) {
                relations.rivals.insert(other);
            }
            if rivalry == Some(hides) {
                relations.hidden.insert(other);
            }
        }
        true
    }

    /// Is an action one event for another one? Of a statement expression at most one event may count:
    /// something could come between two.
    fn is_single(&self, action: &Action, other: &Action) -> bool {
        let counts = |event: &&Effects| {
            let same_memory = event.meets(&other.effects);
            self.summaries.rivalry(event, &other.effects, same_memory) == Some(Rivalry::Order)
        };
        action.events.iter().filter(counts).count() <= 1
    }

    /// The actions that take part in more than one order, with what they need to be actions.
    fn relevant(&self) -> BTreeSet<usize> {
        let has_relations = |action: &Action| {
            let Relations { rivals, hidden, partners } = &action.relations;
            !rivals.is_empty() || !hidden.is_empty() || !partners.is_empty()
        };
        let mut relevant: BTreeSet<usize> =
            (0..self.actions.len()).filter(|one| has_relations(&self.actions[*one])).collect();
        for action in &self.actions {
            relevant.extend(&action.relations.hidden);
        }
        loop {
            let count = relevant.len();
            for one in relevant.clone() {
                relevant.extend(&self.actions[one].behind);
                relevant.extend(self.actions[one].inside.iter().map(|(branch, _)| branch));
            }
            let nodes: Vec<&Expr> = relevant.iter().map(|one| self.actions[*one].node).collect();
            let has_node =
                |one: &usize| nodes.iter().any(|node| std::ptr::eq(*node, self.actions[*one].node));
            relevant.extend((0..self.actions.len()).filter(has_node));
            if relevant.len() == count {
                return relevant;
            }
        }
    }

    /// No call comes between the read and the write of `x op= y`: what the write has to beware
    /// of, the read has to, too.
    fn keep_updates_whole(&mut self) {
        for write in 0..self.actions.len() {
            let node = self.actions[write].node as *const Expr;
            let is_read = |one: &Action| one.part == Part::ReadOld && std::ptr::eq(one.node, node);
            let Some(read) = self.actions.iter().position(is_read) else { continue };
            if self.actions[write].part != Part::Write {
                continue;
            }
            let mut calls = self.actions[write].relations.rivals.clone();
            calls.retain(|rival| self.actions[*rival].is_call);
            for call in calls {
                self.actions[read].relations.rivals.insert(call);
                self.actions[call].relations.rivals.insert(read);
            }
        }
    }

    /// The actions that count, numbered anew.
    fn plan(self, relevant: &BTreeSet<usize>) -> Plan<'e> {
        let number = |one: &usize| relevant.iter().position(|other| other == one);
        let renumber =
            |set: &BTreeSet<usize>| -> BTreeSet<usize> { set.iter().filter_map(number).collect() };
        let keep = |(one, action): (usize, Action<'e>)| {
            relevant.contains(&one).then(|| Action {
                after: renumber(&action.after),
                inside: action
                    .inside
                    .iter()
                    .filter_map(|(branch, when)| Some((number(branch)?, *when)))
                    .collect(),
                relations: Relations {
                    rivals: renumber(&action.relations.rivals),
                    hidden: renumber(&action.relations.hidden),
                    partners: renumber(&action.relations.partners),
                },
                ..action
            })
        };
        Plan { actions: self.actions.into_iter().enumerate().filter_map(keep).collect() }
    }
}

impl Action<'_> {
    /// The place that it accesses itself.
    pub fn place(&self) -> Option<&Place> {
        match (&*self.node.kind, self.part) {
            (ExprKind::Load(place), Part::Evaluate)
            | (ExprKind::Assign(place, _), Part::Write)
            | (ExprKind::AssignOp { place, .. }, Part::Evaluate | Part::ReadOld | Part::Write) => {
                Some(place)
            }
            _ => None,
        }
    }

    /// What it does by itself, in no call and by no atomic access.
    fn plain(&self) -> Option<&Effects> {
        match (&*self.node.kind, self.is_call || self.effects.synchronises) {
            (ExprKind::Stmt(..), _) => Some(&self.plain),
            (_, true) => None,
            (_, false) => Some(&self.effects),
        }
    }
}
