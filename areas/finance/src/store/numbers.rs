//! Numbers of jobs, each given once.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};

use super::Tables;

/// The next number of a kind of job.
#[boxed]
pub async fn next(
    executor: &dyn Executor,
    tables: Tables<'_>,
    kind: &str,
) -> Result<i64, StoreError> {
    let sql = format!(
        "INSERT INTO {}.job_number AS given (type, last_number) VALUES ($1, 1) \
         ON CONFLICT (type) DO UPDATE SET last_number = given.last_number + 1 \
         RETURNING last_number",
        tables.tenant.schema()
    );
    let rows = executor.rows(&sql, &[&kind]).await?;
    let row = rows.first();
    let row = row.ok_or_else(|| StoreError::fault("no number was given"))?;
    Ok(row.get("last_number"))
}
