//! Deletes an invoice that holds no money: its lines, documents and vouchers go with it.

use octavo_boxed::boxed;
use octavo_organizations::units::Operation;
use octavo_records::Context;
use octavo_records::store::delete;
use uuid::Uuid;

use super::guard::{Rights, allow};
use super::keep::{INVOICES, Work, hold_invoice};
use super::order_lines::untie_all;
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::document;
use crate::rules::status::Status;
use crate::store::invoices::delete_parts;
use crate::store::vouchers::delete_of_invoice;

/// Deletes an invoice.
///
/// # Errors
/// 403 when it is approved or paid, or its units forbid it.
#[boxed]
pub async fn remove_invoice(
    context: &Context<'_>,
    rights: Rights,
    id: Uuid,
) -> Result<(), Declined> {
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let held = hold_invoice(work, id).await?;
    allow(context, &transaction, rights, Operation::Delete, &held).await?;
    if Status::named(document::text(&held, "status").unwrap_or_default()).holds_money() {
        return Err(Refusal::forbidden(Code::DeleteForbidden).into());
    }
    untie_all(work, id).await?;
    delete_of_invoice(&transaction, context.tables(), id).await?;
    delete_parts(&transaction, context.tables(), id).await?;
    let collection = context.collection(INVOICES);
    delete(&transaction, context.tenant, collection, id).await?;
    transaction.commit().await?;
    Ok(())
}
