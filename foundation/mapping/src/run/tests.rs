//! Whole records: authorities, holdings, and records of any kind under rules of any kind.

use std::sync::LazyLock;

use octavo_marc::{Leader, Record, parse_text};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::references::Entry;
use crate::{Mapped, RecordKind, References, Rules};

fn references() -> References {
    let mut references = References::shipped();
    let entry = |id: &str, code: &str, name: &str| Entry {
        id: id.to_owned(),
        name: name.to_owned(),
        code: code.to_owned(),
    };
    let types = [
        "lccn",
        "canceled-lccn",
        "control-number",
        "system-control-number",
    ];
    references.insert(
        "authorityIdentifierTypes",
        types.map(|code| entry(code, code, code)).to_vec(),
    );
    references.insert(
        "authorityNoteTypes",
        vec![entry("nonpublic", "", "Nonpublic general note")],
    );
    references.insert(
        "authoritySourceFiles",
        vec![
            entry("naf", "n", "LC names"),
            entry("naf", "nb", "LC names"),
            entry("lcsh", "sh", "LC subjects"),
        ],
    );
    references.insert(
        "locations",
        vec![entry("main", "KU/CC/DI/M", "Main library")],
    );
    references
}

fn mapped(kind: RecordKind, marc: &str) -> Mapped {
    let rules = Rules::parse(kind, &Rules::defaults(kind)).unwrap();
    rules.map(&parse_text(marc).unwrap(), &references())
}

#[track_caller]
fn check_all(mapped: &Mapped, expected: Value) {
    assert_eq!(Value::Object(mapped.entity.clone()), expected);
}

#[test]
fn an_authority_has_heading_tracings_and_numbers() {
    let marc = "\
        001 n  79021164\n\
        008 790321n| azannaabn          |a ana\n\
        010   $an  79021164\\$zn  790\n\
        035   $a(OCoLC)oca00277514\n\
        100 1 $aTwain, Mark,$d1835-1910\n\
        400 1 $aClemens, Samuel\n\
        400 1 $aClemens, Samuel$tWorks\n\
        500 1 $wb$iAlias:$aSnodgrass, Q. C.$0x\n\
        667   $a Not a spirit \n\
        999 ff$i0b0a3c1e-0000-4000-8000-000000000001";
    check_all(
        &mapped(RecordKind::Authority, marc),
        json!({
            "id": "0b0a3c1e-0000-4000-8000-000000000001",
            "source": "MARC",
            "personalName": "Twain, Mark, 1835-1910",
            "sftPersonalName": ["Clemens, Samuel"],
            "sftPersonalNameTitle": ["Clemens, Samuel Works"],
            "saftPersonalName": ["Snodgrass, Q. C."],
            "subjectHeadings": "a",
            "identifiers": [
                {"value": "n  79021164", "identifierTypeId": "control-number"},
                {"identifierTypeId": "lccn", "value": "n  79021164\\"},
                {"identifierTypeId": "canceled-lccn", "value": "n  790"},
                {"identifierTypeId": "system-control-number", "value": "(OCoLC)oca00277514"},
            ],
            "notes": [{"noteTypeId": "nonpublic", "note": "Not a spirit"}],
            "sourceFileId": "naf",
            "naturalId": "n79021164",
        }),
    );
}

#[test]
fn an_authority_is_of_the_file_that_its_number_begins_with() {
    let natural = |marc: &str| {
        let mapped = mapped(RecordKind::Authority, marc);
        let value = |key: &str| mapped.entity.get(key).cloned().unwrap_or(Value::Null);
        (value("sourceFileId"), value("naturalId"))
    };
    assert_eq!(
        natural("001 1\n010   $axx1$ash 85-1"),
        (json!("lcsh"), json!("sh851"))
    );
    assert_eq!(
        natural("001 nb 1\n010   $axx1"),
        (json!("naf"), json!("nb1"))
    );
    assert_eq!(natural("001 in-1\n010   $a85"), (Value::Null, json!("in1")));
    assert_eq!(natural("150   $aGlass"), (Value::Null, Value::Null));
}

