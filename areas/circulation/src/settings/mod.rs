//! The settings of circulation with FOLIO's defaults. Reads given values; the store knows where they are
//! stored.

mod check_out_lock;
mod loan_history;
mod request_anonymization;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use octavo_library::{TemplateId, id_at};
use serde_json::{Map, Value};

pub use check_out_lock::CheckOutLock;
pub use loan_history::{ClosingType, LoanHistory};
pub use request_anonymization::{Delay, DelayUnit, RequestAnonymization};

/// Title level requests in one record.
pub const TLR: &str = "TLR";
/// The general part of title level requests.
pub const GENERAL_TLR: &str = "generalTlr";
/// The notice templates of title level requests.
pub const REGULAR_TLR: &str = "regularTlr";
/// Whether hold requests are printed.
pub const PRINT_HOLD_REQUESTS: &str = "PRINT_HOLD_REQUESTS";
/// The limit of scheduled notices per run.
pub const NOTICES_LIMIT: &str = "noticesLimit";
/// Settings of check-out.
pub const OTHER_SETTINGS: &str = "other_settings";
/// Anonymization of closed loans.
pub const LOAN_HISTORY: &str = "loan_history";
/// Anonymization of closed requests.
pub const REQUEST_ANONYMIZATION: &str = "requestAnonymization";
/// Whether print events are recorded.
pub const PRINT_EVENT_LOG: &str = "printEventLogFeature";

/// The check-out lock.
pub const CHECK_OUT_LOCK: &str = "checkoutLockFeature";

/// The source of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SettingSource {
    /// The entries of mod-settings.
    Entries,
    /// The configuration, as JSON in a text.
    Configuration,
    /// Circulation's own settings, which later releases use for all.
    Own,
}

/// The entries of mod-settings that circulation reads: scope and key.
pub const ENTRIES: [(&str, &str); 3] = [
    ("circulation", GENERAL_TLR),
    ("circulation", REGULAR_TLR),
    ("mod-circulation", CHECK_OUT_LOCK),
];

/// What circulation reads of the configuration: module and name.
pub const CONFIGURATION: [(&str, &str); 5] = [
    ("SETTINGS", TLR),
    ("SETTINGS", PRINT_HOLD_REQUESTS),
    ("NOTIFICATION_SCHEDULER", NOTICES_LIMIT),
    ("CHECKOUT", OTHER_SETTINGS),
    ("LOAN_HISTORY", LOAN_HISTORY),
];

/// The names of circulation's own settings that it reads.
pub const OWN: [&str; 9] = [
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

/// The settings of a tenant, with their sources.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    values: HashMap<(SettingSource, String), Map<String, Value>>,
}

/// The settings of title level requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TitleLevelRequests {
    /// Whether they are enabled; queues are then those of titles.
    pub enabled: bool,
    /// Whether a new request is one unless staff say otherwise.
    pub by_default: bool,
    /// Whether holds must follow the circulation rules.
    pub holds_follow_rules: bool,
    /// The template of the confirmation notice.
    pub confirmation_template_id: Option<TemplateId>,
    /// The template of the cancellation notice.
    pub cancellation_template_id: Option<TemplateId>,
    /// The template of the expiration notice.
    pub expiration_template_id: Option<TemplateId>,
}

/// Whether the printing of slips is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintEventLog {
    /// Not set.
    Undecided,
    /// Disabled.
    Off,
    On,
}

impl Settings {
    /// Settings by source and name; the first of duplicates wins.
    pub fn new(records: impl IntoIterator<Item = (SettingSource, String, Value)>) -> Settings {
        let mut values = HashMap::new();
        for (place, name, value) in records {
            if let Value::Object(value) = value {
                values.entry((place, name)).or_insert(value);
            }
        }
        Settings { values }
    }

    fn at(&self, place: SettingSource, name: &str) -> Option<&Map<String, Value>> {
        self.values.get(&(place, name.to_owned()))
    }

    /// A setting of the configuration, else circulation's own.
    fn value(&self, name: &str) -> Option<&Map<String, Value>> {
        let configured = self.at(SettingSource::Configuration, name);
        configured.or_else(|| self.at(SettingSource::Own, name))
    }

    /// Both records of title level requests of a source, merged.
    fn merged_titles(&self, place: SettingSource) -> Map<String, Value> {
        let mut merged = Map::new();
        for name in [GENERAL_TLR, REGULAR_TLR] {
            merged.extend(self.at(place, name).cloned().unwrap_or_default());
        }
        merged
    }

