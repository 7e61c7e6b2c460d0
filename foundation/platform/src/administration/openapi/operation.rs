//! One route as an OpenAPI operation: parameters, security, bodies, error responses.

use std::collections::BTreeSet;

use http::Method;
use octavo_records::Collection;
use serde_json::{Map, Value, json};

use super::endpoints::Endpoint;
use super::schema::{list_name, reference};
use super::types;
use crate::module::{Interface, Module};
use crate::route::{Access, Content, Handler, Operation, Route};

/// The error statuses that are taken over from FOLIO's interfaces; these also list some that never
/// occur.
const TOLD: [u16; 8] = [400, 401, 403, 404, 409, 413, 422, 501];

/// A route with everything known about it.
pub(super) struct Declared<'a> {
    pub(super) module: &'a Module,
    pub(super) interface: &'a Interface,
    pub(super) route: &'a Route,
    /// The collection that it works on, if declared.
    pub(super) collection: Option<&'a Collection>,
    /// FOLIO's facts about it.
    pub(super) endpoint: Option<&'a Endpoint>,
}

/// A pattern in OpenAPI's form, which cannot express a wildcard for the rest of a path.
pub(super) fn path(pattern: &str) -> String {
    pattern.replace("{*", "{")
}

/// The operation. The caller passes `operationId`, since it has to be unique in the document.
pub(super) fn operation(declared: &Declared<'_>, operation_id: &str) -> Value {
    let Declared {
        module,
        interface,
        route,
        ..
    } = declared;
    let required: Vec<&str> = match &route.access {
        Access::Permission(name) => vec![name],
        Access::LoggedIn | Access::Public => Vec::new(),
    };
    let mut operation = json!({
        "operationId": operation_id,
        "summary": summary(declared),
        "tags": [interface.id],
        "x-okapi-module": module.id(),
        "x-okapi-interface": format!("{} {}", interface.id, interface.version),
        "x-okapi-permissions-required": required,
        "x-okapi-permissions-desired": route.desired,
        "parameters": parameters(declared),
        "responses": responses(declared),
    });
    if route.access == Access::Public {
        operation["security"] = json!([]);
    }
    if let Some(body) = request_body(declared) {
        operation["requestBody"] = body;
    }
    operation
}

/// `getItemStorageItemsById`: the method and the path as one word.
pub(super) fn operation_id(method: &Method, pattern: &str) -> String {
    let mut id = method.as_str().to_ascii_lowercase();
    for segment in pattern.split('/') {
        if segment.starts_with('{') {
            id.push_str("By");
        }
        for word in segment.split(|c: char| !c.is_ascii_alphanumeric()) {
            let mut characters = word.chars();
            id.extend(characters.next().map(|first| first.to_ascii_uppercase()));
            id.extend(characters);
        }
    }
    id
}

fn summary(declared: &Declared<'_>) -> String {
    let Declared { module, route, .. } = declared;
    if let (Some(operation), Some(collection)) = (kind(route), declared.collection) {
        let records = words(&collection.list_key);
        return match operation {
            Operation::List => format!("Search {records}"),
            Operation::Read => format!("Read one of the {records}"),
            Operation::Create => format!("Add to the {records}"),
            Operation::Replace => format!("Replace one of the {records}"),
            Operation::Delete => format!("Delete one of the {records}"),
            Operation::DeleteByQuery => format!("Delete all {records} that match"),
            Operation::Clear => format!("Delete all {records}, or those that match"),
        };
    }
    // The display name of the permission describes best what a route is for.
    if let Access::Permission(name) = &route.access {
        let defined = module
            .permissions
            .iter()
            .find(|one| one.permission_name == *name);
        if let Some(shown) = defined.and_then(|one| one.display_name.clone()) {
            return shown;
        }
    }
    format!("{} {}", route.method, route.pattern)
}

