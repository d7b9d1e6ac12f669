//! Why an access fails: of which kind the undefined behaviour is.
//!
//! An access whose address falls into none of the objects that its pointer may point to has failed. The
//! address says why: it is null, it is beside one of the objects, it is inside of one where no scalar of
//! that size begins, or it is none of these. So there is one step to a location of failure, which a proof has to exclude once, and
//! the kinds behind it are told apart there, by the value of the address alone: what other threads do
//! meanwhile does not matter. The last kind is the negation of the others, so that no value is lost.
//!
//! An address inside an object that is not alive is another matter, since life is shared: whether it
//! was freed or never given out is noted in the step that fails.
//!
//! Inside a variable, where no scalar of that size begins, C leaves the access undefined (6.5, 7). Allocated memory
//! has the type of what was last written there, and the model gives it one type for all its life: there it is
//! a model limit.

use super::Memory;
use super::access::Ways;
use super::alternative::Alternative;
use super::fold;
use super::heap::{Allocation, LIVE, Life, Site};
use super::input::Input;
use super::locate::Area;
use super::objects::{MIN_ADDRESS, ObjectId};
use super::place::Target;
use ccfa::{BinOp, Expr, FailedOperation, Limit, LocKind, Undefined};

impl Memory<'_, '_> {
    /// The ways from here on which an access goes none of these ways.
    pub(super) fn fail_unless(&mut self, target: &Target, size: u64, ways: &Ways) {
        if let Target::Address { value, .. } = target {
            self.t.operands = Some(FailedOperation::Access(value.clone(), size));
        }
        self.fail_if_gone(&ways.list);
        self.fail_if_missed(target, size, ways);
        self.t.operands = None;
    }

    fn fail_if_missed(&mut self, target: &Target, size: u64, ways: &Ways) {
        let misses = ways.list.iter().map(|way| Expr::negate(way.condition.clone()));
        let none = fold::all(misses.collect());
        let Target::Address { value, objects, .. } = target else { return };
        if none != Expr::FALSE {
            let reasons = self.reasons(value, objects, size, ways);
            self.t.end_by(none, reasons);
        }
    }

    /// Why an address, which is none of the ways, is none: conditions of which exactly one holds.
    fn reasons(
        &mut self,
        address: &Expr,
        objects: &[ObjectId],
        size: u64,
        ways: &Ways,
    ) -> Vec<(Expr, LocKind)> {
        let pointer = self.input.pointer_type();
        let place = |id: &ObjectId| TestedObject::of(self, *id, address, size);
        let places: Vec<TestedObject> = objects.iter().map(place).collect();
        let lowest = Expr::Const(MIN_ADDRESS, pointer);
        let null = fold::binary(BinOp::Lt, pointer, address.clone(), lowest);
        // What would be a way, if the object were larger.
        let too_small = ways.list.iter().filter(|way| way.place != way.condition);
        let too_small = fold::any(too_small.map(|way| way.place.clone()));
        let beside = fold::any(places.iter().map(|place| place.beside.clone()));
        let inside = |is_allocated: bool| {
            let such = places.iter().filter(|place| place.is_allocated == is_allocated);
            fold::any(such.map(|place| place.inside.clone()))
        };
        let (declared, allocated) = (inside(false), inside(true));
        let known = [&null, &beside, &too_small, &declared, &allocated];
        let elsewhere = Expr::negate(fold::any(known.into_iter().cloned()));
        let aligned = self.is_aligned(address, size);
        let within = |part: &Expr| Expr::and(part.clone(), Expr::negate(too_small.clone()));
        let (declared, allocated) = (within(&declared), within(&allocated));
        let misaligned =
            Expr::and(Expr::or(declared.clone(), allocated.clone()), Expr::negate(aligned.clone()));
        let what = format!("an access of {size} bytes to memory of another type");
        let limit = LocKind::Limit(Limit::Unsupported, what);
        let undefined = LocKind::Undefined;
        // To copy bytes needs no type, and no alignment.
        let of_type = |kind| match self.t.copies_bytes {
            true => limit.clone(),
            false => undefined(kind),
        };
        let wrong_type = match ways.is_complete {
            true => of_type(Undefined::WrongType),
            false => limit.clone(),
        };
        let wrong_alignment = of_type(Undefined::Misaligned);
        vec![
            (null, undefined(Undefined::NullPointer)),
            (Expr::or(beside, too_small), undefined(Undefined::OutOfBounds)),
            (misaligned, wrong_alignment),
            (Expr::and(declared, aligned.clone()), wrong_type),
            (Expr::and(allocated, aligned), limit),
            (elsewhere, undefined(Undefined::NotAnObject)),
        ]
    }

