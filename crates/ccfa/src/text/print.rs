//! Programs to text, canonically.
//!
//! A location is numbered by its first mention, so the printer declares
//! locations only where that order, a span, or what it means to be there asks
//! for it. Parentheses and types of numbers are written only where the parser
//! needs them: [`Printer::expr`] mirrors [`super::elaborate`].

use super::lex::is_plain;
use super::words::{LIMITS, word};
use super::{NUMBER, binary_symbol, precedence, type_name, unary_symbol};
use crate::expr::{BinOp, Expr, Type, UnOp};
use crate::program::{
    Arg, Assign, Count, Edge, ErrorKind, Init, LocId, LocKind, Location, Place, Program, Rhs,
    Template, Thread, Var, VarRef,
};
use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;

/// The text of a program.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::new(program, None);
    printer.program();
    printer.out
}

/// The text of an expression, as seen from a template.
pub fn print_expr(program: &Program, template: Option<&Template>, expr: &Expr) -> String {
    let mut printer = Printer::new(program, template);
    let needed = printer.known(expr).unwrap_or(NUMBER);
    printer.expr(expr, needed, 0);
    printer.out
}

/// What a step does, without its locations: `when x > 0 then x := 0`. Empty
/// if it does nothing.
pub fn print_step(program: &Program, template: &Template, edge: &Edge) -> String {
    let mut printer = Printer::new(program, Some(template));
    printer.step(edge);
    printer.out
}

/// How a location is written: its name, or its number.
pub fn location_name(template: &Template, id: LocId) -> String {
    match template.locations.get(id.index()) {
        Some(location) if !location.name.is_empty() => name(&location.name),
        _ => format!("#{}", id.0),
    }
}

/// Where threads start if the text does not say: where the first step does.
pub(super) fn default_entry(template: &Template) -> LocId {
    template.edges.first().map_or(LocId(0), |edge| edge.source)
}

/// A name, in backticks if it must be.
fn name(text: &str) -> String {
    if is_plain(text) { text.to_string() } else { quote(text, '`') }
}

/// Text between quotation marks.
pub(super) fn quote(text: &str, mark: char) -> String {
    let mut quoted = String::from(mark);
    for c in text.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\\' => quoted.push_str("\\\\"),
            c if c == mark => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push(mark);
    quoted
}

pub(super) struct Printer<'p> {
    program: &'p Program,
    template: Option<&'p Template>,
    /// The names of the template's variables: they hide shared ones.
    local_names: HashSet<&'p str>,
    out: String,
}

