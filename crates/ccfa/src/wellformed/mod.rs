//! Is this a program? Everything else assumes so.
//!
//! [`check`] looks at everything that the types of Rust leave open: ids that
//! point nowhere, types that disagree (see [`typing`]), values that do not fit
//! their types, names that occur twice, variables a step assigns twice. It
//! reports all problems it finds, in plain words, one per place.
//!
//! One thing it cannot see: that two elements of one array which a step
//! assigns are different. It only refuses equal index expressions.

mod source;
pub mod typing;

use crate::access::Cell;
use crate::expr::Type;
use crate::program::{
    Arg, Assign, Count, Edge, Init, LocKind, Location, Place, Program, Rhs, Template, Thread, Var,
    VarRef,
};
use crate::text;
use std::collections::HashSet;
pub use typing::MAX_EXPR_LEVELS;

/// Says whether `program` is one, or everything that is wrong with it.
pub fn check(program: &Program) -> Result<(), Vec<String>> {
    let mut checker = Checker { program, problems: Vec::new() };
    checker.variables(None, &program.shared);
    checker.initial();
    checker.names("", "template", program.templates.iter().map(|template| &template.name));
    for template in &program.templates {
        checker.template(template);
    }
    checker.names("", "thread", program.threads.iter().map(|thread| &thread.name));
    for thread in &program.threads {
        let problem = checker.thread(thread);
        checker.note(problem, || format!("thread `{}`", thread.name));
    }
    checker.source();
    if checker.problems.is_empty() { Ok(()) } else { Err(checker.problems) }
}

type Problem = Result<(), String>;

struct Checker<'p> {
    program: &'p Program,
    problems: Vec<String>,
}

impl Checker<'_> {
    /// Keeps a problem, with the place where it is.
    fn note(&mut self, problem: Problem, place: impl FnOnce() -> String) {
        if let Err(problem) = problem {
            self.problems.push(format!("{}: {problem}", place()));
        }
    }

    fn variables(&mut self, template: Option<&Template>, vars: &[Var]) {
        let (place, what) = match template {
            None => (String::new(), "shared variable"),
            Some(template) => (format!("template `{}`: ", template.name), "local variable"),
        };
        self.names(&place, what, vars.iter().map(|var| &var.name));
        for var in vars {
            let problem = variable(template, var).and_then(|()| self.origin(&var.origin));
            self.note(problem, || format!("{place}{what} `{}`", var.name));
        }
    }

    fn initial(&mut self) {
        if let Some(condition) = &self.program.initial {
            let problem = typing::type_of(self.program, None, condition)
                .and_then(|ty| typing::same("it", Type::Bool, ty))
                .map(drop);
            self.note(problem, || "the initial condition".to_string());
        }
    }

    fn template(&mut self, template: &Template) {
        let here = || format!("template `{}`", template.name);
        self.variables(Some(template), &template.locals);
        let names = template.locations.iter().map(|location| &location.name);
        let given = names.filter(|name| !name.is_empty());
        self.names(&format!("{}: ", here()), "location", given);
        self.note(entry(template), here);
        for (number, location) in template.locations.iter().enumerate() {
            let place = || format!("{}, location {number} `{}`", here(), location.name);
            self.note(self.span(location.span), place);
            self.note(rests_rightly(location), place);
        }
        for (number, edge) in template.edges.iter().enumerate() {
            let ends = || {
                let name = |id| text::location_name(template, id);
                format!("{} -> {}", name(edge.source), name(edge.target))
            };
            let place = || format!("{}, edge {number} ({})", here(), ends());
            self.note(self.edge(template, edge), place);
            for assign in &edge.assigns {
                self.note(self.assign(template, assign), place);
            }
            self.note(assigned_twice(self.program, template, edge), place);
            for access in &edge.accesses {
                self.note(self.span(access.span), place);
                self.note(access.cell().map_or(Ok(()), |cell| self.cell(template, cell)), place);
            }
        }
    }

    /// A cell that is accessed: its index, if it has one, is one.
    fn cell(&self, template: &Template, cell: &Cell) -> Problem {
        let var = typing::declaration(self.program, Some(template), VarRef::Shared(cell.var))?;
        let Some(index) = &cell.index else { return Ok(()) };
        if var.len.is_none() {
            return Err(format!("`{}` is accessed with an index but is no array", var.name));
        }
        match typing::type_of(self.program, Some(template), index)? {
            Type::Bool => Err(format!("the index of `{}` is a bool", var.name)),
            _ => Ok(()),
        }
    }

    fn edge(&self, template: &Template, edge: &Edge) -> Problem {
        for end in [edge.source, edge.target] {
            if end.index() >= template.locations.len() {
                return Err(format!("there is no location number {}", end.0));
            }
        }
        self.span(edge.span)?;
        self.call(edge.call)?;
        let guard = typing::type_of(self.program, Some(template), &edge.guard)?;
        typing::same("the guard", Type::Bool, guard).map(drop)
    }

    fn assign(&self, template: &Template, assign: &Assign) -> Problem {
        let type_of = |expr| typing::type_of(self.program, Some(template), expr);
        let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
        let declared = typing::declaration(self.program, Some(template), *var)?;
        let name = &declared.name;
        match (&assign.place, declared.len, &assign.value) {
            (Place::Element(..), None, _) => {
                return Err(format!("`{name}` is assigned with an index but is no array"));
            }
            (Place::Var(_), Some(_), Rhs::Expr(_)) => {
                return Err(format!("the array `{name}` is assigned a value without an index"));
            }
            (Place::Element(_, index), _, _) if type_of(index)? == Type::Bool => {
                return Err(format!("the index of `{name}` is a bool"));
            }
            _ => {}
        }
        if let Rhs::Expr(value) = &assign.value {
            let found = type_of(value)?;
            typing::same(&format!("the value for `{name}`"), declared.ty, found)?;
        }
        Ok(())
    }

    fn thread(&self, thread: &Thread) -> Problem {
        let Some(template) = self.program.templates.get(thread.template.index()) else {
            return Err(format!("there is no template number {}", thread.template.0));
        };
        if thread.args.len() != template.params as usize {
            let (given, needed) = (thread.args.len(), template.params);
            return Err(format!(
                "it has {given} arguments, but template `{}` needs {needed}",
                template.name
            ));
        }
        for var in &template.locals {
            let Init::Param(param) = var.init else { continue };
            let Some(arg) = thread.args.get(param as usize) else { continue };
            argument(*arg, thread.count, var.ty)
                .map_err(|problem| format!("argument {param} for `{}`: {problem}", var.name))?;
        }
        Ok(())
    }
}

