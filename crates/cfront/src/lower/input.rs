//! What a round of lowering starts from: the typed program, what pointers can point to, the
//! options, and the facts of the round before. Nothing here changes while the round runs.

use super::Facts;
use super::LIBRARY_OFFSET;
use super::build::{Frame, TemplateBuilder};
use super::cells::{self, Padding};
use super::fold;
use super::locate::INDEX;
use super::manner::{LIBRARY_TYPE, Manner};
use super::objects::Key;
use super::observe::Look;
use super::order::Summaries;
use super::thread::{ID_DISTANCE, MAIN_ID};
use crate::hir::{
    BinaryOp, Expr as CExpr, ExprKind, FuncId, Lifetime, Place, PlaceKind, Type as CType, TypeId,
    UnaryOp, Unit, VarId,
};
use crate::points_to::{self, PointsTo};
use crate::source::SourceMap;
use crate::syntax::ast::Range;
use crate::{LowerOptions, SignedOverflow};
use ccfa::{Arg, BinOp, Expr, LocalId, Order, Span, Type, VarRef};
use std::collections::BTreeMap;

/// What is given when a round begins.
pub struct Input<'a> {
    pub unit: &'a Unit,
    pub points_to: &'a PointsTo,
    /// What evaluating an expression may do.
    pub summaries: &'a Summaries<'a>,
    pub map: &'a SourceMap,
    pub options: &'a LowerOptions,
    /// What the round before has found.
    pub facts: &'a Facts,
    pub main: FuncId,
    /// First thread id of each start routine.
    pub thread_ids: BTreeMap<FuncId, u64>,
}

