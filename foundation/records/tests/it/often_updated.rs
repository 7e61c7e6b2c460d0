//! Collections that change often: their indexes lie on generated columns, so that an update writes no
//! entries for values that stay, and what an index leaves out is found all the same.

use octavo_postgres::testing::catalogue;
use octavo_records::plan::Sql;
use octavo_records::store::replace;
use octavo_records::{Collection, Index, Stamp, Tenant};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::shelf::{Shelf, store};

fn plain_items() -> Collection {
    let shape = "id uuid\n_version integer\nbarcode string\nnumber integer\nstatus object\n  \
                 name string\ntags array of object\n  name string\nmetadata object readonly open\n";
    Collection::new("item", "items", shape)
        .locked()
        .index(Index::unique("barcode").keep_accents())
        .index(Index::plain("status.name").except(&["Available", "Checked out"]))
        .index(Index::plain("statusAndBarcode").over(&["barcode", "tags[*].name"]))
        .index(Index::number("number"))
        .index(Index::full_text("barcode"))
        .index(
            Index::plain("lost")
                .expression("jsonb->>'barcode'")
                .when("jsonb->>'barcode' <> 'none'"),
        )
}

fn items() -> Collection {
    plain_items().often_updated()
}

fn item(barcode: &str, status: &str) -> Value {
    json!({"barcode": barcode, "status": {"name": status}, "number": 7})
}

/// Replaces an item's status; gives whether the database could leave all indexes alone.
async fn is_hot(shelf: &Shelf, id: Uuid, status: &str) -> bool {
    let transaction = shelf.store.database.transaction().await.unwrap();
    let sql = "SELECT jsonb FROM tenant_diku.item WHERE id = $1";
    let rows = transaction.query(sql, &[&id]).await.unwrap();
    let Value::Object(mut document) = rows[0].get::<_, Value>("jsonb") else {
        panic!("an item is an object");
    };
    document.insert("status".to_owned(), json!({"name": status}));
    let items = shelf.collection("item");
    let stamp = Stamp::now(None);
    // The connection counts on from its last transaction until it reports.
    let hot = "SELECT pg_stat_get_xact_tuples_hot_updated('tenant_diku.item'::regclass) AS hot";
    let before = transaction.query(hot, &[]).await.unwrap();
    replace(&transaction, &shelf.tenant, &items, id, &document, &stamp)
        .await
        .unwrap();
    let after = transaction.query(hot, &[]).await.unwrap();
    transaction.commit().await.unwrap();
    after[0].get::<_, i64>("hot") > before[0].get::<_, i64>("hot")
}

#[tokio::test]
async fn an_update_writes_no_index_entry_unless_an_indexed_value_changes() {
    let shelf = Shelf::with(vec![items()]).await;
    let id = shelf.put("item", item("1", "Available")).await;
    assert!(is_hot(&shelf, id, "Checked out").await);
    assert!(is_hot(&shelf, id, "Available").await);
    assert!(!is_hot(&shelf, id, "Missing").await);
    assert_eq!(
        shelf.find("item", "status.name==missing", "barcode").await,
        ["1"]
    );

    // With one index over the document no update is cheap any more.
    let shelf = Shelf::with(vec![plain_items()]).await;
    let id = shelf.put("item", item("1", "Available")).await;
    assert!(!is_hot(&shelf, id, "Checked out").await);
}

/// The plan of a query where PostgreSQL avoids reading all records.
async fn plan_of(shelf: &Shelf, query: &str) -> (String, usize) {
    let items = shelf.collection("item");
    let plan = shelf
        .store
        .plan(&shelf.tenant, &items, Some(query))
        .unwrap();
    let sql = Sql::page(shelf.tenant.schema(), "item", &plan, 10, 0);
    let connection = shelf.store.database.connection().await.unwrap();
    let off =
        "SET enable_seqscan = off; SET enable_sort = off; SET plan_cache_mode = force_generic_plan";
    connection.batch_execute(off).await.unwrap();
    let explain = format!("EXPLAIN {}", sql.text);
    let rows = connection.query(&explain, &sql.bound()).await.unwrap();
    let lines = rows.iter().map(|row| row.get::<_, String>(0) + "\n");
    (lines.collect(), plan.predicate.unindexed("item").len())
}

