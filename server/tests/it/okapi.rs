//! Okapi's API for operators, and the responses to others.

use octavo_platform::{Composition, Governance};
use octavo_testkit::{Client, Library};
use reqwest::Method;
use serde_json::{Value, json};

use octavo_server_testkit::{composition, library, start};

/// A library whose tenant operates the installation.
async fn operated() -> (Library, Client) {
    let library = start(operating).await;
    let admin = library.client().await;
    (library, admin)
}

fn operating() -> Composition {
    let mut composition = composition();
    composition.governance = Governance {
        operators: vec!["diku".to_owned()],
        ..Governance::default()
    };
    composition
}

fn ids(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list").iter();
    list.filter_map(|one| one["id"].as_str()).collect()
}

#[tokio::test]
async fn tenants_are_made_described_and_removed() {
    let (_library, admin) = operated().await;
    let tenants = "/_/proxy/tenants";
    let other = json!({"id": "other", "name": "Other", "description": "Another library"});
    let made = admin.post(tenants, &other).await.expect(201);
    assert_eq!(made.header("location"), Some("/_/proxy/tenants/other"));
    assert_eq!(made.json(), other);
    let twice = admin.post(tenants, &other).await.expect(400);
    assert_eq!(twice.text, "Duplicate tenant id other");
    for (id, message) in [
        ("a_b", "Tenant id must not contain underscore: a_b"),
        ("a-b", "Tenant id must not contain minus: a-b"),
        ("1a", "Tenant id must not start with a digit: 1a"),
        ("Abc", "Invalid tenant id, may only contain a-z and 0-9"),
    ] {
        let refused = admin.post(tenants, &json!({"id": id})).await.expect(400);
        assert!(refused.text.starts_with(message), "{}", refused.text);
    }
    let list = admin.get(tenants).await.expect(200).json();
    for id in ["diku", "other", "supertenant"] {
        assert!(ids(&list).contains(&id), "{list}");
    }
    let one = "/_/proxy/tenants/other";
    assert_eq!(admin.get(one).await.expect(200).json(), other);
    let renamed = json!({"id": "other", "name": "Renamed"});
    let _ = admin.put(one, &renamed).await.expect(200);
    assert_eq!(admin.get(one).await.expect(200).json()["name"], "Renamed");
    let moved = admin.put(one, &json!({"id": "third"})).await.expect(400);
    assert_eq!(
        moved.text,
        "The tenant id must not be changed, old='other', new='third'"
    );
    // It has the gateway and no other module.
    let modules = admin
        .get("/_/proxy/tenants/other/modules")
        .await
        .expect(200)
        .json();
    assert!(
        ids(&modules)
            .iter()
            .all(|id| id.starts_with("okapi-") || id.starts_with("octavo-"))
    );
    let _ = admin.delete(one).await.expect(204);
    let _ = admin.get(one).await.expect(404);
    let kept = admin
        .delete("/_/proxy/tenants/supertenant")
        .await
        .expect(400);
    assert_eq!(kept.text, "Can not delete the superTenant supertenant");
    let unnamed = admin.post(tenants, &json!({})).await.expect(201).json();
    assert_eq!(unnamed["id"].as_str().map(str::len), Some(31));
}

#[tokio::test]
async fn native_modules_are_given_to_a_tenant_and_taken_away() {
    let (library, admin) = operated().await;
    let _ = admin
        .post("/_/proxy/tenants", &json!({"id": "other"}))
        .await
        .expect(201);
    let mut stranger = library.stranger();
    stranger.tenant = "other".to_owned();
    let login = json!({"username": "nobody", "password": "nothing"});
    let _ = stranger.post("/authn/login", &login).await.expect(404);
    let install = "/_/proxy/tenants/other/install?tenantParameters=loadReference%3Dtrue";
    let steps = json!([
        {"id": "mod-users", "action": "enable"},
        {"id": "mod-permissions"},
        {"id": "mod-login"},
        {"id": "mod-authtoken"},
        {"id": "mod-configuration"},
    ]);
    let done = admin.post(install, &steps).await.expect(200).json();
    let done = ids(&done);
    assert_eq!(done.len(), 5, "{done:?}");
    assert!(done.iter().all(|id| id.contains('.')), "{done:?}");
    let _ = stranger.post("/authn/login", &login).await.expect(422);
    let _ = stranger.get("/groups").await.expect(401);
    let taken = json!([{"id": "mod-login", "action": "disable"}]);
    let _ = admin.post(install, &taken).await.expect(200);
    let _ = stranger.post("/authn/login", &login).await.expect(404);
    let wrong = json!([{"id": "mod-nothing-1.0.0", "action": "enable"}]);
    let refused = admin.post(install, &wrong).await.expect(400);
    assert_eq!(refused.text, "Module mod-nothing-1.0.0 not found");
}

