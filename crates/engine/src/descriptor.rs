//! What an engine says of itself, as data: its name, its options and how it is made. Engines are
//! listed, their options read and their help printed from here, so that an added engine is
//! one more [`Descriptor`] and nothing else.

use crate::Engine;
use std::collections::BTreeMap;
use std::fmt;

/// An engine, as users know it.
#[derive(Debug)]
pub struct Descriptor {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Its own options. No two engines have options of the same name.
    pub options: &'static [EngineOption],
    /// The engine with these settings.
    pub make: fn(&Settings) -> Box<dyn Engine>,
}

/// An option of an engine.
#[derive(Debug)]
pub struct EngineOption {
    /// Its name, without the dashes before it.
    pub name: &'static str,
    /// What it is for; several lines if one is too long.
    pub help: &'static str,
    /// What it may be.
    pub values: OptionValues,
}

/// The values that an option may have.
#[derive(Debug)]
pub enum OptionValues {
    /// On, or off if it is not given.
    Flag,
    /// One of several.
    OneOf {
        /// What stands for a value in help texts.
        placeholder: &'static str,
        /// The values there are.
        values: &'static [&'static str],
        /// The value if none is given.
        default: &'static str,
    },
}

/// Values of options. Options that are not set have their defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    chosen: BTreeMap<&'static str, &'static str>,
}

/// A value that an option does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchValue {
    option: &'static str,
    value: String,
}

impl fmt::Display for NoSuchValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the option {} has no value `{}`", self.option, self.value)
    }
}

impl std::error::Error for NoSuchValue {}

/// The value of a flag that is on.
const ON: &str = "on";

impl Settings {
    /// Sets an option; a flag is `"on"`.
    pub fn set(&mut self, option: &'static EngineOption, value: &str) -> Result<(), NoSuchValue> {
        let values = match option.values {
            OptionValues::Flag => &[ON],
            OptionValues::OneOf { values, .. } => values,
        };
        let known = values.iter().find(|known| **known == value);
        let known =
            known.ok_or_else(|| NoSuchValue { option: option.name, value: value.to_string() })?;
        self.chosen.insert(option.name, known);
        Ok(())
    }

    /// Is this flag on?
    pub fn flag(&self, option: &EngineOption) -> bool {
        self.chosen.contains_key(option.name)
    }

    /// What `choices`, a table of all values of an option, says of the value that was chosen.
    pub fn choice<T: Copy>(&self, option: &EngineOption, choices: &[(&str, T)]) -> T {
        let default = match option.values {
            OptionValues::Flag => ON,
            OptionValues::OneOf { default, .. } => default,
        };
        let value = self.chosen.get(option.name).copied().unwrap_or(default);
        let found = choices.iter().find(|(name, _)| *name == value);
        found.expect("the table should have every value of the option").1
    }
}

#[cfg(test)]
mod tests {
    use super::{EngineOption, OptionValues, Settings};

    static DEPTH: EngineOption = EngineOption {
        name: "depth",
        help: "How deep",
        values: OptionValues::OneOf {
            placeholder: "HOW",
            values: &["low", "high"],
            default: "low",
        },
    };
    static EAGER: EngineOption =
        EngineOption { name: "eager", help: "At once", values: OptionValues::Flag };
    const DEPTHS: [(&str, u32); 2] = [("low", 1), ("high", 9)];

    #[test]
    fn what_is_not_set_has_its_default() {
        let mut settings = Settings::default();
        assert_eq!(settings.choice(&DEPTH, &DEPTHS), 1);
        assert!(!settings.flag(&EAGER));
        settings.set(&DEPTH, "high").expect("a value of the option");
        settings.set(&EAGER, "on").expect("a flag can be on");
        assert_eq!(settings.choice(&DEPTH, &DEPTHS), 9);
        assert!(settings.flag(&EAGER));
    }

    #[test]
    fn other_values_are_refused() {
        let mut settings = Settings::default();
        let refused = settings.set(&DEPTH, "deep").expect_err("no such depth");
        assert_eq!(refused.to_string(), "the option depth has no value `deep`");
        assert!(settings.set(&EAGER, "perhaps").is_err());
        assert_eq!(settings, Settings::default());
    }
}
