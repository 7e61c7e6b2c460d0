//! What the settings of circulation say, with FOLIO's defaults for what they leave out. It reads
//! values that are at hand; where they are stored is the store's business.

mod loan_history;
mod request_anonymization;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use serde_json::{Map, Value};
use uuid::Uuid;

pub use loan_history::{ClosingType, LoanHistory};
pub use request_anonymization::{Delay, DelayUnit, RequestAnonymization};

/// Title level requests, from the single-tenant configuration.
pub const TLR: &str = "TLR";
/// The general part of title level requests.
pub const GENERAL_TLR: &str = "generalTlr";
/// The notice templates of title level requests.
pub const REGULAR_TLR: &str = "regularTlr";
/// Whether hold requests are printed.
pub const PRINT_HOLD_REQUESTS: &str = "PRINT_HOLD_REQUESTS";
/// How many scheduled notices are worked off at a time.
pub const NOTICES_LIMIT: &str = "noticesLimit";
/// What is set for check-out.
pub const OTHER_SETTINGS: &str = "other_settings";
/// When closed loans lose their borrower.
pub const LOAN_HISTORY: &str = "loan_history";
/// When closed requests lose their requester.
pub const REQUEST_ANONYMIZATION: &str = "requestAnonymization";
/// Whether the printing of slips is kept.
pub const PRINT_EVENT_LOG: &str = "printEventLogFeature";

/// All names that circulation reads.
pub const NAMES: [&str; 9] = [
    TLR,
    GENERAL_TLR,
    REGULAR_TLR,
    PRINT_HOLD_REQUESTS,
    NOTICES_LIMIT,
    OTHER_SETTINGS,
    LOAN_HISTORY,
    REQUEST_ANONYMIZATION,
    PRINT_EVENT_LOG,
];

const NOTICES_LIMIT_DEFAULT: u32 = 100;
const SESSION_TIMEOUT_DEFAULT_MINUTES: i64 = 3;

/// The settings of a tenant.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    values: HashMap<String, Map<String, Value>>,
}

/// The feature of requests for any copy of a title.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TitleLevelRequests {
    /// Whether they can be made; the request queue is then that of the title.
    pub enabled: bool,
    /// Whether a new request is one unless staff say otherwise.
    pub by_default: bool,
    /// Whether the circulation rules are asked before one is placed as a hold.
    pub holds_follow_rules: bool,
    /// The notice that confirms one.
    pub confirmation_template_id: Option<Uuid>,
    /// The notice that tells of a cancellation.
    pub cancellation_template_id: Option<Uuid>,
    /// The notice that tells that one has expired.
    pub expiration_template_id: Option<Uuid>,
}

/// Whether the printing of slips is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintEventLog {
    /// Nobody has decided.
    Undecided,
    /// It is not.
    Off,
    /// It is.
    On,
}

impl Settings {
    /// Settings by their names; of two with one name the first counts.
    pub fn new(records: impl IntoIterator<Item = (String, Value)>) -> Settings {
        let mut values = HashMap::new();
        for (name, value) in records {
            if let Value::Object(value) = value {
                values.entry(name).or_insert(value);
            }
        }
        Settings { values }
    }

    /// Title level requests. The newer records count together; without any of them the older one.
    #[must_use]
    pub fn title_level_requests(&self) -> TitleLevelRequests {
        let mut merged = Map::new();
        for name in [GENERAL_TLR, REGULAR_TLR] {
            merged.extend(self.values.get(name).cloned().unwrap_or_default());
        }
        if merged.is_empty() {
            merged = self.values.get(TLR).cloned().unwrap_or_default();
        }
        let id = |name: &str| Uuid::try_parse(merged.get(name)?.as_str()?).ok();
        TitleLevelRequests {
            enabled: flag(&merged, "titleLevelRequestsFeatureEnabled"),
            by_default: flag(&merged, "createTitleLevelRequestsByDefault"),
            holds_follow_rules: flag(&merged, "tlrHoldShouldFollowCirculationRules"),
            confirmation_template_id: id("confirmationPatronNoticeTemplateId"),
            cancellation_template_id: id("cancellationPatronNoticeTemplateId"),
            expiration_template_id: id("expirationPatronNoticeTemplateId"),
        }
    }

    /// Whether title level requests have been decided on at all.
    #[must_use]
    pub fn knows_title_level_requests(&self) -> bool {
        [GENERAL_TLR, REGULAR_TLR, TLR]
            .iter()
            .any(|name| self.values.contains_key(*name))
    }

    /// Whether search slips of hold requests are printed.
    #[must_use]
    pub fn prints_hold_requests(&self) -> bool {
        self.values
            .get(PRINT_HOLD_REQUESTS)
            .is_some_and(|value| flag(value, "printHoldRequestsEnabled"))
    }

    /// How many scheduled notices are worked off at a time.
    #[must_use]
    pub fn notices_limit(&self) -> u32 {
        let text = self
            .values
            .get(NOTICES_LIMIT)
            .and_then(|one| one.get("value"));
        let number = match text {
            Some(Value::String(text)) => text.parse().ok(),
            Some(Value::Number(number)) => number.as_u64().and_then(|one| u32::try_from(one).ok()),
            _ => None,
        };
        number.unwrap_or(NOTICES_LIMIT_DEFAULT)
    }

    /// After how many minutes without anything lent or taken in a patron's visit is over.
    #[must_use]
    pub fn session_timeout_minutes(&self) -> i64 {
        self.values
            .get(OTHER_SETTINGS)
            .filter(|value| flag(value, "checkoutTimeout"))
            .and_then(|value| value.get("checkoutTimeoutDuration")?.as_i64())
            .filter(|minutes| (0..=i64::from(i32::MAX)).contains(minutes))
            .unwrap_or(SESSION_TIMEOUT_DEFAULT_MINUTES)
    }

    /// When closed loans lose their borrower.
    #[must_use]
    pub fn loan_history(&self) -> LoanHistory {
        self.values
            .get(LOAN_HISTORY)
            .map(LoanHistory::from_value)
            .unwrap_or_default()
    }

    /// When closed requests lose their requester.
    #[must_use]
    pub fn request_anonymization(&self) -> RequestAnonymization {
        self.values.get(REQUEST_ANONYMIZATION).map_or(
            RequestAnonymization::Never,
            RequestAnonymization::from_value,
        )
    }

    /// Whether the printing of slips is kept.
    #[must_use]
    pub fn print_event_log(&self) -> PrintEventLog {
        match self.values.get(PRINT_EVENT_LOG) {
            None => PrintEventLog::Undecided,
            Some(value) if flag(value, "enablePrintLog") => PrintEventLog::On,
            Some(_) => PrintEventLog::Off,
        }
    }
}

/// A switch; FOLIO's front ends have stored some as text.
fn flag(value: &Map<String, Value>, name: &str) -> bool {
    match value.get(name) {
        Some(Value::Bool(on)) => *on,
        Some(Value::String(text)) => text.eq_ignore_ascii_case("true"),
        _ => false,
    }
}
