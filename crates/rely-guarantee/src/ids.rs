//! Identifiers, each with a type of its own, and the interner that gives equal things one identifier.

use logic::FastMap;
use std::hash::Hash;

/// An index into a table that knows which table it is of.
pub(crate) trait Id: Copy {
    fn new(index: usize) -> Self;
    fn index(self) -> usize;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(pub usize);
        impl Id for $name {
            fn new(index: usize) -> $name {
                $name(index)
            }
            fn index(self) -> usize {
                self.0
            }
        }
    };
}
id!(
    /// An instance of the system that the context has formulas for.
    InstanceId
);
id!(
    /// A class of symmetric instances: see `context`.
    ClassId
);
id!(
    /// A view: see `view`.
    ViewId
);
id!(
    /// An abstract state of the ARET.
    StateId
);
id!(
    /// A set of literals.
    CubeId
);
id!(
    /// An environment transition.
    TransitionId
);
id!(
    /// A node of a Horn tree.
    NodeId
);
id!(
    /// A set of premises that share no variables with others.
    PartId
);
id!(
    /// A value of a cell.
    ValueId
);

id!(
    /// An instance that `explicit` tracks.
    TrackedId
);

/// Equal things have one identifier.
pub(crate) struct Interner<I, T> {
    things: Vec<T>,
    ids: FastMap<T, I>,
}

impl<I, T> Default for Interner<I, T> {
    fn default() -> Interner<I, T> {
        Interner { things: Vec::new(), ids: FastMap::default() }
    }
}

impl<I: Id, T: Clone + Eq + Hash> Interner<I, T> {
    /// The identifier of a thing, which may be new.
    pub fn intern(&mut self, thing: T) -> I {
        let things = &mut self.things;
        *self.ids.entry(thing).or_insert_with_key(|thing| {
            things.push(thing.clone());
            I::new(things.len() - 1)
        })
    }

    pub fn get(&self, id: I) -> &T {
        &self.things[id.index()]
    }
}
