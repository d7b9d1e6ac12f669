//! What attributes, `asm` labels and pragmas make of the variables and functions they are about.
//!
//! A label or an alias gives one thing two names: `LinkNames` knows them before anything is declared, so that every
//! declaration of either name speaks of the one thing. What is neither harmless nor modelled (`extensions`) is a model
//! limit: of the variable or function, where it is used; else of the program.

use super::objects::Objects;
use super::scope::Symbol;
use super::{Res, Sema};
use crate::extensions::{self, Standing};
use crate::hir::{FuncId, Function, Lifetime, TypeId, VarId};
use crate::syntax::ast::{
    Asm, Attribute, ExprKind, Ident, Item, Pragma, Range, Specifiers, Storage, TranslationUnit,
};
use crate::syntax::is_unknown_attribute;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::rc::Rc;

/// Library functions that gcc replaces by its own code even where the user defines them.
const REPLACED_BY_GCC: &[&str] =
    &["abs", "labs", "llabs", "imaxabs", "isascii", "toascii", "isdigit"];

/// How the linker calls the ends of a section.
const SECTION_ENDS: [&str; 2] = ["__start_", "__stop_"];

/// Two names of one thing, each with its own type.
const OTHER_TYPE: &str = "a second name of another type";

/// The priority of a constructor or destructor that has none.
const LAST_PRIORITY: i128 = 65_535;

/// Which names of the user's text mean a thing of another name.
#[derive(Default)]
pub(super) struct LinkNames {
    /// `int y asm("x")`, `int y __attribute__((alias("x")))`: y is x.
    targets: HashMap<Rc<str>, Rc<str>>,
    /// Weak aliases in whose place another unit has a definition.
    dropped: HashMap<Rc<str>, Rc<str>>,
    /// The names that are weak.
    weak: HashSet<Rc<str>>,
    /// What the linker knows, by its name.
    pub linked: HashMap<Rc<str>, Symbol>,
    /// Names with a target that were declared.
    pub declared: HashSet<Rc<str>>,
    /// Names with a target that other units see, too, and where they get it.
    pub seen_elsewhere: HashMap<Rc<str>, Range>,
}

/// What attributes have said so far.
#[derive(Default)]
pub(super) struct Marks {
    /// Limits of the program as a whole.
    pub limits: Vec<(String, Range)>,
    /// Where the attributes stand that are limits of a variable or function.
    claimed: HashSet<u32>,
    constructors: Vec<Hook>,
    destructors: Vec<Hook>,
    weak_functions: HashSet<FuncId>,
    promising: HashSet<FuncId>,
    weak_vars: HashSet<VarId>,
    /// The alignments that attributes give functions.
    pub function_aligns: HashMap<FuncId, u64>,
}

/// A constructor or destructor.
#[derive(Clone, Copy)]
struct Hook {
    priority: i128,
    /// The unit that declares it first.
    unit: usize,
    function: FuncId,
}

impl Marks {
    /// Before `main` in this order: the lower numbers first, then as defined.
    pub fn constructors(&self) -> Vec<FuncId> {
        let mut sorted = self.constructors.clone();
        sorted.sort_by_key(|hook| hook.priority);
        sorted.into_iter().map(|hook| hook.function).collect()
    }

    /// At the end in this order: the reverse of that.
    pub fn destructors(&self) -> Vec<FuncId> {
        let mut sorted = self.destructors.clone();
        sorted.sort_by_key(|hook| hook.priority);
        sorted.into_iter().rev().map(|hook| hook.function).collect()
    }

    /// One of two constructors or destructors whose order is open: of one priority, in two units.
    fn of_open_order(&self) -> Option<FuncId> {
        let open = |hooks: &[Hook]| {
            let is_open = |hook: &&Hook| {
                let same = |other: &Hook| other.priority == hook.priority && other.unit < hook.unit;
                hooks.iter().any(same)
            };
            hooks.iter().find(is_open).map(|hook| hook.function)
        };
        open(&self.constructors).or_else(|| open(&self.destructors))
    }

