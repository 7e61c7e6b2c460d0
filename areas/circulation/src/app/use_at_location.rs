//! Loans for use at the location: items held at the desk and picked up again.

use futures_util::try_join;
use octavo_library::LoanAction;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::replace;
use serde_json::Value;

use super::journal::note;
use super::{Declined, Desk, lines};
use crate::due_date::hold_shelf_expiration;
use crate::loan_change::{PlaceOfUse, UseChange};
use crate::store::item::ItemKey;
use crate::store::open_loan::{self, OpenLoanAtHand};
use crate::store::{policy, view};

/// Holds an item at the desk; returns the loan as FOLIO shows it.
///
/// # Errors
/// When the item has no open loan, or one that is not for use at the location.
pub async fn keep(desk: Desk<'_>, item_barcode: &str) -> Result<Value, Declined> {
    let transaction = desk.store.database.transaction().await?;
    let tables = desk.tables();
    let (found, tenant) = try_join!(
        open_loan::open_at_hand(&transaction, tables, ItemKey::Barcode(item_barcode)),
        policy::tenant_terms(&transaction, tables),
    )?;
    let Some(held) = &found.loan else {
        let message = format!("No open loan found for the item barcode. ({item_barcode})");
        return Err(Declined::Malformed { message });
    };
    if !UseChange::concerns(&held.document) {
        let message = format!(
            "The loan is open but is not for use at location., item barcode ({item_barcode})"
        );
        return Err(Declined::Malformed { message });
    }
    let (policy, point) = (
        held.loan.loan_policy_id,
        held.loan.checkout_service_point_id,
    );
    let config = desk.config(&transaction, &tenant).await?;
    let shelf = config.keeping(policy, point);
    let openings = desk.openings(&transaction, &tenant, point).await?;
    let kept_until = hold_shelf_expiration(desk.stamp.at, &shelf, &openings, &tenant.zone)?;
    let change = UseChange {
        place: PlaceOfUse::Held,
        at: desk.stamp.at,
        kept_until,
    };
    let (action, name) = (LoanAction::HeldForUseAtLocation, "Held for use at location");
    Ok(carry_out(desk, &transaction, found, change, action, name).await?)
}

/// Gives a held item to its borrower again; returns the loan as FOLIO shows it.
///
/// # Errors
/// When the user has no open loan of the item, or one that is not for use at the location.
pub async fn pick_up(
    desk: Desk<'_>,
    item_barcode: &str,
    user_barcode: &str,
) -> Result<Value, Declined> {
    let transaction = desk.store.database.transaction().await?;
    let key = ItemKey::Barcode(item_barcode);
    let found = open_loan::open_at_hand(&transaction, desk.tables(), key).await?;
    let borrower = found.patron.as_ref();
    let theirs = borrower.and_then(|patron| patron.barcode.as_deref()) == Some(user_barcode);
    let Some(held) = found.loan.as_ref().filter(|_| theirs) else {
        let message = format!(
            "No open loan found for item barcode and user  ({item_barcode} and {user_barcode})."
        );
        return Err(Declined::Malformed { message });
    };
    if !UseChange::concerns(&held.document) {
        let message = format!(
            "The loan is open but is not for use at location, item barcode ({item_barcode})"
        );
        return Err(Declined::Malformed { message });
    }
    let change = UseChange {
        place: PlaceOfUse::InUse,
        at: desk.stamp.at,
        kept_until: None,
    };
    let (action, name) = (
        LoanAction::PickedUpForUseAtLocation,
        "Picked up for use at location",
    );
    Ok(carry_out(desk, &transaction, found, change, action, name).await?)
}

async fn carry_out(
    desk: Desk<'_>,
    transaction: &Transaction,
    found: OpenLoanAtHand,
    change: UseChange,
    action: LoanAction,
    name: &'static str,
) -> Result<Value, StoreError> {
    let held = found.loan.ok_or(StoreError::NotFound)?;
    let (loan, mut document) = (held.loan, held.document);
    change.apply_to(&mut document);
    document.insert("action".into(), action.into());
    let item = found.item.as_ref().map(|held| &held.item);
    let line = lines::about(&loan, item, found.patron.as_ref(), name, name.to_owned());
    let (.., shown) = try_join!(
        replace(
            transaction,
            desk.tenant,
            desk.collection("loan"),
            loan.id.uuid(),
            &document,
            &desk.stamp
        ),
        note(desk, transaction, &line),
        view::last(transaction, desk.tables(), loan.id.uuid()),
    )?;
    shown.ok_or(StoreError::NotFound)
}
