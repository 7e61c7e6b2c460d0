//! Mapping rules as tables: records as text, `----`, and the expected properties.
//!
//! In a file of `testdata` a `#` line begins a case. A case without field 245 gets one; only the
//! properties that a case names are compared.

use octavo_marc::{Record, parse_text};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;

#[track_caller]
fn check(file: &str) {
    let cases: Vec<&str> = file
        .split("\n# ")
        .filter(|case| case.contains("----"))
        .collect();
    assert!(!cases.is_empty());
    for case in cases {
        let (name, rest) = case.split_once('\n').unwrap();
        let (marc, expected) = rest.split_once("\n----\n").unwrap();
        let mut record = parse_text(marc).unwrap();
        if record.data("245").next().is_none() {
            record
                .fields
                .extend(parse_text("245 00$aGlass").unwrap().fields);
        }
        let actual = instance_from_marc(&record).unwrap().to_json();
        let expected: Value = serde_json::from_str(expected).unwrap();
        for (property, expected) in expected.as_object().unwrap() {
            let actual = actual.get(property).unwrap_or(&Value::Null);
            assert_eq!(actual, expected, "{name}: {property} is {actual:#}");
        }
    }
}

#[test]
fn titles() {
    check(include_str!("testdata/titles.txt"));
}

#[test]
fn identifiers() {
    check(include_str!("testdata/identifiers.txt"));
}

#[test]
fn contributors() {
    check(include_str!("testdata/contributors.txt"));
}

#[test]
fn subjects() {
    check(include_str!("testdata/subjects.txt"));
}

#[test]
fn classifications() {
    check(include_str!("testdata/classifications.txt"));
}

#[test]
fn publication() {
    check(include_str!("testdata/publication.txt"));
}

#[test]
fn resources() {
    check(include_str!("testdata/resources.txt"));
}

#[test]
fn notes_and_addresses() {
    check(include_str!("testdata/notes.txt"));
}

#[test]
fn other_scripts() {
    check(include_str!("testdata/linked.txt"));
}

#[test]
fn records_that_make_no_instance_are_refused() {
    let refused = |text| instance_from_marc(&parse_text(text).unwrap()).unwrap_err();
    assert_eq!(refused("001 1"), MappingError::TitleMissing);
    assert_eq!(refused("245 10$6880-01$c "), MappingError::TitleEmpty);
    let authority = refused("LEADER 00000nz  a2200000   4500\n245 00$aGlass");
    assert_eq!(authority, MappingError::NotBibliographic('z'));
}

const INSTANCE: Uuid = Uuid::from_u128(1);
const SOURCE: Uuid = Uuid::from_u128(2);
const DEFAULT_LOCATION: Uuid = Uuid::from_u128(3);
const STACKS: Uuid = Uuid::from_u128(4);
const LC: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";
const DEWEY: &str = "03dd64d0-5626-4ecd-8ece-4531e0069f35";

fn holdings(text: &str) -> Vec<Value> {
    let record: Record = parse_text(text).unwrap();
    let defaults = HoldingsDefaults {
        instance_id: INSTANCE,
        source_id: SOURCE,
        permanent_location_id: DEFAULT_LOCATION,
        holdings_type_id: None,
        location_by_code: &|code| (code == "STACKS").then_some(STACKS),
    };
    holdings_from_marc(&record, &defaults)
}

fn held_at(location: Uuid, more: Value) -> Value {
    let mut held = json!({
        "instanceId": INSTANCE, "sourceId": SOURCE, "permanentLocationId": location,
    });
    held.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    held
}

#[test]
fn holdings_get_the_record_s_call_number() {
    let lc = json!({"callNumber": "TP859 .H65 1987", "callNumberTypeId": LC});
    assert_eq!(
        holdings("050 00$aTP859$b.H65 1987$aNK5104\n082 00$a748/.2"),
        [held_at(DEFAULT_LOCATION, lc)]
    );
    let dewey = json!({"callNumber": "748.2", "callNumberTypeId": DEWEY});
    assert_eq!(
        holdings("082 00$a748/.2"),
        [held_at(DEFAULT_LOCATION, dewey)]
    );
    assert_eq!(
        holdings("245 10$aGlass"),
        [held_at(DEFAULT_LOCATION, json!({}))]
    );
}

#[test]
fn locations_make_holdings_of_their_own() {
    let text = "\
        050 00$aTP859$b.H65\n\
        852 1 $bMAIN$cSTACKS$h748.2$iHol$kq$t2$zFirst floor$xGift\n\
        852 0 $bELSEWHERE";
    let first = json!({
        "callNumber": "748.2 Hol", "callNumberTypeId": DEWEY,
        "callNumberPrefix": "q", "copyNumber": "2",
        "notes": [
            {"holdingsNoteTypeId": "b160f13a-ddba-4053-b9c4-60ec5ea45d56",
             "note": "First floor", "staffOnly": false},
            {"holdingsNoteTypeId": "b160f13a-ddba-4053-b9c4-60ec5ea45d56",
             "note": "Gift", "staffOnly": true},
        ],
    });
    let second = json!({"callNumber": "TP859 .H65", "callNumberTypeId": LC});
    assert_eq!(
        holdings(text),
        [held_at(STACKS, first), held_at(DEFAULT_LOCATION, second)]
    );
}

#[test]
fn statements_belong_to_the_only_holdings() {
    let statements = json!({"holdingsStatements": [{"statement": "v.1-4", "note": "lacks v.2"}]});
    let text = "866  0$av.1-4$zlacks v.2\n852 8 $bSTACKS";
    assert_eq!(holdings(text), [held_at(STACKS, statements)]);
    assert_eq!(
        holdings(&format!("{text}\n852 8 $bSTACKS"))[0],
        held_at(STACKS, json!({}))
    );
}

#[test]
fn barcodes_make_items() {
    let defaults = ItemDefaults {
        holdings_record_id: Uuid::from_u128(5),
        material_type_id: Uuid::from_u128(6),
        permanent_loan_type_id: Uuid::from_u128(7),
    };
    let record = parse_text("852 0 $bSTACKS$p3001$t1\n876   $p3002\n852 0 $bSTACKS").unwrap();
    let items = items_from_marc(&record, &defaults);
    assert_eq!(items.len(), 2);
    assert_eq!(
        items[0],
        json!({
            "barcode": "3001", "copyNumber": "1", "status": {"name": "Available"},
            "holdingsRecordId": defaults.holdings_record_id,
            "materialTypeId": defaults.material_type_id,
            "permanentLoanTypeId": defaults.permanent_loan_type_id,
        })
    );
    assert_eq!(items[1]["barcode"], "3002");
}
