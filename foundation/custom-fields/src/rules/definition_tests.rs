//! Tests of definitions of custom fields.

use serde_json::json;

use super::*;

fn definition(value: Value) -> Definition {
    let mut definition = value.as_object().cloned().unwrap_or_default();
    complete(&mut definition);
    definition
}

fn select(kind: &str, several: bool, values: Value) -> Definition {
    definition(json!({
        "name": "Colour", "type": kind, "entityType": "user",
        "selectField": {"multiSelect": several, "options": {"values": values}},
    }))
}

#[test]
fn each_type_has_its_own_part() {
    for (given, sentence) in [
        (
            json!({"type": "SINGLE_CHECKBOX"}),
            "The 'checkBox' property should be defined for 'SINGLE_CHECKBOX' custom field type.",
        ),
        (
            json!({"type": "RADIO_BUTTON"}),
            "The 'selectField' property should be defined",
        ),
        (
            json!({"type": "SINGLE_CHECKBOX", "checkboxField": {}, "isRepeatable": true}),
            "Repeatable is not supported by custom field of type SINGLE_CHECKBOX",
        ),
        (
            json!({"type": "TEXTBOX_LONG", "displayInAccordion": "attic"}),
            "Display in accordion value must be one of: [user_information, extended_information, \
             contact_information, default, fees_fines, loans, requests]",
        ),
        (
            json!({"type": "TEXTBOX_LONG", "name": "x".repeat(66)}),
            "The 'name' length cannot be more than 65",
        ),
        (
            json!({"type": "TEXTBOX_LONG", "helpText": "x".repeat(101)}),
            "The 'helpText' length cannot be more than 100",
        ),
    ] {
        assert_eq!(check(&definition(given)), Err(sentence.to_owned()));
    }
    let strange = definition(json!({"type": "DATE_PICKER", "textField": {"fieldFormat": "TEXT"}}));
    let refusal = check(&strange).expect_err("it is refused");
    assert!(
        refusal.starts_with("Attribute textField is not allowed, following attributes"),
        "{refusal}"
    );
    for right in [
        json!({"type": "DATE_PICKER", "isRepeatable": true, "displayInAccordion": "default"}),
        json!({"type": "TEXTBOX_SHORT"}),
        json!({"type": "SINGLE_CHECKBOX", "checkboxField": {}}),
    ] {
        assert_eq!(check(&definition(right)), Ok(()));
    }
}

#[test]
fn options_are_few_named_and_unique() {
    let many = |most: usize| -> Value {
        (0..most)
            .map(|at| json!({"value": at.to_string()}))
            .collect()
    };
    for (kind, several, values, sentence) in [
        (
            "RADIO_BUTTON",
            false,
            json!([]),
            "The options amount should be in range 1 - 5",
        ),
        (
            "RADIO_BUTTON",
            false,
            many(6),
            "The options amount should be in range 1 - 5",
        ),
        (
            "SINGLE_SELECT_DROPDOWN",
            false,
            many(201),
            "The options amount should be in range 1 - 200",
        ),
        (
            "RADIO_BUTTON",
            false,
            json!([{"value": " "}]),
            "The option value cannot be blank or have more than 100 length",
        ),
        (
            "RADIO_BUTTON",
            false,
            json!([{"value": "a"}, {"value": "a"}]),
            "Option values should be unique",
        ),
        (
            "RADIO_BUTTON",
            false,
            json!([{"id": "opt_1", "value": "a"}, {"id": "opt_1", "value": "b"}]),
            "Option IDs should be unique",
        ),
        (
            "RADIO_BUTTON",
            false,
            json!([{"value": "a", "default": true}, {"value": "b", "default": true}]),
            "The max defaults amount is 1",
        ),
        (
            "RADIO_BUTTON",
            true,
            json!([{"value": "a"}]),
            "The 'multiSelect' property should be 'false'",
        ),
        (
            "MULTI_SELECT_DROPDOWN",
            false,
            json!([{"value": "a"}]),
            "The 'multiSelect' property should be 'true'",
        ),
        (
            "MULTI_SELECT_DROPDOWN",
            true,
            json!([{"id": "opt_123456", "value": "a"}]),
            "Option ID opt_123456 must match \"opt_\\d{1,5}\"",
        ),
    ] {
        let refused = check(&select(kind, several, values));
        assert_eq!(refused, Err(sentence.to_owned()), "{kind}");
    }
    let right = json!([{"value": "a", "default": true}, {"value": "b", "default": true}]);
    assert_eq!(check(&select("MULTI_SELECT_DROPDOWN", true, right)), Ok(()));
}

#[test]
fn options_get_ids_behind_the_highest_and_are_sorted_as_asked() {
    let values =
        json!([{"value": "red"}, {"id": "opt_7", "value": "blue"}, {"id": "", "value": "green"}]);
    let mut field = select("RADIO_BUTTON", false, values);
    arrange_options(&mut field);
    assert_eq!(option_ids(&field), ["opt_8", "opt_7", "opt_9"]);
    field["selectField"]["options"]["sortingOrder"] = json!("DESC");
    arrange_options(&mut field);
    assert_eq!(option_ids(&field), ["opt_8", "opt_9", "opt_7"]);
    field["selectField"]["options"]["sortingOrder"] = json!("ASC");
    arrange_options(&mut field);
    assert_eq!(option_ids(&field), ["opt_7", "opt_9", "opt_8"]);
}

#[test]
fn references_are_the_letters_of_the_name() {
    for (name, wanted) in [
        ("Department", "department"),
        ("Favourite colour", "favouriteColour"),
        ("Élève numéro 2", "eleveNumero"),
        ("e-mail ADDRESS", "emailAddress"),
        ("2nd school", "ndSchool"),
        ("  ", "ICA"),
        ("Имя", "0JjQvNGP"),
    ] {
        assert_eq!(reference(name), wanted, "{name}");
    }
}

#[test]
fn references_that_are_taken_are_numbered() {
    let taken = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
    assert_eq!(free_reference("colour", &[]), "colour");
    assert_eq!(free_reference("colour", &taken(&["colour"])), "colour_2");
    let several = taken(&[
        "colour",
        "colour_9",
        "colour_10",
        "colourful_20",
        "colour_x",
    ]);
    assert_eq!(free_reference("colour", &several), "colour_11");
    // The first was deleted meanwhile.
    assert_eq!(free_reference("colour", &taken(&["colour_2"])), "colour_3");
}

#[test]
fn type_and_format_stay() {
    let old = definition(json!({"type": "TEXTBOX_SHORT", "textField": {"fieldFormat": "EMAIL"}}));
    let other = definition(json!({"type": "TEXTBOX_LONG"}));
    let (property, value, _) = check_change(&other, &old).expect_err("the type changed");
    assert_eq!((property, value.as_str()), ("type", "TEXTBOX_LONG"));
    let other = definition(json!({"type": "TEXTBOX_SHORT"}));
    let (property, value, _) = check_change(&other, &old).expect_err("the format changed");
    assert_eq!((property, value.as_str()), ("fieldFormat", "TEXT"));
    assert_eq!(check_change(&old, &old), Ok(()));
}

#[test]
fn options_that_went_are_found() {
    let old = select(
        "RADIO_BUTTON",
        false,
        json!([{"id": "opt_1", "value": "a"}, {"id": "opt_2", "value": "b"}]),
    );
    let new = select(
        "RADIO_BUTTON",
        false,
        json!([{"id": "opt_2", "value": "c"}, {"id": "opt_3", "value": "d"}]),
    );
    assert_eq!(removed_options(&new, &old), ["opt_1"]);
}
