//! The body of a check-out. Unknown properties are ignored, as in FOLIO; missing barcodes are refused
//! later, together with all other errors.

use jiff::Timestamp;
use octavo_library::{LoanId, LoanPolicyId, ServicePointId, wire_time};
use serde::{Deserialize, Deserializer, de};
use uuid::Uuid;

use crate::refusal::OverridableBlock;

/// Who borrows what, where and when.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckOutRequest {
    /// The id chosen by the client, which becomes the loan's unless it is taken: FOLIO's clients send
    /// one. A repeated request with it finds the loan that it made.
    #[serde(default, deserialize_with = "id_if_any")]
    pub id: Option<LoanId>,
    /// The item's barcode.
    pub item_barcode: Option<String>,
    /// The borrower's barcode.
    pub user_barcode: Option<String>,
    /// The barcode of the person acting for the borrower.
    #[serde(default, deserialize_with = "filled_text")]
    pub proxy_user_barcode: Option<String>,
    /// Where the item is lent.
    #[serde(default, deserialize_with = "filled_id")]
    pub service_point_id: Option<ServicePointId>,
    /// When the item is lent; now, if not given.
    #[serde(default, with = "wire_time::optional")]
    pub loan_date: Option<Timestamp>,
    /// Which blocks staff override.
    #[serde(default, deserialize_with = "or_default")]
    pub override_blocks: OverrideBlocks,
    /// A forced loan policy, instead of the rules'.
    #[serde(default, deserialize_with = "filled_id")]
    pub force_loan_policy_id: Option<LoanPolicyId>,
}

/// Which blocks staff override, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OverrideBlocks {
    /// Lend although the policy forbids it.
    pub item_not_loanable_block: Option<ItemNotLoanableOverride>,
    /// Lend although the patron is blocked.
    pub patron_block: Option<Requested>,
    /// Lend although the patron has reached a limit.
    pub item_limit_block: Option<Requested>,
    /// The reason, stored with the loan.
    pub comment: Option<String>,
}

/// An override of "not loanable" must bring its own due date.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemNotLoanableOverride {
    #[serde(default, with = "wire_time::optional")]
    pub due_date: Option<Timestamp>,
}

/// An override that is asked for by an empty object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Requested {}

impl OverrideBlocks {
    /// Whether an override of the block is asked for.
    pub fn requests(&self, block: OverridableBlock) -> bool {
        match block {
            OverridableBlock::Patron => self.patron_block.is_some(),
            OverridableBlock::ItemLimit => self.item_limit_block.is_some(),
            OverridableBlock::ItemNotLoanable => self.item_not_loanable_block.is_some(),
            OverridableBlock::Renewal | OverridableBlock::RenewalDueDateRequired => false,
        }
    }
}

fn filled_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.filter(|text| !text.trim().is_empty()))
}

fn filled_id<'de, D, I>(deserializer: D) -> Result<Option<I>, D::Error>
where
    D: Deserializer<'de>,
    I: From<Uuid>,
{
    let text = filled_text(deserializer)?;
    let id = text.map(|text| Uuid::try_parse(&text).map_err(de::Error::custom));
    Ok(id.transpose()?.map(I::from))
}

/// An invalid id is ignored, since FOLIO ignores them all.
fn id_if_any<'de, D, I>(deserializer: D) -> Result<Option<I>, D::Error>
where
    D: Deserializer<'de>,
    I: From<Uuid>,
{
    let value = serde_json::Value::deserialize(deserializer)?;
    let id = value.as_str().and_then(|text| Uuid::try_parse(text).ok());
    Ok(id.filter(|id| !id.is_nil()).map(I::from))
}

fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}
