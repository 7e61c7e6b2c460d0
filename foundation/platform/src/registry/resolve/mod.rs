//! Resolves which modules a tenant ends up with: dependencies, conflicts, order. Pure: modules and
//! wishes in, steps or errors in Okapi's words out.
//!
//! One rule is Octavo's own: a remote module may provide an interface that a native one provides as
//! well. It takes that interface over; the native module keeps its others.

mod uses;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::descriptor::{InterfaceDescriptor, InterfaceReference, ModuleDescriptor};
use super::module_id::ModuleId;
use super::version;

use uses::{Uses, ambiguous, lacking, mismatch};

pub type Modules = BTreeMap<String, Arc<ModuleDescriptor>>;

/// A change of one module of a tenant (Okapi's `TenantModuleDescriptor`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The module; a wish may leave the version out.
    pub id: String,
    /// The module that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The action; in a wish, `enable` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// The progress of the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// The reason of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Enable,
    Disable,
    /// It was enabled already.
    Uptodate,
    /// One of Okapi's values that clients may send; it has no effect.
    Suggest,
    /// As `suggest`.
    Conflict,
}

/// The progress of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    Pending,
    /// Okapi starts the module in this stage; here nothing happens.
    Deploy,
    /// The module's `_tenant` interface is being called.
    Invoke,
    /// Okapi stops the module in this stage; here nothing happens.
    Undeploy,
    Done,
}

/// The most rounds of fixing conflicts.
const ROUNDS_MAX: usize = 1_000;

impl Step {
    /// A step that enables a module, possibly replacing another one.
    #[must_use]
    pub fn enable(id: &str, from: Option<String>) -> Step {
        let action = Some(Action::Enable);
        Step {
            id: id.to_owned(),
            from,
            action,
            ..Step::default()
        }
    }

    #[must_use]
    pub fn disable(id: &str) -> Step {
        let action = Some(Action::Disable);
        Step {
            id: id.to_owned(),
            action,
            ..Step::default()
        }
    }
}

/// The steps that fulfil the wishes and leave the tenant with a consistent set of modules:
/// dependencies are enabled, conflicting modules disabled or replaced. In their order no module
/// ever lacks a dependency.
///
/// # Errors
/// All conflicts, one sentence for each.
pub fn plan(
    available: &Modules,
    enabled: &Modules,
    requested: Vec<Step>,
    reinstall: bool,
) -> Result<Vec<Step>, String> {
    let mut resolution = Resolution {
        available,
        enabled: enabled.clone(),
        steps: Vec::new(),
        sticky: HashSet::new(),
    };
    resolution.apply_requested(requested, reinstall)?;
    for _ in 0..ROUNDS_MAX {
        match resolution.fix_first() {
            Fix::Changed => {}
            Fix::Fits => return resolution.in_order(enabled),
            Fix::Faults(faults) => return Err(faults.join(". ")),
        }
    }
    Err(format!(
        "Dependency resolution not completing in {ROUNDS_MAX} iterations"
    ))
}

/// The conflicts in a set of enabled modules; empty when it is consistent.
#[must_use]
pub fn faults(enabled: &Modules) -> Vec<String> {
    let uses = Uses::of(enabled);
    let mut faults = uses.collisions();
    for (interface, users) in &uses.required {
        if !uses.provided.contains_key(interface) {
            faults.extend(users.iter().map(|(module, _)| lacking(interface, module)));
        }
    }
    for (interface, provider, user, reference) in uses.incompatible() {
        faults.push(mismatch(user, interface, reference, provider));
    }
    faults
}

/// The dependencies that registered modules lack among themselves, one a line.
#[must_use]
pub fn missing(registered: &Modules) -> String {
    let mut lines = Vec::new();
    for module in registered.values() {
        let needs = module.requires().map(|one| (one, true));
        let uses = module.optional().map(|one| (one, false));
        for (reference, required) in needs.chain(uses) {
            let providers: Vec<_> = registered
                .values()
                .flat_map(|one| one.provides().map(move |provided| (one, provided)))
                .filter(|(_, provided)| provided.id == reference.id)
                .collect();
            if providers
                .iter()
                .any(|(_, provided)| provided.serves(&reference.version))
            {
                continue;
            }
            let mut versions: Vec<(&str, &str)> = providers
                .iter()
                .map(|(one, provided)| (provided.version.as_str(), one.id.as_str()))
                .collect();
            if versions.is_empty() {
                if required {
                    lines.push(format!(
                        "Missing dependency: {} requires {}: {}",
                        module.id, reference.id, reference.version
                    ));
                }
                continue;
            }
            versions.sort_by_key(|one| std::cmp::Reverse(version::parts(one.0)));
            let have: Vec<String> = versions
                .iter()
                .map(|(version, id)| format!("{version}/{id}"))
                .collect();
            lines.push(format!(
                "Incompatible version for module {} interface {}. Need {}. Have {}",
                module.id,
                reference.id,
                reference.version,
                have.join(" ")
            ));
        }
    }
    lines.join("\n")
}

