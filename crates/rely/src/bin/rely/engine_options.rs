//! The options that engines bring: each engine says itself what it has (`rely::ENGINES`), and the
//! command line reads, explains and refuses accordingly.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use rely::{Descriptor, ENGINES, EngineOption, OptionValues, Settings};

/// What was chosen of the engines' own options.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// For the library.
    pub settings: Settings,
}

/// The names of all engines.
pub fn engine_names() -> PossibleValuesParser {
    PossibleValuesParser::new(ENGINES.map(|engine| engine.name))
}

/// The engine of a name that was accepted.
pub fn find_engine(name: String) -> &'static Descriptor {
    rely::engine(&name).expect("only names of engines are accepted")
}

fn all() -> impl Iterator<Item = &'static EngineOption> {
    ENGINES.into_iter().flat_map(|engine| engine.options)
}

impl Args for EngineOptions {
    fn augment_args(command: Command) -> Command {
        command.args(all().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineOptions::augment_args(command)
    }
}

fn argument(option: &'static EngineOption) -> Arg {
    let argument = Arg::new(option.name).long(option.name).help(option.help);
    match option.values {
        OptionValues::Flag => argument.action(ArgAction::SetTrue),
        OptionValues::OneOf { placeholder, values, default } => argument
            .value_name(placeholder)
            .value_parser(PossibleValuesParser::new(values))
            .default_value(default),
    }
}

impl FromArgMatches for EngineOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineOptions, Error> {
        let mut options = EngineOptions::default();
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for option in all() {
            let value = match option.values {
                OptionValues::Flag => matches.get_flag(option.name).then_some("on"),
                OptionValues::OneOf { .. } => {
                    matches.get_one::<String>(option.name).map(String::as_str)
                }
            };
            if let Some(value) = value {
                self.settings.set(option, value).expect("only values of the option are accepted");
            }
        }
        Ok(())
    }
}
