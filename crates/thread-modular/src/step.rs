//! The transition predicate T of a process, in parts: one for each edge and each choice of
//! the values that it writes.
//!
//! A part is a condition and the new values, so no second copy of the variables is needed:
//! the image of a set is what is left after the written variables are quantified, with their
//! new values. That is early quantification at its best, and variables that a step does
//! not write need not be mentioned.
//!
//! A step to an error location is not taken: where it can be taken *is* the error, as the
//! paper's ¬π is a set of states. So is where a step would write a value that was not
//! guessed ([`crate::values`]).

use crate::bdd::{Bdd, Result, beyond, is_empty};
use crate::relevant::parts;
use crate::space::{Cell, Elements, Space};
use crate::variable::Variable;
use ccfa::{Assign, Edge, EdgeId, LocKind, Place, Rhs, VarRef};
use std::collections::BTreeSet;

/// A step with more parts is given up: each has its diagrams.
const MAX_PARTS: usize = 4096;

/// All steps of a process in its slot.
pub(crate) struct Steps {
    /// Those that lead on.
    pub plain: Vec<SymbolicStep>,
    /// Where a step to an error location can be taken.
    pub errors: Vec<(EdgeId, Bdd)>,
    /// Where a step to a model limit can be taken.
    pub limits: Vec<(EdgeId, Bdd)>,
    /// Where a step can be taken that writes a value for which there is no code.
    pub escapes: Bdd,
}

/// A step.
pub(crate) struct SymbolicStep {
    /// Along this edge.
    pub edge: EdgeId,
    /// The shared cells that it may write.
    pub writes: BTreeSet<Cell>,
    /// Its parts.
    pub parts: Vec<EdgePart>,
}

/// Some steps along an edge, which write the same values.
#[derive(Clone)]
pub(crate) struct EdgePart {
    /// Where it can be done.
    pub condition: Bdd,
    /// The variables that it writes.
    overwritten: Bdd,
    write: Bdd,
    /// The shared cells that it writes.
    pub writes: BTreeSet<Cell>,
    /// The cells that get arbitrary values, in the order in which they are written; `None` for
    /// those that do not matter.
    pub havoc: Vec<Option<WrittenCell>>,
}

/// A cell: variable and element.
#[derive(Clone, Copy)]
pub(crate) struct WrittenCell {
    /// Of this variable
    pub var: VarRef,
    /// this element.
    pub element: usize,
}

impl EdgePart {
    /// What the states of a set become.
    pub fn image(&self, space: &Space, from: &Bdd) -> Result<Bdd> {
        space.dd.and(&self.kept(space, from)?, &self.write)
    }

    /// What those states of a set become where `condition` holds, without the bits of `unseen`.
    pub fn image_but(
        &self,
        space: &Space,
        from: &Bdd,
        condition: &Bdd,
        unseen: &Bdd,
    ) -> Result<Bdd> {
        let quantified = space.dd.and(&self.overwritten, unseen)?;
        let kept = space.dd.and_exists(from, condition, &quantified)?;
        space.dd.and(&kept, &space.dd.exists(&self.write, unseen)?)
    }

    /// What stays of the states of a set where it can be done: all but what is overwritten.
    pub fn kept(&self, space: &Space, from: &Bdd) -> Result<Bdd> {
        space.dd.and_exists(from, &self.condition, &self.overwritten)
    }

    /// What those become of which this was `kept`, without the bits of `unseen`.
    pub fn arrive(&self, space: &Space, kept: &Bdd, unseen: &Bdd) -> Result<Bdd> {
        space.dd.and(&space.dd.exists(kept, unseen)?, &space.dd.exists(&self.write, unseen)?)
    }

    /// Where it can be done by a process of which `mover` is known, with the slot of that process
    /// quantified: G(P), the same for all views.
    pub fn guarantee(&self, space: &Space, mover: &Bdd, slot: &Bdd) -> Result<Bdd> {
        space.dd.and_exists(mover, &self.condition, slot)
    }

    /// What can become a state of a set.
    pub fn preimage(&self, space: &Space, to: &Bdd) -> Result<Bdd> {
        let kept = space.dd.and_exists(to, &self.write, &self.overwritten)?;
        space.dd.and(&kept, &self.condition)
    }
}

