//! Accounts and actions written as records by clients. Each change of an account writes an event, and
//! one that closes an account about a lost item may close the loan, all in one transaction.

use bytes::Bytes;
use futures_util::try_join;
use octavo_boxed::boxed;
use octavo_library::id_in;
use octavo_records::store::{delete, insert, replace};
use octavo_records::{Collection, Context, Last, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::account_followers::{Acted, Follower};
use crate::accounting::Account;
use crate::store::accounts::{AccountEvent, account_of, emit_events, hold_lost_items_of};

/// Stores a new account; returns its id and what is stored.
///
/// # Errors
/// When it does not fit, or its id is taken.
#[boxed]
pub async fn create(context: Context<'_>, account: Value) -> Result<(Uuid, Bytes), StoreError> {
    let accounts = context.collection("accounts");
    let (id, document) = checked(accounts, account, None)?;
    let events = [AccountEvent::balance(id.into(), Some(&document))];
    let transaction = context.store.database.transaction().await?;
    let last = Last(&transaction);
    let (stored, ()) = try_join!(
        insert(
            &transaction,
            context.tenant,
            accounts,
            document,
            &context.stamp
        ),
        emit_events(&last, context.tenant, &events),
    )?;
    Ok(stored)
}

/// Replaces an account.
///
/// # Errors
/// When it does not fit, or there is none.
#[boxed]
pub async fn change(
    context: Context<'_>,
    follower: &dyn Follower,
    id: Uuid,
    account: Value,
) -> Result<(), StoreError> {
    let accounts = context.collection("accounts");
    let (_, document) = checked(accounts, account, Some(id))?;
    let account = Account::read(id.into(), &document);
    let ends = account.loan_id.filter(|_| account.is_settled());
    let mut events = vec![AccountEvent::balance(id.into(), Some(&document))];
    events.extend(ends.map(AccountEvent::closed));
    let transaction = context.store.database.transaction().await?;
    // Lock order: items before accounts, as everywhere.
    let lost = match ends {
        Some(loan_id) => hold_lost_items_of(&transaction, context.tables(), loan_id).await?,
        None => false,
    };
    replace(
        &transaction,
        context.tenant,
        accounts,
        id,
        &document,
        &context.stamp,
    )
    .await?;
    if let Some(loan_id) = ends.filter(|_| lost) {
        follower.fee_closed(context, &transaction, loan_id).await?;
    }
    emit_events(&Last(&transaction), context.tenant, &events).await
}

/// Deletes an account.
#[boxed]
pub async fn remove(context: Context<'_>, id: Uuid) -> Result<(), StoreError> {
    let accounts = context.collection("accounts");
    let transaction = context.store.database.transaction().await?;
    delete(&transaction, context.tenant, accounts, id).await?;
    emit_events(
        &Last(&transaction),
        context.tenant,
        &[AccountEvent::balance(id.into(), None)],
    )
    .await
}

/// Stores a new action; returns its id and what is stored. Without its account no event is written.
///
/// # Errors
/// When it does not fit, or its id is taken.
#[boxed]
pub async fn create_action(
    context: Context<'_>,
    follower: &dyn Follower,
    action: Value,
) -> Result<(Uuid, Bytes), StoreError> {
    let actions = context.collection("feefineactions");
    let (id, document) = checked(actions, action, None)?;
    let transaction = context.store.database.transaction().await?;
    let tables = context.tables();
    let account = id_in(&document, "accountId");
    let copy = document.clone();
    let (stored, account) = try_join!(
        insert(&transaction, context.tenant, actions, copy, &context.stamp),
        async {
            match account {
                Some(id) => account_of(&transaction, tables, id).await,
                None => Ok(None),
            }
        },
    )?;
    if let Some(account) = &account {
        let acts = [Acted {
            action: &document,
            account,
        }];
        follower.acted(context, &transaction, &acts).await?;
        if document.get("notify") == Some(&Value::Bool(true)) {
            follower
                .notify_patrons(context, &transaction, &[id.into()])
                .await?;
        }
    }
    transaction.commit().await?;
    Ok(stored)
}

/// A document that fits its collection, with its id: that of the path wins.
pub(super) fn checked(
    collection: &Collection,
    mut document: Value,
    id: Option<Uuid>,
) -> Result<(Uuid, Map<String, Value>), StoreError> {
    collection
        .shape
        .check(&mut document)
        .map_err(StoreError::Invalid)?;
    let Value::Object(mut document) = document else {
        return Err(StoreError::fault("a checked record is no object"));
    };
    let id = id.or(id_in(&document, "id")).unwrap_or_else(Uuid::new_v4);
    document.insert("id".to_owned(), json!(id));
    Ok((id, document))
}
