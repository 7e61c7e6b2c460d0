//! What holds for any record and any bytes.

use octavo_marc::{
    ControlField, DataField, Field, Iso2709Reader, MarcReader, Record, Subfield, Tag, XmlReader,
    decode_marc8, parse_iso2709, write_iso2709, write_xml,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::sample;

/// Text that every format can hold: without delimiters and without what XML would change.
fn value() -> impl Strategy<Value = String> {
    "[ -~äéßČøЖ漢字\u{301}\u{1F600}]{0,20}"
}

fn field() -> impl Strategy<Value = Field> {
    let tag = |pattern| {
        proptest::string::string_regex(pattern)
            .unwrap()
            .prop_map(|tag| Tag::new(&tag).unwrap())
    };
    let indicator = || proptest::char::ranges(vec![' '..=' ', '0'..='9', 'a'..='z'].into());
    let code = proptest::char::ranges(vec!['0'..='9', 'a'..='z'].into());
    let subfield = (code, value()).prop_map(|(code, value)| Subfield { code, value });
    let control = (tag("00[1-9]"), value())
        .prop_map(|(tag, value)| Field::Control(ControlField { tag, value }));
    let data = (
        tag("[1-9A-Z][0-9]{2}"),
        [indicator(), indicator()],
        proptest::collection::vec(subfield, 0..4),
    )
        .prop_map(|(tag, indicators, subfields)| {
            Field::Data(DataField {
                tag,
                indicators,
                subfields,
            })
        });
    prop_oneof![control, data]
}

fn record() -> impl Strategy<Value = Record> {
    proptest::collection::vec(field(), 0..8).prop_map(|fields| Record {
        fields,
        ..Record::default()
    })
}

/// The sample as a file of three records with some bytes changed and the end cut off.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let file = write_iso2709(&sample()).unwrap().repeat(3);
    let changes = proptest::collection::vec((0..file.len(), any::<u8>()), 0..12);
    (changes, 0..=file.len()).prop_map(move |(changes, end)| {
        let mut file = file.clone();
        for (position, byte) in changes {
            file[position] = byte;
        }
        file.truncate(end);
        file
    })
}

/// JSON that resembles a record.
fn json() -> impl Strategy<Value = Value> {
    let leaf = || {
        prop_oneof![
            value().prop_map(Value::from),
            Just(Value::Null),
            Just(json!("1")),
            Just(json!(7)),
            Just(json!([])),
        ]
    };
    let subfield = prop_oneof![
        ("[a-c]{0,2}", value()).prop_map(|(code, value)| json!({code: value})),
        leaf(),
    ];
    let subfields = prop_oneof![
        proptest::collection::vec(subfield, 0..3).prop_map(Value::from),
        leaf(),
    ];
    let content = prop_oneof![
        value().prop_map(Value::from),
        (leaf(), leaf(), subfields).prop_map(|(first, second, subfields)| {
            json!({"ind1": first, "ind2": second, "other": [1, {}], "subfields": subfields})
        }),
        Just(json!({"ind1": " "})),
        leaf(),
    ];
    let field = prop_oneof![
        ("[0-9]{2,3}", content).prop_map(|(tag, content)| json!({tag: content})),
        leaf(),
    ];
    let fields = prop_oneof![
        4 => proptest::collection::vec(field, 0..3).prop_map(Value::from),
        1 => leaf(),
    ];
    (
        prop_oneof![4 => value().prop_map(Value::from), 1 => leaf()],
        fields,
    )
        .prop_map(|(leader, fields)| json!({"leader": leader, "x": 1, "fields": fields}))
}

proptest! {
    #[test]
    fn every_format_returns_what_it_was_given(record in record()) {
        let bytes = write_iso2709(&record).unwrap();
        let (read, warnings) = parse_iso2709(&bytes).unwrap();
        prop_assert_eq!(&read.fields, &record.fields);
        prop_assert_eq!(warnings, vec![]);
        prop_assert_eq!(write_iso2709(&read).unwrap(), bytes);

        prop_assert_eq!(&Record::from_json(&record.to_json()).unwrap(), &record);
        let text = record.to_json_text();
        prop_assert_eq!(&text, &record.to_json().to_string());
        prop_assert_eq!(&Record::from_json_text(&text).unwrap(), &record);

        let mut xml = Vec::new();
        write_xml(&record, &mut xml).unwrap();
        let read = XmlReader::new(xml.as_slice()).next().unwrap().unwrap();
        prop_assert_eq!(read, record);
    }

    #[test]
    fn both_ways_into_a_record_take_and_refuse_the_same_json(json in json()) {
        let text = json.to_string();
        prop_assert_eq!(Record::from_json_text(&text), Record::from_json(&json));
    }

    #[test]
    fn any_bytes_are_read_to_their_end(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for read in Iso2709Reader::new(bytes.as_slice()) {
            let _ = read;
        }
        for read in XmlReader::new(bytes.as_slice()) {
            let _ = read;
        }
        decode_marc8(&bytes);
    }

    #[test]
    fn any_markup_is_read_to_its_end(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just("<record>"), Just("</record>"), Just("<leader>"), Just("</leader>"),
                Just("<datafield tag='245' ind1='1'>"), Just("</datafield>"), Just("x &amp; "),
                Just("<subfield code='a'>"), Just("</subfield>"), Just("<a:record b=\">\">"),
                Just("&#0;"), Just("<![CDATA["), Just("]]>"), Just("<!--"), Just("<record/>"),
                Just("<controlfield tag=''>"), Just(">"), Just("<"),
            ],
            0..40,
        )
    ) {
        let xml = pieces.concat();
        for read in XmlReader::new(xml.as_bytes()) {
            let _ = read;
        }
    }

    #[test]
    fn damage_is_contained(bytes in damaged()) {
        for record in MarcReader::open(bytes.as_slice()).unwrap().flatten() {
            // Any record that was read can be written as JSON and text, and read again from JSON.
            prop_assert_eq!(&Record::from_json(&record.to_json()).unwrap(), &record);
            let text = record.to_json_text();
            prop_assert_eq!(&text, &record.to_json().to_string());
            prop_assert_eq!(&Record::from_json_text(&text).unwrap(), &record);
            let _ = record.to_string();
            let _ = write_iso2709(&record);
        }
    }
}
