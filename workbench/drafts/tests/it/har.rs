//! Recordings: requests to FOLIO, the login, correlations, and no secret.

use octavo_drafts::DraftError;
use octavo_drafts::draft::from_har;
use serde_json::{Value, json};

use crate::support::{load, notes_of, steps};

const TOKEN: &str = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkaWt1X2FkbWluIn0.c2lnbmF0dXJlc2ln";
const REFRESH: &str = "eyJlbmMiOiJBMjU2R0NNIn0.aGVhZGVyaGVhZGVy.c2Vjb25kc2lnbmF0dXJl";
const PASSWORD: &str = "correct horse";
const USER: &str = "7b1c9a50-2f0e-4e2a-9f0b-0a5d0f6f1a11";
const ITEM: &str = "0f2f0f62-7a39-4f3a-9d2f-1a2b3c4d5e6f";
const LOAN: &str = "3d8c36c8-8c2c-4a5e-b6a7-9f1e2d3c4b5a";

/// An entry that begins so many milliseconds after the first and takes 50.
fn entry(at_ms: u64, method: &str, url: &str, body: Option<Value>, answer: Value) -> Value {
    let seconds = at_ms / 1000;
    let headers = json!([
        { "name": "Host", "value": "folio.example.org" },
        { "name": "x-okapi-tenant", "value": "diku" },
        { "name": "x-okapi-token", "value": TOKEN },
        { "name": "Cookie", "value": format!("folioAccessToken={TOKEN}; session=0123456789abcdef") },
        { "name": "Accept", "value": "application/json" },
        { "name": "sec-ch-ua", "value": "browser" },
        { "name": "If-None-Match", "value": "x" }
    ]);
    let mut request = json!({ "method": method, "url": url, "headers": headers, "cookies": [
        { "name": "folioAccessToken", "value": TOKEN }
    ]});
    if let Some(body) = body {
        request["postData"] = json!({ "mimeType": "application/json", "text": body.to_string() });
    }
    json!({
        "pageref": "page_1",
        "startedDateTime": format!("2026-03-01T10:00:{seconds:02}.{:03}Z", at_ms % 1000),
        "time": 50.0,
        "request": request,
        "response": { "status": 200, "headers": [], "cookies": [], "content": {
            "mimeType": "application/json", "text": answer.to_string()
        }}
    })
}

fn archive(entries: Vec<Value>) -> String {
    let pages = json!([{ "id": "page_1", "title": "https://folio.example.org/checkout?sort=x" }]);
    json!({ "log": { "version": "1.2", "pages": pages, "entries": entries } }).to_string()
}

fn log_in(at_ms: u64) -> Value {
    let body = json!({ "username": "diku_admin", "password": PASSWORD });
    let url = "https://folio.example.org/okapi/bl-users/login-with-expiry?expandPermissions=true";
    let answer = json!({
        "user": { "id": USER, "username": "diku_admin" }, "okapiToken": TOKEN,
        "refreshToken": REFRESH
    });
    let mut entry = entry(at_ms, "POST", url, Some(body), answer);
    entry["response"]["status"] = json!(201);
    entry["response"]["headers"] = json!([
        { "name": "set-cookie", "value": format!("folioRefreshToken={REFRESH}; Path=/authn") },
        { "name": "x-okapi-token", "value": TOKEN }
    ]);
    entry
}

fn at(path: &str) -> String {
    format!("https://folio.example.org/okapi{path}")
}

#[test]
fn a_morning_at_the_desk_is_correlated_and_keeps_no_secret() {
    let query = "/inventory/items?query=barcode%3D%3D%22660123456%22&limit=1";
    let items = json!({ "items": [{ "id": ITEM, "barcode": "660123456" }], "totalRecords": 1 });
    let users =
        json!({ "users": [{ "id": USER, "barcode": "900100200", "username": "diku_admin" }] });
    let lend = json!({
        "id": LOAN, "itemBarcode": "660123456", "userBarcode": "900100200",
        "comment": format!("Bearer {TOKEN} {PASSWORD}")
    });
    let loan = json!({ "id": LOAN, "itemId": ITEM, "userId": USER });
    let text = archive(vec![
        entry(
            0,
            "GET",
            "https://folio.example.org/main.js",
            None,
            json!({}),
        ),
        log_in(100),
        entry(
            200,
            "GET",
            &at(&format!("/users?query=id=={USER} or username==diku_admin")),
            None,
            users,
        ),
        entry(
            300,
            "GET",
            "https://metrics.example.com/collect?token=abc",
            None,
            json!({}),
        ),
        entry(400, "GET", "data:text/plain,x", None, json!({})),
        entry(2500, "GET", &at(query), None, items),
        entry(
            2600,
            "POST",
            &at("/circulation/check-out-by-barcode"),
            Some(lend),
            loan,
        ),
        entry(
            2700,
            "GET",
            &at(&format!("/circulation/loans/{LOAN}?item={ITEM}")),
            None,
            json!({}),
        ),
        entry(
            2800,
            "GET",
            &at("/_/proxy/tenants/diku/modules"),
            None,
            json!([]),
        ),
    ]);
    let draft = from_har(&text, "Morning").unwrap();
    let workload = load(&draft);
    for secret in [TOKEN, REFRESH, PASSWORD, "0123456789abcdef", "eyJ"] {
        assert!(!draft.toml.contains(secret), "{secret}\n{}", draft.toml);
    }
    assert_eq!(
        steps(&workload),
        [(
            "folio.example.org/checkout".into(),
            vec![
                "GET /users".into(),
                "GET /inventory/items".into(),
                "POST /circulation/check-out-by-barcode".into(),
                "GET /circulation/loans/{id}".into(),
                "GET /_/proxy/tenants/{tenant}/modules".into(),
            ],
        )]
    );
    let login = workload.login.as_ref().unwrap();
    assert_eq!(login.label, "POST /bl-users/login");
    for expected in [
        "body = '{\"username\":\"${username}\",\"password\":\"${password}\"}'",
        "{ variable = \"token\", header = \"x-okapi-token\" }",
        "{ variable = \"user_id\", json = \"$.user.id\" }",
        "send = \"GET /users?query=id==${user_id} or username==${username}\"",
        "{ variable = \"user_barcode\", json = \"$.users[0].barcode\" }",
        "\\\"id\\\":\\\"${uuid()}\\\"",
        "{ variable = \"id\", json = \"$.id\" }",
        "send = \"GET /circulation/loans/${id}?item=${item_id}\"",
        "think = { constant_ms = 2250 }",
        "x-okapi-token = \"${token}\"",
    ] {
        let toml = draft.toml.replace("X-Okapi-Token", "x-okapi-token");
        let found = toml.contains(expected) || toml.contains(&expected.replace("\\\"", "\""));
        assert!(found, "{expected}\n{}", draft.toml);
    }
    assert!(!draft.toml.contains("sec-ch-ua") && !draft.toml.contains("If-None-Match"));
    assert_eq!((draft.requests, draft.taken), (9, 5));
    let left_out = notes_of(&draft.notes, "requests left out");
    assert_eq!(left_out.len(), 3, "{left_out:?}");
    assert_eq!(notes_of(&draft.notes, "values taken").len(), 5);
    // Values that vary and that no response contained stay, and are noted if they are ids.
    assert!(draft.toml.contains("660123456"));
    assert_eq!(workload.transactions[0].requests[0].think.constant_ms, 0);
}

