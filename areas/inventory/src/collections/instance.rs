//! Instances and their relationships.

use octavo_records::{Collection, Index, Operations};

/// The instance, then what links two of them.
#[must_use]
pub fn all() -> Vec<Collection> {
    vec![
        instance(),
        instance_relationship(),
        preceding_succeeding_title(),
    ]
}

/// `statusId` is not a foreign key: FOLIO declares it on a misnamed property, so it is never enforced.
fn instance() -> Collection {
    Collection::new(
        "instance",
        "instances",
        include_str!("../shapes/instance.shape"),
    )
    .locked()
    .hrid("instance_hrids")
    .shorthand("item", "holdingsRecords.item")
    .events("inventory.instance")
    .audited("audit_instance", "record", Operations::Deletes)
    .plain_conflicts()
    .reference("modeOfIssuanceId", "mode_of_issuance")
    .reference("dates.dateTypeId", "instance_date_type")
    .reference("instanceTypeId", "instance_type")
    .index(Index::unique("hrid"))
    .index(Index::unique("matchKey"))
    .index(Index::plain("source").keep_accents())
    // No statement of the product reads by it: searches and lists sort by their own keys.
    .index(Index::plain("indexTitle").on_demand())
    .index(Index::plain("title"))
    .index(Index::plain("sourceUri").present())
    // FOLIO indexes the text of the list, which no search for one code can use.
    .index(
        Index::plain("statisticalCodeIds")
            .keep_accents()
            .on_demand(),
    )
    .index(
        Index::plain("staffSuppress")
            .keep_accents()
            .except(&["false"]),
    )
    .index(
        Index::plain("discoverySuppress")
            .keep_accents()
            .except(&["false"]),
    )
    .index(Index::plain("metadata.updatedDate").keep_accents())
    .index(Index::full_text("title"))
    .index(Index::full_text("contributors").over(&["contributors[*].name"]))
    .index(Index::full_text("identifiers").elements("value", &["identifierTypeId"]))
    .index(numbers("isbn", ISBN))
    .index(numbers("invalidIsbn", INVALID_ISBN))
    .index(keyword())
}

/// FOLIO's identifier type for ISBNs.
const ISBN: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";
/// FOLIO's identifier type for invalid ISBNs.
const INVALID_ISBN: &str = "fcca2643-406a-482a-b760-7a7f8aec640e";

/// The identifiers of one type, with digit grouping ignored.
fn numbers(name: &str, type_id: &str) -> Index {
    Index::full_text(name)
        .expression(&format!(
            "public.octavo_identifiers(jsonb->'identifiers', '{type_id}')"
        ))
        .term("public.octavo_digits($)")
}

/// The keyword index: titles, contributors and identifiers, as in FOLIO's storage before its search
/// engine, which covers more.
fn keyword() -> Index {
    Index::full_text("keyword").over(&[
        "title",
        "indexTitle",
        "alternativeTitles[*].alternativeTitle",
        "series[*].value",
        "contributors[*].name",
        "identifiers[*].value",
    ])
}

fn instance_relationship() -> Collection {
    Collection::new(
        "instance_relationship",
        "instanceRelationships",
        include_str!("../shapes/instance_relationship.shape"),
    )
    .plain_conflicts()
    .reference("superInstanceId", "instance")
    .reference("subInstanceId", "instance")
    .reference("instanceRelationshipTypeId", "instance_relationship_type")
}

fn preceding_succeeding_title() -> Collection {
    Collection::new(
        "preceding_succeeding_title",
        "precedingSucceedingTitles",
        include_str!("../shapes/preceding_succeeding_title.shape"),
    )
    .listed_conflicts()
    .reference("precedingInstanceId", "instance")
    .reference("succeedingInstanceId", "instance")
}
