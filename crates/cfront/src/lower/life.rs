//! The lives of allocated objects: copies are taken, freed and taken again.

use super::alternative::copy_cells;
use super::build::{Automatic, set};
use super::cells::Group;
use super::heap::{ALIVE, Allocation, GONE, LIVE, Life, Site};
use super::locate::INDEX;
use super::objects::ObjectId;
use super::place::Spot;
use super::unwritten_cells::written;
use super::{Lives, Resolver, fold};
use crate::hir::Expr as CExpr;
use ccfa::{
    Assign, BinOp, Expr, FailedOperation, Limit, LocKind, Place, Rhs, SharedId, Undefined, VarRef,
};

/// The copy of an allocated object that begins at an address.
pub struct AllocatedCopy {
    /// The address is the start of one, and it is alive.
    pub is_alive: Expr,
    /// The address is the start of one that was freed.
    pub was_freed: Expr,
    pub copy: Expr,
    pub spot: Spot,
}

impl Lives<'_, '_> {
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
        let count = self.objects.get(id).copy_count();
        let (Some(live), Some(used)) = (self.objects.get(id).live, self.objects.used_counter(id))
        else {
            unreachable!("heap objects have a life")
        };
        let used = VarRef::Shared(used);
        let limit = Expr::Const(i128::from(count), INDEX);
        let fresh = fold::binary(BinOp::Lt, INDEX, Expr::Var(used), limit);
        let more = fold::binary(BinOp::Add, INDEX, Expr::Var(used), Expr::Const(1, INDEX));
        let mut assigns = self.revive(id, live, &Expr::Var(used), zeroed, address);
        assigns.extend(self.objects.set_extent(id, &Expr::Var(used), extent));
        assigns.push(set(used, more));
        self.t.edge(self.t.here, target, fresh.clone(), assigns);
        let mut none_left = Expr::negate(fresh);
        for other in self.resolver().reusable(site) {
            let Some(live) = self.objects.get(other).live else { continue };
            for copy in 0..self.objects.get(other).copy_count() {
                let copy = Expr::Const(i128::from(copy), INDEX);
                let state = Expr::Index(VarRef::Shared(live), Box::new(copy.clone()));
                let was_freed = Expr::eq(state, Expr::Const(GONE, LIVE));
                let mut assigns = self.revive(other, live, &copy, zeroed, address);
                assigns.extend(self.objects.set_extent(other, &copy, extent));
                // The heap may always grow; a stack comes back to where it was.
                if self.objects.get(other).is_automatic {
                    none_left = Expr::and(none_left, Expr::negate(was_freed.clone()));
                }
                self.t.edge(self.t.here, target, was_freed, assigns);
            }
        }
        let what = format!("more than {count} objects are allocated here");
        self.t.end_if(none_left, LocKind::Limit(Limit::Bound, what));
        self.t.here = target;
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
        let base = Expr::Const(i128::from(self.objects.get(id).base), self.input.pointer_type());
        let stride = self.objects.get(id).copies.map_or(0, |copies| copies.stride);
        let value = self.input.scaled(base, copy.clone(), INDEX, stride);
        let alive = Rhs::Expr(Expr::Const(ALIVE, LIVE));
        let mut assigns = vec![
            set(address, value),
            Assign { place: Place::Element(VarRef::Shared(live), copy.clone()), value: alive },
        ];
        for (number, group) in self.objects.get(id).outline.groups.clone().iter().enumerate() {
            let var = self.objects.group_var(self.t, id, number);
            let zero = || Rhs::Expr(Expr::Const(0, group.ty));
            let rhs = if zeroed { zero() } else { group.at_first() };
            assigns.extend(copy_cells(var, group, Some(copy), &rhs));
            if let Some(flag) = self.objects.written_var(self.t, id, number) {
                assigns.extend(copy_cells(flag, group, Some(copy), &written(zeroed)));
            }
        }
        assigns
    }

    /// `free` of a pointer with this value.
    pub(super) fn free(&mut self, pointer: &CExpr, value: Expr) {
        let ty = self.input.pointer_type();
        let null = fold::binary(BinOp::Eq, ty, value.clone(), Expr::Const(0, ty));
        let target = self.t.location(LocKind::Plain);
        self.t.edge(self.t.here, target, null.clone(), vec![]);
        let (mut valid, mut again) = (null, Expr::FALSE);
        for id in self.resolver().pointees(pointer) {
            let Some(known) = self.allocated_copy(id, &value) else { continue };
            let death = self.objects.death(id, known.copy).into_iter().collect();
            self.t.edge(self.t.here, target, known.is_alive.clone(), death);
            valid = Expr::or(valid, known.is_alive);
            again = Expr::or(again, known.was_freed);
            self.note_freed(id);
        }
        self.t.operands = Some(FailedOperation::Freed(value));
        self.fail_to_free(Expr::negate(valid), again);
        self.t.operands = None;
        self.t.here = target;
    }

    /// Ends here, under a condition: what is freed is not allocated, or was freed before.
    pub(super) fn fail_to_free(&mut self, condition: Expr, again: Expr) {
        match again {
            Expr::FALSE => self.t.end_if(condition, LocKind::Undefined(Undefined::InvalidFree)),
            again => {
                let kinds = [Undefined::DoubleFree, Undefined::InvalidFree];
                self.t.end_by_note(condition, again, kinds);
            }
        }
    }

    pub(super) fn note_freed(&mut self, id: ObjectId) {
        let Some(site) = self.objects.site(id).cloned() else { return };
        let known = self.input.facts.heap.get(&site).cloned();
        let entry = self.found.heap.entry(site);
        if let Some(known) = known {
            let fresh = Allocation { copies: 0, ..known };
            entry.or_insert(fresh).freed = true;
        }
    }

    /// The copy of an object that may be freed at an address.
    pub(super) fn allocated_copy(&mut self, id: ObjectId, address: &Expr) -> Option<AllocatedCopy> {
        let object = self.objects.get(id);
        if object.live.is_none() || object.by_thread || object.is_automatic {
            return None;
        }
        let (start, spot) = self.objects.start_of(id, address, self.input.pointer_type());
        let copy = spot.copy.clone()?;
        let alive = self.objects.live_condition(self.t, id, Some(copy.clone()));
        let state = self.objects.life_state(id, Some(copy.clone()))?;
        let gone = Expr::eq(state, Expr::Const(GONE, LIVE));
        let (is_alive, was_freed) = (Expr::and(start.clone(), alive), Expr::and(start, gone));
        Some(AllocatedCopy { is_alive, was_freed, copy, spot })
    }

    /// The objects of the frame at hand are gone.
    pub(super) fn end_frame(&mut self) {
        for known in std::mem::take(&mut self.t.frame().automatic) {
            self.end_automatic(known);
        }
    }

    /// Ends the life of an object of a frame, if it was created.
    pub(super) fn end_automatic(&mut self, Automatic { address, object, .. }: Automatic) {
        let ty = self.input.pointer_type();
        let none = Expr::Const(0, ty);
        let (_, spot) = self.objects.start_of(object, &Expr::Var(address), ty);
        let Some(death) = spot.copy.and_then(|copy| self.objects.death(object, copy)) else {
            return;
        };
        let target = self.t.location(LocKind::Plain);
        let absent = Expr::eq(Expr::Var(address), none.clone());
        self.t.edge(self.t.here, target, absent.clone(), vec![]);
        let assigns = vec![death, set(address, none)];
        self.t.edge(self.t.here, target, Expr::negate(absent), assigns);
        self.t.here = target;
    }

    /// All cells of a variable's own copy become arbitrary.
    pub(super) fn forget(&mut self, object: ObjectId) {
        let assigns = self.each_cell(object, Group::at_first, false);
        self.t.step(Expr::TRUE, assigns);
    }

    /// All cells of a variable's own copy become zero.
    pub(super) fn clear(&mut self, object: ObjectId) {
        let assigns = self.each_cell(object, |group| Rhs::Expr(Expr::Const(0, group.ty)), true);
        self.t.step(Expr::TRUE, assigns);
    }

    fn each_cell(
        &mut self,
        id: ObjectId,
        value: impl Fn(&Group) -> Rhs,
        is_written: bool,
    ) -> Vec<Assign> {
        let copy = self.resolver().own_copy(id);
        let groups: Vec<Group> = self.objects.get(id).outline.groups.clone();
        let mut assigns = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            let var = self.objects.group_var(self.t, id, number);
            // The padding of automatic objects is unspecified, whatever their initialiser is.
            let rhs = if group.is_padding { Rhs::Havoc } else { value(group) };
            if let Some(flag) = self.objects.written_var(self.t, id, number) {
                let is_scalar = copy.is_none() && group.dims.is_empty();
                let rhs = written(is_written);
                match is_scalar {
                    true => assigns.push(Assign { place: Place::Var(flag), value: rhs }),
                    false => assigns.extend(copy_cells(flag, group, copy.as_ref(), &rhs)),
                }
            }
            if copy.is_none() && (group.dims.is_empty() || rhs == Rhs::Havoc) {
                assigns.push(Assign { place: Place::Var(var), value: rhs });
                continue;
            }
            assigns.extend(copy_cells(var, group, copy.as_ref(), &rhs));
        }
        assigns
    }
}

impl Resolver<'_, '_> {
    /// The objects whose freed copies an allocation may get: those of its own
    /// size and type, wherever they were allocated.
    pub(super) fn reusable(&mut self, site: &Site) -> Vec<ObjectId> {
        let Some(wanted) = self.input.facts.heap.get(site) else { return vec![] };
        // What belongs to a frame is only used again at its own place.
        let alike = |(place, known): &(&Site, &Allocation)| {
            known.freed && known.is_like(wanted) && (wanted.life == Life::Heap || *place == site)
        };
        let sites: Vec<Site> =
            self.input.facts.heap.iter().filter(alike).map(|(site, _)| site.clone()).collect();
        sites.iter().filter_map(|site| self.heap_object(site)).collect()
    }
}
