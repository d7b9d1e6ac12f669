//! What evidence is called, and which part of it is shown.

use crate::{Assertions, Proof, Slot, View};
use ccfa::resource_order::ResourceOrder;
use ccfa::{Instance, Program};

impl Proof {
    /// What is proved of the smallest program, without the programs that lead there.
    pub fn of_smallest(&self) -> &Proof {
        self.within().map_or(self, Proof::of_smallest)
    }

    /// The order of resources, if it is about the program in which these are taken in order.
    pub fn order(&self) -> Option<&ResourceOrder> {
        match self {
            Proof::Ordered(order, _) => Some(order),
            proof => proof.within()?.order(),
        }
    }

    /// What is proved of the program that it makes of this one, if it does.
    fn within(&self) -> Option<&Proof> {
        match self {
            Proof::Ordered(_, proof)
            | Proof::Reduced(_, proof)
            | Proof::RacesAsErrors(proof)
            | Proof::DeadlocksAsErrors(proof) => Some(proof),
            Proof::Closed(_) | Proof::Tree(_) | Proof::Assertions(_) => None,
        }
    }
}

impl Assertions {
    /// Does no assertion speak of two threads?
    pub fn is_modular(&self) -> bool {
        self.views.iter().all(|view| view.slots.len() == 1)
    }
}

impl View {
    /// A name for a slot: the thread's, with a number if the view tracks several of its instances.
    pub fn slot_name(&self, program: &Program, number: usize) -> String {
        let slot = self.slots[number];
        let name = &program.threads[slot.thread.index()].name;
        let same = |other: &&Slot| other.thread == slot.thread;
        match slot.index {
            Some(index) => program.instance_name(Instance { thread: slot.thread, index }),
            None if self.slots.iter().filter(same).count() == 1 => name.clone(),
            None => format!("{name}#{}", self.slots[..number].iter().filter(same).count() + 1),
        }
    }
}
