//! A storage has taken an item in: the item gets the storage's location, and a row that says so.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_inventory::app::store_holdings::{self, IfMissing};
use octavo_inventory::app::{store_item, unguarded};
use octavo_postgres::Transaction;
use octavo_records::store::fetch_locked;
use octavo_records::{Context, StoreError};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Outcome, configuration, of_inventory};
use crate::rules::Refusal;
use crate::rules::accession::{Shelved, Step, decide};
use crate::rules::configuration::AccessionWorkflow;
use crate::store::items::Beside;
use crate::store::{items, mappings, queues};

/// What a copy of holdings does not take over.
const OF_ONE_RECORD: [&str; 4] = ["id", "hrid", "_version", "metadata"];

/// Moves the item by the storage's workflow; gives its row.
///
/// # Errors
/// When the storage does not take items in this way, there is no such item, or its place is not clear.
#[boxed]
pub async fn take_in(context: &Context<'_>, storage: Uuid, barcode: &str) -> Outcome<Bytes> {
    let (tables, tenant) = (context.tables(), context.tenant);
    let transaction = context.store.database.transaction().await?;
    let found = configuration(&transaction, context, storage).await?;
    let found = found.ok_or(Refusal::NoAccessionConfiguration(storage))?;
    let workflow = found.accession.ok_or(Refusal::NoAccessionDetails)?;
    let places = mappings::places(&transaction, tables, storage).await?;
    let to = places.first().map(|place| place.location);
    let to = to.ok_or(Refusal::NoAccessionLocation(storage))?;
    let missing = || Refusal::NoAccessionItem(barcode.to_owned());
    let seen = items::by_barcode(&transaction, tables, barcode).await?;
    let seen = seen.ok_or_else(missing)?;
    // The title first, so that of two of its items only one makes a copy of the holdings; then holdings before
    // items, as everywhere.
    let title = context.collection("instance");
    fetch_locked(&transaction, tenant, title, seen.instance).await?;
    let shelves = context.collection("holdings_record");
    let holdings = fetch_locked(&transaction, tenant, shelves, seen.holdings).await?;
    let on_shelf = items::of_holdings(&transaction, tables, seen.holdings).await?;
    let item = items::by_barcode(&transaction, tables, barcode).await?;
    let item = item.ok_or_else(missing)?;
    let Some(holdings) = holdings.filter(|_| item.holdings == seen.holdings) else {
        // It was moved before the lock.
        return Err(StoreError::Contended.into());
    };
    let holdings_at = holdings.get("permanentLocationId").and_then(Value::as_str);
    let others = on_shelf.iter().filter(|one| one.id != item.id);
    let shelved = Shelved {
        holdings_at: holdings_at.and_then(|id| Uuid::try_parse(id).ok()),
        others_at: others.map(|one| one.permanent).collect(),
        there: match workflow {
            AccessionWorkflow::DuplicateHoldings => {
                items::holdings_at(&transaction, tables, item.instance, to).await?
            }
            AccessionWorkflow::ChangePermanentLocation => Vec::new(),
        },
    };
    let moving = Moving {
        context,
        transaction: &transaction,
        to,
    };
    let mut shelf = item.holdings;
    match decide(workflow, to, &shelved)? {
        Step::Stay => {}
        Step::MoveHoldings { keeping_items } => {
            if keeping_items {
                moving.keep_items(&on_shelf, shelved.holdings_at).await?;
            }
            moving.move_holdings(item.holdings, holdings).await?;
        }
        Step::MoveItem(there) => shelf = there,
        Step::CopyHoldings => shelf = moving.copy_holdings(holdings).await?,
    }
    moving.move_item(item.id, shelf).await?;
    let (at, place) = (context.stamp.at, (storage, to));
    let row = queues::accessioned(&transaction, tables, item.id, place, at).await?;
    transaction.commit().await?;
    Ok(row)
}

/// The changes of records, to the storage's location.
#[derive(Debug, Clone, Copy)]
struct Moving<'a> {
    context: &'a Context<'a>,
    transaction: &'a Transaction,
    to: Uuid,
}

impl Moving<'_> {
    /// Items without a location of their own stay where their holdings were.
    async fn keep_items(&self, items: &[Beside], at: Option<Uuid>) -> Outcome<()> {
        let homeless = items.iter();
        let homeless = homeless.filter(|one| one.permanent.is_none() && one.temporary.is_none());
        for item in homeless {
            self.change_item(item.id, &[("permanentLocationId", json!(at))])
                .await?;
        }
        Ok(())
    }

    async fn move_holdings(&self, id: Uuid, mut holdings: Value) -> Outcome<()> {
        if let Value::Object(holdings) = &mut holdings {
            holdings.insert("permanentLocationId".to_owned(), json!(self.to));
        }
        let (transaction, context) = (self.transaction, self.context);
        let refuse = IfMissing::Refuse;
        store_holdings::replace_with(transaction, context, id, holdings, refuse, unguarded)
            .await
            .map_err(of_inventory)
    }

    async fn copy_holdings(&self, mut holdings: Value) -> Outcome<Uuid> {
        if let Value::Object(holdings) = &mut holdings {
            holdings.retain(|name, _| !OF_ONE_RECORD.contains(&name.as_str()));
            holdings.insert("permanentLocationId".to_owned(), json!(self.to));
        }
        let made = store_holdings::create_with(self.transaction, self.context, holdings).await;
        made.map(|(id, _)| id).map_err(of_inventory)
    }

    async fn move_item(&self, id: Uuid, holdings: Uuid) -> Outcome<()> {
        let changes = [
            ("holdingsRecordId", json!(holdings)),
            ("permanentLocationId", json!(self.to)),
        ];
        self.change_item(id, &changes).await
    }

    async fn change_item(&self, id: Uuid, changes: &[(&str, Value)]) -> Outcome<()> {
        let (context, transaction) = (self.context, self.transaction);
        let items = context.collection("item");
        let item = fetch_locked(transaction, context.tenant, items, id).await?;
        let Some(Value::Object(mut item)) = item else {
            return Err(StoreError::Contended.into());
        };
        for (name, value) in changes {
            item.insert((*name).to_owned(), value.clone());
        }
        let item = Value::Object(item);
        store_item::replace_with(transaction, context, id, item, unguarded)
            .await
            .map_err(of_inventory)
    }
}
