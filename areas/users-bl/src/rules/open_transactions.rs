//! The open transactions that prevent the deletion of a user, without I/O.

use serde_json::{Value, json};

/// How much is open of a user.
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
    /// Whether anything is.
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
