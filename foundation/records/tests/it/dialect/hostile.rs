//! No query text makes PostgreSQL fail: it matches something, or nothing, or is refused with a
//! message; and the connections serve the next query.

use std::collections::BTreeMap;

use octavo_records::StoreError;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use serde_json::{Value, json};

use super::bookcase::Bookcase;
use super::queries::queries;
use super::records::records;

/// Queries of each sort.
const CASES: u32 = 300;

const TABLES: [&str; 3] = ["book", "library", "copy"];

/// What is special in CQL, in patterns, in regular expressions, in searches for words or in
/// numbers.
const PIECES: &str = "title note mark keyword languages contributors id libraryId price anything \
    library.name copies.barcode books.copies.condition = == <> < > <= >= adj all any and or not \
    sortBy cql.allRecords cql.serverChoice /number /respectcase /@kind /@kind= /@nowhere /string \
    /sort.descending ( ) \" ' \\ * ? % _ : :* & | ! <-> <2> '' \\' \\\\ \\\" [ ] { } ( ) ^ $ $1 \
    {1,99999} (?= -- ; \u{0} \u{1} \u{7f} \u{fdd0} \u{10ffff} \u{feff} \u{202e} 😀 ＼ ％ ’ “ e\u{301} \
    1e308 1e400 -0 NaN Infinity 0x10 1_000 .5 5. 99999999999999999999999999999999999999 \
    00000000-0000-4000-8000-000000000000 {00000000-0000-4000-8000-000000000000} @ # ~ ` x war";

fn pieces() -> Vec<&'static str> {
    PIECES
        .split_whitespace()
        .chain([" ", "\t", "\n", "\u{a0}"])
        .collect()
}

fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => select(pieces()).prop_map(str::to_owned),
        2 => Just(" ".to_owned()),
        1 => any::<String>(),
    ];
    let clause = (
        select(pieces()),
        select(pieces()),
        vec(piece.clone(), 1..5),
        any::<bool>(),
    );
    let field = "title note mark remark subtitle keyword heading languages anything price id";
    let fields = select(field.split_whitespace().collect::<Vec<_>>());
    let relation = "= == <> < > <= >= adj all any =/number ==/respectcase =/@kind=";
    let relations = select(relation.split_whitespace().collect::<Vec<_>>());
    prop_oneof![
        // A clause that is well formed except for its term.
        4 => (fields, relations, vec(piece.clone(), 0..8), any::<bool>()).prop_map(
            |(field, relation, term, quoted)| match quoted {
                true => format!("{field} {relation} \"{}\"", term.concat().replace('"', "\\\"")),
                false => format!("{field} {relation} {}", term.concat()),
            }
        ),
        1 => vec(piece, 0..16).prop_map(|parts| parts.concat()),
        1 => vec(clause, 1..4).prop_map(|clauses| {
            let each = clauses.into_iter().map(|(field, relation, term, blank)| {
                let between = if blank { " " } else { "" };
                format!("{field}{between}{relation}{between}{}", term.join(between))
            });
            each.collect::<Vec<_>>().join(" and ")
        }),
    ]
}

/// A query with one piece inserted, removed or doubled, as by a typing error.
fn mutated(records: &BTreeMap<String, Vec<Value>>) -> impl Strategy<Value = String> + use<> {
    let change = (any::<Index>(), any::<Index>(), select(pieces()));
    (queries(records), change).prop_map(|(asked, (from, to, put))| {
        let characters: Vec<char> = asked.query.to_string().chars().collect();
        let (from, to) = (from.index(characters.len()), to.index(characters.len()));
        let before: String = characters[..from].iter().collect();
        let after: String = characters[to..].iter().collect();
        before + put + &after
    })
}

async fn is_answered(bookcase: &Bookcase, tables: &[&str], query: &str) -> Result<(), String> {
    for table in tables {
        match bookcase.find(table, query).await {
            Ok(_) | Err(StoreError::Query(_)) => {}
            Err(error) => return Err(format!("{table}: {error:?}")),
        }
    }
    Ok(())
}

#[test]
fn no_query_makes_the_database_fail() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = Config {
        failure_persistence: None,
        max_shrink_iters: 2_000,
        cases: std::env::var("PROPTEST_CASES")
            .ok()
            .and_then(|cases| cases.parse().ok())
            .unwrap_or(CASES),
        ..Config::default()
    };
    let mut runner = TestRunner::new(config);
    let filled = records().new_tree(&mut runner).unwrap().current();
    let bookcase = runtime.block_on(Bookcase::filled(filled));
    let texts = prop_oneof![soup(), mutated(&bookcase.library.records)];
    let outcome = runner.run(&texts, |text| {
        let answered = runtime.block_on(is_answered(&bookcase, &TABLES, &text));
        answered.map_err(TestCaseError::fail)
    });
    if let Err(TestError::Fail(reason, text)) = outcome {
        panic!("{text:?}: {reason}");
    }
}

