//! Which object a variable of C means in the frame and the thread at hand, and the initial values
//! of those that live as long as the program.

use super::cells;
use super::heap::{ALIVE, LIVE};
use super::local_life::Births;
use super::locate::{hit, is_covered};
use super::objects::{Key, ObjectId, Outline, Storage};
use super::place::Spot;
use super::{Resolver, thread};
use crate::Assumption;
use crate::hir::{Expr as CExpr, ExprKind, InitEntry, Lifetime, PlaceKind, VarId};
use crate::types::Types;
use ccfa::{Expr, Init, Type};

impl Resolver<'_, '_> {
    /// The object of a variable in the current frame.
    pub(super) fn object_of(&mut self, var: VarId) -> Result<ObjectId, String> {
        match self.input.unit.vars[var.index()].lifetime {
            Lifetime::Static | Lifetime::Thread => self.global(var),
            Lifetime::Local(function) => {
                let level = self.frames.iter().filter(|frame| frame.function == function).count();
                self.local_object(var, level.saturating_sub(1) as u32)
            }
        }
    }

    /// What is declared in a way that is not modelled has no object.
    fn refuse_limited(&self, var: VarId) -> Result<(), String> {
        self.input.unit.vars[var.index()].limit.clone().map_or(Ok(()), Err)
    }

    /// The object of a local at a recursion level.
    pub(super) fn local_object(&mut self, var: VarId, level: u32) -> Result<ObjectId, String> {
        self.refuse_limited(var)?;
        let key = Key::Local(var, level);
        let escapes = self.input.escapes(var);
        if self.input.points_to.is_address_taken(var) {
            self.found.owners.entry((var, level)).or_default().insert(self.routine);
        }
        if let Some(id) = self.objects.find(&key) {
            return Ok(id);
        }
        let declared = &self.input.unit.vars[var.index()];
        let suffix = if level == 0 { String::new() } else { format!("@{level}") };
        let function = match declared.lifetime {
            Lifetime::Local(function) => self.input.function_prefix(function),
            _ => String::new(),
        };
        let name = format!("{function}::{}{suffix}", declared.name);
        let padding = self.input.padding(&key);
        let mut outline = Outline::of(&self.input.unit.types, name, declared.ty, padding)?;
        outline.source = self.input.source_name(var);
        let threads = if escapes { self.owner_threads(var, level)? } else { None };
        let written = self.input.written_local(var, &outline.groups, threads.unwrap_or(1));
        if !escapes {
            let inits = outline.groups.iter().map(|_| Init::Any).collect();
            let id = self.objects.add(key, outline, None, Storage::Private(inits));
            self.objects.get_mut(id).has_private_life = self.input.has_life(var);
            self.objects.get_mut(id).written = written;
            self.objects.get_mut(id).read_only |= self.input.unit.vars[var.index()].is_const;
            self.add_second_place(var, level, id);
            return Ok(id);
        }
        let life = format!(".{}.live", outline.name);
        let id = self.objects.add_shared(key, outline, threads);
        let len = threads.map(|count| count as u32);
        let life_type = if self.lives_again(var, level) { LIVE } else { Type::unsigned(1) };
        let live = self.objects.shared_var(&life, life_type, len, Init::Value(0));
        let object = self.objects.get_mut(id);
        object.live = Some(live);
        object.by_thread = threads.is_some();
        object.written = written;
        object.read_only |= self.input.unit.vars[var.index()].is_const;
        self.add_second_place(var, level, id);
        Ok(id)
    }

    /// May a local that is looked at when it is gone live again?
    fn lives_again(&self, var: VarId, level: u32) -> bool {
        let births = self.input.facts.births.get(&(var, level));
        births.is_some_and(Births::are_several)
    }

    fn add_second_place(&mut self, var: VarId, level: u32, id: ObjectId) {
        if self.lives_again(var, level) {
            self.objects.add_second_place(id);
        }
    }

    /// How many copies an escaping local needs: none if one thread has it.
    fn owner_threads(&self, var: VarId, level: u32) -> Result<Option<u64>, String> {
        let owners = self.input.facts.owners.get(&(var, level));
        let counts = owners.into_iter().flatten().map(|routine| self.input.instances_of(*routine));
        let total = counts
            .sum::<Option<u64>>()
            .ok_or("a local variable that arbitrarily many threads share")?;
        Ok((total > 1).then(|| self.input.bounded_threads()))
    }

