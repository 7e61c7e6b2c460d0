//! Sizes, ranges and patterns that FOLIO's record types declare: one value beyond each limit is
//! sent.

use octavo_testkit::Client;
use serde_json::{Value, json};

use octavo_server_testkit::library;

const SIZE: &str = "jakarta.validation.constraints.Size.message";
const LEAST: &str = "jakarta.validation.constraints.DecimalMin.message";
const MOST: &str = "jakarta.validation.constraints.DecimalMax.message";
const PATTERN: &str = "jakarta.validation.constraints.Pattern.message";
const FROM_1: &str = "must be greater than or equal to 1";
const FROM_0: &str = "must be greater than or equal to 0";
const SOME: &str = "size must be between 1 and 2147483647";

/// Nothing else in the documents has to be valid: every violated rule is reported.
fn cases() -> Vec<(
    &'static str,
    Value,
    &'static str,
    &'static str,
    &'static str,
)> {
    let days = |duration: i64| json!({"duration": duration, "intervalId": "Days"});
    let loans = "/loan-policy-storage/loan-policies";
    let notices = "/patron-notice-policy-storage/patron-notice-policies";
    let losses = "/lost-item-fees-policies";
    let records = "/source-storage/records";
    let instances = "/instance-storage/instances";
    let mut cases = vec![
        (
            "/users",
            json!({"personal": {"lastName": "A", "pronouns": "x".repeat(301)}}),
            "personal.pronouns",
            "size must be between 0 and 300",
            SIZE,
        ),
        (
            instances,
            json!({"dates": {"date1": "12345"}}),
            "dates.date1",
            "size must be between 0 and 4",
            SIZE,
        ),
        (
            instances,
            json!({"dates": {"date2": "12345"}}),
            "dates.date2",
            "size must be between 0 and 4",
            SIZE,
        ),
        (
            loans,
            json!({"loansPolicy": {"itemLimit": 0}}),
            "loansPolicy.itemLimit",
            FROM_1,
            LEAST,
        ),
        (
            loans,
            json!({"loansPolicy": {"itemLimit": 10_000}}),
            "loansPolicy.itemLimit",
            "must be less than or equal to 9999",
            MOST,
        ),
        (
            "/check-in-storage/check-ins",
            json!({"requestQueueSize": -1}),
            "requestQueueSize",
            FROM_0,
            LEAST,
        ),
        (
            "/scheduled-notice-storage/scheduled-notices",
            json!({"noticeConfig": {"recurringPeriod": days(0)}}),
            "noticeConfig.recurringPeriod.duration",
            FROM_1,
            LEAST,
        ),
        (
            "/request-policy-storage/request-policies",
            json!({"name": "A", "requestTypes": ["Page"], "allowedServicePoints": {"Page": []}}),
            "allowedServicePoints.page",
            SOME,
            SIZE,
        ),
        (records, json!({"order": -1}), "order", FROM_0, LEAST),
        (
            records,
            json!({"snapshotId": "7212ba6a-8dcf-45a1-be9a-ffaa847c4423", "matchedId": "7212ba6a-8dcf-45a1-be9a-ffaa847c4423",
                   "rawRecord": {"content": "x"}, "recordType": "MARC_BIB", "leaderRecordStatus": "b"}),
            "leaderRecordStatus",
            "must match \"^[a|c|d|n|p|o|s|x]{1}$\"",
            PATTERN,
        ),
        (
            "/templates",
            json!({"outputFormats": ["html"], "templateResolver": "mustache",
                   "localizedTemplates": {"en": {"header": " ", "body": "b"}}}),
            "localizedTemplates[en].header",
            "must match \"\\S+.*\"",
            PATTERN,
        ),
        (
            "/templates",
            json!({"outputFormats": ["html"], "templateResolver": "mustache",
                   "localizedTemplates": {"en": {"header": "h", "body": "\n"}}}),
            "localizedTemplates[en].body",
            "must match \"(?s)\\S+.*\"",
            PATTERN,
        ),
    ];
    for (part, period) in [
        ("loansPolicy", "period"),
        ("loansPolicy", "gracePeriod"),
        ("loansPolicy", "openingTimeOffset"),
        ("renewalsPolicy", "period"),
    ] {
        let path: &'static str = format!("{part}.{period}.duration").leak();
        cases.push((loans, json!({part: {period: days(0)}}), path, FROM_1, LEAST));
    }
    for (part, period) in [
        ("recalls", "alternateGracePeriod"),
        ("recalls", "minimumGuaranteedLoanPeriod"),
        ("recalls", "recallReturnInterval"),
        ("recalls", "alternateRecallReturnInterval"),
        ("holds", "alternateCheckoutLoanPeriod"),
        ("holds", "alternateRenewalLoanPeriod"),
        ("pages", "alternateCheckoutLoanPeriod"),
        ("pages", "alternateRenewalLoanPeriod"),
    ] {
        let path: &'static str = format!("requestManagement.{part}.{period}.duration").leak();
        let body = json!({"requestManagement": {part: {period: days(0)}}});
        cases.push((loans, body, path, FROM_1, LEAST));
    }
    for list in ["loanNotices", "feeFineNotices", "requestNotices"] {
        for period in ["sendBy", "sendEvery"] {
            let path: &'static str = format!("{list}.0.sendOptions.{period}.duration").leak();
            let of = |duration| json!({list: [{"sendOptions": {period: days(duration)}}]});
            cases.push((notices, of(0), path, FROM_1, LEAST));
            let most = "must be less than or equal to 100";
            cases.push((notices, of(101), path, most, MOST));
        }
    }
    for period in [
        "itemAgedLostOverdue",
        "patronBilledAfterAgedLost",
        "recalledItemAgedLostOverdue",
        "patronBilledAfterRecalledItemAgedLost",
        "lostItemChargeFeeFine",
        "feesFinesShallRefunded",
    ] {
        let path: &'static str = format!("{period}.duration").leak();
        cases.push((losses, json!({period: days(0)}), path, FROM_1, LEAST));
    }
    cases
}

async fn refusal(client: &Client, path: &str, body: &Value, key: &str) -> Result<Value, String> {
    let answer = client.post(path, body).await;
    if answer.status != 422 {
        return Err(format!("{path} {body}: {} {}", answer.status, answer.text));
    }
    let errors = answer.json()["errors"].clone();
    let mut list = errors.as_array().into_iter().flatten();
    let found = list.find(|one| one["parameters"][0]["key"] == key);
    found
        .cloned()
        .ok_or_else(|| format!("{path} {body}: nothing about {key} in {errors}"))
}

#[tokio::test]
async fn what_is_beyond_a_limit_is_reported_in_folios_words() {
    let library = library().await;
    let client = library.client().await;
    let mut faults = Vec::new();
    for (path, body, key, message, code) in cases() {
        match refusal(&client, path, &body, key).await {
            Err(fault) => faults.push(fault),
            Ok(one) => {
                let same = one["message"] == message && one["code"] == code && one["type"] == "1";
                if !same {
                    faults.push(format!("{path} {key}: {one}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
