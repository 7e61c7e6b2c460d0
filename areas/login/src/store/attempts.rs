//! Failed log-ins, counted by user.

use octavo_library::UserId;
use octavo_postgres::RawJson;
use octavo_records::expression::AMONG_TEXTS;
use octavo_records::{Executor, Stamp, StoreError, Tenant, instant};
use serde_json::json;
use uuid::Uuid;

use crate::lock_rules::LockRules;

/// The expression of the unique index on `auth_attempts`.
const BY_USER: &str = "(lower(jsonb->>'userId')) COLLATE \"C\"";

/// The limits on failed log-ins among a tenant's configuration entries: code and value. The last entry
/// of a code wins, and enabled ones are last.
pub async fn limits(
    executor: &dyn Executor,
    tenant: &Tenant,
    codes: &[&str],
) -> Result<Vec<(String, String)>, StoreError> {
    let folded: Vec<String> = codes.iter().map(|code| code.to_lowercase()).collect();
    let sql = format!(
        "SELECT jsonb->>'code' AS code, jsonb->>'value' AS value FROM {}.config_data
         WHERE left(lower(jsonb->>'code'), 600) COLLATE \"C\" {AMONG_TEXTS} AND jsonb->>'value' IS NOT NULL
         ORDER BY (jsonb->>'enabled')::boolean NULLS FIRST, id DESC LIMIT 100",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&folded]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("code"), row.get("value")))
        .collect())
}

/// Sets whether the commit waits for the disk. Counting a failure does not wait: the response time would
/// reveal whether there was something to count. Making a user inactive does.
pub async fn wait_for_disk(executor: &dyn Executor, wait: bool) -> Result<(), StoreError> {
    let sql = if wait {
        "SET LOCAL synchronous_commit TO on"
    } else {
        "SET LOCAL synchronous_commit TO off"
    };
    executor.rows(sql, &[]).await?;
    Ok(())
}

/// Counts a failed log-in and returns the new count; `None` when the user is locked out, which is not
/// counted. The count starts again after a pause and after a lock has ended. The record is locked until
/// the transaction ends.
pub async fn count_failure(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
    rules: &LockRules,
) -> Result<Option<i64>, StoreError> {
    let (count, last) = (
        "(known.jsonb->>'attemptCount')::bigint",
        "(known.jsonb->>'lastAttempt')::timestamptz",
    );
    // With locking enabled: whether the limit is reached.
    let many = format!("$4 AND {count} >= $5::bigint");
    // One upsert, so that concurrent failures of a user are all counted.
    let sql = format!(
        "INSERT INTO {}.auth_attempts AS known (id, jsonb) VALUES ($1, $2)
         ON CONFLICT ({BY_USER}) DO UPDATE SET jsonb = CASE
           WHEN {many} AND {last} > now() - make_interval(mins => $6::bigint::int) THEN known.jsonb
           ELSE known.jsonb || jsonb_build_object(
             'lastAttempt', excluded.jsonb->'lastAttempt',
             'attemptCount', CASE
               WHEN {many} OR {last} < now() - make_interval(mins => $3::bigint::int) THEN 1
               ELSE {count} + 1 END) END
         RETURNING CASE WHEN jsonb->'lastAttempt' = $2::jsonb->'lastAttempt'
           THEN (jsonb->>'attemptCount')::bigint END AS count",
        tenant.schema()
    );
    let (id, document) = attempt(user_id, 1);
    let minutes = |of: i64| of.clamp(0, i64::from(i32::MAX));
    let locks = rules.lock_minutes > 0 && rules.limits.attempts > 0;
    let rows = executor
        .rows(
            &sql,
            &[
                &id,
                &RawJson(&document),
                &minutes(rules.limits.timeout_minutes),
                &locks,
                &rules.limits.attempts,
                &minutes(rules.lock_minutes),
            ],
        )
        .await?;
    Ok(rows.first().and_then(|row| row.get("count")))
}

/// The number of a user's failed log-ins, and the seconds since the last one.
pub async fn failures(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<Option<(i64, f64)>, StoreError> {
    let sql = format!(
        "SELECT (jsonb->>'attemptCount')::bigint AS count,
           extract(epoch FROM now() - (jsonb->>'lastAttempt')::timestamptz)::float8 AS seconds
         FROM {}.auth_attempts WHERE {BY_USER} = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&user_id.to_string()]).await?;
    Ok(rows.first().and_then(|row| {
        let count: Option<i64> = row.get("count");
        let seconds: Option<f64> = row.get("seconds");
        Some((count?, seconds?))
    }))
}

/// Resets a user's failed log-ins. A log-in within a minute of the last one is not recorded: clients
/// that share a user would wait for each other's row lock.
pub async fn forget(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.auth_attempts AS known (id, jsonb) VALUES ($1, $2)
         ON CONFLICT ({BY_USER}) DO UPDATE SET jsonb = known.jsonb || jsonb_build_object(
           'lastAttempt', excluded.jsonb->'lastAttempt', 'attemptCount', 0)
         WHERE (known.jsonb->>'attemptCount')::bigint <> 0
           OR (known.jsonb->>'lastAttempt')::timestamptz < now() - interval '1 minute'",
        tenant.schema()
    );
    let (id, document) = attempt(user_id, 0);
    executor.rows(&sql, &[&id, &RawJson(&document)]).await?;
    Ok(())
}

/// The record of a user's failed log-ins.
pub async fn of_user(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: &str,
) -> Result<Option<serde_json::Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {}.auth_attempts WHERE {BY_USER} = lower($1::text)",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&user_id]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}

fn attempt(user_id: UserId, count: i64) -> (Uuid, Vec<u8>) {
    let id = Uuid::new_v4();
    let at = instant::format(Stamp::now(None).at);
    let document = json!({"id": id, "userId": user_id, "lastAttempt": at, "attemptCount": count});
    (id, document.to_string().into_bytes())
}
