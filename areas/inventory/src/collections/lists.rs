//! The reference lists of inventory: short tables of names that records point to by id.

use octavo_records::{Collection, Index};

const NAMED: &str = include_str!("../shapes/named.shape");
const SOURCE_OPTIONAL: &str = include_str!("../shapes/named_source_optional.shape");
const CODED: &str = include_str!("../shapes/coded.shape");

/// The lists, in the order FOLIO's plans read them; those that refer to another come after it.
#[must_use]
pub fn all() -> Vec<Collection> {
    vec![
        list("identifier_type", "identifierTypes", SOURCE_OPTIONAL),
        coded("contributor_type", "contributorTypes", CODED),
        contributor_name_type(),
        coded("instance_format", "instanceFormats", CODED),
        coded("instance_type", "instanceTypes", CODED),
        list(
            "classification_type",
            "classificationTypes",
            SOURCE_OPTIONAL,
        )
        .events("inventory.classification-type"),
        list("alternative_title_type", "alternativeTitleTypes", NAMED),
        instance_relationship_type(),
        coded("instance_status", "instanceStatuses", CODED),
        list("mode_of_issuance", "issuanceModes", SOURCE_OPTIONAL),
        list("instance_note_type", "instanceNoteTypes", NAMED),
        list(
            "electronic_access_relationship",
            "electronicAccessRelationships",
            SOURCE_OPTIONAL,
        ),
        statistical_code_type(),
        statistical_code(),
        list("ill_policy", "illPolicies", NAMED),
        list("holdings_type", "holdingsTypes", NAMED),
        list("call_number_type", "callNumberTypes", NAMED).events("inventory.call-number-type"),
        list("holdings_note_type", "holdingsNoteTypes", NAMED),
        list("item_note_type", "itemNoteTypes", NAMED),
        list("item_damaged_status", "itemDamageStatuses", NAMED),
        list("nature_of_content_term", "natureOfContentTerms", NAMED),
        list("material_type", "mtypes", SOURCE_OPTIONAL),
        list("loan_type", "loantypes", SOURCE_OPTIONAL),
        holdings_records_source(),
        subject_type(),
        subject_source(),
        instance_date_type(),
        hrid_settings(),
    ]
}

/// A list whose names are unique.
fn list(table: &'static str, key: &'static str, shape: &str) -> Collection {
    Collection::new(table, key, shape)
        .reads_cached()
        .index(Index::unique("name"))
}

/// A list whose names and codes are unique.
fn coded(table: &'static str, key: &'static str, shape: &str) -> Collection {
    list(table, key, shape).index(Index::unique("code"))
}

fn contributor_name_type() -> Collection {
    list(
        "contributor_name_type",
        "contributorNameTypes",
        include_str!("../shapes/contributor_name_type.shape"),
    )
}

fn instance_relationship_type() -> Collection {
    list(
        "instance_relationship_type",
        "instanceRelationshipTypes",
        include_str!("../shapes/instance_relationship_type.shape"),
    )
}

/// FOLIO's unique key is on a `code` that the record type does not have: names may repeat.
fn statistical_code_type() -> Collection {
    Collection::new("statistical_code_type", "statisticalCodeTypes", NAMED)
        .reads_cached()
        .index(Index::plain("name"))
}

fn statistical_code() -> Collection {
    list(
        "statistical_code",
        "statisticalCodes",
        include_str!("../shapes/statistical_code.shape"),
    )
    .reference("statisticalCodeTypeId", "statistical_code_type")
    .index(Index::unique("code").with(&["statisticalCodeTypeId"]))
}

fn holdings_records_source() -> Collection {
    list(
        "holdings_records_source",
        "holdingsRecordsSources",
        include_str!("../shapes/holdings_records_source.shape"),
    )
}

fn subject_type() -> Collection {
    list(
        "subject_type",
        "subjectTypes",
        include_str!("../shapes/subject_type.shape"),
    )
    .events("inventory.subject-type")
}

fn subject_source() -> Collection {
    coded(
        "subject_source",
        "subjectSources",
        include_str!("../shapes/subject_source.shape"),
    )
    .events("inventory.subject-source")
}

/// Codes of MARC 008/06. Nothing but the name can be changed, and that through its own route.
fn instance_date_type() -> Collection {
    Collection::new(
        "instance_date_type",
        "instanceDateTypes",
        include_str!("../shapes/instance_date_type.shape"),
    )
    .reads_cached()
    .index(Index::plain("name"))
    .events("inventory.instance-date-type")
}

/// One record: the prefixes and start numbers of human-readable ids.
fn hrid_settings() -> Collection {
    Collection::new(
        "hrid_settings",
        "hridSettings",
        include_str!("../shapes/hrid_settings.shape"),
    )
}
