//! `/perms/permissions`: what libraries define themselves.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{PERMISSIONS, definition, error_of, held, holder, id_of, set, user};
use octavo_server_testkit::library;

#[tokio::test]
async fn a_permission_is_made_read_replaced_and_deleted() {
    let library = library().await;
    let admin = library.client().await;
    let body = json!({"permissionName": "desk", "displayName": "The desk", "mutable": false,
                      "subPermissions": ["notes.item.get", "notes.item.put", "notes.item.get"]});
    let made = admin.post(PERMISSIONS, &body).await.expect(201).json();
    let id = id_of(&made);
    assert_eq!(
        made,
        json!({"id": id, "permissionName": "desk", "displayName": "The desk", "mutable": true,
               "visible": true, "tags": [],
               "subPermissions": ["notes.item.get", "notes.item.put"]})
    );
    let path = format!("{PERMISSIONS}/{id}");
    let read = admin.get(&path).await.expect(200).json();
    for (property, value) in [
        ("dummy", json!(false)),
        ("deprecated", json!(false)),
        ("childOf", json!([])),
        ("grantedTo", json!([])),
        ("mutable", json!(true)),
    ] {
        assert_eq!(read[property], value, "{property}");
    }
    assert!(
        definition(&admin, "notes.item.put").await["childOf"]
            .as_array()
            .is_some_and(|sets| sets.contains(&json!("desk")))
    );

    let body = json!({"id": id, "permissionName": "desk", "tags": ["front"],
                      "subPermissions": ["notes.item.get", "users.item.get"]});
    let replaced = admin.put(&path, &body).await.expect(200).json();
    assert_eq!(replaced["subPermissions"], body["subPermissions"]);
    let read = admin.get(&path).await.expect(200).json();
    assert_eq!(read["tags"], json!(["front"]));
    assert_eq!(read.get("displayName"), None);
    let child_of = |name: &'static str| {
        let admin = admin.clone();
        async move { definition(&admin, name).await["childOf"].clone() }
    };
    assert!(
        !child_of("notes.item.put")
            .await
            .to_string()
            .contains("desk")
    );
    assert!(
        child_of("users.item.get")
            .await
            .to_string()
            .contains("desk")
    );

    let _ = admin.delete(&path).await.expect(204);
    assert!(
        !child_of("users.item.get")
            .await
            .to_string()
            .contains("desk")
    );
    assert_eq!(admin.get(&path).await.expect(404).text, "Not found");
    let gone = format!("No permission found to match id {id}");
    assert_eq!(admin.put(&path, &body).await.expect(404).text, gone);
    assert_eq!(admin.delete(&path).await.expect(404).text, gone);
}

#[tokio::test]
async fn a_permission_without_name_and_id_gets_both() {
    let library = library().await;
    let admin = library.client().await;
    let made = admin.post(PERMISSIONS, &json!({})).await.expect(201).json();
    assert_eq!(made["permissionName"], made["id"]);
    let hidden = json!({"permissionName": "hidden", "visible": false});
    let made = admin.post(PERMISSIONS, &hidden).await.expect(201).json();
    assert_eq!(made["visible"], json!(false));
}

#[tokio::test]
async fn what_does_not_fit_is_refused_in_folios_words() {
    let library = library().await;
    let admin = library.client().await;
    let id = set(&admin, "desk", &["notes.item.get"]).await;
    let path = format!("{PERMISSIONS}/{id}");
    let answer = admin
        .post(PERMISSIONS, &json!({"permissionName": "desk"}))
        .await;
    let text = |text: &str| text.to_owned();
    assert_eq!(
        error_of(&answer.expect(422)),
        (
            text("Permission with name desk already exists"),
            text("'permissionName'"),
            text("desk")
        )
    );
    let unknown = "Attempting to add non-existent permissions x,y as sub-permissions to permission";
    let body = json!({"permissionName": "new", "subPermissions": ["x", "notes.all", "y"]});
    let answer = admin.post(PERMISSIONS, &body).await.expect(422);
    assert_eq!(
        error_of(&answer),
        (
            format!("{unknown} new"),
            text("'permissionName'"),
            text("new")
        )
    );
    let body = json!({"id": id, "permissionName": "desk", "subPermissions": ["x", "y"]});
    let answer = admin.put(&path, &body).await.expect(422);
    assert_eq!(
        error_of(&answer),
        (
            format!("Unable to update derived fields: {unknown} desk"),
            text("id"),
            id.clone()
        )
    );
    for (body, status) in [
        (json!({"permissionName": "new", "grantedTo": []}), 422),
        (json!({"permissionName": {"is": "none"}}), 400),
        (
            json!({"permissionName": "new", "subPermissions": [{"permissionName": "x"}]}),
            400,
        ),
        (json!([]), 400),
    ] {
        let _ = admin.post(PERMISSIONS, &body).await.expect(status);
    }
    let of_module = id_of(&definition(&admin, "users.all").await);
    let module_path = format!("{PERMISSIONS}/{of_module}");
    for (answer, expected) in [
        (
            admin.put(&path, &json!({"permissionName": "desk"})).await,
            "Invalid id value",
        ),
        (
            admin
                .put(&path, &json!({"id": id, "permissionName": "other"}))
                .await,
            "permission name property cannot change",
        ),
        (
            admin
                .put(
                    &module_path,
                    &json!({"id": of_module, "permissionName": "users.all"}),
                )
                .await,
            "cannot change an immutable permission",
        ),
        (
            admin.delete(&module_path).await,
            "cannot delete an immutable permission",
        ),
        (
            admin.post(PERMISSIONS, &json!({"id": "12"})).await,
            "invalid input syntax for type uuid: \"12\"",
        ),
        (
            admin.get(&format!("{PERMISSIONS}/12")).await,
            "invalid input syntax for type uuid: \"12\"",
        ),
    ] {
        assert_eq!(answer.expect(400).text, expected);
    }
    // Nothing of it was stored.
    let read = admin.get(&path).await.expect(200).json();
    assert_eq!(read["subPermissions"], json!(["notes.item.get"]));
    let body = json!({"permissionName": "x".repeat(1_001)});
    let answer = admin.post(PERMISSIONS, &body).await.expect(422);
    let (_, key, value) = error_of(&answer);
    assert_eq!(
        (key.as_str(), value.as_str()),
        ("permissionName", "1001 bytes")
    );
}

