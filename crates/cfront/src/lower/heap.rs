//! Allocation: `malloc` and its relatives, `alloca`, arrays of variable length,
//! `realloc`, `free`.
//!
//! One allocation in the program text, reached along one chain of calls, is one
//! object with as many copies as it may run (or as the bound says; running out
//! is reported). Whether allocation may fail is an option. It returns a copy that was never used
//! or *any* that was freed: addresses may come back, so ABA problems exist.
//!
//! A size that is not constant gives an object with room for a bounded number
//! of elements; how much of it there is, its *extent*, is remembered for each
//! copy and asked at each access. More than there is room for is a reported
//! bound.

use super::build::{Automatic, TemplateBuilder};
use super::cells::{self, Dim, Group, Padding};
use super::input::Input;
use super::locate::INDEX;
use super::memory::MAX_CELLS;
use super::objects::{Key, ObjectId, Outline, SourceName};
use super::{Lowerer, Memory, Resolver, fold};
use crate::hir::{Expr as CExpr, FuncId, Type as CType, TypeId};
use crate::syntax::ast::Range;
use ccfa::{BinOp, Expr, Init, Limit, LocKind, Type, Undefined};

/// One allocation of the program text in one chain of calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    lo: u32,
    hi: u32,
    calls: Vec<u32>,
}

impl Site {
    pub fn range(&self) -> Range {
        Range { lo: self.lo, hi: self.hi }
    }
}

/// What an allocation creates.
#[derive(Clone, Debug, PartialEq)]
pub struct Allocation {
    /// In bytes; what there is room for, if the size is not constant.
    pub size: u64,
    pub is_sized_at_run_time: bool,
    /// The type its first user gives it.
    pub element: Option<TypeId>,
    pub life: Life,
    /// How many copies.
    pub copies: u64,
    /// Is any of it ever freed?
    pub freed: bool,
    /// By `realloc`: it may lie where what it replaces was.
    pub moves: bool,
    /// Is all of it written before it can be read?
    pub filled: bool,
}

impl Allocation {
    /// Whose freed copies it may get: those of its own kind.
    pub fn is_like(&self, other: &Allocation) -> bool {
        let kind = |known: &Allocation| {
            (known.size, known.is_sized_at_run_time, known.element, known.life)
        };
        kind(self) == kind(other)
    }
}

/// How long an allocated object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Until it is freed.
    Heap,
    /// Until the function returns.
    Frame,
    /// Until the block is left or the declaration is reached again.
    Block,
}

/// A function that creates objects.
struct Allocator {
    name: &'static str,
    /// The arguments whose product is the size.
    sizes: &'static [usize],
    zeroed: bool,
    life: Life,
    /// The first argument is an object that the new one replaces.
    moves: bool,
}

const MALLOC: Allocator =
    Allocator { name: "malloc", sizes: &[0], zeroed: false, life: Life::Heap, moves: false };

const ALLOCATORS: [Allocator; 11] = [
    MALLOC,
    Allocator { name: "valloc", ..MALLOC },
    Allocator { name: "kmalloc", ..MALLOC },
    Allocator { name: "__kmalloc", ..MALLOC },
    Allocator { name: "kzalloc", zeroed: true, ..MALLOC },
    Allocator { name: "calloc", sizes: &[0, 1], zeroed: true, ..MALLOC },
    Allocator { name: "realloc", sizes: &[1], moves: true, ..MALLOC },
    Allocator { name: "reallocarray", sizes: &[1, 2], moves: true, ..MALLOC },
    Allocator { name: "alloca", life: Life::Frame, ..MALLOC },
    Allocator { name: "__builtin_alloca", life: Life::Frame, ..MALLOC },
    Allocator { name: "__rely_variable_array", life: Life::Block, ..MALLOC },
];

/// What says in which state an object is; zero before it is used.
pub const LIVE: Type = Type::unsigned(2);
/// It is alive.
pub const ALIVE: i128 = 1;
/// It was alive.
pub const GONE: i128 = 2;
/// A local is alive at its second place.
pub const ALIVE_ELSEWHERE: i128 = 3;
/// Objects with more copies than this are cut to the bound: each copy has cells of its own.
const MAX_COPIES: u64 = 64;
/// Larger allocations are not modelled, whatever their cells are: their ends must not meet other objects' addresses.
const MAX_BYTES: u64 = 1 << 30;
/// The size we take for an element of memory whose type is not known.
const UNTYPED_ELEMENT: u64 = 8;

