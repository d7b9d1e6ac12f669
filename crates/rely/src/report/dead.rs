//! Assignments that say nothing: the translation from C sets variables that are not needed any more to
//! zero, so that states become equal, and gives any value to those that are only declared. The source says
//! nothing of the kind, so the user is not told either, unless the value is read.

use ccfa::{Assign, Edge, Expr, LocId, Place, Rhs, Template, VarRef};

/// Does this assignment set a local variable to zero or to anything, and it is not read again?
pub fn tidies_up(template: &Template, edge: &Edge, assign: &Assign) -> bool {
    let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
    matches!(var, VarRef::Local(_))
        && matches!(assign.value, Rhs::Expr(Expr::Const(0, _)) | Rhs::Havoc)
        && !may_be_read(template, edge.target, *var)
}

/// Can a thread at `start` come to read `var` before it writes it?
pub fn may_be_read(template: &Template, start: LocId, var: VarRef) -> bool {
    let edges_from = template.edges_from();
    let mut seen = vec![false; template.locations.len()];
    let mut waiting = vec![start];
    while let Some(location) = waiting.pop() {
        if std::mem::replace(&mut seen[location.index()], true) {
            continue;
        }
        for edge in edges_from[location.index()].iter().map(|edge| &template.edges[edge.index()]) {
            if edge.read_write_sets().reads.contains(&var) {
                return true;
            }
            if !edge.assigns.iter().any(|assign| assign.place == Place::Var(var)) {
                waiting.push(edge.target);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::tidies_up;

    #[test]
    fn only_zeros_that_nobody_reads() {
        let model = "program \"dead\"
            shared x: u8 = 0
            template t() {
              local a: u8 = 1
              local b: u8 = 1
              start -> one: a := 0
              one -> two: x := a, b := 0
              two -> three: a := 0
              three -> three: a := 5
              three -> one: x := 0
            }
            thread main = t()";
        let program = ccfa::text::parse(model).expect("a model");
        let template = &program.templates[0];
        let tidy = |number: usize, assign: usize| {
            let edge = &template.edges[number];
            tidies_up(template, edge, &edge.assigns[assign])
        };
        assert!(!tidy(0, 0), "a is read next");
        assert!(tidy(1, 1), "b is never read");
        assert!(!tidy(2, 0), "a is read after the last step");
        assert!(!tidy(3, 0), "five is no zero");
        assert!(!tidy(4, 0), "x is shared");
    }
}
