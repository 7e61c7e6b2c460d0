//! Each kind of index serves the searches it is declared for: PostgreSQL's plan names it.

use octavo_records::plan::Sql;
use octavo_records::{Collection, Index, IndexKind};
use serde_json::json;

use crate::shelf::Shelf;

const SHAPE: &str = "id uuid\nname string\nyear integer\nidentifiers array of object\n  \
                     value string\n  typeId uuid\nstate string\ncode string\n";

fn books(index: Index) -> Collection {
    Collection::new("book", "books", SHAPE).index(index)
}

/// The names of the indexes that PostgreSQL uses for a query when sequential scans are disabled.
async fn used(shelf: &Shelf, query: &str) -> String {
    let collection = shelf.collection("book");
    let plan = shelf
        .store
        .plan(&shelf.tenant, &collection, Some(query))
        .unwrap();
    assert!(
        plan.predicate.unindexed(&collection.table).is_empty(),
        "{query} counts as not indexed"
    );
    let sql = Sql::page(shelf.tenant.schema(), "book", &plan, 10, 0);
    let connection = shelf.store.database.connection().await.unwrap();
    connection
        .batch_execute("SET enable_seqscan = off; SET enable_sort = off")
        .await
        .unwrap();
    let explain = format!("EXPLAIN {}", sql.text);
    let rows = connection.query(&explain, &sql.bound()).await.unwrap();
    rows.iter()
        .map(|row| row.get::<_, String>(0) + "\n")
        .collect()
}

#[tokio::test]
async fn every_kind_serves_the_searches_it_is_for() {
    let cases: &[(Index, &str, &[&str])] = &[
        (
            Index::plain("name"),
            "book_name_idx",
            &[
                "name==Emma",
                "name==Em*",
                "name<F",
                "name>=É",
                "cql.allRecords=1 sortBy name/sort.descending",
            ],
        ),
        (
            Index::full_text("name").keep_accents(),
            "book_name_idx_ft",
            &["name=Émile", "name all \"ém* d'ö*\""],
        ),
        (
            Index::unique("name"),
            "book_name_idx_unique",
            &["name==Emma", "name==(Emma or Ivanhoe or X)"],
        ),
        (
            Index::like("name"),
            "book_name_idx_like",
            &["name==Emma", "name==Em*a", "name==É*"],
        ),
        (
            Index::gin("name"),
            "book_name_idx_gin",
            &["name==*mma*", "name==Emma"],
        ),
        (
            Index::full_text("name"),
            "book_name_idx_ft",
            &["name=emma", "name all \"a em*\"", "name any \"x y\""],
        ),
        (
            Index::new(IndexKind::Hash, "name"),
            "book_name_idx_hash",
            &["name==Emma"],
        ),
        (
            Index::new(IndexKind::Gist, "name"),
            "book_name_idx_gist",
            &["name==*mma*"],
        ),
        (
            Index::new(IndexKind::SpGist, "name"),
            "book_name_idx_spgist",
            &["name==Emma", "name==Emm*", "name>Emma"],
        ),
        (
            Index::new(IndexKind::Brin, "name"),
            "book_name_idx_brin",
            &["name>Emma", "name==Emma"],
        ),
        (
            Index::number("year"),
            "book_year_number_idx",
            &["year >/number 1800", "cql.allRecords=1 sortBy year/number"],
        ),
        (
            Index::plain("name").case_sensitive().keep_accents(),
            "book_name_idx",
            &["name==Emma", "name==Em*"],
        ),
        (
            Index::plain("name"),
            "book_name_idx",
            &["name ==/respectcase Emma", "name ==/respectaccents Em*"],
        ),
        (
            Index::plain("state").with(&["code"]),
            "book_state_code_idx",
            &["state==a and code==b"],
        ),
        (
            Index::plain("nameEq")
                .expression("jsonb->>'name'")
                .term("$")
                .case_sensitive()
                .keep_accents(),
            "book_nameeq_idx",
            &["nameEq==Emma", "nameEq=Emma", "nameEq==Em*"],
        ),
        (
            Index::full_text("isbn")
                .expression("public.octavo_identifiers(jsonb->'identifiers', 'i')")
                .term("public.octavo_digits($)"),
            "book_isbn_idx_ft",
            &["isbn=978-3", "isbn=\"978 3*\""],
        ),
        (
            Index::full_text("identifiers").elements("value", &["typeId"]),
            "book_identifiers_idx_ft",
            &["identifiers=123", "identifiers =/@typeId=x 123"],
        ),
        (
            Index::gin("identifiers").elements("value", &["typeId"]),
            "book_identifiers_idx_gin",
            &["identifiers ==/@typeId=x 12345"],
        ),
    ];
    for (index, name, queries) in cases {
        let shelf = Shelf::with(vec![books(index.clone())]).await;
        for query in *queries {
            let plan = used(&shelf, query).await;
            assert!(
                plan.contains(&format!("{name} ")) || plan.contains(&format!("{name}\n")),
                "{query} by {index:?}:\n{plan}"
            );
        }
    }
}