/// A variable by itself; `template` says whose local it is.
fn variable(template: Option<&Template>, var: &Var) -> Problem {
    typing::type_exists(var.ty)?;
    if var.len == Some(0) {
        return Err("an array has at least one element".to_string());
    }
    match (&var.init, template) {
        (Init::Any, _) => Ok(()),
        (Init::Value(value), _) => typing::value_fits(*value, var.ty),
        (Init::Values(values), _) => {
            if var.len.map(|len| len as usize) != Some(values.len()) {
                return Err(format!("{} initial values do not fit its length", values.len()));
            }
            values.iter().try_for_each(|value| typing::value_fits(*value, var.ty))
        }
        (Init::Param(_), None) => Err("only locals can be parameters".to_string()),
        (Init::Param(_), _) if var.len.is_some() => Err("a parameter is no array".to_string()),
        (Init::Param(param), Some(template)) if *param >= template.params => {
            Err(format!("there is no parameter number {param}"))
        }
        (Init::Param(_), _) => Ok(()),
    }
}

/// A place to rest is nothing else.
fn rests_rightly(location: &Location) -> Problem {
    match location.resting && (location.atomic || location.kind != LocKind::Plain) {
        true => Err("only plain locations that are not atomic are for resting".to_string()),
        false => Ok(()),
    }
}

fn entry(template: &Template) -> Problem {
    match template.locations.get(template.entry.index()) {
        None => Err(format!("its entry, location number {}, does not exist", template.entry.0)),
        Some(location) if location.atomic => {
            Err(format!("its entry `{}` is atomic", text::location_name(template, template.entry)))
        }
        Some(_) => Ok(()),
    }
}

/// Does an argument fit its parameter, for every instance?
pub(crate) fn argument(arg: Arg, count: Count, ty: Type) -> Problem {
    let (first, last) = match (arg, count) {
        (_, Count::Exactly(0)) => return Ok(()),
        (Arg::Value(value), _) => (value, Some(value)),
        (Arg::Index(base), Count::Exactly(count)) => {
            (base, base.checked_add(i128::from(count) - 1))
        }
        (Arg::Index(base), Count::Any) => (base, base.checked_add(i128::from(u32::MAX))),
    };
    let last = last.ok_or("the index of an instance makes it too large")?;
    typing::value_fits(first, ty)?;
    typing::value_fits(last, ty)
}

/// Does the step assign something twice?
fn assigned_twice(program: &Program, template: &Template, edge: &Edge) -> Problem {
    let mut places: HashSet<(VarRef, Option<&crate::Expr>)> = HashSet::new();
    let mut arrays = HashSet::new();
    for assign in &edge.assigns {
        let (var, index) = assign.place.parts();
        let touched = match index {
            None => arrays.contains(&var),
            Some(_) => places.contains(&(var, None)),
        };
        if !places.insert((var, index)) || touched {
            let var = typing::declaration(program, Some(template), var)?;
            return Err(format!("`{}` is assigned twice", var.name));
        }
        arrays.insert(var);
    }
    Ok(())
}