struct Resolution<'a> {
    available: &'a Modules,
    enabled: Modules,
    steps: Vec<Step>,
    /// Modules that the wishes name or depend on: they are not removed again.
    sticky: HashSet<String>,
}

enum Fix {
    Fits,
    Changed,
    Faults(Vec<String>),
}

impl Resolution<'_> {
    fn apply_requested(&mut self, requested: Vec<Step>, reinstall: bool) -> Result<(), String> {
        let mut faults = Vec::new();
        for mut step in requested {
            let id = ModuleId::parse(&step.id).map_err(|error| error.to_string())?;
            let action = step.action.unwrap_or(Action::Enable);
            step.action = Some(action);
            let among = if action == Action::Disable {
                &self.enabled
            } else {
                self.available
            };
            if id.version.is_none() {
                step.id = id.latest(among.keys().map(String::as_str));
            }
            match action {
                Action::Enable => {
                    self.sticky.insert(step.id.clone());
                    let Some(descriptor) = self.available.get(&step.id).cloned() else {
                        faults.push(format!("Module {} not found", step.id));
                        continue;
                    };
                    if self.enabled.contains_key(&step.id) && !reinstall {
                        step.action = Some(Action::Uptodate);
                    } else {
                        let product = descriptor.product();
                        let earlier = self.enabled.values().find(|one| one.product() == product);
                        if let Some(earlier) = earlier.map(|one| one.id.clone()) {
                            if self.sticky.contains(&earlier) && earlier != step.id {
                                faults.push(format!(
                                    "Cannot remove module {earlier} which is explicitly given"
                                ));
                            }
                            self.enabled.remove(&earlier);
                            step.from = Some(earlier);
                        }
                        self.enabled.insert(step.id.clone(), descriptor);
                    }
                }
                Action::Disable => {
                    if self.enabled.remove(&step.id).is_none() {
                        faults.push(format!("Module {} not found", step.id));
                    }
                }
                Action::Uptodate | Action::Suggest | Action::Conflict => {}
            }
            self.steps.push(step);
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults.join(". "))
        }
    }

    /// Fixes the first conflict that can be fixed.
    fn fix_first(&mut self) -> Fix {
        let uses = Uses::of(&self.enabled);
        for providers in uses
            .provided
            .values()
            .filter(|providers| providers.len() > 1)
        {
            let loose = providers
                .iter()
                .find(|(one, _)| !self.sticky.contains(&one.id));
            if let Some((module, _)) = loose {
                let id = module.id.clone();
                return self.drop(&id);
            }
        }
        let mut faults = uses.collisions();
        for (interface, users) in &uses.required {
            if uses.provided.contains_key(interface) {
                continue;
            }
            for (module, reference) in users {
                let found = self.providers_of(reference);
                match found.as_slice() {
                    [] => faults.push(lacking(interface, module)),
                    [one] if self.sticky.contains(&module.id) => {
                        let found = Arc::clone(one);
                        self.sticky.insert(found.id.clone());
                        return self.put(None, found);
                    }
                    [_] => {
                        let id = module.id.clone();
                        return self.drop(&id);
                    }
                    several => {
                        faults.push(ambiguous(interface, module, several));
                        return Fix::Faults(faults);
                    }
                }
            }
        }
        for (interface, provider, user, reference) in uses.incompatible() {
            if !self.sticky.contains(&provider.0.id) {
                let found = self.providers_of(reference);
                match found.as_slice() {
                    [] => {}
                    [one] => {
                        let (from, found) = (provider.0.id.clone(), Arc::clone(one));
                        self.sticky.insert(found.id.clone());
                        return self.put(Some(from), found);
                    }
                    several => {
                        faults.push(ambiguous(interface, user, several));
                        return Fix::Faults(faults);
                    }
                }
            }
            if !self.sticky.contains(&user.id) {
                let (from, product) = (user.id.clone(), user.product().to_owned());
                return match self.user_of(provider.1, &product) {
                    Some(found) => {
                        self.sticky.insert(found.id.clone());
                        self.put(Some(from), found)
                    }
                    None => self.drop(&from),
                };
            }
            faults.push(mismatch(user, interface, reference, provider));
        }
        if faults.is_empty() {
            Fix::Fits
        } else {
            Fix::Faults(faults)
        }
    }

    fn put(&mut self, from: Option<String>, module: Arc<ModuleDescriptor>) -> Fix {
        let mut from = from;
        if let Some(earlier) = &from {
            self.enabled.remove(earlier);
            // Replacing another product is not an upgrade.
            if ModuleId::product_of(earlier) != module.product() {
                self.steps.push(Step::disable(earlier));
                from = None;
            }
        }
        self.steps.push(Step::enable(&module.id, from));
        self.enabled.insert(module.id.clone(), module);
        Fix::Changed
    }

    fn drop(&mut self, id: &str) -> Fix {
        self.enabled.remove(id);
        self.steps.push(Step::disable(id));
        Fix::Changed
    }

    /// The latest module of each product that provides an interface; only the native one if there
    /// is one.
    fn providers_of(&self, reference: &InterfaceReference) -> Vec<Arc<ModuleDescriptor>> {
        let fitting = |one: &&Arc<ModuleDescriptor>| {
            one.provides()
                .any(|provided| provided.id == reference.id && provided.serves(&reference.version))
        };
        let found = latest_of_products(self.available.values().filter(fitting));
        match found.iter().find(|one| one.native) {
            Some(native) => vec![Arc::clone(native)],
            None => found,
        }
    }

    /// The latest version of a product that is compatible with what is provided.
    fn user_of(
        &self,
        provided: &InterfaceDescriptor,
        product: &str,
    ) -> Option<Arc<ModuleDescriptor>> {
        let fitting = |one: &&Arc<ModuleDescriptor>| {
            one.product() == product
                && one.requires().chain(one.optional()).any(|reference| {
                    provided.id == reference.id && provided.serves(&reference.version)
                })
        };
        latest_of_products(self.available.values().filter(fitting)).pop()
    }

    /// The steps in an order in which nothing is enabled before its dependencies, or disabled
    /// before its dependents.
    fn in_order(self, before: &Modules) -> Result<Vec<Step>, String> {
        let mut present = before.clone();
        let mut waiting = self.steps;
        let mut ordered = Vec::with_capacity(waiting.len());
        loop {
            let next = waiting.iter().position(|step| match step.action {
                Some(Action::Enable) => self.available.get(&step.id).is_some_and(|module| {
                    module
                        .requires()
                        .all(|reference| is_provided(&present, reference))
                }),
                Some(Action::Disable) => match present.get(&step.id) {
                    None => true,
                    Some(module) => !is_needed(&present, module),
                },
                _ => true,
            });
            let Some(at) = next else { break };
            let step = waiting.remove(at);
            match step.action {
                Some(Action::Enable) => {
                    if let Some(from) = &step.from {
                        present.remove(from);
                    }
                    if let Some(module) = self.available.get(&step.id) {
                        present.insert(step.id.clone(), Arc::clone(module));
                    }
                }
                Some(Action::Disable) => {
                    present.remove(&step.id);
                }
                _ => {}
            }
            ordered.push(step);
        }
        if waiting
            .iter()
            .any(|step| step.action == Some(Action::Enable))
        {
            let left: Vec<&str> = waiting.iter().map(|step| step.id.as_str()).collect();
            return Err(format!(
                "Some modules cannot be topological sorted: {}",
                left.join(", ")
            ));
        }
        ordered.extend(waiting);
        Ok(ordered)
    }
}

