//! Undefined behaviour and leaks in words, with the values of the execution: which operands, which object, where it was allocated and freed.

use super::SourcePlace;
use super::dead::tidies_up;
use super::failure::{Replayed, lock_name};
use ccfa::semantics::State;
use ccfa::{
    Class, Expr, FailedOperation, Object, ObjectLife, Place, Span, Type, Undefined, VarRef,
};

/// A sentence about a failure, and further places to show, each with what stands above it.
pub struct Words {
    pub what: String,
    pub places: Vec<(String, Option<Span>)>,
}

/// The last state of an execution, as the thread sees it in which behaviour is undefined.
struct Failing<'a> {
    run: &'a Replayed<'a>,
    last: &'a State,
    instance: usize,
}

/// An object, or what lies next to one.
struct Near<'a> {
    object: &'a Object,
    copy: u64,
    /// From the start of the copy.
    offset: i128,
    /// Of the copy, in bytes.
    size: i128,
    life: Option<&'a ObjectLife>,
}

/// Says what is wrong at the end of an execution, where an instance is at undefined behaviour of this kind.
pub fn words(run: &Replayed, last: &State, instance: usize, kind: Undefined) -> Words {
    let failing = Failing { run, last, instance };
    let thread = &run.system.program.threads[run.system.instances[instance].thread.index()];
    let place = (thread.template, last.locations[instance]);
    let operands = run.details.operands.get(&place);
    let told = operands.and_then(|operands| failing.tell(kind, operands));
    let (more, places) = told.unwrap_or_default();
    let colon = if more.is_empty() { "" } else { ": " };
    Words { what: format!("{}{colon}{more}", kind.text()), places }
}

/// The property of SV-COMP that undefined behaviour of this kind violates, if the competition has one for it.
pub fn subproperty(kind: Undefined) -> Option<&'static str> {
    match (kind, kind.class()) {
        (Undefined::InvalidFree | Undefined::DoubleFree, _) => Some("valid-free"),
        (_, Class::Memory) => Some("valid-deref"),
        (Undefined::MemoryLost, _) => Some("valid-memtrack"),
        (Undefined::MemoryNotFreed, _) => Some("valid-memcleanup"),
        _ => None,
    }
}

/// The type of constant indices.
const INDEX: Type = Type::unsigned(32);

/// "1 byte"
fn bytes(count: i128) -> String {
    if count == 1 { "1 byte".to_string() } else { format!("{count} bytes") }
}

type Told = (String, Vec<(String, Option<Span>)>);

impl<'a> Failing<'a> {
    fn value(&self, expr: &Expr) -> Option<i128> {
        self.run.system.eval(self.last, self.instance, expr).ok().flatten()
    }

    fn tell(&self, kind: Undefined, operands: &FailedOperation) -> Option<Told> {
        match operands {
            FailedOperation::Arithmetic { operator, ty, width, operands } => {
                let why = self.operation(kind, operator, (ty, *width), operands)?;
                Some((why, Vec::new()))
            }
            FailedOperation::Index(index, count, name) => {
                let index = self.value(index)?;
                let array = name.as_ref().map_or("the array".into(), |name| format!("`{name}`"));
                let elements = if *count == 1 { "element" } else { "elements" };
                Some((format!("index {index}, but {array} has {count} {elements}"), Vec::new()))
            }
            FailedOperation::Access(address, size) => {
                self.access(kind, self.value(address)?, *size)
            }
            FailedOperation::Freed(address) => self.freed(kind, self.value(address)?),
            FailedOperation::Lock(address) => {
                Some((self.lock(kind, self.value(address)?)?, Vec::new()))
            }
            FailedOperation::Unwritten(name) => Some((format!("`{name}`"), Vec::new())),
            FailedOperation::UnwrittenAt(address) => {
                let near = self.nearest(self.value(address)?)?;
                let cell = near.cell().unwrap_or_else(|| near.name());
                Some((format!("`{cell}`"), self.history(&near)))
            }
            FailedOperation::Allocation(all) => self.leak(all),
        }
    }

    /// `2147483647 + 1 does not fit int`
    fn operation(
        &self,
        kind: Undefined,
        operator: &str,
        (ty, width): (&str, u8),
        [left, right]: &[Expr; 2],
    ) -> Option<String> {
        let (a, b) = (self.value(left)?, self.value(right)?);
        let b = if b < 0 { format!("({b})") } else { b.to_string() };
        let done = match (operator, left) {
            ("-", Expr::Const(0, _)) => format!("-{b}"),
            _ => format!("{a} {operator} {b}"),
        };
        Some(match kind {
            Undefined::SignedOverflow => format!("{done} does not fit `{ty}`"),
            Undefined::ShiftAmount => format!("{done}, but `{ty}` has {width} bits"),
            _ => done,
        })
    }

