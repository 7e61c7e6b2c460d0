//! The settings of histories.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::rules::setting::{PAGE_SIZE, PAGE_SIZE_MAX};

const SHOWN: &str =
    "to_char(updated_date AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')";

/// The settings of a group, by key, as FOLIO shows them.
#[boxed]
pub async fn of_group(
    executor: &dyn Executor,
    tables: Tables<'_>,
    group: &str,
) -> Result<Vec<Value>, StoreError> {
    let sql = format!(
        "SELECT key, value, type, description, group_id, created_by::text AS created_by, \
           updated_by::text AS updated_by, {created} AS created, {SHOWN} AS updated \
         FROM {table} WHERE group_id = $1 ORDER BY key",
        created = SHOWN.replace("updated_date", "created_date"),
        table = tables.table("audit_setting")
    );
    let rows = executor.rows(&sql, &[&group]).await?;
    let settings = rows.iter().map(|row| {
        let text = |name: &str| row.get::<_, Option<String>>(name);
        let mut setting = json!({
            "key": text("key"), "value": row.get::<_, Value>("value"), "type": text("type"),
            "description": text("description"), "groupId": text("group_id"),
            "metadata": {"createdDate": text("created"), "createdByUserId": text("created_by"),
                         "updatedDate": text("updated"), "updatedByUserId": text("updated_by")}});
        for path in ["/metadata", ""] {
            let members = setting.pointer_mut(path).and_then(Value::as_object_mut);
            if let Some(members) = members {
                members.retain(|_, value| !value.is_null());
            }
        }
        setting
    });
    Ok(settings.collect())
}

/// The type of a setting; none where there is no such setting.
#[boxed]
pub async fn kind_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: &str,
) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "SELECT type FROM {} WHERE id = $1",
        tables.table("audit_setting")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("type")))
}

/// Sets a value and its description.
#[boxed]
pub async fn set(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: &str,
    (value, description): (&Value, Option<&str>),
    user: Option<Uuid>,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {} SET value = $2, description = $3, updated_by = $4, updated_date = now() WHERE id = $1",
        tables.table("audit_setting")
    );
    executor
        .rows(&sql, &[&id, value, &description, &user])
        .await?;
    Ok(())
}

/// Whether changes are kept that a group is about.
#[boxed]
pub async fn is_on(
    executor: &dyn Executor,
    tables: Tables<'_>,
    group: &str,
) -> Result<bool, StoreError> {
    Ok(value(executor, tables, group, "enabled").await? == Some(json!(true)))
}

/// How many entries a page has that a group is about.
#[boxed]
pub async fn page_size(
    executor: &dyn Executor,
    tables: Tables<'_>,
    group: &str,
) -> Result<i64, StoreError> {
    let size = value(executor, tables, group, "records.page.size").await?;
    let size = size.and_then(|size| size.as_i64()).filter(|size| *size > 0);
    Ok(size.unwrap_or(PAGE_SIZE).min(PAGE_SIZE_MAX))
}

/// For how many days entries are kept; none where they are kept for ever.
#[boxed]
pub async fn days(
    executor: &dyn Executor,
    tables: Tables<'_>,
    group: &str,
) -> Result<Option<i32>, StoreError> {
    let days = value(executor, tables, group, "records.retention.period").await?;
    let days = days.and_then(|days| i32::try_from(days.as_i64()?).ok());
    Ok(days.filter(|days| *days > 0))
}

async fn value(
    executor: &dyn Executor,
    tables: Tables<'_>,
    group: &str,
    key: &str,
) -> Result<Option<Value>, StoreError> {
    let sql = format!(
        "SELECT value FROM {} WHERE id = $1",
        tables.table("audit_setting")
    );
    let id = format!("{group}.{key}");
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("value")))
}
