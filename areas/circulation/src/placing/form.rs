//! The first checks of a request, before referenced records: status, level and fulfillment preference.
//! FOLIO stops at the first error.

use octavo_library::{FulfillmentPreference, RequestLevel, RequestStatus};

use super::request::PlaceRequest;
use crate::refusal::PlacingRefusal;

/// Status, level and fulfillment of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Its status.
    pub status: RequestStatus,
    /// For an item or for a title.
    pub level: RequestLevel,
    /// How the requester gets the item.
    pub fulfillment: FulfillmentPreference,
}

/// Why they are refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// FOLIO answers 400 with this message.
    Malformed(String),
    Refused(PlacingRefusal),
}

impl Form {
    /// Reads the form of a request. One without a status is new.
    ///
    /// # Errors
    /// The first error.
    pub fn of(request: &PlaceRequest, titles: bool) -> Result<Form, Unfit> {
        let status = match request.body().get("status") {
            None => RequestStatus::NotYetFilled,
            Some(status) => {
                let named = status.as_str().and_then(RequestStatus::named_in_any_case);
                named.ok_or_else(|| Unfit::Malformed(statuses()))?
            }
        };
        let level = request.level();
        let level = level.filter(|level| titles || *level == RequestLevel::Item);
        let level = level.ok_or_else(|| {
            let given = request.given("requestLevel");
            Unfit::Refused(PlacingRefusal::LevelNotAllowed { given, titles })
        })?;
        let fulfillment = request.text("fulfillmentPreference");
        let fulfillment = fulfillment.and_then(FulfillmentPreference::named);
        let fulfillment = fulfillment.ok_or_else(|| {
            let given = request.given("fulfillmentPreference");
            Unfit::Refused(PlacingRefusal::FulfillmentNotAllowed { given })
        })?;
        Ok(Form {
            status,
            level,
            fulfillment,
        })
    }
}

fn statuses() -> String {
    let names = RequestStatus::ALL.iter();
    let names: Vec<String> = names.map(|status| format!("\"{status}\"")).collect();
    let names = names.join(", ");
    format!("Request status must be one of the following: {names}")
}
