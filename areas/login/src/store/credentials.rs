//! The statements on credentials and password history. One statement changes both, so that they always
//! agree.

use octavo_library::UserId;
use octavo_postgres::Row;
use octavo_records::expression::key;
use octavo_records::{Executor, Index, Stamp, StoreError, Tenant, instant};
use serde_json::json;
use uuid::Uuid;

use crate::password_collections::by_user;

/// A stored hash. It has no `Debug`: it belongs in no log.
#[derive(Clone)]
pub struct StoredHash {
    /// An argon2 PHC string, or FOLIO's hexadecimal digits.
    pub hash: String,
    /// FOLIO's salt.
    pub salt: Option<String>,
}

/// The indexed expression of the user in the credentials.
fn user_of_credentials() -> String {
    key(&Index::unique("userId").keep_accents())
}

/// The id of the user with a name, folded as the name's unique index folds it.
pub async fn user_id_by_name(
    executor: &dyn Executor,
    tenant: &Tenant,
    username: &str,
) -> Result<Option<UserId>, StoreError> {
    let sql = format!(
        "SELECT id FROM {}.users \
         WHERE {} = lower(public.f_unaccent($1::text))",
        tenant.schema(),
        key(&Index::unique("username")),
    );
    let rows = executor.rows(&sql, &[&username]).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

/// The hash of a user's password, when they have one.
pub async fn hash_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<Option<StoredHash>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'hash' AS hash, jsonb->>'salt' AS salt FROM {}.auth_credentials WHERE {} = \
         $1::text",
        tenant.schema(),
        user_of_credentials(),
    );
    let rows = executor.rows(&sql, &[&user_id.to_string()]).await?;
    Ok(rows.first().and_then(stored_hash))
}

fn stored_hash(row: &Row) -> Option<StoredHash> {
    Some(StoredHash {
        hash: row.get::<_, Option<String>>("hash")?,
        salt: row.get("salt"),
    })
}

/// Stores the credentials of a user who has none; returns whether it did.
pub async fn insert(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
    hash: &str,
    stamp: &Stamp,
) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO {}.auth_credentials (id, jsonb) VALUES ($1, $2) \
         ON CONFLICT DO NOTHING RETURNING id",
        tenant.schema()
    );
    let id = Uuid::new_v4();
    let document = json!({"id": id, "userId": user_id, "hash": hash, "metadata": stamp.created()});
    let rows = executor.rows(&sql, &[&id, &document]).await?;
    Ok(!rows.is_empty())
}

/// Removes a user's credentials; returns whether there were any.
pub async fn remove(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<bool, StoreError> {
    let sql = format!(
        "DELETE FROM {}.auth_credentials WHERE {} = $1::text RETURNING id",
        tenant.schema(),
        user_of_credentials(),
    );
    let rows = executor.rows(&sql, &[&user_id.to_string()]).await?;
    Ok(!rows.is_empty())
}

/// Replaces the expected hash, which is moved into the history; only the latest `kept` entries remain
/// there. Returns whether the expected hash was found: of two concurrent changes the second does not
/// find it and changes nothing.
pub async fn exchange(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
    hashes: (&StoredHash, &str),
    kept: i64,
    stamp: &Stamp,
) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let (expected, new) = hashes;
    let sql = format!(
        "WITH replaced AS (
           UPDATE {schema}.auth_credentials SET jsonb = jsonb - 'salt' || jsonb_build_object(
             'hash', $3::text, 'metadata', coalesce(jsonb->'metadata', '{{}}') || $4::jsonb)
           WHERE {credentials} = $1::text AND jsonb->>'hash' = $2 RETURNING id
         ), added AS (
           INSERT INTO {schema}.auth_credentials_history (id, jsonb)
           SELECT $5::uuid, jsonb_build_object('id', $5::uuid, 'userId', $1::text,
             'hash', $2::text, 'date', $6::text)
             || jsonb_strip_nulls(jsonb_build_object('salt', $8::text)) FROM replaced
         ), trimmed AS (
           DELETE FROM {schema}.auth_credentials_history WHERE id IN (
             SELECT id FROM {schema}.auth_credentials_history
             WHERE {history} = $1::text AND EXISTS (SELECT FROM replaced)
             ORDER BY jsonb->>'date' DESC, id OFFSET greatest($7::bigint - 1, 0))
         )
         SELECT id FROM replaced",
        credentials = user_of_credentials(),
        history = key(&by_user()),
    );
    let (at, updated, id) = (instant::format(stamp.at), stamp.updated(), Uuid::new_v4());
    let user = user_id.to_string();
    let rows = executor
        .rows(
            &sql,
            &[
                &user,
                &expected.hash,
                &new,
                &updated,
                &id,
                &at,
                &kept,
                &expected.salt,
            ],
        )
        .await?;
    Ok(!rows.is_empty())
}

/// The hashes of a user's earlier passwords, latest first.
pub async fn earlier_hashes(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
    limit: i64,
) -> Result<Vec<StoredHash>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'hash' AS hash, jsonb->>'salt' AS salt FROM {}.auth_credentials_history \
         WHERE {} = $1::text ORDER BY jsonb->>'date' DESC, id LIMIT $2",
        tenant.schema(),
        key(&by_user()),
    );
    let rows = executor.rows(&sql, &[&user_id.to_string(), &limit]).await?;
    Ok(rows.iter().filter_map(stored_hash).collect())
}

/// Removes a user's credentials, password history, failed log-ins and reset actions.
pub async fn forget(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<(), StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH current AS (DELETE FROM {schema}.auth_credentials WHERE {credentials} = $1::text),
           attempts AS (DELETE FROM {schema}.auth_attempts WHERE {credentials} = $1::text),
           earlier AS (DELETE FROM {schema}.auth_credentials_history WHERE {by_user} = $1::text)
         DELETE FROM {schema}.auth_password_action WHERE {by_user} = $1::text",
        credentials = user_of_credentials(),
        by_user = key(&by_user()),
    );
    executor.rows(&sql, &[&user_id.to_string()]).await?;
    Ok(())
}

/// The tenant's setting of the length of the password history, as text.
pub async fn history_setting(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'value' AS value FROM {}.config_data \
         WHERE {} = 'password.history.number' AND coalesce((jsonb->>'enabled')::boolean, true) \
         ORDER BY id LIMIT 1",
        tenant.schema(),
        key(&Index::like("configName").keep_accents()),
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().and_then(|row| row.get("value")))
}

/// Locks this user's password against concurrent changes until the transaction ends.
pub async fn hold(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<(), StoreError> {
    // An advisory lock, since the user may have no password record yet.
    let sql = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))";
    let name = format!("{}.auth_credentials {user_id}", tenant.schema());
    executor.rows(sql, &[&name]).await?;
    Ok(())
}
