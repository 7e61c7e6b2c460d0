//! Module descriptors: what a module says of itself when it is registered (Okapi's
//! `ModuleDescriptor`). Those of native modules are made of their declarations in `native.rs`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::module_id::ModuleId;
use super::pattern;
use super::version;
use crate::permission_set::PermissionSet;

/// A module's interfaces, routes, permissions and needs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModuleDescriptor {
    /// Product and version, `mod-users-19.5.0`.
    pub id: String,
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Words for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Interfaces that it needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<Vec<InterfaceReference>>,
    /// Interfaces that it uses where they are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optional: Option<Vec<InterfaceReference>>,
    /// What it provides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provides: Option<Vec<InterfaceDescriptor>>,
    /// Where it comes between a client and other modules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filters: Option<Vec<RoutingEntry>>,
    /// The permissions that it defines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_sets: Option<Vec<PermissionSet>>,
    /// Products whose permissions it takes over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Vec<String>>,
    /// What it wants to know; kept as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<Value>,
    /// Anything else; kept as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
    /// For front ends; kept as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ui_descriptor: Option<Value>,
    /// How others would start it; kept as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch_descriptor: Option<Value>,
    /// Whether this process serves it.
    #[serde(skip)]
    pub native: bool,
}

/// An interface that a module needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterfaceReference {
    /// Its id.
    pub id: String,
    /// The versions that will do.
    pub version: String,
}

/// An interface that a module provides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InterfaceDescriptor {
    /// Its id, `users`; one that begins with `_` is called by the gateway alone.
    pub id: String,
    /// Its version, `16.5`.
    pub version: String,
    /// Versions of other releases that a native interface satisfies, too; not told.
    #[serde(skip)]
    pub satisfies: Vec<String>,
    /// `proxy` (when left out), `system`, `multiple` or `internal`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface_type: Option<String>,
    /// Its routes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handlers: Option<Vec<RoutingEntry>>,
    /// Kept as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_sets: Option<Vec<PermissionSet>>,
    /// Kept as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Vec<String>>,
}

/// One route, filter or timer of a module.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoutingEntry {
    /// HTTP methods; `*` stands for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub methods: Option<Vec<String>>,
    /// See [`pattern::matches`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_pattern: Option<String>,
    /// The older form: all paths that begin like this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Kept as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewrite_path: Option<String>,
    /// Where a filter comes: `auth`, `pre` or `post`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The older form of `phase`: a number, low ones come first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// What a filter gets and what becomes of its answer.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Not served; refused when sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_path: Option<String>,
    /// A timer's unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// A timer's number of units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<String>,
    /// A timer's hours, in place of a delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<CronSchedule>,
    /// What the caller has to hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions_required: Option<Vec<String>>,
    /// What the module is told that the caller holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions_desired: Option<Vec<String>>,
    /// What the module may do beyond its caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_permissions: Option<Vec<String>>,
    /// In place of `permissionsRequired` for a tenant that asks about itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions_required_tenant: Option<Vec<String>>,
    /// Kept as sent.
    #[serde(
        rename = "delegateCORS",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub delegate_cors: Option<bool>,
}

/// Hours given in cron's notation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CronSchedule {
    /// Five fields: minute, hour, day of the month, month, day of the week.
    pub cron: String,
    /// The zone that the hours are of; UTC when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
}

impl ModuleDescriptor {
    /// The interfaces that it provides.
    pub fn provides(&self) -> impl Iterator<Item = &InterfaceDescriptor> {
        self.provides.iter().flatten()
    }

    /// The interfaces that it needs.
    pub fn requires(&self) -> impl Iterator<Item = &InterfaceReference> {
        self.requires.iter().flatten()
    }

    /// The interfaces that it uses where they are there.
    pub fn optional(&self) -> impl Iterator<Item = &InterfaceReference> {
        self.optional.iter().flatten()
    }

    /// The interface that the gateway itself calls under this name.
    #[must_use]
    pub fn system(&self, id: &str) -> Option<&InterfaceDescriptor> {
        self.provides().find(|one| one.id == id && one.is_system())
    }

