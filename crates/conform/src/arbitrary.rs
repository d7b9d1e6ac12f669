//! Gets rid of the arbitrary values of a step, so that what is left is a relation
//! between old and new values of shared variables.
//!
//! A value that is assigned to a shared variable *is* that variable's new value. One
//! of few is tried out, one case each. One that only decides where to go is of no
//! consequence if some value decides so. Anything else would need a quantifier.

use crate::formula::all;
use crate::machine::Machine;
use crate::read::MAX_SPLIT_VALUES;
use ccfa::fold::refold;
use ccfa::{Assign, BinOp, Expr, LocalId, Place, Program, Rhs, Type, UnOp, VarRef};
use std::collections::{BTreeMap, BTreeSet};

/// A step without arbitrary values, but for those that shared variables take.
pub struct ConcreteMove {
    pub guard: Expr,
    pub effects: Vec<Assign>,
    pub ensure: Expr,
}

/// What an arbitrary value is, by its number among the symbols.
type Known = BTreeMap<u32, Expr>;

/// Combinations of values that are tried: beyond that, they are left arbitrary.
const MAX_COMBINATIONS: usize = 4096;

const NEEDS_QUANTIFIER: &str = "the effect of this step on shared variables is not determined by their old and new \
     values; assign an arbitrary value to a shared variable directly and restrict it with an assumption afterwards";

/// The cases of a step with these conditions (each always defined), these effects
/// and arbitrary values of these types.
pub fn cases(
    program: &Program,
    machine: &Machine,
    conditions: &[Expr],
    effects: Vec<Assign>,
    fresh: &[Type],
) -> Result<Vec<ConcreteMove>, String> {
    let context = MoveContext { program, machine, fresh };
    let (known, effects) = context.stored(effects);
    let step = context.relation(conditions, effects, &known);
    let open = context.open(&step);
    let (few, many): (Vec<u32>, Vec<u32>) =
        open.into_iter().partition(|symbol| context.values(*symbol).is_some());
    let mut cases = Vec::new();
    for known in context.combinations(&few)? {
        let step = substitute_step(&step, &known);
        cases.extend(context.without(step, &many)?);
    }
    Ok(cases)
}

/// Conditions and effects.
#[derive(Clone)]
struct OpenMove {
    conditions: Vec<Expr>,
    effects: Vec<Assign>,
}

struct MoveContext<'a> {
    program: &'a Program,
    machine: &'a Machine,
    fresh: &'a [Type],
}

