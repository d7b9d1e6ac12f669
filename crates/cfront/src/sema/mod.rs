//! From the syntax tree to the typed program: names, types, conversions,
//! layouts and constants, as ISO C11 (6.2–6.9) and gcc's extensions say.
//!
//! Two layers. Below are the tables, each of which knows its own matter and changes nothing else:
//!
//! | type | what it knows |
//! |---|---|
//! | `types::Types` | all types, sizes, layouts, in which type C computes |
//! | `scope::Scopes` | what a name or a tag means here |
//! | `objects::Objects` | the variables and functions declared so far |
//! | `linkage::Linkage` | which declarations speak of one thing, and which definition counts |
//! | `attributes::LinkNames`, `Marks` | second names of things; what attributes and pragmas have said |
//! | `weak::WeakDefinitions` | which of several definitions counts where some are weak |
//! | `platform::Platform` | which names mean types of the platform's libraries |
//! | `entries::Entries` | what an initialiser has said so far |
//! | `constant::Constants` | values of `const` integers; constant expressions |
//! | `body::Body` | the function being analysed: labels, switches, loops around |
//!
//! Between are parts that see several tables, and no syntax tree:
//!
//! | type | what it knows, and what it can change |
//! |---|---|
//! | `build::Builder` | typed expressions from typed operands: C's operators and conversions; enters types and nameless variables |
//! | `entities::Entities` | which variable or function a name at file scope is, and whether its declarations agree; binds names |
//! | `scope_end::ScopeEnd` | what runs where scopes end (`cleanup`); builds calls |
//! | `format::Printers` | functions that do what a format says; makes functions |
//!
//! Above, `Sema` walks the syntax tree and asks them: `declare`, `function` (declarations),
//! `specifiers`, `records`, `enums` (types), `expr`, `operators`, `call`, `builtins`, `query`
//! (expressions), `init` (initialisers), `stmt` (statements). These call each other as C nests them,
//! so they are one type; what does not need to walk is not among its methods.
//!
//! One `Sema` walks all units. Each unit has its own file scope; what has
//! external linkage stays visible in the next unit, everything else is dropped.
//! The first error of a function ends its analysis; the next item goes on.
//! What C means and we do not model becomes `Unsupported` at its place.

mod assembly;
mod atomics;
mod attributes;
mod body;
mod build;
mod builtins;
mod call;
mod cleanup;
mod constant;
mod declare;
mod entities;
mod entries;
mod enums;
mod expr;
mod format;
mod function;
mod init;
mod labels;
mod linkage;
mod literal;
mod objects;
mod operators;
mod platform;
mod query;
mod records;
mod scope;
mod scope_end;
mod specifiers;
mod stmt;
mod variable_array;
mod weak;

use crate::hir::{Expr, ExprKind, FuncId, TypeId, Unit};
use crate::source::Diagnostic;
use crate::syntax::ast::{Item, Range, TranslationUnit};
use crate::types::{DataModel, Types};
use attributes::{LinkNames, Marks, mark_second_names};
use body::Body;
use build::{Builder, Operand};
use constant::Constants;
use declare::complete_tentative;
use entities::Entities;
use format::PrinterKey;
use linkage::Linkage;
use objects::Objects;
use platform::Platform;
use scope::{Scopes, Symbol};
use scope_end::ScopeEnd;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use weak::WeakDefinitions;

/// So many diagnostics are reported; more would bury the first, which matters most.
const MAX_DIAGNOSTICS: usize = 20;

/// Larger objects are refused, so that sizes in bits never overflow.
const MAX_OBJECT_BYTES: u64 = 1 << 40;

/// What is special about one of the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitOptions {
    /// Our own library of models: the user's definitions replace its own.
    pub is_model: bool,
    /// Added to every range.
    pub offset: u32,
}

