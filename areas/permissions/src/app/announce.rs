//! The permissions that modules bring to a tenant. An unchanged announcement costs one look-up; changes
//! are written in a few statements.

use std::collections::HashSet;

use octavo_boxed::boxed;
use octavo_platform::identity::ModulePermissions;
use octavo_records::{Stamp, Store, StoreError, Tenant, retried};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::refusal::Failure;
use crate::rules::announcement::{changes, name_and_version};
use crate::store::announced::{
    Announced, definitions, digests, give_replacements, remember, store_definitions,
};
use crate::store::definitions::lock;

/// Version of this code's treatment of announcements, part of their digest: raise it so that all
/// announcements are processed again.
const FORM: u8 = 1;

/// Makes the definitions of a tenant agree with what modules bring.
///
/// # Errors
/// [`StoreError::Query`] with the reason when an announcement is refused: then none of them takes
/// effect.
#[boxed]
pub async fn announce(
    store: &Store,
    tenant: &Tenant,
    modules: &[ModulePermissions],
) -> Result<(), StoreError> {
    let modules = &last_of_each(modules);
    let mut announced = Vec::with_capacity(modules.len());
    for module in modules {
        announced.push(Announced {
            module: name_and_version(&module.module_id).0.to_owned(),
            module_id: module.module_id.clone(),
            digest: digest(module)?,
        });
    }
    let known = digests(&store.database, tenant).await?;
    let is_known = |one: &Announced| known.get(&one.module) == Some(&one.digest);
    if announced.iter().all(is_known) {
        return Ok(());
    }
    match retried(|| write(store, tenant, modules, &announced)).await {
        Ok(()) => Ok(()),
        Err(Failure::Store(error)) => Err(error),
        Err(Failure::Refused(refusal)) => Err(StoreError::Query(refusal.to_string())),
    }
}

async fn write(
    store: &Store,
    tenant: &Tenant,
    modules: &[ModulePermissions],
    announced: &[Announced],
) -> Result<(), Failure> {
    let transaction = store.database.transaction().await?;
    lock(&transaction, tenant).await?;
    // Read after taking the lock: another process may just have announced the same.
    let (known, stored) = tokio::try_join!(
        digests(&transaction, tenant),
        definitions(&transaction, tenant),
    )?;
    let is_new = |one: &Announced| known.get(&one.module) != Some(&one.digest);
    let pending: Vec<ModulePermissions> = modules
        .iter()
        .zip(announced)
        .filter(|(_, announced)| is_new(announced))
        .map(|(module, _)| module.clone())
        .collect();
    let stamp = Stamp::now(None);
    let changes = changes(stored, &pending, Uuid::new_v4)?;
    let documents = changes
        .definitions
        .into_iter()
        .map(|document| stamped(document, &stamp))
        .collect::<Result<Vec<_>, StoreError>>()?;
    let updated = stamp.updated();
    tokio::try_join!(
        store_definitions(&transaction, tenant, &documents),
        give_replacements(&transaction, tenant, &changes.replaced, &updated),
        remember(&transaction, tenant, announced),
    )?;
    Ok(transaction.commit().await?)
}

/// The last announcement of each module: an upgrade may announce both versions.
fn last_of_each(modules: &[ModulePermissions]) -> Vec<ModulePermissions> {
    let mut seen = HashSet::new();
    let mut last: Vec<ModulePermissions> = modules
        .iter()
        .rev()
        .filter(|module| seen.insert(name_and_version(&module.module_id).0))
        .cloned()
        .collect();
    last.reverse();
    last
}

/// The digest that identifies an announcement. A change of order changes it.
fn digest(module: &ModulePermissions) -> Result<Vec<u8>, StoreError> {
    let text = serde_json::to_vec(&(FORM, &module.module_id, &module.permissions))?;
    Ok(Sha256::digest(text).to_vec())
}

fn stamped(mut document: Map<String, Value>, stamp: &Stamp) -> Result<(Uuid, Vec<u8>), StoreError> {
    let metadata = match document.remove("metadata") {
        Some(Value::Object(mut metadata)) => {
            if let Value::Object(updated) = stamp.updated() {
                metadata.extend(updated);
            }
            json!(metadata)
        }
        _ => stamp.created(),
    };
    document.insert("metadata".to_owned(), metadata);
    let id = document.get("id").and_then(Value::as_str);
    let id = Uuid::try_parse(id.unwrap_or_default());
    let id = id.map_err(|error| StoreError::fault(error))?;
    Ok((id, serde_json::to_vec(&document)?))
}

#[cfg(test)]
mod tests {
    use octavo_platform::permission_set::PermissionSet;

    use super::*;

    #[test]
    fn the_last_announcement_of_a_module_counts() {
        let module = |id: &str| ModulePermissions {
            module_id: id.to_owned(),
            permissions: Vec::new(),
            replaces: None,
        };
        let given = [module("a-1.0.0"), module("b-1.0.0"), module("a-2.0.0")];
        let last: Vec<String> = last_of_each(&given)
            .into_iter()
            .map(|one| one.module_id)
            .collect();
        assert_eq!(last, ["b-1.0.0", "a-2.0.0"]);
    }

    #[test]
    fn announcements_are_distinguished() {
        let module = |id: &str, names: &[&str]| {
            let permissions = names.iter().map(|name| PermissionSet {
                permission_name: (*name).to_owned(),
                ..PermissionSet::default()
            });
            digest(&ModulePermissions {
                module_id: id.to_owned(),
                permissions: permissions.collect(),
                replaces: None,
            })
            .expect("a digest")
        };
        let one = module("mod-a-1.0.0", &["a", "b"]);
        assert_eq!(one, module("mod-a-1.0.0", &["a", "b"]));
        assert_ne!(one, module("mod-a-1.0.1", &["a", "b"]));
        assert_ne!(one, module("mod-a-1.0.0", &["ab"]));
        assert_ne!(one, module("mod-a-1.0.0", &["a", "B"]));
    }
}
