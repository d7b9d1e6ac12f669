//! The engine of this crate and its option, for those who list engines.

use crate::{Method, ThreadModular};
use engine::{Descriptor, EngineOption, OptionValues};

/// Thread-modular model checking.
pub const THREAD_MODULAR: Descriptor = Descriptor {
    name: "thread-modular",
    about: "decision diagrams of one thread or a few; finite data, many identical threads",
    options: &[METHOD],
    make: |settings| Box::new(ThreadModular { method: settings.choice(&METHOD, &METHODS) }),
};

const METHOD: EngineOption = EngineOption {
    name: "method",
    help: "\
How the engine thread-modular works: tmmc (each thread on its own), tmmcir (the same,
refined until it is conclusive), afr (all threads at once), or auto",
    values: OptionValues::OneOf {
        placeholder: "HOW",
        values: &["auto", "tmmc", "tmmcir", "afr"],
        default: "auto",
    },
};

const METHODS: [(&str, Method); 4] = [
    ("auto", Method::Auto),
    ("tmmc", Method::Tmmc),
    ("tmmcir", Method::Tmmcir),
    ("afr", Method::Afr),
];