fn latest_of_products<'a>(
    modules: impl Iterator<Item = &'a Arc<ModuleDescriptor>>,
) -> Vec<Arc<ModuleDescriptor>> {
    let mut latest: BTreeMap<&str, (ModuleId, &Arc<ModuleDescriptor>)> = BTreeMap::new();
    for module in modules {
        let Ok(id) = ModuleId::parse(&module.id) else {
            continue;
        };
        let later = latest
            .get(module.product())
            .is_none_or(|(known, _)| id > *known);
        if later {
            latest.insert(module.product(), (id, module));
        }
    }
    latest
        .into_values()
        .map(|(_, module)| Arc::clone(module))
        .collect()
}

fn is_provided(present: &Modules, reference: &InterfaceReference) -> bool {
    present.values().any(|one| {
        one.provides()
            .any(|provided| provided.id == reference.id && provided.serves(&reference.version))
    })
}

/// Whether another module depends on an interface that only this one provides.
fn is_needed(present: &Modules, module: &ModuleDescriptor) -> bool {
    let elsewhere = |reference: &InterfaceReference| {
        present.values().any(|one| {
            one.id != module.id && one.provides().any(|provided| provided.id == reference.id)
        })
    };
    let here = |reference: &InterfaceReference| module.provides().any(|one| one.id == reference.id);
    let others = present.values().filter(|one| one.id != module.id);
    others
        .flat_map(|one| one.requires())
        .any(|reference| here(reference) && !elsewhere(reference))
}

#[cfg(test)]
mod tests;
