//! Searches without an index: counted, advised, fixed.

use octavo_postgres::BuildProgress;
use octavo_records::{Index, IndexAdvice, IndexKind, Store, StoreError, Tenant};
use serde_json::json;

use crate::shelf::{Shelf, collections, store, titled};

fn nobody(_: &BuildProgress) {}

async fn advice(shelf: &Shelf) -> Vec<IndexAdvice> {
    shelf.store.index_advice(&shelf.tenant).await.unwrap()
}

async fn shapes(shelf: &Shelf) -> Vec<String> {
    let mut shapes: Vec<_> = advice(shelf)
        .await
        .into_iter()
        .map(|one| one.shape)
        .collect();
    shapes.sort_unstable();
    shapes
}

async fn apply(store: &Store, tenant: &Tenant, table: &str, index: &Index) -> String {
    let name = store.want_index(tenant, table, index).await.unwrap();
    let builds = store.build_indexes(tenant, &nobody).await.unwrap();
    assert_eq!(builds.problems, []);
    name
}

/// Whether searches by an instance's source are planned with an index.
async fn plans_with_source(store: &Store, tenant: &Tenant) -> bool {
    store.refresh_indexes(tenant).await.unwrap();
    let catalog = store.catalog_of(tenant);
    let instances = catalog.get("instance").unwrap();
    instances
        .indexes
        .iter()
        .any(|index| index.field == "source")
}

/// The plan of a search, with sequential scans made as expensive as possible.
async fn explained(store: &Store, tenant: &Tenant, table: &str, query: &str) -> String {
    let collection = store.catalog.get(table).unwrap();
    let plan = store.plan(tenant, collection, Some(query)).unwrap();
    let mut sql = octavo_records::plan::Sql::default();
    sql.push(&format!(
        "EXPLAIN SELECT 1 FROM {}.{table}",
        tenant.schema()
    ));
    sql.filter(tenant.schema(), &plan.predicate);
    let transaction = store.database.transaction().await.unwrap();
    transaction
        .batch_execute("SET LOCAL enable_seqscan = off")
        .await
        .unwrap();
    let rows = transaction.query(&sql.text, &sql.bound()).await.unwrap();
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    lines.join("\n")
}

#[tokio::test]
async fn searches_without_an_index_are_counted_by_their_shape() {
    let shelf = Shelf::new().await;
    for name in ["Brooke", "Casaubon", "Ladislaw"] {
        let instance = json!({"title": name, "source": name});
        shelf.put("instance", instance).await;
    }
    for name in ["Brooke", "Casaubon", "nobody"] {
        let query = format!("source==\"{name}\" sortBy title");
        shelf.find("instance", &query, "title").await;
    }
    shelf.find("instance", "source==*asau*", "title").await;
    shelf.find("instance", "title==Brooke", "title").await;
    shelf
        .find("item", "barcode==1 and notes=damp", "barcode")
        .await;

    let advice = advice(&shelf).await;
    assert_eq!(advice.len(), 2, "{advice:?}");
    let equal = advice
        .iter()
        .find(|one| one.shape == "source == ? sortBy title")
        .unwrap();
    assert_eq!((equal.times, equal.rows), (3, 2));
    assert_eq!(equal.collection, "instance");
    assert_eq!(equal.lacking[0].collection, "instance");
    assert_eq!(equal.lacking[0].index, Index::plain("source"));
    assert!(equal.total_ms >= equal.max_ms && equal.max_ms > 0.0);
    assert!(equal.first_seen <= equal.last_seen);
    let inner = advice
        .iter()
        .find(|one| one.number != equal.number)
        .unwrap();
    assert_eq!(inner.shape, "source == *?*");
    assert_eq!(inner.lacking[0].index, Index::gin("source"));
    // No value is stored anywhere.
    let kept = "SELECT to_jsonb(a)::text FROM tenant_diku.octavo_index_advice a";
    for row in shelf.store.database.query(kept, &[]).await.unwrap() {
        let text: String = row.get(0);
        assert!(!text.contains("Brooke") && !text.contains("asau"), "{text}");
    }
}

#[tokio::test]
async fn what_several_processes_counted_is_added_up() {
    let shelf = Shelf::new().await;
    let other = store(&shelf.database, collections()).await;
    for _ in 0..3 {
        shelf.find("instance", "source==x", "title").await;
        let collection = other.catalog.get("instance").unwrap();
        let search = octavo_records::Search {
            query: Some("source==y"),
            offset: 0,
            limit: 10,
            totals: octavo_records::Totals::None,
        };
        other.page(&shelf.tenant, collection, search).await.unwrap();
        let (one, two) = tokio::join!(shelf.store.flush_advice(), other.flush_advice());
        one.unwrap();
        two.unwrap();
    }
    let advice = advice(&shelf).await;
    assert_eq!((advice.len(), advice[0].times), (1, 6));
    assert!(advice[0].number <= 2, "counting uses no numbers up");
}

