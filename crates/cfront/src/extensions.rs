//! The allow-list: which attributes and pragmas we know, and what they do to the meaning of a program.
//!
//! What is *harmless* cannot change what a program that compiles does, and stands here with the reason. What is
//! *modelled* is read where it stands (`sema`, the parser). Everything else, known or never heard of, is a model limit:
//! of the variable or function that is declared so, else of the program. Nothing is skipped by oversight.

/// What an attribute or a pragma is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It changes nothing that a program can observe.
    Harmless,
    /// It is read where it stands.
    Modelled,
    /// It may change the meaning, and we do not model how.
    Limit,
}

/// Attributes that change nothing, by the reason.
const HARMLESS_ATTRIBUTES: &[(&str, &[&str])] = &[
    (
        "what the compiler says about the program, not what it makes of it",
        &[
            "deprecated",
            "unavailable",
            "unused",
            "maybe_unused",
            "warn_unused_result",
            "nodiscard",
            "warning",
            "error",
            "fallthrough",
            "nonstring",
            "sentinel",
            "format",
            "format_arg",
            "access",
            "fd_arg",
            "fd_arg_read",
            "fd_arg_write",
            "null_terminated_string_arg",
            "tainted_args",
            "designated_init",
            "warn_if_not_aligned",
            "warn_unused",
            "diagnose_as_builtin",
            "diagnose_if",
            "annotate",
            "counted_by",
            "strict_flex_array",
            "noplt",
            "unused_parameter",
            "availability",
            "noescape",
            "no_dangling",
            "analyzer_noreturn",
            "type_visibility",
        ],
    ),
    (
        "promises about a function that hold in a program without undefined behaviour",
        &[
            "const",
            "pure",
            "leaf",
            "nothrow",
            "malloc",
            "alloc_size",
            "alloc_align",
            "assume_aligned",
            "nonnull",
            "returns_nonnull",
            "nonnull_if_nonzero",
            "cold",
            "hot",
            "likely",
            "unlikely",
            "no_icf",
            "returns_twice",
            "expected_throw",
            "unsequenced",
            "reproducible",
            "musttail",
            "may_alias",
        ],
    ),
    (
        "how code is made, not what it computes",
        &[
            "noinline",
            "always_inline",
            "artificial",
            "flatten",
            "noclone",
            "noipa",
            "no_reorder",
            "no_instrument_function",
            "no_profile_instrument_function",
            "no_stack_protector",
            "stack_protect",
            "no_split_stack",
            "patchable_function_entry",
            "zero_call_used_regs",
            "nocf_check",
            "target",
            "target_clones",
            "simd",
            "no_sanitize",
            "no_sanitize_address",
            "no_address_safety_analysis",
            "no_sanitize_thread",
            "no_sanitize_undefined",
            "no_sanitize_coverage",
            "uninitialized",
            "force_align_arg_pointer",
            "indirect_branch",
            "function_return",
            "indirect_return",
            "fentry_name",
            "fentry_section",
            "no_caller_saved_registers",
            "no_builtin",
            "optnone",
            "minsize",
            "disable_tail_calls",
        ],
    ),
    (
        "how arguments are passed: the same for the caller and the function called, whose types agree",
        &[
            "cdecl",
            "stdcall",
            "fastcall",
            "thiscall",
            "regparm",
            "sseregparm",
            "ms_abi",
            "sysv_abi",
        ],
    ),
    (
        "what the linker sees of a definition: one program has one of each name. Where a section is walked over, its ends are \
         names nobody defines, and these are limits",
        &[
            "visibility",
            "externally_visible",
            "used",
            "retain",
            "section",
            "common",
            "nocommon",
            "tls_model",
            "no_common",
            "selectany",
            "dllimport",
            "dllexport",
            "gcc_struct",
        ],
    ),
];

/// Attributes that are read where they stand.
const MODELLED_ATTRIBUTES: &[&str] = &[
    "noreturn",
    "gnu_inline",
    "packed",
    "aligned",
    "mode",
    "transparent_union",
    "constructor",
    "destructor",
    "alias",
    "weak",
    "weakref",
    "cleanup",
    // Of the type of such values nothing but the size is known: each use is a limit.
    "vector_size",
    // `asm("name")`
    "asm",
    // Depends on its arguments.
    "optimize",
];

