//! Takes a rollover up: its record, its progress, and a job.

use octavo_boxed::boxed;
use octavo_jobs::NewJob;
use octavo_postgres::Transaction;
use octavo_records::Context;
use octavo_records::store::{fetch_locked, insert};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::report::{PROGRESS, ROLLOVERS};
use super::work::QUEUE;
use crate::refusal::{Declined, Refusal};
use crate::rules::exchange::places;
use crate::store::accounts::object;
use crate::store::{rollovers, years};

/// Stores a rollover from a checked document and lines it up; gives its id.
///
/// # Errors
/// When the ledger was rolled over from this year already.
#[boxed]
pub async fn begin(
    context: Context<'_>,
    transaction: &Transaction,
    mut document: Map<String, Value>,
) -> Result<Uuid, Declined> {
    let (tenant, tables) = (context.tenant, context.tables());
    let id = |name: &str| {
        let text = document.get(name).and_then(Value::as_str);
        text.and_then(|text| Uuid::try_parse(text).ok())
            .unwrap_or_default()
    };
    let (ledger, from) = (id("ledgerId"), id("fromFiscalYearId"));
    // Two at once for one ledger come one after the other.
    fetch_locked(transaction, tenant, context.collection("ledger"), ledger).await?;
    let kind = document
        .get("rolloverType")
        .and_then(Value::as_str)
        .unwrap_or("Commit");
    if kind == "Commit" && rollovers::is_committed(transaction, tables, ledger, from).await? {
        return Err(Refusal::RolledOver.into());
    }
    let found = years::by_ids(transaction, tables, &[from]).await?;
    let currency = found.get(&from).map_or("", |year| year.currency.as_str());
    document.insert("currencyFactor".to_owned(), json!(places(currency)));
    let collection = context.collection(ROLLOVERS);
    let (id, _) = insert(transaction, tenant, collection, document, &context.stamp).await?;
    let progress = object(
        json!({"ledgerRolloverId": id, "overallRolloverStatus": "In Progress",
        "budgetsClosingRolloverStatus": "Success", "financialRolloverStatus": "In Progress",
        "ordersRolloverStatus": "Not Started"}),
    );
    let collection = context.collection(PROGRESS);
    insert(transaction, tenant, collection, progress, &context.stamp).await?;
    let job = NewJob {
        id,
        key: Some(ledger),
        progress: json!({"user": context.stamp.user_id}),
    };
    QUEUE.add(transaction, tenant, job).await?;
    Ok(id)
}
