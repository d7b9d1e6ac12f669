//! What an object of a C type consists of: groups of scalar cells.
//!
//! A scalar is one cell. A field of the elements of an array is one group: an
//! array variable of the model with one dimension for each array around it.
//! Where bytes are seen through several types (unions, straddling bit-fields),
//! the record is a row of bytes and larger accesses are put together from them.
//! Padding has cells only where a program can see it.

use super::manner::LIBRARY_TYPE;
use crate::hir::{RecordId, Type as CType, TypeId};
use crate::types::Types;
use ccfa::{Expr, Rhs, Type};

/// Scalars of one type at regular places in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Byte offset of the first.
    pub offset: u64,
    /// The arrays around it, outermost first.
    pub dims: Vec<Dim>,
    /// Type of each.
    pub ty: Type,
    /// Size of each in bytes.
    pub size: u64,
    /// The fields that lead here, for the name of the model's variable: `rows.next`.
    pub name: String,
    /// The same as C writes it, with `[]` for each dimension: `.rows[].next`.
    pub path: String,
    /// The C type of each.
    pub source: TypeId,
    /// Bytes of a record that belong to no member.
    pub is_padding: bool,
    /// In an object by which threads wait for each other.
    pub is_lock: bool,
}

/// One array around a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    /// Distance of neighbours in bytes.
    pub stride: u64,
    /// Number of elements.
    pub count: u64,
}

/// How the names of types end whose objects must not be copied.
const LOCKS: [&str; 8] =
    ["mutex_t", "rwlock_t", "spinlock_t", "cond_t", "barrier_t", "sem_t", "mtx_t", "cnd_t"];

/// Is a record of our library one by which threads wait for each other?
pub fn is_lock(types: &Types, record: RecordId) -> bool {
    let tag = &types.record(record).tag;
    tag.starts_with(LIBRARY_TYPE) && LOCKS.iter().any(|name| tag.ends_with(name))
}

/// Objects with more cells than this are not modelled: each cell is a variable of the model.
const MAX_OBJECT_CELLS: u64 = 1 << 16;

impl Group {
    /// One cell, at the start.
    pub fn new(ty: Type, size: u64, source: TypeId) -> Group {
        Group {
            offset: 0,
            dims: vec![],
            ty,
            size,
            name: String::new(),
            path: String::new(),
            source,
            is_padding: false,
            is_lock: false,
        }
    }

    /// How many cells.
    pub fn len(&self) -> u64 {
        self.dims.iter().map(|dim| dim.count).product()
    }

    /// The byte offset of each cell, in the order of the model's array.
    pub fn offsets(&self) -> Vec<u64> {
        let mut offsets = vec![self.offset];
        for dim in &self.dims {
            let along = |start: u64| (0..dim.count).map(move |step| start + step * dim.stride);
            offsets = offsets.into_iter().flat_map(along).collect();
        }
        offsets
    }

    /// From the offset of the first cell to that of the last.
    pub fn extent(&self) -> std::ops::RangeInclusive<u64> {
        let behind: u64 = self.dims.iter().map(|dim| dim.stride * (dim.count - 1)).sum();
        self.offset..=self.offset + behind
    }

    /// Does an offset lie between the start of the first cell and the end of the last?
    pub fn covers(&self, offset: u64) -> bool {
        (self.offset..self.extent().end() + self.size).contains(&offset)
    }

    /// A row of bytes of an object?
    pub fn is_bytes(&self) -> bool {
        self.size == 1 && self.dims.last().is_some_and(|dim| dim.stride == 1)
    }

    /// What it holds where the life of its object begins: any value, but whether a lock is initialised is our own knowledge.
    pub fn at_first(&self) -> Rhs {
        match self.is_lock && self.path.ends_with(".initialised") {
            true => Rhs::Expr(Expr::Const(0, self.ty)),
            false => Rhs::Havoc,
        }
    }

    /// How many cells one step of an array with this stride passes.
    pub fn cells_per(&self, stride: u64) -> Option<u64> {
        if self.is_bytes() && self.dims.len() == 1 {
            return Some(stride);
        }
        let position = self.dims.iter().position(|dim| dim.stride == stride)?;
        Some(self.dims[position + 1..].iter().map(|dim| dim.count).product())
    }

    /// The same in each element of an array.
    pub fn in_array(mut self, dim: Dim) -> Group {
        self.dims.insert(0, dim);
        self.path.insert_str(0, "[]");
        self
    }

    fn inside(mut self, offset: u64, name: &str) -> Group {
        self.offset += offset;
        if !name.is_empty() {
            self.path = format!(".{name}{}", self.path);
        }
        self.name = match (name, self.name.as_str()) {
            ("", _) => self.name,
            (_, "") => name.to_string(),
            (_, rest) => format!("{name}.{rest}"),
        };
        self
    }
}

