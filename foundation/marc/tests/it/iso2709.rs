//! Binary files: order, wrong lengths, character sets, and continuing after a malformed record.

use octavo_marc::{
    Format, Iso2709Reader, Leader, Malformed, MarcReader, Record, Warning, WriteError,
    parse_iso2709, parse_text, write_iso2709,
};

use super::sample;

/// A record's bytes with directory and data exactly as given.
fn raw(encoding: char, directory: &str, data: &[u8]) -> Vec<u8> {
    let base = Leader::LENGTH + directory.len() + 1;
    let length = base + data.len() + 1;
    let mut bytes =
        format!("{length:05}nam {encoding}22{base:05}   4500{directory}\x1E").into_bytes();
    bytes.extend_from_slice(data);
    bytes.push(0x1D);
    bytes
}

fn read(bytes: &[u8]) -> Vec<Result<Record, String>> {
    Iso2709Reader::new(bytes)
        .map(|read| read.map_err(|error| format!("{error}: {}", error.reason)))
        .collect()
}

#[test]
fn records_survive_the_way_there_and_back() {
    let bytes = write_iso2709(&sample()).unwrap();
    let (record, warnings) = parse_iso2709(&bytes).unwrap();
    assert_eq!(record.fields, sample().fields);
    assert_eq!(warnings, []);
    assert_eq!(write_iso2709(&record).unwrap(), bytes);
}

#[test]
fn a_lying_directory_is_overruled_by_terminators() {
    // Lengths and starts counted in characters instead of bytes, as some programs write them.
    let directory = "245001000000650000700010";
    let data = "10\x1FaÆØÅ æøå\x1E 0\x1FaGlas\x1E".as_bytes();
    let (record, warnings) = parse_iso2709(&raw('a', directory, data)).unwrap();
    assert_eq!(record.to_string().lines().nth(1), Some("245 10$aÆØÅ æøå"));
    assert_eq!(record.to_string().lines().nth(2), Some("650  0$aGlas"));
    assert_eq!(warnings, [Warning::DirectoryIgnored]);
}

#[test]
fn a_wrong_record_length_is_no_matter() {
    let mut bytes = write_iso2709(&sample()).unwrap();
    bytes[..5].copy_from_slice(b"00099");
    let (record, warnings) = parse_iso2709(&bytes).unwrap();
    assert_eq!(record.fields, sample().fields);
    assert_eq!(
        warnings,
        [Warning::LengthDiffers {
            declared: 99,
            actual: bytes.len()
        }]
    );
}

#[test]
fn directory_order_is_field_order() {
    let directory = "650000600006245000600000";
    let (record, _) = parse_iso2709(&raw('a', directory, b"10\x1Fax\x1E 0\x1Fay\x1E")).unwrap();
    assert_eq!(
        record.to_string(),
        format!("LEADER {}\n650  0$ay\n245 10$ax\n", record.leader)
    );
}

#[test]
fn reading_goes_on_after_a_malformed_record() {
    let good = write_iso2709(&sample()).unwrap();
    let mut file = good.clone();
    file.extend_from_slice(b"\r\nnonsense\x1D\n");
    file.extend_from_slice(&raw('a', "245000500000", b"10\x1Fax\x1E10\x1E"));
    file.extend_from_slice(&raw('a', "2=5000600000", b"10\x1Fax\x1E"));
    file.extend_from_slice(&raw('a', "245000900000650000100009", b"10\x1Fax\x1E"));
    file.extend_from_slice(&good);
    file.extend_from_slice(&good[..40]);
    let read = read(&file);
    let at =
        |text: &str, offset: usize| Err(format!("record {text}").replace('@', &offset.to_string()));
    let bad = good.len() + 2;
    assert_eq!(read[0].as_ref().unwrap().fields, sample().fields);
    assert_eq!(
        read[1],
        at(
            "2 at byte @ is malformed: 9 bytes are too few for a record",
            bad
        )
    );
    assert_eq!(
        read[2],
        at(
            "3 at byte @ is malformed: the directory lists 1 fields, but 2 are there",
            bad + 10
        )
    );
    assert_eq!(
        read[3],
        at("4 at byte @ is malformed: \"2=5\" is not a tag", bad + 57)
    );
    assert!(
        read[4]
            .as_ref()
            .unwrap_err()
            .ends_with("the directory lists 2 fields, but 1 are there")
    );
    assert_eq!(read[5].as_ref().unwrap().fields, sample().fields);
    assert!(
        read[6]
            .as_ref()
            .unwrap_err()
            .ends_with("the input ends inside the record")
    );
    assert_eq!(read.len(), 7);
}

