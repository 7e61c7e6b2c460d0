//! Service points: locked while a location refers to them, and checked for references.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::{StoreError, Tables, Tenant};
use uuid::Uuid;

/// Locks those of these service points that exist against deletion.
#[boxed]
pub async fn hold_service_points(
    transaction: &Transaction,
    tenant: &Tenant,
    ids: &[Uuid],
) -> Result<(), StoreError> {
    // `FOR KEY SHARE` blocks a deletion only; the order by id prevents deadlocks.
    let sql = format!(
        "SELECT id FROM {}.service_point WHERE id = ANY($1) ORDER BY id FOR KEY SHARE",
        tenant.schema()
    );
    transaction.query(&sql, &[&ids]).await?;
    Ok(())
}

/// Whether a location, a user's service points or a request refers to a service point. Locations and
/// users' service points are short lists; requests are found by their index.
#[boxed]
pub async fn is_service_point_used(
    transaction: &Transaction,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<bool, StoreError> {
    let schema = tables.tenant.schema();
    let requests = match tables.catalog.get("request") {
        Some(_) => format!(
            " OR EXISTS (SELECT FROM {schema}.request WHERE {})",
            tables.equals("request", "pickupServicePointId", "$1::text")
        ),
        None => String::new(),
    };
    let sql = format!(
        "SELECT EXISTS (SELECT FROM {schema}.location WHERE jsonb->'servicePointIds' ? $1::text \
         OR jsonb->>'primaryServicePoint' = $1::text) \
         OR EXISTS (SELECT FROM {schema}.service_point_user WHERE jsonb->'servicePointsIds' ? $1::text \
         OR defaultservicepointid = $1::text::uuid){requests} AS used"
    );
    let rows = transaction.query(&sql, &[&id.to_string()]).await?;
    Ok(rows.first().is_some_and(|row| row.get("used")))
}
