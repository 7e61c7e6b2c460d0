//! Tenants created, upgraded and deleted while they are used, by one process and by several at
//! once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_login::app::set_up_administrator::set_up_administrator;
use octavo_platform::Platform;
use octavo_platform::tenants::{NewTenant, TenantRefusal};
use octavo_platform::token::{Claims, Signer};
use octavo_testkit::{Client, Library, PASSWORD, USERNAME};
use serde_json::json;
use tokio::task::JoinSet;
use uuid::Uuid;

use octavo_server_testkit::make_tenant as make;
use octavo_server_testkit::{composition, library};

/// The longest wait for a tenant to be ready; longer than it takes on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Puts tenants into the state that another release would have left.
async fn of_another_release(library: &Library, ids: &[&str]) {
    let sql = "UPDATE octavo.tenant SET prepared = 'another release' WHERE id = ANY($1)";
    let database = &library.platform.store.database;
    let changed = database.execute(sql, &[&ids]).await.expect("a change");
    assert_eq!(changed, ids.len() as u64);
}

async fn is_prepared(platform: &Platform, id: &str) -> bool {
    let described = platform.tenants.describe(id).await;
    described.expect("a tenant").prepared
}

#[tokio::test]
async fn a_tenant_of_another_release_is_brought_up_to_date_once_at_its_first_request() {
    let library = library().await;
    for id in ["college", "school"] {
        let _ = make(&library.platform, id).await;
    }
    of_another_release(&library, &["college", "school"]).await;
    let servers = [
        library.beside(composition).await,
        library.beside(composition).await,
    ];
    let mut asking = JoinSet::new();
    for number in 0..16 {
        let address = servers[number % 2].address;
        asking.spawn(async move { Client::log_in(address, "college", USERNAME, PASSWORD).await });
    }
    let clients = asking.join_all().await;
    let _ = clients[0].get("/users").await.expect(200);
    let completed = |at: usize| servers[at].platform.tenants.completed();
    assert_eq!(completed(0) + completed(1), 1, "two did the same work");
    assert!(is_prepared(&library.platform, "college").await);
    // Nobody requested the other one.
    assert!(!is_prepared(&library.platform, "school").await);
    for server in &servers {
        let _ = Client::log_in(server.address, "diku", USERNAME, PASSWORD).await;
    }
    assert_eq!(completed(0) + completed(1), 1, "one was done for nothing");
}

#[tokio::test]
async fn whoever_waits_for_a_tenant_holds_up_no_other() {
    let library = library().await;
    let tenant = make(&library.platform, "college").await;
    of_another_release(&library, &["college"]).await;
    let server = library.beside(composition).await;
    // Another process works on the tenant.
    let held = library.platform.store.hold_tenant(&tenant).await;
    let held = held.expect("nobody else does");
    let address = server.address;
    let mut waiting = JoinSet::new();
    for _ in 0..32 {
        waiting.spawn(async move { Client::new(address, "college").get("/users").await });
    }
    let client = Client::log_in(address, "diku", USERNAME, PASSWORD).await;
    let started = Instant::now();
    for number in 0..20 {
        let body = json!({"name": format!("type {number}"), "source": "local"});
        let _ = client.post("/material-types", &body).await.expect(201);
    }
    println!("20 writes beside those who wait: {:?}", started.elapsed());
    assert!(waiting.try_join_next().is_none(), "not held up");
    // A client that disconnects does not abort what others wait for.
    waiting.abort_all();
    while waiting.join_next().await.is_some() {}
    held.release().await;
    let answer = Client::new(address, "college").get("/users").await;
    let _ = answer.expect(401);
    assert_eq!(server.platform.tenants.completed(), 1);
}

#[tokio::test]
async fn a_tenant_that_cannot_be_brought_up_to_date_is_refused_and_others_are_served() {
    let library = library().await;
    let tenant = make(&library.platform, "college").await;
    of_another_release(&library, &["college"]).await;
    // Makes a step fail: its table exists already.
    let database = &library.platform.store.database;
    let strike = "DELETE FROM tenant_college.octavo_migrations WHERE id = 'outbox'";
    assert_eq!(database.execute(strike, &[]).await.expect("struck"), 1);
    let server = library.beside(composition).await;
    let client = Client::new(server.address, "college");
    for _ in 0..5 {
        let answer = client.get("/users").await.expect(503);
        assert!(answer.text.contains("could not be brought up to date"));
        assert!(answer.header("retry-after").is_some());
    }
    let _ = Client::log_in(server.address, "diku", USERNAME, PASSWORD).await;
    let refused = server.platform.tenants.upgrade(&tenant);
    assert!(matches!(refused.await, Err(TenantRefusal::Store(_))));

    // Once this is corrected, the tenant is served at once.
    let mend = "ALTER TABLE tenant_college.outbox RENAME TO outbox_of_old; \
                ALTER INDEX tenant_college.outbox_pkey RENAME TO old_pkey; \
                ALTER INDEX tenant_college.outbox_event_ts_idx RENAME TO old_idx";
    let connection = database.connection().await.expect("a connection");
    connection.batch_execute(mend).await.expect("renamed");
    let platform = &library.platform;
    let upgraded = platform.tenants.upgrade(&tenant).await;
    assert_eq!(upgraded.expect("upgraded").applied, ["outbox"]);
    let _ = client.get("/users").await.expect(401);
}

