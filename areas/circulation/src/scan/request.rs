//! The bodies of scans: FOLIO's bodies of check-in and check-out, with the answers and modifiers.

use jiff::Timestamp;
use octavo_library::wire_time;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Answers;
use crate::check_in::{CheckInRequest, Modifiers};
use crate::check_out::CheckOutRequest;
use crate::refusal::Refusal;

/// A scan at check-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckInScan {
    /// FOLIO's request, with the modifiers.
    pub request: CheckInRequest,
    pub answers: Answers,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Extra {
    id: Option<Uuid>,
    answers: Answers,
    amnesty: bool,
    ignore_holds: bool,
    in_house_use: bool,
}

impl CheckInScan {
    /// Reads a body. Without a date the item is handed in now.
    ///
    /// # Errors
    /// The first property that is missing, blank or invalid.
    pub fn from_body(mut body: Value, now: Timestamp) -> Result<Self, ScanError> {
        if let Some(body) = body.as_object_mut() {
            let dated = body.get("checkInDate").is_some_and(|date| !date.is_null());
            if !dated {
                body.insert("checkInDate".to_owned(), json!(wire_time::format(now)));
            }
        }
        let mut request = CheckInRequest::from_body(&body)?;
        let extra: Extra = serde_json::from_value(body)?;
        request.modifiers = Modifiers {
            record_id: extra.id,
            amnesty: extra.amnesty,
            ignore_holds: extra.ignore_holds,
            in_house_only: extra.in_house_use,
            settles_claim: true,
        };
        Ok(Self {
            request,
            answers: extra.answers,
        })
    }
}

/// Why a body is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    #[error("refused")]
    Refused(Box<Refusal>),
    /// The answers or modifiers are malformed.
    #[error("{0}")]
    Malformed(#[from] serde_json::Error),
}

impl From<Refusal> for ScanError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

/// A scan at check-out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct CheckOutScan {
    /// FOLIO's request.
    #[serde(flatten)]
    pub request: CheckOutRequest,
    #[serde(default)]
    pub answers: Answers,
}
