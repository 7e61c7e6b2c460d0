//! What default rules and profiles make of inventory's records.

use octavo_marc::Field;
use serde_json::{Value, json};

use super::super::references::{Entry, List, References};
use super::super::{Profile, Work, fields_of, record_of};
use super::*;

fn references() -> References {
    let mut references = References::default();
    for (list, id, name, code) in [
        (List::IdentifierTypes, "isbn", "ISBN", ""),
        (List::IdentifierTypes, "bad-isbn", "Invalid ISBN", ""),
        (List::IdentifierTypes, "lccn", "LCCN", ""),
        (List::ContributorNameTypes, "person", "Personal name", ""),
        (List::ContributorNameTypes, "body", "Corporate name", ""),
        (List::AlternativeTitleTypes, "uniform", "Uniform title", ""),
        (List::InstanceTypes, "text", "text", "txt"),
        (
            List::InstanceFormats,
            "volume",
            "unmediated -- volume",
            "nc",
        ),
        (
            List::ElectronicAccessRelationships,
            "resource",
            "Resource",
            "",
        ),
        (List::LoanTypes, "loan", "Can circulate", ""),
        (List::Campuses, "campus", "City Campus", "CC"),
    ] {
        let entry = Entry {
            name: name.to_owned(),
            code: Some(code.to_owned()),
            ..Entry::default()
        };
        references.add(list, id.to_owned(), entry);
    }
    for (id, name) in [("main", "Main Library"), ("annex", "Annex")] {
        let entry = Entry {
            name: name.to_owned(),
            code: Some(format!("KU/{id}")),
            campus_id: Some("campus".to_owned()),
            ..Entry::default()
        };
        references.add(List::Locations, id.to_owned(), entry);
    }
    references
}

fn instance() -> Value {
    json!({
        "id": "i1", "hrid": "in1", "title": "Bridges", "instanceTypeId": "text",
        "metadata": {"createdDate": "2026-03-04T05:06:07.000+00:00", "updatedDate": "2026-03-05T15:06:07.000+00:00"},
        "identifiers": [{"identifierTypeId": "isbn", "value": "111"}, {"identifierTypeId": "lccn", "value": "L1"},
            {"identifierTypeId": "isbn", "value": "222"}, {"identifierTypeId": "bad-isbn", "value": "bad"}],
        "contributors": [{"name": "Holm, Ida", "contributorNameTypeId": "person", "primary": true},
            {"name": "Oslo by", "contributorNameTypeId": "body"}],
        "alternativeTitles": [{"alternativeTitle": "Bruer", "alternativeTitleTypeId": "uniform"}],
        "editions": ["1st", "2nd"], "languages": ["eng"], "instanceFormatIds": ["volume"],
        "publication": [{"place": "Oslo", "publisher": "P", "dateOfPublication": "1999"}, {"publisher": "Q"}],
        "notes": [{"note": "Open", "staffOnly": false}, {"note": "Secret", "staffOnly": true}],
        "subjects": [{"value": "Spans"}],
        "electronicAccess": [{"uri": "http://x", "relationshipId": "resource"}, {"uri": "http://y", "linkText": "Y"}],
    })
}

fn holdings() -> Vec<Value> {
    vec![
        json!({"id": "h1", "hrid": "ho1", "instanceHrId": "in1", "permanentLocationId": "main", "callNumber": "TG300",
            "holdingsStatements": [{"statement": "1-3", "note": "incomplete"}],
            "items": [{"hrid": "it1", "barcode": "31", "status": {"name": "Available"}, "permanentLoanTypeId": "loan",
                "effectiveLocationId": "main"}, {"hrid": "it2"}]}),
        json!({"id": "h2", "hrid": "ho2", "permanentLocationId": "main", "temporaryLocationId": "annex", "items": []}),
    ]
}

