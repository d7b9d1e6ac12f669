//! A program as C. What it does not use is left out, so that programs that were shrunk are short.

use crate::tree::{BinOp, Expr, Function, Kind, Place, Program, Stmt, Type, Var, Variable, walk};
use std::collections::BTreeSet;
use std::fmt::Write;

const HEAD: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);
";

/// The program as C text.
pub fn print(program: &Program) -> String {
    let used = Used::of(program);
    let mut out = HEAD.to_string();
    for (number, global) in program.globals.iter().enumerate() {
        if global.inside.is_none() && used.globals.contains(&number) {
            let _ = writeln!(out, "{};", defined_global(number, global));
        }
    }
    for mutex in &used.mutexes {
        let _ = writeln!(out, "pthread_mutex_t m{mutex} = PTHREAD_MUTEX_INITIALIZER;");
        let _ = writeln!(out, "pthread_cond_t c{mutex} = PTHREAD_COND_INITIALIZER;");
    }
    for thread in &used.threads {
        let _ = writeln!(out, "pthread_t h{thread};");
    }
    for number in (0..program.functions.len()).rev() {
        if used.functions.contains(&number) {
            function(program, number, &used, &mut out);
        }
    }
    out
}

/// What can be reached from `main`.
#[derive(Default)]
struct Used {
    globals: BTreeSet<usize>,
    mutexes: BTreeSet<usize>,
    threads: BTreeSet<usize>,
    functions: BTreeSet<usize>,
}

impl Used {
    fn of(program: &Program) -> Used {
        let mut used = Used::default();
        used.add_function(program, 0);
        used
    }

    fn add_function(&mut self, program: &Program, number: usize) {
        if !self.functions.insert(number) {
            return;
        }
        let body = &program.functions[number].body;
        walk(body, &mut |expr| {
            if let Some(
                Place::Variable(Var::Global(global))
                | Place::Element(Var::Global(global), _)
                | Place::Member(Var::Global(global), _),
            ) = expr.place()
            {
                self.globals.insert(*global);
            }
            match expr {
                Expr::Call(callee, _) => self.add_function(program, *callee),
                Expr::Lock(mutex)
                | Expr::TryLock(mutex)
                | Expr::Unlock(mutex)
                | Expr::Wait(mutex)
                | Expr::Signal(mutex) => {
                    self.mutexes.insert(*mutex);
                }
                _ => {}
            }
        });
        self.add_threads(program, body);
    }

    fn add_threads(&mut self, program: &Program, body: &[Stmt]) {
        for statement in body {
            if let Stmt::Create(thread) | Stmt::Join(thread) = statement {
                self.threads.insert(*thread);
                self.add_function(program, program.threads[*thread]);
            }
            for list in statement.lists() {
                self.add_threads(program, list);
            }
        }
    }
}

fn defined_global(number: usize, global: &Variable) -> String {
    let declared = declared(&global.ty, &format!("g{number}"));
    let kinds = global.ty.cells();
    let values: Vec<String> =
        kinds.iter().zip(&global.initial).map(|(kind, value)| literal(*kind, *value)).collect();
    match global.ty {
        Type::Array(..) | Type::Struct(_) => format!("{declared} = {{{}}}", values.join(", ")),
        _ => format!("{declared} = {}", values[0]),
    }
}

fn declared(ty: &Type, name: &str) -> String {
    match ty {
        Type::Int(kind) => format!("{} {name}", kind.name()),
        Type::Atomic(kind) => format!("_Atomic {} {name}", kind.name()),
        Type::Array(kind, length) => format!("{} {name}[{length}]", kind.name()),
        Type::Pointer(kind) => format!("{} *{name}", kind.name()),
        Type::Struct(members) => {
            let members = members.iter().enumerate();
            let members = members.map(|(number, kind)| format!("{} m{number};", kind.name()));
            format!("struct {{ {} }} {name}", members.collect::<Vec<_>>().join(" "))
        }
    }
}

fn literal(kind: Kind, value: i128) -> String {
    let suffix = match kind {
        Kind::U32 => "u",
        Kind::I64 => "L",
        Kind::U64 => "UL",
        _ => "",
    };
    match value {
        _ if value == kind.min() && matches!(kind, Kind::I32 | Kind::I64) => {
            format!("(-{}{suffix} - 1)", kind.max())
        }
        ..0 => format!("(-{}{suffix})", -value),
        _ => format!("{value}{suffix}"),
    }
}

