//! What modules announce, to a running tenant.

use std::time::Instant;

use octavo_platform::identity::ModulePermissions;
use octavo_platform::permission_set::PermissionSet;
use octavo_records::StoreError;
use octavo_testkit::Library;
use octavo_trace::{Recorder, Summary};
use serde_json::json;

use super::{PERMISSIONS, definition, held, holder, id_of, set, user};
use octavo_server_testkit::library;

fn permission(name: &str, parts: &[&str], replaces: &[&str]) -> PermissionSet {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    PermissionSet {
        permission_name: name.to_owned(),
        display_name: Some(format!("Show {name}")),
        sub_permissions: owned(parts),
        replaces: owned(replaces),
        ..PermissionSet::default()
    }
}

fn module(id: &str, permissions: Vec<PermissionSet>) -> ModulePermissions {
    ModulePermissions {
        module_id: id.to_owned(),
        permissions,
        replaces: None,
    }
}

async fn announce(
    library: &Library,
    modules: Vec<ModulePermissions>,
) -> (Result<(), StoreError>, Summary) {
    let platform = &library.platform;
    let announcing = platform.identities.permissions.directory.announce(
        platform.store.clone(),
        library.tenant(),
        modules,
    );
    let recorder = Recorder::new(Instant::now());
    let outcome = recorder.run(announcing).await;
    (outcome, recorder.tree().summary)
}

async fn announced(library: &Library, modules: Vec<ModulePermissions>) -> Summary {
    let (outcome, summary) = announce(library, modules).await;
    outcome.expect("the announcement is taken");
    summary
}

#[tokio::test]
async fn a_module_comes_is_upgraded_and_goes() {
    let library = library().await;
    let admin = library.client().await;
    let first = vec![
        permission("lend.all", &["lend.get", "lend.put", "later.get"], &[]),
        permission("lend.get", &[], &[]),
        permission("lend.put", &[], &[]),
    ];
    announced(&library, vec![module("mod-lend-1.0.0", first)]).await;
    let all = definition(&admin, "lend.all").await;
    assert_eq!(all["moduleName"], "mod-lend");
    assert_eq!(all["moduleVersion"], "1.0.0");
    assert_eq!(all["mutable"], json!(false));
    assert_eq!(all["visible"], json!(false));
    assert!(all["metadata"]["createdDate"].is_string());
    assert_eq!(definition(&admin, "later.get").await["dummy"], json!(true));
    let _ = set(&admin, "desk", &["lend.put"]).await;
    let id = user(&admin, "ada").await;
    let ada = holder(&admin, id, &["lend.put", "notes.all"]).await;
    let id = user(&admin, "bob").await;
    let bob = holder(&admin, id, &["lend.get"]).await;

    let second = vec![
        permission("lend.all", &["lend.get", "lend.change"], &[]),
        permission("lend.get", &[], &[]),
        permission("lend.change", &[], &["lend.put"]),
    ];
    announced(&library, vec![module("mod-lend-1.1.0", second.clone())]).await;
    let put = definition(&admin, "lend.put").await;
    assert_eq!(put["deprecated"], json!(true));
    assert_eq!(put["displayName"], "(deprecated) Show lend.put");
    let changed = definition(&admin, "lend.all").await;
    assert_eq!(changed["moduleVersion"], "1.1.0");
    // The record is the same one.
    assert_eq!(changed["id"], all["id"]);
    assert_eq!(
        held(&admin, &ada, "").await,
        json!(["lend.put", "notes.all", "lend.change"])
    );
    assert_eq!(held(&admin, &bob, "").await, json!(["lend.get"]));
    let desk = definition(&admin, "desk").await;
    assert_eq!(desk["subPermissions"], json!(["lend.put", "lend.change"]));
    assert_eq!(
        definition(&admin, "lend.change").await["childOf"],
        json!(["desk", "lend.all"])
    );

    // Deprecated permissions are deleted when the library requests it.
    let purged = admin.post("/perms/purge-deprecated", &json!({})).await;
    let purged = purged.expect(200).json();
    assert_eq!(
        purged,
        json!({"permissionNames": ["lend.put"], "totalRecords": 1})
    );
    assert_eq!(
        held(&admin, &ada, "").await,
        json!(["notes.all", "lend.change"])
    );
    let desk = definition(&admin, "desk").await;
    assert_eq!(desk["subPermissions"], json!(["lend.change"]));
    let purged = admin.post("/perms/purge-deprecated", &json!({})).await;
    assert_eq!(purged.expect(200).json()["totalRecords"], 0);

    announced(&library, vec![module("mod-lend-1.1.0", vec![])]).await;
    for name in ["lend.all", "lend.get", "lend.change"] {
        assert_eq!(definition(&admin, name).await["deprecated"], json!(true));
    }
    announced(&library, vec![module("mod-lend-1.1.0", second)]).await;
    assert_eq!(
        definition(&admin, "lend.all").await["displayName"],
        "Show lend.all"
    );
}