impl SymbolicStep {
    /// What the states of a set become.
    pub fn image(&self, space: &Space, from: &Bdd) -> Result<Bdd> {
        let images = self.parts.iter().map(|part| part.image(space, from));
        space.dd.any_of(&images.collect::<Result<Vec<Bdd>>>()?)
    }

    /// What can become a state of a set.
    pub fn preimage(&self, space: &Space, to: &Bdd) -> Result<Bdd> {
        let images = self.parts.iter().map(|part| part.preimage(space, to));
        space.dd.any_of(&images.collect::<Result<Vec<Bdd>>>()?)
    }

    /// All steps of process `number`, whose location and locals are given.
    pub fn all(
        space: &Space,
        number: usize,
        location: &Variable,
        locals: &[Elements],
    ) -> Result<Steps> {
        let process = &space.processes.list[number];
        let escapes = space.dd.none();
        let mut steps =
            Steps { plain: Vec::new(), errors: Vec::new(), limits: Vec::new(), escapes };
        let mut maker = Maker { space, number, location, locals, escapes: space.dd.none() };
        for (id, edge) in process.template.edges.iter().enumerate() {
            let edge_id = EdgeId(id as u32);
            let values = &space.processes.values;
            let scope = values.at(space.processes.program, &space.processes.list, number, edge);
            let source = location.equals(i128::from(edge.source.0));
            let (Some(_), Some(source)) = (scope, source) else { continue };
            let parts = maker.parts(edge, source)?;
            let enabled = space.dd.any_of(parts.iter().map(|part| &part.condition))?;
            if is_empty(&enabled) {
                continue;
            }
            match process.template.locations[edge.target.index()].kind {
                LocKind::Error(_) => steps.errors.push((edge_id, enabled)),
                LocKind::Limit(..) | LocKind::Undefined(_) => steps.limits.push((edge_id, enabled)),
                LocKind::Plain => {
                    let parts = maker.arrive(edge, parts)?;
                    let writes = parts.iter().flat_map(|part| part.writes.clone()).collect();
                    steps.plain.push(SymbolicStep { edge: edge_id, writes, parts });
                }
            }
        }
        steps.escapes = maker.escapes;
        Ok(steps)
    }
}

/// Makes the parts of steps.
struct Maker<'s, 'a> {
    space: &'s Space<'a>,
    number: usize,
    location: &'s Variable,
    locals: &'s [Elements],
    escapes: Bdd,
}

/// One thing that an assignment may do: under a condition, write a value (or any) somewhere.
struct Choice {
    condition: Bdd,
    written: Vec<(Option<WrittenCell>, Option<i128>)>,
}

impl Maker<'_, '_> {
    /// The parts of a step, without the change of location.
    fn parts(&mut self, edge: &Edge, source: &Bdd) -> Result<Vec<EdgePart>> {
        let dd = &self.space.dd;
        let guard = self.space.holds(self.number, self.locals, &edge.guard)?;
        let condition = dd.and(source, &guard)?;
        let start = EdgePart {
            condition,
            overwritten: dd.all(),
            write: dd.all(),
            writes: BTreeSet::new(),
            havoc: Vec::new(),
        };
        let mut parts = vec![start];
        for assign in &edge.assigns {
            let choices = self.choices(edge, assign)?;
            let mut longer = Vec::new();
            for part in &parts {
                for choice in &choices {
                    longer.extend(self.extend(part, choice)?);
                }
            }
            if longer.len() > MAX_PARTS {
                return Err(beyond("a step can write too many values for decision diagrams"));
            }
            parts = longer;
        }
        parts.retain(|part| !is_empty(&part.condition));
        Ok(parts)
    }

