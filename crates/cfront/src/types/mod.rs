//! The table of types of a program: every type is interned, so two types are
//! the same if and only if their `TypeId`s are. Sizes and alignments follow
//! the System V conventions of gcc on x86, for 32 and for 64 bits.
//!
//! `arithmetic` says in which types C computes, `layout` where the members of a record lie.

mod arithmetic;
mod layout;

use crate::hir::{Field, Record, RecordId, RecordLayout, Type, TypeId};
use crate::syntax::ast::IntKind;
use rustc_hash::FxHashMap as HashMap;
use std::hash::{Hash, Hasher};

pub use layout::{Demands, FieldSpec, layout};

/// Sizes of `int`, `long` and pointers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataModel {
    /// 32-bit x86: `int`, `long` and pointers have 4 bytes.
    Ilp32,
    /// 64-bit x86: `long` and pointers have 8 bytes.
    #[default]
    Lp64,
}

impl DataModel {
    /// As options have it.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ilp32",
            DataModel::Lp64 => "lp64",
        }
    }
}

/// `hir::Type` is a key of the table of types, and it contains the kind.
impl Hash for IntKind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (*self as u8).hash(state);
    }
}

/// All types and records of a program.
#[derive(Clone, Debug)]
pub struct Types {
    model: DataModel,
    types: Vec<Type>,
    ids: HashMap<Type, TypeId>,
    records: Vec<Record>,
}

/// Width and sign of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// Width in bits (1 for `_Bool`).
    pub bits: u32,
    /// Signed?
    pub signed: bool,
}

impl Types {
    /// `void`
    pub const VOID: TypeId = TypeId(0);
    /// `_Bool`
    pub const BOOL: TypeId = TypeId(1);
    /// `char`
    pub const CHAR: TypeId = TypeId(2);
    /// `int`
    pub const INT: TypeId = TypeId(3);
    /// `unsigned int`
    pub const UINT: TypeId = TypeId(4);

    /// A table with the basic types only.
    pub fn new(model: DataModel) -> Types {
        let mut types =
            Types { model, types: Vec::new(), ids: HashMap::default(), records: Vec::new() };
        types.intern(Type::Void);
        types.intern(Type::Bool);
        types.int(IntKind::Char, true);
        types.int(IntKind::Int, true);
        types.int(IntKind::Int, false);
        types
    }

    /// The data model all sizes follow.
    pub fn model(&self) -> DataModel {
        self.model
    }

