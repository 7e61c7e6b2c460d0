//! The resource's places in classifications.

use octavo_marc::DataField;

use super::fields::{Fields, joined, runs};
use super::instance::Classification;
use super::reference::classification_type as types;

/// The classifications in the order of the record's fields.
pub(super) fn classifications(fields: &Fields<'_>) -> Vec<Classification> {
    fields
        .all()
        .flat_map(|(tag, field)| of_field(tag, field))
        .collect()
}

fn of_field(tag: &str, field: &DataField) -> Vec<Classification> {
    match tag {
        "050" | "090" => each(field, "a", "b", types::LC),
        "060" => each(field, "a", "b", types::NLM),
        "080" => numbers([joined(field, "ab")], types::UDC),
        // The slash shows where a library may cut the number short.
        "082" => {
            let runs = runs(field, "a", "b");
            numbers(
                runs.into_iter().map(|(_, run)| run.replace('/', "")),
                types::DEWEY,
            )
        }
        "086" => each(field, "az", "", types::GOVERNMENT_DOCUMENT),
        _ => Vec::new(),
    }
}

fn each(
    field: &DataField,
    starts: &str,
    followers: &str,
    classification_type_id: &'static str,
) -> Vec<Classification> {
    let runs = runs(field, starts, followers);
    numbers(runs.into_iter().map(|(_, run)| run), classification_type_id)
}

fn numbers(
    numbers: impl IntoIterator<Item = String>,
    classification_type_id: &'static str,
) -> Vec<Classification> {
    numbers
        .into_iter()
        .filter(|number| !number.is_empty())
        .map(|classification_number| Classification {
            classification_number,
            classification_type_id,
        })
        .collect()
}
