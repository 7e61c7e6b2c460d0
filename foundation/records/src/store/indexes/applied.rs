//! Indexes that an operator added to a tenant. Their declarations are stored in the tenant's
//! schema, so that they outlive restarts and releases, and added to the declared ones for planning.
//! `index_builds` creates and drops them in the database.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use octavo_boxed::boxed;
use serde_json::Value;

use crate::catalog::Catalog;
use crate::collection::Collection;
use crate::ddl;
use crate::error::StoreError;
use crate::expression::index_name;
use crate::index::{Index, IndexKind};
use crate::plan::field::{FIELD_CHARS_MAX, is_name};
use crate::shape::ValueKind;
use crate::store::Store;
use crate::store::provision::SHARED_SCHEMA;
use crate::tenant::Tenant;
use crate::upgrade::DeclaredIndex;

/// The channel of notifications that a tenant's indexes changed; the payload is the tenant.
pub const INDEX_CHANNEL: &str = "octavo_index";
/// The most indexes that can be applied to one tenant: each costs every writer of its table.
const APPLIED_MAX: usize = 100;

/// An index that an operator added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedIndex {
    pub name: String,
    pub collection: String,
    pub index: Index,
    /// Whether it exists; false during a build and after a failed one.
    pub built: bool,
}

impl AppliedIndex {
    pub(in crate::store) fn wanted(&self, schema: &str, collection: &Collection) -> DeclaredIndex {
        DeclaredIndex::of(
            &self.collection,
            ddl::index(schema, collection, &self.index),
        )
        .named(&self.name)
    }
}

/// The catalogs of tenants that have indexes of their own.
#[derive(Debug, Clone, Default)]
pub(in crate::store) struct Overlay {
    catalogs: Arc<RwLock<ReadCatalogs>>,
}

#[derive(Debug, Default)]
struct ReadCatalogs {
    /// The number of loads that were started.
    begun: u64,
    /// The last load of each tenant: its number, and the catalog unless it is the declared one.
    read: HashMap<String, (u64, Option<Arc<Catalog>>)>,
}

impl Overlay {
    fn catalogs(&self) -> RwLockWriteGuard<'_, ReadCatalogs> {
        self.catalogs
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a load; its number shows which of two loads is the later one.
    fn begin(&self) -> u64 {
        let mut catalogs = self.catalogs();
        catalogs.begun += 1;
        catalogs.begun
    }

    fn set(&self, tenant: &Tenant, reading: u64, catalog: Option<Catalog>) {
        let mut catalogs = self.catalogs();
        let last = catalogs
            .read
            .get(tenant.id())
            .map_or(0, |(number, _)| *number);
        if last < reading {
            let read = (reading, catalog.map(Arc::new));
            catalogs.read.insert(tenant.id().to_owned(), read);
        }
    }

    fn get(&self, tenant: &Tenant) -> Option<Arc<Catalog>> {
        let catalogs = self.catalogs.read().unwrap_or_else(PoisonError::into_inner);
        catalogs.read.get(tenant.id())?.1.clone()
    }

    pub(in crate::store) fn forget(&self, tenant: &Tenant) {
        self.catalogs().read.remove(tenant.id());
    }
}

impl Store {
    /// The collections of a tenant, with the indexes that were applied to it.
    #[must_use]
    pub fn catalog_of(&self, tenant: &Tenant) -> Arc<Catalog> {
        self.overlay
            .get(tenant)
            .unwrap_or_else(|| Arc::clone(&self.catalog))
    }

    /// Loads the indexes applied to a tenant again; from then on plans use them.
    #[boxed]
    pub async fn refresh_indexes(&self, tenant: &Tenant) -> Result<(), StoreError> {
        let reading = self.overlay.begin();
        let applied = self.applied(tenant).await?;
        let built: Vec<_> = applied.into_iter().filter(|one| one.built).collect();
        let catalog = (!built.is_empty()).then(|| overlaid(&self.catalog, &built));
        self.overlay.set(tenant, reading, catalog);
        Ok(())
    }

    /// The indexes applied to a tenant, by name; none for a tenant without tables.
    #[boxed]
    pub async fn applied(&self, tenant: &Tenant) -> Result<Vec<AppliedIndex>, StoreError> {
        let sql = format!(
            "SELECT name, collection, declaration, built_at IS NOT NULL AS built \
             FROM {}.octavo_index ORDER BY name",
            tenant.schema()
        );
        let rows = match self.database.query(&sql, &[]).await {
            Ok(rows) => rows,
            Err(error) if error.is_undefined_table() => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        };
        let mut applied = Vec::with_capacity(rows.len());
        for row in rows {
            let name: String = row.get("name");
            match serde_json::from_value(row.get::<_, Value>("declaration")) {
                Ok(index) => applied.push(AppliedIndex {
                    name,
                    collection: row.get("collection"),
                    index,
                    built: row.get("built"),
                }),
                Err(error) => tracing::warn!(
                    tenant = tenant.id(),
                    index = name,
                    %error,
                    "an applied index has a declaration that this version does not know"
                ),
            }
        }
        Ok(applied)
    }

