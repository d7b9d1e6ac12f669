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

use super::cells::{self, Dim, Group};
use super::heap::Site;
use super::{Lowerer, thread};
use crate::hir::{Expr as CExpr, ExprKind, FuncId, InitEntry, Lifetime, PlaceKind, TypeId, VarId};
use crate::types::Types;
use ccfa::{Expr, Init, SharedId, Type, VarRef};

/// Addresses below belong to functions.
pub const FIRST_ADDRESS: u64 = 0x10_0000;
/// What `argv` points to: 64 KiB that we know nothing about.
pub const ARGUMENTS: u64 = 0x8_0000;
const FIRST_FUNCTION: u64 = 0x100;

/// Index into `Lowerer::objects`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// What an object stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    /// A string literal.
    pub read_only: bool,
    /// For objects that come and go: 1 while alive, for each copy.
    pub live: Option<SharedId>,
    /// If their size is not constant: how many bytes there are, for each copy.
    pub extent: Option<SharedId>,
    /// Allocated, but gone by itself with its frame.
    pub is_automatic: bool,
}

/// What one copy of an object looks like.
#[derive(Clone, Debug)]
pub struct Outline {
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// The type, if it has one.
    pub ty: Option<TypeId>,
    pub groups: Vec<Group>,
}

impl Outline {
    /// The outline of an object of a C type.
    pub fn of(types: &Types, name: String, ty: TypeId) -> Result<Outline, String> {
        let groups = cells::flatten(types, ty)?;
        Ok(Outline { name, size: types.size_of(ty).unwrap_or(0), ty: Some(ty), groups })
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
    /// Number of copies.
    pub fn copy_count(&self) -> u64 {
        self.copies.map_or(1, |copies| copies.count)
    }
}

impl Lowerer<'_> {
    pub(super) fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// The object of a variable in the current frame.
    pub(super) fn object_of(&mut self, var: VarId) -> Result<ObjectId, String> {
        match self.unit.vars[var.index()].lifetime {
            Lifetime::Static | Lifetime::Thread => self.global(var),
            Lifetime::Local(function) => {
                let level = self.t.frames.iter().filter(|frame| frame.function == function).count();
                self.local_object(var, level.saturating_sub(1) as u32)
            }
        }
    }

    /// The object of a local at a recursion level.
    pub(super) fn local_object(&mut self, var: VarId, level: u32) -> Result<ObjectId, String> {
        let key = Key::Local(var, level);
        let escapes = self.escapes(var);
        if self.points_to.is_address_taken(var) {
            self.found.owners.entry((var, level)).or_default().insert(self.t.routine);
        }
        if let Some(id) = self.object_ids.get(&key) {
            return Ok(*id);
        }
        let declared = &self.unit.vars[var.index()];
        let suffix = if level == 0 { String::new() } else { format!("@{level}") };
        let function = match declared.lifetime {
            Lifetime::Local(function) => self.function_prefix(function),
            _ => String::new(),
        };
        let name = format!("{function}::{}{suffix}", declared.name);
        let outline = Outline::of(&self.unit.types, name, declared.ty)?;
        if !escapes {
            let inits = outline.groups.iter().map(|_| Init::Any).collect();
            return Ok(self.add(key, outline, None, Storage::Private(inits)));
        }
        let threads = self.owner_threads(var, level)?;
        let life = format!(".{}.live", outline.name);
        let id = self.add_shared(key, outline, threads);
        let len = threads.map(|count| count as u32);
        let live = self.shared_var(&life, Type::unsigned(1), len, Init::Value(0));
        let object = &mut self.objects[id.0 as usize];
        object.live = Some(live);
        object.by_thread = threads.is_some();
        Ok(id)
    }

    /// The name of a function; those of our library begin with a dot, which
    /// tells reports that they are not the user's.
    pub(super) fn function_prefix(&self, function: FuncId) -> String {
        let function = &self.unit.functions[function.index()];
        let dot = if function.is_model { "." } else { "" };
        format!("{dot}{}", function.name)
    }

    /// May another thread reach this local?
    pub(super) fn escapes(&self, var: VarId) -> bool {
        self.points_to.is_address_taken(var) && self.points_to.is_shared(var)
    }

    /// How many copies an escaping local needs: none if one thread has it.
    fn owner_threads(&self, var: VarId, level: u32) -> Result<Option<u64>, String> {
        let owners = self.facts.owners.get(&(var, level));
        let counts = owners.into_iter().flatten().map(|routine| self.instances_of(*routine));
        let total = counts
            .sum::<Option<u64>>()
            .ok_or("a local variable that arbitrarily many threads share")?;
        Ok((total > 1).then(|| self.bounded_threads()))
    }

