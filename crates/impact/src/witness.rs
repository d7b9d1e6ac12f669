//! A feasible path to an error as a schedule with values.

use crate::search::Search;
use crate::tree::NodeId;
use evidence::{Reason, Verdict, Witness, WitnessStep};
use logic::{Answer, Sort, Symbol};

impl Search<'_, '_> {
    /// The verdict when the path to `v` is feasible.
    pub(crate) fn witness(&mut self, v: NodeId) -> Verdict {
        let formulas = self.path_conditions(v);
        if self.decider.check(&self.terms, &formulas) != Answer::Sat {
            let why = "the path to an error was found, but not its values";
            return Verdict::Unknown(Reason::Beyond(why.into()));
        }
        let initial = self.initial_values();
        let mut steps = Vec::new();
        for node in self.tree.path(v) {
            if let Some((_, action)) = self.tree[node].parent.clone() {
                let inputs = self.tree[node].inputs.clone();
                let havoc = inputs.into_iter().flat_map(|input| self.model(input)).collect();
                steps.push(WitnessStep { instance: action.instance, edge: action.edge, havoc });
            }
        }
        Verdict::Unsafe(Witness { instances: 0, initial, steps })
    }

    /// The values of the cells that may be anything at the start.
    fn initial_values(&mut self) -> Vec<i128> {
        let state = self.system.initial();
        let mut values = Vec::new();
        let mut cell = 0;
        for symbol in self.vocabulary.symbols.clone() {
            let cells = match self.terms.symbol_sort(symbol) {
                Sort::Scalar(_) => 1,
                Sort::Array { len, .. } => len as usize,
            };
            if state.cells[cell..cell + cells].iter().any(Option::is_none) {
                let model = self.model(symbol);
                let any = state.cells[cell..].iter().zip(model).filter(|(c, _)| c.is_none());
                values.extend(any.map(|(_, value)| value));
            }
            cell += cells;
        }
        values
    }

    /// The values of a symbol's cells.
    fn model(&mut self, symbol: Symbol) -> Vec<i128> {
        self.decider.cells(&mut self.terms, symbol)
    }
}
