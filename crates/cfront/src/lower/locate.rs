//! Which cells an access meets: pure arithmetic on the layout of one object.
//!
//! A [`Region`] says where the copies of an object lie and which cells each of them has. An
//! access of some bytes meets a whole cell, a part of one cell, or several cells. [`hit`] answers for a constant offset; [`Region::reach`] for an address that is an
//! expression: every way the address can fall into the object, each with the condition under
//! which it does, the copy and the index of the cell.
//!
//! The tests compare both with an enumeration of all addresses and access sizes.

use super::cells::{Dim, Group};
use super::fold;
use ccfa::{BinOp, Expr, Type};

/// The type of indices into copies and cells.
pub const INDEX: Type = Type::unsigned(32);

/// The most bytes that are put together to one value: no scalar of the model is wider.
const MAX_JOINED_BYTES: u64 = 8;

/// The most places at which an access across cells is looked for: each is an edge of the model,
/// and programs that do so have few.
pub const MAX_SPREAD_ACCESSES: usize = 64;

/// Wide enough for every address.
const WIDE: Type = Type::unsigned(64);

/// The bits that an access and one cell have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    pub group: usize,
    /// The cell in the group.
    pub index: u64,
    /// The lowest of the bits in the cell.
    pub shift: u64,
    /// The lowest of the bits in the value.
    pub at: u64,
    /// How many bits: whole bytes.
    pub bits: u64,
}

/// How `size` bytes at `offset` meet the cells of the groups, lowest bits first. Bytes that lie
/// in no cell are left out: [`is_covered`] says whether there are any.
pub fn hit(groups: &[Group], offset: u64, size: u64) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    if size > MAX_JOINED_BYTES {
        return hits;
    }
    for byte in 0..size {
        let Some(mut found) = cell_at(groups, offset + byte) else { continue };
        found.at = 8 * byte;
        match hits.last_mut() {
            Some(last) if continues(last, &found) => last.bits += 8,
            _ => hits.push(found),
        }
    }
    hits
}

/// Do the hits cover an access of `size` bytes?
pub fn is_covered(hits: &[Hit], size: u64) -> bool {
    !hits.is_empty() && hits.iter().map(|hit| hit.bits).sum::<u64>() == 8 * size
}

/// The cell that a byte lies in, and which of its bits the byte is.
fn cell_at(groups: &[Group], offset: u64) -> Option<Hit> {
    groups.iter().enumerate().find_map(|(number, group)| {
        let mut rest = offset.checked_sub(group.offset)?;
        let mut index = 0;
        for dim in &group.dims {
            let step = rest / dim.stride;
            if step >= dim.count {
                return None;
            }
            index = index * dim.count + step;
            rest %= dim.stride;
        }
        (rest < group.size).then_some(Hit { group: number, index, shift: 8 * rest, at: 0, bits: 8 })
    })
}

/// Is a byte the next one of the same cell?
fn continues(last: &Hit, next: &Hit) -> bool {
    (last.group, last.index, last.shift + last.bits, last.at + last.bits)
        == (next.group, next.index, next.shift, next.at)
}

/// Where an object lies and what it consists of.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    /// Address of the first copy.
    pub base: u64,
    /// Copies: their distance and number.
    pub copies: Option<Dim>,
    /// The cells of each copy.
    pub groups: &'a [Group],
}

/// One way an address falls into an object.
#[derive(Clone, Debug)]
pub struct Reached {
    /// It does if this holds.
    pub condition: Expr,
    /// The copy, if there are several.
    pub copy: Option<Expr>,
    /// The cells within the copy, with their indices in place of `Hit::index`.
    pub cells: Vec<(Hit, Expr)>,
}

