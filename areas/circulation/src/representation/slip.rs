//! The tokens of a staff slip about an item.

use octavo_library::id_at;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::item::{copy_number, primary, set};
use crate::circulation_config::CirculationConfig;
use crate::store::item::ItemAtDesk;

/// The item's part of a slip.
#[must_use]
pub fn slip(
    at_desk: &ItemAtDesk,
    document: &Map<String, Value>,
    config: &CirculationConfig,
) -> Value {
    let nothing = Value::Null;
    let own = |name: &str| document.get(name).unwrap_or(&nothing);
    let mut slip = of_title(&at_desk.instance);
    set(&mut slip, "barcode", own("barcode").clone());
    set(&mut slip, "status", own("status")["name"].clone());
    let copied = [
        "enumeration",
        "volume",
        "chronology",
        "numberOfPieces",
        "displaySummary",
        "descriptionOfPieces",
        "accessionNumber",
    ];
    for name in copied {
        set(&mut slip, name, own(name).clone());
    }
    for name in ["yearCaption", "administrativeNotes"] {
        slip.insert(name.to_owned(), joined(own(name), None));
    }
    let name_of = |value: &Value| json!(config.name(id_at::<Uuid>(value)));
    set(&mut slip, "materialType", name_of(own("materialTypeId")));
    let temporary = own("temporaryLoanTypeId");
    let loan_type = match temporary {
        Value::Null => own("permanentLoanTypeId"),
        temporary => temporary,
    };
    set(&mut slip, "loanType", name_of(loan_type));
    let copy = copy_number(at_desk, document);
    let copy = if copy.is_null() { json!("") } else { copy };
    slip.insert("copy".to_owned(), copy);
    place(&mut slip, own("effectiveLocationId"), config);
    let call_number = own("effectiveCallNumberComponents");
    set(&mut slip, "callNumber", call_number["callNumber"].clone());
    set(&mut slip, "callNumberPrefix", call_number["prefix"].clone());
    set(&mut slip, "callNumberSuffix", call_number["suffix"].clone());
    set(
        &mut slip,
        "shelvingOrder",
        own("effectiveShelvingOrder").clone(),
    );
    let point = |value: &Value| {
        let point = id_at(value).and_then(|id| config.service_points.get(&id));
        point.map_or(Value::Null, |point| point["name"].clone())
    };
    let to = point(own("inTransitDestinationServicePointId"));
    set(&mut slip, "toServicePoint", to);
    let from = point(&own("lastCheckIn")["servicePointId"]);
    set(&mut slip, "fromServicePoint", from);
    Value::Object(slip)
}

/// The tokens of a title.
#[must_use]
pub fn of_title(instance: &Value) -> Map<String, Value> {
    let mut slip = Map::new();
    set(&mut slip, "title", instance["title"].clone());
    set(&mut slip, "instanceHrid", instance["hrid"].clone());
    set(&mut slip, "primaryContributor", primary(instance));
    for (name, list, property) in [
        ("allContributors", "contributors", Some("name")),
        (
            "datesOfPublication",
            "publication",
            Some("dateOfPublication"),
        ),
        ("editions", "editions", None),
        ("seriesStatements", "series", Some("value")),
        ("physicalDescriptions", "physicalDescriptions", None),
    ] {
        slip.insert(name.to_owned(), joined(&instance[list], property));
    }
    slip
}

fn place(slip: &mut Map<String, Value>, location: &Value, config: &CirculationConfig) {
    let Some(location) = id_at(location).and_then(|id| config.locations.get(&id)) else {
        return;
    };
    let at = &location.place;
    let home = at.primary_service_point;
    let home = home.and_then(|id| config.service_points.get(&id));
    for (name, value) in [
        ("Specific", location.name.as_deref()),
        ("Library", config.name(at.library_id)),
        ("Campus", config.name(at.campus_id)),
        ("Institution", config.name(at.institution_id)),
        (
            "DiscoveryDisplayName",
            location.discovery_display_name.as_deref(),
        ),
        (
            "PrimaryServicePointName",
            home.and_then(|point| point["name"].as_str()),
        ),
    ] {
        set(slip, &format!("effectiveLocation{name}"), json!(value));
    }
}

/// The texts of a list, or of one property of its members, after one another.
fn joined(list: &Value, property: Option<&str>) -> Value {
    let texts: Vec<&str> = list
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| match property {
            Some(property) => one[property].as_str(),
            None => one.as_str(),
        })
        .collect();
    json!(texts.join("; "))
}