fn lines(fields: &[Field]) -> Vec<String> {
    let record = octavo_marc::Record {
        fields: fields.to_vec(),
        ..octavo_marc::Record::default()
    };
    record
        .to_string()
        .lines()
        .skip(1)
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_tables_are_well_formed() {
    assert_eq!(instance_rules().len(), 53);
    assert_eq!(holdings_rules().len(), 8);
    assert_eq!(
        (embedded(true, false).len(), embedded(false, true).len()),
        (4, 1)
    );
}

#[test]
fn an_instance_makes_a_record() {
    let instance = instance();
    let work = Work {
        instance: Some(&instance),
        holdings: &[],
    };
    let record = record_of(instance_rules(), work, &references(), true);
    assert_eq!(record.leader.as_str(), "00000nam a22000003c 4500");
    let expected = [
        "001 in1",
        "005 20260305150607.0",
        "008 260304|1999||||||||||||       |||||eng||",
        "010   $aL1",
        "020   $a111$zbad",
        "020   $a222",
        "041   $aeng",
        "100 1 $aHolm, Ida",
        "130 0 $aBruer",
        "245 00$aBridges",
        "250   $a1st",
        "250   $a2nd",
        "264  1$aOslo$bP$c1999",
        "264  1$bQ",
        "336   $atext",
        "337   $aunmediated",
        "338   $avolume",
        "500   $aOpen",
        "653   $aSpans",
        "710 2 $aOslo by",
        "856 40$uhttp://x",
        "856 4 $uhttp://y$yY",
        "999 ff$ii1",
    ];
    assert_eq!(lines(&record.fields), expected);
}

#[test]
fn holdings_make_records_of_their_own() {
    let holdings = holdings();
    let work = |at: usize| Work {
        instance: None,
        holdings: &holdings[at..=at],
    };
    let record = record_of(holdings_rules(), work(0), &references(), false);
    let expected = [
        "001 ho1",
        "004 in1",
        "852   $bMain Library",
        "866  0$a1-3$zincomplete",
        "999 ff$ih1",
    ];
    assert_eq!(lines(&record.fields), expected);
    let record = record_of(holdings_rules(), work(1), &references(), false);
    assert_eq!(
        lines(&record.fields),
        ["001 ho2", "852   $cAnnex", "999 ff$ih2"]
    );
}

#[test]
fn holdings_and_items_stand_inside_a_record() {
    let holdings = holdings();
    let work = Work {
        instance: None,
        holdings: &holdings,
    };
    let fields = fields_of(&embedded(true, true), work, &references());
    let expected = [
        "852   $bMain Library$hTG300$3ho1",
        "852   $cAnnex$3ho2",
        "866  0$a1-3$zincomplete",
        "876   $ait1$hCan circulate$jAvailable$lMain Library$p31$3ho1",
        "876   $ait2$3ho1",
    ];
    assert_eq!(lines(&fields), expected);
}

#[test]
fn transformations_of_a_profile_are_applied() {
    let transformation = |kind: &str, id: &str, path: &str, target: &str| json!({"recordType": kind, "fieldId": id, "path": path, "enabled": true, "transformation": target});
    let profile = Profile::of(&json!({
        "recordTypes": ["SRS", "HOLDINGS", "ITEM"], "suppress999ff": true, "fieldsSuppression": "500, 650",
        "transformations": [
            transformation("HOLDINGS", "holdings.callnumber", "$.holdings[*].callNumber", "900  $a"),
            transformation("HOLDINGS", "holdings.permanentlocation.campus.code", "$.holdings[*].permanentLocationId", "900  $1"),
            transformation("HOLDINGS", "holdings.hrid", "$.holdings[*].hrid", "900  $b"),
            transformation("ITEM", "item.barcode", "$.holdings[*].items[*].barcode", "95211$p"),
            transformation("INSTANCE", "instance.title", "$.instance.title", ""),
            transformation("HOLDINGS", "holdings.id", "no path", "901  $a"),
            json!({"recordType": "HOLDINGS", "fieldId": "holdings.id", "path": "$.holdings[*].id", "enabled": false, "transformation": "902  $a"}),
        ],
    }));
    assert!(profile.takes.marc && profile.takes.items);
    assert_eq!(profile.shaping.suppressed, ["500", "650"]);
    let (instance, holdings) = (instance(), holdings());
    let work = Work {
        instance: Some(&instance),
        holdings: &holdings,
    };
    let expected = [
        "900   $aTG300$bho1$1CC",
        "900   $bho2$1CC",
        "952 11$p31$3ho1",
        "245 00$aBridges",
    ];
    assert_eq!(
        lines(&fields_of(&profile.beside, work, &references())),
        expected
    );
}