#[tokio::test]
async fn native_modules_have_folios_ids_interfaces_and_permissions() {
    let (_library, admin) = operated().await;
    let path = "/_/proxy/tenants/diku/modules?filter=mod-users&full=true";
    let listed = admin.get(path).await.expect(200).json();
    let users = &listed[0];
    assert_eq!(
        users["id"], "mod-users-19.5.4",
        "the business logic is another product"
    );
    let interface = users["provides"].as_array().expect("interfaces").iter();
    let interface = interface
        .clone()
        .find(|one| one["id"] == "users")
        .expect("users");
    assert_eq!(interface["version"], "16.4");
    let route = json!({
        "methods": ["GET"], "pathPattern": "/users",
        "permissionsRequired": ["users.collection.get"],
        "permissionsDesired": ["users.basic-read.execute", "users.restricted-read.execute"],
    });
    let handlers = interface["handlers"].as_array().expect("routes");
    assert!(handlers.contains(&route), "{interface}");
    assert!(
        users["permissionSets"]
            .to_string()
            .contains("users.item.post")
    );
    for product in ["okapi", "mod-settings", "mod-inventory-storage"] {
        let path = format!("/_/proxy/tenants/diku/modules?filter={product}");
        assert_eq!(
            admin
                .get(&path)
                .await
                .expect(200)
                .json()
                .as_array()
                .map(Vec::len),
            Some(1)
        );
    }
    let interfaces = admin
        .get("/_/proxy/tenants/diku/interfaces")
        .await
        .expect(200)
        .json();
    for id in ["users", "login", "permissions", "circulation", "_timer"] {
        assert!(ids(&interfaces).contains(&id), "{id}");
    }
    let one = admin
        .get("/_/proxy/tenants/diku/interfaces/users")
        .await
        .expect(200)
        .json();
    assert_eq!(one, json!([{"id": "mod-users-19.5.4"}]));
    let wrong = admin
        .get("/_/proxy/modules?order=up&orderBy=id")
        .await
        .expect(400);
    assert_eq!(wrong.text, "invalid order value: up");
}

#[tokio::test]
async fn descriptors_that_are_wrong_are_refused_by_name() {
    let (_library, admin) = operated().await;
    let modules = "/_/proxy/modules";
    let route = json!([{"methods": ["GET"], "pathPattern": "/a"}]);
    let good = json!({"id": "mod-a-1.0.0", "requires": [],
        "provides": [{"id": "a", "version": "1.0", "handlers": route}]});
    let _ = admin.post(modules, &good).await.expect(201);
    // The same descriptor is accepted again; another one with this id is not.
    let _ = admin.post(modules, &good).await.expect(201);
    let mut other = good.clone();
    other["name"] = json!("Another");
    let refused = admin.post(modules, &other).await.expect(400);
    assert_eq!(refused.text, "create: module mod-a-1.0.0 already exists");
    let needy = json!({"id": "mod-b-1.0.0", "requires": [{"id": "nothing", "version": "1.0"}]});
    let refused = admin.post(modules, &needy).await.expect(400);
    assert_eq!(
        refused.text,
        "Missing dependency: mod-b-1.0.0 requires nothing: 1.0"
    );
    let _ = admin
        .post("/_/proxy/modules?check=false", &needy)
        .await
        .expect(201);
    let wish = json!([{"id": "mod-b-1.0.0", "action": "enable"}]);
    let refused = admin
        .post("/_/proxy/tenants/diku/install", &wish)
        .await
        .expect(400);
    assert_eq!(
        refused.text,
        "interface nothing required by module mod-b-1.0.0 not found"
    );
    for (document, message) in [
        (
            json!({"id": "mod-c"}),
            "Missing semantic version for: mod-c",
        ),
        (
            json!({"id": "mod-c-1.0.0", "colour": "red"}),
            "unknown field `colour`",
        ),
        (json!([1]), "invalid"),
    ] {
        let refused = admin.post(modules, &document).await.expect(400);
        assert!(refused.text.contains(message), "{}", refused.text);
    }
    let _ = admin
        .delete("/_/proxy/modules/mod-b-1.0.0")
        .await
        .expect(204);
    let users = admin
        .delete("/_/proxy/modules/mod-users-19.5.4")
        .await
        .expect(400);
    assert!(
        users.text.contains("served by this process itself"),
        "{}",
        users.text
    );
}

