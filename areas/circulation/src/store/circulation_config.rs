//! Reads a tenant's circulation configuration.

use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::settings::settings;
use super::{Tables, read as read_as};
use crate::circulation_config::{CirculationConfig, Location};
use crate::notice::NoticePolicy;
use crate::overdue_fine::OverdueFinePolicy;
use crate::reminder::RemindersPolicy;

/// SQL for the version of a tenant's cached configuration, one value.
#[must_use]
pub fn version_sql(tables: Tables<'_>) -> String {
    format!(
        "(SELECT version FROM {})",
        tables.table("circulation_house_version")
    )
}

/// Reads a tenant's configuration. An unreadable record counts as absent: only operations that need it
/// are refused.
pub async fn read(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<CirculationConfig, StoreError> {
    let whole = |table: &str, kind: &str| {
        format!(
            "SELECT '{kind}' AS kind, id, jsonb AS value FROM {}",
            tables.table(table)
        )
    };
    let named = |table: &str| {
        format!(
            "SELECT 'name' AS kind, id, jsonb->'name' AS value FROM {}",
            tables.table(table)
        )
    };
    let coded = |table: &str| {
        format!(
            "SELECT 'code' AS kind, id, jsonb->'code' AS value FROM {}",
            tables.table(table)
        )
    };
    let mut parts = vec![
        whole("location", "location"),
        whole("service_point", "service point"),
        whole("groups", "group"),
        whole("loan_policy", "loan policy"),
        whole("request_policy", "request policy"),
        whole("fixed_due_date_schedule", "schedule"),
        whole("overdue_fine_policy", "overdue policy"),
        whole("patron_notice_policy", "notice policy"),
    ];
    parts.extend(
        [
            "loclibrary",
            "loccampus",
            "locinstitution",
            "material_type",
            "loan_type",
            "lost_item_fee_policy",
        ]
        .map(named),
    );
    parts.extend(["loclibrary", "loccampus", "locinstitution"].map(coded));
    parts.push(format!(
        "SELECT DISTINCT 'limited', (bound.jsonb->>'patronGroupId')::uuid, NULL::jsonb
         FROM {} AS bound JOIN {} AS condition ON condition.id = bound.conditionid
         WHERE condition.jsonb @? '$.* ? (@ == true)'",
        tables.table("patron_block_limits"),
        tables.table("patron_block_conditions"),
    ));
    let settings = settings(executor, tables).await?;
    let mut house = CirculationConfig {
        titles: settings.title_level_requests(),
        check_out_lock: settings.check_out_lock(),
        ..CirculationConfig::default()
    };
    for row in executor.rows(&parts.join(" UNION ALL "), &[]).await? {
        let (kind, id): (String, Option<Uuid>) = (row.get("kind"), row.get("id"));
        if let Some(id) = id {
            house.keep(&kind, id, row.get("value"));
        }
    }
    Ok(house)
}

impl CirculationConfig {
    fn keep(&mut self, kind: &str, id: Uuid, document: Option<Value>) {
        let document = document.unwrap_or_default();
        let text = |name: &str| document[name].as_str().map(str::to_owned);
        match kind {
            "location" => {
                let location = Location {
                    name: text("name"),
                    code: text("code"),
                    discovery_display_name: text("discoveryDisplayName"),
                    place: read_as("location", document).unwrap_or_default(),
                };
                self.locations.insert(id.into(), location);
            }
            "service point" => {
                self.service_points.insert(id.into(), document);
            }
            "group" => {
                self.groups.insert(id.into(), document);
            }
            "loan policy" => {
                if let Ok(policy) = read_as("loan policy", document) {
                    self.loan_policies.insert(id.into(), policy);
                }
            }
            "request policy" => {
                if let Ok(policy) = read_as("request policy", document) {
                    self.request_policies.insert(id.into(), policy);
                }
            }
            "schedule" => {
                if let Ok(schedule) = read_as("schedule", document) {
                    self.schedules.insert(id.into(), schedule);
                }
            }
            "overdue policy" => {
                let reminders = document["reminderFeesPolicy"].clone();
                let reminders = read_as::<RemindersPolicy>("reminders policy", reminders);
                if let Some(reminders) = reminders.ok().filter(RemindersPolicy::reminds) {
                    self.reminders.insert(id.into(), reminders);
                }
                let fines = read_as::<OverdueFinePolicy>("overdue fine policy", document.clone());
                if let Some(fines) = fines.ok().filter(OverdueFinePolicy::fines) {
                    self.fines.insert(id.into(), fines);
                }
                self.overdue_policies.insert(id.into(), document);
            }
            "notice policy" => {
                let policy = NoticePolicy::read(&document);
                if !policy.is_empty() {
                    self.notice_policies.insert(id.into(), policy);
                }
            }
            "code" => {
                if let Value::String(code) = document {
                    self.codes.insert(id, code);
                }
            }
            "limited" => {
                self.limited_groups.insert(id.into());
            }
            _ => {
                if let Value::String(name) = document {
                    self.names.insert(id, name);
                }
            }
        }
    }
}
