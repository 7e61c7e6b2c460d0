//! The store and the evaluator find the same, for random queries on random records, on real
//! PostgreSQL.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use octavo_cql::Query;
use octavo_records::StoreError;
use octavo_records::plan::compile;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestCaseError, TestError, TestRng, TestRunner};
use serde_json::Value;

use super::bookcase::{Bookcase, collections, often_updated};
use super::queries::{Asked, queries};
use super::records::records;

/// Many queries run on each set of records.
const CASES_PER_LIBRARY: u32 = 500;

/// Queries in total; `PROPTEST_CASES` asks for more.
const CASES: u32 = 1_500;

fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 2_000,
        ..Config::default()
    }
}

#[test]
fn the_store_finds_what_the_dialect_says() {
    let asked: Option<u32> = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    let cases = asked.unwrap_or(CASES);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let mut chance = match std::env::var("CQL_SEED") {
        Ok(seed) => seeded(&seed),
        Err(_) => TestRunner::new(config(1)),
    };
    let tally = RefCell::new(Tally::default());
    let mut left = cases;
    let mut columns = false;
    while left > 0 {
        let filled = records().new_tree(&mut chance).unwrap().current();
        // By turns, for what is found does not depend on where values are read from.
        columns = !columns;
        let declared = match columns {
            true => often_updated(),
            false => collections(),
        };
        let bookcase = runtime.block_on(Bookcase::of(declared, filled));
        let queries = queries(&bookcase.library.records);
        let some = left.min(CASES_PER_LIBRARY);
        left -= some;
        let mut runner = TestRunner::new_with_rng(config(some), chance.new_rng());
        let outcome = runner.run(&queries, |asked| {
            runtime.block_on(agree(&bookcase, &asked, &tally))
        });
        if let Err(TestError::Fail(reason, asked)) = outcome {
            panic!("{} {}\n{reason}", asked.table, asked.query);
        }
    }
    let tally = tally.into_inner();
    println!("{tally:?}");
    // Queries that all find nothing or are all refused would prove nothing.
    assert!(tally.found > cases / 4, "{tally:?}");
    assert!(tally.refused > cases / 50, "{tally:?}");
    assert!(tally.ordered > cases / 20, "{tally:?}");
}

fn seeded(seed: &str) -> TestRunner {
    let mut bytes = [0; 32];
    for (byte, given) in bytes.iter_mut().zip(seed.bytes()) {
        *byte = given;
    }
    let algorithm = proptest::test_runner::RngAlgorithm::ChaCha;
    TestRunner::new_with_rng(config(1), TestRng::from_seed(algorithm, &bytes))
}

/// The outcomes of the queries.
#[derive(Debug, Default)]
struct Tally {
    found: u32,
    empty: u32,
    refused: u32,
    ordered: u32,
}

async fn agree(
    bookcase: &Bookcase,
    asked: &Asked,
    tally: &RefCell<Tally>,
) -> Result<(), TestCaseError> {
    let Asked { table, query } = asked;
    let text = query.to_string();
    same_plan(bookcase, table, query, &text)?;
    let found = bookcase.find(table, &text).await;
    let expected = bookcase.library.find(table, query);
    let (found, expected) = match (found, expected) {
        (Ok(found), Ok(expected)) => (found, expected),
        (Err(StoreError::Query(_)), Err(_)) => {
            tally.borrow_mut().refused += 1;
            return Ok(());
        }
        (Ok(_), Err(refusal)) => {
            return fail(format!(
                "the dialect refuses this ({}), the store does not",
                refusal.0
            ));
        }
        (Err(error), expected) => {
            return fail(format!(
                "the store says {error:?}, the dialect {expected:?}"
            ));
        }
    };
    let store: BTreeSet<String> = found.iter().map(Value::to_string).collect();
    let dialect: BTreeSet<String> = expected.iter().map(|one| one.to_string()).collect();
    if ids(&found) != ids(expected.iter().copied()) {
        let mut told = String::new();
        for (who, these, others) in [("store", &store, &dialect), ("dialect", &dialect, &store)] {
            let only = these.iter().filter(|one| !holds_id(others, one)).take(2);
            for record in only {
                told.push_str(&format!("only the {who} finds {record}\n"));
            }
        }
        return fail(told);
    }
    for pair in found.windows(2) {
        if bookcase.library.order(table, query, &pair[0], &pair[1]) == Ordering::Greater {
            return fail(format!("in the wrong order:\n{}\n{}", pair[0], pair[1]));
        }
    }
    if !query.sort.is_empty() && found.len() > 2 {
        small_page(bookcase, table, query, &text, &found).await?;
    }
    let mut tally = tally.borrow_mut();
    tally.ordered += u32::from(!query.sort.is_empty() && found.len() > 1);
    match found.is_empty() {
        true => tally.empty += 1,
        false => tally.found += 1,
    }
    Ok(())
}

/// A page within what is found has what stands there; of records that are equal in the order, any.
async fn small_page(
    bookcase: &Bookcase,
    table: &str,
    query: &Query,
    text: &str,
    found: &[Value],
) -> Result<(), TestCaseError> {
    let page = match bookcase.page(table, text, 1, 2).await {
        Ok(page) => page,
        Err(error) => return fail(format!("all are found, of a page the store says {error:?}")),
    };
    let within = &found[1..3];
    let same = page.len() == within.len()
        && page[0]["id"] != page[1]["id"]
        && page.iter().zip(within).all(|(one, other)| {
            bookcase.library.order(table, query, one, other) == Ordering::Equal
                && holds_id(
                    &found.iter().map(Value::to_string).collect(),
                    &one.to_string(),
                )
        });
    match same {
        true => Ok(()),
        false => fail(format!(
            "within the page:\n{page:?}\nand of all:\n{within:?}"
        )),
    }
}

fn fail(told: String) -> Result<(), TestCaseError> {
    Err(TestCaseError::fail(told))
}

fn ids<'a>(records: impl IntoIterator<Item = &'a Value>) -> BTreeSet<&'a str> {
    records
        .into_iter()
        .filter_map(|record| record["id"].as_str())
        .collect()
}

fn holds_id(records: &BTreeSet<String>, record: &str) -> bool {
    let id = |record: &str| serde_json::from_str::<Value>(record).unwrap()["id"].clone();
    let wanted = id(record);
    records.iter().any(|one| id(one) == wanted)
}

/// A query means the same after it was printed and parsed.
fn same_plan(
    bookcase: &Bookcase,
    table: &str,
    query: &Query,
    text: &str,
) -> Result<(), TestCaseError> {
    let read = octavo_cql::parse(text)
        .map_err(|error| TestCaseError::fail(format!("printed, but not read: {error}")))?;
    let catalog = &bookcase.library.catalog;
    let collection = catalog.get(table).unwrap();
    let plans = [query, &read].map(|query| compile(query, collection, catalog));
    if read != *query || plans[0] != plans[1] {
        return fail(format!("read back as {read:?}"));
    }
    Ok(())
}
