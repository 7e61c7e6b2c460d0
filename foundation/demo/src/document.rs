//! One record, ready to be stored: the unit that this crate returns.

use uuid::Uuid;

/// Table names of FOLIO's storage modules.
pub mod table {
    pub const INSTITUTION: &str = "locinstitution";
    pub const CAMPUS: &str = "loccampus";
    pub const LIBRARY: &str = "loclibrary";
    pub const LOCATION: &str = "location";
    /// Opening hours of service points.
    pub const CALENDAR: &str = "calendar";
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
    pub const LOAN: &str = "loan";
    /// Vendors and the like.
    pub const ORGANIZATION: &str = "organizations";
    pub const ORDER: &str = "purchase_order";
    pub const ORDER_LINE: &str = "po_line";
    /// Titles of order lines.
    pub const ORDER_TITLE: &str = "titles";
    /// Pieces that are received.
    pub const PIECE: &str = "pieces";
    pub const FISCAL_YEAR: &str = "fiscal_year";
    pub const LEDGER: &str = "ledger";
    pub const FUND: &str = "fund";
    pub const BUDGET: &str = "budget";
    /// Movements and commitments of money.
    pub const TRANSACTION: &str = "transaction";
    pub const INVOICE: &str = "invoices";
    pub const INVOICE_LINE: &str = "invoice_lines";
    /// Which invoices are about which orders.
    pub const ORDER_INVOICE: &str = "order_invoice_relationship";
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

/// One record: its table, its id, and its JSON text, which holds the same `id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Table name, one of [`table`].
    pub table: &'static str,
    /// Primary key; a version 4 UUID unless FOLIO's sample data fixes another.
    pub id: Uuid,
    /// The whole record as compact JSON.
    pub json: String,
}
