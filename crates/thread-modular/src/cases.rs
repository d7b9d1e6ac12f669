//! Expressions as functions of the state: for each value the states where the expression has it.
//! Where it is undefined, no value has the state.
//!
//! Domains are small, so operators are tried on all pairs of values, by the very
//! functions of `ccfa::semantics`: there is nothing to get wrong, and any operator works.

use crate::bdd::{Bdd, Result, beyond, is_empty};
use crate::space::{Elements, Space};
use ccfa::semantics::{binary, unary};
use ccfa::{BinOp, Expr, Type, VarRef};
use std::collections::BTreeMap;

/// An expression with more values is given up: each has its diagram.
const MAX_CASES: usize = 4096;

/// For each value, where the expression has it.
pub(crate) type Cases = BTreeMap<i128, Bdd>;

impl Space<'_> {
    /// Where a condition of process `number`, whose locals are given, holds.
    pub fn holds(&self, number: usize, locals: &[Elements], condition: &Expr) -> Result<Bdd> {
        let cases = self.cases(number, locals, condition)?;
        Ok(cases.get(&1).cloned().unwrap_or_else(|| self.dd.none()))
    }

    /// Where an expression is defined.
    pub fn defined(&self, number: usize, locals: &[Elements], expr: &Expr) -> Result<Bdd> {
        self.dd.any_of(self.cases(number, locals, expr)?.values())
    }

    /// Where an expression has which value. What speaks of shared variables alone is computed once,
    /// for all processes and for all places where it occurs.
    pub fn cases(&self, number: usize, locals: &[Elements], expr: &Expr) -> Result<Cases> {
        if !matches!(expr, Expr::Binary(..) | Expr::Ite(..)) || has_locals(expr) {
            return self.new_cases(number, locals, expr);
        }
        if let Some(cases) = self.known_cases.borrow().get(expr) {
            return Ok(cases.clone());
        }
        let cases = self.new_cases(number, locals, expr)?;
        self.known_cases.borrow_mut().insert(expr.clone(), cases.clone());
        Ok(cases)
    }

    fn new_cases(&self, number: usize, locals: &[Elements], expr: &Expr) -> Result<Cases> {
        let cases = |part: &Expr| self.cases(number, locals, part);
        let one = |value: i128| Ok(Cases::from([(value, self.dd.all())]));
        match expr {
            Expr::Const(value, _) => one(*value),
            Expr::Var(var) => self.element(locals, *var, 0),
            Expr::Index(var, index) => {
                let mut read = Cases::new();
                for (index, here) in cases(index)? {
                    let elements = self.elements(locals, *var).len();
                    if let Some(index) = usize::try_from(index).ok().filter(|i| *i < elements) {
                        for (value, is) in self.element(locals, *var, index)? {
                            self.add(&mut read, value, self.dd.and(&here, &is)?)?;
                        }
                    }
                }
                Ok(read)
            }
            Expr::Unary(op, operand) => {
                let ty = self.type_of(number, operand);
                self.map(cases(operand)?, |value| unary(*op, ty, value).ok().flatten())
            }
            Expr::Cast(ty, operand) => self.map(cases(operand)?, |value| Some(ty.wrap(value))),
            Expr::Binary(BinOp::And, left, right) => {
                self.choose(cases(left)?, |value| if value == 0 { one(0) } else { cases(right) })
            }
            Expr::Binary(BinOp::Or, left, right) => {
                self.choose(cases(left)?, |value| if value == 0 { cases(right) } else { one(1) })
            }
            Expr::Ite(condition, then, otherwise) => self.choose(cases(condition)?, |value| {
                cases(if value == 0 { otherwise } else { then })
            }),
            Expr::Binary(op, left, right) => {
                let ty = self.type_of(number, left);
                let right = cases(right)?;
                self.choose(cases(left)?, |a| {
                    self.map(right.clone(), |b| binary(*op, ty, a, b).ok().flatten())
                })
            }
        }
    }

    /// The elements of a variable; none if it does not matter.
    pub fn elements<'s>(&'s self, locals: &'s [Elements], var: VarRef) -> &'s Elements {
        match var {
            VarRef::Shared(id) => &self.shared[id.index()],
            VarRef::Local(id) => &locals[id.index()],
        }
    }

    fn element(&self, locals: &[Elements], var: VarRef, element: usize) -> Result<Cases> {
        let variable = &self.elements(locals, var)[element];
        Ok(variable.values.iter().copied().zip(variable.is.iter().cloned()).collect())
    }

    fn type_of(&self, number: usize, expr: &Expr) -> Type {
        let program = self.processes.program;
        let template = self.processes.list[number].template;
        expr.ty(&|var| program.var(template, var).ty)
    }

    fn map(&self, cases: Cases, value_of: impl Fn(i128) -> Option<i128>) -> Result<Cases> {
        let mut result = Cases::new();
        for (value, here) in cases {
            if let Some(value) = value_of(value) {
                self.add(&mut result, value, here)?;
            }
        }
        Ok(result)
    }

    /// What the first expression gives decides what comes next.
    fn choose(&self, first: Cases, next: impl Fn(i128) -> Result<Cases>) -> Result<Cases> {
        let mut result = Cases::new();
        for (value, here) in first {
            for (value, there) in next(value)? {
                self.add(&mut result, value, self.dd.and(&here, &there)?)?;
            }
        }
        Ok(result)
    }

    fn add(&self, cases: &mut Cases, value: i128, here: Bdd) -> Result<()> {
        if is_empty(&here) {
            return Ok(());
        }
        let all = match cases.get(&value) {
            Some(before) => self.dd.or(before, &here)?,
            None => here,
        };
        cases.insert(value, all);
        if cases.len() > MAX_CASES {
            return Err(beyond("an expression has too many values for decision diagrams"));
        }
        Ok(())
    }
}

fn has_locals(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        found |= matches!(part, Expr::Var(VarRef::Local(_)) | Expr::Index(VarRef::Local(_), _));
    });
    found
}
