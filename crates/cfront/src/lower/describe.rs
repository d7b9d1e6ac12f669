//! What the model is told of the source: which object each variable is a part of, and where the
//! objects and functions lie. It is only shown; nothing of it changes what the model does.

use super::build::TemplateBuilder;
use super::cells::Group;
use super::input::Input;
use super::objects::{Object, Objects, SourceName, Storage};
use crate::hir::{FuncId, Lifetime, Type as CType, TypeId, VarId};
use ccfa::{Dim, Origin, Part, PartOf};

/// A function is an object of this size without scalars.
const FUNCTION_BYTES: u64 = 1;

impl Input<'_> {
    /// What the source calls a variable; `None` if it is the library's, or has no name.
    pub fn source_name(&self, var: VarId) -> Option<SourceName> {
        let declared = &self.unit.vars[var.index()];
        let function = match declared.lifetime {
            Lifetime::Local(function) => Some(&self.unit.functions[function.index()]),
            Lifetime::Static | Lifetime::Thread => None,
        };
        let is_own = declared.range.lo >= super::LIBRARY_OFFSET
            || function.is_some_and(|function| function.is_model);
        (!is_own && !declared.name.is_empty()).then(|| SourceName {
            name: declared.name.clone(),
            function: function.map(|function| function.name.clone()),
        })
    }

    pub fn is_pointer(&self, ty: TypeId) -> bool {
        let types = &self.unit.types;
        matches!(types.get(types.unatomic(ty)), CType::Pointer(_))
    }
}

/// Says what the locals of the template at hand are in the source.
pub fn name_locals(input: &Input, objects: &Objects, t: &mut TemplateBuilder) {
    let origins = origins(input, objects);
    for (object, locals) in &t.private {
        for (local, origin) in locals.iter().zip(&origins[object.0 as usize]) {
            t.template.locals[local.index()].origin = Some(origin.clone());
        }
    }
}

/// Says what the shared variables are in the source.
pub fn name_shared(input: &Input, objects: &mut Objects) {
    let origins = origins(input, objects);
    for (object, origins) in objects.list.iter().zip(origins) {
        let Storage::Shared(vars) = &object.storage else { continue };
        if object.first_place.is_some() {
            continue;
        }
        for (var, origin) in vars.iter().zip(origins) {
            objects.shared[var.index()].origin = Some(origin);
        }
    }
}

/// The objects and functions of the source.
pub fn source_objects(input: &Input, objects: &Objects) -> Vec<ccfa::Object> {
    let function = |(id, base): (&FuncId, &u64)| ccfa::Object {
        name: input.unit.functions[id.index()].name.clone(),
        base: *base,
        size: FUNCTION_BYTES,
        copies: 1,
        ..ccfa::Object::default()
    };
    let mut functions: Vec<ccfa::Object> =
        objects.function_addresses.iter().map(function).collect();
    functions.sort_by_key(|function| function.base);
    objects.list.iter().filter_map(source_object).chain(functions).collect()
}

/// For each object: what its cells are in the source, group by group; nothing if it is our own.
fn origins(input: &Input, objects: &Objects) -> Vec<Vec<Origin>> {
    let mut number = 0;
    let mut all = Vec::new();
    for object in &objects.list {
        let named = object.outline.source.iter();
        let origin = |(part, group, source): (usize, &Group, &SourceName)| Origin {
            name: source.name.clone(),
            function: source.function.clone(),
            ty: input.unit.types.name(group.source),
            pointer: input.is_pointer(group.source),
            part: Some(PartOf { object: ccfa::ObjectId(number), part: part as u32 }),
        };
        let cells = named.flat_map(|source| {
            let groups = object.outline.groups.iter().enumerate();
            groups.map(move |(part, group)| (part, group, source))
        });
        all.push(cells.map(origin).collect());
        number += u32::from(object.outline.source.is_some());
    }
    all
}

/// An object as the model keeps it, if it is of the source.
fn source_object(object: &Object) -> Option<ccfa::Object> {
    let source = object.outline.source.as_ref()?;
    let dim = |dim: &super::cells::Dim| Dim { count: dim.count, stride: dim.stride };
    let part = |group: &Group| Part {
        path: group.path.clone(),
        offset: group.offset,
        size: group.size,
        dims: group.dims.iter().map(dim).collect(),
    };
    Some(ccfa::Object {
        name: source.name.clone(),
        base: object.base,
        size: object.outline.size,
        copies: object.copy_count() as u32,
        stride: object.copies.map_or(0, |copies| copies.stride),
        parts: object.outline.groups.iter().map(part).collect(),
    })
}
