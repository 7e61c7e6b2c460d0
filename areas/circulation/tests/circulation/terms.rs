//! Under which terms an item is lent: rules, policies, time zone.

use serde_json::json;

use super::{OUT, messages, stocked};
use octavo_server_testkit::stock::{BOOK, DVD, check_out};

#[tokio::test]
async fn rules_policies_and_the_tenants_time_zone_decide_the_due_date() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let locale = json!({"module": "ORG", "configName": "localeSettings", "enabled": true,
                        "value": "{\"locale\":\"en-US\",\"timezone\":\"America/New_York\"}"});
    let _ = client
        .post("/configurations/entries", &locale)
        .await
        .expect(201);
    let _ = stock.patron("p-4").await;
    let _ = stock.item("i-4").await;
    let mut body = check_out("i-4", "p-4");
    body["loanDate"] = json!("2026-02-01T10:00:00Z");
    let loan = client.post(OUT, &body).await.expect(201).json();
    // Midnight in New York, which has daylight saving by then.
    assert_eq!(loan["dueDate"], "2026-04-03T03:59:59.000+00:00");

    // A fixed schedule, named by a rule for DVDs of this location.
    let schedule = json!({"name": "Term", "schedules": [
        {"from": "2026-01-01T00:00:00Z", "to": "2026-06-30T23:59:59Z", "due": "2026-07-01T23:59:59Z"}]});
    let schedule = client
        .post(
            "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
            &schedule,
        )
        .await
        .expect(201)
        .json();
    let policy = json!({"name": "Term loan", "loanable": true, "renewable": false,
        "loansPolicy": {"profileId": "Fixed", "fixedDueDateScheduleId": schedule["id"],
                        "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"}});
    let policy = client
        .post("/loan-policy-storage/loan-policies", &policy)
        .await
        .expect(201)
        .json();
    let policy = policy["id"].as_str().expect("the policy's id");
    let rules = client.get("/circulation/rules").await.expect(200).json();
    let text = rules["rulesAsText"].as_str().expect("the text");
    let fallback = text.lines().nth(1).expect("the fallback line");
    let others = fallback
        .split_once(" r ")
        .expect("the fallback's policies")
        .1;
    let text = format!(
        "{text}\ns {} + m {DVD}: l {policy} r {others}",
        stock.location
    );
    let _ = client
        .put("/circulation/rules", &json!({"rulesAsText": text}))
        .await
        .expect(204);
    let _ = stock.item("i-5").await;
    let mut body = check_out("i-5", "p-4");
    body["loanDate"] = json!("2026-02-01T10:00:00Z");
    let loan = client.post(OUT, &body).await.expect(201).json();
    assert_eq!(loan["loanPolicy"]["name"], "Term loan");
    assert_eq!(loan["dueDate"], "2026-07-01T23:59:59.000+00:00");
    let _ = stock.item("i-6").await;
    body["itemBarcode"] = json!("i-6");
    body["loanDate"] = json!("2026-08-01T10:00:00Z");
    let answer = client.post(OUT, &body).await.expect(422).json();
    assert_eq!(
        messages(&answer),
        ["loan date falls outside of the date ranges in the loan policy"]
    );

    let wrong = json!({"rulesAsText": "priority: last-line\nfallback-policy: l 7"});
    let answer = client
        .put("/circulation/rules", &wrong)
        .await
        .expect(422)
        .json();
    assert!(
        answer["line"].is_number() && answer["column"].is_number(),
        "{answer}"
    );
    let unchanged = client.get("/circulation/rules").await.expect(200).json();
    assert_eq!(unchanged["rulesAsText"], json!(text));
    let found = client
        .get(&format!(
            "/circulation/rules/loan-policy?item_type_id={DVD}&loan_type_id={}&patron_type_id={}\
             &location_id={}",
            octavo_server_testkit::stock::CAN_CIRCULATE,
            octavo_server_testkit::stock::UNDERGRAD,
            stock.location
        ))
        .await
        .expect(200)
        .json();
    assert_eq!(found["loanPolicyId"], json!(policy));
    assert_eq!(found["appliedRuleConditions"]["materialTypeMatch"], true);
    let _ = client
        .get("/circulation/rules/loan-policy?item_type_id=7")
        .await
        .expect(400);
}

#[tokio::test]
async fn the_locale_that_was_set_last_is_reckoned_with() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let entry = json!({"module": "ORG", "configName": "localeSettings",
                       "value": "{\"timezone\":\"America/New_York\"}"});
    let _ = client
        .post("/configurations/entries", &entry)
        .await
        .expect(201);
    let tokyo = json!({"locale": "ja-JP", "currency": "JPY", "timezone": "Asia/Tokyo"});
    let _ = client.put("/locale", &tokyo).await.expect(201);
    let _ = stock.patron("p-5").await;
    let _ = stock.item("i-5").await;
    let mut body = check_out("i-5", "p-5");
    body["loanDate"] = json!("2026-02-01T10:00:00Z");
    let loan = client.post(OUT, &body).await.expect(201).json();
    // Midnight in Tokyo.
    assert_eq!(loan["dueDate"], "2026-04-02T14:59:59.000+00:00");
}

#[tokio::test]
async fn books_are_lent_for_an_hour() {
    let (_library, stock) = stocked().await;
    let _ = stock.item_of("b-1", BOOK, "Available").await;
    let _ = stock.patron("p-5").await;
    let mut body = check_out("b-1", "p-5");
    body["loanDate"] = json!("2026-02-01T10:00:00Z");
    let loan = stock.client.post(OUT, &body).await.expect(201).json();
    assert_eq!(loan["dueDate"], "2026-02-01T11:00:00.000+00:00");
}
