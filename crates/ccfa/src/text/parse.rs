//! Text to programs: the declarations outside of templates.
//!
//! Errors are found where they are written: ranges, types, names given twice.
//! What might still slip through is left to [`wellformed::check`].

use super::ParseError;
use super::body::Body;
use super::elaborate::{NameScope, Table, fitting};
use super::lex::{At, Kind, tokens};
use super::syntax::{Name, TokenReader};
use super::type_named;
use crate::expr::{Expr, Type};
use crate::program::{Arg, Count, Init, Program, Template, TemplateId, Thread, Var};
use crate::wellformed;
use std::collections::{HashMap, HashSet};

/// Reads a program.
pub(super) fn program(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser::new(TokenReader::new(tokens(text)?));
    while *parser.reader.peek() != Kind::End {
        parser.declaration()?;
    }
    let program = Program { shared: parser.scope.shared.vars, ..parser.program };
    match wellformed::check(&program) {
        Ok(()) => Ok(program),
        Err(problems) => Err(At { line: 1, column: 1 }.error(problems.join("; "))),
    }
}

/// Reads an expression of a type.
pub(super) fn expression(
    program: &Program,
    template: Option<&Template>,
    ty: Type,
    text: &str,
) -> Result<Expr, ParseError> {
    let mut reader = TokenReader::new(tokens(text)?);
    let ast = reader.expr()?;
    if *reader.peek() != Kind::End {
        return reader.expected("an operator or the end of the text");
    }
    let locals = template.map_or_else(Table::default, |template| Table::new(&template.locals));
    let shared = Table::new(&program.shared);
    NameScope { shared, locals, constants: HashMap::new() }.typed(&ast, ty)
}

pub(super) struct Parser {
    pub reader: TokenReader,
    pub scope: NameScope,
    pub program: Program,
    has_name: bool,
    templates: HashMap<String, TemplateId>,
    threads: HashSet<String>,
}

impl Parser {
    fn new(reader: TokenReader) -> Parser {
        Parser {
            reader,
            scope: NameScope::default(),
            program: Program::default(),
            has_name: false,
            templates: HashMap::new(),
            threads: HashSet::new(),
        }
    }

    fn declaration(&mut self) -> Result<(), ParseError> {
        const WHAT: &str =
            "`program`, `file`, `property`, `const`, `shared`, `initial`, `template` or `thread`";
        let at = self.reader.at();
        let Kind::Word(word) = self.reader.peek().clone() else {
            return self.reader.expected(WHAT);
        };
        self.reader.advance();
        match word.as_str() {
            "program" => self.name(at),
            "file" => self.file(),
            "property" => self.property(),
            "object" => self.object(),
            "call" => self.call(),
            "const" => self.constant(),
            "shared" => self.shared(),
            "initial" => self.initial(),
            "template" => self.template(),
            "thread" => self.thread(),
            _ => Err(at.error(format!("expected {WHAT}, found `{word}`"))),
        }
    }

    fn name(&mut self, at: At) -> Result<(), ParseError> {
        if self.has_name {
            return Err(at.error("the program already has a name"));
        }
        self.has_name = true;
        self.program.name = self.text()?;
        Ok(())
    }

    fn file(&mut self) -> Result<(), ParseError> {
        self.numbered("files", self.program.files.len())?;
        let file = self.text()?;
        self.program.files.push(file);
        Ok(())
    }

    /// The number of the next item of a table.
    pub(super) fn numbered(&mut self, what: &str, next: usize) -> Result<(), ParseError> {
        let at = self.reader.at();
        if self.plain_number("a number")? as usize == next {
            return Ok(());
        }
        Err(at.error(format!("{what} are numbered in order: this one is {next}")))
    }

    fn constant(&mut self) -> Result<(), ParseError> {
        let name = self.new_name()?;
        self.reader.expect("=")?;
        let value = self.value()?;
        self.scope.constants.insert(name.text, value);
        Ok(())
    }