#[test]
fn a_missing_terminator_swallows_no_record() {
    let good = write_iso2709(&sample()).unwrap();
    let mut unterminated = good[..good.len() - 1].to_vec();
    let length = unterminated.len();
    unterminated[..5].copy_from_slice(format!("{length:05}").as_bytes());
    let file = [unterminated.clone(), good.clone(), unterminated].concat();
    let records: Vec<_> = read(&file)
        .into_iter()
        .map(|read| read.unwrap().fields)
        .collect();
    assert_eq!(records, [sample().fields, sample().fields, sample().fields]);
}

#[test]
fn too_long_a_record_is_passed_over() {
    let good = write_iso2709(&sample()).unwrap();
    let long = raw('a', "500100000000", &[b'x'; 10_000]);
    let file = [long, good].concat();
    let mut reader = Iso2709Reader::new(file.as_slice()).with_record_bytes_max(5_000);
    let error = reader.next().unwrap().unwrap_err();
    assert!(matches!(error.reason, Malformed::TooLong { limit: 5_000 }));
    assert_eq!(reader.next().unwrap().unwrap().fields, sample().fields);
    assert!(reader.next().is_none());
}

#[test]
fn the_character_set_is_what_the_bytes_are() {
    let title = |encoding, value: &[u8]| {
        let data = [b"10\x1Fa", value, b"\x1E"].concat();
        let directory = format!("245{:04}00000", data.len());
        let (record, warnings) = parse_iso2709(&raw(encoding, &directory, &data)).unwrap();
        (
            record
                .data("245")
                .next()
                .unwrap()
                .get('a')
                .unwrap()
                .to_owned(),
            warnings,
            record.leader.at(9),
        )
    };
    assert_eq!(
        title('a', "Čapek".as_bytes()),
        ("Čapek".into(), vec![], 'a')
    );
    assert_eq!(title(' ', b"plain"), ("plain".into(), vec![], ' '));
    assert_eq!(title(' ', b"\xE9Capek"), ("Čapek".into(), vec![], 'a'));
    let expected = ("Čapek".to_owned(), vec![Warning::Utf8DespiteLeader], 'a');
    assert_eq!(title(' ', "Čapek".as_bytes()), expected);
    let (text, warnings, _) = title('a', b"caf\xE9 noir");
    assert_eq!(text, "caf\u{FFFD} noir");
    assert!(matches!(
        warnings[..],
        [Warning::Utf8Repaired { count: 1, .. }]
    ));
    let hopeless = raw('a', "001000900000", b"\xFF\xFE\xFD\xFF\xFE\xFD\xFF\xFE\x1E");
    assert!(matches!(
        parse_iso2709(&hopeless),
        Err(Malformed::Undecodable)
    ));
}

#[test]
fn odd_fields_are_kept_as_far_as_they_go() {
    let data = b"1\x1E10text\x1Fax\x1F\x1Fby\x1E";
    let (record, warnings) = parse_iso2709(&raw('a', "500000200000501001400002", data)).unwrap();
    assert_eq!(
        record.to_string().lines().skip(1).collect::<Vec<_>>(),
        ["500 1 ", "501 10$ax$by"]
    );
    assert_eq!(warnings.len(), 2);
}

#[test]
fn what_the_format_cannot_hold_is_refused() {
    let mut record = parse_text(&format!("500   $a{}", "x".repeat(9_995))).unwrap();
    let tag = record.fields[0].tag();
    assert_eq!(
        write_iso2709(&record),
        Err(WriteError::FieldTooLong { tag, bytes: 10_000 })
    );
    record = parse_text(&format!("500   $a{}\n", "x".repeat(9_990)).repeat(11)).unwrap();
    assert!(matches!(
        write_iso2709(&record),
        Err(WriteError::RecordTooLong { .. })
    ));
    record = parse_text("500   $aa\u{1E}b").unwrap();
    assert_eq!(
        write_iso2709(&record),
        Err(WriteError::DelimiterInValue { tag })
    );
}

#[test]
fn the_format_is_recognized_by_the_first_byte() {
    let bytes = [b"\xEF\xBB\xBF".to_vec(), write_iso2709(&sample()).unwrap()].concat();
    let mut reader = MarcReader::open(bytes.as_slice()).unwrap();
    assert_eq!(reader.format(), Format::Iso2709);
    assert_eq!(reader.next().unwrap().unwrap().fields, sample().fields);
    assert!(reader.next().is_none());
}
