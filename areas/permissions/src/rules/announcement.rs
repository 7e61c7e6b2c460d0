//! Applies modules' announcements to a tenant's definitions: a pure function from the stored definitions
//! and the announcements to the changed definitions.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use octavo_platform::identity::ModulePermissions;
use octavo_platform::permission_set::PermissionSet;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::cycle;
use crate::refusal::Refusal;

/// FOLIO's prefix of the display name of a deprecated permission.
const DEPRECATED_PREFIX: &str = "(deprecated) ";

#[derive(Debug, Default, PartialEq)]
pub struct Changes {
    /// New and changed definitions, complete.
    pub definitions: Vec<Map<String, Value>>,
    /// Replaced permissions, old and new name: holders of the old one get the new one.
    pub replaced: Vec<(String, String)>,
}

/// Splits a module's id into name and version, `mod-users` and `19.5.0`; FOLIO's version begins with a
/// digit.
#[must_use]
pub fn name_and_version(module_id: &str) -> (&str, Option<&str>) {
    let at = module_id
        .match_indices('-')
        .map(|(at, _)| at)
        .find(|at| module_id[at + 1..].starts_with(|next: char| next.is_ascii_digit()));
    match at {
        Some(at) => (&module_id[..at], Some(&module_id[at + 1..])),
        None => (module_id, None),
    }
}

/// A definition while it is being changed.
#[derive(Debug)]
struct Definition {
    document: Map<String, Value>,
    changed: bool,
}

impl Definition {
    fn text(&self, property: &str) -> Option<&str> {
        self.document.get(property).and_then(Value::as_str)
    }

    fn is(&self, property: &str) -> bool {
        self.document.get(property).and_then(Value::as_bool) == Some(true)
    }

    fn set(&mut self, property: &str, value: Option<Value>) {
        if self.document.get(property) != value.as_ref() {
            match value {
                Some(value) => self.document.insert(property.to_owned(), value),
                None => self.document.remove(property),
            };
            self.changed = true;
        }
    }

    fn parts(&self) -> Vec<String> {
        let parts = self
            .document
            .get("subPermissions")
            .and_then(Value::as_array);
        parts
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    }

    fn is_of_one_of(&self, modules: &[&str]) -> bool {
        self.text("moduleName")
            .is_none_or(|name| modules.contains(&name))
    }
}

type Definitions = BTreeMap<String, Definition>;

/// The changes that these announcements cause. `new_id` makes the ids of new definitions.
///
/// # Errors
/// When a name belongs to another module or to the library, or sets would form a cycle.
pub fn changes(
    stored: Vec<Map<String, Value>>,
    modules: &[ModulePermissions],
    mut new_id: impl FnMut() -> Uuid,
) -> Result<Changes, Refusal> {
    let mut definitions: Definitions = stored
        .into_iter()
        .filter_map(|document| {
            let name = document.get("permissionName")?.as_str()?.to_owned();
            let changed = false;
            Some((name, Definition { document, changed }))
        })
        .collect();
    let mut replaced = Vec::new();
    // Deprecation first: another module may take over a name that one gives up.
    for module in modules {
        deprecate(&mut definitions, module);
    }
    for module in modules {
        for set in &module.permissions {
            define(&mut definitions, module, set, &mut new_id, &mut replaced)?;
        }
    }
    put_in_place(&mut definitions, modules, &replaced);
    stand_in(&mut definitions, modules, &mut new_id);
    refuse_cycles(&definitions, modules)?;
    write_parents(&mut definitions);
    let changed = definitions.into_values().filter(|one| one.changed);
    Ok(Changes {
        definitions: changed.map(|one| one.document).collect(),
        replaced,
    })
}

/// Marks permissions that a module no longer defines as deprecated.
fn deprecate(definitions: &mut Definitions, module: &ModulePermissions) {
    let (name, _) = name_and_version(&module.module_id);
    let kept: HashSet<&str> = module
        .permissions
        .iter()
        .map(|one| one.permission_name.as_str())
        .collect();
    for (permission, definition) in definitions.iter_mut() {
        if definition.text("moduleName") == Some(name) && !kept.contains(permission.as_str()) {
            mark_deprecated(permission, definition);
        }
    }
}

fn mark_deprecated(permission: &str, definition: &mut Definition) {
    if definition.is("deprecated") || definition.is("dummy") {
        return;
    }
    let shown = definition.text("displayName").unwrap_or(permission);
    let shown = format!("{DEPRECATED_PREFIX}{shown}");
    definition.set("displayName", Some(json!(shown)));
    definition.set("deprecated", Some(json!(true)));
}

