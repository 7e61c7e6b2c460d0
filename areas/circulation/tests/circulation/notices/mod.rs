//! Notices to patrons by their notice policy: at the end of a visit, upon an act, at its time. A run of
//! a timer is given its time, so that weeks pass within a test.

mod accounts;
mod acts;
mod fees;
mod gathered;
mod given_up;
mod requests;
mod timed;
mod twice;
mod visits;

use std::sync::Arc;

use octavo_circulation::app::Desk;
use octavo_circulation::app::due_notices::{Sending, Sent, send_due};
use octavo_circulation::config_cache::ConfigCache;
use octavo_circulation::notice::Event;
use octavo_jobs::Room;
use octavo_notices::queue::soon;
use octavo_platform::Platform;
use octavo_platform::system_call;
use octavo_records::Stamp;
use octavo_testkit::{Client, Library, SmtpOptions, SmtpServer};
use serde_json::{Value, json};

use super::lent::{Lent, OwnPolicy};
use super::support::{sql, timer};
use super::{IN, OUT, check_in, stocked};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, Stock, check_out};

/// A loan of thirty days made now is due on Saturday, 2 March 2024, at ten.
const LENT: &str = "2024-02-01T10:00:00Z";
const POLICIES: &str = "/patron-notice-policy-storage/patron-notice-policies";
const SCHEDULED: &str = "/scheduled-notice-storage/scheduled-notices";
const LOANS: &[Event] = &[Event::DueDate, Event::AgedToLost];

fn template_id(number: u8) -> String {
    format!("0ff6b0d1-8cb5-4d2e-9a44-0a5fd0f0c7b{number}")
}

/// Stores a template that says this.
async fn template(client: &Client, number: u8, body: &str) {
    let template = json!({"id": template_id(number), "name": format!("Template {number}"),
        "outputFormats": ["text/html"], "templateResolver": "mustache", "active": true,
        "category": "Loan",
        "localizedTemplates": {"en": {"header": format!("Notice {number}"), "body": body}}});
    let _ = client.post("/templates", &template).await.expect(201);
}

/// A notice of a policy, with the template of a number.
fn notice(number: u8, how: &str, when: &str) -> Value {
    json!({"templateId": template_id(number), "format": "Email", "realTime": true,
           "frequency": "One time", "sendOptions": {"sendHow": how, "sendWhen": when}})
}

/// The same some time before or after.
fn by(mut notice: Value, duration: u8, unit: &str) -> Value {
    notice["sendOptions"]["sendBy"] = json!({"duration": duration, "intervalId": unit});
    notice
}

/// The same again and again.
fn every(mut notice: Value, duration: u8, unit: &str) -> Value {
    notice["frequency"] = json!("Recurring");
    notice["sendOptions"]["sendEvery"] = json!({"duration": duration, "intervalId": unit});
    notice
}

/// Makes a notice policy that the rules name for everything.
async fn telling(client: &Client, notices: Value) -> String {
    let mut policy = json!({"name": "Own", "active": true});
    if let (Some(policy), Some(notices)) = (policy.as_object_mut(), notices.as_object()) {
        policy.extend(notices.clone());
    }
    let stored = client.post(POLICIES, &policy).await.expect(201).json();
    let id = stored["id"].as_str().expect("an id").to_owned();
    let rules = client.get("/circulation/rules").await.expect(200).json();
    let text = rules["rulesAsText"].as_str().expect("the text");
    let before = text.split(" n ").nth(1).expect("a notice policy");
    let before = before.split_whitespace().next().expect("its id");
    let rules = json!({"rulesAsText": text.replace(before, &id)});
    let _ = client.put("/circulation/rules", &rules).await.expect(204);
    id
}

/// A mail server on loopback, which the library uses.
async fn mail_server(client: &Client) -> SmtpServer {
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let value = json!({"host": "127.0.0.1", "port": server.address.port(), "username": "octavo",
        "password": "pass", "from": "library@example.org", "loginOption": "NONE"});
    let settings = json!({"scope": "mod-email", "key": "smtp-configuration", "value": value});
    let _ = client.post("/email/settings", &settings).await.expect(201);
    server
}

