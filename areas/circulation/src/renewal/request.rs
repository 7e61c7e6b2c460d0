//! The body of a renewal, by barcodes or by ids. Unknown properties are ignored, as in FOLIO.

use jiff::Timestamp;
use octavo_library::{ServicePointId, wire_time};
use serde::Deserialize;

use crate::refusal::{OverridableBlock, Refusal, RenewalReason};

/// A request for renewal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenewalRequest {
    /// The item and its borrower.
    pub key: RenewalKey,
    /// Which blocks staff override.
    pub overrides: RenewalOverrides,
    /// The service point.
    pub service_point_id: Option<ServicePointId>,
}

/// How the loan is looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenewalKey {
    Barcodes {
        /// The item's.
        item: String,
        /// The borrower's.
        user: String,
    },
    /// By ids, as they were written.
    Ids {
        /// The item's.
        item: String,
        /// The borrower's.
        user: String,
    },
}

/// Which blocks staff override, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenewalOverrides {
    /// Renew although the patron is blocked.
    patron_block: Option<Requested>,
    /// Renew although the loan cannot be renewed.
    renewal_block: Option<Requested>,
    /// Renew to a date given by hand.
    renewal_due_date_required_block: Option<DueDateGiven>,
    /// The reason, stored with the loan.
    comment: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
struct Requested {}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DueDateGiven {
    #[serde(default, with = "wire_time::optional")]
    due_date: Option<Timestamp>,
}

/// The body of either route.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenewalBody {
    item_barcode: Option<String>,
    user_barcode: Option<String>,
    item_id: Option<String>,
    user_id: Option<String>,
    service_point_id: Option<String>,
    override_blocks: Option<RenewalOverrides>,
}

impl RenewalBody {
    /// The request by barcodes.
    ///
    /// # Errors
    /// When one is missing.
    pub fn by_barcodes(self) -> Result<RenewalRequest, Refusal> {
        let item = filled(&self.item_barcode).ok_or(RenewalReason::WithoutItemBarcode)?;
        let user = filled(&self.user_barcode).ok_or(RenewalReason::WithoutUserBarcode)?;
        Ok(self.with(RenewalKey::Barcodes { item, user }))
    }

    /// The request by ids.
    ///
    /// # Errors
    /// When one is missing.
    pub fn by_ids(self) -> Result<RenewalRequest, Refusal> {
        let item = filled(&self.item_id).ok_or(RenewalReason::WithoutItemId)?;
        let user = filled(&self.user_id).ok_or(RenewalReason::WithoutUserId)?;
        Ok(self.with(RenewalKey::Ids { item, user }))
    }

    fn with(self, key: RenewalKey) -> RenewalRequest {
        let point = filled(&self.service_point_id);
        RenewalRequest {
            key,
            overrides: self.override_blocks.unwrap_or_default(),
            service_point_id: point.and_then(|id| ServicePointId::parse(&id)),
        }
    }
}

impl RenewalOverrides {
    /// Whether an override of the block is asked for.
    #[must_use]
    pub fn requests(&self, block: OverridableBlock) -> bool {
        match block {
            OverridableBlock::Patron => self.patron_block.is_some(),
            OverridableBlock::Renewal => self.renewal_block.is_some(),
            OverridableBlock::RenewalDueDateRequired => {
                self.renewal_due_date_required_block.is_some()
            }
            OverridableBlock::ItemLimit | OverridableBlock::ItemNotLoanable => false,
        }
    }

    /// Whether the loan is renewed through an override, whatever the policy says.
    #[must_use]
    pub fn of_renewal(&self) -> bool {
        self.requests(OverridableBlock::Renewal)
            || self.requests(OverridableBlock::RenewalDueDateRequired)
    }

    /// The due date given by hand.
    #[must_use]
    pub fn due_date(&self) -> Option<Timestamp> {
        self.renewal_due_date_required_block.as_ref()?.due_date
    }

    /// The reason, if not blank.
    #[must_use]
    pub fn comment(&self) -> Option<String> {
        filled(&self.comment)
    }
}

fn filled(text: &Option<String>) -> Option<String> {
    text.clone().filter(|text| !text.trim().is_empty())
}