/// Types a program that consists of these units, in order.
pub fn analyse(
    units: &[(&TranslationUnit, UnitOptions)],
    model: DataModel,
) -> Result<Unit, Vec<Diagnostic>> {
    let mut sema = Sema::new(model);
    sema.weak_definitions = WeakDefinitions::new(units).map_err(|complaint| vec![complaint])?;
    for (unit, options) in units {
        sema.unit(unit, *options);
    }
    sema.finish()
}

type Res<T> = Result<T, Diagnostic>;

/// The walk over the syntax tree, with all tables.
struct Sema {
    types: Types,
    scopes: Scopes,
    objects: Objects,
    linkage: Linkage,
    links: LinkNames,
    marks: Marks,
    constants: Constants,
    platform: Platform,
    weak_definitions: WeakDefinitions,
    /// The unit that is being analysed.
    options: UnitOptions,
    /// The function whose body is being analysed.
    body: Option<Body>,
    /// Inside how many parameter lists we are.
    prototype_depth: u32,
    /// Is a pointer of the program `restrict`?
    has_restrict: bool,
    /// Has a record adjacent bit-fields in more than eight bytes?
    has_long_bits: bool,
    /// The call whose result is not used, of the statement at hand.
    unused_call: Option<Range>,
    printers: HashMap<PrinterKey, FuncId>,
    /// What the user's units so far define or declare for others, by the linker's names.
    linked: HashMap<Rc<str>, Symbol>,
    /// The names that a unit of the user's makes second names of something, for all units.
    second_names: HashSet<Rc<str>>,
    /// What the library declares for all units.
    library: HashMap<Rc<str>, Symbol>,
    diagnostics: Vec<Diagnostic>,
}

impl Sema {
    fn new(model: DataModel) -> Sema {
        Sema {
            types: Types::new(model),
            scopes: Scopes::new(),
            objects: Objects::default(),
            linkage: Linkage::default(),
            links: LinkNames::default(),
            marks: Marks::default(),
            constants: Constants::default(),
            platform: Platform::default(),
            weak_definitions: WeakDefinitions::default(),
            options: UnitOptions { is_model: false, offset: 0 },
            body: None,
            prototype_depth: 0,
            has_restrict: false,
            has_long_bits: false,
            unused_call: None,
            printers: HashMap::new(),
            linked: HashMap::new(),
            second_names: HashSet::new(),
            library: HashMap::new(),
            diagnostics: Vec::new(),
        }
    }

    fn unit(&mut self, unit: &TranslationUnit, options: UnitOptions) {
        self.options = options;
        self.linkage.begin_unit(options, &self.objects);
        self.links = LinkNames::collect(unit);
        let number = self.linkage.unit();
        self.links.drop_aliases(|name| self.weak_definitions.is_replaced(name, number));
        if !options.is_model {
            self.platform.begin_user_unit(unit);
        }
        for item in &unit.items {
            if self.diagnostics.len() >= MAX_DIAGNOSTICS {
                return;
            }
            if let Err(diagnostic) = self.item(item) {
                self.diagnostics.push(diagnostic);
                self.scopes.unwind();
                self.body = None;
                self.prototype_depth = 0;
            }
        }
        let room = MAX_DIAGNOSTICS.saturating_sub(self.diagnostics.len());
        let found = complete_tentative(&self.linkage, &mut self.objects, &mut self.types);
        self.diagnostics.extend(found.into_iter().take(room));
        self.marks.mark_unit(unit, options.offset);
        self.end_of_unit();
    }

    fn item(&mut self, item: &Item) -> Res<()> {
        match item {
            Item::Declaration(declaration) => self.file_declaration(declaration),
            Item::Function(function) => self.function_definition(function),
            Item::StaticAssert(assertion) => self.static_assert(assertion),
            Item::Asm(asm) if !self.options.is_model => {
                self.marks.note_assembly(asm, self.options.offset);
                Ok(())
            }
            Item::Asm(_) => Ok(()),
        }
    }

