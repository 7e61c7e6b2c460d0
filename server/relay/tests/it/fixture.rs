//! A tenant with an outbox, and processes that relay its events to memory.

use std::sync::Arc;
use std::time::Duration;

use octavo_platform::registry;
use octavo_postgres::testing::{TestCluster, TestDatabase};
use octavo_postgres::{Config, Database, DatabaseOptions, Migration};
use octavo_records::store::emit;
use octavo_records::{Catalog, Collection, Store, Tenant};
use octavo_relay::memory::Memory;
use octavo_relay::message::Message;
use octavo_relay::naming::Naming;
use octavo_relay::{LeaseTimes, Parts, Relay, Subscriber, Subscribers};
use serde_json::{Value, json};
use uuid::Uuid;

/// Short, so that a test sees a lease end.
pub const TIMES: LeaseTimes = LeaseTimes {
    duration: Duration::from_millis(1_500),
    extend_every: Duration::from_millis(300),
    margin: Duration::from_millis(300),
};

pub struct Outbox {
    pub store: Store,
    pub tenant: Tenant,
    pub database: TestDatabase,
}

impl Outbox {
    pub async fn new() -> Outbox {
        let database = TestCluster::shared().create_database().await;
        let outbox = Outbox {
            store: store(&database).await,
            tenant: Tenant::new("diku").unwrap(),
            database,
        };
        outbox.store.provision_shared().await.unwrap();
        registry::store::prepare(&outbox.store.database)
            .await
            .unwrap();
        let own = octavo_relay::module().migrations;
        outbox.store.provision(&outbox.tenant, &own).await.unwrap();
        outbox.list(&outbox.tenant).await;
        outbox
    }

    /// Puts a tenant on the list.
    pub async fn list(&self, tenant: &Tenant) {
        let sql = "INSERT INTO octavo.tenant (id, name) VALUES ($1, $1)";
        self.store
            .database
            .execute(sql, &[&tenant.id()])
            .await
            .unwrap();
    }

    /// Writes an event about a key with a number.
    pub async fn tell(&self, key: Uuid, number: i64) {
        let told = json!({"number": number});
        let (database, tenant) = (&self.store.database, &self.tenant);
        emit(database, tenant, "inventory.item", key, "UPDATE", &told)
            .await
            .unwrap();
    }

    pub async fn number(&self, sql: &str) -> i64 {
        let sql = sql.replace("{schema}", self.tenant.schema());
        let rows = self.store.database.query(&sql, &[]).await.unwrap();
        rows[0].get(0)
    }

    pub async fn run(&self, sql: &str) {
        let sql = sql.replace("{schema}", self.tenant.schema());
        self.store.database.execute(&sql, &[]).await.unwrap();
    }
}

/// A further store on the database, as another process has it.
pub async fn store(database: &TestDatabase) -> Store {
    store_at(database.config()).await
}

/// The same by other means of connection.
pub async fn store_at(config: Config) -> Store {
    let options = DatabaseOptions {
        lanes: 2,
        pool_size: 24,
        ..DatabaseOptions::new(config)
    };
    let things = Collection::new("thing", "things", "id uuid\n");
    let catalog = Catalog::new(vec![Arc::new(things)]).unwrap();
    Store::new(Database::connect(options).await.unwrap(), Arc::new(catalog))
}

pub fn parts(store: &Store, sink: &Arc<Memory>) -> Parts {
    let naming = Naming::new("folio", None).unwrap();
    Parts::new(store.clone(), Arc::clone(sink) as _, naming)
}

/// A relay of these tenants, all with the modules of inventory and circulation.
pub fn relay(parts: Parts, tenants: &[Tenant]) -> Relay {
    let subscribers: Vec<Subscriber> = tenants
        .iter()
        .map(|tenant| Subscriber {
            tenant: tenant.clone(),
            modules: vec![
                "mod-circulation-storage".to_owned(),
                "mod-inventory-storage".to_owned(),
            ],
        })
        .collect();
    let subscribers: Subscribers = Arc::new(move || subscribers.clone());
    Relay::begin(parts, subscribers, TIMES)
}

/// Waits for a condition, at most half a minute.
pub async fn until<F: Future<Output = bool>>(what: &str, condition: impl Fn() -> F) {
    for _ in 0..3_000 {
        if condition().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}");
}

/// The numbers told of each key, in the order of the messages.
pub fn numbers(messages: &[Message], key: Uuid) -> Vec<i64> {
    let key = key.to_string();
    let of_key = messages
        .iter()
        .filter(|one| one.key.as_deref() == Some(&*key));
    of_key
        .map(|one| {
            let value: Value = serde_json::from_slice(&one.value).unwrap();
            value["new"]["number"].as_i64().unwrap()
        })
        .collect()
}

/// The same without repetitions of what was there before.
pub fn first_times(numbers: &[i64]) -> Vec<i64> {
    let mut first: Vec<i64> = Vec::new();
    for number in numbers {
        if !first.contains(number) {
            first.push(*number);
        }
    }
    first
}

/// A table of the test's own.
pub async fn with_counters(outbox: &Outbox, keys: &[Uuid]) {
    let sql = "CREATE TABLE octavo.counter (key uuid PRIMARY KEY, number bigint NOT NULL)";
    let steps = [Migration::new("counters", sql)];
    outbox
        .store
        .database
        .migrate("octavo", &steps)
        .await
        .unwrap();
    for key in keys {
        let sql = "INSERT INTO octavo.counter VALUES ($1, 0)";
        outbox.store.database.execute(sql, &[key]).await.unwrap();
    }
}
