//! What cannot be done to an account, with the status, the sentence and the form of FOLIO.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{DESK, act, by, charge, history, standing};
use octavo_server_testkit::library;

const NOT_A_NUMBER: &str = "Invalid amount entered";
const NOT_POSITIVE: &str = "Amount must be positive";
const TOO_MUCH: &str = "Requested amount exceeds remaining amount";
const CLOSED: &str = "Fee/fine is already closed";
const NOT_REFUNDABLE: &str =
    "Refund amount must be greater than zero and less than or equal to Selected amount";

#[tokio::test]
async fn what_an_open_account_refuses() {
    let library = library().await;
    let client = library.client().await;
    let id = charge(&client, 10.0).await;
    let table = [
        ("", NOT_A_NUMBER),
        ("ten", NOT_A_NUMBER),
        ("NaN", NOT_A_NUMBER),
        ("1,5", NOT_A_NUMBER),
        ("0", NOT_POSITIVE),
        ("0.001", NOT_POSITIVE),
        ("-5", NOT_POSITIVE),
        ("10.01", TOO_MUCH),
        ("1e9", TOO_MUCH),
    ];
    for (amount, message) in table {
        for kind in ["pay", "waive", "transfer"] {
            let answer = act(&client, &id, kind, &by(amount))
                .await
                .expect(422)
                .json();
            let meant = json!({"accountId": id, "amount": amount, "errorMessage": message});
            assert_eq!(answer, meant, "{kind} {amount}");
            let check = format!("check-{kind}");
            let asked = json!({"amount": amount});
            let answer = act(&client, &id, &check, &asked).await.expect(422).json();
            let meant = json!({"accountId": id, "amount": amount, "allowed": false,
                               "errorMessage": message});
            assert_eq!(answer, meant, "{check} {amount}");
        }
    }
    for (amount, message) in [
        ("0", NOT_POSITIVE),
        ("x", NOT_A_NUMBER),
        ("1", NOT_REFUNDABLE),
    ] {
        let answer = act(&client, &id, "refund", &by(amount))
            .await
            .expect(422)
            .json();
        let meant = json!({"accountId": id, "amount": amount, "errorMessage": message});
        assert_eq!(answer, meant);
        let answer = act(&client, &id, "check-refund", &json!({"amount": amount})).await;
        assert_eq!(answer.expect(422).json()["errorMessage"], message);
    }
    assert_eq!(standing(&client, &id).await, "10.0 Open Outstanding");
    assert_eq!(history(&client, &id).await, [] as [&str; 0]);
}

#[tokio::test]
async fn what_a_closed_account_refuses() {
    let library = library().await;
    let client = library.client().await;
    let id = charge(&client, 10.0).await;
    let _ = act(&client, &id, "pay", &by("10")).await.expect(201);
    // The same request again is refused as too late.
    for kind in ["pay", "waive", "transfer"] {
        let answer = act(&client, &id, kind, &by("10")).await.expect(422).json();
        let meant = json!({"accountId": id, "amount": "10", "errorMessage": CLOSED});
        assert_eq!(answer, meant);
    }
    let cancel = json!({"notifyPatron": false, "servicePointId": DESK, "userName": "Desk, Jane"});
    let answer = act(&client, &id, "cancel", &cancel)
        .await
        .expect(422)
        .json();
    assert_eq!(answer, json!({"accountId": id, "errorMessage": CLOSED}));
    let answer = act(&client, &id, "refund", &by("10.01"))
        .await
        .expect(422)
        .json();
    assert_eq!(answer["errorMessage"], NOT_REFUNDABLE);
    assert_eq!(history(&client, &id).await.len(), 1);
}

#[tokio::test]
async fn an_account_that_does_not_exist_and_bodies_that_do_not_fit() {
    let library = library().await;
    let client = library.client().await;
    let nobody = Uuid::new_v4().to_string();
    for kind in ["pay", "waive", "transfer", "refund"] {
        let answer = act(&client, &nobody, kind, &by("1")).await.expect(404);
        assert_eq!(answer.text, format!("Fee/fine ID {nobody} not found"));
        let check = format!("check-{kind}");
        let answer = act(&client, &nobody, &check, &json!({"amount": "1"}))
            .await
            .expect(404);
        assert_eq!(answer.text, format!("Fee/fine ID {nobody} not found"));
    }
    let _ = act(&client, "seven", "pay", &by("1")).await.expect(400);
    let id = charge(&client, 10.0).await;
    for missing in [
        "amount",
        "notifyPatron",
        "servicePointId",
        "userName",
        "paymentMethod",
    ] {
        let mut body = by("1");
        let _ = body.as_object_mut().expect("an object").remove(missing);
        let answer = act(&client, &id, "pay", &body).await.expect(422).json();
        let error = &answer["errors"][0];
        assert_eq!(error["message"], "must not be null");
        assert_eq!(error["parameters"][0]["key"], missing);
    }
    let odd: [(&str, Value, u16, &str); 3] = [
        ("servicePointId", json!("desk"), 422, "servicePointId"),
        ("notifyPatron", json!("maybe"), 400, "(at notifyPatron)"),
        ("tip", json!(1), 422, "Unrecognized field \\\"tip\\\""),
    ];
    for (name, value, status, tells) in odd {
        let mut body = by("1");
        body[name] = value;
        let answer = act(&client, &id, "pay", &body).await.expect(status);
        assert!(answer.text.contains(tells), "{name}: {}", answer.text);
    }
    // As FOLIO, which reads numbers as texts.
    let mut body = by("1");
    body["amount"] = json!(2.5);
    let answer = act(&client, &id, "pay", &body).await.expect(201).json();
    assert_eq!(answer["amount"], "2.50");
    let cancel = json!({"notifyPatron": false, "servicePointId": DESK, "userName": "Desk, Jane",
                        "cancellationReason": "Paid fully"});
    let answer = act(&client, &id, "cancel", &cancel)
        .await
        .expect(422)
        .json();
    assert!(
        answer["errorMessage"]
            .as_str()
            .is_some_and(|text| text.contains("is not known"))
    );
}