/// How much memory an allocation asks for.
enum Amount {
    Constant(u64),
    /// So many bytes, if this condition holds.
    Computed {
        bytes: Expr,
        fits: Expr,
        room: u64,
    },
}

impl Lowerer<'_> {
    /// An allocation; `element` is what the program uses it as.
    pub(super) fn allocate(
        &mut self,
        call: &CExpr,
        function: FuncId,
        args: &[CExpr],
        element: Option<TypeId>,
    ) -> Expr {
        let allocator = self.input.allocator(function).expect("asked before");
        let nothing = Expr::Const(0, self.input.pointer_type());
        let values: Vec<Expr> = args.iter().map(|arg| self.size_or_value(arg)).collect();
        self.at(call.range);
        let Some(amount) = self.input.amount(allocator, args, &values, element) else {
            self.t.unsupported(format!("a call of `{}` with such arguments", allocator.name));
            return nothing;
        };
        let (size, is_sized_at_run_time) = match &amount {
            Amount::Constant(size) => (*size, false),
            Amount::Computed { room, .. } => (*room, true),
        };
        let calls = self.t.frames.iter().map(|frame| frame.call_site).collect();
        let site = Site { lo: call.range.lo, hi: call.range.hi, calls };
        let known = self.found.heap.get(&site);
        let (before, freed) = known.map_or((0, false), |known| (known.copies, known.freed));
        let bound = u64::from(self.input.options.bounds.objects);
        let copies = (before + self.input.copies_here(&self.t, call.range, allocator.life))
            .min(MAX_COPIES.max(bound));
        let (life, freed) = (allocator.life, freed || allocator.life != Life::Heap);
        let (moves, filled) = (allocator.moves, self.input.is_filled(allocator, call.range));
        let allocation =
            Allocation { size, is_sized_at_run_time, element, life, copies, freed, moves, filled };
        if size > MAX_BYTES || self.input.allocation_cells(&allocation) > MAX_CELLS as u64 {
            self.t.unsupported(format!("an allocation of {size} bytes, which is too large"));
            return nothing;
        }
        self.found.heap.insert(site.clone(), allocation);
        let Some(object) = self.resolver().heap_object(&site) else {
            self.t.bound("an allocation");
            return nothing;
        };
        let (mut end, address) = (None, self.t.temp(self.input.pointer_type()));
        let may_fail =
            allocator.life == Life::Heap && self.control().allocation_may_fail(address, &mut end);
        let extent = self.memory().checked_extent(allocator, amount);
        let automatic = Automatic { address, object, is_array: allocator.life == Life::Block };
        if automatic.is_array {
            self.lives().end_automatic(automatic);
        }
        self.lives().take_copy(object, &site, allocator.zeroed, extent.as_ref(), address);
        if allocator.life != Life::Heap {
            self.t.frame().automatic.push(automatic);
        }
        if allocator.moves {
            self.memory().move_contents(&args[0], &values[0], address, &site, extent.as_ref());
        }
        if may_fail {
            self.t.join_at(&mut end);
            self.t.resume(end);
        }
        Expr::Var(address)
    }

    /// The value of an argument; a constant also where that takes a look at the
    /// whole program.
    fn size_or_value(&mut self, arg: &CExpr) -> Expr {
        match (self.expr(arg), self.input.constant(self.t.frames.last(), arg)) {
            (Expr::Const(value, ty), _) => Expr::Const(value, ty),
            (_, Some(value)) => Expr::constant(value, self.input.pointer_type()),
            (other, None) => other,
        }
    }
}

