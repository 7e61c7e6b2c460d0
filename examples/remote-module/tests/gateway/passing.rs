//! How requests and responses pass through the gateway.

use octavo_testkit::TENANT;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{LISTS, Module, library, user_with};

#[tokio::test]
async fn the_module_learns_who_asks_and_nothing_that_the_client_makes_up() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&[]);
    module.plug_in(&admin).await;
    let reader = user_with(&library, &admin, &["reading-lists.faults.execute"]).await;
    let request = reader
        .request(Method::GET, "/reading-lists/faults/headers?a=b%20c")
        .header("x-okapi-user-id", "00000000-0000-4000-8000-000000000000")
        .header("x-okapi-permissions", "[\"everything\"]")
        .header("x-okapi-url", "http://evil.example.org")
        .header("x-own", "mine");
    let seen = reader.send(request).await.expect(200).json();
    let headers = &seen["headers"];
    let text = |name: &str| match &headers[name] {
        Value::Array(values) => values[0].as_str().unwrap_or_default().to_owned(),
        value => value.as_str().unwrap_or_default().to_owned(),
    };
    assert_eq!(text("x-okapi-tenant"), TENANT);
    assert_eq!(text("x-okapi-url"), format!("http://{}", library.address));
    assert_eq!(text("x-own"), "mine");
    assert_ne!(
        text("x-okapi-user-id"),
        "00000000-0000-4000-8000-000000000000"
    );
    assert_eq!(text("x-okapi-user-id").len(), 36);
    assert_eq!(text("x-okapi-permissions"), "");
    assert_ne!(Some(text("x-okapi-token")), reader.token);
    assert!(text("x-okapi-request-id").ends_with("/reading-lists"));
}

#[tokio::test]
async fn the_module_calls_back_with_the_rights_of_its_route_and_no_more() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&[]);
    module.plug_in(&admin).await;
    let patron = json!({"username": "paul", "barcode": "4711", "active": true,
                        "personal": {"lastName": "Patron"}});
    let _ = admin.post("/users", &patron).await.expect(201);
    let all = ["reading-lists.all", "reading-lists.faults.execute"];
    let reader = user_with(&library, &admin, &all).await;
    // The reader may not see users; the module may, on that one route.
    let _ = reader.query("/users", "barcode==4711").await.expect(403);
    let list = json!({"name": "Summer", "patronBarcode": "4711"});
    let made = reader.post(LISTS, &list).await.expect(201).json();
    let id = made["id"].as_str().expect("an id");
    let found = reader
        .get(&format!("{LISTS}/{id}/patron"))
        .await
        .expect(200);
    assert!(found.text.contains("Patron"), "{}", found.text);
    // The token of one route grants nothing on another.
    let seen = reader
        .get("/reading-lists/faults/headers")
        .await
        .expect(200)
        .json();
    let token = match &seen["headers"]["x-okapi-token"] {
        Value::Array(values) => values[0].clone(),
        value => value.clone(),
    };
    let borrowed = library.stranger().with_token(token.as_str());
    let _ = borrowed.query("/users", "barcode==4711").await.expect(403);
}

#[tokio::test]
async fn bodies_stream_both_ways() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&[]);
    module.plug_in(&admin).await;
    // Larger than the gateway's limit for the body of a native module.
    let size = 64 * 1024 * 1024;
    let big = format!("/reading-lists/faults/big?bytes={size}");
    let request = admin.request(Method::GET, &big);
    let mut response = request.send().await.expect("an answer");
    let mut received = 0;
    while let Some(piece) = response.chunk().await.expect("a piece") {
        received += piece.len();
    }
    assert_eq!(received, size);
    let body = vec![b'x'; size];
    let request = admin
        .request(Method::POST, "/reading-lists/faults/count")
        .body(body);
    let counted = admin.send(request).await.expect(200).json();
    assert!(counted.to_string().contains(&size.to_string()), "{counted}");
    let text = "all the way and back ".repeat(10_000);
    let request = admin
        .request(Method::POST, "/reading-lists/faults/echo")
        .body(text.clone());
    assert_eq!(admin.send(request).await.expect(200).text, text);
}

#[tokio::test]
async fn statuses_and_refusals_of_the_module_are_its_own() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&[]);
    module.plug_in(&admin).await;
    for code in [202, 204, 304, 404, 409, 418, 500, 503] {
        let path = format!("/reading-lists/faults/status?code={code}");
        assert_eq!(admin.get(&path).await.status, code);
    }
    let _ = admin.post(LISTS, &json!({"nom": 1})).await.expect(422);
}

#[tokio::test]
async fn another_tenant_does_not_reach_it() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&[]);
    module.plug_in(&admin).await;
    let _ = admin
        .post("/_/proxy/tenants", &json!({"id": "other"}))
        .await
        .expect(201);
    let mut other = library.stranger();
    other.tenant = "other".to_owned();
    let _ = other.get(LISTS).await.expect(404);
    // A token of the first tenant: the second one's module is not even called.
    let crossing = other.with_token(admin.token.as_deref());
    assert_eq!(crossing.get(LISTS).await.status, 403);
}
