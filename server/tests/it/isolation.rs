//! Tenants on one server never see each other: not in any list, not with each other's tokens, and
//! not through the server's caches.

use std::collections::HashSet;
use std::sync::LazyLock;

use octavo_host::demo::DemoLibrary;
use octavo_login::app::set_password::set_password;
use octavo_platform::tenants::SampleData;
use octavo_platform::{Access, Platform};
use octavo_records::Tenant;
use octavo_testkit::{Answer, Client, Library, PASSWORD, USERNAME};
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

use crate::tenants::until;
use octavo_server_testkit::library;
use octavo_server_testkit::make_tenant as make;

/// A page with all records.
const ALL: &str = "?limit=10000&query=cql.allRecords%3D1";
/// Profiles measure the process for seconds, and belong to no tenant.
const PROFILES: &str = "/_/octavo/profile";

/// Two tenants: the town's has the demo library, and one record in every other table in addition to
/// reference data; the college's has reference data only.
struct TwoTenants {
    library: Library,
    town: Client,
    college: Client,
    /// The ids of the town's records that the college has no equal of.
    towns_own: HashSet<Uuid>,
}

impl TwoTenants {
    async fn new() -> TwoTenants {
        let library = library().await;
        let platform = &library.platform;
        let (town, college) = (library.tenant(), make(platform, "college").await);
        DemoLibrary
            .load(platform.store.clone(), town.clone())
            .await
            .expect("the demo library is loaded");
        for collection in platform.store.catalog.iter() {
            // A list only needs a record's id. A table with room for one record refuses a second.
            let sql = format!(
                "INSERT INTO {town}.{table} (id, jsonb) SELECT id, jsonb_build_object('id', id) \
                 FROM gen_random_uuid() AS id WHERE NOT EXISTS (SELECT FROM {town}.{table} \
                   WHERE id NOT IN (SELECT id FROM {college}.{table}))",
                town = town.schema(),
                college = college.schema(),
                table = collection.table
            );
            if let Err(error) = platform.store.database.execute(&sql, &[]).await {
                println!(
                    "{} has no record of the town's own: {error}",
                    collection.table
                );
            }
        }
        let theirs = ids(platform, &college).await;
        let towns_own: HashSet<_> = &ids(platform, &town).await - &theirs;
        assert!(towns_own.len() > 1_000, "only {} records", towns_own.len());
        TwoTenants {
            town: library.client().await,
            college: Client::log_in(library.address, "college", USERNAME, PASSWORD).await,
            library,
            towns_own,
        }
    }

    /// How many of the town's own records a response contains.
    fn of_town(&self, answer: &Answer) -> usize {
        let found = ids_in(&answer.text);
        found
            .iter()
            .filter(|id| self.towns_own.contains(id))
            .count()
    }

    /// All lists: GET routes without variables.
    fn lists(&self) -> Vec<&'static str> {
        let modules = &*self.library.platform.registry.modules;
        let routes = modules
            .iter()
            .flat_map(|module| &module.interfaces)
            .flat_map(|interface| &interface.routes);
        routes
            .filter(|route| route.method == Method::GET && route.access != Access::Public)
            .map(|route| route.pattern)
            .filter(|pattern| !pattern.contains('{') && !pattern.starts_with(PROFILES))
            .collect()
    }
}

/// The ids of all records of a tenant.
async fn ids(platform: &Platform, tenant: &Tenant) -> HashSet<Uuid> {
    let mut found = HashSet::new();
    for collection in platform.store.catalog.iter() {
        let sql = format!("SELECT id FROM {}.{}", tenant.schema(), collection.table);
        let rows = platform.store.database.query(&sql, &[]).await;
        let rows = rows.expect("the tenant has the table");
        found.extend(rows.iter().map(|row| row.get::<_, Uuid>(0)));
    }
    found
}

/// Everything that looks like an id.
fn ids_in(text: &str) -> HashSet<Uuid> {
    let is_part = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'-';
    text.as_bytes()
        .split(|byte| !is_part(byte))
        .filter(|word| word.len() == 36)
        .filter_map(|word| Uuid::try_parse_ascii(word).ok())
        .collect()
}

/// A request that names its tenant by the token only.
async fn without_header(client: &Client, path: &str) -> (u16, String) {
    static HTTP: LazyLock<reqwest::Client> = LazyLock::new(|| {
        let builder = reqwest::Client::builder().no_proxy();
        builder.build().expect("a plain HTTP client")
    });
    let answer = HTTP
        .get(format!("{}{path}", client.url))
        .header("x-okapi-token", client.token.as_deref().expect("a token"))
        .send()
        .await
        .expect("an answer");
    let status = answer.status().as_u16();
    (status, answer.text().await.expect("a body"))
}

#[tokio::test]
async fn no_list_shows_another_tenants_records_to_anyone() {
    let tenants = TwoTenants::new().await;
    let (town, college) = (&tenants.town, &tenants.college);
    // The town's token with the college's header, and the other way round.
    let mut smuggler = town.clone();
    smuggler.tenant.clone_from(&college.tenant);
    let mut stranger = college.clone();
    stranger.tenant.clone_from(&town.tenant);
    let lists = tenants.lists();
    assert!(lists.len() > 80, "only {} lists", lists.len());
    let mut nonempty = Vec::new();
    for list in &lists {
        let path = format!("{list}{ALL}");
        let own = town.get(&path).await;
        if tenants.of_town(&own) > 0 {
            nonempty.push(*list);
        }
        let others = college.get(&path).await;
        assert_eq!(tenants.of_town(&others), 0, "{list}: {}", others.text);
        for wrong in [&smuggler, &stranger] {
            let answer = wrong.get(&path).await;
            assert_eq!(answer.status, 403, "{list}: {}", answer.text);
            assert_eq!(answer.text, "Invalid token", "{list}");
            assert_eq!(tenants.of_town(&answer), 0, "{list}");
        }
        let (status, text) = without_header(college, &path).await;
        assert_eq!(status, others.status, "{list}: {text}");
        assert_eq!(ids_in(&text), ids_in(&others.text), "{list}");
    }
    // Otherwise nothing would have been found because there was nothing to find.
    println!("{} of {} lists with records", nonempty.len(), lists.len());
    assert!(nonempty.len() > 70, "only these have records: {nonempty:?}");
}

