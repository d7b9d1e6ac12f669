//! `memset`, `memcpy`, `realloc` and their relatives: what they do with the
//! cells of an object, one after the other.
//!
//! A size that is not constant splits the way at each cell: is it still inside?
//! If it may end within a cell, that is a model limit; one that is larger than the
//! object is undefined.

use super::alternative::{BOOL, NO_TRUTH_VALUE};
use super::build::set;
use super::cells::Group;
use super::heap::Site;
use super::input::Input;
use super::locate::INDEX;
use super::manner::Manner;
use super::objects::{MIN_ADDRESS, ObjectId};
use super::place::{Spot, Target};
use super::{Lowerer, Memory, fold, fragment};
use crate::hir::{Expr as CExpr, FuncId};
use ccfa::{BinOp, Expr, FailedOperation, Type, Undefined, VarRef};

/// Operations on more cells than this are not modelled: each cell is an assignment of the step.
pub const MAX_CELLS: usize = 4096;
/// Nor on more than this, if each of them may be outside: each then needs a guard of its own.
const MAX_GUARDED_CELLS: usize = 32;

/// A cell of a piece of memory.
pub struct Piece {
    pub target: Target,
    /// From the start of the piece.
    pub offset: u64,
    pub group: Group,
}

/// A copy: from where, which objects that may be, and both pointers.
pub struct Copy<'c> {
    source: &'c Expr,
    objects: &'c [ObjectId],
    from: &'c CExpr,
    to: &'c CExpr,
}

impl Lowerer<'_> {
    /// A call of a function of memory, if it is one.
    pub(super) fn memory_function(
        &mut self,
        call: &CExpr,
        function: FuncId,
        args: &[CExpr],
    ) -> Option<Expr> {
        if self.input.is_allocator(function) {
            return Some(self.allocate(call, function, args, None));
        }
        let name = self.input.unit.functions[function.index()].name.clone();
        match (name.as_str(), args) {
            ("free" | "kfree" | "cfree", [pointer, ..]) => {
                let value = self.expr(pointer);
                self.lives().free(pointer, value);
            }
            ("memset", [to, byte, size]) => return Some(self.fill(to, Some(byte), size)),
            ("bzero", [to, size]) => return Some(self.fill(to, None, size)),
            ("memcpy" | "memmove", [to, from, size]) => {
                return Some(self.copy(to, from, size, name == "memcpy"));
            }
            ("free" | "kfree" | "cfree" | "memset" | "bzero" | "memcpy" | "memmove", _) => {
                self.t.unsupported(format!("a call of `{name}` with such arguments"));
            }
            _ => return None,
        }
        Some(self.input.zero(call))
    }

    /// `memset`; `byte` of `None` is zero.
    fn fill(&mut self, to: &CExpr, byte: Option<&CExpr>, size: &CExpr) -> Expr {
        let address = self.expr(to);
        let byte = match byte.map(|byte| self.expr(byte)) {
            None => 0,
            Some(Expr::Const(value, _)) => value & 0xff,
            Some(_) => {
                self.t.unsupported("`memset` with a value that is not constant");
                return address;
            }
        };
        let size = self.typed(size);
        self.memory().with_cells(to, &address, size, |memory, cells, limit| {
            let first = memory.t.template.edges.len();
            for piece in cells {
                let group = &piece.group;
                let pattern = (0..group.size).fold(0i128, |bits, _| bits << 8 | byte);
                let value = Expr::constant(pattern, group.ty);
                memory.if_inside(piece, limit, |memory| match group.ty == BOOL && byte > 1 {
                    true => memory.t.unsupported(NO_TRUTH_VALUE),
                    false => {
                        memory.write(&piece.target, group.ty, group.size, &value, Manner::PLAIN);
                    }
                });
            }
            memory.note_parts_since(first, cells.len() as u64);
        });
        address
    }

    /// `memcpy` and `memmove`: all is read before anything is written. For `memcpy`, both must lie apart (C11 7.24.2.1).
    fn copy(&mut self, to: &CExpr, from: &CExpr, size: &CExpr, must_be_apart: bool) -> Expr {
        let address = self.expr(to);
        let source = self.expr(from);
        let objects = self.resolver().pointees(from);
        let size = self.typed(size);
        let is_in_one = self.resolver().pointees(to).iter().any(|id| objects.contains(id));
        if must_be_apart && is_in_one {
            let apart = self.input.are_apart(&address, &source, &size);
            self.t.require(apart, Undefined::Overlap);
        }
        self.memory().with_cells(to, &address, size, |memory, cells, limit| {
            let way = Copy { source: &source, objects: &objects, from, to };
            memory.copy_cells_from(&way, cells, limit);
            memory.spoil_copied_locks(cells, limit);
        });
        address
    }
}

