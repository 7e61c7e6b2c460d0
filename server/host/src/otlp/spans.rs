//! A recorded request as spans of OTLP in JSON. Statements have placeholders, routes are patterns: no value leaves.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use octavo_platform::gateway::exported::ExportedRequest;
use octavo_trace::{Node, SpanKind};
use serde_json::{Value, json};

/// The kinds of OTLP.
const INTERNAL: u8 = 1;
const SERVER: u8 = 2;
const CLIENT: u8 = 3;
/// The status of a failure.
const ERROR: u8 = 2;

/// A request with its time and the source of its ids.
pub(super) struct Recorded {
    pub request: ExportedRequest,
    /// When its head was ready.
    pub ended: SystemTime,
}

/// All spans of a request. `id` gives random numbers.
pub(super) fn spans(recorded: &Recorded, mut id: impl FnMut() -> u64) -> Vec<Value> {
    let request = &recorded.request;
    let root = &request.tree.root;
    let total = Duration::from_nanos(nanos(request.tree.summary.total_us));
    let began = recorded.ended.checked_sub(total).unwrap_or(UNIX_EPOCH);
    let began = began.duration_since(UNIX_EPOCH).unwrap_or_default();
    let made = Made {
        trace_id: match &request.trace_id {
            Some(id) => id.clone(),
            None => format!("{:016x}{:016x}", id(), id()),
        },
        began_ns: u64::try_from(began.as_nanos()).unwrap_or(u64::MAX),
        total_us: request.tree.summary.total_us,
    };
    let root_id = id();
    let mut span = made.span(root, root_id, request.parent_span_id.clone());
    let route = request.route.as_deref().unwrap_or("none");
    span["name"] = json!(format!("{} {route}", request.method));
    span["kind"] = json!(SERVER);
    span["attributes"] = json!([
        text("http.request.method", &request.method),
        text("http.route", route),
        number("http.response.status_code", u64::from(request.status)),
        text(
            "octavo.tenant",
            request.tenant.as_deref().unwrap_or_default()
        ),
        text("octavo.request_id", &request.request_id),
        number(
            "octavo.round_trips",
            request.tree.summary.round_trips as u64
        ),
    ]);
    if request.status >= 500 {
        span["status"] = json!({"code": ERROR});
    }
    let mut all = vec![span];
    made.below(root, root_id, &mut id, &mut all);
    all
}

struct Made {
    trace_id: String,
    began_ns: u64,
    total_us: f64,
}

impl Made {
    fn below(&self, node: &Node, parent: u64, id: &mut impl FnMut() -> u64, all: &mut Vec<Value>) {
        for child in &node.children {
            let own = id();
            all.push(self.span(child, own, Some(format!("{parent:016x}"))));
            self.below(child, own, id, all);
        }
    }

    fn span(&self, node: &Node, id: u64, parent: Option<String>) -> Value {
        let at = |us: f64| self.began_ns.saturating_add(nanos(us)).to_string();
        let mut attributes = Vec::new();
        if node.kind.is_sql() {
            attributes.push(text("db.system.name", "postgresql"));
        }
        if let Some(sql) = &node.sql {
            attributes.push(text("db.query.text", sql));
        }
        if let Some(rows) = node.rows {
            attributes.push(number("db.response.returned_rows", rows));
        }
        if let Some(place) = &node.place {
            attributes.push(text("octavo.connection", place));
        }
        let mut span = json!({
            "traceId": self.trace_id,
            "spanId": format!("{id:016x}"),
            "name": name(node),
            "kind": if node.kind.is_sql() { CLIENT } else { INTERNAL },
            // 64 bits are texts in OTLP's JSON.
            "startTimeUnixNano": at(node.start_us),
            "endTimeUnixNano": at(node.end_us(self.total_us)),
            "attributes": attributes,
        });
        if let Some(parent) = parent {
            span["parentSpanId"] = json!(parent);
        }
        if let Some(note) = &node.note {
            span["status"] = json!({"code": ERROR, "message": note});
        }
        span
    }
}

/// The name of a span; a statement's is its first word.
fn name(node: &Node) -> String {
    if !node.name.is_empty() {
        return node.name.clone();
    }
    let word = node
        .sql
        .as_deref()
        .and_then(|sql| sql.split_whitespace().next());
    match (word, node.kind) {
        (Some(word), _) => word.to_owned(),
        (None, SpanKind::Statement) => "statement".to_owned(),
        (None, kind) => format!("{kind:?}").to_lowercase(),
    }
}

