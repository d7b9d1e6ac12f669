//! Objects: what variables, allocations and temporaries are made of, and where
//! they lie.
//!
//! Memory is flat: an object that can be pointed to has one fixed address, far
//! enough from all others; a pointer is that number. So casts between pointers
//! and integers are exact, and a dereference asks which object the number falls
//! into. Nothing lies at zero.
//!
//! A *private* object belongs to the thread: its cells are locals of the
//! template. A shared one may have copies: one for each thread (an escaping
//! local) or for each allocation of one site.
//!
//! Which object a variable of C means is said in `variable`; what lies where in one object in
//! `cells` and `locate`.

use super::build::{FLAG, TemplateBuilder};
use super::cells::{self, Dim, Group, Padding};
use super::fold;
use super::heap::{ALIVE, ALIVE_ELSEWHERE, GONE, LIVE, Site};
use super::locate::{INDEX, Region};
use super::memory::Piece;
use super::place::{Spot, Target};
use super::unwritten_cells::Initialised;
use super::words::Strays;
use crate::hir::{FuncId, TypeId, VarId};
use crate::types::Types;
use ccfa::{Assign, BinOp, Expr, Init, ObjectLife, Place, Rhs, SharedId, Type, Var, VarRef};
use std::collections::HashMap;

/// Addresses below belong to functions.
pub const FIRST_ADDRESS: u64 = 0x20_0000;
/// For pointers of so many bytes: how many bytes there are at least between two objects, and by how many a pointer may be moved at once,
/// which is more than C programs have distances by which they leave an object. With 64 bits, it takes millions of moves without an access to
/// come from one object to another; 32 bits have less room, and there each move is looked at (`distance`).
const GAPS: [(u64, u64, u64); 2] = [(8, 1 << 40, 1 << 18), (4, 1 << 16, 1 << 14)];
/// The lowest bits of addresses of objects: no small number, no character and no multiple of a power of two, so that what a program writes over a part of an
/// address is hardly taken for one. A multiple of the alignment that every object has.
const LOWEST_BITS: u64 = 0x2a5b_c3f0;
/// What `argv` points to: 64 KiB that we know nothing about.
pub const ARGUMENTS: u64 = 0x8_0000;
/// No object lies below this number, nor as near to the largest one: the system maps nothing there,
/// so that programs use such numbers as marks. What lies there is reached from a null pointer.
pub const MIN_ADDRESS: i128 = 4096;
/// The address of the first function.
pub const FIRST_FUNCTION: u64 = MIN_ADDRESS as u64;

/// Index into the list of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// What an object stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A variable of static or thread lifetime.
    Global(VarId),
    /// A local at a recursion level.
    Local(VarId, u32),
    /// What one allocation of the program text creates.
    Heap(Site),
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    pub outline: Outline,
    /// Copies: their distance and number.
    pub copies: Option<Dim>,
    /// Which copy is the current thread's.
    pub by_thread: bool,
    /// Address of the first copy.
    pub base: u64,
    pub storage: Storage,
    /// A string literal, or `const`.
    pub read_only: bool,
    /// For objects that come and go: 1 while alive, for each copy.
    pub live: Option<SharedId>,
    /// A private one that comes and goes.
    pub has_private_life: bool,
    /// If their size is not constant: how many bytes there are, for each copy.
    pub extent: Option<SharedId>,
    /// Allocated, but gone by itself with its frame.
    pub is_automatic: bool,
    /// Were its cells written before they are read?
    pub written: Initialised,
    /// Where it may lie when it lives again (`local_life`).
    pub second_place: Option<ObjectId>,
    /// It is the second place of this one, and has no cells of its own.
    pub first_place: Option<ObjectId>,
}

/// What one copy of an object looks like.
#[derive(Clone, Debug)]
pub struct Outline {
    /// How the names of the model's variables begin.
    pub name: String,
    /// What it is in the source; `None` if it is our own.
    pub source: Option<SourceName>,
    /// In bytes.
    pub size: u64,
    /// The type, if it has one.
    pub ty: Option<TypeId>,
    pub groups: Vec<Group>,
}