#[tokio::test]
async fn every_index_serves_its_searches_from_its_columns() {
    for declared in [items(), plain_items()] {
        let shelf = Shelf::with(vec![declared]).await;
        for (query, index, lacking) in [
            ("barcode==1", "item_barcode_idx_unique", 0),
            ("barcode==(1 or 2)", "item_barcode_idx_unique", 0),
            ("barcode=1", "item_barcode_idx_ft", 0),
            ("status.name==Missing", "item_status_name_idx", 0),
            (
                "status.name==(Missing or Withdrawn)",
                "item_status_name_idx",
                0,
            ),
            ("statusAndBarcode==x", "item_statusandbarcode_idx", 0),
            ("number==/number 7", "item_number_number_idx", 0),
            (
                "cql.allRecords=1 sortBy number/number",
                "item_number_number_idx",
                0,
            ),
            // What the index leaves out is what the advice names.
            ("status.name==Available", "Seq Scan", 1),
            ("status.name<>Missing", "Seq Scan", 0),
            ("status.name>Missing", "Seq Scan", 1),
            ("status.name==Miss*", "Seq Scan", 1),
            ("cql.allRecords=1 sortBy status.name", "Sort", 0),
        ] {
            let (plan, unindexed) = plan_of(&shelf, query).await;
            assert!(plan.contains(index), "{query}:\n{plan}");
            assert_eq!(unindexed, lacking, "{query}");
        }
    }
}

#[tokio::test]
async fn an_index_on_demand_says_how_the_field_is_read_and_is_not_made() {
    let declared = items().index(Index::plain("tagged").keep_accents().on_demand());
    let mut unread = declared.clone();
    unread.indexes.pop();
    let shelf = Shelf::with(vec![declared]).await;
    let there = "SELECT 1 FROM pg_indexes WHERE indexname LIKE 'item_tagged%'";
    let rows = shelf.store.database.query(there, &[]).await.unwrap();
    assert!(rows.is_empty());
    let (plan, unindexed) = plan_of(&shelf, "tagged==Émile").await;
    assert_eq!(unindexed, 1);
    assert!(!plan.contains("f_unaccent"), "accents count:\n{plan}");

    // An operator can apply it, and then it is planned with.
    let wanted = Index::plain("status.name").keep_accents();
    let name = shelf
        .store
        .want_index(&shelf.tenant, "item", &wanted)
        .await
        .unwrap();
    let builds = shelf
        .store
        .build_indexes(&shelf.tenant, &|_| {})
        .await
        .unwrap();
    assert_eq!(builds.made, [name]);
    let again = unread.indexes[0].clone();
    let declared_as_read = Index {
        stored: false,
        ..again
    };
    let refused = shelf
        .store
        .want_index(&shelf.tenant, "item", &declared_as_read)
        .await;
    assert!(refused.is_err(), "a declared index is there already");
}

#[tokio::test]
async fn an_older_tenant_gets_the_columns_and_the_room() {
    let shelf = Shelf::with(vec![plain_items()]).await;
    let id = shelf.put("item", item("1", "Missing")).await;
    let now = store(&shelf.database, vec![items()]).await;
    let outcome = now.provision(&shelf.tenant, &[]).await.unwrap();
    let columns: Vec<_> = outcome
        .applied
        .iter()
        .filter(|step| step.starts_with("column item."))
        .collect();
    assert_eq!(columns.len(), items().columns.len(), "{outcome:?}");
    let builds = now.build_indexes(&shelf.tenant, &|_| {}).await.unwrap();
    assert_eq!(builds.problems, []);

    let fresh = Tenant::new("fresh").unwrap();
    now.provision(&fresh, &[]).await.unwrap();
    let config = shelf.database.config();
    assert_eq!(
        catalogue(&config, "tenant_diku").await,
        catalogue(&config, "tenant_fresh").await
    );
    let room = "SELECT count(DISTINCT reloptions)::bigint AS kinds, min(reloptions::text) AS room \
                FROM pg_class WHERE relname = 'item'";
    let rows = now.database.query(room, &[]).await.unwrap();
    assert_eq!(rows[0].get::<_, i64>("kinds"), 1);
    assert_eq!(rows[0].get::<_, String>("room"), "{fillfactor=85}");
    let shelf = Shelf {
        store: now,
        ..shelf
    };
    assert_eq!(
        shelf.find("item", "status.name==Missing", "barcode").await,
        ["1"]
    );
    assert!(!is_hot(&shelf, id, "Available").await);
    assert!(is_hot(&shelf, id, "Checked out").await);
    let outcome = shelf.store.provision(&shelf.tenant, &[]).await.unwrap();
    assert_eq!(outcome.applied, [""; 0]);
}

#[test]
fn no_index_of_such_a_collection_reads_the_document() {
    for sql in octavo_records::ddl::indexes("tenant_diku", &items()) {
        assert!(!sql.contains("jsonb"), "{sql}");
    }
}
