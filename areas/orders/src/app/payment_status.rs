//! What paying or cancelling an invoice does to order lines, with all that follows: encumbrances of a line
//! that is not cancelled any more, and orders that close. Invoices call it in their own transaction.

use std::collections::BTreeSet;

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::Context;
use octavo_records::store::{delete, insert_if_absent};
use serde_json::json;
use uuid::Uuid;

use super::encumber::{Shift, shift};
use super::settle::{MayReopen, settle};
use super::terms::{Rights, terms};
use super::{Act, Ending, Work, keep_line, look_up};
use crate::refusal::Declined;
use crate::rules::doc::{Doc, id as id_at, object, set};
use crate::rules::line::Line;
use crate::store::lines::{Held, by_ids};
use crate::store::usage::ties_of;

/// What a line's payment status becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paid {
    Fully,
    Partially,
    /// Its invoice is cancelled.
    Awaiting,
}

impl Paid {
    fn name(self) -> &'static str {
        match self {
            Paid::Fully => "Fully Paid",
            Paid::Partially => "Partially Paid",
            Paid::Awaiting => "Awaiting Payment",
        }
    }
}

/// Sets the payment status of lines; those that are Ongoing or need no payment stay as they are. Orders are
/// locked first, then lines by id, so callers hold neither before.
///
/// # Errors
/// When a budget takes no transactions.
#[boxed]
pub async fn set_paid(
    context: &Context<'_>,
    transaction: &Transaction,
    lines: &[(Uuid, Paid)],
) -> Result<(), Declined> {
    let work = Work {
        transaction,
        context,
    };
    let terms = terms(transaction, context).await?;
    let act = Act {
        work,
        ending: Ending::GoesOn(transaction),
        rights: Rights::default(),
        terms: &terms,
    };
    let ids: Vec<Uuid> = lines.iter().map(|(id, _)| *id).collect();
    let tables = context.tables();
    let known = by_ids(transaction, tables, &ids, Held::No).await?;
    let orders: BTreeSet<Uuid> = known
        .iter()
        .filter_map(|one| Line(one).order_id())
        .collect();
    let orders: Vec<Uuid> = orders.into_iter().collect();
    let orders = look_up::hold_orders(transaction, context, &orders).await?;
    let mut changed: Vec<Doc> = Vec::new();
    let mut uncancelled: Vec<Uuid> = Vec::new();
    for mut line in by_ids(transaction, tables, &ids, Held::Yes).await? {
        let id = Line(&line).id();
        let wanted = lines.iter().find(|(of, _)| *of == id);
        let Some((_, paid)) = wanted else { continue };
        let before = Line(&line).payment_status().to_owned();
        let stays = matches!(before.as_str(), "Ongoing" | "Payment Not Required");
        if stays || before == paid.name() {
            continue;
        }
        if before == "Cancelled" && *paid != Paid::Fully {
            uncancelled.push(id);
        }
        set(&mut line, "paymentStatus", paid.name());
        changed.push(line);
    }
    keep_line::write_many(work, changed.clone()).await?;
    shift(act, &uncancelled, Shift::Unrelease).await?;
    let mut orders: Vec<(Uuid, Doc)> = orders.into_iter().collect();
    orders.sort_unstable_by_key(|(id, _)| *id);
    for (id, order) in orders {
        if changed.iter().any(|line| Line(line).order_id() == Some(id)) {
            settle(act, id, order, MayReopen::Yes).await?;
        }
    }
    Ok(())
}

/// Ties an order to an invoice that is about it; once is enough.
#[boxed]
pub async fn tie(
    context: &Context<'_>,
    transaction: &Transaction,
    order_id: Uuid,
    invoice_id: Uuid,
) -> Result<(), Declined> {
    let ties = ties_of(transaction, context.tables(), invoice_id).await?;
    if ties.iter().any(|(_, order)| *order == order_id) {
        return Ok(());
    }
    let tie = object(json!({"purchaseOrderId": order_id, "invoiceId": invoice_id}));
    let collection = context.collection("order_invoice_relationship");
    insert_if_absent(transaction, context.tenant, collection, tie, &context.stamp).await?;
    Ok(())
}

/// Unties an order from an invoice.
#[boxed]
pub async fn untie(
    context: &Context<'_>,
    transaction: &Transaction,
    order_id: Uuid,
    invoice_id: Uuid,
) -> Result<(), Declined> {
    let collection = context.collection("order_invoice_relationship");
    for (tie, order) in ties_of(transaction, context.tables(), invoice_id).await? {
        if order == order_id {
            delete(transaction, context.tenant, collection, tie).await?;
        }
    }
    Ok(())
}

/// The orders that an invoice is about.
#[boxed]
pub async fn orders_of_invoice(
    context: &Context<'_>,
    transaction: &Transaction,
    invoice_id: Uuid,
) -> Result<Vec<Uuid>, Declined> {
    let ties = ties_of(transaction, context.tables(), invoice_id).await?;
    Ok(ties.into_iter().map(|(_, order)| order).collect())
}

/// The order of a line, as its document says.
#[must_use]
pub fn order_of(line: &Doc) -> Option<Uuid> {
    id_at(line, "purchaseOrderId")
}
