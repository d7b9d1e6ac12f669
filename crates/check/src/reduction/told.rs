//! The premises of a reduction in words, for an observer.

use super::formulas::Formulas;
use super::{Paths, Prefix};
use crate::observe::Premise;
use ccfa::text::location_name;
use ccfa::{LocId, Span, Template};

/// (M)
pub(super) fn beginning(formulas: &Formulas) {
    let words = || "the reduced program begins wherever the program does".to_string();
    premise(formulas, "reduction: initial condition", None, words);
}

/// (C)
pub(super) fn constants(formulas: &Formulas, template: &Template) {
    premise(formulas, "reduction: constants", None, || {
        format!(
            "edges of `{}` leave variables as they are that are said to be constant",
            template.name
        )
    });
}

impl Paths<'_, '_> {
    /// (D)
    pub(super) fn tell_blocked(&self, location: LocId) {
        let template = self.template();
        premise(
            self.formulas,
            "reduction: blocked alike",
            template.locations[location.index()].span,
            || {
                let at = location_name(template, location);
                format!(
                    "where `{}` is blocked at {at}, it is blocked after the reduction",
                    template.name
                )
            },
        );
    }

    /// (P)
    pub(super) fn tell_path(&self, path: &Prefix) {
        self.premise("reduction: path", path, |words| {
            format!("{words} cannot be taken, or its edge after the reduction can be taken then and does the same")
        });
    }

    /// (L)
    pub(super) fn tell_interrupted(&self, path: &Prefix) {
        self.premise("reduction: interruption", path, |words| {
            format!(
                "{words}, where two steps can be seen by others, cannot be taken whatever others do"
            )
        });
    }

    /// (T)
    pub(super) fn tell_stops(&self, path: &Prefix, is_noticed: bool) {
        if !is_noticed {
            return;
        }
        self.premise("reduction: path goes on", path, |words| {
            format!("after {words} some edge can be taken")
        });
    }

    fn premise(&self, rule: &'static str, path: &Prefix, words: impl FnOnce(&str) -> String) {
        let template = self.template();
        let last = path.path.last().map(|edge| &template.edges[edge.index()]);
        premise(self.formulas, rule, last.and_then(|edge| edge.span), || {
            let first = path.path.first().map(|edge| template.edges[edge.index()].source);
            let targets = path.path.iter().map(|edge| template.edges[edge.index()].target);
            let first = first.unwrap_or(path.at);
            let name = |at| location_name(template, at);
            let names: Vec<String> = std::iter::once(first).chain(targets).map(name).collect();
            words(&format!("the path {} of `{}`", names.join(" -> "), template.name))
        });
    }

    fn template(&self) -> &Template {
        &self.program.templates[self.id.index()]
    }
}

fn premise(
    formulas: &Formulas,
    rule: &'static str,
    place: Option<Span>,
    words: impl FnOnce() -> String,
) {
    formulas.means.premise(|| Premise { rule, words: words(), place });
}