fn function_name(program: &Program, number: usize) -> String {
    match (number, program.functions[number].is_thread) {
        (0, _) => "main".into(),
        (_, true) => format!("t{number}"),
        (_, false) => format!("f{number}"),
    }
}

fn function(program: &Program, number: usize, used: &Used, out: &mut String) {
    let function = &program.functions[number];
    let name = function_name(program, number);
    let parameters = function.locals[..function.parameters].iter().enumerate();
    let parameters: Vec<String> = parameters
        .map(|(local, parameter)| declared(&parameter.ty, &format!("l{local}")))
        .collect();
    let _ = match (number, function.is_thread) {
        (0, _) => writeln!(out, "int main(void)\n{{"),
        (_, true) => writeln!(out, "void *{name}(void *unused)\n{{"),
        _ if parameters.is_empty() => writeln!(out, "{} {name}(void)\n{{", function.result.name()),
        _ => writeln!(out, "{} {name}({})\n{{", function.result.name(), parameters.join(", ")),
    };
    for (global, variable) in program.globals.iter().enumerate() {
        if variable.inside == Some(number) && used.globals.contains(&global) {
            let _ = writeln!(out, "    static {};", defined_global(global, variable));
        }
    }
    let printer = Printer { program, function };
    printer.list(&function.body, 1, out);
    let _ = writeln!(out, "    return 0;\n}}");
}

