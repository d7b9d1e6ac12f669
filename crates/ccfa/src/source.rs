//! What the model knows of the source it was made of: places in files, what a variable is there,
//! which objects lie where, which calls lead to a step.
//!
//! Nothing here changes what a program does. It is for people: so that a variable has its C name, an
//! address can be written as `&items[1]`, and a step tells in which call of which function it is.

use crate::expr::{Expr, Type};
use crate::id;
use crate::program::{Count, ErrorKind, Instance, LocId, Program, SharedId, TemplateId, Var};
use std::collections::BTreeMap;
use std::fmt;

id!(
    /// An object of the source: index into `Program::objects`.
    ObjectId
);
id!(
    /// A call: index into `Program::calls`.
    CallId
);

/// A range of a source file. Lines and columns count from 1, columns in characters; the end is
/// behind the last character. A range that ends where it starts is a place whose end is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Index into `Program::files`.
    pub file: u32,
    /// Line of the start.
    pub line: u32,
    /// Column of the start.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column of the end.
    pub end_column: u32,
}

impl Span {
    /// A place without a known end.
    pub fn at(file: u32, line: u32, column: u32) -> Span {
        Span { file, line, column, end_line: line, end_column: column }
    }
}

/// What a variable of the model is in the source.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Origin {
    /// The name of the C variable (of an allocation: what the source calls it).
    pub name: String,
    /// The function it is local to.
    pub function: Option<String>,
    /// The C type of the scalar (of each element), as text.
    pub ty: String,
    /// Are its values addresses?
    pub pointer: bool,
    /// The part of an object that it holds.
    pub part: Option<PartOf>,
}

/// A part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartOf {
    /// The object.
    pub object: ObjectId,
    /// Index into its `parts`.
    pub part: u32,
}

/// An object of the source and where it lies.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Object {
    /// As the source calls it.
    pub name: String,
    /// The address of its first byte (in its first copy).
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// How many copies there are, one behind the other; at least 1.
    pub copies: u32,
    /// The distance of the copies, in bytes.
    pub stride: u64,
    /// Its scalars. A function has none.
    pub parts: Vec<Part>,
}

/// Scalars of an object that have one path but for the indices in it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Part {
    /// What follows the object's name, with `[]` for each dimension: `.rows[].next`.
    pub path: String,
    /// Offset of the first one, in bytes.
    pub offset: u64,
    /// Size of each, in bytes.
    pub size: u64,
    /// The arrays around it, outermost first.
    pub dims: Vec<Dim>,
}

/// A dimension of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dim {
    /// Number of elements.
    pub count: u64,
    /// Their distance in bytes; not 0.
    pub stride: u64,
}

/// A call that the model has a copy of: the start of a thread, or an inlined call.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Call {
    /// The function called.
    pub function: String,
    /// Where it is called.
    pub site: Option<Span>,
    /// In which call that is; `None` for the start of a thread. Smaller than the call's own number.
    pub caller: Option<CallId>,
}

/// What can be said of failures beyond their kinds. It stands beside a program as it was made, not in it: expressions speak of the
/// variables of the template, and are evaluated in the last state of an execution.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// By the location at which behaviour is undefined.
    pub operands: BTreeMap<(TemplateId, LocId), FailedOperation>,
    /// The objects that come and go, or whose size is not constant.
    pub lives: Vec<ObjectLife>,
}

/// With what an operation fails.
#[derive(Clone, Debug, PartialEq)]
pub enum FailedOperation {
    /// `left operator right`, computed in this type of C.
    Arithmetic {
        /// As C writes it.
        operator: &'static str,
        /// The name of the type.
        ty: String,
        /// Its number of bits.
        width: u8,
        /// The operands.
        operands: [Expr; 2],
    },
    /// An index into an array of so many elements; the array's name, if it has one.
    Index(Expr, u64, Option<String>),
    /// An access of so many bytes at an address.
    Access(Expr, u64),
    /// What is freed, by its address.
    Freed(Expr),
    /// A lock or its like, by its address.
    Lock(Expr),
    /// A variable that has no value yet, by its name.
    Unwritten(String),
    /// What has no value yet, by its address.
    UnwrittenAt(Expr),
    /// Allocations, each with the condition that it is this one.
    Allocation(Vec<(u64, Expr)>),
}

