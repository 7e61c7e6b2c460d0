//! The locations of both libraries: institution, campuses, libraries, shelving locations, and the
//! opening hours of the service points.
//!
//! Ids, names and codes are those of FOLIO's sample data, so that scripts written for a FOLIO demo
//! work. Service points are reference data and not made here.

use jiff::Timestamp;
use uuid::{Uuid, uuid};

use crate::document::{Document, table};
use crate::json::Json;
use crate::record::Audit;
use crate::reference::{location, service_point};

const INSTITUTION: Uuid = uuid!("40ee00ca-a518-4b49-be01-0638d0a4ac57");
const CITY_CAMPUS: Uuid = uuid!("62cf76b7-cca5-4d33-9217-edf42ce1a848");
const ONLINE_CAMPUS: Uuid = uuid!("470ff1dd-937a-4195-bf9e-06bcfcd135df");
const CITY_LIBRARY: Uuid = uuid!("5d78803e-ca04-4b4a-aeae-2c63b924518b");
const ONLINE_LIBRARY: Uuid = uuid!("c2549bb4-19c7-4fcc-8b52-39e612fb7dbe");

/// A location unit: table, id, name, code, and the unit above it.
type Unit = (
    &'static str,
    Uuid,
    &'static str,
    &'static str,
    Option<(&'static str, Uuid)>,
);

const UNITS: [Unit; 5] = [
    (
        table::INSTITUTION,
        INSTITUTION,
        "Københavns Universitet",
        "KU",
        None,
    ),
    (
        table::CAMPUS,
        CITY_CAMPUS,
        "City Campus",
        "CC",
        Some(("institutionId", INSTITUTION)),
    ),
    (
        table::CAMPUS,
        ONLINE_CAMPUS,
        "Online",
        "E",
        Some(("institutionId", INSTITUTION)),
    ),
    (
        table::LIBRARY,
        CITY_LIBRARY,
        "Datalogisk Institut",
        "DI",
        Some(("campusId", CITY_CAMPUS)),
    ),
    (
        table::LIBRARY,
        ONLINE_LIBRARY,
        "Online",
        "E",
        Some(("campusId", ONLINE_CAMPUS)),
    ),
];

/// A shelving location: id, name, code, discovery name, description.
type Shelves = (Uuid, &'static str, &'static str, &'static str, &'static str);

const SHELVES: [Shelves; 6] = [
    (
        location::MAIN_LIBRARY,
        "Main Library",
        "KU/CC/DI/M",
        "Main Library",
        "Fiction and open shelves",
    ),
    (
        location::ANNEX,
        "Annex",
        "KU/CC/DI/A",
        "Annex",
        "Closed stack, further copies",
    ),
    (
        location::SECOND_FLOOR,
        "SECOND FLOOR",
        "KU/CC/DI/2",
        "Second floor",
        "Non-fiction and journals",
    ),
    (
        location::POPULAR_READING,
        "Popular Reading Collection",
        "KU/CC/DI/P",
        "Popular reading",
        "Children's books and films",
    ),
    (
        location::ETHNO_CD,
        "ORWIG ETHNO CD",
        "KU/CC/DI/O",
        "Music room",
        "Sound recordings",
    ),
    (
        location::ONLINE,
        "Online",
        "E",
        "Online",
        "Electronic resources",
    ),
];

/// The documents of all location units and locations, parents first, then of all calendars.
pub fn locations(now: Timestamp) -> impl Iterator<Item = Document> {
    let units = UNITS.iter().map(move |unit| unit_document(unit, now));
    let shelves = SHELVES
        .iter()
        .map(move |shelves| location_document(shelves, now));
    units.chain(shelves).chain(crate::calendars::calendars(now))
}

/// The primary service point of a location.
pub(crate) fn primary_service_point(place: Uuid) -> Uuid {
    match place {
        location::ANNEX => service_point::CIRC_DESK_2,
        location::ONLINE => service_point::ONLINE,
        _ => service_point::CIRC_DESK_1,
    }
}

fn unit_document((table, id, name, code, parent): &Unit, now: Timestamp) -> Document {
    let json = Json::object(320, |json| {
        json.id("id", *id);
        json.text("name", name);
        json.text("code", code);
        if let Some((property, parent)) = parent {
            json.id(property, *parent);
        }
        json.flag("isShadow", false);
        Audit::once(now).write(json);
    });
    Document {
        table,
        id: *id,
        json,
    }
}

fn location_document((id, name, code, display, about): &Shelves, now: Timestamp) -> Document {
    let online = *id == location::ONLINE;
    let json = Json::object(640, |json| {
        json.id("id", *id);
        json.text("name", name);
        json.text("code", code);
        json.text("description", about);
        json.text("discoveryDisplayName", display);
        json.flag("isActive", true);
        json.id("institutionId", INSTITUTION);
        json.id("campusId", if online { ONLINE_CAMPUS } else { CITY_CAMPUS });
        json.id(
            "libraryId",
            if online { ONLINE_LIBRARY } else { CITY_LIBRARY },
        );
        json.nested("details", |_| {});
        json.id("primaryServicePoint", primary_service_point(*id));
        json.ids("servicePointIds", &[primary_service_point(*id)]);
        json.flag("isFloatingCollection", false);
        json.flag("isShadow", false);
        Audit::once(now).write(json);
    });
    Document {
        table: table::LOCATION,
        id: *id,
        json,
    }
}
