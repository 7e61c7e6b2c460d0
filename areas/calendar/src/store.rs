//! The statements of this area: calendars and their common version.

use octavo_records::{Executor, StoreError, Tables};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::collections::TABLE;
use crate::record::CalendarRecord;
use crate::rules::Overlap;

/// Overlaps that one refusal lists.
const OVERLAPS_MAX: i64 = 100;

/// A scalar subquery for the version of the tenant's calendars as text, which changes with every change
/// of them. Other areas include it in their statements, which saves a round trip.
#[must_use]
pub fn version_sql(tables: Tables<'_>) -> String {
    format!(
        "(SELECT version::text FROM {})",
        tables.table("calendar_version")
    )
}

/// All calendars of the tenant, and their version.
///
/// # Errors
/// When a stored calendar cannot be read.
pub async fn all(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<(Option<String>, Vec<CalendarRecord>), StoreError> {
    let sql = format!(
        "SELECT version::text, jsonb FROM {} LEFT JOIN {} ON true",
        tables.table("calendar_version"),
        tables.table(TABLE)
    );
    let rows = executor.rows(&sql, &[]).await?;
    let version = rows.first().map(|row| row.get("version"));
    let records = rows
        .iter()
        .filter_map(|row| row.get::<_, Option<Value>>("jsonb"));
    Ok((version, records.map(read).collect::<Result<_, _>>()?))
}

/// The calendars of a service point.
///
/// # Errors
/// When a stored calendar cannot be read.
pub async fn of_point(
    executor: &dyn Executor,
    tables: Tables<'_>,
    service_point: Uuid,
) -> Result<Vec<CalendarRecord>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE jsonb->'assignments' @> $1",
        tables.table(TABLE)
    );
    let wanted = json!([service_point]);
    let rows = executor.rows(&sql, &[&wanted]).await?;
    rows.iter().map(|row| read(row.get("jsonb"))).collect()
}

/// Locks the tenant's calendars against changes until the transaction ends.
pub async fn hold(executor: &dyn Executor, tables: Tables<'_>) -> Result<(), StoreError> {
    // Every change of a calendar updates this row: its lock is that of all calendars, also of those that
    // do not exist yet.
    let sql = format!(
        "SELECT version FROM {} FOR UPDATE",
        tables.table("calendar_version")
    );
    executor.rows(&sql, &[]).await?;
    Ok(())
}

/// The first calendars, other than one, that have a service point and a day in common with this
/// one.
///
/// # Errors
/// When a stored calendar cannot be read.
pub async fn overlapping(
    executor: &dyn Executor,
    tables: Tables<'_>,
    calendar: &CalendarRecord,
    other_than: Option<Uuid>,
) -> Result<Vec<Overlap>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} AS calendar
         WHERE jsonb->'assignments' @> ANY($1::jsonb[])
           AND jsonb->>'endDate' >= $2 AND jsonb->>'startDate' <= $3
           AND id IS DISTINCT FROM $4
         ORDER BY jsonb->>'startDate', id LIMIT {OVERLAPS_MAX}",
        tables.table(TABLE)
    );
    let points: Vec<Value> = calendar.assignments.iter().map(|id| json!([id])).collect();
    let (start, end) = (
        calendar.start_date.to_string(),
        calendar.end_date.to_string(),
    );
    let rows = executor
        .rows(&sql, &[&points, &start, &end, &other_than])
        .await?;
    rows.iter()
        .map(|row| {
            let other: CalendarRecord = read(row.get("jsonb"))?;
            Ok(Overlap {
                name: other.name,
                start: other.start_date,
                end: other.end_date,
                assignments: other.assignments,
            })
        })
        .collect()
}

/// How many calendars the tenant has, and whether one of this id is among them.
pub async fn count(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Option<Uuid>,
) -> Result<(usize, bool), StoreError> {
    let table = tables.table(TABLE);
    let sql = format!(
        "SELECT (SELECT count(*) FROM {table}) AS count, \
         EXISTS (SELECT 1 FROM {table} WHERE id = $1) AS found"
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map_or((0, false), |row| {
        (
            usize::try_from(row.get::<_, i64>("count")).unwrap_or(usize::MAX),
            row.get("found"),
        )
    }))
}

/// Deletes calendars; returns the ids of those that were there.
pub async fn delete(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "DELETE FROM {} WHERE id = ANY($1) RETURNING id",
        tables.table(TABLE)
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

fn read(document: Value) -> Result<CalendarRecord, StoreError> {
    Ok(serde_json::from_value(document)?)
}