/// How an object comes and goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectLife {
    /// The address of its first copy.
    pub base: u64,
    /// For each copy: 1 while it is alive, 2 once it is gone.
    pub live: Option<SharedId>,
    /// For each copy: how many bytes it has.
    pub extent: Option<SharedId>,
}

impl Object {
    /// What lies at an offset in the object, as the source would write it: `items[1].next`.
    pub fn path(&self, offset: u64) -> Option<String> {
        self.scalar_at(offset).map(|(_, path)| format!("{}{path}", self.name))
    }

    /// The part whose scalar starts at an offset, and its path.
    fn scalar_at(&self, offset: u64) -> Option<(&Part, String)> {
        self.parts.iter().find_map(|part| Some((part, part.path_at(offset)?)))
    }

    /// The largest element or field that starts at an offset: `items[1]`, not `items[1].key`.
    fn element(&self, offset: u64) -> Option<String> {
        let (part, mut path) = self.scalar_at(offset)?;
        let mut pattern = part.path.as_str();
        while let Some((around, field)) =
            pattern.rsplit_once('.').filter(|(_, f)| !f.ends_with(']'))
        {
            let inside = |other: &&Part| other.path.starts_with(around);
            if self.parts.iter().filter(inside).any(|other| other.offset < part.offset) {
                break;
            }
            path.truncate(path.len() - field.len() - 1);
            pattern = around;
        }
        Some(path)
    }

    /// The scalar that starts at an offset of a copy, as the source would write it.
    pub fn cell_at(&self, copy: u64, offset: u64) -> Option<String> {
        self.scalar_at(offset).map(|(_, path)| format!("{}{path}", self.copy_name(copy)))
    }

    /// Its name; of several copies, with the number of this one, from 1.
    pub fn copy_name(&self, copy: u64) -> String {
        match self.copies {
            0 | 1 => self.name.clone(),
            _ => format!("{}#{}", self.name, copy + 1),
        }
    }

    /// An address in the object, as the source would write it.
    fn address(&self, copy: u64, offset: u64, scalar: bool) -> String {
        let name = self.copy_name(copy);
        if self.parts.is_empty() || offset == 0 && name.starts_with('"') {
            return name;
        }
        let path = match scalar {
            true => self.scalar_at(offset).map(|(_, path)| path),
            false => self.element(offset),
        };
        match path {
            Some(path) => format!("&{name}{path}"),
            None => format!("(char *)&{name} + {offset}"),
        }
    }
}

impl Part {
    /// How many scalars it has in one copy of the object.
    fn len(&self) -> u64 {
        self.dims.iter().map(|dim| dim.count).product()
    }

    /// The path of the scalar that starts at this offset of the object.
    fn path_at(&self, offset: u64) -> Option<String> {
        let mut rest = offset.checked_sub(self.offset)?;
        let mut indices = Vec::new();
        for dim in &self.dims {
            indices.push(rest / dim.stride);
            if rest / dim.stride >= dim.count {
                return None;
            }
            rest %= dim.stride;
        }
        (rest == 0).then(|| self.with_indices(&indices))
    }

    /// The path of the scalar with this number.
    fn path_of(&self, number: u64) -> String {
        let mut rest = number;
        let mut indices = Vec::new();
        for dim in self.dims.iter().rev() {
            indices.push(rest % dim.count.max(1));
            rest /= dim.count.max(1);
        }
        indices.reverse();
        self.with_indices(&indices)
    }

    fn with_indices(&self, indices: &[u64]) -> String {
        let mut pieces = self.path.split("[]");
        let mut path = pieces.next().unwrap_or_default().to_string();
        for (index, piece) in indices.iter().zip(pieces) {
            path.push_str(&format!("[{index}]{piece}"));
        }
        path
    }
}

impl Program {
    /// A name for an instance: the thread's, with an index if there may be several.
    pub fn instance_name(&self, instance: Instance) -> String {
        let thread = &self.threads[instance.thread.index()];
        match thread.count {
            Count::Exactly(1) => thread.name.clone(),
            _ => format!("{}[{}]", thread.name, instance.index),
        }
    }