impl Input<'_> {
    /// Is each of two addresses at least so many bytes from the other?
    fn are_apart(&self, a: &Expr, b: &Expr, (size, ty): &(Expr, Type)) -> Expr {
        let address = self.pointer_type();
        let size = fold::cast(address, *ty, size.clone());
        let is_far = |from: &Expr, to: &Expr| {
            let distance = fold::binary(BinOp::Sub, address, to.clone(), from.clone());
            fold::binary(BinOp::Le, address, size.clone(), distance)
        };
        Expr::and(is_far(a, b), is_far(b, a))
    }
}

impl Memory<'_, '_> {
    /// `realloc`: the contents of the old object, as far as both reach, go to the
    /// new one, and the old one is freed. The new one always lies elsewhere: to
    /// look at the old address is undefined.
    pub(super) fn move_contents(
        &mut self,
        pointer: &CExpr,
        old: &Expr,
        address: VarRef,
        site: &Site,
        extent: Option<&Expr>,
    ) {
        let ty = self.input.pointer_type();
        let mut new = self.resolver().reusable(site);
        new.extend(self.resolver().heap_object(site));
        new.sort();
        new.dedup();
        let (mut end, mut rest, mut again) = (None, None, Expr::FALSE);
        let null = fold::binary(BinOp::Eq, ty, old.clone(), Expr::Const(0, ty));
        self.t.branch_on(null, &mut end, &mut rest);
        self.t.resume(rest);
        for id in self.resolver().pointees(pointer) {
            let Some(known) = self.lives().allocated_copy(id, old) else { continue };
            let no = self.t.enter_if(known.is_alive);
            again = Expr::or(again, known.was_freed);
            self.move_from((pointer, id), &known.spot, old, (address, &new), extent);
            let death = self.objects.death(id, known.copy).into_iter().collect();
            self.t.step(Expr::TRUE, death);
            self.lives().note_freed(id);
            self.t.join_at(&mut end);
            self.t.resume(no);
        }
        self.t.operands = Some(FailedOperation::Freed(old.clone()));
        self.lives().fail_to_free(Expr::TRUE, again);
        self.t.operands = None;
        self.t.resume(end);
    }

    /// Copies an object to a new address, as far as both reach.
    fn move_from(
        &mut self,
        (pointer, id): (&CExpr, ObjectId),
        spot: &Spot,
        old: &Expr,
        (address, new): (VarRef, &[ObjectId]),
        extent: Option<&Expr>,
    ) {
        let Some(outline) = new.first().map(|new| self.objects.get(*new).outline.clone()) else {
            return;
        };
        let both = self.objects.get(id).outline.size.min(outline.size);
        let constant = |bytes: u64| Expr::Const(i128::from(bytes), INDEX);
        let old_extent = self.objects.extent_of(id, spot.copy.clone());
        let limit = (old_extent.is_some() || extent.is_some()).then(|| {
            let before = old_extent.unwrap_or(constant(self.objects.get(id).outline.size));
            let after = extent.cloned().unwrap_or(constant(outline.size));
            let shrinks = fold::binary(BinOp::Lt, INDEX, after.clone(), before.clone());
            self.t.keep(Expr::ite(shrinks, after, before), INDEX)
        });
        let start = Spot::start(new[0]);
        let mut cells = self.objects.pieces(&start, both);
        for cell in &mut cells {
            let ty = self.input.pointer_type();
            let distance = Expr::Const(i128::from(cell.offset), ty);
            let value = fold::binary(BinOp::Add, ty, Expr::Var(address), distance);
            cell.target = Target::Address { value, objects: new.to_vec(), shape: None };
        }
        let copy = Copy { source: old, objects: &[id], from: pointer, to: pointer };
        self.copy_cells_from(&copy, &cells, limit.as_ref());
    }

