//! The variables and functions of the program, as far as they are declared.

use crate::hir::{FuncId, Function, Lifetime, Place, PlaceKind, TypeId, Var, VarId};
use crate::syntax::ast::Range;
use std::collections::{BTreeSet, HashMap};

/// The name of the variables that hold string literals.
const STRING_NAME: &str = "\"…\"";

/// The tables of variables and functions.
#[derive(Default)]
pub(super) struct Objects {
    vars: Vec<Var>,
    functions: Vec<Function>,
    /// The variables of string literals, by characters and prefix.
    strings: HashMap<(Vec<u32>, char), VarId>,
    /// The string literals that stand at several places.
    repeated: BTreeSet<VarId>,
}

impl Objects {
    pub fn add_var(&mut self, var: Var) -> VarId {
        let id = VarId(self.vars.len() as u32);
        self.vars.push(var);
        id
    }

    /// A variable without an initialiser.
    pub fn add_plain(&mut self, name: &str, ty: TypeId, lifetime: Lifetime, at: Range) -> VarId {
        self.add_var(Var {
            name: name.to_string(),
            ty,
            lifetime,
            init: None,
            align: None,
            limit: None,
            is_const: false,
            range: at,
        })
    }

    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }

    pub fn var_mut(&mut self, id: VarId) -> &mut Var {
        &mut self.vars[id.index()]
    }

    /// The whole variable as a place.
    pub fn place(&self, var: VarId, range: Range) -> Place {
        Place { kind: PlaceKind::Var(var), ty: self.var(var).ty, bits: None, range }
    }

    /// All variables.
    pub fn var_ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.vars.len()).map(|index| VarId(index as u32))
    }

    /// How many variables there are.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// A function that is declared and not yet defined.
    pub fn add_function(&mut self, name: &str, ty: TypeId, variadic: bool, at: Range) -> FuncId {
        let id = FuncId(self.functions.len() as u32);
        self.functions.push(Function {
            name: name.to_string(),
            ty,
            params: Vec::new(),
            variadic,
            old_style: false,
            noreturn: false,
            body: None,
            labels: 0,
            label_names: Vec::new(),
            is_model: false,
            limit: None,
            range: at,
        });
        id
    }

    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    pub fn function_mut(&mut self, id: FuncId) -> &mut Function {
        &mut self.functions[id.index()]
    }

    /// How many functions there are.
    pub fn function_count(&self) -> usize {
        self.functions.len()
    }

    /// The variable of a string literal, made by `make` (type and initialiser) where the
    /// literal is new.
    pub fn string(&mut self, units: &[u32], prefix: char, make: impl FnOnce() -> Var) -> VarId {
        let key = (units.to_vec(), prefix);
        let made = make();
        if let Some(&var) = self.strings.get(&key) {
            if self.var(var).range != made.range {
                self.repeated.insert(var);
            }
            return var;
        }
        let var = self.add_var(Var { name: STRING_NAME.to_string(), ..made });
        self.strings.insert(key, var);
        var
    }

    /// Does a variable hold a string literal?
    pub fn is_string(&self, var: VarId) -> bool {
        self.var(var).name == STRING_NAME
    }

    /// The finished tables: variables, functions, and string literals that stand at several places.
    pub fn into_tables(self) -> (Vec<Var>, Vec<Function>, BTreeSet<VarId>) {
        (self.vars, self.functions, self.repeated)
    }
}
