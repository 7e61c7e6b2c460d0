//! Recalculates a budget from its transactions.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::fetch_locked;
use octavo_records::{Context, StoreError};
use uuid::Uuid;

use super::transactions::write_budgets;
use crate::records::Budget;
use crate::refusal::Declined;
use crate::rules::exchange::places;
use crate::rules::recalculation::sums;
use crate::store::accounts::object;
use crate::store::{transactions, years};

/// Gives a budget the sums of its transactions.
///
/// # Errors
/// When there is no such budget.
#[boxed]
pub async fn recalculate(
    context: Context<'_>,
    transaction: &Transaction,
    id: Uuid,
) -> Result<(), Declined> {
    let collection = context.collection("budget");
    // Locked before its transactions are read, so that none is missed.
    let held = fetch_locked(transaction, context.tenant, collection, id).await?;
    let mut budget = Budget::read(object(held.ok_or(StoreError::NotFound)?))?;
    let (fund, year) = budget.key();
    let of_fund = transactions::of_fund(transaction, context.tables(), fund, year).await?;
    let years = years::by_ids(transaction, context.tables(), &[year]).await?;
    let currency = years.get(&year).map_or("", |year| year.currency.as_str());
    budget.sums = sums(fund, &of_fund, places(currency));
    write_budgets(context, transaction, &[budget]).await?;
    Ok(())
}