/// The generic operation that a route is, or resembles.
fn kind(route: &Route) -> Option<Operation> {
    match (&route.handler, &route.method, route.takes, route.answers) {
        (Handler::Records(operation, _), ..) => Some(*operation),
        (_, &Method::GET, _, Some(Content::List(_))) => Some(Operation::List),
        (_, &Method::GET, _, Some(Content::Record(_))) => Some(Operation::Read),
        (_, &Method::POST, Some(Content::Record(_)), _) => Some(Operation::Create),
        (_, &Method::PUT, Some(Content::Record(_)), _) => Some(Operation::Replace),
        _ => None,
    }
}

/// The table that a route declares.
pub(super) fn table(route: &Route) -> Option<&'static str> {
    match (&route.handler, route.takes.or(route.answers)) {
        (Handler::Records(_, table), _) => Some(table),
        (Handler::Call(_), Some(Content::Record(table) | Content::List(table))) => Some(table),
        (Handler::Call(_), Some(Content::Shape(_)) | None) => None,
    }
}

/// `holdingsRecords` as `holdings records`.
fn words(key: &str) -> String {
    let mut words = String::with_capacity(key.len() + 4);
    for character in key.chars() {
        if character.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(character.to_ascii_lowercase());
    }
    words
}

fn parameters(declared: &Declared<'_>) -> Value {
    let route = declared.route;
    let generic = matches!(route.handler, Handler::Records(..));
    let mut parameters = vec![json!({"$ref": "#/components/parameters/tenant"})];
    for name in names(route.pattern) {
        let mut schema = json!({"type": "string"});
        if generic {
            schema["format"] = json!("uuid");
        }
        parameters.push(json!({"name": name, "in": "path", "required": true, "schema": schema}));
    }
    if let Some(endpoint) = declared.endpoint {
        parameters.extend(endpoint.parameters());
        return Value::Array(parameters);
    }
    let listed = matches!(answers(route), Some(Content::List(_)));
    let wanted: &[&str] = match &route.handler {
        _ if listed => &["query", "offset", "limit", "totalRecords"],
        Handler::Records(Operation::DeleteByQuery, _) => &["requiredQuery"],
        Handler::Records(Operation::Clear, _) => &["query"],
        _ => &[],
    };
    for name in wanted {
        parameters.push(json!({"$ref": format!("#/components/parameters/{name}")}));
    }
    Value::Array(parameters)
}

/// The names in a pattern's braces.
pub(super) fn names(pattern: &str) -> impl Iterator<Item = &str> {
    let opened = pattern.split('{').skip(1);
    opened.filter_map(|rest| {
        rest.split('}')
            .next()
            .map(|name| name.trim_start_matches('*'))
    })
}

/// The content of the request's body, if it has one. A generic operation takes its table's
/// records, unless something else is declared.
fn takes(route: &Route) -> Option<Content> {
    route.takes.or(match &route.handler {
        Handler::Records(Operation::Create | Operation::Replace, table) => {
            Some(Content::Record(table))
        }
        Handler::Records(..) | Handler::Call(_) => None,
    })
}

/// The content of a successful response's body. Hooks may show a view instead of the record, which
/// is declared then.
fn answers(route: &Route) -> Option<Content> {
    route.answers.or(match &route.handler {
        Handler::Records(Operation::List, table) => Some(Content::List(table)),
        Handler::Records(Operation::Read | Operation::Create, table) => {
            Some(Content::Record(table))
        }
        Handler::Records(..) | Handler::Call(_) => None,
    })
}

fn has_body(route: &Route) -> bool {
    [Method::POST, Method::PUT, Method::PATCH].contains(&route.method)
}

fn request_body(declared: &Declared<'_>) -> Option<Value> {
    let route = declared.route;
    if !has_body(route) {
        return None;
    }
    let named = declared.endpoint.and_then(|endpoint| endpoint.takes);
    Some(match (takes(route), named) {
        (Some(content), _) => {
            json!({"required": true, "content": {"application/json": {"schema": schema(content)}}})
        }
        (None, Some(name)) => {
            json!({"required": true, "content": {"application/json": {"schema": types::named(name)}}})
        }
        // An area's own function may take JSON, other text, or nothing.
        (None, None) => json!({"content": {"application/json": {"schema": {}}}}),
    })
}

fn schema(content: Content) -> Value {
    match content {
        Content::Record(name) | Content::Shape(name) => reference(name),
        Content::List(table) => reference(&list_name(table)),
    }
}

