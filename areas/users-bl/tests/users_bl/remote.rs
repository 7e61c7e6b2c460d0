//! Remote modules: one that stores users, one that sends notifications, one that validates
//! passwords.

use std::sync::{Arc, Mutex};

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use octavo_platform::Composition;
use octavo_testkit::{Library, TENANT};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{codes, logs_in, password, permit, user};
use octavo_server_testkit::stock::UNDERGRAD;
use octavo_server_testkit::{composition, start};

/// What a module was asked: method, path with query, body.
type Asked = Arc<Mutex<Vec<(String, String, Value)>>>;

/// What the module answers to method, path and body: status and body.
type Behaviour = Arc<dyn Fn(&str, &str, &Value) -> (u16, Value) + Send + Sync>;

/// A module and how it answers.
#[derive(Clone)]
struct Module {
    asked: Asked,
    answer: Behaviour,
}

async fn serve(State(module): State<Module>, request: Request) -> Response {
    let method = request.method().to_string();
    let path = request.uri().to_string();
    let body = axum::body::to_bytes(request.into_body(), 1_000_000).await;
    let body = serde_json::from_slice(&body.expect("a body")).unwrap_or_default();
    let (status, answer) = (module.answer)(&method, &path, &body);
    let mut asked = module.asked.lock().expect("nobody panicked");
    asked.push((method, path, body));
    let status = StatusCode::from_u16(status).expect("a status");
    (status, axum::Json(answer)).into_response()
}

/// A library whose administrators may register modules.
async fn library() -> Library {
    start(operated).await
}

fn operated() -> Composition {
    let mut composition = composition();
    composition.governance.operators.push(TENANT.to_owned());
    composition
}

