//! A job's log: the journal entries of one record combined into one line.

use std::collections::HashMap;

use octavo_library::{IncomingRecordId, JobExecutionId};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// A journal entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its own id, once it is stored.
    pub id: Option<Uuid>,
    /// The incoming record.
    pub source: IncomingRecordId,
    /// Its position in the file, from 0.
    pub position: i64,
    /// The entity type; `None` for parsing the record.
    pub entity_type: Option<String>,
    pub entity_id: Option<String>,
    pub hrid: Option<String>,
    /// `CREATE`, `UPDATE`, `MODIFY`, `DELETE`, `MATCH`, `NON_MATCH` or `PARSE`.
    pub action: String,
    /// `COMPLETED` or `ERROR`.
    pub status: String,
    pub error: String,
    pub title: Option<String>,
    pub instance_id: Option<String>,
    pub holdings_id: Option<String>,
    pub location_id: Option<String>,
    pub order_id: Option<String>,
}

/// The entity of an order line.
pub(crate) const PO_LINE: &str = "PO_LINE";
/// The entity of an invoice and of its lines.
pub(crate) const INVOICE: &str = "INVOICE";
/// The entity of a message.
pub(crate) const EDIFACT: &str = "EDIFACT";
/// The title of the entry of an invoice as a whole; its lines have others.
pub(crate) const INVOICE_TITLE: &str = "INVOICE";

impl Entry {
    /// Whether it is of a line of an invoice.
    pub(crate) fn is_invoice_line(&self) -> bool {
        self.entity_type.as_deref() == Some(INVOICE) && self.title.as_deref() != Some(INVOICE_TITLE)
    }
}

/// The kinds of MARC records.
pub(crate) const MARC: [&str; 3] = ["MARC_BIBLIOGRAPHIC", "MARC_HOLDINGS", "MARC_AUTHORITY"];

/// The names of the groups of a summary.
pub(crate) const SUMMARIES: [&str; 7] = [
    "sourceRecordSummary",
    "instanceSummary",
    "holdingSummary",
    "itemSummary",
    "authoritySummary",
    "orderSummary",
    "invoiceSummary",
];

/// The counter of records with errors.
pub(crate) const ERRORS: &str = "errors";

/// The numbers of each group in a summary.
pub(crate) const SUMMED: [&str; 4] = [
    "totalCreatedEntities",
    "totalUpdatedEntities",
    "totalDiscardedEntities",
    "totalErrors",
];

/// The counter's name of a number in a summary.
pub(crate) fn summed(summary: &str, what: &str) -> String {
    format!("{summary}.{what}")
}

/// Entities that a log is filtered and ordered by together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    Marc,
    Instance,
    Holdings,
    Item,
    Authority,
    Order,
    Invoice,
}

impl Group {
    /// All of them; their bits and the store's columns are in this order.
    pub(crate) const ALL: [Group; 7] = [
        Group::Marc,
        Group::Instance,
        Group::Holdings,
        Group::Item,
        Group::Authority,
        Group::Order,
        Group::Invoice,
    ];

    pub(crate) fn of(entity: &str) -> Option<Group> {
        Some(match entity {
            _ if MARC.contains(&entity) => Group::Marc,
            "INSTANCE" => Group::Instance,
            "HOLDINGS" => Group::Holdings,
            "ITEM" => Group::Item,
            "AUTHORITY" => Group::Authority,
            PO_LINE => Group::Order,
            INVOICE => Group::Invoice,
            _ => return None,
        })
    }

    /// Its name in the log's parameter `entityType`.
    fn name(self) -> &'static str {
        match self {
            Group::Marc => "MARC",
            Group::Instance => "INSTANCE",
            Group::Holdings => "HOLDINGS",
            Group::Item => "ITEM",
            Group::Authority => "AUTHORITY",
            Group::Order => "ORDER",
            Group::Invoice => "INVOICE",
        }
    }

    /// The store's column of its result.
    pub(crate) fn column(self) -> &'static str {
        match self {
            Group::Marc => "marc",
            Group::Instance => "instance",
            Group::Holdings => "holdings",
            Group::Item => "item",
            Group::Authority => "authority",
            Group::Order => "po_line",
            Group::Invoice => "invoice",
        }
    }

    /// The bit of a group; without one that of any entity.
    pub(crate) fn bit(group: Option<Group>) -> i16 {
        group.map_or(1, |group| 2 << group as i16)
    }
}

