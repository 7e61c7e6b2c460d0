//! Histories of records over HTTP, on a real PostgreSQL: of orders, invoices, organizations, inventory and MARC
//! records, with their settings, and what two processes do at once.

mod audit_data;
mod end;
mod inventory;
mod invoices;
mod marc;
mod orders;
mod settings;
mod shop;
mod together;

use octavo_platform::{Handler, system_call};
use octavo_testkit::{Client, Library, Server};
use serde_json::Value;

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// Creates a record; returns it as it is answered.
async fn made(client: &Client, path: &str, body: &Value) -> Value {
    client.post(path, body).await.expect(201).json()
}

async fn got(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200).json()
}

/// Changes a record of a storage module.
async fn change(client: &Client, path: &str, edit: impl Fn(&mut Value)) {
    let mut record = got(client, path).await;
    edit(&mut record);
    let _ = client.put(path, &record).await.expect(204);
}

/// The entries of a history of acquisitions, the latest first.
async fn events(client: &Client, path: &str, list: &str) -> Vec<Value> {
    let page = got(client, &format!("/audit-data/acquisition/{path}")).await;
    let events = page[list].as_array().expect("a list").clone();
    assert_eq!(page["totalItems"], events.len(), "{page}");
    events
}

/// The changes of a record of inventory, the latest first.
async fn changes(client: &Client, path: &str) -> Vec<Value> {
    let page = got(client, &format!("/audit-data/inventory/{path}")).await;
    page["inventoryAuditItems"]
        .as_array()
        .expect("a list")
        .clone()
}

/// Runs a timer of this area in one process; gives the status.
async fn timer(server: &Server, library: &Library, path: &str) -> u16 {
    let platform = &server.platform;
    let view = platform.registry.view(library.tenant().id()).await;
    let view = view.expect("the database").expect("the tenant");
    let modules = octavo_audit::modules();
    let mut timers = modules.iter().flat_map(|one| &one.timers);
    let timer = timers.find(|timer| timer.path == path).expect("the timer");
    let Handler::Call(handler) = &timer.handler else {
        panic!("{path} is served by a generic operation");
    };
    let answer = handler(system_call(platform, &view)).await;
    answer.expect("it is carried out").status().as_u16()
}

/// Runs a statement in the tenant's schema; returns the first column as a number.
async fn number(library: &Library, sql: &str) -> i64 {
    let sql = sql.replace("{schema}", library.tenant().schema());
    let rows = library.platform.store.database.query(&sql, &[]).await;
    rows.expect(&sql).first().map_or(0, |row| row.get("number"))
}

async fn run(library: &Library, sql: &str) {
    let sql = sql.replace("{schema}", library.tenant().schema());
    let done = library.platform.store.database.execute(&sql, &[]).await;
    let _ = done.expect(&sql);
}
