//! Cases of a proof, put together for a reader.
//!
//! A proof says "one of these regions holds", each with many facts. Here a fact is a term and the
//! values it may have, a [`Case`] is a conjunction of such, and a [`Formula`] is what
//! all cases share, and the alternatives that remain. Putting together never makes
//! a statement stronger: cases are united only where the result says the same, and what does
//! not fit on a page is left out.

use super::ranges::Ranges;
use super::scope::Scope;
use ccfa::{BinOp, Expr, Type, UnOp};

/// With more cases than this, only what they share is said: so many are not read.
const MAX_CASES: usize = 150;
/// More alternatives than this are counted, not shown: a row has to fit on a screen.
const MAX_ALTERNATIVES: usize = 3;
/// Alternatives with more facts than this are counted, not shown: a row has to fit on a screen.
const MAX_TERMS: usize = 8;

/// Terms, and in what they are: all of it holds.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Case(pub Vec<(Expr, Ranges)>);

/// What a reader is told.
#[derive(Clone, Debug, Default)]
pub struct Formula {
    /// This holds,
    pub common: Case,
    /// and one of these, for each.
    pub rest: Vec<Vec<Case>>,
    /// So many cases are not told apart, for they would not fit.
    pub left_out: usize,
}

impl Case {
    /// All of these facts hold, in one of these cases. Facts about what the user does not see are
    /// left out.
    pub fn of(scope: &Scope, facts: &[Expr]) -> Vec<Case> {
        facts
            .iter()
            .fold(vec![Case::default()], |so_far, fact| both(so_far, cases(scope, fact, true)))
    }

    /// One more fact; `None` if it contradicts the others.
    fn add(&mut self, term: &Expr, within: &Ranges) -> Option<()> {
        match self.0.iter_mut().find(|(other, _)| other == term) {
            Some((_, before)) => *before = before.intersect(within),
            None => self.0.push((term.clone(), within.clone())),
        }
        self.0.retain(|(_, within)| !within.is_full());
        self.0.iter().all(|(_, within)| !within.is_empty()).then_some(())
    }

    /// Both hold; `None` if they cannot.
    pub fn and(&self, other: &Case) -> Option<Case> {
        let mut both = self.clone();
        for (term, within) in &other.0 {
            both.add(term, within)?;
        }
        Some(both)
    }

    /// Only the facts whose terms are like this.
    pub fn keep(&self, wanted: impl Fn(&Expr) -> bool) -> Case {
        Case(self.0.iter().filter(|(term, _)| wanted(term)).cloned().collect())
    }

    /// What it says of a term.
    pub fn get(&self, term: &Expr) -> Option<&Ranges> {
        self.0.iter().find(|(other, _)| other == term).map(|(_, within)| within)
    }

    /// Does it hold whenever the other does, as far as terms other than `except` go?
    fn covers(&self, other: &Case, except: Option<&Expr>) -> bool {
        self.0
            .iter()
            .filter(|(term, _)| Some(term) != except)
            .all(|(term, within)| other.get(term).is_some_and(|narrower| within.contains(narrower)))
    }

    /// In C; with parentheses where they are needed beside other facts.
    pub fn text(&self, scope: &Scope, beside: bool) -> String {
        let beside = beside || self.0.len() > 1;
        let one = |(term, within): &(Expr, Ranges)| match within.says(&scope.term(term)) {
            (text, true) if beside => format!("({text})"),
            (text, _) => text,
        };
        let mut parts: Vec<String> = self.0.iter().map(one).collect();
        parts.sort();
        parts.join(" && ")
    }
}

impl Formula {
    /// One of these cases holds.
    pub fn any_of(cases: Vec<Case>) -> Formula {
        let mut different: Vec<Case> = Vec::new();
        for case in cases {
            if !different.contains(&case) {
                different.push(case);
            }
        }
        let cases = if different.len() > MAX_CASES { different } else { simplified(different) };
        let terms: usize = cases.iter().map(|case| case.0.len()).sum();
        let common = in_all(&cases, |a, b| (a == b).then(|| a.clone()));
        let apart = terms - common.0.len() * cases.len();
        if cases.len() > MAX_ALTERNATIVES || apart > MAX_TERMS {
            let hull = in_all(&cases, |a, b| Some(a.unite(b)));
            return Formula { common: hull, rest: Vec::new(), left_out: cases.len() };
        }
        let rest = if cases.len() < 2 { Vec::new() } else { vec![cases] };
        Formula { common, rest, left_out: 0 }.settled()
    }