    /// Copies what lies at an address into cells, as far as they are inside a limit.
    pub(super) fn copy_cells_from(&mut self, copy: &Copy, cells: &[Piece], limit: Option<&Expr>) {
        let ty = self.input.pointer_type();
        let first = self.t.template.edges.len();
        let all = cells.last().map_or(0, |last| last.offset + last.group.size);
        let (held, content) = (fragment::behind(copy.from), fragment::behind(copy.to));
        let mut values = Vec::new();
        self.t.copies_bytes = true;
        for piece in cells {
            let distance = Expr::Const(i128::from(piece.offset), ty);
            let value = fold::binary(BinOp::Add, ty, copy.source.clone(), distance);
            let place = Target::Address { value, objects: copy.objects.to_vec(), shape: None };
            let kept = self.t.temp(piece.group.ty);
            let mut part = None;
            self.if_inside(piece, limit, |memory| {
                let (value, found) = memory.read_piece(&held, &place, piece, limit.ok_or(all));
                part = found;
                memory.t.step(Expr::TRUE, vec![set(kept, value)]);
            });
            values.push((Expr::Var(kept), part));
        }
        for (piece, (value, part)) in cells.iter().zip(&values) {
            self.if_inside(piece, limit, |memory| {
                memory.write_piece(&content, piece, value, *part);
            });
        }
        self.t.copies_bytes = false;
        self.note_parts_since(first, cells.len() as u64);
    }

    /// A copy of a lock is none (see `spoil_locks`), also if its bytes were copied.
    fn spoil_copied_locks(&mut self, cells: &[Piece], limit: Option<&Expr>) {
        for piece in cells {
            let Target::Spot(spot) = &piece.target else { continue };
            let mut locks = Vec::new();
            if let Some(ty) = self.objects.get(spot.object).outline.ty {
                self.input.locks_in(ty, 0, &mut locks);
            }
            if locks.contains(&spot.offset) {
                let Group { ty, size, .. } = piece.group;
                let spoilt = Expr::constant(-1, ty);
                self.if_inside(piece, limit, |memory| {
                    memory.write(&piece.target, ty, size, &spoilt, Manner::Internal);
                });
            }
        }
    }

    /// Does something only if a cell lies before the limit (in bytes, an `INDEX`).
    fn if_inside(&mut self, piece: &Piece, limit: Option<&Expr>, action: impl FnOnce(&mut Self)) {
        let Some(limit) = limit else { return action(self) };
        let bytes = |bytes: u64| Expr::Const(i128::from(bytes), INDEX);
        let end = bytes(piece.offset + piece.group.size);
        let inside = fold::binary(BinOp::Le, INDEX, end, limit.clone());
        let outside = fold::binary(BinOp::Le, INDEX, limit.clone(), bytes(piece.offset));
        let (no, mut end) = (self.t.enter_if(inside), None);
        action(self);
        self.t.join_at(&mut end);
        self.t.resume(no);
        self.t.require_supported(outside, "a piece of memory that ends within a scalar");
        self.t.join_at(&mut end);
        self.t.resume(end);
    }