impl Region<'_> {
    /// Every way an access of `size` bytes at `address`, a number of type `pointer`, can meet
    /// cells of the groups that are `wanted`. Parts of cells are met at multiples of their size.
    pub fn reach(
        &self,
        address: &Expr,
        pointer: Type,
        size: u64,
        wanted: impl Fn(&Group) -> bool,
    ) -> Vec<Reached> {
        let groups = self.groups.iter().enumerate().filter(|(_, group)| wanted(group));
        groups
            .flat_map(|(number, group)| parts(number, group, size))
            .map(|hits| self.reach_hits(address, pointer, &hits))
            .collect()
    }

    /// Every way an access can meet several cells that are no row of bytes, at multiples of its
    /// size; `None` if there are more than [`MAX_SPREAD_ACCESSES`].
    pub fn spread(&self, address: &Expr, pointer: Type, size: u64) -> Option<Vec<Reached>> {
        let last = self.groups.iter().map(|group| *group.extent().end()).max()?;
        let starts = (0..=last).step_by(size.max(1) as usize);
        let met = starts.map(|offset| (offset, hit(self.groups, offset, size)));
        let whole = met.filter(|(_, hits)| hits.len() > 1 && is_covered(hits, size));
        let several = |(_, hits): &(u64, Vec<Hit>)| !self.is_row(hits);
        let ways: Vec<Reached> = whole
            .filter(several)
            .take(MAX_SPREAD_ACCESSES + 1)
            .map(|(offset, hits)| self.reach_offset(address, pointer, offset, &hits))
            .collect();
        (ways.len() <= MAX_SPREAD_ACCESSES).then_some(ways)
    }

    /// Neighbours in one row of bytes?
    fn is_row(&self, hits: &[Hit]) -> bool {
        let row = |hit: &Hit| {
            let group = &self.groups[hit.group];
            (hit.group, hit.index / group.dims.last().map_or(1, |dim| dim.count))
        };
        self.groups[hits[0].group].is_bytes() && hits.iter().all(|hit| row(hit) == row(&hits[0]))
    }

    /// The way to what lies at a constant offset of some copy.
    fn reach_offset(&self, address: &Expr, pointer: Type, offset: u64, hits: &[Hit]) -> Reached {
        let mut division = self.distance(address, pointer, offset);
        let copy = self.copies.map(|copies| division.by(copies, copies.count));
        let index = |hit: &Hit| Expr::Const(i128::from(hit.index), INDEX);
        let cells = hits.iter().map(|hit| (*hit, index(hit))).collect();
        Reached { condition: division.exact(), copy, cells }
    }

    /// The distance of an address from an offset of the first copy.
    fn distance(&self, address: &Expr, pointer: Type, offset: u64) -> Division {
        let start = Expr::Const(i128::from(self.base + offset), pointer);
        let rest = fold::binary(BinOp::Sub, pointer, address.clone(), start);
        Division { pointer, rest, condition: Expr::TRUE }
    }

    /// The way to a cell, or to several of one row: the distance from the first of them, divided
    /// by the stride of the copies and of each array around the cell, leaves nothing.
    fn reach_hits(&self, address: &Expr, pointer: Type, hits: &[Hit]) -> Reached {
        let first = hits[0];
        let group = &self.groups[first.group];
        let mut division = self.distance(address, pointer, group.offset + first.shift / 8);
        let copy = self.copies.map(|copies| division.by(copies, copies.count));
        let mut index = Expr::Const(0, INDEX);
        for dim in &group.dims {
            let joins = hits.len() > 1 && dim.stride == 1;
            let room =
                if joins { (dim.count + 1).saturating_sub(hits.len() as u64) } else { dim.count };
            let step = division.by(*dim, room);
            let count = Expr::Const(i128::from(dim.count), INDEX);
            let scaled = fold::binary(BinOp::Mul, INDEX, index, count);
            index = fold::binary(BinOp::Add, INDEX, scaled, step);
        }
        let cells = hits.iter().map(|hit| (*hit, plus(index.clone(), hit.index))).collect();
        Reached { condition: division.exact(), copy, cells }
    }
}

