//! Records there and back, of every material.

use jiff::civil::date;
use octavo_marc::{Record, parse_text};
use serde_json::{Value, json};

use super::*;

const TODAY: Today = date(2026, 3, 1);

fn record(text: &str) -> Record {
    parse_text(text).expect("a record")
}

fn shown(record: &Record, kind: RecordKind) -> (String, Vec<Value>) {
    (write_leader(&record.leader), write_fields(record, kind))
}

#[track_caller]
fn read(leader: &str, fields: &[Value], kind: RecordKind) -> Record {
    read_record(leader, fields, kind, None, TODAY).expect("a record")
}

/// Two digits and letters for each character, so that every character has a place of its own.
fn filled(length: usize) -> String {
    let alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
    alphabet.chars().cycle().take(length).collect()
}

#[test]
fn records_of_every_material_come_back_as_they_were() {
    let material = filled(17);
    for record_type in "acdefgijkmoprt".chars() {
        for level in "abcdims ".chars() {
            let text = format!(
                "LEADER 00000n{record_type}{level} a2200000   4500\n001 in1\n\
                 006 {record_type}{material}\n\
                 008 260301s2026    ab {material}eng c\n\
                 245 10$aA title :$bwith {{dollar}}5 /$cby somebody.\n\
                 650  0$aJazz$xHistory\n651  0$aOslo\n650  7$aBlues$2fast\n"
            );
            let record = record(&text);
            let (leader, fields) = shown(&record, RecordKind::Bib);
            let back = read(&leader, &fields, RecordKind::Bib);
            assert_eq!(
                back.to_string(),
                expected(&record, record_type, level),
                "{text}"
            );
        }
    }
}

/// The same record, with blanks in those characters of the material that have no name.
fn expected(record: &Record, record_type: char, level: char) -> String {
    let blanked = |value: &str, offset: usize, elements: &[elements::Element]| {
        let named = |at: usize| {
            elements.iter().any(|element| {
                let start = offset + element.position - 1;
                (start..start + element.length).contains(&at)
            })
        };
        let end = offset + 17;
        let keep = |(at, c): (usize, char)| match (offset..end).contains(&at) && !named(at) {
            true => ' ',
            false => c,
        };
        value.chars().enumerate().map(keep).collect::<String>()
    };
    let mut wanted = record.clone();
    for field in &mut wanted.fields {
        if let octavo_marc::Field::Control(control) = field {
            if control.tag == "006" {
                control.value = blanked(&control.value, 1, elements::of_006(record_type));
            } else if control.tag == "008" {
                let elements = elements::of_material(record_type, level);
                control.value = blanked(&control.value, 18, elements);
            }
        }
    }
    wanted.to_string()
}

#[test]
fn with_the_stored_record_every_field_comes_back_exactly() {
    for record_type in "abcdefghijklmnopqrstuvxyz |".chars() {
        let text = format!(
            "LEADER 00000n{record_type}s a2200000   4500\n001 in1\n006 {record_type}{}\n006 \n006 a\n\
             007 {record_type}{}\n007 s\n008 short\n245 10$a  blanks  $B UPPER$c\n\
             500   $%odd$apiece of {{dollar}}a\n999 ff$i1$s2\n",
            filled(17),
            filled(22),
        );
        let mut record = record(&text);
        // A record may itself contain the escape of a dollar sign.
        if let Some(octavo_marc::Field::Data(field)) = record.fields.last_mut() {
            field.subfields[0].value = "{dollar} $a".to_owned();
        }
        for kind in [RecordKind::Bib, RecordKind::Holdings, RecordKind::Authority] {
            let (leader, fields) = shown(&record, kind);
            let back = read_record(&leader, &fields, kind, Some(&record), TODAY);
            assert_eq!(back.as_ref(), Ok(&record), "{text}");
        }
    }
}

#[test]
fn every_category_of_007_comes_back() {
    for code in "acdfghkmoqrstvz".chars() {
        let category = elements::category_of(code).expect("a category");
        let mut value: Vec<char> = vec![' '; category.length];
        for (number, element) in category.elements.iter().enumerate() {
            for place in &mut value[element.position..element.position + element.length] {
                *place = char::from(b'a' + u8::try_from(number).expect("few elements"));
            }
        }
        value[0] = code;
        let value: String = value.into_iter().collect();
        let record = record(&format!("007 {value}"));
        let (leader, fields) = shown(&record, RecordKind::Bib);
        assert_eq!(fields[0]["content"]["$categoryName"], category.name);
        assert_eq!(read(&leader, &fields, RecordKind::Bib), record);
    }
    let unknown = record("007 bxyz");
    let (leader, fields) = shown(&unknown, RecordKind::Bib);
    assert_eq!(
        fields[0]["content"],
        json!({"$categoryName": "Unknown", "Category": "b", "Value": "bxyz"})
    );
    assert_eq!(read(&leader, &fields, RecordKind::Bib), unknown);
}

#[test]
fn fields_008_of_holdings_and_authorities_come_back() {
    let holdings = record("008 1011252p    8   4001aueng0110908");
    let (leader, fields) = shown(&holdings, RecordKind::Holdings);
    assert_eq!(fields[0]["content"]["Spec ret"], json!(["\\", "\\", "\\"]));
    assert_eq!(fields[0]["content"]["AcqStatus"], "2");
    assert_eq!(read(&leader, &fields, RecordKind::Holdings), holdings);
    let authority = record("008 860211i| anannbabn          |b ana     d");
    let (leader, fields) = shown(&authority, RecordKind::Authority);
    assert_eq!(fields[0]["content"]["Undef_18"], "\\\\\\\\\\\\\\\\\\\\");
    assert_eq!(read(&leader, &fields, RecordKind::Authority), authority);
}

