//! The engine of this crate and its option, for those who list engines.

use crate::{Configuration, Impact, PartialOrderReduction};
use engine::{Descriptor, EngineOption, OptionValues};

/// Lazy abstraction.
pub const IMPACT: Descriptor = Descriptor {
    name: "impact",
    about: "reasons about formulas along interleavings; data of any size",
    options: &[REDUCTION],
    make: |settings| {
        Box::new(Impact { configuration: settings.choice(&REDUCTION, &CONFIGURATIONS) })
    },
};

const REDUCTION: EngineOption = EngineOption {
    name: "reduction",
    help: "\
How the engine impact leaves out interleavings (sPOR or dPOR), and whether it
forces covers (FC): the four configurations of its paper",
    values: OptionValues::OneOf {
        placeholder: "HOW",
        values: &["spor", "spor+fc", "dpor", "dpor+fc"],
        default: "dpor+fc",
    },
};

const CONFIGURATIONS: [(&str, Configuration); 4] = [
    ("spor", Configuration { reduction: PartialOrderReduction::Static, force_cover: false }),
    ("spor+fc", Configuration { reduction: PartialOrderReduction::Static, force_cover: true }),
    ("dpor", Configuration { reduction: PartialOrderReduction::Dynamic, force_cover: false }),
    ("dpor+fc", Configuration { reduction: PartialOrderReduction::Dynamic, force_cover: true }),
];
