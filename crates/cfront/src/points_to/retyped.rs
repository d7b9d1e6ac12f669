//! May what was written as one type be read as another? C forbids it (C11 6.5, 7: effective types), compilers count on it, and we read the bytes
//! that are there: so it is an assumption, said of a program in which it cannot be ruled out cheaply.
//!
//! An object is accessed by its name, which has its type, or through a pointer; and a pointer gets another type by a conversion: to or from `void *`,
//! characters or a number, at once, or where a function is called as one of another type. So it is enough to look at conversions: for each object, as
//! which types pointers to it leave, and as which they come back. A type that comes back must be part of the declared type, and of each type
//! that has left (or the other way round: from a member to the record around it). What lies where in an object is not looked at.
//!
//! To read a member of a union after another one was written is allowed where the union is named (6.5.2.3, footnote 95); its address leads elsewhere.

use super::walk::{Event, walk, walk_entries};
use super::{Pointee, PointsTo};
use crate::hir::{Callee, Expr, ExprKind, FuncId, Place, PlaceKind, Type, TypeId, Unit};
use crate::types::Types;
use std::collections::{BTreeMap, BTreeSet};

/// The types as which pointers to an object leave, and come back.
#[derive(Default)]
struct Handed {
    left: Vec<TypeId>,
    back: Vec<TypeId>,
}

/// What is known of a program so far.
struct Conversions<'a> {
    unit: &'a Unit,
    points_to: &'a PointsTo,
    views: BTreeMap<Pointee, Handed>,
    /// Arguments of functions that keep no pointer, like `free`: nothing comes back from there.
    dropped: BTreeSet<usize>,
    /// Does the address of a member of a union with others lead elsewhere?
    has_member_address: bool,
}

/// May an object be read as another type than it was written?
pub fn may_be_retyped(unit: &Unit, points_to: &PointsTo) -> bool {
    let (views, dropped) = (BTreeMap::new(), BTreeSet::new());
    let mut known = Conversions { unit, points_to, views, dropped, has_member_address: false };
    for entries in unit.vars.iter().filter_map(|var| var.init.as_ref()) {
        walk_entries(entries, &mut |event| known.see(&event));
    }
    for function in unit.functions.iter().filter(|function| !function.is_model) {
        walk(function.body.as_deref().unwrap_or_default(), &mut |event| known.see(&event));
    }
    known.has_member_address
        || known.views.iter().any(|(object, views)| known.differ(*object, views))
}

impl Conversions<'_> {
    fn see(&mut self, event: &Event) {
        let Event::Expr(expr) = event else { return };
        match &*expr.kind {
            ExprKind::Call(Callee::Direct(id), arguments) if self.keeps_nothing(*id) => {
                self.dropped.extend(arguments.iter().map(identity));
            }
            ExprKind::Cast(inner) if !self.dropped.contains(&identity(expr)) => {
                self.conversion(inner, expr.ty);
            }
            ExprKind::AddrOf(place) => {
                self.has_member_address |= is_one_of_several(&self.unit.types, place);
            }
            _ => {}
        }
    }

    /// Its body is ours and no function of C: it copies, fills or frees.
    fn keeps_nothing(&self, id: FuncId) -> bool {
        self.unit.functions[id.index()].body.is_none()
    }

    fn conversion(&mut self, inner: &Expr, to: TypeId) {
        let types = &self.unit.types;
        if let ExprKind::FunctionAddr(id) = &*inner.kind {
            return self.called_as_another(*id);
        }
        let (left, back) = (accessed(types, inner.ty), accessed(types, to));
        if !types.is_pointer(to) && !types.is_pointer(inner.ty) || left == back {
            return;
        }
        for object in self.points_to.targets(inner) {
            let views = self.views.entry(object).or_default();
            views.left.extend(left.filter(|left| !views.left.contains(left)));
            views.back.extend(back.filter(|back| !views.back.contains(back)));
        }
    }

    /// What a function finds in its parameters may have left as another type.
    fn called_as_another(&mut self, id: FuncId) {
        let unit = self.unit;
        for parameter in &unit.functions[id.index()].params {
            let back = accessed(&unit.types, unit.vars[parameter.index()].ty);
            for object in self.points_to.contents(Pointee::Var(*parameter)) {
                let views = self.views.entry(object).or_default();
                views.back.extend(back.filter(|back| !views.back.contains(back)));
            }
        }
    }

    fn differ(&self, object: Pointee, views: &Handed) -> bool {
        let types = &self.unit.types;
        let declared = match object {
            Pointee::Var(var) => Some(self.unit.vars[var.index()].ty),
            Pointee::Heap(_) => None,
            Pointee::Function(_) => return false,
        };
        views.back.iter().any(|back| {
            let is_part =
                |left: &TypeId| contains(types, *left, *back) || contains(types, *back, *left);
            declared.is_some_and(|declared| !contains(types, declared, *back))
                || !views.left.iter().all(is_part)
        })
    }
}

