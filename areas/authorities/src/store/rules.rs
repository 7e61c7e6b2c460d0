//! The linking rules.

use octavo_postgres::Row;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;

use crate::rules::linking::Rule;

const COLUMNS: &str = "id, bib_field, authority_field, authority_subfields, subfield_modifications, \
                       subfields_existence, auto_linking";

/// All rules, in the order of their numbers.
pub async fn all(executor: &dyn Executor, tenant: &Tenant) -> Result<Vec<Rule>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {}.instance_authority_linking_rule ORDER BY id",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.iter().map(rule).collect())
}

/// The rule of a number.
pub async fn one(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: i32,
) -> Result<Option<Rule>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {}.instance_authority_linking_rule WHERE id = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(rule))
}

/// Changes whether a rule is for suggestions, and its subfields; omitted values stay.
pub async fn change(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: i32,
    auto_linking: Option<bool>,
    subfields: Option<&str>,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.instance_authority_linking_rule SET auto_linking = coalesce($2, auto_linking), \
         authority_subfields = coalesce($3, authority_subfields) WHERE id = $1",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&id, &auto_linking, &subfields])
        .await?;
    Ok(())
}

fn rule(row: &Row) -> Rule {
    let modifications: Value = row.get("subfield_modifications");
    let existence: Value = row.get("subfields_existence");
    let first = |value: &Value| value.as_str().and_then(|text| text.chars().next());
    Rule {
        id: row.get("id"),
        bib_field: row.get("bib_field"),
        authority_field: row.get("authority_field"),
        subfields: row
            .get::<_, String>("authority_subfields")
            .chars()
            .collect(),
        modifications: modifications
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|one| Some((first(&one["source"])?, first(&one["target"])?)))
            .collect(),
        existence: existence
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(code, wanted)| Some((code.chars().next()?, wanted.as_bool()?)))
            .collect(),
        auto_linking: row.get("auto_linking"),
    }
}
