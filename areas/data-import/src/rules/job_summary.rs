//! Log lines and counters of a portion's records: a line for each record with the keys for filtering and
//! sorting, and counts for the summary. Pure. Logs and summaries are read from these, independently of
//! the journal's length.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use octavo_library::IncomingRecordId;

use super::log::{
    ERRORS, Entry, Group, INVOICE, MARC, PO_LINE, SUMMARIES, SUMMED, counted, summed,
};

/// Maximal length of a sort key, since index entries are limited.
const ORDERED_MAX: usize = 300;

/// The counter that every job with a journal has.
pub(crate) const RECORDS: &str = "records";

/// The filter and sort keys of one record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pub source: IncomingRecordId,
    pub position: i64,
    /// The groups with an entry, as bits.
    pub entities: i16,
    /// The groups with an entry that has an error, as bits.
    pub failed: i16,
    pub title: Option<String>,
    pub error: Option<String>,
    /// The result for each group, in the order of [`Group::ALL`]: the first letter of its name.
    pub states: [Option<char>; Group::ALL.len()],
}

/// The counters of a portion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub lines: Vec<Line>,
    /// Counters by name, without updated instances.
    pub counts: BTreeMap<String, i64>,
    /// The updated instances: a job counts each once.
    pub updated: BTreeSet<String>,
}

/// Computes lines and counters of a portion. It must have all entries of its records.
pub(crate) fn tally(entries: &[Entry]) -> Tally {
    let mut places: HashMap<IncomingRecordId, usize> = HashMap::new();
    let mut records: Vec<Vec<&Entry>> = Vec::new();
    for entry in entries {
        let place = *places.entry(entry.source).or_insert(records.len());
        if place == records.len() {
            records.push(Vec::new());
        }
        records[place].push(entry);
    }
    let mut tally = Tally::default();
    let mut created: BTreeSet<&str> = BTreeSet::new();
    for record in &records {
        tally.add(RECORDS.to_owned(), 1);
        for line in lines(record) {
            for group in std::iter::once(None).chain(Group::ALL.map(Some)) {
                for (bits, errors_only) in [(line.entities, false), (line.failed, true)] {
                    if bits & Group::bit(group) != 0 {
                        tally.add(counted(group, errors_only), 1);
                    }
                }
            }
            tally.lines.push(line);
        }
        tally.sum(record, &mut created);
    }
    // A created record counts once, however many source records it has.
    tally.add(
        summed(SUMMARIES[INSTANCES], SUMMED[CREATED]),
        created.len() as i64,
    );
    tally.counts.retain(|_, number| *number > 0);
    tally
}

/// Instances among the summaries.
const INSTANCES: usize = 1;
/// Orders among the summaries.
const ORDERS: usize = 5;
/// Invoices among them.
const INVOICES: usize = 6;
/// What is created among what is summed.
const CREATED: usize = 0;
/// What is updated.
const UPDATED: usize = 1;

/// The counter of updated instances.
pub(crate) fn updated_instances() -> String {
    summed(SUMMARIES[INSTANCES], SUMMED[UPDATED])
}

impl Tally {
    fn add(&mut self, name: String, number: i64) {
        *self.counts.entry(name).or_default() += number;
    }

