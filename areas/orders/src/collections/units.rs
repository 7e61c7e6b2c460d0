//! Acquisitions units and who belongs to them.

use octavo_records::{Collection, Index};

use super::MOST_COUNTED;

/// Units before their members.
#[must_use]
pub(super) fn all() -> Vec<Collection> {
    vec![
        Collection::new(
            "acquisitions_unit",
            "acquisitionsUnits",
            include_str!("../shapes/acquisitions_unit.shape"),
        )
        .exact_count(MOST_COUNTED)
        .listed_conflicts()
        .index(Index::plain("isDeleted"))
        .index(Index::plain("protectRead"))
        .index(Index::plain("protectCreate"))
        .index(Index::unique("name")),
        Collection::new(
            "acquisitions_unit_membership",
            "acquisitionsUnitMemberships",
            include_str!("../shapes/acquisitions_unit_membership.shape"),
        )
        .exact_count(MOST_COUNTED)
        .plain_conflicts()
        .reference("acquisitionsUnitId", "acquisitions_unit")
        .index(Index::plain("userId")),
    ]
}
