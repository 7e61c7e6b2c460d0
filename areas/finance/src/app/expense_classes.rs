//! The expense classes of a budget: added, changed and taken away with it.

use std::collections::BTreeMap;

use octavo_postgres::Transaction;
use octavo_records::store::{Locking, delete, insert_many, replace_many};
use octavo_records::{Context, StoreError};
use serde_json::json;
use uuid::Uuid;

use crate::records::{Budget, ClassLink};
use crate::refusal::{Declined, Refusal};
use crate::store::classes;

const TABLE: &str = "budget_expense_class";

/// Gives a budget expense classes that it does not have.
///
/// # Errors
/// When a class does not exist.
pub async fn add(
    context: Context<'_>,
    transaction: &Transaction,
    budget: Uuid,
    links: &[ClassLink],
) -> Result<(), StoreError> {
    let documents = links.iter().map(|link| link.document(budget)).collect();
    let collection = context.collection(TABLE);
    insert_many(
        transaction,
        context.tenant,
        collection,
        documents,
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// Makes these the expense classes of a budget.
///
/// # Errors
/// When one that is left out has transactions.
pub async fn set(
    context: Context<'_>,
    transaction: &Transaction,
    budget: &Budget,
    links: &[ClassLink],
) -> Result<(), Declined> {
    let (tables, collection) = (context.tables(), context.collection(TABLE));
    let stored = classes::stored_links(transaction, tables, budget.id).await?;
    let wanted: BTreeMap<Uuid, &ClassLink> = links
        .iter()
        .map(|link| (link.expense_class_id, link))
        .collect();
    let mut changed = Vec::new();
    for (id, link, document) in &stored {
        match wanted.get(&link.expense_class_id) {
            None => {
                let class = link.expense_class_id;
                if classes::is_used(transaction, tables, budget.key(), class).await? {
                    return Err(Refusal::ExpenseClassHasTransactions.into());
                }
                delete(transaction, context.tenant, collection, *id).await?;
            }
            Some(new) if new.status != link.status => {
                let mut document = document.clone();
                document.insert("status".to_owned(), json!(new.status));
                changed.push((*id, document));
            }
            Some(_) => {}
        }
    }
    let any = Locking::Suppressed;
    replace_many(
        transaction,
        context.tenant,
        collection,
        &changed,
        &context.stamp,
        any,
    )
    .await?;
    let is_new = |link: &&ClassLink| {
        !stored
            .iter()
            .any(|(_, one, _)| one.expense_class_id == link.expense_class_id)
    };
    let new: Vec<ClassLink> = wanted.into_values().filter(is_new).cloned().collect();
    add(context, transaction, budget.id, &new).await?;
    Ok(())
}
