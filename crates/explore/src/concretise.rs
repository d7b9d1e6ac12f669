//! Values for the open places of a sketch, so that it becomes a witness.
//!
//! The sketch is replayed by `ccfa::semantics` with `ANY` in its open places,
//! and of each cell we keep on which of them it depends. Where a condition is
//! `ANY`, a value for one of them is chosen, first such that turn a
//! comparison in the condition around (`x + 1 < 7` suggests 6, 5 and 7 for
//! `x`), then the constants of the program, their neighbours and the bounds of
//! the type; then the sketch is replayed again. Dead ends go back to the last
//! choice. What comes out is replayed once more with all its values, so a wrong
//! guess here can cost an answer, never make a wrong one.

use crate::trace::{Blank, Sketch};
use ccfa::semantics::{ANY, State, System, Value};
use ccfa::{Assign, BinOp, Edge, Expr, LocKind, Place, Rhs, Type, UnOp, VarRef};
use evidence::Witness;
use std::collections::BTreeSet;
use std::ops::Range;

/// Steps spent on one sketch: most have values near the beginning, or none.
const MAX_SKETCH_STEPS: usize = 100_000;

/// A witness along this sketch, if values are found. Steps are paid from `fuel`.
pub(crate) fn concretise(system: &System, sketch: &Sketch, fuel: &mut usize) -> Option<Witness> {
    let blanks = sketch.initial.iter().chain(sketch.steps.iter().flat_map(|step| &step.havoc));
    let types: Vec<Type> =
        blanks.filter(|blank| blank.value.is_none()).map(|blank| blank.ty).collect();
    let constants = constants(system);
    let values = vec![ANY; types.len()];
    let most = MAX_SKETCH_STEPS.min(*fuel);
    let mut solver = Solver { system, sketch, types, values, constants, fuel: most };
    let witness = solver.solve();
    *fuel -= most - solver.fuel;
    witness
}

/// On which open places, by number, a cell depends.
type Cause = BTreeSet<usize>;

struct Solver<'a> {
    system: &'a System<'a>,
    sketch: &'a Sketch,
    types: Vec<Type>,
    /// The values chosen so far.
    values: Vec<Value>,
    constants: BTreeSet<i128>,
    fuel: usize,
}

/// A replay under way: a state and, for each cell, why it is what it is.
struct Replay {
    state: State,
    causes: Vec<Cause>,
    /// The cell holds the value of this open place, unchanged.
    copies: Vec<Option<usize>>,
    /// The next open place.
    next: usize,
}

/// How a replay went.
enum Replayed {
    Through,
    Blocked,
    /// A condition depends on open places: what to try, in order.
    Open(Vec<(usize, i128)>),
}

