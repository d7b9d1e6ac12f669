//! A program as Promela, edge by edge.
//!
//! Every instance becomes a process of its own, with its arguments as
//! constants; every location becomes a label with one choice per edge; every
//! edge becomes one statement, or one `d_step` if it has a guard and
//! assignments. So a state of the program is a state of the Promela model and
//! the other way round, which the benchmark checks by counting them. `d_step` is
//! the cheapest thing SPIN has for this: one transition, no state inside.

use ccfa::semantics::System;
use ccfa::{BinOp, Edge, Expr, Init, Place, Program, Rhs, Type, UnOp, Var, VarRef};
use std::fmt::Write;

/// The whole model.
pub fn promela(program: &Program) -> String {
    let system = System::new(program, 0);
    let mut text = String::new();
    for var in &program.shared {
        declare(&mut text, var);
    }
    for instance in 0..system.instances.len() {
        process(&mut text, &system, instance);
    }
    text
}

fn declare(text: &mut String, var: &Var) {
    let Init::Value(value) = var.init else { panic!("{} should start with one value", var.name) };
    let ty = match var.ty {
        Type::Bool => "bool",
        Type::Bits { width: ..=8, signed: false } => "byte",
        Type::Bits { width: ..=16, signed: true } => "short",
        _ => "int",
    };
    let len = var.len.map_or(String::new(), |len| format!("[{len}]"));
    let _ = writeln!(text, "{ty} {}{len} = {value};", var.name);
}

fn process(text: &mut String, system: &System, instance: usize) {
    let template = system.template(instance);
    let _ = writeln!(text, "active proctype P{instance}() {{");
    for var in template.locals.iter().filter(|var| !matches!(var.init, Init::Param(_))) {
        declare(text, var);
    }
    let _ = writeln!(text, "goto L{};", template.entry.0);
    for (number, edges) in template.edges_from().iter().enumerate() {
        let _ = writeln!(text, "L{number}:");
        if edges.is_empty() {
            let _ = writeln!(text, "end{number}: false;");
            continue;
        }
        let _ = writeln!(text, "if");
        for id in edges {
            let edge = &template.edges[id.index()];
            let _ = writeln!(text, ":: {}; goto L{}", step(system, instance, edge), edge.target.0);
        }
        let _ = writeln!(text, "fi;");
    }
    let _ = writeln!(text, "}}");
}

fn step(system: &System, instance: usize, edge: &Edge) -> String {
    let guard = expr(system, instance, &edge.guard);
    let assigns: Vec<String> = edge
        .assigns
        .iter()
        .map(|assign| {
            let Rhs::Expr(value) = &assign.value else { panic!("no arbitrary values, please") };
            let place = match &assign.place {
                Place::Var(var) => Expr::Var(*var),
                Place::Element(var, index) => Expr::Index(*var, Box::new(index.clone())),
            };
            format!("{} = {}", expr(system, instance, &place), expr(system, instance, value))
        })
        .collect();
    check_order(edge);
    match (edge.guard == Expr::TRUE, assigns.len()) {
        (_, 0) => guard,
        (true, 1) => assigns[0].clone(),
        (true, _) => format!("d_step {{ {} }}", assigns.join("; ")),
        (false, _) => format!("d_step {{ {guard} -> {} }}", assigns.join("; ")),
    }
}

/// Assignments happen at once in one language and in order in the other.
fn check_order(edge: &Edge) {
    for (number, assign) in edge.assigns.iter().enumerate() {
        let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
        for later in &edge.assigns[number + 1..] {
            let mut alone = edge.clone();
            alone.guard = Expr::TRUE;
            alone.assigns = vec![later.clone()];
            assert!(
                !alone.read_write_sets().reads.contains(var),
                "assignments should not depend on order"
            );
        }
    }
}

fn expr(system: &System, instance: usize, expression: &Expr) -> String {
    let print = |part: &Expr| expr(system, instance, part);
    match expression {
        Expr::Const(value, _) => value.to_string(),
        Expr::Var(var) => variable(system, instance, *var),
        Expr::Index(var, index) => {
            format!("{}[{}]", variable(system, instance, *var), print(index))
        }
        Expr::Unary(UnOp::Not, operand) => format!("!({})", print(operand)),
        Expr::Unary(UnOp::Neg, operand) => format!("-({})", print(operand)),
        Expr::Unary(UnOp::BitNot, operand) => format!("~({})", print(operand)),
        Expr::Binary(op, left, right) => {
            format!("({} {} {})", print(left), symbol(*op), print(right))
        }
        Expr::Cast(_, operand) => print(operand),
        Expr::Ite(condition, then, otherwise) => {
            format!("({} -> {} : {})", print(condition), print(then), print(otherwise))
        }
    }
}

/// A variable by name; an argument by its value.
fn variable(system: &System, instance: usize, var: VarRef) -> String {
    let declared = system.var(instance, var);
    match declared.init {
        Init::Param(_) => {
            let value = system.initial().cells[system.offset(instance, var)];
            value.expect("an argument is known").to_string()
        }
        _ => declared.name.clone(),
    }
}

fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::BitAnd => "&",
        BinOp::BitOr => "|",
        BinOp::BitXor => "^",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::And => "&&",
        BinOp::Or => "||",
    }
}
