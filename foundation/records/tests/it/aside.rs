//! Indexes that a load drops until its end: what is unique stays, searches answer meanwhile, and whatever
//! kills the load, the indexes come back.

use octavo_postgres::BuildProgress;
use octavo_postgres::testing::catalogue;
use octavo_records::{Store, Tenant, TenantState};
use serde_json::json;

use crate::shelf::{Shelf, collections, store, titled};

/// A table that an area keeps beside its records, with an index that no collection declares.
const BESIDE: (&str, &str) = (
    "beside",
    "CREATE TABLE {schema}.beside (id uuid PRIMARY KEY, words text[] NOT NULL);
     CREATE INDEX beside_words ON {schema}.beside USING gin (words) WHERE words <> '{}'",
);
/// The next release builds it another way.
const BESIDE_ANEW: (&str, &str) = (
    "beside anew",
    "DROP INDEX {schema}.beside_words; CREATE INDEX beside_words ON {schema}.beside (words)",
);
const TABLES: [&str; 2] = ["beside", "instance"];
const DROPPED: [&str; 3] = [
    "beside_words",
    "instance_title_idx",
    "instance_title_idx_ft",
];

fn nobody(_: &BuildProgress) {}

async fn shelf() -> Shelf {
    let shelf = Shelf::new().await;
    shelf
        .store
        .provision(&shelf.tenant, &[BESIDE])
        .await
        .unwrap();
    let state = TenantState {
        name: "diku",
        description: None,
        prepared: "now",
        lacks_indexes: false,
        reference_wanted: false,
        reference: &Default::default(),
    };
    shelf.store.save_tenant(&shelf.tenant, state).await.unwrap();
    shelf
}

/// The valid indexes of the two tables.
async fn indexes(store: &Store) -> Vec<String> {
    let sql = "SELECT x.indexrelid::regclass::text FROM pg_index x \
               WHERE x.indrelid IN ('tenant_diku.beside'::regclass, 'tenant_diku.instance'::regclass) \
               AND x.indisvalid ORDER BY 1";
    let rows = store.database.query(sql, &[]).await.unwrap();
    let name = |text: String| text.trim_start_matches("tenant_diku.").to_owned();
    rows.iter().map(|row| name(row.get(0))).collect()
}

async fn is_indexed(shelf: &Shelf) -> bool {
    let entry = shelf.store.tenant_entry(&shelf.tenant).await.unwrap();
    entry.unwrap().mark.indexed
}

/// The tables are as those of a tenant of the same release that never saw a load.
async fn assert_as_fresh(shelf: &Shelf, own: &[(&str, &str)]) {
    let fresh = Tenant::new("fresh").unwrap();
    shelf.store.provision(&fresh, own).await.unwrap();
    let config = shelf.database.config();
    assert_eq!(
        catalogue(&config, "tenant_diku").await,
        catalogue(&config, "tenant_fresh").await
    );
}

#[tokio::test]
async fn what_a_load_drops_is_built_at_its_end_and_what_is_unique_stays() {
    let shelf = shelf().await;
    let before = indexes(&shelf.store).await;
    assert!(is_indexed(&shelf).await);
    let aside = shelf
        .store
        .set_indexes_aside(&shelf.tenant, &TABLES, &["instance_title_idx"])
        .await
        .unwrap()
        .expect("nobody else builds");
    assert_eq!(aside.count(), 2);
    assert_eq!(
        indexes(&shelf.store).await,
        [
            "beside_pkey",
            "instance_hrid_idx_unique",
            "instance_pkey",
            "instance_title_idx"
        ]
    );
    assert!(!is_indexed(&shelf).await);
    assert!(shelf.store.has_indexes_aside(&shelf.tenant).await.unwrap());

    // Records come and are found; a number that is taken is refused.
    let emma = json!({"title": "Emma", "hrid": "in1"});
    shelf.put("instance", emma.clone()).await;
    assert!(shelf.try_put("instance", emma).await.is_err());
    assert_eq!(
        shelf.find("instance", "title all emma", "title").await,
        ["Emma"]
    );

    // Another load meanwhile drops nothing.
    let beside = store(&shelf.database, collections()).await;
    let second = beside.set_indexes_aside(&shelf.tenant, &TABLES, &[]).await;
    assert!(second.unwrap().is_none());

    let builds = aside.build(&nobody).await.unwrap();
    let mut made = builds.made;
    made.sort_unstable();
    assert_eq!(made, ["beside_words", "instance_title_idx_ft"]);
    assert_eq!(builds.problems, []);
    assert_eq!(indexes(&shelf.store).await, before);
    assert!(!shelf.store.has_indexes_aside(&shelf.tenant).await.unwrap());
    assert!(is_indexed(&shelf).await);
    assert_eq!(
        shelf.find("instance", "title all emma", "title").await,
        ["Emma"]
    );
    assert_as_fresh(&shelf, &[BESIDE]).await;
}

