//! Calls a remote module's `_tenant` interface when a tenant enables or disables it, in all
//! versions that Okapi supports.

use std::time::{Duration, Instant};

use http::header::LOCATION;
use serde_json::{Value, json};

use crate::proxy::Remotes;
use crate::proxy::remotes::SystemAnswer;
use crate::registry::descriptor::{InterfaceDescriptor, RoutingEntry};
use crate::registry::{ModuleDescriptor, TenantView};

/// The first interval at which a module's job is polled; it grows a little each time.
const POLL_FIRST: Duration = Duration::from_millis(100);
const POLL_MOST: Duration = Duration::from_secs(5);
/// A job that takes longer is given up.
const WORK_MAX: Duration = Duration::from_secs(3_600);

/// The change for the tenant.
#[derive(Debug)]
pub(super) struct Change<'a> {
    pub from: Option<&'a str>,
    pub to: Option<&'a str>,
    pub purge: bool,
    pub parameters: &'a [(String, String)],
}

/// Calls a module and waits until its work is done.
pub(super) async fn remote(
    remotes: &Remotes,
    view: &TenantView,
    module: &ModuleDescriptor,
    change: &Change<'_>,
) -> Result<(), String> {
    let Some(interface) = module.provides().find(|one| one.id == "_tenant") else {
        return Ok(());
    };
    let tenant_interface = TenantInterface {
        remotes,
        view,
        module,
    };
    match interface.version.as_str() {
        "2.0" => tenant_interface.second_version(interface, change).await,
        "1.0" | "1.1" | "1.2" => tenant_interface.first_version(interface, change).await,
        other => Err(format!("Unsupported interface _tenant: {other}")),
    }
}

struct TenantInterface<'a> {
    remotes: &'a Remotes,
    view: &'a TenantView,
    module: &'a ModuleDescriptor,
}

impl TenantInterface<'_> {
    /// Version 2: one request. A module that needs more time answers with a job, which is polled
    /// until it is complete and then deleted.
    async fn second_version(
        &self,
        interface: &InterfaceDescriptor,
        change: &Change<'_>,
    ) -> Result<(), String> {
        let Some(post) = route(interface, "POST", "/") else {
            return Ok(());
        };
        let mut document = as_document(change);
        document["purge"] = json!(change.purge);
        put_parameters(&mut document, change.parameters);
        let path = post.static_path();
        let answer = self.call(post, "POST", path, Some(&document)).await?;
        if !answer.headers.contains_key(LOCATION) {
            return Ok(());
        }
        let id = &self.module.id;
        let (get, delete) = match (
            route(interface, "GET", "{id}"),
            route(interface, "DELETE", "{id}"),
        ) {
            (Some(get), Some(delete)) => (get, delete),
            (Some(_), None) => {
                return Err(format!(
                    "Missing DELETE method for tenant interface version 2 for module {id}"
                ));
            }
            (None, _) => {
                return Err(format!(
                    "Unexpected Location header in response for module {id}: POST {path}"
                ));
            }
        };
        let job: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let Some(job) = job["id"].as_str() else {
            return Err(format!(
                "Missing id property in JSON response for module {id}: POST {path}"
            ));
        };
        // The id becomes part of a path.
        if !job.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(format!(
                "The job's id in the response of module {id} is no id: POST {path}"
            ));
        }
        let at = |entry: &RoutingEntry| entry.static_path().replace("{id}", job);
        let outcome = self.wait(get, &at(get)).await;
        let removed = self.call(delete, "DELETE", &at(delete), None).await;
        if let Err(error) = removed {
            tracing::debug!(module = id, error, "a finished tenant job was not removed");
        }
        outcome
    }

    async fn wait(&self, get: &RoutingEntry, path: &str) -> Result<(), String> {
        let started = Instant::now();
        let mut pause = POLL_FIRST;
        loop {
            let answer = self.call(get, "GET", path, None).await?;
            let job: Value = serde_json::from_slice(&answer.body).map_err(|error| {
                format!(
                    "module {}: its tenant job is no JSON: {error}",
                    self.module.id
                )
            })?;
            if job["complete"].as_bool() == Some(true) {
                let Some(error) = job["error"].as_str() else {
                    return Ok(());
                };
                let messages = job["messages"].as_array().into_iter().flatten();
                let lines: Vec<&str> = std::iter::once(error)
                    .chain(messages.filter_map(Value::as_str))
                    .collect();
                return Err(self.failed(&lines.join("\n")));
            }
            if started.elapsed() > WORK_MAX {
                return Err(self.failed("it was not complete within an hour"));
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 3 / 2).min(POLL_MOST);
        }
    }

    /// The older versions: one request, answered when the work is done.
    async fn first_version(
        &self,
        interface: &InterfaceDescriptor,
        change: &Change<'_>,
    ) -> Result<(), String> {
        let mut document = as_document(change);
        if interface.version == "1.2" {
            put_parameters(&mut document, change.parameters);
        }
        let handlers = || interface.handlers();
        if change.purge {
            let Some(entry) = handlers().find(|entry| entry.takes("DELETE")) else {
                return Ok(());
            };
            self.call(entry, "DELETE", entry.static_path(), None)
                .await?;
            return Ok(());
        }
        let is_disable = |entry: &&RoutingEntry| entry.static_path().contains("/disable");
        let entry = if change.to.is_none() {
            handlers().find(|entry| entry.takes("POST") && is_disable(entry))
        } else {
            handlers().find(|entry| entry.takes("POST") && !is_disable(entry))
        };
        let Some(entry) = entry else { return Ok(()) };
        self.call(entry, "POST", entry.static_path(), Some(&document))
            .await?;
        Ok(())
    }

    async fn call(
        &self,
        entry: &RoutingEntry,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<SystemAnswer, String> {
        let (view, module) = (self.view, self.module);
        let request = self
            .remotes
            .call_without_user(view, module, entry, method, path, body);
        let answer = request.await.map_err(|error| {
            format!(
                "{method} request for {} {path} failed with {error}",
                module.id
            )
        })?;
        if answer.status.is_success() {
            return Ok(answer);
        }
        Err(format!(
            "{method} request for {} {path} failed with {}: {}",
            module.id,
            answer.status.as_u16(),
            answer.text()
        ))
    }

    fn failed(&self, why: &str) -> String {
        format!(
            "Tenant operation failed for module {}: {why}",
            self.module.id
        )
    }
}

fn route<'a>(
    interface: &'a InterfaceDescriptor,
    method: &str,
    part: &str,
) -> Option<&'a RoutingEntry> {
    interface
        .handlers()
        .find(|entry| entry.takes(method) && entry.static_path().contains(part))
}

fn as_document(change: &Change<'_>) -> Value {
    let mut document = json!({});
    if let Some(to) = change.to {
        document["module_to"] = json!(to);
    }
    if let Some(from) = change.from {
        document["module_from"] = json!(from);
    }
    document
}

fn put_parameters(document: &mut Value, parameters: &[(String, String)]) {
    if parameters.is_empty() {
        return;
    }
    let pair = |(key, value): &(String, String)| json!({"key": key, "value": value});
    document["parameters"] = parameters.iter().map(pair).collect();
}