#[test]
fn ids_that_no_answer_gave_stay_and_are_reported() {
    let text = archive(vec![
        log_in(0),
        entry(
            100,
            "GET",
            &at(&format!("/items/{ITEM}")),
            None,
            json!({ "id": ITEM }),
        ),
        entry(
            200,
            "GET",
            &at(&format!("/loans?query=itemId=={ITEM}")),
            None,
            json!({}),
        ),
    ]);
    let draft = from_har(&text, "fixed").unwrap();
    load(&draft);
    assert!(draft.toml.contains(&format!("GET /items/{ITEM}")));
    assert!(
        draft.toml.contains("GET /loans?query=itemId==${id}"),
        "{}",
        draft.toml
    );
    assert_eq!(
        notes_of(&draft.notes, "ids that no answer gave"),
        [format!("0: 1 in GET /items/{ITEM}")]
    );
}

#[test]
fn a_recording_without_login_gets_one_and_failures_are_expected_again() {
    let mut missing = entry(0, "GET", &at("/users/nobody"), None, json!({}));
    missing["response"]["status"] = json!(404);
    let mut aborted = entry(10, "GET", &at("/groups"), None, json!({}));
    aborted["response"]["status"] = json!(0);
    let mut odd = entry(20, "POST", &at("/notes"), None, json!({}));
    odd["request"]["postData"] = json!({ "mimeType": "text/plain", "text": "${x} ' ''' \" \\ \n" });
    let draft = from_har(&archive(vec![missing, aborted, odd]), "no login").unwrap();
    let workload = load(&draft);
    assert!(workload.login.is_some());
    assert!(draft.toml.contains("expect = [{ status = 404 }]"));
    assert!(draft.toml.contains("dollar = \"$\""));
    assert_eq!(notes_of(&draft.notes, "logins").len(), 1);
    assert_eq!(draft.taken, 2);
}

#[test]
fn short_passwords_and_form_fields_are_hidden_too() {
    let mut form = entry(100, "POST", &at("/patron/login"), None, json!({}));
    form["request"]["postData"] = json!({
        "mimeType": "application/x-www-form-urlencoded", "params": [
            { "name": "name", "value": "anna" }, { "name": "password", "value": "pa%20ss" }
        ]
    });
    let change = json!({ "userId": "u", "newPassword": "s3cret", "note": "not s3cretly" });
    let draft = from_har(
        &archive(vec![
            log_in(0),
            form,
            entry(
                200,
                "POST",
                &at("/bl-users/settings"),
                Some(change),
                json!({}),
            ),
            entry(300, "GET", &at("/x?apikey=s3cret"), None, json!({})),
            entry(
                400,
                "GET",
                &at("/y?accessToken=opaque-12%2F34&z=1"),
                None,
                json!({}),
            ),
        ]),
        "passwords",
    )
    .unwrap();
    load(&draft);
    for secret in ["opaque", "pa%20ss", "\"s3cret\"", "apikey=s3cret"] {
        assert!(!draft.toml.contains(secret), "{secret}\n{}", draft.toml);
    }
    assert!(
        draft.toml.contains("not s3cretly"),
        "a word of its own stays"
    );
}

#[test]
fn what_is_no_recording_of_folio_is_refused() {
    let refused = |text: &str| from_har(text, "none").unwrap_err();
    let nothing = refused(&archive(vec![]));
    assert!(matches!(nothing, DraftError::NoRequest { .. }), "{nothing}");
    let only_login = refused(&archive(vec![log_in(0)])).to_string();
    assert!(
        only_login.contains("record what follows it"),
        "{only_login}"
    );
    let cut = archive(vec![log_in(0)]);
    let error = refused(&cut[..cut.len() / 2]);
    assert!(
        matches!(error, DraftError::Malformed { line: 1, .. }),
        "{error}"
    );
    assert!(!error.to_string().contains("eyJ"));
}
