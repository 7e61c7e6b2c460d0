//! HTTP properties of the record types beyond shapes: open record types, Location headers of new
//! records, and lists with `resultInfo`.

use octavo_records::{Collection, QueryRefusal};

/// The path in the `Location` header of new records. That of statistical code types differs from their
/// route, as in FOLIO.
const LOCATIONS: [(&str, &str); 21] = [
    ("alternative_title_type", "/alternative-title-types/"),
    ("contributor_name_type", "/contributor-name-types/"),
    ("contributor_type", "/contributor-types/"),
    (
        "electronic_access_relationship",
        "/electronic-access-relationships/",
    ),
    ("holdings_note_type", "/holdings-note-types/"),
    ("identifier_type", "/identifier-types/"),
    ("ill_policy", "/ill-policies/"),
    ("instance_format", "/instance-formats/"),
    ("instance_note_type", "/instance-note-types/"),
    (
        "instance_relationship_type",
        "/instance-relationship-types/",
    ),
    ("instance_status", "/instance-statuses/"),
    ("instance_type", "/instance-types/"),
    ("item_damaged_status", "/item-damaged-statuses/"),
    ("item_note_type", "/item-note-types/"),
    ("loan_type", "/loan-types/"),
    ("material_type", "/material-types/"),
    ("mode_of_issuance", "/modes-of-issuance/"),
    ("nature_of_content_term", "/nature-of-content-terms/"),
    ("service_point", "/service-points/"),
    ("statistical_code", "/statistical-codes/"),
    ("statistical_code_type", "/statistical-code_types/"),
];

/// The record types that accept and store unknown properties.
const OPEN: [&str; 14] = [
    "classification_type",
    "contributor_name_type",
    "contributor_type",
    "electronic_access_relationship",
    "holdings_records_source",
    "identifier_type",
    "instance_format",
    "instance_relationship_type",
    "instance_status",
    "instance_type",
    "mode_of_issuance",
    "statistical_code_type",
    "subject_source",
    "subject_type",
];

/// The record types whose ids may be any text in FOLIO's schema: in PUT the path's id counts.
const IDS_OF_ANY_FORM: [&str; 33] = [
    "alternative_title_type",
    "call_number_type",
    "classification_type",
    "contributor_name_type",
    "contributor_type",
    "electronic_access_relationship",
    "holdings_note_type",
    "holdings_type",
    "identifier_type",
    "ill_policy",
    "instance_date_type",
    "instance_format",
    "instance_relationship",
    "instance_relationship_type",
    "instance_status",
    "instance_type",
    "item",
    "item_damaged_status",
    "item_note_type",
    "loan_type",
    "location",
    "loccampus",
    "locinstitution",
    "loclibrary",
    "material_type",
    "mode_of_issuance",
    "service_point",
    "service_point_user",
    "statistical_code",
    "statistical_code_type",
    "subject_source",
    "subject_type",
    "instance_source_marc",
];

/// The lists that are streamed in FOLIO: they have a `resultInfo`, and refuse queries by quoting them.
const STREAMED: [&str; 3] = ["instance", "holdings_record", "item"];

pub(super) fn on_the_wire(mut collection: Collection) -> Collection {
    let table = collection.table.clone();
    let is_among = |tables: &[&str]| tables.contains(&table.as_str());
    if let Some((_, prefix)) = LOCATIONS.iter().find(|(of, _)| *of == table) {
        collection = collection.located(prefix);
    }
    if is_among(&OPEN) {
        collection = collection.keeping_unknown();
    }
    if is_among(&IDS_OF_ANY_FORM) {
        collection = collection.path_id_wins();
    }
    if table == "item" {
        collection = collection.blank_before_column();
    }
    if is_among(&STREAMED) {
        collection = collection
            .with_result_info()
            .refusing_queries(QueryRefusal::Quoting);
    }
    collection
}