    /// Only what has external linkage outlives a unit: what the library declares is visible in each of the user's, and these
    /// see of each other what they declare themselves.
    fn end_of_unit(&mut self) {
        self.linkage.end_unit(&self.objects);
        let scope = std::mem::take(self.scopes.file_mut());
        let external = scope.symbols.into_iter().filter(|(_, s)| self.linkage.is_external(s));
        if self.options.is_model {
            self.library = external.collect();
            self.platform.note_functions(&self.types, &self.objects);
        } else {
            let links = &self.links;
            self.linked.extend(external.map(|(name, symbol)| (links.link_name(&name), symbol)));
            self.second_names.extend(links.seen_elsewhere.keys().cloned());
        }
        let library = self.library.iter().map(|(name, symbol)| (name.clone(), *symbol));
        self.scopes.file_mut().symbols = library.collect();
    }

    fn finish(mut self) -> Result<Unit, Vec<Diagnostic>> {
        if !self.diagnostics.is_empty() {
            return Err(self.diagnostics);
        }
        self.marks.mark_undefined(&mut self.objects);
        mark_second_names(&self.linked, &self.second_names, &mut self.objects);
        self.marks.mark_open_order(&self.objects);
        let (constructors, destructors) = (self.marks.constructors(), self.marks.destructors());
        let has_promises = self.marks.has_promises(&self.objects);
        let (vars, functions, repeated_strings) = self.objects.into_tables();
        Ok(Unit {
            types: self.types,
            vars,
            functions,
            main: None,
            has_other_entry: false,
            repeated_strings,
            constructors,
            destructors,
            limits: self.marks.limits,
            has_restrict: self.has_restrict,
            has_promises,
            has_long_bits: self.has_long_bits,
        })
    }

    /// What makes typed expressions in the function at hand.
    fn build(&mut self) -> Builder<'_> {
        Builder {
            types: &mut self.types,
            objects: &mut self.objects,
            function: self.body.as_ref().map(|body| body.id),
        }
    }

    /// What leaves scopes of the function at hand.
    fn scope_end(&mut self) -> ScopeEnd<'_> {
        let function = self.body.as_ref().map(|body| body.id);
        let build = Builder { types: &mut self.types, objects: &mut self.objects, function };
        ScopeEnd { build, body: self.body.as_mut() }
    }

    /// What names at file scope are.
    fn entities(&mut self) -> Entities<'_> {
        Entities {
            types: &self.types,
            scopes: &mut self.scopes,
            objects: &self.objects,
            linkage: &self.linkage,
            links: &mut self.links,
            linked: &self.linked,
            weak_definitions: &self.weak_definitions,
        }
    }

    /// The function at hand.
    fn body(&mut self, at: Range) -> Res<&mut Body> {
        match &mut self.body {
            Some(body) => Ok(body),
            None => error(at, "a statement stands outside of any function"),
        }
    }

    /// A range of this unit as a range of the program.
    fn at(&self, range: Range) -> Range {
        range.moved(self.options.offset)
    }
}

/// A diagnostic; the range is one of the program, not of the unit.
fn error<T>(range: Range, message: impl Into<String>) -> Res<T> {
    Err(Diagnostic::new(message, range))
}

/// Two places that do not agree.
fn disagreement<T>(range: Range, other: Range, message: impl Into<String>) -> Res<T> {
    Err(Diagnostic { other: Some(other), ..Diagnostic::new(message, range) })
}

fn expr(kind: ExprKind, ty: TypeId, range: Range) -> Expr {
    Expr { kind: Box::new(kind), ty, range }
}

fn constant(value: i128, ty: TypeId, range: Range) -> Expr {
    expr(ExprKind::Const(value), ty, range)
}

fn unsupported(what: &str, ty: TypeId, range: Range) -> Expr {
    expr(ExprKind::Unsupported(what.to_string()), ty, range)
}

const FLOATING: &str = "floating-point arithmetic";
const WIDE: &str = "128-bit arithmetic";
const VARIABLE_ARRAY: &str = "variable-length array";
const VARIABLE_ARGUMENTS: &str = "variable arguments";