    /// What stands in a unit and belongs to nothing that is declared.
    pub fn mark_unit(&mut self, unit: &TranslationUnit, offset: u32) {
        for (name, range) in &unit.unknown_attributes {
            if !self.claimed.contains(&range.lo) {
                self.limits.push((format!("the attribute `{name}`"), range.moved(offset)));
            }
        }
        for pragma in &unit.pragmas {
            if !is_understood(pragma) {
                let words: Vec<&str> = extensions::words(&pragma.text).take(2).collect();
                let what = format!("`#pragma {}`", words.join(" "));
                self.limits.push((what, pragma.range.moved(offset)));
            }
        }
        self.claimed.clear();
    }

    /// Does an attribute promise something of a function that the program defines?
    pub fn has_promises(&self, objects: &Objects) -> bool {
        let functions = self.promising.iter().map(|id| objects.function(*id));
        functions.into_iter().any(|function| function.body.is_some() && !function.is_model)
    }

    /// Which constructors run first is open where units that know nothing of each other have them.
    pub fn mark_open_order(&mut self, objects: &Objects) {
        if let Some(function) = self.of_open_order() {
            let what = "constructors or destructors of one priority in several files";
            let range = objects.function(function).range;
            self.limits.push((what.to_string(), range));
        }
    }

    /// What is declared so that it need not be there, and is not defined, is or is not there.
    pub fn mark_undefined(&mut self, objects: &mut Objects) {
        for id in std::mem::take(&mut self.weak_functions) {
            let function = objects.function_mut(id);
            if function.body.is_none() {
                function.limit =
                    Some(format!("the weak symbol `{}`, which is not defined here", function.name));
            }
        }
        for var in objects.var_ids() {
            let is_weak = self.weak_vars.contains(&var);
            let declared = objects.var_mut(var);
            if declared.init.is_some() || matches!(declared.lifetime, Lifetime::Local(_)) {
                continue;
            }
            if is_weak {
                declared.limit =
                    Some(format!("the weak symbol `{}`, which is not defined here", declared.name));
            } else if SECTION_ENDS.iter().any(|prefix| declared.name.starts_with(prefix)) {
                declared.limit =
                    Some(format!("`{}`, an end of a section of the linker's", declared.name));
            }
        }
    }

    /// Assembly between functions may define or change anything.
    pub fn note_assembly(&mut self, asm: &Asm, offset: u32) {
        if !asm.template.trim().is_empty() {
            self.limits.push(("assembly at file scope".to_string(), asm.range.moved(offset)));
        }
    }
}

impl LinkNames {
    /// The names of a unit.
    pub fn collect(unit: &TranslationUnit) -> LinkNames {
        let mut names = LinkNames::default();
        let defined: HashSet<Rc<str>> = unit.items.iter().filter_map(defined_name).collect();
        for item in &unit.items {
            match item {
                Item::Declaration(d) if d.specifiers.storage != Some(Storage::Typedef) => {
                    for declarator in &d.declarators {
                        names.read(
                            declarator.declarator.name.as_ref(),
                            &d.specifiers.attributes,
                            &defined,
                        );
                        names.read(
                            declarator.declarator.name.as_ref(),
                            &declarator.declarator.attributes,
                            &defined,
                        );
                    }
                }
                Item::Function(f) => {
                    names.read(f.declarator.name.as_ref(), &f.specifiers.attributes, &defined);
                    names.read(f.declarator.name.as_ref(), &f.declarator.attributes, &defined);
                }
                _ => {}
            }
        }
        for pragma in &unit.pragmas {
            names.read_pragma(&pragma.text, pragma.range);
        }
        names
    }

    fn read(&mut self, name: Option<&Ident>, attributes: &[Attribute], defined: &HashSet<Rc<str>>) {
        let Some(name) = name else { return };
        for attribute in attributes {
            let target = text_argument(attribute);
            match (attribute.name.as_str(), target) {
                ("weak", _) => drop(self.weak.insert(name.name.clone())),
                ("alias", Some(target)) => {
                    self.seen_elsewhere.insert(name.name.clone(), name.range);
                    self.targets.insert(name.name.clone(), target);
                }
                ("weakref", Some(target)) => {
                    self.weak.insert(name.name.clone());
                    self.targets.insert(name.name.clone(), target);
                }
                ("asm", Some(target)) if !is_variant(&name.name, &target, defined) => {
                    self.targets.insert(name.name.clone(), target);
                }
                _ => {}
            }
        }
    }

