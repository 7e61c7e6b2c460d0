//! Expires actual costs that were not billed in time; their loans are closed unless other fees are open.
//! Each page is a transaction that waits for no locks.

use futures_util::future::try_join_all;
use octavo_library::ActualCostStatus;
use octavo_postgres::Transaction;
use octavo_records::store::replace;
use octavo_records::{Stamp, StoreError, retried};

use super::Desk;
use super::age_to_lost::next;
use super::settle_loss::settle_loss;
use crate::store::due::{self, Due};

/// Expires all due records; returns how many.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn expire_actual_costs(desk: Desk<'_>) -> Result<usize, StoreError> {
    let mut expired = 0;
    let mut after = None;
    loop {
        let key = after.as_deref();
        let (some, last) = retried(|| expire_page(desk, key)).await?;
        expired += some;
        match last {
            Some(last) => after = Some(last),
            None => return Ok(expired),
        }
    }
}

async fn expire_page(
    desk: Desk<'_>,
    after: Option<&str>,
) -> Result<(usize, Option<String>), StoreError> {
    let stamp = Stamp::now(desk.stamp.user_id);
    let desk = desk.at(stamp);
    let tables = desk.tables();
    let transaction = desk.store.database.transaction().await?;
    let page = due::for_expiration(&transaction, tables, stamp.at, after).await?;
    if page.is_empty() {
        return Ok((0, None));
    }
    let items = due::hold_items(&transaction, tables, &page).await?;
    let there = |due: &&Due| items.held.contains(&due.item_id) || items.gone.contains(&due.item_id);
    let due = page.iter().filter(there);
    let done = try_join_all(due.map(|due| expire_one(desk, &transaction, due))).await?;
    transaction.commit().await?;
    Ok((done.into_iter().filter(|one| *one).count(), next(&page)))
}

async fn expire_one(
    desk: Desk<'_>,
    transaction: &Transaction,
    due: &Due,
) -> Result<bool, StoreError> {
    let record = due::open_actual_cost(transaction, desk.tables(), due.id).await?;
    let Some(mut record) = record else {
        return Ok(false);
    };
    record.insert("status".to_owned(), ActualCostStatus::Expired.into());
    let collection = desk.collection("actual_cost_record");
    replace(
        transaction,
        desk.tenant,
        collection,
        due.id,
        &record,
        &desk.stamp,
    )
    .await?;
    settle_loss(desk, transaction, due.loan_id).await?;
    Ok(true)
}
