//! Each permission that a route requires is defined by a module.

use std::collections::{HashMap, HashSet};

use octavo_platform::{Access, Module};

use octavo_server_testkit::library;

fn definitions(modules: &[Module]) -> HashMap<&str, Vec<&str>> {
    let mut owners: HashMap<&str, Vec<&str>> = HashMap::new();
    for module in modules {
        for set in &module.permissions {
            let owner = owners.entry(&set.permission_name).or_default();
            owner.push(module.name);
        }
    }
    owners
}

#[tokio::test]
async fn every_permission_that_a_route_names_is_defined() {
    let library = library().await;
    let modules = &*library.platform.registry.modules;
    let defined = definitions(modules);
    let mut missing = HashSet::new();
    for module in modules {
        let routes = module
            .interfaces
            .iter()
            .flat_map(|interface| &interface.routes);
        for route in routes {
            let required = match &route.access {
                Access::Permission(name) => Some(name.as_str()),
                _ => None,
            };
            for name in required.iter().chain(route.desired) {
                // A desire for all names that begin so, which libraries and modules make themselves.
                if !name.ends_with(".*") && !defined.contains_key(name) {
                    missing.insert(format!("{}: {} {name}", module.name, route.pattern));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(defined.contains_key("octavo.all"));
}

#[tokio::test]
async fn each_permission_is_defined_once_and_has_a_name_for_people() {
    let library = library().await;
    let modules = &*library.platform.registry.modules;
    for (name, owners) in definitions(modules) {
        assert_eq!(owners.len(), 1, "{name} is defined by {owners:?}");
    }
    for set in modules.iter().flat_map(|module| &module.permissions) {
        let name = &set.permission_name;
        assert!(set.display_name.is_some(), "{name} has no display name");
        assert!(
            !name.is_empty() && !name.contains(char::is_whitespace),
            "{name:?}"
        );
        let parts: HashSet<&String> = set.sub_permissions.iter().collect();
        assert_eq!(parts.len(), set.sub_permissions.len(), "{name}");
    }
}

/// The library's tenant has them all, with what follows from them.
#[tokio::test]
async fn a_fresh_tenant_has_the_permissions_of_all_modules() {
    let library = library().await;
    let rows = library
        .platform
        .store
        .database
        .query(
            "SELECT jsonb->>'permissionName', jsonb->>'moduleName', jsonb->>'moduleVersion' \
             FROM tenant_diku.permissions WHERE (jsonb->>'dummy')::boolean IS NOT TRUE \
               AND jsonb->>'mutable' = 'false' AND jsonb->>'deprecated' = 'false'",
            &[],
        )
        .await
        .expect("definitions");
    let stored: HashMap<String, (String, String)> = rows
        .iter()
        .map(|row| (row.get(0), (row.get(1), row.get(2))))
        .collect();
    let mut count = 0;
    for module in library.platform.registry.modules.iter() {
        for set in &module.permissions {
            let owner = (module.name.to_owned(), module.version.to_owned());
            assert_eq!(stored.get(&set.permission_name), Some(&owner));
            count += 1;
        }
    }
    assert_eq!(stored.len(), count);
    assert!(count > 700, "{count}");
}
