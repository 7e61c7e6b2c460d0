//! Giving a user a password, or a new one.

use octavo_platform::Platform;
use octavo_records::{StoreError, Tenant};
use serde_json::json;
use uuid::Uuid;

use super::log_in::hash;

/// Stores the hash of a user's password in place of the one before.
///
/// # Errors
/// When the password is too long or the database does not answer.
pub async fn set_password(
    platform: &Platform,
    tenant: &Tenant,
    user_id: Uuid,
    password: String,
) -> Result<(), StoreError> {
    let hash = tokio::task::spawn_blocking(move || hash(&password))
        .await
        .map_err(|error| StoreError::Database(error.to_string()))?
        .map_err(StoreError::Query)?;
    let id = Uuid::new_v4();
    let document = json!({"id": id, "userId": user_id, "hash": hash});
    let schema = tenant.schema();
    let transaction = platform.store.database.transaction().await?;
    let remove = format!(
        "DELETE FROM {schema}.auth_credentials WHERE (lower(jsonb->>'userId')) COLLATE \"C\" = $1"
    );
    transaction
        .execute(&remove, &[&user_id.to_string()])
        .await?;
    let insert = format!("INSERT INTO {schema}.auth_credentials (id, jsonb) VALUES ($1, $2)");
    transaction.execute(&insert, &[&id, &document]).await?;
    transaction.commit().await?;
    Ok(())
}
