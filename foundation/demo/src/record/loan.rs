//! An open loan.

use jiff::Timestamp;
use uuid::Uuid;

use super::Audit;
use crate::document::{Document, table};
use crate::json::Json;
use crate::policies::Policies;

/// The properties in which open loans differ.
pub(crate) struct Loan {
    pub id: Uuid,
    pub item_id: Uuid,
    pub location_id: Uuid,
    pub patron_id: Uuid,
    pub patron_group_id: Uuid,
    pub service_point_id: Uuid,
    pub loan_date: Timestamp,
    pub due_date: Timestamp,
    /// The number of renewals.
    pub renewals: u64,
    pub policies: Policies,
    pub audit: Audit,
}

impl Loan {
    pub(crate) fn document(&self) -> Document {
        let json = Json::object(1_000, |json| {
            json.id("id", self.id);
            json.id("userId", self.patron_id);
            json.id("itemId", self.item_id);
            json.id("itemEffectiveLocationIdAtCheckOut", self.location_id);
            json.nested("status", |json| json.text("name", "Open"));
            json.instant("loanDate", self.loan_date);
            json.instant("dueDate", self.due_date);
            json.text(
                "action",
                if self.renewals > 0 {
                    "renewed"
                } else {
                    "checkedout"
                },
            );
            json.text("itemStatus", "Checked out");
            if self.renewals > 0 {
                json.number("renewalCount", self.renewals);
            }
            json.id("loanPolicyId", self.policies.loan_policy_id);
            json.id("checkoutServicePointId", self.service_point_id);
            json.id("patronGroupIdAtCheckout", self.patron_group_id);
            json.id("overdueFinePolicyId", self.policies.overdue_fine_policy_id);
            json.id("lostItemPolicyId", self.policies.lost_item_policy_id);
            self.audit.write(json);
        });
        Document {
            table: table::LOAN,
            id: self.id,
            json,
        }
    }
}