    fn access(&self, kind: Undefined, address: i128, size: u64) -> Option<Told> {
        let accessed = bytes(size.into());
        if kind == Undefined::NullPointer {
            let far = format!("{accessed} at {address}, behind a null pointer");
            return Some((if address == 0 { String::new() } else { far }, Vec::new()));
        }
        let near = self.nearest(address)?;
        let name = near.name();
        Some(match kind {
            Undefined::UseAfterFree => {
                let cell = near.cell().unwrap_or_else(|| name.clone());
                (format!("`{cell}`"), self.history(&near))
            }
            Undefined::DeadObject => (format!("`{name}`"), Vec::new()),
            Undefined::OutOfBounds => {
                let where_ = match near.offset {
                    0.. => format!("offset {}", near.offset),
                    before => format!("{} before the start", -before),
                };
                let has = bytes(near.size);
                let mut places = self.history(&near);
                places.truncate(1);
                (format!("{accessed} at {where_} of `{name}`, which has {has}"), places)
            }
            Undefined::Misaligned | Undefined::WrongType | Undefined::ConstWritten => {
                (format!("{accessed} at offset {} of `{name}`", near.offset), Vec::new())
            }
            _ => return None,
        })
    }

    fn freed(&self, kind: Undefined, address: i128) -> Option<Told> {
        let near = self.nearest(address)?;
        let (name, history) = (near.name(), self.history(&near));
        Some(match (kind, near.offset) {
            (Undefined::DoubleFree, _) => (format!("`{name}`"), history),
            (_, 0) if history.is_empty() => (format!("`{name}` was not allocated"), history),
            (_, 0) => (format!("`{name}`"), history),
            (_, offset) => {
                let mut history = history;
                history.truncate(1);
                (format!("it is {} behind the start of `{name}`", bytes(offset)), history)
            }
        })
    }

    fn lock(&self, kind: Undefined, address: i128) -> Option<String> {
        let name = lock_name(&self.nearest(address).filter(Near::is_inside)?.cell()?);
        if kind.class() != Class::Locks {
            return None;
        }
        let held = self.run.held();
        let holders: Vec<usize> =
            (0..held.len()).filter(|instance| held[*instance].contains(&name)).collect();
        let who = |instance: &usize| match *instance == self.instance {
            true => "this thread".to_string(),
            false => format!("thread {}", self.run.name(*instance)),
        };
        use Undefined::{
            LockNotHeld, LockNotHeldShared, MutexNotOwned, RwlockNotHeld, SectionNotHeld,
            SpinNotHeld, WaitNotOwned,
        };
        let is_about_holders = matches!(
            kind,
            MutexNotOwned
                | WaitNotOwned
                | RwlockNotHeld
                | SpinNotHeld
                | SectionNotHeld
                | LockNotHeld
                | LockNotHeldShared
        );
        Some(match holders.iter().map(who).collect::<Vec<_>>() {
            none if none.is_empty() && !is_about_holders => format!("`{name}`"),
            none if none.is_empty() => format!("`{name}`, which no thread holds"),
            one if one.len() == 1 => format!("`{name}`, which {} holds", one[0]),
            many => format!("`{name}`, which {} hold", many.join(" and ")),
        })
    }

    /// The first of these allocations that is lost.
    fn leak(&self, all: &[(u64, Expr)]) -> Option<Told> {
        let is_such = |(_, condition): &&(u64, Expr)| self.value(condition) == Some(1);
        let near = self.nearest(i128::from(all.iter().find(is_such)?.0))?;
        let number = all.iter().filter(is_such).count();
        let more = match number {
            1 => String::new(),
            2 => ", and another one".to_string(),
            _ => format!(", and {} others", number - 1),
        };
        let mut places = self.history(&near);
        places.extend(self.overwritten(&near));
        Some((format!("`{}`, {}{more}", near.name(), bytes(near.size)), places))
    }

