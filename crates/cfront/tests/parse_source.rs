//! Source maps, and reading files with and without the preprocessor.

use std::path::{Path, PathBuf};

use cfront::CompilerOptions;
use cfront::preprocess::{PreprocessOptions, Problem, Source, load};
use cfront::source::SourceMap;

fn places(text: &str, honour_linemarkers: bool, needle: &str) -> (String, u32, u32) {
    let map = SourceMap::new("main.c", text, honour_linemarkers);
    let place = map.place(text.find(needle).unwrap() as u32);
    (map.files()[place.file as usize].clone(), place.line, place.column)
}

#[test]
fn lines_and_columns_start_with_one() {
    assert_eq!(places("ab\ncd", false, "a"), ("main.c".into(), 1, 1));
    assert_eq!(places("ab\ncd", false, "d"), ("main.c".into(), 2, 2));
    assert_eq!(places("ab\r\ncd", false, "c"), ("main.c".into(), 2, 1));
}

#[test]
fn columns_count_characters() {
    assert_eq!(places("é\nééx€y", false, "x"), ("main.c".into(), 2, 3));
    assert_eq!(places("é\nééx€y", false, "y"), ("main.c".into(), 2, 5));
}

#[test]
fn an_offset_past_the_end_is_on_the_last_line() {
    let place = SourceMap::new("main.c", "a\nb", false).place(99);
    assert_eq!(place.line, 2);
    assert_eq!(SourceMap::new("main.c", "", false).place(0).line, 1);
}

#[test]
fn linemarkers_name_the_original_place() {
    let text = "# 7 \"a \\\"x\\\".h\" 1 3\nA\n\n  B\n#line 100\nC\n# 3 \"main.c\" 2\nD\n#line 5 \"e.c\"\n E\n";
    assert_eq!(places(text, true, "A\n"), ("a \"x\".h".into(), 7, 1));
    assert_eq!(places(text, true, "B\n"), ("a \"x\".h".into(), 9, 3));
    assert_eq!(places(text, true, "C\n"), ("a \"x\".h".into(), 100, 1));
    assert_eq!(places(text, true, "D\n"), ("main.c".into(), 3, 1));
    assert_eq!(places(text, true, "E\n"), ("e.c".into(), 5, 2));
    assert_eq!(places(text, false, "E\n"), ("main.c".into(), 10, 2));
}

#[test]
fn other_directives_are_not_linemarkers() {
    let text = "#pragma 3\n#\n#linear 4\n# x\nA\n";
    assert_eq!(places(text, true, "A\n"), ("main.c".into(), 5, 1));
}

/// A directory for one test, under the one Cargo gives to this file.
fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

fn problem_of(path: &Path) -> (String, Problem) {
    let error = load(path, &PreprocessOptions::default()).unwrap_err();
    (error.to_string(), error.problem)
}

#[test]
fn a_preprocessed_file_is_read_as_it_is() {
    let path = scratch("raw").join("a.i");
    std::fs::write(&path, "# 7 \"x.c\"\nint é;\n").unwrap();
    let source = load(&path, &PreprocessOptions::default()).unwrap();
    assert_eq!(source.text, "# 7 \"x.c\"\nint é;\n");
    assert_eq!(source.map().place(10).line, 2);
}

#[test]
fn a_c_file_is_preprocessed() {
    let directory = scratch("c");
    std::fs::write(directory.join("h.h"), "int from_header;\n").unwrap();
    let path = directory.join("a.c");
    std::fs::write(&path, "#include <h.h>\n\nint N = VALUE;\n").unwrap();
    for ilp32 in [false, true] {
        let flags = ["-I".to_string(), directory.display().to_string(), "-DVALUE=42".to_string()];
        let (compiler, _) = CompilerOptions::read(&flags).unwrap();
        let options = PreprocessOptions { ilp32, compiler };
        let source = load(&path, &options).unwrap();
        let offset = source.text.find("N = 42").unwrap() as u32;
        let map = source.map();
        let place = map.place(offset);
        assert_eq!((place.line, place.column), (3, 5));
        assert_eq!(map.files()[place.file as usize], path.display().to_string());
        let header = map.place(source.text.find("from_header").unwrap() as u32);
        assert!(map.files()[header.file as usize].ends_with("h.h"));
    }
}

#[test]
fn troubles_are_told_in_plain_words() {
    let directory = scratch("trouble");
    let (message, problem) = problem_of(&directory.join("none.i"));
    assert!(matches!(problem, Problem::Missing));
    assert!(message.starts_with("there is no file `") && message.ends_with("none.i`"), "{message}");
    assert!(matches!(problem_of(&directory.join("none.c")).1, Problem::Missing));
    assert!(matches!(problem_of(&directory).1, Problem::Directory));

    let path = directory.join("bad.i");
    std::fs::write(&path, b"int x;\nint \xC3\xA9\xFF;\n").unwrap();
    let (message, _) = problem_of(&path);
    assert!(message.ends_with("is not UTF-8 text: bad byte in line 2, column 6"), "{message}");

    let path = directory.join("bad.c");
    std::fs::write(&path, "#include \"missing.h\"\n").unwrap();
    let (message, problem) = problem_of(&path);
    assert!(matches!(problem, Problem::Preprocessor(_)));
    assert!(message.contains("missing.h"), "{message}");
}

#[test]
fn literals_and_comments_may_have_any_bytes() {
    let path = scratch("bytes").join("bytes.i");
    std::fs::write(
        &path,
        b"/* \xe9 */ char c = '\xe9'; // \"\xe9\nchar *s = \"\\\\\xff\xc3\xa9\";\n",
    )
    .unwrap();
    let text = load(&path, &PreprocessOptions::default()).expect("it is C").text;
    assert_eq!(text, "/* \\351 */ char c = '\\351'; // \"\\351\nchar *s = \"\\\\\\377é\";\n");
    std::fs::write(&path, b"char *s = \"a\\\"\"; int \xff;\n").unwrap();
    assert!(matches!(problem_of(&path).1, Problem::NotUtf8 { line: 1, column: 22 }));
}

#[test]
fn a_huge_file_is_refused_unread() {
    let path = scratch("huge").join("huge.i");
    let file = std::fs::File::create(&path).unwrap();
    file.set_len(cfront::preprocess::MAX_BYTES + 1).unwrap();
    let (message, problem) = problem_of(&path);
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(problem, Problem::TooLarge));
    assert!(message.ends_with("is larger than 256 MB"), "{message}");
}

#[test]
fn a_text_needs_no_file() {
    let source = Source::from_text("t.c", "int x;");
    assert_eq!((source.name.as_str(), source.text.as_str()), ("t.c", "int x;"));
}
