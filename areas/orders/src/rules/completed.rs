//! What FOLIO's records always have: lists that are empty where nothing is said, and defaults that depend
//! on settings.

use serde_json::{Value, json};

use super::doc::{Doc, at, object_in, set};
use super::line::{Kind, Line, Making};

const OF_ORDER: [&str; 2] = ["acqUnitIds", "notes"];
const OF_LINE: [&str; 8] = [
    "alerts",
    "claims",
    "contributors",
    "donorOrganizationIds",
    "fundDistribution",
    "locations",
    "reportingCodes",
    "searchLocationIds",
];
const OF_TITLE: [&str; 4] = ["acqUnitIds", "bindItemIds", "contributors", "productIds"];

/// Completes an order.
pub fn order(order: &mut Doc) {
    lists(order, &OF_ORDER);
    tags(order);
}

/// Completes a line.
pub fn line(line: &mut Doc) {
    lists(line, &OF_LINE);
    for (part, list) in [
        ("details", "productIds"),
        ("physical", "volumes"),
        ("vendorDetail", "referenceNumbers"),
    ] {
        if let Some(Value::Object(part)) = line.get_mut(part) {
            lists(part, &[list]);
        }
    }
    tags(line);
}

/// Completes a title.
pub fn title(title: &mut Doc) {
    lists(title, &OF_TITLE);
}

fn lists(record: &mut Doc, names: &[&str]) {
    for name in names {
        if at(record, name).is_none() {
            set(record, name, json!([]));
        }
    }
}

fn tags(record: &mut Doc) {
    if let Some(Value::Object(tags)) = record.get_mut("tags") {
        lists(tags, &["tagList"]);
    }
}

/// What is made for new lines that do not say it, by format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MakingDefaults {
    pub electronic: Making,
    pub physical: Making,
    pub other: Making,
}

impl Default for MakingDefaults {
    fn default() -> MakingDefaults {
        MakingDefaults {
            electronic: Making::Holdings,
            physical: Making::Items,
            other: Making::Items,
        }
    }
}

impl MakingDefaults {
    /// Reads the tenant's setting, JSON in a text.
    #[must_use]
    pub fn stored(setting: Option<&str>) -> MakingDefaults {
        let parsed = setting.and_then(|text| serde_json::from_str::<Value>(text).ok());
        let standard = MakingDefaults::default();
        let of = |name: &str, otherwise: Making| {
            let value = parsed.as_ref().and_then(|setting| setting.get(name));
            let named = value.and_then(Value::as_str).and_then(Making::named);
            named.unwrap_or(otherwise)
        };
        MakingDefaults {
            electronic: of("eresource", standard.electronic),
            physical: of("physical", standard.physical),
            other: of("other", standard.other),
        }
    }
}

/// Gives a new line the statuses and what is made for it, where it says nothing.
pub fn new_line(line: &mut Doc, defaults: MakingDefaults) {
    for status in ["paymentStatus", "receiptStatus"] {
        if at(line, status).is_none() {
            set(line, status, "Pending");
        }
    }
    let format = Line(line).format();
    for kind in Kind::BOTH {
        if !format.has(kind) || Line(line).making(kind).is_some() {
            continue;
        }
        let making = match (format, kind) {
            (super::line::Format::Other, _) => defaults.other,
            (_, Kind::Physical) => defaults.physical,
            (_, Kind::Electronic) => defaults.electronic,
        };
        set(
            object_in(line, kind.part()),
            "createInventory",
            making.name(),
        );
    }
}

/// The tags of a record in the form in which they are stored: lower case, without blanks, each once.
#[must_use]
pub fn normal_tags(record: &Doc) -> Vec<String> {
    let mut tags = Vec::new();
    for tag in super::doc::list(record, "tags.tagList") {
        let tag: String = tag
            .as_str()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        let tag = tag.to_lowercase();
        if !tag.is_empty() && !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags
}

/// Brings the tags of a record into that form.
pub fn normalise_tags(record: &mut Doc) {
    if at(record, "tags").is_some() {
        let tags = normal_tags(record);
        set(object_in(record, "tags"), "tagList", tags);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::doc::object;

    #[test]
    fn a_new_line_says_what_is_made_for_it() {
        for (format, setting, physical, electronic) in [
            (
                "P/E Mix",
                None,
                "Instance, Holding, Item",
                "Instance, Holding",
            ),
            (
                "P/E Mix",
                Some(r#"{"physical": "None", "eresource": "Instance"}"#),
                "None",
                "Instance",
            ),
            (
                "Other",
                Some(r#"{"physical": "None", "other": "Instance"}"#),
                "Instance",
                "",
            ),
            (
                "Electronic Resource",
                Some("no JSON"),
                "",
                "Instance, Holding",
            ),
        ] {
            let mut line = object(json!({"orderFormat": format}));
            new_line(&mut line, MakingDefaults::stored(setting));
            let made = |kind| Line(&line).making(kind).map_or("", Making::name);
            assert_eq!(made(Kind::Physical), physical, "{format} {setting:?}");
            assert_eq!(made(Kind::Electronic), electronic, "{format} {setting:?}");
            assert_eq!(line["paymentStatus"], "Pending");
        }
        let mut said = object(json!({"orderFormat": "Other", "receiptStatus": "Cancelled",
                                     "physical": {"createInventory": "Instance"}}));
        new_line(&mut said, MakingDefaults::default());
        assert_eq!(said["receiptStatus"], "Cancelled");
        assert_eq!(said["physical"]["createInventory"], "Instance");
    }

    #[test]
    fn tags_are_lower_case_without_blanks() {
        let mut line = object(json!({"tags": {"tagList": ["Im portant", "important", " ", "B"]}}));
        normalise_tags(&mut line);
        assert_eq!(line["tags"], json!({"tagList": ["important", "b"]}));
    }
}
