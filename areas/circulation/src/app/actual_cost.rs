//! Actual costs of lost items that staff have determined: billed or cancelled. The records belong to
//! circulation, the interface to FOLIO's mod-feesfines.

use futures_util::try_join;
use octavo_fees::store::accounts::{AccountEvent, emit_events};
use octavo_library::{AccountId, ActualCostStatus, LoanId};
use octavo_postgres::{DatabaseError, Transaction};
use octavo_records::store::{insert, replace};
use octavo_records::{Last, StoreError, instant};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Desk;
use super::settle_loss::settle_loss;
use crate::loss::actual_cost::{Bill, Information, account, action};
use crate::store::actual_cost_record::{held, loan_of, name_of};
use crate::store::loan;

/// Why an actual cost is not changed, with FOLIO's messages.
#[derive(Debug, thiserror::Error)]
pub enum Unsettled {
    /// The record or its loan does not exist.
    #[error("{what} {id} was not found")]
    NotFound {
        /// FOLIO's name of the kind of record.
        what: &'static str,
        id: Uuid,
    },
    /// It was billed, cancelled or has expired.
    #[error("Actual cost record {id} is already {status}")]
    Already {
        /// The record.
        id: Uuid,
        status: String,
    },
    /// The amount is not positive, or above the limit of an account.
    #[error("{0}")]
    Amount(&'static str),
    /// A refusal or failure of the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DatabaseError> for Unsettled {
    #[track_caller]
    fn from(error: DatabaseError) -> Unsettled {
        Unsettled::Store(error.into())
    }
}

type Record = Map<String, Value>;

/// Bills an actual cost: creates an account with its first action and marks the record. Returns the
/// record.
pub async fn bill(desk: Desk<'_>, bill: &Bill) -> Result<Value, Unsettled> {
    if !bill.amount.is_positive() {
        return Err(Unsettled::Amount("Amount must be positive"));
    }
    if !bill.amount.fits() {
        return Err(Unsettled::Amount(
            "Amount is too large: an account is about 9999999999999.99 at most",
        ));
    }
    let transaction = desk.store.database.transaction().await?;
    let id = bill.record_id;
    let (loan_id, mut record) = open_record(desk, &transaction, id).await?;
    let (lent, source) = try_join!(
        loan::by_id(&transaction, desk.tables(), loan_id),
        name_of(&transaction, desk.tables(), desk.operator()),
    )?;
    let lent = lent.ok_or(Unsettled::NotFound {
        what: "Loan",
        id: loan_id.uuid(),
    })?;
    let account_id = AccountId::from(Uuid::new_v4());
    let account = account(&record, &lent.document, account_id.uuid(), bill.amount);
    let at = instant::format(desk.stamp.at);
    let action = action(&account, bill, source.as_deref(), &at);
    note(&mut record, "Billed", &bill.information);
    if let Some(Value::Object(fee)) = record.get_mut("feeFine") {
        fee.insert("accountId".to_owned(), json!(account_id));
        fee.insert("billedAmount".to_owned(), bill.amount.json());
    }
    let (accounts, actions) = (
        desk.collection("accounts"),
        desk.collection("feefineactions"),
    );
    let event = AccountEvent::balance(account_id, Some(&account));
    let events = [event];
    let (tenant, stamp) = (desk.tenant, &desk.stamp);
    let last = Last(&transaction);
    try_join!(
        insert(&transaction, tenant, accounts, account, stamp),
        insert(&transaction, tenant, actions, action, stamp),
        store(desk, &transaction, id, &record),
        emit_events(&last, tenant, &events),
    )?;
    Ok(Value::Object(record))
}

/// Cancels an actual cost: the loan is closed unless other fees are open. Returns the record.
pub async fn cancel(
    desk: Desk<'_>,
    id: Uuid,
    information: &Information,
) -> Result<Value, Unsettled> {
    let transaction = desk.store.database.transaction().await?;
    let (loan_id, mut record) = open_record(desk, &transaction, id).await?;
    note(&mut record, "Cancelled", information);
    store(desk, &transaction, id, &record).await?;
    settle_loss(desk, &transaction, loan_id).await?;
    emit_events(
        &Last(&transaction),
        desk.tenant,
        &[AccountEvent::closed(loan_id)],
    )
    .await?;
    Ok(Value::Object(record))
}

/// The open record, locked, and its loan, whose item is locked first.
async fn open_record(
    desk: Desk<'_>,
    transaction: &Transaction,
    id: Uuid,
) -> Result<(LoanId, Record), Unsettled> {
    let tables = desk.tables();
    let what = "ActualCostRecord";
    let missing = || Unsettled::NotFound { what, id };
    let loan_id = loan_of(transaction, tables, id)
        .await?
        .ok_or_else(missing)?;
    let (_, record) = try_join!(
        loan::at_hand(transaction, tables, loan_id),
        held(transaction, tables, id),
    )?;
    let record = record.ok_or_else(missing)?;
    match record.get("status").and_then(Value::as_str) {
        Some(status) if status == ActualCostStatus::Open.name() => Ok((loan_id, record)),
        status => Err(Unsettled::Already {
            id,
            status: status.unwrap_or_default().to_owned(),
        }),
    }
}

fn note(record: &mut Record, status: &str, information: &Information) {
    record.insert("status".to_owned(), json!(status));
    let told = [
        ("additionalInfoForStaff", &information.for_staff),
        ("additionalInfoForPatron", &information.for_patron),
    ];
    for (name, text) in told {
        match text {
            Some(text) => record.insert(name.to_owned(), json!(text)),
            None => record.remove(name),
        };
    }
}

async fn store(
    desk: Desk<'_>,
    transaction: &Transaction,
    id: Uuid,
    record: &Record,
) -> Result<(), StoreError> {
    let records = desk.collection("actual_cost_record");
    replace(transaction, desk.tenant, records, id, record, &desk.stamp).await?;
    Ok(())
}
