//! Upgrades of tenants of an older release.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use octavo_postgres::testing::catalogue;
use octavo_postgres::{BuildPhase, BuildProgress};
use octavo_records::{Collection, Index, IndexOrigin, Store, Tenant};
use serde_json::json;

use crate::shelf::{Shelf, collections, store, titled};

/// The shelf's record types as an older release declared them: no items, no full-text index on
/// titles, other options, no join from holdings to instances.
fn older() -> Vec<Collection> {
    let mut older = collections();
    older.truncate(3);
    for collection in &mut older {
        match collection.table.as_str() {
            "material_type" => collection.indexes = vec![Index::unique("name").case_sensitive()],
            "instance" => {
                collection.indexes =
                    vec![Index::plain("title").keep_accents(), Index::plain("source")];
            }
            _ => collection.references.clear(),
        }
    }
    older
}

const OWN: &[(&str, &str)] = &[(
    "one-function",
    "CREATE FUNCTION {schema}.one() RETURNS int LANGUAGE sql AS 'SELECT 1';",
)];

fn nobody(_: &BuildProgress) {}

async fn upgraded(store: &Store, tenant: &Tenant) {
    store.provision(tenant, OWN).await.unwrap();
    let builds = store.build_indexes(tenant, &nobody).await.unwrap();
    assert_eq!(builds.problems, []);
}

async fn count(store: &Store, sql: &str) -> i64 {
    store.database.query(sql, &[]).await.unwrap()[0].get(0)
}

/// Fills a table with instances, so that building an index takes a while.
async fn fill(store: &Store, rows: i64) {
    let sql = "INSERT INTO tenant_diku.instance (id, jsonb) SELECT id, jsonb_build_object(\
               'id', id, 'title', repeat(md5(n::text) || ' ', 20), 'hrid', 'in' || n) \
               FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, $1::bigint) n) _";
    store.database.execute(sql, &[&rows]).await.unwrap();
}

/// A shelf of the older release, and this release's store on it.
async fn old_shelf() -> (Shelf, Store) {
    let shelf = Shelf::with(older()).await;
    let now = store(&shelf.database, collections()).await;
    (shelf, now)
}

/// Polls until a query returns a row.
async fn until(store: &Store, sql: &str) {
    let waiting = async {
        while store.database.query(sql, &[]).await.unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waiting)
        .await
        .unwrap_or_else(|_| panic!("never: {sql}"));
}

#[tokio::test]
async fn an_upgraded_tenant_equals_a_fresh_one() {
    let (shelf, now) = old_shelf().await;
    let instance = shelf.put("instance", titled("Emma")).await;
    let holdings = json!({"instanceId": instance});
    shelf.put("holdings_record", holdings).await;
    shelf.put("material_type", json!({"name": "Book"})).await;

    let outcome = now.provision(&shelf.tenant, OWN).await.unwrap();
    assert!(outcome.applied.contains(&"table item".to_owned()));
    assert!(
        outcome
            .applied
            .contains(&"column holdings_record.instanceid".to_owned()),
        "{:?}",
        outcome.applied
    );
    assert_eq!(
        outcome.pending_indexes,
        [
            "holdings_record_instanceid_idx",
            "instance_hrid_idx_unique",
            "instance_title_idx",
            "instance_title_idx_ft",
            "material_type_name_idx_unique",
        ]
    );
    assert_eq!(outcome.undeclared_indexes, ["instance_source_idx"]);
    upgraded(&now, &shelf.tenant).await;

    let fresh = Tenant::new("fresh").unwrap();
    now.provision(&fresh, OWN).await.unwrap();
    let config = shelf.database.config();
    let mut old = catalogue(&config, "tenant_diku").await;
    // What this release no longer declares is reported, and left as it is.
    old.retain(|line| !line.contains("instance_source_idx"));
    assert_eq!(old, catalogue(&config, "tenant_fresh").await);
    let linked = "SELECT count(*) FROM tenant_diku.holdings_record WHERE instanceid IS NOT NULL";
    assert_eq!(count(&now, linked).await, 1);

    // The second time there is nothing to do, and nothing is done twice.
    let outcome = now.provision(&shelf.tenant, OWN).await.unwrap();
    assert_eq!(outcome.applied, [""; 0]);
    assert_eq!(outcome.pending_indexes, [""; 0]);
    let builds = now.build_indexes(&shelf.tenant, &nobody).await.unwrap();
    assert_eq!(builds.made, [""; 0]);
    assert_eq!(
        now.index_list(&shelf.tenant)
            .await
            .unwrap()
            .iter()
            .filter(|one| one.origin == IndexOrigin::Undeclared)
            .map(|one| one.name.as_str())
            .collect::<Vec<_>>(),
        ["instance_source_idx"]
    );
}

