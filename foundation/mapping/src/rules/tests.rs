//! Invalid rules, each with the path that is reported; and the results of rules in special forms.

use octavo_marc::parse_text;
use serde_json::{Value, json};

use super::*;
use crate::references::Entry;

#[track_caller]
fn refused(rules: Value, expected: &[&str]) {
    let problems = Rules::parse(RecordKind::Bib, &rules).unwrap_err();
    let messages: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(messages, expected, "{rules}");
}

#[test]
fn wrong_shapes_are_reported_with_their_place() {
    refused(json!([]), &[": an object with rules by tag is expected"]);
    refused(json!({"245": {}}), &["245: a list of entries is expected"]);
    refused(
        json!({"24": [], "24é": [], "2 5": []}),
        &[
            "24: a tag of three letters or digits is expected, or LDR",
            "24é: a tag of three letters or digits is expected, or LDR",
            "2 5: a tag of three letters or digits is expected, or LDR",
        ],
    );
    refused(json!({"245": [1]}), &["245[0]: an object is expected"]);
    refused(
        json!({"245": [{"subfield": ["a", "bc", 1]}, {"target": "title", "subfield": "a"}]}),
        &[
            "245[0].target: the property that is written is expected",
            "245[0].subfield[1]: the code of a subfield is expected",
            "245[0].subfield[2]: the code of a subfield is expected",
            "245[1].subfield: a list of the codes of subfields is expected",
        ],
    );
    refused(
        json!({"020": [{"entity": [{"target": "identifiers.valeu", "subfield": ["a"]}]}]}),
        &["020[0].entity[0].target: \"identifiers\" has no field \"valeu\""],
    );
    refused(
        json!({"245": [{"target": "title", "subfield": [], "applyRulesOnConcatenatedData": "yes"}]}),
        &["245[0].applyRulesOnConcatenatedData: true or false is expected"],
    );
    refused(
        json!({"245": [{"target": "title", "subfield": [], "indicators": {"ind1": "12"}}]}),
        &[
            "245[0].indicators.ind1: an indicator is expected, or * for any",
            "245[0].indicators.ind2: an indicator is expected, or * for any",
        ],
    );
    refused(
        json!({"001": [{"entity": []}, {"target": "editions", "createSingleObject": true}]}),
        &[
            "001[0].entity: the leader and control fields have no subfields to put together",
            "001[1].target: only a text is put into a single object",
        ],
    );
}

#[test]
fn wrong_functions_are_reported_with_their_place() {
    let rule = |condition: Value| json!({"245": [{"target": "title", "subfield": ["a"], "rules": [{"conditions": [condition]}]}]});
    let at = "245[0].rules[0].conditions[0]";
    for (condition, problem) in [
        (
            json!({"type": "trim, shout"}),
            ".type: there is no function \"shout\"",
        ),
        (
            json!({"type": "custom", "value": "DATA"}),
            ".type: a script (\"custom\") is not carried out",
        ),
        (json!({}), ".type: the names of functions are expected"),
        (
            json!({"type": "trim", "parameter": 1}),
            ".parameter: an object is expected",
        ),
        (
            json!({"type": "trim", "value": 1}),
            ".value: a text of at most 1000 letters is expected",
        ),
        (
            json!({"type": "set_note_type_id"}),
            ".parameter.name: a text of at most 1000 letters is expected",
        ),
        (
            json!({"type": "char_select", "parameter": {"from": 0, "to": -1}}),
            ".parameter.to: a number from 0 to 100000 is expected",
        ),
        (
            json!({"type": "concat_subfields_by_name", "parameter": {"subfieldsToConcat": ["ab"]}}),
            ".parameter.subfieldsToConcat: a list of the codes of subfields is expected",
        ),
        (
            json!({"type": "set_identifier_type_id_by_value", "parameter": {"names": []}}),
            ".parameter.names: a list of one or two names is expected",
        ),
    ] {
        refused(rule(condition), &[&format!("{at}{problem}")]);
    }
    let pattern = json!({"type": "set_identifier_type_id_by_value", "parameter": {"names": ["a", "b"], "oclc_regex": "("}});
    let problems = Rules::parse(RecordKind::Bib, &rule(pattern)).unwrap_err();
    assert_eq!(problems[0].path, format!("{at}.parameter.oclc_regex"));
    refused(
        json!({"245": [{"target": "title", "subfield": ["a"], "rules": [{}]}]}),
        &["245[0].rules[0].conditions: a list of conditions is expected, which may be empty"],
    );
}