/// Tells expressions apart.
fn identity(expr: &Expr) -> usize {
    std::ptr::from_ref(&*expr.kind) as usize
}

/// As which type a pointer accesses memory, if not as anything.
fn accessed(types: &Types, pointer: TypeId) -> Option<TypeId> {
    element(types, types.pointee(types.unatomic(pointer))?)
}

/// The type as which a pointer to this one accesses memory: of an array, that of its elements.
fn element(types: &Types, ty: TypeId) -> Option<TypeId> {
    let mut ty = types.unatomic(ty);
    while let Type::Array(element, _) | Type::VariableArray(element) = types.get(ty) {
        ty = types.unatomic(*element);
    }
    let is_bytes = matches!(types.get(ty), Type::Int { .. }) && types.size_of(ty) == Some(1);
    let is_known =
        types.size_of(ty).is_some() && !matches!(types.get(ty), Type::Void | Type::Function { .. });
    (is_known && !is_bytes).then_some(ty)
}

/// Is a type, or a part of it, such that the other one may access it?
fn contains(types: &Types, whole: TypeId, part: TypeId) -> bool {
    let whole = types.unatomic(whole);
    is_alike(types, whole, part)
        || match types.get(whole) {
            Type::Array(element, _) | Type::VariableArray(element) => {
                contains(types, *element, part)
            }
            Type::Record(record) => types.record(*record).layout.iter().any(|layout| {
                layout.fields.iter().any(|field| contains(types, field.declared, part))
            }),
            _ => false,
        }
}

/// The same but for a sign, for what a pointer points to, and for the unit in which a record is declared.
fn is_alike(types: &Types, a: TypeId, b: TypeId) -> bool {
    match (types.get(a), types.get(b)) {
        (Type::Int { kind, .. }, Type::Int { kind: other, .. }) => kind == other,
        (Type::Pointer(_), Type::Pointer(_)) => true,
        (Type::Record(one), Type::Record(other)) => types.same_record(*one, *other),
        _ => a == b,
    }
}

/// Is a place in a union of which another member has another type?
fn is_one_of_several(types: &Types, place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Index(base, ..) => is_one_of_several(types, base),
        PlaceKind::Field(base, offset) => {
            is_beside_others(types, base.ty, *offset, place.ty) || is_one_of_several(types, base)
        }
        _ => false,
    }
}

/// The same of a member of this type at an offset of a record, which may be in an anonymous one.
fn is_beside_others(types: &Types, record: TypeId, offset: u64, member: TypeId) -> bool {
    let Some(layout) = types.as_record(types.unatomic(record)).map(|id| types.record(id)) else {
        return false;
    };
    let fields = layout.layout.iter().flat_map(|layout| &layout.fields);
    let mut fields = fields.filter(|field| field.offset <= offset);
    match element(types, member) {
        None => false,
        Some(member) if layout.is_union => {
            fields.any(|field| !contains(types, field.declared, member))
        }
        Some(member) => fields
            .filter(|field| field.name.is_empty())
            .any(|field| is_beside_others(types, field.ty, offset - field.offset, member)),
    }
}
