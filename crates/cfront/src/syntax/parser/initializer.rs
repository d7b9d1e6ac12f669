//! Initialisers and designators.

use super::{Parse, Parser};
use crate::syntax::ast::{Designator, InitItem, Initializer};
use crate::syntax::lexer::token::TokenKind;

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parse<Initializer> {
        if self.kind() != TokenKind::LBrace {
            return Ok(Initializer::Expr(self.assignment()?));
        }
        let start = self.start();
        let items = self.initializer_list()?;
        Ok(Initializer::List(items, self.range_from(start)))
    }

    /// `{ … }`; empty lists and a final comma are allowed.
    pub(super) fn initializer_list(&mut self) -> Parse<Vec<InitItem>> {
        let outside = self.enter()?;
        self.expect(TokenKind::LBrace, "to begin the initialiser")?;
        let mut items = Vec::new();
        while self.kind() != TokenKind::RBrace {
            items.push(self.initializer_item()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RBrace, "or `,` in the initialiser")?;
        self.leave(outside);
        Ok(items)
    }

    fn initializer_item(&mut self) -> Parse<InitItem> {
        let designators = match (self.kind(), self.kind_ahead(1)) {
            (TokenKind::Ident, TokenKind::Colon) => {
                let field = self.ident("of a field")?;
                self.bump();
                vec![Designator::Field(field)]
            }
            (TokenKind::Dot | TokenKind::LBracket, _) => {
                let designators = self.designators()?;
                // Old GNU C: `[2] 5`.
                let may_lack_assign = !matches!(designators.last(), Some(Designator::Field(_)));
                if !self.eat(TokenKind::Assign) && !may_lack_assign {
                    return self.expected("`=` after the designator");
                }
                designators
            }
            _ => Vec::new(),
        };
        Ok(InitItem { designators, value: self.initializer()? })
    }

    /// `.a[3].b`; may be empty.
    pub(super) fn designators(&mut self) -> Parse<Vec<Designator>> {
        let mut designators = Vec::new();
        loop {
            match self.kind() {
                TokenKind::Dot => {
                    self.bump();
                    designators.push(Designator::Field(self.ident("of a field after `.`")?));
                }
                TokenKind::LBracket => designators.push(self.index_designator()?),
                _ => return Ok(designators),
            }
        }
    }

    fn index_designator(&mut self) -> Parse<Designator> {
        self.bump();
        let low = self.expr()?;
        let designator = match self.eat(TokenKind::Ellipsis) {
            true => Designator::Range(low, self.expr()?),
            false => Designator::Index(low),
        };
        self.expect(TokenKind::RBracket, "after the index")?;
        Ok(designator)
    }
}