#[tokio::test]
async fn a_tenant_is_made_once_however_many_try() {
    let library = library().await;
    let neighbour = library.beside(composition).await;
    let mut making = JoinSet::new();
    for number in 0..6 {
        let platform = match number % 2 {
            0 => Arc::clone(&library.platform),
            _ => Arc::clone(&neighbour.platform),
        };
        making.spawn(async move {
            let new = NewTenant {
                name: Some(format!("Maker {number}")),
                ..NewTenant::default()
            };
            let made = platform.tenants.create("college", &new).await;
            (number, made)
        });
    }
    let mut makers = Vec::new();
    for (number, made) in making.join_all().await {
        match made {
            Ok(_) => makers.push(number),
            Err(refusal) => {
                assert!(
                    matches!(refusal, TenantRefusal::Duplicate(_)),
                    "{refusal:?}"
                );
                assert_eq!(refusal.to_string(), "Duplicate tenant id college");
            }
        }
    }
    assert_eq!(makers.len(), 1, "{makers:?}");
    let platform = &library.platform;
    let described = platform.tenants.describe("college").await;
    let described = described.expect("a tenant");
    assert_eq!(described.name, format!("Maker {}", makers[0]));
    assert!(described.prepared);
}

#[tokio::test]
async fn what_people_see_of_a_tenant_is_kept_and_changed() {
    let library = library().await;
    let platform = &library.platform;
    let tenants = &platform.tenants;
    let new = NewTenant {
        name: Some("Riverside College".to_owned()),
        description: Some("By the river".to_owned()),
        reference: false,
        native_modules: true,
    };
    let tenant = tenants.create("college", &new).await;
    let tenant = tenant.expect("a tenant");
    let listed = tenants.list().await.expect("a list");
    let ids: Vec<_> = listed.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["college", "diku"]);
    assert_eq!(listed[0].name, "Riverside College");
    assert_eq!(listed[0].description.as_deref(), Some("By the river"));
    let changed = tenants
        .update_description("college", Some("Lakeside College"), None)
        .await
        .expect("changed");
    assert_eq!(changed.name, "Lakeside College");
    assert_eq!(changed.description, None);
    for id in ["nobody", "No-Body"] {
        let refused = tenants.describe(id).await;
        assert!(matches!(refused, Err(TenantRefusal::Unknown(_))));
        let refused = tenants.update_description(id, None, None).await;
        assert!(matches!(refused, Err(TenantRefusal::Unknown(_))));
        let refused = tenants.purge(id).await;
        assert!(matches!(refused, Err(TenantRefusal::Unknown(_))));
    }
    let refused = tenants.create("a_b", &new).await;
    assert!(matches!(refused, Err(TenantRefusal::Id(_))));

    // Without reference data a tenant has the records that its areas need, also after an upgrade.
    let is_new = set_up_administrator(platform, &tenant, USERNAME, PASSWORD).await;
    assert!(is_new.expect("an administrator"));
    let client = Client::log_in(library.address, "college", USERNAME, PASSWORD).await;
    let total = async |path: &str| {
        let found = client.get(&format!("{path}?limit=0")).await.expect(200);
        found.json()["totalRecords"].as_u64().expect("a number")
    };
    tenants.upgrade(&tenant).await.expect("upgraded");
    assert_eq!(total("/material-types").await, 0);
    let _ = client.get("/circulation/rules").await.expect(200);
    let _ = client
        .get("/hrid-settings-storage/hrid-settings")
        .await
        .expect(200);
    tenants.load_reference(&tenant).await.expect("loaded");
    let loaded = total("/material-types").await;
    assert!(loaded > 0);
    // What the library deleted is not restored by an upgrade.
    let types = client.get("/material-types").await.expect(200).json();
    let id = types["mtypes"][0]["id"].as_str().expect("an id");
    let _ = client
        .delete(&format!("/material-types/{id}"))
        .await
        .expect(204);
    tenants.upgrade(&tenant).await.expect("upgraded");
    assert_eq!(total("/material-types").await, loaded - 1);
}