/// Pragmas (their first word, or two) that change nothing, by the reason.
const HARMLESS_PRAGMAS: &[(&str, &[&str])] = &[
    (
        "what the compiler says about the program",
        &[
            "GCC diagnostic",
            "GCC warning",
            "GCC error",
            "GCC system_header",
            "GCC poison",
            "GCC dependency",
            "clang diagnostic",
            "message",
            "warning",
            "mark",
            "region",
            "endregion",
        ],
    ),
    (
        "how code is made, not what it computes",
        &["GCC target", "GCC ivdep", "GCC unroll", "unroll", "nounroll"],
    ),
    (
        "targets and options are restored; what they are set to is looked at",
        &["GCC push_options", "GCC pop_options", "GCC reset_options"],
    ),
    (
        "what the linker sees of a definition: one program has one of each name",
        &["GCC visibility", "GCC pch_preprocess", "ident", "comment"],
    ),
    (
        "only floating-point arithmetic changes, which is a limit itself",
        &["STDC FP_CONTRACT", "STDC FENV_ACCESS", "STDC CX_LIMITED_RANGE"],
    ),
    ("done by the preprocessor", &["once", "push_macro", "pop_macro"]),
];

/// Pragmas that are read where they stand.
const MODELLED_PRAGMAS: &[&str] = &["pack", "weak", "redefine_extname", "GCC optimize"];

/// What an attribute is to us, by its name without underscores around it.
pub fn attribute(name: &str) -> Standing {
    standing(HARMLESS_ATTRIBUTES, MODELLED_ATTRIBUTES, name)
}

/// What a pragma is to us: what follows the word `pragma`.
pub fn pragma(text: &str) -> Standing {
    let mut words = words(text);
    let first = words.next().unwrap_or_default();
    let both = words.next().map_or(first.to_string(), |second| format!("{first} {second}"));
    match (standing(HARMLESS_PRAGMAS, MODELLED_PRAGMAS, first), text.trim().is_empty()) {
        (_, true) => Standing::Harmless,
        (Standing::Limit, _) => standing(HARMLESS_PRAGMAS, MODELLED_PRAGMAS, &both),
        (known, _) => known,
    }
}

/// The words and numbers of a pragma, without punctuation.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
        .filter(|word| !word.is_empty())
}

/// Does an attribute promise what only the program can keep? A compiler relies on it.
pub fn is_promise(name: &str) -> bool {
    const PROMISES: [&str; 10] = [
        "const",
        "pure",
        "malloc",
        "alloc_align",
        "assume_aligned",
        "nonnull",
        "returns_nonnull",
        "nonnull_if_nonzero",
        "unsequenced",
        "reproducible",
    ];
    PROMISES.contains(&name)
}

/// Options of the attribute or pragma `optimize` that only say how much is optimised.
pub fn is_harmless_optimisation(option: &str) -> bool {
    let option = option.trim().trim_start_matches("-f").trim_start_matches('-');
    let level = option.strip_prefix('O').unwrap_or(option);
    let is_level = matches!(level, "" | "0" | "1" | "2" | "3" | "s" | "g" | "z");
    is_level
        || ["tree-", "no-tree-", "inline", "no-inline", "unroll", "no-unroll", "ipa-", "no-ipa-"]
            .iter()
            .any(|known| option.starts_with(known))
}

fn standing(harmless: &[(&str, &[&str])], modelled: &[&str], name: &str) -> Standing {
    if modelled.contains(&name) {
        return Standing::Modelled;
    }
    match harmless.iter().any(|(_, names)| names.contains(&name)) {
        true => Standing::Harmless,
        false => Standing::Limit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_listed_is_a_limit() {
        for name in [
            "",
            "frobnicate",
            "scalar_storage_order",
            "ifunc",
            "naked",
            "copy",
            "ms_struct",
            "hardbool",
        ] {
            assert_eq!(attribute(name), Standing::Limit, "{name}");
        }
        for text in [
            "omp parallel for",
            "scalar_storage_order big-endian",
            "frobnicate",
            "GCC frobnicate",
            "STDC",
            "GCC",
        ] {
            assert_eq!(pragma(text), Standing::Limit, "{text}");
        }
    }

    #[test]
    fn nothing_is_listed_twice() {
        let attributes =
            HARMLESS_ATTRIBUTES.iter().flat_map(|(_, names)| *names).chain(MODELLED_ATTRIBUTES);
        let pragmas = HARMLESS_PRAGMAS.iter().flat_map(|(_, names)| *names).chain(MODELLED_PRAGMAS);
        for mut names in [attributes.collect::<Vec<_>>(), pragmas.collect()] {
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "a name has two reasons");
        }
    }

    #[test]
    fn pragmas_are_known_by_their_first_words() {
        assert_eq!(pragma("GCC diagnostic ignored \"-Wall\""), Standing::Harmless);
        assert_eq!(pragma("once"), Standing::Harmless);
        assert_eq!(pragma("pack(push, 1)"), Standing::Modelled);
        assert_eq!(pragma(""), Standing::Harmless);
    }
}
