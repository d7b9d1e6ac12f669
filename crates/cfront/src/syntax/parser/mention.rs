//! Which names a text mentions: its words, also those in string literals and pragmas (which can give a thing a second name), but
//! for the names of functions that are declared at file scope and nothing more. Headers declare many functions; who uses one
//! mentions it once more.

use crate::syntax::ast::{Derived, Item, Storage, TranslationUnit};
use crate::syntax::lexer::Tokens;
use crate::syntax::lexer::token::TokenKind;
use rustc_hash::FxHashSet as HashSet;
use std::rc::Rc;

/// Names.
pub type Mentions = HashSet<Rc<str>>;

pub(super) fn mentions(tokens: &Tokens, unit: &TranslationUnit) -> Mentions {
    let (mut times, mut found) = (vec![0_u32; tokens.names.len()], Mentions::default());
    let mut read = |text: &str| {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        found.extend(words.map(Rc::from));
    };
    for token in &tokens.tokens {
        match token.kind {
            TokenKind::Ident => times[token.data as usize] += 1,
            TokenKind::Str => read(tokens.literal(*token)),
            _ => {}
        }
    }
    tokens.pragmas.iter().for_each(|pragma| read(&pragma.text));
    for symbol in unit.items.iter().flat_map(only_declared).filter_map(|name| tokens.symbol(name)) {
        times[symbol as usize] -= 1;
    }
    let mentioned = tokens.names.iter().zip(times).filter(|(_, times)| *times > 0);
    found.extend(mentioned.map(|(name, _)| name.clone()));
    found
}

/// The names of the functions that an item declares and does not define.
fn only_declared(item: &Item) -> Vec<&str> {
    match item {
        Item::Declaration(declared) if declared.specifiers.storage != Some(Storage::Typedef) => {
            let declarators = declared.declarators.iter().map(|init| &init.declarator);
            let functions = declarators.filter(|declarator| {
                matches!(declarator.derived.first(), Some(Derived::Function { .. }))
            });
            functions.filter_map(|function| Some(&*function.name.as_ref()?.name)).collect()
        }
        _ => Vec::new(),
    }
}
