//! Each function as a table: value and result.

use serde_json::{Value, json};

use super::*;
use crate::references::Entry;

fn references() -> References {
    let mut references = References::shipped();
    let entry = |id: &str, code: &str, name: &str| Entry {
        id: id.to_owned(),
        name: name.to_owned(),
        code: code.to_owned(),
    };
    references.insert("locations", vec![entry("L1", "MAIN", "Main")]);
    references.insert(
        "authorityIdentifierTypes",
        vec![entry("A1", " LCCN ", "LCCN")],
    );
    references.insert(
        "authorityNoteTypes",
        vec![entry("N1", "", "Nonpublic general note")],
    );
    references.insert(
        "subjectSources",
        vec![entry(
            "S1",
            "lcsh",
            " Library of Congress Subject Headings ",
        )],
    );
    references
}

/// Checks a function on a field of these indicators and subfields; the value is that of the first.
#[track_caller]
fn check_on(
    name: &str,
    parameter: &Value,
    indicators: [char; 2],
    subfields: &[(char, &'static str)],
    cases: &[(&'static str, &str)],
) -> Vec<String> {
    let references = references();
    let function = function(name, parameter.as_object())
        .unwrap_or_else(|wrong| panic!("{name}: {}", wrong.problem));
    let view = View {
        indicators,
        subfields: subfields.to_vec(),
        at: 0,
    };
    let mut missed = Vec::new();
    for (value, expected) in cases {
        let mut at = At {
            field: Some(&view),
            references: &references,
            missed: &mut missed,
        };
        let owned = function.apply(Cow::Owned((*value).to_owned()), &mut at);
        assert_eq!(owned, *expected, "{name} of {value:?}");
        let borrowed = function.apply(Cow::Borrowed(value), &mut at);
        assert_eq!(borrowed, *expected, "{name} of {value:?}");
    }
    missed
}

#[track_caller]
fn check(name: &str, parameter: Value, cases: &[(&'static str, &str)]) -> Vec<String> {
    check_on(name, &parameter, [' ', ' '], &[], cases)
}

#[test]
fn punctuation_goes_where_it_announces() {
    let none = || Value::Null;
    check(
        "trim",
        none(),
        &[
            (" a b \t", "a b"),
            ("", ""),
            (" ", ""),
            ("\u{a0}a", "\u{a0}a"),
        ],
    );
    check(
        "trim_period",
        none(),
        &[("a.", "a"), ("a..", "a."), ("a", "a"), (".", ""), ("", "")],
    );
    check(
        "remove_ending_punc",
        none(),
        &[
            ("a /", "a "),
            ("a,", "a"),
            ("a+", "a"),
            ("a ", "a"),
            ("a.", "a."),
            ("", ""),
        ],
    );
    check(
        "trim_punctuation",
        none(),
        &[
            ("Holm, Ida,", "Holm, Ida"),
            ("Holm, Ida, 1955-", "Holm, Ida, 1955-"),
            ("Holm, I. B.", "Holm, I. B."),
            ("Holm, I,.", "Holm, I."),
            ("Holm, É.", "Holm, É."),
            ("Society. ", "Society"),
            (" x.", "x"),
            (".", ""),
            ("", ""),
        ],
    );
}

#[test]
fn text_is_cut_and_put_together() {
    check(
        "char_select",
        json!({"from": 1, "to": 3}),
        &[("abcd", "bc"), ("åäöü", "äö"), ("abc", ""), ("", "")],
    );
    check(
        "char_select",
        json!({"from": 3, "to": 1}),
        &[("abcde", "abcde"), ("a", "")],
    );
    check(
        "remove_substring",
        json!({"substring": "/"}),
        &[("74/8/.2", "748.2"), ("x", "x")],
    );
    check("remove_substring", json!({"substring": ""}), &[("x", "x")]);
    check(
        "capitalize",
        Value::Null,
        &[("éclats", "Éclats"), ("A b", "A b"), ("1a", "1a"), ("", "")],
    );
    let filing = |indicator, cases: &[(&'static str, &str)]| {
        check_on(
            "remove_prefix_by_indicator",
            &Value::Null,
            ['1', indicator],
            &[],
            cases,
        );
    };
    filing(
        '4',
        &[
            ("The end", "end"),
            ("The", "The"),
            ("The end of The end", "end of end"),
        ],
    );
    filing('0', &[("The end", "The end")]);
    filing(' ', &[("The end", "The end")]);
    filing('2', &[("É gås", "gås")]);
    let subfields = [
        ('a', "1"),
        ('q', "x"),
        ('c', "y"),
        ('z', "0"),
        ('q', "w"),
        ('a', "2"),
    ];
    for (codes, stops, expected) in [
        (json!(["c", "q"]), json!(["z"]), "1 y x"),
        (json!(["q"]), json!([]), "1 x w"),
        (json!(["k"]), Value::Null, "1"),
    ] {
        let mut parameter = json!({"subfieldsToConcat": codes});
        if !stops.is_null() {
            parameter["subfieldsToStopConcat"] = stops;
        }
        let cases = [("1", expected)];
        check_on(
            "concat_subfields_by_name",
            &parameter,
            [' ', ' '],
            &subfields,
            &cases,
        );
    }
}

const LEADER: &str = "00000das a2200000   4500";

#[test]
fn places_of_fixed_fields_have_meanings() {
    check(
        "set_deleted",
        Value::Null,
        &[(LEADER, "true"), ("00000nam", "false"), ("x", "x")],
    );
    check(
        "set_issuance_mode_id",
        Value::Null,
        &[
            (LEADER, "068b5344-e2a6-40df-9186-1829e13cd344"),
            ("00000nam", "9d18a02f-5897-4c31-9106-c9abb5c7ae8b"),
            ("00000nai", "4fc0f4fe-06fd-490a-a078-c4da1754e03a"),
            ("00000na?", "612bbd3d-c16b-4bfb-8517-2afafc60204a"),
            ("short", "short"),
        ],
    );
    check(
        "set_date_type_id",
        Value::Null,
        &[
            ("870220s1987", "24a506e8-2a92-4ecc-bd09-ff849321fd5a"),
            ("870220S1987", "24a506e8-2a92-4ecc-bd09-ff849321fd5a"),
            ("870220?1987", "6f8cd9a8-26ac-4df6-8709-62fe2c0d04f8"),
            ("870220", ""),
        ],
    );
    check(
        "set_holdings_type_id",
        Value::Null,
        &[
            ("00000cy  a", "e6da6c98-6dd0-41bc-8b4b-cfd4bbd9c3ae"),
            ("00000cx  a", "03c9c400-b9e3-4a07-ac0e-05ab470233ed"),
            ("00000c", "00000c"),
        ],
    );
}

#[test]
fn indicators_have_meanings() {
    let on = |name: &str, indicators, expected: &str| {
        check_on(name, &Value::Null, indicators, &[], &[("x", expected)]);
    };
    for (indicator, role) in [
        ('0', "Production"),
        ('1', "Publication"),
        ('2', "Distribution"),
        ('3', "Manufacture"),
        ('4', ""),
        (' ', ""),
    ] {
        on("set_publisher_role", [' ', indicator], role);
    }
    on("set_note_staff_only_via_indicator", ['0', ' '], "true");
    on("set_note_staff_only_via_indicator", ['1', ' '], "false");
    for (indicator, id) in [
        ('0', "95467209-6d7b-468b-94df-0f5d7ad2747d"),
        ('1', "03dd64d0-5626-4ecd-8ece-4531e0069f35"),
        ('8', "6caca63e-5651-4db6-9247-3205156e9699"),
        (' ', ""),
    ] {
        on("set_call_number_type_id", [indicator, ' '], id);
    }
    for (indicator, id) in [
        ('0', "f5d0068e-6272-458e-8a81-b85e7b9a14aa"),
        ('1', "3b430592-2e09-4b48-9a0c-0636d66b9fb3"),
        ('2', "5bfe1b7b-f151-4501-8cfa-23b321d5cd1e"),
        ('8', "f50c90c9-bae0-4add-9cd0-db9092dbc9dd"),
    ] {
        on("set_electronic_access_relations_id", [' ', indicator], id);
    }
}

/// Functions that look up a record by the name in their parameter: its id, or the result when there
/// is none.
#[test]
fn names_are_looked_up() {
    for (function, name, id, missing) in [
        (
            "set_identifier_type_id_by_name",
            "isbn",
            "8261054f-be78-422d-bd51-4ed9f33c3422",
            STUB_ID,
        ),
        (
            "set_classification_type_id",
            "Dewey",
            "42471af9-7d25-4f3a-bf78-60d29dcf463b",
            STUB_ID,
        ),
        (
            "set_contributor_name_type_id",
            "Meeting name",
            "e8b311a6-3b21-43f2-a269-dd9310cb2d0a",
            STUB_ID,
        ),
        (
            "set_alternative_title_type_id",
            "Uniform title",
            "30512027-cdc9-4c79-af75-1565b3bd888d",
            STUB_ID,
        ),
        (
            "set_note_type_id",
            "summary",
            "10e2e11b-450f-45c8-b09b-0f819999966e",
            "6a2533a7-4de2-4e64-8466-074c2fa9308c",
        ),
        (
            "set_subject_type_id",
            "Topical term",
            "d6488f88-1e74-40ce-81b5-b19a928ff5b7",
            "",
        ),
        (
            "set_subject_source_id",
            "library of congress subject headings",
            "S1",
            "",
        ),
        (
            "set_holdings_note_type_id",
            "Note",
            "b160f13a-ddba-4053-b9c4-60ec5ea45d56",
            "",
        ),
        (
            "set_authority_note_type_id",
            "Nonpublic general note",
            "N1",
            STUB_ID,
        ),
    ] {
        let found = check(function, json!({"name": name}), &[("x", id)]);
        assert!(found.is_empty());
        let missed = check(function, json!({"name": "Unheard of"}), &[("x", missing)]);
        assert_eq!(missed.is_empty(), missing != STUB_ID, "{function}");
    }
    check(
        "set_authority_identifier_type_id_by_code",
        json!({"code": "lccn"}),
        &[("x", "A1")],
    );
    check(
        "set_authority_identifier_type_id_by_code",
        json!({"code": "isbn"}),
        &[("x", "")],
    );
    check(
        "set_heading_type_by_name",
        json!({"name": "topicalTerm"}),
        &[("x", "topicalTerm")],
    );
}

#[test]
fn values_are_looked_up() {
    let text = "6312d172-f0cf-40f6-b27d-9fa8feaf332f";
    let unspecified = "30fffe0e-e985-4144-b2e2-1e8179bdb41f";
    check(
        "set_instance_type_id",
        json!({"unspecifiedInstanceTypeCode": "zzz"}),
        &[
            ("text~txt", text),
            ("Text", text),
            ("txt~", text),
            ("txt~no", unspecified),
            ("", unspecified),
        ],
    );
    let missed = check(
        "set_instance_type_id",
        json!({"unspecifiedInstanceTypeCode": "none"}),
        &[("no", STUB_ID)],
    );
    assert_eq!(missed[0], "instanceTypes has no \"none\"");
    let volume = "8d511d33-5e85-4c5d-9bce-6e3c9cd0c324";
    check(
        "set_instance_format_id",
        Value::Null,
        &[
            ("volume~nc", volume),
            ("NC", volume),
            ("volume", ""),
            ("~", ""),
        ],
    );
    let illustrator = "3add6049-0b63-4fec-9892-e3867e7358e2";
    check(
        "set_contributor_type_id",
        Value::Null,
        &[("ILL", illustrator), ("x", ""), ("", "")],
    );
    check(
        "set_contributor_type_text",
        Value::Null,
        &[("ill", "Illustrator"), ("glassblower", "glassblower")],
    );
    check(
        "set_subject_source_id_by_code",
        Value::Null,
        &[("LCSH", "S1"), ("fast", "")],
    );
    let missed = check(
        "set_permanent_location_id",
        Value::Null,
        &[("MAIN", "L1"), ("main", STUB_ID)],
    );
    assert_eq!(missed[0], "locations has no \"main\"");
    let by_value =
        json!({"names": ["System control number", "OCLC"], "oclc_regex": "(\\(OCoLC\\)|ocm).*"});
    check(
        "set_identifier_type_id_by_value",
        by_value,
        &[
            ("(OCoLC)1", "439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef"),
            ("(NIC)1", "7e591197-f335-4afb-bc6d-a6d76ca3bace"),
        ],
    );
}

#[test]
fn roles_are_known_by_code_or_else_by_term() {
    let illustrator = "3add6049-0b63-4fec-9892-e3867e7358e2";
    let translator = "3322b734-ce38-4cd4-815d-8983352837cc";
    let afterword = "d517010e-908f-49d6-b1e8-8c1a5f9a7f1c";
    for (subfields, expected) in [
        (&[('e', "translator"), ('4', "ill")][..], illustrator),
        (&[('4', "ILL"), ('e', "Translator,")], translator),
        (&[('4', "xxx"), ('4', "ill")], illustrator),
        (&[('e', "glassblower"), ('e', "illustrator.")], illustrator),
        (&[('e', "author of afterword, colophon, etc")], afterword),
        (&[('e', "author of afterword, colophon, etc.")], afterword),
        (&[('e', "author of afterword, colophon, etc.,")], afterword),
        (&[('e', "glassblower")], ""),
        (&[], ""),
    ] {
        let parameter = json!({"contributorCodeSubfield": "4", "contributorNameSubfield": "e"});
        let name = "set_contributor_type_id_by_code_or_name";
        check_on(name, &parameter, ['1', ' '], subfields, &[("x", expected)]);
    }
}