#[tokio::test]
async fn addresses_and_environment_are_kept_and_checked() {
    let (_library, admin) = operated().await;
    let module = json!({"id": "mod-a-1.0.0"});
    let _ = admin.post("/_/proxy/modules", &module).await.expect(201);
    let discovery = "/_/discovery/modules";
    for (document, status, message) in [
        (
            json!({"instId": "1", "url": "http://h:1"}),
            400,
            "Needs srvcId",
        ),
        (
            json!({"srvcId": "mod-a-1.0.0", "url": "http://h:1"}),
            400,
            "Needs instId",
        ),
        (
            json!({"srvcId": "mod-x-1.0.0", "instId": "1", "url": "http://h:1"}),
            404,
            "mod-x-1.0.0",
        ),
        (
            json!({"srvcId": "mod-a-1.0.0", "instId": "1", "url": "file:///etc"}),
            400,
            "is no address",
        ),
        (
            json!({"srvcId": "mod-a-1.0.0", "nodeId": "n"}),
            400,
            "starts no modules",
        ),
    ] {
        let refused = admin.post(discovery, &document).await.expect(status);
        assert!(refused.text.contains(message), "{}", refused.text);
    }
    let instance = json!({"srvcId": "mod-a-1.0.0", "instId": "1", "url": "http://127.0.0.1:9"});
    let _ = admin.post(discovery, &instance).await.expect(201);
    let twice = admin.post(discovery, &instance).await.expect(400);
    assert_eq!(twice.text, "Duplicate instId 1");
    assert_eq!(
        admin.get(discovery).await.expect(200).json(),
        json!([instance])
    );
    let _ = admin
        .delete("/_/discovery/modules/mod-a-1.0.0/1")
        .await
        .expect(204);
    let _ = admin
        .get("/_/discovery/modules/mod-a-1.0.0")
        .await
        .expect(404);

    let entry = json!({"name": "DB_HOST", "value": "postgres"});
    let _ = admin.post("/_/env", &entry).await.expect(201);
    assert_eq!(admin.get("/_/env/DB_HOST").await.expect(200).json(), entry);
    assert_eq!(admin.get("/_/env").await.expect(200).json(), json!([entry]));
    let unnamed = admin
        .post("/_/env", &json!({"value": "x"}))
        .await
        .expect(400);
    assert_eq!(unnamed.text, "missing name");
    let _ = admin.delete("/_/env/DB_HOST").await.expect(204);
    let _ = admin.get("/_/env/DB_HOST").await.expect(404);
}

#[tokio::test]
async fn tenants_that_do_not_run_the_installation_run_themselves_only() {
    let library = library().await;
    let admin = library.client().await;
    for (method, path) in [
        (Method::GET, "/_/proxy/tenants"),
        (Method::POST, "/_/proxy/tenants"),
        (Method::DELETE, "/_/proxy/tenants/diku"),
        (Method::POST, "/_/proxy/modules"),
        (Method::POST, "/_/discovery/modules"),
        (Method::GET, "/_/env"),
        (Method::GET, "/_/proxy/tenants/other/modules"),
        (Method::POST, "/_/proxy/tenants/other/install"),
    ] {
        let request = admin.request(method.clone(), path).json(&json!([]));
        let refused = admin.send(request).await.expect(403);
        assert!(
            refused.text.contains("does not run this installation"),
            "{method} {path}"
        );
    }
    let _ = admin.get("/_/proxy/tenants/diku").await.expect(200);
    let _ = admin.get("/_/proxy/tenants/diku/timers").await.expect(200);
    let nothing = admin
        .post("/_/proxy/tenants/diku/install", &json!([]))
        .await
        .expect(200);
    assert_eq!(nothing.json(), json!([]));
    // Unless the operator allowed it, requests always need a token.
    let wish = json!([{"id": "mod-authtoken", "action": "disable"}]);
    let refused = admin
        .post("/_/proxy/tenants/diku/install", &wish)
        .await
        .expect(403);
    assert!(
        refused.text.contains("--allow-disable-auth"),
        "{}",
        refused.text
    );
}

#[tokio::test]
async fn invoke_takes_the_tenant_from_the_path() {
    let (library, admin) = operated().await;
    let http = reqwest::Client::new();
    let url = format!(
        "http://{}/_/invoke/tenant/diku/users?limit=0",
        library.address
    );
    let refused = http.get(&url).send().await.expect("an answer");
    assert_eq!(refused.status(), 401);
    let token = admin.token.clone().expect("a token");
    let found = http
        .get(&url)
        .header("x-okapi-token", token)
        .send()
        .await
        .expect("an answer");
    assert_eq!(found.status(), 200);
    let nowhere = url.replace("diku", "nowhere");
    assert_eq!(
        http.get(nowhere).send().await.expect("an answer").status(),
        400
    );
}