    /// Its name without the version.
    #[must_use]
    pub fn product(&self) -> &str {
        ModuleId::product_of(&self.id)
    }

    /// What is wrong with it; nothing when it can be registered.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let id = &self.id;
        match ModuleId::parse(id) {
            Ok(parsed) if parsed.version.is_some() => {}
            Ok(_) => return Some(format!("Missing semantic version for: {id}")),
            Err(error) => return Some(error.to_string()),
        }
        // It becomes part of paths.
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
        if !id.chars().all(plain) || id.len() > 200 {
            return Some(format!(
                "The module id {id:?} may hold letters, digits and -_.+ only, at most 200"
            ));
        }
        let mut seen = std::collections::HashSet::new();
        for interface in self.provides() {
            if !seen.insert(&interface.id) {
                return Some(format!(
                    "Interface {} provided multiple times",
                    interface.id
                ));
            }
            if let Some(fault) = interface.fault() {
                return Some(fault);
            }
        }
        for reference in self.requires().chain(self.optional()) {
            if reference
                .version
                .split(' ')
                .any(|one| version::parts(one).is_none())
            {
                return Some(format!("Bad version number '{}'", reference.version));
            }
        }
        for replaced in self.replaces.iter().flatten() {
            if ModuleId::product_of(replaced) != replaced {
                return Some(format!("No semantic version for: {replaced}"));
            }
        }
        self.filters.iter().flatten().find_map(RoutingEntry::fault)
    }
}

impl InterfaceDescriptor {
    /// Whether its type is this one.
    #[must_use]
    pub fn is_type(&self, kind: &str) -> bool {
        let own = match &self.interface_type {
            _ if self.id.starts_with('_') => "system",
            None => "proxy",
            Some(own) => own,
        };
        own == kind
    }

    /// Whether it serves whoever needs these versions of it.
    #[must_use]
    pub fn serves(&self, required: &str) -> bool {
        let mut versions = std::iter::once(&self.version).chain(&self.satisfies);
        versions.any(|provided| version::serves(provided, required))
    }

    /// Whether clients reach it through the gateway, and only one module may provide it.
    #[must_use]
    pub fn is_proxied(&self) -> bool {
        self.is_type("proxy")
    }

    /// Whether only the gateway calls it.
    #[must_use]
    pub fn is_system(&self) -> bool {
        self.is_type("system")
    }

    /// Its routes.
    pub fn handlers(&self) -> impl Iterator<Item = &RoutingEntry> {
        self.handlers.iter().flatten()
    }

    fn fault(&self) -> Option<String> {
        if version::parts(&self.version).is_none() {
            return Some(format!("Bad version number '{}'", self.version));
        }
        self.handlers().find_map(RoutingEntry::fault)
    }
}

impl RoutingEntry {
    /// The kinds of filters that are served.
    const KINDS: [&str; 6] = [
        "request-response",
        "request-response-1.0",
        "request-only",
        "request-log",
        "headers",
        "system",
    ];

    /// Its path or pattern as it is written down.
    #[must_use]
    pub fn static_path(&self) -> &str {
        let path = self.path.as_deref().filter(|path| !path.is_empty());
        path.or(self.path_pattern.as_deref()).unwrap_or_default()
    }

    /// Whether it is for a request.
    #[must_use]
    pub fn is_for(&self, method: &str, path: &str) -> bool {
        self.takes(method)
            && match (&self.path_pattern, &self.path) {
                (Some(pattern), _) => pattern::matches(pattern, path),
                (None, Some(beginning)) => path.starts_with(beginning.as_str()),
                (None, None) => false,
            }
    }

    /// Whether it takes a method.
    #[must_use]
    pub fn takes(&self, method: &str) -> bool {
        self.methods
            .iter()
            .flatten()
            .any(|one| one == "*" || one == method)
    }

    /// Where it comes among those of one request: the handler itself is at `50`.
    #[must_use]
    pub fn place(&self) -> &str {
        match (&self.level, self.phase.as_deref()) {
            (Some(level), _) => level,
            (None, Some("auth")) => "10",
            (None, Some("pre")) => "40",
            (None, Some("post")) => "60",
            (None, _) => "50",
        }
    }