    fn global(&mut self, var: VarId) -> Result<ObjectId, String> {
        self.refuse_limited(var)?;
        let key = Key::Global(var);
        if let Some(id) = self.objects.find(&key) {
            return Ok(id);
        }
        let declared = &self.input.unit.vars[var.index()];
        let dot = if declared.range.lo >= super::LIBRARY_OFFSET { "." } else { "" };
        let (name, padding) = (format!("{dot}{}", declared.name), self.input.padding(&key));
        let mut outline = Outline::of(&self.input.unit.types, name, declared.ty, padding)?;
        outline.source = self.input.source_name(var);
        let (entries, per_thread) = (declared.init.clone(), declared.lifetime == Lifetime::Thread);
        let id = if !per_thread {
            self.objects.add_shared(key, outline, None)
        } else if self.input.points_to.is_address_taken(var) && self.input.points_to.is_shared(var)
        {
            let threads = self.input.bounded_threads();
            if self.input.facts.spawned.values().any(Option::is_none) {
                return Err("a thread-local variable that arbitrarily many threads share".into());
            }
            let life = format!(".{}.live", outline.name);
            let id = self.objects.add_shared(key, outline, Some(threads));
            let (flag, len) = (Type::unsigned(1), Some(threads as u32));
            let live = self.objects.shared_var(&life, flag, len, Init::Value(ALIVE));
            let object = self.objects.get_mut(id);
            (object.by_thread, object.live) = (true, Some(live));
            id
        } else {
            let inits = outline.groups.iter().map(|_| Init::Value(0)).collect();
            self.objects.add(key, outline, None, Storage::Private(inits))
        };
        let values = match entries {
            Some(entries) => match self.static_values(id, &entries) {
                Ok(values) => values,
                Err(what) => {
                    // The next access must find the same.
                    self.objects.unbind(&Key::Global(var));
                    return Err(what);
                }
            },
            None => {
                self.assumed.insert(Assumption::ForeignVariables);
                self.objects.get(id).outline.groups.iter().map(|_| Init::Any).collect()
            }
        };
        let object = self.objects.get_mut(id);
        object.read_only |= self.input.unit.vars[var.index()].is_const;
        match &mut object.storage {
            Storage::Private(inits) => *inits = values,
            Storage::Shared(vars) => {
                for (var, init) in vars.clone().into_iter().zip(values) {
                    self.objects.shared[var.index()].init = init;
                }
            }
        }
        Ok(id)
    }

    /// The initial values of each group.
    fn static_values(&mut self, id: ObjectId, entries: &[InitEntry]) -> Result<Vec<Init>, String> {
        let groups = self.objects.get(id).outline.groups.clone();
        let copies = self.objects.get(id).copy_count() as usize;
        let mut values: Vec<Vec<i128>> = groups.iter().map(|g| vec![0; g.len() as usize]).collect();
        for entry in entries {
            let value = self.static_value(&entry.value)?;
            let size = self.input.unit.types.size_of(entry.ty).unwrap_or(0);
            let hits = hit(&groups, entry.offset, size);
            if !is_covered(&hits, size) {
                return Err("this initialiser".into());
            }
            let (shift, width) = entry.bits.map_or((0, 8 * size as u8), |b| (b.shift, b.width));
            let mask = ((1i128 << width) - 1) << shift;
            for hit in hits {
                let ty = groups[hit.group].ty;
                let cell = &mut values[hit.group][hit.index as usize];
                let part = |bits: i128| ((bits >> hit.at) & ((1 << hit.bits) - 1)) << hit.shift;
                let mask = part(mask);
                let kept = Type::unsigned(64).wrap(*cell) & !mask;
                *cell = ty.wrap(kept | part(value << shift) & mask);
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
            ExprKind::FunctionAddr(function) => {
                if let Some(what) = &self.input.unit.functions[function.index()].limit {
                    return Err(what.clone());
                }
                Ok(i128::from(self.objects.function_address(*function)))
            }
            ExprKind::Cast(inner) => {
                let value = self.static_value(inner)?;
                let to_bool = self.input.unit.types.unatomic(expr.ty) == Types::BOOL;
                Ok(if to_bool {
                    i128::from(value != 0)
                } else {
                    cells::scalar(&self.input.unit.types, expr.ty)
                        .map_or(value, |ty| ty.wrap(value))
                })
            }
            ExprKind::PtrAdd(pointer, index, size) => {
                let sum =
                    self.static_value(pointer)? + self.static_value(index)? * i128::from(*size);
                Ok(cells::scalar(&self.input.unit.types, expr.ty).map_or(sum, |ty| ty.wrap(sum)))
            }
            ExprKind::AddrOf(place) => {
                let (var, offset) = match static_place(place) {
                    Some(found) => found,
                    None => return fail(),
                };
                let id = self.global(var)?;
                let address = i128::from(self.objects.get(id).base) + i128::from(offset);
                Ok(address)
            }
            ExprKind::Unsupported(what) => Err(what.clone()),
            _ => fail(),
        }
    }

    /// Where the current thread's copy of an object begins.
    pub(super) fn own_spot(&self, object: ObjectId) -> Spot {
        Spot { copy: self.own_copy(object), ..Spot::start(object) }
    }

    /// The copy of an object that the current thread means, if it has several.
    pub(super) fn own_copy(&self, id: ObjectId) -> Option<Expr> {
        let object = self.objects.get(id);
        object.by_thread.then(|| self.input.own_index(self.routine, thread::MAIN_ID))
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