    /// Adds one record to the summary. Each entity counts once with its most significant action; a match
    /// only if nothing else was done.
    fn sum<'a>(&mut self, record: &[&'a Entry], created: &mut BTreeSet<&'a str>) {
        let acted = record
            .iter()
            .any(|one| !matches!(one.action.as_str(), "MATCH" | "PARSE"));
        let mut best: HashMap<Option<&str>, usize> = HashMap::new();
        for entry in record {
            let least = best.entry(entry.entity_type.as_deref()).or_insert(LEAST);
            *least = weight(&entry.action).min(*least);
        }
        let mut has_failed = false;
        let mut marc = BTreeSet::new();
        // A record counts once, however many lines its order or invoice has.
        let mut acquired = BTreeSet::new();
        for entry in foremost(record) {
            if entry.action == "MATCH" && acted {
                continue;
            }
            let failed = entry.status == "ERROR";
            has_failed |= failed;
            let Some(at) = entry.entity_type.as_deref().and_then(summary_of) else {
                continue;
            };
            if matches!(at, ORDERS | INVOICES) {
                match failed {
                    true => {
                        acquired.extend([(at, "totalDiscardedEntities"), (at, "totalErrors")]);
                    }
                    false => {
                        acquired.insert((at, SUMMED[CREATED]));
                    }
                }
                continue;
            }
            let done = match entry.action.as_str() {
                "CREATE" if entry.status == "COMPLETED" => Some(CREATED),
                "UPDATE" if entry.status == "COMPLETED" => Some(UPDATED),
                _ => None,
            };
            match (SUMMARIES[at], done, entry.entity_id.as_deref()) {
                // A record has one source record, whatever its type.
                ("sourceRecordSummary", Some(done), _) => {
                    marc.insert(done);
                }
                ("instanceSummary", Some(CREATED), Some(id)) => {
                    created.insert(id);
                }
                ("instanceSummary", Some(_), Some(id)) => {
                    self.updated.insert(id.to_owned());
                }
                ("instanceSummary", Some(_), None) | (_, None, _) => {}
                (name, Some(done), _) => self.add(summed(name, SUMMED[done]), 1),
            }
            let is_best = best.get(&entry.entity_type.as_deref()) == Some(&weight(&entry.action));
            let found = matches!(entry.action.as_str(), "NON_MATCH" | "MATCH");
            let discarded = failed || found && is_best;
            for (name, holds) in [
                ("totalDiscardedEntities", discarded),
                ("totalErrors", failed),
            ] {
                if holds {
                    self.add(summed(SUMMARIES[at], name), 1);
                }
            }
        }
        for (at, name) in acquired {
            self.add(summed(SUMMARIES[at], name), 1);
        }
        for done in marc {
            self.add(summed(SUMMARIES[0], SUMMED[done]), 1);
        }
        if has_failed {
            self.add(ERRORS.to_owned(), 1);
        }
    }
}

/// The most significant entry of each entity, succeeded or failed.
fn foremost<'a>(record: &[&'a Entry]) -> Vec<&'a Entry> {
    let mut found: Vec<&Entry> = Vec::new();
    let mut places = HashMap::new();
    for &entry in record {
        let same = (&entry.entity_id, &entry.entity_type, &entry.status);
        let place = *places.entry(same).or_insert(found.len());
        match found.get_mut(place) {
            Some(known) if weight(&entry.action) < weight(&known.action) => *known = entry,
            Some(_) => {}
            None => found.push(entry),
        }
    }
    found
}

/// The summary that an entity belongs to.
fn summary_of(entity: &str) -> Option<usize> {
    match entity {
        _ if MARC.contains(&entity) => Some(0),
        "INSTANCE" => Some(INSTANCES),
        "HOLDINGS" => Some(2),
        "ITEM" => Some(3),
        "AUTHORITY" => Some(4),
        PO_LINE => Some(ORDERS),
        INVOICE => Some(INVOICES),
        _ => None,
    }
}

/// The weight of insignificant actions.
const LEAST: usize = 99;

/// The weight of an action in a summary; the lowest is the most significant.
fn weight(action: &str) -> usize {
    match action {
        "CREATE" => 1,
        "UPDATE" => 2,
        "NON_MATCH" => 3,
        "MATCH" => 4,
        _ => LEAST,
    }
}

/// The lines of a record: one, or one for each line of its invoice.
fn lines(record: &[&Entry]) -> Vec<Line> {
    let of_invoice = record.iter().filter(|entry| entry.is_invoice_line());
    let lines: Vec<Line> = of_invoice.map(|entry| line(&[*entry])).collect();
    match lines.is_empty() {
        true => vec![line(record)],
        false => lines,
    }
}

fn line(record: &[&Entry]) -> Line {
    let mut line = Line::default();
    let Some(first) = record.first() else {
        return line;
    };
    line.source = first.source;
    line.position = record.iter().map(|one| one.position).min().unwrap_or(0);
    let titles = record.iter().filter_map(|one| one.title.as_deref());
    line.title = titles.min().map(cut);
    let errors = record.iter().map(|one| one.error.as_str());
    line.error = errors.filter(|error| !error.is_empty()).min().map(cut);
    for entry in record {
        let Some(entity) = entry.entity_type.as_deref() else {
            continue;
        };
        let group = Group::of(entity);
        let bits = Group::bit(None) | group.map_or(0, |group| Group::bit(Some(group)));
        line.entities |= bits;
        if !entry.error.is_empty() {
            line.failed |= bits;
        }
        if let Some(group) = group {
            let state = &mut line.states[group as usize];
            // Created comes before discarded, and that before updated.
            *state = (*state).into_iter().chain(state_of(entry)).min();
        }
    }
    line
}

