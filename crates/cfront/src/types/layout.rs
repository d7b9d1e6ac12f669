//! The layout of records, as gcc lays them out on x86. Bit-fields get storage units that
//! never overlap a neighbouring plain field if that can be avoided, as C11's
//! memory model demands ("a bit-field and an adjacent non-bit-field member
//! are in separate memory locations").

use super::Types;
use crate::hir::{BitField, Field, RecordLayout, TypeId};
use crate::syntax::ast::IntKind;

/// A member as declared, before it has an offset.
#[derive(Clone, Debug)]
pub struct FieldSpec {
    /// Its name; "" for anonymous records and unnamed bit-fields.
    pub name: String,
    /// Its declared type.
    pub ty: TypeId,
    /// The width, if it is a bit-field.
    pub bits: Option<u32>,
    /// It, or its record, is `packed`.
    pub packed: bool,
    /// The alignment demanded by `aligned(n)` or `_Alignas`.
    pub align: Option<u64>,
    /// The alignment of its type, where a typedef with `aligned(n)` makes it another one.
    pub type_align: Option<u64>,
}

/// What is demanded of a record as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demands {
    /// By `aligned(n)`.
    pub align: Option<u64>,
    /// By `#pragma pack(n)`: the largest alignment of a member.
    pub pack: Option<u64>,
}

impl FieldSpec {
    /// The alignment of the member in its record.
    fn alignment(&self, types: &Types, pack: Option<u64>) -> u64 {
        let own = self.type_align.unwrap_or_else(|| types.align_of(self.ty));
        // Where a pragma bounds the alignment of bit-fields, gcc does not look at the attribute.
        let is_bounded = self.bits.is_some() && pack.is_some();
        let natural = if self.packed && !is_bounded { 1 } else { own };
        natural.max(self.align.unwrap_or(1)).min(pack.unwrap_or(u64::MAX))
    }
}

/// A member with its first bit.
struct Placed {
    spec: usize,
    bit: u64,
    /// Bit-fields with one number follow each other without a break.
    run: u32,
}

/// Lays out a record as gcc does on x86: bit-fields do not straddle a storage
/// unit of their declared type unless packed, by an attribute or a pragma.
pub fn layout(
    types: &mut Types,
    is_union: bool,
    specs: &[FieldSpec],
    Demands { align, pack }: Demands,
) -> RecordLayout {
    let mut placed = Vec::new();
    let mut record_align = 1;
    let mut next = 0u64;
    let mut end = 0u64;
    let mut run = 0;
    for (index, spec) in specs.iter().enumerate() {
        if is_union {
            next = 0;
            run += 1;
        }
        let wanted = spec.alignment(types, pack);
        let bit = match spec.bits {
            None => {
                run += 1;
                record_align = record_align.max(wanted);
                next.next_multiple_of(8 * wanted)
            }
            Some(0) => {
                run += 1;
                let unit = 8 * types.align_of(spec.ty).max(spec.align.unwrap_or(1));
                next = next.next_multiple_of(unit);
                continue;
            }
            Some(width) => {
                if !spec.name.is_empty() {
                    record_align = record_align.max(wanted);
                }
                let start = next.next_multiple_of(spec.align.map_or(1, |a| 8 * a));
                match spec.packed || pack.is_some() {
                    true => start,
                    false => bit_start(types, spec, start, u64::from(width)),
                }
            }
        };
        let length = match spec.bits {
            Some(width) => u64::from(width),
            None => 8 * types.size_of(spec.ty).unwrap_or(0),
        };
        next = bit + length;
        end = end.max(next);
        placed.push(Placed { spec: index, bit, run });
    }
    let record_align = record_align.max(align.unwrap_or(1));
    end = end.max(next);
    let size = end.div_ceil(8).next_multiple_of(record_align);
    let is_member = |p: &&Placed| specs[p.spec].bits.is_none() || !specs[p.spec].name.is_empty();
    let make = |p: &Placed| {
        let align = specs[p.spec].alignment(types, pack);
        Field { align, ..field(types, is_union, specs, &placed, p, size) }
    };
    let fields = placed.iter().filter(is_member).map(make).collect();
    let has_long_bits = placed.iter().any(|p| is_long(specs, &placed, p));
    RecordLayout { has_long_bits, size, align: record_align, fields }
}

/// Does a sequence of adjacent bit-fields, which begins or goes on here, have more bytes than a storage unit can?
fn is_long(specs: &[FieldSpec], placed: &[Placed], this: &Placed) -> bool {
    let rest = placed.iter().filter(|p| p.run == this.run && p.bit > this.bit);
    let end = rest.map(|p| p.bit + specs[p.spec].bits.map_or(0, u64::from)).max().unwrap_or(0);
    specs[this.spec].bits.is_some() && end.div_ceil(8) > this.bit / 8 + 8
}

