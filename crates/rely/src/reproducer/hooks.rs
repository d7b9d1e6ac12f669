//! The user's text with hooks: before each access of shared memory, each call of a library function, each value that comes from nowhere, stands a call of the
//! scheduler. Where one expression reads and writes (`x++`, `x += e`), or computes before it writes (`x = e`), it is taken apart with GNU C's `({ … })`, so
//! that a hook can stand between its parts. What stands in no hook's way remains as it is, letter by letter.

use super::events::{HookKind, Key};
use ccfa::Span;
use cfront::syntax::ast::*;
use std::collections::{BTreeMap, BTreeSet};

/// Functions of which the scheduler has its own form, the part of it that is needed then, and what must be declared before.
const OWN_FORMS: [(&str, &str); 6] = [
    ("pthread_create", "RELY_CREATES"),
    ("thrd_create", "RELY_CREATES_C11"),
    ("pthread_cond_wait", "RELY_WAITS"),
    ("pthread_cond_timedwait", "RELY_WAITS_TIMED"),
    ("cnd_wait", "RELY_WAITS_C11"),
    ("pthread_barrier_wait", "RELY_BARRIERS"),
];

/// The same for functions that are no steps.
const MARKS: [(&str, &str); 3] = [
    ("__VERIFIER_atomic_begin", "RELY_SECTIONS"),
    ("__VERIFIER_atomic_end", "RELY_SECTIONS"),
    ("__VERIFIER_assume", "RELY_ASSUMES"),
];

/// Functions that end a thread.
const ENDS_THREAD: [&str; 2] = ["pthread_exit", "thrd_exit"];

/// Functions in which a thread may wait for another that runs code of the program there.
const RUNS_CODE: [&str; 2] = ["pthread_once", "call_once"];

/// How the functions begin that the compiler knows to be one access.
const ATOMICS: [&str; 3] = ["__atomic_", "__sync_", "__c11_atomic_"];

/// How the functions begin that return any value.
const NONDETERMINISTIC: &str = "__VERIFIER_nondet_";

/// Where hooks are needed: by key, the names of the objects that are accessed there.
pub type Needed = BTreeMap<Key, BTreeSet<String>>;

/// The text with hooks.
pub struct Hooked {
    /// What stands before the first function with a hook, and the rest.
    pub text: [String; 2],
    /// The number of the hook, and how many expressions it stands before.
    pub places: BTreeMap<Key, (usize, usize)>,
    /// The parts of the scheduler that are needed.
    pub parts: BTreeSet<&'static str>,
}

/// A call that is the error.
pub struct FailingCall {
    pub function: String,
    pub span: Span,
    pub what: String,
}

/// Puts hooks into a text.
pub struct Hooks<'a> {
    text: &'a str,
    span: &'a dyn Fn(Range) -> Option<Span>,
    needed: &'a Needed,
    fails: Option<&'a FailingCall>,
    defined: BTreeSet<&'a str>,
    bit_fields: BTreeSet<String>,
    places: BTreeMap<Key, (usize, usize)>,
    parts: BTreeSet<&'static str>,
    in_main: bool,
}

/// What is done with the value of an expression.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Value,
    /// Only its address matters.
    Place,
}

/// The parts of an expression that writes.
struct Taken {
    /// What makes the place known.
    start: String,
    /// What is written.
    place: String,
    /// Its type.
    ty: String,
    /// The hook before the read, with its end, if there is one.
    read: String,
    /// The hook before the write.
    write: String,
}

/// A piece of the text, and what stands there instead.
type Edit = (Range, String);