fn nanos(us: f64) -> u64 {
    (us.max(0.0) * 1_000.0) as u64
}

fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

fn number(key: &str, value: u64) -> Value {
    json!({"key": key, "value": {"intValue": value.to_string()}})
}

/// The body of a request to a collector.
pub(super) fn body(spans: &[Value]) -> Value {
    json!({"resourceSpans": [{
        "resource": {"attributes": [
            text("service.name", "octavo"),
            text("service.version", env!("CARGO_PKG_VERSION")),
        ]},
        "scopeSpans": [{
            "scope": {"name": "octavo", "version": env!("CARGO_PKG_VERSION")},
            "spans": spans,
        }],
    }]})
}

#[cfg(test)]
mod tests {
    use octavo_trace::{Summary, Tree};

    use super::*;

    fn node(kind: SpanKind, name: &str, start_us: f64, children: Vec<Node>) -> Node {
        Node {
            kind,
            name: name.to_owned(),
            start_us,
            duration_us: Some(500.0),
            first_row_us: None,
            sql: kind
                .is_sql()
                .then(|| "SELECT jsonb FROM item WHERE id = $1".to_owned()),
            place: None,
            behind: 0,
            rows: None,
            bytes: None,
            note: None,
            children,
        }
    }

    fn recorded(trace_id: Option<&str>) -> Recorded {
        let statement = node(SpanKind::Statement, "", 1_200.0, Vec::new());
        let handler = node(SpanKind::Work, "handler", 1_000.0, vec![statement]);
        let root = Node {
            duration_us: None,
            ..node(SpanKind::Work, "request", 0.0, vec![handler])
        };
        let summary = Summary {
            total_us: 2_000.0,
            sql_us: 500.0,
            statements: 1,
            round_trips: 1,
            prepared: 0,
            spans_left_out: 0,
        };
        Recorded {
            request: ExportedRequest {
                trace_id: trace_id.map(str::to_owned),
                parent_span_id: trace_id.map(|_| "00f067aa0ba902b7".to_owned()),
                method: "GET".to_owned(),
                route: Some("/item-storage/items/{id}".to_owned()),
                tenant: Some("diku".to_owned()),
                request_id: "1/item-storage".to_owned(),
                status: 503,
                tree: Tree { summary, root },
            },
            ended: UNIX_EPOCH + Duration::from_millis(1_002),
        }
    }

    fn numbered() -> impl FnMut() -> u64 {
        let mut last = 0;
        move || {
            last += 1;
            last
        }
    }

    #[test]
    fn spans_are_a_tree_in_the_trace_of_the_client() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        let spans = spans(&recorded(Some(trace)), numbered());
        let part = |at: usize, name: &str| spans[at][name].as_str().unwrap_or_default();
        assert_eq!(spans.len(), 3);
        assert!(spans.iter().all(|span| span["traceId"] == trace));
        assert_eq!(part(0, "parentSpanId"), "00f067aa0ba902b7");
        assert_eq!(part(1, "parentSpanId"), part(0, "spanId"));
        assert_eq!(part(2, "parentSpanId"), part(1, "spanId"));
        let names: Vec<&str> = (0..3).map(|at| part(at, "name")).collect();
        assert_eq!(names, ["GET /item-storage/items/{id}", "handler", "SELECT"]);
        let kinds: Vec<&Value> = spans.iter().map(|span| &span["kind"]).collect();
        assert_eq!(kinds, [SERVER, INTERNAL, CLIENT]);
        // It began two milliseconds before its end.
        assert_eq!(part(0, "startTimeUnixNano"), "1000000000");
        assert_eq!(part(0, "endTimeUnixNano"), "1002000000");
        assert_eq!(part(2, "startTimeUnixNano"), "1001200000");
        assert_eq!(part(2, "endTimeUnixNano"), "1001700000");
        assert_eq!(spans[0]["status"]["code"], ERROR);
    }

    #[test]
    fn a_request_of_no_trace_begins_one() {
        let spans = spans(&recorded(None), numbered());
        assert_eq!(spans[0]["traceId"], "00000000000000010000000000000002");
        assert_eq!(spans[0].get("parentSpanId"), None);
    }
}
