//! Where things are: institutions, campuses, libraries, locations and service points.

use octavo_records::{Collection, Index};

/// Institutions first, down to the service points that users work at.
#[must_use]
pub fn all() -> Vec<Collection> {
    vec![
        institution(),
        campus(),
        library(),
        location(),
        service_point(),
        service_point_user(),
    ]
}

fn institution() -> Collection {
    Collection::new(
        "locinstitution",
        "locinsts",
        include_str!("../shapes/locinstitution.shape"),
    )
    .reads_cached()
    .events("inventory.institution")
    .index(Index::unique("name"))
    .index(Index::plain("isShadow").keep_accents())
}

fn campus() -> Collection {
    Collection::new(
        "loccampus",
        "loccamps",
        include_str!("../shapes/loccampus.shape"),
    )
    .reads_cached()
    .events("inventory.campus")
    .reference("institutionId", "locinstitution")
    .index(Index::unique("name"))
    .index(Index::plain("isShadow").keep_accents())
}

fn library() -> Collection {
    Collection::new(
        "loclibrary",
        "loclibs",
        include_str!("../shapes/loclibrary.shape"),
    )
    .reads_cached()
    .events("inventory.library")
    .reference("campusId", "loccampus")
    .index(Index::unique("name"))
    .index(Index::plain("isShadow").keep_accents())
}

/// FOLIO checks the service points of a location by its own code, not by a foreign key.
fn location() -> Collection {
    Collection::new(
        "location",
        "locations",
        include_str!("../shapes/location.shape"),
    )
    .reads_cached()
    .events("inventory.location")
    .listed_conflicts()
    .reference("institutionId", "locinstitution")
    .reference("campusId", "loccampus")
    .reference("libraryId", "loclibrary")
    .index(Index::unique("name"))
    .index(Index::unique("code"))
    .index(Index::plain("primaryServicePoint").keep_accents())
    .index(Index::plain("isShadow").keep_accents())
}

fn service_point() -> Collection {
    Collection::new(
        "service_point",
        "servicepoints",
        include_str!("../shapes/service_point.shape"),
    )
    .reads_cached()
    .events("inventory.service-point")
    .listed_conflicts()
    .index(Index::unique("name"))
    .index(Index::unique("code"))
    .index(Index::plain("pickupLocation").keep_accents())
    .index(Index::plain("ecsRequestRouting").keep_accents())
}

fn service_point_user() -> Collection {
    Collection::new(
        "service_point_user",
        "servicePointsUsers",
        include_str!("../shapes/service_point_user.shape"),
    )
    .reference("defaultServicePointId", "service_point")
    .index(Index::unique("userId"))
}
