//! A user record of someone who borrows.

use jiff::Timestamp;
use uuid::Uuid;

use super::Audit;
use crate::document::{Document, table};
use crate::json::Json;
use crate::reference::HOME_ADDRESS;

/// FOLIO's code for "contact by email".
const CONTACT_BY_EMAIL: &str = "002";

/// A home address.
pub(crate) struct Address<'a> {
    pub id: Uuid,
    pub line: &'a str,
    pub city: &'a str,
    pub postal_code: &'a str,
    /// ISO 3166 alpha-2.
    pub country: &'a str,
}

/// The properties in which patrons differ.
pub(crate) struct Patron<'a> {
    pub id: Uuid,
    pub username: &'a str,
    pub external_id: &'a str,
    pub barcode: &'a str,
    pub active: bool,
    pub group_id: Uuid,
    pub given_name: &'a str,
    pub family_name: &'a str,
    pub email: &'a str,
    pub phone: Option<&'a str>,
    pub address: Option<Address<'a>>,
    pub enrolled: Timestamp,
    pub expires: Timestamp,
    pub audit: Audit,
}

impl Patron<'_> {
    pub(crate) fn document(&self) -> Document {
        let json = Json::object(1_100, |json| {
            json.text("username", self.username);
            json.id("id", self.id);
            json.text("externalSystemId", self.external_id);
            json.text("barcode", self.barcode);
            json.flag("active", self.active);
            json.text("type", "patron");
            json.id("patronGroup", self.group_id);
            json.list("departments", |_| {});
            json.list("proxyFor", |_| {});
            self.personal(json);
            json.instant("enrollmentDate", self.enrolled);
            json.instant("expirationDate", self.expires);
            json.instant("createdDate", self.audit.created);
            json.instant("updatedDate", self.audit.updated);
            self.audit.write(json);
            json.list("preferredEmailCommunication", |_| {});
        });
        Document {
            table: table::USERS,
            id: self.id,
            json,
        }
    }

    fn personal(&self, json: &mut Json) {
        json.nested("personal", |json| {
            json.text("lastName", self.family_name);
            json.text("firstName", self.given_name);
            json.text("email", self.email);
            json.optional("phone", self.phone);
            json.list("addresses", |json| {
                if let Some(address) = &self.address {
                    json.element(|json| {
                        json.id("id", address.id);
                        json.text("countryId", address.country);
                        json.text("addressLine1", address.line);
                        json.text("city", address.city);
                        json.text("postalCode", address.postal_code);
                        json.id("addressTypeId", HOME_ADDRESS);
                        json.flag("primaryAddress", true);
                    });
                }
            });
            json.text("preferredContactTypeId", CONTACT_BY_EMAIL);
        });
    }
}
