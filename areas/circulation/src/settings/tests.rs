//! What the settings say, and what holds when they say nothing.

use serde_json::json;

use super::*;

fn settings(name: &str, value: Value) -> Settings {
    Settings::new([(name.to_owned(), value)])
}

#[test]
fn without_settings_folios_defaults_hold() {
    let none = Settings::default();
    assert_eq!(none.title_level_requests(), TitleLevelRequests::default());
    assert!(!none.knows_title_level_requests());
    assert!(!none.prints_hold_requests());
    assert_eq!(none.notices_limit(), 100);
    assert_eq!(none.session_timeout_minutes(), 3);
    assert_eq!(none.loan_history(), LoanHistory::default());
    assert_eq!(none.request_anonymization(), RequestAnonymization::Never);
    assert_eq!(none.print_event_log(), PrintEventLog::Undecided);
}

#[test]
fn the_newer_records_of_title_level_requests_count_together_before_the_older_one() {
    let older = json!({"titleLevelRequestsFeatureEnabled": false,
                       "createTitleLevelRequestsByDefault": true});
    let template = "0b117416-8dcf-45a1-be9a-ffaa847c4423";
    let all = Settings::new([
        (TLR.to_owned(), older.clone()),
        (
            GENERAL_TLR.to_owned(),
            json!({"titleLevelRequestsFeatureEnabled": true}),
        ),
        (
            REGULAR_TLR.to_owned(),
            json!({"confirmationPatronNoticeTemplateId": template}),
        ),
    ]);
    let read = all.title_level_requests();
    assert!(read.enabled && !read.by_default);
    assert_eq!(
        read.confirmation_template_id
            .map(|id| id.to_string())
            .as_deref(),
        Some(template)
    );
    assert!(settings(TLR, older).title_level_requests().by_default);
}

#[test]
fn numbers_and_switches_are_read_as_front_ends_wrote_them() {
    for (value, limit) in [
        (json!({"value": "200"}), 200),
        (json!({"value": 7}), 7),
        (json!({"value": "many"}), 100),
        (json!({}), 100),
    ] {
        assert_eq!(settings(NOTICES_LIMIT, value).notices_limit(), limit);
    }
    for (value, minutes) in [
        (
            json!({"checkoutTimeout": true, "checkoutTimeoutDuration": 10}),
            10,
        ),
        (
            json!({"checkoutTimeout": false, "checkoutTimeoutDuration": 10}),
            3,
        ),
        (json!({"checkoutTimeout": true}), 3),
        (
            json!({"checkoutTimeout": true, "checkoutTimeoutDuration": -4}),
            3,
        ),
    ] {
        assert_eq!(
            settings(OTHER_SETTINGS, value).session_timeout_minutes(),
            minutes
        );
    }
    for (value, log) in [
        (json!({"enablePrintLog": "true"}), PrintEventLog::On),
        (json!({"enablePrintLog": true}), PrintEventLog::On),
        (json!({"enablePrintLog": false}), PrintEventLog::Off),
        (json!({}), PrintEventLog::Off),
    ] {
        assert_eq!(settings(PRINT_EVENT_LOG, value).print_event_log(), log);
    }
    let value = json!({"printHoldRequestsEnabled": true});
    assert!(settings(PRINT_HOLD_REQUESTS, value).prints_hold_requests());
}

#[test]
fn requests_lose_their_requester_after_their_delay() {
    let now: jiff::Timestamp = "2026-03-31T12:00:00Z".parse().expect("an instant");
    for (value, until) in [
        (json!({"mode": "never"}), None),
        (json!({"mode": "Immediately"}), Some("2026-03-31T12:00:00Z")),
        (
            json!({"mode": "delayed", "delay": 2, "delayUnit": "hours"}),
            Some("2026-03-31T10:00:00Z"),
        ),
        (
            json!({"mode": "delayed", "delay": 1, "delayUnit": "month(s)"}),
            Some("2026-02-28T12:00:00Z"),
        ),
        (
            json!({"mode": "delayed", "delay": 1, "delayUnit": "Year"}),
            Some("2025-03-31T12:00:00Z"),
        ),
        (
            json!({"mode": "delayed", "delay": i64::MAX, "delayUnit": "days"}),
            None,
        ),
        (
            json!({"mode": "delayed", "delay": -3, "delayUnit": "days"}),
            Some("2026-03-31T12:00:00Z"),
        ),
    ] {
        let setting = settings(REQUEST_ANONYMIZATION, value.clone()).request_anonymization();
        let read = setting.closed_until(now).map(|at| at.to_string());
        assert_eq!(read.as_deref(), until, "{value}");
    }
}
