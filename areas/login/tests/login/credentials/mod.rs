//! Passwords over HTTP: set, changed, compared with earlier ones, reset.

mod changes;
mod resets;

use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

/// A user without a password.
async fn user(client: &Client, username: &str) -> Uuid {
    let id = Uuid::new_v4();
    let user = json!({"id": id, "username": username, "active": true,
                      "personal": {"lastName": "Reader"}});
    let _ = client.post("/users", &user).await.expect(201);
    id
}

async fn user_with(client: &Client, username: &str, password: &str) -> Uuid {
    let id = user(client, username).await;
    let body = json!({"userId": id, "password": password});
    let _ = client.post("/authn/credentials", &body).await.expect(201);
    id
}

/// Whether a log-in succeeds.
async fn logs_in(library: &Library, username: &str, password: &str) -> bool {
    let body = json!({"username": username, "password": password});
    library.stranger().post("/authn/login", &body).await.status == 201
}

/// The statuses of requests that are sent at once, in their order.
async fn at_once<R>(requests: impl Iterator<Item = R>) -> Vec<u16>
where
    R: Future<Output = u16> + Send + 'static,
{
    let sent: Vec<_> = requests.map(tokio::spawn).collect();
    let mut statuses = Vec::new();
    for one in sent {
        statuses.push(one.await.expect("the request ends"));
    }
    statuses
}

/// The one error of a 422.
fn error(answer: &Value) -> (&str, &str) {
    let errors = answer["errors"].as_array().expect("a list of errors");
    assert_eq!(errors.len(), 1, "{answer}");
    (
        errors[0]["message"].as_str().unwrap_or_default(),
        errors[0]["code"].as_str().unwrap_or_default(),
    )
}
