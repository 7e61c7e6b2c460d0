//! Jobs, one at a time.

use octavo_library::{JobExecutionId, UserId};
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::{Map, Value};

/// A stored job.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub id: JobExecutionId,
    /// Its document, without its profile.
    pub document: Map<String, Value>,
    /// The tree of its profile.
    pub profile: Option<Value>,
    /// Whether records may set the ids of created instances.
    pub accepts_ids: bool,
    /// The number of succeeded records.
    pub succeeded: i64,
    /// The number of refused records.
    pub failed: i64,
    /// The total announced by the last chunk.
    pub last_counter: Option<i64>,
}

impl Job {
    /// A text of the document.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.document
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }
}

const COLUMNS: &str = "id, document, profile, accepts_ids, succeeded, failed, last_counter";

/// The next HRID.
pub(crate) async fn next_hrid(executor: &dyn Executor, tenant: &Tenant) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT nextval('{}.import_job_hrid') AS number",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().map_or(0, |row| row.get("number")))
}

/// Stores a new job.
pub(crate) async fn insert(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: JobExecutionId,
    document: &Map<String, Value>,
) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO {}.import_job (id, document) VALUES ($1, $2) ON CONFLICT DO NOTHING \
         RETURNING id",
        tenant.schema()
    );
    let document = Value::Object(document.clone());
    Ok(!executor.rows(&sql, &[&id, &document]).await?.is_empty())
}

/// A job, unless it was deleted.
pub(crate) async fn find(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: JobExecutionId,
) -> Result<Option<Job>, StoreError> {
    found(executor, tenant, id, "").await
}

/// The same, locked until the transaction ends.
pub(crate) async fn hold(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: JobExecutionId,
) -> Result<Option<Job>, StoreError> {
    // `NO KEY`: chunks that refer to the job are stored meanwhile.
    found(executor, tenant, id, " FOR NO KEY UPDATE").await
}

async fn found(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: JobExecutionId,
    locking: &str,
) -> Result<Option<Job>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {}.import_job WHERE id = $1 AND NOT is_deleted{locking}",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| Job {
        id: row.get("id"),
        document: match row.get("document") {
            Value::Object(document) => document,
            _ => Map::new(),
        },
        profile: row.get("profile"),
        accepts_ids: row.get("accepts_ids"),
        succeeded: row.get("succeeded"),
        failed: row.get("failed"),
        last_counter: row.get("last_counter"),
    }))
}

/// Writes a locked job.
pub(crate) async fn write(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: &Job,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.import_job SET document = $2, profile = $3, accepts_ids = $4, succeeded = $5, \
         failed = $6, last_counter = $7 WHERE id = $1",
        tenant.schema()
    );
    let document = Value::Object(job.document.clone());
    executor
        .rows(
            &sql,
            &[
                &job.id,
                &document,
                &job.profile,
                &job.accepts_ids,
                &job.succeeded,
                &job.failed,
                &job.last_counter,
            ],
        )
        .await?;
    Ok(())
}

/// Marks jobs as deleted; returns them. Unfinished ones become complete.
pub(crate) async fn mark_deleted(
    executor: &dyn Executor,
    tenant: &Tenant,
    ids: &[JobExecutionId],
    now: &str,
) -> Result<Vec<JobExecutionId>, StoreError> {
    let sql = format!(
        "UPDATE {}.import_job SET is_deleted = true, document = CASE WHEN completed IS NULL \
         THEN document || jsonb_build_object('completedDate', $2::text) ELSE document END \
         WHERE id = ANY($1) RETURNING id",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&ids, &now]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// A marked job that completed before an instant.
pub(crate) async fn oldest_marked(
    executor: &dyn Executor,
    tenant: &Tenant,
    before: &str,
) -> Result<Option<JobExecutionId>, StoreError> {
    let sql = format!(
        "SELECT id FROM {}.import_job WHERE is_deleted AND completed <= $1 \
         ORDER BY completed LIMIT 1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&before]).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

/// A table with many rows of a job, and how many of them are deleted at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Below {
    table: &'static str,
    portion: i64,
}

/// The large tables of a job. Raw records may be large, so fewer are deleted at once.
pub(crate) const BELOW: [Below; 4] = [
    Below {
        table: "import_journal",
        portion: 5_000,
    },
    Below {
        table: "import_line",
        portion: 5_000,
    },
    Below {
        table: "import_incoming",
        portion: 500,
    },
    Below {
        table: "import_chunk",
        portion: 500,
    },
];

/// Deletes some rows of a job; returns false when there are no more.
pub(crate) async fn delete_some(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
    below: Below,
) -> Result<bool, StoreError> {
    let sql = format!(
        "WITH gone AS (DELETE FROM {schema}.{table} WHERE ctid = ANY(ARRAY(SELECT ctid \
         FROM {schema}.{table} WHERE job = $1 LIMIT $2)) RETURNING 1) SELECT count(*) FROM gone",
        schema = tenant.schema(),
        table = below.table,
    );
    let rows = executor.rows(&sql, &[&job, &below.portion]).await?;
    Ok(rows
        .first()
        .is_some_and(|row| row.get::<_, i64>("count") > 0))
}

/// Deletes a job with its remaining rows.
pub(crate) async fn delete(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.import_job WHERE id = $1 AND is_deleted",
        tenant.schema()
    );
    executor.rows(&sql, &[&job]).await?;
    Ok(())
}

/// Whether all parts of a composite job have ended.
pub(crate) async fn are_parts_over(
    executor: &dyn Executor,
    tenant: &Tenant,
    parent: JobExecutionId,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT NOT EXISTS (SELECT 1 FROM {}.import_job WHERE parent = $1 AND \
         kind = 'COMPOSITE_CHILD' AND NOT is_deleted AND ui_status NOT IN \
         ('RUNNING_COMPLETE', 'ERROR', 'CANCELLED', 'DISCARDED')) AS found",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&parent]).await?;
    Ok(rows.first().is_some_and(|row| row.get("found")))
}

/// The ids of a parent's children.
pub(crate) async fn children(
    executor: &dyn Executor,
    tenant: &Tenant,
    parent: JobExecutionId,
) -> Result<Vec<JobExecutionId>, StoreError> {
    let sql = format!(
        "SELECT id FROM {}.import_job WHERE parent = $1 AND id <> $1 AND NOT is_deleted \
         ORDER BY id",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&parent]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// First and last name of a user in jobs; `None` when there is no such user.
pub(crate) async fn runner(
    executor: &dyn Executor,
    tenant: &Tenant,
    user: UserId,
) -> Result<Option<(Option<String>, Option<String>, Option<String>)>, StoreError> {
    let sql = format!(
        "SELECT jsonb->'personal'->>'firstName' AS first_name, \
         jsonb->'personal'->>'lastName' AS last_name, jsonb->>'username' AS name, \
         jsonb ? 'personal' AS is_person FROM {}.users WHERE id = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&user]).await?;
    Ok(rows.first().map(|row| {
        let name: Option<String> = row.get("name");
        match row.get("is_person") {
            true => (row.get("first_name"), row.get("last_name"), name),
            // System users are shown by username, as in FOLIO.
            false => (name.clone(), Some("SYSTEM".to_owned()), name),
        }
    }))
}
