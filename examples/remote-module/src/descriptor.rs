//! The module descriptor: everything that the gateway knows of the module.

use serde_json::{Value, json};

use crate::filter::SEEN;
use crate::options::{Options, Phase};

/// The name in the module's id.
pub const NAME: &str = "mod-reading-lists";
/// The permission to see the lists of others; desired, not required.
pub const SEE_ALL: &str = "reading-lists.of-others.get";

/// The descriptor of this variant of the module.
#[must_use]
pub fn descriptor(options: &Options) -> Value {
    match options.filter {
        Some(phase) => filter(phase, &options.module_version),
        None => module(options),
    }
}

fn module(options: &Options) -> Value {
    let mut provides = vec![
        lists(),
        faults(),
        handlers(),
        tenant(),
        timer(options.timer_delay),
    ];
    if options.permissions_listener {
        provides.push(json!({
            "id": "_tenantPermissions", "version": "2.0", "interfaceType": "system",
            "handlers": [{"methods": ["POST"], "pathPattern": "/_/tenantPermissions",
                          "permissionsRequired": []}],
        }));
    }
    json!({
        "id": format!("{NAME}-{}", options.module_version),
        "name": "Reading lists",
        "requires": [{"id": "users", "version": "15.0 16.0"}],
        "provides": provides,
        "permissionSets": permissions(),
    })
}

fn lists() -> Value {
    let (path, one) = ("/reading-lists", "/reading-lists/{id}");
    let route = |method: &str, path: &str, permission: &str| {
        json!({"methods": [method], "pathPattern": path, "permissionsRequired": [permission],
               "permissionsDesired": [SEE_ALL]})
    };
    json!({
        "id": "reading-lists", "version": "1.0",
        "handlers": [
            route("GET", path, "reading-lists.collection.get"),
            route("POST", path, "reading-lists.item.post"),
            route("GET", one, "reading-lists.item.get"),
            route("PUT", one, "reading-lists.item.put"),
            route("DELETE", one, "reading-lists.item.delete"),
            {"methods": ["GET"], "pathPattern": "/reading-lists/{id}/patron",
             "permissionsRequired": ["reading-lists.patron.get"],
             "permissionsDesired": [SEE_ALL],
             "modulePermissions": ["users.item.get", "users.collection.get"]},
        ],
    })
}

fn faults() -> Value {
    let route = |methods: &[&str], name: &str| {
        json!({"methods": methods, "pathPattern": format!("/reading-lists/faults/{name}"),
               "permissionsRequired": ["reading-lists.faults.execute"]})
    };
    json!({
        "id": "reading-lists-faults", "version": "1.0",
        "handlers": [
            route(&["GET"], "slow"), route(&["GET"], "never"), route(&["GET"], "garbage"),
            route(&["GET"], "early"), route(&["GET"], "big"), route(&["GET"], "status"),
            route(&["POST", "PUT"], "echo"), route(&["POST", "PUT"], "count"),
            route(&["GET", "POST", "PUT", "PATCH", "DELETE"], "headers"),
            route(&["GET"], "calls"),
        ],
    })
}

/// Where events are delivered: FOLIO's modules make that a system interface, which clients cannot call.
fn handlers() -> Value {
    json!({
        "id": "_reading-lists-handlers", "version": "1.0", "interfaceType": "system",
        "handlers": [{"methods": ["POST"], "pathPattern": "/reading-lists/handlers/event",
                      "permissionsRequired": []}],
    })
}

fn tenant() -> Value {
    json!({
        "id": "_tenant", "version": "2.0", "interfaceType": "system",
        "handlers": [
            {"methods": ["POST"], "pathPattern": "/_/tenant", "permissionsRequired": []},
            {"methods": ["GET", "DELETE"], "pathPattern": "/_/tenant/{id}",
             "permissionsRequired": []},
        ],
    })
}

fn timer(delay_ms: u32) -> Value {
    json!({
        "id": "_timer", "version": "1.0", "interfaceType": "system",
        "handlers": [{"methods": ["POST"], "pathPattern": "/reading-lists/timers/tidy",
                      "permissionsRequired": [], "unit": "millisecond",
                      "delay": delay_ms.to_string()}],
    })
}

fn permissions() -> Value {
    let single = [
        ("reading-lists.collection.get", "List reading lists"),
        ("reading-lists.item.get", "Read a reading list"),
        ("reading-lists.item.post", "Make a reading list"),
        ("reading-lists.item.put", "Change a reading list"),
        ("reading-lists.item.delete", "Delete a reading list"),
        ("reading-lists.patron.get", "See whose reading list it is"),
        (SEE_ALL, "See the reading lists of others"),
    ];
    let mut permissions: Vec<Value> = single
        .iter()
        .map(|(name, shown)| json!({"permissionName": name, "displayName": shown}))
        .collect();
    let names: Vec<&str> = single.iter().map(|(name, _)| *name).collect();
    permissions.push(
        json!({"permissionName": "reading-lists.all", "visible": true,
        "displayName": "Reading lists: everything", "subPermissions": names}),
    );
    // A permission for tests, not for staff.
    permissions.push(json!({"permissionName": "reading-lists.faults.execute",
        "displayName": "Provoke faults of the module"}));
    Value::Array(permissions)
}

fn filter(phase: Phase, version: &str) -> Value {
    json!({
        "id": format!("mod-request-log-{version}"),
        "name": "A log of requests",
        "requires": [],
        "provides": [{
            "id": "request-log", "version": "1.0",
            "handlers": [{"methods": ["GET"], "pathPattern": SEEN,
                          "permissionsRequired": ["request-log.collection.get"]}],
        }],
        "filters": [{"methods": ["*"], "pathPattern": "/*", "phase": phase.name(),
                     "type": "request-log"}],
        "permissionSets": [{"permissionName": "request-log.collection.get",
                            "displayName": "See which requests came by"}],
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_permission_that_a_route_names_is_defined() {
        let described = descriptor(&Options {
            permissions_listener: true,
            ..Options::default()
        });
        let defined: HashSet<&str> = described["permissionSets"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|one| one["permissionName"].as_str())
            .collect();
        let (mut routes, mut seen) = (0, HashSet::new());
        for interface in described["provides"].as_array().expect("a list") {
            for handler in interface["handlers"].as_array().expect("a list") {
                for key in ["permissionsRequired", "permissionsDesired"] {
                    for name in handler[key].as_array().into_iter().flatten() {
                        assert!(defined.contains(name.as_str().expect("text")), "{name}");
                    }
                }
                let path = handler["pathPattern"].as_str().expect("a pattern");
                for method in handler["methods"].as_array().expect("a list") {
                    assert!(seen.insert(format!("{method} {path}")), "{method} {path}");
                    routes += 1;
                }
            }
        }
        assert_eq!(routes, 28, "{seen:?}");
    }

    #[test]
    fn a_filter_is_a_module_of_its_own() {
        let described = descriptor(&Options {
            filter: Some(Phase::Post),
            ..Options::default()
        });
        assert_eq!(described["id"], "mod-request-log-1.0.0");
        assert_eq!(described["filters"][0]["phase"], "post");
    }
}