/// What the source calls an object.
#[derive(Clone, Debug)]
pub struct SourceName {
    pub name: String,
    /// The function it is local to.
    pub function: Option<String>,
}

impl Outline {
    /// The outline of an object of a C type.
    pub fn of(
        types: &Types,
        name: String,
        ty: TypeId,
        padding: Padding,
    ) -> Result<Outline, String> {
        let groups = cells::flatten(types, ty, padding)?;
        let size = types.size_of(ty).unwrap_or(0);
        Ok(Outline { name, source: None, size, ty: Some(ty), groups })
    }

    /// Are there bytes that lie in no cell?
    pub fn has_gaps(&self) -> bool {
        self.groups.iter().map(|group| group.len() * group.size).sum::<u64>() < self.size
    }

    fn cell_name(&self, group: &Group) -> String {
        match group.name.as_str() {
            "" => self.name.clone(),
            path => format!("{}.{path}", self.name),
        }
    }
}

/// Where the cells of an object are.
#[derive(Clone, Debug)]
pub enum Storage {
    /// One shared variable for each group.
    Shared(Vec<SharedId>),
    /// Locals of each template that uses it, with these initial values.
    Private(Vec<Init>),
}

impl Object {
    /// Where its copies lie and what they consist of.
    pub fn region(&self) -> Region<'_> {
        Region { base: self.base, copies: self.copies, groups: &self.outline.groups }
    }

    /// Always there, and to be written?
    pub fn is_plain(&self) -> bool {
        self.live.is_none() && !self.has_private_life && !self.read_only
    }

    /// Number of copies.
    pub fn copy_count(&self) -> u64 {
        self.copies.map_or(1, |copies| copies.count)
    }
}

/// All objects, and the shared variables of the model.
pub struct Objects {
    pub list: Vec<Object>,
    ids: HashMap<Key, ObjectId>,
    next_address: u64,
    /// The least number of bytes between two objects: a power of two, and four times the largest record.
    gap: u64,
    /// By how many bytes a pointer may be moved at once; not less than the largest record.
    reach: u64,
    /// The first number that is no address.
    end_of_memory: u64,
    pub function_addresses: HashMap<FuncId, u64>,
    /// The shared variables: cells of objects, and what threads know of each other.
    pub shared: Vec<Var>,
    shared_names: HashMap<String, u32>,
    /// What says whether cells of shared objects were written, by group.
    written_cells: HashMap<(ObjectId, usize), SharedId>,
    /// What notes where parts of addresses are, if there are such.
    pub known_strays: Option<Strays>,
}

impl Objects {
    pub fn new(types: &Types) -> Objects {
        let pointer = types.pointer_size();
        let known = GAPS.iter().find(|(size, ..)| *size == pointer);
        let (_, gap, reach) = *known.unwrap_or(&GAPS[GAPS.len() - 1]);
        let reach = reach.max(types.largest_record()).next_power_of_two();
        let gap = gap.max(4 * reach);
        Objects {
            list: Vec::new(),
            ids: HashMap::new(),
            next_address: FIRST_ADDRESS.max(gap) + LOWEST_BITS % gap,
            gap,
            reach,
            end_of_memory: if pointer == 8 { 1 << 62 } else { 1 << 32 },
            function_addresses: HashMap::new(),
            shared: Vec::new(),
            shared_names: HashMap::new(),
            written_cells: HashMap::new(),
            known_strays: None,
        }
    }

    /// The least distance of two objects.
    pub fn gap(&self) -> u64 {
        self.gap
    }

    /// By how many bytes a pointer may be moved at once.
    pub fn reach(&self) -> u64 {
        self.reach
    }

    /// Can a program come from one object to another by moves that are not too large?
    pub fn is_dense(&self) -> bool {
        self.gap == 4 * self.reach
    }

    /// The bytes from the start of one copy to that of the next.
    fn stride(&self, size: u64) -> u64 {
        (size + self.gap).next_power_of_two()
    }