/// An object and what lies around it: addresses there are nearest to it.
#[derive(Clone, Copy, Debug)]
pub struct Area<'a> {
    pub region: Region<'a>,
    /// Of one copy, in bytes.
    pub size: u64,
    /// So many bytes before and behind each copy belong to no other one.
    pub margin: u64,
}

impl Area<'_> {
    /// Is an address inside, so that an access of `size` bytes is, too?
    pub fn inside(&self, address: &Expr, pointer: Type, size: u64) -> Expr {
        let (near, offset) = self.near(address, pointer);
        Expr::and(near, self.fits(offset, pointer, size))
    }

    /// Is an address near, but not so that an access of `size` bytes is inside?
    pub fn beside(&self, address: &Expr, pointer: Type, size: u64) -> Expr {
        let (near, offset) = self.near(address, pointer);
        Expr::and(near, Expr::negate(self.fits(offset, pointer, size)))
    }

    /// Is there a scalar for an access of `size` bytes at every offset at which it is inside?
    pub fn is_covered(&self, size: u64) -> bool {
        let groups = self.region.groups;
        let reaches = |offset: u64| {
            let address = Expr::Const(i128::from(self.region.base + offset), WIDE);
            let ways = self.region.reach(&address, WIDE, size, |_| true);
            ways.iter().any(|way| way.condition == Expr::TRUE)
        };
        match groups {
            [only] if only.is_bytes() && only.dims.len() == 1 && size <= MAX_JOINED_BYTES => true,
            _ => size == self.size && reaches(0) || size > self.size,
        }
    }

    /// Is an address in the area, and how far behind the start of a copy is it (modulo the numbers of addresses)?
    fn near(&self, address: &Expr, pointer: Type) -> (Expr, Expr) {
        let number = |value: u64| Expr::Const(i128::from(value), pointer);
        let start = number(self.region.base - self.margin);
        let distance = fold::binary(BinOp::Sub, pointer, address.clone(), start);
        let (span, rest) = match self.region.copies {
            None => (self.size + 2 * self.margin, distance.clone()),
            Some(copies) => {
                let stride = number(copies.stride);
                let rest = fold::binary(BinOp::Rem, pointer, distance.clone(), stride);
                (copies.stride * copies.count, rest)
            }
        };
        let near = fold::binary(BinOp::Lt, pointer, distance, number(span));
        (near, fold::binary(BinOp::Sub, pointer, rest, number(self.margin)))
    }

    fn fits(&self, offset: Expr, pointer: Type, size: u64) -> Expr {
        match self.size.checked_sub(size) {
            None => Expr::FALSE,
            Some(last) => {
                let last = Expr::Const(i128::from(last), pointer);
                fold::binary(BinOp::Le, pointer, offset, last)
            }
        }
    }
}

/// An index so many cells further on.
pub fn plus(index: Expr, cells: u64) -> Expr {
    match cells {
        0 => index,
        cells => fold::binary(BinOp::Add, INDEX, index, Expr::Const(i128::from(cells), INDEX)),
    }
}

/// The ways an access can meet a cell of a group, for the first cell: all of it, an aligned part
/// of it, or several bytes from it on.
fn parts(number: usize, group: &Group, size: u64) -> Vec<Vec<Hit>> {
    if size > group.size && group.is_bytes() && size <= MAX_JOINED_BYTES {
        let byte = |at: u64| Hit { group: number, index: at, shift: 0, at: 8 * at, bits: 8 };
        return vec![(0..size).map(byte).collect()];
    }
    let starts = (0..group.size.div_ceil(size.max(1))).map(|part| part * size);
    starts
        .filter(|start| start + size <= group.size && size <= MAX_JOINED_BYTES)
        .map(|start| vec![Hit { group: number, index: 0, shift: 8 * start, at: 0, bits: 8 * size }])
        .collect()
}

