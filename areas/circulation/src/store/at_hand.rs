//! What the acts on an open loan read that nothing else does.

use futures_util::try_join;
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::item::{HeldItem, ItemKey, hold};
use super::loan::HeldLoan;
use super::{Tables, patron, read};
use crate::facts::Patron;
use crate::renewal::RenewalTerms;

/// An item, its open loan and the loan's borrower, as far as they are there.
#[derive(Debug, Clone)]
pub struct OpenLoanAtHand {
    /// The item.
    pub item: Option<HeldItem>,
    /// Its open loan.
    pub loan: Option<HeldLoan>,
    /// The loan's borrower.
    pub patron: Option<Patron>,
}

/// The item with a barcode or id with its open loan and the borrower; item and loan are held, the
/// item first. One round trip.
///
/// # Errors
/// When the database does not answer.
pub async fn open_at_hand(
    executor: &impl Executor,
    tables: Tables<'_>,
    key: ItemKey<'_>,
) -> Result<OpenLoanAtHand, StoreError> {
    let (item, loan, patron) = try_join!(
        hold(executor, tables, key),
        open_loan(executor, tables, key),
        borrower(executor, tables, key),
    )?;
    Ok(OpenLoanAtHand { item, loan, patron })
}

/// The open loan of the item, as a condition on `loan`; `$1` is the key. That the loan is open is part
/// of the unique index.
fn open_loan_of(tables: Tables<'_>, key: ItemKey<'_>) -> String {
    let item = match key {
        ItemKey::Barcode(_) => format!(
            "(SELECT id::text FROM {} WHERE {})",
            tables.table("item"),
            tables.equals("item", "barcode", "$1::text")
        ),
        ItemKey::Id(_) => "$1::uuid::text".to_owned(),
        ItemKey::OfLoan(_) => format!(
            "(SELECT jsonb->>'itemId' FROM {} WHERE id = $1)",
            tables.table("loan")
        ),
    };
    tables.equals("loan", "itemId", &item)
}

async fn open_loan(
    executor: &impl Executor,
    tables: Tables<'_>,
    key: ItemKey<'_>,
) -> Result<Option<HeldLoan>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {} FOR NO KEY UPDATE",
        tables.table("loan"),
        open_loan_of(tables, key)
    );
    let rows = with_key(executor, &sql, key).await?;
    rows.first()
        .map(|row| HeldLoan::read(row.get(0)))
        .transpose()
}

async fn borrower(
    executor: &impl Executor,
    tables: Tables<'_>,
    key: ItemKey<'_>,
) -> Result<Option<Patron>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id = (SELECT (jsonb->>'userId')::uuid FROM {} WHERE {} LIMIT 1)",
        tables.table("users"),
        tables.table("loan"),
        open_loan_of(tables, key)
    );
    let rows = with_key(executor, &sql, key).await?;
    rows.first().map(|row| read("user", row.get(0))).transpose()
}

async fn with_key(
    executor: &impl Executor,
    sql: &str,
    key: ItemKey<'_>,
) -> Result<Vec<octavo_postgres::Row>, StoreError> {
    Ok(match key {
        ItemKey::Barcode(barcode) => executor.rows(sql, &[&barcode]).await?,
        ItemKey::Id(id) | ItemKey::OfLoan(id) => executor.rows(sql, &[&id]).await?,
    })
}

/// A user, whose record cannot be deleted until the transaction ends.
///
/// # Errors
/// When the database does not answer.
pub async fn user(
    executor: &impl Executor,
    tables: Tables<'_>,
    id: Option<Uuid>,
) -> Result<Option<Patron>, StoreError> {
    let Some(id) = id else { return Ok(None) };
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id = $1 FOR KEY SHARE",
        tables.table("users")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    rows.first().map(|row| read("user", row.get(0))).transpose()
}

