//! Who may give which permission.

use serde_json::json;
use uuid::Uuid;

use super::{PERMISSIONS, USERS, held, holder, id_of, set, staff, user};
use octavo_server_testkit::library;

#[tokio::test]
async fn one_gives_what_one_holds_and_the_kinds_one_is_trusted_with() {
    let library = library().await;
    let admin = library.client().await;
    let _ = set(&admin, "desk", &["notes.all"]).await;
    let id = user(&admin, "ada").await;
    let ada = holder(&admin, id, &[]).await;
    let path = format!("{USERS}/{ada}/permissions");
    let clerks = [
        ("plain", &["perms.users", "notes.all"][..]),
        ("modules", &["perms.users", "perms.users.assign.immutable"]),
        ("sets", &["perms.users", "perms.users.assign.mutable"]),
        (
            "gateway",
            &[
                "perms.users",
                "perms.users.assign.okapi",
                "perms.users.assign.immutable",
            ],
        ),
    ];
    for (name, has) in clerks {
        let (clerk, clerk_id) = staff(&library, &admin, name, has).await;
        for (permission, kind, givers) in [
            // Held through a set.
            (
                "notes.item.get",
                "immutable",
                &["plain", "modules", "gateway"][..],
            ),
            ("users.item.get", "immutable", &["modules", "gateway"]),
            ("desk", "mutable", &["sets"]),
            ("okapi.all", "okapi", &["gateway"]),
            ("octavo.all", "okapi", &["gateway"]),
            ("perms.users.assign.okapi", "okapi", &["gateway"]),
        ] {
            let body = json!({"permissionName": permission});
            let answer = clerk.post(&path, &body).await;
            if givers.contains(&name) {
                let _ = answer.expect(200);
                let taken = clerk.delete(&format!("{path}/{permission}")).await;
                let _ = taken.expect(204);
            } else {
                assert_eq!(
                    answer.expect(403).text,
                    format!(
                        "Cannot add {kind} permission {permission} not owned by operating user \
                         {clerk_id}"
                    ),
                    "{name}"
                );
            }
        }
    }
    assert_eq!(held(&admin, &ada, "").await, json!([]));
}

#[tokio::test]
async fn whole_lists_are_looked_at_by_what_is_added() {
    let library = library().await;
    let admin = library.client().await;
    let (clerk, clerk_id) = staff(&library, &admin, "clerk", &["perms.users"]).await;
    let id = user(&admin, "ada").await;
    let two = json!({"userId": id, "permissions": ["users.item.get", "users.item.put"]});
    let refused = format!(
        "Cannot add immutable permissions users.item.get, users.item.put not owned by operating \
         user {clerk_id}"
    );
    let answer = clerk.post(USERS, &two).await.expect(403);
    assert_eq!(answer.text, refused);
    let ada = holder(&admin, id, &["users.item.get", "users.item.put"]).await;
    let path = format!("{USERS}/{ada}");
    // What was there may stay, or go.
    let _ = clerk.put(&path, &two).await.expect(200);
    let one = json!({"userId": id, "permissions": ["users.item.get"]});
    let _ = clerk.put(&path, &one).await.expect(200);
    let answer = clerk.put(&path, &two).await.expect(403);
    assert_eq!(
        answer.text,
        format!(
            "Cannot add immutable permission users.item.put not owned by operating user {clerk_id}"
        )
    );
    assert_eq!(held(&admin, &ada, "").await, json!(["users.item.get"]));
    let _ = clerk.delete(&path).await.expect(204);
}

#[tokio::test]
async fn parts_of_sets_are_given_like_permissions() {
    let library = library().await;
    let admin = library.client().await;
    let has = ["perms.permissions", "notes.all"];
    let (clerk, clerk_id) = staff(&library, &admin, "clerk", &has).await;
    let body = json!({"permissionName": "desk", "subPermissions": []});
    let mut desk = clerk.post(PERMISSIONS, &body).await.expect(201).json();
    let path = format!("{PERMISSIONS}/{}", id_of(&desk));
    desk["subPermissions"] = json!(["notes.item.get"]);
    let _ = clerk.put(&path, &desk).await.expect(200);
    desk["subPermissions"] = json!(["notes.item.get", "users.item.get"]);
    let answer = clerk.put(&path, &desk).await.expect(403);
    assert_eq!(
        answer.text,
        format!(
            "Cannot add immutable permission users.item.get not owned by operating user {clerk_id}"
        )
    );
    let read = clerk.get(&path).await.expect(200).json();
    assert_eq!(read["subPermissions"], json!(["notes.item.get"]));
}

