//! A small library's tables for one test: a store, a tenant, and the record types that the tests
//! use.

use std::sync::Arc;

use octavo_postgres::testing::{TestCluster, TestDatabase};
use octavo_postgres::{Database, DatabaseOptions};
use octavo_records::{
    Catalog, Collection, Index, PageBody, Search, Stamp, Store, StoreError, Tenant, Totals,
};
use serde_json::{Value, json};
use uuid::Uuid;

/// A store with one provisioned tenant, in a database of its own.
pub struct Shelf {
    pub store: Store,
    pub tenant: Tenant,
    /// Dropped with the shelf.
    pub database: TestDatabase,
}

impl Shelf {
    /// An empty library with [`collections`].
    pub async fn new() -> Shelf {
        Shelf::with(collections()).await
    }

    /// An empty library with these record types.
    pub async fn with(collections: Vec<Collection>) -> Shelf {
        let database = TestCluster::shared().create_database().await;
        let shelf = Shelf {
            store: store(&database, collections).await,
            tenant: Tenant::new("diku").unwrap(),
            database,
        };
        shelf.store.provision_shared().await.unwrap();
        shelf.store.provision(&shelf.tenant, &[]).await.unwrap();
        shelf
    }

    pub fn collection(&self, table: &str) -> Arc<Collection> {
        Arc::clone(self.store.catalog.get(table).unwrap())
    }

    /// Stores a record; returns its id.
    pub async fn put(&self, table: &str, record: Value) -> Uuid {
        self.try_put(table, record).await.unwrap()
    }

    /// Stores a record, or returns the error.
    pub async fn try_put(&self, table: &str, record: Value) -> Result<Uuid, StoreError> {
        let collection = self.collection(table);
        let stamp = Stamp::now(None);
        let (id, _) = self
            .store
            .create(&self.tenant, &collection, record, &stamp)
            .await?;
        Ok(id)
    }

    /// A page, read whole, as JSON.
    pub async fn page(&self, table: &str, search: Search<'_>) -> Result<Value, StoreError> {
        let collection = self.collection(table);
        let page = self.store.page(&self.tenant, &collection, search).await?;
        let bytes = match page.body {
            PageBody::Whole(bytes) => bytes,
            PageBody::Pieces(pieces) => {
                use futures_util::TryStreamExt;
                let pieces: Vec<_> = pieces.try_collect().await?;
                pieces.concat()
            }
        };
        Ok(serde_json::from_slice(&bytes).unwrap())
    }

    /// The values of `property` in what a query finds, in the order of the page.
    pub async fn find(&self, table: &str, query: &str, property: &str) -> Vec<String> {
        let search = Search {
            query: Some(query),
            offset: 0,
            limit: 1_000,
            totals: Totals::None,
        };
        let page = self.page(table, search).await.unwrap();
        let key = self.collection(table).list_key.to_string();
        page[key.as_str()]
            .as_array()
            .unwrap()
            .iter()
            .map(|record| record[property].as_str().unwrap_or("").to_owned())
            .collect()
    }
}

/// A further store on a database, standing for another process.
pub async fn store(database: &TestDatabase, collections: Vec<Collection>) -> Store {
    let options = DatabaseOptions {
        lanes: 2,
        pool_size: 8,
        ..DatabaseOptions::new(database.config())
    };
    let catalog = Catalog::new(collections.into_iter().map(Arc::new).collect()).unwrap();
    Store::new(Database::connect(options).await.unwrap(), Arc::new(catalog))
}

/// Material types, instances, holdings and items, with FOLIO's names and a few of their indexes.
pub fn collections() -> Vec<Collection> {
    let shape =
        |own: &str| format!("id uuid\n_version integer\n{own}metadata object readonly open\n");
    vec![
        Collection::new("material_type", "mtypes", &shape("name string required\n"))
            .index(Index::unique("name")),
        Collection::new(
            "instance",
            "instances",
            &shape(
                "hrid string\ntitle string required\nsource string\nlanguages array of string\n",
            ),
        )
        .index(Index::unique("hrid"))
        .index(Index::plain("title"))
        .index(Index::full_text("title"))
        .locked()
        .events("inventory.instance"),
        Collection::new(
            "holdings_record",
            "holdingsRecords",
            &shape("instanceId uuid required\ncallNumber string\n"),
        )
        .crossing("instanceId", "instance", "holdingsRecords", "instance")
        .locked(),
        Collection::new(
            "item",
            "items",
            &shape(
                "holdingsRecordId uuid required\nmaterialTypeId uuid\nbarcode string\n\
                 status object\n  name string\nnotes array of string\ncopies integer\n",
            ),
        )
        .crossing(
            "holdingsRecordId",
            "holdings_record",
            "item",
            "holdingsRecords",
        )
        .reference("materialTypeId", "material_type")
        .index(Index::unique("barcode"))
        .index(Index::plain("status.name"))
        .locked()
        .events("inventory.item"),
    ]
}

/// The JSON of an instance with this title.
pub fn titled(title: &str) -> Value {
    json!({"title": title})
}
