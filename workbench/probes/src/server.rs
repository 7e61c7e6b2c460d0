//! The facts of the server under load: version, modules, and the indexes that its searches lack,
//! before and after.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use octavo_client::{Client, Endpoint, Limits, Trust};
use octavo_figures::run::MissingIndex;
use serde_json::Value;

use crate::drive::Probe;
use crate::options::ServerTarget;
use crate::recorder::Recorder;

const LIMITS: Limits = Limits {
    connect: Duration::from_secs(3),
    response: Duration::from_secs(10),
    body_bytes: 16 << 20,
};

/// The longest text of a version or a list of modules, in characters.
const TEXT_CHARS_MAX: usize = 4_000;

/// A search's shape: collection, query, and the indexes it lacks.
type Shape = (String, String, String);

/// The server under load.
pub(crate) struct Server {
    target: ServerTarget,
    trust: Trust,
    /// In a long run the token is renewed meanwhile.
    token: Arc<Mutex<String>>,
    recorder: Arc<Recorder>,
    advice: Option<HashMap<Shape, u64>>,
}

impl Server {
    pub(crate) fn new(
        target: ServerTarget,
        trust: Trust,
        token: Arc<Mutex<String>>,
        recorder: &Arc<Recorder>,
    ) -> Self {
        Self {
            target,
            trust,
            token,
            recorder: Arc::clone(recorder),
            advice: None,
        }
    }

    /// Sends a request on a connection of its own, since this happens twice in hours; returns
    /// status and body.
    async fn get(&self, path: &str) -> Result<(u16, String), String> {
        let resolved = Endpoint::resolve(&self.target.url, &self.trust).await;
        let endpoint = resolved.map_err(|error| error.to_string())?;
        let token = self
            .token
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let printable = |text: &str| {
            text.chars()
                .filter(|one| !one.is_control())
                .collect::<String>()
        };
        let request = format!(
            "GET {}{path} HTTP/1.1\r\nHost: {}\r\nAccept: */*\r\nX-Okapi-Tenant: {}\r\n\
             X-Okapi-Token: {}\r\n\r\n",
            endpoint.prefix,
            endpoint.host,
            printable(&self.target.tenant),
            printable(&token),
        );
        let mut client = Client::new(Arc::new(endpoint), LIMITS);
        let exchanged = client.exchange(request.as_bytes(), true).await;
        let exchange = exchanged.map_err(|fault| fault.to_string())?;
        let body = String::from_utf8_lossy(client.body(&exchange)).into_owned();
        Ok((exchange.status, body))
    }

    async fn describe(&self) {
        // Servers that have neither are measured all the same.
        if let Ok((200, version)) = self.get("/_/version").await {
            let version: String = version.trim().chars().take(100).collect();
            self.recorder.infrastructure("server version", version);
        }
        let path = format!("/_/proxy/tenants/{}/modules", self.target.tenant);
        if let Ok((200, body)) = self.get(&path).await
            && let Some((count, names)) = modules(&body)
        {
            let text: String = format!("{count}: {names}")
                .chars()
                .take(TEXT_CHARS_MAX)
                .collect();
            self.recorder.infrastructure("server modules", text);
        }
    }

    /// The advice; `None` where the route does not exist.
    async fn advice(&self) -> Option<HashMap<Shape, u64>> {
        const PATH: &str = "/_/index-advice";
        let note = |text: String| self.recorder.note("server advice", text);
        match self.get(PATH).await {
            Ok((200, body)) => counts(&body),
            // Another FOLIO.
            Ok((404, _)) => None,
            Ok((401, _)) => {
                note(
                    "server: its advice about indexes was refused with HTTP 401; the token of the \
                     login is not valid any more"
                        .to_owned(),
                );
                None
            }
            Ok((403, _)) => {
                note(
                    "server: its advice about indexes was refused with HTTP 403; give the user the \
                     permission octavo.index-advice.collection.get"
                        .to_owned(),
                );
                None
            }
            Ok((status, _)) => {
                note(format!(
                    "server: its advice about indexes was answered with HTTP {status}"
                ));
                None
            }
            Err(fault) => {
                note(format!(
                    "server: its advice about indexes cannot be read: {fault}"
                ));
                None
            }
        }
    }
}

