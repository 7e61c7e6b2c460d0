//! A remote module that replaces a native one, and native modules that call it.

use octavo_testkit::TENANT;
use serde_json::{Value, json};

use crate::{LISTS, Module, install, library};

/// The example's routes under the name of another interface, so that it replaces a native module.
fn instead_of(module: &Module, id: &str, interface: &str, version: &str, path: &str) -> Value {
    let route = |method: &str, pattern: &str| json!({"methods": [method], "pathPattern": pattern, "permissionsRequired": []});
    json!({
        "id": id,
        "requires": [],
        "provides": [{"id": interface, "version": version, "handlers": [
            route("GET", path), route("GET", LISTS),
        ]}],
        "metadata": {"stands": module.url},
    })
}

#[tokio::test]
async fn a_remote_module_takes_an_interface_over_and_gives_it_back() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&[]);
    let id = "mod-labels-1.0.0";
    let descriptor = instead_of(&module, id, "tags", "1.0", "/tags");
    let _ = admin
        .post("/_/proxy/modules", &descriptor)
        .await
        .expect(201);
    let instance = json!({"srvcId": id, "instId": "labels", "url": module.url});
    let _ = admin
        .post("/_/discovery/modules", &instance)
        .await
        .expect(201);
    let native = admin.get("/tags").await.expect(200).json();
    assert!(native["tags"].is_array(), "{native}");

    let wish = json!([{"id": id, "action": "enable"}]);
    assert_eq!(
        admin.post(&install(""), &wish).await.expect(200).json(),
        wish
    );
    // The example knows no /tags: the answer is its own.
    let foreign = admin.get("/tags").await;
    assert_ne!(foreign.text, admin.get("/users?limit=0").await.text);
    assert_eq!(foreign.status, 404, "{}", foreign.text);
    assert!(
        !foreign.text.contains("No suitable module"),
        "{}",
        foreign.text
    );
    let providers = format!("/_/proxy/tenants/{TENANT}/interfaces/tags");
    assert_eq!(
        admin.get(&providers).await.expect(200).json(),
        json!([{"id": id}])
    );

    let out = json!([{"id": id, "action": "disable"}]);
    let _ = admin.post(&install(""), &out).await.expect(200);
    let _ = admin.get("/tags").await.expect(200);
}

#[tokio::test]
async fn a_native_module_that_is_disabled_serves_nothing() {
    let library = library().await;
    let admin = library.client().await;
    // No other module needs it.
    let exporting = admin
        .get(&format!(
            "/_/proxy/tenants/{TENANT}/modules?filter=mod-data-export"
        ))
        .await
        .expect(200)
        .json();
    let id = exporting[0]["id"]
        .as_str()
        .expect("the module of exports")
        .to_owned();
    let one = format!("/_/proxy/tenants/{TENANT}/modules/{id}");
    let _ = admin.delete(&one).await.expect(204);
    let _ = admin.get("/data-export/job-profiles").await.expect(404);
    let _ = admin.get(&one).await.expect(404);
    let wish = json!([{"id": "mod-data-export", "action": "enable"}]);
    let enabled = admin.post(&install(""), &wish).await.expect(200).json();
    assert_eq!(enabled[0]["id"], id);
    let _ = admin.get("/data-export/job-profiles").await.expect(200);
    let okapi = admin
        .get(&format!("/_/proxy/tenants/{TENANT}/modules?filter=okapi"))
        .await
        .expect(200)
        .json();
    let okapi = okapi[0]["id"].as_str().expect("the gateway").to_owned();
    let _ = admin
        .delete(&format!("/_/proxy/tenants/{TENANT}/modules/{okapi}"))
        .await
        .expect(400);
}

#[tokio::test]
async fn without_authtoken_requests_need_no_token_until_it_is_back() {
    let library = library().await;
    let admin = library.client().await;
    let stranger = library.stranger();
    let modules = format!("/_/proxy/tenants/{TENANT}/modules");
    let listed = admin
        .get(&format!("{modules}?filter=mod-authtoken"))
        .await
        .expect(200)
        .json();
    let id = listed[0]["id"].as_str().expect("mod-authtoken").to_owned();
    let _ = stranger.get("/users?limit=0").await.expect(401);
    let _ = stranger
        .delete(&format!("{modules}/{id}"))
        .await
        .expect(401);
    // Modules that depend on it would be disabled with it.
    let refused = admin.delete(&format!("{modules}/{id}")).await.expect(400);
    assert!(refused.text.contains("mod-users-bl"), "{}", refused.text);
    let wish = json!([{"id": "mod-authtoken", "action": "disable"}]);
    let gone = admin.post(&install(""), &wish).await.expect(200).json();
    let gone: Vec<&str> = gone
        .as_array()
        .expect("a plan")
        .iter()
        .filter_map(|one| one["id"].as_str())
        .collect();
    assert!(gone.contains(&id.as_str()) && gone.len() > 1, "{gone:?}");
    let _ = stranger.get("/users?limit=0").await.expect(200);
    // Requests that operate the installation still need a token.
    let wish = json!([{"id": "mod-authtoken", "action": "enable"}]);
    let _ = stranger.post(&install(""), &wish).await.expect(401);
    let _ = admin.post(&install(""), &wish).await.expect(200);
    let _ = stranger.get("/users?limit=0").await.expect(401);
}
