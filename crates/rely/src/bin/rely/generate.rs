//! What is made of the table of options, and of nothing else: manual pages and completions for shells.

use crate::options::Cli;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;

/// What can be made.
#[derive(Clone, Debug)]
pub enum GeneratedText {
    /// The manual page of a command: `rely`, or one of its commands.
    Manual(String),
    /// Completions for a shell.
    Completions(Shell),
}

/// How the names of manual pages begin: `man`, `man-check`.
const MANUAL: &str = "man";

/// The names of all products, and what they mean.
pub fn products() -> impl TypedValueParser<Value = GeneratedText> {
    let shells = Shell::value_variants().iter().map(ToString::to_string);
    let commands = ["check", "conform", "replay", "show", "explain", "generate"];
    let manuals = commands.map(|name| format!("{MANUAL}-{name}"));
    let names = [MANUAL.to_string()].into_iter().chain(manuals).chain(shells);
    PossibleValuesParser::new(names).map(|name| match name.strip_prefix(MANUAL) {
        Some(command) => GeneratedText::Manual(command.trim_start_matches('-').to_string()),
        None => GeneratedText::Completions(name.parse().expect("it is the name of a shell")),
    })
}

/// The text of a product.
pub fn text(product: &GeneratedText) -> String {
    let mut command = Cli::command();
    let mut text = Vec::new();
    match product {
        GeneratedText::Completions(shell) => {
            clap_complete::generate(*shell, &mut command, "rely", &mut text)
        }
        GeneratedText::Manual(name) => {
            command.build();
            let page = command.find_subcommand(name).unwrap_or(&command).clone();
            // Writing to memory cannot fail.
            let _ = clap_mangen::Man::new(page).render(&mut text);
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{GeneratedText, text};
    use crate::options::Cli;
    use clap::{CommandFactory, ValueEnum};
    use clap_complete::Shell;

    #[test]
    fn every_command_has_a_page_with_its_options() {
        let mut cli = Cli::command();
        cli.build();
        let commands: Vec<_> =
            cli.get_subcommands().filter(|one| one.get_name() != "help").collect();
        assert!(commands.len() >= 4);
        for command in commands {
            let name = command.get_name();
            let page = text(&GeneratedText::Manual(name.to_string()));
            assert!(page.contains(&format!(".TH rely-{name} ")), "{page}");
            for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
                let option = option.replace('-', "\\-");
                assert!(page.contains(&format!("\\-\\-{option}")), "{name}: no {option} in {page}");
            }
        }
        assert!(text(&GeneratedText::Manual(String::new())).contains("rely\\-check(1)"));
    }

    #[test]
    fn every_shell_completes_every_option() {
        for shell in Shell::value_variants() {
            let script = text(&GeneratedText::Completions(*shell));
            for option in ["memory-model", "timeout", "json", "witness", "color"] {
                assert!(script.contains(option), "{shell}: no {option}");
            }
        }
    }
}