    /// `weak a`, `weak a = b`, `redefine_extname a b`; false if it is none of these.
    fn read_pragma(&mut self, text: &str, range: Range) -> bool {
        let words: Vec<&str> = extensions::words(text).collect();
        match words[..] {
            ["weak", name] => drop(self.weak.insert(name.into())),
            ["weak", name, target] if text.contains('=') => {
                self.weak.insert(name.into());
                self.seen_elsewhere.insert(name.into(), range);
                self.targets.insert(name.into(), target.into());
            }
            ["redefine_extname", name, target] => {
                drop(self.targets.insert(name.into(), target.into()))
            }
            _ => return false,
        }
        true
    }

    /// How the linker calls what is declared by this name.
    pub fn link_name(&self, name: &Rc<str>) -> Rc<str> {
        self.targets.get(name).unwrap_or(name).clone()
    }

    /// Is it weak in this unit?
    pub fn is_weak(&self, name: &str) -> bool {
        self.weak.contains(name)
    }

    /// An alias that is replaced by what another unit defines is a name like others.
    pub fn drop_aliases(&mut self, is_replaced: impl Fn(&str) -> bool) {
        let is_dropped = |name: &Rc<str>| self.weak.contains(name) && is_replaced(name);
        let (dropped, kept) =
            std::mem::take(&mut self.targets).into_iter().partition(|(name, _)| is_dropped(name));
        self.targets = kept;
        self.dropped = dropped;
        self.seen_elsewhere.retain(|name, _| !self.dropped.contains_key(name));
    }

    /// Is it a second name of something?
    pub fn is_other_name(&self, name: &str) -> bool {
        self.targets.contains_key(name)
    }

    /// Is it one of several names of one thing?
    pub fn is_one_of_several(&self, name: &Rc<str>) -> bool {
        self.is_other_name(name) || self.targets.values().any(|target| target == name)
    }

    /// Does an attribute give another name that `LinkNames` did not see, or did not honour?
    fn is_missed(&self, name: &Ident, attribute: &Attribute, at_file_scope: bool) -> bool {
        let target = text_argument(attribute);
        match self.targets.get(&name.name).or_else(|| self.dropped.get(&name.name)) {
            Some(known) => target.as_ref() != Some(known),
            // A label of a variant means nothing, at file scope.
            None => attribute.name != "asm" || !at_file_scope,
        }
    }
}

/// The name that an item defines.
fn defined_name(item: &Item) -> Option<Rc<str>> {
    match item {
        Item::Function(f) => f.declarator.name.as_ref().map(|name| name.name.clone()),
        _ => None,
    }
}

/// The C library labels a function with the name of a variant that means the same (`__isoc99_scanf`, `lseek64`): a
/// reserved name that the program does not define, or the name for large files.
fn is_variant(name: &str, label: &str, defined: &HashSet<Rc<str>>) -> bool {
    let is_reserved = label.starts_with("__") && !defined.contains(label);
    is_reserved || label.strip_suffix("64") == Some(name)
}

/// The string an attribute has as its first argument.
fn text_argument(attribute: &Attribute) -> Option<Rc<str>> {
    match attribute.args.first().map(|arg| &*arg.kind) {
        Some(ExprKind::Str(units, _)) => {
            let text: String = units.iter().filter_map(|unit| char::from_u32(*unit)).collect();
            Some(Rc::from(text))
        }
        _ => None,
    }
}

