//! Which of a tenant's modules provide and use each interface, and the conflicts among them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Modules;
use crate::registry::descriptor::{InterfaceDescriptor, InterfaceReference, ModuleDescriptor};

pub(super) type Provider<'a> = (&'a Arc<ModuleDescriptor>, &'a InterfaceDescriptor);
pub(super) type User<'a> = (&'a Arc<ModuleDescriptor>, &'a InterfaceReference);

/// The providers and users of each interface.
pub(super) struct Uses<'a> {
    pub provided: BTreeMap<&'a str, Vec<Provider<'a>>>,
    pub required: BTreeMap<&'a str, Vec<User<'a>>>,
    used: BTreeMap<&'a str, Vec<User<'a>>>,
    /// Native interfaces that a remote module has taken over. Native modules work without them:
    /// they use each other directly.
    taken_over: BTreeMap<&'a str, &'a InterfaceDescriptor>,
}

impl<'a> Uses<'a> {
    pub(super) fn of(enabled: &'a Modules) -> Uses<'a> {
        let mut uses = Uses {
            provided: BTreeMap::new(),
            required: BTreeMap::new(),
            used: BTreeMap::new(),
            taken_over: BTreeMap::new(),
        };
        for module in enabled.values() {
            for provided in module.provides().filter(|one| one.is_proxied()) {
                uses.provided
                    .entry(&provided.id)
                    .or_default()
                    .push((module, provided));
            }
            for reference in module.requires() {
                uses.required
                    .entry(&reference.id)
                    .or_default()
                    .push((module, reference));
                uses.used
                    .entry(&reference.id)
                    .or_default()
                    .push((module, reference));
            }
            for reference in module.optional() {
                uses.used
                    .entry(&reference.id)
                    .or_default()
                    .push((module, reference));
            }
        }
        for (interface, providers) in &mut uses.provided {
            if providers.iter().any(|(one, _)| !one.native) {
                let natives = providers.iter().filter(|(one, _)| one.native);
                uses.taken_over
                    .extend(natives.map(|(_, provided)| (*interface, *provided)));
                providers.retain(|(one, _)| !one.native);
            }
        }
        uses
    }

    pub(super) fn collisions(&self) -> Vec<String> {
        let several = self
            .provided
            .iter()
            .filter(|(_, providers)| providers.len() > 1);
        several
            .map(|(interface, providers)| {
                let ids: Vec<&str> = providers.iter().map(|(one, _)| one.id.as_str()).collect();
                format!(
                    "Multiple modules {} provide interface {interface}",
                    ids.join(", ")
                )
            })
            .collect()
    }

    pub(super) fn incompatible(
        &self,
    ) -> Vec<(
        &'a str,
        Provider<'a>,
        &'a Arc<ModuleDescriptor>,
        &'a InterfaceReference,
    )> {
        let mut found = Vec::new();
        for (interface, users) in &self.used {
            let Some(provider) = self.provided.get(interface).and_then(|all| all.first()) else {
                continue;
            };
            for (user, reference) in users {
                let natively = self.taken_over.get(interface);
                let goes_on = user.native
                    && natively.is_some_and(|provided| provided.serves(&reference.version));
                if !provider.1.serves(&reference.version) && !goes_on {
                    found.push((*interface, *provider, *user, *reference));
                }
            }
        }
        found
    }
}

pub(super) fn lacking(interface: &str, module: &ModuleDescriptor) -> String {
    format!(
        "interface {interface} required by module {} not found",
        module.id
    )
}

pub(super) fn ambiguous(
    interface: &str,
    module: &ModuleDescriptor,
    providers: &[Arc<ModuleDescriptor>],
) -> String {
    let products: Vec<&str> = providers.iter().map(|one| one.product()).collect();
    format!(
        "interface {interface} required by module {} is provided by multiple products: {}",
        module.id,
        products.join(", ")
    )
}

pub(super) fn mismatch(
    user: &ModuleDescriptor,
    interface: &str,
    reference: &InterfaceReference,
    provider: Provider<'_>,
) -> String {
    format!(
        "Incompatible version for module {} interface {interface}. Need {}. Have {}/{}",
        user.id, reference.version, provider.1.version, provider.0.id
    )
}