    /// Both hold.
    pub fn and(mut self, other: Formula) -> Formula {
        // Where the two contradict each other, no thread comes; then one of them is enough to say.
        self.common = self.common.and(&other.common).unwrap_or(self.common);
        self.rest.extend(other.rest);
        self.left_out = self.left_out.max(other.left_out);
        self.settled()
    }

    /// Does it say nothing?
    pub fn is_trivial(&self) -> bool {
        self.common.0.is_empty() && self.rest.is_empty()
    }

    /// Is there a term like this in it?
    pub fn mentions(&self, wanted: &impl Fn(&Expr) -> bool) -> bool {
        let cases = std::iter::once(&self.common).chain(self.rest.iter().flatten());
        cases.flat_map(|case| &case.0).any(|(term, _)| wanted(term))
    }

    /// Without what is known already.
    pub fn without(&self, known: &Case) -> Formula {
        let mut result = self.clone();
        result
            .common
            .0
            .retain(|(term, within)| known.get(term).is_none_or(|all| !within.contains(all)));
        result
    }

    /// In C.
    pub fn text(&self, scope: &Scope) -> String {
        let mut parts: Vec<String> = Vec::new();
        let alone = usize::from(!self.common.0.is_empty()) + self.rest.len() < 2;
        if !self.common.0.is_empty() {
            parts.push(self.common.text(scope, !alone));
        }
        for cases in &self.rest {
            let mut texts: Vec<String> = cases.iter().map(|case| case.text(scope, false)).collect();
            texts.sort();
            texts.dedup();
            let text = texts.join(" || ");
            let text = if alone { text } else { format!("({text})") };
            if !parts.contains(&text) {
                parts.push(text);
            }
        }
        parts.join(" && ")
    }

    /// Alternatives, as far as what holds anyway does not settle them.
    fn settled(mut self) -> Formula {
        let mut open = Vec::new();
        for cases in std::mem::take(&mut self.rest) {
            let cases = cases.iter().filter_map(|case| relative(case, &self.common)).collect();
            match &simplified(cases)[..] {
                [] => {}
                [only] => self.common = self.common.and(only).unwrap_or(self.common),
                several if several.iter().any(|case| case.0.is_empty()) => {}
                several => open.push(several.to_vec()),
            }
        }
        self.rest = open;
        self
    }
}

/// What a case says beyond `known`; `None` if the two cannot hold together.
fn relative(case: &Case, known: &Case) -> Option<Case> {
    known.and(case)?;
    Some(case.keep(|term| match (known.get(term), case.get(term)) {
        (Some(all), Some(here)) => !here.contains(all),
        _ => true,
    }))
}

/// The terms that all cases speak of, with what `join` makes of their values.
fn in_all(cases: &[Case], join: impl Fn(&Ranges, &Ranges) -> Option<Ranges>) -> Case {
    let Some((first, others)) = cases.split_first() else { return Case::default() };
    let of_term = |(term, within): &(Expr, Ranges)| {
        let mut values = others.iter().map(|case| case.get(term));
        let joined = values.try_fold(within.clone(), |so_far, next| join(&so_far, next?))?;
        (!joined.is_full()).then(|| (term.clone(), joined))
    };
    Case(first.0.iter().filter_map(of_term).collect())
}

/// The same with fewer cases: what another case covers is left out, and cases that differ in one
/// term are united.
fn simplified(mut cases: Vec<Case>) -> Vec<Case> {
    loop {
        cases = without_covered(cases);
        if !widen(&mut cases) {
            return cases;
        }
    }
}

fn without_covered(cases: Vec<Case>) -> Vec<Case> {
    let mut kept: Vec<Case> = Vec::new();
    for case in cases {
        if !kept.iter().any(|other| other.covers(&case, None)) {
            kept.retain(|other| !case.covers(other, None));
            kept.push(case);
        }
    }
    kept
}

