//! What a program keeps of its source, and names: nothing here says what the program does.

use super::{Checker, Problem};
use crate::source::{CallId, Object, Origin, Span};
use std::collections::HashSet;

impl Checker<'_> {
    /// Objects and calls.
    pub(super) fn source(&mut self) {
        for (number, object) in self.program.objects.iter().enumerate() {
            self.note(well_laid_out(object), || format!("object {number} `{}`", object.name));
        }
        for (number, call) in self.program.calls.iter().enumerate() {
            let problem = self.span(call.site).and_then(|()| match call.caller {
                Some(caller) if caller.index() >= number => {
                    Err(format!("its caller, number {}, comes later", caller.0))
                }
                _ => Ok(()),
            });
            self.note(problem, || format!("call {number} `{}`", call.function));
        }
    }

    /// Names are given, and given once.
    pub(super) fn names<'a>(
        &mut self,
        place: &str,
        what: &str,
        names: impl Iterator<Item = &'a String>,
    ) {
        let mut seen = HashSet::new();
        for name in names {
            if name.is_empty() {
                self.problems.push(format!("{place}a {what} has no name"));
            } else if !seen.insert(name) {
                self.problems.push(format!("{place}two {what}s have the name `{name}`"));
            }
        }
    }

    pub(super) fn span(&self, span: Option<Span>) -> Problem {
        let Some(span) = span else { return Ok(()) };
        if span.file as usize >= self.program.files.len() {
            return Err(format!("it speaks of file number {}, which does not exist", span.file));
        }
        if (span.end_line, span.end_column) < (span.line, span.column) {
            return Err("it speaks of a range that ends before it starts".to_string());
        }
        Ok(())
    }

    pub(super) fn call(&self, call: Option<CallId>) -> Problem {
        match call {
            Some(call) if call.index() >= self.program.calls.len() => {
                Err(format!("there is no call number {}", call.0))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn origin(&self, origin: &Option<Origin>) -> Problem {
        let Some(of) = origin.as_ref().and_then(|origin| origin.part) else { return Ok(()) };
        match self.program.objects.get(of.object.index()) {
            None => Err(format!("there is no object number {}", of.object.0)),
            Some(object) if of.part as usize >= object.parts.len() => {
                Err(format!("object `{}` has no part number {}", object.name, of.part))
            }
            Some(_) => Ok(()),
        }
    }
}

/// The copies of an object and the elements of its parts are somewhere.
fn well_laid_out(object: &Object) -> Problem {
    if object.copies == 0 {
        return Err("it has no copies".to_string());
    }
    for part in &object.parts {
        if part.path.matches("[]").count() != part.dims.len() {
            return Err(format!("`{}` does not have its dimensions", part.path));
        }
        if part.dims.iter().any(|dim| dim.stride == 0) {
            return Err(format!("the elements of `{}` lie in one place", part.path));
        }
    }
    Ok(())
}
