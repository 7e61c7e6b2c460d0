//! The lines of the circulation log.

use octavo_library::UserId;
use octavo_postgres::Transaction;
use octavo_records::expression::key;
use octavo_records::plan::{Crossing, Parameter, Plan, Predicate, Sql, TextMatch};
use octavo_records::{Collection, Executor, IndexKind, StoreError};
use serde_json::Value;

use super::Tables;
use crate::collections::{PATRONS, barcode_parts};

/// A page of lines. One without a patron has a dash as barcode, as clients expect.
#[must_use]
pub fn lines(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let shown = "CASE WHEN jsonb ? 'userBarcode' THEN jsonb \
                 ELSE jsonb || '{\"userBarcode\": \"-\"}' END AS jsonb";
    let schema = tables.tenant.schema();
    Sql::select(shown, schema, "circulation_logs", plan, limit, offset)
}

/// Lets a search for a part of a patron's barcode look among the barcodes that the log has: each is there
/// once, and then its lines are found by it.
pub fn look_among_patrons(logs: &Collection, predicate: &mut Predicate) {
    match predicate {
        Predicate::All(parts) | Predicate::Any(parts) => {
            for part in parts {
                look_among_patrons(logs, part);
            }
        }
        Predicate::Except(wanted, unwanted) => {
            look_among_patrons(logs, wanted);
            look_among_patrons(logs, unwanted);
        }
        Predicate::Like(text) => {
            let parts = barcode_parts();
            let whole = logs
                .indexes
                .iter()
                .find(|index| index.field == parts.field && index.kind == IndexKind::Index);
            let served = text.by.is_some() || text.operator != "LIKE";
            let Some(whole) = whole.filter(|index| !served && index.reads_like(&text.index)) else {
                return;
            };
            let column = key(whole);
            let pattern = std::mem::take(&mut text.value);
            *predicate = Predicate::Gathered(Box::new(Crossing {
                other: column.clone(),
                column,
                table: PATRONS.to_owned(),
                predicate: Predicate::Like(TextMatch::declared(parts, "LIKE", pattern)),
            }));
        }
        _ => {}
    }
}

/// Adds lines, in one statement; the operator's name is composed by the database.
pub async fn add(
    executor: &dyn Executor,
    tables: Tables<'_>,
    lines: &[Value],
    operator: Option<UserId>,
) -> Result<(), StoreError> {
    if lines.is_empty() {
        return Ok(());
    }
    let sql = format!("SELECT {}.add_log_lines($1, $2)", tables.tenant.schema());
    executor.rows(&sql, &[&lines, &operator]).await?;
    Ok(())
}

/// Takes the borrowers out of the lines about loans. `plan`, which has a condition, finds the lines of their items, by
/// the index of barcodes.
pub async fn forget_borrowers(
    transaction: &Transaction,
    tables: Tables<'_>,
    plan: &Plan,
    loans: Vec<String>,
) -> Result<(), StoreError> {
    let mut sql = Sql::default();
    sql.push(&format!(
        "UPDATE {} SET jsonb = (jsonb - 'userBarcode') || jsonb_build_object('linkToIds',
         coalesce(jsonb->'linkToIds', '{{}}') - 'userId')",
        tables.table("circulation_logs")
    ));
    sql.filter(tables.tenant.schema(), &plan.predicate);
    sql.push(
        " AND EXISTS (SELECT FROM jsonb_array_elements(jsonb->'items') AS item \
         WHERE item->>'loanId' = ANY(",
    );
    sql.bind(Parameter::Texts(loans), "text[]");
    sql.push("))");
    transaction.rows(&sql.text, &sql.bound()).await?;
    Ok(())
}
