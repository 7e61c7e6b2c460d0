//! The whole OpenAPI document, built once from the modules' declarations, and extracts of it.

use std::collections::{BTreeSet, HashMap};

use bytes::Bytes;
use http::HeaderValue;
use octavo_records::Collection;
use ring::digest::{SHA256, digest};
use serde_json::{Map, Value, json};

use super::endpoints::Endpoints;
use super::operation::{self, Declared};
use super::{schema, types};
use crate::contents::Contents;
use crate::module::Module;

/// The operations and schemas of all native modules.
#[derive(Debug)]
pub(super) struct Document {
    operations: Vec<Described>,
    schemas: Map<String, Value>,
    /// The names of those that are record types.
    records: BTreeSet<String>,
    /// The names of those that are shapes, or lists of records.
    shapes: BTreeSet<String>,
    whole: Written,
}

/// A document ready to be sent.
#[derive(Debug, Clone)]
pub(super) struct Written {
    pub(super) bytes: Bytes,
    /// The ETag, which changes with the text.
    pub(super) tag: HeaderValue,
}

#[derive(Debug)]
struct Described {
    /// Name and version.
    module: String,
    module_name: &'static str,
    interface: &'static str,
    /// Name, version and module of the interface, for display.
    shown: String,
    path: String,
    method: String,
    operation: Value,
}

/// The requested part; without any filter the whole document.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Part {
    pub(super) module: Option<String>,
    pub(super) interface: Option<String>,
    /// The prefix of paths.
    pub(super) path: Option<String>,
}

impl Part {
    fn has(&self, one: &Described) -> bool {
        let wished =
            |wish: &Option<String>, fits: &dyn Fn(&str) -> bool| wish.as_deref().is_none_or(fits);
        wished(&self.module, &|name| {
            name == one.module || name == one.module_name
        }) && wished(&self.interface, &|id| id == one.interface)
            && wished(&self.path, &|begin| one.path.starts_with(begin))
    }
}

impl Document {
    pub(super) fn of(modules: &[Module], contents: &Contents) -> Document {
        let collections: HashMap<&str, &Collection> = modules
            .iter()
            .flat_map(|module| &module.collections)
            .map(|collection| (collection.table.as_str(), &**collection))
            .collect();
        let mut schemas = Map::new();
        let mut tables: Vec<&&str> = collections.keys().collect();
        tables.sort();
        for table in tables {
            let collection = collections[*table];
            schemas.insert((*table).to_owned(), schema::record(collection));
            schemas.insert(schema::list_name(table), schema::list(collection));
        }
        schemas.extend(types::schemas());
        for (name, shape) in contents.shapes() {
            schemas.insert(name.to_owned(), schema::shape(shape));
        }
        schemas.insert("errors".to_owned(), schema::errors());
        let mut operations = describe(modules, &collections, &Endpoints::read());
        operations.sort_by(|a, b| (&a.path, &a.method).cmp(&(&b.path, &b.method)));
        let lists = collections.keys().map(|table| schema::list_name(table));
        let shapes = contents
            .shapes()
            .map(|(name, _)| name.to_owned())
            .chain(lists);
        let mut document = Document {
            operations,
            schemas,
            records: collections
                .keys()
                .map(|table| (*table).to_owned())
                .collect(),
            shapes: shapes.collect(),
            whole: Written::new(Vec::new()),
        };
        document.whole = document.write(&Part::default());
        document
    }

    /// The operation of a method and a path.
    pub(super) fn operation(&self, method: &str, path: &str) -> Option<&Value> {
        let mut operations = self.operations.iter();
        let found =
            operations.find(|one| one.path == path && one.method.eq_ignore_ascii_case(method));
        found.map(|one| &one.operation)
    }

    /// A schema by its name.
    pub(super) fn schema(&self, name: &str) -> Option<&Value> {
        self.schemas.get(name)
    }

    /// Whether a schema is that of a collection's records.
    pub(super) fn is_record(&self, name: &str) -> bool {
        self.records.contains(name)
    }

    /// Whether a schema is declared by a module, and not only known from FOLIO's documentation.
    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.is_record(name) || self.shapes.contains(name)
    }

    /// All operations.
    pub(super) fn operations(&self) -> impl Iterator<Item = &Value> {
        self.operations.iter().map(|one| &one.operation)
    }

    /// A part, or the whole document, which is built already.
    pub(super) fn part(&self, part: &Part) -> Written {
        if self.operations.iter().all(|one| part.has(one)) {
            return self.whole.clone();
        }
        self.write(part)
    }

    fn write(&self, part: &Part) -> Written {
        let wanted: Vec<&Described> = self.operations.iter().filter(|one| part.has(one)).collect();
        let mut paths = Map::new();
        let mut used = BTreeSet::from(["errors"]);
        let mut tags: Vec<(&str, &str)> = Vec::new();
        for one in wanted {
            let methods = paths.entry(one.path.clone()).or_insert_with(|| json!({}));
            // What several modules serve is described as that of the first, whom requests reach that name none.
            if methods[&one.method].is_null() {
                methods[&one.method] = one.operation.clone();
            }
            schemas_of(&one.operation, &mut used);
            tags.push((one.interface, &one.shown));
        }
        // Adds the schemas that these refer to, transitively.
        let mut fresh: Vec<&str> = used.iter().copied().collect();
        while let Some(name) = fresh.pop() {
            let mut parts = BTreeSet::new();
            if let Some(schema) = self.schemas.get(name) {
                schemas_of(schema, &mut parts);
            }
            fresh.extend(parts.into_iter().filter(|part| used.insert(part)));
        }
        tags.sort_unstable();
        tags.dedup();
        let mut described = Map::new();
        for (id, shown) in tags {
            // An interface that several modules provide is described once, with all of them.
            let text = described.entry(id.to_owned()).or_insert_with(|| json!(""));
            let before = text.as_str().unwrap_or_default();
            let joined = [before, shown].join(if before.is_empty() { "" } else { "; " });
            *text = json!(joined);
        }
        let tags: Vec<Value> = described
            .into_iter()
            .map(|(name, description)| json!({"name": name, "description": description}))
            .collect();
        let known = self.schemas.iter();
        let schemas: Map<String, Value> = known
            .filter(|(name, _)| used.contains(name.as_str()))
            .map(|(name, schema)| (name.clone(), schema.clone()))
            .collect();
        let document = frame(tags, paths, schemas);
        Written::new(document.to_string().into_bytes())
    }
}