impl<'p> Printer<'p> {
    fn new(program: &'p Program, template: Option<&'p Template>) -> Printer<'p> {
        let mut printer =
            Printer { program, template: None, local_names: HashSet::new(), out: String::new() };
        printer.enter(template);
        printer
    }

    /// From here on, names are seen from this template.
    fn enter(&mut self, template: Option<&'p Template>) {
        let locals = template.map_or(&[][..], |template| &template.locals);
        self.local_names = locals.iter().map(|var| var.name.as_str()).collect();
        self.template = template;
    }

    /// Writes; strings take everything.
    pub(super) fn put(&mut self, text: impl std::fmt::Display) {
        let _ = write!(self.out, "{text}");
    }

    fn program(&mut self) {
        let program = self.program;
        self.put(format_args!("program {}\n", quote(&program.name, '"')));
        for (number, file) in program.files.iter().enumerate() {
            self.put(format_args!("file {number} {}\n", quote(file, '"')));
        }
        self.property(&program.property);
        for var in &program.shared {
            self.put("shared ");
            self.variable(var);
        }
        if let Some(condition) = &program.initial {
            self.put("initial ");
            self.expr(condition, Type::Bool, 0);
            self.put("\n");
        }
        for template in &program.templates {
            self.enter(Some(template));
            self.template(template);
        }
        for thread in &program.threads {
            self.thread(thread);
        }
        for (number, object) in program.objects.iter().enumerate() {
            self.object(number, object);
        }
        for (number, call) in program.calls.iter().enumerate() {
            self.call(number, call);
        }
    }

    /// A declaration from the name on.
    fn variable(&mut self, var: &Var) {
        self.put(format_args!("{}: {}", name(&var.name), type_name(var.ty)));
        if let Some(len) = var.len {
            self.put(format_args!("[{len}]"));
        }
        self.put(" = ");
        match &var.init {
            Init::Any => self.put("any"),
            Init::Value(value) => self.put(literal(*value, var.ty)),
            Init::Values(values) => {
                let values: Vec<_> = values.iter().map(|value| literal(*value, var.ty)).collect();
                self.put(format_args!("{{{}}}", values.join(", ")));
            }
            Init::Param(param) => self.put(format_args!("param {param}")),
        }
        self.origin(&var.origin);
        self.put("\n");
    }

    fn template(&mut self, template: &'p Template) {
        let mut locals = template.locals.iter().peekable();
        self.put(format_args!("template {}(", name(&template.name)));
        for param in 0..template.params {
            self.put(if param == 0 { "" } else { ", " });
            let is_param = |var: &&Var| var.len.is_none() && var.init == Init::Param(param);
            match locals.next_if(is_param) {
                Some(var) => {
                    self.put(format_args!("{}: {}", name(&var.name), type_name(var.ty)));
                    self.origin(&var.origin);
                }
                None => self.put("_"),
            }
        }
        self.put(") {\n");
        for var in locals {
            self.put("  local ");
            self.variable(var);
        }
        if template.entry != default_entry(template) {
            self.put(format_args!("  entry {}\n", location_name(template, template.entry)));
        }
        let mut mentioned = 0;
        for edge in &template.edges {
            mentioned = self.announce(template, mentioned, edge);
            self.edge(template, edge);
        }
        self.declare(template, mentioned..template.locations.len());
        self.put("}\n");
    }

    /// Declares locations before `edge` if the edge alone would not introduce
    /// them rightly. The first `mentioned` ones are known; the answer says how
    /// many are then.
    fn announce(&mut self, template: &Template, mentioned: usize, edge: &Edge) -> usize {
        let ends = [edge.source.index(), edge.target.index()];
        let end = ends.iter().fold(mentioned, |end, id| end.max(id + 1));
        let mut next = mentioned;
        for id in ends {
            if id == next && is_ordinary(template, id) {
                next += 1;
            }
        }
        if next != end {
            self.declare(template, mentioned..end);
        }
        end
    }

    /// Declares these locations; those of which there is nothing to say on one line.
    fn declare(&mut self, template: &Template, ids: Range<usize>) {
        let mut in_list = false;
        for id in ids {
            let ordinary = is_ordinary(template, id);
            match (in_list, ordinary) {
                (true, true) => self.put(", "),
                (true, false) => self.put("\n  "),
                (false, _) => self.put("  "),
            }
            if !(in_list && ordinary) {
                self.put(location_keyword(template, id));
            }
            self.put(location_name(template, LocId(id as u32)));
            let Some(location) = template.locations.get(id) else { continue };
            match &location.kind {
                LocKind::Plain => {}
                LocKind::Error(ErrorKind::Call(name)) => {
                    self.put(format_args!(": call {}", quote(name, '"')));
                }
                LocKind::Error(ErrorKind::Assertion(text)) | LocKind::Limit(_, text) => {
                    self.put(format_args!(": {}", quote(text, '"')));
                }
                LocKind::Undefined(kind) => self.put(format_args!(": {}", kind.name())),
            }
            self.span(location.span);
            if !ordinary {
                self.put("\n");
            }
            in_list = ordinary;
        }
        if in_list {
            self.put("\n");
        }
    }

    fn edge(&mut self, template: &Template, edge: &Edge) {
        let (source, target) =
            (location_name(template, edge.source), location_name(template, edge.target));
        self.put(format_args!("  {source} -> {target}"));
        if edge.guard != Expr::TRUE || !edge.assigns.is_empty() {
            self.put(": ");
            self.step(edge);
        }
        self.accesses(&edge.accesses);
        self.span(edge.span);
        if let Some(call) = edge.call {
            self.put(format_args!(" call {}", call.0));
        }
        self.put("\n");
    }

    /// Guard and assignments.
    fn step(&mut self, edge: &Edge) {
        if edge.guard != Expr::TRUE {
            self.put("when ");
            self.expr(&edge.guard, Type::Bool, 0);
            if !edge.assigns.is_empty() {
                self.put(" then ");
            }
        }
        for (number, assign) in edge.assigns.iter().enumerate() {
            if number > 0 {
                self.put(", ");
            }
            self.assign(assign);
        }
    }

    fn assign(&mut self, assign: &Assign) {
        let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
        self.put(self.var_name(*var));
        if let Place::Element(_, index) = &assign.place {
            self.index(index);
        }
        self.put(" := ");
        match &assign.value {
            Rhs::Havoc => self.put("any"),
            Rhs::Expr(value) => self.expr(value, self.var_type(*var), 0),
        }
    }

    fn thread(&mut self, thread: &Thread) {
        let count = match thread.count {
            Count::Exactly(1) => String::new(),
            Count::Exactly(count) => format!("[{count}]"),
            Count::Any => "[*]".to_string(),
        };
        let template = self.program.templates.get(thread.template.index());
        let is_bool = |param: usize| {
            let is_param = |var: &&Var| var.init == Init::Param(param as u32);
            let var = template.and_then(|template| template.locals.iter().find(is_param));
            var.is_some_and(|var| var.ty == Type::Bool)
        };
        let arg = |(param, arg): (usize, &Arg)| match *arg {
            Arg::Value(value) if is_bool(param) => literal(value, Type::Bool),
            Arg::Value(value) => value.to_string(),
            Arg::Index(0) => "index".to_string(),
            Arg::Index(base) => match base.checked_neg() {
                Some(less) if less > 0 => format!("index - {less}"),
                _ => format!("index + {base}"),
            },
        };
        let args: Vec<_> = thread.args.iter().enumerate().map(arg).collect();
        let template = template.map_or("?".to_string(), |template| name(&template.name));
        let (thread, args) = (name(&thread.name), args.join(", "));
        self.put(format_args!("thread {thread}{count} = {template}({args})\n"));
    }

    fn var_type(&self, var: VarRef) -> Type {
        self.var(var).map_or(NUMBER, |var| var.ty)
    }

    fn var(&self, var: VarRef) -> Option<&'p Var> {
        match var {
            VarRef::Shared(id) => self.program.shared.get(id.index()),
            VarRef::Local(id) => self.template?.locals.get(id.index()),
        }
    }

    pub(super) fn var_name(&self, id: VarRef) -> String {
        let Some(var) = self.var(id) else { return format!("`{id:?}`") };
        let hidden =
            matches!(id, VarRef::Shared(_)) && self.local_names.contains(var.name.as_str());
        format!("{}{}", if hidden { "::" } else { "" }, name(&var.name))
    }

    /// As [`super::elaborate::NameScope::known`], but numbers have no type yet.
    fn known(&self, expr: &Expr) -> Option<Type> {
        match expr {
            Expr::Const(_, Type::Bool) | Expr::Unary(UnOp::Not, _) => Some(Type::Bool),
            Expr::Const(..) => None,
            Expr::Var(var) | Expr::Index(var, _) => Some(self.var_type(*var)),
            Expr::Cast(ty, _) => Some(*ty),
            Expr::Unary(_, operand) => self.known(operand),
            Expr::Binary(op, ..) if op.is_predicate() => Some(Type::Bool),
            Expr::Binary(BinOp::Shl | BinOp::Shr, left, _) => self.known(left),
            Expr::Binary(_, left, right) => self.known(left).or_else(|| self.known(right)),
            Expr::Ite(_, then, otherwise) => self.known(then).or_else(|| self.known(otherwise)),
        }
    }

    /// An expression where a type is needed, in parentheses if its operator
    /// binds less than `tight`.
    fn expr(&mut self, expr: &Expr, needed: Type, tight: u8) {
        match expr {
            Expr::Const(value, ty) => {
                self.put(literal(*value, *ty));
                if *ty != needed && *ty != Type::Bool {
                    self.put(type_name(*ty));
                }
            }
            Expr::Var(var) => self.put(self.var_name(*var)),
            Expr::Index(var, index) => {
                self.put(self.var_name(*var));
                self.index(index);
            }
            Expr::Unary(op, operand) => {
                self.put(unary_symbol(*op));
                let number = matches!(**operand, Expr::Const(_, ty) if ty != Type::Bool);
                let open = number && *op == UnOp::Neg;
                self.put(if open { "(" } else { "" });
                self.expr(operand, needed, u8::MAX);
                self.put(if open { ")" } else { "" });
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right, needed, tight),
            Expr::Cast(ty, operand) => {
                self.put(type_name(*ty));
                self.put("(");
                self.expr(operand, self.known(operand).unwrap_or(NUMBER), 0);
                self.put(")");
            }
            Expr::Ite(condition, then, otherwise) => {
                self.put("ite(");
                self.expr(condition, Type::Bool, 0);
                self.put(", ");
                self.expr(then, needed, 0);
                self.put(", ");
                self.expr(otherwise, needed, 0);
                self.put(")");
            }
        }
    }

    pub(super) fn index(&mut self, index: &Expr) {
        self.put("[");
        self.expr(index, self.known(index).unwrap_or(NUMBER), 0);
        self.put("]");
    }

    fn binary(&mut self, op: BinOp, left: &Expr, right: &Expr, needed: Type, tight: u8) {
        let ty = match op {
            BinOp::And | BinOp::Or => Type::Bool,
            _ if op.is_predicate() => {
                self.known(left).or_else(|| self.known(right)).unwrap_or(NUMBER)
            }
            _ => needed,
        };
        let right_ty = match op {
            BinOp::Shl | BinOp::Shr => self.known(right).unwrap_or_else(|| self.actual(left)),
            _ => ty,
        };
        let own = precedence(op);
        self.put(if own < tight { "(" } else { "" });
        self.expr(left, ty, own);
        self.put(format_args!(" {} ", binary_symbol(op)));
        self.expr(right, right_ty, own + 1);
        self.put(if own < tight { ")" } else { "" });
    }

    fn actual(&self, expr: &Expr) -> Type {
        expr.ty(&|var| self.var_type(var))
    }
}

/// Is there nothing to say about a location but its name?
fn is_ordinary(template: &Template, id: usize) -> bool {
    template.locations.get(id).is_none_or(|location| {
        let Location { name: _, kind, atomic, resting, span } = location;
        *kind == LocKind::Plain && !atomic && !resting && span.is_none()
    })
}

/// What a location is declared with.
fn location_keyword(template: &Template, id: usize) -> String {
    let Some(location) = template.locations.get(id) else { return "location ".to_string() };
    let kind = match &location.kind {
        LocKind::Plain => "location".to_string(),
        LocKind::Error(_) => "error".to_string(),
        LocKind::Undefined(_) => "undefined".to_string(),
        LocKind::Limit(limit, _) => format!("limit {}", word(&LIMITS, limit)),
    };
    let atomic = if location.atomic { "atomic " } else { "" };
    let resting = if location.resting { "resting " } else { "" };
    format!("{atomic}{resting}{kind} ")
}

/// A value of a type.
fn literal(value: i128, ty: Type) -> String {
    match (ty, value) {
        (Type::Bool, 0) => "false".to_string(),
        (Type::Bool, 1) => "true".to_string(),
        _ => value.to_string(),
    }
}
