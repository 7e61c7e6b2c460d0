//! Traces of single requests: their content, who may have them, and how many are kept.

use octavo_login::app::set_up_administrator::set_up_administrator;
use octavo_platform::traces::TRACES_MAX;
use octavo_records::Tenant;
use octavo_testkit::{Answer, Client, PASSWORD, USERNAME};
use octavo_trace::{Node, SpanKind, Tree};
use reqwest::Method;
use serde_json::{Value, json};

use octavo_server_testkit::operated;
use octavo_server_testkit::reader;
use octavo_server_testkit::stock::{CIRC_DESK_1, Stock, check_out};

const TRACE_HEADER: &str = "x-octavo-trace";
const ID: &str = "x-octavo-trace-id";

/// Of a check-out whose policy has no limits.
const STATEMENTS: usize = 2;
const ROUND_TRIPS: usize = 2;

/// Sends a request that asks for a trace.
async fn traced(client: &Client, method: Method, path: &str, body: Option<&Value>) -> Answer {
    let mut request = client.request(method, path).header(TRACE_HEADER, "1");
    if let Some(body) = body {
        request = request.json(body);
    }
    client.send(request).await
}

/// The trace that a response names.
async fn trace(client: &Client, answer: &Answer) -> (String, Tree) {
    let id = answer.header(ID).expect("a trace's id");
    let trace_answer = client.get(&format!("/_/octavo/traces/{id}")).await;
    let trace_answer = trace_answer.expect(200);
    let tree = serde_json::from_value(trace_answer.json()).expect("a tree");
    (trace_answer.text, tree)
}

fn named<'a>(node: &'a Node, name: &str) -> &'a Node {
    let found = node.children.iter().find(|child| child.name == name);
    found.unwrap_or_else(|| panic!("no {name} in {node:#?}"))
}

fn all(node: &Node, kind: SpanKind) -> Vec<&Node> {
    let mut found = Vec::new();
    node.walk(0, &mut |node, _| {
        if node.kind == kind {
            found.push(node);
        }
    });
    found
}

#[tokio::test]
async fn a_check_out_is_traced_statement_by_statement() {
    let library = operated().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    for barcode in ["first", "second"] {
        let _ = stock.item(barcode).await;
    }
    let patron = stock.patron("p-4711").await;
    let lend = |item: &str| check_out(item, "p-4711");
    // The first request compiles the tenant's rules.
    let path = "/circulation/check-out-by-barcode";
    let _ = client.post(path, &lend("first")).await.expect(201);
    let answer = traced(&client, Method::POST, path, Some(&lend("second"))).await;
    let answer = answer.expect(201);
    let (text, tree) = trace(&client, &answer).await;

    let stages: Vec<&str> = tree.root.children.iter().map(|one| &*one.name).collect();
    let expected = [
        "accept",
        "token",
        "route",
        "tenant",
        "permission",
        "body",
        "handler",
        "respond",
    ];
    assert_eq!(stages, expected);
    let handler = named(&tree.root, "handler");
    for name in ["read the JSON", "write the JSON"] {
        let _ = named(handler, name);
    }
    let transaction = named(handler, "transaction");
    assert_eq!(transaction.note.as_deref(), Some("COMMIT"));
    for name in [
        "wait for a connection",
        "match the rules",
        "decide, with the due date",
    ] {
        let _ = named(transaction, name);
    }
    // The functions `desk_facts` and `desk_writes`.
    let statements = all(&tree.root, SpanKind::Statement);
    let sql: Vec<&str> = statements
        .iter()
        .filter_map(|one| one.sql.as_deref())
        .collect();
    assert_eq!(statements.len(), STATEMENTS, "{sql:#?}");
    assert_eq!(all(transaction, SpanKind::Statement).len(), STATEMENTS);
    assert_eq!(tree.summary.statements, STATEMENTS);
    let control: Vec<_> = all(transaction, SpanKind::Control)
        .iter()
        .filter_map(|one| one.sql.clone())
        .collect();
    assert_eq!(control, ["BEGIN", "COMMIT"]);
    let trips = tree.summary.round_trips - tree.summary.prepared;
    assert_eq!(trips, ROUND_TRIPS, "{:?}", tree.summary);
    // The facts are pipelined behind BEGIN, and have the number of statements ahead.
    assert!(
        statements.iter().any(|one| one.behind >= 1),
        "{statements:#?}"
    );
    for one in &statements {
        assert!(one.duration_us.is_some() && one.rows.is_some(), "{one:#?}");
        assert!(
            one.place
                .as_deref()
                .is_some_and(|place| place.starts_with("connection "))
        );
        assert!(one.end_us(0.0) <= transaction.end_us(0.0));
    }
    assert!(tree.summary.sql_us > 0.0 && tree.summary.sql_us <= tree.summary.total_us);
    let ids = [answer.json()["id"].clone(), json!(patron)];
    let ids = ids.iter().filter_map(Value::as_str);
    for value in ids.chain(["second", "p-4711", "diku_admin"]) {
        assert!(!text.contains(value), "{value} in {text}");
    }
}