/// A distance in bytes that is taken apart along arrays, outermost first.
struct Division {
    pointer: Type,
    /// What is left to be divided.
    rest: Expr,
    /// All steps so far are inside their arrays.
    condition: Expr,
}

impl Division {
    /// Which element of an array it is; it must be one of the first `room`.
    fn by(&mut self, array: Dim, room: u64) -> Expr {
        let rest = std::mem::replace(&mut self.rest, Expr::Const(0, self.pointer));
        let condition = std::mem::replace(&mut self.condition, Expr::TRUE);
        let stride = Expr::constant(i128::from(array.stride), self.pointer);
        let span = Expr::constant(i128::from(array.stride * room), self.pointer);
        let inside = fold::binary(BinOp::Lt, self.pointer, rest.clone(), span);
        self.condition = Expr::and(condition, inside);
        let step = fold::binary(BinOp::Div, self.pointer, rest.clone(), stride.clone());
        if array.stride != 1 {
            self.rest = fold::binary(BinOp::Rem, self.pointer, rest, stride);
        }
        fold::cast(INDEX, self.pointer, step)
    }

    /// All steps are inside, and nothing is left.
    fn exact(self) -> Expr {
        let zero = Expr::Const(0, self.pointer);
        Expr::and(self.condition, fold::binary(BinOp::Eq, self.pointer, self.rest, zero))
    }
}

#[cfg(test)]
mod tests {
    //! All addresses and all access sizes of small objects, against an enumeration of cells.

    use super::*;
    use crate::types::Types;
    use ccfa::semantics::System;

    const BASE: u64 = 64;
    const MARGIN: u64 = 8;
    const POINTER: Type = Type::unsigned(32);

    fn group(offset: u64, size: u64, dims: &[(u64, u64)]) -> Group {
        let dims = dims.iter().map(|&(stride, count)| Dim { stride, count }).collect();
        Group { offset, dims, ..Group::new(Type::unsigned(8 * size as u8), size, Types::CHAR) }
    }

    /// Objects of all the kinds there are: scalars, records, arrays of them, rows of bytes,
    /// several dimensions, gaps between the cells; with and without copies.
    fn objects() -> Vec<(Vec<Group>, Option<Dim>)> {
        let layouts = vec![
            vec![group(0, 4, &[])],
            vec![group(0, 1, &[]), group(4, 4, &[]), group(8, 2, &[])],
            vec![group(0, 4, &[(8, 3)]), group(4, 2, &[(8, 3)])],
            vec![group(0, 2, &[(6, 2), (2, 3)])],
            vec![group(0, 1, &[(1, 11)])],
            vec![group(0, 1, &[(5, 3), (1, 5)])],
            vec![group(0, 1, &[(1, 4), (1, 1)])],
            vec![group(0, 8, &[]), group(8, 1, &[(1, 9)])],
        ];
        let mut objects = Vec::new();
        for groups in layouts {
            objects.push((groups.clone(), None));
            objects.push((groups.clone(), Some(Dim { stride: 32, count: 1 })));
            objects.push((groups, Some(Dim { stride: 48, count: 3 })));
        }
        objects
    }

    /// A way that was found, as numbers: the copy, and the cells with their indices.
    type Way = (Option<u64>, Vec<Hit>);

    /// The cells of each copy, one by one, with their addresses and the room behind them.
    fn enumerate(groups: &[Group], copies: Option<Dim>, address: u64, size: u64) -> Vec<Way> {
        let mut ways = Vec::new();
        for copy in 0..copies.map_or(1, |copies| copies.count) {
            let start = BASE + copy * copies.map_or(0, |copies| copies.stride);
            for (number, group) in groups.iter().enumerate() {
                for (index, offset) in group.offsets().into_iter().enumerate() {
                    let Some(inner) = address.checked_sub(start + offset) else { continue };
                    let index = index as u64;
                    let row = group.dims.last().map_or(1, |dim| dim.count);
                    let joined = group.is_bytes()
                        && inner == 0
                        && (2..=8).contains(&size)
                        && index % row + size <= row;
                    let hit =
                        |index, shift, at, bits| Hit { group: number, index, shift, at, bits };
                    let cells: Vec<Hit> = match joined {
                        true => (0..size).map(|byte| hit(index + byte, 0, 8 * byte, 8)).collect(),
                        false => vec![hit(index, 8 * inner, 0, 8 * size)],
                    };
                    if joined || inner + size <= group.size && inner % size == 0 {
                        ways.push((copies.map(|_| copy), cells));
                    }
                }
            }
        }
        ways.sort();
        ways
    }