/// Starts a module that provides an interface, and enables it for the tenant.
async fn module(
    library: &Library,
    interface: (&str, &str),
    handlers: Value,
    answer: impl Fn(&str, &str, &Value) -> (u16, Value) + Send + Sync + 'static,
) -> Asked {
    let asked = Asked::default();
    let module = Module {
        asked: Arc::clone(&asked),
        answer: Arc::new(answer),
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let app = axum::Router::new().fallback(serve).with_state(module);
    tokio::spawn(async move { axum::serve(listener, app).await });
    let (name, version) = interface;
    let id = format!("mod-remote-{name}-1.0.0");
    let descriptor = json!({"id": id, "name": name, "provides": [
        {"id": name, "version": version, "handlers": handlers}]});
    let operator = library.client().await;
    let _ = operator
        .post("/_/proxy/modules", &descriptor)
        .await
        .expect(201);
    let place = json!({"srvcId": id, "instId": format!("{id}-1"),
                       "url": format!("http://{address}")});
    let _ = operator
        .post("/_/discovery/modules", &place)
        .await
        .expect(201);
    let path = "/_/proxy/tenants/diku/modules";
    let _ = operator.post(path, &json!({"id": id})).await.expect(201);
    asked
}

fn handler(methods: &[&str], pattern: &str) -> Value {
    json!({"methods": methods, "pathPattern": pattern, "permissionsRequired": []})
}

fn of(asked: &Asked, path: &str) -> Vec<Value> {
    let asked = asked.lock().expect("nobody panicked");
    let found = asked.iter().filter(|(_, at, _)| at.starts_with(path));
    found.map(|(_, _, body)| body.clone()).collect()
}

#[tokio::test]
async fn users_are_notified_by_the_module_for_notifications() {
    let library = library().await;
    let client = library.client().await;
    let handlers = json!([handler(&["POST"], "/notify")]);
    let asked = module(&library, ("notify", "2.2"), handlers, |_, _, _| {
        (201, json!({}))
    })
    .await;
    let id = user(&client, "ada", json!({})).await;
    let stranger = library.stranger();
    let remembered = json!({"id": "ada"});
    let forgotten = "/bl-users/forgotten/password";
    let _ = stranger.post(forgotten, &remembered).await.expect(204);
    let sent = of(&asked, "/notify").pop().expect("a notification");
    assert_eq!(sent["eventConfigName"], "CREATE_PASSWORD_EVENT");
    assert_eq!(sent["recipientId"], json!(id));
    assert_eq!((&sent["text"], &sent["lang"]), (&json!(""), &json!("en")));
    assert_eq!(sent["context"]["user"]["username"], "ada");
    let link = sent["context"]["link"].as_str().expect("a link");
    let forgot = "http://localhost:3000/forgot-password";
    assert_eq!(sent["context"]["forgotPasswordLink"], forgot);
    let token = link
        .rsplit('/')
        .next()
        .and_then(|end| end.split('?').next());
    let holder = stranger.with_token(token);
    let event = || of(&asked, "/notify").pop().expect("one")["eventConfigName"].clone();
    let reset = "/bl-users/password-reset/reset";
    let body = json!({"newPassword": "Secret-1815"});
    let _ = holder.post(reset, &body).await.expect(204);
    assert_eq!(event(), "PASSWORD_CREATED_EVENT");
    let _ = stranger.post(forgotten, &remembered).await.expect(204);
    assert_eq!(event(), "RESET_PASSWORD_EVENT");
    let _ = stranger
        .post("/bl-users/forgotten/username", &remembered)
        .await
        .expect(204);
    assert_eq!(event(), "USERNAME_LOCATED_EVENT");
}

#[tokio::test]
async fn a_module_for_notifications_that_fails_changes_nothing() {
    let library = library().await;
    let client = library.client().await;
    let handlers = json!([handler(&["POST"], "/notify")]);
    let _ = module(&library, ("notify", "2.2"), handlers, |_, _, _| {
        (500, json!({}))
    })
    .await;
    let _ = user(&client, "ada", json!({})).await;
    let remembered = json!({"id": "ada"});
    for path in [
        "/bl-users/forgotten/password",
        "/bl-users/forgotten/username",
    ] {
        let _ = library.stranger().post(path, &remembered).await.expect(204);
    }
}

#[tokio::test]
async fn the_module_for_passwords_says_which_may_be_taken() {
    let library = library().await;
    let client = library.client().await;
    let handlers = json!([handler(&["POST"], "/password/validate")]);
    let rules = |_: &str, _: &str, body: &Value| match body["password"].as_str() {
        Some("house rule") => (200, json!({"result": "valid", "messages": []})),
        _ => (
            200,
            json!({"result": "invalid", "messages": ["password.house.invalid"]}),
        ),
    };
    let asked = module(&library, ("password-validator", "1.0"), handlers, rules).await;
    let id = user(&client, "ada", json!({})).await;
    password(&client, id, "before").await;
    let ada = super::log_in(&library, "ada", "before").await;
    let path = "/bl-users/settings/myprofile/password";
    let change = async |old: &str, new: &str| {
        let body = json!({"userId": id, "password": old, "newPassword": new});
        ada.post(path, &body).await
    };
    let refused = change("before", "Secret-1815").await.expect(400).json();
    assert_eq!(codes(&refused), ["password.house.invalid"]);
    let count = of(&asked, "/password/validate").len();
    let _ = change("wrong", "house rule").await.expect(401);
    // Who does not know the password has nothing asked.
    assert_eq!(of(&asked, "/password/validate").len(), count);
    let _ = change("before", "house rule").await.expect(204);
    let last = of(&asked, "/password/validate")
        .pop()
        .expect("it was asked");
    assert_eq!(last, json!({"password": "house rule", "userId": id}));
    assert!(logs_in(&library, "ada", "house rule").await);
}

#[tokio::test]
async fn composites_take_the_users_of_the_module_that_keeps_them() {
    let library = library().await;
    let client = library.client().await;
    let id = Uuid::new_v4();
    let user = json!({"id": id, "username": "remote", "active": true, "patronGroup": UNDERGRAD,
                      "barcode": "r-1", "personal": {"lastName": "Elsewhere"}});
    let kept = user.clone();
    let users = move |method: &str, path: &str, _: &Value| {
        let by_id = format!("/users/{id}");
        match (method, path) {
            ("GET", path) if path == by_id => (200, kept.clone()),
            ("DELETE", path) if path == by_id => (204, json!(null)),
            ("GET", path) if path.starts_with("/users?") => {
                let users = match path.contains("nobody") {
                    true => json!([]),
                    false => json!([kept]),
                };
                let total = users.as_array().map_or(0, Vec::len);
                (200, json!({"users": users, "totalRecords": total}))
            }
            _ => (404, json!("Not found")),
        }
    };
    let handlers = json!([
        handler(&["GET", "POST"], "/users"),
        handler(&["GET", "PUT", "DELETE"], "/users/{id}"),
    ]);
    let asked = module(&library, ("users", "16.5"), handlers, users).await;
    let _ = permit(&library, id, &["users.item.get"]).await;
    let shown = client
        .get(&format!("/bl-users/by-id/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(shown["user"], user);
    assert_eq!(shown["patronGroup"]["id"], UNDERGRAD);
    assert_eq!(
        shown["permissions"]["permissions"],
        json!(["users.item.get"])
    );
    let by_name = client.get("/bl-users/by-username/remote").await.expect(200);
    assert_eq!(by_name.json(), shown);
    let _ = client.get("/bl-users/by-username/nobody").await.expect(404);
    let _ = client
        .get(&format!("/bl-users/by-id/{}", Uuid::new_v4()))
        .await
        .expect(404);
    let page = client.query("/bl-users?limit=5", "username==remote").await;
    let page = page.expect(200).json();
    assert_eq!(page["totalRecords"], 1);
    assert_eq!(page["compositeUsers"][0]["user"], user);
    let paths: Vec<String> = {
        let asked = asked.lock().expect("nobody panicked");
        asked.iter().map(|(_, path, _)| path.clone()).collect()
    };
    let query = "/users?offset=0&limit=5&query=username%3D%3Dremote";
    assert!(paths.iter().any(|path| path == query), "{paths:?}");

    let open = client
        .get(&format!("/bl-users/by-id/{id}/open-transactions"))
        .await;
    assert_eq!(open.expect(200).json()["userBarcode"], "r-1");
    let _ = client
        .delete(&format!("/bl-users/by-id/{id}"))
        .await
        .expect(204);
    let asked = asked.lock().expect("nobody panicked");
    assert!(asked.iter().any(|(method, _, _)| method == "DELETE"));
}