impl<'a> Hooks<'a> {
    pub fn new(
        text: &'a str,
        unit: &'a TranslationUnit,
        span: &'a dyn Fn(Range) -> Option<Span>,
        needed: &'a Needed,
        fails: Option<&'a FailingCall>,
    ) -> Hooks<'a> {
        let (places, parts) = (BTreeMap::new(), BTreeSet::new());
        let (defined, bit_fields) = (functions(unit), bit_fields(unit));
        Hooks { text, span, needed, fails, defined, bit_fields, places, parts, in_main: false }
    }

    /// The whole text. (None, if there is nothing to hook.)
    pub fn put(mut self, unit: &TranslationUnit) -> Option<Hooked> {
        let mut edits = Vec::new();
        let mut first = None;
        for item in &unit.items {
            let Item::Function(function) = item else { continue };
            let before = edits.len();
            self.function(function, &mut edits);
            if edits.len() > before {
                first = first.or(Some(function.range.lo));
            }
        }
        let first = self.start_of_line(first?);
        let whole = self.text.len() as u32;
        let before = self.text[..first as usize].to_string();
        let marker = (self.span)(Range { lo: first, hi: first + 1 });
        let marker = marker.map(|span| span.line).unwrap_or_default();
        let rest = self.splice(Range { lo: first, hi: whole }, edits);
        let rest = match marker {
            0 => rest,
            line => format!("# {line} {}\n{rest}", self.file_of_marker(first)),
        };
        Some(Hooked { text: [before, rest], places: self.places, parts: self.parts })
    }

    /// The name in the last line marker before a place, with its quotes.
    fn file_of_marker(&self, before: u32) -> &'a str {
        let lines = self.text[..before as usize].lines().rev();
        let names = lines.filter(|line| line.starts_with('#') && !line.contains("pragma"));
        let quoted = |line: &'a str| {
            let (open, close) = (line.find('"')?, line.rfind('"')?);
            line.get(open..=close)
        };
        names.filter_map(quoted).next().unwrap_or("\"program\"")
    }

    fn start_of_line(&self, at: u32) -> u32 {
        let line = self.text[..at as usize].rfind('\n').map_or(0, |end| end + 1);
        let is_space = self.text[line..at as usize].trim().is_empty();
        if is_space { line as u32 } else { at }
    }

    fn function(&mut self, function: &FunctionDef, edits: &mut Vec<Edit>) {
        let name = function.declarator.name.as_ref().map(|name| &*name.name);
        self.in_main = name == Some("main");
        self.block(&function.body, edits);
        if self.in_main {
            let end = function.body.range.hi - 1;
            edits.push((Range { lo: end, hi: end }, " rely_ends(); ".to_string()));
            self.in_main = false;
        }
    }

    fn block(&mut self, block: &Block, edits: &mut Vec<Edit>) {
        for item in &block.items {
            match item {
                BlockItem::Declaration(declaration) => self.declaration(declaration, edits),
                BlockItem::Stmt(statement) => self.statement(statement, edits),
                BlockItem::NestedFunction(_)
                | BlockItem::StaticAssert(_)
                | BlockItem::LocalLabels(_) => {}
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration, edits: &mut Vec<Edit>) {
        if matches!(declaration.specifiers.storage, Some(Storage::Static | Storage::Extern)) {
            return;
        }
        for declarator in &declaration.declarators {
            match &declarator.init {
                Some(Initializer::Expr(expr)) => {
                    self.initial_value(declarator.declarator.range, expr, edits);
                }
                Some(list) => self.initializer(list, edits),
                None => {}
            }
        }
    }

    /// `= e` of a declarator: of a record, the declaration reads it.
    fn initial_value(&mut self, declarator: Range, expr: &Expression, edits: &mut Vec<Edit>) {
        let value = self.expr(expr, Use::Value);
        let whole = Range { hi: expr.range.hi, ..declarator };
        // All that a macro becomes has one place: there it is an expression in it that reads.
        let own = (self.span)(expr.range);
        let spans = [(self.span)(declarator), (self.span)(whole)];
        let spans = spans.map(|span| span.filter(|_| span != own));
        let keys = spans
            .into_iter()
            .flatten()
            .flat_map(|span| [HookKind::Read, HookKind::Write].map(|kind| Key { span, kind }));
        let keys: BTreeSet<Key> = keys.filter(|key| self.needed.contains_key(key)).collect();
        let hooks: String = keys.into_iter().map(|key| self.hook(key) + ", ").collect();
        match hooks.is_empty() {
            true if value == self.of(expr.range) => {}
            true => edits.push((expr.range, value)),
            false => edits.push((expr.range, format!("({hooks}{value})"))),
        }
    }

    fn initializer(&mut self, init: &Initializer, edits: &mut Vec<Edit>) {
        match init {
            Initializer::Expr(expr) => self.value(expr, edits),
            Initializer::List(items, _) => {
                items.iter().for_each(|item| self.initializer(&item.value, edits));
            }
        }
    }

    fn statement(&mut self, statement: &Stmt, edits: &mut Vec<Edit>) {
        match &*statement.kind {
            StmtKind::Expr(expr) => expr.iter().for_each(|expr| self.value(expr, edits)),
            StmtKind::Block(block) => self.block(block, edits),
            StmtKind::If(condition, then, otherwise) => {
                self.value(condition, edits);
                self.statement(then, edits);
                otherwise.iter().for_each(|otherwise| self.statement(otherwise, edits));
            }
            StmtKind::While(condition, body)
            | StmtKind::DoWhile(body, condition)
            | StmtKind::Switch(condition, body) => {
                self.value(condition, edits);
                self.statement(body, edits);
            }
            StmtKind::For(first, condition, next, body) => {
                match first {
                    Some(ForInit::Declaration(declaration)) => self.declaration(declaration, edits),
                    Some(ForInit::Expr(expr)) => self.value(expr, edits),
                    None => {}
                }
                [condition, next].into_iter().flatten().for_each(|expr| self.value(expr, edits));
                self.statement(body, edits);
            }
            StmtKind::Case(_, _, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                self.statement(body, edits);
            }
            StmtKind::ComputedGoto(expr) => self.value(expr, edits),
            StmtKind::Return(expr) => self.returned(statement, expr.as_ref(), edits),
            StmtKind::Goto(_) | StmtKind::Continue | StmtKind::Break | StmtKind::Asm(_) => {}
        }
    }

    /// When `main` returns, the program ends: that waits until its time has come.
    fn returned(&mut self, statement: &Stmt, expr: Option<&Expression>, edits: &mut Vec<Edit>) {
        match expr {
            Some(expr) if self.in_main => {
                let value = self.expr(expr, Use::Value);
                edits.push((
                    expr.range,
                    format!("({{ int rely_v = {value}; rely_ends(); rely_v; }})"),
                ));
            }
            Some(expr) => self.value(expr, edits),
            None if self.in_main => {
                let lo = statement.range.lo;
                let text = &self.text[lo as usize..statement.range.hi as usize];
                edits.push((statement.range, format!("{{ rely_ends(); {text} }}")));
            }
            None => {}
        }
    }

    /// An expression whose value matters, or nothing of it.
    fn value(&mut self, expr: &Expression, edits: &mut Vec<Edit>) {
        let new = self.expr(expr, Use::Value);
        if new != self.of(expr.range) {
            edits.push((expr.range, new));
        }
    }

    /// The text of an expression, with hooks.
    fn expr(&mut self, expr: &Expression, how: Use) -> String {
        match &*expr.kind {
            ExprKind::Assign(op, left, right) => self.assign(expr, *op, left, right),
            ExprKind::IncDec { increment, prefix, operand } => {
                self.step(expr, operand, *increment, *prefix)
            }
            ExprKind::Call(callee, args) => self.call(expr, callee, args),
            ExprKind::Ident(_)
            | ExprKind::Index(..)
            | ExprKind::Member { .. }
            | ExprKind::Unary(UnaryOp::Deref, _) => {
                let text = self.inside(expr);
                let key = (how == Use::Value).then(|| self.key(expr, HookKind::Read)).flatten();
                match key.filter(|key| self.is_accessed(expr, key)) {
                    Some(key) => format!("({}, {text})", self.hook(key)),
                    None => text,
                }
            }
            _ => self.inside(expr),
        }
    }

    /// With hooks in its parts.
    fn inside(&mut self, expr: &Expression) -> String {
        let mut edits = Vec::new();
        let place = |hooks: &mut Self, part: &Expression, edits: &mut Vec<Edit>| {
            let new = hooks.expr(part, Use::Place);
            edits.push((part.range, new));
        };
        match &*expr.kind {
            ExprKind::Unary(UnaryOp::AddressOf, part) => place(self, part, &mut edits),
            ExprKind::Member { base, arrow: false, .. } => place(self, base, &mut edits),
            ExprKind::Unary(_, part) | ExprKind::Cast(_, part) => self.value(part, &mut edits),
            ExprKind::Member { base, .. } => self.value(base, &mut edits),
            ExprKind::Binary(_, left, right)
            | ExprKind::Comma(left, right)
            | ExprKind::Index(left, right) => {
                self.value(left, &mut edits);
                self.value(right, &mut edits);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.value(condition, &mut edits);
                then.iter().for_each(|then| self.value(then, &mut edits));
                self.value(otherwise, &mut edits);
            }
            ExprKind::CompoundLiteral(_, items) => {
                items.iter().for_each(|item| self.initializer(&item.value, &mut edits));
            }
            ExprKind::StmtExpr(block) => self.block(block, &mut edits),
            _ => {}
        }
        self.splice(expr.range, edits)
    }

    /// `left = right`, `left += right`.
    fn assign(
        &mut self,
        expr: &Expression,
        op: Option<BinaryOp>,
        left: &Expression,
        right: &Expression,
    ) -> String {
        let value = self.expr(right, Use::Value);
        let Some(Taken { start, place, ty, read, write }) = self.taken(expr, left) else {
            let edits = vec![(left.range, self.expr(left, Use::Place)), (right.range, value)];
            return self.whole(expr, edits);
        };
        // (A record is read as a part of the assignment, too.)
        match op.map(operator) {
            None => format!(
                "({{ {start}; {read}{ty} rely_v = ({value}); {write}; {place} = rely_v; }})"
            ),
            Some(op) => format!(
                "({{ {start}; __auto_type rely_r = ({value}); {read}{ty} rely_v = {place}; \
                 {write}; {place} = rely_v {op} rely_r; }})"
            ),
        }
    }

    /// `x++` and its like.
    fn step(&mut self, expr: &Expression, operand: &Expression, up: bool, prefix: bool) -> String {
        let Some(Taken { start, place, ty, read, write }) = self.taken(expr, operand) else {
            let edits = vec![(operand.range, self.expr(operand, Use::Place))];
            return self.whole(expr, edits);
        };
        let op = if up { '+' } else { '-' };
        let result = if prefix { &place } else { "rely_v" };
        format!(
            "({{ {start}; {read}{ty} rely_v = {place}; {write}; \
             {place} = rely_v {op} 1; {result}; }})"
        )
    }

    /// The parts of an expression that writes, if a hook must stand before the write.
    fn taken(&mut self, expr: &Expression, written: &Expression) -> Option<Taken> {
        let write = self.key(expr, HookKind::Write)?;
        if self.key(expr, HookKind::Update).is_some() {
            return None;
        }
        let read =
            self.key(expr, HookKind::Read).map(|key| self.hook(key) + "; ").unwrap_or_default();
        let write = self.hook(write);
        if let ExprKind::Member { base, arrow, field } = &*written.kind
            && self.bit_fields.contains(&*field.name)
        {
            // It has no address, but the record has one.
            let base = match arrow {
                true => self.expr(base, Use::Value),
                false => format!("&({})", self.expr(base, Use::Place)),
            };
            let place = format!("rely_p->{}", field.name);
            let ty = format!("__typeof__({place} + 0)");
            return Some(Taken {
                start: format!("__auto_type rely_p = {base}"),
                place,
                ty,
                read,
                write,
            });
        }
        let ty = format!("__typeof__({})", self.of(written.range));
        let start = format!("{ty} *rely_p = &({})", self.expr(written, Use::Place));
        Some(Taken { start, place: "*rely_p".to_string(), ty, read, write })
    }

    /// An expression that is one step, with hooks in its parts.
    fn whole(&mut self, expr: &Expression, edits: Vec<Edit>) -> String {
        let text = self.splice(expr.range, edits);
        match self.key(expr, HookKind::Update) {
            Some(key) => format!("({}, {text})", self.hook(key)),
            None => text,
        }
    }

    fn call(&mut self, expr: &Expression, callee: &Expression, args: &[Expression]) -> String {
        let mut edits = Vec::new();
        args.iter().for_each(|arg| self.value(arg, &mut edits));
        let ExprKind::Ident(name) = &*callee.kind else {
            self.value(callee, &mut edits);
            return self.splice(expr.range, edits);
        };
        let name = &*name.name;
        if let Some(key) =
            self.key(expr, HookKind::Value).filter(|_| name.starts_with(NONDETERMINISTIC))
        {
            let text = self.of(expr.range).to_string();
            return format!("((__typeof__({text})){})", self.hook(key));
        }
        let mark = MARKS.iter().find(|(mark, _)| *mark == name && !self.defined.contains(mark));
        if let Some((_, part)) = mark {
            self.parts.insert(part);
            edits.push((callee.range, format!("rely_{name}")));
            return self.splice(expr.range, edits);
        }
        let key = self.key(expr, HookKind::Call).filter(|_| !self.defined.contains(name));
        let own = OWN_FORMS.iter().find(|(own, _)| *own == name);
        if let (Some(key), Some((_, part))) = (&key, own) {
            self.parts.insert(part);
            let mut places = self.hook_number(*key).to_string();
            if let Some(key) = self.key(expr, HookKind::Return) {
                places += &format!(", {}", self.hook_number(key));
            }
            let end = callee.range.hi;
            let open = self.text[end as usize..].find('(').map_or(end, |at| end + at as u32 + 1);
            edits.push((callee.range, format!("rely_{name}")));
            edits.push((Range { lo: open, hi: open }, format!("{places}, ")));
            return self.splice(expr.range, edits);
        }
        match self.before_call(expr, name, key) {
            hook if hook.is_empty() => self.splice(expr.range, edits),
            hook => self.behind_arguments(expr, &hook, edits),
        }
    }

    /// A hook, and the call that it stands before. Arguments with hooks are evaluated before both.
    fn behind_arguments(&self, expr: &Expression, hook: &str, args: Vec<Edit>) -> String {
        let mut values = String::new();
        let mut edits = Vec::new();
        for (number, (range, text)) in args.into_iter().enumerate() {
            values += &format!("__auto_type rely_a{number} = ({text}); ");
            edits.push((range, format!("rely_a{number}")));
        }
        let text = self.splice(expr.range, edits);
        match values.is_empty() {
            true => format!("({hook}, {text})"),
            false => format!("({{ {values}{hook}; {text}; }})"),
        }
    }

    /// What stands before a call: the hooks of what it does, or that it is the error.
    fn before_call(&mut self, expr: &Expression, name: &str, key: Option<Key>) -> String {
        if let Some(fails) = self.fails.filter(|fails| fails.function == name)
            && (self.span)(expr.range) == Some(fails.span)
        {
            return format!("rely_fails(\"{}\")", fails.what);
        }
        if key.is_some() && ENDS_THREAD.contains(&name) {
            return "rely_ends()".to_string();
        }
        if RUNS_CODE.contains(&name) {
            return "rely_leave()".to_string();
        }
        if self.defined.contains(name) {
            return String::new();
        }
        let kinds: &[HookKind] = match ATOMICS.iter().any(|atomic| name.starts_with(atomic)) {
            true => &[HookKind::Read, HookKind::Update, HookKind::Write],
            false => &[],
        };
        let keys: Vec<Key> =
            kinds.iter().filter_map(|kind| self.key(expr, *kind)).chain(key).collect();
        let hooks: Vec<String> = keys.into_iter().map(|key| self.hook(key)).collect();
        hooks.join(", ")
    }

    /// The key of a hook that is needed here.
    fn key(&self, expr: &Expression, kind: HookKind) -> Option<Key> {
        let key = Key { span: (self.span)(expr.range)?, kind };
        self.needed.contains_key(&key).then_some(key)
    }

    /// Is a name that of an object that is accessed here? (All that a macro becomes has one place.)
    fn is_accessed(&self, expr: &Expression, key: &Key) -> bool {
        match &*expr.kind {
            ExprKind::Ident(name) => self.needed[key].contains(&*name.name),
            _ => true,
        }
    }

    fn hook(&mut self, key: Key) -> String {
        format!("rely_at({})", self.hook_number(key))
    }

    fn hook_number(&mut self, key: Key) -> usize {
        let next = self.places.len();
        let (number, count) = self.places.entry(key).or_insert((next, 0));
        *count += 1;
        *number
    }

    fn of(&self, range: Range) -> &'a str {
        &self.text[range.lo as usize..range.hi as usize]
    }

    /// The text of a range in which pieces are replaced.
    fn splice(&self, range: Range, mut edits: Vec<Edit>) -> String {
        edits.sort_by_key(|(range, _)| (range.lo, range.hi));
        let (mut out, mut at) = (String::new(), range.lo);
        for (piece, new) in edits {
            out += self.of(Range { lo: at, hi: piece.lo });
            out += &new;
            at = piece.hi;
        }
        out + self.of(Range { lo: at, hi: range.hi })
    }
}

/// As C writes it.
fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}

/// The functions that the program defines.
pub fn functions(unit: &TranslationUnit) -> BTreeSet<&str> {
    unit.items
        .iter()
        .filter_map(|item| match item {
            Item::Function(function) => Some(&*function.declarator.name.as_ref()?.name),
            _ => None,
        })
        .collect()
}

/// The names of members that have no address.
fn bit_fields(unit: &TranslationUnit) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in &unit.items {
        let specifiers = match item {
            Item::Declaration(declaration) => &declaration.specifiers,
            Item::Function(function) => &function.specifiers,
            Item::StaticAssert(_) | Item::Asm(_) => continue,
        };
        bit_fields_of(specifiers, &mut names);
    }
    names
}

fn bit_fields_of(specifiers: &Specifiers, names: &mut BTreeSet<String>) {
    let TypeSpecifier::Record(record) = &specifiers.ty else { return };
    for member in record.members.iter().flatten() {
        let Member::Fields { specifiers, declarators } = member else { continue };
        bit_fields_of(specifiers, names);
        let fields = declarators.iter().filter(|field| field.bits.is_some());
        let named = fields.filter_map(|field| field.declarator.as_ref()?.name.as_ref());
        names.extend(named.map(|name| name.name.to_string()));
    }
}