impl Written {
    pub(super) fn new(bytes: Vec<u8>) -> Written {
        let digest = digest(&SHA256, &bytes);
        let mut tag = String::from("\"");
        for byte in &digest.as_ref()[..16] {
            tag.push_str(&format!("{byte:02x}"));
        }
        tag.push('"');
        Written {
            bytes: bytes.into(),
            tag: HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\"")),
        }
    }
}

fn describe(
    modules: &[Module],
    collections: &HashMap<&str, &Collection>,
    endpoints: &Endpoints,
) -> Vec<Described> {
    let mut described: Vec<Described> = Vec::new();
    let mut ids: HashMap<String, usize> = HashMap::new();
    for module in modules {
        for interface in &module.interfaces {
            for route in &interface.routes {
                let table = operation::table(route);
                let collection = table.and_then(|table| collections.get(table).copied());
                let declared = Declared {
                    module,
                    interface,
                    route,
                    collection,
                    endpoint: endpoints.get(&route.method, route.pattern),
                };
                let id = operation::operation_id(&route.method, route.pattern);
                let times = ids.entry(id.clone()).or_default();
                *times += 1;
                let id = match times {
                    1 => id,
                    more => format!("{id}{more}"),
                };
                described.push(Described {
                    module: module.id(),
                    module_name: module.name,
                    interface: interface.id,
                    shown: format!("{} {} of {}", interface.id, interface.version, module.id()),
                    path: operation::path(route.pattern),
                    method: route.method.as_str().to_ascii_lowercase(),
                    operation: operation::operation(&declared, &id),
                });
            }
        }
    }
    described
}

/// The names of the schemas that a value refers to.
pub(super) fn schemas_of<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(place)) = map.get("$ref")
                && let Some(name) = place.strip_prefix("#/components/schemas/")
            {
                found.insert(name);
            }
            map.values().for_each(|inner| schemas_of(inner, found));
        }
        Value::Array(list) => list.iter().for_each(|inner| schemas_of(inner, found)),
        _ => {}
    }
}

fn frame(tags: Vec<Value>, paths: Map<String, Value>, schemas: Map<String, Value>) -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Octavo",
            "summary": "The native routes of this server, in FOLIO's interfaces",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}, {"bearer": []}, {"cookie": []}],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas,
            "parameters": parameters(),
            "responses": responses(),
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "X-Okapi-Token"},
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": crate::caller::ACCESS_COOKIE},
            },
        },
    })
}

fn parameters() -> Value {
    let query = |name: &str, description: &str, schema: Value| json!({"name": name, "in": "query", "description": description, "schema": schema});
    let number = json!({"type": "integer", "minimum": 0, "maximum": i32::MAX});
    let cql = json!({"type": "string"});
    let mut required = query("query", "Which records, in CQL", cql.clone());
    required["required"] = json!(true);
    json!({
        "tenant": {
            "name": "X-Okapi-Tenant", "in": "header",
            "description": "The tenant; a token tells it too, and must be of the same",
            "schema": {"type": "string", "pattern": "^[a-z][a-z0-9]{0,30}$"},
        },
        "query": query("query", "Which records, and in which order, in CQL", cql),
        "requiredQuery": required,
        "offset": query("offset", "Records to skip", number.clone()),
        "limit": query("limit", "Records at most; 10 in most interfaces", number),
        "totalRecords": query("totalRecords", "How the records that match are counted",
            json!({"type": "string", "enum": ["auto", "exact", "estimated", "none"],
                   "default": "auto"})),
    })
}

fn responses() -> Value {
    let text = |description: &str| {
        json!({"description": description,
               "content": {"text/plain": {"schema": {"type": "string"}}}})
    };
    let mut unavailable = text("Not now; worth another try");
    unavailable["headers"] = json!({"Retry-After": {"schema": {"type": "integer"}}});
    json!({
        "400": text("The request is not well formed, or refers to what is not there"),
        "401": text("The token is missing, has ended or is none of this server"),
        "403": text("The user lacks the permission"),
        "404": text("There is no such record"),
        "409": text("The record has been changed meanwhile"),
        "413": text("The body is too large"),
        "422": {"description": "The body is not what is wanted; every error is listed",
                "content": {"application/json": {"schema": schema::reference("errors")}}},
        "500": text("A fault of the server"),
        "501": text("It is not served, and why"),
        "503": unavailable,
    })
}
