//! Formatted output. What a format says that is written at the call is `sema`'s; here, the format of every call is asked
//! whether it writes to memory (`%n`).

use super::input::Input;
use crate::hir::{Callee, Expr as CExpr, FuncId, Function};
use crate::points_to::Pointee;

/// Functions of our library with a format, and which argument it is.
const FORMATTED: [(&str, usize); 7] = [
    ("printf", 0),
    ("fprintf", 1),
    ("dprintf", 1),
    ("vprintf", 0),
    ("vfprintf", 1),
    ("printk", 0),
    ("syslog", 1),
];
/// Other functions whose result says whether output has succeeded.
const OUTPUT: [&str; 7] = ["puts", "fputs", "putchar", "fputc", "putc", "fflush", "fwrite"];

impl Input<'_> {
    /// What is not supported of a call: a format that may write to memory, or is not known.
    pub fn refused_format(&self, called: &Function, args: &[CExpr]) -> Option<String> {
        match self.texts_at(format_of(called, args)?) {
            None => Some(format!("`{}` with a format that is not known", called.name)),
            Some(texts) => {
                let writes = texts.iter().any(|text| conversions(text).any(|c| c == 'n'));
                writes.then(|| "`%n` in a format".to_string())
            }
        }
    }

    /// Does the value of this call say whether output has succeeded?
    pub fn is_output(&self, callee: &Callee) -> bool {
        let Callee::Direct(function) = callee else { return false };
        let Function { name, is_model, .. } = &self.unit.functions[function.index()];
        *is_model && OUTPUT.contains(&name.as_str()) || self.formatted_name(*function).is_some()
    }

    /// The name of a function whose result is known only where it is called by its name.
    pub fn formatted_name(&self, function: FuncId) -> Option<&str> {
        let function = &self.unit.functions[function.index()];
        let has_format = FORMATTED.iter().any(|(name, _)| *name == function.name);
        (function.is_model && has_format).then_some(function.name.as_str())
    }

    /// The string literals that a pointer may point to; `None` if it may point elsewhere.
    fn texts_at(&self, pointer: &CExpr) -> Option<Vec<String>> {
        let text = |object| match object {
            Pointee::Var(var) if self.unit.vars[var.index()].name.starts_with('"') => {
                Some(self.text(var))
            }
            _ => None,
        };
        let texts: Option<Vec<String>> =
            self.points_to.targets(pointer).into_iter().map(text).collect();
        texts.filter(|texts| !texts.is_empty())
    }
}

fn format_of<'a>(called: &Function, args: &'a [CExpr]) -> Option<&'a CExpr> {
    let (_, position) = FORMATTED.iter().find(|(name, _)| *name == called.name)?;
    if called.is_model { args.get(*position) } else { None }
}

/// The last character of each conversion of a format: `d` of `%-5ld`.
fn conversions(format: &str) -> impl Iterator<Item = char> + '_ {
    let mut rest = format.chars();
    std::iter::from_fn(move || {
        rest.find(|c| *c == '%')?;
        rest.find(|c| c.is_ascii_alphabetic() && !"hlLqjzt".contains(*c) || *c == '%')
    })
}

#[cfg(test)]
mod tests {
    use super::conversions;

    #[test]
    fn conversions_end_with_their_letter() {
        let of = |format| conversions(format).collect::<String>();
        assert_eq!(of("none"), "");
        assert_eq!(of("%d %-5ld 100%% %hhn%*.*s"), "dd%ns");
        assert_eq!(of("%"), "");
    }
}
