//! Requests for reports, from bodies that fit their shapes.

use octavo_library::{FeeFineOwnerId, ServicePointId};
use serde::Deserialize;

/// What was refunded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refunds {
    /// The first day.
    pub start_date: Option<String>,
    /// The last day.
    pub end_date: Option<String>,
    /// The owners; empty for all.
    #[serde(default)]
    pub fee_fine_owners: Vec<FeeFineOwnerId>,
}

/// What was paid at a service point.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CashDrawer {
    /// The first day.
    pub start_date: Option<String>,
    /// The last day.
    pub end_date: Option<String>,
    pub created_at: ServicePointId,
    /// Who took the payments; empty for all.
    #[serde(default)]
    pub sources: Vec<String>,
}

/// Who took payments at a service point.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sources {
    pub created_at: ServicePointId,
}

/// All actions on the accounts of an owner.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Financial {
    /// The first day.
    pub start_date: Option<String>,
    /// The last day.
    pub end_date: Option<String>,
    /// The owner.
    pub fee_fine_owner: FeeFineOwnerId,
    /// The service points; empty for all.
    #[serde(default)]
    pub created_at: Vec<ServicePointId>,
}