    /// Is an address outside the bounds of the objects that its pointer may point to, but near one?
    pub(super) fn is_outside(
        &mut self,
        address: &Expr,
        objects: &[ObjectId],
        size: u64,
        ways: &Ways,
    ) -> Expr {
        let misses = ways.list.iter().map(|way| Expr::negate(way.condition.clone()));
        let is_bounds =
            |(_, kind): &(Expr, LocKind)| *kind == LocKind::Undefined(Undefined::OutOfBounds);
        let reasons = self.reasons(address, objects, size, ways);
        let outside = fold::any(reasons.into_iter().filter(is_bounds).map(|(reason, _)| reason));
        Expr::and(fold::all(misses.collect()), outside)
    }

    /// Is an address a multiple of what accesses of this size ask for?
    fn is_aligned(&self, address: &Expr, size: u64) -> Expr {
        let pointer = self.input.pointer_type();
        // In records of the i386 ABI, eight bytes are aligned as four are.
        let alignment = match size.is_power_of_two() {
            true => size.min(self.input.unit.types.pointer_size()),
            false => 1,
        };
        let alignment = Expr::Const(i128::from(alignment), pointer);
        let rest = fold::binary(BinOp::Rem, pointer, address.clone(), alignment);
        fold::binary(BinOp::Eq, pointer, rest, Expr::Const(0, pointer))
    }

    /// Ends here if the access goes one of these ways to an object that is not alive.
    fn fail_if_gone(&mut self, ways: &[Alternative]) {
        let mortal = || ways.iter().filter(|way| way.alive != Expr::TRUE);
        let gone =
            |way: &Alternative| Expr::and(way.condition.clone(), Expr::negate(way.alive.clone()));
        let is_freed = |way: &&Alternative| self.input.is_ever_freed(self.objects.site(way.object));
        let is_heap = |way: &&Alternative| self.input.is_heap(self.objects.site(way.object));
        let ended = fold::any(mortal().filter(|way| !is_heap(way)).map(gone));
        let unused = fold::any(mortal().filter(|way| is_heap(way) && !is_freed(way)).map(gone));
        let freed = fold::any(mortal().filter(is_freed).map(gone));
        let never = mortal().filter(is_freed).filter_map(|way| {
            let unused = Expr::eq(way.state.clone()?, Expr::Const(0, LIVE));
            Some(Expr::and(way.condition.clone(), unused))
        });
        let never = fold::any(never);
        for (condition, kind) in [(ended, Undefined::DeadObject), (unused, Undefined::NotAnObject)]
        {
            if condition != Expr::FALSE {
                self.t.end_if(condition, LocKind::Undefined(kind));
            }
        }
        if freed != Expr::FALSE {
            let kinds = [Undefined::NotAnObject, Undefined::UseAfterFree];
            self.t.end_by_note(freed, never, kinds);
        }
    }
}

impl<'a> Input<'a> {
    /// What is known of what was allocated at a place.
    pub fn allocation(&self, site: Option<&Site>) -> Option<&'a Allocation> {
        self.facts.heap.get(site?)
    }

    /// The kind of undefined behaviour of using an object that is not alive, by where it was allocated.
    pub fn kind_of_death(&self, site: Option<&Site>) -> Undefined {
        match (self.is_heap(site), self.is_ever_freed(site)) {
            (true, true) => Undefined::UseAfterFree,
            (true, false) => Undefined::NotAnObject,
            (false, _) => Undefined::DeadObject,
        }
    }

    /// Does it live until it is freed?
    fn is_heap(&self, site: Option<&Site>) -> bool {
        self.allocation(site).is_some_and(|known| known.life == Life::Heap)
    }

    fn is_ever_freed(&self, site: Option<&Site>) -> bool {
        self.allocation(site).is_some_and(|known| known.life == Life::Heap && known.freed)
    }
}

/// Where an address lies that meets no scalar of an object.
struct TestedObject {
    /// Not in the object, but nearest to it.
    beside: Expr,
    /// In the object.
    inside: Expr,
    is_allocated: bool,
}

impl TestedObject {
    fn of(memory: &Memory, id: ObjectId, address: &Expr, size: u64) -> TestedObject {
        let object = memory.objects.get(id);
        let (size_of_object, margin) = (object.outline.size, memory.objects.gap() / 2);
        let area = Area { region: object.region(), size: size_of_object, margin };
        let pointer = memory.input.pointer_type();
        let beside = area.beside(address, pointer, size);
        let inside = match area.is_covered(size) {
            true => Expr::FALSE,
            false => area.inside(address, pointer, size),
        };
        TestedObject { beside, inside, is_allocated: memory.objects.site(id).is_some() }
    }
}