impl Input<'_> {
    pub fn is_allocator(&self, function: FuncId) -> bool {
        self.allocator(function).is_some()
    }

    fn allocator(&self, function: FuncId) -> Option<&'static Allocator> {
        let function = &self.unit.functions[function.index()];
        ALLOCATORS
            .iter()
            .find(|known| known.name == function.name.as_str() && function.body.is_none())
    }

    /// Is all of what is allocated here written before anything can read it?
    fn is_filled(&self, allocator: &Allocator, call: Range) -> bool {
        allocator.zeroed || self.is_written_at_birth(call)
    }

    /// The bytes we model of an object whose size is not constant: those of as
    /// many elements as the bound says.
    fn room(&self, element: Option<TypeId>) -> u64 {
        let count = u64::from(self.options.bounds.objects);
        let types = &self.unit.types;
        let size = |ty: TypeId| types.size_of(ty).filter(|size| *size > 0);
        let typed = element.filter(|element| *types.get(*element) != CType::Void);
        let Some((element, stride)) = typed.and_then(|ty| Some((ty, size(ty)?))) else {
            return count * UNTYPED_ELEMENT;
        };
        let flexible = self.flexible_element(element);
        match flexible.and_then(|(_, offset, rest)| Some((offset, size(rest)?))) {
            Some((offset, rest)) => (offset + count * rest).max(stride),
            None => count.saturating_mul(stride),
        }
    }

    /// Name, offset and element type of a flexible array at the end of a record.
    fn flexible_element(&self, ty: TypeId) -> Option<(&str, u64, TypeId)> {
        let record = self.unit.types.as_record(ty)?;
        let last = self.unit.types.record(record).layout.as_ref()?.fields.last()?;
        match self.unit.types.get(last.ty) {
            CType::Array(element, None | Some(0)) => Some((&last.name, last.offset, *element)),
            _ => None,
        }
    }

    fn allocation_cells(&self, allocation: &Allocation) -> u64 {
        self.allocation_groups(allocation, Padding::Without).iter().map(Group::len).sum()
    }

    /// The cells of an allocation: of its element type where the size fits, else bytes.
    fn allocation_groups(&self, allocation: &Allocation, padding: Padding) -> Vec<Group> {
        let types = &self.unit.types;
        let typed = || {
            let element = allocation.element?;
            let size = types.size_of(element).filter(|size| *size > 0)?;
            if *types.get(element) == CType::Void || allocation.size < size {
                return None;
            }
            let groups = cells::flatten(types, element, padding).ok()?;
            match (allocation.size / size, allocation.size % size) {
                (1, 0) => Some(groups),
                (count, 0) if self.flexible_element(element).is_none() => {
                    let around = |group: Group| group.in_array(Dim { stride: size, count });
                    Some(groups.into_iter().map(around).collect())
                }
                _ => {
                    let (name, offset, rest) = self.flexible_element(element)?;
                    let stride = types.size_of(rest).filter(|size| *size > 0)?;
                    let count = (allocation.size - offset) / stride;
                    let tail =
                        cells::flatten(types, rest, padding).ok()?.into_iter().map(|mut group| {
                            group = group.in_array(Dim { stride, count });
                            group.offset += offset;
                            group.path.insert_str(0, &format!(".{name}"));
                            group
                        });
                    // The array begins within the record's last padding.
                    let before = |group: &Group| !group.is_padding || group.offset < offset;
                    Some(groups.into_iter().filter(before).chain(tail).collect())
                }
            }
        };
        typed().unwrap_or_else(|| cells::bytes(allocation.size.max(1)))
    }

    /// How many copies the allocation at hand needs, as far as we can tell.
    fn copies_here(&self, t: &TemplateBuilder, call: Range, life: Life) -> u64 {
        let bound = u64::from(self.options.bounds.objects);
        let outer = t.frames.last().map_or(0, |frame| frame.outer_loops);
        let is_once = life == Life::Block || life == Life::Frame && t.loops.len() == outer;
        // With two places for what is looked at when it is gone, lives are told apart (`local_life`).
        let is_kept = self.points_to.is_outlived_allocation(call);
        let places = if is_kept && self.is_repeated(t) { 2 } else { 1 };
        let rounds = match is_once {
            true => self.instances_of(t.routine).map(|threads| threads * places),
            false => self.rounds_at(t),
        };
        let rounds = rounds.filter(|_| !self.summaries.is_repeated(call.lo));
        rounds.filter(|rounds| *rounds <= MAX_COPIES).unwrap_or(bound).max(1)
    }

    fn amount(
        &self,
        allocator: &Allocator,
        args: &[CExpr],
        values: &[Expr],
        element: Option<TypeId>,
    ) -> Option<Amount> {
        let factors = allocator.sizes.iter().map(|position| values.get(*position));
        let factors: Vec<&Expr> = factors.collect::<Option<_>>()?;
        if factors.iter().all(|factor| matches!(factor, Expr::Const(..))) {
            let size = factors.iter().try_fold(1u64, |product, factor| match factor {
                Expr::Const(size, _) => product.checked_mul(u64::try_from(*size).ok()?),
                _ => None,
            });
            return size.map(Amount::Constant);
        }
        // Factors that have room for themselves have a product that fits 64 bits.
        let wide = Type::unsigned(64);
        let room = self.room(element);
        let most = Expr::Const(i128::from(room), wide);
        let (mut bytes, mut fits) = (Expr::Const(1, wide), Expr::TRUE);
        for position in allocator.sizes {
            let from = match &values[*position] {
                Expr::Const(_, ty) => *ty,
                _ => self.scalar_type(args[*position].ty)?,
            };
            let size = fold::cast(self.pointer_type(), from, values[*position].clone());
            let factor = fold::cast(wide, self.pointer_type(), size);
            bytes = fold::binary(BinOp::Mul, wide, bytes, factor.clone());
            fits = Expr::and(fits, fold::binary(BinOp::Le, wide, factor, most.clone()));
        }
        fits = Expr::and(fits, fold::binary(BinOp::Le, wide, bytes.clone(), most));
        Some(Amount::Computed { bytes: fold::cast(INDEX, wide, bytes), fits, room })
    }
}

