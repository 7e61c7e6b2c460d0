//! Applies a batch of transactions, with what it does to budgets and encumbrances, in the caller's database
//! transaction. Rows are locked in one order: transactions by id, then budgets by id.

use std::collections::{BTreeSet, HashMap};

use futures_util::try_join;
use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{Locking, insert_many, replace_many};
use octavo_records::{Context, StoreError, Tables};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::BatchDeclined;
use crate::records::{Budget, FundTransaction, Kind};
use crate::rules::batch::{
    Applied, Batch, Books, apply as compute, budget_keys, check_known, check_sent,
};
use crate::store::accounts::{Hold, accounts};
use crate::store::transactions::{self as stored, Wanted, find};

/// Applies a batch: all of it or nothing. After a refusal or an error the caller rolls back. An empty batch
/// is refused, as in FOLIO: callers that may have nothing to do ask [`Batch::is_empty`].
///
/// # Errors
/// The first of FOLIO's refusals; a version conflict when an updated transaction has changed.
#[boxed]
pub async fn apply(
    context: Context<'_>,
    transaction: &Transaction,
    batch: &Batch,
) -> Result<(), BatchDeclined> {
    check_sent(batch)?;
    let mut books = read(context.tables(), transaction, batch).await?;
    let keys = budget_keys(batch, &books);
    books.accounts = accounts(transaction, context.tables(), &keys, Hold::Yes).await?;
    check_known(batch, &books)?;
    check_versions(batch, &books)?;
    let applied = compute(batch, books)?;
    write(context, transaction, applied).await?;
    Ok(())
}

/// The stored transactions that a batch concerns, locked.
async fn read(
    tables: Tables<'_>,
    transaction: &Transaction,
    batch: &Batch,
) -> Result<Books, StoreError> {
    let created: BTreeSet<Uuid> = batch.create.iter().map(|one| one.id).collect();
    let named: BTreeSet<Uuid> = batch
        .sent()
        .filter_map(FundTransaction::linked_encumbrance)
        .chain(batch.update.iter().map(|one| one.id))
        .chain(batch.delete.iter().copied())
        .chain(created.iter().copied())
        .collect();
    let named: Vec<Uuid> = named.into_iter().collect();
    let invoices = paid_invoices(batch);
    let (rows, of_invoices) = try_join!(
        find(transaction, tables, Wanted::Ids(&named), Hold::Yes),
        find(transaction, tables, Wanted::Invoices(&invoices), Hold::Yes),
    )?;
    let mut books = Books::default();
    for row in rows {
        match created.contains(&row.id) {
            true => books.taken.push(row.id),
            false => {
                books.stored.insert(row.id, row);
            }
        }
    }
    let pending = |one: &FundTransaction| one.kind == Kind::PendingPayment;
    books.pending_payments = of_invoices.into_iter().filter(pending).collect();
    Ok(books)
}

fn paid_invoices(batch: &Batch) -> Vec<Uuid> {
    let pays = |one: &&FundTransaction| matches!(one.kind, Kind::Payment | Kind::Credit);
    let paid = batch.create.iter().filter(pays);
    let invoices: BTreeSet<Uuid> = paid.filter_map(|one| one.source_invoice_id).collect();
    invoices.into_iter().collect()
}

/// An update must be of the version that is stored.
fn check_versions(batch: &Batch, books: &Books) -> Result<(), StoreError> {
    let shown = |version: Option<i64>| version.map_or("<NULL>".to_owned(), |it| it.to_string());
    for one in &batch.update {
        let found = books.stored.get(&one.id).and_then(|found| found.version);
        if found != one.version {
            return Err(StoreError::VersionConflict {
                id: one.id.to_string(),
                stored: shown(found),
                sent: shown(one.version),
            });
        }
    }
    Ok(())
}

async fn write(
    context: Context<'_>,
    transaction: &Transaction,
    applied: Applied,
) -> Result<(), StoreError> {
    let Context { tenant, stamp, .. } = context;
    let collection = context.collection(stored::TABLE);
    let documents = |list: &[FundTransaction]| {
        let document = |one: &FundTransaction| Ok((one.id, one.document()?));
        list.iter()
            .map(document)
            .collect::<Result<Vec<_>, StoreError>>()
    };
    let replaced = documents(&applied.replace)?;
    let created = documents(&applied.create)?;
    let created: Vec<Map<String, Value>> = created.into_iter().map(|(_, one)| one).collect();
    // Deletions first: an encumbrance may take the place of one that goes.
    stored::delete(transaction, context.tables(), &applied.delete).await?;
    let any = Locking::Suppressed;
    replace_many(transaction, tenant, collection, &replaced, &stamp, any).await?;
    insert_many(transaction, tenant, collection, created, &stamp).await?;
    write_budgets(context, transaction, &applied.budgets).await
}

/// Stores budgets that the transaction has locked, with all that is computed from their sums.
///
/// # Errors
/// When one does not exist any more.
#[boxed]
pub async fn write_budgets(
    context: Context<'_>,
    transaction: &Transaction,
    budgets: &[Budget],
) -> Result<(), StoreError> {
    let documents: HashMap<Uuid, Map<String, Value>> =
        budgets.iter().map(|one| (one.id, one.document())).collect();
    let mut documents: Vec<(Uuid, Map<String, Value>)> = documents.into_iter().collect();
    documents.sort_unstable_by_key(|(id, _)| *id);
    replace_many(
        transaction,
        context.tenant,
        context.collection("budget"),
        &documents,
        &context.stamp,
        Locking::Suppressed,
    )
    .await
}