impl Sema {
    /// What the attributes of a function's declaration say.
    pub(super) fn mark_function(
        &mut self,
        id: FuncId,
        name: &Ident,
        ty: TypeId,
        attributes: [&[Attribute]; 2],
    ) -> Res<()> {
        if self.links.weak.contains(&name.name) {
            self.marks.weak_functions.insert(id);
        }
        if self.links.is_one_of_several(&name.name)
            && !self.types.compatible(self.objects.function(id).ty, ty)
        {
            self.objects.function_mut(id).limit = Some(OTHER_TYPE.to_string());
        }
        for attribute in attributes.into_iter().flatten() {
            match attribute.name.as_str() {
                "constructor" => {
                    let priority = self.priority(attribute)?;
                    let hook = Hook { priority, unit: self.linkage.unit(), function: id };
                    add_hook(&mut self.marks.constructors, hook);
                }
                "destructor" => {
                    let priority = self.priority(attribute)?;
                    let hook = Hook { priority, unit: self.linkage.unit(), function: id };
                    add_hook(&mut self.marks.destructors, hook);
                }
                "aligned" => {
                    if let Some(align) = self.alignment(std::slice::from_ref(attribute))? {
                        self.marks.function_aligns.insert(id, align);
                    }
                }
                "alias" | "weakref" | "asm"
                    if self.links.is_missed(name, attribute, self.scopes.at_file_scope()) =>
                {
                    self.objects.function_mut(id).limit = Some(limit_text(attribute));
                }
                _ if is_unknown_attribute(attribute) => {
                    self.marks.claimed.insert(attribute.range.lo);
                    self.objects.function_mut(id).limit = Some(limit_text(attribute));
                }
                promise if extensions::is_promise(promise) => {
                    self.marks.promising.insert(id);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What the attributes of a variable's declaration say.
    pub(super) fn mark_var(
        &mut self,
        var: VarId,
        name: &Ident,
        ty: TypeId,
        specifiers: &Specifiers,
        attributes: &[Attribute],
    ) -> Res<()> {
        let is_global = self.scopes.at_file_scope() || specifiers.storage == Some(Storage::Extern);
        if self.links.weak.contains(&name.name) && is_global {
            self.marks.weak_vars.insert(var);
        }
        let of_one_type = self.types.compatible(self.objects.var(var).ty, ty);
        if is_global && self.links.is_one_of_several(&name.name) && !of_one_type {
            self.objects.var_mut(var).limit = Some(OTHER_TYPE.to_string());
        }
        for attribute in specifiers.attributes.iter().chain(attributes) {
            let is_limit = match attribute.name.as_str() {
                // A variable in a register: each thread has its own, and calls may change it.
                "asm" if specifiers.storage == Some(Storage::Register) => true,
                "alias" | "weakref" | "asm" => {
                    !is_global || self.links.is_missed(name, attribute, self.scopes.at_file_scope())
                }
                _ => is_unknown_attribute(attribute),
            };
            if is_limit {
                self.marks.claimed.insert(attribute.range.lo);
                self.objects.var_mut(var).limit = Some(limit_text(attribute));
            }
        }
        let align = self.alignment(&specifiers.attributes)?.max(self.alignment(attributes)?);
        let declared = self.objects.var_mut(var);
        declared.align = declared.align.max(align);
        Ok(())
    }

    fn priority(&mut self, attribute: &Attribute) -> Res<i128> {
        match attribute.args.first() {
            Some(arg) => self.integer_constant(arg, "a priority"),
            None => Ok(LAST_PRIORITY),
        }
    }
}

fn add_hook(hooks: &mut Vec<Hook>, hook: Hook) {
    if !hooks.iter().any(|known| known.function == hook.function) {
        hooks.push(hook);
    }
}

fn limit_text(attribute: &Attribute) -> String {
    match attribute.name.as_str() {
        "asm" => "an `asm` label".to_string(),
        name => format!("the attribute `{name}`"),
    }
}

fn is_understood(pragma: &Pragma) -> bool {
    let text = pragma.text.trim();
    match text
        .strip_prefix("GCC")
        .map(str::trim_start)
        .and_then(|rest| rest.strip_prefix("optimize"))
    {
        Some(options) => extensions::words(options).all(extensions::is_harmless_optimisation),
        None => {
            extensions::pragma(text) == Standing::Modelled
                && LinkNames::default().read_pragma(text, Range::default())
        }
    }
}

/// A function of the user's own that gcc does not call.
pub(super) fn mark_replaced(function: &mut Function, is_static: bool) {
    if !is_static && REPLACED_BY_GCC.contains(&function.name.as_str()) {
        let what = format!(
            "a function `{}` of the user's own, in whose place gcc puts its own",
            function.name
        );
        function.limit = Some(what);
    }
}

/// What one unit declares and another one makes a second name of something.
pub(super) fn mark_second_names(
    linked: &std::collections::HashMap<Rc<str>, Symbol>,
    second_names: &std::collections::HashSet<Rc<str>>,
    objects: &mut Objects,
) {
    for (name, symbol) in linked {
        if !second_names.contains(name) {
            continue;
        }
        let what = Some(format!("`{name}`, which is a second name of something in another file"));
        match symbol {
            Symbol::Var(id) => objects.var_mut(*id).limit = what,
            Symbol::Function(id) => objects.function_mut(*id).limit = what,
            Symbol::Constant(..) | Symbol::Typedef(..) => {}
        }
    }
}
