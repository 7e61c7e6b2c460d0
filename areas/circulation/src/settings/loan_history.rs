//! The tenant's setting for anonymizing closed loans.

use serde_json::{Map, Value};

use super::flag;
use crate::loan_policy::Period;

/// When a closed loan is anonymized.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ClosingType {
    /// As soon as it is closed.
    Immediately,
    /// Some time after it was closed.
    Interval,
    Never,
    /// Not set, which means never.
    #[default]
    Unknown,
}

/// The setting `loan_history`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoanHistory {
    /// For loans, or for those without fees.
    pub loan: ClosingType,
    /// For loans with fees, when they are treated differently; counted from the closing of the last fee.
    pub fee_fine: ClosingType,
    /// Whether loans with fees are treated differently.
    pub treats_fees_differently: bool,
    /// The period after a loan's closing.
    pub loan_period: Option<Period>,
    /// The period after the last fee's closing.
    pub fee_fine_period: Option<Period>,
}

impl LoanHistory {
    pub(super) fn from_value(value: &Map<String, Value>) -> LoanHistory {
        let of = |name: &str| {
            let text = value.get("closingType").and_then(|one| one.get(name));
            match text.and_then(Value::as_str) {
                Some("immediately") => ClosingType::Immediately,
                Some("interval") => ClosingType::Interval,
                Some("never") => ClosingType::Never,
                _ => ClosingType::Unknown,
            }
        };
        let period = |name: &str| -> Option<Period> {
            serde_json::from_value(value.get(name)?.clone()).ok()
        };
        LoanHistory {
            loan: of("loan"),
            fee_fine: of("feeFine"),
            treats_fees_differently: flag(value, "treatEnabled"),
            loan_period: period("loan"),
            fee_fine_period: period("feeFine"),
        }
    }
}
