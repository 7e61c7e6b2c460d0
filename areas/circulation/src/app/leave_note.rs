//! Notes on a borrower that operations of staff create.

use octavo_library::Loan;
use octavo_postgres::Transaction;
use octavo_records::store::insert;
use serde_json::json;

use super::{Declined, Desk};
use crate::refusal::{LossRefusal, Refusal};
use crate::store::{document, loss};

/// Leaves a note of the general type on the borrower of a loan, which FOLIO's user interface shows.
///
/// # Errors
/// When the tenant has no such type, as in FOLIO.
pub async fn leave_note(
    desk: Desk<'_>,
    transaction: &Transaction,
    loan: &Loan,
    text: &str,
) -> Result<(), Declined> {
    let Some(user_id) = loan.user_id else {
        return Ok(());
    };
    let Some(type_id) = loss::general_note_type(transaction, desk.tables()).await? else {
        let refusal = Refusal::Loss(LossRefusal::NoGeneralNoteType);
        return Err(Declined::Refused(vec![refusal]));
    };
    let note = json!({
        "title": text, "content": text, "typeId": type_id, "domain": "users",
        "links": [{"id": user_id, "type": "user"}],
    });
    let collection = desk.collection("note");
    insert(
        transaction,
        desk.tenant,
        collection,
        document(&note)?,
        &desk.stamp,
    )
    .await?;
    Ok(())
}
