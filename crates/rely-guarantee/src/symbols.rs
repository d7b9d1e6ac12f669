//! Sets of symbols, one bit for each.
//!
//! Which formulas have to do with each other is asked more often than anything else here.

use logic::Symbol;

const BITS: usize = u64::BITS as usize;

#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolSet(Vec<u64>);

impl SymbolSet {
    pub fn insert(&mut self, symbol: Symbol) {
        let (word, bit) = place(symbol);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= bit;
    }

    pub fn contains(&self, symbol: Symbol) -> bool {
        let (word, bit) = place(symbol);
        self.0.get(word).is_some_and(|bits| bits & bit != 0)
    }

    pub fn add_all(&mut self, other: &SymbolSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(mine, others)| *mine |= others);
    }

    pub fn is_disjoint(&self, other: &SymbolSet) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, others)| mine & others == 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = Symbol> + '_ {
        let symbols = (0..self.0.len() * BITS).map(|number| Symbol(number as u32));
        symbols.filter(|symbol| self.contains(*symbol))
    }
}

impl FromIterator<Symbol> for SymbolSet {
    fn from_iter<I: IntoIterator<Item = Symbol>>(symbols: I) -> SymbolSet {
        let mut set = SymbolSet::default();
        symbols.into_iter().for_each(|symbol| set.insert(symbol));
        set
    }
}

fn place(symbol: Symbol) -> (usize, u64) {
    let number = symbol.0 as usize;
    (number / BITS, 1 << (number % BITS))
}
