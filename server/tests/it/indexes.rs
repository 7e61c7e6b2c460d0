//! Index advice over HTTP, and upgrades of tenants with all collections.

use std::sync::Arc;

use octavo_host::compose;
use octavo_postgres::testing::catalogue;
use octavo_postgres::{Database, DatabaseOptions};
use octavo_records::{Catalog, Collection, Store, Tenant};

use octavo_server_testkit::library;

const ITEMS: &str = "/item-storage/items";

#[tokio::test]
async fn a_search_without_an_index_is_advised_until_the_index_is_applied() {
    let library = library().await;
    let client = library.client().await;
    let advice = async || client.get("/_/index-advice").await.expect(200).json();
    assert_eq!(advice().await["totalRecords"], 0);
    for volume in ["one", "two"] {
        let _ = client
            .query(ITEMS, &format!("volume==\"{volume}\""))
            .await
            .expect(200);
    }
    let list = advice().await;
    let one = &list["indexAdvice"][0];
    assert_eq!(list["totalRecords"], 1, "{list}");
    assert_eq!(one["query"], "volume == ?");
    assert_eq!(one["collection"], "item");
    assert_eq!(
        (&one["times"], &one["recordsReturned"]),
        (&2.into(), &0.into())
    );
    assert_eq!(one["indexes"][0]["collection"], "item");
    assert_eq!(one["indexes"][0]["index"]["field"], "volume");
    assert_eq!(one["indexes"][0]["index"]["kind"], "index");
    assert_eq!(one["apply"], "octavo index apply --tenant diku 1");

    // Another process applies it; this one is notified and plans with it.
    let beside = beside(&library, compose_collections()).await;
    let tenant = library.tenant();
    let index = octavo_records::Index::plain("volume");
    beside.want_index(&tenant, "item", &index).await.unwrap();
    let builds = beside.build_indexes(&tenant, &|_| ()).await.unwrap();
    assert_eq!(builds.made, ["item_volume_idx"]);
    let heard = async {
        loop {
            let catalog = library.platform.store.catalog_of(&tenant);
            if catalog.get("item").unwrap().indexes.contains(&index) {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), heard)
        .await
        .expect("the server hears of it");
    let _ = client.query(ITEMS, "volume==three").await.expect(200);
    assert_eq!(advice().await["totalRecords"], 0);
}

fn compose_collections() -> Vec<Arc<Collection>> {
    compose::modules()
        .into_iter()
        .flat_map(|module| module.collections)
        .collect()
}

/// A store on the library's database, standing for another process.
async fn beside(library: &octavo_testkit::Library, collections: Vec<Arc<Collection>>) -> Store {
    let mut options = DatabaseOptions::new(library.database.config());
    options.lanes = 1;
    let database = Database::connect(options)
        .await
        .expect("the database answers");
    Store::new(
        database,
        Arc::new(Catalog::new(collections).expect("a valid catalog")),
    )
}

/// The product's collections as an earlier release may have had them: a third of the indexes
/// missing, others with other options, and no references but those that the areas' SQL needs.
fn earlier() -> Vec<Arc<Collection>> {
    let mut count = 0;
    compose_collections()
        .into_iter()
        .map(|collection| {
            let mut earlier = Collection::clone(&collection);
            earlier.indexes.retain(|_| {
                count += 1;
                count % 3 != 0
            });
            for index in earlier.indexes.iter_mut().step_by(2) {
                index.case_sensitive = !index.case_sensitive;
            }
            if ["item", "users", "notes"].contains(&earlier.table.as_str()) {
                earlier.references.truncate(1);
            }
            Arc::new(earlier)
        })
        .collect()
}

#[tokio::test]
async fn a_tenant_of_an_earlier_release_becomes_equal_to_a_fresh_one() {
    let library = library().await;
    let platform = &library.platform;
    let steps = octavo_platform::tenants::steps(&compose::modules());
    let tenant = Tenant::new("veteran").unwrap();
    beside(&library, earlier())
        .await
        .provision(&tenant, &steps)
        .await
        .unwrap();
    let config = library.database.config();
    let fresh = catalogue(&config, "tenant_diku").await;
    assert!(fresh.len() > 500, "{}", fresh.len());
    assert_ne!(catalogue(&config, "tenant_veteran").await, fresh);

    let outcome = platform
        .tenants
        .provision(&tenant, "Veteran")
        .await
        .unwrap();
    assert!(outcome.pending_indexes.len() > 50, "{outcome:?}");
    let builds = platform
        .store
        .build_indexes(&tenant, &|_| ())
        .await
        .unwrap();
    assert_eq!(builds.problems, []);
    let upgraded = catalogue(&config, "tenant_veteran").await;
    let missing: Vec<_> = fresh.iter().filter(|one| !upgraded.contains(one)).collect();
    let further: Vec<_> = upgraded.iter().filter(|one| !fresh.contains(one)).collect();
    assert!(
        missing.is_empty() && further.is_empty(),
        "missing: {missing:#?}\nfurther: {further:#?}"
    );
    assert_eq!(upgraded, fresh);
}
