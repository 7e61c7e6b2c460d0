//! The timer that deactivates users whose membership has expired.

use std::collections::HashMap;
use std::sync::Arc;

use octavo_platform::system_call;
use octavo_platform::{Handler, Platform};
use octavo_postgres::{Database, DatabaseOptions};
use octavo_records::{Stamp, Tenant};
use octavo_testkit::Library;
use serde_json::json;

use super::{USERS, events, get, id_of, path_of, post};
use octavo_server_testkit::reader;
use octavo_server_testkit::{composition, library};

async fn expire(platform: &Platform, tenant: &Tenant) -> u64 {
    let context = octavo_users::app::UserContext::new(platform, tenant, Stamp::now(None));
    octavo_users::app::expire_users::expire_users(&context)
        .await
        .expect("users are looked through")
}

/// Another process on the same database.
async fn beside(library: &Library) -> Arc<Platform> {
    let database = Database::connect(DatabaseOptions::new(library.database.config()))
        .await
        .expect("the database answers");
    Arc::new(Platform::new(database, composition()).expect("the product is composed rightly"))
}

#[tokio::test]
async fn users_whose_membership_has_ended_become_inactive_and_others_do_not() {
    let library = library().await;
    let client = library.client().await;
    let mut users = HashMap::new();
    for (name, active, ends) in [
        ("ended", json!(true), json!("2020-01-01")),
        ("ended before", json!(false), json!("2020-01-01")),
        ("unsaid", json!(null), json!("2020-01-01")),
        ("going on", json!(true), json!("2999-01-01")),
        ("endless", json!(true), json!(null)),
    ] {
        let body = json!({"username": name, "active": active, "expirationDate": ends});
        users.insert(name, post(&client, USERS, body).await);
    }
    assert_eq!(expire(&library.platform, &library.tenant()).await, 1);
    assert_eq!(expire(&library.platform, &library.tenant()).await, 0);
    for (name, user) in &users {
        let now = get(&client, &path_of(USERS, user)).await;
        let wanted = match *name {
            "ended" => json!(false),
            _ => user["active"].clone(),
        };
        assert_eq!(now["active"], wanted, "{name}");
        assert_eq!(now["expirationDate"], user["expirationDate"]);
    }
    let published = events(&library, "users.users").await;
    let published: Vec<_> = published
        .iter()
        .filter(|(kind, ..)| kind == "UPDATE")
        .collect();
    assert_eq!(published.len(), 1);
    assert_eq!(
        (&published[0].1["active"], &published[0].2["active"]),
        (&json!(true), &json!(false))
    );
}

#[tokio::test]
async fn who_is_made_inactive_is_out() {
    let library = library().await;
    let admin = library.client().await;
    let (client, id) = reader(&library, &admin).await;
    assert_eq!(client.get(USERS).await.status, 403);
    let path = format!("{USERS}/{id}");
    let mut stored = get(&admin, &path).await;
    stored["expirationDate"] = json!("2020-01-01");
    let _ = admin.put(&path, &stored).await.expect(204);
    assert_eq!(client.get(USERS).await.status, 403);
    assert_eq!(expire(&library.platform, &library.tenant()).await, 1);
    super::until(|| async { client.get(USERS).await.status == 401 }).await;
}

#[tokio::test]
async fn two_processes_at_once_make_each_user_inactive_once() {
    const ENDED: u64 = 1_700;
    let library = library().await;
    let tenant = library.tenant();
    library
        .platform
        .store
        .database
        .execute(
            "INSERT INTO tenant_diku.users (id, jsonb) SELECT id, jsonb_build_object('id', id,
               'username', 'u' || number, 'active', true, 'metadata', '{}'::jsonb,
               'expirationDate', '2020-01-01T00:00:00.000+00:00')
             FROM generate_series(1, 1700) AS number, LATERAL (SELECT gen_random_uuid() AS id
               WHERE number > 0) AS made",
            &[],
        )
        .await
        .expect("the users are stored");
    let other = beside(&library).await;
    let (one, two, three) = tokio::join!(
        expire(&library.platform, &tenant),
        expire(&other, &tenant),
        expire(&other, &tenant),
    );
    // A run ends early where the others hold the rest; together they do all.
    let rest = expire(&other, &tenant).await;
    assert_eq!(one + two + three + rest, ENDED);
    let published = events(&library, "users.users").await;
    let mut keys: Vec<String> = published
        .iter()
        .filter(|(kind, ..)| kind == "UPDATE")
        .map(|(_, _, new)| id_of(new))
        .collect();
    assert_eq!(keys.len() as u64, ENDED);
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len() as u64, ENDED);
}

#[tokio::test]
async fn the_timers_are_those_that_clients_know_and_run_in_nobodys_name() {
    let library = library().await;
    let client = library.client().await;
    let ended = json!({"username": "ended", "active": true, "expirationDate": "2020-01-01"});
    let ended = post(&client, USERS, ended).await;
    let platform = &library.platform;
    let view = platform.registry.known(library.tenant().id());
    let view = view.expect("the tenant was asked for");
    let mut ran = Vec::new();
    for timer in octavo_users::modules().iter().flat_map(|one| &one.timers) {
        let Handler::Call(handler) = &timer.handler else {
            panic!("{} is served by a generic operation", timer.path);
        };
        let answer = handler(system_call(platform, &view)).await;
        let status = answer.expect("it is carried out").status().as_u16();
        ran.push((timer.path, status));
    }
    assert_eq!(
        ran,
        [
            ("/users/expire/timer", 204),
            ("/users/outbox/process", 200),
            ("/users/profile-picture/cleanup", 200),
        ]
    );
    let now = get(&client, &path_of(USERS, &ended)).await;
    assert_eq!(now["active"], false);
}
