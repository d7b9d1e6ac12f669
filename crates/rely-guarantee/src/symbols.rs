//! Sets of symbols, one bit for each.
//!
//! Which formulas mention a variable in common is asked more often than anything else here.

use fixedbitset::FixedBitSet;
use logic::Symbol;

#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolSet(FixedBitSet);

impl SymbolSet {
    pub fn insert(&mut self, symbol: Symbol) {
        self.0.grow_and_insert(symbol.0 as usize);
    }

    pub fn contains(&self, symbol: Symbol) -> bool {
        self.0.contains(symbol.0 as usize)
    }

    pub fn add_all(&mut self, other: &SymbolSet) {
        self.0.union_with(&other.0);
    }

    pub fn is_disjoint(&self, other: &SymbolSet) -> bool {
        self.0.is_disjoint(&other.0)
    }

    pub fn iter(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.0.ones().map(|number| Symbol(number as u32))
    }
}

impl FromIterator<Symbol> for SymbolSet {
    fn from_iter<I: IntoIterator<Item = Symbol>>(symbols: I) -> SymbolSet {
        let mut set = SymbolSet::default();
        symbols.into_iter().for_each(|symbol| set.insert(symbol));
        set
    }
}