/// Reads and writes until stopped; returns when each request was sent, and its status.
async fn work(client: Client, mut stop: tokio::sync::watch::Receiver<bool>) -> Vec<(Instant, u16)> {
    let mut seen = Vec::new();
    while !*stop.borrow_and_update() {
        let body = json!({"name": Uuid::new_v4(), "source": "local"});
        let sent = Instant::now();
        seen.push((sent, client.post("/material-types", &body).await.status));
        let sent = Instant::now();
        let found = client.get("/users?query=username==diku_admin").await;
        seen.push((sent, found.status));
    }
    seen
}

#[tokio::test]
async fn a_purged_tenant_is_gone_at_once_for_requests_under_way_and_on_every_process() {
    let library = library().await;
    let neighbour = library.beside(composition).await;
    let tenant = make(&library.platform, "college").await;
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let mut working = JoinSet::new();
    let mut clients = Vec::new();
    for address in [library.address, neighbour.address] {
        let client = Client::log_in(address, "college", USERNAME, PASSWORD).await;
        for _ in 0..4 {
            working.spawn(work(client.clone(), stopped.clone()));
        }
        clients.push(client);
    }
    // A transaction of another client is open.
    let database = &library.platform.store.database;
    let open = database.transaction().await.expect("a transaction");
    let lock = format!("SELECT id FROM {}.users FOR UPDATE", tenant.schema());
    assert_eq!(open.query(&lock, &[]).await.expect("locked").len(), 1);
    tokio::time::sleep(Duration::from_millis(300)).await;

    let purging = {
        let platform = Arc::clone(&library.platform);
        tokio::spawn(async move { platform.tenants.purge("college").await })
    };
    // Long before its tables are dropped, which waits for that transaction.
    let deadline = Instant::now() + PATIENCE;
    for client in &clients {
        loop {
            let answer = client.get("/users").await;
            if answer.status == 400 {
                assert_eq!(answer.text, "No such Tenant college");
                break;
            }
            assert!(Instant::now() < deadline, "still {}", answer.status);
        }
    }
    let gone = Instant::now();
    assert!(!purging.is_finished(), "it did not have to wait");
    drop(open);
    let purged = purging.await.expect("no panic").expect("purged");
    assert!(purged.tables > 50 && purged.bytes > 0, "{purged:?}");
    tokio::time::sleep(Duration::from_millis(300)).await;
    stop.send_replace(true);
    let mut after = 0;
    for seen in working.join_all().await {
        for (sent, status) in seen {
            let early = sent < gone && matches!(status, 200 | 201);
            assert!(early || status == 400 || status == 401, "{status}");
            after += usize::from(sent > gone);
        }
    }
    assert!(after > 10, "only {after} requests came after");
    let left = "SELECT nspname::text FROM pg_namespace \
                WHERE nspname ~ '^(octavo_purged|tenant_college)'";
    let left = database.query(left, &[]).await.expect("a list");
    assert!(left.is_empty() || !purged.dropped, "{left:?}");
    library
        .platform
        .store
        .drop_purged()
        .await
        .expect("what is left goes");
}

#[tokio::test]
async fn a_tenant_made_anew_has_nothing_of_the_one_before() {
    let library = library().await;
    let neighbour = library.beside(composition).await;
    let platform = &library.platform;
    let _ = make(platform, "college").await;
    let clients = [library.address, neighbour.address];
    let mut first = Vec::new();
    for address in clients {
        let client = Client::log_in(address, "college", USERNAME, PASSWORD).await;
        let body = json!({"name": format!("{address}"), "source": "local"});
        let _ = client.post("/material-types", &body).await.expect(201);
        let _ = client.get("/circulation/rules").await.expect(200);
        first.push(client);
    }
    platform.tenants.purge("college").await.expect("purged");
    let tenant = make(platform, "college").await;
    // A token of the earlier tenant is invalid, though the key and the id are the same.
    for client in &first {
        until("the old token is refused", async || {
            client.get("/material-types").await.status == 401
        })
        .await;
    }
    let old: Vec<Claims> = first
        .iter()
        .map(|client| claims_of(client.token.as_deref().expect("a token")))
        .collect();
    let now = Client::log_in(library.address, "college", USERNAME, PASSWORD).await;
    let new = claims_of(now.token.as_deref().expect("a token"));
    assert!(
        old.iter().all(|old| old.user_id != new.user_id),
        "ids are guessed"
    );
    // A token of an earlier release, which does not name the tenant's incarnation.
    let signer = Signer::new(&[7; 32]);
    let silent = Claims {
        user_id: new.user_id,
        incarnation: None,
        iat: 1_600_000_000,
        ..old[0].clone()
    };
    let status = async |claims: &Claims| {
        let token = signer.sign(claims).expect("a token");
        now.with_token(Some(&token))
            .get("/material-types")
            .await
            .status
    };
    assert_eq!(status(&silent).await, 401);
    let later = Claims {
        iat: new.iat,
        ..silent.clone()
    };
    assert_eq!(status(&later).await, 200);
    let foreign = Claims {
        incarnation: old[0].incarnation,
        ..later
    };
    assert_eq!(status(&foreign).await, 401);
    // The same user as before, without permissions here.
    let sql = format!(
        "UPDATE {}.permissions_users SET jsonb = jsonb || '{{\"permissions\": []}}'",
        tenant.schema()
    );
    let database = &platform.store.database;
    assert_eq!(database.execute(&sql, &[]).await.expect("changed"), 1);
    for (client, address) in first.iter().zip(clients) {
        let stranger = Client::new(address, "college");
        let body = json!({"username": USERNAME, "password": PASSWORD});
        let _ = stranger.post("/authn/login", &body).await.expect(201);
        let _ = client.get("/material-types").await.expect(401);
        let client = Client::log_in(address, "college", USERNAME, PASSWORD).await;
        until("there are no rights yet", async || {
            client.get("/material-types").await.status == 403
        })
        .await;
    }
    let count = format!(
        "SELECT count(*) FROM {}.material_type WHERE jsonb->>'source' = 'local'",
        tenant.schema()
    );
    let rows = database.query(&count, &[]).await.expect("a number");
    assert_eq!(rows[0].get::<_, i64>(0), 0);
}

