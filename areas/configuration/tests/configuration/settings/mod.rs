//! Settings by scope, the locale, the base URL and the library's addresses over HTTP.

mod entries;
mod tenant;
mod upload;

use octavo_testkit::{Client, Library};
use serde_json::json;
use uuid::Uuid;

/// All that a client needs to reach the routes of settings, whatever the scope.
const ROUTES: [&str; 6] = [
    "mod-settings.entries.item.post",
    "mod-settings.entries.collection.get",
    "mod-settings.entries.item.get",
    "mod-settings.entries.item.put",
    "mod-settings.entries.item.delete",
    "mod-settings.entries.put",
];

/// A user who may call the routes and has these permissions besides, logged in.
async fn staff(
    library: &Library,
    admin: &Client,
    name: &str,
    permissions: &[&str],
) -> (Client, Uuid) {
    let user = Uuid::new_v4();
    let body = json!({"id": user, "username": name, "active": true,
                      "personal": {"lastName": name, "preferredContactTypeId": "002"}});
    let _ = admin.post("/users", &body).await.expect(201);
    let tenant = library.tenant();
    octavo_login::app::set_password::set_password(
        &library.platform,
        &tenant,
        user.into(),
        "secret".to_owned(),
    )
    .await
    .expect("a password");
    let id = Uuid::new_v4();
    let names = [&ROUTES[..], permissions].concat();
    let held = json!({"id": id, "userId": user, "permissions": names});
    library
        .platform
        .store
        .database
        .execute(
            "INSERT INTO tenant_diku.permissions_users (id, jsonb) VALUES ($1, $2)",
            &[&id, &held],
        )
        .await
        .expect("a permission user");
    let client = Client::log_in(library.address, "diku", name, "secret").await;
    (client, user)
}