#[tokio::test]
async fn no_record_is_read_changed_or_deleted_by_another_tenants_users() {
    let tenants = TwoTenants::new().await;
    let (town, college) = (&tenants.town, &tenants.college);
    for (list, key) in [
        ("/users", "users"),
        ("/item-storage/items", "items"),
        ("/instance-storage/instances", "instances"),
        ("/inventory/items", "items"),
        ("/circulation/loans", "loans"),
        ("/accounts", "accounts"),
    ] {
        let found = town.get(&format!("{list}{ALL}")).await.expect(200).json();
        let records = found[key].as_array().expect("a list");
        let own = |id: &&str| Uuid::try_parse(id).is_ok_and(|id| tenants.towns_own.contains(&id));
        let mut ids = records.iter().filter_map(|one| one["id"].as_str());
        let id = ids.find(own).unwrap_or_else(|| panic!("none in {list}"));
        let path = format!("{list}/{id}");
        let record = town.get(&path).await.expect(200).json();
        let _ = college.get(&path).await.expect(404);
        let changed = college.put(&path, &record).await.status;
        assert!(changed >= 400, "{path}: {changed}");
        let _ = college.delete(&path).await;
        let query = format!("id=={id}");
        let found = college.query(list, &query).await.expect(200).json();
        assert_eq!(found["totalRecords"], 0, "{path}");
        assert_eq!(town.get(&path).await.expect(200).json()["id"], id);
    }
}

#[tokio::test]
async fn the_same_ids_in_two_tenants_are_two_records() {
    let tenants = TwoTenants::new().await;
    let (town, college) = (&tenants.town, &tenants.college);
    let id = Uuid::new_v4();
    let path = format!("/material-types/{id}");
    for (client, name) in [(town, "papyrus"), (college, "vellum")] {
        let body = json!({"id": id, "name": name, "source": "local"});
        let _ = client.post("/material-types", &body).await.expect(201);
    }
    for _ in 0..3 {
        for (client, name) in [(town, "papyrus"), (college, "vellum")] {
            assert_eq!(client.get(&path).await.expect(200).json()["name"], name);
        }
    }
    let body = json!({"id": id, "name": "parchment", "source": "local"});
    let _ = college.put(&path, &body).await.expect(204);
    assert_eq!(town.get(&path).await.expect(200).json()["name"], "papyrus");
    let _ = town.delete(&path).await.expect(204);
    assert_eq!(
        college.get(&path).await.expect(200).json()["name"],
        "parchment"
    );
}

#[tokio::test]
async fn the_same_user_in_two_tenants_has_the_rights_of_each() {
    let tenants = TwoTenants::new().await;
    let library = &tenants.library;
    let user = Uuid::new_v4();
    let mut twins = Vec::new();
    let admins = [&tenants.town, &tenants.college];
    for (admin, permissions) in admins.into_iter().zip(["[\"users.collection.get\"]", "[]"]) {
        let body = json!({"id": user, "username": "twin", "active": true,
                          "personal": {"lastName": "Twin", "preferredContactTypeId": "002"}});
        let _ = admin.post("/users", &body).await.expect(201);
        let tenant = Tenant::new(&admin.tenant).expect("an id");
        set_password(
            &library.platform,
            &tenant,
            user.into(),
            admin.tenant.clone(),
        )
        .await
        .expect("a password");
        grant(library, &tenant, user, permissions).await;
        // Each tenant has its own password.
        let stranger = library.stranger();
        let body = json!({"username": "twin", "password": "another"});
        let _ = stranger.post("/authn/login", &body).await.expect(422);
        let password = &admin.tenant;
        twins.push(Client::log_in(library.address, tenant.id(), "twin", password).await);
    }
    for _ in 0..3 {
        let _ = twins[0].get("/users").await.expect(200);
        let _ = twins[1].get("/users").await.expect(403);
    }
    // Changed in both, at different times.
    let tenants = [library.tenant(), Tenant::new("college").expect("an id")];
    grant(library, &tenants[1], user, "[\"users.collection.get\"]").await;
    until("the college lets its user in", async || {
        twins[1].get("/users").await.status == 200
    })
    .await;
    let _ = twins[0].get("/users").await.expect(200);
    grant(library, &tenants[0], user, "[]").await;
    until("the town does not any more", async || {
        twins[0].get("/users").await.status == 403
    })
    .await;
    let _ = twins[1].get("/users").await.expect(200);
}

/// Gives a user exactly these permissions, by direct SQL as another program would.
async fn grant(library: &Library, tenant: &Tenant, user: Uuid, permissions: &str) {
    let sql = format!(
        "INSERT INTO {}.permissions_users (id, jsonb) SELECT id, jsonb_build_object( \
           'id', id, 'userId', $1::text, 'permissions', $2::text::jsonb) \
         FROM gen_random_uuid() AS id",
        tenant.schema()
    );
    let database = &library.platform.store.database;
    let delete = format!(
        "DELETE FROM {}.permissions_users WHERE jsonb->>'userId' = $1",
        tenant.schema()
    );
    let user = user.to_string();
    database.execute(&delete, &[&user]).await.expect("taken");
    database
        .execute(&sql, &[&user, &permissions])
        .await
        .expect("given");
}