#[test]
fn extended_authorities_have_relations() {
    let rules = Rules::parse_extended_authority(&Rules::defaults(RecordKind::Authority)).unwrap();
    let marc = "\
        150   $aGlass$xHistory$zDenmark\n\
        550   $wg$iBroader:$aMaterials$xHistory$5DK\n\
        550   $wnnah$aVerre\n\
        511 2 $wb$aGlass Days$tProgramme";
    let mapped = rules.map(&parse_text(marc).unwrap(), &references());
    check_all(
        &mapped,
        json!({
            "source": "MARC",
            "saftMeetingNameTitle": ["Glass Days Programme"],
            "topicalTerm": "Glass--History--Denmark",
            "saftTopicalTerm": ["Broader: Materials DK--History", "Verre"],
            "saftMeetingNameTitleTrunc": ["Glass Days Programme"],
            "saftTopicalTermTrunc": ["Materials--History", "Verre"],
            "saftBroaderTerm": [{"headingRef": "Materials--History", "headingType": "topicalTermTrunc"}],
            "saftNarrowerTerm": [{"headingRef": "Verre", "headingType": "topicalTermTrunc"}],
            "saftEarlierHeading": [{"headingRef": "Verre", "headingType": "topicalTermTrunc"}],
            "saftLaterHeading": [{"headingRef": "Glass Days Programme", "headingType": "meetingNameTitleTrunc"}],
        }),
    );
}

#[test]
fn holdings_have_place_call_number_and_statements() {
    let marc = "\
        LEADER 00000cy  a2200000zn 4500\n\
        001 ho00000000001\n\
        035   $aold1$aold2\n\
        561   $aGift$5DK\n\
        852 0 $bKU/CC/DI/M$hTP859$iH65$kq$t2\n\
        856 40$uhttps://example.org/a,$zFree\n\
        856 40$zNo address\n\
        866  0$av.1-4 ;$zlacks v.2\n\
        868  0$aIndex";
    let mapped = mapped(RecordKind::Holdings, marc);
    assert!(mapped.problems.is_empty());
    check_all(
        &mapped,
        json!({
            "hrid": "ho00000000001",
            "holdingsTypeId": "e6da6c98-6dd0-41bc-8b4b-cfd4bbd9c3ae",
            "formerIds": ["old1", "old2"],
            "permanentLocationId": "main",
            "electronicAccess": [{
                "relationshipId": "f5d0068e-6272-458e-8a81-b85e7b9a14aa",
                "uri": "https://example.org/a", "publicNote": "Free",
            }],
            "callNumberTypeId": "95467209-6d7b-468b-94df-0f5d7ad2747d",
            "callNumberPrefix": "q",
            "callNumber": "TP859 H65",
            "notes": [{
                "holdingsNoteTypeId": provenance(), "note": "Gift ; DK", "staffOnly": false,
            }],
            "holdingsStatements": [{"statement": "v.1-4", "note": "lacks v.2"}],
            "holdingsStatementsForIndexes": [{"statement": "Index"}],
            "holdingsStatementsForSupplements": [],
            "copyNumber": "2",
            "sourceId": "036ee84a-6afd-4c3c-9ad3-4a12ab875f59",
        }),
    );
}

fn provenance() -> String {
    let references = References::shipped();
    let types = references.list("holdingsNoteTypes");
    let found = types.iter().find(|one| one.name == "Provenance");
    found.unwrap().id.clone()
}

#[test]
fn a_location_that_is_not_known_is_reported() {
    let mapped = mapped(RecordKind::Holdings, "852 0 $bATTIC");
    assert_eq!(mapped.problems[0].tag, "852");
    assert_eq!(mapped.problems[0].reason, "locations has no \"ATTIC\"");
}

#[test]
fn rules_that_write_too_much_come_to_an_end() {
    let row = json!({"target": "editions", "subfield": ["a"]});
    let rules = json!({"500": vec![row; 2_000]});
    let rules = Rules::parse(RecordKind::Bib, &rules).unwrap();
    let marc = format!("500   $a{}", "x".repeat(90_000));
    let mapped = rules.map(&parse_text(&marc).unwrap(), &references());
    assert!(mapped.problems[0].reason.contains("more of the record"));
    assert_eq!(mapped.entity["editions"].as_array().unwrap().len(), 1);
}

const CODES: &str = "[abcdehijnqtuvwxyz0-9é$ ]";

