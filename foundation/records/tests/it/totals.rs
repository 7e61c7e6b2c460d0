//! The totals of pages, and what they cost.

use octavo_records::{Collection, Index, Search, Totals};
use serde_json::{Value, json};

use crate::shelf::Shelf;

fn book() -> Collection {
    let shape = "id uuid\nbarcode string\ntitle string\nkind string\n";
    Collection::new("book", "books", shape)
        .with_result_info()
        .index(Index::unique("barcode"))
        .index(Index::plain("kind"))
        .index(Index::plain("title"))
}

/// `records` books: barcodes count up, half are of kind `even`, every hundredth is `rare`.
async fn books(collection: Collection, records: i32) -> Shelf {
    let shelf = Shelf::with(vec![collection]).await;
    let sql = "INSERT INTO tenant_diku.book SELECT id, jsonb_build_object('id', id,
                 'barcode', n::text, 'title', 'Title ' || n,
                 'kind', CASE WHEN n % 100 = 1 THEN 'rare' WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END)
               FROM (SELECT n, ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id
                     FROM generate_series(0, $1::integer - 1) AS n) AS numbered";
    shelf
        .store
        .database
        .execute(sql, &[&records])
        .await
        .unwrap();
    shelf
        .store
        .database
        .execute("ANALYZE tenant_diku.book", &[])
        .await
        .unwrap();
    shelf
}

fn id(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012x}")
}

async fn page(shelf: &Shelf, query: &str, offset: i64, limit: i64, totals: Totals) -> Value {
    let search = Search {
        query: (!query.is_empty()).then_some(query),
        offset,
        limit,
        totals,
    };
    shelf.page("book", search).await.unwrap()
}

