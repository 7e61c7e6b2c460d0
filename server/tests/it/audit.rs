//! The audit log: log-ins, refusals, granted permissions, bulk reads of patron data.

use octavo_platform::audit::store::retain;
use octavo_testkit::{Client, PASSWORD, USERNAME};
use serde_json::{Value, json};

use octavo_server_testkit::make_tenant as make;
use octavo_server_testkit::staff;
use octavo_server_testkit::{library, operated};

const LOG: &str = "/_/octavo/audit";

async fn lines(admin: &Client, query: &str) -> Vec<Value> {
    let page = admin
        .get(&format!("{LOG}?{query}"))
        .await
        .expect(200)
        .json();
    page["auditEntries"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn what_matters_leaves_a_line() {
    let library = library().await;
    let admin = library.client().await;
    let (clerk, id) = staff(&library, &admin, "clerk", &["users.collection.get"]).await;
    for (name, password) in [("clerk", "sesame"), ("tricky-secret", "wrong")] {
        let body = json!({"username": name, "password": password});
        let _ = library
            .stranger()
            .post("/authn/login", &body)
            .await
            .expect(422);
    }
    let _ = clerk.get("/item-storage/items").await.expect(403);
    let _ = clerk.get("/users?limit=100").await.expect(200);
    let _ = clerk.get("/users?limit=5000").await.expect(200);
    let give = format!("/perms/users/{id}/permissions?indexField=userId");
    let body = json!({"permissionName": "users.item.get"});
    let _ = admin.post(&give, &body).await.expect(200);

    let by_clerk = lines(&admin, &format!("userId={id}")).await;
    let logged: Vec<(&str, &str)> = by_clerk
        .iter()
        .map(|line| {
            let more = line["route"].as_str().or(line["detail"].as_str());
            (
                line["kind"].as_str().expect("a kind"),
                more.unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(
        logged,
        [
            ("patron-data", "GET /users"),
            ("refused", "GET /item-storage/items"),
            ("log-in-failed", "wrong password"),
            ("log-in", ""),
        ]
    );
    assert!(
        by_clerk.iter().all(|line| line["address"] == "127.0.0.1"),
        "{by_clerk:?}"
    );
    let given = lines(&admin, "kind=permissions&limit=1").await;
    assert_eq!(given[0]["detail"], "given users.item.get");
    assert!(
        given[0]["target"]
            .as_str()
            .is_some_and(|target| target.contains(&id.to_string()))
    );
    let failed = lines(&admin, "kind=log-in-failed").await;
    assert_eq!(failed.len(), 2);
    // Neither passwords nor user names that could be mistyped passwords.
    let all = admin.get(LOG).await.expect(200).text;
    for secret in [
        "sesame",
        "tricky-secret",
        "wrong\"",
        admin.token.as_deref().expect("a token"),
    ] {
        assert!(!all.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn pages_go_back_in_time_and_are_for_who_may() {
    let library = operated().await;
    let admin = library.client().await;
    library.platform.audit.flush().await;
    for _ in 0..4 {
        let body = json!({"username": USERNAME, "password": PASSWORD});
        let _ = library
            .stranger()
            .post("/authn/login", &body)
            .await
            .expect(201);
        library.platform.audit.flush().await;
    }
    let first = admin
        .get(&format!("{LOG}?limit=3"))
        .await
        .expect(200)
        .json();
    let next = first["next"].as_i64().expect("there are more");
    let second = admin
        .get(&format!("{LOG}?limit=3&before={next}"))
        .await
        .expect(200)
        .json();
    let positions: Vec<i64> = [&first, &second]
        .iter()
        .flat_map(|page| page["auditEntries"].as_array().expect("a list"))
        .map(|line| line["position"].as_i64().expect("a position"))
        .collect();
    assert_eq!(positions.len(), 5);
    assert!(
        positions.windows(2).all(|two| two[0] > two[1]),
        "{positions:?}"
    );
    assert!(second["next"].is_null());
    assert!(lines(&admin, "from=2100-01-01T00:00:00Z").await.is_empty());
    assert_eq!(
        lines(&admin, "until=2100-01-01T00:00:00Z&kind=log-in")
            .await
            .len(),
        5
    );
    for wrong in ["limit=1001", "before=x", "userId=x", "from=yesterday"] {
        let _ = admin.get(&format!("{LOG}?{wrong}")).await.expect(400);
    }
    let (clerk, _) = staff(&library, &admin, "clerk", &["users.collection.get"]).await;
    let _ = clerk.get(LOG).await.expect(403);
    // Another tenant has a log of its own.
    let _ = make(&library.platform, "college").await;
    let college = Client::log_in(library.address, "college", USERNAME, PASSWORD).await;
    assert_eq!(lines(&college, "").await.len(), 1);
}

#[tokio::test]
async fn the_log_is_bounded_by_age_and_number() {
    let library = library().await;
    let admin = library.client().await;
    let _ = lines(&admin, "").await;
    let database = &library.platform.store.database;
    let fill = "INSERT INTO tenant_diku.octavo_audit (at, kind, times)
                SELECT now() - make_interval(days => n), 'log-in', 1 FROM generate_series(0, 99) n";
    let _ = database.execute(fill, &[]).await.expect("lines");
    let tenant = library.tenant();
    retain(database, &tenant, 50, 1_000)
        .await
        .expect("shortened");
    let kept = lines(&admin, "limit=1000").await.len();
    assert!((50..=52).contains(&kept), "{kept}");
    retain(database, &tenant, 50, 10).await.expect("shortened");
    assert_eq!(lines(&admin, "limit=1000").await.len(), 10);
}
