//! What `hir` promises to its readers, restated plainly: types of operands
//! agree, numbers are in range, labels exist. Every test program is checked.

use cfront::hir::{
    Callee, Expr, ExprKind, InitEntry, Place, PlaceKind, Stmt, StmtKind, Type, TypeId, Unit,
};
use cfront::types::Types;
use std::collections::HashSet;

/// The broken promises, in words.
pub fn check(unit: &Unit) -> Vec<String> {
    let mut checker = Checker {
        unit,
        broken: Vec::new(),
        defined: HashSet::new(),
        used: HashSet::new(),
        labels: 0,
        ret: Types::VOID,
        name: String::new(),
    };
    for var in &unit.vars {
        checker.name.clone_from(&var.name);
        checker.entries(var.init.as_deref().unwrap_or_default());
        let sized = unit.types.size_of(var.ty).is_some();
        checker.require(var.init.is_none() || sized, "a defined variable has a size");
    }
    for function in &unit.functions {
        let Type::Function { ret, .. } = unit.types.get(function.ty) else {
            panic!("{} has no function type", function.name);
        };
        checker.name.clone_from(&function.name);
        checker.ret = *ret;
        checker.labels = function.labels;
        checker.defined.clear();
        checker.used.clear();
        checker.block(function.body.as_deref().unwrap_or_default());
        let missing = checker.used.difference(&checker.defined).count();
        checker.require(missing == 0, "every label that is used stands in the body");
    }
    checker.broken
}

struct Checker<'u> {
    unit: &'u Unit,
    broken: Vec<String>,
    defined: HashSet<u32>,
    used: HashSet<u32>,
    labels: u32,
    ret: TypeId,
    name: String,
}

