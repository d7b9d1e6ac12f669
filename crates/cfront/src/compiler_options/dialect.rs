//! What all files of a program must have in common.

use crate::types::DataModel;
use crate::{BadInput, CompilerOptions, ReadOptions, SourceFile, of_file};

/// What flags say of C that holds for a whole program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// Sizes of C's types.
    pub data_model: DataModel,
    /// Does signed arithmetic wrap around?
    pub wraps: bool,
}

impl Dialect {
    /// That of one file. `asked` is what the user says of the data model beside the flags.
    pub fn new(
        name: &str,
        options: &CompilerOptions,
        asked: Option<DataModel>,
    ) -> Result<Dialect, BadInput> {
        let data_model = options.data_model.or(asked).unwrap_or_default();
        if asked.is_some_and(|asked| asked != data_model) {
            let message = "its flags (`-m32`, `-m64`) and the data model contradict each other";
            return Err(of_file(name, message.to_string()));
        }
        if options.is_c90 == Some(true) && data_model == DataModel::Ilp32 {
            let message = "the C of 1990 has other types of integers on a machine with 32 bits, \
                           which is not modelled";
            return Err(of_file(name, message.to_string()));
        }
        Ok(Dialect { data_model, wraps: options.wraps.unwrap_or(false) })
    }

    /// That of several files, which must agree.
    pub fn of_files(files: &[SourceFile], options: &ReadOptions) -> Result<Dialect, BadInput> {
        let mut first = None;
        for file in files {
            let name = file.path.display().to_string();
            let own = Dialect::new(&name, &file.options, options.data_model)?;
            let (first_name, known) = first.get_or_insert((name.clone(), own));
            let flag = match *known {
                Dialect { data_model, .. } if data_model != own.data_model => "-m32",
                Dialect { wraps, .. } if wraps != own.wraps => "-fwrapv",
                _ => continue,
            };
            let message = format!("of this file and `{first_name}`, only one has `{flag}`");
            return Err(of_file(&name, message));
        }
        Ok(first.map(|(_, dialect)| dialect).unwrap_or_default())
    }
}
