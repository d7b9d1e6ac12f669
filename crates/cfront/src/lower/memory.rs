//! `memset`, `memcpy`, `realloc` and their relatives: what they do with the
//! cells of an object, one after the other.
//!
//! A size that is not constant splits the way at each cell: is it still inside?
//! A size that ends within a cell is a named gap, one that is larger than the
//! object is undefined.

use super::build::set;
use super::cells::Group;
use super::heap::Site;
use super::locate::INDEX;
use super::manner::Manner;
use super::object::ObjectId;
use super::place::{Spot, Target};
use super::{Lowerer, fold};
use crate::hir::{Expr as CExpr, FuncId};
use ccfa::{BinOp, Expr, Limit, LocKind, Type, Undefined, VarRef};

/// More cells than this are not modelled.
pub const MAX_CELLS: usize = 4096;
/// Nor more than this, if each of them may be outside.
const MAX_GUARDED_CELLS: usize = 32;

/// A cell of a piece of memory.
pub struct Piece {
    pub target: Target,
    /// From the start of the piece.
    pub offset: u64,
    pub group: Group,
}

impl Lowerer<'_> {
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
            ("free" | "kfree" | "cfree" | "memset" | "bzero" | "memcpy" | "memmove", _) => {
                self.unsupported(format!("a call of `{name}` with such arguments"));
            }
            _ => return None,
        }
        Some(self.zero(call))
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
        self.with_cells(to, &address, size, |lowerer, cells, limit| {
            for piece in cells {
                let group = &piece.group;
                let pattern = (0..group.size).fold(0i128, |bits, _| bits << 8 | byte);
                let value = Expr::constant(pattern, group.ty);
                lowerer.if_inside(piece, limit, |lowerer| {
                    lowerer.write(&piece.target, group.ty, group.size, &value, Manner::PLAIN);
                });
            }
        });
        address
    }

    /// `memcpy` and `memmove`: all is read before anything is written.
    fn copy(&mut self, to: &CExpr, from: &CExpr, size: &CExpr) -> Expr {
        let address = self.expr(to);
        let source = self.expr(from);
        let objects = self.pointees(from);
        self.with_cells(to, &address, size, |lowerer, cells, limit| {
            lowerer.copy_cells_from(&source, &objects, cells, limit);
        });
        address
    }

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
        let ty = self.pointer_type();
        let mut new = self.reusable(site);
        new.extend(self.heap_object(site));
        new.sort();
        new.dedup();
        let (mut end, mut rest) = (None, None);
        let null = fold::binary(BinOp::Eq, ty, old.clone(), Expr::Const(0, ty));
        self.branch_on(null, &mut end, &mut rest);
        self.resume(rest);
        for id in self.pointees(pointer) {
            let Some((guard, copy, spot)) = self.allocated_copy(id, old) else { continue };
            let (mut yes, mut no) = (None, None);
            self.branch_on(guard, &mut yes, &mut no);
            self.resume(yes);
            self.move_from(id, &spot, old, (address, &new), extent);
            let death = self.death(id, copy).into_iter().collect();
            self.step(Expr::TRUE, death);
            self.note_freed(id);
            self.meet(&mut end);
            self.resume(no);
        }
        if !self.t.dead {
            self.undefined(Undefined::InvalidRealloc);
        }
        self.resume(end);
    }

    /// Copies an object to a new address, as far as both reach.
    fn move_from(
        &mut self,
        id: ObjectId,
        spot: &Spot,
        old: &Expr,
        (address, new): (VarRef, &[ObjectId]),
        extent: Option<&Expr>,
    ) {
        let Some(outline) = new.first().map(|new| self.object(*new).outline.clone()) else {
            return;
        };
        let both = self.object(id).outline.size.min(outline.size);
        let constant = |bytes: u64| Expr::Const(i128::from(bytes), INDEX);
        let old_extent = self.extent_of(id, spot.copy.clone());
        let limit = (old_extent.is_some() || extent.is_some()).then(|| {
            let before = old_extent.unwrap_or(constant(self.object(id).outline.size));
            let after = extent.cloned().unwrap_or(constant(outline.size));
            let shrinks = fold::binary(BinOp::Lt, INDEX, after.clone(), before.clone());
            let limit = self.temp(INDEX);
            self.step(Expr::TRUE, vec![set(limit, Expr::ite(shrinks, after, before))]);
            Expr::Var(limit)
        });
        let start = Spot { object: new[0], copy: None, offset: 0, terms: vec![] };
        let mut cells = self.pieces(&start, both);
        if cells.iter().any(|cell| cell.offset + cell.group.size > both) {
            return self.unsupported("`realloc` to a size that ends within a scalar");
        }
        for cell in &mut cells {
            let ty = self.pointer_type();
            let distance = Expr::Const(i128::from(cell.offset), ty);
            let value = fold::binary(BinOp::Add, ty, Expr::Var(address), distance);
            cell.target = Target::Address { value, objects: new.to_vec(), shape: None };
        }
        self.copy_cells_from(old, &[id], &cells, limit.as_ref());
    }

    /// Copies what lies at an address into cells, as far as they are inside a limit.
    pub(super) fn copy_cells_from(
        &mut self,
        source: &Expr,
        objects: &[ObjectId],
        cells: &[Piece],
        limit: Option<&Expr>,
    ) {
        let ty = self.pointer_type();
        let mut values = Vec::new();
        for piece in cells {
            let Group { ty: cell, size, .. } = piece.group;
            let distance = Expr::Const(i128::from(piece.offset), ty);
            let value = fold::binary(BinOp::Add, ty, source.clone(), distance);
            let place = Target::Address { value, objects: objects.to_vec(), shape: None };
            let kept = self.temp(cell);
            self.if_inside(piece, limit, |lowerer| {
                let value = lowerer.read(&place, cell, size, Manner::PLAIN);
                lowerer.step(Expr::TRUE, vec![set(kept, value)]);
            });
            values.push(Expr::Var(kept));
        }
        for (piece, value) in cells.iter().zip(&values) {
            self.if_inside(piece, limit, |lowerer| {
                let Group { ty, size, .. } = piece.group;
                lowerer.write(&piece.target, ty, size, value, Manner::PLAIN);
            });
        }
    }

    /// Does something only if a cell lies before the limit (in bytes, an `INDEX`).
    fn if_inside(&mut self, piece: &Piece, limit: Option<&Expr>, action: impl FnOnce(&mut Self)) {
        let Some(limit) = limit else { return action(self) };
        let bytes = |bytes: u64| Expr::Const(i128::from(bytes), INDEX);
        let end = bytes(piece.offset + piece.group.size);
        let inside = fold::binary(BinOp::Le, INDEX, end, limit.clone());
        let outside = fold::binary(BinOp::Le, INDEX, limit.clone(), bytes(piece.offset));
        let (mut yes, mut no, mut end) = (None, None, None);
        self.branch_on(inside, &mut yes, &mut no);
        self.resume(yes);
        action(self);
        self.meet(&mut end);
        self.resume(no);
        let what = "a piece of memory that ends within a scalar".to_string();
        self.require_or(outside, LocKind::Limit(Limit::Unsupported, what));
        self.meet(&mut end);
        self.resume(end);
    }

    /// Does something with the cells of `size` bytes at `address`; if the size is
    /// not constant, with all cells and the size as their limit.
    fn with_cells(
        &mut self,
        pointer: &CExpr,
        address: &Expr,
        size: &CExpr,
        action: impl Fn(&mut Self, &[Piece], Option<&Expr>),
    ) {
        let size_ty = self.scalar_type(size.ty).unwrap_or(INDEX);
        let size = self.expr(size);
        let mut end = None;
        for (hit, spot) in self.starts(pointer, address) {
            let (mut yes, mut no) = (None, None);
            self.branch_on(hit, &mut yes, &mut no);
            self.resume(yes);
            if let Some((cells, limit)) = self.cells_of(&spot, &size, size_ty) {
                action(self, &cells, limit.as_ref());
            }
            self.meet(&mut end);
            self.resume(no);
        }
        if !self.t.dead {
            self.unsupported("`memset` or `memcpy` of a part of an object");
        }
        self.resume(end);
    }

    /// The starts of objects that an address may be, each with its condition.
    fn starts(&mut self, pointer: &CExpr, address: &Expr) -> Vec<(Expr, Spot)> {
        let ty = self.pointer_type();
        let Expr::Const(value, _) = address else {
            let objects = self.pointees(pointer).into_iter();
            return objects.map(|id| self.start_of(id, address, ty)).collect();
        };
        let found = self.object_at(*value as u64).map(|(object, copy, offset)| {
            let copy = self.object(object).copies.map(|_| Expr::Const(i128::from(copy), INDEX));
            (Expr::TRUE, Spot { object, copy, offset, terms: vec![] })
        });
        found.into_iter().collect()
    }

    /// The condition that an address is the start of a copy of an object.
    pub(super) fn start_of(&mut self, id: ObjectId, address: &Expr, ty: Type) -> (Expr, Spot) {
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

    /// The cells of some bytes from a spot on, in order, and the limit if the
    /// size is not constant; `None` (said so) if they do not fit.
    fn cells_of(
        &mut self,
        spot: &Spot,
        size: &Expr,
        size_ty: Type,
    ) -> Option<(Vec<Piece>, Option<Expr>)> {
        let alive = self.live_condition(spot.object, spot.copy.clone());
        self.require(alive, Undefined::DeadObject);
        let room = self.object(spot.object).outline.size.saturating_sub(spot.offset);
        let (bytes, limit) = match size {
            Expr::Const(size, _) if *size as u64 > room => {
                self.undefined(Undefined::BehindEnd);
                return None;
            }
            Expr::Const(size, _) => (*size as u64, None),
            size => {
                let most = Expr::constant(i128::from(room), size_ty);
                let fits = fold::binary(BinOp::Le, size_ty, size.clone(), most);
                self.require(fits, Undefined::BehindEnd);
                (room, Some(fold::cast(INDEX, size_ty, size.clone())))
            }
        };
        let end = limit.clone().unwrap_or(Expr::Const(i128::from(bytes), INDEX));
        let offset = Expr::Const(i128::from(spot.offset), INDEX);
        let end = fold::binary(BinOp::Add, INDEX, offset, end);
        let inside = self.extent_condition(spot.object, spot.copy.clone(), end);
        self.require(inside, Undefined::BehindEnd);
        let cells = self.pieces(spot, bytes);
        let odd = limit.is_none() && cells.iter().any(|cell| cell.offset + cell.group.size > bytes);
        let many = if limit.is_some() { MAX_GUARDED_CELLS } else { MAX_CELLS };
        if odd || cells.len() > many {
            self.unsupported("`memset` or `memcpy` of so large or so odd a piece of memory");
            return None;
        }
        Some((cells, limit))
    }

    /// The cells that begin within some bytes from a spot on, in order.
    pub(super) fn pieces(&self, spot: &Spot, size: u64) -> Vec<Piece> {
        let range = spot.offset..spot.offset + size;
        let mut cells: Vec<Piece> = Vec::new();
        for group in &self.object(spot.object).outline.groups {
            for offset in group.offsets().into_iter().filter(|offset| range.contains(offset)) {
                let target = Target::Spot(Spot { offset, ..spot.clone() });
                cells.push(Piece { target, offset: offset - spot.offset, group: group.clone() });
            }
        }
        cells.sort_by_key(|cell| cell.offset);
        cells
    }
}