impl Solver<'_> {
    fn solve(&mut self) -> Option<Witness> {
        let cost = (self.sketch.steps.len() + 1).min(self.fuel);
        self.fuel -= cost;
        if self.fuel == 0 {
            return None;
        }
        match self.replay() {
            Replayed::Blocked => None,
            Replayed::Through => self.finish(),
            Replayed::Open(suggestions) => suggestions.into_iter().find_map(|(place, value)| {
                self.values[place] = Some(value);
                let solved = self.solve();
                self.values[place] = ANY;
                solved
            }),
        }
    }

    /// No condition depends on the places that are still open: any value will do.
    fn finish(&self) -> Option<Witness> {
        let value = |(value, ty): (&Value, &Type)| value.or_else(|| ty.contains(0).then_some(0));
        let mut values = self.values.iter().zip(&self.types).map(value);
        let witness = self.sketch.fill(|| values.next().flatten())?;
        is_real(self.system, &witness).then_some(witness)
    }

    fn replay(&self) -> Replayed {
        let mut replay = self.start();
        if let Some(condition) = &self.system.program.initial
            && let Some(end) = self.decide(&replay, 0, condition)
        {
            return end;
        }
        for step in &self.sketch.steps {
            let edge = &self.system.template(step.instance).edges[step.edge.index()];
            if let Some(end) = self.decide(&replay, step.instance, &edge.guard) {
                return end;
            }
            if self.advance(&mut replay, step.instance, edge, &step.havoc).is_none() {
                return Replayed::Blocked;
            }
        }
        Replayed::Through
    }

    fn start(&self) -> Replay {
        let state = self.system.initial();
        let cells = state.cells.len();
        let (causes, copies) = (vec![Cause::new(); cells], vec![None; cells]);
        let mut replay = Replay { state, causes, copies, next: 0 };
        let mut blanks = self.sketch.initial.iter();
        for cell in 0..cells {
            if replay.state.cells[cell] == ANY {
                let blank = blanks.next().expect("a blank for each arbitrary cell");
                let (value, place) = self.value(blank, &mut replay.next);
                replay.state.cells[cell] = value;
                replay.copies[cell] = place;
                replay.causes[cell] = place.into_iter().collect();
            }
        }
        replay
    }

    /// The value of a blank, and the number of its open place if it has one.
    fn value(&self, blank: &Blank, next: &mut usize) -> (Value, Option<usize>) {
        if blank.value.is_some() {
            return (blank.value, None);
        }
        *next += 1;
        (self.values[*next - 1], Some(*next - 1))
    }

    /// `None` if the condition is true as far as can be seen.
    fn decide(&self, replay: &Replay, instance: usize, condition: &Expr) -> Option<Replayed> {
        match self.system.eval(&replay.state, instance, condition) {
            Err(_) | Ok(Some(0)) => Some(Replayed::Blocked),
            Ok(Some(_)) => None,
            Ok(ANY) => Some(Replayed::Open(self.suggest(replay, instance, condition))),
        }
    }

    /// Takes a step; `None` if it cannot be taken.
    fn advance(
        &self,
        replay: &mut Replay,
        instance: usize,
        edge: &Edge,
        havoc: &[Blank],
    ) -> Option<()> {
        let mut taken = Vec::new();
        let mut blanks = havoc.iter();
        let mut next = replay.next;
        let state = self.system.step(&replay.state, instance, edge, &mut |_| {
            let (value, place) = self.value(blanks.next()?, &mut next);
            taken.push(place);
            value
        })?;
        let mut taken = taken.into_iter();
        let (causes, copies) = (replay.causes.clone(), replay.copies.clone());
        for assign in &edge.assigns {
            let cause = self.cause_of_assignment(&causes, instance, assign);
            for cell in self.written(&replay.state, instance, &assign.place) {
                let copy = match &assign.value {
                    Rhs::Havoc => taken.next().flatten(),
                    Rhs::Expr(Expr::Var(from)) => copies[self.system.offset(instance, *from)],
                    Rhs::Expr(_) => None,
                };
                replay.copies[cell] = copy;
                replay.causes[cell] = cause.iter().copied().chain(copy).collect();
            }
        }
        replay.state = state;
        replay.next = next;
        Some(())
    }

    /// The cells that an assignment may write.
    fn written(&self, state: &State, instance: usize, place: &Place) -> Range<usize> {
        let (Place::Var(var) | Place::Element(var, _)) = place;
        let cells = self.cells(instance, *var);
        match place {
            Place::Var(_) => cells,
            Place::Element(_, index) => match self.system.eval(state, instance, index) {
                Ok(Some(index)) => cells.start + index as usize..cells.start + index as usize + 1,
                _ => cells,
            },
        }
    }

    fn cause_of_assignment(&self, causes: &[Cause], instance: usize, assign: &Assign) -> Cause {
        let mut cause = Cause::new();
        if let Rhs::Expr(value) = &assign.value {
            self.causes_of(causes, instance, value, &mut cause);
        }
        if let Place::Element(_, index) = &assign.place {
            self.causes_of(causes, instance, index, &mut cause);
        }
        cause
    }

    fn cells(&self, instance: usize, var: VarRef) -> Range<usize> {
        let first = self.system.offset(instance, var);
        first..first + self.system.var(instance, var).cells()
    }

    fn causes_of(&self, causes: &[Cause], instance: usize, expr: &Expr, into: &mut Cause) {
        expr.walk(&mut |part| {
            if let Expr::Var(var) | Expr::Index(var, _) = part {
                into.extend(causes[self.cells(instance, *var)].iter().flatten());
            }
        });
    }

    /// Values for open places on which a condition depends, the best first.
    fn suggest(&self, replay: &Replay, instance: usize, condition: &Expr) -> Vec<(usize, i128)> {
        let mut suggestions = Vec::new();
        let view = ConditionAt { solver: self, replay, instance };
        condition.walk(&mut |part| view.turn_around(part, &mut suggestions));
        let mut cause = Cause::new();
        self.causes_of(&replay.causes, instance, condition, &mut cause);
        for place in cause.into_iter().rev() {
            let bounds = self.types[place].bounds().map(|(low, high)| [low, high]);
            let values = self.constants.iter().copied().chain(bounds.into_iter().flatten());
            suggestions.extend(values.map(|value| (place, value)));
        }
        let mut seen = BTreeSet::new();
        suggestions.retain(|&(place, value)| {
            self.values[place] == ANY
                && self.types[place].contains(value)
                && seen.insert((place, value))
        });
        suggestions
    }
}

