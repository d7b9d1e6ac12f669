//! Types of the platform's libraries that our models stand for, and when a type of such a name is the user's own.
//!
//! A struct of the models tagged `__rely_type_NAME` stands for the library's type NAME: if the user's text declares a library
//! function that takes one (as the header does) and defines none of them. Otherwise NAME, like any other, is what the user
//! says. Which functions take it is read off the models: those whose first pointer to such a type points to this one.
//!
//! Sizes and alignments are those of glibc on x86 (`bits/pthreadtypes-arch.h`, `semaphore.h`, `threads.h`); a test compares
//! them with the compiler's.

use super::objects::Objects;
use crate::hir::{Expr, ExprKind, FuncId, Function, RecordId, Type, TypeId};
use crate::syntax::ast::{Item, Storage, TranslationUnit};
use crate::types::{DataModel, Types};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::rc::Rc;

/// A tag of the models with this prefix stands for the type named by the rest.
const PREFIX: &str = "__rely_type_";

/// Size and alignment in bytes.
type Extent = (u64, u64);

/// Name, then the extent for 64 and for 32 bits.
const SIZES: &[(&str, Extent, Extent)] = &[
    ("pthread_mutex_t", (40, 8), (24, 4)),
    ("pthread_mutexattr_t", (4, 4), (4, 4)),
    ("pthread_cond_t", (48, 8), (48, 4)),
    ("pthread_condattr_t", (4, 4), (4, 4)),
    ("pthread_rwlock_t", (56, 8), (32, 4)),
    ("pthread_rwlockattr_t", (8, 8), (8, 4)),
    ("pthread_barrier_t", (32, 8), (20, 4)),
    ("pthread_barrierattr_t", (4, 4), (4, 4)),
    ("pthread_once_t", (4, 4), (4, 4)),
    ("pthread_attr_t", (56, 8), (36, 4)),
    ("sem_t", (32, 8), (16, 4)),
    ("mtx_t", (40, 8), (24, 4)),
    ("cnd_t", (48, 8), (48, 4)),
    ("once_flag", (4, 4), (4, 4)),
];

/// The types of the models, by the names they stand for.
#[derive(Default)]
pub(super) struct Platform {
    types: HashMap<Rc<str>, LibraryType>,
    /// The names that mean the library's type in the user's unit.
    meant: HashSet<Rc<str>>,
}

struct LibraryType {
    ty: TypeId,
    record: RecordId,
    /// The functions that take it.
    functions: Vec<String>,
}

impl Platform {
    /// What a typedef of this name at file scope means, if it is the library's.
    pub fn stands_for(&self, name: &str) -> Option<TypeId> {
        let known = self.types.get(name)?;
        self.meant.contains(name).then_some(known.ty)
    }

    /// Notes a type of the models, once it has a layout: its size becomes the platform's.
    pub fn note_type(&mut self, types: &mut Types, tag: &str, record: RecordId) {
        let Some(name) = tag.strip_prefix(PREFIX) else { return };
        let known = SIZES.iter().find(|(known, ..)| *known == name);
        let extent = known.map(|(_, wide, narrow)| match types.model() {
            DataModel::Lp64 => *wide,
            DataModel::Ilp32 => *narrow,
        });
        types.set_opaque(record, extent);
        let ty = types.intern(Type::Record(record));
        let functions = Vec::new();
        self.types.insert(Rc::from(name), LibraryType { ty, record, functions });
    }

    /// Notes which functions of the models take which type.
    pub fn note_functions(&mut self, types: &Types, objects: &Objects) {
        for index in 0..objects.function_count() {
            let function = objects.function(FuncId(index as u32));
            let Type::Function { params, .. } = types.get(function.ty) else { continue };
            let taken = params.iter().find_map(|param| opaque_pointee(types, *param));
            let known = taken
                .and_then(|record| self.types.values_mut().find(|known| known.record == record));
            if let Some(known) = known {
                known.functions.push(function.name.clone());
            }
        }
    }

    /// Decides which names mean the library's types in the user's unit.
    pub fn begin_user_unit(&mut self, unit: &TranslationUnit) {
        let declared: HashSet<&str> = unit.items.iter().flat_map(declared_names).collect();
        let defined: HashSet<&str> = unit.items.iter().filter_map(defined_name).collect();
        let is_meant = |known: &LibraryType| {
            let mut names = known.functions.iter().map(String::as_str);
            let is_used = known.functions.iter().any(|name| declared.contains(name.as_str()));
            is_used && !names.any(|name| defined.contains(name))
        };
        let meant = self.types.iter().filter(|(_, known)| is_meant(known));
        self.meant = meant.map(|(name, _)| name.clone()).collect();
    }
}

/// A library function that is given a type of the user's own in place of the library's: which one.
pub(super) fn misused_type(
    types: &Types,
    function: &Function,
    params: &[TypeId],
    values: &[Expr],
) -> Option<String> {
    if !function.is_model {
        return None;
    }
    let is_other = |(param, value): &(&TypeId, &Expr)| {
        let given = types.pointee(value.ty);
        let is_null = matches!(*value.kind, ExprKind::Const(0));
        match opaque_pointee(types, **param) {
            Some(record) => {
                let is_it =
                    given.is_some_and(|ty| types.as_record(types.unatomic(ty)) == Some(record));
                !is_it && given != Some(Types::VOID) && !is_null
            }
            None => false,
        }
    };
    params.iter().zip(values).find(is_other)?;
    Some(format!(
        "a call of the library's `{}` with a type that is not the library's",
        function.name
    ))
}

/// The type of the models that a pointer points to.
fn opaque_pointee(types: &Types, ty: TypeId) -> Option<RecordId> {
    let record = types.as_record(types.unatomic(types.pointee(ty)?))?;
    types.record(record).is_opaque.then_some(record)
}

fn declared_names(item: &Item) -> Vec<&str> {
    match item {
        Item::Declaration(d) if d.specifiers.storage != Some(Storage::Typedef) => {
            let names = d.declarators.iter().filter_map(|d| d.declarator.name.as_ref());
            names.map(|name| &*name.name).collect()
        }
        _ => Vec::new(),
    }
}

fn defined_name(item: &Item) -> Option<&str> {
    match item {
        Item::Function(f) => f.declarator.name.as_ref().map(|name| &*name.name),
        _ => None,
    }
}
