//! Maintains the search terms of MARC records: a background worker processes written records in
//! portions, and a search first processes the few that are still queued, so that it finds everything
//! saved before it.

use std::time::{Duration, Instant};

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, replace};
use octavo_records::{Stamp, Store, StoreError, Tenant, instant, retried};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::store::marc_terms;
use crate::terms::{Entry, entry};

/// Records of one transaction.
const PORTION: i64 = 500;
/// A search processes the queue itself up to this length.
const BEFORE_SEARCH_MAX: i64 = 1_000;
/// With a longer queue that is still growing, the worker pauses, so that the load gets the machine.
const LOADED: i64 = 5_000;
/// A run of the worker ends after this time; the timer begins the next.
const RUN_MAX: Duration = Duration::from_secs(60);
/// A pause between portions, so that other requests get the database.
const PAUSE: Duration = Duration::from_millis(2);
/// After this many records ANALYZE runs.
const MANY: usize = 10_000;

/// How current a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It includes everything saved before it.
    Complete,
    /// At least this many recently written records are not included.
    Behind(i64),
}

/// Processes the queue if it is short.
#[boxed]
pub async fn freshen(store: &Store, tenant: &Tenant) -> Result<Freshness, StoreError> {
    let waiting = marc_terms::waiting(&store.database, tenant, BEFORE_SEARCH_MAX + 1).await?;
    if waiting == 0 {
        return Ok(Freshness::Complete);
    }
    if waiting > BEFORE_SEARCH_MAX {
        return Ok(Freshness::Behind(waiting));
    }
    let mut left = waiting;
    while left > 0 {
        let taken = retried(|| portion(store, tenant, Turn::Wait)).await?;
        // A concurrent worker may have taken some.
        left -= PORTION.max(taken as i64);
    }
    Ok(Freshness::Complete)
}

/// Processes the queue until it is empty or the time is up; returns the number of records. During a
/// large load it does nothing.
///
/// # Errors
/// On a database error; what was committed before stays.
#[boxed]
pub async fn work(store: &Store, tenant: &Tenant) -> Result<usize, StoreError> {
    let database = &store.database;
    if !marc_terms::is_anything(database, tenant).await?
        || marc_terms::is_being_loaded(database, tenant, LOADED).await?
    {
        return Ok(0);
    }
    let (started, mut done) = (Instant::now(), 0);
    while started.elapsed() < RUN_MAX {
        let taken = retried(|| portion(store, tenant, Turn::Leave)).await?;
        if taken == 0 {
            break;
        }
        done += taken;
        tokio::time::sleep(PAUSE).await;
    }
    if done >= MANY {
        marc_terms::learn(&store.database, tenant).await?;
    }
    end_migrations(store, tenant).await?;
    Ok(done)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Wait,
    Leave,
}

/// Processes one portion; returns the number of records.
async fn portion(store: &Store, tenant: &Tenant, turn: Turn) -> Result<usize, StoreError> {
    let transaction = store.database.transaction().await?;
    match turn {
        Turn::Wait => marc_terms::lock_queue(&transaction, tenant).await?,
        Turn::Leave if !marc_terms::try_lock_queue(&transaction, tenant).await? => return Ok(0),
        Turn::Leave => {}
    }
    let ids = marc_terms::take(&transaction, tenant, PORTION).await?;
    if ids.is_empty() {
        return Ok(0);
    }
    // Records are read after their queue entries are taken, so they are at least as new.
    let sources = marc_terms::sources(&transaction, tenant, &ids).await?;
    let made = tokio::task::spawn_blocking(move || entries(&sources)).await;
    let made = made.map_err(|error| StoreError::fault(error))?;
    marc_terms::put(&transaction, tenant, &made).await?;
    let kept: std::collections::HashSet<Uuid> = made.iter().map(|(id, _)| *id).collect();
    let gone: Vec<Uuid> = ids
        .iter()
        .filter(|id| !kept.contains(id))
        .copied()
        .collect();
    marc_terms::remove(&transaction, tenant, &gone).await?;
    transaction.commit().await?;
    Ok(ids.len())
}

fn entries(sources: &[(Uuid, Value)]) -> Vec<(Uuid, Entry)> {
    sources
        .iter()
        .filter_map(|(id, document)| Some((*id, entry(document)?)))
        .collect()
}

/// Marks the jobs of finished rebuilds as complete.
async fn end_migrations(store: &Store, tenant: &Tenant) -> Result<(), StoreError> {
    let transaction = store.database.transaction().await?;
    let over = marc_terms::take_migrated(&transaction, tenant).await?;
    for job in over {
        end(store, &transaction, tenant, job).await?;
    }
    transaction.commit().await?;
    Ok(())
}

async fn end(
    store: &Store,
    transaction: &Transaction,
    tenant: &Tenant,
    job: Uuid,
) -> Result<(), StoreError> {
    let collection = store
        .catalog
        .get("marc_migration_job")
        .expect("invariant: a table of this area");
    let found = fetch_locked(transaction, tenant, collection, job).await?;
    if let Some(Value::Object(mut document)) = found {
        let stamp = Stamp::now(None);
        document.insert("status".to_owned(), json!("COMPLETED"));
        let now = json!(instant::format(stamp.at));
        document.insert("completedDate".to_owned(), now);
        replace(transaction, tenant, collection, job, &document, &stamp).await?;
    }
    Ok(())
}