/// The counter's name of the number of lines of a group or any entity.
pub(crate) fn counted(group: Option<Group>, errors_only: bool) -> String {
    let which = if errors_only { "failed" } else { "lines" };
    format!("{which}.{}", group.map_or("ALL", Group::name))
}

/// A query on a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogQuery {
    /// Only records with an entry of these.
    pub group: Option<Group>,
    /// Only records with an entry of these that has an error.
    pub errors_only: bool,
    pub order: Order,
    pub descending: bool,
}

/// What the lines of a log can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Position,
    Title,
    Error,
    /// The result for these entities.
    State(Group),
}

impl Order {
    pub(crate) fn named(name: &str) -> Option<Order> {
        Some(match name {
            "source_record_order" => Order::Position,
            "title" => Order::Title,
            "error" => Order::Error,
            "source_record_action_status" => Order::State(Group::Marc),
            "instance_action_status" => Order::State(Group::Instance),
            "holdings_action_status" => Order::State(Group::Holdings),
            "item_action_status" => Order::State(Group::Item),
            "authority_action_status" => Order::State(Group::Authority),
            "order_action_status" => Order::State(Group::Order),
            "invoice_action_status" => Order::State(Group::Invoice),
            _ => return None,
        })
    }

    /// The column that the store orders by.
    pub(crate) fn column(self) -> &'static str {
        match self {
            Order::Position => "position",
            Order::Title => "title",
            Order::Error => "error",
            Order::State(group) => group.column(),
        }
    }
}

/// The group of a log's parameter `entityType`, which may be all; `None` for an unknown name.
pub(crate) fn group(name: &str) -> Option<Option<Group>> {
    if name == "ALL" {
        return Some(None);
    }
    let mut groups = Group::ALL.into_iter();
    groups.find(|group| group.name() == name).map(Some)
}

/// The log's line of a record, or of one line of its invoice, which has a position of its own; `entries` are
/// all of that record.
pub(crate) fn line(
    job: JobExecutionId,
    entries: &[Entry],
    position: Option<i64>,
    tenant: &str,
) -> Value {
    let of_line = |one: &&Entry| {
        one.is_invoice_line() && position.is_none_or(|position| one.position == position)
    };
    match (entries.iter().find(of_line), entries.first()) {
        (Some(of_line), _) => invoice_line(job, entries, of_line, tenant),
        (None, Some(first)) => record_line(job, entries, first, tenant),
        (None, None) => json!({}),
    }
}

fn invoice_line(job: JobExecutionId, entries: &[Entry], of_line: &Entry, tenant: &str) -> Value {
    let whole = entries
        .iter()
        .find(|one| one.entity_type.as_deref() == Some(INVOICE) && !one.is_invoice_line());
    let has_failed = |one: &Entry| one.status == "ERROR";
    let state = |failed: bool| if failed { "DISCARDED" } else { "CREATED" };
    let list = |text: Option<&String>| text.into_iter().cloned().collect::<Vec<_>>();
    let nothing = json!({"idList": [], "hridList": []});
    let mut line = json!({
        "jobExecutionId": job,
        "incomingRecordId": of_line.source,
        "sourceRecordOrder": of_line.hrid.clone().unwrap_or_else(|| of_line.position.to_string()),
        "sourceRecordTitle": of_line.title,
        "sourceRecordTenantId": tenant,
        "sourceRecordType": EDIFACT,
        "error": entries.iter().find(|one| one.entity_type.as_deref() == Some(EDIFACT))
            .map_or("", |one| one.error.as_str()),
        "relatedInstanceInfo": nothing.clone(),
        "relatedHoldingsInfo": [],
        "relatedItemInfo": [],
        "relatedAuthorityInfo": nothing.clone(),
        "relatedPoLineInfo": nothing,
        "relatedInvoiceInfo": {
            "actionStatus": state(has_failed(of_line)),
            "idList": list(whole.and_then(|one| one.entity_id.as_ref())),
            "hridList": list(whole.and_then(|one| one.hrid.as_ref())),
            "error": whole.map_or("", |one| one.error.as_str()),
        },
        "relatedInvoiceLineInfo": {
            "actionStatus": state(has_failed(of_line)),
            "id": of_line.entity_id,
            "fullInvoiceLineNumber": of_line.hrid,
            "error": of_line.error,
        },
        "invoiceLineJournalRecordId": of_line.id,
    });
    strip(&mut line);
    line
}