    fn shared(&mut self) -> Result<(), ParseError> {
        let name = self.new_name()?;
        let var = self.variable(name, None)?;
        self.scope.shared.add(var);
        Ok(())
    }

    /// A name for a shared variable or a constant.
    fn new_name(&mut self) -> Result<Name, ParseError> {
        let name = self.reader.name("a name")?;
        if self.scope.shared.contains(&name.text) || self.scope.constants.contains_key(&name.text) {
            return Err(name.at.error(format!("`{}` is declared twice", name.text)));
        }
        Ok(name)
    }

    /// The rest of a declaration, after the name. `params` is given for locals.
    pub fn variable(&mut self, name: Name, params: Option<u32>) -> Result<Var, ParseError> {
        self.reader.expect(":")?;
        let ty = self.ty()?;
        let mut len = None;
        if self.reader.accept("[") {
            let at = self.reader.at();
            let length = self.value()?;
            len = match u32::try_from(length) {
                Ok(0) | Err(_) => {
                    return Err(at.error(format!("an array cannot have {length} elements")));
                }
                Ok(length) => Some(length),
            };
            self.reader.expect("]")?;
        }
        self.reader.expect("=")?;
        let init = self.init(ty, len, params)?;
        let origin = self.origin()?;
        Ok(Var { name: name.text, ty, len, init, origin })
    }

    fn init(
        &mut self,
        ty: Type,
        len: Option<u32>,
        params: Option<u32>,
    ) -> Result<Init, ParseError> {
        let at = self.reader.at();
        if self.reader.accept_word("any") {
            return Ok(Init::Any);
        }
        if params.is_some() && self.reader.accept_word("param") {
            let number = self.plain_number("the number of a parameter")?;
            return match (len, params) {
                (Some(_), _) => Err(at.error("a parameter is no array")),
                (_, Some(params)) if number < params => Ok(Init::Param(number)),
                _ => Err(at.error(format!("there is no parameter {number}"))),
            };
        }
        if !self.reader.accept("{") {
            return self.value_of(ty).map(Init::Value);
        }
        let mut values = vec![self.value_of(ty)?];
        while self.reader.accept(",") {
            values.push(self.value_of(ty)?);
        }
        self.reader.expect("}")?;
        match len {
            Some(len) if len as usize == values.len() => Ok(Init::Values(values)),
            Some(len) => Err(at.error(format!("{} values for an array of {len}", values.len()))),
            None => Err(at.error("a list of values, but the variable is no array")),
        }
    }

    /// A constant value of a type.
    fn value_of(&mut self, ty: Type) -> Result<i128, ParseError> {
        let at = self.reader.at();
        let value = self.value()?;
        fitting(at, Some(value), ty)
    }

    /// A constant value.
    fn value(&mut self) -> Result<i128, ParseError> {
        let ast = self.reader.expr()?;
        self.scope.constant(&ast)
    }

    /// Several initial conditions are one.
    fn initial(&mut self) -> Result<(), ParseError> {
        let ast = self.reader.expr()?;
        let condition = self.scope.typed(&ast, Type::Bool)?;
        self.program.initial = Some(match self.program.initial.take() {
            None => condition,
            Some(other) => Expr::and(other, condition),
        });
        Ok(())
    }

    fn template(&mut self) -> Result<(), ParseError> {
        let name = self.reader.name("the name of the template")?;
        if self.templates.contains_key(&name.text) {
            return Err(name.at.error(format!("there already is a template `{}`", name.text)));
        }
        let template = Body::new(self, name)?.read()?;
        let id = TemplateId(self.program.templates.len() as u32);
        self.templates.insert(template.name.clone(), id);
        self.program.templates.push(template);
        Ok(())
    }

