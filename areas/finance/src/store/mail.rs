//! What the mail about a rollover says.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;
use crate::rules::rollover::Rollover;

/// The recipient of the mail, and the rollover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addressed {
    pub address: String,
    pub first_name: String,
    pub year: String,
    pub ledger: String,
}

/// The address of a user and the names of what was rolled over; none without an address.
#[boxed]
pub async fn addressed(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user: Uuid,
    rollover: &Rollover,
) -> Result<Option<Addressed>, StoreError> {
    let sql = format!(
        "SELECT person.jsonb->'personal'->>'email' AS address, \
         coalesce(person.jsonb->'personal'->>'firstName', '') AS first_name, \
         year.jsonb->>'code' AS year, ledger.jsonb->>'name' AS ledger \
         FROM {} AS person, {} AS year, {} AS ledger \
         WHERE person.id = $1 AND year.id = $2 AND ledger.id = $3 \
         AND person.jsonb->'personal'->>'email' IS NOT NULL",
        tables.table("users"),
        tables.table("fiscal_year"),
        tables.table("ledger"),
    );
    let (year, ledger) = (rollover.from_fiscal_year_id, rollover.ledger_id);
    let rows = executor.rows(&sql, &[&user, &year, &ledger]).await?;
    Ok(rows.first().map(|row| Addressed {
        address: row.get("address"),
        first_name: row.get("first_name"),
        year: row.get("year"),
        ledger: row.get("ledger"),
    }))
}