impl Probe for Server {
    async fn begin(&mut self) {
        self.describe().await;
        self.advice = self.advice().await;
    }

    async fn take_sample(&mut self) {}

    async fn finish(&mut self, _: bool) {
        // Without the state before, the run's part is unknown.
        let Some(before) = self.advice.take() else {
            return;
        };
        if let Some(after) = self.advice().await {
            self.recorder.missing_indexes(difference(&before, &after));
        }
    }
}

/// `[{"id": "mod-users-19.3.0"}, …]`.
fn modules(body: &str) -> Option<(usize, String)> {
    let list: Vec<Value> = serde_json::from_str(body).ok()?;
    let ids: Vec<&str> = list
        .iter()
        .filter_map(|module| module["id"].as_str())
        .collect();
    (!ids.is_empty()).then(|| (ids.len(), ids.join(", ")))
}

/// `{"indexAdvice": [{"collection": …, "query": …, "times": …, "indexes": […]}]}`.
fn counts(body: &str) -> Option<HashMap<Shape, u64>> {
    let body: Value = serde_json::from_str(body).ok()?;
    let list = body.get("indexAdvice")?.as_array()?;
    let counted = list.iter().filter_map(|one| {
        let text = |name: &str| one[name].as_str().map(str::to_owned);
        let shape = (
            text("collection")?,
            text("query")?,
            lacking(&one["indexes"]),
        );
        Some((shape, one["times"].as_u64()?))
    });
    Some(counted.collect())
}

/// Fields and kinds of the indexes: `volume (index), title (fullTextIndex)`.
fn lacking(indexes: &Value) -> String {
    let named = indexes.as_array().into_iter().flatten().map(|one| {
        let text = |name: &str| one["index"][name].as_str().unwrap_or("?");
        format!("{} ({})", text("field"), text("kind"))
    });
    named.collect::<Vec<_>>().join(", ")
}

/// The searches between the two. Advice that was followed and given again counts from zero.
fn difference(before: &HashMap<Shape, u64>, after: &HashMap<Shape, u64>) -> Vec<MissingIndex> {
    let grown = after.iter().filter_map(|(shape, now)| {
        let was = before.get(shape).copied().unwrap_or(0);
        let count = if *now < was { *now } else { *now - was };
        let (collection, query, lacking) = shape;
        (count > 0).then(|| MissingIndex {
            table: collection.clone(),
            what: format!("{lacking}, for {query}"),
            count,
            source: "the server's advice".to_owned(),
        })
    });
    grown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(times: u64) -> String {
        format!(
            r#"{{"totalRecords": 1, "indexAdvice": [{{"number": 1, "collection": "item",
               "query": "volume == ?", "times": {times},
               "indexes": [{{"collection": "item", "index": {{"field": "volume", "kind": "index"}}}}]
               }}]}}"#
        )
    }

    #[test]
    fn the_difference_of_two_advices_is_what_the_run_did() {
        let (before, after) = (counts(&advice(3)).unwrap(), counts(&advice(10)).unwrap());
        let found = difference(&before, &after);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].table.as_str(), found[0].count), ("item", 7));
        assert_eq!(found[0].what, "volume (index), for volume == ?");
        assert!(difference(&after, &after).is_empty());
        assert_eq!(difference(&HashMap::new(), &after)[0].count, 10);
        assert_eq!(counts("[]"), None);
        assert_eq!(counts("nonsense"), None);
    }

    #[test]
    fn modules_are_listed_by_their_ids() {
        let body = r#"[{"id": "mod-a-1.0.0"}, {"id": "mod-b-2.0.0"}, {}]"#;
        let expected = Some((2, "mod-a-1.0.0, mod-b-2.0.0".to_owned()));
        assert_eq!(modules(body), expected);
        assert_eq!(modules("[]"), None);
    }
}
