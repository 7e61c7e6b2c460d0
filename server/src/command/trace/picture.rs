//! The drawing of a request: the exchange as the client measured it, and inside it the server's
//! tree.

use std::time::Duration;

use octavo_trace::{Node, SpanKind, Summary};
use serde::{Deserialize, Serialize};

use crate::command::target::Answer;

/// The server's part.
#[derive(Debug)]
pub(super) enum Traced {
    /// Its trace.
    Stored(Box<TraceDocument>),
    /// None, for this reason.
    Refused(String),
    /// None: the server has no traces.
    Unknown,
}

/// A trace in the server's form.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TraceDocument {
    pub id: String,
    pub route: String,
    pub at: String,
    pub summary: Summary,
    pub root: Node,
}

/// The variation of a repeated request's times, in microseconds.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Spread {
    pub requests: usize,
    pub fastest_us: f64,
    pub slowest_us: f64,
}

impl Spread {
    pub(super) fn new(fastest: Duration, slowest: Duration, requests: usize) -> Spread {
        Spread {
            requests,
            fastest_us: us(fastest),
            slowest_us: us(slowest),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Picture {
    /// Method and path, as typed.
    pub request: String,
    /// Server and tenant.
    pub place: String,
    pub status: u16,
    /// Bytes of the response's head and body.
    pub bytes: usize,
    pub connect_us: f64,
    pub first_byte_us: f64,
    pub total_us: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<Spread>,
    /// The header `Server-Timing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_timing: Option<String>,
    /// Why there is no trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_no_trace: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Box<TraceDocument>>,
}

/// One line of a drawing.
pub(super) struct Row<'a> {
    /// For the ancestors below the first line, and for the line itself: whether it is the last
    /// child.
    pub last: Vec<bool>,
    pub node: &'a Node,
}

impl Picture {
    pub(super) fn new(
        request: String,
        place: String,
        answer: &Answer,
        spread: Option<Spread>,
        traced: Traced,
    ) -> Picture {
        let (trace, why_no_trace) = match traced {
            Traced::Stored(document) => (Some(document), None),
            Traced::Refused(why) => (
                None,
                Some(format!(
                    "the server returns no trace to this user: it {why}"
                )),
            ),
            Traced::Unknown => (
                None,
                Some(
                    "the server does not report its stages and statements; only an Octavo server \
                     does"
                        .to_owned(),
                ),
            ),
        };
        Picture {
            request,
            place,
            status: answer.status,
            bytes: answer.bytes,
            connect_us: us(answer.connect),
            first_byte_us: us(answer.first_byte),
            total_us: us(answer.whole),
            spread,
            server_timing: answer.header("server-timing"),
            why_no_trace,
            trace,
        }
    }

    /// The whole tree, by the client's clock.
    pub(super) fn tree(&self) -> Node {
        let mut waiting = work(
            "wait for the first byte",
            self.connect_us,
            self.first_byte_us,
        );
        if let Some(document) = &self.trace {
            let mut server = document.root.clone();
            server.name = format!("server: {}", document.route);
            shift(&mut server, self.server_start_us(document));
            waiting.children.push(server);
        }
        let mut root = work("client", 0.0, self.total_us);
        if self.connect_us > 0.0 {
            root.children.push(work("connect", 0.0, self.connect_us));
        }
        root.children.push(waiting);
        root.children
            .push(work("read the answer", self.first_byte_us, self.total_us));
        root
    }

    /// The time of the wait in which the server did not work: the network, and both sides'
    /// connections.
    pub(super) fn between_us(&self, document: &TraceDocument) -> f64 {
        let respond = document
            .root
            .children
            .iter()
            .find(|one| one.name == "respond");
        let head = respond.map_or(document.summary.total_us, |one| one.start_us);
        (self.first_byte_us - self.connect_us - head).max(0.0)
    }

    /// The clocks differ, so the server's work is placed in the middle of the wait.
    fn server_start_us(&self, document: &TraceDocument) -> f64 {
        self.connect_us + self.between_us(document) / 2.0
    }

    /// The sums, in words.
    pub(super) fn sums(&self) -> String {
        let Some(document) = &self.trace else {
            return format!("total {} ms", ms(self.total_us));
        };
        let sum = &document.summary;
        let share = match sum.total_us > 0.0 {
            true => format!(" ({:.0} %)", 100.0 * sum.sql_us / sum.total_us),
            false => String::new(),
        };
        let trips = match sum.prepared {
            0 => counted(sum.round_trips, "round trip"),
            prepared => format!(
                "{}, {prepared} of them to prepare",
                counted(sum.round_trips, "round trip")
            ),
        };
        let missing = match sum.spans_left_out {
            0 => String::new(),
            missing => format!("; {missing} more spans are not shown"),
        };
        format!(
            "total {} ms; server {} ms, in SQL {} ms{share}; {} in {trips}; client and network {} \
             ms{missing}",
            ms(self.total_us),
            ms(sum.total_us),
            ms(sum.sql_us),
            counted(sum.statements, "statement"),
            ms(self.between_us(document)),
        )
    }

    /// The remarks below the drawing, apart from the sums.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if let Some(spread) = &self.spread {
            remarks.push(format!(
                "the median of {} requests: fastest {} ms, slowest {} ms, without connecting",
                spread.requests,
                ms(spread.fastest_us),
                ms(spread.slowest_us)
            ));
        }
        if let Some(why) = &self.why_no_trace {
            remarks.extend(
                self.server_timing
                    .iter()
                    .map(|header| format!("Server-Timing: {header}")),
            );
            remarks.push(why.clone());
        }
        remarks
    }
}

