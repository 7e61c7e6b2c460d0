//! Deletions: one record in one statement, or all that a query matches in one transaction.

use crate::expression::AMONG_IDS;
use std::time::Instant;

use octavo_boxed::boxed;
use uuid::Uuid;

use super::Store;
use super::indexes::SearchTime;
use super::page::{Search, Totals};
use super::trace::{Change, traces};
use crate::collection::Collection;
use crate::error::{StoreError, refused};
use crate::executor::Executor;
use crate::plan::{Predicate, Sql};
use crate::retry::retried;
use crate::tenant::Tenant;

/// The records that one statement of a deletion by query deletes, which limits memory on both
/// sides.
const PORTION: u32 = 2_000;

impl Store {
    /// Deletes a record.
    ///
    /// # Errors
    /// When it does not exist, or others still reference it.
    #[boxed]
    pub async fn delete(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        id: Uuid,
    ) -> Result<(), StoreError> {
        delete(&self.database, tenant, collection, id).await
    }

    /// Deletes every record that a query matches; returns their number. A query for all records
    /// leaves one event `DELETE_ALL` with the null UUID as its key, any other one `DELETE` for each
    /// record.
    ///
    /// # Errors
    /// When the query cannot be run, or one of them is still referenced: then none is deleted.
    #[boxed]
    pub async fn delete_matching(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        query: &str,
    ) -> Result<u64, StoreError> {
        self.delete_matching_with(tenant, collection, query, None)
            .await
    }

    /// The same; when the query is for all records, `companions` is run before them in the same
    /// transaction: SQL of the area that deletes dependent rows.
    ///
    /// # Errors
    /// As [`Store::delete_matching`], and when that SQL fails.
    #[boxed]
    pub async fn delete_matching_with(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        query: &str,
        companions: Option<&str>,
    ) -> Result<u64, StoreError> {
        let plan = self.plan(tenant, collection, Some(query))?;
        let started = Instant::now();
        let predicate = &plan.predicate;
        let deleted =
            retried(|| self.delete_found(tenant, collection, predicate, companions)).await?;
        let search = Search {
            query: Some(query),
            offset: 0,
            limit: i64::MAX,
            totals: Totals::None,
        };
        let took = SearchTime {
            rows: i64::try_from(deleted).unwrap_or(i64::MAX),
            elapsed: started.elapsed(),
        };
        self.note_search(tenant, collection, predicate, search, took);
        Ok(deleted)
    }

    async fn delete_found(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        predicate: &Predicate,
        companions: Option<&str>,
    ) -> Result<u64, StoreError> {
        let schema = tenant.schema();
        let transaction = self.database.transaction().await?;
        let all = *predicate == Predicate::Everything;
        if all {
            // The lock keeps others from adding records between the deletion and its event for all
            // records.
            let table = &collection.table;
            let sql = format!("LOCK TABLE {schema}.{table} IN SHARE ROW EXCLUSIVE MODE");
            transaction.batch_execute(&sql).await?;
            if let Some(sql) = companions {
                transaction.batch_execute(sql).await?;
            }
        }
        let mut found = Sql::default();
        found.push(&format!(
            "DECLARE octavo_found NO SCROLL CURSOR FOR SELECT id FROM {schema}.{}",
            collection.table
        ));
        found.filter(schema, predicate);
        found.push(" ORDER BY id FOR UPDATE");
        transaction.execute(&found.text, &found.bound()).await?;
        let fetch = format!("FETCH {PORTION} FROM octavo_found");
        let sql = deletion(tenant, collection, "id = ANY($1)", !all);
        let mut deleted = 0;
        loop {
            let rows = transaction.query(&fetch, &[]).await?;
            let ids: Vec<Uuid> = rows.iter().map(|row| row.get("id")).collect();
            if ids.is_empty() {
                break;
            }
            let rows = transaction
                .rows(&sql, &[&ids])
                .await
                .map_err(|error| refused(error, collection, collection.conflict_status))?;
            deleted += rows.first().map_or(0, |row| row.get::<_, i64>("count")) as u64;
        }
        if let (true, Some(topic)) = (all, &collection.topic) {
            let sql = format!(
                "INSERT INTO {schema}.outbox (topic, key, type) VALUES ($1, $2, 'DELETE_ALL')"
            );
            transaction.execute(&sql, &[topic, &Uuid::nil()]).await?;
        }
        transaction.commit().await?;
        Ok(deleted)
    }
}

/// Deletes a record.
///
/// # Errors
/// When it does not exist, or others still reference it.
#[boxed]
pub async fn delete(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    id: Uuid,
) -> Result<(), StoreError> {
    let sql = deletion(tenant, collection, "id = $1", true);
    let rows = executor
        .rows(&sql, &[&id])
        .await
        .map_err(|error| refused(error, collection, collection.conflict_status))?;
    match rows.first().map_or(0, |row| row.get::<_, i64>("count")) {
        0 => Err(StoreError::NotFound),
        _ => Ok(()),
    }
}

/// Deletes the records that refer to one of these ids by a declared reference, whether there are any or not;
/// each leaves its event. The caller keeps others from adding some meanwhile.
///
/// # Errors
/// When others still reference one of them: then none is deleted.
///
/// # Panics
/// When the collection declares no such reference.
#[boxed]
pub async fn delete_referring(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    property: &str,
    ids: &[Uuid],
) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    let reference = collection.reference_on(property);
    let reference = reference.expect("invariant: callers name a reference that is declared");
    let which = format!("{} {AMONG_IDS}", reference.column());
    let sql = deletion(tenant, collection, &which, true);
    executor
        .rows(&sql, &[&ids])
        .await
        .map_err(|error| refused(error, collection, collection.conflict_status))?;
    Ok(())
}

/// Deletes the records with these ids.
///
/// # Errors
/// When one does not exist, or others still reference one of them; the caller then has to roll back.
#[boxed]
pub async fn delete_many(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    ids: &[Uuid],
) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    let sql = deletion(tenant, collection, &format!("id {AMONG_IDS}"), true);
    let rows = executor
        .rows(&sql, &[&ids])
        .await
        .map_err(|error| refused(error, collection, collection.conflict_status))?;
    let deleted = rows.first().map_or(0, |row| row.get::<_, i64>("count"));
    match usize::try_from(deleted) == Ok(ids.len()) {
        true => Ok(()),
        false => Err(StoreError::NotFound),
    }
}

/// The statement of a deletion; it returns the number of deleted rows.
fn deletion(tenant: &Tenant, collection: &Collection, which: &str, with_events: bool) -> String {
    let change = Change {
        old: Some("old.jsonb"),
        new: None,
        from: "old",
    };
    let traces = if with_events {
        traces(tenant, collection, change)
    } else {
        super::trace::audit(tenant, collection, change)
    };
    format!(
        "WITH old AS (DELETE FROM {}.{} WHERE {which} RETURNING id, jsonb){traces} \
         SELECT count(*) FROM old",
        tenant.schema(),
        collection.table
    )
}
