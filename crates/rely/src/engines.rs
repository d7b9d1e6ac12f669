//! Every engine there is. An engine says itself what it is called, which options it has and how it is
//! made: to add one, add a row here.

use engine::Descriptor;

/// All engines, in the order in which they are listed for users.
pub const ENGINES: [&Descriptor; 6] = [
    &explore::EXPLORE,
    &impact::IMPACT,
    &rely_guarantee::RELY_GUARANTEE,
    &thread_modular::THREAD_MODULAR,
    &values::VALUES,
    &explore::PCT,
];

/// The engine of this name.
pub fn engine(name: &str) -> Option<&'static Descriptor> {
    ENGINES.into_iter().find(|engine| engine.name == name)
}

#[cfg(test)]
mod tests {
    use super::ENGINES;
    use engine::{Engine, OptionValues, Settings};
    use std::collections::BTreeSet;

    #[test]
    fn every_engine_knows_its_name() {
        let mut names = BTreeSet::new();
        for descriptor in ENGINES {
            let engine: Box<dyn Engine> = (descriptor.make)(&Settings::default());
            assert_eq!(engine.name(), descriptor.name);
            assert!(names.insert(descriptor.name), "two engines are called {}", descriptor.name);
        }
    }

    #[test]
    fn every_value_of_every_option_makes_an_engine() {
        let mut names = BTreeSet::new();
        for descriptor in ENGINES {
            for option in descriptor.options {
                assert!(names.insert(option.name), "two options are called {}", option.name);
                let values = match option.values {
                    OptionValues::Flag => &["on"],
                    OptionValues::OneOf { values, default, .. } => {
                        assert!(values.contains(&default), "{}: {default}", option.name);
                        values
                    }
                };
                for value in values {
                    let mut settings = Settings::default();
                    settings.set(option, value).expect("a value of the option");
                    (descriptor.make)(&settings);
                }
            }
        }
    }
}
