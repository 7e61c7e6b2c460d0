//! Sessions: begun at log-in, continued by refresh tokens, ended by log-out. No table holds a token,
//! only hashes of refresh tokens.

use jiff::Timestamp;
use octavo_library::{SessionId, UserId};
use octavo_platform::identity::{REVOKED_LISTED_MAX, Revoked, RevokedSessions};
use octavo_postgres::DatabaseError;
use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

/// Revoked tokens without expiration are stored one by one, at most this many for each user.
pub const LEGACY_REVOKED_MAX: i64 = 1_000;

/// A session as stored by a log-in or a refresh.
pub struct Session {
    pub id: SessionId,
    pub user_id: UserId,
    /// The hash of the current refresh token.
    pub refresh_hash: Vec<u8>,
    /// When that ends.
    pub refresh_ends: Timestamp,
    /// When its access token ends.
    pub access_ends: Timestamp,
}

/// The revocations of a user.
pub async fn revoked(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<Revoked, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT coalesce(g.generation, 0) AS generation, g.spared, array(SELECT session_id
           FROM {schema}.auth_revoked WHERE user_id = $1 AND ends_at > now() LIMIT $2) AS sessions
         FROM (SELECT 1) AS one LEFT JOIN {schema}.auth_generations AS g ON g.user_id = $1"
    );
    let limit = i64::try_from(REVOKED_LISTED_MAX + 1).unwrap_or(i64::MAX);
    let rows = executor.rows(&sql, &[&user_id, &limit]).await?;
    let Some(row) = rows.first() else {
        return Ok(Revoked::default());
    };
    let sessions: Vec<Uuid> = row.get("sessions");
    Ok(Revoked {
        generation: row.get("generation"),
        spared: row.get("spared"),
        sessions: if sessions.len() > REVOKED_LISTED_MAX {
            RevokedSessions::Many
        } else {
            RevokedSessions::These(sessions)
        },
    })
}

/// Whether one session was ended.
pub async fn is_revoked(
    executor: &dyn Executor,
    tenant: &Tenant,
    session: SessionId,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT 1 FROM {}.auth_revoked WHERE session_id = $1",
        tenant.schema()
    );
    Ok(!executor.rows(&sql, &[&session]).await?.is_empty())
}

/// Begins a session; returns the user's token generation, or `None` when the user is inactive.
pub async fn begin(
    executor: &dyn Executor,
    tenant: &Tenant,
    session: &Session,
) -> Result<Option<i64>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH active AS (SELECT id FROM {schema}.users
           WHERE id = $1 AND coalesce((jsonb->>'active')::boolean, true)),
         begun AS (INSERT INTO {schema}.auth_sessions
             (id, user_id, refresh_hash, refresh_ends, access_ends)
           SELECT $2::uuid, id, $3::bytea, $4::timestamptz, $5::timestamptz FROM active)
         SELECT coalesce(g.generation, 0) AS generation
         FROM active LEFT JOIN {schema}.auth_generations AS g ON g.user_id = active.id"
    );
    let rows = executor
        .rows(
            &sql,
            &[
                &session.user_id,
                &session.id,
                &session.refresh_hash,
                &session.refresh_ends,
                &session.access_ends,
            ],
        )
        .await?;
    Ok(rows.first().map(|row| row.get("generation")))
}

/// The token generation of an active user, for a token without a stored session.
pub async fn generation(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<Option<i64>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT coalesce(g.generation, 0) AS generation FROM {schema}.users AS u
         LEFT JOIN {schema}.auth_generations AS g ON g.user_id = u.id
         WHERE u.id = $1 AND coalesce((u.jsonb->>'active')::boolean, true)"
    );
    let rows = executor.rows(&sql, &[&user_id]).await?;
    Ok(rows.first().map(|row| row.get("generation")))
}

/// The result of using a refresh token.
pub enum Carried {
    /// The session continues; the user's token generation and username.
    On(i64, String),
    /// The session exists, but the token was used before.
    Spent,
    /// There is no such session any more.
    Gone,
}

