//! Declarations and function definitions, at file scope and in blocks.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{Parse, Parser, fail_at};
use crate::extensions::{self, Standing};
use crate::syntax::ast::{
    Block, Declaration, Declarator, Derived, FunctionDef, InitDeclarator, Item, Param, Pragma,
    Specifiers, Storage, TranslationUnit,
};
use crate::syntax::lexer::token::TokenKind;

/// What begins with declaration specifiers.
pub(super) enum Declared {
    Declaration(Declaration),
    Function(Box<FunctionDef>),
}

impl Parser<'_> {
    pub(super) fn translation_unit(&mut self) -> Parse<TranslationUnit> {
        let mut unit = TranslationUnit::default();
        loop {
            match self.kind() {
                TokenKind::End => {
                    unit.pragmas = self.pragmas();
                    unit.unknown_attributes = std::mem::take(&mut self.unknown_attributes);
                    return Ok(unit);
                }
                TokenKind::Semicolon => drop(self.bump()),
                _ => {
                    let item = self.item()?;
                    unit.items.push(item);
                    self.height = 0;
                }
            }
        }
    }

    /// The pragmas that may change the meaning and are not part of the tree: a `pack` that is
    /// understood is in the records it is about.
    fn pragmas(&self) -> Vec<Pragma> {
        let pragmas = self.tokens.pragmas.iter().enumerate().filter(|(number, pragma)| {
            let is_pack = extensions::words(&pragma.text).next() == Some("pack");
            match extensions::pragma(&pragma.text) {
                Standing::Harmless => false,
                Standing::Modelled if is_pack => self.packs.unclear.contains(number),
                Standing::Modelled | Standing::Limit => true,
            }
        });
        pragmas
            .map(|(_, pragma)| Pragma { text: pragma.text.clone(), range: pragma.range })
            .collect()
    }

    fn item(&mut self) -> Parse<Item> {
        let mut at = self.at;
        while self.kind_at(at) == TokenKind::Extension {
            at += 1;
        }
        match self.kind_at(at) {
            TokenKind::StaticAssert => {
                self.at = at;
                Ok(Item::StaticAssert(self.static_assert()?))
            }
            TokenKind::Asm => {
                self.at = at;
                Ok(Item::Asm(self.asm_statement()?))
            }
            TokenKind::Ident | TokenKind::Star | TokenKind::LParen => self.declared_item(),
            _ if self.starts_specifiers(at) => self.declared_item(),
            _ => self.expected("a declaration"),
        }
    }

    fn declared_item(&mut self) -> Parse<Item> {
        Ok(match self.declaration_or_function()? {
            Declared::Declaration(declaration) => Item::Declaration(declaration),
            Declared::Function(function) => Item::Function(*function),
        })
    }

    /// A declaration with its semicolon, or a function with its body.
    pub(super) fn declaration_or_function(&mut self) -> Parse<Declared> {
        let start = self.start();
        let specifiers = self.specifiers()?;
        if self.kind() == TokenKind::Semicolon {
            return Ok(Declared::Declaration(self.finish_declaration(
                start,
                specifiers,
                Vec::new(),
            )?));
        }
        let first = self.init_free_declarator()?;
        if self.is_function_body(&specifiers, &first) {
            let function = self.function(start, specifiers, first)?;
            return Ok(Declared::Function(Box::new(function)));
        }
        let mut declarators = vec![self.init_declarator(first, specifiers.storage)?];
        while self.eat(TokenKind::Comma) {
            let mut attributes = Vec::new();
            self.attributes(&mut attributes)?;
            let mut declarator = self.init_free_declarator()?;
            declarator.attributes.append(&mut attributes);
            declarators.push(self.init_declarator(declarator, specifiers.storage)?);
        }
        let declaration = self.finish_declaration(start, specifiers, declarators)?;
        Ok(Declared::Declaration(declaration))
    }

    /// A declaration where no function can be defined.
    pub(super) fn declaration(&mut self) -> Parse<Declaration> {
        match self.declaration_or_function()? {
            Declared::Declaration(declaration) => Ok(declaration),
            Declared::Function(function) => {
                fail_at(function.declarator.range, "a function cannot be defined here".to_string())
            }
        }
    }

    fn finish_declaration(
        &mut self,
        start: u32,
        specifiers: Specifiers,
        declarators: Vec<InitDeclarator>,
    ) -> Parse<Declaration> {
        self.expect(TokenKind::Semicolon, "after the declaration")?;
        Ok(Declaration { specifiers, declarators, range: self.range_from(start) })
    }

    /// A declarator with what follows it up to `=`.
    fn init_free_declarator(&mut self) -> Parse<Declarator> {
        let mut declarator = self.named_declarator()?;
        self.declarator_attributes(&mut declarator.attributes)?;
        Ok(declarator)
    }

    /// The name is known in its own initialiser.
    fn init_declarator(
        &mut self,
        declarator: Declarator,
        storage: Option<Storage>,
    ) -> Parse<InitDeclarator> {
        refuse_name_lists(&declarator.derived)?;
        self.declare(&declarator, storage);
        let init = match self.eat(TokenKind::Assign) {
            true => Some(self.initializer()?),
            false => None,
        };
        Ok(InitDeclarator { declarator, init })
    }

    /// Whether a body, or old-style parameter declarations and a body, follow.
    fn is_function_body(&self, specifiers: &Specifiers, declarator: &Declarator) -> bool {
        let is_function = matches!(declarator.derived.first(), Some(Derived::Function { .. }));
        is_function
            && specifiers.storage != Some(Storage::Typedef)
            && (self.kind() == TokenKind::LBrace
                || !old_style_params(declarator).is_empty() && self.starts_specifiers(self.at))
    }

    fn function(
        &mut self,
        start: u32,
        specifiers: Specifiers,
        mut declarator: Declarator,
    ) -> Parse<FunctionDef> {
        refuse_name_lists(&declarator.derived[1..])?;
        self.declare(&declarator, specifiers.storage);
        self.scopes.open();
        if self.kind() != TokenKind::LBrace {
            self.old_style_declarations(&mut declarator)?;
        }
        if let Some(Derived::Function { params, .. }) = declarator.derived.first() {
            for param in params {
                self.declare(&param.declarator, None);
            }
        }
        let body = self.function_body()?;
        self.scopes.close();
        let words = self.hash_from(declarator.name.as_ref().map_or(start, |name| name.range.lo));
        Ok(FunctionDef { specifiers, declarator, body, words, range: self.range_from(start) })
    }

    /// A hash of the words from an offset to the last one that was taken.
    fn hash_from(&self, lo: u32) -> u64 {
        let taken = self.tokens.tokens[..self.at].iter().rev();
        let mut hasher = DefaultHasher::new();
        for token in taken.take_while(|token| token.lo >= lo) {
            self.text[token.lo as usize..token.hi as usize].hash(&mut hasher);
        }
        hasher.finish()
    }

    fn function_body(&mut self) -> Parse<Block> {
        let outside = self.enter()?;
        let body = self.block()?;
        self.leave(outside);
        Ok(body)
    }

    /// `int f(a, b) int a; char b; { … }`: gives the parameters their types.
    fn old_style_declarations(&mut self, declarator: &mut Declarator) -> Parse<()> {
        let Some(Derived::Function { params, .. }) = declarator.derived.first_mut() else {
            return Ok(());
        };
        let names =
            params.iter().map(|param| param.declarator.name.as_ref().map(|name| name.name.clone()));
        let indices: HashMap<_, _> = names.zip(0..).collect();
        while self.kind() != TokenKind::LBrace {
            if !self.starts_specifiers(self.at) && self.kind() != TokenKind::Extension {
                return self.expected("`{` or the declaration of a parameter");
            }
            let Declaration { specifiers, declarators, .. } = self.declaration()?;
            for InitDeclarator { declarator, .. } in declarators {
                let name = declarator.name.as_ref().map(|name| name.name.clone());
                let Some(&index) = indices.get(&name) else {
                    let name = name.unwrap_or_default();
                    return fail_at(declarator.range, format!("`{name}` is not a parameter"));
                };
                let specifiers = specifiers.clone();
                params[index] = Param { specifiers, declarator };
            }
        }
        Ok(())
    }

    /// Whether a block item at the current token is a declaration.
    pub(super) fn is_declaration_ahead(&self) -> bool {
        let mut at = self.at;
        loop {
            match self.kind_at(at) {
                TokenKind::Extension => at += 1,
                TokenKind::Attribute => at = self.after_parentheses(at + 1),
                // Two names in a row: the first was meant to be a type.
                TokenKind::Ident if self.kind_at(at + 1) == TokenKind::Ident => return true,
                _ => return self.starts_specifiers(at),
            }
        }
    }
}

/// The parameters of a function that is declared with names only.
fn old_style_params(declarator: &Declarator) -> &[Param] {
    declarator.derived.first().map_or(&[], names_only)
}

fn names_only(step: &Derived) -> &[Param] {
    match step {
        Derived::Function { params, unprototyped: true, .. } => params,
        _ => &[],
    }
}

/// Only the function that is being defined may have parameters without types:
/// anywhere else, their names were meant to be types.
pub(super) fn refuse_name_lists(derived: &[Derived]) -> Parse<()> {
    match derived.iter().find_map(|step| names_only(step).first()) {
        Some(Param { declarator: Declarator { name: Some(name), .. }, .. }) => {
            fail_at(name.range, format!("unknown type name `{}`", name.name))
        }
        _ => Ok(()),
    }
}
