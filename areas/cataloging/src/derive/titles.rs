//! Preceding and succeeding titles: updates an instance's from its bibliographic record.

use std::collections::{HashMap, VecDeque};

use octavo_inventory::app::link_instance::{link_instance, titles_of};
use octavo_inventory::rules::instance_form::Links;
use octavo_inventory::rules::instance_links::stored_form;
use octavo_postgres::Transaction;
use octavo_records::{Collection, Violation};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Refusal;
use octavo_records::Context;

/// The properties that identify a title without an instance.
const ESSENCE: [&str; 3] = ["title", "hrid", "identifiers"];

/// Removes titles and other links from the mapped instance: they are separate records.
pub(crate) fn take(mapped: &mut Map<String, Value>) -> Links {
    let links = Links::take(mapped);
    let named = |titles: Option<Vec<Value>>| {
        let titles = titles.unwrap_or_default().into_iter();
        Some(
            titles
                .filter(|title| !text(title, "title").is_empty())
                .collect(),
        )
    };
    Links {
        parents: None,
        children: None,
        preceding: named(links.preceding),
        succeeding: named(links.succeeding),
    }
}

/// The titles of a new instance for storing.
///
/// # Errors
/// What does not fit the record type.
pub(crate) fn of_new(
    collection: &Collection,
    instance: Uuid,
    links: Links,
) -> Result<Vec<Map<String, Value>>, Vec<Violation>> {
    let (own, other) = ("succeedingInstanceId", "precedingInstanceId");
    let earlier = links.preceding.unwrap_or_default();
    let later = links.succeeding.unwrap_or_default();
    let earlier = earlier
        .iter()
        .map(|link| stored_form(link, own, other, instance));
    let later = later
        .iter()
        .map(|link| stored_form(link, other, own, instance));
    earlier
        .chain(later)
        .map(|mut title| {
            collection.shape.check(&mut title)?;
            title["id"] = json!(Uuid::new_v4());
            match title {
                Value::Object(title) => Ok(title),
                _ => Ok(Map::new()),
            }
        })
        .collect()
}

/// Updates the titles of a locked instance from its record. Unchanged ones stay.
pub(super) async fn store(
    context: &Context<'_>,
    transaction: &Transaction,
    instance: Uuid,
    mut links: Links,
) -> Result<(), Refusal> {
    let inventory = *context;
    for (own, titles) in [
        ("succeedingInstanceId", &mut links.preceding),
        ("precedingInstanceId", &mut links.succeeding),
    ] {
        let stored = titles_of(transaction, &inventory, instance, own).await?;
        known(titles.as_deref_mut().unwrap_or_default(), &stored);
    }
    link_instance(transaction, &inventory, instance, links, false).await?;
    Ok(())
}

/// Reuses the ids of equal stored titles.
fn known(titles: &mut [Value], stored: &[(Uuid, Value)]) {
    let mut ids: HashMap<[Option<&Value>; 3], VecDeque<Uuid>> = HashMap::new();
    for (id, title) in stored {
        ids.entry(essence(title)).or_default().push_back(*id);
    }
    let mut same = |title| ids.get_mut(&essence(title))?.pop_front();
    let found: Vec<Option<Uuid>> = titles.iter().map(&mut same).collect();
    for (title, id) in titles.iter_mut().zip(found) {
        if let Some(id) = id {
            title["id"] = json!(id);
        }
    }
}

fn essence(title: &Value) -> [Option<&Value>; 3] {
    ESSENCE.map(|property| {
        let value = title.get(property).filter(|value| !value.is_null());
        value.filter(|value| value.as_array().is_none_or(|list| !list.is_empty()))
    })
}

fn text<'a>(title: &'a Value, property: &str) -> &'a str {
    title
        .get(property)
        .and_then(Value::as_str)
        .map_or("", str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_that_say_the_same_keep_their_ids() {
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut titles = [
            json!({"title": "A", "identifiers": []}),
            json!({"title": "A"}),
            json!({"title": "B"}),
        ];
        let stored = vec![
            (one, json!({"id": one, "title": "A"})),
            (two, json!({"title": "C"})),
        ];
        known(&mut titles, &stored);
        assert_eq!(titles[0]["id"], json!(one));
        assert!(titles[1].get("id").is_none());
        assert!(titles[2].get("id").is_none());
    }

    #[test]
    fn of_several_that_say_the_same_each_gives_its_id_once() {
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut titles = [
            json!({"title": "A"}),
            json!({"title": "A"}),
            json!({"title": "A"}),
        ];
        let known_before = json!({"title": "A", "hrid": null});
        known(
            &mut titles,
            &[(one, known_before.clone()), (two, known_before)],
        );
        assert_eq!(titles[0]["id"], json!(one));
        assert_eq!(titles[1]["id"], json!(two));
        assert!(titles[2].get("id").is_none());
    }

    #[test]
    fn only_titles_with_words_are_links() {
        let mapped = json!({"title": "T", "precedingTitles": [{"title": " "}, {"title": "B"}]});
        let mut mapped = mapped.as_object().cloned().expect("an object");
        let links = take(&mut mapped);
        assert_eq!(links.preceding, Some(vec![json!({"title": "B"})]));
        assert_eq!(links.succeeding, Some(Vec::new()));
        assert_eq!(links.parents, None);
        assert!(!mapped.contains_key("precedingTitles"));
    }
}