    /// Does something with the cells of `size` bytes at `address`; if the size is
    /// not constant, with all cells and the size as their limit.
    fn with_cells(
        &mut self,
        pointer: &CExpr,
        address: &Expr,
        (size, size_ty): (Expr, Type),
        action: impl Fn(&mut Self, &[Piece], Option<&Expr>),
    ) {
        let (mut end, ty) = (None, self.input.pointer_type());
        for (hit, spot) in self.starts(pointer, address) {
            let no = self.t.enter_if(hit);
            self.t.operands = accessed(address, &size);
            let found = match self.objects.get(spot.object).read_only {
                true => {
                    self.t.undefined(Undefined::ConstWritten);
                    None
                }
                false => self.cells_of(&spot, &size, size_ty),
            };
            self.t.operands = None;
            if let Some((cells, limit)) = found {
                action(self, &cells, limit.as_ref());
            }
            self.t.join_at(&mut end);
            self.t.resume(no);
        }
        if !self.t.dead {
            let null = fold::binary(BinOp::Lt, ty, address.clone(), Expr::Const(MIN_ADDRESS, ty));
            let operands = FailedOperation::Access(address.clone(), 1);
            self.t.require_of(operands, Expr::negate(null), Undefined::NullPointer);
            self.t.unsupported("`memset` or `memcpy` of a part of an object");
        }
        self.t.resume(end);
    }

    /// The starts of objects that an address may be, each with its condition.
    fn starts(&mut self, pointer: &CExpr, address: &Expr) -> Vec<(Expr, Spot)> {
        let ty = self.input.pointer_type();
        let Expr::Const(value, _) = address else {
            let objects = self.resolver().pointees(pointer).into_iter();
            return objects.map(|id| self.objects.start_of(id, address, ty)).collect();
        };
        let found = self.objects.spot_at(*value as u64).map(|spot| (Expr::TRUE, spot));
        found.into_iter().collect()
    }

    /// The cells of some bytes from a spot on, in order, and the limit if the
    /// size is not constant; `None` (said so) if they do not fit.
    fn cells_of(
        &mut self,
        spot: &Spot,
        size: &Expr,
        size_ty: Type,
    ) -> Option<(Vec<Piece>, Option<Expr>)> {
        let alive = self.objects.live_condition(self.t, spot.object, spot.copy.clone());
        self.t.require(alive, self.input.kind_of_death(self.objects.site(spot.object)));
        let room = self.objects.get(spot.object).outline.size.saturating_sub(spot.offset);
        let (bytes, limit) = match size {
            Expr::Const(size, _) if *size as u64 > room => {
                self.t.undefined(Undefined::OutOfBounds);
                return None;
            }
            Expr::Const(size, _) => (*size as u64, None),
            size => {
                let most = Expr::constant(i128::from(room), size_ty);
                let fits = fold::binary(BinOp::Le, size_ty, size.clone(), most);
                self.t.require(fits, Undefined::OutOfBounds);
                (room, Some(fold::cast(INDEX, size_ty, size.clone())))
            }
        };
        let end = limit.clone().unwrap_or(Expr::Const(i128::from(bytes), INDEX));
        let offset = Expr::Const(i128::from(spot.offset), INDEX);
        let end = fold::binary(BinOp::Add, INDEX, offset, end);
        let inside = self.objects.extent_condition(spot.object, spot.copy.clone(), end);
        self.t.require(inside, Undefined::OutOfBounds);
        let cells = self.objects.pieces(spot, bytes);
        let many = if limit.is_some() { MAX_GUARDED_CELLS } else { MAX_CELLS };
        if cells.len() > many {
            self.t.unsupported("`memset` or `memcpy` of so large a piece of memory");
            return None;
        }
        Some((cells, limit))
    }
}

/// What a function accesses that accesses so many bytes, for people.
fn accessed(address: &Expr, size: &Expr) -> Option<FailedOperation> {
    match size {
        Expr::Const(size, _) => Some(FailedOperation::Access(address.clone(), *size as u64)),
        _ => None,
    }
}
