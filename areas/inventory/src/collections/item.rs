//! Holdings, their items, and the items that several holdings share.

use octavo_records::{Collection, Index, Operations};

/// Holdings before items, and both before what binds them.
#[must_use]
pub fn all() -> Vec<Collection> {
    vec![holdings_record(), item(), bound_with_part()]
}

fn holdings_record() -> Collection {
    Collection::new(
        "holdings_record",
        "holdingsRecords",
        include_str!("../shapes/holdings_record.shape"),
    )
    .locked()
    .upsert()
    .hrid("holdings_hrids")
    .events("inventory.holdings-record")
    .audited("audit_holdings_record", "record", Operations::Deletes)
    .listed_conflicts()
    .crossing("instanceId", "instance", "holdingsRecords", "instance")
    .reference("permanentLocationId", "location")
    .reference("temporaryLocationId", "location")
    .reference("holdingsTypeId", "holdings_type")
    .reference("callNumberTypeId", "call_number_type")
    .reference("illPolicyId", "ill_policy")
    .reference("sourceId", "holdings_records_source")
    .index(Index::unique("hrid"))
    .index(Index::plain("callNumber").keep_accents())
    // Searches by these go to the narrow rows of the search area.
    .index(
        Index::plain("callNumberAndSuffix")
            .over(&["callNumber", "callNumberSuffix"])
            .keep_accents()
            .on_demand(),
    )
    .index(
        Index::plain("fullCallNumber")
            .over(&["callNumberPrefix", "callNumber", "callNumberSuffix"])
            .keep_accents()
            .on_demand(),
    )
    .index(
        Index::plain("discoverySuppress")
            .keep_accents()
            .except(&["false"]),
    )
    // For harvesters' queries of changed records.
    .index(Index::plain("metadata.updatedDate").keep_accents())
    // Searches of holdings reach the location; searches of locations do not reach holdings.
    .reaching("effectiveLocationId", "location", "effectiveLocation")
}

/// Items also answer to `item.` in searches of instances and know their instance as `instance.`:
/// both by way of the holdings.
fn item() -> Collection {
    Collection::new("item", "items", include_str!("../shapes/item.shape"))
        .often_updated()
        .locked()
        .hrid("item_hrids")
        .shorthand("instance", "holdingsRecords.instance")
        .events("inventory.item")
        .events_telling("instanceId", "holdingsRecordId")
        .audited("audit_item", "record", Operations::Deletes)
        .crossing(
            "holdingsRecordId",
            "holdings_record",
            "item",
            "holdingsRecords",
        )
        .reference("permanentLoanTypeId", "loan_type")
        .reference("temporaryLoanTypeId", "loan_type")
        .reference("materialTypeId", "material_type")
        .reference("permanentLocationId", "location")
        .reference("temporaryLocationId", "location")
        .reference("effectiveLocationId", "location")
        .index(Index::unique("barcode").keep_accents())
        .index(Index::unique("hrid"))
        .index(Index::plain("accessionNumber").keep_accents().present())
        // What every check-out and check-in changes; nearly all items are one or the other.
        .index(Index::plain("status.name").except(&["Available", "Checked out"]))
        .index(
            Index::plain("discoverySuppress")
                .keep_accents()
                .except(&["false"]),
        )
        .index(
            Index::plain("purchaseOrderLineIdentifier")
                .keep_accents()
                .present(),
        )
        .index(Index::plain("effectiveCallNumberComponents.callNumber").keep_accents())
        // Call numbers with prefix and suffix are what `/search/instances` finds, in rows of its own.
        .index(
            Index::plain("callNumberAndSuffix")
                .over(&[
                    "effectiveCallNumberComponents.callNumber",
                    "effectiveCallNumberComponents.suffix",
                ])
                .keep_accents()
                .on_demand(),
        )
        .index(
            Index::plain("fullCallNumber")
                .over(&[
                    "effectiveCallNumberComponents.prefix",
                    "effectiveCallNumberComponents.callNumber",
                    "effectiveCallNumberComponents.suffix",
                ])
                .keep_accents()
                .on_demand(),
        )
        .index(Index::full_text("formerIds"))
}

fn bound_with_part() -> Collection {
    Collection::new(
        "bound_with_part",
        "boundWithParts",
        include_str!("../shapes/bound_with_part.shape"),
    )
    .events("inventory.bound-with")
    .reference("itemId", "item")
    .reference("holdingsRecordId", "holdings_record")
    .index(Index::unique("itemId").with(&["holdingsRecordId"]))
}