/// A condition in a state.
struct ConditionAt<'a> {
    solver: &'a Solver<'a>,
    replay: &'a Replay,
    instance: usize,
}

impl ConditionAt<'_> {
    fn eval(&self, expr: &Expr) -> Value {
        self.solver.system.eval(&self.replay.state, self.instance, expr).ok().flatten()
    }

    /// Suggests what makes a comparison true or false.
    fn turn_around(&self, part: &Expr, suggestions: &mut Vec<(usize, i128)>) {
        let Expr::Binary(BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le, left, right) = part else {
            return;
        };
        let (open, goal) = match (self.eval(left), self.eval(right)) {
            (ANY, Some(goal)) => (left, goal),
            (Some(goal), ANY) => (right, goal),
            _ => return,
        };
        for goal in [goal, goal.saturating_sub(1), goal.saturating_add(1)] {
            suggestions.extend(self.invert(open, goal));
        }
    }

    /// Which value of an open place makes `expr` equal to `goal`?
    fn invert(&self, expr: &Expr, goal: i128) -> Option<(usize, i128)> {
        match expr {
            Expr::Var(var) => {
                let cell = self.solver.system.offset(self.instance, *var);
                Some((self.replay.copies[cell]?, goal))
            }
            Expr::Index(var, index) => {
                let cells = self.solver.cells(self.instance, *var);
                let index = usize::try_from(self.eval(index)?).ok()?;
                let cell = Some(cells.start + index).filter(|cell| cells.contains(cell))?;
                Some((self.replay.copies[cell]?, goal))
            }
            Expr::Cast(_, operand) => self.invert(operand, goal),
            Expr::Unary(UnOp::Neg, operand) => self.invert(operand, goal.checked_neg()?),
            Expr::Unary(UnOp::BitNot, operand) => self.invert(operand, !goal),
            Expr::Unary(UnOp::Not, operand) => self.invert(operand, 1 - goal),
            Expr::Binary(op, left, right) => match (op, self.eval(left), self.eval(right)) {
                (BinOp::Add, ANY, Some(known)) => self.invert(left, goal.checked_sub(known)?),
                (BinOp::Add, Some(known), ANY) => self.invert(right, goal.checked_sub(known)?),
                (BinOp::Sub, ANY, Some(known)) => self.invert(left, goal.checked_add(known)?),
                (BinOp::Sub, Some(known), ANY) => self.invert(right, known.checked_sub(goal)?),
                (BinOp::Mul, ANY, Some(known)) => self.invert(left, goal.checked_div(known)?),
                (BinOp::Mul, Some(known), ANY) => self.invert(right, goal.checked_div(known)?),
                (BinOp::Div, ANY, Some(known)) => self.invert(left, goal.checked_mul(known)?),
                (BinOp::BitXor, ANY, Some(known)) => self.invert(left, goal ^ known),
                (BinOp::Rem | BinOp::BitAnd | BinOp::BitOr, ANY, Some(_)) => {
                    self.invert(left, goal)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Does the witness, replayed with all its values, end in an error?
fn is_real(system: &System, witness: &Witness) -> bool {
    let mut state = system.initial();
    let arbitrary = state.cells.iter_mut().filter(|cell| **cell == ANY);
    for (cell, value) in arbitrary.zip(&witness.initial) {
        *cell = Some(*value);
    }
    if !system.instances.is_empty() && !system.may_be_initial(&state) {
        return false;
    }
    for step in &witness.steps {
        let edge = &system.template(step.instance).edges[step.edge.index()];
        let mut values = step.havoc.iter().copied();
        match system.step(&state, step.instance, edge, &mut |_| values.next()) {
            Some(next) if next.cells.iter().all(Option::is_some) => state = next,
            _ => return false,
        }
    }
    let ends = |instance| system.location(&state, instance).kind != LocKind::Plain;
    (0..system.instances.len()).any(ends) || system.bad(&state).is_some()
}

/// The constants of the program, and their neighbours.
pub(crate) fn constants(system: &System) -> BTreeSet<i128> {
    let mut constants = BTreeSet::from([-1, 0, 1]);
    let mut add = |expr: &Expr| {
        expr.walk(&mut |part| {
            if let Expr::Const(value, _) = part {
                constants.extend([value.saturating_sub(1), *value, value.saturating_add(1)]);
            }
        });
    };
    system.program.initial.iter().for_each(&mut add);
    for edge in system.program.templates.iter().flat_map(|template| &template.edges) {
        add(&edge.guard);
        for assign in &edge.assigns {
            if let Rhs::Expr(value) = &assign.value {
                add(value);
            }
        }
    }
    constants
}