#[test]
fn rules_have_limits() {
    let rules = json!({"245": vec![json!({"target": "title", "subfield": []}); 20_001]});
    refused(rules, &["245[20000]: rules have at most 20000 targets"]);
    let by_value =
        json!({"type": "set_identifier_type_id_by_value", "parameter": {"names": ["a"]}});
    let row =
        json!({"target": "title", "subfield": [], "rules": [{"conditions": vec![by_value; 30]}]});
    refused(
        json!({"245": [row]}),
        &["245[0].rules[0].conditions[20].type: rules go by values' beginnings at most 20 times"],
    );
    let rules = json!({"245": [{"entity": vec![json!({}); 101]}]});
    refused(rules, &["245[0].entity: a list of at most 100 is expected"]);
    let mut deep = json!({"target": "title", "subfield": []});
    for _ in 0..5 {
        deep = json!({"target": "title", "subfield": [], "alternativeMapping": deep});
    }
    let problems = Rules::parse(RecordKind::Bib, &json!({"245": [deep]})).unwrap_err();
    assert_eq!(problems[0].problem, "alternatives lie at most 4 deep");
    let wrong: Map<String, Value> = (0..500).map(|tag| (format!("{tag}"), json!(0))).collect();
    let messages = Rules::parse(RecordKind::Bib, &Value::Object(wrong)).unwrap_err();
    assert_eq!(messages.len(), 100);
}

#[test]
fn holdings_and_authorities_have_targets_of_their_own() {
    let rule = json!({"852": [{"target": "callNumber", "subfield": ["h"]}]});
    assert!(Rules::parse(RecordKind::Holdings, &rule).is_ok());
    assert!(Rules::parse(RecordKind::Bib, &rule).is_err());
    assert!(Rules::parse(RecordKind::Authority, &rule).is_err());
}

/// Maps a record by rules for bibs and returns one property.
#[track_caller]
fn made(rules: Value, marc: &str, property: &str) -> Value {
    let rules = Rules::parse(RecordKind::Bib, &rules).unwrap();
    let record = parse_text(marc).unwrap();
    let mut mapped = rules.map(&record, &References::shipped());
    mapped.entity.shift_remove(property).unwrap_or(Value::Null)
}

fn row(target: &str, codes: &str, more: Value) -> Value {
    let codes: Vec<String> = codes.chars().map(String::from).collect();
    let mut row = json!({"target": target, "subfield": codes});
    row.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    row
}

#[test]
fn conditions_choose_a_constant() {
    let chosen = json!({"rules": [
        {"conditions": [{"type": "trim", "value": "a"}], "value": "first"},
        {"conditions": [{"type": "trim, capitalize", "value": "b"}], "value": "never"},
        {"conditions": [{"type": "trim"}, {"type": "trim", "value": "c"}], "value": "third"},
    ]});
    let rules = json!({"500": [row("administrativeNotes", "a", chosen)]});
    let marc = "500   $a a \n500   $ab\n500   $ac ";
    assert_eq!(
        made(rules, marc, "administrativeNotes"),
        json!(["first", "b", "third"])
    );
}

#[test]
fn conditions_may_look_at_the_leader() {
    let deleted = json!({"rules": [{"conditions": [{"type": "set_deleted", "LDR": true}]}]});
    let rules = json!({"500": [row("administrativeNotes", "a", deleted)]});
    let marc = "LEADER 00000dam a2200000   4500\n500   $ax";
    assert_eq!(made(rules, marc, "administrativeNotes"), json!(["true"]));
}

#[test]
fn indicators_choose_among_entries() {
    let entry = |note: &str, indicators: Value| {
        let mut entry = row(
            "administrativeNotes",
            "a",
            json!({"rules": [{"conditions": [], "value": note}]}),
        );
        if !indicators.is_null() {
            entry["indicators"] = indicators;
        }
        entry
    };
    let rules = json!({"500": [
        entry("other", Value::Null),
        entry("one", json!({"ind1": "1", "ind2": "*"})),
        entry("blank", json!({"ind1": "*", "ind2": " "})),
    ]});
    let marc = "500 12$ax\n500 2 $ax\n500 22$ax\n500 1 $ax";
    let notes = json!(["one", "blank", "other", "one", "blank"]);
    assert_eq!(made(rules, marc, "administrativeNotes"), notes);
}

#[test]
fn the_first_field_or_subfield_may_be_the_only_one() {
    let rules = json!({"500": [row("administrativeNotes", "ab", json!({"ignoreSubsequentFields": true, "ignoreSubsequentSubfields": true}))]});
    assert_eq!(
        made(rules, "500   $a1$a2$b3\n500   $a4", "administrativeNotes"),
        json!(["1 3"])
    );
}

#[test]
fn subfields_are_required_excluded_and_replaced() {
    let cut = json!({"type": "char_select", "parameter": {"from": 1, "to": 2}});
    let rules = json!({"500": [
        {"entity": [row("contributors.name", "a", json!({
            "rules": [{"conditions": [cut]}],
            "alternativeMapping": row("contributors.name", "c", json!({})),
        }))]},
        row("administrativeNotes", "a", json!({"requiredSubfield": ["b"]})),
        row("editions", "a", json!({"exclusiveSubfield": ["b"]})),
    ]});
    let marc = "500   $a1$b2$c3\n500   $a4";
    assert_eq!(
        made(rules.clone(), marc, "administrativeNotes"),
        json!(["1"])
    );
    assert_eq!(made(rules.clone(), marc, "editions"), json!(["4"]));
    assert_eq!(made(rules, marc, "contributors"), json!([{"name": "3"}]));
}