    /// The type behind an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// The record behind an id.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.index()]
    }

    /// The size of the largest record.
    pub fn largest_record(&self) -> u64 {
        let size = |record: &Record| record.layout.as_ref().map_or(0, |layout| layout.size);
        self.records.iter().map(size).max().unwrap_or(0)
    }

    /// The id of a type, the same for equal types.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// An integer type.
    pub fn int(&mut self, kind: IntKind, signed: bool) -> TypeId {
        self.intern(Type::Int { kind, signed })
    }

    /// A floating type of this many bytes.
    pub fn float(&mut self, size: u8) -> TypeId {
        self.intern(Type::Float { size })
    }

    /// A pointer to `target`.
    pub fn pointer(&mut self, target: TypeId) -> TypeId {
        self.intern(Type::Pointer(target))
    }

    /// An array.
    pub fn array(&mut self, element: TypeId, length: Option<u64>) -> TypeId {
        self.intern(Type::Array(element, length))
    }

    /// `_Atomic ty`, once.
    pub fn atomic(&mut self, ty: TypeId) -> TypeId {
        match self.get(ty) {
            Type::Atomic(_) => ty,
            _ => self.intern(Type::Atomic(ty)),
        }
    }

    /// A new, incomplete record.
    pub fn add_record(&mut self, tag: &str, is_union: bool) -> RecordId {
        let id = RecordId(self.records.len() as u32);
        self.records.push(Record {
            tag: tag.to_string(),
            is_union,
            is_transparent: false,
            is_opaque: false,
            is_oversized: false,
            layout: None,
        });
        id
    }

    /// Completes a record.
    pub fn complete(&mut self, id: RecordId, layout: RecordLayout) {
        self.records[id.index()].layout = Some(layout);
    }

    /// Says that a union is transparent.
    pub fn set_transparent(&mut self, id: RecordId) {
        self.records[id.index()].is_transparent = true;
    }

    /// Says that a record is opaque, and which size and alignment the type has that it stands for. Where
    /// it does not fit into that, it is larger than what it stands for.
    pub fn set_opaque(&mut self, id: RecordId, extent: Option<(u64, u64)>) {
        let record = &mut self.records[id.index()];
        record.is_opaque = true;
        record.is_oversized = true;
        if let (Some((size, align)), Some(layout)) = (extent, &mut record.layout)
            && layout.size <= size
            && layout.align <= align
        {
            (layout.size, layout.align) = (size, align);
            record.is_oversized = false;
        }
    }

    /// Does a type contain one whose size is not that of the type it stands for?
    pub fn is_oversized(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Atomic(inner) | Type::Array(inner, _) => self.is_oversized(*inner),
            Type::Record(record) => {
                let record = self.record(*record);
                let fields = record.layout.iter().flat_map(|layout| &layout.fields);
                record.is_oversized || fields.into_iter().any(|field| self.is_oversized(field.ty))
            }
            _ => false,
        }
    }

    /// `size_t`, also the integer type as wide as a pointer.
    pub fn size_t(&mut self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => Types::UINT,
            DataModel::Lp64 => self.int(IntKind::Long, false),
        }
    }

    /// `ptrdiff_t`
    pub fn ptrdiff_t(&mut self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => Types::INT,
            DataModel::Lp64 => self.int(IntKind::Long, true),
        }
    }

    /// `wchar_t`
    pub fn wchar_t(&mut self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => self.int(IntKind::Long, true),
            DataModel::Lp64 => Types::INT,
        }
    }

    /// Size of a pointer in bytes.
    pub fn pointer_size(&self) -> u64 {
        match self.model {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    /// Size in bytes; `None` for incomplete and run-time types. `void` and
    /// functions count 1, as in GNU C.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Void | Type::Bool | Type::Function { .. } => Some(1),
            Type::Int { kind, .. } => Some(self.int_size(*kind)),
            Type::WideBits { .. } => Some(8),
            Type::Float { size } => Some(u64::from(*size)),
            Type::Complex(part) => self.size_of(*part).map(|size| 2 * size),
            Type::Vector { size } => Some(u64::from(*size)),
            Type::Pointer(_) => Some(self.pointer_size()),
            Type::Array(element, length) => self.size_of(*element)?.checked_mul((*length)?),
            Type::VariableArray(_) => None,
            Type::Record(record) => Some(self.record(*record).layout.as_ref()?.size),
            Type::Atomic(inner) => self.size_of(*inner),
            Type::VaList => Some(match self.model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            }),
        }
    }

    /// Alignment in bytes, as inside a record; 1 where there is none.
    pub fn align_of(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Void | Type::Bool | Type::Function { .. } => 1,
            Type::Int { kind, .. } => self.capped(self.int_size(*kind)),
            Type::WideBits { .. } => self.capped(8),
            Type::Float { size: 12 } => 4,
            Type::Float { size: 16 } => 16,
            Type::Float { size } => self.capped(u64::from(*size)),
            Type::Complex(part) => self.align_of(*part),
            Type::Vector { size } => u64::from(*size),
            Type::Pointer(_) | Type::VaList => self.pointer_size(),
            Type::Array(element, _) | Type::VariableArray(element) => self.align_of(*element),
            Type::Record(record) => self.record(*record).layout.as_ref().map_or(1, |l| l.align),
            Type::Atomic(inner) => self.atomic_align(*inner),
        }
    }

    /// gcc aligns an atomic object of 1, 2, 4, 8 or 16 bytes to its size.
    fn atomic_align(&self, inner: TypeId) -> u64 {
        let plain = self.align_of(inner);
        match self.size_of(inner) {
            Some(size @ (1 | 2 | 4 | 8 | 16)) => plain.max(size),
            _ => plain,
        }
    }

    /// 32-bit x86 aligns 8-byte scalars to 4 inside records.
    fn capped(&self, size: u64) -> u64 {
        match self.model {
            DataModel::Ilp32 if size == 8 => 4,
            _ => size,
        }
    }

    fn int_size(&self, kind: IntKind) -> u64 {
        match kind {
            IntKind::Char => 1,
            IntKind::Short => 2,
            IntKind::Int => 4,
            IntKind::Long => self.pointer_size(),
            IntKind::LongLong => 8,
            IntKind::Int128 => 16,
        }
    }

    /// Width and sign, if this is `_Bool` or an integer type.
    pub fn integer(&self, id: TypeId) -> Option<Integer> {
        match self.get(id) {
            Type::Bool => Some(Integer { bits: 1, signed: false }),
            Type::Int { kind, signed } => {
                Some(Integer { bits: 8 * self.int_size(*kind) as u32, signed: *signed })
            }
            Type::WideBits { width, signed } => {
                Some(Integer { bits: u32::from(*width), signed: *signed })
            }
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// What an array has as elements.
    pub fn element(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Array(element, _) | Type::VariableArray(element) => Some(*element),
            _ => None,
        }
    }

    /// The record, if it is one.
    pub fn as_record(&self, id: TypeId) -> Option<RecordId> {
        match self.get(id) {
            Type::Record(record) => Some(*record),
            _ => None,
        }
    }

    /// Without `_Atomic` outside.
    pub fn unatomic(&self, id: TypeId) -> TypeId {
        match self.get(id) {
            Type::Atomic(inner) => *inner,
            _ => id,
        }
    }

    /// Is there a pointer in an object of this type?
    pub fn has_pointer(&self, id: TypeId) -> bool {
        match self.get(self.unatomic(self.innermost_element(self.unatomic(id)))) {
            Type::Pointer(_) | Type::VaList => true,
            Type::Record(record) => {
                let fields = self.record(*record).layout.iter().flat_map(|layout| &layout.fields);
                fields.into_iter().any(|field| self.has_pointer(field.ty))
            }
            _ => false,
        }
    }

    /// What an array of arrays consists of; a type that is none itself.
    pub fn innermost_element(&self, mut id: TypeId) -> TypeId {
        while let Type::Array(element, _) = *self.get(id) {
            id = element;
        }
        id
    }

    /// A pointer?
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    /// `_Bool` or an integer?
    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Bool | Type::Int { .. } | Type::WideBits { .. })
    }

    /// A floating type, or a complex number or vector, with which nothing is computed either?
    pub fn is_float(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Float { .. } | Type::Complex(_) | Type::Vector { .. })
    }

    /// Integer, floating or pointer?
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_integer(id) || self.is_float(id) || self.is_pointer(id)
    }

    /// A function?
    pub fn is_function(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Function { .. })
    }

    /// Arrays become pointers to their element, functions pointers to them.
    pub fn decayed(&mut self, id: TypeId) -> TypeId {
        match *self.get(id) {
            Type::Array(element, _) | Type::VariableArray(element) => self.pointer(element),
            Type::Function { .. } => self.pointer(id),
            _ => id,
        }
    }

    /// An array whose size is only known at run time?
    pub fn is_variable_array(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::VariableArray(_) => true,
            Type::Array(element, _) => self.is_variable_array(*element),
            _ => false,
        }
    }

    /// A function that takes more arguments than it names, or has no prototype?
    pub fn is_variadic(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Function { variadic: true, .. })
    }

    /// A function of whose parameters nothing is said?
    pub fn is_unprototyped(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Function { params, variadic: true, .. } if params.is_empty())
    }

    /// What a function returns.
    pub fn result(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Function { ret, .. } => Some(*ret),
            _ => None,
        }
    }

    /// Compatible types (C11, 6.2.7), without qualifiers.
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        self.alike(a, b, &mut None)
    }

    /// Are two types of two units the same (C11 6.2.7, 1)? Records are if their tags and members are; one that is not complete is every one of its tag.
    pub fn agree(&self, a: TypeId, b: TypeId) -> bool {
        self.alike(a, b, &mut Some(Vec::new()))
    }

    /// Are two types the same? Records of one unit are if they are one; of two units, these pairs are taken for the same.
    fn alike(&self, a: TypeId, b: TypeId, across: &mut Option<Vec<(RecordId, RecordId)>>) -> bool {
        match (self.get(a), self.get(b)) {
            _ if a == b => true,
            (Type::Pointer(x), Type::Pointer(y)) | (Type::Atomic(x), Type::Atomic(y)) => {
                self.alike(*x, *y, across)
            }
            (Type::Array(x, n), Type::Array(y, m)) => {
                self.alike(*x, *y, across) && (n == m || n.is_none() || m.is_none())
            }
            (
                Type::Function { ret: x, params: p, variadic: v },
                Type::Function { ret: y, params: q, variadic: w },
            ) => {
                let unprototyped = (p.is_empty() && *v) || (q.is_empty() && *w);
                let mut pairs = p.iter().zip(q);
                let mut same = || {
                    v == w && p.len() == q.len() && pairs.all(|(x, y)| self.alike(*x, *y, across))
                };
                (unprototyped || same()) && self.alike(*x, *y, across)
            }
            (Type::Record(x), Type::Record(y)) => match across {
                Some(same) if !same.contains(&(*x, *y)) => {
                    same.push((*x, *y));
                    self.records_agree(*x, *y, across)
                }
                Some(_) => true,
                None => false,
            },
            _ => false,
        }
    }

    /// Have two records the same tag and members?
    fn records_agree(
        &self,
        a: RecordId,
        b: RecordId,
        across: &mut Option<Vec<(RecordId, RecordId)>>,
    ) -> bool {
        let (one, other) = (self.record(a), self.record(b));
        let members = match (&one.layout, &other.layout) {
            (Some(one), Some(other)) => {
                let mut pairs = one.fields.iter().zip(&other.fields);
                (one.size, one.align, one.fields.len())
                    == (other.size, other.align, other.fields.len())
                    && pairs.all(|(x, y)| {
                        (&x.name, x.offset, x.bits) == (&y.name, y.offset, y.bits)
                            && self.alike(x.declared, y.declared, across)
                    })
            }
            _ => true,
        };
        one.tag == other.tag && one.is_union == other.is_union && members
    }

    /// Two units may each define the same record.
    pub fn same_record(&self, a: RecordId, b: RecordId) -> bool {
        let (a, b) = (self.record(a), self.record(b));
        let size = |record: &Record| record.layout.as_ref().map(|layout| layout.size);
        a.tag == b.tag && a.is_union == b.is_union && size(a) == size(b)
    }

    /// A field by name, also inside anonymous records, with the sum of the
    /// offsets on the way.
    pub fn find_field(&self, record: RecordId, name: &str) -> Option<(u64, &Field)> {
        let layout = self.record(record).layout.as_ref()?;
        if let Some(field) = layout.fields.iter().find(|f| f.name == name) {
            return Some((field.offset, field));
        }
        layout.fields.iter().filter(|f| f.name.is_empty()).find_map(|outer| {
            let (offset, field) = self.find_field(self.as_record(outer.ty)?, name)?;
            Some((outer.offset + offset, field))
        })
    }

    /// C's name of a type, for messages.
    pub fn name(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Void => "void".into(),
            Type::Bool => "_Bool".into(),
            Type::Int { kind, signed } => int_name(*kind, *signed).into(),
            Type::WideBits { width, signed } => {
                format!("{}:{width}", int_name(IntKind::LongLong, *signed))
            }
            Type::Float { size } => match size {
                4 => "float".into(),
                8 => "double".into(),
                _ => "long double".into(),
            },
            Type::Complex(part) => format!("_Complex {}", self.name(*part)),
            Type::Vector { .. } => "vector".into(),
            Type::Pointer(target) => format!("{} *", self.name(*target)),
            Type::Array(element, Some(length)) => format!("{} [{length}]", self.name(*element)),
            Type::Array(element, None) => format!("{} []", self.name(*element)),
            Type::VariableArray(element) => format!("{} [*]", self.name(*element)),
            Type::Record(record) => {
                let record = self.record(*record);
                let keyword = if record.is_union { "union" } else { "struct" };
                match record.tag.as_str() {
                    "" => format!("{keyword} without a tag"),
                    tag => format!("{keyword} {tag}"),
                }
            }
            Type::Function { ret, .. } => format!("function returning {}", self.name(*ret)),
            Type::Atomic(inner) => format!("_Atomic {}", self.name(*inner)),
            Type::VaList => "va_list".into(),
        }
    }
}

fn int_name(kind: IntKind, signed: bool) -> &'static str {
    match (kind, signed) {
        (IntKind::Char, true) => "char",
        (IntKind::Char, false) => "unsigned char",
        (IntKind::Short, true) => "short",
        (IntKind::Short, false) => "unsigned short",
        (IntKind::Int, true) => "int",
        (IntKind::Int, false) => "unsigned int",
        (IntKind::Long, true) => "long",
        (IntKind::Long, false) => "unsigned long",
        (IntKind::LongLong, true) => "long long",
        (IntKind::LongLong, false) => "unsigned long long",
        (IntKind::Int128, true) => "__int128",
        (IntKind::Int128, false) => "unsigned __int128",
    }
}
