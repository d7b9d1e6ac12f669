//! Allocation: `malloc` and its relatives, `free`, `memset`, `memcpy`.
//!
//! One allocation in the program text, reached along one chain of calls, is one
//! object with as many copies as it may run (or as the bound says; running out
//! is reported). Allocation never fails. It returns a copy that was never used
//! or *any* that was freed: addresses may come back, so ABA problems exist.

use super::access::INDEX;
use super::build::set;
use super::cells::{self, Dim, Group};
use super::object::{Key, ObjectId, Outline};
use super::place::{Spot, Target};
use super::{Lowerer, fold};
use crate::hir::{Expr as CExpr, FuncId, Type as CType, TypeId};
use crate::syntax::ast::Range;
use ccfa::{Assign, BinOp, Expr, Gap, Init, LocKind, Place, Rhs, SharedId, Type, VarRef};

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
    size: u64,
    /// The type its first user gives it.
    element: Option<TypeId>,
    /// How many copies.
    copies: u64,
    /// Is any of it ever freed?
    freed: bool,
}

const LIVE: Type = Type::unsigned(2);
/// Objects with more copies than this are cut to the bound.
const MANY_COPIES: u64 = 64;
/// Larger allocations are not modelled, whatever their cells are.
const MAX_BYTES: u64 = 1 << 30;
/// Allocations, `memset` and `memcpy` of more cells than this are not modelled.
const MAX_CELLS: usize = 4096;

const ALLOCATORS: [&str; 8] =
    ["malloc", "calloc", "kmalloc", "kzalloc", "__kmalloc", "valloc", "alloca", "__builtin_alloca"];

/// Functions of memory that are modelled here rather than in C.
fn is_memory_function(name: &str) -> bool {
    ALLOCATORS.contains(&name)
        || matches!(
            name,
            "free" | "kfree" | "cfree" | "realloc" | "memset" | "memcpy" | "memmove" | "bzero"
        )
}