impl<'a> Input<'a> {
    pub fn new(
        summaries: &'a Summaries<'a>,
        map: &'a SourceMap,
        options: &'a LowerOptions,
        facts: &'a Facts,
        main: FuncId,
    ) -> Input<'a> {
        let mut thread_ids = BTreeMap::from([(main, MAIN_ID)]);
        let mut next = MAIN_ID + 1;
        let bounded = |count: &Option<u64>| count.is_some();
        let (known, any): (Vec<_>, Vec<_>) =
            facts.spawned.iter().partition(|(_, count)| bounded(count));
        for (function, count) in known.into_iter().chain(any) {
            // `main` as a start routine of other threads has ids of its own.
            thread_ids.entry(*function).or_insert(next);
            next += count.unwrap_or(ID_DISTANCE);
        }
        let (unit, points_to) = (summaries.unit, summaries.points_to);
        Input { unit, points_to, summaries, map, options, facts, main, thread_ids }
    }

    pub fn pointer_type(&self) -> Type {
        Type::unsigned(self.unit.types.pointer_size() as u8 * 8)
    }

    /// Has the object's padding cells?
    pub fn padding(&self, key: &Key) -> Padding {
        match self.facts.padded.contains(key) {
            true => Padding::With,
            false => Padding::Without,
        }
    }

    pub fn scalar_type(&self, ty: TypeId) -> Option<Type> {
        cells::scalar(&self.unit.types, ty)
    }

    pub fn size_of(&self, ty: TypeId) -> u64 {
        self.unit.types.size_of(ty).unwrap_or(0)
    }

    /// `base + index * size`, as addresses are computed.
    pub fn scaled(&self, base: Expr, index: Expr, index_ty: Type, size: u64) -> Expr {
        let ty = self.pointer_type();
        let index = fold::cast(ty, index_ty, index);
        let scaled = fold::binary(BinOp::Mul, ty, index, Expr::constant(i128::from(size), ty));
        fold::binary(BinOp::Add, ty, base, scaled)
    }

    pub fn int_type(&self, expr: &CExpr) -> Type {
        self.scalar_type(expr.ty).unwrap_or(Type::signed(32))
    }

    /// A number converted to a C type.
    pub fn convert(&self, to: TypeId, from: Type, value: Expr, ty: Type) -> Expr {
        match self.unit.types.get(self.unit.types.unatomic(to)) {
            CType::Bool => fold::number(ty, fold::truth(from, value)),
            _ => fold::cast(ty, from, value),
        }
    }

    pub fn is_record(&self, expr: &CExpr) -> bool {
        matches!(self.unit.types.get(self.unit.types.unatomic(expr.ty)), CType::Record(_))
    }

    /// Can it be evaluated without a step?
    pub fn is_simple(&self, expr: &CExpr) -> bool {
        match &*expr.kind {
            ExprKind::Const(_) | ExprKind::FunctionAddr(_) => true,
            ExprKind::Load(Place { kind: PlaceKind::Var(var), bits: None, .. }) => {
                let lifetime = self.unit.vars[var.index()].lifetime;
                matches!(lifetime, Lifetime::Local(_))
                    && !self.escapes(*var)
                    && !self.asks_if_written(*var)
                    && !self.may_lack_values(*var)
                    && self.scalar_type(expr.ty).is_some()
            }
            ExprKind::Unary(UnaryOp::Not, operand) => self.is_simple(operand),
            ExprKind::Unary(op, operand) => {
                let checked = *op == UnaryOp::Neg && self.is_checked_for_overflow(expr);
                !checked && self.is_simple(operand) && !self.may_be_an_address(operand)
            }
            ExprKind::Cast(operand) => {
                let narrows = self.size_of(expr.ty) < self.size_of(operand.ty);
                self.is_simple(operand) && !(narrows && self.may_be_an_address(operand))
            }
            ExprKind::Binary(op, left, right) => {
                let constant =
                    matches!(*right.kind, ExprKind::Const(value) if (1..8).contains(&value));
                let checked = match op {
                    BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr => !constant,
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                        self.is_checked_for_overflow(expr)
                    }
                    _ => false,
                };
                !checked
                    && self.look(*op, left, right) == Look::Nothing
                    && self.is_simple(left)
                    && self.is_simple(right)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => self.is_simple(a) && self.is_simple(b),
            ExprKind::PtrAdd(pointer, index, _) => {
                // Where addresses have 32 bits, each move is looked at.
                let is_small = self.unit.types.pointer_size() == 8 && self.is_small(index);
                let stays = self.is_in_one(pointer) || is_small;
                stays && self.is_simple(pointer) && self.is_simple(index)
            }
            ExprKind::Cond(a, b, c) => self.is_simple(a) && self.is_simple(b) && self.is_simple(c),
            _ => false,
        }
    }

    /// Does arithmetic of this expression's type ask whether it overflows?
    fn is_checked_for_overflow(&self, expr: &CExpr) -> bool {
        self.options.choices.signed_overflow != SignedOverflow::Wrap
            && matches!(self.scalar_type(expr.ty), Some(Type::Bits { signed: true, .. }))
    }

    /// What the threads of a start routine are called. Two files may each have a function of one name for themselves: their threads are told apart.
    pub fn routine_name(&self, routine: FuncId) -> String {
        let name = &self.unit.functions[routine.index()].name;
        let earlier = self.unit.functions[..routine.index()].iter();
        match earlier.filter(|other| other.name == *name && other.body.is_some()).count() {
            0 => name.clone(),
            count => format!("{name}#{}", count + 1),
        }
    }

    /// The name of a function; those of our library begin with a dot, which
    /// tells reports that they are not the user's.
    pub fn function_prefix(&self, function: FuncId) -> String {
        let function = &self.unit.functions[function.index()];
        let dot = if function.is_model { "." } else { "" };
        format!("{dot}{}", function.name)
    }

    /// May another thread reach this local?
    pub fn escapes(&self, var: VarId) -> bool {
        self.points_to.is_address_taken(var) && self.points_to.is_shared(var)
    }

    /// Can a pointer be looked at when the local that it points to is gone?
    pub fn has_life(&self, var: VarId) -> bool {
        let points_to = self.points_to;
        let is_outlived = || points_to.is_address_taken(var) && points_to.is_outlived(var);
        match self.unit.vars[var.index()].lifetime {
            Lifetime::Static => false,
            Lifetime::Thread => self.escapes(var),
            Lifetime::Local(_) => self.escapes(var) || is_outlived(),
        }
    }

    pub fn zero(&self, call: &CExpr) -> Expr {
        Expr::Const(0, self.scalar_type(call.ty).unwrap_or(Type::signed(32)))
    }

    /// The text of a string literal.
    pub fn literal(&self, expr: &CExpr) -> String {
        match &*expr.kind {
            ExprKind::Cast(inner) => self.literal(inner),
            ExprKind::AddrOf(place) => match &place.kind {
                PlaceKind::Var(var) => self.text(*var),
                PlaceKind::Index(inner, ..) => match &inner.kind {
                    PlaceKind::Var(var) => self.text(*var),
                    _ => String::new(),
                },
                _ => String::new(),
            },
            _ => String::new(),
        }
    }

    pub fn text(&self, var: VarId) -> String {
        let entries = self.unit.vars[var.index()].init.iter().flatten();
        let byte = |entry: &crate::hir::InitEntry| match *entry.value.kind {
            ExprKind::Const(value) => value as u8,
            _ => b'?',
        };
        let bytes: Vec<u8> = entries.map(byte).take_while(|byte| *byte != 0).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The functions a pointer may point to.
    pub fn functions_at(&self, pointer: &CExpr) -> Vec<FuncId> {
        let function = |object| match object {
            points_to::Pointee::Function(function) => Some(function),
            _ => None,
        };
        let mut functions: Vec<FuncId> =
            self.points_to.targets(pointer).into_iter().filter_map(function).collect();
        functions.sort();
        functions
    }

    /// How many threads run a routine; `None` = any number.
    pub fn instances_of(&self, routine: FuncId) -> Option<u64> {
        if routine == self.main {
            return Some(1);
        }
        self.facts.spawned.get(&routine).copied().unwrap_or(Some(1))
    }

    /// How many threads there are, not counting routines with any number.
    pub fn bounded_threads(&self) -> u64 {
        1 + self.facts.spawned.values().flatten().sum::<u64>()
    }

    /// The type of the parameter with a thread's id: wide enough for every instance.
    pub fn id_type(&self, routine: FuncId) -> Type {
        if self.instances_of(routine).is_some() { INDEX } else { Type::unsigned(64) }
    }

    pub fn thread_argument(&self, routine: FuncId) -> Arg {
        Arg::Index(i128::from(self.thread_ids[&routine]))
    }

    /// Is it the id of no thread that is counted?
    pub fn is_uncounted(&self, id: Expr, ty: Type) -> Expr {
        let first = i128::from(MAIN_ID + self.bounded_threads());
        let id = fold::cast(INDEX, ty, id);
        Expr::negate(fold::binary(BinOp::Lt, INDEX, id, Expr::constant(first, INDEX)))
    }

    /// What an access to a place is.
    pub fn manner(&self, place: &Place) -> Manner {
        if self.is_internal(place) {
            return Manner::Internal;
        }
        match self.unit.types.get(place.ty) {
            CType::Atomic(_) => Manner::atomic(Order::SeqCst),
            _ => Manner::PLAIN,
        }
    }

    /// Does a place belong to the library of models?
    pub fn is_internal(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Var(var) => self.unit.vars[var.index()].range.lo >= LIBRARY_OFFSET,
            PlaceKind::Field(inner, _) => self.is_library_type(inner.ty) || self.is_internal(inner),
            PlaceKind::Index(inner, ..) => self.is_internal(inner),
            PlaceKind::Deref(_) | PlaceKind::Temporary(_) => false,
        }
    }

    /// The offsets of the locks and their like in an object of a type. Each begins with its kind.
    pub fn locks_in(&self, ty: TypeId, offset: u64, found: &mut Vec<u64>) {
        let types = &self.unit.types;
        match types.get(types.unatomic(ty)) {
            CType::Record(record) => {
                if cells::is_lock(types, *record) {
                    return found.push(offset);
                }
                let record = types.record(*record);
                for field in record.layout.iter().flat_map(|layout| &layout.fields) {
                    self.locks_in(field.ty, offset + field.offset, found);
                }
            }
            CType::Array(element, Some(count)) => {
                let size = self.size_of(*element);
                (0..*count).for_each(|n| self.locks_in(*element, offset + n * size, found));
            }
            _ => {}
        }
    }

    /// Is a place an object without a name, which can be nothing but an initialiser?
    pub fn is_compound_literal(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Var(var) => self.unit.vars[var.index()].name.is_empty(),
            PlaceKind::Deref(pointer) => matches!(&*pointer.kind, ExprKind::Stmt(..)),
            _ => false,
        }
    }

    pub fn is_library_type(&self, ty: TypeId) -> bool {
        match self.unit.types.get(self.unit.types.unatomic(ty)) {
            CType::Record(record) => self.unit.types.record(*record).tag.starts_with(LIBRARY_TYPE),
            _ => false,
        }
    }

    /// The memory order that an argument names. Of one that is not constant nothing is known but
    /// that it is one: it is taken as the weakest.
    pub fn order(&self, order: Option<&Expr>) -> Order {
        const ORDERS: [Order; 6] = [
            Order::Relaxed,
            Order::Consume,
            Order::Acquire,
            Order::Release,
            Order::AcqRel,
            Order::SeqCst,
        ];
        match order {
            // Higher bits are hints for hardware that elides locks.
            Some(Expr::Const(value, _)) => {
                ORDERS.get((value & 0xffff) as usize).copied().unwrap_or(Order::SeqCst)
            }
            Some(_) => Order::Relaxed,
            None => Order::SeqCst,
        }
    }

    /// The id of the current thread, converted to a type.
    pub fn own_id(&self, routine: FuncId, ty: Type) -> Expr {
        let id = Expr::Var(VarRef::Local(LocalId(0)));
        fold::cast(ty, self.id_type(routine), id)
    }

    /// The current thread's number, counted from `base`.
    pub fn own_index(&self, routine: FuncId, base: u64) -> Expr {
        fold::binary(
            BinOp::Sub,
            INDEX,
            self.own_id(routine, INDEX),
            Expr::constant(i128::from(base), INDEX),
        )
    }

    /// How often what we cannot count may run; a larger model has a larger one.
    pub fn guess(&self) -> u64 {
        u64::from(self.options.bounds.objects)
    }

    /// May the text at hand run more than once in a thread, as far as its chain of calls tells?
    pub fn is_repeated(&self, t: &TemplateBuilder) -> bool {
        let is_repeated = |frame: &Frame| self.summaries.is_repeated(frame.call_site);
        let jumps_back = |frame: &Frame| self.summaries.jumps_back(frame.function);
        t.loops.iter().any(|rounds| *rounds != Some(1))
            || t.frames.iter().any(is_repeated)
            || t.frames.last().is_some_and(jumps_back)
    }

    /// How often the text at hand runs in all threads together, if known.
    pub fn rounds_at(&self, t: &TemplateBuilder) -> Option<u64> {
        let threads = self.instances_of(t.routine)?;
        let rounds = t.loops.iter().copied().product::<Option<u64>>()?;
        let is_repeated = |frame: &Frame| self.summaries.is_repeated(frame.call_site);
        let jumps = if t.frames.iter().any(is_repeated) { self.guess() } else { 1 };
        threads.checked_mul(rounds)?.checked_mul(jumps)
    }

    /// Are we in the text of a function of our library?
    pub fn is_in_model(&self, t: &TemplateBuilder) -> bool {
        let frame = t.frames.last();
        frame.is_some_and(|frame| self.unit.functions[frame.function.index()].is_model)
    }

    /// The place of a piece of the user's text.
    pub fn span_of(&self, range: Range) -> Option<Span> {
        if range.lo >= LIBRARY_OFFSET {
            return None;
        }
        let (place, end) = (self.map.place(range.lo), self.map.end(range.hi));
        let start = Span::at(place.file, place.line, place.column);
        let has_end =
            place.file == end.file && (place.line, place.column) <= (end.line, end.column);
        Some(match has_end {
            true => Span { end_line: end.line, end_column: end.column, ..start },
            false => start,
        })
    }

    /// May another thread run between two steps here?
    pub fn may_be_seen(&self, t: &TemplateBuilder) -> bool {
        t.atomic == 0 && !self.facts.spawned.is_empty()
    }
}