    /// The part with one more assignment, if that is possible.
    fn extend(&mut self, part: &EdgePart, choice: &Choice) -> Result<Option<EdgePart>> {
        let dd = &self.space.dd;
        let condition = dd.and(&part.condition, &choice.condition)?;
        if is_empty(&condition) {
            return Ok(None);
        }
        let mut longer = EdgePart { condition, ..part.clone() };
        for (target, value) in &choice.written {
            if value.is_none() {
                longer.havoc.push(*target);
            }
            let Some(target) = target else { continue };
            let variable = &self.space.elements(self.locals, target.var)[target.element];
            let write = match value {
                None => &variable.valid,
                Some(value) => match variable.equals(*value) {
                    Some(is) => is,
                    None => {
                        self.escapes = dd.or(&self.escapes, &longer.condition)?;
                        return Ok(None);
                    }
                },
            };
            longer.write = dd.and(&longer.write, write)?;
            longer.overwritten = dd.and(&longer.overwritten, &variable.cube)?;
            if let VarRef::Shared(id) = target.var {
                longer.writes.insert((id.index(), target.element));
            }
        }
        Ok(Some(longer))
    }

    /// All that an assignment may do.
    fn choices(&self, edge: &Edge, assign: &Assign) -> Result<Vec<Choice>> {
        let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
        if self.space.elements(self.locals, *var).is_empty() {
            return self.only_defined(edge, assign, *var).map(|choice| vec![choice]);
        }
        let cells = self.space.elements(self.locals, *var).len();
        let target = |element: usize| Some(WrittenCell { var: *var, element });
        match (&assign.place, &assign.value) {
            (Place::Var(_), Rhs::Havoc) => {
                let written = (0..cells).map(|element| (target(element), None)).collect();
                Ok(vec![Choice { condition: self.space.dd.all(), written }])
            }
            (Place::Var(_), Rhs::Expr(value)) => {
                let cases = self.space.cases(self.number, self.locals, value)?;
                let choice = |(value, condition)| Choice {
                    condition,
                    written: vec![(target(0), Some(value))],
                };
                Ok(cases.into_iter().map(choice).collect())
            }
            (Place::Element(_, index), value) => {
                let mut choices = Vec::new();
                for (index, here) in self.space.cases(self.number, self.locals, index)? {
                    if let Some(element) = usize::try_from(index).ok().filter(|i| *i < cells) {
                        choices.extend(self.element_choices(&here, target(element), value)?);
                    }
                }
                Ok(choices)
            }
        }
    }

    fn element_choices(
        &self,
        here: &Bdd,
        target: Option<WrittenCell>,
        value: &Rhs,
    ) -> Result<Vec<Choice>> {
        let Rhs::Expr(value) = value else {
            return Ok(vec![Choice { condition: here.clone(), written: vec![(target, None)] }]);
        };
        let cases = self.space.cases(self.number, self.locals, value)?.into_iter();
        let choice = |(value, there): (i128, Bdd)| {
            let condition = self.space.dd.and(here, &there)?;
            Ok(Choice { condition, written: vec![(target, Some(value))] })
        };
        cases.map(choice).collect()
    }

    /// An assignment to something that does not matter only has to be defined.
    fn only_defined(&self, edge: &Edge, assign: &Assign, var: VarRef) -> Result<Choice> {
        let processes = self.space.processes;
        let mut condition = self.space.dd.all();
        let scope = processes.exact.at(processes.program, &processes.list, self.number, edge);
        for part in parts(assign) {
            if scope.as_ref().is_some_and(|scope| scope.eval(part).may_fail) {
                let defined = self.space.defined(self.number, self.locals, part)?;
                condition = self.space.dd.and(&condition, &defined)?;
            }
        }
        let process = &processes.list[self.number];
        let cells = match &assign.place {
            Place::Var(_) => processes.program.var(process.template, var).cells(),
            Place::Element(..) => 1,
        };
        let any = |_| (None, None);
        let written = match assign.value {
            Rhs::Havoc => (0..cells).map(any).collect(),
            Rhs::Expr(_) => Vec::new(),
        };
        Ok(Choice { condition, written })
    }

    /// Adds the change of location.
    fn arrive(&self, edge: &Edge, mut parts: Vec<EdgePart>) -> Result<Vec<EdgePart>> {
        let dd = &self.space.dd;
        let Some(target) = self.location.equals(i128::from(edge.target.0)) else {
            return Ok(Vec::new());
        };
        for part in parts.iter_mut().filter(|_| edge.source != edge.target) {
            part.overwritten = dd.and(&part.overwritten, &self.location.cube)?;
            part.write = dd.and(&part.write, target)?;
        }
        Ok(parts)
    }
}