#[tokio::test]
async fn unknown_permissions_are_refused() {
    let library = library().await;
    let admin = library.client().await;
    let (clerk, _) = staff(&library, &admin, "clerk", &["perms.users"]).await;
    let body = json!({"userId": Uuid::new_v4(), "permissions": ["none.such"]});
    let _ = clerk.post(USERS, &body).await.expect(422);
}

#[tokio::test]
async fn no_set_gives_what_its_giver_has_not() {
    let library = library().await;
    let admin = library.client().await;
    let has = [
        "perms.permissions",
        "perms.users",
        "perms.users.assign.mutable",
        "perms.users.assign.immutable",
        "notes.all",
    ];
    let (clerk, clerk_id) = staff(&library, &admin, "clerk", &has).await;
    let everything =
        format!("Cannot add okapi permission octavo.all not owned by operating user {clerk_id}");
    // A new set of one's own.
    let body = json!({"permissionName": "all mine", "subPermissions": ["octavo.all"]});
    let answer = clerk.post(PERMISSIONS, &body).await.expect(403);
    assert_eq!(answer.text, everything);
    // One that somebody else made, given to oneself, or put into one that one holds.
    let _ = set(&admin, "inner", &["octavo.all"]).await;
    let _ = set(&admin, "outer", &["inner", "notes.all"]).await;
    let body = json!({"permissionName": "mine", "subPermissions": ["notes.all"]});
    let mut mine = clerk.post(PERMISSIONS, &body).await.expect(201).json();
    let path = format!("{PERMISSIONS}/{}", id_of(&mine));
    mine["subPermissions"] = json!(["outer"]);
    let answer = clerk.put(&path, &mine).await.expect(403);
    assert_eq!(answer.text, everything);
    let give = format!("{USERS}/{clerk_id}/permissions?indexField=userId");
    let answer = clerk.post(&give, &json!({"permissionName": "outer"})).await;
    assert_eq!(answer.expect(403).text, everything);
    let ada = user(&admin, "ada").await;
    let body = json!({"userId": ada, "permissions": ["notes.all", "outer"]});
    let answer = clerk.post(USERS, &body).await.expect(403);
    assert_eq!(answer.text, everything);
    let holds = holder(&admin, ada, &["notes.all"]).await;
    let answer = clerk
        .put(&format!("{USERS}/{holds}"), &body)
        .await
        .expect(403);
    assert_eq!(answer.text, everything);
    let body = json!({"user": {"id": ada, "username": "ada", "active": true,
                               "personal": {"lastName": "ada"}},
                      "permissions": {"permissions": ["outer"]}});
    let (saver, _) = staff(
        &library,
        &admin,
        "saver",
        &[&has[..], &["users-bl.item.put"]].concat(),
    )
    .await;
    let answer = saver
        .put(&format!("/bl-users/{ada}"), &body)
        .await
        .expect(403);
    assert!(answer.text.contains("octavo.all"), "{}", answer.text);
    // A name that no module has defined yet is no way to it.
    for name in ["okapi.all.mine", "octavo.mine"] {
        let body = json!({"permissionName": name, "subPermissions": []});
        let _ = clerk.post(PERMISSIONS, &body).await.expect(201);
        let answer = clerk.post(&give, &json!({"permissionName": name})).await;
        let _ = answer.expect(403);
    }
    // Whoever was trusted with the gateway's may.
    let trusted = [&has[..], &["perms.users.assign.okapi"]].concat();
    let (root, _) = staff(&library, &admin, "root", &trusted).await;
    let _ = root
        .post(&give, &json!({"permissionName": "outer"}))
        .await
        .expect(200);
    let _ = clerk.get("/users").await.expect(200);
}
