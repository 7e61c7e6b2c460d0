//! Who is slow: the requests that run now, and what requests took in the last hour.

use octavo_login::app::set_up_administrator::set_up_administrator;
use octavo_records::Tenant;
use octavo_server_testkit::{operated, reader, until};
use octavo_testkit::{Client, PASSWORD, USERNAME};
use reqwest::Method;
use serde_json::{Value, json};

const REQUESTS: &str = "/_/octavo/requests";
const TIMES: &str = "/_/octavo/times";

/// The running request of a route, if there is one.
async fn running(client: &Client, route: &str) -> Option<Value> {
    let list = client.get(REQUESTS).await.expect(200).json();
    let requests = list["requests"].as_array().expect("a list");
    assert_eq!(list["totalRecords"], requests.len());
    requests.iter().find(|one| one["route"] == route).cloned()
}

#[tokio::test]
async fn a_request_that_waits_is_listed_until_it_is_answered() {
    let library = operated().await;
    let client = library.client().await;
    let group = json!({"group": "slow", "desc": "slow"});
    let group = client.post("/groups", &group).await.expect(201).json();
    let path = format!("/groups/{}", group["id"].as_str().expect("an id"));
    let database = &library.platform.store.database;
    let holder = database.transaction().await.expect("a transaction");
    let lock = "SELECT id FROM tenant_diku.groups FOR UPDATE";
    let _ = holder.query(lock, &[]).await.expect("rows");
    let waiting = tokio::spawn({
        let (client, path) = (client.clone(), path.clone());
        let changed = json!({"id": group["id"], "group": "slow", "desc": "changed"});
        async move { client.put(&path, &changed).await }
    });
    until(async || {
        let one = running(&client, "/groups/{id}").await;
        one.is_some_and(|one| one["stage"] == "handler")
    })
    .await;
    let one = running(&client, "/groups/{id}").await.expect("it waits");
    assert_eq!(
        (&one["method"], &one["tenant"]),
        (&json!("PUT"), &json!("diku"))
    );
    assert!(one["userId"].is_string(), "{one}");
    assert!(one["elapsedMilliseconds"].as_f64() > Some(0.0), "{one}");
    let request_id = one["requestId"].as_str().expect("an id");
    assert!(request_id.ends_with("/groups"), "{request_id}");
    let id = group["id"].as_str().expect("an id");
    assert!(!one.to_string().contains(id), "{one}");
    holder.rollback().await.expect("the lock is given back");
    let _ = waiting.await.expect("an answer").expect(204);
    assert_eq!(running(&client, "/groups/{id}").await, None);
}

#[tokio::test]
async fn an_open_stream_is_listed_until_its_client_goes() {
    let library = operated().await;
    let client = library.client().await;
    let route = "/_/octavo/events";
    let request = client
        .request(Method::GET, route)
        .header("Accept", "text/event-stream");
    let stream = request.send().await.expect("a stream");
    let one = running(&client, route).await.expect("it is open");
    assert_eq!(one["stage"], "respond");
    drop(stream);
    until(async || running(&client, route).await.is_none()).await;
}

#[tokio::test]
async fn times_are_told_by_route_and_tenant() {
    let library = operated().await;
    let client = library.client().await;
    for _ in 0..20 {
        let _ = client.get("/loan-types").await.expect(200);
    }
    for number in 0..3 {
        let path = format!("/groups/00000000-0000-4000-8000-00000000000{number}");
        let _ = client.get(&path).await.expect(404);
        let _ = client.get(&format!("/nothing/{number}")).await.expect(404);
    }
    let list = client.get(&format!("{TIMES}?minutes=60")).await;
    let list = list.expect(200).json();
    let times = list["times"].as_array().expect("a list");
    assert_eq!(list["totalRecords"], times.len());
    let since: jiff::Timestamp = list["since"]
        .as_str()
        .and_then(|text| text.parse().ok())
        .expect("an instant");
    assert!(since <= jiff::Timestamp::now());
    let of = |route: &str| {
        let found: Vec<&Value> = times.iter().filter(|one| one["route"] == route).collect();
        assert_eq!(found.len(), 1, "{route}: {found:?}");
        found[0].clone()
    };
    let types = of("/loan-types");
    assert_eq!(
        (
            &types["method"],
            &types["tenant"],
            &types["requests"],
            &types["failed"]
        ),
        (&json!("GET"), &json!("diku"), &json!(20), &json!(0))
    );
    let figure = |name: &str| {
        types[format!("{name}Milliseconds")]
            .as_f64()
            .expect("a time")
    };
    let ordered = ["p50", "p95", "p99", "max", "total"].map(figure);
    assert!(ordered[0] > 0.0 && ordered.is_sorted(), "{types}");
    assert_eq!(of("/groups/{id}")["requests"], 3);
    // What has no route has no tenant, whatever its client says.
    assert_eq!(
        (&of("none")["requests"], &of("none")["tenant"]),
        (&json!(3), &Value::Null)
    );
    let totals: Vec<f64> = times
        .iter()
        .map(|one| one["totalMilliseconds"].as_f64().expect("a time"))
        .collect();
    assert!(totals.is_sorted_by(|one, next| one >= next), "{totals:?}");
    let two = client
        .get(&format!("{TIMES}?limit=2"))
        .await
        .expect(200)
        .json();
    assert_eq!(two["times"].as_array().map(Vec::len), Some(2));
    assert!(two["totalRecords"].as_u64() > Some(2), "{two}");
}

#[tokio::test]
async fn who_is_slow_is_for_operators_with_the_permission() {
    let library = operated().await;
    let client = library.client().await;
    let (nobody, _) = reader(&library, &client).await;
    let platform = &library.platform;
    let tenant = Tenant::new("branch").expect("a tenant");
    let made = platform.tenants.provision(&tenant, "Branch").await;
    let _ = made.expect("a second tenant");
    let _ = set_up_administrator(platform, &tenant, USERNAME, PASSWORD)
        .await
        .expect("its administrator");
    let neighbour = Client::log_in(library.address, "branch", USERNAME, PASSWORD).await;
    for path in [REQUESTS, TIMES] {
        let _ = library.stranger().get(path).await.expect(401);
        let _ = nobody.get(path).await.expect(403);
        let refused = neighbour.get(path).await.expect(403);
        assert!(
            refused.text.contains("does not run this installation"),
            "{path}"
        );
    }
    for query in [
        "minutes=0",
        "minutes=61",
        "minutes=x",
        "minutes=5&minutes=6",
        "limit=-1",
    ] {
        let refused = client.get(&format!("{TIMES}?{query}")).await.expect(400);
        assert!(
            refused.text.contains("parameter is incorrect"),
            "{query}: {}",
            refused.text
        );
    }
    // Each tenant's requests are told apart.
    let _ = neighbour.get("/loan-types").await.expect(200);
    let _ = client.get("/loan-types").await.expect(200);
    let list = client.get(TIMES).await.expect(200).json();
    let times = list["times"].as_array().expect("a list").iter();
    let mut tenants: Vec<&str> = times
        .filter(|one| one["route"] == "/loan-types")
        .filter_map(|one| one["tenant"].as_str())
        .collect();
    tenants.sort_unstable();
    assert_eq!(tenants, ["branch", "diku"]);
}
