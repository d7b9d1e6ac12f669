//! Text to templates: parameters, locals, locations and steps.

use super::ParseError;
use super::lex::{At, Kind};
use super::parse::Parser;
use super::print::default_entry;
use super::syntax::Name;
use super::words::LIMITS;
use crate::expr::Expr;
use crate::program::{
    Assign, Edge, ErrorKind, Init, LocId, LocKind, Location, Place, Rhs, Template, Var,
};
use crate::undefined::Undefined;
use std::collections::{HashMap, HashSet};

/// How a location is written.
#[derive(Clone, PartialEq, Eq, Hash)]
enum LocationLabel {
    Named(String),
    Nameless(u32),
}

/// A template while it is read.
pub(super) struct Body<'p> {
    parser: &'p mut Parser,
    at: At,
    template: Template,
    labels: HashMap<LocationLabel, LocId>,
    declared: HashSet<LocId>,
    entry: Option<(At, LocationLabel)>,
}

impl<'p> Body<'p> {
    /// A template of this name.
    pub fn new(parser: &'p mut Parser, name: Name) -> Result<Body<'p>, ParseError> {
        let mut body = Body {
            parser,
            at: name.at,
            template: Template { name: name.text, ..Template::default() },
            labels: HashMap::new(),
            declared: HashSet::new(),
            entry: None,
        };
        body.params()?;
        Ok(body)
    }

    /// `(me: u8, _)`
    fn params(&mut self) -> Result<(), ParseError> {
        self.parser.reader.expect("(")?;
        while !self.parser.reader.accept(")") {
            if self.template.params > 0 {
                self.parser.reader.expect(",")?;
            }
            if !self.parser.reader.accept_word("_") {
                let name = self.new_local()?;
                self.parser.reader.expect(":")?;
                let ty = self.parser.ty()?;
                let init = Init::Param(self.template.params);
                let origin = self.parser.origin()?;
                let var = Var { origin, ..Var::new(name.text, ty, None, init) };
                self.parser.scope.locals.add(var);
            }
            self.template.params += 1;
        }
        Ok(())
    }

    fn new_local(&mut self) -> Result<Name, ParseError> {
        let name = self.parser.reader.name("the name of a variable")?;
        if self.parser.scope.locals.contains(&name.text) {
            return Err(name.at.error(format!("`{}` is declared twice", name.text)));
        }
        Ok(name)
    }

    /// What stands between the braces.
    pub fn read(mut self) -> Result<Template, ParseError> {
        self.parser.reader.expect("{")?;
        while !self.parser.reader.accept("}") {
            self.item()?;
        }
        self.resolve_entry()?;
        self.template.locals = std::mem::take(&mut self.parser.scope.locals).vars;
        Ok(self.template)
    }

    fn item(&mut self) -> Result<(), ParseError> {
        let is_edge = *self.parser.reader.peek_at(1) == Kind::Symbol("->");
        let word = match self.parser.reader.peek() {
            Kind::Word(word) if !is_edge => word.clone(),
            _ => return self.edge(),
        };
        match word.as_str() {
            "local" => {
                self.parser.reader.advance();
                let name = self.new_local()?;
                let var = self.parser.variable(name, Some(self.template.params))?;
                self.parser.scope.locals.add(var);
                Ok(())
            }
            "entry" => {
                self.parser.reader.advance();
                let at = self.parser.reader.at();
                let label = self.label()?;
                match self.entry.replace((at, label)) {
                    None => Ok(()),
                    Some(_) => Err(at.error("the entry is given twice")),
                }
            }
            "atomic" | "resting" | "location" | "error" | "undefined" | "limit" => {
                self.declaration()
            }
            _ => self.edge(),
        }
    }

    /// `[atomic] [resting] location …`, `error NAME: TEXT`, `undefined NAME: KIND`, `limit KIND NAME: TEXT`
    fn declaration(&mut self) -> Result<(), ParseError> {
        let atomic = self.parser.reader.accept_word("atomic");
        let resting = self.parser.reader.accept_word("resting");
        let manner = Location { atomic, resting, ..Location::default() };
        if self.parser.reader.accept_word("location") {
            self.declare(&manner, |_| Ok(LocKind::Plain))?;
            while self.parser.reader.accept(",") {
                self.declare(&manner, |_| Ok(LocKind::Plain))?;
            }
            Ok(())
        } else if self.parser.reader.accept_word("error") {
            self.declare(&manner, Body::error)
        } else if self.parser.reader.accept_word("undefined") {
            self.declare(&manner, Body::undefined)
        } else if self.parser.reader.accept_word("limit") {
            let Some(limit) = self.parser.reader.one_of(&LIMITS) else {
                return self.parser.reader.expected("`unsupported` or `bound`");
            };
            self.declare(&manner, |body| {
                body.parser.reader.expect(":")?;
                Ok(LocKind::Limit(limit, body.parser.text()?))
            })
        } else {
            self.parser.reader.expected("`location`, `error`, `undefined` or `limit`")
        }
    }

    /// `: TEXT` or `: call TEXT`
    fn error(&mut self) -> Result<LocKind, ParseError> {
        self.parser.reader.expect(":")?;
        Ok(LocKind::Error(match self.parser.reader.accept_word("call") {
            true => ErrorKind::Call(self.parser.text()?),
            false => ErrorKind::Assertion(self.parser.text()?),
        }))
    }

    /// `: KIND`
    fn undefined(&mut self) -> Result<LocKind, ParseError> {
        self.parser.reader.expect(":")?;
        if let Kind::Word(word) = self.parser.reader.peek()
            && let Some(kind) = Undefined::named(word)
        {
            self.parser.reader.advance();
            return Ok(LocKind::Undefined(kind));
        }
        self.parser.reader.expected("a kind of undefined behaviour")
    }

    /// One location with what it means to be there, and its span.
    fn declare(
        &mut self,
        manner: &Location,
        kind: impl Fn(&mut Self) -> Result<LocKind, ParseError>,
    ) -> Result<(), ParseError> {
        let at = self.parser.reader.at();
        let id = self.location()?;
        if !self.declared.insert(id) {
            return Err(at.error("this location is declared twice"));
        }
        let (kind, span) = (kind(self)?, self.parser.span()?);
        let location = &mut self.template.locations[id.index()];
        let name = std::mem::take(&mut location.name);
        *location = Location { name, kind, span, ..manner.clone() };
        Ok(())
    }

    /// `SOURCE -> TARGET: when GUARD then ASSIGNMENTS { ACCESSES } @… call …`
    fn edge(&mut self) -> Result<(), ParseError> {
        let source = self.location()?;
        self.parser.reader.expect("->")?;
        let target = self.location()?;
        let mut edge = Edge::new(source, target, Expr::TRUE, vec![]);
        if self.parser.reader.accept(":") {
            let guarded = self.parser.reader.accept_word("when");
            if guarded {
                let ast = self.parser.reader.expr()?;
                edge.guard = self.parser.scope.typed(&ast, crate::Type::Bool)?;
            }
            if !guarded || self.parser.reader.accept_word("then") {
                self.assign(&mut edge.assigns)?;
                while self.parser.reader.accept(",") {
                    self.assign(&mut edge.assigns)?;
                }
            }
        }
        edge.accesses = self.parser.accesses()?;
        edge.span = self.parser.span()?;
        edge.call = self.parser.call_id()?;
        self.template.edges.push(edge);
        Ok(())
    }

    /// `x := e`, `x[e] := e`, `x := any`
    fn assign(&mut self, assigns: &mut Vec<Assign>) -> Result<(), ParseError> {
        let Parser { reader, scope, .. } = &mut *self.parser;
        let name = reader.variable("`when` or a variable to assign")?;
        let (var, declared) = scope.variable(&name)?;
        let place = if reader.accept("[") {
            let index = reader.expr()?;
            reader.expect("]")?;
            scope.array(&name)?;
            Place::Element(var, scope.index(&index)?)
        } else {
            Place::Var(var)
        };
        if assigns.iter().any(|other| collide(&other.place, &place)) {
            return Err(name.at.error(format!("`{}` is assigned twice", name.text)));
        }
        reader.expect(":=")?;
        let value = if reader.accept_word("any") {
            Rhs::Havoc
        } else if declared.len.is_some() && matches!(place, Place::Var(_)) {
            let message = format!("`{}` is an array: which element?", name.text);
            return Err(name.at.error(message));
        } else {
            Rhs::Expr(scope.typed(&reader.expr()?, declared.ty)?)
        };
        assigns.push(Assign { place, value });
        Ok(())
    }

    /// A mention of a location.
    fn location(&mut self) -> Result<LocId, ParseError> {
        let label = self.label()?;
        let next = LocId(self.template.locations.len() as u32);
        let name = match &label {
            LocationLabel::Named(name) => name.clone(),
            LocationLabel::Nameless(_) => String::new(),
        };
        let id = *self.labels.entry(label).or_insert(next);
        if id == next {
            self.template.locations.push(Location { name, ..Location::default() });
        }
        Ok(id)
    }

    fn label(&mut self) -> Result<LocationLabel, ParseError> {
        if let Kind::Nameless(number) = *self.parser.reader.peek() {
            self.parser.reader.advance();
            return Ok(LocationLabel::Nameless(number));
        }
        self.parser.reader.name("a location").map(|name| LocationLabel::Named(name.text))
    }

    fn resolve_entry(&mut self) -> Result<(), ParseError> {
        let (at, id) = match &self.entry {
            None => (self.at, Some(default_entry(&self.template))),
            Some((at, label)) => (*at, self.labels.get(label).copied()),
        };
        let Some(id) = id else { return Err(at.error("the entry is no location of the template")) };
        match self.template.locations.get(id.index()) {
            None => Err(at.error("this template has no location")),
            Some(location) if location.atomic => Err(at.error("the entry cannot be atomic")),
            Some(_) => {
                self.template.entry = id;
                Ok(())
            }
        }
    }
}

/// Are these one place, as far as can be seen?
fn collide(a: &Place, b: &Place) -> bool {
    match (a, b) {
        (Place::Element(a, i), Place::Element(b, j)) => a == b && i == j,
        (Place::Var(a) | Place::Element(a, _), Place::Var(b) | Place::Element(b, _)) => a == b,
    }
}