    fn global(&mut self, var: VarId) -> Result<ObjectId, String> {
        let key = Key::Global(var);
        if let Some(id) = self.object_ids.get(&key) {
            return Ok(*id);
        }
        let declared = &self.unit.vars[var.index()];
        let dot = if declared.range.lo >= super::LIBRARY_OFFSET { "." } else { "" };
        let outline =
            Outline::of(&self.unit.types, format!("{dot}{}", declared.name), declared.ty)?;
        let (entries, per_thread) = (declared.init.clone(), declared.lifetime == Lifetime::Thread);
        let id = if !per_thread {
            self.add_shared(key, outline, None)
        } else if self.points_to.is_address_taken(var) && self.points_to.is_shared(var) {
            let threads = self.bounded_threads();
            if self.facts.spawned.values().any(Option::is_none) {
                return Err("a thread-local variable that arbitrarily many threads share".into());
            }
            let id = self.add_shared(key, outline, Some(threads));
            self.objects[id.0 as usize].by_thread = true;
            id
        } else {
            let inits = outline.groups.iter().map(|_| Init::Value(0)).collect();
            self.add(key, outline, None, Storage::Private(inits))
        };
        let values = match entries {
            Some(entries) => match self.static_values(id, &entries) {
                Ok(values) => values,
                Err(what) => {
                    // Whoever asks again must hear the same.
                    self.object_ids.remove(&Key::Global(var));
                    return Err(what);
                }
            },
            None => self.object(id).outline.groups.iter().map(|_| Init::Any).collect(),
        };
        let object = &mut self.objects[id.0 as usize];
        match &mut object.storage {
            Storage::Private(inits) => *inits = values,
            Storage::Shared(vars) => {
                for (var, init) in vars.clone().into_iter().zip(values) {
                    self.shared[var.index()].init = init;
                }
            }
        }
        Ok(id)
    }

