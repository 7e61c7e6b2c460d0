//! One copy with its barcode, location and status.

use jiff::Timestamp;
use uuid::Uuid;

use super::shelving::shelving_order;
use super::{Audit, hrid};
use crate::document::{Document, table};
use crate::json::Json;
use crate::reference::item_note_type;

/// A call number as its holdings record has it; the items inherit it.
#[derive(Clone, Copy)]
pub(crate) struct CallNumber<'a> {
    pub prefix: Option<&'a str>,
    pub number: &'a str,
    pub type_id: Uuid,
}

/// The properties in which items differ.
pub(crate) struct Item<'a> {
    pub id: Uuid,
    pub number: u64,
    pub holdings_id: Uuid,
    pub barcode: &'a str,
    pub call_number: CallNumber<'a>,
    pub chronology: Option<&'a str>,
    pub copy_number: Option<&'a str>,
    pub pieces: Option<&'a str>,
    pub material_type_id: Uuid,
    pub loan_type_id: Uuid,
    /// The holdings record's location, which the item inherits.
    pub location_id: Uuid,
    pub status: &'a str,
    pub status_date: Timestamp,
    pub in_transit_to: Option<Uuid>,
    pub damaged_status_id: Option<Uuid>,
    pub note: Option<&'a str>,
    pub check_in_note: Option<&'a str>,
    pub statistical_code_ids: &'a [Uuid],
    /// When, at which service point and by whom it was last checked in.
    pub last_check_in: Option<(Timestamp, Uuid, Uuid)>,
    pub audit: Audit,
}

impl Item<'_> {
    pub(crate) fn document(&self) -> Document {
        let json = Json::object(1_280, |json| {
            json.id("id", self.id);
            json.number("_version", 1);
            json.text("hrid", &hrid("it", self.number));
            json.id("holdingsRecordId", self.holdings_id);
            json.list("formerIds", |_| {});
            json.flag("discoverySuppress", false);
            json.text("barcode", self.barcode);
            self.shelf_mark(json);
            self.condition(json);
            self.circulation(json);
            json.list("electronicAccess", |_| {});
            if let Some(service_point) = self.in_transit_to {
                json.id("inTransitDestinationServicePointId", service_point);
            }
            json.ids("statisticalCodeIds", self.statistical_code_ids);
            json.nested("tags", |json| json.list("tagList", |_| {}));
            self.audit.write(json);
            self.check_in(json);
        });
        Document {
            table: table::ITEM,
            id: self.id,
            json,
        }
    }

    fn shelf_mark(&self, json: &mut Json) {
        let parts = [self.chronology, self.copy_number];
        json.text(
            "effectiveShelvingOrder",
            &shelving_order(self.call_number, parts),
        );
        json.nested("effectiveCallNumberComponents", |json| {
            json.text("callNumber", self.call_number.number);
            json.optional("prefix", self.call_number.prefix);
            json.id("typeId", self.call_number.type_id);
        });
        json.optional("chronology", self.chronology);
        json.list("yearCaption", |_| {});
        json.optional("copyNumber", self.copy_number);
    }

    fn condition(&self, json: &mut Json) {
        json.optional("numberOfPieces", self.pieces);
        if let Some(damaged) = self.damaged_status_id {
            json.id("itemDamagedStatusId", damaged);
        }
        json.list("administrativeNotes", |_| {});
        json.list("notes", |json| {
            if let Some(note) = self.note {
                json.element(|json| {
                    json.id("itemNoteTypeId", item_note_type::NOTE);
                    json.text("note", note);
                    json.flag("staffOnly", false);
                });
            }
        });
        json.list("circulationNotes", |json| {
            if let Some(note) = self.check_in_note {
                json.element(|json| {
                    json.text("noteType", "Check in");
                    json.text("note", note);
                    json.flag("staffOnly", true);
                });
            }
        });
    }

    fn circulation(&self, json: &mut Json) {
        json.nested("status", |json| {
            json.text("name", self.status);
            json.instant("date", self.status_date);
        });
        json.id("materialTypeId", self.material_type_id);
        json.id("permanentLoanTypeId", self.loan_type_id);
        json.id("effectiveLocationId", self.location_id);
    }

    fn check_in(&self, json: &mut Json) {
        if let Some((moment, service_point, staff_member)) = self.last_check_in {
            json.nested("lastCheckIn", |json| {
                json.instant("dateTime", moment);
                json.id("servicePointId", service_point);
                json.id("staffMemberId", staff_member);
            });
        }
    }
}
