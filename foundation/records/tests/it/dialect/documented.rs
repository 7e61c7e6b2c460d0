//! Runs the examples of `docs/cql.md` on the store: their results, the index that serves each, the
//! message with which it is refused.

use std::sync::Arc;

use octavo_records::plan::{PlanError, compile};
use octavo_records::{Collection, Declaration, Search, StoreError, Totals};
use serde_json::Value;

use crate::shelf::Shelf;

const PAGE: &str = include_str!("../../../../../docs/cql.md");
const DECLARED: &str = include_str!("../../../../../docs/examples/books.toml");
const RECORDS: [(&str, &str); 3] = [
    (
        "author",
        include_str!("../../../../../docs/examples/authors.ndjson"),
    ),
    (
        "book",
        include_str!("../../../../../docs/examples/books.ndjson"),
    ),
    (
        "copy",
        include_str!("../../../../../docs/examples/copies.ndjson"),
    ),
];

/// Rows of all tables under this heading of the page; queries without their backticks.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let mut rows = Vec::new();
    let mut inside = false;
    for line in PAGE.lines() {
        if line == heading {
            inside = true;
        } else if !line.starts_with('|') {
            inside = false;
        } else if inside && !line.starts_with("|---") {
            let cells = line.trim_matches('|').split(" | ").map(str::trim);
            let mut cells: Vec<&str> = cells.collect();
            // A trailing blank in a query counts.
            cells[0] = line.split('`').nth(1).unwrap();
            rows.push(cells);
        }
    }
    rows
}

/// The library of the page.
async fn books() -> (Shelf, Arc<Collection>) {
    let declared: Declaration = toml::from_str(DECLARED).unwrap();
    let collections = declared.collections.iter().map(|one| one.collection());
    let shelf = Shelf::with(collections.collect::<Result<_, _>>().unwrap()).await;
    for (table, lines) in RECORDS {
        for line in lines.lines() {
            let sql = format!(
                "INSERT INTO {}.{table} (id, jsonb) SELECT (one->>'id')::uuid, one \
                 FROM (SELECT $1::text::jsonb AS one) AS _",
                shelf.tenant.schema()
            );
            let database = &shelf.store.database;
            database.execute(&sql, &[&line]).await.unwrap();
        }
    }
    let book = shelf.collection("book");
    (shelf, book)
}

/// The HRIDs of the books that a query finds, in the order of the page.
async fn find(shelf: &Shelf, query: &str) -> Result<Vec<String>, StoreError> {
    let search = Search {
        query: Some(query),
        offset: 0,
        limit: 100,
        totals: Totals::Exact,
    };
    let page = shelf.page("book", search).await?;
    let hrid = |book: &Value| book["hrid"].as_str().unwrap().to_owned();
    let mut found: Vec<String> = page["books"].as_array().unwrap().iter().map(hrid).collect();
    assert_eq!(page["totalRecords"], found.len(), "{query}");
    if !query.contains("sortBy") {
        found.sort();
    }
    Ok(found)
}

fn outline(shelf: &Shelf, book: &Collection, query: &str) -> Result<String, PlanError> {
    let parsed = octavo_cql::parse(query).unwrap();
    compile(&parsed, book, &shelf.store.catalog).map(|plan| plan.predicate.outline())
}

#[tokio::test]
async fn the_page_says_what_queries_find() {
    let (shelf, book) = books().await;
    let rows = rows("| query | finds | by |");
    assert!(rows.len() > 90, "only {} examples were read", rows.len());
    let mut wrong = Vec::new();
    for row in rows {
        let [query, finds, by] = row[..] else {
            panic!("not three cells: {row:?}");
        };
        let expected = if finds == "—" { "" } else { finds };
        match find(&shelf, query).await {
            Ok(found) if found.join(" ") == expected => {}
            other => wrong.push(format!("{query}: {other:?}, not {finds}")),
        }
        let outline = outline(&shelf, &book, query).unwrap();
        if !outline.contains(by) {
            wrong.push(format!("{query}: by {outline:?}, not {by}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn the_page_says_why_queries_are_refused() {
    let (shelf, _) = books().await;
    let rows = rows("| query | message |");
    assert!(rows.len() > 15, "only {} examples were read", rows.len());
    let mut wrong = Vec::new();
    for row in rows {
        let (query, message) = (row[0], row[1]);
        match find(&shelf, query).await {
            Err(StoreError::Query(told)) if told == message => {}
            other => wrong.push(format!("{query}: {other:?}, not {message}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