    /// Do two addresses lie in, behind or a little before the same copy of an object, and nearer to no other?
    pub fn are_near_one(&self, id: ObjectId, a: &Expr, b: &Expr, ty: Type) -> (Expr, Expr) {
        let object = self.get(id);
        let number = |value: u64| Expr::Const(i128::from(value), ty);
        let (stride, margin) = (self.stride(object.outline.size), self.gap / 2);
        let span = number(stride * object.copy_count());
        let distance = |address: &Expr| {
            fold::binary(BinOp::Sub, ty, address.clone(), number(object.base - margin))
        };
        let (a, b) = (distance(a), distance(b));
        let near = |distance: &Expr| fold::binary(BinOp::Lt, ty, distance.clone(), span.clone());
        let copy = |distance: &Expr| fold::binary(BinOp::Div, ty, distance.clone(), number(stride));
        let same = fold::binary(BinOp::Eq, ty, copy(&a), copy(&b));
        (near(&a), Expr::and(near(&b), same))
    }

    /// Are there more objects than there is room for?
    pub fn is_full(&self) -> bool {
        self.next_address >= self.end_of_memory
    }

    /// The object that stands for something, if there is one.
    pub fn find(&self, key: &Key) -> Option<ObjectId> {
        self.ids.get(key).copied()
    }

    /// Forgets what an object stands for.
    pub fn unbind(&mut self, key: &Key) {
        self.ids.remove(key);
    }

    /// What an object stands for; nothing, if it is a temporary.
    pub fn key(&self, id: ObjectId) -> Option<&Key> {
        let id = self.first_place(id);
        self.ids.iter().find_map(|(key, known)| (*known == id).then_some(key))
    }

    /// The allocation that an object belongs to.
    pub fn site(&self, id: ObjectId) -> Option<&Site> {
        match self.key(id)? {
            Key::Heap(site) => Some(site),
            _ => None,
        }
    }

    /// How objects come and go, for people.
    pub fn lives(&self) -> Vec<ObjectLife> {
        let life = |object: &Object| ObjectLife {
            base: object.base,
            live: object.live,
            extent: object.extent,
        };
        let mortal = self.list.iter().filter(|object| object.live.is_some());
        mortal.map(life).collect()
    }

    /// What the source calls the array that a spot with an index is in, if that is the whole object.
    pub fn array_name(&self, spot: &Spot) -> Option<String> {
        let outline = &self.get(spot.object).outline;
        let is_all = outline.groups.iter().all(|group| group.dims.len() == 1);
        outline.source.as_ref().filter(|_| is_all).map(|source| source.name.clone())
    }