/// The lines of a tree; the first one is its root.
pub(super) fn rows(root: &Node) -> Vec<Row<'_>> {
    let mut rows = vec![Row {
        last: Vec::new(),
        node: root,
    }];
    below(root, &[], &mut rows);
    rows
}

fn below<'a>(node: &'a Node, last: &[bool], rows: &mut Vec<Row<'a>>) {
    for (at, child) in node.children.iter().enumerate() {
        let mut path = last.to_vec();
        path.push(at + 1 == node.children.len());
        rows.push(Row {
            last: path.clone(),
            node: child,
        });
        below(child, &path, rows);
    }
}

/// The details of a line, apart from its name or statement.
pub(super) fn details(node: &Node) -> String {
    let mut details: Vec<String> = Vec::new();
    details.extend(node.place.clone());
    if node.behind > 0 {
        details.push(format!("behind {}", node.behind));
    }
    match (node.rows, node.bytes) {
        (Some(rows), Some(0) | None) => details.push(counted(rows as usize, "row")),
        (Some(rows), Some(bytes)) if rows > 0 => {
            details.push(format!("{}, {bytes} B", counted(rows as usize, "row")));
        }
        (_, Some(bytes)) if bytes > 0 => details.push(format!("{bytes} B")),
        _ => {}
    }
    if let Some(first) = node.first_row_us.filter(|_| node.rows > Some(1)) {
        details.push(format!("first row after {} ms", ms(first)));
    }
    details.extend(node.note.clone());
    if node.duration_us.is_none() {
        details.push("not ended".to_owned());
    }
    details.join(", ")
}

/// A statement in one line.
pub(super) fn one_line(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Milliseconds with three decimals.
pub(super) fn ms(us: f64) -> String {
    format!("{:.3}", us / 1_000.0)
}

fn counted(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

fn work(name: &str, from: f64, to: f64) -> Node {
    Node {
        kind: SpanKind::Work,
        name: name.to_owned(),
        start_us: from,
        duration_us: Some((to - from).max(0.0)),
        first_row_us: None,
        sql: None,
        place: None,
        behind: 0,
        rows: None,
        bytes: None,
        note: None,
        children: Vec::new(),
    }
}

fn shift(node: &mut Node, by: f64) {
    node.start_us += by;
    for child in &mut node.children {
        shift(child, by);
    }
}

fn us(time: Duration) -> f64 {
    (time.as_nanos() as f64 / 100.0).round() / 10.0
}
