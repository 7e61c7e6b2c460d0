//! Policies, rules and settings that a loan is made under.

use jiff::tz::TimeZone;
use octavo_configuration::app::locale::zone;
use octavo_configuration::store::tenant::locale_text;
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::{Tables, read};
use crate::loan_policy::{FixedDueDateSchedule, LoanPolicy};
use crate::rules::PolicyIds;

/// What holds for the whole tenant.
#[derive(Debug, Clone)]
pub struct TenantTerms {
    /// Changes whenever the rules change.
    pub rules_version: Option<String>,
    /// The tenant's time zone; UTC where none is set.
    pub zone: TimeZone,
}

/// Reads the version of the rules and the time zone.
///
/// # Errors
/// When the database does not answer.
pub async fn tenant_terms(
    executor: &impl Executor,
    tables: Tables<'_>,
) -> Result<TenantTerms, StoreError> {
    // A row's xmin and ctid change with every update: no clock and no counter is needed.
    let sql = format!(
        "SELECT (SELECT xmin::text || ctid::text FROM {} LIMIT 1),
           {}",
        tables.table("circulation_rules"),
        locale_text(tables.tenant, tables.catalog),
    );
    let rows = executor.rows(&sql, &[]).await?;
    let Some(row) = rows.first() else {
        return Ok(TenantTerms {
            rules_version: None,
            zone: TimeZone::UTC,
        });
    };
    let locale: Option<String> = row.get(1);
    Ok(TenantTerms {
        rules_version: row.get(0),
        zone: zone(locale.as_deref()),
    })
}

/// The id, version and text of the rules.
///
/// # Errors
/// When the database does not answer.
pub async fn rules_text(
    executor: &impl Executor,
    tables: Tables<'_>,
) -> Result<Option<(Uuid, String, String)>, StoreError> {
    let sql = format!(
        "SELECT id, xmin::text || ctid::text, jsonb->>'rulesAsText' FROM {} LIMIT 1",
        tables.table("circulation_rules")
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().map(|row| {
        let text: Option<String> = row.get(2);
        (row.get(0), row.get(1), text.unwrap_or_default())
    }))
}

/// The ids of all policies that rules may name.
///
/// # Errors
/// When the database does not answer.
pub async fn ids(executor: &impl Executor, tables: Tables<'_>) -> Result<PolicyIds, StoreError> {
    let sql = format!(
        "SELECT 'l', id FROM {} UNION ALL SELECT 'r', id FROM {} UNION ALL SELECT 'n', id FROM {}
         UNION ALL SELECT 'o', id FROM {} UNION ALL SELECT 'i', id FROM {}",
        tables.table("loan_policy"),
        tables.table("request_policy"),
        tables.table("patron_notice_policy"),
        tables.table("overdue_fine_policy"),
        tables.table("lost_item_fee_policy"),
    );
    let mut ids = PolicyIds::default();
    for row in executor.rows(&sql, &[]).await? {
        let kind: String = row.get(0);
        let set = match kind.as_str() {
            "l" => &mut ids.loan,
            "r" => &mut ids.request,
            "n" => &mut ids.notice,
            "o" => &mut ids.overdue_fine,
            _ => &mut ids.lost_item,
        };
        set.insert(row.get(1));
    }
    Ok(ids)
}

/// A loan policy and the fixed due date schedule that it names.
///
/// # Errors
/// When the database does not answer.
pub async fn loan_policy(
    executor: &impl Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<(LoanPolicy, Option<FixedDueDateSchedule>)>, StoreError> {
    let sql = format!(
        "SELECT policy.jsonb, schedule.jsonb FROM {} AS policy LEFT JOIN {} AS schedule
           ON schedule.id = (policy.jsonb->'loansPolicy'->>'fixedDueDateScheduleId')::uuid
         WHERE policy.id = $1",
        tables.table("loan_policy"),
        tables.table("fixed_due_date_schedule"),
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let schedule: Option<Value> = row.get(1);
    let schedule = schedule
        .map(|one| read("fixed due date schedule", one))
        .transpose()?;
    Ok(Some((read("loan policy", row.get(0))?, schedule)))
}
