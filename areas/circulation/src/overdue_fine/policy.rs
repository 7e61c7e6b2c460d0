//! An overdue fine policy as circulation reads it: leniently, `null` counts as absent.

use octavo_fees::accounting::Rate;
use serde::{Deserialize, Deserializer};

/// An overdue fine policy.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OverdueFinePolicy {
    /// The fine.
    pub overdue_fine: Option<Fine>,
    /// The maximal fine; 0 for no limit. Without it nothing is charged.
    pub max_overdue_fine: Option<Rate>,
    /// The fine for a recalled loan.
    pub overdue_recall_fine: Option<Fine>,
    /// The maximal fine for a recalled loan.
    pub max_overdue_recall_fine: Option<Rate>,
    /// Whether closed hours count.
    #[serde(deserialize_with = "null_as_default")]
    pub count_closed: bool,
    /// Whether a recalled loan has no grace period.
    #[serde(deserialize_with = "null_as_default")]
    pub grace_period_recall: bool,
    /// Whether a renewal costs nothing.
    #[serde(deserialize_with = "null_as_default")]
    pub forgive_overdue_fine: bool,
}

/// An amount for each interval begun.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Fine {
    /// The amount.
    pub quantity: Option<Rate>,
    pub interval_id: Option<Interval>,
}

/// An interval, as FOLIO counts it: every month has 31 days, every year 365.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Interval {
    /// 1 minute.
    Minute,
    /// 60 minutes.
    Hour,
    /// 24 hours.
    Day,
    /// 7 days.
    Week,
    /// 31 days.
    Month,
    /// 365 days.
    Year,
}

impl Interval {
    /// Its length.
    #[must_use]
    pub const fn minutes(self) -> i64 {
        match self {
            Interval::Minute => 1,
            Interval::Hour => 60,
            Interval::Day => 1_440,
            Interval::Week => 10_080,
            Interval::Month => 44_640,
            Interval::Year => 525_600,
        }
    }
}

impl OverdueFinePolicy {
    /// The amount per interval, its length, and the maximal fine.
    #[must_use]
    pub fn terms(&self, recalled: bool) -> Option<(Rate, Interval, Rate)> {
        let (fine, most) = match recalled {
            true => (&self.overdue_recall_fine, self.max_overdue_recall_fine),
            false => (&self.overdue_fine, self.max_overdue_fine),
        };
        let fine = fine.as_ref()?;
        let quantity = fine.quantity.filter(|quantity| quantity.is_positive())?;
        Some((quantity, fine.interval_id?, most?))
    }

    /// Whether it can charge anything.
    #[must_use]
    pub fn fines(&self) -> bool {
        self.terms(false).is_some() || self.terms(true).is_some()
    }
}

fn null_as_default<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