/// Queries that are large in every way in which one can be large.
fn large() -> Vec<(&'static str, String)> {
    let long = 100_000;
    let list = |count: usize, of: &dyn Fn(usize) -> String, joined: &str| {
        (0..count).map(of).collect::<Vec<_>>().join(joined)
    };
    let mut queries = Vec::new();
    for field in ["title", "mark", "series", "anything", "keyword"] {
        for (what, term) in [
            ("a long word", "x".repeat(long)),
            ("a long word with accents", "é".repeat(long)),
            ("a word of 2,046 bytes", "x".repeat(2_046)),
            ("a word of 2,047 bytes", "x".repeat(2_047)),
            ("a word of 1,023 letters of two bytes", "é".repeat(1_023)),
            ("a word that grows", "½".repeat(1_000)),
            (
                "long words",
                format!("{} {}*", "x".repeat(3_000), "y".repeat(3_000)),
            ),
            ("a long hyphenated word", "ab-".repeat(1_000)),
            ("a long path", "ab/".repeat(20_000)),
            ("a phrase", list(20_000, &|at| format!("w{at}"), " ")),
            ("a phrase of one word", "a ".repeat(50_000)),
            ("truncated words", list(500, &|at| format!("w{at}*"), " ")),
            (
                "many truncated words",
                list(600, &|at| format!("w{at}*"), " "),
            ),
            ("wildcards", "*a".repeat(long / 2)),
            ("unknown characters", "?".repeat(long)),
            ("wildcards and unknown characters", "*?".repeat(long / 2)),
            ("masks", "\\\\".repeat(long / 2)),
            ("percent signs", "%_".repeat(long / 2)),
        ] {
            for relation in ["=", "==", ">", "all"] {
                queries.push((what, format!("{field} {relation} \"{term}\"")));
            }
        }
    }
    let clauses: [(&str, &str, usize); 12] = [
        ("equalities", "title==", 2_000),
        ("equalities without an index", "nowhere==", 2_000),
        ("prefixes", "title==é", 2_000),
        ("phrases", "note=", 2_000),
        ("numbers", "price==/number ", 2_000),
        ("crossings", "copies.condition==", 90),
        ("many crossings", "copies.condition==", 1_000),
        ("ids", "id==00000000-0000-4000-8000-0000000", 30_000),
        ("elements", "contributors=/@kind=war ", 1_000),
        ("unequal ones", "title<>", 32_000),
        ("words of 32,000 clauses", "note=", 32_000),
        ("accents of 32,000 clauses", "title==é", 32_000),
    ];
    for (what, clause, count) in clauses {
        let star = if what == "prefixes" || clause.ends_with('é') {
            "*"
        } else {
            ""
        };
        let of = |at: usize| format!("{clause}{:05}{star}", at);
        for joined in [" or ", " and ", " not "] {
            queries.push((what, list(count, &of, joined)));
        }
        queries.push((what, list(count, &of, " and nowhere=x or ")));
        queries.push((what, list(count, &of, " not nowhere=x and ")));
    }
    queries.push((
        "sort keys",
        format!("id=* sortBy {}", list(20_000, &|at| format!("f{at}"), " ")),
    ));
    queries.push((
        "one sort key",
        format!("id=* sortBy {}", "title ".repeat(20_000)),
    ));
    queries.push((
        "parentheses",
        format!("{}a=b{}", "(a=b or ".repeat(127), ")".repeat(127)),
    ));
    queries.push((
        "parentheses with crossings",
        format!(
            "{}a=b{}",
            "(copies.condition=b not ".repeat(127),
            ")".repeat(127)
        ),
    ));
    queries.push(("modifiers", format!("title={}x", "/string".repeat(50_000))));
    queries.push((
        "array modifiers",
        format!("contributors={}war", "/@kind=war".repeat(20_000)),
    ));
    queries.push((
        "array properties",
        format!("contributors={}war", "/@kind".repeat(20_000)),
    ));
    queries.push(("digits", format!("price==/number {}", "9".repeat(long))));
    queries.push((
        "a far crossing",
        format!("{}x=y", "copies.book.".repeat(10)),
    ));
    queries.push((
        "the longest crossing",
        format!("{}=y", "a.".repeat(63) + "b"),
    ));
    queries
}

#[tokio::test]
async fn no_large_query_makes_the_database_fail() {
    let ids = |at: u8| format!("00000000-0000-4000-8000-0000000000{at:02x}");
    let long = "a".repeat(200_000);
    let book = json!({"id": ids(1), "title": "Emma", "note": "war and peace", "mark": long,
        "signature": long, "series": "x", "anything": format!("{long} {long}"), "remark": long,
        "contributors": [{"name": "war", "kind": "war"}]});
    let tables = BTreeMap::from([("book".to_owned(), vec![book])]);
    let bookcase = Bookcase::filled(tables).await;
    let mut failed = Vec::new();
    for (what, query) in large() {
        if let Err(reason) = is_answered(&bookcase, &["book"], &query).await {
            let begin: String = query.chars().take(60).collect();
            failed.push(format!(
                "{what}, {} bytes, {begin}…: {reason:.300}",
                query.len()
            ));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(bookcase.find("book", "title=emma").await.unwrap().len(), 1);
}