fn responses(declared: &Declared<'_>) -> Value {
    let mut responses = Map::new();
    for (status, body) in good(declared) {
        let mut answer = json!({"description": "Done"});
        if let Some(content) = body {
            answer["content"] = content;
        }
        if status == "201" {
            answer["headers"] = json!({"Location": {"schema": {"type": "string"}}});
        }
        responses.insert(status, answer);
    }
    let declared_answers = declared.endpoint.map(|endpoint| &endpoint.answers);
    let declared_answers = declared_answers
        .into_iter()
        .flatten()
        .map(|(status, _)| *status);
    let codes: BTreeSet<String> = declared_answers
        .filter(|status| TOLD.contains(status))
        .map(|status| status.to_string())
        .chain(refusals(declared).into_iter().map(str::to_owned))
        .collect();
    for code in codes {
        let place = format!("#/components/responses/{code}");
        responses.insert(code, json!({"$ref": place}));
    }
    Value::Object(responses)
}

/// Status and content of the successful responses.
fn good(declared: &Declared<'_>) -> Vec<(String, Option<Value>)> {
    let route = declared.route;
    let json_of = |schema: Value| json!({"application/json": {"schema": schema}});
    let own = answers(route).map(|content| json_of(schema(content)));
    let declared_answers: Vec<_> = declared.endpoint.map_or_else(Vec::new, |endpoint| {
        let content = |of: Option<&str>| match (of, &own) {
            (None, _) => None,
            (Some(_), Some(own)) => Some(own.clone()),
            (Some(media), None) if media.contains('/') => Some(json!({media: {}})),
            (Some(name), None) => Some(json_of(types::named(name))),
        };
        let good = endpoint.good();
        good.map(|(status, of)| (status.to_string(), content(of)))
            .collect()
    });
    if !declared_answers.is_empty() {
        return declared_answers;
    }
    match &route.handler {
        Handler::Records(Operation::List | Operation::Read, _) => vec![("200".to_owned(), own)],
        Handler::Records(Operation::Create, _) => vec![("201".to_owned(), own)],
        Handler::Records(..) => vec![("204".to_owned(), None)],
        Handler::Call(_) => vec![("2XX".to_owned(), own.or_else(|| Some(json_of(json!({})))))],
    }
}

fn refusals(declared: &Declared<'_>) -> Vec<&'static str> {
    let Declared {
        route, collection, ..
    } = declared;
    let mut codes = vec!["400"];
    match route.access {
        Access::Public => {}
        // Some handlers require more than a token.
        Access::LoggedIn | Access::Permission(_) => codes.extend(["401", "403"]),
    }
    let operation = match &route.handler {
        Handler::Records(operation, _) => Some(*operation),
        Handler::Call(_) => None,
    };
    if !matches!(
        operation,
        Some(Operation::List | Operation::Create | Operation::DeleteByQuery | Operation::Clear)
    ) {
        codes.push("404");
    }
    let locked = collection.is_some_and(|collection| collection.locked);
    if has_body(route) {
        if operation.is_none() || (locked && operation == Some(Operation::Replace)) {
            codes.push("409");
        }
        codes.extend(["413", "422"]);
    }
    codes.extend(["500", "503"]);
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_become_words() {
        for (method, pattern, id) in [
            (Method::GET, "/users", "getUsers"),
            (Method::GET, "/users/{id}", "getUsersById"),
            (
                Method::PUT,
                "/a-b/{one}/c_d/{twoWords}",
                "putABByOneCDByTwoWords",
            ),
            (Method::GET, "/_/version", "getVersion"),
            (Method::GET, "/_/openapi.json", "getOpenapiJson"),
        ] {
            assert_eq!(operation_id(&method, pattern), id);
        }
        assert_eq!(words("holdingsRecords"), "holdings records");
        let found: Vec<&str> = names("/a/{x}/b/{*rest}").collect();
        assert_eq!(found, ["x", "rest"]);
        assert_eq!(path("/a/{x}/{*rest}"), "/a/{x}/{rest}");
    }
}
