//! The demo library: small, the same everywhere, loaded into the demo's tenant or any other.

use std::sync::Arc;

use octavo_login::app::set_up_administrator::set_up_administrator;
use octavo_platform::Platform;
use octavo_platform::tenants::{SampleData, SampleLoading};
use octavo_postgres::Migration;
use octavo_records::store::insert_if_absent;
use octavo_records::{Stamp, Store, StoreError, Tenant};
use serde_json::{Value, json};
use uuid::Uuid;

use super::documents;

/// The seed of the demo's library: the same library everywhere.
const SEED: u64 = 42;

/// The demo library as the platform's sample data.
#[derive(Debug, Clone, Copy)]
pub struct DemoLibrary;

impl SampleData for DemoLibrary {
    fn load(&self, store: Store, tenant: Tenant) -> SampleLoading {
        Box::pin(async move {
            let now = jiff::Timestamp::now();
            let library = octavo_demo::small_library(SEED, now, octavo_demo::Policies::default());
            let mut loaded = documents::load(&store, &tenant, library, None)
                .await
                .map_err(|error| explain(&error, &tenant))?;
            let settings = add(&store, &tenant, SETTINGS, settings()).await;
            loaded.push((SETTINGS, settings.map_err(|error| error.to_string())?));
            Ok(loaded)
        })
    }
}

fn explain(error: &anyhow::Error, tenant: &Tenant) -> String {
    let id = tenant.id();
    match error.downcast_ref::<StoreError>() {
        Some(StoreError::Duplicate { .. }) => format!(
            "tenant {id} holds records of the demo library already ({error}); nothing was loaded"
        ),
        Some(StoreError::MissingReference { .. }) => format!(
            "tenant {id} lacks reference data that the demo library builds on ({error}); nothing \
             was loaded"
        ),
        _ => format!("{error:#}"),
    }
}

const SETTINGS: &str = "config_data";

/// Settings of FOLIO's sample tenants, as configuration entries: FOLIO's clients of this release
/// read them there, and some fail without.
fn settings() -> Vec<Value> {
    let entry = |module: &str, name: &str, value: Value| {
        json!({
            "module": module, "configName": name, "enabled": true, "value": value.to_string(),
        })
    };
    let desk = json!({
        "audioAlertsEnabled": false, "audioTheme": "classic", "checkoutTimeout": true,
        "checkoutTimeoutDuration": 3, "prefPatronIdentifier": "barcode,username",
        "useCustomFieldsAsIdentifiers": false, "wildcardLookupEnabled": false,
    });
    let locale = json!({"locale": "en-US", "timezone": "UTC", "currency": "USD"});
    vec![
        entry("CHECKOUT", "other_settings", desk),
        entry("ORG", "localeSettings", locale),
    ]
}

/// Adds records except those whose key is taken, so that existing settings stay.
async fn add(
    store: &Store,
    tenant: &Tenant,
    table: &'static str,
    records: Vec<Value>,
) -> Result<u64, StoreError> {
    let Some(collection) = store.catalog.get(table) else {
        return Err(StoreError::fault(format!(
            "no area declares the table {table}"
        )));
    };
    let (mut added, stamp) = (0, Stamp::now(None));
    for record in records {
        let Value::Object(record) = record else {
            continue;
        };
        match insert_if_absent(&store.database, tenant, collection, record, &stamp).await {
            Ok(new) => added += u64::from(new),
            Err(StoreError::Duplicate { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(added)
}

/// Assigns all service points to a user, the first as default.
pub async fn open_desks(
    platform: &Platform,
    tenant: &Tenant,
    username: &str,
) -> Result<(), StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT one.id, array_agg(desk.id ORDER BY lower(desk.jsonb->>'code')) AS desks \
         FROM {schema}.users AS one CROSS JOIN {schema}.service_point AS desk \
         WHERE one.jsonb->>'username' = $1 GROUP BY one.id"
    );
    let rows = platform.store.database.query(&sql, &[&username]).await?;
    let desks = rows.iter().map(|row| {
        let (user, desks): (Uuid, Vec<Uuid>) = (row.get("id"), row.get("desks"));
        json!({"userId": user, "servicePointsIds": desks, "defaultServicePointId": desks.first()})
    });
    add(
        &platform.store,
        tenant,
        "service_point_user",
        desks.collect(),
    )
    .await?;
    Ok(())
}

/// The id of a recorded migration: the tenant has been filled as the demo.
const ONCE: &str = "demo-library";

/// Fills the demo's tenant, once: a user who is deleted afterwards stays deleted, even the
/// administrator.
///
/// # Errors
/// When the tenant contains a part of the library already.
pub async fn fill_once(
    platform: &Arc<Platform>,
    tenant: &Tenant,
    (username, password): (&str, &str),
) -> anyhow::Result<()> {
    let (database, schema) = (&platform.store.database, tenant.schema());
    // One process fills it; another one that starts meanwhile does not wait.
    let transaction = database.transaction().await?;
    transaction
        .batch_execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        .await?;
    let lock = "SELECT pg_try_advisory_xact_lock(hashtextextended('octavo demo of ' || $1, \
                0)) AS held";
    let held = transaction.query(lock, &[&schema]).await?;
    if !held.first().is_some_and(|row| row.get("held")) {
        return Ok(());
    }
    let sql = format!(
        "SELECT EXISTS (SELECT FROM {schema}.octavo_migrations WHERE id = $1) \
         OR EXISTS (SELECT FROM {schema}.instance) AS filled"
    );
    let rows = database.query(&sql, &[&ONCE]).await?;
    if rows.first().is_some_and(|row| row.get("filled")) {
        return Ok(());
    }
    set_up_administrator(platform, tenant, username, password).await?;
    eprintln!("  filling the demo library");
    let loaded = DemoLibrary
        .load(platform.store.clone(), tenant.clone())
        .await;
    for (table, records) in loaded.map_err(anyhow::Error::msg)? {
        eprintln!("    {records:>6} {table}");
    }
    open_desks(platform, tenant, username).await?;
    database
        .migrate(schema, &[Migration::new(ONCE, "")])
        .await?;
    transaction.commit().await?;
    Ok(())
}