/// Where a bit-field starts: at `next`, unless it would span more units of
/// its type than an aligned object of the type does.
fn bit_start(types: &Types, spec: &FieldSpec, next: u64, width: u64) -> u64 {
    let align = 8 * types.align_of(spec.ty);
    let units = 8 * types.size_of(spec.ty).unwrap_or(1) / align;
    let spanned = (next % align + width).div_ceil(align);
    if spanned > units { next.next_multiple_of(align) } else { next }
}

fn field(
    types: &mut Types,
    is_union: bool,
    specs: &[FieldSpec],
    placed: &[Placed],
    this: &Placed,
    size: u64,
) -> Field {
    let spec = &specs[this.spec];
    let Some(width) = spec.bits else {
        return Field {
            name: spec.name.clone(),
            ty: spec.ty,
            declared: spec.ty,
            offset: this.bit / 8,
            align: 1,
            bits: None,
        };
    };
    let (offset, bytes) = if is_union {
        (0, types.size_of(spec.ty).unwrap_or(1).min(size))
    } else {
        storage_unit(types, specs, placed, this, size)
    };
    Field {
        name: spec.name.clone(),
        ty: unit_type(types, spec.ty, bytes),
        declared: spec.ty,
        offset,
        align: 1,
        bits: Some(BitField { shift: (this.bit - 8 * offset) as u8, width: width as u8 }),
    }
}

/// The integer type of a storage unit: the declared one if it has the size and
/// all its bits (a `_Bool` has one).
fn unit_type(types: &mut Types, declared: TypeId, bytes: u64) -> TypeId {
    if types.size_of(declared) == Some(bytes) && declared != Types::BOOL {
        return declared;
    }
    let signed = types.integer(declared).is_some_and(|i| i.signed);
    let kind = match bytes {
        1 => IntKind::Char,
        2 => IntKind::Short,
        4 => IntKind::Int,
        8 => IntKind::LongLong,
        _ => IntKind::Int128,
    };
    types.int(kind, signed)
}

/// Offset and size of the storage unit of a bit-field: the same size for a
/// whole run of bit-fields if possible, and no neighbour touched.
fn storage_unit(
    types: &Types,
    specs: &[FieldSpec],
    placed: &[Placed],
    this: &Placed,
    size: u64,
) -> (u64, u64) {
    let extent = |p: &Placed| {
        let width = u64::from(specs[p.spec].bits.unwrap_or(0));
        (p.bit / 8, (p.bit + width).div_ceil(8))
    };
    let is_in_run = |p: &&Placed| p.run == this.run && specs[p.spec].bits.is_some();
    let in_run: Vec<&Placed> = placed.iter().filter(is_in_run).collect();
    let end = |p: &Placed| match specs[p.spec].bits {
        Some(_) => extent(p).1,
        None => p.bit / 8 + types.size_of(specs[p.spec].ty).unwrap_or(0),
    };
    let others = || placed.iter().filter(|p| !is_in_run(p));
    let low = others().filter(|p| p.bit <= this.bit).map(end).max().unwrap_or(0);
    let high = others().filter(|p| p.bit > this.bit).map(|p| p.bit / 8).min().unwrap_or(size);
    let fits = |p: &Placed, unit: u64| {
        let (from, to) = extent(p);
        let offset = from / unit * unit;
        offset >= low && to <= offset + unit && offset + unit <= high
    };
    let widest = in_run.iter().filter_map(|p| types.size_of(specs[p.spec].ty)).max().unwrap_or(1);
    let (from, to) = extent(this);
    // One for the whole run, if it is not too long: adjacent bit-fields are one memory location (C11, 3.14).
    let is_one =
        |unit: u64| in_run.iter().all(|p| fits(p, unit) && extent(p).0 / unit == from / unit);
    if let Some(unit) =
        [8, 4, 2, 1].into_iter().filter(|&u| u <= widest).chain([2, 4, 8]).find(|&u| is_one(u))
    {
        return (from / unit * unit, unit);
    }
    let units = [16, 8, 4, 2, 1].into_iter().filter(|&u| u <= widest);
    if let Some(unit) = units.clone().find(|&u| in_run.iter().all(|p| fits(p, u))) {
        return (from / unit * unit, unit);
    }
    if let Some(unit) = units.clone().find(|&u| fits(this, u)) {
        return (from / unit * unit, unit);
    }
    let unaligned = [1, 2, 4, 8, 16].into_iter().find(|&u| u >= to - from);
    let unit = unaligned.unwrap_or(16);
    (from.min(size.saturating_sub(unit)), unit)
}
