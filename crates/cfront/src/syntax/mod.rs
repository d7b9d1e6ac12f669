//! C text to a syntax tree: C11 with the GNU extensions, as gcc reads it.
//!
//! The text must be preprocessed. `ast` is the tree, `lexer` cuts the text into
//! tokens, `parser` builds the tree and knows which names are types, which is
//! all the meaning that C's grammar needs.

pub mod ast;
mod lexer;
mod parser;

pub use parser::{Mentions, is_unknown_attribute, parse, parse_with_mentions};
