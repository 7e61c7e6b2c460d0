//! Policies, rules and settings for a loan.

use jiff::tz::TimeZone;
use octavo_calendar::store::version_sql;
use octavo_configuration::app::locale::zone;
use octavo_configuration::store::tenant::locale_text;
use octavo_library::{ServicePointId, UserId};
use octavo_postgres::Row;
use octavo_records::expression::AMONG_IDS;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::{Tables, circulation_config};
use crate::check_out::OpenLoanCounts;
use crate::facts::Item;
use crate::rules::PolicyIds;

/// The tenant's terms: versions and time zone.
#[derive(Debug, Clone)]
pub struct TenantTerms {
    /// Changes whenever the rules change.
    pub rules_version: Option<String>,
    /// Changes whenever a calendar changes.
    pub calendars_version: Option<String>,
    /// Changes whenever places, groups or policies change.
    pub house_version: i64,
    /// The tenant's time zone; UTC by default.
    pub zone: TimeZone,
}

/// Reads the versions of rules and calendars, and the time zone.
pub async fn tenant_terms(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<TenantTerms, StoreError> {
    // A row's xmin and ctid change with every update, so no counter column is needed.
    let sql = format!(
        "SELECT (SELECT xmin::text || ctid::text FROM {} LIMIT 1) AS rules_version,
           {} AS calendars_version, {} AS house_version, {} AS locale",
        tables.table("circulation_rules"),
        version_sql(tables),
        circulation_config::version_sql(tables),
        locale_text(tables.tenant, tables.catalog),
    );
    let rows = executor.rows(&sql, &[]).await?;
    let row = rows
        .first()
        .ok_or_else(|| StoreError::fault("a SELECT without FROM gave no row"))?;
    Ok(TenantTerms::read(row))
}

impl TenantTerms {
    /// Reads them from a row of their own or of `desk_facts`.
    pub(super) fn read(row: &Row) -> TenantTerms {
        let locale: Option<String> = row.get("locale");
        TenantTerms {
            rules_version: row.get("rules_version"),
            calendars_version: row.get("calendars_version"),
            house_version: row.get::<_, Option<i64>>("house_version").unwrap_or(0),
            zone: zone(locale.as_deref()),
        }
    }
}

/// The id, version and text of the rules.
pub async fn rules_text(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<Option<(Uuid, String, String)>, StoreError> {
    let sql = format!(
        "SELECT id, xmin::text || ctid::text AS version, \
         jsonb->>'rulesAsText' AS text FROM {} LIMIT 1",
        tables.table("circulation_rules")
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().map(|row| {
        let text: Option<String> = row.get("text");
        (row.get("id"), row.get("version"), text.unwrap_or_default())
    }))
}

/// The ids of all policies that rules may name.
pub async fn ids(executor: &dyn Executor, tables: Tables<'_>) -> Result<PolicyIds, StoreError> {
    let sql = format!(
        "SELECT 'l' AS kind, id FROM {} UNION ALL SELECT 'r', id FROM {}
         UNION ALL SELECT 'n', id FROM {}
         UNION ALL SELECT 'o', id FROM {} UNION ALL SELECT 'i', id FROM {}",
        tables.table("loan_policy"),
        tables.table("request_policy"),
        tables.table("patron_notice_policy"),
        tables.table("overdue_fine_policy"),
        tables.table("lost_item_fee_policy"),
    );
    let mut ids = PolicyIds::default();
    for row in executor.rows(&sql, &[]).await? {
        let kind: String = row.get("kind");
        let set = match kind.as_str() {
            "l" => &mut ids.loan,
            "r" => &mut ids.request,
            "n" => &mut ids.notice,
            "o" => &mut ids.overdue_fine,
            _ => &mut ids.lost_item,
        };
        set.insert(row.get("id"));
    }
    Ok(ids)
}

/// How many open loans of items like this one a patron has; queried only if a policy limits them.
pub async fn open_loan_counts(
    executor: &dyn Executor,
    tables: Tables<'_>,
    patron_id: UserId,
    item: &Item,
) -> Result<OpenLoanCounts, StoreError> {
    let sql = format!(
        "SELECT count(*) FILTER (WHERE material) AS of_material_type,
           count(*) FILTER (WHERE loan_type) AS of_loan_type,
           count(*) FILTER (WHERE material AND loan_type) AS of_both
         FROM (SELECT item.jsonb->>'materialTypeId' = $2 AS material,
             coalesce(item.jsonb->>'temporaryLoanTypeId', item.jsonb->>'permanentLoanTypeId') = $3
               AS loan_type
           FROM (SELECT (jsonb->>'itemId')::uuid AS item_id FROM {} WHERE {}
             AND lower(public.f_unaccent(jsonb->'status'->>'name')) = 'open') AS loan
           JOIN {} AS item ON item.id = loan.item_id
           WHERE item.jsonb->'status'->>'name' <> 'Claimed returned') AS counted",
        tables.table("loan"),
        tables.equals("loan", "userId", "$1::text"),
        tables.table("item"),
    );
    let patron = patron_id.to_string();
    let material = item.material_type_id.map(|id| id.to_string());
    let loan_type = item.loan_type_id.map(|id| id.to_string());
    let rows = executor
        .rows(&sql, &[&patron, &material, &loan_type])
        .await?;
    let count = |column| {
        rows.first().map_or(0, |row| {
            u32::try_from(row.get::<_, i64>(column)).unwrap_or(u32::MAX)
        })
    };
    Ok(OpenLoanCounts {
        same_material_type: count("of_material_type"),
        same_loan_type: count("of_loan_type"),
        same_material_and_loan_type: count("of_both"),
    })
}

/// How many of these service points are pickup locations; locked until the transaction ends.
pub async fn hold_pickup_points(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[ServicePointId],
) -> Result<usize, StoreError> {
    let sql = format!(
        "SELECT jsonb->'pickupLocation' = 'true' AS is_pickup FROM {} WHERE id {AMONG_IDS} \
         ORDER BY id FOR SHARE",
        tables.table("service_point")
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    let there = rows
        .iter()
        .filter(|row| row.get::<_, Option<bool>>("is_pickup") == Some(true));
    Ok(there.count())
}

/// Whether the circulation rules name a policy; the rules are locked until the transaction ends.
pub async fn is_named_by_rules(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT strpos(jsonb->>'rulesAsText', $1) > 0 AS named FROM {} FOR SHARE",
        tables.table("circulation_rules")
    );
    let rows = executor.rows(&sql, &[&id.to_string()]).await?;
    Ok(rows
        .iter()
        .any(|row| row.get::<_, Option<bool>>("named") == Some(true)))
}
