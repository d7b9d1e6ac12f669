//! What the model knows of the source it was made of: places in files, what a variable is there,
//! which objects lie where, which calls lead to a step.
//!
//! Nothing here changes what a program does. It is for people: so that a variable has its C name, an
//! address can be written as `&items[1]`, and a step tells in which call of which function it is.

use crate::program::{Program, id};

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
    /// Its scalars.
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

impl Object {
    /// What lies at an offset in the object, as the source would write it: `items[1].next`.
    pub fn path(&self, offset: u64) -> Option<String> {
        self.parts.iter().find_map(|part| Some(format!("{}{}", self.name, part.path_at(offset)?)))
    }
}

impl Part {
    /// The path of the scalar that starts at this offset of the object.
    fn path_at(&self, offset: u64) -> Option<String> {
        let mut rest = offset.checked_sub(self.offset)?;
        let mut pieces = self.path.split("[]");
        let mut path = pieces.next().unwrap_or_default().to_string();
        for (dim, piece) in self.dims.iter().zip(pieces) {
            let index = rest / dim.stride;
            if index >= dim.count {
                return None;
            }
            rest %= dim.stride;
            path.push_str(&format!("[{index}]{piece}"));
        }
        (rest == 0).then_some(path)
    }
}

impl Program {
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