impl Memory<'_, '_> {
    /// The bytes that a computed amount means, after asking whether they fit.
    fn checked_extent(&mut self, allocator: &Allocator, amount: Amount) -> Option<Expr> {
        let (extent, size) = match amount {
            Amount::Constant(size) => (None, Expr::Const(i128::from(size), INDEX)),
            Amount::Computed { bytes, fits, room } => {
                let what = format!("an allocation of more than {room} bytes");
                self.t.require_or(fits, LocKind::Limit(Limit::Bound, what));
                let extent = self.t.keep(bytes, INDEX);
                (Some(extent.clone()), extent)
            }
        };
        let some = fold::binary(BinOp::Lt, INDEX, Expr::Const(0, INDEX), size);
        if allocator.life == Life::Block {
            self.t.require(some, Undefined::EmptyArray);
        } else if allocator.moves {
            self.t.require_supported(some, "`realloc` with size 0");
        }
        extent
    }
}

impl Resolver<'_, '_> {
    /// The object of an allocation, once it is known.
    pub(super) fn heap_object(&mut self, site: &Site) -> Option<ObjectId> {
        let key = Key::Heap(site.clone());
        if let Some(id) = self.objects.find(&key) {
            return Some(id);
        }
        let allocation = self.input.facts.heap.get(site)?.clone();
        let groups = self.input.allocation_groups(&allocation, self.input.padding(&key));
        let place = self.input.map.place(site.lo.min(super::LIBRARY_OFFSET - 1));
        let name = format!("heap@{}", place.line);
        let copies = Some(allocation.copies);
        let source = Some(SourceName { name: name.clone(), function: None });
        let (size, ty) = (allocation.size, allocation.element);
        let outline = Outline { name: name.clone(), source, size, ty, groups };
        let written = self.input.written_allocation(&allocation, &outline.groups);
        let id = self.objects.add_shared(key, outline, copies);
        let count = Some(allocation.copies as u32);
        let live = self.objects.shared_var(&format!(".{name}.live"), LIVE, count, Init::Value(0));
        self.objects.shared_var(&format!(".{name}.used"), INDEX, None, Init::Value(0));
        let extent = allocation.is_sized_at_run_time.then(|| {
            self.objects.shared_var(&format!(".{name}.size"), INDEX, count, Init::Value(0))
        });
        let object = self.objects.get_mut(id);
        object.live = Some(live);
        object.extent = extent;
        object.is_automatic = allocation.life != Life::Heap;
        object.written = written;
        Some(id)
    }
}