impl Checker<'_> {
    fn require(&mut self, holds: bool, promise: &str) {
        if !holds {
            self.broken.push(format!("{}: {promise}", self.name));
        }
    }

    fn same(&mut self, a: TypeId, b: TypeId, promise: &str) {
        if a != b {
            let (a, b) = (self.unit.types.name(a), self.unit.types.name(b));
            self.broken.push(format!("{}: {promise}: {a} and {b}", self.name));
        }
    }

    fn use_label(&mut self, label: u32) {
        self.require(label < self.labels, "labels are counted");
        self.used.insert(label);
    }

    fn block(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Declare(_, init) => self.entries(init.as_deref().unwrap_or_default()),
            StmtKind::Block(stmts) => self.block(stmts),
            StmtKind::If(c, a, b) => {
                self.condition(c);
                self.stmt(a);
                b.iter().for_each(|b| self.stmt(b));
            }
            StmtKind::Loop { condition, body, step, .. } => {
                condition.iter().for_each(|c| self.condition(c));
                self.stmt(body);
                step.iter().for_each(|s| self.expr(s));
            }
            StmtKind::Switch { value, cases, default, body } => {
                self.expr(value);
                self.require(self.unit.types.is_integer(value.ty), "switch has an integer");
                cases.iter().for_each(|case| self.use_label(case.2.0));
                default.iter().for_each(|label| self.use_label(label.0));
                self.stmt(body);
            }
            StmtKind::Label(label) => {
                let new = self.defined.insert(label.0);
                self.require(new && label.0 < self.labels, "a label stands once");
            }
            StmtKind::Goto(label) => self.use_label(label.0),
            StmtKind::Return(Some(value)) => {
                self.expr(value);
                self.same(value.ty, self.ret, "return has the function's type");
            }
            StmtKind::Return(None)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Fence(_)
            | StmtKind::Unsupported(_) => {}
        }
    }

    fn entries(&mut self, entries: &[InitEntry]) {
        for entry in entries {
            self.expr(&entry.value);
            self.same(entry.ty, entry.value.ty, "an entry has its value's type");
        }
    }

    fn condition(&mut self, e: &Expr) {
        self.expr(e);
        self.require(self.unit.types.is_scalar(e.ty), "a condition is a scalar");
    }

    fn expr(&mut self, e: &Expr) {
        let types = &self.unit.types;
        let value_type = !matches!(
            types.get(e.ty),
            Type::Array(..) | Type::VariableArray(_) | Type::Function { .. } | Type::Atomic(_)
        );
        let allowed = value_type || matches!(*e.kind, ExprKind::Unsupported(_));
        self.require(allowed, "values are no arrays, functions or atomics");
        match &*e.kind {
            ExprKind::Const(value) => self.number(*value, e.ty),
            ExprKind::FunctionAddr(_) | ExprKind::Unsupported(_) => {}
            ExprKind::Load(place) => {
                self.place(place);
                self.same(e.ty, types.unatomic(place.ty), "a load has the place's type");
            }
            ExprKind::AddrOf(place) => {
                self.place(place);
                let target = types.pointee(e.ty);
                let fits = target == Some(place.ty) || target == types.element(place.ty);
                self.require(fits && place.bits.is_none(), "an address points to its place");
            }
            ExprKind::Unary(_, a) => self.expr(a),
            ExprKind::Cast(a) => self.expr(a),
            ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b);
                self.same(e.ty, b.ty, "a comma has the second type");
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.condition(a);
                self.condition(b);
            }
            ExprKind::Binary(..) | ExprKind::PtrAdd(..) | ExprKind::PtrDiff(..) => self.operator(e),
            ExprKind::Cond(c, a, b) => {
                self.condition(c);
                self.expr(a);
                self.expr(b);
                self.same(a.ty, e.ty, "both branches have the type of `?:`");
                self.same(b.ty, e.ty, "both branches have the type of `?:`");
            }
            ExprKind::Assign(..) | ExprKind::AssignOp { .. } => self.store(e),
            ExprKind::Call(callee, args) => self.call(callee, args),
            ExprKind::Stmt(stmts, value) => {
                self.block(stmts);
                value.iter().for_each(|v| self.expr(v));
                let ty = value.as_ref().map_or(Types::VOID, |v| v.ty);
                self.same(e.ty, ty, "a statement expression has its value's type");
            }
        }
    }

    fn operator(&mut self, e: &Expr) {
        use cfront::hir::BinaryOp::{Shl, Shr};
        match &*e.kind {
            ExprKind::Binary(op, a, b) => {
                self.expr(a);
                self.expr(b);
                if !matches!(op, Shl | Shr) {
                    self.same(a.ty, b.ty, "operands have one type");
                }
            }
            ExprKind::PtrAdd(p, i, _) => {
                self.expr(p);
                self.expr(i);
                self.same(e.ty, p.ty, "pointer arithmetic keeps the type");
                self.require(self.unit.types.is_integer(i.ty), "an index is an integer");
            }
            ExprKind::PtrDiff(a, b, _) => {
                self.expr(a);
                self.expr(b);
                self.same(a.ty, b.ty, "pointers of a difference have one type");
            }
            _ => {}
        }
    }

    fn store(&mut self, e: &Expr) {
        use cfront::hir::BinaryOp::{Shl, Shr};
        let types = &self.unit.types;
        match &*e.kind {
            ExprKind::Assign(place, value) => {
                self.place(place);
                self.expr(value);
                self.same(
                    value.ty,
                    types.unatomic(place.ty),
                    "what is stored has the place's type",
                );
                self.same(e.ty, value.ty, "an assignment has the type of its value");
            }
            ExprKind::AssignOp { place, op, operand, compute, .. } => {
                self.place(place);
                self.expr(operand);
                self.same(e.ty, types.unatomic(place.ty), "an update has the place's type");
                if !matches!(op, Shl | Shr) && !types.is_pointer(*compute) {
                    self.same(operand.ty, *compute, "an operand has the type of the computation");
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Expr]) {
        if let Callee::Pointer(pointer) = callee {
            self.expr(pointer);
            let target = self.unit.types.pointee(pointer.ty);
            let calls = target.is_some_and(|t| self.unit.types.is_function(t));
            self.require(calls, "a call goes to a function");
        }
        args.iter().for_each(|arg| self.expr(arg));
    }

    fn number(&mut self, value: i128, ty: TypeId) {
        let types = &self.unit.types;
        let (bits, signed) = match types.integer(ty) {
            Some(integer) => (integer.bits, integer.signed),
            None => (8 * types.pointer_size() as u32, false),
        };
        self.require(types.is_integer(ty) || types.is_pointer(ty), "numbers are scalars");
        let low = if signed { -(1i128 << (bits - 1)) } else { 0 };
        let high = (1i128 << (bits.min(127) - u32::from(signed))) - 1;
        self.require(bits > 64 || (low..=high).contains(&value), "numbers are in range");
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Var(var) => {
                let ty = self.unit.vars[var.index()].ty;
                let completed = matches!(self.unit.types.get(place.ty), Type::Array(_, None));
                if !completed {
                    self.same(place.ty, ty, "a variable's place has its type");
                }
            }
            PlaceKind::Deref(pointer) => {
                self.expr(pointer);
                let target = self.unit.types.pointee(pointer.ty);
                self.require(target == Some(place.ty), "`*` gives what is pointed to");
            }
            PlaceKind::Field(base, offset) => {
                self.place(base);
                let types = &self.unit.types;
                let end = offset + types.size_of(place.ty).unwrap_or(0);
                let inside = types.size_of(base.ty).is_none_or(|size| end <= size);
                self.require(inside, "a field lies inside its record");
            }
            PlaceKind::Index(base, index, size) => {
                self.place(base);
                self.expr(index);
                let element = self.unit.types.element(base.ty);
                self.require(element == Some(place.ty), "an element has the array's element type");
                self.require(self.unit.types.size_of(place.ty) == Some(*size), "and its size");
            }
            PlaceKind::Temporary(e) => {
                self.expr(e);
                self.same(e.ty, place.ty, "a temporary has its value's type");
            }
        }
    }
}
