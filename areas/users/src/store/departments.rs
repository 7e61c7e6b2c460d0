//! Departments with the number of users who belong to them.

use octavo_records::Tables;
use octavo_records::plan::{Plan, Sql};

/// A department as clients see it. Rows are `page(id, jsonb)`.
fn view(schema: &str) -> String {
    format!(
        "page.jsonb || jsonb_build_object('usageNumber', (SELECT count(*) \
         FROM {schema}.user_department WHERE department_id = page.id))"
    )
}

#[must_use]
pub fn page(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let schema = tables.tenant.schema();
    let view = view(schema);
    Sql::select("id, jsonb", schema, "departments", plan, limit, offset)
        .within(|page| format!("SELECT {view} AS jsonb FROM ({page}) AS page"))
}