impl Lowerer<'_> {
    pub(super) fn is_allocator(&self, function: FuncId) -> bool {
        let function = &self.unit.functions[function.index()];
        ALLOCATORS.contains(&function.name.as_str()) && function.body.is_none()
    }

    /// A call of a function of memory, if it is one.
    pub(super) fn memory_function(
        &mut self,
        call: &CExpr,
        function: FuncId,
        args: &[CExpr],
    ) -> Option<Expr> {
        if self.is_allocator(function) {
            return Some(self.allocate(call, function, args, None));
        }
        let name = self.unit.functions[function.index()].name.clone();
        match (name.as_str(), args) {
            ("free" | "kfree" | "cfree", [pointer, ..]) => self.free(pointer),
            ("memset", [to, byte, size]) => return Some(self.fill(to, Some(byte), size)),
            ("bzero", [to, size]) => return Some(self.fill(to, None, size)),
            ("memcpy" | "memmove", [to, from, size]) => return Some(self.copy(to, from, size)),
            _ if is_memory_function(&name) => self.unsupported(format!("a call of `{name}`")),
            _ => return None,
        }
        Some(self.zero(call))
    }

    /// An allocation; `element` is what the program uses it as.
    pub(super) fn allocate(
        &mut self,
        call: &CExpr,
        function: FuncId,
        args: &[CExpr],
        element: Option<TypeId>,
    ) -> Expr {
        let ty = self.pointer_type();
        let name = self.unit.functions[function.index()].name.clone();
        let fixed =
            |lowerer: &mut Self, arg: &CExpr| match (lowerer.expr(arg), lowerer.constant(arg)) {
                (Expr::Const(value, ty), _) => Expr::Const(value, ty),
                (_, Some(value)) => Expr::constant(value, lowerer.pointer_type()),
                (other, None) => other,
            };
        let sizes: Vec<Expr> = args.iter().map(|arg| fixed(self, arg)).collect();
        self.at(call.range);
        let factors = if name == "calloc" { 2 } else { 1 };
        let size = sizes.iter().take(factors).try_fold(1u64, |product, size| match size {
            Expr::Const(size, _) => product.checked_mul(u64::try_from(*size).ok()?),
            _ => None,
        });
        if name.contains("alloca") {
            self.unsupported(format!("a call of `{name}`"));
            return Expr::Const(0, ty);
        }
        let Some(size) = size.filter(|_| sizes.len() >= factors) else {
            self.unsupported("an allocation whose size is not constant");
            return Expr::Const(0, ty);
        };
        let zeroed = matches!(name.as_str(), "calloc" | "kzalloc");
        let calls = self.t.frames.iter().map(|frame| frame.call_site).collect();
        let site = Site { lo: call.range.lo, hi: call.range.hi, calls };
        let bound = u64::from(self.options.bounds.objects);
        let copies =
            self.rounds_here().filter(|rounds| *rounds <= MANY_COPIES).unwrap_or(bound).max(1);
        let before = self.found.heap.get(&site).map_or(0, |known| known.copies);
        let freed = self.found.heap.get(&site).is_some_and(|known| known.freed);
        let copies = (before + copies).min(MANY_COPIES.max(bound));
        let allocation = Allocation { size, element, copies, freed };
        if size > MAX_BYTES || self.allocation_cells(&allocation) > MAX_CELLS as u64 {
            self.unsupported(format!("an allocation of {size} bytes, which is too large"));
            return Expr::Const(0, ty);
        }
        self.found.heap.insert(site.clone(), allocation);
        match self.heap_object(&site) {
            Some(object) => self.take_copy(object, &site, zeroed),
            None => {
                self.gap(Gap::Bound, "an allocation");
                Expr::Const(0, ty)
            }
        }
    }

    /// The object of an allocation, once it is known.
    pub(super) fn heap_object(&mut self, site: &Site) -> Option<ObjectId> {
        let key = Key::Heap(site.clone());
        if let Some(id) = self.object_ids.get(&key) {
            return Some(*id);
        }
        let allocation = self.facts.heap.get(site)?.clone();
        let groups = self.allocation_groups(&allocation);
        let place = self.map.place(site.lo.min(super::LIBRARY_OFFSET - 1));
        let name = format!("heap@{}", place.line);
        let copies = Some(allocation.copies);
        let outline =
            Outline { name: name.clone(), size: allocation.size, ty: allocation.element, groups };
        let id = self.add_shared(key, outline, copies);
        let live = self.shared_var(
            &format!(".{name}.live"),
            LIVE,
            Some(allocation.copies as u32),
            Init::Value(0),
        );
        self.shared_var(&format!(".{name}.used"), INDEX, None, Init::Value(0));
        self.objects[id.0 as usize].live = Some(live);
        Some(id)
    }

    /// The number of copies that were ever used: declared right after `live`.
    fn used_counter(&self, id: ObjectId) -> Option<SharedId> {
        self.object(id).live.map(|live| SharedId(live.0 + 1))
    }

    fn allocation_cells(&self, allocation: &Allocation) -> u64 {
        self.allocation_groups(allocation).iter().map(Group::len).sum()
    }

    /// The cells of an allocation: of its element type where the size fits, else bytes.
    fn allocation_groups(&self, allocation: &Allocation) -> Vec<Group> {
        let types = &self.unit.types;
        let typed = || {
            let element = allocation.element?;
            let size = types.size_of(element).filter(|size| *size > 0)?;
            if *types.get(element) == CType::Void || allocation.size < size {
                return None;
            }
            let groups = cells::flatten(types, element).ok()?;
            match (allocation.size / size, allocation.size % size) {
                (1, 0) => Some(groups),
                (count, 0) if self.flexible_element(element).is_none() => {
                    let around = |mut group: Group| {
                        group.dims.insert(0, Dim { stride: size, count });
                        group
                    };
                    Some(groups.into_iter().map(around).collect())
                }
                _ => {
                    let (offset, rest) = self.flexible_element(element)?;
                    let stride = types.size_of(rest).filter(|size| *size > 0)?;
                    let count = (allocation.size - offset) / stride;
                    let tail = cells::flatten(types, rest).ok()?.into_iter().map(|mut group| {
                        group.offset += offset;
                        group.dims.insert(0, Dim { stride, count });
                        group
                    });
                    Some(groups.into_iter().chain(tail).collect())
                }
            }
        };
        typed().unwrap_or_else(|| cells::bytes(allocation.size.max(1)))
    }

    /// Offset and element type of a flexible array at the end of a record.
    fn flexible_element(&self, ty: TypeId) -> Option<(u64, TypeId)> {
        let record = self.unit.types.as_record(ty)?;
        let last = self.unit.types.record(record).layout.as_ref()?.fields.last()?;
        match self.unit.types.get(last.ty) {
            CType::Array(element, None | Some(0)) => Some((last.offset, *element)),
            _ => None,
        }
    }

    /// Takes a fresh copy, or any that was freed; its address.
    fn take_copy(&mut self, id: ObjectId, site: &Site, zeroed: bool) -> Expr {
        let ty = self.pointer_type();
        let address = self.temp(ty);
        let target = self.t.location(LocKind::Plain);
        let count = self.object(id).copy_count();
        let (Some(live), Some(used)) = (self.object(id).live, self.used_counter(id)) else {
            unreachable!("heap objects have a life")
        };
        let used = VarRef::Shared(used);
        let limit = Expr::Const(i128::from(count), INDEX);
        let fresh = fold::binary(BinOp::Lt, INDEX, Expr::Var(used), limit);
        let more = fold::binary(BinOp::Add, INDEX, Expr::Var(used), Expr::Const(1, INDEX));
        let mut assigns = self.revive(id, live, &Expr::Var(used), zeroed, address);
        assigns.push(set(used, more));
        self.t.edge(self.t.here, target, fresh.clone(), assigns);
        for other in self.reusable(site) {
            let Some(live) = self.object(other).live else { continue };
            for copy in 0..self.object(other).copy_count() {
                let copy = Expr::Const(i128::from(copy), INDEX);
                let state = Expr::Index(VarRef::Shared(live), Box::new(copy.clone()));
                let was_freed = Expr::eq(state, Expr::Const(2, LIVE));
                let assigns = self.revive(other, live, &copy, zeroed, address);
                self.t.edge(self.t.here, target, was_freed, assigns);
            }
        }
        let what = format!("more than {count} objects are allocated here");
        let gap = self.t.location(LocKind::Gap(Gap::Bound, what));
        self.t.edge(self.t.here, gap, Expr::negate(fresh), vec![]);
        self.t.here = target;
        Expr::Var(address)
    }

    /// The objects whose freed copies an allocation may get: those of its own
    /// size and type, wherever they were allocated.
    fn reusable(&mut self, site: &Site) -> Vec<ObjectId> {
        let Some(wanted) = self.facts.heap.get(site) else { return vec![] };
        let alike = |known: &Allocation| {
            known.freed && (known.size, known.element) == (wanted.size, wanted.element)
        };
        let sites: Vec<Site> = self
            .facts
            .heap
            .iter()
            .filter(|(_, known)| alike(known))
            .map(|(site, _)| site.clone())
            .collect();
        sites.iter().filter_map(|site| self.heap_object(site)).collect()
    }

    /// Assignments that make a copy alive, with fresh contents.
    fn revive(
        &mut self,
        id: ObjectId,
        live: SharedId,
        copy: &Expr,
        zeroed: bool,
        address: VarRef,
    ) -> Vec<Assign> {
        let base = Expr::Const(i128::from(self.object(id).base), self.pointer_type());
        let stride = self.object(id).copies.map_or(0, |copies| copies.stride);
        let value = self.scaled(base, copy.clone(), INDEX, stride);
        let alive = Rhs::Expr(Expr::Const(1, LIVE));
        let mut assigns = vec![
            set(address, value),
            Assign { place: Place::Element(VarRef::Shared(live), copy.clone()), value: alive },
        ];
        for (number, group) in self.object(id).outline.groups.clone().iter().enumerate() {
            let var = self.group_var(id, number);
            let rhs = if zeroed { Rhs::Expr(Expr::Const(0, group.ty)) } else { Rhs::Havoc };
            assigns.extend(self.copy_cells(var, group, Some(copy), &rhs));
        }
        assigns
    }

    fn free(&mut self, pointer: &CExpr) {
        let ty = self.pointer_type();
        let value = self.expr(pointer);
        let null = fold::binary(BinOp::Eq, ty, value.clone(), Expr::Const(0, ty));
        let target = self.t.location(LocKind::Plain);
        self.t.edge(self.t.here, target, null.clone(), vec![]);
        let mut valid = null;
        for id in self.pointees(pointer) {
            let Some(live) = self.object(id).live.filter(|_| !self.object(id).by_thread) else {
                continue;
            };
            let (start, spot) = self.start_of(id, &value, ty);
            let Some(copy) = spot.copy else { continue };
            let alive = self.live_condition(id, Some(copy.clone()));
            let guard = Expr::and(start, alive);
            let dead = Rhs::Expr(Expr::Const(2, LIVE));
            let assign = Assign { place: Place::Element(VarRef::Shared(live), copy), value: dead };
            self.t.edge(self.t.here, target, guard.clone(), vec![assign]);
            valid = Expr::or(valid, guard);
            self.note_freed(id);
        }
        let what = "freeing something that is not allocated";
        let gap = self.t.location(LocKind::Gap(Gap::Undefined, what.into()));
        self.t.edge(self.t.here, gap, Expr::negate(valid), vec![]);
        self.t.here = target;
    }

    fn note_freed(&mut self, id: ObjectId) {
        let site = self.object_ids.iter().find_map(|(key, known)| match key {
            Key::Heap(site) if *known == id => Some(site.clone()),
            _ => None,
        });
        let Some(site) = site else { return };
        let known = self.facts.heap.get(&site).cloned();
        let entry = self.found.heap.entry(site);
        if let Some(known) = known {
            let fresh = Allocation { copies: 0, ..known };
            entry.or_insert(fresh).freed = true;
        }
    }

    /// `memset`; `byte` of `None` is zero.
    fn fill(&mut self, to: &CExpr, byte: Option<&CExpr>, size: &CExpr) -> Expr {
        let address = self.expr(to);
        let byte = match byte.map(|byte| self.expr(byte)) {
            None => 0,
            Some(Expr::Const(value, _)) => value & 0xff,
            Some(_) => {
                self.unsupported("`memset` with a value that is not constant");
                return address;
            }
        };
        self.with_cells(to, &address, size, |lowerer, cells| {
            for Piece { target, group, .. } in cells {
                let pattern = (0..group.size).fold(0i128, |bits, _| bits << 8 | byte);
                let value = Expr::constant(pattern, group.ty);
                lowerer.write(target, group.ty, group.size, &value);
            }
        });
        address
    }

    /// `memcpy` and `memmove`: all is read before anything is written.
    fn copy(&mut self, to: &CExpr, from: &CExpr, size: &CExpr) -> Expr {
        let ty = self.pointer_type();
        let address = self.expr(to);
        let source = self.expr(from);
        let objects = self.pointees(from);
        self.with_cells(to, &address, size, |lowerer, cells| {
            let mut values = Vec::new();
            for Piece { offset, group, .. } in cells {
                let value = fold::binary(
                    BinOp::Add,
                    ty,
                    source.clone(),
                    Expr::Const(i128::from(*offset), ty),
                );
                let place = Target::Address { value, objects: objects.clone(), shape: None };
                let value = lowerer.read(&place, group.ty, group.size);
                let kept = lowerer.temp(group.ty);
                lowerer.step(Expr::TRUE, vec![set(kept, value)]);
                values.push(Expr::Var(kept));
            }
            for (Piece { target, group, .. }, value) in cells.iter().zip(&values) {
                lowerer.write(target, group.ty, group.size, value);
            }
        });
        address
    }

    /// Does something with the cells of `size` bytes at `address`.
    fn with_cells(
        &mut self,
        pointer: &CExpr,
        address: &Expr,
        size: &CExpr,
        action: impl Fn(&mut Self, &[Piece]),
    ) {
        let Expr::Const(size, _) = self.expr(size) else {
            return self.unsupported("`memset` or `memcpy` with a size that is not constant");
        };
        let ty = self.pointer_type();
        let starts: Vec<(Expr, Spot)> = match address {
            Expr::Const(value, _) => self
                .object_at(*value as u64)
                .map(|(object, copy, offset)| {
                    let copy =
                        self.object(object).copies.map(|_| Expr::Const(i128::from(copy), INDEX));
                    (Expr::TRUE, Spot { object, copy, offset, terms: vec![] })
                })
                .into_iter()
                .collect(),
            address => self
                .pointees(pointer)
                .into_iter()
                .map(|id| self.start_of(id, address, ty))
                .collect(),
        };
        let mut end = None;
        for (hit, spot) in starts {
            let (mut yes, mut no) = (None, None);
            self.branch_on(hit, &mut yes, &mut no);
            self.resume(yes);
            if let Some(cells) = self.cells_of(&spot, size as u64) {
                action(self, &cells);
            }
            self.meet(&mut end);
            self.resume(no);
        }
        if !self.t.dead {
            self.unsupported("`memset` or `memcpy` of a part of an object");
        }
        self.resume(end);
    }

    /// The condition that an address is the start of a copy of an object.
    fn start_of(&mut self, id: ObjectId, address: &Expr, ty: Type) -> (Expr, Spot) {
        let object = self.object(id);
        let base = Expr::Const(i128::from(object.base), ty);
        let Some(copies) = object.copies else {
            let hit = fold::binary(BinOp::Eq, ty, address.clone(), base);
            return (hit, Spot { object: id, copy: None, offset: 0, terms: vec![] });
        };
        let relative = fold::binary(BinOp::Sub, ty, address.clone(), base);
        let stride = Expr::Const(i128::from(copies.stride), ty);
        let span = Expr::Const(i128::from(copies.stride * copies.count), ty);
        let inside = fold::binary(BinOp::Lt, ty, relative.clone(), span);
        let rest = fold::binary(BinOp::Rem, ty, relative.clone(), stride.clone());
        let exact = fold::binary(BinOp::Eq, ty, rest, Expr::Const(0, ty));
        let copy = fold::cast(INDEX, ty, fold::binary(BinOp::Div, ty, relative, stride));
        (Expr::and(inside, exact), Spot { object: id, copy: Some(copy), offset: 0, terms: vec![] })
    }

    /// The cells of some bytes, in order; `None` (said so) if they do not fit.
    fn cells_of(&mut self, spot: &Spot, size: u64) -> Option<Vec<Piece>> {
        let outline = self.object(spot.object).outline.clone();
        if spot.offset + size > outline.size {
            self.gap(Gap::Undefined, "an access behind the end of an object");
            return None;
        }
        let range = spot.offset..spot.offset + size;
        let mut cells: Vec<Piece> = Vec::new();
        for group in outline.groups {
            for offset in group.offsets().into_iter().filter(|offset| range.contains(offset)) {
                let target = Target::Spot(Spot { offset, ..spot.clone() });
                cells.push(Piece { target, offset: offset - spot.offset, group: group.clone() });
            }
        }
        if cells.len() > MAX_CELLS || cells.iter().any(|cell| cell.offset + cell.group.size > size)
        {
            self.unsupported("`memset` or `memcpy` of so large or so odd a piece of memory");
            return None;
        }
        cells.sort_by_key(|cell| cell.offset);
        Some(cells)
    }
}

/// A cell of a piece of memory.
struct Piece {
    target: Target,
    /// From the start of the piece.
    offset: u64,
    group: Group,
}
