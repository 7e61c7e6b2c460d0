//! Users created and changed together with permissions and password.

use serde_json::json;
use uuid::Uuid;

use super::{log_in, logs_in, password, permit, user};
use octavo_server_testkit::library;
use octavo_server_testkit::stock::UNDERGRAD;

#[tokio::test]
async fn a_user_is_made_with_permissions_and_password_at_once() {
    let library = library().await;
    let client = library.client().await;
    let id = Uuid::new_v4();
    let body = json!({
        "user": {"id": id, "username": "ada", "active": true, "patronGroup": UNDERGRAD,
                 "personal": {"lastName": "Reader"}},
        "permissions": {"permissions": ["users.item.get"]},
        "credentials": {"username": "ada", "password": "secret"},
    });
    let made = client.post("/bl-users", &body).await.expect(201);
    assert_eq!(made.header("location"), Some(id.to_string().as_str()));
    let answered = made.json();
    assert_eq!(answered["user"]["id"], json!(id));
    assert_eq!(
        answered["permissions"]["permissions"],
        json!(["users.item.get"])
    );
    let ada = log_in(&library, "ada", "secret").await;
    let _ = ada.get(&format!("/users/{id}")).await.expect(200);

    // Twice is refused, and nothing of it is kept.
    let mut again = body.clone();
    again["user"]["id"] = json!(Uuid::new_v4());
    let _ = client.post("/bl-users", &again).await.expect(422);
    let mut other = body.clone();
    other["user"]["username"] = json!("bea");
    other["user"]["id"] = json!(Uuid::new_v4());
    other["user"]["personal"] = json!({});
    let _ = client.post("/bl-users", &other).await.expect(422);
    let _ = client.get("/bl-users/by-username/bea").await.expect(404);

    let change = json!({"user": {"id": id, "username": "ada", "active": true,
                                 "personal": {"lastName": "Lovelace"}},
                        "permissions": {"permissions": ["usergroups.item.get"]}});
    let path = format!("/bl-users/{id}");
    let _ = client.put(&path, &change).await.expect(204);
    let answered = client
        .get(&format!("/bl-users/by-id/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(answered["user"]["personal"]["lastName"], "Lovelace");
    assert_eq!(
        answered["permissions"]["permissions"],
        json!(["usergroups.item.get"])
    );
    let _ = ada.get(&format!("/users/{id}")).await.expect(403);
    let path = format!("/bl-users/{}", Uuid::new_v4());
    let mut unknown = change.clone();
    unknown["user"]["username"] = json!("eve");
    let _ = client.put(&path, &unknown).await.expect(404);
}

#[tokio::test]
async fn nobody_gives_permissions_that_they_do_not_have() {
    let library = library().await;
    let admin = library.client().await;
    let id = user(&admin, "clerk", json!({})).await;
    password(&admin, id, "secret").await;
    let held = ["users-bl.item.post", "users-bl.item.put", "users.item.get"];
    let _ = permit(&library, id, &held).await;
    let clerk = log_in(&library, "clerk", "secret").await;
    let new = |permissions: &[&str]| {
        json!({"user": {"username": "ada", "active": true, "personal": {"lastName": "Reader"}},
               "permissions": {"permissions": permissions}})
    };
    let refused = clerk.post("/bl-users", &new(&["users.item.get"])).await;
    assert!(refused.expect(403).text.contains("perms.users.item.post"));
    let without = json!({"user": new(&[])["user"]});
    let made = clerk.post("/bl-users", &without).await.expect(201).json();
    let made = made["user"]["id"].as_str().expect("an id").to_owned();
    let path = format!("/bl-users/{made}");
    let change = json!({"user": {"id": id, "username": "ada", "active": true,
                                 "personal": {"lastName": "Reader"}},
                        "permissions": {"permissions": ["octavo.all"]}});
    let _ = clerk.put(&path, &change).await.expect(403);

    let other = user(&admin, "chief", json!({})).await;
    password(&admin, other, "secret").await;
    let held = [
        "users-bl.item.put",
        "perms.users.item.put",
        "users.item.get",
    ];
    let _ = permit(&library, other, &held).await;
    let chief = log_in(&library, "chief", "secret").await;
    let refused = chief.put(&path, &change).await.expect(403);
    assert!(refused.text.contains("octavo.all"), "{}", refused.text);
    let mut allowed = change.clone();
    allowed["permissions"]["permissions"] = json!(["users.item.get"]);
    let _ = chief.put(&path, &allowed).await.expect(204);
    // What is not defined is nobody's to give.
    allowed["permissions"]["permissions"] = json!(["users.item.get", "no.such.permission"]);
    let refused = chief.put(&path, &allowed).await.expect(422);
    assert!(
        refused.text.contains("no.such.permission"),
        "{}",
        refused.text
    );
    assert!(!logs_in(&library, "ada", "secret").await);
}