/// The sort key of an entity's result.
fn state_of(entry: &Entry) -> Option<char> {
    match entry.action.as_str() {
        _ if !entry.error.is_empty() => Some('D'),
        "NON_MATCH" => Some('D'),
        "CREATE" => Some('C'),
        "UPDATE" | "MODIFY" => Some('U'),
        _ => None,
    }
}

fn cut(text: &str) -> String {
    text.chars().take(ORDERED_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(record: u128, kind: Option<&str>, action: &str, id: Option<&str>) -> Entry {
        Entry {
            source: IncomingRecordId::from_u128(record),
            position: record as i64,
            entity_type: kind.map(str::to_owned),
            action: action.to_owned(),
            entity_id: id.map(str::to_owned),
            status: "COMPLETED".to_owned(),
            title: Some("Bridges".to_owned()),
            ..Entry::default()
        }
    }

    fn failed(entry: Entry, error: &str) -> Entry {
        Entry {
            status: "ERROR".to_owned(),
            error: error.to_owned(),
            ..entry
        }
    }

    fn counts(tally: &Tally) -> Vec<(&str, i64)> {
        let counts = tally.counts.iter();
        counts
            .map(|(name, number)| (name.as_str(), *number))
            .collect()
    }

    #[test]
    fn a_created_record_is_a_line_and_counts_once() {
        let tally = tally(&[
            entry(1, None, "PARSE", None),
            entry(1, Some("MARC_BIBLIOGRAPHIC"), "CREATE", Some("s")),
            entry(1, Some("INSTANCE"), "CREATE", Some("i")),
        ]);
        let [line] = &tally.lines[..] else {
            panic!("{tally:?}")
        };
        assert_eq!((line.entities, line.failed, line.position), (7, 0, 1));
        assert_eq!(line.states[..3], [Some('C'), Some('C'), None]);
        assert_eq!(
            (line.title.as_deref(), &line.error),
            (Some("Bridges"), &None)
        );
        assert_eq!(
            counts(&tally),
            [
                ("instanceSummary.totalCreatedEntities", 1),
                ("lines.ALL", 1),
                ("lines.INSTANCE", 1),
                ("lines.MARC", 1),
                ("records", 1),
                ("sourceRecordSummary.totalCreatedEntities", 1),
            ]
        );
    }

    #[test]
    fn a_match_is_discarded_only_where_nothing_was_done() {
        let matched = || entry(1, Some("INSTANCE"), "MATCH", None);
        let alone = tally(&[matched()]);
        assert_eq!(
            alone.counts.get("instanceSummary.totalDiscardedEntities"),
            Some(&1)
        );
        // A line has an entry of it, and nothing became of it.
        assert_eq!(
            (alone.lines[0].entities, alone.lines[0].states[1]),
            (5, None)
        );
        let acted = tally(&[matched(), entry(1, Some("INSTANCE"), "UPDATE", Some("i"))]);
        assert_eq!(
            acted.counts.get("instanceSummary.totalDiscardedEntities"),
            None
        );
        assert_eq!(acted.lines[0].states[1], Some('U'));
        assert_eq!(acted.updated, BTreeSet::from(["i".to_owned()]));
    }

    #[test]
    fn errors_are_counted_by_entity_and_by_record() {
        let item = || entry(1, Some("ITEM"), "CREATE", None);
        let tally = tally(&[
            entry(1, Some("ITEM"), "CREATE", Some("1")),
            failed(item(), "taken"),
            failed(item(), "gone"),
            failed(entry(2, None, "PARSE", None), "no MARC"),
            failed(entry(3, Some("ORDER"), "CREATE", None), &"é".repeat(400)),
        ]);
        let count = |name: &str| tally.counts.get(name).copied().unwrap_or(0);
        assert_eq!(count("records"), 3);
        assert_eq!(count("errors"), 3);
        // Without ids they are one.
        assert_eq!(count("itemSummary.totalErrors"), 1);
        assert_eq!(count("itemSummary.totalDiscardedEntities"), 1);
        assert_eq!(count("itemSummary.totalCreatedEntities"), 1);
        // What could not be read has no line of an entity; what has no group is among all.
        assert_eq!(
            (
                count("lines.ALL"),
                count("failed.ALL"),
                count("failed.ITEM")
            ),
            (2, 2, 1)
        );
        let errors: Vec<usize> = (tally.lines.iter())
            .map(|line| line.error.as_deref().unwrap_or_default().chars().count())
            .collect();
        assert_eq!(errors, [4, 7, ORDERED_MAX]);
        assert_eq!(tally.lines[0].error.as_deref(), Some("gone"));
        assert_eq!(tally.lines[0].states[4 - 1], Some('C'));
    }
}
