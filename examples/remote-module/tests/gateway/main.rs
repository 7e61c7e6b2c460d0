//! The module as a second process beside a running Octavo: registered, called, killed, delayed.

mod events;
mod faults;
mod filters;
mod lifecycle;
mod passing;
mod taking_over;
mod timers;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use octavo_host::compose;
use octavo_login::app::set_up_administrator::set_up_administrator;
use octavo_platform::{Composition, Governance};
use octavo_testkit::{Client, Library, PASSWORD, TENANT, USERNAME};
use serde_json::{Value, json};

const MODULE: &str = "mod-reading-lists-1.0.0";
const LISTS: &str = "/reading-lists";

/// The process and the arguments it was started with.
struct Module {
    process: Child,
    url: String,
    descriptor: Value,
}

impl Module {
    fn start(options: &[&str]) -> Module {
        let program = env!("CARGO_BIN_EXE_octavo-example-remote-module");
        let printed = Command::new(program)
            .args(options)
            .arg("--print-descriptor")
            .output()
            .expect("the program runs");
        let descriptor = serde_json::from_slice(&printed.stdout).expect("a descriptor");
        let mut process = Command::new(program)
            .args(options)
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut line = String::new();
        let stdout = process.stdout.take().expect("its output is a pipe");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("it says where it listens");
        let url = line
            .trim()
            .strip_prefix("listening on ")
            .expect("it says where it listens")
            .to_owned();
        Module {
            process,
            url,
            descriptor,
        }
    }

    fn id(&self) -> &str {
        self.descriptor["id"].as_str().expect("an id")
    }

    /// Registers the module and its address.
    async fn register(&self, admin: &Client) {
        let _ = admin
            .post("/_/proxy/modules", &self.descriptor)
            .await
            .expect(201);
        let instance = json!({"srvcId": self.id(), "instId": "one", "url": self.url});
        let _ = admin
            .post("/_/discovery/modules", &instance)
            .await
            .expect(201);
    }

    /// Registers the module and enables it for the tenant.
    async fn plug_in(&self, admin: &Client) {
        self.register(admin).await;
        let wish = json!([{"id": self.id(), "action": "enable"}]);
        let _ = admin.post(&install(""), &wish).await.expect(200);
    }

    /// Kills the process, as a crash would.
    fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        self.kill();
    }
}

fn install(query: &str) -> String {
    format!("/_/proxy/tenants/{TENANT}/install{query}")
}

/// A library whose tenant runs the installation.
async fn library() -> Library {
    started(composition).await
}

async fn started(compose: fn() -> Composition) -> Library {
    Library::start(compose, |platform, tenant| async move {
        set_up_administrator(&platform, &tenant, USERNAME, PASSWORD)
            .await
            .expect("the administrator can be made");
    })
    .await
}

fn composition() -> Composition {
    let mut composition = compose::composition(vec![7; 32]);
    composition.governance = Governance {
        operators: vec![TENANT.to_owned()],
        allow_disable_auth: true,
        ..Governance::default()
    };
    composition
}

/// The same, with a time-out of one second for modules.
fn impatient() -> Composition {
    let mut composition = composition();
    composition.limits.remote.head = Duration::from_secs(1);
    composition.limits.remote.idle = Duration::from_secs(1);
    composition
}

/// The same, with room for eight concurrent requests to a module.
fn narrow() -> Composition {
    let mut composition = composition();
    composition.limits.remote.at_once = 8;
    composition
}

/// A user with these permissions, logged in.
async fn user_with(library: &Library, admin: &Client, permissions: &[&str]) -> Client {
    let name = "reader";
    let user = json!({"username": name, "active": true, "personal": {"lastName": "Reader"}});
    let id = admin.post("/users", &user).await.expect(201).json()["id"].clone();
    let grants = json!({"userId": id, "permissions": permissions});
    let _ = admin.post("/perms/users", &grants).await.expect(201);
    let credentials = json!({"userId": id, "password": "Reader-1234!"});
    let _ = admin
        .post("/authn/credentials", &credentials)
        .await
        .expect(201);
    Client::log_in(library.address, TENANT, name, "Reader-1234!").await
}

/// The calls of the gateway to one of the module's system interfaces.
async fn calls_logged(admin: &Client, interface: &str) -> Vec<Value> {
    let journal = admin
        .get("/reading-lists/faults/calls")
        .await
        .expect(200)
        .json();
    let entries = match &journal {
        Value::Array(entries) => entries.clone(),
        other => other["calls"].as_array().cloned().unwrap_or_default(),
    };
    let wanted = |entry: &Value| entry["interface"] == interface;
    entries
        .into_iter()
        .filter(wanted)
        .map(|entry| entry["said"].clone())
        .collect()
}