fn record_line(job: JobExecutionId, entries: &[Entry], first: &Entry, tenant: &str) -> Value {
    let acted = entries
        .iter()
        .any(|one| !matches!(one.action.as_str(), "MATCH" | "PARSE"));
    let of = |kinds: &[&str]| -> Vec<&Entry> { settled(entries, kinds, acted) };
    let marc = of(&MARC);
    let known = marc.iter().find(|one| one.entity_id.is_some());
    let shown = known.or(marc.first());
    let mut line = json!({
        "jobExecutionId": job,
        "incomingRecordId": first.source,
        "sourceRecordOrder": first.position.to_string(),
        "sourceRecordTitle": entries.iter().find_map(|one| one.title.as_deref()),
        "sourceRecordActionStatus": shown.and_then(|one| state(one)),
        "sourceRecordId": known.and_then(|one| one.entity_id.as_deref()),
        "sourceRecordType": entries.iter().find_map(|one| {
            one.entity_type.as_deref().filter(|kind| MARC.contains(kind))
        }),
        "sourceRecordTenantId": shown.map(|_| tenant),
        "error": entries.iter().find_map(|one| {
            let marc = one.entity_type.as_deref().is_none_or(|kind| MARC.contains(&kind));
            Some(one.error.as_str()).filter(|error| marc && !error.is_empty())
        }).unwrap_or_default(),
        "relatedInstanceInfo": related(&of(&["INSTANCE"]), true),
        "relatedHoldingsInfo": of(&["HOLDINGS"]).iter().map(|one| json!({
            "actionStatus": state(one), "id": one.entity_id, "hrid": one.hrid,
            "permanentLocationId": one.location_id, "error": one.error,
        })).collect::<Vec<_>>(),
        "relatedItemInfo": of(&["ITEM"]).iter().map(|one| json!({
            "actionStatus": state(one), "id": one.entity_id, "hrid": one.hrid,
            "holdingsId": one.holdings_id, "error": one.error,
        })).collect::<Vec<_>>(),
        "relatedAuthorityInfo": related(&of(&["AUTHORITY"]), false),
        "relatedPoLineInfo": po_line(&of(&[PO_LINE])),
        "relatedInvoiceInfo": {"idList": [], "hridList": []},
        "relatedInvoiceLineInfo": {},
    });
    strip(&mut line);
    line
}

fn po_line(entries: &[&Entry]) -> Value {
    let mut shown = related(entries, true);
    if let Some(order) = entries.iter().find_map(|one| one.order_id.as_deref()) {
        shown["orderId"] = json!(order);
    }
    shown
}

fn related(entries: &[&Entry], numbered: bool) -> Value {
    let Some(one) = entries.first() else {
        return json!({"idList": [], "hridList": []});
    };
    let list = |text: &Option<String>| -> Vec<String> {
        text.iter().filter(|it| !it.is_empty()).cloned().collect()
    };
    json!({
        "actionStatus": state(one), "idList": list(&one.entity_id),
        "hridList": if numbered { list(&one.hrid) } else { Vec::new() },
        "error": one.error,
    })
}

/// The relevant entry of each entity: errors take precedence; entries without an id count only if there
/// is none with one.
fn settled<'a>(entries: &'a [Entry], kinds: &[&str], acted: bool) -> Vec<&'a Entry> {
    let mut all: Vec<&Entry> = entries
        .iter()
        .filter(|one| {
            one.entity_type
                .as_deref()
                .is_some_and(|kind| kinds.contains(&kind))
        })
        .filter(|one| one.action != "MATCH" || !acted)
        .collect();
    if all.iter().any(|one| one.entity_id.is_some()) {
        all.retain(|one| one.entity_id.is_some() || one.status == "ERROR");
    }
    all.sort_by_key(|one| (one.status != "ERROR", rank(&one.action)));
    let mut seen: Vec<(&Option<String>, bool)> = Vec::new();
    all.retain(|one| {
        // Several may have failed for different reasons.
        let failed = one.entity_id.is_none() && one.status == "ERROR";
        let new = failed || !seen.contains(&(&one.entity_id, false));
        seen.push((&one.entity_id, failed));
        new
    });
    all.sort_by(|a, b| a.hrid.cmp(&b.hrid));
    all
}

