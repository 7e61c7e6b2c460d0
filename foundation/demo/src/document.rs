//! The unit that is handed over: one record, ready to be stored.

use uuid::Uuid;

/// Table names, as FOLIO's storage modules call them.
pub mod table {
    /// Institutions, the top of the location tree.
    pub const INSTITUTION: &str = "locinstitution";
    /// Campuses.
    pub const CAMPUS: &str = "loccampus";
    /// Libraries.
    pub const LIBRARY: &str = "loclibrary";
    /// Shelving locations.
    pub const LOCATION: &str = "location";
    /// Opening hours of service points.
    pub const CALENDAR: &str = "calendar";
    /// Users, of which patrons are the ones who borrow.
    pub const USERS: &str = "users";
    /// Bibliographic descriptions.
    pub const INSTANCE: &str = "instance";
    /// Runs that brought MARC records in.
    pub const SNAPSHOT: &str = "snapshot";
    /// MARC records, one of each instance.
    pub const SOURCE_RECORD: &str = "source_record";
    /// Holdings of one instance at one location.
    pub const HOLDINGS: &str = "holdings_record";
    /// Copies that can be taken from a shelf.
    pub const ITEM: &str = "item";
    /// Loans.
    pub const LOAN: &str = "loan";
}

/// The tables of [`crate::locations`]: every library starts with these documents, and a caller who
/// puts a second library into one tenant skips them.
pub const PLACE_TABLES: [&str; 5] = [
    table::INSTITUTION,
    table::CAMPUS,
    table::LIBRARY,
    table::LOCATION,
    table::CALENDAR,
];

/// One record: where it belongs, its id, and its JSON text (which holds the same `id`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Table name, one of [`table`].
    pub table: &'static str,
    /// Primary key; a version 4 UUID unless FOLIO's sample data fixes another.
    pub id: Uuid,
    /// The whole record as compact JSON.
    pub json: String,
}
