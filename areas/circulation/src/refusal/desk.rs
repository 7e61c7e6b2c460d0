//! Refusals of settings, print events and anonymization. As in FOLIO some have an empty parameter.

use serde_json::{Value, json};

/// Why such an operation is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeskRefusal {
    /// The id of a request is invalid.
    RequestIdInvalid {
        /// What was given.
        id: String,
    },
    /// The request is open.
    RequestNotClosed {
        /// The request.
        id: String,
    },
    /// The request is neither closed nor about to be.
    RequestNotEligible {
        /// The request.
        id: String,
    },
    /// A setting lacks a property or has an unknown one.
    SettingInvalid,
    /// The id of a setting is invalid.
    SettingIdInvalid,
    /// A print event lacks a property or has an unknown one.
    PrintEventInvalid,
    /// The print event log has no setting.
    PrintLogUndecided,
    /// The print event log is disabled.
    PrintLogOff,
    /// One of the printed requests does not exist, or is named twice.
    PrintedRequestUnknown,
}

impl DeskRefusal {
    /// FOLIO's message.
    #[must_use]
    pub fn message(&self) -> &'static str {
        match self {
            DeskRefusal::RequestIdInvalid { .. } => "invalidRequestId",
            DeskRefusal::RequestNotClosed { .. } => "requestNotClosed",
            DeskRefusal::RequestNotEligible { .. } => "requestNotEligibleForAnonymization",
            DeskRefusal::SettingInvalid => "Circulation setting JSON is invalid",
            DeskRefusal::SettingIdInvalid => "Circulation setting ID is not a valid UUID",
            DeskRefusal::PrintEventInvalid => "Print Event Request  JSON is invalid",
            DeskRefusal::PrintLogUndecided => "No configuration found for print event feature",
            DeskRefusal::PrintLogOff => "print event feature is disabled for this tenant",
            DeskRefusal::PrintedRequestUnknown => "invalid request found",
        }
    }

    /// The error object for the body's `errors` list.
    #[must_use]
    pub fn to_error(&self) -> Value {
        let (key, value) = match self {
            DeskRefusal::RequestIdInvalid { id }
            | DeskRefusal::RequestNotClosed { id }
            | DeskRefusal::RequestNotEligible { id } => ("requestId", id.as_str()),
            _ => ("", ""),
        };
        json!({"message": self.message(), "parameters": [{"key": key, "value": value}]})
    }
}