#[tokio::test]
async fn the_next_start_builds_what_a_killed_load_has_dropped() {
    let shelf = shelf().await;
    let aside = shelf
        .store
        .set_indexes_aside(&shelf.tenant, &TABLES, &[])
        .await
        .unwrap();
    // Its lock goes with its connection.
    drop(aside);
    shelf.put("instance", titled("Emma")).await;

    let next = store(&shelf.database, collections()).await;
    assert!(!is_indexed(&shelf).await);
    let listed = next.index_list(&shelf.tenant).await.unwrap();
    let missing: Vec<&str> = listed
        .iter()
        .filter(|one| one.state.is_none())
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(missing, DROPPED);
    // Two processes start at once: each index is built once.
    let other = store(&shelf.database, collections()).await;
    let (one, two) = tokio::join!(
        next.build_indexes(&shelf.tenant, &nobody),
        other.build_indexes(&shelf.tenant, &nobody)
    );
    let mut made = [one.unwrap().made, two.unwrap().made].concat();
    made.sort_unstable();
    assert_eq!(made, DROPPED);
    assert!(is_indexed(&shelf).await);
    let outcome = next.provision(&shelf.tenant, &[BESIDE]).await.unwrap();
    assert_eq!(outcome.pending_indexes.len(), 0);
    assert_eq!(outcome.undeclared_indexes.len(), 0);
    assert_as_fresh(&shelf, &[BESIDE]).await;
}

/// Killed between two drops, or between a build and its note: some exist, and are not built again.
#[tokio::test]
async fn an_index_that_was_not_dropped_yet_is_kept() {
    let shelf = shelf().await;
    let aside = shelf
        .store
        .set_indexes_aside(&shelf.tenant, &TABLES, &[])
        .await
        .unwrap();
    drop(aside);
    let sql =
        "CREATE INDEX beside_words ON tenant_diku.beside USING gin (words) WHERE words <> '{}'";
    shelf.store.database.execute(sql, &[]).await.unwrap();
    let builds = shelf.store.build_indexes(&shelf.tenant, &nobody).await;
    let mut made = builds.unwrap().made;
    made.sort_unstable();
    assert_eq!(made, ["instance_title_idx", "instance_title_idx_ft"]);
    assert!(is_indexed(&shelf).await);
    assert_as_fresh(&shelf, &[BESIDE]).await;
}

#[tokio::test]
async fn the_next_load_goes_on_without_them_and_builds_them() {
    let shelf = shelf().await;
    let store = &shelf.store;
    let aside = store.set_indexes_aside(&shelf.tenant, &TABLES, &[]).await;
    drop(aside.unwrap());
    let mut aside = None;
    // The connection of the first is returned in the background.
    while aside.is_none() {
        let next = store.set_indexes_aside(&shelf.tenant, &TABLES, &[]).await;
        aside = next.unwrap();
    }
    let aside = aside.unwrap();
    assert_eq!(aside.count(), 3);
    let mut made = aside.build(&nobody).await.unwrap().made;
    made.sort_unstable();
    assert_eq!(made, DROPPED);
    assert_as_fresh(&shelf, &[BESIDE]).await;
}

#[tokio::test]
async fn a_release_that_changes_an_index_upgrades_a_tenant_of_a_killed_load() {
    let shelf = shelf().await;
    let aside = shelf
        .store
        .set_indexes_aside(&shelf.tenant, &TABLES, &[])
        .await
        .unwrap();
    drop(aside);
    let next = store(&shelf.database, collections()).await;
    let own = [BESIDE, BESIDE_ANEW];
    next.provision(&shelf.tenant, &own).await.unwrap();
    let builds = next.build_indexes(&shelf.tenant, &nobody).await.unwrap();
    assert_eq!(builds.problems, []);
    assert!(is_indexed(&shelf).await);
    assert_as_fresh(&shelf, &own).await;
}
