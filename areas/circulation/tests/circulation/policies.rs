//! What FOLIO's storage asks of policies, slips and preferences beyond their shapes.

use std::time::Duration;

use serde_json::{Value, json};

use super::support::{refused, rule_for, sql};
use super::{messages, stocked};
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, DVD};

const REQUEST_POLICIES: &str = "/request-policy-storage/request-policies";
const NOTICE_POLICIES: &str = "/patron-notice-policy-storage/patron-notice-policies";
const SLIPS: &str = "/staff-slips-storage/staff-slips";
const PREFERENCES: &str = "/request-preference-storage/request-preference";
const ONLINE: &str = "7c5abc9f-f3d7-4856-b8d7-6712462ca007";
const NOBODY: &str = "0b117416-8dcf-45a1-be9a-ffaa847c4423";

fn id_of(record: &Value) -> &str {
    record["id"].as_str().expect("an id")
}

#[tokio::test]
async fn a_request_policy_lists_places_to_pick_up_or_none() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let listing = |points: Value| json!({"name": "Here", "requestTypes": ["Page"], "allowedServicePoints": {"Page": points}});
    for points in [json!([NOBODY]), json!([CIRC_DESK_1, ONLINE])] {
        let refusal = client.post(REQUEST_POLICIES, &listing(points)).await;
        let refusal = refusal.expect(422).json();
        assert_eq!(
            refusal["errors"],
            json!([{"message": "One or more Pickup locations are no longer available",
                "code": "INVALID_ALLOWED_SERVICE_POINT", "parameters": []}])
        );
    }
    let empty = client.post(REQUEST_POLICIES, &listing(json!([]))).await;
    refused(
        empty,
        "size must be between 1 and 2147483647",
        "allowedServicePoints.page",
        "[]",
    );
    let twice = listing(json!([CIRC_DESK_1, CIRC_DESK_2, CIRC_DESK_1]));
    let stored = client.post(REQUEST_POLICIES, &twice).await.expect(201);
    let stored = stored.json();
    assert_eq!(
        stored["allowedServicePoints"]["Page"],
        json!([CIRC_DESK_1, CIRC_DESK_2])
    );
    let path = format!("{REQUEST_POLICIES}/{}", id_of(&stored));
    let wrong = listing(json!([ONLINE]));
    let _ = client.put(&path, &wrong).await.expect(422);
    let _ = client
        .put(&path, &listing(json!([CIRC_DESK_2])))
        .await
        .expect(204);
    let kept = client.get(&path).await.expect(200).json();
    assert_eq!(kept["allowedServicePoints"]["Page"], json!([CIRC_DESK_2]));
    // One that does not exist is made.
    let path = format!("{REQUEST_POLICIES}/{NOBODY}");
    let mut other = listing(json!([CIRC_DESK_2]));
    other["name"] = json!("Another");
    let _ = client.put(&path, &other).await.expect(204);
    let _ = client.get(&path).await.expect(200);
    let _ = client.delete(&path).await.expect(204);
    let _ = client
        .post(REQUEST_POLICIES, &json!({"requestTypes": []}))
        .await
        .expect(422);
}

/// In either order: no policy is left that lists a place that is closed.
#[tokio::test]
async fn a_policy_and_the_closing_of_its_place_do_not_pass_each_other() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let path = format!("/service-points/{CIRC_DESK_2}");
    let open = client.get(&path).await.expect(200).json();
    let mut closed = open.clone();
    closed["pickupLocation"] = json!(false);
    if let Some(closed) = closed.as_object_mut() {
        let _ = closed.remove("holdShelfExpiryPeriod");
    }
    for round in 0..100_u64 {
        let _ = client.put(&path, &open).await.expect(204);
        let policy = json!({"name": format!("Round {round}"), "requestTypes": ["Page", "Hold"],
            "allowedServicePoints": {"Page": [CIRC_DESK_2]}});
        let closing = async {
            tokio::time::sleep(Duration::from_micros(round * 37 % 2_000)).await;
            client.put(&path, &closed).await.expect(204)
        };
        let (policy, _) = tokio::join!(client.post(REQUEST_POLICIES, &policy), closing);
        assert!([201, 422].contains(&policy.status), "{}", policy.text);
    }
    let stale = format!(
        "SELECT count(*) FROM tenant_diku.request_policy
         WHERE jsonb->'allowedServicePoints'->'Page' ? '{CIRC_DESK_2}'"
    );
    assert_eq!(sql(&library, &stale).await, [0]);
}

