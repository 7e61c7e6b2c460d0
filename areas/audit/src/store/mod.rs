//! This area's statements.

pub mod acquisitions;
pub mod inventory;
pub mod marc;
pub mod retention;
pub mod settings;

/// Some entries of a history, and how many there are.
#[derive(Debug)]
pub struct History<E> {
    pub entries: Vec<E>,
    pub total: i64,
}

/// How many entries the history of a record (`$1`, of the kind `$2`) has.
fn total(table: &str) -> String {
    format!("SELECT count(*) FROM {table} WHERE entity_id = $1 AND kind = $2")
}

/// The latest `$4` entries of a record's history, before the instant `$3` where it is one. A page that ends among
/// entries of one instant has them all, so that the next one, which begins before it, misses none.
fn latest(table: &str) -> String {
    format!(
        "SELECT * FROM {table} WHERE entity_id = $1 AND kind = $2 \
         AND ($3::bigint IS NULL OR event_date < timestamptz 'epoch' + $3::bigint * interval '1 millisecond') \
         ORDER BY event_date DESC FETCH FIRST ($4::bigint) ROWS WITH TIES"
    )
}