/// Gives a patron an address.
async fn address(client: &Client, patron: &str, address: &str) {
    let path = format!("/users/{patron}");
    let mut user = client.get(&path).await.expect(200).json();
    user["personal"]["email"] = json!(address);
    let _ = client.put(&path, &user).await.expect(204);
}

/// Lets a worker begin, and waits until so many messages were taken; returns their texts in the order of
/// the alphabet.
async fn delivered(library: &Library, server: &SmtpServer, count: usize) -> Vec<String> {
    let known = library.platform.registry.known(library.tenant().id());
    let view = known.expect("the tenant was asked for");
    soon(&system_call(&library.platform, &view));
    for _ in 0..1500 {
        if server.delivered().len() >= count {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let mails = server.delivered();
    assert_eq!(mails.len(), count);
    let text = |mail: &octavo_testkit::Delivered| {
        let text = mail.text.replace("=\r\n", "").replace("=3D", "=");
        let begin = text.find("<p>").unwrap_or_default();
        let end = text.find("</p>").unwrap_or(text.len());
        format!(
            "{}: {}",
            mail.to.join(", "),
            &text[begin..end].trim_start_matches("<p>")
        )
    };
    let mut texts: Vec<String> = mails.iter().map(text).collect();
    texts.sort();
    texts
}

/// The desk of a process at an instant.
fn desk_at<'a>(
    platform: &'a Arc<Platform>,
    tenant: &'a octavo_records::Tenant,
    cache: &'a ConfigCache,
    at: &str,
) -> Desk<'a> {
    Desk {
        context: octavo_records::Context {
            store: &platform.store,
            tenant,
            stamp: Stamp {
                user_id: None,
                at: at.parse().expect("an instant"),
            },
        },
        cache,
    }
}

/// A run beside which nobody renders.
fn unhurried(room: &Room) -> Sending<'_> {
    Sending {
        room,
        queued: &|| {},
    }
}

/// A run of a timer in a process, at an instant.
async fn run_in(library: &Library, platform: &Arc<Platform>, events: &[Event], at: &str) -> Sent {
    let (tenant, cache) = (library.tenant(), ConfigCache::default());
    let desk = desk_at(platform, &tenant, &cache, at);
    send_due(desk, unhurried(&Room::default()), events)
        .await
        .expect("a run")
}

/// A run of the timer of loans.
async fn run(library: &Library, at: &str) -> Sent {
    run_in(library, &library.platform, LOANS, at).await
}

fn sent(sent: usize, deleted: usize, put_off: usize, kept: usize) -> Sent {
    Sent {
        sent,
        deleted,
        put_off,
        kept,
    }
}

/// When the scheduled notices of a query are due, with what they are sent upon.
async fn to_come(client: &Client, query: &str) -> Vec<String> {
    let query = format!("{query} sortby nextRunTime");
    let found = client.query(SCHEDULED, &query).await.expect(200).json();
    let all = found["scheduledNotices"].as_array().expect("a list");
    let told = |one: &Value| {
        let (event, at) = (&one["triggeringEvent"], &one["nextRunTime"]);
        let at = at.as_str().expect("an instant");
        let at = at.trim_end_matches(":00.000+00:00");
        format!("{} {at}", event.as_str().expect("a name"))
    };
    all.iter().map(told).collect()
}

/// The lines of the log about notices: what was done, and how it is described.
async fn logged(library: &Library) -> Vec<String> {
    let sql = "SELECT jsonb FROM tenant_diku.circulation_logs
               WHERE jsonb->>'object' = 'Notice' ORDER BY jsonb->>'date', ctid";
    let database = &library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("the log");
    let told = rows.iter().map(|row| {
        let line: Value = row.get(0);
        let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        format!("{}: {}", text("action"), text("description"))
    });
    told.collect()
}
