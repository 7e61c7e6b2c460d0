//! This area's own statements: accounts and their credentials.

pub mod attempts;
pub mod credentials;
pub mod reset_actions;
pub mod rules;
pub mod sessions;

use octavo_library::UserId;
use octavo_postgres::Row;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::json;
use uuid::Uuid;

/// A user with credentials. It has no `Debug`: the hash belongs in no log.
pub struct Account {
    /// The user's id.
    pub user_id: UserId,
    /// The user's name as stored, empty when there is none.
    pub username: String,
    /// The hash of the password, when one was set.
    pub hash: Option<String>,
    /// The salt of FOLIO's hash; ours include their salt.
    pub salt: Option<String>,
    /// Whether the user is active.
    pub active: bool,
}

pub async fn account_by_id(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<Option<Account>, StoreError> {
    let sql = account_where(tenant, "u.id = $1::uuid");
    let rows = executor.rows(&sql, &[&user_id]).await?;
    Ok(rows.first().map(account))
}

/// The account of a user by name, folded as the name's unique index folds it.
pub async fn account_by_username(
    executor: &dyn Executor,
    tenant: &Tenant,
    username: Option<&str>,
) -> Result<Option<Account>, StoreError> {
    let by = "(lower(public.f_unaccent(u.jsonb->>'username'))) COLLATE \"C\" \
              = lower(public.f_unaccent($1::text))";
    let rows = executor
        .rows(&account_where(tenant, by), &[&username])
        .await?;
    Ok(rows.first().map(account))
}

fn account_where(tenant: &Tenant, condition: &str) -> String {
    let schema = tenant.schema();
    format!(
        "SELECT u.id, u.jsonb->>'username' AS username, c.jsonb->>'hash' AS hash,
           coalesce((u.jsonb->>'active')::boolean, true) AS active, c.jsonb->>'salt' AS salt
         FROM {schema}.users AS u LEFT JOIN {schema}.auth_credentials AS c
           ON (lower(c.jsonb->>'userId')) COLLATE \"C\" = u.id::text WHERE {condition}"
    )
}

fn account(row: &Row) -> Account {
    let username: Option<String> = row.get("username");
    Account {
        user_id: row.get("id"),
        username: username.unwrap_or_default(),
        hash: row.get("hash"),
        active: row.get("active"),
        salt: row.get("salt"),
    }
}

/// Removes a user's credentials.
pub async fn remove_credentials(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.auth_credentials WHERE (lower(jsonb->>'userId')) COLLATE \"C\" = $1",
        tenant.schema()
    );
    executor.rows(&sql, &[&user_id.to_string()]).await?;
    Ok(())
}

/// Adds a user's credentials.
///
/// # Errors
/// When the user has some already.
pub async fn add_credentials(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
    hash: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.auth_credentials (id, jsonb) VALUES ($1, $2)",
        tenant.schema()
    );
    let id = Uuid::new_v4();
    let document = json!({"id": id, "userId": user_id, "hash": hash});
    executor.rows(&sql, &[&id, &document]).await?;
    Ok(())
}

/// Replaces a hash by another of the same password, unless the password was changed concurrently.
pub async fn replace_hash(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
    old: &str,
    new: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.auth_credentials SET jsonb = (jsonb - 'salt') || jsonb_build_object('hash', $3::text)
         WHERE (lower(jsonb->>'userId')) COLLATE \"C\" = $1 AND jsonb->>'hash' = $2",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&user_id.to_string(), &old, &new])
        .await?;
    Ok(())
}