    /// `NAME [COUNT] = TEMPLATE(ARGS)`
    fn thread(&mut self) -> Result<(), ParseError> {
        let name = self.reader.name("the name of the thread")?;
        if !self.threads.insert(name.text.clone()) {
            return Err(name.at.error(format!("there already is a thread `{}`", name.text)));
        }
        let count = self.count()?;
        self.reader.expect("=")?;
        let callee = self.reader.name("the name of a template")?;
        let Some(template) = self.templates.get(&callee.text).copied() else {
            return Err(callee.at.error(format!("there is no template `{}`", callee.text)));
        };
        let args = self.arguments(callee.at, template, count)?;
        self.program.threads.push(Thread { name: name.text, template, args, count });
        Ok(())
    }

    /// `[5]`, `[*]` or nothing.
    fn count(&mut self) -> Result<Count, ParseError> {
        if !self.reader.accept("[") {
            return Ok(Count::Exactly(1));
        }
        let at = self.reader.at();
        let count = if self.reader.accept("*") {
            Count::Any
        } else {
            let count = self.value()?;
            let too_many = |_| at.error(format!("there cannot be {count} instances of a thread"));
            Count::Exactly(u32::try_from(count).map_err(too_many)?)
        };
        self.reader.expect("]")?;
        Ok(count)
    }

    fn arguments(&mut self, at: At, id: TemplateId, count: Count) -> Result<Vec<Arg>, ParseError> {
        let mut args = Vec::new();
        self.reader.expect("(")?;
        while !self.reader.accept(")") {
            if !args.is_empty() {
                self.reader.expect(",")?;
            }
            let at = self.reader.at();
            let arg = self.argument()?;
            let is_this = |var: &&Var| var.init == Init::Param(args.len() as u32);
            let template = &self.program.templates[id.index()];
            for var in template.locals.iter().filter(is_this) {
                wellformed::argument(arg, count, var.ty)
                    .map_err(|problem| at.error(format!("`{}`: {problem}", var.name)))?;
            }
            args.push(arg);
        }
        let template = &self.program.templates[id.index()];
        if args.len() != template.params as usize {
            let (name, needed, given) = (&template.name, template.params, args.len());
            return Err(at.error(format!("`{name}` needs {needed} arguments, not {given}")));
        }
        Ok(args)
    }

    /// `5`, `index`, `index + 5` or `index - 5`.
    fn argument(&mut self) -> Result<Arg, ParseError> {
        if !self.reader.accept_word("index") {
            return self.value().map(Arg::Value);
        }
        let at = self.reader.at();
        let sign: i128 = match self.reader.peek() {
            Kind::Symbol("+") => 1,
            Kind::Symbol("-") => -1,
            _ => return Ok(Arg::Index(0)),
        };
        self.reader.advance();
        let base = self.value()?.checked_mul(sign);
        base.map(Arg::Index).ok_or_else(|| at.error("this number is too large"))
    }

    /// A type.
    pub fn ty(&mut self) -> Result<Type, ParseError> {
        if let Kind::Word(word) = self.reader.peek()
            && let Some(ty) = type_named(word)
        {
            self.reader.advance();
            return Ok(ty);
        }
        self.reader.expected("a type (`bool`, `int`, `i1` to `i64`, `u1` to `u64`)")
    }

    /// Text in quotes.
    pub fn text(&mut self) -> Result<String, ParseError> {
        let Kind::Text(text) = self.reader.peek().clone() else {
            return self.reader.expected("text in quotes");
        };
        self.reader.advance();
        Ok(text)
    }

    /// A number that is written as one.
    pub fn plain_number(&mut self, what: &str) -> Result<u32, ParseError> {
        self.number(what)
    }

    /// A number of up to 64 bits.
    pub fn long_number(&mut self, what: &str) -> Result<u64, ParseError> {
        self.number(what)
    }

    fn number<N: TryFrom<u128>>(&mut self, what: &str) -> Result<N, ParseError> {
        if let Kind::Number(value, None) = *self.reader.peek()
            && let Ok(number) = N::try_from(value)
        {
            self.reader.advance();
            return Ok(number);
        }
        self.reader.expected(what)
    }
}
