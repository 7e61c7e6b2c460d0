//! Open transactions, which prevent a user's deletion.

use octavo_boxed::boxed;
use octavo_platform::Call;
use octavo_records::StoreError;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::store::transactions;

/// The number of a user's open transactions by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenTransactions {
    /// Open loans.
    pub loans: i64,
    /// Open requests.
    pub requests: i64,
    /// Open charges.
    pub fees_fines: i64,
    /// Blocks by staff that have not expired.
    pub blocks: i64,
    /// Sponsors and proxies.
    pub proxies: i64,
}

impl OpenTransactions {
    /// Whether there are any.
    #[must_use]
    pub fn any(&self) -> bool {
        let all = [
            self.loans,
            self.requests,
            self.fees_fines,
            self.blocks,
            self.proxies,
        ];
        all.iter().any(|number| *number > 0)
    }

    /// In FOLIO's form.
    #[must_use]
    pub fn document(&self, user: &Value) -> Value {
        let mut document = json!({
            "userId": user["id"],
            "hasOpenTransactions": self.any(),
            "loans": self.loans,
            "requests": self.requests,
            "feesFines": self.fees_fines,
            "proxies": self.proxies,
            "blocks": self.blocks,
        });
        if let Some(barcode) = user["barcode"].as_str() {
            document["userBarcode"] = json!(barcode);
        }
        document
    }
}

/// Counts a user's open transactions.
#[boxed]
pub async fn open_transactions(call: &Call, user_id: Uuid) -> Result<OpenTransactions, StoreError> {
    let store = call.store();
    transactions::count(&store.database, call.tables(), user_id).await
}