    #[test]
    fn an_address_reaches_exactly_the_cells_that_lie_there() {
        let program = ccfa::text::parse("program \"\" shared address: u32 = 0")
            .expect("a program with one variable");
        let system = System::new(&program, 0);
        let address = Expr::Var(ccfa::VarRef::Shared(ccfa::SharedId(0)));
        let mut found_any = 0;
        for (groups, copies) in objects() {
            let region = Region { base: BASE, copies, groups: &groups };
            for size in 1..=9 {
                let reached = region.reach(&address, POINTER, size, |_| true);
                for number in 0..BASE + 200 {
                    let mut state = system.initial();
                    state.cells[0] = Some(i128::from(number));
                    let value = |expr: &Expr| match system.eval(&state, 0, expr) {
                        Ok(Some(value)) => value as u64,
                        other => panic!("{expr:?} is {other:?} at {number}"),
                    };
                    let holds = |way: &&Reached| value(&way.condition) == 1;
                    let mut ways: Vec<Way> = reached
                        .iter()
                        .filter(holds)
                        .map(|way| {
                            let cell =
                                |(hit, index): &(Hit, Expr)| Hit { index: value(index), ..*hit };
                            (way.copy.as_ref().map(value), way.cells.iter().map(cell).collect())
                        })
                        .collect();
                    ways.sort();
                    assert_eq!(
                        ways,
                        enumerate(&groups, copies, number, size),
                        "{size} bytes at {number} of {groups:?}, copies {copies:?}"
                    );
                    found_any += ways.len();
                }
            }
        }
        assert!(found_any > 1000, "only {found_any} ways were compared");
    }

    #[test]
    fn a_constant_address_reaches_what_an_expression_does() {
        for (groups, copies) in objects() {
            let region = Region { base: BASE, copies, groups: &groups };
            for (size, number) in (1..=9).flat_map(|size| (0..BASE + 200).map(move |n| (size, n))) {
                let address = Expr::Const(i128::from(number), POINTER);
                let ways = region.reach(&address, POINTER, size, |_| true);
                let truths: Vec<bool> =
                    ways.iter().map(|way| way.condition == Expr::TRUE).collect();
                assert!(
                    ways.iter().all(|way| matches!(way.condition, Expr::TRUE | Expr::FALSE)),
                    "conditions about constants are constants"
                );
                let expected = enumerate(&groups, copies, number, size).len();
                assert_eq!(truths.iter().filter(|truth| **truth).count(), expected);
            }
        }
    }

    #[test]
    fn an_offset_hits_every_bit_that_lies_there_and_no_other() {
        for (groups, _) in objects() {
            for (size, offset) in (1..=8).flat_map(|size| (0..64).map(move |at| (size, at))) {
                let hits = hit(&groups, offset, size);
                let mut found: Vec<_> = hits.iter().flat_map(bits_of).collect();
                let mut expected: Vec<_> =
                    (0..size).flat_map(|byte| bits_at(&groups, offset, byte)).collect();
                found.sort();
                expected.sort();
                assert_eq!(found, expected, "{size} bytes at {offset} of {groups:?}");
                let whole = expected.len() as u64 == 8 * size;
                assert_eq!(is_covered(&hits, size), whole && size > 0);
            }
        }
    }

