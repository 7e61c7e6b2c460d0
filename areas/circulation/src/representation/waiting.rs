//! Pick slips and search slips.

use jiff::Timestamp;
use octavo_library::wire_time;
use serde_json::{Map, Value, json};

use super::notice::name_country;
use super::slip::{of_title, slip};
use crate::circulation_config::CirculationConfig;
use crate::store::waiting::Waiting;

/// The slips of waiting requests, sorted by location, shelf and title, the order in which staff walk.
#[must_use]
pub fn slips(
    waiting: Vec<Waiting>,
    point: Option<&str>,
    config: &CirculationConfig,
    now: Timestamp,
) -> Value {
    let now = json!(wire_time::format_z(now));
    let mut slips: Vec<([String; 3], Value)> = waiting
        .into_iter()
        .map(|one| {
            let item = item(&one, point, config);
            let place = ["effectiveLocationSpecific", "shelvingOrder", "title"]
                .map(|name| item.get(name).and_then(Value::as_str).unwrap_or("_"))
                .map(str::to_owned);
            let mut told = Map::new();
            told.insert("item".to_owned(), Value::Object(item));
            for (name, mut part) in one.slip {
                if name == "requester" {
                    name_country(&mut part);
                }
                told.insert(name, part);
            }
            told.insert("currentDateTime".to_owned(), now.clone());
            (place, Value::Object(told))
        })
        .collect();
    slips.sort_by(|(one, _), (other, _)| one.cmp(other));
    slips.into_iter().map(|(_, slip)| slip).collect()
}

/// The tokens of the item, or of the title for title level requests. The service point is that of the
/// query, since all locations are its own.
fn item(one: &Waiting, point: Option<&str>, config: &CirculationConfig) -> Map<String, Value> {
    let told = one.item.as_ref().map(|item| {
        let mut told = slip(item, &item.document, config);
        if let Some(told) = told.as_object_mut() {
            // Of the last check-in only the time is shown here.
            told.shift_remove("fromServicePoint");
            told.shift_remove("toServicePoint");
            let seen = item.document.get("lastCheckIn");
            if let Some(at) = seen.and_then(|seen| seen.get("dateTime")) {
                told.insert("lastCheckedInDateTime".to_owned(), wire_time::to_wire(at));
            }
        }
        told
    });
    let mut told = match told {
        Some(Value::Object(told)) => told,
        _ => of_title(&one.title),
    };
    if let Some(point) = point {
        let name = "effectiveLocationPrimaryServicePointName";
        told.insert(name.to_owned(), json!(point));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(title: &str, order: &str) -> Waiting {
        let mut slip = Map::new();
        let person = json!({"lastName": order, "primaryCountry": "GB"});
        slip.insert("requester".to_owned(), person);
        Waiting {
            item: None,
            title: json!({"title": title, "hrid": "in1", "contributors": []}),
            slip,
        }
    }

    #[test]
    fn slips_are_told_in_the_order_of_the_shelves_and_name_the_country() {
        let now = "2026-03-01T10:00:00Z".parse().expect("an instant");
        let waiting = vec![title("Romola", "1"), title("Adam Bede", "2")];
        let slips = slips(waiting, Some("Desk"), &CirculationConfig::default(), now);
        assert_eq!(
            slips[0],
            json!({"item": {"title": "Adam Bede", "instanceHrid": "in1", "allContributors": "",
                "datesOfPublication": "", "editions": "", "seriesStatements": "",
                "physicalDescriptions": "", "effectiveLocationPrimaryServicePointName": "Desk"},
                "requester": {"lastName": "2", "primaryCountry": "United Kingdom"},
                "currentDateTime": "2026-03-01T10:00:00.000Z"})
        );
        assert_eq!(slips[1]["item"]["title"], "Romola");
        assert_eq!(
            super::slips(Vec::new(), None, &CirculationConfig::default(), now),
            json!([])
        );
    }
}
