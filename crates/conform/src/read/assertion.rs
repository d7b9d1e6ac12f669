//! Assertions in the text of an abstract thread: they are no steps, but properties of the
//! state before them.

use super::{MachineReader, Path};
use crate::formula::is_tautology;
use crate::run::Run;
use ccfa::{Expr, LocId, LocKind};

/// Ways through an assertion; they can double with each branch.
const MAX_WAYS: usize = 100;

impl<'p> MachineReader<'p> {
    /// Does an assertion stand here: a step that changes nothing and goes to one place, or goes
    /// wrong, and does one of these whatever the values are?
    pub(super) fn asserts(&self, path: &Path<'p>) -> bool {
        let mut ways = Vec::new();
        let (mut fails, mut end) = (false, None);
        let mut waiting = self.followed(path.at, &path.run, &Expr::TRUE);
        while let Some((at, run, condition)) = waiting.pop() {
            let location = &self.template.locations[at.index()];
            if ways.len() + waiting.len() > MAX_WAYS {
                return false;
            }
            if location.kind != LocKind::Plain {
                fails = true;
            } else if location.atomic {
                waiting.extend(self.followed(at, &run, &condition));
                continue;
            } else if *end.get_or_insert(at) != at || run.values() != path.run.values() {
                return false;
            }
            ways.push(condition);
        }
        fails && end.is_some() && is_tautology(&ways)
    }

    /// Where edges lead from here, and under which condition. Nowhere, if one of them
    /// cannot be followed.
    fn followed(&self, at: LocId, run: &Run<'p>, condition: &Expr) -> Vec<(LocId, Run<'p>, Expr)> {
        let mut ways = Vec::new();
        for edge in self.from[at.index()].iter().map(|edge| self.edge(*edge)) {
            let (mut next, guard) = (run.clone(), run.value(&edge.guard));
            let guard = match (guard, next.step(edge)) {
                (Ok(Expr::FALSE), _) => continue,
                (Ok(guard), Ok(())) => guard,
                (Err(_), _) | (_, Err(_)) => return vec![],
            };
            ways.push((edge.target, next, Expr::and(condition.clone(), guard)));
        }
        ways
    }

    /// Goes on behind an assertion. Where it does not hold, the thread has gone wrong; so what
    /// follows need not ask for it, and one way through it is enough.
    pub(super) fn resumes(&mut self, path: &mut Path) -> bool {
        path.conditions.truncate(path.given);
        let way = (path.at, path.run.values().clone(), path.conditions.clone());
        let is_new = !self.resumed.contains(&way);
        self.resumed.push(way);
        is_new
    }
}