/// Whether a proxy acts for a user now.
///
/// # Errors
/// When the database does not answer.
pub async fn acts_for(
    executor: &impl Executor,
    tables: Tables<'_>,
    user_id: Option<Uuid>,
    proxy_id: Option<Uuid>,
    now: jiff::Timestamp,
) -> Result<bool, StoreError> {
    let Some(user_id) = user_id else {
        return Ok(false);
    };
    let relations = patron::proxy_relationships(executor, tables, user_id, proxy_id).await?;
    Ok(relations.iter().any(|relation| relation.is_active(now)))
}

/// Those of the service points that exist.
///
/// # Errors
/// When the database does not answer.
pub async fn service_points(
    executor: &impl Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<Vec<Uuid>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT id FROM {} WHERE id = ANY($1)",
        tables.table("service_point")
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// A loan policy with the schedules of its loans and of its renewals.
///
/// # Errors
/// When the database does not answer.
pub async fn renewal_terms(
    executor: &impl Executor,
    tables: Tables<'_>,
    policy_id: Uuid,
) -> Result<Option<RenewalTerms>, StoreError> {
    let schedules = tables.table("fixed_due_date_schedule");
    let sql = format!(
        "SELECT policy.jsonb, schedule.jsonb, alternate.jsonb FROM {} AS policy
         LEFT JOIN {schedules} AS schedule
           ON schedule.id = (policy.jsonb->'loansPolicy'->>'fixedDueDateScheduleId')::uuid
         LEFT JOIN {schedules} AS alternate ON alternate.id =
           (policy.jsonb->'renewalsPolicy'->>'alternateFixedDueDateScheduleId')::uuid
         WHERE policy.id = $1",
        tables.table("loan_policy"),
    );
    let rows = executor.rows(&sql, &[&policy_id]).await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let schedule = |at: usize| {
        row.get::<_, Option<Value>>(at)
            .map(|one| read("fixed due date schedule", one))
            .transpose()
    };
    Ok(Some(RenewalTerms {
        policy: read("loan policy", row.get(0))?,
        schedule: schedule(1)?,
        alternate_schedule: schedule(2)?,
    }))
}

/// Whether an overdue fine policy lets loans be renewed for which a reminder fee was billed.
///
/// # Errors
/// When the database does not answer.
pub async fn renews_with_reminders(
    executor: &impl Executor,
    tables: Tables<'_>,
    policy_id: Option<Uuid>,
) -> Result<bool, StoreError> {
    let Some(id) = policy_id else {
        return Ok(false);
    };
    let sql = format!(
        "SELECT jsonb->'reminderFeesPolicy'->>'allowRenewalOfItemsWithReminderFees' = 'true'
         FROM {} WHERE id = $1",
        tables.table("overdue_fine_policy")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    let allowed: Option<bool> = rows.first().and_then(|row| row.get(0));
    Ok(allowed.unwrap_or(false))
}

/// How the item of a loan is kept for the one who uses it in the library: how long its loan policy
/// says, and what the service point of the check-out does about closed days.
///
/// # Errors
/// When the database does not answer.
pub async fn keeping(
    executor: &impl Executor,
    tables: Tables<'_>,
    policy_id: Option<Uuid>,
    service_point_id: Option<Uuid>,
) -> Result<crate::due_date::HoldShelf, StoreError> {
    let sql = format!(
        "SELECT (SELECT CASE WHEN (jsonb->'loansPolicy'->>'forUseAtLocation')::boolean
             THEN jsonb->'loansPolicy'->'holdShelfExpiryPeriodForUseAtLocation' END
           FROM {} WHERE id = $1),
         (SELECT jsonb->>'holdShelfClosedLibraryDateManagement' FROM {} WHERE id = $2)",
        tables.table("loan_policy"),
        tables.table("service_point"),
    );
    let rows = executor
        .rows(&sql, &[&policy_id, &service_point_id])
        .await?;
    let Some(row) = rows.first() else {
        return Ok(crate::due_date::HoldShelf::default());
    };
    let period: Option<Value> = row.get(0);
    Ok(crate::due_date::HoldShelf {
        hold_shelf_expiry_period: period
            .filter(|period| !period.is_null())
            .map(|period| read("period", period))
            .transpose()?,
        hold_shelf_closed_library_date_management: row.get(1),
    })
}