/// The model's type for a scalar C type; `None` for what is not a scalar of at
/// most 64 bits. Floating values are carried as their bits.
pub fn scalar(types: &Types, ty: TypeId) -> Option<Type> {
    let ty = types.unatomic(ty);
    match types.get(ty) {
        CType::Bool => Some(Type::unsigned(1)),
        CType::Pointer(_) => Some(Type::unsigned(types.pointer_size() as u8 * 8)),
        CType::Float { size } if *size <= 8 => Some(Type::unsigned(size * 8)),
        CType::Int { .. } => {
            let size = types.size_of(ty)?;
            let signed = types.integer(ty)?.signed;
            (size <= 8).then_some(Type::Bits { width: size as u8 * 8, signed })
        }
        CType::Vector { size } if *size <= 8 => Some(Type::unsigned(*size as u8 * 8)),
        CType::WideBits { width, signed } => Some(Type::Bits { width: *width, signed: *signed }),
        _ => None,
    }
}

/// Whether bytes that belong to no member of their record have cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    Without,
    With,
}

/// The cells of an object of type `ty`; an error names what cannot be modelled.
pub fn flatten(types: &Types, ty: TypeId, padding: Padding) -> Result<Vec<Group>, String> {
    let groups = groups(types, ty, padding)?;
    if groups.iter().map(Group::len).sum::<u64>() > MAX_OBJECT_CELLS {
        return Err(format!("an object of type `{}`, which is too large", types.name(ty)));
    }
    Ok(groups)
}

fn groups(types: &Types, ty: TypeId, padding: Padding) -> Result<Vec<Group>, String> {
    let ty = types.unatomic(ty);
    let size = types.size_of(ty).unwrap_or(0);
    if let Some(scalar) = scalar(types, ty) {
        return Ok(vec![Group::new(scalar, size, ty)]);
    }
    match types.get(ty) {
        CType::Array(_, None | Some(0)) => Ok(vec![]),
        CType::Array(element, Some(count)) => {
            let stride = types.size_of(*element).unwrap_or(0);
            let groups = groups(types, *element, padding)?.into_iter();
            Ok(groups.map(|group| group.in_array(Dim { stride, count: *count })).collect())
        }
        CType::Record(record) => {
            let mut groups = record_groups(types, *record, ty, padding)?;
            if is_lock(types, *record) {
                groups.iter_mut().for_each(|group| group.is_lock = true);
            }
            Ok(groups)
        }
        CType::Float { .. }
        | CType::Complex(_)
        | CType::Vector { .. }
        | CType::Int { .. }
        | CType::VaList => Ok(bytes(size.max(1))),
        CType::VariableArray(_) => Err("a variable-length array".into()),
        _ => Err(format!("an object of type `{}`", types.name(ty))),
    }
}

fn record_groups(
    types: &Types,
    id: RecordId,
    ty: TypeId,
    padding: Padding,
) -> Result<Vec<Group>, String> {
    let Some(layout) = &types.record(id).layout else {
        return Err(format!("an object of the incomplete type `{}`", types.name(ty)));
    };
    let mut all: Vec<Group> = Vec::new();
    let mut gaps: Vec<Group> = Vec::new();
    let mut end = 0;
    for field in &layout.fields {
        let size = types.size_of(field.ty).unwrap_or(0);
        let own: Vec<Group> = groups(types, field.ty, padding)?
            .into_iter()
            .map(|g| g.inside(field.offset, &field.name))
            .collect();
        let known = |group: &Group| all.iter().any(|other| same_place(group, other));
        if field.offset >= end || size == 0 {
            all.extend(own);
            gaps.extend(gap(end, field.offset));
        } else if !own.iter().all(known) {
            let mut rows = bytes(layout.size);
            let is_lock = |ty: TypeId| groups(types, ty, padding).is_ok_and(|all| has_lock(&all));
            rows[0].is_lock = layout.fields.iter().any(|field| is_lock(field.ty));
            return Ok(rows);
        }
        end = end.max(field.offset + size);
    }
    gaps.extend(gap(end, layout.size));
    if padding == Padding::With {
        all.extend(gaps);
    }
    Ok(all)
}

fn has_lock(groups: &[Group]) -> bool {
    groups.iter().any(|group| group.is_lock)
}

/// The padding from one offset to another.
fn gap(start: u64, end: u64) -> Option<Group> {
    let size = end.checked_sub(start).filter(|size| *size > 0)?;
    let row = bytes(size).remove(0).inside(start, "padding");
    Some(Group { is_padding: true, ..row })
}

/// The same cells, perhaps with another sign?
fn same_place(a: &Group, b: &Group) -> bool {
    let width = |ty: Type| ty.bounds().map(|(low, high)| high - low);
    (a.offset, &a.dims, a.size) == (b.offset, &b.dims, b.size) && width(a.ty) == width(b.ty)
}

/// A row of bytes.
pub fn bytes(size: u64) -> Vec<Group> {
    let byte = Group::new(Type::unsigned(8), 1, Types::CHAR);
    vec![byte.in_array(Dim { stride: 1, count: size })]
}

/// The offsets at which an object of type `ty` contains one of type `part`,
/// counting the first element of arrays only.
pub fn starts_of(types: &Types, ty: TypeId, part: TypeId, offset: u64, starts: &mut Vec<u64>) {
    let ty = types.unatomic(ty);
    if ty == types.unatomic(part) {
        starts.push(offset);
    }
    match types.get(ty) {
        CType::Array(element, _) => starts_of(types, *element, part, offset, starts),
        CType::Record(record) => {
            for field in types.record(*record).layout.iter().flat_map(|layout| &layout.fields) {
                starts_of(types, field.ty, part, offset + field.offset, starts);
            }
        }
        _ => {}
    }
}
