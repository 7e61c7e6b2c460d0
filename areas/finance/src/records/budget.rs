//! A budget: the money of a fund in a fiscal year.

use octavo_records::StoreError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::sums::Sums;
use crate::money::Amount;

/// The status of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BudgetStatus {
    Active,
    Frozen,
    Inactive,
    Planned,
    Closed,
}

impl BudgetStatus {
    /// Whether transactions may touch it.
    #[must_use]
    pub fn takes_transactions(self) -> bool {
        matches!(self, BudgetStatus::Active | BudgetStatus::Planned)
    }
}

/// A stored budget with what rules read and write.
#[derive(Debug, Clone, PartialEq)]
pub struct Budget {
    pub id: Uuid,
    pub fund_id: Uuid,
    pub fiscal_year_id: Uuid,
    pub status: BudgetStatus,
    /// Per cent of the total funding that may be used; no limit without it.
    pub allowable_encumbrance: Option<Amount>,
    /// Per cent of the total funding that may be spent; no limit without it.
    pub allowable_expenditure: Option<Amount>,
    pub sums: Sums,
    /// The whole document as it was read.
    document: Map<String, Value>,
}

impl Budget {
    /// Reads a stored or checked document.
    ///
    /// # Errors
    /// When it is not a budget.
    pub fn read(document: Map<String, Value>) -> Result<Budget, StoreError> {
        let id = |name: &str| {
            let text = document.get(name).and_then(Value::as_str);
            let id = text.and_then(|text| Uuid::try_parse(text).ok());
            id.ok_or_else(|| StoreError::fault("a budget lacks an id"))
        };
        let status = document.get("budgetStatus").cloned().unwrap_or_default();
        Ok(Budget {
            id: id("id")?,
            fund_id: id("fundId")?,
            fiscal_year_id: id("fiscalYearId")?,
            status: serde_json::from_value(status)?,
            allowable_encumbrance: Amount::given(document.get("allowableEncumbrance")),
            allowable_expenditure: Amount::given(document.get("allowableExpenditure")),
            sums: Sums::read(&document),
            document,
        })
    }

    /// The key by which transactions find it.
    #[must_use]
    pub fn key(&self) -> (Uuid, Uuid) {
        (self.fund_id, self.fiscal_year_id)
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        let name = self.document.get("name").and_then(Value::as_str);
        name.unwrap_or_default()
    }

    /// A property of the document as it was read.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Value> {
        self.document.get(name)
    }

    /// The document with status, sums and computed amounts as they are now.
    #[must_use]
    pub fn document(&self) -> Map<String, Value> {
        let mut document = self.document.clone();
        document.insert("budgetStatus".to_owned(), json!(self.status));
        self.sums.write(&mut document);
        document
    }
}