#[tokio::test]
async fn what_a_search_finds_does_not_depend_on_the_kind_of_index() {
    let long = "Eine sehr lange Geschichte ".repeat(40);
    let names = [
        "Emma",
        "emma",
        "Émma",
        "Emmanuel",
        "",
        "Ivanhoe",
        "100% wool",
        "a_b",
        "a\\b",
        &long,
        "Ω",
    ];
    let queries = [
        "name==emma",
        "name==Émma",
        "name==Em*",
        "name==*mm*",
        "name==e?ma",
        "name<>Emma",
        "name<f",
        "name>=emma",
        "name==\"\"",
        "name==*",
        "name==\"100% wool\"",
        "name==a_b",
        "name==\"a\\\\\\\\b\"",
        "name==Eine*Geschichte*",
        "name ==/respectcase Emma",
        "name ==/respectaccents emma",
        "name==(Emma or Ivanhoe or Ω)",
        "cql.allRecords=1 not name==emma",
        "name==Ω",
        "name==eine*",
    ];
    let mut expected: Option<Vec<Vec<String>>> = None;
    for kind in [None].into_iter().chain(IndexKind::ALL.map(Some)) {
        if kind == Some(IndexKind::UniqueIndex) {
            continue;
        }
        let collection = match kind {
            Some(kind) => books(Index::new(kind, "name")),
            None => Collection::new("book", "books", SHAPE),
        };
        let shelf = Shelf::with(vec![collection]).await;
        for name in names {
            shelf.put("book", json!({"name": name})).await;
        }
        shelf.put("book", json!({"year": 1})).await;
        let mut found = Vec::new();
        for query in queries {
            let mut names = shelf.find("book", query, "name").await;
            names.sort();
            found.push(names);
        }
        match &expected {
            None => expected = Some(found),
            Some(expected) => {
                for (at, query) in queries.iter().enumerate() {
                    assert_eq!(found[at], expected[at], "{query} with {kind:?}");
                }
            }
        }
    }
    let expected = expected.unwrap();
    assert_eq!(expected[0], ["Emma", "emma", "Émma"]);
    assert_eq!(expected[14], ["Emma", "Émma"]);
    assert_eq!(expected[16].len(), 5);
}

#[tokio::test]
async fn words_keep_their_accents_where_the_index_does() {
    let index = Index::full_text("name").keep_accents();
    let shelf = Shelf::with(vec![books(index)]).await;
    for name in ["Émile Zola", "Emile & O'Zola", "Éa \\ b"] {
        shelf.put("book", json!({"name": name})).await;
    }
    for (query, expected) in [
        ("name=émile", vec!["Émile Zola"]),
        ("name=emile", vec!["Emile & O'Zola"]),
        ("name=\"ÉMI*\"", vec!["Émile Zola"]),
        ("name=\"é*\"", vec!["Éa \\ b", "Émile Zola"]),
        ("name all \"zo* ém*\"", vec!["Émile Zola"]),
        ("name=\"emile & o'zo*\"", vec!["Emile & O'Zola"]),
        ("name all \"\\\\* '* &* b*\"", vec!["Éa \\ b"]),
    ] {
        let mut found = shelf.find("book", query, "name").await;
        found.sort();
        assert_eq!(found, expected, "{query}");
    }
}

#[tokio::test]
async fn one_element_of_an_array_must_satisfy_all_modifiers() {
    let index = Index::full_text("identifiers").elements("value", &["typeId"]);
    let shelf = Shelf::with(vec![books(index)]).await;
    let [isbn, issn] = [
        "8261054f-be78-422d-bd51-4ed9f33c3422",
        "913300b2-03ed-469a-8179-c1092c991227",
    ];
    let identifier = |value: &str, kind: &str| json!({"value": value, "typeId": kind});
    shelf.put("book", json!({"name": "both", "identifiers": [identifier("123", isbn), identifier("456", issn)]})).await;
    shelf
        .put(
            "book",
            json!({"name": "other", "identifiers": [identifier("456", isbn)]}),
        )
        .await;
    shelf.put("book", json!({"name": "none"})).await;
    for (query, expected) in [
        (format!("identifiers =/@typeId={isbn} 123"), vec!["both"]),
        (format!("identifiers =/@typeId={issn} 123"), vec![]),
        (format!("identifiers =/@typeId={isbn} 456"), vec!["other"]),
        (
            format!("identifiers =/@typeId={isbn} \"4*\""),
            vec!["other"],
        ),
        (format!("identifiers =/@typeId {issn}"), vec!["both"]),
        ("identifiers =/@value 456".to_owned(), vec!["both", "other"]),
        (format!("identifiers ==/@typeId={issn} 456"), vec!["both"]),
    ] {
        let mut found = shelf.find("book", &query, "name").await;
        found.sort();
        assert_eq!(found, expected, "{query}");
    }
    let collection = shelf.collection("book");
    let error = shelf
        .store
        .plan(
            &shelf.tenant,
            &collection,
            Some("identifiers =/@colour=red 1"),
        )
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "CQL: Unsupported relation modifier @colour"
    );
}