    pub fn get_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut self.list[id.0 as usize]
    }

    pub fn get(&self, id: ObjectId) -> &Object {
        &self.list[id.0 as usize]
    }

    /// Adds an object whose cells are shared variables, all zero at first.
    pub fn add_shared(&mut self, key: Key, outline: Outline, copies: Option<u64>) -> ObjectId {
        let mut vars = Vec::new();
        for group in &outline.groups {
            let name = outline.cell_name(group);
            let len = group.len() * copies.unwrap_or(1);
            let is_scalar = group.dims.is_empty() && copies.is_none();
            let len = (!is_scalar).then_some(len as u32);
            vars.push(self.shared_var(&name, group.ty, len, Init::Value(0)));
        }
        self.add(key, outline, copies, Storage::Shared(vars))
    }

    /// Adds an object.
    pub fn add(
        &mut self,
        key: Key,
        outline: Outline,
        copies: Option<u64>,
        storage: Storage,
    ) -> ObjectId {
        let id = self.push(outline, copies, storage);
        self.ids.insert(key, id);
        id
    }

    /// Gives an object its place in memory.
    fn push(&mut self, outline: Outline, copies: Option<u64>, storage: Storage) -> ObjectId {
        let stride = self.stride(outline.size);
        let copies = copies.map(|count| Dim { stride, count });
        let base = self.next_address;
        self.next_address += stride * copies.map_or(1, |copies| copies.count);
        let read_only = outline.name.starts_with('"');
        self.list.push(Object {
            outline,
            copies,
            by_thread: false,
            base,
            storage,
            read_only,
            live: None,
            has_private_life: false,
            extent: None,
            is_automatic: false,
            written: Initialised::Always,
            second_place: None,
            first_place: None,
        });
        ObjectId(self.list.len() as u32 - 1)
    }

    /// Gives a local a second place.
    pub fn add_second_place(&mut self, id: ObjectId) {
        let first = self.get(id).clone();
        let copies = first.copies.map(|copies| copies.count);
        let second = self.push(first.outline.clone(), copies, first.storage.clone());
        let base = self.get(second).base;
        *self.get_mut(second) = Object { base, first_place: Some(id), ..first };
        self.get_mut(id).second_place = Some(second);
    }

    /// The places of an object, each an object.
    pub fn places(&self, id: ObjectId) -> impl Iterator<Item = ObjectId> {
        std::iter::once(id).chain(self.get(id).second_place)
    }

    /// The object that has the cells.
    fn first_place(&self, id: ObjectId) -> ObjectId {
        self.get(id).first_place.unwrap_or(id)
    }

    /// An object of the current template that only the lowering knows.
    pub fn temporary(&mut self, types: &Types, name: &str, ty: TypeId) -> Result<ObjectId, String> {
        let outline = Outline::of(types, format!(".{name}"), ty, Padding::With)?;
        let init = |group: &Group| if group.is_padding { Init::Any } else { Init::Value(0) };
        let inits = outline.groups.iter().map(init).collect();
        Ok(self.push(outline, None, Storage::Private(inits)))
    }

    /// A shared variable that is not an object of the program.
    pub fn shared_var(
        &mut self,
        name: &str,
        ty: ccfa::Type,
        len: Option<u32>,
        init: ccfa::Init,
    ) -> ccfa::SharedId {
        let count = self.shared_names.entry(name.to_string()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { name.to_string() } else { format!("{name}#{count}") };
        self.shared.push(Var::new(name, ty, len, init));
        ccfa::SharedId(self.shared.len() as u32 - 1)
    }

    /// What says whether the cells of a group of a shared object were written.
    pub fn written_cells(
        &mut self,
        id: ObjectId,
        group: usize,
        name: &str,
        len: Option<u32>,
    ) -> SharedId {
        let known = self.written_cells.get(&(id, group)).copied();
        let flag = known.unwrap_or_else(|| self.shared_var(name, FLAG, len, Init::Value(0)));
        self.written_cells.insert((id, group), flag);
        flag
    }

    /// The model's variable for a group of an object, as the current template sees it.
    pub fn group_var(&self, t: &mut TemplateBuilder, id: ObjectId, group: usize) -> VarRef {
        let id = self.first_place(id);
        let object = &self.list[id.0 as usize];
        let inits = match &object.storage {
            Storage::Shared(vars) => return VarRef::Shared(vars[group]),
            Storage::Private(inits) => inits,
        };
        if !t.private.contains_key(&id) {
            let make = |(group, init): (&Group, &Init)| {
                let name = object.outline.cell_name(group);
                let len = (!group.dims.is_empty()).then_some(group.len() as u32);
                t.local(&name, group.ty, len, init.clone())
            };
            let locals = object.outline.groups.iter().zip(inits).map(make).collect();
            t.private.insert(id, locals);
        }
        VarRef::Local(t.private[&id][group])
    }

    pub fn function_address(&mut self, function: FuncId) -> u64 {
        let next = FIRST_FUNCTION + 16 * self.function_addresses.len() as u64;
        *self.function_addresses.entry(function).or_insert(next)
    }

    /// What lies at a constant address.
    pub fn spot_at(&self, address: u64) -> Option<Spot> {
        let hit = |object: &Object| {
            let relative = address.checked_sub(object.base)?;
            let stride = object.copies.map_or(u64::MAX, |copies| copies.stride);
            let (copy, offset) = (relative / stride, relative % stride);
            let copies = object.copies.map(|_| Expr::Const(i128::from(copy), INDEX));
            (object.base > 0 && copy < object.copy_count() && offset <= object.outline.size)
                .then_some((copies, offset))
        };
        let found = self.list.iter().enumerate().find_map(|(id, object)| Some((id, hit(object)?)));
        let (id, (copy, offset)) = found?;
        Some(Spot { object: ObjectId(id as u32), copy, offset, terms: vec![] })
    }

    /// The object next to a constant address, if one is nearer than halfway to others.
    pub fn beside(&self, address: u64) -> Option<ObjectId> {
        let margin = self.gap / 2;
        let is_near = |object: &Object| {
            let end = object.base + self.stride(object.outline.size) * object.copy_count();
            object.base > 0 && (object.base - margin..end - margin).contains(&address)
        };
        self.list.iter().position(is_near).map(|number| ObjectId(number as u32))
    }

    /// Is this copy of the object alive?
    pub fn live_condition(
        &self,
        t: &mut TemplateBuilder,
        id: ObjectId,
        copy: Option<Expr>,
    ) -> Expr {
        let private = self.private_life(t, id).map(Expr::Var);
        let Some(state) = private.or_else(|| self.life_state(id, copy)) else {
            return Expr::TRUE;
        };
        let alive = if self.get(id).first_place.is_some() { ALIVE_ELSEWHERE } else { ALIVE };
        Expr::eq(state, Expr::Const(alive, self.life_type(id)))
    }

    /// The type of the variable that says whether an object is alive.
    pub fn life_type(&self, id: ObjectId) -> Type {
        let object = self.get(self.first_place(id));
        match object.live {
            Some(live) => self.shared[live.index()].ty,
            None if object.second_place.is_some() => LIVE,
            None => Type::unsigned(1),
        }
    }

    /// The variable that says whether this copy of a shared object is alive, if it comes and goes.
    pub fn life_state(&self, id: ObjectId, copy: Option<Expr>) -> Option<Expr> {
        let live = VarRef::Shared(self.get(id).live?);
        Some(match copy {
            None => Expr::Var(live),
            Some(copy) => Expr::Index(live, Box::new(copy)),
        })
    }

    /// The variable that says whether a private object is alive, if it comes and goes.
    pub fn private_life(&self, t: &mut TemplateBuilder, id: ObjectId) -> Option<VarRef> {
        let object = self.get(id);
        if !object.has_private_life {
            return None;
        }
        let id = self.first_place(id);
        if !t.lives.contains_key(&id) {
            let name = format!(".{}.live", object.outline.name);
            let live = t.local(&name, self.life_type(id), None, Init::Value(0));
            t.lives.insert(id, live);
        }
        Some(VarRef::Local(t.lives[&id]))
    }

    /// How many bytes a copy has, if that is not constant.
    pub fn extent_of(&self, id: ObjectId, copy: Option<Expr>) -> Option<Expr> {
        let extent = VarRef::Shared(self.get(id).extent?);
        Some(Expr::Index(extent, Box::new(copy?)))
    }

    /// Is `end` (in bytes, an `INDEX`) not behind the end of this copy? Asked only
    /// of objects whose size is not constant; true of all others.
    pub fn extent_condition(&self, id: ObjectId, copy: Option<Expr>, end: Expr) -> Expr {
        match self.extent_of(id, copy) {
            Some(extent) => fold::binary(BinOp::Le, INDEX, end, extent),
            None => Expr::TRUE,
        }
    }

    /// Does an access at an address, which is in this copy, end inside it?
    pub fn address_inside(
        &self,
        id: ObjectId,
        copy: Option<Expr>,
        (address, ty): (&Expr, Type),
        size: u64,
    ) -> Expr {
        let object = self.get(id);
        let (Some(_), Some(copies)) = (object.extent, object.copies) else { return Expr::TRUE };
        let base = Expr::Const(i128::from(object.base), ty);
        let relative = fold::binary(BinOp::Sub, ty, address.clone(), base);
        let stride = Expr::Const(i128::from(copies.stride), ty);
        let offset = fold::cast(INDEX, ty, fold::binary(BinOp::Rem, ty, relative, stride));
        let size = Expr::Const(i128::from(size), INDEX);
        let end = fold::binary(BinOp::Add, INDEX, offset, size);
        self.extent_condition(id, copy, end)
    }

    /// The condition that an address is the start of a copy of an object.
    pub fn start_of(&self, id: ObjectId, address: &Expr, ty: Type) -> (Expr, Spot) {
        let object = self.get(id);
        let base = Expr::Const(i128::from(object.base), ty);
        let Some(copies) = object.copies else {
            let hit = fold::binary(BinOp::Eq, ty, address.clone(), base);
            return (hit, Spot::start(id));
        };
        let relative = fold::binary(BinOp::Sub, ty, address.clone(), base);
        let stride = Expr::Const(i128::from(copies.stride), ty);
        let span = Expr::Const(i128::from(copies.stride * copies.count), ty);
        let inside = fold::binary(BinOp::Lt, ty, relative.clone(), span);
        let rest = fold::binary(BinOp::Rem, ty, relative.clone(), stride.clone());
        let exact = fold::binary(BinOp::Eq, ty, rest, Expr::Const(0, ty));
        let copy = fold::cast(INDEX, ty, fold::binary(BinOp::Div, ty, relative, stride));
        (Expr::and(inside, exact), Spot { copy: Some(copy), ..Spot::start(id) })
    }

    /// The condition that an address is right behind the end of a copy of an object.
    pub fn end_of(&self, id: ObjectId, address: &Expr, ty: Type) -> Expr {
        let object = self.get(id);
        let number = |value: u64| Expr::Const(i128::from(value), ty);
        let relative = fold::binary(BinOp::Sub, ty, address.clone(), number(object.base));
        let size = number(object.outline.size);
        let Some(copies) = object.copies else {
            return fold::binary(BinOp::Eq, ty, relative, size);
        };
        let stride = number(copies.stride);
        let span = number(copies.stride * copies.count);
        let inside = fold::binary(BinOp::Lt, ty, relative.clone(), span);
        let rest = fold::binary(BinOp::Rem, ty, relative.clone(), stride.clone());
        let copy = fold::cast(INDEX, ty, fold::binary(BinOp::Div, ty, relative, stride));
        let end = match self.extent_of(id, Some(copy)) {
            Some(extent) => fold::binary(BinOp::Eq, INDEX, fold::cast(INDEX, ty, rest), extent),
            None => fold::binary(BinOp::Eq, ty, rest, size),
        };
        Expr::and(inside, end)
    }

    /// The cells of some bytes from a spot on, in order; of a cell that is not inside as a whole,
    /// the bytes that are.
    pub fn pieces(&self, spot: &Spot, size: u64) -> Vec<Piece> {
        let range = spot.offset..spot.offset + size;
        let mut cells: Vec<Piece> = Vec::new();
        let mut add = |offset: u64, group: Group| {
            let target = Target::Spot(Spot { offset, ..spot.clone() });
            cells.push(Piece { target, offset: offset - spot.offset, group });
        };
        for group in &self.get(spot.object).outline.groups {
            for offset in group.offsets() {
                let cell = offset..offset + group.size;
                if range.start <= cell.start && cell.end <= range.end {
                    add(offset, group.clone());
                    continue;
                }
                for byte in cell.start.max(range.start)..cell.end.min(range.end) {
                    add(byte, cells::bytes(1).remove(0));
                }
            }
        }
        cells.sort_by_key(|cell| cell.offset);
        cells
    }

    /// The number of copies that were ever used: declared right after `live`.
    pub fn used_counter(&self, id: ObjectId) -> Option<SharedId> {
        self.get(id).live.map(|live| SharedId(live.0 + 1))
    }

    /// The assignment that ends the life of a copy.
    pub fn death(&self, id: ObjectId, copy: Expr) -> Option<Assign> {
        let place = Place::Element(VarRef::Shared(self.get(id).live?), copy);
        Some(Assign { place, value: Rhs::Expr(Expr::Const(GONE, LIVE)) })
    }

    pub fn set_extent(&self, id: ObjectId, copy: &Expr, extent: Option<&Expr>) -> Option<Assign> {
        let place = Place::Element(VarRef::Shared(self.get(id).extent?), copy.clone());
        Some(Assign { place, value: Rhs::Expr(extent?.clone()) })
    }
}
