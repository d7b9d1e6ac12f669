//! Expressions in C, with the names of the user's program.
//!
//! A local variable is written with its thread before it where several threads are tracked. Variables
//! that are not of the source belong to the translation from C (values on their way, the state of
//! threads); what speaks of them is not shown.

use ccfa::semantics::System;
use ccfa::text::{binary_symbol, type_name, unary_symbol};
use ccfa::{BinOp, Expr, Program, Template, ThreadId, Type, UnOp, Var, VarRef};
use evidence::View;

/// What an expression can speak of.
pub struct Scope<'p> {
    program: &'p Program,
    /// The names of the shared variables.
    shared: Vec<String>,
    locals: Vec<Local<'p>>,
}

struct Local<'p> {
    var: &'p Var,
    name: String,
}

impl<'p> Scope<'p> {
    /// One thread, seen from inside.
    pub fn of_thread(program: &'p Program, thread: ThreadId) -> Scope<'p> {
        let mut scope = Scope::of_shared(program);
        scope.enter(program.template_of(thread), None);
        scope
    }

    /// The tracked threads.
    pub fn of_view(program: &'p Program, view: &View) -> Scope<'p> {
        let mut scope = Scope::of_shared(program);
        for (owner, slot) in view.slots.iter().enumerate() {
            let name = view.slot_name(program, owner);
            scope.enter(program.template_of(slot.thread), Some(name));
        }
        scope
    }

    /// All instances.
    pub fn of_system(system: &System<'p>) -> Scope<'p> {
        let mut scope = Scope::of_shared(system.program);
        for (owner, instance) in system.instances.iter().enumerate() {
            let name = system.program.instance_name(*instance);
            scope.enter(system.template(owner), Some(name));
        }
        scope
    }

    fn of_shared(program: &'p Program) -> Scope<'p> {
        let names: Vec<String> =
            program.shared.iter().map(|var| program.source_name(var)).collect();
        let is_unique = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
        let shared = program.shared.iter().zip(&names);
        let shared = shared.map(|(var, name)| if is_unique(name) { name } else { &var.name });
        Scope { program, shared: shared.cloned().collect(), locals: Vec::new() }
    }

    fn enter(&mut self, template: &'p Template, qualifier: Option<String>) {
        for var in &template.locals {
            let short = self.program.source_name(var);
            let same = |other: &&Var| self.program.source_name(other) == short;
            let several = template.locals.iter().filter(same).count() > 1
                || self.program.shared.iter().any(|other| same(&other));
            let name = if several { var.name.clone() } else { short };
            let name = match &qualifier {
                Some(thread) => format!("{thread}.{name}"),
                None => name,
            };
            self.locals.push(Local { var, name });
        }
    }

    fn var(&self, var: VarRef) -> &'p Var {
        match var {
            VarRef::Shared(id) => &self.program.shared[id.index()],
            VarRef::Local(id) => self.locals[id.index()].var,
        }
    }

    /// Is all of this the user's, and not what the translation made of several steps?
    pub fn shows(&self, expr: &Expr) -> bool {
        let mut made = false;
        expr.walk(&mut |part| {
            let computed = |inner: &Expr| matches!(inner, Expr::Binary(..) | Expr::Ite(..));
            made |= match part {
                Expr::Ite(..) => true,
                Expr::Cast(_, inner) => computed(inner),
                _ => false,
            };
        });
        !made && vars(expr).into_iter().all(|var| self.program.is_of_source(self.var(var)))
    }

    /// The name of a variable.
    pub fn name(&self, var: VarRef) -> &str {
        match var {
            VarRef::Shared(id) => &self.shared[id.index()],
            VarRef::Local(id) => &self.locals[id.index()].name,
        }
    }

    /// In C.
    pub fn text(&self, expr: &Expr) -> String {
        self.tight(expr, 0)
    }

    /// An index in C. Its conversion to the type of indices goes without saying: what is in
    /// bounds is not changed by it.
    pub fn index(&self, index: &Expr) -> String {
        match index {
            Expr::Cast(_, inner) => self.text(inner),
            other => self.text(other),
        }
    }

    /// In C, to be compared with numbers or to stand between `&&`.
    pub fn term(&self, expr: &Expr) -> String {
        let is_bool = expr.ty(&|var| self.var(var).ty) == Type::Bool;
        self.tight(expr, if is_bool { binding(BinOp::BitAnd) } else { binding(BinOp::Add) })
    }

    /// In parentheses if the operator binds less than `tight`.
    fn tight(&self, expr: &Expr, tight: u8) -> String {
        let (text, own) = match expr {
            Expr::Const(value, Type::Bool) => ((*value != 0).to_string(), u8::MAX),
            Expr::Const(value, _) => (value.to_string(), u8::MAX),
            Expr::Var(var) => (self.name(*var).to_string(), u8::MAX),
            Expr::Index(var, index) => {
                (format!("{}[{}]", self.name(*var), self.index(index)), u8::MAX)
            }
            Expr::Unary(op, operand) => {
                let operand = self.tight(operand, UNARY);
                let apart = *op == UnOp::Neg && operand.starts_with('-');
                (format!("{}{}{operand}", unary_symbol(*op), if apart { " " } else { "" }), UNARY)
            }
            Expr::Cast(ty, operand) => {
                (format!("({}){}", c_type(*ty), self.tight(operand, UNARY)), UNARY)
            }
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Ite(condition, then, otherwise) => {
                let [condition, then, otherwise] =
                    [condition, then, otherwise].map(|part| self.tight(part, CHOICE + 1));
                (format!("{condition} ? {then} : {otherwise}"), CHOICE)
            }
        };
        if own < tight { format!("({text})") } else { text }
    }

    /// Numbers stand at the right of comparisons.
    fn binary(&self, op: BinOp, a: &Expr, b: &Expr) -> (String, u8) {
        let own = binding(op);
        let turned = match (op, a) {
            (BinOp::Lt, Expr::Const(..)) => Some(">"),
            (BinOp::Le, Expr::Const(..)) => Some(">="),
            (BinOp::Eq | BinOp::Ne, Expr::Const(..)) => Some(binary_symbol(op)),
            _ => None,
        };
        let (left, right) = if turned.is_some() { (b, a) } else { (a, b) };
        let symbol = turned.unwrap_or(binary_symbol(op));
        (
            format!(
                "{} {symbol} {}",
                self.tight(left, own + u8::from(!chains(op))),
                self.tight(right, own + 1)
            ),
            own,
        )
    }
}

/// How tightly C binds an operator; where readers would have to think, parentheses help them.
fn binding(op: BinOp) -> u8 {
    match op {
        BinOp::Or => 1,
        BinOp::And => 2,
        BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => 3,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le => 4,
        _ => 5,
    }
}

/// Is `a op b op c` easy to read?
fn chains(op: BinOp) -> bool {
    matches!(op, BinOp::Or | BinOp::And | BinOp::Add | BinOp::Sub)
}

/// `?:` binds less than all operators of the model.
const CHOICE: u8 = 0;
/// Operators on one operand bind most.
const UNARY: u8 = u8::MAX - 1;

/// The variables of an expression.
pub fn vars(expr: &Expr) -> Vec<VarRef> {
    let mut vars = Vec::new();
    expr.walk(&mut |part| {
        if let Expr::Var(var) | Expr::Index(var, _) = part {
            vars.push(*var);
        }
    });
    vars
}

fn c_type(ty: Type) -> String {
    match ty {
        Type::Bits { width: width @ (8 | 16 | 32 | 64), signed } => {
            format!("{}int{width}_t", if signed { "" } else { "u" })
        }
        other => type_name(other),
    }
}
