//! `octavo cql try`: queries explained on declared records and on a tenant's own.

use std::path::{Path, PathBuf};

use octavo_postgres::{Database, DatabaseOptions};

use crate::octavo::{Outcome, run};
use crate::place::demo_database;

fn example(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs/examples")
        .join(file)
}

/// The example's books, their authors and copies.
fn books() -> Vec<String> {
    let records = |table, file| format!("{table}={}", example(file).display());
    vec![
        "--declare".to_owned(),
        example("books.toml").display().to_string(),
        "--records".to_owned(),
        records("author", "authors.ndjson"),
        "--records".to_owned(),
        records("book", "books.ndjson"),
        "--records".to_owned(),
        records("copy", "copies.ndjson"),
    ]
}

/// Runs `octavo cql try` on a database.
async fn tried(url: &str, arguments: &[&str]) -> Outcome {
    let place = ["cql", "try", "--database-url", url];
    run(&[&place, arguments].concat(), &[]).await
}

#[tokio::test]
async fn a_query_is_explained_on_declared_records() {
    let (database, url) = demo_database().await;
    let books = books();
    let mut arguments: Vec<&str> = books.iter().map(String::as_str).collect();
    arguments.extend(["--collection", "book"]);
    let query = "author.name==\"emile zola\" and year >/number 1870 sortBy title";
    let outcome = tried(&url, &[&arguments[..], &[query]].concat()).await;
    assert!(outcome.status.success(), "{}", outcome.stderr);
    for part in [
        "query    author.name == \"emile zola\" and year >/number 1870 sortBy title",
        "authorid is id of a record of author with",
        "by uniqueIndex name",
        "WHERE ",
        "$1 = \"emile zola\"",
        "\nindex    ",
        "found    1, shown 1",
        "\"Germinal\"",
    ] {
        assert!(
            outcome.stdout.contains(part),
            "no {part}: {}",
            outcome.stdout
        );
    }
    let lacking = tried(&url, &[&arguments[..], &["price > 5"]].concat()).await;
    assert!(
        lacking
            .stdout
            .contains("none serves it; declare index on price"),
        "{}",
        lacking.stdout
    );
    // Nothing of it remains.
    let left = Database::connect(DatabaseOptions::new(database.config()))
        .await
        .expect("it answers");
    let sql = "SELECT nspname::text FROM pg_namespace WHERE nspname LIKE 'tenant%'";
    let rows = left.query(sql, &[]).await.expect("it answers");
    let schemas: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(schemas, ["tenant_diku"]);
}

#[tokio::test]
async fn a_query_is_explained_on_a_tenants_records() {
    let (_database, url) = demo_database().await;
    let on = ["--tenant", "diku", "--collection", "instance"];
    let query = "item.barcode==31184000000013";
    let outcome = tried(&url, &[&on[..], &[query]].concat()).await;
    assert!(outcome.status.success(), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("found    1"), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("item_barcode_idx_unique"),
        "{}",
        outcome.stdout
    );
}

#[tokio::test]
async fn what_cannot_be_tried_is_reported_with_the_remedy() {
    let (_database, url) = demo_database().await;
    let books = books();
    let declared: Vec<&str> = books.iter().map(String::as_str).collect();
    let no_file = ["--declare", "nowhere.toml", "id=*"];
    let not_toml = example("books.ndjson").display().to_string();
    for (arguments, expected) in [
        (&["title=war"][..], "--declare"),
        (&no_file[..], "nowhere.toml cannot be read"),
        (&["--declare", &not_toml, "id=*"][..], "is no declaration"),
        (
            &[&declared[..], &["--collection", "bok", "id=*"]].concat()[..],
            "there is no collection \"bok\"; there are: author, book, copy",
        ),
        (
            &[&declared[..], &["(barcode=x"]].concat()[..],
            "line 1, column 11",
        ),
        (
            &["--tenant", "nobody", "--collection", "item", "id=*"][..],
            "there is no tenant \"nobody\"",
        ),
        (&["--tenant", "diku", "id=*"][..], "--collection"),
    ] {
        let outcome = tried(&url, arguments).await;
        assert_eq!(outcome.status.code(), Some(2), "{arguments:?}");
        assert!(
            outcome.stderr.contains(expected),
            "{arguments:?}: {}",
            outcome.stderr
        );
    }
}
