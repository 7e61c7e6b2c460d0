//! Pages: results, order and totals.

use octavo_records::{Search, Totals};

use crate::shelf::{Shelf, titled};

#[tokio::test]
async fn a_page_holds_what_the_query_finds() {
    let shelf = Shelf::new().await;
    for title in ["Emma", "Persuasion", "Sense and Sensibility"] {
        shelf.put("instance", titled(title)).await;
    }
    assert_eq!(
        shelf.find("instance", "title=sense", "title").await,
        ["Sense and Sensibility"]
    );
    assert_eq!(
        shelf
            .find(
                "instance",
                "cql.allRecords=1 sortBy title/sort.descending",
                "title"
            )
            .await,
        ["Sense and Sensibility", "Persuasion", "Emma"]
    );
    let search = Search {
        query: Some("title==e* sortBy title"),
        offset: 0,
        limit: 10,
        totals: Totals::Exact,
    };
    assert_eq!(
        shelf.page("instance", search).await.unwrap()["totalRecords"],
        1
    );
}

#[tokio::test]
async fn a_keyset_walk_gives_each_record_once_while_others_come_and_go() {
    let shelf = Shelf::new().await;
    // Records with even numbers stay; odd ones are inserted and deleted.
    let sql = "INSERT INTO tenant_diku.instance (id, jsonb)
               SELECT id, jsonb_build_object('id', id, 'title', n::text)
               FROM (SELECT n, ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id
                     FROM generate_series($1::integer, $2::integer, 2) AS n) AS numbered";
    // Another store, standing for another process.
    let elsewhere = crate::shelf::store(&shelf.database, crate::shelf::collections()).await;
    let database = elsewhere.database;
    database.execute(sql, &[&0, &39_998]).await.unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let others = async {
        let mut rounds = 0;
        while !stop.load(std::sync::atomic::Ordering::Acquire) {
            database.execute(sql, &[&1, &39_999]).await.unwrap();
            let gone = "DELETE FROM tenant_diku.instance WHERE (jsonb->>'title')::integer % 2 = 1";
            database.execute(gone, &[]).await.unwrap();
            rounds += 1;
        }
        rounds
    };
    let walk = async {
        let mut even = Vec::new();
        let mut last = "00000000-0000-0000-0000-000000000000".to_owned();
        loop {
            let query = format!("id > {last} sortBy id");
            let search = Search {
                query: Some(&query),
                offset: 0,
                limit: 500,
                totals: Totals::None,
            };
            let page = shelf.page("instance", search).await.unwrap();
            let records = page["instances"].as_array().unwrap();
            for record in records {
                let id = record["id"].as_str().unwrap();
                assert!(id > last.as_str(), "{id} comes after {last}");
                last = id.to_owned();
                let number: u32 = record["title"].as_str().unwrap().parse().unwrap();
                if number.is_multiple_of(2) {
                    even.push(number);
                }
            }
            if records.len() < 500 {
                break;
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Release);
        even
    };
    let (even, rounds) = futures_util::future::join(walk, others).await;
    assert!(even.into_iter().eq((0..40_000).step_by(2)));
    assert!(rounds > 0);
    // Whatever the value, PostgreSQL walks the primary key, also in a plan for all values.
    for setting in ["force_generic_plan", "force_custom_plan"] {
        let connection = database.connection().await.unwrap();
        let prepared = format!(
            "ANALYZE tenant_diku.instance; SET plan_cache_mode = {setting};
             PREPARE walk(uuid, bigint) AS SELECT jsonb FROM tenant_diku.instance
             WHERE id > $1 ORDER BY id LIMIT $2"
        );
        connection.batch_execute(&prepared).await.unwrap();
        for id in ["00000000", "80000000", "ffffffff"] {
            let sql = format!("EXPLAIN EXECUTE walk('{id}-0000-4000-8000-000000000000', 500)");
            let rows = connection.query(&sql, &[]).await.unwrap();
            let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
            let plan = plan.join("\n");
            assert!(plan.contains("Index Scan using instance_pkey"), "{plan}");
            assert!(!plan.contains("Sort"), "{plan}");
        }
        connection.batch_execute("DEALLOCATE walk").await.unwrap();
    }
}

#[tokio::test]
async fn nulls_come_last_ascending_and_first_descending() {
    let shelf = Shelf::new().await;
    let instance = shelf.put("instance", titled("x")).await;
    let holdings = serde_json::json!({"instanceId": instance});
    let holdings = shelf.put("holdings_record", holdings).await;
    for barcode in ["b", "a", "", "c"] {
        let mut item = serde_json::json!({"holdingsRecordId": holdings});
        if !barcode.is_empty() {
            item["barcode"] = barcode.into();
        }
        shelf.put("item", item).await;
    }
    for (sort, expected) in [
        ("barcode", ["a", "b", "c", ""]),
        ("barcode/sort.descending", ["", "c", "b", "a"]),
        // All have the same holdings, so the second key decides.
        ("holdingsRecordId barcode", ["a", "b", "c", ""]),
    ] {
        let query = format!("cql.allRecords=1 sortBy {sort}");
        assert_eq!(
            shelf.find("item", &query, "barcode").await,
            expected,
            "{sort}"
        );
    }
}

#[tokio::test]
async fn pages_deep_in_and_beyond_the_end_add_up() {
    let shelf = Shelf::new().await;
    // Ties: ten records share each title, and the id orders them.
    let sql = "INSERT INTO tenant_diku.instance (id, jsonb)
               SELECT id, jsonb_build_object('id', id, 'title', 'T' || lpad((n / 10)::text, 4, '0'))
               FROM (SELECT n, ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id
                     FROM generate_series(0, 9999) AS n) AS numbered";
    shelf.store.database.execute(sql, &[]).await.unwrap();
    let page = async |offset, limit| {
        let search = Search {
            query: Some("cql.allRecords=1 sortBy title id"),
            offset,
            limit,
            totals: Totals::Exact,
        };
        let page = shelf.page("instance", search).await.unwrap();
        assert_eq!(page["totalRecords"], 10_000, "{offset} {limit}");
        let ids: Vec<String> = page["instances"]
            .as_array()
            .unwrap()
            .iter()
            .map(|record| record["id"].as_str().unwrap().to_owned())
            .collect();
        ids
    };
    let id = |number: u32| format!("00000000-0000-4000-8000-{number:012x}");
    assert_eq!(page(9_995, 3).await, [id(9_995), id(9_996), id(9_997)]);
    assert_eq!(page(9_999, 10).await, [id(9_999)]);
    assert!(page(10_000, 10).await.is_empty());
    assert!(page(2_147_483_647, 2_147_483_647).await.is_empty());
    assert!(page(0, 0).await.is_empty());
    // Streamed, from an offset on.
    let streamed = page(5_000, 2_147_483_647).await;
    assert!(streamed.into_iter().eq((5_000..10_000).map(id)));
    let cut = page(1_000, 4_000).await;
    assert!(cut.into_iter().eq((1_000..5_000).map(id)));
}

#[tokio::test]
async fn an_order_is_served_by_its_index_or_by_a_sort_as_the_values_suggest() {
    let shelf = Shelf::new().await;
    let sql = "INSERT INTO tenant_diku.instance (id, jsonb)
               SELECT gen_random_uuid(), jsonb_build_object('title',
                 md5(n::text) || ' common' || CASE n % 5000 WHEN 0 THEN ' rarity' ELSE '' END)
               FROM generate_series(1, 20000) AS n";
    shelf.store.database.execute(sql, &[]).await.unwrap();
    let analyze = "VACUUM ANALYZE tenant_diku.instance";
    shelf.store.database.execute(analyze, &[]).await.unwrap();
    let collection = shelf.collection("instance");
    for (query, expected) in [
        ("title=rarity sortBy title", "instance_title_idx_ft"),
        ("title=common sortBy title", "using instance_title_idx on"),
        (
            "title=common sortBy title/sort.descending",
            "Backward using instance_title_idx on",
        ),
        (
            "cql.allRecords=1 sortBy title",
            "using instance_title_idx on",
        ),
    ] {
        let plan = shelf
            .store
            .plan(&shelf.tenant, &collection, Some(query))
            .unwrap();
        let mut sql = octavo_records::plan::Sql::page("tenant_diku", "instance", &plan, 100, 0);
        sql.text.insert_str(0, "EXPLAIN ");
        let rows = shelf
            .store
            .database
            .query_fresh(&sql.text, &sql.typed())
            .await;
        let lines: Vec<String> = rows.unwrap().iter().map(|row| row.get(0)).collect();
        let text = lines.join("\n");
        assert!(text.contains(expected), "{query}: {text}");
    }
}
