//! A holdings record: what the library has of one title at one location.

use uuid::Uuid;

use super::{Audit, CallNumber, Medium, hrid};
use crate::document::{Document, table};
use crate::json::Json;
use crate::reference::HOLDINGS_SOURCE_FOLIO;

/// The properties in which holdings records differ.
pub(crate) struct Holdings<'a> {
    pub id: Uuid,
    pub number: u64,
    pub instance_id: Uuid,
    pub medium: Medium,
    pub location_id: Uuid,
    pub call_number: CallNumber<'a>,
    /// A statement of the run held, for journals.
    pub statement: Option<&'a str>,
    pub audit: Audit,
}

impl Holdings<'_> {
    pub(crate) fn document(&self) -> Document {
        let json = Json::object(1_200, |json| {
            json.id("id", self.id);
            json.number("_version", 1);
            json.id("sourceId", HOLDINGS_SOURCE_FOLIO);
            json.text("hrid", &hrid("ho", self.number));
            json.id("holdingsTypeId", self.medium.holdings_type());
            json.list("formerIds", |_| {});
            json.id("instanceId", self.instance_id);
            json.id("permanentLocationId", self.location_id);
            json.id("effectiveLocationId", self.location_id);
            json.list("electronicAccess", |_| {});
            json.id("callNumberTypeId", self.call_number.type_id);
            json.optional("callNumberPrefix", self.call_number.prefix);
            json.text("callNumber", self.call_number.number);
            for empty in ["administrativeNotes", "notes"] {
                json.list(empty, |_| {});
            }
            json.list("holdingsStatements", |json| {
                if let Some(statement) = self.statement {
                    json.element(|json| json.text("statement", statement));
                }
            });
            json.list("holdingsStatementsForIndexes", |_| {});
            json.list("holdingsStatementsForSupplements", |_| {});
            json.flag("discoverySuppress", false);
            json.list("statisticalCodeIds", |_| {});
            json.nested("tags", |json| json.list("tagList", |_| {}));
            self.audit.write(json);
        });
        Document {
            table: table::HOLDINGS,
            id: self.id,
            json,
        }
    }
}