#[tokio::test]
async fn sets_do_not_hold_themselves() {
    let library = library().await;
    let admin = library.client().await;
    let own = json!({"permissionName": "own", "subPermissions": ["own"]});
    let answer = admin.post(PERMISSIONS, &own).await.expect(422);
    assert!(
        answer
            .text
            .contains("Unable to resolve permission dependencies for own"),
        "{}",
        answer.text
    );
    let a = set(&admin, "a", &[]).await;
    let _ = set(&admin, "b", &["a"]).await;
    let _ = set(&admin, "c", &["b"]).await;
    let replace = |parts: Value| {
        let body = json!({"id": a, "permissionName": "a", "subPermissions": parts});
        let (admin, path) = (admin.clone(), format!("{PERMISSIONS}/{a}"));
        async move { admin.put(&path, &body).await }
    };
    for parts in [json!(["c"]), json!(["a"]), json!(["notes.all", "b"])] {
        let answer = replace(parts).await.expect(422);
        let (message, key, value) = error_of(&answer);
        assert!(
            message.starts_with(
                "Unable to update derived fields: Unable to resolve permission dependencies for a"
            ),
            "{message}"
        );
        assert_eq!((key.as_str(), value), ("id", a.clone()));
    }
    let _ = replace(json!(["notes.all"])).await.expect(200);
}

#[tokio::test]
async fn a_deleted_permission_is_taken_from_sets_and_users() {
    let library = library().await;
    let admin = library.client().await;
    let inner = set(&admin, "inner", &["notes.all"]).await;
    let _ = set(&admin, "outer", &["users.item.get", "inner"]).await;
    let ada = user(&admin, "ada").await;
    let ada = holder(&admin, ada, &["inner", "outer"]).await;
    let read = admin.get(&format!("{PERMISSIONS}/{inner}")).await;
    let read = read.expect(200).json();
    assert_eq!(read["grantedTo"], json!([ada]));
    assert_eq!(read["childOf"], json!(["outer"]));
    let _ = admin
        .delete(&format!("{PERMISSIONS}/{inner}"))
        .await
        .expect(204);
    assert_eq!(held(&admin, &ada, "").await, json!(["outer"]));
    let outer = definition(&admin, "outer").await;
    assert_eq!(outer["subPermissions"], json!(["users.item.get"]));
    let notes = definition(&admin, "notes.all").await;
    assert!(!notes["childOf"].to_string().contains("inner"), "{notes}");
}

#[tokio::test]
async fn names_that_differ_by_case_are_two_permissions() {
    let library = library().await;
    let admin = library.client().await;
    let _ = set(&admin, "desk", &["notes.item.get"]).await;
    let _ = set(&admin, "Desk", &["users.item.get"]).await;
    let id = user(&admin, "ada").await;
    let ada = holder(&admin, id, &["Desk"]).await;
    assert_eq!(
        held(&admin, &ada, "?expanded=true").await,
        json!(["Desk", "users.item.get"])
    );
    let directory = &library.platform.identities.permissions.directory;
    let store = library.platform.store.clone();
    let grants = directory.grants(store, library.tenant(), id).await;
    let grants = grants.expect("an answer").expect("an active user");
    assert!(grants.has("Desk") && grants.has("users.item.get"));
    assert!(!grants.has("desk") && !grants.has("notes.item.get"));
    let nobody = Uuid::new_v4();
    let store = library.platform.store.clone();
    let grants = directory.grants(store, library.tenant(), nobody).await;
    assert!(grants.expect("an answer").is_none());
}
