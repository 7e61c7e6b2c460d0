//! The condition that hides from lists what acquisitions units protect from reading.

use std::collections::HashSet;

use octavo_boxed::boxed;
use octavo_records::plan::{Crossing, Predicate};
use octavo_records::{Executor, StoreError};
use serde_json::json;
use uuid::Uuid;

use super::Tables;

/// The units that protect their records from being read by a user.
#[boxed]
pub async fn hiding(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user_id: Option<Uuid>,
) -> Result<HashSet<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {unit} AS unit WHERE {protects}
           AND NOT coalesce((jsonb->>'isDeleted')::boolean, false)
           AND id NOT IN (SELECT acquisitionsunitid FROM {membership} WHERE {own}
             AND acquisitionsunitid IS NOT NULL)",
        unit = tables.table("acquisitions_unit"),
        membership = tables.table("acquisitions_unit_membership"),
        protects = tables.equals("acquisitions_unit", "protectRead", "'true'"),
        own = tables.equals("acquisitions_unit_membership", "userId", "$1::text"),
    );
    let user = user_id.map(|id| id.to_string()).unwrap_or_default();
    let rows = executor.rows(&sql, &[&user]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// How a record reaches the one that has its units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitsOf {
    Itself,
    /// Its order, by this column.
    Order(&'static str),
    /// The order of its line.
    OrderOfLine,
}

/// The condition that leaves out records all of whose units are among the hiding ones.
#[must_use]
pub fn visible(predicate: Predicate, of: UnitsOf, hiding: &HashSet<Uuid>) -> Predicate {
    if hiding.is_empty() {
        return predicate;
    }
    let mut ids: Vec<&Uuid> = hiding.iter().collect();
    ids.sort_unstable();
    // The ids are the database's own.
    let hidden = format!(
        "jsonb_build_object('hidden', '{}'::jsonb @> (jsonb->'acqUnitIds') \
         AND jsonb_array_length(jsonb->'acqUnitIds') > 0)",
        json!(ids)
    );
    let hidden = Predicate::Contains(hidden, json!({"hidden": true}).to_string());
    let hidden = match of {
        UnitsOf::Itself => hidden,
        UnitsOf::Order(column) => across(column, "purchase_order", hidden),
        UnitsOf::OrderOfLine => {
            let hidden = across("purchaseorderid", "purchase_order", hidden);
            across("polineid", "po_line", hidden)
        }
    };
    Predicate::Except(Box::new(predicate), Box::new(hidden))
}

fn across(column: &str, table: &str, predicate: Predicate) -> Predicate {
    Predicate::Across(Box::new(Crossing {
        column: column.to_owned(),
        table: table.to_owned(),
        other: "id".to_owned(),
        predicate,
    }))
}
