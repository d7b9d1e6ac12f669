//! Our own library of models: thread and C library functions, written in C in
//! terms of a few intrinsics (`library/10-core.c` declares them) and lowered
//! together with the user's program.
//!
//! Most programs use few of its functions. The bodies of those whose names the program does not mention, nor another body that is
//! there, are left out before the text is read. All functions stay declared as they are; should one that was left out be
//! called all the same, that is a model limit.

use crate::hir::Unit;
use crate::syntax::Mentions;
use crate::syntax::ast::TranslationUnit;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::ops::Range;

const TEXTS: [&str; 9] = [
    include_str!("../library/10-core.c"),
    include_str!("../library/20-mutex.c"),
    include_str!("../library/30-cond-barrier-sem.c"),
    include_str!("../library/40-threads.c"),
    include_str!("../library/50-c11.c"),
    include_str!("../library/60-win32.c"),
    include_str!("../library/70-libc.c"),
    include_str!("../library/80-format.c"),
    include_str!("../library/90-bits.c"),
];

/// What is called by the front end itself, or stands for what is; no program mentions it.
const OWN: &str = "__rely_";

/// The library, as far as a program needs it.
pub struct Library {
    pub unit: TranslationUnit,
    left_out: HashSet<String>,
}

/// A function in the text.
struct Definition {
    name: Range<usize>,
    /// With its braces.
    body: Range<usize>,
    is_static: bool,
}

impl Library {
    /// The library for a program that mentions these names.
    pub fn parse(mentioned: &Mentions) -> Library {
        let text = TEXTS.concat();
        let definitions = definitions(&text);
        let is_needed = needed(&text, &definitions, mentioned);
        let (mut kept, mut kept_to) = (String::with_capacity(text.len()), 0);
        let mut left_out = HashSet::default();
        for (definition, _) in definitions.iter().zip(is_needed).filter(|(_, needed)| !needed) {
            kept.push_str(&text[kept_to..definition.body.start]);
            kept.push_str("{}");
            kept_to = definition.body.end;
            left_out.insert(text[definition.name.clone()].to_string());
        }
        kept.push_str(&text[kept_to..]);
        Library { unit: parse(&kept), left_out }
    }

    /// Notes which functions of the program have no body because they were left out.
    pub fn mark(&self, unit: &mut Unit) {
        for function in &mut unit.functions {
            let is_empty = function.body.as_ref().is_some_and(Vec::is_empty);
            if function.is_model && is_empty && self.left_out.contains(&function.name) {
                function.limit = Some(format!("`{}`, which was not expected", function.name));
            }
        }
    }
}

fn parse(text: &str) -> TranslationUnit {
    match crate::syntax::parse(text) {
        Ok(unit) => unit,
        Err(error) => {
            let line = text[..error.range.lo as usize].lines().count();
            panic!("the library of models should parse: line {line}: {}", error.message)
        }
    }
}

/// Which of the functions a program needs that mentions these names: those, and whatever their bodies mention.
fn needed(text: &str, definitions: &[Definition], mentioned: &Mentions) -> Vec<bool> {
    let name = |definition: &Definition| &text[definition.name.clone()];
    let by_name: HashMap<&str, usize> = definitions.iter().map(name).zip(0..).collect();
    let builtins: HashSet<&str> = mentioned.iter().filter_map(|name| plain_builtin(name)).collect();
    let is_first = |definition: &Definition| {
        let name = name(definition);
        let is_own = name.starts_with(OWN) && !definition.is_static;
        is_own || mentioned.contains(name) || builtins.contains(name)
    };
    let mut waiting: Vec<usize> =
        (0..definitions.len()).filter(|at| is_first(&definitions[*at])).collect();
    let mut is_needed = vec![false; definitions.len()];
    while let Some(at) = waiting.pop() {
        if !std::mem::replace(&mut is_needed[at], true) {
            let body = &text[definitions[at].body.clone()];
            waiting.extend(words(body).filter_map(|word| by_name.get(word)));
        }
    }
    is_needed
}

