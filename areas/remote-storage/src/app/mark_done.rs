//! A storage has taken rows of a queue.

use octavo_boxed::boxed;
use octavo_records::Context;

use super::Outcome;
use crate::rules::Refusal;
use crate::store::queues::{ACCESSIONS, RETRIEVALS, Rows};

/// The rows that are done.
#[derive(Debug, Clone, Copy)]
pub enum Done<'a> {
    Accession(Rows<'a>),
    Retrieval(Rows<'a>),
}

/// Marks them.
///
/// # Errors
/// When none of them was open.
#[boxed]
pub async fn mark_done(context: &Context<'_>, done: Done<'_>) -> Outcome<()> {
    let (queue, rows) = match done {
        Done::Accession(rows) => (&ACCESSIONS, rows),
        Done::Retrieval(rows) => (&RETRIEVALS, rows),
    };
    let (database, at) = (&context.store.database, context.stamp.at);
    if queue.done(database, context.tables(), rows, at).await? > 0 {
        return Ok(());
    }
    Err(missing(done).into())
}

fn missing(done: Done<'_>) -> Refusal {
    match done {
        Done::Accession(Rows::Id(row)) => Refusal::NoAccessionWithId(row),
        Done::Accession(Rows::Barcode(text)) => Refusal::NoAccessionWithBarcode(text.to_owned()),
        Done::Retrieval(Rows::Id(row)) => Refusal::NoRetrievalWithId(row),
        Done::Retrieval(Rows::Barcode(text)) => Refusal::NoRetrievalWithBarcode(text.to_owned()),
    }
}