/// Where a case covers another but for one term, the other may have its values, too.
fn widen(cases: &mut [Case]) -> bool {
    let mut changed = false;
    for wide in 0..cases.len() {
        for narrow in (0..cases.len()).filter(|narrow| *narrow != wide) {
            let differing = |(term, values): &&(Expr, Ranges)| {
                cases[wide].covers(&cases[narrow], Some(term))
                    && cases[narrow].get(term).is_some_and(|own| !own.contains(values))
            };
            if let Some((term, values)) = cases[wide].0.iter().find(differing).cloned() {
                let own = cases[narrow].0.iter_mut().find(|(other, _)| *other == term);
                own.into_iter().for_each(|(_, own)| *own = own.unite(&values));
                cases[narrow].0.retain(|(_, within)| !within.is_full());
                changed = true;
            }
        }
    }
    changed
}

/// The cases in which a fact is as `truth` says; one that says nothing if there were too many.
fn cases(scope: &Scope, fact: &Expr, truth: bool) -> Vec<Case> {
    match (fact, truth) {
        (Expr::Const(value, Type::Bool), _) if (*value != 0) == truth => vec![Case::default()],
        (Expr::Const(_, Type::Bool), _) => Vec::new(),
        (Expr::Unary(UnOp::Not, inner), _) => cases(scope, inner, !truth),
        (Expr::Binary(BinOp::And, a, b), true) | (Expr::Binary(BinOp::Or, a, b), false) => {
            both(cases(scope, a, truth), cases(scope, b, truth))
        }
        (Expr::Binary(BinOp::And, a, b), false) | (Expr::Binary(BinOp::Or, a, b), true) => {
            [cases(scope, a, truth), cases(scope, b, truth)].concat()
        }
        _ if !scope.shows(fact) => vec![Case::default()],
        _ => {
            let (term, within) = literal(scope, fact);
            let within = if truth { within } else { within.complement() };
            let mut case = Case::default();
            case.add(&term, &within).map(|()| case).into_iter().collect()
        }
    }
}

/// The cases in which one of `left` holds and one of `right`. Too many of these are not told apart:
/// then `left` stands for them, which says less.
fn both(left: Vec<Case>, right: Vec<Case>) -> Vec<Case> {
    let pairs = left.iter().flat_map(|a| right.iter().filter_map(|b| a.and(b)));
    let together: Vec<Case> = pairs.take(MAX_CASES + 1).collect();
    if together.len() > MAX_CASES { left } else { together }
}

/// A fact as a term and the values it may have. A comparison of two terms is a term itself.
fn literal(scope: &Scope, fact: &Expr) -> (Expr, Ranges) {
    let opposite = |fact: &Expr| {
        let (term, within) = literal(scope, fact);
        (term, within.complement())
    };
    match fact {
        Expr::Unary(UnOp::Not, inner) => opposite(inner),
        Expr::Binary(BinOp::Ne, a, b) => opposite(&Expr::Binary(BinOp::Eq, a.clone(), b.clone())),
        Expr::Binary(BinOp::Lt, a, b) => opposite(&Expr::Binary(BinOp::Le, b.clone(), a.clone())),
        Expr::Binary(op @ (BinOp::Eq | BinOp::Le), a, b) => match (op, &**a, &**b) {
            (BinOp::Eq, sum, Expr::Const(value, ty)) | (BinOp::Eq, Expr::Const(value, ty), sum) => {
                let (term, more) = summand(sum, *ty);
                (term.clone(), Ranges::only(*ty, ty.wrap(value - more)))
            }
            (_, Expr::Const(low, ty), term) => (term.clone(), Ranges::from(*ty, *low)),
            (_, term, Expr::Const(high, ty)) => (term.clone(), Ranges::up_to(*ty, *high)),
            (BinOp::Eq, a, b) if scope.text(b) < scope.text(a) => {
                (Expr::eq(b.clone(), a.clone()), Ranges::only(Type::Bool, 1))
            }
            _ => (fact.clone(), Ranges::only(Type::Bool, 1)),
        },
        other => (other.clone(), Ranges::only(Type::Bool, 1)),
    }
}

/// `x + 3` as `x` and 3, where sums wrap around; anything else as itself and 0.
fn summand(sum: &Expr, ty: Type) -> (&Expr, i128) {
    match (sum, ty) {
        (Expr::Binary(BinOp::Add, term, more), Type::Bits { signed: false, .. }) => match **more {
            Expr::Const(more, _) => (term, more),
            _ => (sum, 0),
        },
        _ => (sum, 0),
    }
}

#[cfg(test)]
pub mod tests;
