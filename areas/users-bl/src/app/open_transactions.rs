//! Counts the open transactions that prevent the deletion of a user.

use octavo_boxed::boxed;
use octavo_platform::Call;
use octavo_records::StoreError;
use uuid::Uuid;

use crate::rules::OpenTransactions;
use crate::store::transactions;

/// Counts what is open of a user.
#[boxed]
pub async fn open_transactions(call: &Call, user_id: Uuid) -> Result<OpenTransactions, StoreError> {
    let store = call.store();
    transactions::count(&store.database, call.tables(), user_id).await
}
