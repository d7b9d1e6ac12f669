//! Views: the threads that are tracked together.
//!
//! The paper's assertions `R_i` speak of the variables of thread `i` and of shared ones (a *modular* proof), or
//! of all variables. Between the two lie the levels of J. Hoenicke, R. Majumdar and A. Podelski, *Thread
//! modularity at many levels*, POPL 2017: with `k` tracked threads in each view, what is known of a thread may
//! depend on where `k - 1` others are. The more are tracked, the more can be proved; with all tracked, there is no environment.
//! Tracking any `k` instances of a class is sound for every number of instances, since a view speaks of *every*
//! choice of different instances for its slots.

use crate::context::{Context, Renaming};
use crate::ids::{ClassId, InstanceId, ViewId};
use evidence::Reason;
use std::ops::Index;

/// More views are not made: each has its own abstract states.
const MAX_VIEWS: usize = 500;

/// Slots for tracked threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    /// The class of each slot, in order.
    pub classes: Vec<ClassId>,
    /// The representative in each slot.
    pub tracked: Vec<InstanceId>,
}

/// All views of one size.
pub(crate) struct Views(Vec<View>);

impl Index<ViewId> for Views {
    type Output = View;

    fn index(&self, id: ViewId) -> &View {
        &self.0[id.0]
    }
}

impl Views {
    /// All ways to choose so many classes; parameterised ones can be chosen again.
    pub fn new(context: &Context, tracked: usize) -> Result<Views, Reason> {
        let mut views = Vec::new();
        choose(context, tracked, &mut Vec::new(), &mut views);
        match views.len() > MAX_VIEWS {
            true => Err(Reason::Beyond("there are too many threads to look at together".into())),
            false => Ok(Views(views)),
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = (ViewId, &View)> {
        self.0.iter().enumerate().map(|(number, view)| (ViewId(number), view))
    }

    pub fn ids(&self) -> impl Iterator<Item = ViewId> + use<> {
        (0..self.0.len()).map(ViewId)
    }

    /// The view that tracks these instances if they are put in order, and that order.
    pub fn of_instances(
        &self,
        context: &Context,
        instances: &[InstanceId],
    ) -> (ViewId, Vec<InstanceId>) {
        let mut ordered = instances.to_vec();
        ordered.sort_by_key(|instance| context.class_of(*instance));
        let classes: Vec<ClassId> = ordered.iter().map(|i| context.class_of(*i)).collect();
        let found = self.0.iter().position(|view| view.classes == classes);
        (ViewId(found.expect("there should be a view of these classes")), ordered)
    }

    /// The view that tracks an environment thread of this one in place of the thread in `slot`, and the
    /// instances in its slots.
    pub fn with_environment_thread(
        &self,
        context: &Context,
        view: &View,
        slot: usize,
        thread: InstanceId,
    ) -> (ViewId, Vec<InstanceId>) {
        let mut instances = view.tracked.clone();
        instances.remove(slot);
        instances.push(thread);
        self.of_instances(context, &instances)
    }
}

impl View {
    /// These classes, with their first representatives.
    pub fn of_classes(context: &Context, classes: Vec<ClassId>) -> View {
        let mut tracked: Vec<InstanceId> = Vec::new();
        for (number, class) in classes.iter().enumerate() {
            let before = classes[..number].iter().filter(|other| *other == class).count();
            tracked.push(context.representatives(*class)[before]);
        }
        View { classes, tracked }
    }

    /// An instance of this class that is not tracked, if there can be one.
    pub fn environment_thread(&self, context: &Context, class: ClassId) -> Option<InstanceId> {
        let tracked = self.classes.iter().filter(|other| **other == class).count();
        context.representatives(class).get(tracked).copied()
    }

    /// All permutations of slots of the same class, but for the identity.
    pub fn symmetries(&self) -> Vec<Vec<usize>> {
        let mut orders = vec![Vec::new()];
        for slot in 0..self.classes.len() {
            let mut longer = Vec::new();
            for order in orders {
                for other in 0..self.classes.len() {
                    if self.classes[other] == self.classes[slot] && !order.contains(&other) {
                        longer.push([&order[..], &[other]].concat());
                    }
                }
            }
            orders = longer;
        }
        orders.retain(|order| !order.is_sorted());
        orders
    }

    /// The renaming by which these instances take the slots.
    pub fn renaming(&self, instances: &[InstanceId]) -> Renaming {
        Renaming::new(&self.tracked, instances)
    }

    /// The renaming by which each slot's instance becomes the one in the slot that `order` names.
    pub fn permutation(&self, order: &[usize]) -> Renaming {
        let instances: Vec<InstanceId> = order.iter().map(|slot| self.tracked[*slot]).collect();
        self.renaming(&instances)
    }
}

fn choose(context: &Context, count: usize, chosen: &mut Vec<ClassId>, views: &mut Vec<View>) {
    if count == 0 || views.len() > MAX_VIEWS {
        views.push(View::of_classes(context, chosen.clone()));
        return;
    }
    let last = chosen.last().copied();
    let may_follow = |class: &ClassId| match last {
        Some(last) if *class == last => context.is_parameterised(last),
        last => last < Some(*class),
    };
    for class in context.classes().filter(may_follow) {
        chosen.push(class);
        choose(context, count - 1, chosen, views);
        chosen.pop();
    }
}
