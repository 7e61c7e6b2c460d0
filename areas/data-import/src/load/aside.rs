//! The indexes that a large first load drops before its records and builds after them: to add entries for
//! each record costs more than to build an inverted index of all. Unique indexes stay, and those that cost
//! less to keep than to build, and what the load's own statements look up.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use octavo_boxed::boxed;
use octavo_postgres::BuildProgress;
use octavo_records::{Context, IndexesAside, StoreError};

use super::match_key::Match;
use super::options::{LoadEvent, LoadOptions};
use super::store::count_up_to;

/// The tables that each bibliographic record fills and whose indexes are dropped. Those of source records
/// stay: a build has to unpack every document for each index, which costs more than an entry. The terms
/// of MARC records are made behind a load.
pub const BIB_TABLES: [&str; 5] = [
    "browse_heading",
    "instance",
    "instance_subject_source",
    "instance_subject_type",
    "search_instance",
];
/// Those that holdings fill.
pub const HOLDINGS_TABLES: [&str; 2] = ["holdings_record", "search_holdings"];
/// Those that items fill.
pub const ITEM_TABLES: [&str; 3] = ["browse_call_number", "item", "search_item"];

/// Indexes of instances whose entries are few, equal or ascending. All of them cost a load less than to
/// read the documents again for each.
pub const CHEAP: [&str; 9] = [
    "instance_dates_datetypeid_idx",
    "instance_discoverysuppress_idx",
    "instance_instancetypeid_idx",
    "instance_metadata_updateddate_idx",
    "instance_modeofissuanceid_idx",
    "instance_source_idx",
    "instance_sourceuri_idx",
    "instance_staffsuppress_idx",
    "instance_title_idx",
];
/// The index by which an instance is matched by its identifiers.
const MATCHING: &str = "search_instance_terms";

/// For fewer records, dropping and building the indexes takes longer than it saves.
pub const RECORDS_MIN: u64 = 20_000;
/// A load is a first one if fewer records exist than this part of it.
const EXISTING_PART: u64 = 10;

/// The most existing records with which a load of this many is a first one; `None` if it is too small.
#[must_use]
pub fn existing_max(expected: u64, least: u64) -> Option<u64> {
    (expected >= least).then_some(expected / EXISTING_PART)
}

/// Drops the indexes if this is a large first load, or goes on without those that an interrupted one has
/// dropped.
#[boxed]
pub(super) async fn set_aside(
    context: &Context<'_>,
    options: &LoadOptions,
    on_event: &mut (dyn FnMut(LoadEvent) + Send),
) -> Result<Option<IndexesAside>, StoreError> {
    let (store, tenant) = (context.store, context.tenant);
    let is_left = store.has_indexes_aside(tenant).await?;
    if is_left && options.matching.is_some() {
        // Each batch would look for its matches in all records.
        if let Some(left) = store.set_indexes_aside(tenant, &[], &[]).await? {
            build(left, on_event).await?;
        }
        return Ok(None);
    }
    if !is_left && !is_first(context, options).await? {
        return Ok(None);
    }
    let mut tables = BIB_TABLES.to_vec();
    if let Some(holdings) = options.holdings {
        tables.extend(HOLDINGS_TABLES);
        if holdings.items.is_some() {
            tables.extend(ITEM_TABLES);
        }
    }
    let mut kept = CHEAP.to_vec();
    match options.matching {
        Some(Match::ControlNumber | Match::Identifier { .. }) => kept.push(MATCHING),
        Some(Match::Hrid) | None => {}
    }
    let aside = store.set_indexes_aside(tenant, &tables, &kept).await?;
    if let Some(aside) = &aside {
        on_event(LoadEvent::IndexesAside(aside.count()));
    }
    Ok(aside)
}

async fn is_first(context: &Context<'_>, options: &LoadOptions) -> Result<bool, StoreError> {
    let expected = options.expected_records.unwrap_or_default();
    // An update looks for the headings and the source record of its instance.
    let Some(most) = existing_max(expected, options.aside_from).filter(|_| !options.update) else {
        return Ok(false);
    };
    Ok(count_up_to(context, "instance", most + 1).await? <= most)
}

/// Builds the dropped indexes.
#[boxed]
pub(super) async fn build(
    aside: IndexesAside,
    on_event: &mut (dyn FnMut(LoadEvent) + Send),
) -> Result<(), StoreError> {
    let started = Instant::now();
    // Two builds report at the same time.
    let listener = Mutex::new(on_event);
    let tell = |event: LoadEvent| {
        let mut listener = listener.lock().unwrap_or_else(PoisonError::into_inner);
        (*listener)(event);
    };
    let report = |news: &BuildProgress| tell(LoadEvent::Index(news.clone()));
    let builds = aside.build(&report).await?;
    tell(LoadEvent::IndexesBuilt {
        built: builds.made.len(),
        failed: builds.problems.len(),
        elapsed: started.elapsed(),
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_load_into_few_records_is_a_first_one() {
        assert_eq!(existing_max(RECORDS_MIN - 1, RECORDS_MIN), None);
        assert_eq!(existing_max(RECORDS_MIN, RECORDS_MIN), Some(2_000));
        assert_eq!(existing_max(1_000_000, RECORDS_MIN), Some(100_000));
    }
}
