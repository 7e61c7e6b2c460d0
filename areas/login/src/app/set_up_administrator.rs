//! Creates the first user of a tenant, with all permissions.

use octavo_boxed::boxed;
use octavo_platform::Platform;
use octavo_platform::identity::ALL_PERMISSIONS;
use octavo_records::store::insert_if_absent;
use octavo_records::{Stamp, StoreError, Tenant};
use serde_json::{Value, json};
use uuid::Uuid;

use super::set_password::set_password;

/// Creates a user with all permissions and this password; returns false when the name exists.
#[boxed]
pub async fn set_up_administrator(
    platform: &Platform,
    tenant: &Tenant,
    username: &str,
    password: &str,
) -> Result<bool, StoreError> {
    // Random, so that nobody can predict it. If two processes do this at once, one of them finds the
    // name taken.
    let user_id = Uuid::new_v4();
    let user = json!({
        "id": user_id,
        "username": username,
        "active": true,
        "type": "staff",
        "personal": {"lastName": "ADMINISTRATOR", "firstName": tenant.id().to_uppercase(),
                     "preferredContactTypeId": "002", "email": format!("{username}@example.org")},
    });
    if !insert(platform, tenant, "users", user).await? {
        return Ok(false);
    }
    let grant = json!({
        "id": Uuid::new_v4(),
        "userId": user_id,
        "permissions": [ALL_PERMISSIONS],
    });
    insert(platform, tenant, "permissions_users", grant).await?;
    set_password(platform, tenant, user_id.into(), password.to_owned()).await?;
    Ok(true)
}

async fn insert(
    platform: &Platform,
    tenant: &Tenant,
    table: &str,
    document: Value,
) -> Result<bool, StoreError> {
    let store = &platform.store;
    let (Some(collection), Value::Object(document)) = (store.catalog.get(table), document) else {
        return Err(StoreError::fault(format!(
            "the table {table} is not declared"
        )));
    };
    let stamp = Stamp::now(None);
    match insert_if_absent(&store.database, tenant, collection, document, &stamp).await {
        Err(StoreError::Duplicate { .. }) => Ok(false),
        other => other,
    }
}