    /// Title level requests: the entries merged; else the configuration; else circulation's own
    /// settings, first the two records merged, then the single one.
    #[must_use]
    pub fn title_level_requests(&self) -> TitleLevelRequests {
        let mut merged = self.merged_titles(SettingSource::Entries);
        if merged.is_empty() {
            merged = match self.at(SettingSource::Configuration, TLR) {
                Some(configured) => configured.clone(),
                None => self.merged_titles(SettingSource::Own),
            };
        }
        if merged.is_empty() {
            merged = self
                .at(SettingSource::Own, TLR)
                .cloned()
                .unwrap_or_default();
        }
        let id = |name: &str| id_at(merged.get(name)?);
        TitleLevelRequests {
            enabled: flag(&merged, "titleLevelRequestsFeatureEnabled"),
            by_default: flag(&merged, "createTitleLevelRequestsByDefault"),
            holds_follow_rules: flag(&merged, "tlrHoldShouldFollowCirculationRules"),
            confirmation_template_id: id("confirmationPatronNoticeTemplateId"),
            cancellation_template_id: id("cancellationPatronNoticeTemplateId"),
            expiration_template_id: id("expirationPatronNoticeTemplateId"),
        }
    }

    /// Whether title level requests are configured at all.
    #[must_use]
    pub fn knows_title_level_requests(&self) -> bool {
        let names = [GENERAL_TLR, REGULAR_TLR, TLR];
        let mut kept = self.values.keys();
        kept.any(|(_, name)| names.contains(&name.as_str()))
    }

    /// Whether search slips of hold requests are printed.
    #[must_use]
    pub fn prints_hold_requests(&self) -> bool {
        self.value(PRINT_HOLD_REQUESTS)
            .is_some_and(|value| flag(value, "printHoldRequestsEnabled"))
    }

    /// The settings of the check-out lock; `None` if disabled.
    #[must_use]
    pub fn check_out_lock(&self) -> Option<CheckOutLock> {
        CheckOutLock::from_value(self.at(SettingSource::Entries, CHECK_OUT_LOCK)?)
    }

    /// The limit of scheduled notices per run, if set; an invalid setting means FOLIO's default of 100.
    #[must_use]
    pub fn notices_limit(&self) -> Option<u32> {
        let number = match self.value(NOTICES_LIMIT)?.get("value") {
            Some(Value::String(text)) => text.parse().ok(),
            Some(Value::Number(number)) => number.as_u64().and_then(|one| u32::try_from(one).ok()),
            _ => None,
        };
        Some(number.unwrap_or(NOTICES_LIMIT_DEFAULT))
    }

    /// The time-out of patron action sessions in minutes.
    #[must_use]
    pub fn session_timeout_minutes(&self) -> i64 {
        self.value(OTHER_SETTINGS)
            .filter(|value| flag(value, "checkoutTimeout"))
            .and_then(|value| whole_number(value.get("checkoutTimeoutDuration")?))
            .filter(|minutes| (0..=i64::from(i32::MAX)).contains(minutes))
            .unwrap_or(SESSION_TIMEOUT_DEFAULT_MINUTES)
    }

    /// When closed loans lose their borrower.
    #[must_use]
    pub fn loan_history(&self) -> LoanHistory {
        self.value(LOAN_HISTORY)
            .map(LoanHistory::from_value)
            .unwrap_or_default()
    }

    /// When closed requests lose their requester.
    #[must_use]
    pub fn request_anonymization(&self) -> RequestAnonymization {
        self.at(SettingSource::Own, REQUEST_ANONYMIZATION).map_or(
            RequestAnonymization::Never,
            RequestAnonymization::from_value,
        )
    }

    /// Whether the printing of slips is kept.
    #[must_use]
    pub fn print_event_log(&self) -> PrintEventLog {
        match self.at(SettingSource::Own, PRINT_EVENT_LOG) {
            None => PrintEventLog::Undecided,
            Some(value) if flag(value, "enablePrintLog") => PrintEventLog::On,
            Some(_) => PrintEventLog::Off,
        }
    }
}

/// A boolean; FOLIO's front ends have stored some as text.
fn flag(value: &Map<String, Value>, name: &str) -> bool {
    match value.get(name) {
        Some(Value::Bool(on)) => *on,
        Some(Value::String(text)) => text.eq_ignore_ascii_case("true"),
        _ => false,
    }
}

/// A number, or a text that is one.
fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => text.parse().ok(),
        other => other.as_i64(),
    }
}