fn claims_of(token: &str) -> Claims {
    let claims = Signer::new(&[7; 32]).verify(token);
    (*claims.expect("a token of ours")).clone()
}

/// Creates a tenant as soon as its id is free.
async fn make_when_free(platform: &Platform, id: &str) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let new = NewTenant::default();
        match platform.tenants.create(id, &new).await {
            Ok(_) => return,
            Err(TenantRefusal::Duplicate(_)) => assert!(Instant::now() < deadline, "not free"),
            Err(other) => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn making_and_purging_at_once_do_not_mix() {
    let library = library().await;
    let neighbour = library.beside(composition).await;
    let (maker, purger) = (&library.platform, &neighbour.platform);
    let _ = make(maker, "college").await;
    for round in 0..3 {
        let making = make_when_free(maker, "college");
        let purging = purger.tenants.purge("college");
        let both = async { tokio::join!(making, purging) };
        let ((), purged) = tokio::time::timeout(PATIENCE, both)
            .await
            .expect("no deadlock");
        // The creation waits for the purge, and the new tenant is complete and empty.
        let purged = purged.unwrap_or_else(|refusal| panic!("round {round}: {refusal:?}"));
        assert!(purged.tables > 50, "{purged:?}");
        for address in [library.address, neighbour.address] {
            until("both serve the new one", async || {
                Client::new(address, "college").get("/users").await.status == 401
            })
            .await;
        }
        let users = "SELECT count(*) FROM tenant_college.users";
        let rows = maker.store.database.query(users, &[]).await;
        assert_eq!(rows.expect("its table")[0].get::<_, i64>(0), 0);
    }
    // Of two concurrent purges, one succeeds.
    let purging = [maker, purger].map(|one| one.tenants.purge("college"));
    let [one, other] = purging;
    let (one, other) = tokio::join!(one, other);
    assert_eq!(
        [&one, &other]
            .iter()
            .filter(|purged| purged.is_ok())
            .count(),
        1
    );
    let refused = one.err().or(other.err());
    assert!(
        matches!(refused, Some(TenantRefusal::Unknown(_))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_start_with_many_tenants_asks_for_none_of_them() {
    let library = library().await;
    let platform = &library.platform;
    // Tenants that carry the mark, the only thing that a start may check.
    let sql = "INSERT INTO octavo.tenant (id, name, prepared, indexed) \
               SELECT 'many' || number, 'Many', prepared, indexed \
               FROM octavo.tenant, generate_series(1, 200) AS number WHERE id = 'diku'";
    let added = platform.store.database.execute(sql, &[]).await;
    assert_eq!(added.expect("added"), 200);
    let neighbour = library.beside(composition).await;
    let _ = Client::log_in(neighbour.address, "diku", USERNAME, PASSWORD).await;
    assert_eq!(neighbour.platform.tenants.completed(), 0);
    assert!(!neighbour.platform.tenants.known("many7"));
    let listed = platform.tenants.list().await.expect("a list");
    assert_eq!(listed.iter().filter(|one| one.prepared).count(), 201);
}

/// Waits until a condition holds.
pub async fn until(what: &str, condition: impl AsyncFn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition().await {
        assert!(Instant::now() < deadline, "{what}: not within {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
