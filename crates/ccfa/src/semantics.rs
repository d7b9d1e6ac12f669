//! What programs do: states, and the steps between them. **Trusted.**
//!
//! A cell of a state holds a value or [`ANY`]: "some value of its type, we do
//! not say which". A state without `ANY` is concrete, and on concrete states
//! everything here is exact. A state with `ANY` stands for all concrete states
//! that agree with it elsewhere, and a step on it covers every step of each of
//! those: an expression that depends on `ANY` is `ANY`, a guard that is `ANY`
//! may be true. So a set of states that is closed under [`System::step`]
//! contains every reachable state, with or without `ANY`.
//!
//! A thread whose current location is atomic is the only one that may move.

use crate::expr::{BinOp, Expr, Type, UnOp};
use crate::program::{
    Arg, Edge, Init, Instance, LocId, Place, Program, Rhs, Template, Var, VarRef,
};
use std::ops::Range;

/// What a cell holds: a value of its type or [`ANY`].
pub type Value = Option<i128>;

/// An unspecified value.
pub const ANY: Value = None;

/// A state: where each instance is and what each cell holds. `cells` begins
/// with the shared variables, then come the locals of each instance.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The location of each instance.
    pub locations: Vec<LocId>,
    /// The cells.
    pub cells: Vec<Value>,
}

/// A program with a fixed number of instances, and where their variables lie.
#[derive(Clone, Debug)]
pub struct System<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its instances.
    pub instances: Vec<Instance>,
    shared_offsets: Vec<usize>,
    local_offsets: Vec<Vec<usize>>,
    cells: usize,
}

/// An expression has no defined value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoValue;

impl<'p> System<'p> {
    /// Lays out the program with so many instances of each `Count::Any` thread.
    pub fn new(program: &'p Program, instances: u32) -> System<'p> {
        let instances = program.instances(instances);
        let mut cells = 0;
        let shared_offsets = offsets(&program.shared, &mut cells);
        let local_offsets = instances
            .iter()
            .map(|instance| offsets(&program.template_of(instance.thread).locals, &mut cells))
            .collect();
        System { program, instances, shared_offsets, local_offsets, cells }
    }

    /// How many cells a state has.
    pub fn cell_count(&self) -> usize {
        self.cells
    }

    /// The template an instance runs.
    pub fn template(&self, instance: usize) -> &'p Template {
        self.program.template_of(self.instances[instance].thread)
    }