#[tokio::test]
async fn a_late_check_in_takes_two_round_trips_more_than_one_in_time() {
    const FINES: &str = "cd3f6cac-fa17-4079-9fae-2fb28e521412";
    let library = operated().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let owner = json!({"owner": "Town library", "servicePointOwner": [{"value": CIRC_DESK_1}]});
    let _ = client.post("/owners", &owner).await.expect(201);
    let fines = json!({"id": FINES, "name": "Fines", "countClosed": true, "maxOverdueFine": 0,
        "overdueFine": {"quantity": 1, "intervalId": "day"}});
    let path = format!("/overdue-fines-policies/{FINES}");
    let _ = client.put(&path, &fines).await.expect(204);
    let _ = stock.patron("p-4711").await;
    let mut found = Vec::new();
    // Twice, so that caches are filled and statements prepared.
    for (round, year) in [2025, 2125, 2025, 2125].into_iter().enumerate() {
        let item = format!("i-{round}");
        let _ = stock.item(&item).await;
        let mut body = check_out(&item, "p-4711");
        body["loanDate"] = json!(format!("{year}-02-01T10:00:00Z"));
        let path = "/circulation/check-out-by-barcode";
        let _ = client.post(path, &body).await.expect(201);
        let back = json!({"itemBarcode": item, "servicePointId": CIRC_DESK_1,
                          "checkInDate": "2026-02-01T10:00:00Z"});
        let path = "/circulation/check-in-by-barcode";
        let answer = traced(&client, Method::POST, path, Some(&back)).await;
        let (_, tree) = trace(&client, &answer.expect(200)).await;
        let trips = tree.summary.round_trips - tree.summary.prepared;
        found.push((tree.summary.statements, trips));
    }
    let ((late, late_trips), (in_time, trips)) = (found[2], found[3]);
    assert_eq!(trips, 2, "{found:?}");
    // The desk's service point, the account's data and the type of the fee; account, action, event
    // and log entry.
    assert_eq!((late, late_trips), (in_time + 7, trips + 2), "{found:?}");
}

#[tokio::test]
async fn a_streamed_list_is_timed_until_its_last_row() {
    let library = operated().await;
    let client = library.client().await;
    let fill = "INSERT INTO tenant_diku.loan_type (id, jsonb) SELECT id, jsonb_build_object(
                  'id', id, 'name', 'type ' || n)
                FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, 3000) n) AS made";
    let database = &library.platform.store.database;
    let filled = database.execute(fill, &[]).await;
    assert_eq!(filled.expect("loan types"), 3000);
    let answer = traced(&client, Method::GET, "/loan-types?limit=5000", None).await;
    let (_, tree) = trace(&client, &answer.expect(200)).await;
    let statements = all(&tree.root, SpanKind::Statement);
    let streamed = statements
        .iter()
        .max_by_key(|one| one.rows)
        .expect("statements");
    assert!(streamed.rows > Some(3000), "{streamed:#?}");
    assert!(streamed.bytes > Some(3000 * 60), "{streamed:#?}");
    assert!(streamed.first_row_us < streamed.duration_us);
    let respond = named(&tree.root, "respond");
    assert!(respond.duration_us.is_some() && respond.bytes > Some(3000 * 60));
}

#[tokio::test]
async fn traces_are_for_those_who_hold_the_permission_and_for_their_tenant() {
    let library = operated().await;
    let client = library.client().await;
    let plain = client.get("/loan-types").await.expect(200);
    assert_eq!((plain.header(ID), plain.header(TRACE_HEADER)), (None, None));
    let answer = traced(&client, Method::GET, "/loan-types", None)
        .await
        .expect(200);
    assert_eq!(answer.text, plain.text);
    let id = answer.header(ID).expect("a trace").to_owned();
    let path = format!("/_/octavo/traces/{id}");

    // A caller without the permission gets only the response, with the reason.
    let (reader, _) = reader(&library, &client).await;
    let answer = traced(&reader, Method::GET, "/loan-types", None)
        .await
        .expect(403);
    assert_eq!(answer.header(ID), None);
    let why = "requires permission octavo.trace.get in a tenant of operators";
    assert_eq!(answer.header(TRACE_HEADER), Some(why));
    let refused = reader.get(&path).await.expect(403);
    assert!(
        refused.text.ends_with("octavo.trace.get"),
        "{}",
        refused.text
    );
    let stranger = library.stranger();
    let answer = traced(&stranger, Method::GET, "/loan-types", None)
        .await
        .expect(401);
    assert_eq!(answer.header(ID), None);

    let platform = &library.platform;
    let tenant = Tenant::new("branch").expect("a tenant");
    let made = platform.tenants.provision(&tenant, "Branch").await;
    let _ = made.expect("a second tenant");
    let _ = set_up_administrator(platform, &tenant, USERNAME, PASSWORD)
        .await
        .expect("its administrator");
    let neighbour = Client::log_in(library.address, "branch", USERNAME, PASSWORD).await;
    // Its administrator has all permissions there, but is not an operator.
    for path in [
        path.as_str(),
        "/_/octavo/profile/cpu?seconds=1",
        "/_/octavo/profile/heap?seconds=1",
        "/_/readers",
    ] {
        let refused = neighbour.get(path).await.expect(403);
        assert!(
            refused.text.contains("does not run this installation"),
            "{path}"
        );
    }
    let answer = traced(&neighbour, Method::GET, "/loan-types", None)
        .await
        .expect(200);
    assert_eq!(
        (answer.header(ID), answer.header(TRACE_HEADER)),
        (None, Some(why))
    );
    let _ = client.get(&path).await.expect(200);
    let _ = client.get("/_/octavo/traces/nonsense").await.expect(400);
}

#[tokio::test]
async fn only_the_last_traces_are_kept() {
    let library = operated().await;
    let client = library.client().await;
    let mut ids = Vec::new();
    for _ in 0..=TRACES_MAX {
        let answer = traced(&client, Method::GET, "/_/version", None).await;
        ids.push(answer.header(ID).expect("a trace").to_owned());
    }
    let oldest = client.get(&format!("/_/octavo/traces/{}", ids[0])).await;
    let _ = oldest.expect(404);
    let kept = client.get(&format!("/_/octavo/traces/{}", ids[1])).await;
    let _ = kept.expect(200);
}