/// The function that gcc calls `__builtin_NAME`, or `__builtin___NAME_chk`.
fn plain_builtin(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("__builtin_")?;
    Some(rest.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk")).unwrap_or(rest))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_letter(c as u8)).filter(|word| !word.is_empty())
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The functions that the text defines. A body is the brace at the top that follows a parenthesis; the name stands before the first
/// parenthesis. (A test compares this with what the parser finds.)
fn definitions(text: &str) -> Vec<Definition> {
    let bytes = text.as_bytes();
    let (mut found, mut depth, mut at) = (Vec::new(), 0, 0);
    // Of the item at hand: where it begins, its first parenthesis; the last byte that is no space; where its first brace opens.
    let (mut item, mut parenthesis, mut last, mut opens) = (0, None, b';', (0, false));
    while let Some(&byte) = bytes.get(at) {
        let begins = at;
        at += 1;
        match byte {
            b'/' if bytes.get(at) == Some(&b'*') => {
                at += text[at..].find("*/").map_or(text.len() - at, |end| end + 2);
                continue;
            }
            b'"' | b'\'' => at = after_literal(bytes, begins),
            b'(' if depth == 0 => drop(parenthesis.get_or_insert(begins)),
            b'{' => {
                if depth == 0 {
                    opens = (begins, last == b')');
                }
                depth += 1;
            }
            b'}' => depth -= 1,
            byte if byte.is_ascii_whitespace() => continue,
            _ => {}
        }
        last = byte;
        let is_body = byte == b'}' && opens.1;
        if depth == 0 && (is_body || byte == b';') {
            if let (true, Some(parenthesis)) = (is_body, parenthesis) {
                let head = &text[item..parenthesis];
                let start =
                    head.rfind(|c: char| !is_letter(c as u8)).map_or(0, |before| before + 1);
                let is_static = words(head).any(|word| word == "static");
                let name = item + start..parenthesis;
                found.push(Definition { name, body: opens.0..at, is_static });
            }
            (item, parenthesis) = (at, None);
        }
    }
    found
}

/// Where a string or a character ends that begins here.
fn after_literal(bytes: &[u8], begins: usize) -> usize {
    let mut at = begins + 1;
    while at < bytes.len() && bytes[at] != bytes[begins] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::{TEXTS, definitions, needed, parse};
    use crate::syntax::ast::{Item, Storage};
    use ccfa::Undefined;

    /// A kind that is not known would be "not supported" instead of undefined.
    #[test]
    fn undefined_behaviour_is_of_known_kinds() {
        let mut named = 0;
        for text in TEXTS {
            for rest in text.split("__rely_undefined(\"").skip(1) {
                let name = rest.split('"').next().unwrap_or_default();
                assert!(Undefined::named(name).is_some(), "`{name}` is no kind");
                named += 1;
            }
        }
        assert!(named > 50, "only {named} found");
    }

    #[test]
    fn functions_are_found_without_the_parser() {
        let text = TEXTS.concat();
        let unit = parse(&text);
        let parsed: Vec<(&str, u32, bool)> = unit
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Function(function) => Some(function),
                _ => None,
            })
            .map(|function| {
                let name = function.declarator.name.as_ref().map_or("", |name| &name.name);
                let is_static = function.specifiers.storage == Some(Storage::Static);
                (name, function.range.hi, is_static)
            })
            .collect();
        let definitions = definitions(&text);
        let found: Vec<(&str, u32, bool)> = definitions
            .iter()
            .map(|found| (&text[found.name.clone()], found.body.end as u32, found.is_static))
            .collect();
        assert_eq!(found, parsed);
    }

    #[test]
    fn what_a_needed_function_calls_is_needed() {
        let text = "static int a(void) { return 1; } int b(void) { return a(); /* } */ } int c(void) { return '}'; }";
        let is_needed = |names: &[&str]| {
            let mentioned = names.iter().map(|name| (*name).into()).collect();
            needed(text, &definitions(text), &mentioned)
        };
        assert_eq!(is_needed(&[]), [false, false, false]);
        assert_eq!(is_needed(&["b"]), [true, true, false]);
        assert_eq!(is_needed(&["__builtin_c"]), [false, false, true]);
        assert_eq!(is_needed(&["__builtin___a_chk"]), [true, false, false]);
    }
}
