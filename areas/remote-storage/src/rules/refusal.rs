//! Why mod-remote-storage refuses, with its messages.

use octavo_records::Violation;
use uuid::Uuid;

/// A refusal. `http` gives it its status and code.
#[derive(Debug)]
pub enum Refusal {
    /// Properties of a body are missing or wrong.
    Invalid(Vec<Violation>),
    NoAccessionConfiguration(Uuid),
    NoAccessionDetails,
    NoAccessionLocation(Uuid),
    NoAccessionItem(String),
    SeveralHoldings(Uuid),
    /// The storage has no location.
    NoLocation,
    /// The item lies at none of its locations.
    OtherLocation,
    /// The location has no primary service point.
    NoServicePoint,
    NoRetrieval {
        hold: String,
        storage: Uuid,
    },
    NoReturnConfiguration(Uuid),
    NoMapping(Uuid),
    NoRequester(String),
    NoItem(String),
    NoUser(String),
    NoAccessionWithId(Uuid),
    NoAccessionWithBarcode(String),
    NoRetrievalWithId(Uuid),
    NoRetrievalWithBarcode(String),
    /// What another module refused, in its words.
    Elsewhere(String),
}

impl octavo_records::Refusal for Refusal {}

impl Refusal {
    /// mod-remote-storage's message.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Refusal::Invalid(violations) => {
                let first = violations.first();
                first.map_or_else(String::new, |one| one.message.clone())
            }
            Refusal::NoAccessionConfiguration(id) => {
                format!("No configuration was found for remote storage id={id}")
            }
            Refusal::NoAccessionDetails => {
                "Remote storage configuration does not contain accession details".to_owned()
            }
            Refusal::NoAccessionLocation(id) => {
                format!("No location was found for remote storage id={id}")
            }
            Refusal::NoAccessionItem(barcode) => {
                format!("Item with barcode={barcode} was not found")
            }
            Refusal::SeveralHoldings(place) => {
                format!("More than one holdings record exist with permanent location id={place}")
            }
            Refusal::NoLocation => {
                "Folio location does not exist for remoteStorageConfigurationId".to_owned()
            }
            Refusal::OtherLocation => {
                "Item's location doesn't match any remote location".to_owned()
            }
            Refusal::NoServicePoint => {
                "Primary service point does not exist for locationId".to_owned()
            }
            Refusal::NoRetrieval { hold, storage } => format!(
                "Retrieval Queue Record with holdId={hold} not found for remoteStorageId={storage}"
            ),
            Refusal::NoReturnConfiguration(id) => {
                format!("Remote storage configuration does not exist for id {id}")
            }
            Refusal::NoMapping(place) => {
                format!("Mapping does not exist for folioLocationId {place}")
            }
            Refusal::NoRequester(id) => format!("User does not exist for requester id {id}"),
            Refusal::NoItem(barcode) => format!("Item with barcode {barcode} not found"),
            Refusal::NoUser(id) => format!("User with id {id} not found"),
            Refusal::NoAccessionWithId(id) => format!("Accession queue with id {id} not found"),
            Refusal::NoAccessionWithBarcode(barcode) => {
                format!("Accession queue with item barcode {barcode} not found")
            }
            Refusal::NoRetrievalWithId(id) => {
                format!("Retrieval queue record with id {id} not found")
            }
            Refusal::NoRetrievalWithBarcode(barcode) => {
                format!("Retrieval queue record with item barcode {barcode} not found")
            }
            Refusal::Elsewhere(message) => message.clone(),
        }
    }
}