    /// Each bit of a hit: group, index, bit of the cell, bit of the value.
    fn bits_of(hit: &Hit) -> Vec<(usize, u64, u64, u64)> {
        (0..hit.bits).map(|bit| (hit.group, hit.index, hit.shift + bit, hit.at + bit)).collect()
    }

    /// The bits of the cell that has a byte of an access.
    fn bits_at(groups: &[Group], offset: u64, byte: u64) -> Vec<(usize, u64, u64, u64)> {
        let mut bits = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            for (index, start) in group.offsets().into_iter().enumerate() {
                let inner = (offset + byte).wrapping_sub(start);
                if inner < group.size {
                    let bit = |bit| (number, index as u64, 8 * inner + bit, 8 * byte + bit);
                    bits.extend((0..8).map(bit));
                }
            }
        }
        bits
    }

    #[test]
    fn an_access_across_cells_is_found_at_every_place_where_it_lies() {
        for (groups, copies) in objects() {
            let region = Region { base: BASE, copies, groups: &groups };
            for (size, number) in
                [2, 4, 8].into_iter().flat_map(|size| (0..BASE + 200).map(move |n| (size, n)))
            {
                let address = Expr::Const(i128::from(number), POINTER);
                let mut ways = region.reach(&address, POINTER, size, |_| true);
                ways.extend(region.spread(&address, POINTER, size).expect("few places"));
                let found = ways.iter().filter(|way| way.condition == Expr::TRUE).count();
                let stride = copies.map_or(u64::MAX, |copies| copies.stride);
                let count = copies.map_or(1, |copies| copies.count);
                let covered = number.checked_sub(BASE).is_some_and(|distance| {
                    let offset = distance % stride;
                    let hits = hit(&groups, offset, size);
                    let aligned =
                        offset % size == 0 || enumerate(&groups, copies, number, size).len() == 1;
                    distance / stride < count && aligned && is_covered(&hits, size)
                });
                assert_eq!(found, usize::from(covered), "{size} bytes at {number} of {groups:?}");
            }
        }
    }

    #[test]
    fn every_address_is_in_an_object_beside_it_or_elsewhere() {
        for (groups, copies) in objects() {
            let ends = groups.iter().map(|group| *group.extent().end() + group.size);
            let object_size = ends.max().expect("cells");
            let region = Region { base: BASE, copies, groups: &groups };
            let area = Area { region, size: object_size, margin: MARGIN };
            let (stride, count) = copies.map_or((0, 1), |copies| (copies.stride, copies.count));
            for (size, number) in
                [1, 2, 4, 8].into_iter().flat_map(|size| (0..BASE + 200).map(move |n| (size, n)))
            {
                let starts: Vec<u64> = (0..count).map(|copy| BASE + copy * stride).collect();
                let is_inside = starts
                    .iter()
                    .any(|start| *start <= number && number + size <= start + object_size);
                let room = copies.map_or(object_size + MARGIN, |copies| copies.stride - MARGIN);
                let is_near =
                    starts.iter().any(|start| start - MARGIN <= number && number < start + room);
                let address = Expr::Const(i128::from(number), POINTER);
                let holds = |condition: Expr| match condition {
                    Expr::TRUE => true,
                    Expr::FALSE => false,
                    other => panic!("{other:?} is not decided"),
                };
                let found = (
                    holds(area.inside(&address, POINTER, size)),
                    holds(area.beside(&address, POINTER, size)),
                );
                let place = format!("{size} bytes at {number} of {groups:?}");
                assert_eq!(found, (is_inside, is_near && !is_inside), "{place}");
                let ways = region.reach(&address, POINTER, size, |_| true);
                let is_met = ways.iter().any(|way| holds(way.condition.clone()));
                assert!(is_inside || !is_met, "outside, but met: {place}");
                assert!(!area.is_covered(size) || is_met == is_inside, "not covered: {place}");
            }
        }
    }
}