#[tokio::test]
async fn a_notice_policy_has_its_own_name_and_options_that_go_together() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let policy = json!({"name": "Send some", "active": true});
    let stored = client.post(NOTICE_POLICIES, &policy).await.expect(201);
    let stored = stored.json();
    let taken = json!([{"message": "'Send some' name in not unique", "code": "duplicate.name",
        "parameters": []}]);
    let again = client.post(NOTICE_POLICIES, &policy).await.expect(422);
    assert_eq!(again.json()["errors"], taken);
    let other = json!({"name": "Send none of it"});
    let other = client.post(NOTICE_POLICIES, &other).await.expect(201);
    let other = other.json();
    let path = format!("{NOTICE_POLICIES}/{}", id_of(&other));
    let renamed = client.put(&path, &policy).await.expect(422).json();
    assert_eq!(renamed["errors"], taken);

    let notice = |options: Value| {
        json!({"name": "Send none of it", "loanNotices": [{"templateId": NOBODY,
            "format": "Email", "realTime": true, "sendOptions": options}]})
    };
    let wrong = notice(json!({"sendWhen": "Check out", "sendHow": "After"}));
    let refusal = client.put(&path, &wrong).await;
    let sentence = "This option is not valid for selected Triggering event";
    refused(refusal, sentence, "sendHow", "After");
    // Borrowers are notified of recalls, not of holds: later releases added those, and nothing would be
    // sent.
    let later = notice(json!({"sendWhen": "Hold request for item"}));
    let _ = client.put(&path, &later).await.expect(400);
    let right = notice(json!({"sendWhen": "Check out"}));
    let _ = client.put(&path, &right).await.expect(204);
    let absent = format!("{NOTICE_POLICIES}/{NOBODY}");
    let absent = client.put(&absent, &json!({"name": "x"})).await;
    assert_eq!(absent.expect(404).text, "Not found");

    // One that a rule names stays.
    rule_for(client, &format!("m {DVD}"), "n", id_of(&stored)).await;
    let used = format!("{NOTICE_POLICIES}/{}", id_of(&stored));
    let refusal = client.delete(&used).await.expect(400);
    assert_eq!(refusal.text, "Cannot delete in use notice policy");
    let _ = client.delete(&path).await.expect(204);
    assert_eq!(client.delete(&path).await.expect(404).text, "Not found");
}

#[tokio::test]
async fn a_slip_has_a_name_and_a_template_and_is_active_at_first() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let empty = json!({"name": "", "template": ""});
    let both = "Name is a required property\nTemplate is a required property";
    assert_eq!(client.post(SLIPS, &empty).await.expect(400).text, both);
    let _ = client.post(SLIPS, &json!({"name": "x"})).await.expect(422);
    let slip = json!({"name": "Own", "template": "<p></p>"});
    let stored = client.post(SLIPS, &slip).await.expect(201).json();
    assert_eq!(stored["active"], true);
    let path = format!("{SLIPS}/{}", id_of(&stored));
    assert_eq!(client.put(&path, &empty).await.expect(400).text, both);
    let off = json!({"name": "Own", "template": "<p></p>", "active": false});
    let _ = client.put(&path, &off).await.expect(204);
    let kept = client.get(&path).await.expect(200).json();
    assert_eq!(kept["active"], false);
    let other = json!({"name": "Other", "template": "<p></p>"});
    let path = format!("{SLIPS}/{NOBODY}");
    let made = client.put(&path, &other).await.expect(201).json();
    assert_eq!(
        (&made["id"], &made["active"]),
        (&json!(NOBODY), &json!(true))
    );
}

