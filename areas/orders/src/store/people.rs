//! Users on routing lists.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;

/// Users with their address of a type, in the order in which they are named.
#[boxed]
pub async fn with_address(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
    address_type: &str,
) -> Result<Vec<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb_strip_nulls(jsonb_build_object(
             'firstName', jsonb->'personal'->'firstName',
             'lastName', jsonb->'personal'->'lastName',
             'routingAddress', (SELECT nullif(concat_ws(E'\\n', address->>'addressLine1',
                 address->>'addressLine2', concat_ws(' ', address->>'city', address->>'region',
                 address->>'postalCode'), address->>'countryId'), '')
               FROM jsonb_array_elements(coalesce(jsonb->'personal'->'addresses', '[]')) AS address
               WHERE address->>'addressTypeId' = $2 LIMIT 1))) AS jsonb
         FROM {} JOIN unnest($1::uuid[]) WITH ORDINALITY AS wanted(user_id, at) ON user_id = id
         ORDER BY at",
        tables.table("users")
    );
    let rows = executor.rows(&sql, &[&ids, &address_type]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}
