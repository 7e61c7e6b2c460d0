//! Registering, enabling, upgrading, disabling and deleting the module.

use octavo_testkit::TENANT;
use serde_json::json;

use crate::{LISTS, MODULE, Module, calls_logged, install, library, user_with};

#[tokio::test]
async fn it_is_plugged_in_called_and_pulled_out() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&[]);
    let nowhere = admin.get(LISTS).await.expect(404);
    assert_eq!(
        nowhere.text,
        format!("No suitable module found for path {LISTS} for tenant {TENANT}")
    );

    module.register(&admin).await;
    let _ = admin.get(LISTS).await.expect(404);
    let wish = json!([{"id": "mod-reading-lists", "action": "enable"}]);
    let planned = admin
        .post(&install("?simulate=true"), &wish)
        .await
        .expect(200);
    assert_eq!(planned.json(), json!([{"id": MODULE, "action": "enable"}]));
    let _ = admin.get(LISTS).await.expect(404);
    let done = admin
        .post(&install("?tenantParameters=loadReference%3Dtrue"), &wish)
        .await
        .expect(200);
    assert_eq!(done.json(), json!([{"id": MODULE, "action": "enable"}]));
    let again = admin.post(&install(""), &wish).await.expect(200);
    assert_eq!(again.json(), json!([{"id": MODULE, "action": "uptodate"}]));

    let made = admin
        .post(LISTS, &json!({"name": "Summer"}))
        .await
        .expect(201)
        .json();
    let one = format!("{LISTS}/{}", made["id"].as_str().expect("an id"));
    assert_eq!(admin.get(&one).await.expect(200).json()["name"], "Summer");
    let said = calls_logged(&admin, "_tenant").await;
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(said[0]["hasToken"], true);
    assert_eq!(said[0]["attributes"]["module_to"], MODULE);
    assert_eq!(
        said[0]["attributes"]["parameters"],
        json!([{"key": "loadReference", "value": "true"}])
    );

    let modules = format!("/_/proxy/tenants/{TENANT}/modules");
    let filtered = admin
        .get(&format!("{modules}?filter=mod-reading-lists"))
        .await;
    assert_eq!(filtered.expect(200).json(), json!([{"id": MODULE}]));
    let interfaces = format!("/_/proxy/tenants/{TENANT}/interfaces/reading-lists");
    assert_eq!(
        admin.get(&interfaces).await.expect(200).json(),
        json!([{"id": MODULE}])
    );
    let in_use = admin
        .delete(&format!("/_/proxy/modules/{MODULE}"))
        .await
        .expect(400);
    assert_eq!(
        in_use.text,
        format!("delete: module {MODULE} is used by tenant {TENANT}")
    );

    let out = json!([{"id": MODULE, "action": "disable"}]);
    let _ = admin.post(&install("?purge=true"), &out).await.expect(200);
    let _ = admin.get(LISTS).await.expect(404);
    let _ = admin
        .delete("/_/discovery/modules/mod-reading-lists-1.0.0")
        .await
        .expect(204);
    let _ = admin
        .delete(&format!("/_/proxy/modules/{MODULE}"))
        .await
        .expect(204);
    let _ = admin
        .get(&format!("/_/proxy/modules/{MODULE}"))
        .await
        .expect(404);
}

#[tokio::test]
async fn its_permissions_are_defined_given_and_asked_for() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&[]);
    module.plug_in(&admin).await;
    let found = admin
        .query("/perms/permissions", "permissionName==reading-lists.all")
        .await
        .expect(200)
        .json();
    assert_eq!(found["permissions"][0]["moduleName"], "mod-reading-lists");
    let reader = user_with(&library, &admin, &["reading-lists.collection.get"]).await;
    let _ = reader.get(LISTS).await.expect(200);
    let refused = reader.post(LISTS, &json!({"name": "x"})).await.expect(403);
    assert!(
        refused
            .text
            .ends_with("requires permission: reading-lists.item.post"),
        "{}",
        refused.text
    );
    let stranger = library.stranger().get(LISTS).await.expect(401);
    assert_eq!(
        stranger.text,
        "Token missing, access requires permission: reading-lists.collection.get"
    );
}