    /// The declaration of a variable as seen by an instance.
    pub fn var(&self, instance: usize, var: VarRef) -> &'p Var {
        match var {
            VarRef::Shared(id) => &self.program.shared[id.index()],
            VarRef::Local(id) => &self.template(instance).locals[id.index()],
        }
    }

    /// The first cell of a variable as seen by an instance.
    pub fn offset(&self, instance: usize, var: VarRef) -> usize {
        match var {
            VarRef::Shared(id) => self.shared_offsets[id.index()],
            VarRef::Local(id) => self.local_offsets[instance][id.index()],
        }
    }

    /// The cells of a variable as seen by an instance.
    pub fn cells_of(&self, instance: usize, var: VarRef) -> Range<usize> {
        let first = self.offset(instance, var);
        first..first + self.var(instance, var).cells()
    }

    /// The initial state; what may be anything is [`ANY`]. `Program::initial`
    /// is not looked at: see [`System::may_be_initial`].
    pub fn initial(&self) -> State {
        let mut cells = vec![ANY; self.cells];
        for (var, offset) in self.program.shared.iter().zip(&self.shared_offsets) {
            initialise(var, &[], &mut cells[*offset..]);
        }
        for (instance, offsets) in self.local_offsets.iter().enumerate() {
            let args = self.arguments(instance);
            for (var, offset) in self.template(instance).locals.iter().zip(offsets) {
                initialise(var, &args, &mut cells[*offset..]);
            }
        }
        let entry = |instance| self.template(instance).entry;
        State { locations: (0..self.instances.len()).map(entry).collect(), cells }
    }

    /// Can `Program::initial` hold in this state? Exact on concrete states.
    pub fn may_be_initial(&self, state: &State) -> bool {
        match &self.program.initial {
            None => true,
            Some(condition) => !matches!(self.eval(state, 0, condition), Ok(Some(0)) | Err(_)),
        }
    }

    fn arguments(&self, instance: usize) -> Vec<i128> {
        let Instance { thread, index } = self.instances[instance];
        let value = |arg: &Arg| match arg {
            Arg::Value(value) => *value,
            Arg::Index(base) => base + i128::from(index),
        };
        self.program.threads[thread.index()].args.iter().map(value).collect()
    }

    /// The instance that alone may move, if one is at an atomic location.
    pub fn atomic_instance(&self, state: &State) -> Option<usize> {
        (0..self.instances.len())
            .find(|&i| self.template(i).locations[state.locations[i].index()].atomic)
    }

    /// May this instance move at all (whatever its guards say)?
    pub fn may_move(&self, state: &State, instance: usize) -> bool {
        self.atomic_instance(state).is_none_or(|only| only == instance)
    }

    /// The state after `edge` of `instance`, or `None` if the edge is not
    /// enabled. `havoc` gives the value of each arbitrary cell in the order in
    /// which they are written; `ANY` is a fine answer.
    ///
    /// The caller has seen to [`System::may_move`] and that the instance is at
    /// the source of the edge.
    pub fn step(
        &self,
        state: &State,
        instance: usize,
        edge: &Edge,
        havoc: &mut impl FnMut(Type) -> Value,
    ) -> Option<State> {
        if matches!(self.eval(state, instance, &edge.guard), Err(_) | Ok(Some(0))) {
            return None;
        }
        let mut next = state.clone();
        for assign in &edge.assigns {
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            let (ty, cells) = (self.var(instance, *var).ty, self.cells_of(instance, *var));
            match (&assign.place, &assign.value) {
                (Place::Var(_), Rhs::Havoc) => {
                    next.cells[cells].iter_mut().for_each(|cell| *cell = havoc(ty));
                }
                (Place::Var(_), Rhs::Expr(value)) => {
                    next.cells[cells.start] = self.eval(state, instance, value).ok()?;
                }
                (Place::Element(_, index), rhs) => {
                    let value = match rhs {
                        Rhs::Havoc => havoc(ty),
                        Rhs::Expr(value) => self.eval(state, instance, value).ok()?,
                    };
                    let index = self.eval(state, instance, index).ok()?;
                    write_element(&mut next.cells[cells], index, value).ok()?;
                }
            }
        }
        next.locations[instance] = edge.target;
        Some(next)
    }

    /// The value of an expression as seen by an instance. `Ok(ANY)` on a state
    /// with `ANY` may also stand for an undefined value.
    pub fn eval(&self, state: &State, instance: usize, expr: &Expr) -> Result<Value, NoValue> {
        let eval = |part: &Expr| self.eval(state, instance, part);
        match expr {
            Expr::Const(value, _) => Ok(Some(*value)),
            Expr::Var(var) => Ok(state.cells[self.offset(instance, *var)]),
            Expr::Index(var, index) => {
                let cells = &state.cells[self.cells_of(instance, *var)];
                match eval(index)? {
                    ANY => Ok(ANY),
                    Some(index) => {
                        let index = usize::try_from(index).map_err(|_| NoValue)?;
                        cells.get(index).copied().ok_or(NoValue)
                    }
                }
            }
            Expr::Unary(op, operand) => {
                let ty = self.ty(instance, operand);
                match eval(operand)? {
                    Some(value) => unary(*op, ty, value),
                    ANY => Ok(ANY),
                }
            }
            Expr::Cast(ty, operand) => Ok(eval(operand)?.map(|value| ty.wrap(value))),
            Expr::Binary(BinOp::And, left, right) => match eval(left)? {
                Some(0) => Ok(Some(0)),
                Some(_) => eval(right),
                // A right side that is undefined or false settles it for true lefts only.
                ANY => match eval(right) {
                    Ok(Some(0)) | Err(NoValue) => Ok(Some(0)),
                    Ok(_) => Ok(ANY),
                },
            },
            Expr::Binary(BinOp::Or, left, right) => match eval(left)? {
                Some(0) => eval(right),
                Some(_) => Ok(Some(1)),
                ANY => match eval(right) {
                    Ok(Some(1)) => Ok(Some(1)),
                    _ => Ok(ANY),
                },
            },
            Expr::Binary(op, left, right) => {
                let ty = self.ty(instance, left);
                match (eval(left)?, eval(right)?) {
                    (Some(left), Some(right)) => binary(*op, ty, left, right),
                    _ => Ok(ANY),
                }
            }
            Expr::Ite(condition, then, otherwise) => match eval(condition)? {
                Some(0) => eval(otherwise),
                Some(_) => eval(then),
                ANY => match (eval(then), eval(otherwise)) {
                    (Err(NoValue), Err(NoValue)) => Err(NoValue),
                    (Ok(a), Ok(b)) if a == b => Ok(a),
                    _ => Ok(ANY),
                },
            },
        }
    }

    fn ty(&self, instance: usize, expr: &Expr) -> Type {
        expr.ty(&|var| self.var(instance, var).ty)
    }
}

