//! `struct`, `union` and `enum`.

use super::declaration::refuse_name_lists;
use super::scope::Meaning;
use super::specifier::refuse_storage;
use super::{Parse, Parser};
use crate::syntax::ast::{Enum, Expression, FieldDeclarator, Ident, Member, Record};
use crate::syntax::lexer::token::TokenKind;

impl Parser<'_> {
    pub(super) fn record(&mut self) -> Parse<Record> {
        let outside = self.enter()?;
        let keyword = self.bump();
        let is_union = keyword.kind == TokenKind::Union;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag()?;
        let mut members = (None, None);
        if self.kind() == TokenKind::LBrace {
            members.0 = Some(self.members()?);
            members.1 = self.packs.at(self.at - 1);
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return self.expected(match is_union {
                true => "a name or `{` after `union`",
                false => "a name or `{` after `struct`",
            });
        }
        self.leave(outside);
        let range = self.range_from(keyword.lo);
        Ok(Record { is_union, tag, members: members.0, attributes, pack: members.1, range })
    }

    fn tag(&mut self) -> Parse<Option<Ident>> {
        match self.kind() {
            TokenKind::Ident => Ok(Some(self.ident("as a tag")?)),
            _ => Ok(None),
        }
    }

    fn members(&mut self) -> Parse<Vec<Member>> {
        self.bump();
        let mut members = Vec::new();
        loop {
            match self.kind() {
                TokenKind::RBrace => break,
                TokenKind::Semicolon => drop(self.bump()),
                TokenKind::StaticAssert => {
                    members.push(Member::StaticAssert(self.static_assert()?))
                }
                _ => members.push(self.fields()?),
            }
        }
        self.bump();
        Ok(members)
    }

    /// `int a, b : 3;`. Like gcc, we do not insist on the last semicolon.
    fn fields(&mut self) -> Parse<Member> {
        if !self.starts_specifiers(self.at) && self.kind() != TokenKind::Extension {
            self.refuse_unknown_type()?;
            return self.expected("a member or `}`");
        }
        let specifiers = self.specifiers()?;
        refuse_storage(&specifiers)?;
        let mut declarators = Vec::new();
        if !matches!(self.kind(), TokenKind::Semicolon | TokenKind::RBrace) {
            declarators.push(self.field()?);
            while self.eat(TokenKind::Comma) {
                declarators.push(self.field()?);
            }
        }
        if self.kind() != TokenKind::RBrace {
            self.expect(TokenKind::Semicolon, "after the member")?;
        }
        Ok(Member::Fields { specifiers, declarators })
    }

    fn field(&mut self) -> Parse<FieldDeclarator> {
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let mut declarator = match self.kind() {
            TokenKind::Colon => None,
            _ => Some(self.named_declarator()?),
        };
        refuse_name_lists(declarator.as_ref().map_or(&[], |declarator| &declarator.derived))?;
        self.attributes(&mut attributes)?;
        let bits = match self.eat(TokenKind::Colon) {
            true => Some(self.assignment()?),
            false => None,
        };
        self.attributes(&mut attributes)?;
        if let Some(declarator) = &mut declarator {
            declarator.attributes.append(&mut attributes);
        }
        Ok(FieldDeclarator { declarator, attributes, bits })
    }

    pub(super) fn enumeration(&mut self) -> Parse<Enum> {
        let outside = self.enter()?;
        let start = self.bump().lo;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag()?;
        let mut constants = None;
        if self.eat(TokenKind::LBrace) {
            constants = Some(self.enum_constants()?);
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return self.expected("a name or `{` after `enum`");
        }
        self.leave(outside);
        Ok(Enum { tag, constants, attributes, range: self.range_from(start) })
    }

    fn enum_constants(&mut self) -> Parse<Vec<(Ident, Option<Expression>)>> {
        let mut constants = Vec::new();
        while self.kind() != TokenKind::RBrace {
            let symbol = self.token().data;
            let name = self.ident("for the constant of the enumeration")?;
            // Only `deprecated` and the like can stand here.
            self.attributes(&mut Vec::new())?;
            let value = match self.eat(TokenKind::Assign) {
                true => Some(self.assignment()?),
                false => None,
            };
            self.scopes.declare(symbol, Meaning::Other);
            constants.push((name, value));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RBrace, "after the constants of the enumeration")?;
        Ok(constants)
    }
}