#[tokio::test]
async fn a_module_that_takes_its_time_is_waited_for() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&["--slow-tenant", "400"]);
    module.register(&admin).await;
    let wish = json!([{"id": MODULE, "action": "enable"}]);
    let begun = admin.post(&install("?async=true"), &wish).await.expect(201);
    let location = begun.header("location").expect("a location").to_owned();
    let first = admin.get(&location).await.expect(200).json();
    assert_eq!(first["complete"], false, "{first}");
    let job = loop {
        let job = admin.get(&location).await.expect(200).json();
        if job["complete"] == true {
            break job;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert_eq!(job["modules"][0]["stage"], "done", "{job}");
    assert!(job["endDate"].is_string());
    let _ = admin.get(LISTS).await.expect(200);
    let _ = admin.delete(&location).await.expect(204);
    let _ = admin.get(&location).await.expect(404);
}

#[tokio::test]
async fn a_module_that_refuses_the_tenant_is_not_enabled() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&["--slow-tenant", "10"]);
    module.register(&admin).await;
    let wish = json!([{"id": MODULE, "action": "enable"}]);
    let refused = admin
        .post(&install("?tenantParameters=fail%3Dfull"), &wish)
        .await
        .expect(400);
    assert!(refused.text.contains("full"), "{}", refused.text);
    let _ = admin.get(LISTS).await.expect(404);
    let jobs = admin.get(&install("")).await.expect(200).json();
    assert!(jobs[0]["modules"][0]["message"].is_string(), "{jobs}");
    // Nothing remains that would prevent enabling it again.
    let _ = admin.post(&install(""), &wish).await.expect(200);
    let _ = admin.get(LISTS).await.expect(200);
}

#[tokio::test]
async fn an_upgrade_takes_the_place_of_the_version_before() {
    let library = library().await;
    let admin = library.client().await;
    let old = Module::start(&[]);
    old.plug_in(&admin).await;
    let new = Module::start(&["--module-version", "1.1.0"]);
    let _ = admin
        .post("/_/proxy/modules", &new.descriptor)
        .await
        .expect(201);
    let instance = json!({"srvcId": new.id(), "instId": "two", "url": new.url});
    let _ = admin
        .post("/_/discovery/modules", &instance)
        .await
        .expect(201);
    let upgraded = admin
        .post(&format!("/_/proxy/tenants/{TENANT}/upgrade"), &json!(null))
        .await;
    // The body is for `install`.
    assert_eq!(upgraded.status, 400);
    let request = admin.request(
        reqwest::Method::POST,
        &format!("/_/proxy/tenants/{TENANT}/upgrade"),
    );
    let upgraded = admin.send(request).await.expect(200).json();
    assert_eq!(
        upgraded,
        json!([{"id": "mod-reading-lists-1.1.0", "from": MODULE, "action": "enable"}])
    );
    let said = calls_logged(&admin, "_tenant").await;
    assert_eq!(said[0]["attributes"]["module_from"], MODULE);
    assert_eq!(
        said[0]["attributes"]["module_to"],
        "mod-reading-lists-1.1.0"
    );
}

#[tokio::test]
async fn one_that_listens_gets_permissions() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&["--permissions-listener"]);
    module.plug_in(&admin).await;
    let said = calls_logged(&admin, "_tenantPermissions").await;
    let of = |id: &str| {
        said.iter().find(|one| {
            one["moduleId"]
                .as_str()
                .is_some_and(|one| one.starts_with(id))
        })
    };
    assert!(
        of("mod-users-1").is_some() && of(MODULE).is_some(),
        "{}",
        said.len()
    );
    let names = of(MODULE).expect("its own")["perms"].to_string();
    assert!(names.contains("reading-lists.all"), "{names}");
}

#[tokio::test]
async fn two_who_install_at_once_come_one_after_the_other() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&["--slow-tenant", "100"]);
    module.register(&admin).await;
    let wish = json!([{"id": MODULE, "action": "enable"}]);
    let path = install("");
    let (one, other) = tokio::join!(admin.post(&path, &wish), admin.post(&path, &wish));
    let mut actions: Vec<String> = [one.expect(200), other.expect(200)]
        .iter()
        .map(|answer| {
            answer.json()[0]["action"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
        .collect();
    actions.sort();
    assert_eq!(actions, ["enable", "uptodate"]);
    assert_eq!(calls_logged(&admin, "_tenant").await.len(), 1);
}