#[tokio::test]
async fn a_patron_has_one_request_preference() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    let preference = json!({"userId": patron, "holdShelf": true, "delivery": false});
    let stored = client.post(PREFERENCES, &preference).await.expect(201);
    let again = client.post(PREFERENCES, &preference).await;
    let sentence = "Request preference for specified user already exists";
    refused(again, sentence, "userId", &patron);
    let other = stock.patron("p-2").await;
    let second = json!({"userId": other, "holdShelf": true, "delivery": false});
    let second = client.post(PREFERENCES, &second).await.expect(201).json();
    let path = format!("{PREFERENCES}/{}", id_of(&second));
    let refusal = client.put(&path, &preference).await.expect(422).json();
    assert_eq!(messages(&refusal), [sentence]);
    let path = format!("{PREFERENCES}/{}", id_of(&stored.json()));
    let _ = client.put(&path, &preference).await.expect(204);
    let _ = client
        .post(PREFERENCES, &json!({"userId": NOBODY}))
        .await
        .expect(422);
}

#[tokio::test]
async fn a_period_of_a_loan_policy_lasts_one_of_its_units_at_least() {
    let (_library, stock) = super::stocked().await;
    let client = &stock.client;
    let path = "/loan-policy-storage/loan-policies";
    let of = |duration: i64| {
        serde_json::json!({"name": format!("For {duration}"), "loanable": true, "renewable": false,
            "loansPolicy": {"profileId": "Rolling",
                            "period": {"duration": duration, "intervalId": "Hours"}}})
    };
    let made = client.post(path, &of(1)).await.expect(201).json();
    let made = format!("{path}/{}", made["id"].as_str().expect("an id"));
    for answer in [
        client.post(path, &of(0)).await,
        client.put(&made, &of(-1)).await,
    ] {
        let error = answer.expect(422).json()["errors"][0].clone();
        assert_eq!(error["message"], "must be greater than or equal to 1");
        assert_eq!(error["parameters"][0]["key"], "loansPolicy.period.duration");
    }
    let _ = client.put(&made, &of(2)).await.expect(204);
}

#[tokio::test]
async fn rules_are_refused_in_folios_words() {
    let (_library, stock) = super::stocked().await;
    let client = &stock.client;
    let path = "/circulation/rules";
    let put = client.request(reqwest::Method::PUT, path).body("foo");
    let put = put.header("content-type", "application/json");
    let refused = client.send(put).await.expect(422).json();
    assert!(refused["message"].is_string() && refused.get("line").is_none());
    let tab = serde_json::json!({"rulesAsText": "\t"});
    let refused = client.put(path, &tab).await.expect(422).json();
    let message = "Tabulator character is not allowed, use spaces instead.";
    let expected = serde_json::json!({"message": message, "line": 1, "column": 2});
    assert_eq!(refused, expected);
    // The record is read as every record of FOLIO's storage; its text has to be understood there, too.
    let storage = "/circulation-rules-storage";
    let put = client.request(reqwest::Method::PUT, storage).body("foo");
    let put = put.header("content-type", "application/json");
    let refused = client.send(put).await.expect(400);
    assert_eq!(refused.header("content-type"), Some("text/plain"));
    let record = serde_json::json!({"rulesAsText": {"priority": "t"}});
    let refused = client.put(storage, &record).await.expect(400);
    assert!(refused.text.starts_with("Cannot deserialize value of type"));
    let record = serde_json::json!({"rulesAsText": "", "lines": 1});
    let refused = client.put(storage, &record).await.expect(422).json();
    assert!(super::messages(&refused)[0].starts_with("Unrecognized field \"lines\""));
    assert_eq!(client.put(storage, &tab).await.expect(422).json(), expected);
    let id = "2b94c631-fca9-4892-a730-03ee529ffe27";
    let asked =
        format!("{path}/loan-policy?item_type_id={id}&loan_type_id={id}&patron_type_id={id}");
    let answer = client.get(&asked).await.expect(400);
    assert_eq!(answer.text, "required query parameter missing: location_id");
    let answer = client
        .get(&format!("{asked}&location_id=here"))
        .await
        .expect(400);
    assert!(
        answer
            .text
            .starts_with("invalid uuid format of location_id, expecting ^[")
    );
    assert!(answer.text.ends_with(" but it is here"));
}
