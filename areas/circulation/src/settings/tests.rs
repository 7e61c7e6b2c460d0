//! Settings and their defaults.

use serde_json::json;

use super::*;

fn settings(name: &str, value: Value) -> Settings {
    of([(SettingSource::Own, name, value)])
}

fn of<const N: usize>(records: [(SettingSource, &str, Value); N]) -> Settings {
    Settings::new(records.map(|(place, name, value)| (place, name.to_owned(), value)))
}

#[test]
fn without_settings_folios_defaults_hold() {
    let none = Settings::default();
    assert_eq!(none.title_level_requests(), TitleLevelRequests::default());
    assert!(!none.knows_title_level_requests());
    assert!(!none.prints_hold_requests());
    assert_eq!(none.notices_limit(), None);
    assert_eq!(none.check_out_lock(), None);
    assert_eq!(none.session_timeout_minutes(), 3);
    assert_eq!(none.loan_history(), LoanHistory::default());
    assert_eq!(none.request_anonymization(), RequestAnonymization::Never);
    assert_eq!(none.print_event_log(), PrintEventLog::Undecided);
}

#[test]
fn title_level_requests_are_looked_up_in_folios_order() {
    const ENABLED: &str = "titleLevelRequestsFeatureEnabled";
    const BY_DEFAULT: &str = "createTitleLevelRequestsByDefault";
    let template = "0b117416-8dcf-45a1-be9a-ffaa847c4423";
    let off = json!({ENABLED: false, BY_DEFAULT: true});
    let on = json!({ENABLED: true});
    let read = of([
        (SettingSource::Configuration, TLR, off.clone()),
        (SettingSource::Entries, GENERAL_TLR, on.clone()),
        (
            SettingSource::Entries,
            REGULAR_TLR,
            json!({"confirmationPatronNoticeTemplateId": template}),
        ),
        (SettingSource::Own, GENERAL_TLR, off.clone()),
    ])
    .title_level_requests();
    assert!(read.enabled && !read.by_default);
    let id = read.confirmation_template_id.map(|id| id.to_string());
    assert_eq!(id.as_deref(), Some(template));
    // What the places say, in the order in which they count: entries, configuration, own ones.
    let (general, none) = (GENERAL_TLR, json!({}));
    for (records, enabled) in [
        (
            vec![
                (SettingSource::Entries, general, &none),
                (SettingSource::Configuration, TLR, &on),
            ],
            true,
        ),
        (
            vec![
                (SettingSource::Entries, general, &off),
                (SettingSource::Configuration, TLR, &on),
            ],
            false,
        ),
        (
            vec![
                (SettingSource::Entries, REGULAR_TLR, &off),
                (SettingSource::Own, general, &on),
            ],
            false,
        ),
        (
            vec![
                (SettingSource::Configuration, TLR, &off),
                (SettingSource::Own, general, &on),
            ],
            false,
        ),
        (vec![(SettingSource::Configuration, general, &on)], false),
        (
            vec![
                (SettingSource::Own, general, &on),
                (SettingSource::Own, TLR, &off),
            ],
            true,
        ),
        (vec![(SettingSource::Own, TLR, &on)], true),
        (vec![(SettingSource::Entries, TLR, &on)], false),
    ] {
        let said = format!("{records:?}");
        let records = records.into_iter();
        let all =
            Settings::new(records.map(|(at, name, value)| (at, name.to_owned(), value.clone())));
        assert_eq!(all.title_level_requests().enabled, enabled, "{said}");
        assert!(all.knows_title_level_requests());
    }
    assert!(settings(TLR, off).title_level_requests().by_default);
}

#[test]
fn the_configuration_goes_before_circulations_own_settings() {
    let timeout =
        |minutes: Value| json!({"checkoutTimeout": true, "checkoutTimeoutDuration": minutes});
    let both = of([
        (
            SettingSource::Configuration,
            OTHER_SETTINGS,
            timeout(json!("7")),
        ),
        (SettingSource::Own, OTHER_SETTINGS, timeout(json!(9))),
        (
            SettingSource::Configuration,
            NOTICES_LIMIT,
            json!({"value": "30"}),
        ),
        (SettingSource::Own, NOTICES_LIMIT, json!({"value": "40"})),
        (
            SettingSource::Configuration,
            PRINT_EVENT_LOG,
            json!({"enablePrintLog": true}),
        ),
    ]);
    assert_eq!(both.session_timeout_minutes(), 7);
    assert_eq!(both.notices_limit(), Some(30));
    assert_eq!(both.print_event_log(), PrintEventLog::Undecided);
}

#[test]
fn numbers_and_switches_are_read_as_front_ends_wrote_them() {
    for (value, limit) in [
        (json!({"value": "200"}), 200),
        (json!({"value": 7}), 7),
        (json!({"value": "many"}), 100),
        (json!({}), 100),
    ] {
        assert_eq!(settings(NOTICES_LIMIT, value).notices_limit(), Some(limit));
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
        (
            json!({"checkoutTimeout": true, "checkoutTimeoutDuration": "12"}),
            12,
        ),
        (
            json!({"checkoutTimeout": true, "checkoutTimeoutDuration": "soon"}),
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

#[test]
fn the_lock_around_check_outs_is_off_unless_it_is_switched_on() {
    let lock =
        |value: Value| of([(SettingSource::Entries, CHECK_OUT_LOCK, value)]).check_out_lock();
    let on = |more: Value| {
        let mut value = json!({"checkOutLockFeatureEnabled": true});
        value
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        lock(value).map(|lock| {
            let interval = lock.interval.as_millis();
            (lock.retries, interval, lock.ttl_milliseconds)
        })
    };
    assert_eq!(on(json!({})), Some((31, 250, 2000)));
    let set = json!({"noOfRetryAttempts": 10, "retryInterval": 5.9, "lockTtl": 500});
    assert_eq!(on(set), Some((11, 5, 500)));
    let odd = json!({"noOfRetryAttempts": -5, "retryInterval": -1, "lockTtl": -1});
    assert_eq!(on(odd), Some((0, 0, 0)));
    // What cannot be read switches it off, and so does another place.
    assert_eq!(on(json!({"lockTtl": "500"})), None);
    for off in [json!(false), json!("true"), json!(null)] {
        assert_eq!(lock(json!({"checkOutLockFeatureEnabled": off})), None);
    }
    let value = json!({"checkOutLockFeatureEnabled": true});
    assert_eq!(settings(CHECK_OUT_LOCK, value).check_out_lock(), None);
}