#[tokio::test]
async fn a_streamed_page_is_counted_too() {
    let shelf = Shelf::new().await;
    shelf.put("instance", titled("Emma")).await;
    let search = octavo_records::Search {
        query: Some("source<z"),
        offset: 0,
        limit: 5_000,
        totals: octavo_records::Totals::None,
    };
    shelf.page("instance", search).await.unwrap();
    assert_eq!(shapes(&shelf).await, ["source < ?"]);
}

#[tokio::test]
async fn an_applied_index_is_used_by_every_process_until_it_is_dropped() {
    let shelf = Shelf::new().await;
    let other = Tenant::new("other").unwrap();
    shelf.store.provision(&other, &[]).await.unwrap();
    let query = "source==Brooke";
    shelf.find("instance", query, "title").await;
    let advised = advice(&shelf).await.remove(0);
    let lacking = &advised.lacking[0];
    let name = apply(
        &shelf.store,
        &shelf.tenant,
        &lacking.collection,
        &lacking.index,
    )
    .await;
    assert_eq!(name, "instance_source_idx");
    // No longer advised, neither for earlier searches nor for later ones.
    assert_eq!(advice(&shelf).await, []);
    shelf.find("instance", query, "title").await;
    assert_eq!(advice(&shelf).await, []);
    let plan = explained(&shelf.store, &shelf.tenant, "instance", query).await;
    assert!(plan.contains("instance_source_idx"), "{plan}");
    // Another tenant does not have it.
    let plan = explained(&shelf.store, &other, "instance", query).await;
    assert!(!plan.contains("instance_source_idx"), "{plan}");
    // In another process, or the next release, it exists and is not built again.
    let next = store(&shelf.database, collections()).await;
    assert_eq!(
        next.provision(&shelf.tenant, &[]).await.unwrap(),
        octavo_records::Provisioned::default()
    );
    next.refresh_indexes(&shelf.tenant).await.unwrap();
    let collection = next.catalog_of(&shelf.tenant);
    let collection = collection.get("instance").unwrap();
    assert!(collection.indexes.contains(&lacking.index));

    shelf
        .store
        .drop_applied_index(&shelf.tenant, &name)
        .await
        .unwrap();
    shelf.find("instance", query, "title").await;
    assert_eq!(advice(&shelf).await.len(), 1);
    let plan = explained(&shelf.store, &shelf.tenant, "instance", query).await;
    assert!(!plan.contains("instance_source_idx"), "{plan}");
    let again = shelf.store.drop_applied_index(&shelf.tenant, &name).await;
    let message = again.unwrap_err().to_string();
    assert!(message.contains("octavo index list"), "{message}");
}

#[tokio::test]
async fn every_kind_that_is_advised_or_named_can_be_applied_and_is_used() {
    let shelf = Shelf::new().await;
    for n in 0..50 {
        let instance = json!({"title": format!("title {n}"), "source": format!("source {n}"),
                              "languages": ["eng"]});
        shelf.put("instance", instance).await;
    }
    for (query, index, found) in [
        ("source==\"source 7\"", Index::plain("source"), 1),
        ("source==*urce 7*", Index::gin("source"), 1),
        ("source=7", Index::full_text("source"), 1),
        (
            "source==\"source 8\"",
            Index::new(IndexKind::Hash, "source"),
            1,
        ),
        (
            "source==/respectcase/respectaccents \"source 9\"",
            Index::plain("source").case_sensitive().keep_accents(),
            1,
        ),
    ] {
        let name = apply(&shelf.store, &shelf.tenant, "instance", &index).await;
        let plan = explained(&shelf.store, &shelf.tenant, "instance", query).await;
        assert!(plan.contains(&name), "{query} does not use {name}:\n{plan}");
        assert_eq!(shelf.find("instance", query, "title").await.len(), found);
        shelf
            .store
            .drop_applied_index(&shelf.tenant, &name)
            .await
            .unwrap();
    }
    // Two of one kind with different folding exist side by side.
    let folded = apply(
        &shelf.store,
        &shelf.tenant,
        "instance",
        &Index::plain("source"),
    )
    .await;
    let exact = Index::plain("source").case_sensitive().keep_accents();
    let exact = apply(&shelf.store, &shelf.tenant, "instance", &exact).await;
    assert_ne!(folded, exact);
    assert_eq!(advice(&shelf).await, []);
}

#[tokio::test]
async fn a_release_takes_an_applied_index_over_without_making_it_again() {
    let shelf = Shelf::new().await;
    let name = apply(
        &shelf.store,
        &shelf.tenant,
        "instance",
        &Index::plain("source"),
    )
    .await;
    let oid = format!("SELECT 'tenant_diku.{name}'::regclass::oid::bigint");
    let before: i64 = shelf.store.database.query(&oid, &[]).await.unwrap()[0].get(0);
    let mut declared = collections();
    declared[1].indexes.push(Index::plain("source"));
    let release = store(&shelf.database, declared).await;
    release.provision(&shelf.tenant, &[]).await.unwrap();
    let builds = release.build_indexes(&shelf.tenant, &nobody).await.unwrap();
    assert_eq!(builds.made, [""; 0]);
    let after: i64 = release.database.query(&oid, &[]).await.unwrap()[0].get(0);
    assert_eq!(before, after);
    // It belongs to the release now, and nobody can drop it.
    assert_eq!(release.applied(&shelf.tenant).await.unwrap(), []);
    let refused = release.drop_applied_index(&shelf.tenant, &name).await;
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("declared by this release"), "{message}");
}