    fn fault(&self) -> Option<String> {
        let path = self.path.as_deref().unwrap_or_default();
        let pattern = self.path_pattern.as_deref().unwrap_or_default();
        if path.is_empty() && pattern.is_empty() {
            return Some("Bad routing entry, needs a pathPattern or at least a path".to_owned());
        }
        if let Some(fault) = pattern::fault(pattern) {
            return Some(fault);
        }
        if let Some(phase) = self.phase.as_deref()
            && !["auth", "pre", "post"].contains(&phase)
        {
            return Some(format!("Invalid phase {phase}"));
        }
        match self.kind.as_deref() {
            Some("redirect") => {
                return Some(format!(
                    "{pattern}{path}: routes of the type redirect are not served; give the route \
                     that it leads to"
                ));
            }
            Some(kind) if kind != "internal" && !RoutingEntry::KINDS.contains(&kind) => {
                return Some(format!("Invalid entry type: {kind}"));
            }
            _ => {}
        }
        let methods = self.methods.iter().flatten();
        let strange = methods
            .filter(|one| *one != "*")
            .find(|one| one.is_empty() || !one.bytes().all(|byte| byte.is_ascii_uppercase()));
        if let Some(strange) = strange {
            return Some(format!("{pattern}{path}: {strange:?} is no HTTP method"));
        }
        super::schedule::fault(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(document: Value) -> Result<ModuleDescriptor, String> {
        let descriptor: ModuleDescriptor =
            serde_json::from_value(document).map_err(|error| error.to_string())?;
        descriptor.fault().map_or(Ok(descriptor), Err)
    }

    #[test]
    fn descriptors_are_given_back_as_sent() {
        let sent = json!({
            "id": "mod-lists-1.0.0",
            "name": "Lists",
            "requires": [{"id": "users", "version": "15.0 16.0"}],
            "provides": [
                {"id": "lists", "version": "1.0", "handlers": [
                    {"methods": ["GET"], "pathPattern": "/lists/{id}", "permissionsRequired": ["lists.get"]}
                ]},
                {"id": "_timer", "version": "1.0", "interfaceType": "system", "handlers": [
                    {"methods": ["POST"], "pathPattern": "/lists/clean", "unit": "minute", "delay": "5"}
                ]}
            ],
            "permissionSets": [{"permissionName": "lists.get", "displayName": "Read lists"}],
            "launchDescriptor": {"dockerImage": "lists"}
        });
        let read = read(sent.clone()).expect("it is well formed");
        assert_eq!(serde_json::to_value(&read).expect("it is JSON"), sent);
        assert_eq!(read.product(), "mod-lists");
        assert!(read.system("_timer").is_some() && read.system("lists").is_none());
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (document, told) in [
            (
                json!({"id": "mod-a"}),
                "Missing semantic version for: mod-a",
            ),
            (
                json!({"id": "mod-a-1.0.0", "colour": 1}),
                "unknown field `colour`",
            ),
            (json!({"name": "a"}), "missing field `id`"),
            (
                json!({"id": "mod-a-1.0.0", "provides": [{"id": "a", "version": "1"}]}),
                "Bad version number '1'",
            ),
            (
                json!({"id": "mod-a-1.0.0", "provides": [{"id": "a", "version": "1.0"}, {"id": "a", "version": "1.0"}]}),
                "Interface a provided multiple times",
            ),
            (
                json!({"id": "mod-a-1.0.0", "provides": [{"id": "a", "version": "1.0", "handlers": [{"methods": ["GET"]}]}]}),
                "Bad routing entry, needs a pathPattern or at least a path",
            ),
            (
                json!({"id": "mod-a-1.0.0", "filters": [{"methods": ["*"], "pathPattern": "/*", "phase": "late"}]}),
                "Invalid phase late",
            ),
            (
                json!({"id": "mod-a-1.0.0", "filters": [{"methods": ["*"], "pathPattern": "/*", "type": "odd"}]}),
                "Invalid entry type: odd",
            ),
            (json!({"id": "mod-a-1.0.0/../x"}), "invalid semver"),
        ] {
            let message = read(document).expect_err(told);
            assert!(message.contains(told), "{message}");
        }
    }
}
