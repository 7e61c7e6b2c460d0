//! Composite users over HTTP.

mod composites;
mod deletion;
mod forgotten;
mod log_in;
mod own_password;
mod password_rules;
mod remote;
mod saving;

use octavo_records::Stamp;
use octavo_records::store::insert;
use octavo_testkit::{Client, Library, TENANT};
use serde_json::{Value, json};
use uuid::Uuid;

use octavo_server_testkit::stock::UNDERGRAD;

/// A user of the group of undergraduates.
async fn user(client: &Client, username: &str, more: Value) -> Uuid {
    let id = Uuid::new_v4();
    let mut user = json!({"id": id, "username": username, "active": true,
                          "barcode": format!("b-{username}"), "patronGroup": UNDERGRAD,
                          "personal": {"lastName": "Reader",
                                       "email": format!("{username}@example.org")}});
    for (name, value) in more.as_object().expect("properties") {
        user[name] = value.clone();
    }
    let _ = client.post("/users", &user).await.expect(201);
    id
}

/// Stores a record for which this test needs no route.
async fn store(library: &Library, table: &str, document: Value) {
    let store = &library.platform.store;
    let collection = store.catalog.get(table).expect("the table is declared");
    let Value::Object(document) = document else {
        panic!("a record is an object");
    };
    let (tenant, stamp) = (library.tenant(), Stamp::now(None));
    let stored = insert(&store.database, &tenant, collection, document, &stamp);
    stored.await.expect("the record is stored");
}

/// Gives a user permissions.
async fn permit(library: &Library, user: Uuid, permissions: &[&str]) -> Uuid {
    let id = Uuid::new_v4();
    let document = json!({"id": id, "userId": user, "permissions": permissions});
    store(library, "permissions_users", document).await;
    id
}

/// Gives a user a password.
async fn password(client: &Client, user: Uuid, password: &str) {
    let body = json!({"userId": user, "password": password});
    let _ = client.post("/authn/credentials", &body).await.expect(201);
}

/// A client that has logged in.
async fn log_in(library: &Library, username: &str, password: &str) -> Client {
    Client::log_in(library.address, TENANT, username, password).await
}

/// Whether a log-in succeeds.
async fn logs_in(library: &Library, username: &str, password: &str) -> bool {
    let body = json!({"username": username, "password": password});
    library.stranger().post("/authn/login", &body).await.status == 201
}

/// The codes of a list of errors.
fn codes(answer: &Value) -> Vec<&str> {
    let errors = answer["errors"].as_array().expect("a list of errors");
    let code = |error: &'_ Value| error["code"].as_str().map(str::len);
    assert!(errors.iter().all(|error| code(error).is_some()), "{answer}");
    errors
        .iter()
        .filter_map(|error| error["code"].as_str())
        .collect()
}