impl MoveContext<'_> {
    fn first(&self) -> u32 {
        self.machine.params.len() as u32
    }

    fn ty(&self, symbol: u32) -> Type {
        self.fresh[(symbol - self.first()) as usize]
    }

    fn is_fresh(&self, symbol: u32) -> bool {
        symbol >= self.first()
    }

    /// The values that are stored in shared variables are these variables' new
    /// values.
    fn stored(&self, mut effects: Vec<Assign>) -> (Known, Vec<Assign>) {
        let mut known = Known::new();
        for effect in &mut effects {
            let (Place::Var(VarRef::Shared(id)) | Place::Element(VarRef::Shared(id), _)) =
                &effect.place
            else {
                continue;
            };
            let Rhs::Expr(value) = &effect.value else { continue };
            let declared = self.program.shared[id.index()].ty;
            let Some(symbol) = self.stored_symbol(value, declared) else { continue };
            if known.contains_key(&symbol) {
                continue;
            }
            let after = VarRef::Shared(self.machine.after(*id));
            let new = match &effect.place {
                Place::Var(_) => Expr::Var(after),
                Place::Element(_, index) => Expr::Index(after, Box::new(index.clone())),
            };
            let ty = self.ty(symbol);
            known.insert(symbol, if ty == declared { new } else { Expr::Cast(ty, Box::new(new)) });
            effect.value = Rhs::Havoc;
        }
        (known, effects)
    }

    /// The arbitrary value that `value` is, perhaps seen through another type of the
    /// same width.
    fn stored_symbol(&self, value: &Expr, ty: Type) -> Option<u32> {
        let (value, inner) = match value {
            Expr::Cast(_, inner) => (&**inner, true),
            value => (value, false),
        };
        let Expr::Var(VarRef::Local(LocalId(symbol))) = value else { return None };
        if !self.is_fresh(*symbol) {
            return None;
        }
        let same = match (self.ty(*symbol), ty) {
            (Type::Bits { width: a, .. }, Type::Bits { width: b, .. }) => a == b,
            (a, b) => a == b,
        };
        (same || !inner).then_some(*symbol)
    }

    /// The step in terms of new values. An effect that depends on one becomes a condition.
    fn relation(&self, conditions: &[Expr], effects: Vec<Assign>, known: &Known) -> OpenMove {
        let mut conditions: Vec<Expr> =
            conditions.iter().map(|condition| substitute(condition, known)).collect();
        let mut kept = Vec::new();
        for Assign { place, value } in effects {
            let value = match value {
                Rhs::Expr(value)
                    if self.symbols(&value).iter().any(|symbol| known.contains_key(symbol)) =>
                {
                    let (Place::Var(VarRef::Shared(id)) | Place::Element(VarRef::Shared(id), _)) =
                        &place
                    else {
                        continue;
                    };
                    let after = VarRef::Shared(self.machine.after(*id));
                    let new = match &place {
                        Place::Var(_) => Expr::Var(after),
                        Place::Element(_, index) => Expr::Index(after, Box::new(index.clone())),
                    };
                    conditions.push(Expr::eq(new, substitute(&value, known)));
                    Rhs::Havoc
                }
                other => other,
            };
            kept.push(Assign { place, value });
        }
        OpenMove { conditions, effects: kept }
    }

    /// The arbitrary values that an expression depends on.
    fn symbols(&self, expr: &Expr) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        expr.walk(&mut |part| {
            if let Expr::Var(VarRef::Local(LocalId(symbol))) = part
                && self.is_fresh(*symbol)
            {
                found.insert(*symbol);
            }
        });
        found
    }

    /// The arbitrary values that a step depends on.
    fn open(&self, step: &OpenMove) -> BTreeSet<u32> {
        let parts = step.conditions.iter().chain(step.effects.iter().flat_map(computed));
        parts.flat_map(|part| self.symbols(part)).collect()
    }

    /// All values of a symbol, if they are few.
    fn values(&self, symbol: u32) -> Option<Vec<Expr>> {
        let ty = self.ty(symbol);
        let (low, high) = ty.bounds().filter(|(low, high)| high - low < MAX_SPLIT_VALUES)?;
        Some((low..=high).map(|value| Expr::Const(value, ty)).collect())
    }

    fn combinations(&self, symbols: &[u32]) -> Result<Vec<Known>, String> {
        let choices =
            symbols.iter().map(|symbol| (*symbol, self.values(*symbol).unwrap_or_default()));
        product(choices.collect())
            .ok_or_else(|| "a step depends on too many arbitrary values".into())
    }

    /// The step without values that only decide where to go.
    fn without(&self, step: OpenMove, many: &[u32]) -> Result<Option<ConcreteMove>, String> {
        if step.effects.iter().flat_map(computed).any(|part| !self.symbols(part).is_empty()) {
            return Err(NEEDS_QUANTIFIER.into());
        }
        let (deciding, kept): (Vec<Expr>, Vec<Expr>) =
            step.conditions.into_iter().partition(|condition| !self.symbols(condition).is_empty());
        if !deciding.is_empty() && !self.possible(&deciding, many)? {
            let certain = deciding.iter().all(compares_with_constants);
            return if certain { Ok(None) } else { Err(NEEDS_QUANTIFIER.into()) };
        }
        let after = |condition: &Expr| {
            let mut found = false;
            condition.walk(&mut |part| {
                if let Expr::Var(var) | Expr::Index(var, _) = part {
                    found |= self.machine.is_after(*var).is_some();
                }
            });
            found
        };
        let (ensure, guard): (Vec<Expr>, Vec<Expr>) = kept.into_iter().partition(after);
        let (guard, ensure) = (all(guard), all(ensure));
        let possible = guard != Expr::FALSE && ensure != Expr::FALSE;
        Ok(possible.then_some(ConcreteMove { guard, effects: step.effects, ensure }))
    }

    /// Does some choice of values fulfil these conditions, which speak of nothing else?
    fn possible(&self, conditions: &[Expr], symbols: &[u32]) -> Result<bool, String> {
        let mut constants = BTreeSet::from([0, 1, -1]);
        for condition in conditions {
            condition.walk(&mut |part| {
                if let Expr::Const(value, _) = part {
                    constants.extend([value - 1, *value, value + 1]);
                }
            });
        }
        let choices = symbols.iter().map(|symbol| {
            let ty = self.ty(*symbol);
            let (low, high) = ty.bounds().unwrap_or((0, 0));
            let tried = constants.iter().copied().chain([low, high]);
            (
                *symbol,
                tried
                    .filter(|value| ty.contains(*value))
                    .map(|value| Expr::Const(value, ty))
                    .collect(),
            )
        });
        let Some(tried) = product(choices.collect()) else {
            return Err("a step depends on too many arbitrary values".into());
        };
        Ok(tried.iter().any(|known| {
            conditions.iter().all(|condition| substitute(condition, known) == Expr::TRUE)
        }))
    }
}

