//! What the tenant has set for orders, and what the user may do.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_configuration::app::locale::Locale;
use octavo_records::{Context, Executor, StoreError};
use serde_json::Value;

use crate::refusal::{Declined, Refusal};
use crate::rules::completed::MakingDefaults;
use crate::store::config::entries_and_locale;

/// The module of the settings.
const MODULE: &str = "ORDERS";

/// Acquisitions units do not count for those who have it.
pub const BYPASS: &str = "orders.acquisition-units.bypass.execute";

/// The tenant's settings for orders.
#[derive(Debug, Clone)]
pub struct Terms {
    values: HashMap<String, String>,
    /// The currency that totals are in.
    pub currency: String,
}

impl Terms {
    fn text<'t>(&'t self, name: &str, otherwise: &'t str) -> &'t str {
        self.values.get(name).map_or(otherwise, String::as_str)
    }

    fn flag(&self, name: &str, property: &str) -> bool {
        let setting = self.values.get(name).and_then(|text| {
            let parsed: Option<Value> = serde_json::from_str(text).ok();
            parsed?.get(property)?.as_bool()
        });
        setting.unwrap_or(false)
    }

    /// The greatest number of lines of an order.
    ///
    /// # Errors
    /// When the setting is no number.
    pub fn lines_limit(&self) -> Result<usize, Declined> {
        let text = self.text("poLines-limit", "1").trim();
        text.parse()
            .map_err(|_| Refusal::text(500, "Invalid limit value in configuration.").into())
    }

    /// Sets the greatest number of lines for an act that has one of its own.
    pub fn set_lines_limit(&mut self, limit: i64) {
        self.values
            .insert("poLines-limit".to_owned(), limit.to_string());
    }

    #[must_use]
    pub fn is_approval_required(&self) -> bool {
        self.flag("approvals", "isApprovalRequired")
    }

    /// Whether new instances are made without looking for one with the same product ids.
    #[must_use]
    pub fn is_matching_disabled(&self) -> bool {
        self.flag("disableInstanceMatching", "isInstanceMatchingDisabled")
    }

    #[must_use]
    pub fn making(&self) -> MakingDefaults {
        MakingDefaults::stored(self.values.get("createInventory").map(String::as_str))
    }

    #[must_use]
    pub fn instance_type_code(&self) -> &str {
        self.instance_code("Type", "zzz")
    }

    #[must_use]
    pub fn instance_status_code(&self) -> &str {
        self.instance_code("Status", "temp")
    }

    fn instance_code(&self, of: &str, otherwise: &'static str) -> &str {
        self.text(&format!("inventory-instance{of}Code"), otherwise)
    }

    #[must_use]
    pub fn loan_type_name(&self) -> &str {
        self.text("inventory-loanTypeName", "Can circulate")
    }

    #[must_use]
    pub fn holdings_source_name(&self) -> &str {
        self.text("inventory-holdingsSourceName", "FOLIO")
    }
}

/// Reads the tenant's settings.
#[boxed]
pub async fn terms(executor: &dyn Executor, context: &Context<'_>) -> Result<Terms, StoreError> {
    let (values, stored) = entries_and_locale(executor, context.tables(), MODULE).await?;
    Ok(Terms {
        values,
        currency: Locale::stored(stored.as_deref()).currency,
    })
}

/// What the user may do beyond what a route asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rights {
    /// Acquisitions units do not count.
    pub bypass_units: bool,
    /// Give units to a new order.
    pub assign_units: bool,
    /// Change the units of an order.
    pub manage_units: bool,
    /// The same of titles.
    pub assign_title_units: bool,
    pub manage_title_units: bool,
    pub approve: bool,
    pub reopen: bool,
    pub unopen: bool,
}

impl Rights {
    /// The rights of a user with these permissions.
    #[must_use]
    pub fn of(has: impl Fn(&str) -> bool) -> Rights {
        Rights {
            bypass_units: has(BYPASS),
            assign_units: has("orders.acquisitions-units-assignments.assign"),
            manage_units: has("orders.acquisitions-units-assignments.manage"),
            assign_title_units: has("titles.acquisitions-units-assignments.assign"),
            manage_title_units: has("titles.acquisitions-units-assignments.manage"),
            approve: has("orders.item.approve"),
            reopen: has("orders.item.reopen"),
            unopen: has("orders.item.unopen"),
        }
    }
}