fn rank(action: &str) -> usize {
    ["CREATE", "UPDATE", "DELETE", "MODIFY", "NON_MATCH"]
        .iter()
        .position(|one| *one == action)
        .unwrap_or(9)
}

/// The action's name in the log.
fn state(entry: &Entry) -> Option<&'static str> {
    Some(match entry.action.as_str() {
        _ if !entry.error.is_empty() => "DISCARDED",
        "NON_MATCH" | "MATCH" => "DISCARDED",
        "CREATE" => "CREATED",
        "UPDATE" | "MODIFY" => "UPDATED",
        // FOLIO's log has no word for a deletion; the journal has one.
        _ => return None,
    })
}

/// Removes nulls at any depth.
fn strip(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|_, one| !one.is_null());
            object.values_mut().for_each(strip);
        }
        Value::Array(list) => list.iter_mut().for_each(strip),
        _ => {}
    }
}

/// A summary in FOLIO's form, from what was counted; groups in which nothing happened are left out.
/// `None` if nothing was counted.
pub(crate) fn summary(job: JobExecutionId, counts: &HashMap<String, i64>) -> Option<Value> {
    if counts.is_empty() {
        return None;
    }
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    let mut summary = Map::new();
    summary.insert("jobExecutionId".to_owned(), json!(job));
    summary.insert("totalErrors".to_owned(), json!(count(ERRORS)));
    for name in SUMMARIES {
        let numbers = SUMMED.map(|what| (what, count(&summed(name, what))));
        if numbers.iter().any(|(_, number)| *number > 0) {
            let by_action = numbers.map(|(what, number)| (what.to_owned(), json!(number)));
            summary.insert(name.to_owned(), Value::Object(Map::from_iter(by_action)));
        }
    }
    Some(Value::Object(summary))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: &str, action: &str, id: Option<&str>, error: &str) -> Entry {
        Entry {
            entity_type: Some(kind.to_owned()),
            action: action.to_owned(),
            entity_id: id.map(str::to_owned),
            status: if error.is_empty() {
                "COMPLETED"
            } else {
                "ERROR"
            }
            .to_owned(),
            error: error.to_owned(),
            ..Entry::default()
        }
    }

    #[test]
    fn a_created_instance_is_logged_with_its_source() {
        let entries = [
            Entry {
                action: "PARSE".to_owned(),
                ..Entry::default()
            },
            entry("MARC_BIBLIOGRAPHIC", "CREATE", Some("s"), ""),
            Entry {
                hrid: Some("in1".to_owned()),
                ..entry("INSTANCE", "CREATE", Some("i"), "")
            },
        ];
        let line = line(JobExecutionId::default(), &entries, None, "diku");
        assert_eq!(line["sourceRecordActionStatus"], "CREATED");
        assert_eq!(line["sourceRecordId"], "s");
        assert_eq!(line["relatedInstanceInfo"]["hridList"], json!(["in1"]));
        assert_eq!(line["error"], "");
        assert_eq!(
            line["relatedAuthorityInfo"],
            json!({"idList": [], "hridList": []})
        );
    }

    #[test]
    fn a_match_counts_only_where_nothing_was_done() {
        let matched = entry("INSTANCE", "MATCH", None, "");
        let alone = line(
            JobExecutionId::default(),
            std::slice::from_ref(&matched),
            None,
            "diku",
        );
        assert_eq!(alone["relatedInstanceInfo"]["actionStatus"], "DISCARDED");
        let entries = [matched, entry("INSTANCE", "UPDATE", Some("i"), "")];
        let acted = line(JobExecutionId::default(), &entries, None, "diku");
        assert_eq!(acted["relatedInstanceInfo"]["actionStatus"], "UPDATED");
    }

    #[test]
    fn errors_of_each_failed_item_are_logged() {
        let entries = [
            entry("ITEM", "CREATE", Some("1"), ""),
            entry("ITEM", "CREATE", None, "barcode taken"),
            entry("ITEM", "CREATE", None, "barcode taken"),
        ];
        let line = line(JobExecutionId::default(), &entries, None, "diku");
        assert_eq!(line["relatedItemInfo"].as_array().map(Vec::len), Some(3));
    }
}
