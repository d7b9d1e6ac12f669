//! Views: which threads are looked at together.
//!
//! With one role in each view, proofs are modular: what is known of a thread speaks of
//! its own variables and of shared ones. With two, what is known of a thread may depend
//! on where one other thread is; and so on. The more are in view, the more can be proved;
//! with all in view, everything is seen.

use crate::setting::{Renaming, Setting};
use evidence::Reason;

/// More views than this are not made.
const MOST_VIEWS: usize = 500;

/// Some roles, in order, each as often as it is in view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub roles: Vec<usize>,
    /// Who plays them.
    pub members: Vec<usize>,
}

/// All views of one size.
pub(crate) struct Views {
    pub views: Vec<View>,
}

impl Views {
    /// All ways to choose `size` roles; those of which there are many can be chosen again.
    pub fn new(setting: &Setting, size: usize) -> Result<Views, Reason> {
        let mut views = Vec::new();
        choose(setting, size, 0, &mut Vec::new(), &mut views);
        match views.len() > MOST_VIEWS {
            true => Err(Reason::Beyond("there are too many threads to look at together".into())),
            false => Ok(Views { views }),
        }
    }

    /// The view with these members, if they are put in order; and how they stand for its members.
    pub fn find(&self, setting: &Setting, members: &[usize]) -> (usize, Vec<usize>) {
        let mut ordered = members.to_vec();
        ordered.sort_by_key(|member| role_of(setting, *member));
        let roles: Vec<usize> = ordered.iter().map(|member| role_of(setting, *member)).collect();
        let found = self.views.iter().position(|view| view.roles == roles);
        (found.expect("there should be a view of these roles"), ordered)
    }
}

impl View {
    /// These roles, played by their first players.
    pub fn of_roles(setting: &Setting, roles: Vec<usize>) -> View {
        let mut members: Vec<usize> = Vec::new();
        for (number, role) in roles.iter().enumerate() {
            let before = roles[..number].iter().filter(|other| *other == role).count();
            members.push(setting.players[*role][before]);
        }
        View { roles, members }
    }

    /// Somebody of this role who is not in view.
    pub fn stranger(&self, setting: &Setting, role: usize) -> Option<usize> {
        let in_view = self.roles.iter().filter(|other| **other == role).count();
        setting.players[role].get(in_view).copied()
    }

    /// All ways in which members of the same role can change places, but for staying.
    pub fn symmetries(&self) -> Vec<Vec<usize>> {
        let mut orders = vec![Vec::new()];
        for place in 0..self.roles.len() {
            let mut longer = Vec::new();
            for order in orders {
                for other in 0..self.roles.len() {
                    if self.roles[other] == self.roles[place] && !order.contains(&other) {
                        longer.push([&order[..], &[other]].concat());
                    }
                }
            }
            orders = longer;
        }
        orders.retain(|order| !order.is_sorted());
        orders
    }

    /// The renaming in which the member at each place becomes another one.
    pub fn renaming(&self, members: &[usize]) -> Renaming {
        self.members.iter().copied().zip(members.iter().copied()).collect()
    }
}

/// The role that an instance plays.
pub(crate) fn role_of(setting: &Setting, member: usize) -> usize {
    let plays = |players: &Vec<usize>| players.contains(&member);
    setting.players.iter().position(plays).expect("an instance should have a role")
}

fn choose(
    setting: &Setting,
    size: usize,
    first: usize,
    chosen: &mut Vec<usize>,
    views: &mut Vec<View>,
) {
    if size == 0 || views.len() > MOST_VIEWS {
        views.push(View::of_roles(setting, chosen.clone()));
        return;
    }
    for role in first..setting.roles.len() {
        let next = if setting.is_many(role) { role } else { role + 1 };
        chosen.push(role);
        choose(setting, size - 1, next, chosen, views);
        chosen.pop();
    }
}