    /// The last write by which a pointer of the source came to point elsewhere.
    fn overwritten(&self, near: &Near) -> Option<(String, Option<Span>)> {
        let (run, system) = (self.run, self.run.system);
        let start = i128::from(near.object.base + near.copy * near.object.stride);
        let inside = start..start + near.size;
        for (number, step) in run.witness.steps.iter().enumerate().rev() {
            let template = system.template(step.instance);
            let edge = &template.edges[step.edge.index()];
            for assign in edge.assigns.iter().filter(|assign| !tidies_up(template, edge, assign)) {
                let value = |state: usize, expr: &Expr| {
                    system.eval(&run.states[state], step.instance, expr).ok().flatten()
                };
                let (var, index) = match &assign.place {
                    Place::Var(var) => (*var, None),
                    Place::Element(var, index) => (*var, Some(value(number, index)?)),
                };
                let read = match index {
                    None => Expr::Var(var),
                    Some(index) => Expr::Index(var, Box::new(Expr::Const(index, INDEX))),
                };
                let declared = system.var(step.instance, var);
                let is_pointer = declared.origin.as_ref().is_some_and(|origin| origin.pointer);
                let led = |state| value(state, &read).is_some_and(|at| inside.contains(&at));
                if is_pointer && led(number) && !led(number + 1) {
                    let name = system.program.cell_name(declared, index.unwrap_or(0) as u64);
                    return Some(self.event(number, &format!("`{name}` is overwritten")));
                }
            }
        }
        None
    }

    /// The object that an address lies in, or else next to.
    fn nearest(&self, address: i128) -> Option<Near<'a>> {
        let objects = self.run.system.program.objects.iter().filter(|object| object.base > 0);
        let candidates = objects.flat_map(|object| {
            let copies = u64::from(object.copies.max(1));
            (0..copies).map(move |copy| {
                (object, copy, address - i128::from(object.base + copy * object.stride))
            })
        });
        let distance = |(object, _, offset): &(&Object, u64, i128)| match *offset {
            before @ ..0 => -before,
            behind => (behind - i128::from(object.size) + 1).max(0),
        };
        let (object, copy, offset) = candidates.min_by_key(distance)?;
        let life = self.run.details.lives.iter().find(|life| life.base == object.base);
        let extent = life.and_then(|life| self.cell(life.extent?, copy, self.last));
        Some(Near { object, copy, offset, size: extent.unwrap_or(object.size.into()), life })
    }

    /// The value of an element of a shared variable.
    fn cell(&self, var: ccfa::SharedId, copy: u64, state: &State) -> Option<i128> {
        let declared = &self.run.system.program.shared[var.index()];
        let var = VarRef::Shared(var);
        let index = Box::new(Expr::Const(i128::from(copy), INDEX));
        let read = if declared.len.is_some() { Expr::Index(var, index) } else { Expr::Var(var) };
        self.run.system.eval(state, self.instance, &read).ok().flatten()
    }

    /// Where an object was allocated last and then freed, by whom; of a local: where it was declared, and its block left.
    fn history(&self, near: &Near) -> Vec<(String, Option<Span>)> {
        let Some(live) = near.life.and_then(|life| life.live) else { return Vec::new() };
        let state = |number: usize| self.cell(live, near.copy, &self.run.states[number]);
        let becomes = |to: i128| {
            let steps = (0..self.run.witness.steps.len()).rev();
            steps.into_iter().find(|step| state(*step) != Some(to) && state(step + 1) == Some(to))
        };
        let allocated = becomes(1);
        let freed = becomes(2).filter(|step| allocated.is_some_and(|before| before < *step));
        let told = |(step, what): (Option<usize>, &str)| Some(self.event(step?, what));
        // No variable has such a name.
        let words = match near.object.name.contains('@') {
            true => ["allocated", "freed"],
            false => ["declared", "left"],
        };
        [allocated, freed].into_iter().zip(words).filter_map(told).collect()
    }

    /// What a step did, by whom and in which call.
    fn event(&self, step: usize, what: &str) -> (String, Option<Span>) {
        let run = self.run;
        let step = &run.witness.steps[step];
        let edge = &run.system.template(step.instance).edges[step.edge.index()];
        let program = run.system.program;
        let call = edge.call.and_then(|call| program.call_path(call).next());
        let called = call.and_then(|call| {
            let site = SourcePlace::of(program, call.site.filter(|_| call.caller.is_some())?);
            Some(format!(" in {}, called at {site}", call.function))
        });
        let at = edge.span.map(|span| format!(" at {}", SourcePlace::of(program, span)));
        let (called, at) = (called.unwrap_or_default(), at.unwrap_or_default());
        (format!("{what} by thread {}{at}{called}:\n", run.name(step.instance)), edge.span)
    }
}

impl Near<'_> {
    fn name(&self) -> String {
        self.object.copy_name(self.copy)
    }

    fn is_inside(&self) -> bool {
        (0..self.size).contains(&self.offset)
    }

    /// The scalar that starts there.
    fn cell(&self) -> Option<String> {
        self.object.cell_at(self.copy, u64::try_from(self.offset).ok()?)
    }
}
