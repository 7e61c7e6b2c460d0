//! A lost item fee policy as circulation reads it: leniently, `null` counts as absent.

use jiff::Timestamp;
use octavo_fees::accounting::{Money, Rate};
use octavo_library::LostItemPolicyId;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{ACTUAL_COST_FEE, LOST_ITEM_FEE, PROCESSING_FEE, period};
use crate::loan_policy::Period;

/// A lost item fee policy.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LostItemPolicy {
    /// Its id; none for the policy of a loan that names none.
    pub id: Option<LostItemPolicyId>,
    /// How long after the due date a loan ages to lost; never when not set.
    pub item_aged_lost_overdue: Option<Period>,
    /// How long after that the patron is billed; at once when not set.
    pub patron_billed_after_aged_lost: Option<Period>,
    /// How long after the due date a recalled loan ages to lost.
    pub recalled_item_aged_lost_overdue: Option<Period>,
    /// How long after that the patron is billed.
    pub patron_billed_after_recalled_item_aged_lost: Option<Period>,
    /// The charge for the item.
    pub charge_amount_item: Option<ChargeAmount>,
    /// The processing fee.
    #[serde(deserialize_with = "known_rate")]
    pub lost_item_processing_fee: Option<Rate>,
    /// Whether the processing fee is charged for declared lost items.
    pub charge_amount_item_patron: Option<bool>,
    /// Whether the processing fee is charged for aged to lost items.
    pub charge_amount_item_system: Option<bool>,
    /// How long the actual cost can be billed; for ever when not set.
    pub lost_item_charge_fee_fine: Option<Period>,
    /// How long after the loss fees are refunded when the item returns; always when not set.
    pub fees_fines_shall_refunded: Option<Period>,
    /// Whether the processing fee is refunded too.
    pub returned_lost_item_processing_fee: Option<bool>,
    /// `Charge` if an overdue fine is charged when a lost item returns.
    pub lost_item_returned: Option<String>,
}

/// The charge for a lost item.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ChargeAmount {
    /// `anotherCost` for a set amount, `actualCost` for what staff find out.
    pub charge_type: Option<String>,
    /// The set amount.
    #[serde(deserialize_with = "known_rate")]
    pub amount: Option<Rate>,
}

impl LostItemPolicy {
    /// Whether the actual cost is charged.
    #[must_use]
    pub fn charges_actual_cost(&self) -> bool {
        self.charge_type() == Some("actualCost")
    }

    /// The set amount, if positive.
    #[must_use]
    pub fn set_cost(&self) -> Option<Money> {
        let amount = self.charge_amount_item.as_ref()?.amount?.amount();
        let charges = amount.is_positive() && self.charge_type() == Some("anotherCost");
        charges.then_some(amount)
    }

    /// Whether there is any charge for the item.
    #[must_use]
    pub fn charges_the_item(&self) -> bool {
        self.charges_actual_cost() || self.set_cost().is_some()
    }

    /// The processing fee of a declared lost item.
    #[must_use]
    pub fn declared_lost_processing_fee(&self) -> Option<Money> {
        self.processing_fee(self.charge_amount_item_patron)
    }

    /// The processing fee of an aged to lost item.
    #[must_use]
    pub fn aged_to_lost_processing_fee(&self) -> Option<Money> {
        self.processing_fee(self.charge_amount_item_system)
    }

    /// How long after its due date a loan ages to lost; `None` for never.
    #[must_use]
    pub fn ages_after(&self, recalled: bool) -> Option<&Period> {
        let overdue = if recalled {
            &self.recalled_item_aged_lost_overdue
        } else {
            &self.item_aged_lost_overdue
        };
        overdue
            .as_ref()
            .filter(|period| period::is_set(Some(period)))
    }

    /// When the patron is billed for a loan that ages to lost at an instant.
    #[must_use]
    pub fn billed_at(&self, recalled: bool, aged_at: Timestamp) -> Timestamp {
        let delay = if recalled {
            &self.patron_billed_after_recalled_item_aged_lost
        } else {
            &self.patron_billed_after_aged_lost
        };
        later(aged_at, delay.as_ref()).unwrap_or(aged_at)
    }

    /// Until when the actual cost can be billed; `None` for ever.
    #[must_use]
    pub fn actual_cost_expires_at(&self, lost_at: Timestamp) -> Option<Timestamp> {
        later(lost_at, self.lost_item_charge_fee_fine.as_ref())
    }

    /// Whether fees for a loss at an instant are refunded now.
    #[must_use]
    pub fn gives_back(&self, lost_at: Timestamp, now: Timestamp) -> bool {
        later(lost_at, self.fees_fines_shall_refunded.as_ref()).is_none_or(|end| end >= now)
    }

    /// Whether an overdue fine is charged when a lost item is returned or renewed.
    #[must_use]
    pub fn fines_what_returns(&self) -> bool {
        let returned = self.lost_item_returned.as_deref();
        returned.is_some_and(|returned| returned.eq_ignore_ascii_case("charge"))
    }

    /// Whether the processing fee is refunded with that for the item.
    #[must_use]
    pub fn gives_the_work_back(&self) -> bool {
        self.returned_lost_item_processing_fee == Some(true)
    }

    /// The names of the automatic fee types for a declared lost item, including the actual cost fee.
    #[must_use]
    pub fn fee_types_when_declared_lost(&self) -> Vec<&'static str> {
        self.fee_types(self.declared_lost_processing_fee())
    }

    /// Those for an aged to lost item.
    #[must_use]
    pub fn fee_types_when_aged_to_lost(&self) -> Vec<&'static str> {
        self.fee_types(self.aged_to_lost_processing_fee())
    }

    fn fee_types(&self, work: Option<Money>) -> Vec<&'static str> {
        let item = self.set_cost().map(|_| LOST_ITEM_FEE);
        let work = work.map(|_| PROCESSING_FEE);
        let actual = self.charges_actual_cost().then_some(ACTUAL_COST_FEE);
        item.into_iter().chain(work).chain(actual).collect()
    }

    fn charge_type(&self) -> Option<&str> {
        self.charge_amount_item.as_ref()?.charge_type.as_deref()
    }

    fn processing_fee(&self, charged: Option<bool>) -> Option<Money> {
        let amount = self.lost_item_processing_fee?.amount();
        (amount.is_positive() && charged == Some(true)).then_some(amount)
    }
}

fn later(from: Timestamp, period: Option<&Period>) -> Option<Timestamp> {
    let period = period.filter(|period| period::is_set(Some(period)))?;
    period::after(from, period)
}

/// An amount; an invalid one counts as absent.
fn known_rate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Rate>, D::Error> {
    let value = Option::<Value>::deserialize(deserializer)?;
    Ok(value.and_then(|value| Rate::deserialize(value).ok()))
}
