//! What each user may do, read for the platform's permission stage.

use std::collections::HashSet;

use octavo_platform::identity::LookUp;
use octavo_platform::{Directory, Grants};
use octavo_records::{Store, StoreError, Tenant};
use uuid::Uuid;

/// The permissions in this area's tables.
#[derive(Debug, Clone, Copy, Default)]
pub struct UserDirectory;

impl Directory for UserDirectory {
    fn grants(&self, store: Store, tenant: Tenant, user_id: Uuid) -> LookUp {
        Box::pin(async move { grants(&store, &tenant, user_id).await })
    }
}

/// The permissions of an active user, those of all sets they hold included. A set may hold itself
/// through others; every permission is visited once.
async fn grants(
    store: &Store,
    tenant: &Tenant,
    user_id: Uuid,
) -> Result<Option<Grants>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH RECURSIVE granted(name) AS (
           SELECT jsonb_array_elements_text(jsonb->'permissions')
           FROM {schema}.permissions_users WHERE (jsonb->>'userId') COLLATE \"C\" = $2
           UNION
           SELECT part.name FROM granted
           JOIN {schema}.permissions AS set
             ON (set.jsonb->>'permissionName') COLLATE \"C\" = granted.name
           CROSS JOIN LATERAL jsonb_array_elements_text(set.jsonb->'subPermissions') AS part(name)
         )
         SELECT array(SELECT name FROM granted) FROM {schema}.users
         WHERE id = $1 AND coalesce((jsonb->>'active')::boolean, true)"
    );
    let rows = store
        .database
        .query(&sql, &[&user_id, &user_id.to_string()])
        .await?;
    Ok(rows.first().map(|row| {
        let names: Vec<String> = row.get(0);
        Grants::new(names.into_iter().collect::<HashSet<_>>())
    }))
}