struct Printer<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Printer<'_> {
    fn list(&self, body: &[Stmt], depth: usize, out: &mut String) {
        for statement in body {
            self.statement(statement, depth, out);
        }
    }

    fn block(&self, head: &str, body: &[Stmt], depth: usize, out: &mut String) {
        let indent = "    ".repeat(depth);
        let _ = writeln!(out, "{indent}{head} {{");
        self.list(body, depth + 1, out);
        let _ = writeln!(out, "{indent}}}");
    }

    fn statement(&self, statement: &Stmt, depth: usize, out: &mut String) {
        let indent = "    ".repeat(depth);
        match statement {
            Stmt::If(condition, then, otherwise) => {
                self.block(&format!("if ({})", self.expr(condition)), then, depth, out);
                if !otherwise.is_empty() {
                    self.block("else", otherwise, depth, out);
                }
            }
            Stmt::For(local, count, body) => {
                let head = format!("for (int l{local} = 0; l{local} < {count}; l{local}++)");
                self.block(&head, body, depth, out);
            }
            Stmt::While(condition, body) => {
                self.block(&format!("while ({})", self.expr(condition)), body, depth, out);
            }
            Stmt::DoWhile(body, condition) => {
                self.block("do", body, depth, out);
                let _ = writeln!(out, "{indent}while ({});", self.expr(condition));
            }
            Stmt::Switch(chosen, cases) => {
                let _ = writeln!(out, "{indent}switch ({}) {{", self.expr(chosen));
                for (value, body) in cases {
                    self.block(&format!("case {value}:"), body, depth, out);
                }
                let _ = writeln!(out, "{indent}}}");
            }
            Stmt::Section(body) => {
                let _ = writeln!(out, "{indent}__VERIFIER_atomic_begin();");
                self.list(body, depth, out);
                let _ = writeln!(out, "{indent}__VERIFIER_atomic_end();");
            }
            simple => {
                let _ = writeln!(out, "{indent}{};", self.simple(simple));
            }
        }
    }

    /// A statement on one line, without its semicolon.
    fn simple(&self, statement: &Stmt) -> String {
        match statement {
            Stmt::Expr(expr) => self.expr(expr),
            Stmt::Declare(local, values) => {
                let ty = &self.function.locals[*local].ty;
                let values: Vec<String> = values.iter().map(|value| self.expr(value)).collect();
                let declared = declared(ty, &format!("l{local}"));
                match ty {
                    Type::Array(..) | Type::Struct(_) => {
                        format!("{declared} = {{{}}}", values.join(", "))
                    }
                    _ => format!("{declared} = {}", values[0]),
                }
            }
            Stmt::Break => "break".into(),
            Stmt::Continue => "continue".into(),
            Stmt::Return(_) if self.function.is_thread => "return 0".into(),
            Stmt::Return(value) => format!("return {}", self.expr(value)),
            Stmt::Assert(condition) => format!("assert({})", self.expr(condition)),
            Stmt::Assume(condition) => format!("__VERIFIER_assume({})", self.expr(condition)),
            Stmt::Create(thread) => {
                let routine = function_name(self.program, self.program.threads[*thread]);
                format!("pthread_create(&h{thread}, 0, {routine}, 0)")
            }
            Stmt::Join(thread) => format!("pthread_join(h{thread}, 0)"),
            Stmt::Observe(_) => "/* observed here */".into(),
            _ => unreachable!("it has statements in it"),
        }
    }

    fn place(&self, place: &Place) -> String {
        let name = |var: &Var| match var {
            Var::Global(number) => format!("g{number}"),
            Var::Local(number) => format!("l{number}"),
        };
        match place {
            Place::Variable(var) => name(var),
            Place::Element(var, index) => format!("{}[{}]", name(var), self.expr(index)),
            Place::Member(var, member) => format!("{}.m{member}", name(var)),
            Place::Pointee(local) => format!("*l{local}"),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        let text = |expr: &Expr| self.expr(expr);
        match expr {
            Expr::Number(kind, value) => literal(*kind, *value),
            Expr::Read(place) => self.place(place),
            Expr::Unary(op, operand) => format!("({}{})", op.symbol(), text(operand)),
            Expr::Binary(op, left, right) => {
                format!("({} {} {})", text(left), op.symbol(), text(right))
            }
            Expr::Cast(kind, operand) => format!("(({}){})", kind.name(), text(operand)),
            Expr::Shortcut { is_and, left, right } => {
                format!("({} {} {})", text(left), if *is_and { "&&" } else { "||" }, text(right))
            }
            Expr::Choice(condition, left, right) => {
                format!("({} ? {} : {})", text(condition), text(left), text(right))
            }
            Expr::Comma(left, right) => format!("({}, {})", text(left), text(right)),
            Expr::Assign(place, value) => format!("({} = {})", self.place(place), text(value)),
            Expr::Update(op, place, value) => {
                format!("({} {}= {})", self.place(place), op.symbol(), text(value))
            }
            Expr::Step { place, is_prefix, is_plus } => {
                let (place, symbol) = (self.place(place), if *is_plus { "++" } else { "--" });
                if *is_prefix {
                    format!("({symbol}{place})")
                } else {
                    format!("(({place}){symbol})")
                }
            }
            Expr::Call(callee, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(text).collect();
                format!("{}({})", function_name(self.program, *callee), arguments.join(", "))
            }
            Expr::Address(place) => format!("&{}", self.place(place)),
            other => self.library_call(other),
        }
    }

    fn library_call(&self, expr: &Expr) -> String {
        let text = |expr: &Expr| self.expr(expr);
        match expr {
            Expr::AtomicLoad(place) => format!("atomic_load(&{})", self.place(place)),
            Expr::AtomicStore(place, value) => {
                format!("atomic_store(&{}, {})", self.place(place), text(value))
            }
            Expr::AtomicExchange(place, value) => {
                format!("atomic_exchange(&{}, {})", self.place(place), text(value))
            }
            Expr::AtomicFetch(op, place, value) => {
                let name = match op {
                    BinOp::Add => "add",
                    BinOp::Sub => "sub",
                    BinOp::And => "and",
                    BinOp::Or => "or",
                    _ => "xor",
                };
                format!("atomic_fetch_{name}(&{}, {})", self.place(place), text(value))
            }
            Expr::CompareExchange { place, expected, desired, is_weak } => {
                let name = if *is_weak { "weak" } else { "strong" };
                let (place, desired) = (self.place(place), text(desired));
                format!("atomic_compare_exchange_{name}(&{place}, &l{expected}, {desired})")
            }
            Expr::Lock(mutex) => format!("pthread_mutex_lock(&m{mutex})"),
            Expr::TryLock(mutex) => format!("pthread_mutex_trylock(&m{mutex})"),
            Expr::Unlock(mutex) => format!("pthread_mutex_unlock(&m{mutex})"),
            Expr::Wait(mutex) => format!("pthread_cond_wait(&c{mutex}, &m{mutex})"),
            Expr::Signal(mutex) => format!("pthread_cond_broadcast(&c{mutex})"),
            _ => "__VERIFIER_nondet_bool()".into(),
        }
    }
}
