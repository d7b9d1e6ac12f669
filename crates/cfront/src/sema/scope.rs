//! Scopes: what names and tags mean (C11, 6.2.1–6.2.3), innermost last.

use super::{Res, error};
use crate::hir::{FuncId, RecordId, TypeId, VarId};
use crate::syntax::ast::Range;
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// What a name means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol {
    Var(VarId),
    Function(FuncId),
    /// An enumeration constant.
    Constant(i128, TypeId),
    /// A type name, with the alignment its attributes demand.
    Typedef(TypeId, Option<u64>),
}

/// What a tag means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(TypeId),
}

/// The names and tags of one file, block or parameter list.
#[derive(Default)]
pub(super) struct Scope {
    pub symbols: HashMap<Rc<str>, Symbol>,
    pub tags: HashMap<Rc<str>, Tag>,
}

/// All scopes around the text that is being read. The first is the file's.
pub(super) struct Scopes {
    file: Scope,
    blocks: Vec<Scope>,
}

impl Scopes {
    pub fn new() -> Scopes {
        Scopes { file: Scope::default(), blocks: Vec::new() }
    }

    pub fn push(&mut self) {
        self.blocks.push(Scope::default());
    }

    pub fn pop(&mut self) {
        self.blocks.pop();
    }

    /// Leaves all blocks.
    pub fn unwind(&mut self) {
        self.blocks.clear();
    }

    /// The scope of the file.
    pub fn file(&self) -> &Scope {
        &self.file
    }

    /// The scope of the file, to change it.
    pub fn file_mut(&mut self) -> &mut Scope {
        &mut self.file
    }

    /// The innermost scope.
    pub fn innermost(&self) -> &Scope {
        self.blocks.last().unwrap_or(&self.file)
    }

    fn innermost_mut(&mut self) -> &mut Scope {
        self.blocks.last_mut().unwrap_or(&mut self.file)
    }

    pub fn at_file_scope(&self) -> bool {
        self.blocks.is_empty()
    }

    fn outwards(&self) -> impl Iterator<Item = &Scope> {
        self.blocks.iter().rev().chain([&self.file])
    }

    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.outwards().find_map(|scope| scope.symbols.get(name).copied())
    }

    pub fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.outwards().find_map(|scope| scope.tags.get(name).copied())
    }

    /// Enters a name into the innermost scope.
    pub fn bind(&mut self, name: &Rc<str>, symbol: Symbol) {
        self.innermost_mut().symbols.insert(name.clone(), symbol);
    }

    /// Enters a name that must be new in its block.
    pub fn bind_new(&mut self, name: &Rc<str>, symbol: Symbol, range: Range) -> Res<()> {
        if self.innermost().symbols.contains_key(name) {
            return error(range, format!("`{name}` is declared twice in one block"));
        }
        self.bind(name, symbol);
        Ok(())
    }

    /// Enters a tag into the innermost scope.
    pub fn bind_tag(&mut self, name: &Rc<str>, tag: Tag) {
        self.innermost_mut().tags.insert(name.clone(), tag);
    }

    /// A declared name that differs only a little.
    pub fn similar_name(&self, name: &str) -> Option<String> {
        let mut names: Vec<&str> = self
            .outwards()
            .flat_map(|scope| scope.symbols.keys())
            .map(|key| &**key)
            .filter(|key| is_similar(key, name))
            .collect();
        names.sort_unstable();
        names.first().map(|key| (*key).to_string())
    }
}

/// Equal but for case, or for one character.
fn is_similar(a: &str, b: &str) -> bool {
    if a.eq_ignore_ascii_case(b) {
        return true;
    }
    if b.len() < 3 || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    prefix + suffix + 1 >= a.len().max(b.len())
}
