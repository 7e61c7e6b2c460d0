//! The facts of check-out and check-in: item, patron and request queue as read from the records, with
//! small queries on them. No I/O.

mod item;
mod log_entry;
mod patron;
mod queue;

pub use item::Item;
pub use log_entry::{LogEntry, LogItem, LogLinks, LogRecord};
pub use patron::{AutomatedBlock, ManualBlock};
pub use queue::{QueuedRequest, RequestQueue};

use octavo_library::{Patron, PatronGroupId};

use crate::refusal::Refusal;
use crate::rules::Criteria;

/// The criteria of an item and a patron for the circulation rules.
///
/// # Errors
/// When a record lacks a criterion.
pub fn rule_criteria(item: &Item, patron: &Patron) -> Result<Criteria, Refusal> {
    group_criteria(item, patron.patron_group)
}

/// The criteria of an item and a patron group for the circulation rules.
///
/// # Errors
/// When the item lacks a criterion, or there is no group.
pub fn group_criteria(
    item: &Item,
    patron_group: Option<PatronGroupId>,
) -> Result<Criteria, Refusal> {
    let missing = |reason| Refusal::CirculationRulesNotApplicable { reason };
    let patron_group = patron_group.ok_or_else(|| {
        missing("Unable to apply circulation rules to a user with null value as patronGroupId")
    })?;
    let location = item.effective_location_id.ok_or_else(|| {
        missing("Unable to apply circulation rules to an item with null value as locationId")
    })?;
    let loan_type = item.loan_type_id.ok_or_else(|| {
        missing(
            "Unable to apply circulation rules to an item which loan type can not be determined",
        )
    })?;
    let material_type = item.material_type_id.ok_or_else(|| {
        missing("Unable to apply circulation rules to an item with null value as materialTypeId")
    })?;
    let place = item.place.as_ref();
    Ok(Criteria {
        patron_group,
        material_type,
        loan_type,
        location,
        institution: place.and_then(|place| place.institution_id),
        campus: place.and_then(|place| place.campus_id),
        library: place.and_then(|place| place.library_id),
    })
}
