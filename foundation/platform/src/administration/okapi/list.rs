//! Lists of modules in Okapi's form: filtered, ordered, short or full.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::scope::flag;
use crate::call::Call;
use crate::error::ApiError;
use crate::registry::ModuleDescriptor;
use crate::registry::module_id::ModuleId;
use crate::registry::version;

/// The modules that match the query, in the form and order it asks for. Short lists of all modules
/// have names; those of a tenant do not.
pub(super) fn selected<'a>(
    call: &Call,
    modules: impl Iterator<Item = &'a Arc<ModuleDescriptor>>,
    with_names: bool,
) -> Result<Vec<Value>, ApiError> {
    let bad = |error: &dyn std::fmt::Display| ApiError::bad_request(error.to_string());
    let filter = call.parameter("filter")?;
    let filter = filter
        .map(|text| ModuleId::parse(&text))
        .transpose()
        .map_err(|e| bad(&e))?;
    let provide = call.parameter("provide")?;
    let require = call.parameter("require")?;
    let snapshots = Snapshots::of(call)?;
    let mut found: Vec<(ModuleId, &Arc<ModuleDescriptor>)> = modules
        .filter_map(|module| Some((ModuleId::parse(&module.id).ok()?, module)))
        .filter(|(id, _)| filter.as_ref().is_none_or(|filter| id.is_meant_by(filter)))
        .filter(|(id, _)| snapshots.take(id))
        .filter(|(_, module)| {
            let provided = module
                .provides()
                .map(|one| (one.id.as_str(), one.version.as_str()));
            names(provide.as_deref(), provided)
        })
        .filter(|(_, module)| {
            let used = module.requires().chain(module.optional());
            names(
                require.as_deref(),
                used.map(|one| (one.id.as_str(), one.version.as_str())),
            )
        })
        .collect();
    if let Some(text) = call.parameter("latest")? {
        let most: usize = text.parse().map_err(|_| {
            ApiError::bad_request(format!(
                "Bad format for parameter latest. For input string: \"{text}\""
            ))
        })?;
        keep_latest(&mut found, most);
    }
    match (
        call.parameter("orderBy")?.as_deref(),
        call.parameter("order")?.as_deref(),
    ) {
        (None, _) | (Some("id"), Some("asc")) => found.sort_by(|one, other| one.0.cmp(&other.0)),
        (Some("id"), None | Some("desc")) => found.sort_by_key(|one| Reverse(one.0.clone())),
        (Some("id"), Some(other)) => {
            return Err(ApiError::bad_request(format!(
                "invalid order value: {other}"
            )));
        }
        (Some(other), _) => {
            return Err(ApiError::bad_request(format!(
                "unknown orderBy field: {other}"
            )));
        }
    }
    let full = flag(call, "full", false)?;
    let shown = found
        .iter()
        .map(|(_, module)| match (full, with_names, &module.name) {
            (true, _, _) => serde_json::to_value(&***module).unwrap_or_default(),
            (false, true, Some(name)) => json!({"id": module.id, "name": name}),
            (false, _, _) => json!({"id": module.id}),
        });
    Ok(shown.collect())
}

/// Which pre-release versions are included.
pub(super) struct Snapshots {
    pre_release: ListMembers,
    front_end: ListMembers,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ListMembers {
    Too,
    Only,
    Not,
}

impl Snapshots {
    /// Reads `preRelease` and `npmSnapshot`: true, false or only.
    pub(super) fn of(call: &Call) -> Result<Snapshots, ApiError> {
        let wanted = |name: &str| match call.parameter(name)?.as_deref() {
            None | Some("true") => Ok(ListMembers::Too),
            Some("only") => Ok(ListMembers::Only),
            Some("false") => Ok(ListMembers::Not),
            Some(other) => Err(ApiError::bad_request(format!(
                "Expected \"true\", \"false\", \"only\" or undefined/null but found \"{other}\" \
                 for parameter {name}"
            ))),
        };
        Ok(Snapshots {
            pre_release: wanted("preRelease")?,
            front_end: wanted("npmSnapshot")?,
        })
    }

    /// Whether a module is included.
    pub(super) fn take(&self, id: &ModuleId) -> bool {
        let version = id.version.as_ref();
        let fits = |wanted: ListMembers, is: bool| match wanted {
            ListMembers::Too => true,
            ListMembers::Only => is,
            ListMembers::Not => !is,
        };
        fits(
            self.pre_release,
            version.is_some_and(|one| one.has_pre_release()),
        ) && fits(
            self.front_end,
            version.is_some_and(|one| one.is_front_end_build()),
        )
    }
}

/// Whether interfaces contain one of the comma-separated `id` or `id=version`.
fn names<'a>(
    wanted: Option<&str>,
    mut interfaces: impl Iterator<Item = (&'a str, &'a str)>,
) -> bool {
    let Some(wanted) = wanted else { return true };
    interfaces.any(|(id, version)| {
        wanted.split(',').any(|one| match one.split_once('=') {
            None => one == id,
            Some((name, number)) => name == id && version::parts(number) == version::parts(version),
        })
    })
}

fn keep_latest(modules: &mut Vec<(ModuleId, &Arc<ModuleDescriptor>)>, most: usize) {
    modules.sort_by_key(|one| Reverse(one.0.clone()));
    let mut seen: HashMap<String, usize> = HashMap::new();
    modules.retain(|(id, _)| {
        let count = seen.entry(id.product.clone()).or_default();
        *count += 1;
        *count <= most
    });
}