#[test]
fn each_subfield_makes_a_record_or_all_make_one() {
    let entry = |each: bool| {
        json!({"020": [{"entityPerRepeatedSubfield": each, "entity": [
            row("identifiers.identifierTypeId", "az", json!({"rules": [{"conditions": [], "value": "t"}]})),
            row("identifiers.value", "az", json!({})),
        ]}]})
    };
    let marc = "020   $a1$z2\n020   $a3";
    let one = |value: &str| json!({"identifierTypeId": "t", "value": value});
    assert_eq!(
        made(entry(true), marc, "identifiers"),
        json!([one("1"), one("2"), one("3")])
    );
    let both = json!({"identifierTypeId": "t t", "value": "1 2"});
    assert_eq!(
        made(entry(false), marc, "identifiers"),
        json!([both, one("3")])
    );
}

/// Ids and values that were joined in one text are split again.
#[test]
fn several_identifiers_in_one_are_parted() {
    let rules = Rules::defaults(RecordKind::Bib);
    let ismn = "ebfd00b6-61d3-4d87-a6d8-810c941176d5";
    let identifiers = made(rules, "024 2 $aM1$aM2$qscore", "identifiers");
    assert_eq!(
        identifiers,
        json!([{"identifierTypeId": ismn, "value": "M1"}, {"identifierTypeId": ismn, "value": "M2 score"}])
    );
}

#[test]
fn delimiters_stand_between_groups_and_within() {
    let joins = json!({"subFieldDelimiter": [
        {"value": " ", "subfields": ["a", "b"]},
        {"value": "/", "subfields": ["x"]},
        {"value": "--", "subfields": []},
    ]});
    let rules = json!({"500": [row("administrativeNotes", "abxq", joins)]});
    let marc = "500   $xX$aA$qQ$bB$xY\n500   $xX";
    assert_eq!(
        made(rules, marc, "administrativeNotes"),
        json!(["A Q B--X/Y", "X"])
    );
}

#[test]
fn bars_and_last_backslashes_are_not_kept() {
    let rules = |keep: bool| {
        let mut entry = row("administrativeNotes", "a", json!({}));
        entry["keepTrailingBackslash"] = keep.into();
        json!({"500": [entry]})
    };
    let marc = "500   $aa|b \"c\" d\\e\\";
    assert_eq!(
        made(rules(false), marc, "administrativeNotes"),
        json!(["a b \"c\" d\\e"])
    );
    assert_eq!(
        made(rules(true), marc, "administrativeNotes"),
        json!(["a b \"c\" d\\e\\"])
    );
}

#[test]
fn linked_fields_count_as_other_tags() {
    let rules = json!({
        "880": [{"target": "", "subfield": ["6"], "fieldReplacementBy3Digits": true,
                 "fieldReplacementRule": [{"sourceDigits": "245", "targetField": "246"}]}],
        "246": [row("editions", "a", json!({}))],
        "500": [row("administrativeNotes", "a", json!({}))],
    });
    let marc = "880   $6245-01$a1\n880   $6500$a2\n880   $65$a3\n880   $a4\n880   $6éé/$a5";
    assert_eq!(made(rules.clone(), marc, "editions"), json!(["1"]));
    assert_eq!(
        made(rules.clone(), marc, "administrativeNotes"),
        json!(["2"])
    );
    let mut wrong = rules;
    wrong["880"][0]["fieldReplacementRule"] = json!([{"sourceDigits": "24", "targetField": "246"}, {"sourceDigits": "245", "targetField": ""}]);
    refused(
        wrong,
        &[
            "880[0].fieldReplacementRule[0].sourceDigits: three digits are expected",
            "880[0].fieldReplacementRule[1].targetField: a tag is expected",
        ],
    );
}

#[test]
fn what_is_missing_is_reported_with_its_field() {
    let rules = Rules::parse(RecordKind::Bib, &Rules::defaults(RecordKind::Bib)).unwrap();
    let mut references = References::shipped();
    references.insert(
        "identifierTypes",
        vec![Entry {
            id: "1".to_owned(),
            name: "ISSN".to_owned(),
            code: String::new(),
        }],
    );
    let mapped = rules.map(
        &parse_text("245 00$aGlass\n020   $a1").unwrap(),
        &references,
    );
    assert_eq!(
        mapped.problems,
        [Problem {
            tag: "020".to_owned(),
            reason: "identifierTypes has no \"ISBN\"".to_owned()
        }]
    );
    assert_eq!(
        mapped.entity["identifiers"][0]["identifierTypeId"],
        crate::functions::STUB_ID
    );
}

#[test]
fn preceding_titles_have_identifiers() {
    let rules = Rules::defaults(RecordKind::Bib);
    let titles = made(
        rules,
        "780 00$tOld glass$x1234-5679\n780 00$x1234",
        "precedingTitles",
    );
    let issn = "913300b2-03ed-469a-8179-c1092c991227";
    assert_eq!(
        titles,
        json!([{"title": "Old glass", "identifiers": [{"value": "1234-5679", "identifierTypeId": issn}]}])
    );
}
