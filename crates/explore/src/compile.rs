//! From expressions of a program to [`Code`] on packed states.
//!
//! Every instance gets its own code. A cell that no edge writes and that
//! starts with a known value is a constant there: most of all the arguments of
//! a thread, so that `flag[me]` becomes a field at a fixed place. Operators on
//! constants are computed now, by the evaluator itself.

use crate::code::{Code, Domain, Evaluated, Field, Slot};
use ccfa::semantics::{State, System};
use ccfa::{BinOp, Expr, Type, UnOp, VarRef};
use evidence::Layout;

/// A constant does not fit 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// What compilation needs to know of a system.
pub(crate) struct Compiler<'a> {
    system: &'a System<'a>,
    layout: &'a Layout,
    /// The value of each cell that never changes.
    constants: Vec<Option<i64>>,
}

impl<'a> Compiler<'a> {
    pub fn new(system: &'a System<'a>, layout: &'a Layout) -> Result<Self, TooLarge> {
        let initial = system.initial();
        let constants = constants(system, layout, &initial)?;
        Ok(Compiler { system, layout, constants })
    }

    /// The slot of each cell of a variable.
    pub fn slots(&self, instance: usize, var: VarRef) -> Box<[Slot]> {
        let first = self.system.offset(instance, var);
        let cells = self.system.var(instance, var).cells();
        (first..first + cells).map(|cell| self.slot(cell)).collect()
    }

    fn slot(&self, cell: usize) -> Slot {
        let cell = &self.layout.cells[cell];
        let signed = matches!(cell.ty, Type::Int | Type::Bits { signed: true, .. });
        let value = cell.value;
        Slot {
            value: field(value.word, value.shift, value.width, signed),
            any: cell.any.map(|any| field(any.word, any.shift, any.width, false)),
        }
    }

    /// The conjuncts of a guard. It may hold exactly if none of them, taken in
    /// order, is false or undefined.
    pub fn guard(&self, instance: usize, guard: &Expr) -> Result<Vec<Code>, TooLarge> {
        let mut tests = Vec::new();
        for part in guard.conjuncts() {
            let test = self.expr(instance, part)?;
            match (tests.last_mut(), &test) {
                (_, Code::Const(1)) => {}
                (
                    Some(Code::Bits { word, mask, bits, equal: true }),
                    Code::Bits { word: other, mask: more, bits: also, equal: true },
                ) if word == other && *mask & *more == 0 => {
                    *mask |= more;
                    *bits |= also;
                }
                _ => tests.push(test),
            }
        }
        Ok(tests)
    }

    /// An expression of an instance.
    pub fn expr(&self, instance: usize, expr: &Expr) -> Result<Code, TooLarge> {
        let code = self.translate(instance, expr)?;
        let constant = |code: &Code| matches!(code, Code::Const(_));
        let foldable = match &code {
            Code::Unary(_, _, operand) | Code::Cast { operand, .. } => constant(operand),
            Code::Binary(_, _, parts) => constant(&parts.0) && constant(&parts.1),
            _ => false,
        };
        match foldable.then(|| code.eval(&[], &[])) {
            Some(Evaluated::Value(value)) => Ok(Code::Const(value)),
            _ => Ok(specialise(decide(code))),
        }
    }

    fn translate(&self, instance: usize, expr: &Expr) -> Result<Code, TooLarge> {
        let code = |part: &Expr| self.expr(instance, part);
        let domain = |part: &Expr| Domain::of(part.ty(&|var| self.system.var(instance, var).ty));
        Ok(match expr {
            Expr::Const(value, ty) => Code::Const(narrow(*ty, *value)?),
            Expr::Var(var) => self.read(self.system.offset(instance, *var)),
            Expr::Index(var, index) => match code(index)? {
                Code::Const(index) if (index as u64) < self.cells(instance, *var) => {
                    self.read(self.system.offset(instance, *var) + index as usize)
                }
                index => Code::Element(self.slots(instance, *var), Box::new(index)),
            },
            Expr::Unary(op, operand) => Code::Unary(*op, domain(operand), Box::new(code(operand)?)),
            Expr::Cast(to, operand) => {
                Code::Cast { from: domain(operand), to: *to, operand: Box::new(code(operand)?) }
            }
            Expr::Binary(op, left, right) => {
                let parts = Box::new((code(left)?, code(right)?));
                match op {
                    BinOp::And => Code::And(parts),
                    BinOp::Or => Code::Or(parts),
                    op => Code::Binary(*op, domain(left), parts),
                }
            }
            Expr::Ite(condition, then, otherwise) => {
                Code::Ite(Box::new((code(condition)?, code(then)?, code(otherwise)?)))
            }
        })
    }

