//! Fills a feeder from the tenant's own lists before a run: reads pages, drops records without the
//! wanted values, looks up further columns in a second list.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::Row;
use crate::session::{Session, SessionError};
use crate::workload::{FeederSpec, JsonPath, Lookup, TenantSource, encode_target, plain_text};

const PAGE_ROWS: usize = 1000;
/// Ids in one look-up; FOLIO recommends about this many.
const LOOKUP_KEYS: usize = 20;

/// Why a feeder cannot be filled.
#[derive(Debug, thiserror::Error)]
pub enum FillError {
    /// The list could not be read.
    #[error("filling {feeder} from the tenant: {source}")]
    Session {
        feeder: String,
        source: Box<SessionError>,
    },
    /// The response is not the expected list.
    #[error("filling {feeder} from {target}: {reason}")]
    NoList {
        feeder: String,
        target: String,
        reason: String,
    },
}

/// Reads at most `at_most` rows (the source's own cap when `None`).
///
/// # Errors
/// When a list cannot be read. A list without usable records gives no rows, which is not an error.
pub async fn fill(
    session: &mut Session,
    spec: &FeederSpec,
    source: &TenantSource,
    at_most: Option<usize>,
) -> Result<Vec<Row>, FillError> {
    let mut filler = Filler {
        session,
        feeder: &spec.name,
        now: Timestamp::now(),
    };
    let cap = at_most.unwrap_or(source.at_most);
    let mut rows = filler.read_list(source, spec.columns.len(), cap).await?;
    if let Some(lookup) = &source.lookup {
        filler.look_up(lookup, &mut rows).await?;
    }
    let rows = rows.into_iter().filter_map(|row| {
        let complete: Option<Vec<Box<str>>> = row.into_iter().collect();
        complete.map(Row::from)
    });
    Ok(rows.collect())
}

type PartialRow = Vec<Option<Box<str>>>;

struct Filler<'s> {
    session: &'s mut Session,
    feeder: &'s str,
    now: Timestamp,
}

impl Filler<'_> {
    async fn read_list(
        &mut self,
        source: &TenantSource,
        width: usize,
        cap: usize,
    ) -> Result<Vec<PartialRow>, FillError> {
        let mut rows: Vec<PartialRow> = Vec::new();
        // Pages of an unsorted list may overlap; a duplicate row would not be exclusive.
        let mut seen = HashSet::new();
        let joint = if source.target.contains('?') {
            '&'
        } else {
            '?'
        };
        let pages_max = cap.div_ceil(PAGE_ROWS) * 2 + 1;
        for page in 0..pages_max {
            let offset = page * PAGE_ROWS;
            let target = format!("{}{joint}limit={PAGE_ROWS}&offset={offset}", source.target);
            let body = self.get(&target).await?;
            let records = self.records(&body, &source.collection, &target)?;
            for record in &records {
                let row = record_row(record, &source.columns, width);
                let usable = source
                    .columns
                    .iter()
                    .all(|(column, _)| row[*column].is_some());
                if usable
                    && has_all(record, &source.requires)
                    && self.is_current(record, source)
                    && seen.insert(row.clone())
                {
                    rows.push(row);
                }
            }
            if rows.len() >= cap || records.len() < PAGE_ROWS {
                break;
            }
        }
        rows.truncate(cap);
        Ok(rows)
    }

    async fn look_up(&mut self, lookup: &Lookup, rows: &mut [PartialRow]) -> Result<(), FillError> {
        let width = rows.first().map_or(0, Vec::len);
        let mut keys: Vec<Box<str>> = rows
            .iter()
            .filter_map(|row| row[lookup.by].clone())
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let mut found: HashMap<String, PartialRow> = HashMap::new();
        for keys in keys.chunks(LOOKUP_KEYS) {
            let target = encode_target(&lookup.path.replace("${keys}", &keys.join(" or ")));
            let body = self.get(&target).await?;
            for record in self.records(&body, &lookup.collection, &target)? {
                let key = lookup.key.first(record.get().as_bytes()).ok().flatten();
                if let Some(key) = key.and_then(plain_text) {
                    found.insert(key, record_row(record, &lookup.columns, width));
                }
            }
        }
        for row in rows {
            let key = row[lookup.by].clone();
            if let Some(values) = key.and_then(|key| found.get(&*key)) {
                for (column, _) in &lookup.columns {
                    row[*column].clone_from(&values[*column]);
                }
            }
        }
        Ok(())
    }

    async fn get(&mut self, target: &str) -> Result<Vec<u8>, FillError> {
        let read = self.session.get(target).await;
        read.map_err(|source| FillError::Session {
            feeder: self.feeder.to_owned(),
            source: Box::new(source),
        })
    }

    fn records<'b>(
        &self,
        body: &'b [u8],
        collection: &str,
        target: &str,
    ) -> Result<Vec<&'b RawValue>, FillError> {
        let no_list = |reason: String| FillError::NoList {
            feeder: self.feeder.to_owned(),
            target: target.to_owned(),
            reason,
        };
        let members: HashMap<&str, &RawValue> =
            serde_json::from_slice(body).map_err(|error| no_list(error.to_string()))?;
        let list = members.get(collection);
        let list = list.ok_or_else(|| no_list(format!("the answer has no `{collection}`")))?;
        Vec::deserialize(*list).map_err(|error| no_list(error.to_string()))
    }

    fn is_current(&self, record: &RawValue, source: &TenantSource) -> bool {
        let Some(path) = &source.not_past else {
            return true;
        };
        let found = path.first(record.get().as_bytes()).ok().flatten();
        let Some(text) = found.and_then(plain_text) else {
            return true;
        };
        // FOLIO writes offsets without a colon, which RFC 3339 does not allow.
        let date = text
            .parse()
            .or_else(|_| Timestamp::strptime("%Y-%m-%dT%H:%M:%S%.f%z", &text));
        date.is_ok_and(|date| date > self.now)
    }
}

fn has_all(record: &RawValue, paths: &[JsonPath]) -> bool {
    paths
        .iter()
        .all(|path| path.is_in(record.get().as_bytes()).unwrap_or(false))
}

fn record_row(record: &RawValue, columns: &[(usize, JsonPath)], width: usize) -> PartialRow {
    let mut row: PartialRow = vec![None; width];
    for (column, path) in columns {
        let found = path
            .first(record.get().as_bytes())
            .ok()
            .flatten()
            .and_then(plain_text);
        row[*column] = found
            .filter(|text| !text.is_empty())
            .map(String::into_boxed_str);
    }
    row
}
