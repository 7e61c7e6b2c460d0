//! This area's own statements. Here: the expansion of a user's permissions, and shared parts.

pub mod announced;
pub mod definitions;
pub mod holders;
pub mod views;

use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

/// The expression of the unique index on names, which are case-sensitive.
const NAME: &str = "(jsonb->>'permissionName') COLLATE \"C\"";

/// How a permission user is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// By its own id.
    Id(Uuid),
    /// By the id of the user, in lower case.
    User(String),
}

impl Holder {
    /// The condition on `permissions_users`, with the value of [`Holder::value`] as `$1`.
    fn condition(&self) -> &'static str {
        match self {
            Holder::Id(_) => "id = $1::text::uuid",
            Holder::User(_) => "(jsonb->>'userId') COLLATE \"C\" = $1::text",
        }
    }

    fn value(&self) -> String {
        match self {
            Holder::Id(id) => id.to_string(),
            Holder::User(id) => id.clone(),
        }
    }
}

/// The recursive part of `granted(name)`: what each set that is granted holds. The look-up of a set is
/// written so that the planner cannot turn it into a scan of all definitions. `UNION` visits each set
/// once, so cycles end.
fn parts_of_granted(schema: &str) -> String {
    format!(
        "SELECT part.name FROM granted \
         CROSS JOIN LATERAL (SELECT jsonb->'subPermissions' AS names \
           FROM {schema}.permissions WHERE {NAME} = granted.name OFFSET 0) AS set \
         CROSS JOIN LATERAL jsonb_array_elements_text(\
           CASE jsonb_typeof(set.names) WHEN 'array' THEN set.names END) AS part(name)"
    )
}

/// The names of an active user's permissions, those of all sets they hold included; `None` when there is
/// no such user.
pub async fn granted(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: Uuid,
) -> Result<Option<Vec<String>>, StoreError> {
    let schema = tenant.schema();
    let parts = parts_of_granted(schema);
    let sql = format!(
        "WITH RECURSIVE granted(name) AS (
           SELECT jsonb_array_elements_text(jsonb->'permissions')
           FROM {schema}.permissions_users WHERE (jsonb->>'userId') COLLATE \"C\" = $2
           UNION {parts}
         )
         SELECT array(SELECT name FROM granted) AS names FROM {schema}.users
         WHERE id = $1 AND coalesce((jsonb->>'active')::boolean, true)"
    );
    let rows = executor
        .rows(&sql, &[&user_id, &user_id.to_string()])
        .await?;
    Ok(rows.first().map(|row| row.get("names")))
}

/// These permissions and those of all sets among them.
pub async fn expanded(
    executor: &dyn Executor,
    tenant: &Tenant,
    names: &[String],
) -> Result<Vec<String>, StoreError> {
    let parts = parts_of_granted(tenant.schema());
    let sql = format!(
        "WITH RECURSIVE granted(name) AS (SELECT unnest($1::text[]) UNION {parts}) \
         SELECT array(SELECT name FROM granted) AS names"
    );
    let rows = executor.rows(&sql, &[&names]).await?;
    Ok(rows.first().map(|row| row.get("names")).unwrap_or_default())
}