#[tokio::test]
async fn what_was_announced_before_costs_one_look() {
    let library = library().await;
    let modules = || -> Vec<ModulePermissions> {
        (0..30)
            .map(|at| {
                let name = |number: usize| format!("m{at}.p{number}");
                let mut permissions: Vec<PermissionSet> = (0..43)
                    .map(|one| permission(&name(one), &[], &[]))
                    .collect();
                let all: Vec<String> = (0..43).map(name).collect();
                let all: Vec<&str> = all.iter().map(String::as_str).collect();
                permissions.push(permission(&format!("m{at}.all"), &all, &[]));
                module(&format!("mod-m{at}-1.0.0"), permissions)
            })
            .collect()
    };
    let summary = announced(&library, modules()).await;
    assert!(summary.statements <= 7, "{summary:?}");
    let summary = announced(&library, modules()).await;
    assert_eq!(summary.statements, 1, "{summary:?}");
    // One module of them changes.
    let mut changed = modules();
    changed[7] = module("mod-m7-1.0.1", changed[7].permissions.clone());
    let summary = announced(&library, changed).await;
    assert!(summary.statements <= 7, "{summary:?}");
    let admin = library.client().await;
    assert_eq!(definition(&admin, "m7.all").await["moduleVersion"], "1.0.1");
    assert_eq!(definition(&admin, "m8.all").await["moduleVersion"], "1.0.0");
    // The native ones are announced whenever a tenant is brought up to date.
    let native = library
        .platform
        .registry
        .modules
        .iter()
        .map(octavo_platform::Module::brings);
    let summary = announced(&library, native.collect()).await;
    assert_eq!(summary.statements, 1, "{summary:?}");
}

#[tokio::test]
async fn two_processes_that_announce_the_same_do_the_work_once() {
    let library = library().await;
    let permissions = || {
        vec![
            permission("lend.all", &["lend.get"], &[]),
            permission("lend.get", &[], &[]),
        ]
    };
    let announcing =
        (0..6).map(|_| announce(&library, vec![module("mod-lend-1.0.0", permissions())]));
    for (outcome, _) in futures_util::future::join_all(announcing).await {
        outcome.expect("all are taken");
    }
    let admin = library.client().await;
    assert_eq!(
        definition(&admin, "lend.get").await["childOf"],
        json!(["lend.all"])
    );
}

#[tokio::test]
async fn names_of_others_and_cycles_are_refused_whole() {
    let library = library().await;
    let admin = library.client().await;
    let _ = set(&admin, "desk", &[]).await;
    for (permissions, expected) in [
        (
            vec![permission("new", &[], &[]), permission("desk", &[], &[])],
            "PermissionName collision with user-defined permission: desk",
        ),
        (
            vec![
                permission("new", &[], &[]),
                permission("users.all", &[], &[]),
            ],
            "Collision! A Permission named users.all is already defined by mod-users",
        ),
        (
            vec![
                permission("new", &["newer"], &[]),
                permission("newer", &["new"], &[]),
            ],
            "Unable to resolve permission dependencies for new, newer",
        ),
    ] {
        let (outcome, _) = announce(&library, vec![module("mod-lend-1.0.0", permissions)]).await;
        let Err(StoreError::Query(reason)) = outcome else {
            panic!("{outcome:?}");
        };
        assert!(reason.starts_with(expected), "{reason}");
    }
    let found = admin.query(PERMISSIONS, "permissionName==new").await;
    assert_eq!(found.expect(200).json()["totalRecords"], 0);
}

/// A library may have taken a name that a later release of a native module wants: the tenant is served
/// anyway, with all other modules' permissions.
#[tokio::test]
async fn a_tenant_is_brought_up_to_date_beside_a_name_that_is_taken() {
    let library = library().await;
    let platform = &library.platform;
    let admin = library.client().await;
    let sql = "UPDATE tenant_diku.permissions SET jsonb = jsonb || '{\"mutable\": true}' \
               WHERE jsonb->>'permissionName' = 'notes.all'";
    let forget = "DELETE FROM tenant_diku.permissions_announced";
    for sql in [
        sql,
        "DELETE FROM tenant_diku.permissions WHERE jsonb->>'permissionName' = 'users.all'",
        forget,
    ] {
        let done = platform.store.database.execute(sql, &[]).await;
        assert!(done.expect("a change") > 0);
    }
    let done = platform
        .tenants
        .provision(&library.tenant(), "Test library")
        .await;
    let _ = done.expect("the tenant is up to date");
    assert_eq!(
        definition(&admin, "users.all").await["moduleName"],
        "mod-users"
    );
    let own = definition(&admin, "notes.all").await;
    assert_eq!(own["mutable"], json!(true));
    // Out of the way, it is made at the next start.
    let _ = admin
        .delete(&format!("{PERMISSIONS}/{}", id_of(&own)))
        .await
        .expect(204);
    let done = platform
        .tenants
        .provision(&library.tenant(), "Test library")
        .await;
    let _ = done.expect("the tenant is up to date");
    assert_eq!(
        definition(&admin, "notes.all").await["mutable"],
        json!(false)
    );
}
