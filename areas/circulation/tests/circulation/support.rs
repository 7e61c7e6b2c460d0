//! Timers called as the scheduler calls them, and rows written past the API.

use std::sync::Arc;

use octavo_platform::system_call;
use octavo_platform::{Handler, Platform};
use octavo_testkit::{Answer, Client, Library, Server};
use serde_json::{Value, json};

use octavo_server_testkit::composition;
use octavo_server_testkit::stock::{CIRC_DESK_1, Stock};

/// Runs a timer of circulation in a process; returns its status.
pub async fn timer(library: &Library, platform: &Arc<Platform>, path: &str) -> u16 {
    let known = platform.registry.known(library.tenant().id());
    let view = known.expect("the tenant was asked for");
    let modules = octavo_circulation::modules();
    let mut timers = modules.iter().flat_map(|one| &one.timers);
    let timer = timers.find(|timer| timer.path == path);
    let timer = timer.unwrap_or_else(|| panic!("there is no timer {path}"));
    let Handler::Call(handler) = &timer.handler else {
        panic!("{path} is served by a generic operation");
    };
    let answer = handler(system_call(platform, &view)).await;
    answer.expect("it is carried out").status().as_u16()
}

/// Runs a statement; returns the first column as numbers.
pub async fn sql(library: &Library, text: &str) -> Vec<i64> {
    let database = &library.platform.store.database;
    let rows = database.query(text, &[]).await.expect(text);
    rows.iter().map(|row| row.get(0)).collect()
}

/// Asserts on an answer of 422: its only message and the key and value of its parameter.
#[track_caller]
pub fn refused(answer: Answer, message: &str, key: &str, value: &str) {
    let body: Value = answer.expect(422).json();
    let error = &body["errors"][0];
    assert_eq!(error["message"], message);
    assert_eq!(error["parameters"][0]["key"], key);
    assert_eq!(error["parameters"][0]["value"], value);
}

/// Another process on the same database, which has heard of the tenant.
pub async fn beside(library: &Library, client: &Client) -> Server {
    let server = library.beside(composition).await;
    let _ = client
        .at(server.address)
        .get("/circulation/rules")
        .await
        .expect(200);
    server
}

/// Lends as many items more as this one was, to the same patron, in one statement.
pub async fn lend_more(library: &Library, item: &str, loan: &str, many: usize) {
    let sql = "WITH made AS MATERIALIZED (
        SELECT number, gen_random_uuid() AS item, gen_random_uuid() AS loan
        FROM generate_series(1, $3::int) AS number
      ), items AS (
        INSERT INTO tenant_diku.item (id, jsonb) SELECT made.item, item.jsonb || jsonb_build_object(
            'id', made.item, 'barcode', 'i-' || number, 'hrid', 'h-' || number)
          FROM made, tenant_diku.item AS item WHERE item.id = $1::text::uuid
      )
      INSERT INTO tenant_diku.loan (id, jsonb) SELECT made.loan, loan.jsonb
          || jsonb_build_object('id', made.loan, 'itemId', made.item)
        FROM made, tenant_diku.loan AS loan WHERE loan.id = $2::text::uuid";
    let many = i32::try_from(many).expect("some hundreds");
    let database = &library.platform.store.database;
    database
        .execute(sql, &[&item, &loan, &many])
        .await
        .expect("the loans are stored");
}

/// Adds a rule that names one policy of its own and otherwise those of the fallback; `kind` is its
/// letter, `r` for a request policy.
pub async fn rule_for(client: &Client, criteria: &str, kind: &str, policy: &str) {
    let rules = client.get("/circulation/rules").await.expect(200).json();
    let text = rules["rulesAsText"].as_str().expect("the text");
    let fallback = text.lines().nth(1).expect("the fallback line");
    let (_, policies) = fallback.split_once(": ").expect("its policies");
    let words: Vec<&str> = policies.split(' ').collect();
    let named = words.chunks(2).map(|pair| match pair {
        [letter, _] if *letter == kind => format!("{letter} {policy}"),
        pair => pair.join(" "),
    });
    let named: Vec<String> = named.collect();
    let rules = json!({"rulesAsText": format!("{text}\n{criteria}: {}", named.join(" "))});
    let _ = client.put("/circulation/rules", &rules).await.expect(204);
}

/// Stores a request for an item of the stock that waits for it; returns its id. What is `null` in `more`
/// is left out.
pub async fn wait(stock: &Stock, kind: &str, item: &str, requester: &str, more: Value) -> String {
    let mut request = json!({"requestLevel": "Item", "requestType": kind,
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": requester,
        "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
        "status": "Open - Not yet filled", "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": CIRC_DESK_1});
    if let (Some(request), Value::Object(more)) = (request.as_object_mut(), more) {
        request.extend(more);
        request.retain(|_, value| !value.is_null());
    }
    let path = "/request-storage/requests";
    let stored = stock.client.post(path, &request).await.expect(201).json();
    stored["id"].as_str().expect("an id").to_owned()
}