/// Does it only compare variables with constants? Then its truth changes at these
/// constants and nowhere else, and trying them and their neighbours is exhaustive.
fn compares_with_constants(condition: &Expr) -> bool {
    match condition {
        Expr::Const(..) => true,
        Expr::Unary(UnOp::Not, operand) => compares_with_constants(operand),
        Expr::Binary(BinOp::And | BinOp::Or, left, right) => {
            compares_with_constants(left) && compares_with_constants(right)
        }
        Expr::Binary(op, left, right) => {
            op.is_predicate()
                && matches!(
                    (&**left, &**right),
                    (Expr::Var(_), Expr::Const(..)) | (Expr::Const(..), Expr::Var(_))
                )
        }
        _ => false,
    }
}

fn computed(effect: &Assign) -> Vec<&Expr> {
    let value = if let Rhs::Expr(value) = &effect.value { Some(value) } else { None };
    let index = if let Place::Element(_, index) = &effect.place { Some(index) } else { None };
    value.into_iter().chain(index).collect()
}

/// Every choice of one value for each symbol, unless there are too many.
fn product(choices: Vec<(u32, Vec<Expr>)>) -> Option<Vec<Known>> {
    let mut all = vec![Known::new()];
    for (symbol, values) in choices {
        if all.len() * values.len() > MAX_COMBINATIONS {
            return None;
        }
        let with = |known: &Known, value: &Expr| {
            let mut known = known.clone();
            known.insert(symbol, value.clone());
            known
        };
        all = all
            .iter()
            .flat_map(|known| values.iter().map(move |value| with(known, value)))
            .collect();
    }
    Some(all)
}

fn substitute(expr: &Expr, known: &Known) -> Expr {
    refold(&expr.map_reads(&mut |read| match &read {
        Expr::Var(VarRef::Local(LocalId(symbol))) => known.get(symbol).cloned().unwrap_or(read),
        _ => read,
    }))
}

fn substitute_step(step: &OpenMove, known: &Known) -> OpenMove {
    let effect = |Assign { place, value }: &Assign| Assign {
        place: match place {
            Place::Var(var) => Place::Var(*var),
            Place::Element(var, index) => Place::Element(*var, substitute(index, known)),
        },
        value: match value {
            Rhs::Expr(value) => Rhs::Expr(substitute(value, known)),
            Rhs::Havoc => Rhs::Havoc,
        },
    };
    OpenMove {
        conditions: step.conditions.iter().map(|condition| substitute(condition, known)).collect(),
        effects: step.effects.iter().map(effect).collect(),
    }
}
