//! The initial states: every combination of the small arbitrary values, the
//! large ones `ANY` (see [`crate::any`]), as far as `Program::initial` allows.

use crate::any::Plan;
use ccfa::Var;
use ccfa::semantics::{State, System};

/// A cell that is enumerated, with its values.
struct Choice {
    cell: usize,
    low: i128,
    high: i128,
}

/// Calls `each` for every initial state, until it fails.
pub(crate) fn initial_states<E>(
    system: &System,
    mut each: impl FnMut(&State) -> Result<(), E>,
) -> Result<(), E> {
    let mut state = system.initial();
    let choices = choices(&state, &variables(system));
    for choice in &choices {
        state.cells[choice.cell] = Some(choice.low);
    }
    loop {
        // Without threads there is none to evaluate the condition, and nothing to find.
        if system.instances.is_empty() || system.may_be_initial(&state) {
            each(&state)?;
        }
        if !advance(&mut state, &choices) {
            return Ok(());
        }
    }
}

/// The variable that each cell belongs to.
fn variables<'a>(system: &System<'a>) -> Vec<&'a Var> {
    let locals = (0..system.instances.len()).flat_map(|instance| &system.template(instance).locals);
    let all = system.program.shared.iter().chain(locals);
    all.flat_map(|var| std::iter::repeat_n(var, var.cells())).collect()
}

fn choices(state: &State, variables: &[&Var]) -> Vec<Choice> {
    let mut plan = Plan::new();
    let arbitrary =
        state.cells.iter().zip(variables).enumerate().filter(|(_, (value, _))| value.is_none());
    arbitrary
        .filter_map(|(cell, (_, var))| {
            let (low, high) = plan.next(var)?;
            Some(Choice { cell, low: low.into(), high: high.into() })
        })
        .collect()
}

/// The next combination, if there is one.
fn advance(state: &mut State, choices: &[Choice]) -> bool {
    for Choice { cell, low, high } in choices {
        match &mut state.cells[*cell] {
            Some(value) if *value < *high => {
                *value += 1;
                return true;
            }
            cell => *cell = Some(*low),
        }
    }
    false
}
