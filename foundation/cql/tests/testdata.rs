//! Runs the cases of `testdata/*.txt`: a query, `----`, then its canonical text or the drawn error;
//! an empty line separates cases. `CQL_REWRITE=1` rewrites the files with the actual results.

#![allow(clippy::unwrap_used, reason = "tests panic rather than return errors")]

use std::fs;
use std::path::{Path, PathBuf};

use octavo_cql::parse;

const RULE: &str = "\n----\n";

#[test]
fn queries_read_as_written_down() {
    let rewrite = std::env::var_os("CQL_REWRITE").is_some();
    let files = data_files();
    assert!(!files.is_empty());
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let (comment, cases) = text.split_once("\n\n").unwrap();
        let mut answers = vec![comment.trim_end().to_owned()];
        for case in cases.trim_end().split("\n\n") {
            let (input, expected) = case.split_once(RULE).unwrap_or((case, ""));
            let answer = answer(input);
            assert!(
                rewrite || answer == expected.trim_end(),
                "{}\n{input}\n---- expected\n{expected}\n---- got\n{answer}",
                path.display(),
            );
            answers.push(format!("{input}{RULE}{answer}"));
        }
        if rewrite {
            fs::write(&path, answers.join("\n\n") + "\n").unwrap();
        }
    }
}

fn data_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    files
}

/// The canonical text, checked to have the same meaning and to be a fixed point; or the error as
/// drawn.
fn answer(input: &str) -> String {
    let query = match parse(input) {
        Ok(query) => query,
        Err(error) => return error.render(input).trim_end().to_owned(),
    };
    let canonical = query.to_string();
    assert_eq!(parse(&canonical).as_ref(), Ok(&query), "{input}");
    canonical
}
