//! Users who log in.

use octavo_login::app::set_password::set_password;
use octavo_testkit::{Client, Library};
use serde_json::json;
use uuid::Uuid;

/// The id of a new user of the library.
///
/// # Panics
/// When the user cannot be made.
pub async fn user(admin: &Client, username: &str) -> Uuid {
    let id = Uuid::new_v4();
    let body = json!({"id": id, "username": username, "active": true,
                      "personal": {"lastName": username, "preferredContactTypeId": "002"}});
    let _ = admin.post("/users", &body).await.expect(201);
    id
}

/// The id of a new permission user with these permissions.
///
/// # Panics
/// When it cannot be created.
pub async fn holder(admin: &Client, user: Uuid, permissions: &[&str]) -> String {
    let body = json!({"userId": user, "permissions": permissions});
    let made = admin.post("/perms/users", &body).await.expect(201).json();
    made["id"].as_str().expect("an id").to_owned()
}

/// A logged-in user with these permissions.
///
/// # Panics
/// When one of them cannot be assigned.
pub async fn staff(library: &Library, admin: &Client, name: &str, has: &[&str]) -> (Client, Uuid) {
    let id = user(admin, name).await;
    set_password(
        &library.platform,
        &library.tenant(),
        id.into(),
        "secret".to_owned(),
    )
    .await
    .expect("a password");
    let _ = holder(admin, id, has).await;
    let client = Client::log_in(library.address, "diku", name, "secret").await;
    (client, id)
}

/// A user without permissions, logged in.
///
/// # Panics
/// When the user cannot be made.
pub async fn reader(library: &Library, admin: &Client) -> (Client, Uuid) {
    staff(library, admin, "reader", &[]).await
}