prop_compose! {
    fn any_subfield()(code in CODES, value in "([ .,;:/|\\\\~-]|[a-zA-Z0-9]|é|(OCoLC)){0,20}") -> (char, String) {
        (code.chars().next().unwrap_or('a'), value)
    }
}

prop_compose! {
    fn any_field()(
        tag in prop::sample::select(TAGS),
        first in "[ 0-9a]",
        second in "[ 0-9z]",
        subfields in prop::collection::vec(any_subfield(), 0..6),
    ) -> octavo_marc::Field {
        let tag = octavo_marc::Tag::new(tag).unwrap();
        let mut values = subfields.into_iter();
        if tag.is_control() {
            let value = values.next().map(|(_, value)| value).unwrap_or_default();
            return octavo_marc::Field::Control(octavo_marc::ControlField { tag, value });
        }
        let indicator = |text: &str| text.chars().next().unwrap_or(' ');
        octavo_marc::Field::Data(octavo_marc::DataField {
            tag,
            indicators: [indicator(&first), indicator(&second)],
            subfields: values.map(|(code, value)| octavo_marc::Subfield { code, value }).collect(),
        })
    }
}

static EXTENDED: LazyLock<Rules> = LazyLock::new(|| {
    Rules::parse_extended_authority(crate::defaults::rules(RecordKind::Authority)).unwrap()
});

const TAGS: &[&str] = &[
    "001", "008", "010", "020", "022", "024", "035", "041", "082", "100", "111", "245", "264",
    "336", "500", "541", "550", "600", "650", "655", "700", "720", "780", "852", "856", "866",
    "880", "400", "510", "999",
];

prop_compose! {
    fn any_record()(
        leader in "[ -~]{24}",
        fields in prop::collection::vec(any_field(), 0..20),
    ) -> Record {
        Record { leader: Leader::from_bytes(leader.as_bytes()), fields }
    }
}

/// Replaces a part of a JSON value, found by following the numbers.
fn mutate(value: &mut Value, way: &[usize], other: &Value) {
    let Some((&step, rest)) = way.split_first() else {
        *value = other.clone();
        return;
    };
    match value {
        Value::Array(list) if !list.is_empty() => {
            let at = step % list.len();
            mutate(&mut list[at], rest, other);
        }
        Value::Object(object) if !object.is_empty() => {
            let at = step % object.len();
            if let Some((_, inner)) = object.iter_mut().nth(at) {
                mutate(inner, rest, other);
            }
        }
        value => *value = other.clone(),
    }
}

fn anything() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z ,.$*]{0,12}".prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!(["a", "b"])),
        Just(json!([{"conditions": [], "value": "x"}])),
        Just(json!({"ind1": "*", "ind2": "1"})),
        Just(json!("contributors.name")),
        Just(json!("trim, capitalize, remove_prefix_by_indicator")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_record_is_too_odd(record in any_record()) {
        let references = references();
        for kind in RecordKind::ALL {
            let mapped = crate::defaults::compiled(kind).map(&record, &references);
            prop_assert!(mapped.entity.contains_key("source") || kind == RecordKind::Holdings);
            prop_assert!(mapped.problems.len() <= 101);
        }
        let none = References::default();
        let _ = crate::defaults::compiled(RecordKind::Bib).map(&record, &none);
    }

    #[test]
    fn changed_rules_are_refused_or_carried_out(
        record in any_record(),
        changes in prop::collection::vec((prop::collection::vec(0_usize..200, 1..8), anything()), 1..6),
        tags in prop::collection::vec(0_usize..200, 6),
    ) {
        let references = references();
        for kind in RecordKind::ALL {
            // A few tags are enough, and faster than all.
            let all = crate::defaults::rules(kind).as_object().unwrap();
            let mut few: Map<String, Value> = Map::new();
            for at in &tags {
                if let Some((tag, entries)) = all.iter().nth(at % all.len()) {
                    few.insert(tag.clone(), entries.clone());
                }
            }
            let mut rules = Value::Object(few);
            for (way, other) in &changes {
                mutate(&mut rules, way, other);
            }
            match Rules::parse(kind, &rules) {
                Ok(rules) => {
                    let _ = rules.map(&record, &references);
                }
                Err(problems) => prop_assert!(!problems.is_empty()),
            }
        }
        let _ = EXTENDED.map(&record, &references);
    }
}
