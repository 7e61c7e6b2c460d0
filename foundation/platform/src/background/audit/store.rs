//! The audit log's statements.

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError, Row};
use octavo_records::{Tenant, instant};
use serde_json::{Value, json};
use uuid::Uuid;

use super::Event;

/// The most entries kept for a tenant; the oldest are deleted.
pub const KEPT_MAX: i64 = 1_000_000;
/// Lines are deleted in portions, so that no statement runs long.
const PORTION: i64 = 10_000;

/// An entry of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The position in the log; assigned by the database.
    pub position: Option<i64>,
    pub at: Timestamp,
    /// The name of the kind of event.
    pub kind: String,
    pub user_id: Option<Uuid>,
    pub address: Option<String>,
    pub route: Option<String>,
    pub target: Option<String>,
    pub detail: Option<String>,
    /// How many identical events within a moment it stands for.
    pub times: i32,
}

impl Entry {
    pub(super) fn of(event: &Event, at: Timestamp) -> Entry {
        Entry {
            position: None,
            at,
            kind: event.kind.word().to_owned(),
            user_id: event.user_id,
            address: event.address.map(|address| address.to_string()),
            route: event.route.clone(),
            target: event.target.clone(),
            detail: event.detail.clone(),
            times: 1,
        }
    }

    /// The form in responses and files; absent values are left out.
    #[must_use]
    pub fn json(&self) -> Value {
        let mut shown = json!({
            "at": instant::format(self.at), "kind": self.kind, "times": self.times,
        });
        let texts = [
            ("address", &self.address),
            ("route", &self.route),
            ("target", &self.target),
            ("detail", &self.detail),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                shown[name] = json!(text);
            }
        }
        if let Some(user_id) = self.user_id {
            shown["userId"] = json!(user_id);
        }
        if let Some(position) = self.position {
            shown["position"] = json!(position);
        }
        shown
    }
}

/// Which entries to list.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// Only before this position.
    pub before: Option<i64>,
    /// Only of this kind.
    pub kind: Option<String>,
    /// Only of this user.
    pub user_id: Option<Uuid>,
    /// Only from this instant on.
    pub from: Option<Timestamp>,
    /// Only before this instant.
    pub until: Option<Timestamp>,
    /// The most entries.
    pub limit: i64,
}

fn seconds(at: Timestamp) -> f64 {
    at.as_microsecond() as f64 / 1e6
}

/// Inserts entries.
///
/// # Errors
/// When the tenant has been deleted.
pub(super) async fn add(
    database: &Database,
    tenant: &Tenant,
    entries: &[&Entry],
) -> Result<(), DatabaseError> {
    let sql = format!(
        "INSERT INTO {}.octavo_audit (at, kind, user_id, address, route, target, detail, times) \
         SELECT to_timestamp(one.at), one.kind, one.user_id, one.address, one.route, one.target, \
           one.detail, one.times \
         FROM unnest($1::float8[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], \
           $7::text[], $8::int[]) \
           AS one(at, kind, user_id, address, route, target, detail, times)",
        tenant.schema()
    );
    fn all<T>(entries: &[&Entry], of: impl Fn(&Entry) -> T) -> Vec<T> {
        entries.iter().map(|entry| of(entry)).collect()
    }
    let at = all(entries, |entry| seconds(entry.at));
    let kinds = all(entries, |entry| entry.kind.clone());
    let users = all(entries, |entry| entry.user_id);
    let addresses = all(entries, |entry| entry.address.clone());
    let routes = all(entries, |entry| entry.route.clone());
    let targets = all(entries, |entry| entry.target.clone());
    let details = all(entries, |entry| entry.detail.clone());
    let times = all(entries, |entry| entry.times);
    let values: [&(dyn octavo_postgres::ToSql + Sync); 8] = [
        &at, &kinds, &users, &addresses, &routes, &targets, &details, &times,
    ];
    database.execute(&sql, &values).await?;
    Ok(())
}

/// Entries, newest first.
pub(crate) async fn list(
    database: &Database,
    tenant: &Tenant,
    wanted: &AuditFilter,
) -> Result<Vec<Entry>, DatabaseError> {
    let sql = format!(
        "SELECT position, (extract(epoch FROM at) * 1000000)::bigint AS at_us, kind, user_id, \
         address, \
           route, target, detail, times \
         FROM {}.octavo_audit \
         WHERE position < coalesce($1::bigint, 9223372036854775807) \
           AND ($2::text IS NULL OR kind = $2) \
           AND ($3::uuid IS NULL OR user_id = $3) \
           AND ($4::float8 IS NULL OR at >= to_timestamp($4)) \
           AND ($5::float8 IS NULL OR at < to_timestamp($5)) \
         ORDER BY position DESC LIMIT $6",
        tenant.schema()
    );
    let (from, until) = (wanted.from.map(seconds), wanted.until.map(seconds));
    let values: [&(dyn octavo_postgres::ToSql + Sync); 6] = [
        &wanted.before,
        &wanted.kind,
        &wanted.user_id,
        &from,
        &until,
        &wanted.limit,
    ];
    let rows = database.query(&sql, &values).await?;
    Ok(rows.iter().map(entry).collect())
}

fn entry(row: &Row) -> Entry {
    Entry {
        position: Some(row.get("position")),
        at: Timestamp::from_microsecond(row.get("at_us")).unwrap_or_default(),
        kind: row.get("kind"),
        user_id: row.get("user_id"),
        address: row.get("address"),
        route: row.get("route"),
        target: row.get("target"),
        detail: row.get("detail"),
        times: row.get("times"),
    }
}

/// Deletes entries older than so many days, and beyond [`KEPT_MAX`] the oldest. A tenant without
/// the table has nothing to delete.
#[boxed]
pub async fn retain(
    database: &Database,
    tenant: &Tenant,
    days: i32,
    kept_max: i64,
) -> Result<(), DatabaseError> {
    let schema = tenant.schema();
    let old = format!(
        "DELETE FROM {schema}.octavo_audit WHERE position IN (\
           SELECT position FROM {schema}.octavo_audit \
           WHERE at < now() - make_interval(days => $1) ORDER BY at LIMIT $2)"
    );
    let many = format!(
        "DELETE FROM {schema}.octavo_audit WHERE position IN (\
           SELECT position FROM {schema}.octavo_audit WHERE position <= (\
             SELECT position FROM {schema}.octavo_audit ORDER BY position DESC OFFSET $1 LIMIT 1) \
           ORDER BY position LIMIT $2)"
    );
    loop {
        let deleted = match database.execute(&old, &[&days, &PORTION]).await {
            Err(error) if error.is_undefined_table() => return Ok(()),
            deleted => deleted?,
        };
        if deleted < PORTION as u64 {
            break;
        }
    }
    while database.execute(&many, &[&kept_max, &PORTION]).await? == PORTION as u64 {}
    Ok(())
}
