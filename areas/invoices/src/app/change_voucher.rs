//! Changes what of a voucher may be changed: how it was paid out.

use octavo_boxed::boxed;
use octavo_organizations::units::Operation;
use octavo_records::store::{fetch, fetch_locked, replace};
use octavo_records::{Context, StoreError};
use serde_json::{Value, json};
use uuid::Uuid;

use super::change_invoice::settle_id;
use super::guard::{Rights, allow};
use super::keep::INVOICES;
use super::{checked, voucher_number_form};
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::document;
use crate::rules::protected::{self, OF_VOUCHER};

const TABLE: &str = "vouchers";

/// Replaces a voucher.
///
/// # Errors
/// 404 when there is none, 400 when a property changes that may not.
#[boxed]
pub async fn change_voucher(
    context: &Context<'_>,
    id: Uuid,
    mut sent: Value,
) -> Result<(), Declined> {
    settle_id(id, &mut sent)?;
    voucher_number_form(&sent)?;
    let mut voucher = checked(context, TABLE, sent)?;
    let transaction = context.store.database.transaction().await?;
    let collection = context.collection(TABLE);
    let held = fetch_locked(&transaction, context.tenant, collection, id).await?;
    let Some(Value::Object(held)) = held else {
        return Err(StoreError::NotFound.into());
    };
    // The units are those of the invoice, as they are now.
    let invoice = document::id(&held, "invoiceId").unwrap_or_default();
    let invoices = context.collection(INVOICES);
    let invoice = fetch(&transaction, context.tenant, invoices, invoice).await?;
    if let Some(Value::Object(invoice)) = invoice {
        allow(
            context,
            &transaction,
            Rights::default(),
            Operation::Update,
            &invoice,
        )
        .await?;
    }
    let changed = protected::changed(OF_VOUCHER, &held, &voucher);
    if !changed.is_empty() {
        return Err(Refusal::bad(Code::Protected)
            .with_property("protectedAndModifiedFields", json!(changed))
            .into());
    }
    // The address is written by the server alone.
    document::set(
        &mut voucher,
        "vendorAddress",
        held.get("vendorAddress").cloned(),
    );
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace(&transaction, tenant, collection, id, &voucher, stamp).await?;
    transaction.commit().await?;
    Ok(())
}