#[test]
fn a_field_is_shown_as_foliosmarc_editor_shows_it() {
    let record = record(
        "LEADER 00000cam a2200000   4500\n008 850101s1985    nyu      b    000 0 eng  \n\
         700 1 $aHolm, Ida$99d968396-0cce-4e9f-8867-c4d04c01f535",
    );
    let (leader, fields) = shown(&record, RecordKind::Bib);
    assert_eq!(leader, "00000cam\\a2200000\\\\\\4500");
    assert_eq!(
        fields[0],
        json!({
            "tag": "008",
            "content": {
                "Type": "a", "BLvl": "m", "Entered": "850101", "DtSt": "s", "Date1": "1985",
                "Date2": "\\\\\\\\", "Ctry": "nyu", "Lang": "eng", "MRec": "\\", "Srce": "\\",
                "Ills": ["\\", "\\", "\\", "\\"], "Audn": "\\", "Form": "\\",
                "Cont": ["b", "\\", "\\", "\\"], "GPub": "\\", "Conf": "0", "Fest": "0",
                "Indx": "0", "LitF": "0", "Biog": "\\",
            },
            "indicators": [],
        })
    );
    assert_eq!(
        fields[1],
        json!({
            "tag": "700",
            "content": "$a Holm, Ida $9 9d968396-0cce-4e9f-8867-c4d04c01f535",
            "indicators": ["1", "\\"],
            "linkDetails": {"authorityId": "9d968396-0cce-4e9f-8867-c4d04c01f535"},
        })
    );
}

#[test]
fn what_a_cataloguer_types_is_tidied() {
    let read = |content: &str| {
        let item = json!({"tag": "245", "content": content, "indicators": ["1", "\\"]});
        read("", &[item], RecordKind::Bib).fields[0].clone()
    };
    let text = |field: octavo_marc::Field| {
        let fields = vec![field];
        let record = Record {
            fields,
            ..Record::default()
        };
        record.to_string().lines().nth(1).map(str::to_owned)
    };
    let tidied = |content: &str| text(read(content)).expect("a field");
    assert_eq!(tidied("$a  A title  $B more "), "245 1 $aA title$bmore");
    assert_eq!(tidied("before $aA$b $c  "), "245 1 $aA");
    assert_eq!(
        tidied("$a costs {dollar}5 or $ 5"),
        "245 1 $acosts $5 or $ 5"
    );
}

#[test]
fn numbers_of_the_library_of_congress_have_their_blanks() {
    let read = |content: &str| {
        let item = json!({"tag": "010", "content": content, "indicators": []});
        let record = read("", &[item], RecordKind::Bib);
        let field = record.data("010").next().cloned().expect("a field");
        field.get('a').expect("a number").to_owned()
    };
    assert_eq!(read("$a   2001627090 $z x"), "  2001627090");
    assert_eq!(read("$a n2001627090"), "n 2001627090");
    assert_eq!(read("$a 79021383"), "   79021383 ");
    assert_eq!(read("$a n 79021383"), "n  79021383 ");
    assert_eq!(read("$a agr79021383"), "agr79021383 ");
    assert_eq!(read("$a 79-1383"), "79-1383");
}

#[test]
fn who_enters_no_day_gets_todays() {
    for entered in [
        json!(null),
        json!("\\\\\\\\\\\\"),
        json!("000000"),
        json!("26"),
    ] {
        let content = json!({"Type": "a", "BLvl": "m", "Entered": entered, "Ctry": "nyu"});
        let item = json!({"tag": "008", "content": content});
        let record = read("", &[item], RecordKind::Bib);
        let value = record.control("008").expect("a field");
        assert_eq!(value, format!("260301         nyu{:22}", ""));
    }
}

#[test]
fn what_is_no_record_is_refused_with_its_place() {
    let refused = |item: Value| {
        let refused = read_record("", &[item], RecordKind::Bib, None, TODAY);
        refused.expect_err("a refusal").to_string()
    };
    assert_eq!(
        refused(json!({"tag": "24", "content": "$a"})),
        "Parameter 'fields[0].tag' must match \"^[0-9]{3}$\""
    );
    assert_eq!(
        refused(json!({"tag": "245", "content": {}})),
        "Parameter 'fields[0].content' must be a string"
    );
    assert_eq!(
        refused(json!({"tag": "008", "content": 1})),
        "Parameter 'fields[0].content' must be an object"
    );
    let content = json!({"Type": "a", "BLvl": "m", "Ctry": "ny"});
    assert_eq!(
        refused(json!({"tag": "008", "content": content})),
        "Invalid Ctry field length, must be 3 characters"
    );
}

#[test]
fn a_field_has_a_measure_of_subfields_unless_it_is_stored_so() {
    let leader = "00000nam\\a2200000\\a\\4500";
    let field = |count: usize| json!({"tag": "500", "content": "$a x ".repeat(count), "indicators": ["\\", "\\"]});
    let most = read(leader, &[field(5_000)], RecordKind::Bib);
    assert_eq!(
        most.data("500").next().map(|one| one.subfields.len()),
        Some(5_000)
    );
    let fields = [field(1), field(5_001)];
    let refused = read_record(leader, &fields, RecordKind::Bib, None, TODAY);
    assert_eq!(
        refused.expect_err("a refusal").to_string(),
        "Parameter 'fields[1].content' must have at most 5000 subfields"
    );
    // Who changes something else keeps a longer field that an import has brought.
    let stored = record(&format!("500   {}", "$ax".repeat(6_000)));
    let (leader, shown) = shown(&stored, RecordKind::Bib);
    let kept = read_record(&leader, &shown, RecordKind::Bib, Some(&stored), TODAY);
    assert_eq!(kept.expect("a record").fields, stored.fields);
}
