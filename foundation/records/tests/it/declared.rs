//! The tables of FOLIO's storage modules: their keys and indexes can all be declared, in one line
//! each, created in PostgreSQL, and used by the queries they are for.

use std::fs;
use std::path::Path;

use octavo_records::expression::index_name;
use octavo_records::plan::Sql;
use octavo_records::{Catalog, Collection, Declaration, Index, IndexKind, Tenant};
use std::sync::Arc;

use crate::shelf::Shelf;

/// The declarations of one module.
struct Module {
    name: String,
    collections: Vec<Collection>,
}

fn modules() -> Vec<Module> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/folio");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let read = |file: std::path::PathBuf| {
        let text = fs::read_to_string(&file).unwrap();
        let declared: Declaration = toml::from_str(&text).unwrap();
        let collections = declared.collections.iter().map(|one| one.collection());
        Module {
            name: file.file_stem().unwrap().to_string_lossy().into_owned(),
            collections: collections.collect::<Result<_, _>>().unwrap(),
        }
    };
    files.map(read).collect()
}

/// A query for an index; `None` where a column serves the field, or where the index only enforces
/// uniqueness.
fn query_for(collection: &Collection, index: &Index) -> Option<String> {
    let field = &index.field;
    if field == "id" || collection.reference_on(field).is_some() || index.condition.is_some() {
        return None;
    }
    Some(match (index.kind, &index.array_modifiers[..]) {
        _ if index.number => format!("{field} ==/number 5"),
        (IndexKind::FullTextIndex, [modifier, ..]) => format!("{field} =/@{modifier}=x word"),
        (IndexKind::GinIndex, [modifier, ..]) => format!("{field} ==/@{modifier}=x word"),
        (IndexKind::FullTextIndex, _) => format!("{field} = word"),
        (IndexKind::LikeIndex, _) => format!("{field} == \"beg*\""),
        (IndexKind::GinIndex, _) => format!("{field} == \"*midst*\""),
        _ => format!("{field} == whole"),
    })
}

/// The indexes that can serve a query on a field.
fn indexes_of<'a>(collection: &'a Collection, field: &str) -> Vec<(&'a Index, String)> {
    let on_field = collection.indexes.iter().filter(|one| one.field == field);
    on_field
        .map(|one| (one, index_name(collection, one)))
        .collect()
}

#[tokio::test]
async fn every_index_of_folio_can_be_declared_and_is_used() {
    let modules = modules();
    let mut shelf = Shelf::with(Vec::new()).await;
    let (mut tables, mut declared, mut used) = (0, 0, 0);
    for (at, module) in modules.into_iter().enumerate() {
        let collections: Vec<_> = module.collections.into_iter().map(Arc::new).collect();
        shelf.store.catalog = Arc::new(Catalog::new(collections).unwrap());
        let tenant = Tenant::new(&format!("module{at}")).unwrap();
        let provisioned = shelf.store.provision(&tenant, &[]).await;
        provisioned.unwrap_or_else(|error| panic!("{}: {error:?}", module.name));
        let connection = shelf.store.database.connection().await.unwrap();
        connection
            .batch_execute("SET enable_seqscan = off")
            .await
            .unwrap();
        for collection in shelf.store.catalog.iter() {
            tables += 1;
            declared += collection.indexes.len();
            for index in &collection.indexes {
                let Some(query) = query_for(collection, index) else {
                    continue;
                };
                let plan = shelf.store.plan(&tenant, collection, Some(&query)).unwrap();
                let told = format!("{} {} {query}", module.name, collection.table);
                let lacking = plan.predicate.unindexed(&collection.table);
                assert!(lacking.is_empty(), "{told}: lacks {lacking:?}");
                let sql = Sql::page(tenant.schema(), &collection.table, &plan, 10, 0);
                let explain = format!("EXPLAIN {}", sql.text);
                let rows = connection.query(&explain, &sql.bound()).await.unwrap();
                let steps = rows.iter().map(|row| row.get::<_, String>(0) + "\n");
                let steps: String = steps.collect();
                let names = indexes_of(collection, &index.field);
                let named = |(_, name): &(&Index, String)| steps.contains(&format!(" {name} "));
                assert!(
                    names.iter().any(named),
                    "{told}: none of {names:?} in\n{steps}"
                );
                used += 1;
            }
        }
    }
    assert_eq!(tables, 169);
    assert!(
        declared > 380 && used > 350,
        "{declared} declared, {used} used"
    );
}