/// The statements on the table that the lane has prepared so far. It is the lane that served the
/// page, since nothing else was running.
async fn statements(shelf: &Shelf) -> Vec<String> {
    let sql = "SELECT statement FROM pg_prepared_statements
               WHERE statement LIKE '%tenant_diku.book%' ORDER BY prepare_time";
    let rows = shelf.store.database.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn auto_asks_nothing_more_for_keys_ids_and_short_pages() {
    let ids: Vec<String> = (0..20).map(id).collect();
    let some = format!("id==({})", ids.join(" or "));
    let absent = format!("id==({} or {} or {})", id(1), id(2), id(999_999));
    for (query, offset, limit, total) in [
        ("barcode==7", 0, 1, 1),
        ("barcode==7", 0, 10, 1),
        ("barcode==none", 0, 1, 0),
        ("barcode==(1 or 2 or none)", 0, 1, 2),
        (some.as_str(), 0, 10, 20),
        (some.as_str(), 10, 10, 20),
        (some.as_str(), 0, 20, 20),
        (some.as_str(), 5, 1, 20),
        (absent.as_str(), 0, 2, 2),
        // Beyond the most matches possible, only the count is run.
        (some.as_str(), 20, 10, 20),
        ("barcode==7", 1, 1, 1),
        ("barcode==none", 1, 1, 0),
        ("kind==rare", 0, 100, 50),
        ("kind==none", 0, 10, 0),
    ] {
        let shelf = books(book(), 5_000).await;
        // The statements that inserted the books mention the table too.
        let before = statements(&shelf).await.len();
        let page = page(&shelf, query, offset, limit, Totals::Auto).await;
        assert_eq!(
            page["totalRecords"], total,
            "{query} {offset} {limit}: {page}"
        );
        assert_eq!(page["resultInfo"]["totalRecords"], total);
        assert!(page["resultInfo"].get("totalRecordsEstimated").is_none());
        let asked = statements(&shelf).await.split_off(before);
        assert_eq!(asked.len(), 1, "{query} {offset} {limit}: {asked:?}");
    }
}

#[tokio::test]
async fn a_total_is_exact_up_to_the_threshold_of_its_collection() {
    let shelf = books(book(), 30_000).await;
    // Fifteen thousand are even: above the threshold of 1,000 an estimate is enough.
    let even = page(&shelf, "kind==even", 0, 10, Totals::Auto).await;
    let total = even["totalRecords"].as_i64().unwrap();
    assert!((12_000..18_000).contains(&total), "{total}");
    assert_eq!(even["resultInfo"]["totalRecordsEstimated"], true);
    let exact = page(&shelf, "kind==even", 0, 10, Totals::Exact).await;
    assert_eq!(exact["totalRecords"], 15_000);
    assert!(exact["resultInfo"].get("totalRecordsEstimated").is_none());
    let none = page(&shelf, "kind==even", 0, 0, Totals::Auto).await;
    assert_eq!(
        (&none["totalRecords"], &none["books"]),
        (&json!(15_000), &json!([]))
    );
    let silent = page(&shelf, "kind==even", 0, 10, Totals::None).await;
    assert!(silent.get("totalRecords").is_none());
    let estimated = page(&shelf, "kind==rare", 0, 10, Totals::Estimated).await;
    assert!(estimated["totalRecords"].as_i64().unwrap() >= 10);
    assert_eq!(estimated["resultInfo"]["totalRecordsEstimated"], true);
    // Three hundred are below it.
    let rare = page(&shelf, "kind==rare", 0, 10, Totals::Auto).await;
    assert_eq!(rare["totalRecords"], 300);
    // A table of more than 25,000 records is not counted for a page.
    for query in ["", "cql.allRecords=1"] {
        let whole = page(&shelf, query, 0, 10, Totals::Auto).await;
        let total = whole["totalRecords"].as_i64().unwrap();
        assert!((29_000..=31_000).contains(&total), "{total}");
        let exact = page(&shelf, query, 0, 10, Totals::Exact).await;
        assert_eq!(exact["totalRecords"], 30_000);
    }

    let shelf = books(book().exact_count(50_000), 30_000).await;
    for (query, expected) in [("kind==even", 15_000), ("", 30_000)] {
        let counted = page(&shelf, query, 0, 10, Totals::Auto).await;
        assert_eq!(counted["totalRecords"], expected, "{query}");
        assert!(counted["resultInfo"].get("totalRecordsEstimated").is_none());
    }
}

#[tokio::test]
async fn a_large_total_is_asked_once_in_some_seconds() {
    let shelf = books(book(), 30_000).await;
    let about = async |totals| {
        let even = page(&shelf, "kind==even", 0, 10, totals).await;
        even["totalRecords"].as_i64().unwrap()
    };
    assert!((12_000..18_000).contains(&about(Totals::Auto).await));
    // Six thousand are left, which are too many to be counted, too.
    for sql in [
        "DELETE FROM tenant_diku.book WHERE jsonb->>'kind' = 'even' AND (jsonb->>'barcode')::integer < 18000",
        "ANALYZE tenant_diku.book",
    ] {
        shelf.store.database.execute(sql, &[]).await.unwrap();
    }
    assert!((12_000..18_000).contains(&about(Totals::Auto).await));
    assert!((4_500..7_500).contains(&about(Totals::Estimated).await));
    assert_eq!(about(Totals::Exact).await, 6_000);
    // What is counted is never kept.
    let rare = page(&shelf, "kind==rare", 0, 10, Totals::Auto).await;
    assert_eq!(rare["totalRecords"], 300);
    let sql = "DELETE FROM tenant_diku.book WHERE jsonb->>'kind' = 'rare' AND (jsonb->>'barcode')::integer < 10000";
    shelf.store.database.execute(sql, &[]).await.unwrap();
    let rare = page(&shelf, "kind==rare", 0, 10, Totals::Auto).await;
    assert_eq!(rare["totalRecords"], 200);
    shelf.store.forget_tenant(&shelf.tenant);
    assert!((4_500..7_500).contains(&about(Totals::Auto).await));
}

#[tokio::test]
async fn an_estimate_is_never_below_what_the_page_proves() {
    let shelf = books(book(), 3_000).await;
    // Makes the statistics wrong: almost nothing is even.
    let sql = "UPDATE tenant_diku.book SET jsonb = jsonb || '{\"kind\": \"even\"}'";
    shelf.store.database.execute(sql, &[]).await.unwrap();
    for (offset, limit, least) in [(0, 10, 10), (2_500, 100, 2_600), (2_990, 10, 3_000)] {
        let page = page(
            &shelf,
            "kind==rare or kind==even",
            offset,
            limit,
            Totals::Estimated,
        )
        .await;
        let total = page["totalRecords"].as_i64().unwrap();
        assert!(total >= least, "{offset} {limit}: {total}");
    }
    // Beyond the end it is at most the offset.
    let beyond = page(&shelf, "kind==even", 3_500, 10, Totals::Estimated).await;
    assert!(beyond["totalRecords"].as_i64().unwrap() <= 3_500);
    assert_eq!(beyond["books"], json!([]));
}

#[tokio::test]
async fn every_search_of_a_small_table_is_counted_to_its_end() {
    let shelf = books(book(), 4_500).await;
    for (query, total) in [("kind==even", 2_250), ("title=title", 4_500)] {
        for limit in [1, 10, 1_000] {
            let found = page(&shelf, query, 0, limit, Totals::Auto).await;
            assert_eq!(found["totalRecords"], total, "{query} {limit}");
            assert!(found["resultInfo"].get("totalRecordsEstimated").is_none());
        }
    }
}

#[tokio::test]
async fn a_list_has_more_than_its_total_where_that_is_declared() {
    let mut plain = book();
    plain.result_info = false;
    let shelf = books(plain, 1_200).await;
    let names = |page: &Value| -> Vec<String> {
        let page = page.as_object().expect("an object");
        page.keys().cloned().collect()
    };
    for limit in [10, 2_000] {
        let found = page(&shelf, "", 0, limit, Totals::Auto).await;
        assert_eq!(names(&found), ["books", "totalRecords"], "{limit}");
        let silent = page(&shelf, "", 0, limit, Totals::None).await;
        assert_eq!(names(&silent), ["books"], "{limit}");
    }
}
