//! The record type of calendars.

use octavo_records::{Collection, Index};

pub const TABLE: &str = "calendar";

/// The first or last day of a calendar, compared as text.
#[must_use]
pub fn by_date(field: &str) -> Index {
    Index::plain(field).case_sensitive().keep_accents()
}

/// The calendars. Their service points are indexed by this area's migration `calendar_version`.
#[must_use]
pub fn calendars() -> Collection {
    Collection::new(TABLE, "calendars", include_str!("shapes/calendar.shape"))
        .index(by_date("startDate"))
        .index(by_date("endDate"))
}
