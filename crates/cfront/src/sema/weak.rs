//! Which definition counts where several files define one name and some of these are weak, as the linker decides it: one that is not weak, or else the first (ELF, "Symbol
//! Table": `STB_WEAK`). A weak definition that does not count is read as a declaration, and so is a weak alias.

use super::attributes::LinkNames;
use super::specifiers::has_attribute;
use super::{Res, UnitOptions, disagreement};
use crate::syntax::ast::{
    Attribute, Declarator, Derived, FunctionDef, Ident, Item, Range, Specifiers, Storage,
    TranslationUnit,
};
use std::collections::HashMap;
use std::rc::Rc;

/// Which unit's definition of a name counts, for the names that a unit defines weakly.
#[derive(Default)]
pub(super) struct WeakDefinitions {
    counting: HashMap<Rc<str>, usize>,
}

/// How a unit defines a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strength {
    Plain,
    Weak,
    /// Not at all for other units, or like one that is plain: that depends on words around it.
    Inline,
}

struct Definition {
    unit: usize,
    strength: Strength,
    range: Range,
}

impl WeakDefinitions {
    /// Decides it for all units of the user's.
    pub fn new(units: &[(&TranslationUnit, UnitOptions)]) -> Res<WeakDefinitions> {
        let mut definitions: HashMap<Rc<str>, Vec<Definition>> = HashMap::new();
        for (unit, (tree, options)) in units.iter().enumerate().filter(|(_, (_, o))| !o.is_model) {
            let names = LinkNames::collect(tree);
            let own = tree.items.iter().flat_map(defined);
            let own = own.map(|(name, is_inline)| (&name.name, name.range, is_inline));
            let aliases = names.seen_elsewhere.iter().map(|(name, range)| (name, *range, false));
            for (name, range, is_inline) in own.chain(aliases) {
                let strength = match names.is_weak(name) {
                    true => Strength::Weak,
                    false if is_inline => Strength::Inline,
                    false => Strength::Plain,
                };
                let range = range.moved(options.offset);
                let of_name = definitions.entry(name.clone()).or_default();
                of_name.push(Definition { unit, strength, range });
            }
        }
        let mut counting = HashMap::new();
        for (name, definitions) in definitions {
            let weak = definitions.iter().find(|one| one.strength == Strength::Weak);
            let Some(weak) = weak else { continue };
            let plain = definitions.iter().find(|one| one.strength == Strength::Plain);
            let inline = definitions.iter().find(|one| one.strength == Strength::Inline);
            if let Some(inline) = inline {
                let message = format!(
                    "`{name}` is weak here and inline in another file, which is not modelled"
                );
                return disagreement(weak.range, inline.range, message);
            }
            counting.insert(name, plain.unwrap_or(weak).unit);
        }
        Ok(WeakDefinitions { counting })
    }

    /// Does the definition of another unit count than that of this one?
    pub fn is_replaced(&self, name: &str, unit: usize) -> bool {
        self.counting.get(name).is_some_and(|counting| *counting != unit)
    }
}

/// The names that an item defines for the linker other than as aliases, and whether it does so inline.
fn defined(item: &Item) -> Vec<(&Ident, bool)> {
    match item {
        Item::Function(FunctionDef { specifiers, declarator, .. }) => {
            let name = declarator.name.as_ref().filter(|_| is_external(specifiers));
            name.map(|name| (name, specifiers.inline)).into_iter().collect()
        }
        Item::Declaration(d) if is_external(&d.specifiers) => {
            let is_defined = |declarator: &Declarator, has_init: bool| {
                let attributes = [&d.specifiers.attributes, &declarator.attributes];
                let has =
                    |name| attributes.iter().any(|own: &&Vec<Attribute>| has_attribute(own, name));
                let is_function =
                    matches!(declarator.derived.first(), Some(Derived::Function { .. }));
                let is_extern = d.specifiers.storage == Some(Storage::Extern);
                let is_alias = has("alias") || has("weakref");
                !is_alias && !is_function && (has_init || !is_extern)
            };
            let defined =
                d.declarators.iter().filter(|one| is_defined(&one.declarator, one.init.is_some()));
            defined
                .filter_map(|one| one.declarator.name.as_ref())
                .map(|name| (name, false))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn is_external(specifiers: &Specifiers) -> bool {
    !matches!(specifiers.storage, Some(Storage::Static | Storage::Typedef))
}