    /// Adds an object whose cells are shared variables, all zero at first.
    pub(super) fn add_shared(
        &mut self,
        key: Key,
        outline: Outline,
        copies: Option<u64>,
    ) -> ObjectId {
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

    fn add(
        &mut self,
        key: Key,
        outline: Outline,
        copies: Option<u64>,
        storage: Storage,
    ) -> ObjectId {
        let stride = outline.size.max(1).next_multiple_of(16) + 16;
        let copies = copies.map(|count| Dim { stride, count });
        let base = self.next_address;
        self.next_address += stride * copies.map_or(1, |copies| copies.count);
        let read_only = outline.name.starts_with('"');
        self.objects.push(Object {
            outline,
            copies,
            by_thread: false,
            base,
            storage,
            read_only,
            live: None,
            extent: None,
            is_automatic: false,
        });
        let id = ObjectId(self.objects.len() as u32 - 1);
        self.object_ids.insert(key, id);
        id
    }

    /// An object of the current template that only the lowering knows.
    pub(super) fn temporary(&mut self, name: &str, ty: TypeId) -> Result<ObjectId, String> {
        let outline = Outline::of(&self.unit.types, format!(".{name}"), ty)?;
        let inits = outline.groups.iter().map(|_| Init::Value(0)).collect();
        let storage = Storage::Private(inits);
        let object = Object {
            outline,
            copies: None,
            by_thread: false,
            base: 0,
            storage,
            read_only: false,
            live: None,
            extent: None,
            is_automatic: false,
        };
        self.objects.push(object);
        Ok(ObjectId(self.objects.len() as u32 - 1))
    }

    /// The model's variable for a group of an object, as the current template sees it.
    pub(super) fn group_var(&mut self, id: ObjectId, group: usize) -> VarRef {
        let object = &self.objects[id.0 as usize];
        let inits = match &object.storage {
            Storage::Shared(vars) => return VarRef::Shared(vars[group]),
            Storage::Private(inits) => inits,
        };
        if !self.t.private.contains_key(&id) {
            let make = |(group, init): (&Group, &Init)| {
                let name = object.outline.cell_name(group);
                let len = (!group.dims.is_empty()).then_some(group.len() as u32);
                self.t.local(&name, group.ty, len, init.clone())
            };
            let locals = object.outline.groups.iter().zip(inits).map(make).collect();
            self.t.private.insert(id, locals);
        }
        VarRef::Local(self.t.private[&id][group])
    }

    pub(super) fn function_address(&mut self, function: FuncId) -> u64 {
        let next = FIRST_FUNCTION + 16 * self.function_addresses.len() as u64;
        *self.function_addresses.entry(function).or_insert(next)
    }

    /// The object, copy and offset at a constant address.
    pub(super) fn object_at(&self, address: u64) -> Option<(ObjectId, u64, u64)> {
        let hit = |object: &Object| {
            let relative = address.checked_sub(object.base)?;
            let stride = object.copies.map_or(u64::MAX, |copies| copies.stride);
            let (copy, offset) = (relative / stride, relative % stride);
            (object.base > 0 && copy < object.copy_count() && offset <= object.outline.size)
                .then_some((copy, offset))
        };
        let found =
            self.objects.iter().enumerate().find_map(|(id, object)| Some((id, hit(object)?)));
        found.map(|(id, (copy, offset))| (ObjectId(id as u32), copy, offset))
    }

    /// The initial values of each group.
    fn static_values(&mut self, id: ObjectId, entries: &[InitEntry]) -> Result<Vec<Init>, String> {
        let groups = self.object(id).outline.groups.clone();
        let copies = self.object(id).copy_count() as usize;
        let mut values: Vec<Vec<i128>> = groups.iter().map(|g| vec![0; g.len() as usize]).collect();
        for entry in entries {
            let value = self.static_value(&entry.value)?;
            let size = self.unit.types.size_of(entry.ty).unwrap_or(0);
            let Some(hit) = super::locate::hit(&groups, entry.offset, size) else {
                return Err("this initialiser".into());
            };
            let cells = &mut values[hit.group][hit.index as usize..];
            let ty = groups[hit.group].ty;
            match (entry.bits, hit.bytes) {
                (Some(bits), 0) => {
                    let mask = ((1i128 << bits.width) - 1) << bits.shift;
                    let wide = Type::unsigned(64).wrap(cells[0]);
                    cells[0] = ty.wrap(wide & !mask | (value << bits.shift) & mask);
                }
                (Some(bits), count) => {
                    let mask = ((1i128 << bits.width) - 1) << bits.shift;
                    let bytes = &mut cells[..count as usize];
                    let old = bytes.iter().rev().fold(0, |unit, byte| unit << 8 | byte);
                    let new = old & !mask | (value << bits.shift) & mask;
                    for (number, cell) in bytes.iter_mut().enumerate() {
                        *cell = (new >> (8 * number)) & 0xff;
                    }
                }
                (None, 0) => cells[0] = ty.wrap(value),
                (None, count) => {
                    for (number, cell) in cells[..count as usize].iter_mut().enumerate() {
                        *cell = (value >> (8 * number)) & 0xff;
                    }
                }
            }
        }
        Ok(values
            .into_iter()
            .map(|values| match values.iter().all(|value| *value == values[0]) {
                true => Init::Value(values.first().copied().unwrap_or(0)),
                false => Init::Values(values.repeat(copies)),
            })
            .collect())
    }

    /// The value of a constant expression, addresses included.
    fn static_value(&mut self, expr: &CExpr) -> Result<i128, String> {
        let fail = || Err("this initialiser".to_string());
        match &*expr.kind {
            ExprKind::Const(value) => Ok(*value),
            ExprKind::FunctionAddr(function) => Ok(i128::from(self.function_address(*function))),
            ExprKind::Cast(inner) => {
                let value = self.static_value(inner)?;
                let to_bool = self.unit.types.unatomic(expr.ty) == Types::BOOL;
                Ok(if to_bool {
                    i128::from(value != 0)
                } else {
                    cells::scalar(&self.unit.types, expr.ty).map_or(value, |ty| ty.wrap(value))
                })
            }
            ExprKind::PtrAdd(pointer, index, size) => {
                let sum =
                    self.static_value(pointer)? + self.static_value(index)? * i128::from(*size);
                Ok(cells::scalar(&self.unit.types, expr.ty).map_or(sum, |ty| ty.wrap(sum)))
            }
            ExprKind::AddrOf(place) => {
                let (var, offset) = match static_place(place) {
                    Some(found) => found,
                    None => return fail(),
                };
                let id = self.global(var)?;
                let address = i128::from(self.object(id).base) + i128::from(offset);
                Ok(address)
            }
            ExprKind::Unsupported(what) => Err(what.clone()),
            _ => fail(),
        }
    }

    /// The copy of an object that the current thread means, if it has several.
    pub(super) fn own_copy(&self, id: ObjectId) -> Option<Expr> {
        let object = self.object(id);
        object.by_thread.then(|| self.own_index(thread::MAIN_ID))
    }
}

/// A place whose address is a constant: variable and offset.
fn static_place(place: &crate::hir::Place) -> Option<(VarId, u64)> {
    match &place.kind {
        PlaceKind::Var(var) => Some((*var, 0)),
        PlaceKind::Field(inner, offset) => {
            static_place(inner).map(|(var, base)| (var, base + offset))
        }
        PlaceKind::Index(inner, index, size) => match *index.kind {
            ExprKind::Const(index) => {
                let (var, base) = static_place(inner)?;
                Some((var, base.checked_add_signed(index as i64 * *size as i64)?))
            }
            _ => None,
        },
        PlaceKind::Deref(pointer) => match &*pointer.kind {
            ExprKind::AddrOf(inner) => static_place(inner),
            _ => None,
        },
        PlaceKind::Temporary(_) => None,
    }
}
