//! Facts about FOLIO's routes beyond method and path: query parameters, the record type of the
//! body, and the responses. They describe the release that is announced, one row for each route, in
//! `endpoints.tsv`.
//!
//! `query` holds `name kind [!] [=default] [>=least] [<=most] [~word|word]`, separated by `;`,
//! where `!` means required. `answers` holds `status[:type]`; `json` is a type of which nothing
//! more is known.

use std::collections::HashMap;

use http::Method;
use serde_json::{Value, json};

const FOLIO: &str = include_str!("endpoints.tsv");
const OWN: &str = include_str!("own.tsv");

/// All routes, by method and pattern with nameless segments.
#[derive(Debug)]
pub(super) struct Endpoints(HashMap<(&'static str, String), Endpoint>);

#[derive(Debug)]
pub(super) struct Endpoint {
    query: &'static str,
    /// The type of the request's body.
    pub(super) takes: Option<&'static str>,
    /// Status and type of each answer.
    pub(super) answers: Vec<(u16, Option<&'static str>)>,
}

impl Endpoints {
    pub(super) fn read() -> Endpoints {
        let mut endpoints = HashMap::new();
        for row in FOLIO.lines().skip(1).chain(OWN.lines().skip(1)) {
            let mut cells = row.split('\t');
            let mut cell = || cells.next().unwrap_or_default();
            let (method, path, query, takes, answers) = (cell(), cell(), cell(), cell(), cell());
            let answers = answers.split_whitespace().filter_map(|answer| {
                let (status, of) = answer.split_once(':').unwrap_or((answer, ""));
                Some((status.parse().ok()?, some(of)))
            });
            let endpoint = Endpoint {
                query,
                takes: some(takes),
                answers: answers.collect(),
            };
            endpoints.insert((method, path.to_owned()), endpoint);
        }
        Endpoints(endpoints)
    }

    pub(super) fn get(&self, method: &Method, pattern: &str) -> Option<&Endpoint> {
        // The table has only the methods that routes use.
        let method = ["GET", "POST", "PUT", "DELETE", "PATCH"]
            .into_iter()
            .find(|one| *one == method.as_str())?;
        self.0.get(&(method, unnamed(pattern)))
    }
}

impl Endpoint {
    /// Its query parameters, as OpenAPI has them.
    pub(super) fn parameters(&self) -> impl Iterator<Item = Value> {
        self.query
            .split(';')
            .map(str::trim)
            .filter(|one| !one.is_empty())
            .map(parameter)
    }

    /// The successful responses.
    pub(super) fn good(&self) -> impl Iterator<Item = (u16, Option<&'static str>)> {
        let answers = self.answers.iter().copied();
        answers.filter(|(status, _)| (200..300).contains(status))
    }
}

fn some(text: &'static str) -> Option<&'static str> {
    (!text.is_empty()).then_some(text)
}

/// `/users/{userId}` as `/users/{}`.
fn unnamed(pattern: &str) -> String {
    let segments = pattern.split('/').map(|segment| {
        if segment.starts_with('{') {
            "{}"
        } else {
            segment
        }
    });
    segments.collect::<Vec<_>>().join("/")
}

fn parameter(text: &'static str) -> Value {
    let mut words = text.split_whitespace();
    let (name, kind) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let (kind, many) = match kind.strip_suffix("[]") {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    let mut schema = match kind {
        "uuid" | "date-time" => json!({"type": "string", "format": kind}),
        kind => json!({"type": kind}),
    };
    let mut required = false;
    for word in words {
        let value = |text: &str| match kind {
            "integer" => text.parse::<i64>().map_or(Value::Null, Value::from),
            "boolean" => json!(text == "true"),
            _ => json!(text),
        };
        if word == "!" {
            required = true;
        } else if let Some(least) = word.strip_prefix(">=") {
            schema["minimum"] = value(least);
        } else if let Some(most) = word.strip_prefix("<=") {
            schema["maximum"] = value(most);
        } else if let Some(default) = word.strip_prefix('=') {
            schema["default"] = value(default);
        } else if let Some(choice) = word.strip_prefix('~') {
            schema["enum"] = choice.split('|').collect();
        }
    }
    if many {
        schema = json!({"type": "array", "items": schema});
    }
    let mut parameter = json!({"name": name, "in": "query", "schema": schema});
    if required {
        parameter["required"] = json!(true);
    }
    parameter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_reported_with_what_they_may_be() {
        assert_eq!(
            parameter("limit integer =10 >=0 <=100"),
            json!({"name": "limit", "in": "query",
                   "schema": {"type": "integer", "default": 10, "minimum": 0, "maximum": 100}})
        );
        assert_eq!(
            parameter("facet string[] !"),
            json!({"name": "facet", "in": "query", "required": true,
                   "schema": {"type": "array", "items": {"type": "string"}}})
        );
        assert_eq!(
            parameter("order string =desc ~desc|asc"),
            json!({"name": "order", "in": "query",
                   "schema": {"type": "string", "default": "desc", "enum": ["desc", "asc"]}})
        );
    }

    #[test]
    fn a_route_is_found_whatever_its_segments_are_called() {
        let endpoints = Endpoints::read();
        let user = endpoints.get(&Method::GET, "/users/{whoever}").unwrap();
        assert!(user.good().any(|(status, _)| status == 200));
        assert!(endpoints.get(&Method::GET, "/nothing").is_none());
    }
}