    fn cells(&self, instance: usize, var: VarRef) -> u64 {
        self.system.var(instance, var).cells() as u64
    }

    fn read(&self, cell: usize) -> Code {
        let slot = self.slot(cell);
        match self.constants[cell] {
            Some(value) => Code::Const(value),
            None if slot.any.is_some() => Code::Slot(slot),
            None => Code::Field(slot.value),
        }
    }
}

/// Bits of a word as a field.
pub(crate) fn field(word: u32, shift: u8, width: u8, signed: bool) -> Field {
    Field { word, left: 64 - shift - width, right: 64 - width, signed }
}

/// Leaves out what a constant condition settles.
fn decide(code: Code) -> Code {
    match code {
        Code::And(parts) => match *parts {
            (Code::Const(0), _) => Code::Const(0),
            (Code::Const(_), right) => right,
            parts => Code::And(Box::new(parts)),
        },
        Code::Or(parts) => match *parts {
            (Code::Const(0), right) => right,
            (Code::Const(_), _) => Code::Const(1),
            parts => Code::Or(Box::new(parts)),
        },
        Code::Ite(parts) => match *parts {
            (Code::Const(0), _, otherwise) => otherwise,
            (Code::Const(_), then, _) => then,
            parts => Code::Ite(Box::new(parts)),
        },
        code => code,
    }
}

/// Comparisons of fields, which never are `ANY` or undefined, in one go.
fn specialise(code: Code) -> Code {
    let equal = |field: &Field, value: i64, equal| Code::Bits {
        word: field.word,
        mask: field.mask(),
        bits: field.place(value),
        equal,
    };
    match &code {
        Code::Unary(UnOp::Not, _, operand) => match &**operand {
            Code::Field(field) => equal(field, 0, true),
            Code::Bits { word, mask, bits, equal } => {
                Code::Bits { word: *word, mask: *mask, bits: *bits, equal: !equal }
            }
            _ => code,
        },
        Code::Binary(op @ (BinOp::Eq | BinOp::Ne), _, parts) => match &**parts {
            (Code::Field(field), Code::Const(value)) | (Code::Const(value), Code::Field(field)) => {
                equal(field, *value, *op == BinOp::Eq)
            }
            (Code::Field(left), Code::Field(right)) => {
                Code::FieldEqual { left: *left, right: *right, equal: *op == BinOp::Eq }
            }
            _ => code,
        },
        Code::Binary(op @ (BinOp::Lt | BinOp::Le), _, parts) => match &**parts {
            (Code::Field(left), Code::Field(right)) if left.signed || left.right > 0 => {
                Code::FieldLess { left: *left, right: *right, or_equal: *op == BinOp::Le }
            }
            _ => code,
        },
        _ => code,
    }
}

/// A value of a type in 64 bits.
pub(crate) fn narrow(ty: Type, value: i128) -> Result<i64, TooLarge> {
    match ty {
        Type::Int => i64::try_from(value).map_err(|_| TooLarge),
        ty if ty.contains(value) => Ok(value as i64),
        _ => Err(TooLarge),
    }
}

/// The values of the cells that start with one and are never written.
fn constants(
    system: &System,
    layout: &Layout,
    initial: &State,
) -> Result<Vec<Option<i64>>, TooLarge> {
    let cells = initial.cells.iter().zip(&layout.cells);
    let mut constants = cells
        .map(|(value, cell)| value.map(|value| narrow(cell.ty, value)).transpose())
        .collect::<Result<Vec<_>, _>>()?;
    for instance in 0..system.instances.len() {
        for var in system.template(instance).assigned() {
            let first = system.offset(instance, var);
            constants[first..first + system.var(instance, var).cells()].fill(None);
        }
    }
    Ok(constants)
}