#[tokio::test]
async fn an_apply_that_broke_off_is_finished_by_the_next_process() {
    let shelf = Shelf::new().await;
    shelf
        .store
        .want_index(&shelf.tenant, "instance", &Index::plain("source"))
        .await
        .unwrap();
    // It is not used for planning before it exists.
    assert!(!plans_with_source(&shelf.store, &shelf.tenant).await);
    let next = store(&shelf.database, collections()).await;
    let outcome = next.provision(&shelf.tenant, &[]).await.unwrap();
    assert_eq!(outcome.pending_indexes, ["instance_source_idx"]);
    let builds = next.build_indexes(&shelf.tenant, &nobody).await.unwrap();
    assert_eq!(builds.made, ["instance_source_idx"]);
    // A process that was running all the time is notified of it.
    assert!(plans_with_source(&shelf.store, &shelf.tenant).await);
}

#[tokio::test]
async fn what_cannot_be_applied_is_refused_with_the_remedy() {
    let shelf = Shelf::new().await;
    let overlong = "x".repeat(200);
    for (table, index, expected) in [
        (
            "itme",
            Index::plain("barcode"),
            "there are: holdings_record",
        ),
        (
            "item",
            Index::plain("bar'code"),
            "is not the path of a property",
        ),
        (
            "item",
            Index::plain("\"); DROP TABLE item; --"),
            "is not the path of a property",
        ),
        (
            "item",
            Index::plain(&overlong),
            "is not the path of a property",
        ),
        ("item", Index::plain(""), "is not the path of a property"),
        (
            "item",
            Index::plain("statsu.name"),
            "they have: _version, barcode",
        ),
        (
            "item",
            Index::plain("status.nmae"),
            "have no property status.nmae",
        ),
        (
            "item",
            Index::plain("status.name"),
            "has this index already",
        ),
        ("item", Index::plain("holdingsRecordId"), "index of its own"),
        (
            "item",
            Index::unique("copies"),
            "apply --kind index instead",
        ),
        (
            "item",
            Index::gin("words").over(&["barcode", "nothing"]),
            "no property nothing",
        ),
    ] {
        let refused = shelf.store.want_index(&shelf.tenant, table, &index).await;
        match refused {
            Err(StoreError::Query(message)) => {
                assert!(message.contains(expected), "{message}");
                assert!(message.len() < 600, "{message}");
            }
            other => panic!("{table} {index:?}: {other:?}"),
        }
    }
    assert_eq!(shelf.store.applied(&shelf.tenant).await.unwrap(), []);
}

#[tokio::test]
async fn an_index_that_a_value_is_too_long_for_is_a_problem_of_its_own() {
    let shelf = Shelf::new().await;
    // Incompressible, so that no key of it fits a page.
    let long: String = (0..4_000u32)
        .map(|n| char::from_u32(0x4e00 + n.wrapping_mul(2_654_435_761) % 20_000).unwrap())
        .collect();
    let instance = json!({"title": "Long", "source": long});
    shelf.put("instance", instance).await;
    shelf
        .store
        .want_index(&shelf.tenant, "instance", &Index::plain("languages"))
        .await
        .unwrap();
    let mut declared = collections();
    declared[1].indexes.push(Index::unique("source"));
    let release = store(&shelf.database, declared).await;
    let builds = release.build_indexes(&shelf.tenant, &nobody).await.unwrap();
    assert_eq!(builds.problems.len(), 1);
    let reason = &builds.problems[0].reason;
    assert!(reason.contains("too long for this kind"), "{reason}");
    assert_eq!(builds.made, ["instance_languages_idx"]);
}

#[tokio::test]
async fn a_deletion_by_query_and_an_areas_own_search_are_counted_too() {
    let shelf = Shelf::new().await;
    let instances = shelf.collection("instance");
    let delete = |query: &'static str| {
        let (shelf, instances) = (&shelf, &instances);
        async move {
            let deleted = shelf.store.delete_matching(&shelf.tenant, instances, query);
            deleted.await.unwrap()
        }
    };
    shelf
        .put("instance", json!({"title": "a", "source": "x"}))
        .await;
    assert_eq!(delete("source==x").await, 1);
    assert_eq!(delete("title==a").await, 0);
    assert_eq!(delete("cql.allRecords=1").await, 0);
    assert_eq!(shapes(&shelf).await, ["source == ?"]);
    for query in ["title==a", "languages==eng"] {
        let plan = shelf
            .store
            .plan(&shelf.tenant, &instances, Some(query))
            .unwrap();
        let search = octavo_records::Search {
            query: Some(query),
            offset: 0,
            limit: 10,
            totals: octavo_records::Totals::None,
        };
        let elapsed = std::time::Duration::from_millis(3);
        shelf
            .store
            .note_own_search(&shelf.tenant, &instances, &plan.predicate, search, elapsed);
    }
    assert_eq!(shapes(&shelf).await, ["languages == ?", "source == ?"]);
}
