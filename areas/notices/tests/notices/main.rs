//! The path of a notice, to a mail server that answers on the loopback.

mod delivery;
mod failing;
mod notifications;
mod printing;
mod queue;
mod settings;
mod templates;

use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_platform::system_call;
use octavo_platform::{Handler, Platform};
use octavo_testkit::{Client, Library, SmtpServer};
use serde_json::{Value, json};
use uuid::Uuid;

use octavo_server_testkit::library;
use octavo_server_testkit::stock::UNDERGRAD;

const SEND: &str = "/delayedTask/sendWaitingEmails";
const RETRY: &str = "/delayedTask/retryFailedEmails";

/// Sets the mail server of the tenant; returns the setting.
async fn set_mail_server(client: &Client, server: &SmtpServer, more: Value) -> Value {
    let mut value = json!({
        "host": "127.0.0.1", "port": server.address.port(), "username": "octavo",
        "password": "pass", "from": "library@example.org", "loginOption": "NONE",
    });
    for (name, member) in more.as_object().expect("properties") {
        value[name] = member.clone();
    }
    let body = json!({"scope": "mod-email", "key": "smtp-configuration", "value": value});
    client
        .post("/email/settings", &body)
        .await
        .expect(201)
        .json()
}

/// A user with this address.
async fn user(client: &Client, username: &str, email: &str) -> Uuid {
    let id = Uuid::new_v4();
    let user = json!({"id": id, "username": username, "active": true, "patronGroup": UNDERGRAD,
                      "personal": {"lastName": "Reader", "firstName": "Ada", "email": email}});
    let _ = client.post("/users", &user).await.expect(201);
    id
}

/// A template of one language and both formats; returns its id.
async fn template(client: &Client, header: &str, body: &str) -> String {
    let template = json!({"name": "A template", "outputFormats": ["text/html", "text/plain"],
                          "templateResolver": "mustache", "active": true, "category": "Loan",
                          "localizedTemplates": {"en": {"header": header, "body": body}}});
    let stored = client
        .post("/templates", &template)
        .await
        .expect(201)
        .json();
    stored["id"].as_str().expect("an id").to_owned()
}

/// Runs a timer of this area in a process.
async fn timer(library: &Library, platform: &Arc<Platform>, path: &str) -> u16 {
    let known = platform.registry.known(library.tenant().id());
    let view = known.expect("the tenant was asked for");
    let modules = octavo_notices::modules();
    let mut timers = modules.iter().flat_map(|one| &one.timers);
    let timer = timers
        .find(|timer| timer.path == path)
        .expect("there is such a timer");
    let Handler::Call(handler) = &timer.handler else {
        panic!("{path} is served by a generic operation");
    };
    let answer = handler(system_call(platform, &view)).await;
    answer.expect("it is carried out").status().as_u16()
}

/// The messages that a query finds.
async fn emails(client: &Client, query: &str) -> Vec<Value> {
    let page = client
        .query("/email?limit=1000", query)
        .await
        .expect(200)
        .json();
    page["emailEntity"].as_array().expect("a list").clone()
}

/// Waits until messages of a status are there, and gives them.
async fn until(client: &Client, query: &str, count: usize) -> Vec<Value> {
    let ends = Instant::now() + Duration::from_secs(30);
    loop {
        let found = emails(client, query).await;
        if found.len() == count {
            return found;
        }
        assert!(
            Instant::now() < ends,
            "{query}: {} instead of {count}",
            found.len()
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