    /// Stores that a tenant needs an index; [`Store::build_indexes`] builds it. Idempotent. Returns
    /// its name.
    ///
    /// # Errors
    /// [`StoreError::Query`] with the remedy when it is impossible or exists already.
    #[boxed]
    pub async fn want_index(
        &self,
        tenant: &Tenant,
        table: &str,
        index: &Index,
    ) -> Result<String, StoreError> {
        let Some(collection) = self.catalog.get(table) else {
            return Err(StoreError::Query(format!(
                "there is no collection {table:?}; there are: {}",
                names(self.catalog.iter().map(|one| one.table.as_str()))
            )));
        };
        check(collection, index).map_err(StoreError::Query)?;
        let applied = self.applied(tenant).await?;
        if let Some(same) = applied
            .iter()
            .find(|one| one.collection == table && one.index == *index)
        {
            return Ok(same.name.clone());
        }
        if applied.len() >= APPLIED_MAX {
            return Err(StoreError::Query(format!(
                "tenant {} has {APPLIED_MAX} applied indexes, the most there can be; \
                 `octavo index list --tenant {0}` shows which are not used and can be dropped",
                tenant.id()
            )));
        }
        let name = free_name(collection, index, &applied);
        let declaration = serde_json::to_value(index)?;
        // Also stored with the tenant, so that a server that starts before it is built finds it.
        let sql = format!(
            "WITH noted AS (UPDATE {SHARED_SCHEMA}.tenant SET indexed = false WHERE id = $4) \
             INSERT INTO {}.octavo_index (name, collection, declaration) VALUES ($1, $2, $3) \
             ON CONFLICT DO NOTHING",
            tenant.schema()
        );
        self.database
            .execute(&sql, &[&name, &table, &declaration, &tenant.id()])
            .await?;
        Ok(name)
    }

    /// Notifies every process that the indexes of a tenant have changed.
    pub(in crate::store) async fn announce_indexes(
        &self,
        tenant: &Tenant,
    ) -> Result<(), StoreError> {
        let id = tenant.id();
        self.database
            .execute("SELECT pg_notify($1, $2)", &[&INDEX_CHANNEL, &id])
            .await?;
        self.refresh_indexes(tenant).await
    }
}

/// The declared collections with further indexes.
fn overlaid(declared: &Catalog, applied: &[AppliedIndex]) -> Catalog {
    let collections = declared.iter().map(|collection| {
        let more: Vec<_> = applied
            .iter()
            .filter(|one| one.collection == collection.table)
            .map(|one| one.index.clone())
            .filter(|index| !declares(collection, index))
            .collect();
        if more.is_empty() {
            return Arc::clone(collection);
        }
        let mut collection = Collection::clone(collection);
        collection.indexes.extend(more);
        Arc::new(collection)
    });
    Catalog::new(collections.collect())
        .expect("invariant: the same tables in the same order as in a valid catalog")
}

fn declares(collection: &Collection, index: &Index) -> bool {
    let mut declared = collection.indexes.iter();
    declared.any(|one| one.is_declared_as(index))
}

/// Why an index cannot be applied, with the remedy.
fn check(collection: &Collection, index: &Index) -> Result<(), String> {
    let table = &collection.table;
    if index.kind == IndexKind::UniqueIndex {
        return Err(format!(
            "a uniqueIndex cannot be applied: it would refuse records that FOLIO takes; \
             apply --kind {} instead",
            IndexKind::Index.name()
        ));
    }
    if declares(collection, index) {
        return Err(format!(
            "{table} has this index already: {} is declared",
            index_name(collection, index)
        ));
    }
    if collection.reference_on(&index.field).is_some() || index.field == "id" {
        return Err(format!(
            "{} of {table} is an id with an index of its own; nothing has to be applied",
            index.field
        ));
    }
    let fields: Vec<&String> = match index.fields.is_empty() {
        true => vec![&index.field],
        false => index.fields.iter().chain([&index.field]).collect(),
    };
    for field in fields.into_iter().chain(&index.with) {
        if !is_path(field) {
            let shown: String = field.chars().take(FIELD_CHARS_MAX).collect();
            return Err(format!(
                "{shown:?} is not the path of a property; write it as status.name"
            ));
        }
    }
    let paths = match index.fields.is_empty() {
        true => std::slice::from_ref(&index.field),
        false => &index.fields,
    };
    for path in paths.iter().chain(&index.with) {
        let plain = path.replace("[*]", "");
        if !may_have(collection, &plain) {
            return Err(format!(
                "records of {table} have no property {path}; they have: {}",
                names(
                    collection
                        .shape
                        .root
                        .properties
                        .iter()
                        .map(|property| property.name.as_str())
                )
            ));
        }
    }
    Ok(())
}

/// Whether the shape allows records a property at a path; below an open object any is allowed.
fn may_have(collection: &Collection, path: &str) -> bool {
    if collection.shape.root.open || collection.kind_at(path).is_some() {
        return true;
    }
    let mut parents = path.rmatch_indices('.').map(|(dot, _)| &path[..dot]);
    parents
        .find_map(|parent| collection.kind_at(parent))
        .is_some_and(takes_anything)
}

fn takes_anything(kind: &ValueKind) -> bool {
    match kind {
        ValueKind::Any => true,
        ValueKind::Object(object) => object.open,
        ValueKind::Array(inner) => takes_anything(inner),
        _ => false,
    }
}

fn is_path(field: &str) -> bool {
    let is_part = |part: &str| is_name(part.strip_suffix("[*]").unwrap_or(part));
    field.chars().count() <= FIELD_CHARS_MAX && field.split('.').all(is_part)
}

/// The index's own name, with a number when another index has it.
fn free_name(collection: &Collection, index: &Index, applied: &[AppliedIndex]) -> String {
    let own = index_name(collection, index);
    let taken = |name: &str| {
        collection
            .indexes
            .iter()
            .any(|one| index_name(collection, one) == name)
            || applied.iter().any(|one| one.name == name)
    };
    let cut = &own[..own.len().min(58)];
    std::iter::once(own.clone())
        .chain((2..).map(|number| format!("{cut}_{number}")))
        .find(|name| !taken(name))
        .expect("invariant: there are more numbers than names")
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    names.join(", ")
}
