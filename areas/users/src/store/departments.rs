//! Departments with the number of users who belong to them.

use bytes::Bytes;
use octavo_postgres::RawJson;
use octavo_records::plan::{Plan, Sql};
use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

/// A department as it is shown. Rows are `page(id, jsonb)`.
fn view(schema: &str) -> String {
    format!(
        "page.jsonb || jsonb_build_object('usageNumber', (SELECT count(*) \
         FROM {schema}.user_department WHERE department_id = page.id))"
    )
}

/// A page of departments.
#[must_use]
pub fn page(schema: &str, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let view = view(schema);
    Sql::select("id, jsonb", schema, "departments", plan, limit, offset)
        .within(|page| format!("SELECT {view} AS jsonb FROM ({page}) AS page"))
}

/// One department as it is shown.
pub async fn one(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
) -> Result<Option<Bytes>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT {} AS jsonb FROM (SELECT id, \
         jsonb FROM {schema}.departments WHERE id = $1) AS page",
        view(schema)
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows
        .first()
        .map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0)))
}
