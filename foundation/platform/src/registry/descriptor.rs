//! Module descriptors: what a module declares when it is registered (Okapi's `ModuleDescriptor`).
//! `native.rs` derives those of native modules from their declarations.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::module_id::ModuleId;
use super::pattern;
use super::version;
use crate::permission_set::PermissionSet;

/// A module's interfaces, routes, permissions and dependencies.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModuleDescriptor {
    /// Product and version, `mod-users-19.5.0`.
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Interfaces that it requires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<Vec<InterfaceReference>>,
    /// Interfaces that it uses if they are provided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optional: Option<Vec<InterfaceReference>>,
    /// Interfaces that it provides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provides: Option<Vec<InterfaceDescriptor>>,
    /// Its filters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filters: Option<Vec<RoutingEntry>>,
    /// The permissions that it defines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_sets: Option<Vec<PermissionSet>>,
    /// Products whose permissions it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Vec<String>>,
    /// Environment variables; stored only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<Value>,
    /// Stored only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
    /// For front ends; stored only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ui_descriptor: Option<Value>,
    /// How Okapi would start it; stored only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch_descriptor: Option<Value>,
    /// Whether this process serves it.
    #[serde(skip)]
    pub native: bool,
}

/// A required interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterfaceReference {
    pub id: String,
    /// The accepted versions.
    pub version: String,
}

/// A provided interface.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InterfaceDescriptor {
    /// Its id, such as `users`; only the gateway calls one that begins with `_`.
    pub id: String,
    /// Its version, `16.5`.
    pub version: String,
    /// Versions of other releases that a native interface satisfies as well; not serialized.
    #[serde(skip)]
    pub satisfies: Vec<String>,
    /// `proxy` (when left out), `system`, `multiple` or `internal`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handlers: Option<Vec<RoutingEntry>>,
    /// Stored only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_sets: Option<Vec<PermissionSet>>,
    /// Stored only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Vec<String>>,
}

/// One route, filter or timer of a module.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoutingEntry {
    /// HTTP methods; `*` matches all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub methods: Option<Vec<String>>,
    /// See [`pattern::matches`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_pattern: Option<String>,
    /// The older form: a prefix of paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Stored only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewrite_path: Option<String>,
    /// The phase of a filter: `auth`, `pre` or `post`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The older form of `phase`: a number, ascending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// A filter's type, which decides its input and the use of its response.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Not supported; rejected on registration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_path: Option<String>,
    /// The unit of a timer's delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// A timer's delay in units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<String>,
    /// A timer's cron schedule, in place of a delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<CronSchedule>,
    /// Permissions that the caller has to hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions_required: Option<Vec<String>>,
    /// Permissions that the module is informed of if the caller holds them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions_desired: Option<Vec<String>>,
    /// Permissions that the module gets in addition to the caller's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_permissions: Option<Vec<String>>,
    /// Replaces `permissionsRequired` when a tenant calls for itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions_required_tenant: Option<Vec<String>>,
    /// Stored only.
    #[serde(
        rename = "delegateCORS",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub delegate_cors: Option<bool>,
}

/// A schedule in cron's notation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CronSchedule {
    /// Five fields: minute, hour, day of the month, month, day of the week.
    pub cron: String,
    /// The time zone; UTC by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
}

impl ModuleDescriptor {
    pub fn provides(&self) -> impl Iterator<Item = &InterfaceDescriptor> {
        self.provides.iter().flatten()
    }

    pub fn requires(&self) -> impl Iterator<Item = &InterfaceReference> {
        self.requires.iter().flatten()
    }

    pub fn optional(&self) -> impl Iterator<Item = &InterfaceReference> {
        self.optional.iter().flatten()
    }

    /// The interface with this id, which only the gateway calls.
    #[must_use]
    pub fn system(&self, id: &str) -> Option<&InterfaceDescriptor> {
        self.provides().find(|one| one.id == id && one.is_system())
    }

    /// Its name without the version.
    #[must_use]
    pub fn product(&self) -> &str {
        ModuleId::product_of(&self.id)
    }

    /// The reason why it cannot be registered, if there is one.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let id = &self.id;
        match ModuleId::parse(id) {
            Ok(parsed) if parsed.version.is_some() => {}
            Ok(_) => return Some(format!("Missing semantic version for: {id}")),
            Err(error) => return Some(error.to_string()),
        }
        // Ids become part of paths.
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

    /// Whether it satisfies a dependency on these versions.
    #[must_use]
    pub fn serves(&self, required: &str) -> bool {
        let mut versions = std::iter::once(&self.version).chain(&self.satisfies);
        versions.any(|provided| version::serves(provided, required))
    }

    /// Whether clients call it through the gateway, and only one module may provide it.
    #[must_use]
    pub fn is_proxied(&self) -> bool {
        self.is_type("proxy")
    }

    /// Whether only the gateway calls it.
    #[must_use]
    pub fn is_system(&self) -> bool {
        self.is_type("system")
    }

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
    /// The supported types of filters.
    const KINDS: [&str; 6] = [
        "request-response",
        "request-response-1.0",
        "request-only",
        "request-log",
        "headers",
        "system",
    ];

    /// Its path or pattern as declared.
    #[must_use]
    pub fn static_path(&self) -> &str {
        let path = self.path.as_deref().filter(|path| !path.is_empty());
        path.or(self.path_pattern.as_deref()).unwrap_or_default()
    }

    /// Whether it matches a request.
    #[must_use]
    pub fn is_for(&self, method: &str, path: &str) -> bool {
        self.takes(method)
            && match (&self.path_pattern, &self.path) {
                (Some(pattern), _) => pattern::matches(pattern, path),
                (None, Some(beginning)) => path.starts_with(beginning.as_str()),
                (None, None) => false,
            }
    }

    /// Whether it accepts a method.
    #[must_use]
    pub fn takes(&self, method: &str) -> bool {
        self.methods
            .iter()
            .flatten()
            .any(|one| one == "*" || one == method)
    }

    /// Its position among the filters of a request; the handler itself has `50`.
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
    fn what_is_wrong_is_reported() {
        for (document, expected) in [
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
            let message = read(document).expect_err(expected);
            assert!(message.contains(expected), "{message}");
        }
    }
}
