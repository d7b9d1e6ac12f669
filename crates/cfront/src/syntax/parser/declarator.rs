//! Declarators: pointers, arrays, functions and parentheses around a name.

use super::declaration::refuse_name_lists;
use super::scope::Meaning;
use super::{Parse, Parser, TOO_DEEP};
use crate::syntax::ast::{
    Attribute, Declarator, Derived, Param, Qualifiers, Range, Specifiers, Storage, TypeSpecifier,
};
use crate::syntax::lexer::token::TokenKind;

/// How many derivations a declarator may have: types are walked recursively.
const MAX_DERIVATIONS: usize = 256;

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// It must.
    Named,
    /// It must not: a type name.
    Abstract,
    /// It may: a parameter.
    Either,
}

impl Parser<'_> {
    pub(super) fn named_declarator(&mut self) -> Parse<Declarator> {
        self.declarator(Naming::Named)
    }

    pub(super) fn abstract_declarator(&mut self) -> Parse<Declarator> {
        let declarator = self.declarator(Naming::Abstract)?;
        refuse_name_lists(&declarator.derived)?;
        Ok(declarator)
    }

    fn declarator(&mut self, naming: Naming) -> Parse<Declarator> {
        let start = self.start();
        let first = self.at;
        let mut pointers = Vec::new();
        let mut attributes = Vec::new();
        while self.eat(TokenKind::Star) {
            let qualifiers = self.pointer_qualifiers(&mut attributes)?;
            self.derive(&mut pointers, Derived::Pointer(qualifiers))?;
        }
        let mut declarator = self.direct_declarator(naming)?;
        // The star next to the name binds first.
        for pointer in pointers.into_iter().rev() {
            self.derive(&mut declarator.derived, pointer)?;
        }
        declarator.attributes.append(&mut attributes);
        declarator.range = match self.at == first {
            true => Range { lo: start, hi: start },
            false => self.range_from(start),
        };
        Ok(declarator)
    }

    /// Without the pointers in front.
    fn direct_declarator(&mut self, naming: Naming) -> Parse<Declarator> {
        let mut declarator = Declarator {
            name: None,
            derived: Vec::new(),
            attributes: Vec::new(),
            range: Range::default(),
        };
        match self.kind() {
            TokenKind::Ident if naming != Naming::Abstract => {
                declarator.name = Some(self.ident("to declare")?);
            }
            TokenKind::LParen if naming == Naming::Named || self.is_nested_declarator() => {
                declarator = self.nested_declarator(naming)?;
            }
            _ if naming == Naming::Named => return self.expected("a name to declare"),
            _ => {}
        }
        self.suffixes(&mut declarator.derived)?;
        Ok(declarator)
    }

    /// In a declarator that may lack a name, `(` opens a list of parameters if
    /// it is followed by `)` or by a type, even if that is a typedef name (C11 6.7.6.3, 11).
    fn is_nested_declarator(&self) -> bool {
        let mut at = self.at + 1;
        while self.kind_at(at) == TokenKind::Attribute {
            at = self.after_parentheses(at + 1);
        }
        let kind = self.kind_at(at);
        !matches!(kind, TokenKind::RParen | TokenKind::Ellipsis) && !self.starts_specifiers(at)
    }

    fn nested_declarator(&mut self, naming: Naming) -> Parse<Declarator> {
        let outside = self.enter()?;
        self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let mut declarator = self.declarator(naming)?;
        declarator.attributes.append(&mut attributes);
        self.expect(TokenKind::RParen, "after the declarator")?;
        self.leave(outside);
        Ok(declarator)
    }

    fn derive(&self, derived: &mut Vec<Derived>, step: Derived) -> Parse<()> {
        if derived.len() >= MAX_DERIVATIONS {
            return self.fail(TOO_DEEP.to_string());
        }
        derived.push(step);
        Ok(())
    }

    /// Arrays and parameter lists after a declarator.
    fn suffixes(&mut self, derived: &mut Vec<Derived>) -> Parse<()> {
        loop {
            let step = match self.kind() {
                TokenKind::LBracket => self.array_suffix()?,
                TokenKind::LParen => self.parameters()?,
                _ => return Ok(()),
            };
            self.derive(derived, step)?;
        }
    }

    /// `[n]`, `[]`, `[*]`, `[static const n]`.
    fn array_suffix(&mut self) -> Parse<Derived> {
        self.bump();
        let mut is_restrict = false;
        while matches!(
            self.kind(),
            TokenKind::Static | TokenKind::Const | TokenKind::Volatile | TokenKind::Restrict
        ) {
            is_restrict |= self.kind() == TokenKind::Restrict;
            self.bump();
        }
        let is_star = self.kind() == TokenKind::Star && self.kind_ahead(1) == TokenKind::RBracket;
        let size = if self.kind() == TokenKind::RBracket {
            None
        } else if is_star {
            self.bump();
            None
        } else {
            Some(Box::new(self.expr()?))
        };
        self.expect(TokenKind::RBracket, "after the size of the array")?;
        Ok(Derived::Array(size, is_restrict))
    }

    fn parameters(&mut self) -> Parse<Derived> {
        let outside = self.enter()?;
        self.bump();
        self.scopes.open();
        let function = match (self.kind(), self.kind_ahead(1)) {
            (TokenKind::RParen, _) => function(Vec::new(), false, true),
            (TokenKind::Void, TokenKind::RParen) => {
                self.bump();
                function(Vec::new(), false, false)
            }
            (TokenKind::Ident, TokenKind::Comma | TokenKind::RParen)
                if !self.starts_specifiers(self.at) =>
            {
                function(self.old_style_names()?, false, true)
            }
            _ => self.parameter_list()?,
        };
        self.expect(TokenKind::RParen, "after the parameters")?;
        self.scopes.close();
        self.leave(outside);
        Ok(function)
    }

    /// The names of an old-style definition; their declarations follow later.
    fn old_style_names(&mut self) -> Parse<Vec<Param>> {
        let names = self.name_list("as a parameter")?;
        let implicit = |name: crate::syntax::ast::Ident| Param {
            specifiers: implicit_int(name.range),
            declarator: Declarator {
                range: name.range,
                name: Some(name),
                derived: Vec::new(),
                attributes: Vec::new(),
            },
        };
        Ok(names.into_iter().map(implicit).collect())
    }

    fn parameter_list(&mut self) -> Parse<Derived> {
        let mut params = Vec::new();
        loop {
            if self.eat(TokenKind::Ellipsis) {
                return Ok(function(params, true, false));
            }
            params.push(self.parameter()?);
            if self.eat(TokenKind::Semicolon) {
                // GNU C: `int n; int a[n], int n` announces `n` to the declarations after it.
                params.clear();
            } else if !self.eat(TokenKind::Comma) {
                return Ok(function(params, false, false));
            }
        }
    }

    fn parameter(&mut self) -> Parse<Param> {
        if !self.starts_specifiers(self.at) && self.kind() != TokenKind::Extension {
            return match self.kind() {
                TokenKind::Ident => self.fail(format!("unknown type name {}", self.found())),
                _ => self.expected("a parameter"),
            };
        }
        let specifiers = self.specifiers()?;
        let mut declarator = self.declarator(Naming::Either)?;
        refuse_name_lists(&declarator.derived)?;
        self.declarator_attributes(&mut declarator.attributes)?;
        self.declare(&declarator, specifiers.storage);
        Ok(Param { specifiers, declarator })
    }

    /// Makes the declared name known in the innermost scope.
    pub(super) fn declare(&mut self, declarator: &Declarator, storage: Option<Storage>) {
        let name = declarator.name.as_ref();
        if let Some(symbol) = name.and_then(|name| self.tokens.symbol(&name.name)) {
            let meaning = match storage {
                Some(Storage::Typedef) => Meaning::Typedef,
                _ => Meaning::Other,
            };
            self.scopes.declare(symbol, meaning);
        }
    }
}

fn function(params: Vec<Param>, variadic: bool, unprototyped: bool) -> Derived {
    Derived::Function { params, variadic, unprototyped }
}

/// The specifiers of a parameter that has none.
fn implicit_int(place: Range) -> Specifiers {
    Specifiers {
        storage: None,
        thread_local: false,
        inline: false,
        noreturn: false,
        qualifiers: Qualifiers::default(),
        ty: TypeSpecifier::Implicit,
        attributes: Vec::<Attribute>::new(),
        range: Range { lo: place.lo, hi: place.lo },
    }
}