/// Replaces a session's refresh token; of several concurrent uses only the first succeeds.
pub async fn carry_on(
    executor: &dyn Executor,
    tenant: &Tenant,
    session: &Session,
    used_hash: &[u8],
    generation: i64,
) -> Result<Carried, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH carried AS (UPDATE {schema}.auth_sessions AS s
           SET refresh_hash = $4, refresh_ends = $5, access_ends = greatest(s.access_ends, $6)
           FROM {schema}.users AS u LEFT JOIN {schema}.auth_generations AS g ON g.user_id = u.id
           WHERE s.id = $1 AND s.user_id = $2 AND s.refresh_hash = $3 AND s.refresh_ends > now()
             AND u.id = s.user_id AND coalesce((u.jsonb->>'active')::boolean, true)
             AND (coalesce(g.generation, 0) <= $7 OR g.spared = $1)
           RETURNING coalesce(g.generation, 0) AS generation, u.jsonb->>'username' AS username)
         SELECT carried.generation, carried.username
         FROM {schema}.auth_sessions AS s LEFT JOIN carried ON true
         WHERE s.id = $1 AND s.user_id = $2"
    );
    let rows = executor
        .rows(
            &sql,
            &[
                &session.id,
                &session.user_id,
                &used_hash,
                &session.refresh_hash,
                &session.refresh_ends,
                &session.access_ends,
                &generation,
            ],
        )
        .await?;
    let Some(row) = rows.first() else {
        return Ok(Carried::Gone);
    };
    let username: Option<String> = row.get("username");
    Ok(match row.get::<_, Option<i64>>("generation") {
        Some(generation) => Carried::On(generation, username.unwrap_or_default()),
        None => Carried::Spent,
    })
}

/// Ends one session; the revocation is stored until its access tokens have expired.
pub async fn end(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
    session: SessionId,
    access_ends: Timestamp,
) -> Result<(), StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH ended AS (DELETE FROM {schema}.auth_sessions WHERE id = $1 AND user_id = $2
           RETURNING access_ends)
         INSERT INTO {schema}.auth_revoked (session_id, user_id, ends_at)
         SELECT $1, $2, greatest($3::timestamptz, (SELECT access_ends FROM ended))
         ON CONFLICT (session_id) DO NOTHING"
    );
    executor
        .rows(&sql, &[&session, &user_id, &access_ends])
        .await?;
    Ok(())
}

/// Revokes a token without expiration, unless the user has revoked [`LEGACY_REVOKED_MAX`] of them;
/// returns whether it did.
pub async fn end_endless(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
    session: SessionId,
) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "INSERT INTO {schema}.auth_revoked (session_id, user_id, ends_at)
         SELECT $1, $2, 'infinity' WHERE (SELECT count(*) FROM (SELECT 1
             FROM {schema}.auth_revoked WHERE user_id = $2 AND ends_at = 'infinity' LIMIT $3)
           AS ended) < $3
         ON CONFLICT (session_id) DO UPDATE SET ends_at = 'infinity' RETURNING 1"
    );
    let values: octavo_records::Values<'_> = &[&session, &user_id, &LEGACY_REVOKED_MAX];
    Ok(!executor.rows(&sql, values).await?.is_empty())
}

/// Ends all sessions of a user that have a refresh token.
pub async fn end_refreshable(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<(), StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH ended AS (DELETE FROM {schema}.auth_sessions WHERE user_id = $1
           RETURNING id, access_ends)
         INSERT INTO {schema}.auth_revoked (session_id, user_id, ends_at)
         SELECT id, $1, access_ends FROM ended WHERE access_ends > now()
         ON CONFLICT (session_id) DO NOTHING"
    );
    executor.rows(&sql, &[&user_id]).await?;
    Ok(())
}

/// Ends all sessions of a user, also those without a refresh token, except one to keep.
pub async fn end_all(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
    spared: Option<SessionId>,
) -> Result<(), StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH ended AS (DELETE FROM {schema}.auth_sessions
           WHERE user_id = $1 AND id IS DISTINCT FROM $2),
         covered AS (DELETE FROM {schema}.auth_revoked
           WHERE user_id = $1 AND session_id IS DISTINCT FROM $2)
         INSERT INTO {schema}.auth_generations AS g (user_id, generation, spared)
         VALUES ($1, 1, $2)
         ON CONFLICT (user_id) DO UPDATE SET generation = g.generation + 1, spared = $2"
    );
    executor.rows(&sql, &[&user_id, &spared]).await?;
    Ok(())
}

/// Removes sessions and revocations whose tokens have expired, a limited number at a time; returns how
/// many.
pub async fn remove_ended(
    executor: &dyn Executor,
    tenant: &Tenant,
    portion: i64,
) -> Result<i64, DatabaseError> {
    let schema = tenant.schema();
    // `SKIP LOCKED`: concurrent clean-ups do not wait for each other.
    let sql = format!(
        "WITH sessions AS (DELETE FROM {schema}.auth_sessions WHERE id IN (
             SELECT id FROM {schema}.auth_sessions WHERE refresh_ends <= now()
             ORDER BY refresh_ends LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING 1),
         revoked AS (DELETE FROM {schema}.auth_revoked WHERE session_id IN (
             SELECT session_id FROM {schema}.auth_revoked WHERE ends_at <= now()
             ORDER BY ends_at LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING 1)
         SELECT greatest((SELECT count(*) FROM sessions), (SELECT count(*) FROM revoked)) AS most"
    );
    let rows = executor.rows(&sql, &[&portion]).await?;
    Ok(rows.first().map_or(0, |row| row.get("most")))
}