/// Applies the definition of one permission.
fn define(
    definitions: &mut Definitions,
    module: &ModulePermissions,
    set: &PermissionSet,
    new_id: &mut impl FnMut() -> Uuid,
    replaced: &mut Vec<(String, String)>,
) -> Result<(), Refusal> {
    let (name, version) = name_and_version(&module.module_id);
    if set.permission_name.is_empty() {
        return Ok(());
    }
    let predecessor = module.replaces.as_deref().map(|id| name_and_version(id).0);
    let owners: Vec<&str> = [Some(name), predecessor].into_iter().flatten().collect();
    let known = definitions.get(&set.permission_name);
    let is_new = known.is_none_or(|one| one.is("dummy"));
    if let Some(known) = known
        && !is_new
    {
        if known.document.get("mutable") != Some(&json!(false)) {
            return Err(Refusal::TakenByLibrary(set.permission_name.clone()));
        }
        if !known.is("deprecated") && !known.is_of_one_of(&owners) {
            return Err(Refusal::TakenByModule {
                permission: set.permission_name.clone(),
                module: known.text("moduleName").unwrap_or_default().to_owned(),
            });
        }
    }
    if is_new {
        let olds = set.replaces.iter().filter(|old| {
            definitions.get(*old).is_some_and(|old| {
                old.document.get("mutable") == Some(&json!(false)) && old.is_of_one_of(&owners)
            })
        });
        replaced.extend(olds.map(|old| (old.clone(), set.permission_name.clone())));
    }
    let definition = definitions
        .entry(set.permission_name.clone())
        .or_insert_with(|| blank(new_id(), &set.permission_name));
    definition.set(
        "displayName",
        set.display_name.as_ref().map(|one| json!(one)),
    );
    definition.set(
        "description",
        set.description.as_ref().map(|one| json!(one)),
    );
    definition.set(
        "subPermissions",
        Some(json!(distinct(&set.sub_permissions))),
    );
    definition.set("visible", Some(json!(set.visible.unwrap_or(false))));
    definition.set("dummy", Some(json!(false)));
    definition.set("deprecated", Some(json!(false)));
    definition.set("moduleName", Some(json!(name)));
    definition.set("moduleVersion", version.map(|one| json!(one)));
    Ok(())
}

/// An empty definition.
fn blank(id: Uuid, name: &str) -> Definition {
    let document = json!({
        "id": id, "permissionName": name, "tags": [], "subPermissions": [], "childOf": [],
        "mutable": false, "visible": false, "dummy": true, "deprecated": false,
    });
    let document = match document {
        Value::Object(document) => document,
        _ => Map::new(),
    };
    Definition {
        document,
        changed: true,
    }
}

fn distinct(names: &[String]) -> Vec<&String> {
    let mut seen = HashSet::new();
    names.iter().filter(|name| seen.insert(*name)).collect()
}

/// Substitutes the new permission in sets that contain a replaced one. The replaced one becomes
/// deprecated unless a module still announces it.
fn put_in_place(
    definitions: &mut Definitions,
    modules: &[ModulePermissions],
    replaced: &[(String, String)],
) {
    if replaced.is_empty() {
        return;
    }
    let announced: HashSet<&str> = names(modules).collect();
    for (old, new) in replaced {
        for definition in definitions.values_mut() {
            let mut parts = definition.parts();
            let itself = definition.text("permissionName") == Some(new);
            if parts.contains(old) && !parts.contains(new) && !itself {
                parts.push(new.clone());
                definition.set("subPermissions", Some(json!(parts)));
            }
        }
        if let Some(definition) = definitions.get_mut(old)
            && !announced.contains(old.as_str())
        {
            mark_deprecated(old, definition);
        }
    }
}

fn names(modules: &[ModulePermissions]) -> impl Iterator<Item = &str> {
    modules
        .iter()
        .flat_map(|module| &module.permissions)
        .map(|set| set.permission_name.as_str())
}

/// Adds placeholders (FOLIO's `dummy`) for permissions that sets name and nobody has defined.
fn stand_in(
    definitions: &mut Definitions,
    modules: &[ModulePermissions],
    new_id: &mut impl FnMut() -> Uuid,
) {
    let parts = modules
        .iter()
        .flat_map(|module| &module.permissions)
        .flat_map(|set| &set.sub_permissions);
    for part in parts {
        if !definitions.contains_key(part) {
            definitions.insert(part.clone(), blank(new_id(), part));
        }
    }
}

fn refuse_cycles(definitions: &Definitions, modules: &[ModulePermissions]) -> Result<(), Refusal> {
    let parts: Vec<(&str, Vec<String>)> = definitions
        .iter()
        .map(|(name, definition)| (name.as_str(), definition.parts()))
        .collect();
    let parts: HashMap<&str, &[String]> = parts
        .iter()
        .map(|(name, parts)| (*name, parts.as_slice()))
        .collect();
    // A substituted part may close a cycle in a set outside this announcement.
    let mut starts: Vec<&str> = names(modules).collect();
    let touched = definitions.iter().filter(|(_, one)| one.changed);
    starts.extend(touched.map(|(name, _)| name.as_str()));
    match cycle::find(&parts, &starts) {
        Some(names) => Err(Refusal::Cycle(names)),
        None => Ok(()),
    }
}

/// Writes `childOf` of each definition: the sets that contain it.
fn write_parents(definitions: &mut Definitions) {
    let mut parents: HashMap<String, BTreeSet<String>> = HashMap::new();
    for (name, definition) in definitions.iter() {
        for part in definition.parts() {
            parents.entry(part).or_default().insert(name.clone());
        }
    }
    for (name, definition) in definitions.iter_mut() {
        let sets = parents.remove(name).unwrap_or_default();
        definition.set("childOf", Some(json!(sets)));
    }
}

#[cfg(test)]
mod tests;