#[tokio::test]
async fn the_index_of_a_foreign_key_gets_the_order_of_its_records() {
    let declared = |ordered: bool| {
        let shelves = Collection::new("shelf", "shelves", "id uuid\n");
        let books = Collection::new("book", "books", "id uuid\nshelfId uuid\nplace integer\n");
        let books = match ordered {
            true => books.reference_in_order("shelfId", "shelf", "(jsonb->>'place')::bigint"),
            false => books.reference("shelfId", "shelf"),
        };
        vec![shelves, books]
    };
    let shelf = Shelf::with(declared(false)).await;
    let now = store(&shelf.database, declared(true)).await;
    let outcome = now.provision(&shelf.tenant, &[]).await.unwrap();
    assert_eq!(outcome.pending_indexes, ["book_shelfid_idx"]);
    let builds = now.build_indexes(&shelf.tenant, &nobody).await.unwrap();
    assert_eq!(builds.made, ["book_shelfid_idx"]);
    let fresh = Tenant::new("fresh").unwrap();
    now.provision(&fresh, &[]).await.unwrap();
    let config = shelf.database.config();
    assert_eq!(
        catalogue(&config, "tenant_diku").await,
        catalogue(&config, "tenant_fresh").await
    );
    let order = "SELECT count(*) FROM pg_indexes WHERE schemaname = 'tenant_diku' \
                 AND indexname = 'book_shelfid_idx' AND indexdef LIKE '%place%'";
    assert_eq!(count(&now, order).await, 1);
}

#[tokio::test]
async fn an_index_that_was_only_worded_otherwise_is_not_made_again() {
    let shelf = Shelf::new().await;
    // As if an earlier release had recorded it with another text.
    let sql = "UPDATE tenant_diku.octavo_migrations SET checksum = 'other' \
               WHERE id = 'index instance_title_idx'";
    shelf.store.database.execute(sql, &[]).await.unwrap();
    let oid = "SELECT 'tenant_diku.instance_title_idx'::regclass::oid::bigint";
    let before = count(&shelf.store, oid).await;
    let builds = shelf
        .store
        .build_indexes(&shelf.tenant, &nobody)
        .await
        .unwrap();
    assert_eq!(builds.made, [""; 0]);
    assert_eq!(count(&shelf.store, oid).await, before);
    let outcome = shelf.store.provision(&shelf.tenant, &[]).await.unwrap();
    assert_eq!(outcome.pending_indexes, [""; 0]);
}

#[tokio::test]
async fn two_processes_upgrade_at_once_and_every_index_is_made_once() {
    let (shelf, first) = old_shelf().await;
    let second = store(&shelf.database, collections()).await;
    shelf.put("instance", titled("Emma")).await;
    let made = AtomicUsize::new(0);
    let tell = |news: &BuildProgress| {
        made.fetch_add(
            usize::from(news.phase == BuildPhase::Finished),
            Ordering::Relaxed,
        );
    };
    let upgrade = async |store: &Store| {
        store.provision(&shelf.tenant, OWN).await.unwrap();
        store.build_indexes(&shelf.tenant, &tell).await.unwrap()
    };
    let (one, other) = tokio::join!(upgrade(&first), upgrade(&second));
    assert_eq!((one.problems.len(), other.problems.len()), (0, 0));
    assert_eq!(one.made.len() + other.made.len(), 5);
    assert_eq!(made.into_inner(), 5);
    let fresh = Tenant::new("fresh").unwrap();
    first.provision(&fresh, OWN).await.unwrap();
    let config = shelf.database.config();
    let mut old = catalogue(&config, "tenant_diku").await;
    old.retain(|line| !line.contains("instance_source_idx"));
    assert_eq!(old, catalogue(&config, "tenant_fresh").await);
}

#[tokio::test]
async fn a_writer_commits_while_an_index_is_made() {
    let (shelf, now) = old_shelf().await;
    fill(&now, 2_000).await;
    now.provision(&shelf.tenant, OWN).await.unwrap();
    // A transaction that began before the build keeps it from ending.
    let held = now.database.transaction().await.unwrap();
    let touch = "UPDATE tenant_diku.instance SET jsonb = jsonb \
                 WHERE id = (SELECT min(id::text)::uuid FROM tenant_diku.instance)";
    held.execute(touch, &[]).await.unwrap();
    let building = tokio::spawn({
        let (now, tenant) = (now.clone(), shelf.tenant.clone());
        async move { now.build_indexes(&tenant, &nobody).await }
    });
    until(
        &now,
        "SELECT 1 FROM pg_stat_progress_create_index WHERE relid = 'tenant_diku.instance'::regclass",
    )
    .await;
    let id = shelf.put("instance", titled("Written meanwhile")).await;
    assert!(!building.is_finished());
    held.commit().await.unwrap();
    let builds = building.await.unwrap().unwrap();
    assert_eq!(builds.problems, []);
    // The record is found by the new index.
    let rows = now
        .database
        .query(
            "SELECT id::text FROM tenant_diku.instance \
             WHERE public.octavo_words(jsonb->>'title') @@ public.octavo_phrase('written meanwhile')",
            &[],
        )
        .await
        .unwrap();
    assert_eq!(rows[0].get::<_, String>(0), id.to_string());
}