    /// Is the variable one of the source? In a model without a source, every one is.
    pub fn is_of_source(&self, var: &Var) -> bool {
        var.origin.is_some() || self.files.is_empty()
    }

    /// The object that a variable is a part of, and the part.
    fn part_of(&self, var: &Var) -> Option<(&Object, &Part)> {
        let of = var.origin.as_ref()?.part?;
        let object = self.objects.get(of.object.index())?;
        Some((object, object.parts.get(of.part as usize)?))
    }

    /// The name of a variable in the source, without indices: `items.next`.
    pub fn source_name(&self, var: &Var) -> String {
        match (self.part_of(var), &var.origin) {
            (Some((object, part)), _) => format!("{}{}", object.name, part.path.replace("[]", "")),
            (None, Some(origin)) => origin.name.clone(),
            (None, None) => var.name.clone(),
        }
    }

    /// The name of a cell of a variable in the source: `items[1].next`.
    pub fn cell_name(&self, var: &Var, number: u64) -> String {
        match (self.part_of(var), var.len) {
            (Some((object, part)), _) => {
                let (copy, number) = (number / part.len().max(1), number % part.len().max(1));
                format!("{}{}", object.copy_name(copy), part.path_of(number))
            }
            (None, None) => self.source_name(var),
            (None, Some(_)) => format!("{}[{number}]", self.source_name(var)),
        }
    }

    /// A value of a variable as the source would write it; an address by what lies there.
    pub fn value_text(&self, var: &Var, value: i128) -> String {
        match (var.ty, &var.origin) {
            (Type::Bool, _) => (value != 0).to_string(),
            (_, Some(origin)) if origin.pointer => self.address_text(&origin.ty, value as u64),
            _ => value.to_string(),
        }
    }

    /// An address in a pointer of this type: `NULL`, `&items[1]`, a function's name; as a number if nothing lies there.
    fn address_text(&self, pointer: &str, address: u64) -> String {
        if address == 0 {
            return "NULL".to_string();
        }
        let Some((id, copy, offset)) = self.object_at(address) else {
            return self.end_text(address);
        };
        let object = &self.objects[id.index()];
        let points_at = |var: &Var| {
            let Some(origin) = &var.origin else { return false };
            let part = origin.part.filter(|of| of.object == id);
            let part = part.and_then(|of| object.parts.get(of.part as usize));
            part.is_some_and(|part| part.path_at(offset).is_some())
                && pointer.strip_suffix(" *") == Some(origin.ty.as_str())
        };
        let locals = self.templates.iter().flat_map(|template| &template.locals);
        let scalar = self.shared.iter().chain(locals).any(points_at);
        object.address(u64::from(copy), offset, scalar)
    }

    /// An address in no object: perhaps the end of one.
    fn end_text(&self, address: u64) -> String {
        match address.checked_sub(1).and_then(|last| self.object_at(last)) {
            Some((id, copy, offset)) if !self.objects[id.index()].parts.is_empty() => {
                let object = &self.objects[id.index()];
                format!("(char *)&{} + {}", object.copy_name(u64::from(copy)), offset + 1)
            }
            _ => format!("{address:#x}"),
        }
    }

    /// The object at an address, which of its copies and at which offset. An address just behind an
    /// object is none of its.
    pub fn object_at(&self, address: u64) -> Option<(ObjectId, u32, u64)> {
        self.objects.iter().enumerate().find_map(|(number, object)| {
            let distance = address.checked_sub(object.base).filter(|_| object.base > 0)?;
            let stride = object.stride.max(1);
            let copy = if object.copies > 1 { distance / stride } else { 0 };
            let offset = distance - copy * stride;
            let inside = copy < u64::from(object.copies) && offset < object.size;
            inside.then_some((ObjectId(number as u32), copy as u32, offset))
        })
    }

    /// The calls around a call, itself first.
    pub fn call_path(&self, call: CallId) -> impl Iterator<Item = &Call> {
        std::iter::successors(self.calls.get(call.index()), |call| {
            call.caller.and_then(|caller| self.calls.get(caller.index()))
        })
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Assertion(what) => write!(f, "{what}"),
            ErrorKind::Call(function) => write!(f, "a call of `{function}`"),
        }
    }
}
