//! The rules of a tenant and of its jobs.

use octavo_library::JobExecutionId;
use octavo_mapping::RecordKind;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::Value;
use uuid::Uuid;

/// The version of a row, unique across databases. A row's xmin and ctid change with every update, so no
/// counter column is needed.
const VERSION: &str = "(SELECT oid::text FROM pg_database WHERE datname = current_database()) \
                       || ' ' || xmin::text || ' ' || ctid::text";

/// Changes whenever the rules for a kind change; none while they are those of the release.
pub async fn version(
    executor: &dyn Executor,
    tables: Tables<'_>,
    kind: RecordKind,
) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "SELECT {VERSION} AS version FROM {} WHERE {}",
        tables.table("mapping_rules"),
        of_kind(tables)
    );
    let rows = executor.rows(&sql, &[&kind.name()]).await?;
    Ok(rows.first().map(|row| row.get("version")))
}

/// The rules for a kind with their version.
pub async fn read(
    executor: &dyn Executor,
    tables: Tables<'_>,
    kind: RecordKind,
) -> Result<Option<(String, Value)>, StoreError> {
    let sql = format!(
        "SELECT {VERSION} AS version, jsonb->'mappingRules' AS rules FROM {} WHERE {}",
        tables.table("mapping_rules"),
        of_kind(tables)
    );
    let rows = executor.rows(&sql, &[&kind.name()]).await?;
    Ok(rows
        .first()
        .map(|row| (row.get("version"), row.get("rules"))))
}

/// The id of the record that holds the rules for a kind.
pub async fn id_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    kind: RecordKind,
) -> Result<Option<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE {}",
        tables.table("mapping_rules"),
        of_kind(tables)
    );
    let rows = executor.rows(&sql, &[&kind.name()]).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

fn of_kind(tables: Tables<'_>) -> String {
    tables.equals("mapping_rules", "recordType", "$1::text")
}

/// The rules and parameters of a job.
pub async fn of_job(
    executor: &dyn Executor,
    tables: Tables<'_>,
    job: JobExecutionId,
) -> Result<Option<(String, Value, Value)>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'recordType' AS record_type, \
         jsonb->'mappingRules' AS rules, jsonb->'mappingParams' AS parameters FROM {} \
         WHERE id = $1",
        tables.table("mapping_snapshot"),
    );
    let rows = executor.rows(&sql, &[&job]).await?;
    Ok(rows.first().map(|row| {
        (
            row.get("record_type"),
            row.get("rules"),
            row.get("parameters"),
        )
    }))
}
