//! A recorded request as a tree with its sums, in the form in which it is sent and read.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::recorder::Record;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpanKind {
    /// The server's own work, with the waits inside it.
    Work,
    /// Waiting for a connection.
    Wait,
    /// From the request for a connection to the answer to `COMMIT` or `ROLLBACK`.
    Transaction,
    /// `BEGIN`, `COMMIT` and the like.
    Control,
    /// A statement being prepared, once for each connection.
    Prepare,
    /// A statement, until its last row.
    Statement,
    /// `COPY`, until its end.
    Copy,
}

impl SpanKind {
    /// Whether it is a round trip to the database.
    #[must_use]
    pub fn is_sql(self) -> bool {
        matches!(
            self,
            SpanKind::Control | SpanKind::Prepare | SpanKind::Statement | SpanKind::Copy
        )
    }
}

/// A span with those inside it, in the order in which they began.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    pub kind: SpanKind,
    /// Its name; empty for statements.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// When it began, in microseconds since the request arrived.
    pub start_us: f64,
    /// Its duration; none while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_us: Option<f64>,
    /// From its beginning to the first row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_row_us: Option<f64>,
    /// The statement with its placeholders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// The connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Unanswered statements that were sent before it on this connection.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub behind: usize,
    /// Rows returned or changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// Bytes of the rows, or of what was copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// How it ended, if not normally.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Node>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Node {
    /// When it ended, in microseconds since the request arrived; `now` while it is open.
    #[must_use]
    pub fn end_us(&self, now: f64) -> f64 {
        self.duration_us.map_or(now, |took| self.start_us + took)
    }

    /// Calls `see` with each span below this one and its depth.
    pub fn walk<'a>(&'a self, depth: usize, see: &mut impl FnMut(&'a Node, usize)) {
        for child in &self.children {
            see(child, depth);
            child.walk(depth + 1, see);
        }
    }
}

/// The sums of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// From the arrival to the last byte handed over, or to now.
    pub total_us: f64,
    /// The time in which at least one statement was running.
    pub sql_us: f64,
    /// Statements, without `BEGIN`, `COMMIT` and preparing.
    pub statements: usize,
    /// The longest chain of round trips to the database each of which began after the one before
    /// had ended: pipelined ones count once.
    pub round_trips: usize,
    /// How many of those prepared statements that the connection had not seen.
    pub prepared: usize,
    /// Spans beyond the limit.
    pub spans_left_out: usize,
}

/// A recorded request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tree {
    pub summary: Summary,
    pub root: Node,
}

pub(crate) fn of(records: &[Record], left_out: usize, now: Duration) -> Tree {
    let mut below: Vec<Vec<Node>> = records.iter().map(|_| Vec::new()).collect();
    let mut root = None;
    // Children have higher numbers than their parents, so every node is complete when it is moved.
    for (at, record) in records.iter().enumerate().rev() {
        let mut children = std::mem::take(&mut below[at]);
        children.sort_by(|one, other| one.start_us.total_cmp(&other.start_us));
        let node = node(record, children);
        match at {
            0 => root = Some(node),
            _ => below[record.parent as usize].insert(0, node),
        }
    }
    let root = root.expect("invariant: a recorder begins with the request's own span");
    let summary = summary(&root, left_out, us(now));
    Tree { summary, root }
}

fn node(record: &Record, children: Vec<Node>) -> Node {
    let since = |at: Duration| us(at.saturating_sub(record.start));
    Node {
        kind: record.kind,
        name: record.name.to_owned(),
        start_us: us(record.start),
        duration_us: record.end.map(since),
        first_row_us: record.first_row.map(since),
        sql: record.sql.clone(),
        place: record.place.clone(),
        behind: record.behind,
        rows: record.rows,
        bytes: record.bytes,
        note: record.note.clone(),
        children,
    }
}

fn summary(root: &Node, left_out: usize, now: f64) -> Summary {
    let mut asked: Vec<Question> = Vec::new();
    let mut statements = 0;
    root.walk(1, &mut |node, _| {
        if !node.kind.is_sql() {
            return;
        }
        statements += usize::from(matches!(node.kind, SpanKind::Statement | SpanKind::Copy));
        // A statement that had to be prepared was sent when that was answered.
        let prepared = node.children.iter().map(|child| child.end_us(now));
        asked.push(Question {
            from: prepared.fold(node.start_us, f64::max),
            to: node.end_us(now),
            prepares: node.kind == SpanKind::Prepare,
        });
    });
    let chain = chain(&mut asked);
    Summary {
        total_us: root.end_us(now),
        sql_us: covered(&mut asked),
        statements,
        round_trips: chain.len(),
        prepared: chain.iter().filter(|prepares| **prepares).count(),
        spans_left_out: left_out,
    }
}

struct Question {
    from: f64,
    to: f64,
    prepares: bool,
}

/// The longest chain of intervals each of which begins after the one before has ended: always
/// taking the one that ends first finds it. Returns for each whether it prepared something.
fn chain(asked: &mut [Question]) -> Vec<bool> {
    asked.sort_by(|one, other| one.to.total_cmp(&other.to));
    let mut free = f64::NEG_INFINITY;
    let mut chain = Vec::new();
    for one in asked.iter() {
        if one.from >= free {
            chain.push(one.prepares);
            free = one.to;
        }
    }
    chain
}

/// The length of the union of the intervals.
fn covered(asked: &mut [Question]) -> f64 {
    asked.sort_by(|one, other| one.from.total_cmp(&other.from));
    let mut end = f64::NEG_INFINITY;
    let mut sum = 0.0;
    for one in asked.iter() {
        sum += (one.to - one.from.max(end)).max(0.0);
        end = end.max(one.to);
    }
    (sum * 10.0).round() / 10.0
}

/// Microseconds with one decimal.
fn us(time: Duration) -> f64 {
    (time.as_nanos() as f64 / 100.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn questions(list: &[(f64, f64)]) -> Vec<Question> {
        list.iter()
            .map(|(from, to)| Question {
                from: *from,
                to: *to,
                prepares: false,
            })
            .collect()
    }

    #[test]
    fn what_travels_together_is_one_round_trip() {
        for (list, trips, sum) in [
            (&[][..], 0, 0.0),
            (&[(0.0, 5.0)], 1, 5.0),
            (&[(0.0, 5.0), (1.0, 6.0), (2.0, 6.0)], 1, 6.0),
            (&[(0.0, 5.0), (5.0, 6.0), (8.0, 9.0)], 3, 7.0),
            // Two, one after the other, while a third takes longer than both.
            (&[(0.0, 9.0), (0.0, 2.0), (3.0, 4.0)], 2, 9.0),
        ] {
            let mut asked = questions(list);
            assert_eq!(chain(&mut asked).len(), trips, "{list:?}");
            assert_eq!(covered(&mut asked), sum, "{list:?}");
        }
    }
}
