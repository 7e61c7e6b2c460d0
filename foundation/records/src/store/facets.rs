//! The most frequent values of properties among a search's results, counted as FOLIO does: over the
//! first ten thousand records that the database reads.

use serde_json::{Value, json};

use super::Store;
use crate::collection::Collection;
use crate::error::StoreError;
use crate::facet::Facet;
use crate::plan::{Parameter, Plan, Sql};
use crate::tenant::Tenant;

/// The most records that are counted.
const RECORDS_MAX: i64 = 10_000;

/// The JSON in a page without facets.
pub(super) const NO_FACETS: &str = "[]";

impl Store {
    /// The facets of a search as JSON.
    pub(super) async fn facets(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        plan: &Plan,
        facets: &[Facet],
    ) -> Result<String, StoreError> {
        if facets.is_empty() {
            return Ok(NO_FACETS.to_owned());
        }
        let sql = statement(tenant.schema(), &collection.table, plan, facets);
        let rows = self.run(&plan.predicate, &sql).await?;
        let mut values: Vec<Vec<Value>> = vec![Vec::new(); facets.len()];
        for row in rows {
            let at = usize::try_from(row.get::<_, i32>("facet")).unwrap_or_default();
            if let Some(values) = values.get_mut(at) {
                let (value, count): (Value, i64) = (row.get("value"), row.get("count"));
                values.push(json!({"count": count, "value": value}));
            }
        }
        // FOLIO leaves out a facet without values.
        let counts: Vec<Value> = std::iter::zip(facets, values)
            .filter(|(_, values)| !values.is_empty())
            .map(|(facet, values)| json!({"facetValues": values, "type": facet.name()}))
            .collect();
        Ok(Value::Array(counts).to_string())
    }
}

/// Rows of facet, value and count, with the most frequent values of a facet first.
fn statement(schema: &str, table: &str, plan: &Plan, facets: &[Facet]) -> Sql {
    let mut sql = Sql::select("jsonb", schema, table, plan, RECORDS_MAX, 0)
        .within(|found| format!("WITH found AS MATERIALIZED ({found})"));
    for (at, facet) in facets.iter().enumerate() {
        sql.push(if at == 0 { " " } else { " UNION ALL " });
        sql.push(&format!(
            "(SELECT {at}::integer AS facet, value, count(*) FROM ("
        ));
        if facet.goes_through_elements() {
            sql.push("SELECT jsonb_path_query(jsonb, ");
            sql.bind(Parameter::Text(facet.json_path()), "text");
            sql.push("::jsonpath, '{}', true) AS value FROM found");
        } else {
            let names = facet.steps.iter().map(|step| step.name.clone());
            sql.push("SELECT to_jsonb(jsonb #>> ");
            sql.bind(Parameter::Texts(names.collect()), "text[]");
            sql.push(") AS value FROM found");
        }
        sql.push(
            ") AS read WHERE value <> 'null' GROUP BY value ORDER BY count(*) DESC, value LIMIT ",
        );
        sql.bind(Parameter::Integer(facet.values_max), "bigint");
        sql.push(")");
    }
    sql
}