#[tokio::test]
async fn a_build_that_is_killed_half_way_is_made_anew() {
    let (shelf, now) = old_shelf().await;
    fill(&now, 2_000).await;
    now.provision(&shelf.tenant, OWN).await.unwrap();
    let held = now.database.transaction().await.unwrap();
    let touch = "UPDATE tenant_diku.instance SET jsonb = jsonb \
                 WHERE id = (SELECT min(id::text)::uuid FROM tenant_diku.instance)";
    held.execute(touch, &[]).await.unwrap();
    let building = tokio::spawn({
        let (now, tenant) = (now.clone(), shelf.tenant.clone());
        async move { now.build_indexes(&tenant, &nobody).await }
    });
    let invalid = "SELECT 1 FROM pg_index WHERE NOT indisvalid";
    // The phase in which it waits for the transaction; indexes of other tables come and go.
    let half_way = "FROM pg_stat_progress_create_index JOIN pg_index ON indexrelid = index_relid \
                    WHERE NOT indisvalid AND relid = 'tenant_diku.instance'::regclass";
    until(&now, &format!("SELECT 1 {half_way}")).await;
    let killed = now
        .database
        .query(&format!("SELECT pg_terminate_backend(pid) {half_way}"), &[])
        .await
        .unwrap();
    assert_eq!(killed.len(), 1);
    building.await.unwrap().unwrap_err();
    held.commit().await.unwrap();
    // It left an invalid index; the next start finds and rebuilds it.
    assert_eq!(now.database.query(invalid, &[]).await.unwrap().len(), 1);
    let other = store(&shelf.database, collections()).await;
    upgraded(&other, &shelf.tenant).await;
    assert!(now.database.query(invalid, &[]).await.unwrap().is_empty());
    let fresh = Tenant::new("fresh").unwrap();
    other.provision(&fresh, OWN).await.unwrap();
    let config = shelf.database.config();
    let mut old = catalogue(&config, "tenant_diku").await;
    old.retain(|line| !line.contains("instance_source_idx"));
    assert_eq!(old, catalogue(&config, "tenant_fresh").await);
}

#[tokio::test]
async fn a_unique_index_over_duplicates_names_the_key_and_is_tried_again() {
    let (shelf, now) = old_shelf().await;
    let twice = json!({"title": "Emma", "hrid": "in001"});
    shelf.put("instance", twice.clone()).await;
    let second = shelf.put("instance", twice).await;
    now.provision(&shelf.tenant, OWN).await.unwrap();
    let builds = now.build_indexes(&shelf.tenant, &nobody).await.unwrap();
    let problem = &builds.problems[..];
    assert_eq!(problem.len(), 1);
    assert_eq!(problem[0].name, "instance_hrid_idx_unique");
    assert!(problem[0].reason.contains("in001"), "{}", problem[0].reason);
    assert!(!format!("{builds:?}").contains("in001"), "not for logs");
    // All others were built, the tenant works, and nothing of the failed one is left.
    assert_eq!(builds.made.len(), 4);
    shelf.put("instance", titled("Persuasion")).await;
    let invalid = "SELECT 1 FROM pg_index WHERE NOT indisvalid";
    assert!(now.database.query(invalid, &[]).await.unwrap().is_empty());
    let listed = now.index_list(&shelf.tenant).await.unwrap();
    let listed = listed
        .iter()
        .find(|one| one.name == problem[0].name)
        .unwrap();
    assert!(listed.state.is_none() && listed.problem.as_ref().unwrap().contains("in001"));

    let instances = shelf.collection("instance");
    now.delete(&shelf.tenant, &instances, second).await.unwrap();
    let builds = now.build_indexes(&shelf.tenant, &nobody).await.unwrap();
    assert_eq!(builds.made, ["instance_hrid_idx_unique"]);
    let listed = now.index_list(&shelf.tenant).await.unwrap();
    assert!(listed.iter().all(|one| one.problem.is_none()));
}
