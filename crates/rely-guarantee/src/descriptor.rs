//! The engine of this crate and its options, for those who list engines.

use crate::{RelyGuarantee, Rule};
use engine::{Descriptor, EngineOption, OptionValues};

/// Rely-guarantee reasoning.
pub const RELY_GUARANTEE: Descriptor = Descriptor {
    name: "rely-guarantee",
    about: "reasons about one thread or a few at a time; parameterised threads",
    options: &[NO_BIAS, RULE],
    make: |settings| {
        let (bias, rule) = (!settings.flag(&NO_BIAS), settings.choice(&RULE, &RULES));
        Box::new(RelyGuarantee { bias, rule })
    },
};

const NO_BIAS: EngineOption = EngineOption {
    name: "no-bias",
    help: "\
Let the engine rely-guarantee track all threads from the beginning (three, if some are
parameterised), instead of looking for modular proofs first",
    values: OptionValues::Flag,
};

const RULE: EngineOption = EngineOption {
    name: "rule",
    help: "\
How the engine rely-guarantee applies interference to one thread: reach-env
(abstracted), owicki-gries (step by step), or auto",
    values: OptionValues::OneOf {
        placeholder: "RULE",
        values: &["auto", "reach-env", "owicki-gries"],
        default: "auto",
    },
};

const RULES: [(&str, Rule); 3] =
    [("auto", Rule::Auto), ("reach-env", Rule::ReachEnv), ("owicki-gries", Rule::OwickiGries)];
