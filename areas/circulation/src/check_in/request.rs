//! The body of a check-in. FOLIO checks its properties one by one and reports the first error, so it is
//! parsed by hand.

use jiff::Timestamp;
use octavo_library::{ServicePointId, wire_time};
use serde_json::Value;
use uuid::Uuid;

use crate::refusal::Refusal;

/// What is handed in, where and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckInRequest {
    /// The item's barcode.
    pub item_barcode: String,
    /// Where the item is handed in.
    pub service_point_id: ServicePointId,
    /// When it counts as handed in.
    pub check_in_date: Timestamp,
    /// The resolution of a claim that the item was returned.
    pub claimed_returned_resolution: Option<ClaimResolution>,
    /// The patron action session, by which notices are gathered.
    pub session_id: Option<Uuid>,
    /// What FOLIO's request does not have.
    pub modifiers: Modifiers,
}

/// How staff have set this desk; all off for FOLIO's request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// The id of the check-in's record, chosen by the client: a repeated scan changes nothing.
    pub record_id: Option<Uuid>,
    /// No overdue fine is charged.
    pub amnesty: bool,
    /// A request that nobody serves yet does not get the item.
    pub ignore_holds: bool,
    /// Refuse whatever is not a use in the house.
    pub in_house_only: bool,
    /// The fees for a loss before the claim are cancelled with the claim. FOLIO's client does that by itself.
    pub settles_claim: bool,
}

/// The resolution of a claim that an item was returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimResolution {
    /// The library had it.
    FoundByLibrary,
    /// The patron brought it.
    ReturnedByPatron,
}

impl CheckInRequest {
    /// Reads a body; unknown properties are ignored.
    ///
    /// # Errors
    /// The first property that is missing, blank or invalid.
    pub fn from_body(body: &Value) -> Result<Self, Refusal> {
        let text = |property: &str| {
            body.get(property)
                .and_then(Value::as_str)
                .filter(|text| !text.trim().is_empty())
        };
        let item_barcode = text("itemBarcode").ok_or(Refusal::CheckInWithoutItemBarcode)?;
        let service_point_id = text("servicePointId")
            .and_then(ServicePointId::parse)
            .ok_or(Refusal::CheckInWithoutServicePoint)?;
        let check_in_date = text("checkInDate")
            .and_then(wire_time::parse)
            .ok_or(Refusal::CheckInWithoutDate)?;
        Ok(Self {
            item_barcode: item_barcode.to_owned(),
            service_point_id,
            check_in_date,
            claimed_returned_resolution: resolution(body.get("claimedReturnedResolution"))?,
            session_id: text("sessionId").and_then(|id| Uuid::try_parse(id).ok()),
            modifiers: Modifiers::default(),
        })
    }
}

fn resolution(value: Option<&Value>) -> Result<Option<ClaimResolution>, Refusal> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text == "Found by library" => {
            Ok(Some(ClaimResolution::FoundByLibrary))
        }
        Some(Value::String(text)) if text == "Returned by patron" => {
            Ok(Some(ClaimResolution::ReturnedByPatron))
        }
        Some(other) => {
            let value = other
                .as_str()
                .map_or_else(|| other.to_string(), str::to_owned);
            Err(Refusal::ClaimResolutionNotRecognised { value })
        }
    }
}
