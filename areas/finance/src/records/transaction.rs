//! A transaction of finance: money that is allocated, transferred, encumbered, awaits payment, is paid or
//! credited. "Fund transaction" here, since a transaction is the database's elsewhere.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::money::Amount;

/// FOLIO's types of transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    Allocation,
    Credit,
    Encumbrance,
    Payment,
    #[serde(rename = "Pending payment")]
    PendingPayment,
    #[serde(rename = "Rollover transfer")]
    RolloverTransfer,
    Transfer,
}

impl Kind {
    /// FOLIO's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Allocation => "Allocation",
            Kind::Credit => "Credit",
            Kind::Encumbrance => "Encumbrance",
            Kind::Payment => "Payment",
            Kind::PendingPayment => "Pending payment",
            Kind::RolloverTransfer => "Rollover transfer",
            Kind::Transfer => "Transfer",
        }
    }
}

/// What a transaction arose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    User,
    PoLine,
    Invoice,
}

/// Whether an encumbrance still commits money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum EncumbranceStatus {
    Released,
    Unreleased,
    /// Of an order that was unopened.
    Pending,
}

/// The type of the order of an encumbrance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderType {
    #[serde(rename = "One-Time")]
    OneTime,
    Ongoing,
}

/// The status of the order of an encumbrance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderStatus {
    Pending,
    Open,
    Closed,
}

/// What a pending payment does to an encumbrance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AwaitingPayment {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encumbrance_id: Option<Uuid>,
    #[serde(default)]
    pub release_encumbrance: bool,
}

/// The part of a transaction that only encumbrances have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Encumbrance {
    #[serde(default)]
    pub amount_awaiting_payment: Amount,
    #[serde(default)]
    pub amount_credited: Amount,
    #[serde(default)]
    pub amount_expended: Amount,
    pub initial_amount_encumbered: Amount,
    pub status: EncumbranceStatus,
    pub order_type: OrderType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_status: Option<OrderStatus>,
    pub subscription: bool,
    pub re_encumber: bool,
    pub source_purchase_order_id: Uuid,
    pub source_po_line_id: Uuid,
}

impl Encumbrance {
    /// What is left of the initial amount; not limited either way.
    #[must_use]
    pub fn left(&self) -> Amount {
        self.initial_amount_encumbered - self.amount_awaiting_payment - self.amount_expended
            + self.amount_credited
    }
}

/// A transaction with all its properties.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FundTransaction {
    pub id: Uuid,
    #[serde(rename = "_version", default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    pub amount: Amount,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub awaiting_payment: Option<AwaitingPayment>,
    pub currency: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encumbrance: Option<Encumbrance>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expense_class_id: Option<Uuid>,
    pub fiscal_year_id: Uuid,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_fund_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invoice_cancelled: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_encumbrance_id: Option<Uuid>,
    pub source: Source,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_fiscal_year_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_invoice_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_invoice_line_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_fund_id: Option<Uuid>,
    #[serde(rename = "transactionType")]
    pub kind: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voided_amount: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
}

impl FundTransaction {
    /// A transaction with nothing but what each of them has; the rest is set on it.
    #[must_use]
    pub fn new(
        kind: Kind,
        source: Source,
        fiscal_year_id: Uuid,
        amount: Amount,
        currency: &str,
    ) -> Self {
        FundTransaction {
            id: octavo_records::new_id(),
            version: None,
            amount,
            awaiting_payment: None,
            currency: currency.to_owned(),
            description: None,
            encumbrance: None,
            expense_class_id: None,
            fiscal_year_id,
            from_fund_id: None,
            invoice_cancelled: None,
            payment_encumbrance_id: None,
            source,
            source_fiscal_year_id: None,
            source_invoice_id: None,
            source_invoice_line_id: None,
            tags: None,
            to_fund_id: None,
            kind,
            voided_amount: None,
            metadata: None,
        }
    }

    /// Whether its invoice is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.invoice_cancelled == Some(true)
    }

    /// The encumbrance that a pending payment, payment or credit is linked to.
    #[must_use]
    pub fn linked_encumbrance(&self) -> Option<Uuid> {
        match self.kind {
            Kind::PendingPayment => self.awaiting_payment?.encumbrance_id,
            Kind::Payment | Kind::Credit => self.payment_encumbrance_id,
            _ => None,
        }
    }

    /// The keys of the budgets that it concerns: fund and fiscal year.
    pub fn budget_keys(&self) -> impl Iterator<Item = (Uuid, Uuid)> {
        let year = self.fiscal_year_id;
        let funds = [self.from_fund_id, self.to_fund_id];
        funds.into_iter().flatten().map(move |fund| (fund, year))
    }

    /// The document as it is stored.
    ///
    /// # Errors
    /// When an amount is not a number, which no amount is.
    pub fn document(&self) -> Result<Map<String, Value>, serde_json::Error> {
        match serde_json::to_value(self)? {
            Value::Object(document) => Ok(document),
            _ => Ok(Map::new()),
        }
    }
}
