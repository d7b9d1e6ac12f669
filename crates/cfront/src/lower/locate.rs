//! Which cells an access meets: pure arithmetic on the layout of one object.
//!
//! A [`Region`] says where the copies of an object lie and which cells each of them has. An
//! access of some bytes meets a whole cell, a part of one cell, or several cells of a row of
//! bytes. [`hit`] answers for a constant offset; [`Region::reach`] for an address that is an
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

/// How an access meets the cells of one copy of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    pub group: usize,
    /// The cell (the first one) in the group.
    pub index: u64,
    /// If the access is smaller than the cell: the lowest bit of it.
    pub shift: u64,
    /// If it is put together from bytes: how many. Else 0.
    pub bytes: u64,
    /// Is it the whole cell?
    pub whole: bool,
}

/// How `size` bytes at `offset` meet the groups, if they do.
pub fn hit(groups: &[Group], offset: u64, size: u64) -> Option<Hit> {
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
        let found = Hit {
            group: number,
            index,
            shift: 8 * rest,
            bytes: 0,
            whole: rest == 0 && size == group.size,
        };
        if found.whole || rest + size < group.size || rest > 0 && rest + size <= group.size {
            return Some(found);
        }
        let row = group.dims.last()?.count;
        let fits = group.is_bytes() && size <= MAX_JOINED_BYTES && index % row + size <= row;
        fits.then_some(Hit { bytes: size, ..found })
    })
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
    /// The cell of the group within the copy, in place of `Hit::index`.
    pub index: Expr,
    pub hit: Hit,
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
            .map(|hit| self.reach_hit(address, pointer, hit))
            .collect()
    }

    /// The way to the cells of a hit: the distance from the first of them, divided by the
    /// stride of the copies and of each array around the cell, leaves nothing.
    fn reach_hit(&self, address: &Expr, pointer: Type, hit: Hit) -> Reached {
        let group = &self.groups[hit.group];
        let first = self.base + group.offset + hit.shift / 8;
        let start = Expr::Const(i128::from(first), pointer);
        let distance = fold::binary(BinOp::Sub, pointer, address.clone(), start);
        let mut division = Division { pointer, rest: distance, condition: Expr::TRUE };
        let copy = self.copies.map(|copies| division.by(copies, copies.count));
        let mut index = Expr::Const(0, INDEX);
        for dim in &group.dims {
            let joins = hit.bytes > 0 && dim.stride == 1;
            let room = if joins { (dim.count + 1).saturating_sub(hit.bytes) } else { dim.count };
            let step = division.by(*dim, room);
            let count = Expr::Const(i128::from(dim.count), INDEX);
            let scaled = fold::binary(BinOp::Mul, INDEX, index, count);
            index = fold::binary(BinOp::Add, INDEX, scaled, step);
        }
        Reached { condition: division.exact(), copy, index, hit }
    }
}

/// The ways an access can meet a cell of a group, for the first cell: all of it, an aligned part
/// of it, or several bytes from it on.
fn parts(number: usize, group: &Group, size: u64) -> Vec<Hit> {
    let bytes = if size > group.size && group.is_bytes() { size } else { 0 };
    let starts = (0..group.size.div_ceil(size.max(1))).map(|part| part * size);
    starts
        .filter(|start| bytes <= MAX_JOINED_BYTES && (bytes > 0 || start + size <= group.size))
        .map(|start| Hit {
            group: number,
            index: 0,
            shift: 8 * start,
            bytes,
            whole: size == group.size,
        })
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

    /// A way that was found, as numbers.
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Way {
        copy: Option<u64>,
        group: usize,
        index: u64,
        shift: u64,
        bytes: u64,
        whole: bool,
    }

    /// The cells of each copy, one by one, with their addresses and the room behind them.
    fn enumerate(groups: &[Group], copies: Option<Dim>, address: u64, size: u64) -> Vec<Way> {
        let mut ways = Vec::new();
        for copy in 0..copies.map_or(1, |copies| copies.count) {
            let start = BASE + copy * copies.map_or(0, |copies| copies.stride);
            for (number, group) in groups.iter().enumerate() {
                for (index, offset) in group.offsets().into_iter().enumerate() {
                    let Some(inner) = address.checked_sub(start + offset) else { continue };
                    let row = group.dims.last().map_or(1, |dim| dim.count);
                    let inside = inner + size <= group.size && inner % size == 0;
                    let joined = group.is_bytes()
                        && inner == 0
                        && (2..=8).contains(&size)
                        && index as u64 % row + size <= row;
                    if inside || joined {
                        ways.push(Way {
                            copy: copies.map(|_| copy),
                            group: number,
                            index: index as u64,
                            shift: 8 * inner,
                            bytes: if joined { size } else { 0 },
                            whole: size == group.size,
                        });
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
                        .map(|way| Way {
                            copy: way.copy.as_ref().map(value),
                            group: way.hit.group,
                            index: value(&way.index),
                            shift: way.hit.shift,
                            bytes: way.hit.bytes,
                            whole: way.hit.whole,
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
    fn an_offset_hits_every_cell_that_lies_there_and_no_other() {
        for (groups, _) in objects() {
            for (size, offset) in (1..=9).flat_map(|size| (0..64).map(move |at| (size, at))) {
                let context = format!("{size} bytes at {offset} of {groups:?}");
                let expected = enumerate(&groups, None, BASE + offset, size);
                let Some(found) = hit(&groups, offset, size) else {
                    assert!(expected.is_empty(), "{context}");
                    continue;
                };
                let group = &groups[found.group];
                let cell = group.offsets()[found.index as usize];
                assert_eq!(offset, cell + found.shift / 8, "{context}");
                match found.bytes {
                    0 => assert!(offset + size <= cell + group.size, "{context}"),
                    bytes => {
                        let row = group.dims.last().expect("a row of bytes").count;
                        assert_eq!(bytes, size, "{context}");
                        assert!(group.is_bytes() && found.index % row + size <= row, "{context}");
                    }
                }
                assert_eq!(found.whole, size == group.size, "{context}");
            }
        }
    }
}
