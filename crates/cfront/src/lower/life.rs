//! The lives of allocated objects: copies are taken, freed and taken again.

use super::build::{Automatic, set};
use super::heap::{Allocation, LIVE, Life, Site};
use super::locate::INDEX;
use super::object::{Key, ObjectId};
use super::place::Spot;
use super::{Lowerer, fold};
use crate::hir::Expr as CExpr;
use ccfa::{Assign, BinOp, Expr, Limit, LocKind, Place, Rhs, SharedId, Undefined, VarRef};

impl Lowerer<'_> {
    /// Takes a fresh copy, or any that was freed, and sets `address` to it.
    pub(super) fn take_copy(
        &mut self,
        id: ObjectId,
        site: &Site,
        zeroed: bool,
        extent: Option<&Expr>,
        address: VarRef,
    ) {
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
        assigns.extend(self.set_extent(id, &Expr::Var(used), extent));
        assigns.push(set(used, more));
        self.t.edge(self.t.here, target, fresh.clone(), assigns);
        let mut none_left = Expr::negate(fresh);
        for other in self.reusable(site) {
            let Some(live) = self.object(other).live else { continue };
            for copy in 0..self.object(other).copy_count() {
                let copy = Expr::Const(i128::from(copy), INDEX);
                let state = Expr::Index(VarRef::Shared(live), Box::new(copy.clone()));
                let was_freed = Expr::eq(state, Expr::Const(2, LIVE));
                let mut assigns = self.revive(other, live, &copy, zeroed, address);
                assigns.extend(self.set_extent(other, &copy, extent));
                // The heap may always grow; a stack comes back to where it was.
                if self.object(other).is_automatic {
                    none_left = Expr::and(none_left, Expr::negate(was_freed.clone()));
                }
                self.t.edge(self.t.here, target, was_freed, assigns);
            }
        }
        let what = format!("more than {count} objects are allocated here");
        self.end_if(none_left, LocKind::Limit(Limit::Bound, what));
        self.t.here = target;
    }

    fn set_extent(&self, id: ObjectId, copy: &Expr, extent: Option<&Expr>) -> Option<Assign> {
        let place = Place::Element(VarRef::Shared(self.object(id).extent?), copy.clone());
        Some(Assign { place, value: Rhs::Expr(extent?.clone()) })
    }

    /// The objects whose freed copies an allocation may get: those of its own
    /// size and type, wherever they were allocated.
    pub(super) fn reusable(&mut self, site: &Site) -> Vec<ObjectId> {
        let Some(wanted) = self.facts.heap.get(site) else { return vec![] };
        let kind = |known: &Allocation| {
            (known.size, known.is_sized_at_run_time, known.element, known.life)
        };
        // What belongs to a frame is only used again at its own place.
        let alike = |(place, known): &(&Site, &Allocation)| {
            known.freed
                && kind(known) == kind(wanted)
                && (wanted.life == Life::Heap || *place == site)
        };
        let sites: Vec<Site> =
            self.facts.heap.iter().filter(alike).map(|(site, _)| site.clone()).collect();
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

    pub(super) fn free(&mut self, pointer: &CExpr) {
        let ty = self.pointer_type();
        let value = self.expr(pointer);
        let null = fold::binary(BinOp::Eq, ty, value.clone(), Expr::Const(0, ty));
        let target = self.t.location(LocKind::Plain);
        self.t.edge(self.t.here, target, null.clone(), vec![]);
        let mut valid = null;
        for id in self.pointees(pointer) {
            let Some((guard, copy, _)) = self.allocated_copy(id, &value) else { continue };
            let death = self.death(id, copy).into_iter().collect();
            self.t.edge(self.t.here, target, guard.clone(), death);
            valid = Expr::or(valid, guard);
            self.note_freed(id);
        }
        self.end_if(Expr::negate(valid), LocKind::Undefined(Undefined::InvalidFree));
        self.t.here = target;
    }

    pub(super) fn note_freed(&mut self, id: ObjectId) {
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

    /// The condition that an address is a living copy of an object that may be
    /// freed, and which.
    pub(super) fn allocated_copy(
        &mut self,
        id: ObjectId,
        address: &Expr,
    ) -> Option<(Expr, Expr, Spot)> {
        let object = self.object(id);
        if object.live.is_none() || object.by_thread || object.is_automatic {
            return None;
        }
        let (start, spot) = self.start_of(id, address, self.pointer_type());
        let copy = spot.copy.clone()?;
        let alive = self.live_condition(id, Some(copy.clone()));
        Some((Expr::and(start, alive), copy, spot))
    }

    /// The assignment that ends the life of a copy.
    pub(super) fn death(&self, id: ObjectId, copy: Expr) -> Option<Assign> {
        let place = Place::Element(VarRef::Shared(self.object(id).live?), copy);
        Some(Assign { place, value: Rhs::Expr(Expr::Const(2, LIVE)) })
    }

    /// The objects of the frame at hand are gone.
    pub(super) fn end_frame(&mut self) {
        for known in std::mem::take(&mut self.t.frame().automatic) {
            self.end_automatic(known);
        }
    }

    /// Ends the life of an object of a frame, if it was created.
    pub(super) fn end_automatic(&mut self, Automatic { address, object }: Automatic) {
        let ty = self.pointer_type();
        let none = Expr::Const(0, ty);
        let (_, spot) = self.start_of(object, &Expr::Var(address), ty);
        let Some(death) = spot.copy.and_then(|copy| self.death(object, copy)) else { return };
        let target = self.t.location(LocKind::Plain);
        let absent = Expr::eq(Expr::Var(address), none.clone());
        self.t.edge(self.t.here, target, absent.clone(), vec![]);
        let assigns = vec![death, set(address, none)];
        self.t.edge(self.t.here, target, Expr::negate(absent), assigns);
        self.t.here = target;
    }
}
