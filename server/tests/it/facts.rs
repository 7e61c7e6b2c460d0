//! Declarations compared, table by table, with those of FOLIO's R1-2025: record types that accept
//! unknown properties, lists with more than records and their total, keys that refuse a record. The
//! tables of facts are in docs/compatibility.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use octavo_records::shape::ObjectShape;
use octavo_records::{Collection, IndexKind, ValueKind};

use crate::access::routes;
use crate::compatibility::rows;
use octavo_server_testkit::library;

/// The declared collections by table.
fn collections() -> BTreeMap<String, Arc<Collection>> {
    octavo_host::compose::modules()
        .iter()
        .flat_map(|module| module.collections.clone())
        .map(|collection| (collection.table.clone(), collection))
        .collect()
}

fn object<'s>(shape: &'s ObjectShape, path: &str) -> Option<&'s ObjectShape> {
    path.split('.').try_fold(shape, |object, name| {
        let property = object.property(name.trim_end_matches("[]"))?;
        let mut kind = &property.kind;
        while let ValueKind::Array(element) = kind {
            kind = element;
        }
        match kind {
            ValueKind::Object(object) => Some(object),
            _ => None,
        }
    })
}

/// These keep unknown properties so that those of later FOLIO releases are stored.
const OPEN_BY_CHOICE: [(&str, &str); 2] = [("template", "-"), ("setting_entry", "-")];

#[test]
fn record_types_take_unknown_properties_as_folio_does() {
    let collections = collections();
    let (mut wrong, mut looked_at) = (Vec::new(), 0);
    for [_, table, path, wanted] in rows::<4>("record-types.tsv") {
        let Some(collection) = collections.get(&table) else {
            wrong.push(format!("{table} is not declared"));
            continue;
        };
        let found = match path.as_str() {
            "-" => Some(&collection.shape.root),
            path => object(&collection.shape.root, path),
        };
        // A property that is kept as any JSON accepts any property inside.
        let Some(found) = found else { continue };
        let does = match found {
            ObjectShape { open: true, .. } => "kept",
            ObjectShape { dropping: true, .. } => "dropped",
            _ => "refused",
        };
        looked_at += 1;
        // An object that a Spring module stores as it is keeps its properties.
        let alike = does == wanted || (wanted == "dropped" && does == "kept");
        if !alike && !OPEN_BY_CHOICE.contains(&(table.as_str(), path.as_str())) {
            wrong.push(format!("{table} {path}: {does}, in FOLIO {wanted}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(looked_at > 180, "only {looked_at}");
}

#[test]
fn lists_have_what_folios_list_types_have() {
    let collections = collections();
    let mut wrong = Vec::new();
    for [_, table, wanted] in rows::<3>("list-members.tsv") {
        // Read through lists of the area's own, whose collections are in no catalog.
        let Some(collection) = collections.get(&table) else {
            continue;
        };
        if collection.result_info != (wanted == "yes") {
            wrong.push(format!("{table}: resultInfo is {wanted} in FOLIO"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Keys of FOLIO's on properties that the record types do not have: they never took effect.
const HOLD_NOTHING: [(&str, &str); 2] = [
    ("statistical_code_type", "code"),
    ("instance", "instanceStatusId"),
];

/// Keys that only a later release of FOLIO has, or that FOLIO enforces in code.
const OURS: [(&str, &str); 1] = [("proxyfor", "userId, proxyUserId")];

#[test]
fn keys_are_those_of_folio() {
    let collections = collections();
    let mut wrong = Vec::new();
    let mut theirs: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for [_, table, kind, properties, target] in rows::<5>("keys.tsv") {
        let key = match kind.as_str() {
            "reference" => (format!("reference to {target}"), properties),
            _ => (kind, properties),
        };
        theirs.entry(table).or_default().insert(key);
    }
    for (table, theirs) in &theirs {
        let Some(collection) = collections.get(table) else {
            wrong.push(format!("{table} is not declared"));
            continue;
        };
        let mut ours: BTreeSet<(String, String)> = collection
            .references
            .iter()
            .map(|one| (format!("reference to {}", one.table), one.field.clone()))
            .collect();
        for index in &collection.indexes {
            if index.kind != IndexKind::UniqueIndex {
                continue;
            }
            let over = match index.fields.is_empty() {
                true => vec![index.field.clone()],
                false => index.fields.clone(),
            };
            let all: Vec<String> = over.into_iter().chain(index.with.clone()).collect();
            ours.insert(("unique".to_owned(), all.join(", ")));
        }
        for (kind, properties) in theirs.difference(&ours) {
            if !HOLD_NOTHING.contains(&(table.as_str(), properties.as_str())) {
                wrong.push(format!("{table} lacks: {kind} {properties}"));
            }
        }
        for (kind, properties) in ours.difference(theirs) {
            if !OURS.contains(&(table.as_str(), properties.as_str())) {
                wrong.push(format!("{table} has too much: {kind} {properties}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// The statuses for a parameter out of bounds.
const REFUSED: [u16; 2] = [400, 422];

#[tokio::test]
async fn lists_take_their_parameters_as_folio_does() {
    let library = library().await;
    let client = library.client().await;
    let served: BTreeSet<&str> = routes(&library)
        .filter(|route| route.method == reqwest::Method::GET)
        .map(|route| route.pattern)
        .collect();
    let (mut wrong, mut asked) = (Vec::new(), 0);
    for [module, path, limit, least, _, _] in rows::<6>("list-parameters.tsv") {
        if !served.contains(path.as_str()) || NEEDS_MORE.contains(&path.as_str()) {
            continue;
        }
        asked += 1;
        let mut see = |what: &str, found: u16, fits: bool| {
            if !fits {
                wrong.push(format!("{module} {path}: {what}: {found}"));
            }
        };
        for refused in ["limit=-1", "offset=-1", "limit=x"] {
            let status = client.get(&format!("{path}?{refused}")).await.status;
            see(refused, status, REFUSED.contains(&status));
        }
        let none = client.get(&format!("{path}?limit=0")).await.status;
        match least.as_str() {
            "0" => see("limit=0", none, none == 200),
            _ => see("limit=0", none, REFUSED.contains(&none)),
        }
        let answer = client.get(path.as_str()).await;
        see("without parameters", answer.status, answer.status == 200);
        // One list streams text; another is empty.
        if answer.status != 200 || !answer.text.starts_with('{') {
            continue;
        }
        let page = answer.json();
        let total = page["totalRecords"].as_u64();
        let listed = page.as_object().and_then(|page| {
            let lists = page.values().filter_map(serde_json::Value::as_array);
            lists.map(|list| list.len() as u64).max()
        });
        if let (Some(total), Some(listed), Ok(limit)) = (total, listed, limit.parse::<u64>()) {
            let wanted = total.min(limit);
            let told_fits = listed == wanted;
            if !told_fits {
                wrong.push(format!(
                    "{module} {path}: {listed} of {total}, by default {limit}"
                ));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(asked > 90, "only {asked}");
}

/// Lists that need parameters of their own.
const NEEDS_MORE: [&str; 4] = [
    "/inventory-hierarchy/updated-instance-ids",
    "/inventory/items-by-holdings-id",
    "/search/authorities",
    "/search/instances",
];