fn offsets(vars: &[Var], next: &mut usize) -> Vec<usize> {
    let place = |var: &Var| {
        let offset = *next;
        *next += var.cells();
        offset
    };
    vars.iter().map(place).collect()
}

fn initialise(var: &Var, args: &[i128], cells: &mut [Value]) {
    for (number, cell) in cells[..var.cells()].iter_mut().enumerate() {
        *cell = match &var.init {
            Init::Any => ANY,
            Init::Value(value) => Some(*value),
            Init::Values(values) => Some(values[number]),
            Init::Param(param) => Some(args[*param as usize]),
        };
    }
}

/// Writes an element; an unspecified index may mean any of them.
fn write_element(cells: &mut [Value], index: Value, value: Value) -> Result<(), NoValue> {
    match index {
        Some(index) => {
            let index = usize::try_from(index).map_err(|_| NoValue)?;
            *cells.get_mut(index).ok_or(NoValue)? = value;
        }
        ANY => {
            for cell in cells.iter_mut().filter(|cell| **cell != value) {
                *cell = ANY;
            }
        }
    }
    Ok(())
}

/// `op value` in type `ty`.
pub fn unary(op: UnOp, ty: Type, value: i128) -> Result<Value, NoValue> {
    match op {
        UnOp::Neg => exact(ty, value.checked_neg()),
        UnOp::BitNot => Ok(Some(ty.wrap(!value))),
        UnOp::Not => Ok(Some(1 - value)),
    }
}

/// `left op right` for operands of type `ty` (shifts: `ty` of the left one).
pub fn binary(op: BinOp, ty: Type, left: i128, right: i128) -> Result<Value, NoValue> {
    let truth = |holds: bool| Ok(Some(i128::from(holds)));
    match op {
        BinOp::Add => exact(ty, left.checked_add(right)),
        BinOp::Sub => exact(ty, left.checked_sub(right)),
        BinOp::Mul => match ty {
            Type::Bits { signed: false, .. } => Ok(Some(ty.wrap(left.wrapping_mul(right)))),
            _ => exact(ty, left.checked_mul(right)),
        },
        BinOp::Div | BinOp::Rem if right == 0 => Err(NoValue),
        BinOp::Div => exact(ty, left.checked_div(right)),
        // C: if the quotient overflows, so does the remainder.
        BinOp::Rem => exact(ty, left.checked_div(right)).and(exact(ty, left.checked_rem(right))),
        BinOp::Shl | BinOp::Shr => shift(op, ty, left, right),
        BinOp::BitAnd => Ok(Some(left & right)),
        BinOp::BitOr => Ok(Some(left | right)),
        BinOp::BitXor => Ok(Some(left ^ right)),
        BinOp::Eq => truth(left == right),
        BinOp::Ne => truth(left != right),
        BinOp::Lt => truth(left < right),
        BinOp::Le => truth(left <= right),
        BinOp::And => truth(left != 0 && right != 0),
        BinOp::Or => truth(left != 0 || right != 0),
    }
}

fn shift(op: BinOp, ty: Type, left: i128, amount: i128) -> Result<Value, NoValue> {
    let Type::Bits { width, .. } = ty else { return Err(NoValue) };
    if !(0..i128::from(width)).contains(&amount) {
        return Err(NoValue);
    }
    Ok(Some(match op {
        BinOp::Shl => ty.wrap(left << amount),
        _ => left >> amount,
    }))
}

/// Unsigned results wrap; signed ones must fit. A mathematical integer that
/// does not fit our representation is answered with `ANY`: never wrongly.
fn exact(ty: Type, result: Option<i128>) -> Result<Value, NoValue> {
    match (ty, result) {
        (Type::Int, result) => Ok(result),
        (Type::Bits { signed: false, .. }, Some(result)) => Ok(Some(ty.wrap(result))),
        (_, Some(result)) if ty.contains(result) => Ok(Some(result)),
        _ => Err(NoValue),
    }
}
