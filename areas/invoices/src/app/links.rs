//! Links the distributions of lines to the encumbrances of their order lines in a fiscal year.

use octavo_boxed::boxed;
use octavo_finance::app::lookups::{Wanted, transactions};
use octavo_finance::records::{FundTransaction, Kind};
use octavo_finance::store::accounts::Hold;
use octavo_records::StoreError;
use uuid::Uuid;

use super::keep::Work;
use crate::rules::distribution::{Distribution, link};
use crate::rules::document;
use crate::rules::links::matching;
use crate::store::invoices::Stored;

/// The encumbrances of order lines in a fiscal year, locked.
#[boxed]
pub async fn encumbrances(
    work: Work<'_>,
    po_lines: &[Uuid],
    year: Uuid,
) -> Result<Vec<FundTransaction>, StoreError> {
    let tables = work.context.tables();
    let wanted = Wanted::Lines(po_lines);
    let found = transactions(work.transaction, tables, wanted, Hold::Yes).await?;
    let is_wanted =
        |one: &FundTransaction| one.kind == Kind::Encumbrance && one.fiscal_year_id == year;
    Ok(found.into_iter().filter(is_wanted).collect())
}

/// The order lines of lines, each once.
#[must_use]
pub fn po_lines<'a>(lines: impl Iterator<Item = &'a Stored>) -> Vec<Uuid> {
    let mut found: Vec<Uuid> = lines
        .filter_map(|(_, line)| document::id(line, "poLineId"))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Links the lines anew; gives the encumbrances of all their order lines.
///
/// # Errors
/// When the database does not answer.
pub async fn relink(
    work: Work<'_>,
    year: Uuid,
    lines: &mut [Stored],
) -> Result<Vec<FundTransaction>, StoreError> {
    let found = encumbrances(work, &po_lines(lines.iter()), year).await?;
    for (_, line) in lines.iter_mut() {
        let po_line = document::id(line, "poLineId");
        let links = matching(po_line, &Distribution::all(line), &found);
        let _ = link(line, &links);
    }
    Ok(found)
}
