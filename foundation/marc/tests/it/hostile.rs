//! Broken and malicious files: each record is read as far as possible or refused with its position
//! and reason, does not affect its neighbours, and its bytes stay available.

use std::fmt::Write as _;
use std::time::Instant;

use octavo_marc::{
    Leader, Malformed, MarcReader, RECORD_BYTES_MAX, RECORD_FIELDS_MAX, Record, Warning,
    parse_iso2709, parse_text, write_iso2709, write_xml,
};

use super::sample;

/// The results for a file: each record, or its error.
fn outcomes(bytes: &[u8]) -> Vec<Result<Record, String>> {
    MarcReader::open(bytes)
        .unwrap()
        .map(|read| read.map_err(|error| error.reason.to_string()))
        .collect()
}

#[test]
fn the_bytes_of_every_record_are_at_hand_good_or_bad() {
    let good = write_iso2709(&sample()).unwrap();
    let mut lying = good.clone();
    lying[..5].copy_from_slice(b"00001");
    let bad = b"nonsense\x1D".to_vec();
    let file = [good.clone(), b"\r\n".to_vec(), bad.clone(), lying.clone()].concat();
    let mut reader = MarcReader::open(file.as_slice()).unwrap();
    let mut kept = Vec::new();
    while let Some(read) = reader.next() {
        kept.push((read.is_ok(), reader.offset(), reader.raw().to_vec()));
    }
    let at = |place: usize| place as u64;
    assert_eq!(
        kept,
        [
            (true, 0, good.clone()),
            (false, at(good.len() + 2), bad),
            (true, at(good.len() + 11), lying),
        ]
    );

    let mut xml = b"<collection>\n".to_vec();
    let start = xml.len();
    write_xml(&sample(), &mut xml).unwrap();
    let element = xml[start..].to_vec();
    xml.extend_from_slice(b"\n<record><leader>&x;</leader></record></collection>");
    let mut reader = MarcReader::open(xml.as_slice()).unwrap();
    assert!(reader.next().unwrap().is_ok());
    let (raw, offset) = (reader.raw().to_vec(), reader.offset() as usize);
    assert_eq!(&xml[offset..offset + raw.len()], raw);
    assert!(element.ends_with(&raw[raw.len() - 40..]));
    assert!(reader.next().unwrap().is_err());
    assert_eq!(reader.raw(), b"<record><leader>&x;</leader></record>");
}

/// A record whose directory has these tags, lengths and starts.
fn listed(entries: impl Iterator<Item = (&'static str, usize, usize)>, data: &[u8]) -> Vec<u8> {
    let mut directory = String::new();
    for (tag, length, start) in entries {
        let _ = write!(directory, "{tag}{length:04}{start:05}");
    }
    let base = Leader::LENGTH + directory.len() + 1;
    let (length, base) = ((base + data.len() + 1).min(99_999), base.min(99_999));
    let mut bytes = format!("{length:05}nam a22{base:05}   4500{directory}\x1E").into_bytes();
    bytes.extend_from_slice(data);
    bytes.push(0x1D);
    bytes
}

#[test]
fn a_field_that_the_directory_names_again_and_again_does_not_fill_the_memory() {
    // Each entry is twelve bytes and names the longest field possible, of 4,998 subfields.
    let data = ["  ", &"\u{1F}a".repeat(4_998), "\u{1E}"].concat();
    let entries = std::iter::repeat_n(("500", data.len(), 0), 7_400);
    let bytes = listed(entries, data.as_bytes());
    assert!(bytes.len() < 99_999);
    assert!(matches!(
        parse_iso2709(&bytes),
        Err(Malformed::DirectoryMismatch {
            listed: 7_400,
            found: 1
        })
    ));
    // Not even one entry more than the data allow.
    let bytes = listed(
        [("500", 8, 0), ("500", 8, 0)].into_iter(),
        b"  \x1Faabc\x1E",
    );
    assert!(parse_iso2709(&bytes).is_err());
}

#[test]
fn entries_that_share_a_field_hide_no_other() {
    let data = b"  \x1Faone\x1E  \x1Fatwo\x1E";
    let bytes = listed([("500", 8, 0), ("501", 8, 0)].into_iter(), data);
    let (record, warnings) = parse_iso2709(&bytes).unwrap();
    let shown = record.to_string();
    let fields: Vec<&str> = shown.lines().skip(1).collect();
    assert_eq!(fields, ["500   $aone", "501   $aone"]);
    assert_eq!(warnings, [Warning::UnlistedFields(1)]);
}

#[test]
fn a_record_of_more_fields_than_any_is_reported() {
    let entries = |count| (0..count).map(|at| ("500", 1, at));
    let most = listed(entries(RECORD_FIELDS_MAX), &[0x1E; RECORD_FIELDS_MAX]);
    let (record, _) = parse_iso2709(&most).unwrap();
    assert_eq!(record.fields.len(), RECORD_FIELDS_MAX);
    let more = listed(
        entries(RECORD_FIELDS_MAX + 1),
        &[0x1E; RECORD_FIELDS_MAX + 1],
    );
    let too_many = Err("the record has more than 20000 fields".to_owned());
    assert_eq!(outcomes(&more)[0], too_many);

    let xml = |count| {
        let fields = "<controlfield tag='001'>1</controlfield>".repeat(count);
        format!("<collection><record>{fields}</record></collection>")
    };
    let most = outcomes(xml(RECORD_FIELDS_MAX).as_bytes());
    assert_eq!(most[0].as_ref().unwrap().fields.len(), RECORD_FIELDS_MAX);
    assert_eq!(outcomes(xml(RECORD_FIELDS_MAX + 1).as_bytes()), [too_many]);
}

#[test]
fn many_records_without_terminators_are_read_one_by_one() {
    let mut one = write_iso2709(&parse_text("001 12345").unwrap()).unwrap();
    one.pop();
    let length = one.len();
    one[..5].copy_from_slice(format!("{length:05}").as_bytes());
    let count = RECORD_BYTES_MAX / length;
    let file = one.repeat(count);
    let mut reader = MarcReader::open(file.as_slice()).unwrap();
    let begun = Instant::now();
    let mut read = 0;
    while let Some(record) = reader.next() {
        assert!(record.is_ok());
        assert_eq!(reader.offset(), (read * length) as u64);
        assert_eq!(reader.raw(), one);
        read += 1;
    }
    assert_eq!(read, count);
    // Copying the rest of the input for each record would take a terabyte.
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}

#[test]
fn a_record_without_fields_is_a_record() {
    let bytes = b"00026nam a2200025   4500\x1E\x1D";
    let (record, warnings) = parse_iso2709(bytes).unwrap();
    assert_eq!((record.fields.len(), warnings), (0, vec![]));
    assert_eq!(write_iso2709(&record).unwrap(), bytes);
}

#[test]
fn a_field_of_100_000_bytes_is_read_and_not_written() {
    let long = "x".repeat(100_000);
    // The length does not fit into the directory, so the terminators decide.
    let mut bytes = b"99999nam a2200049   4500001000200000520999900002\x1E1\x1E  \x1Fa".to_vec();
    bytes.extend_from_slice(long.as_bytes());
    bytes.extend_from_slice(b"\x1E\x1D");
    let (record, warnings) = parse_iso2709(&bytes).unwrap();
    assert_eq!(record.data("520").next().unwrap().get('a'), Some(&*long));
    assert!(
        warnings.contains(&Warning::DirectoryIgnored),
        "{warnings:?}"
    );
    let reason = write_iso2709(&record).unwrap_err().to_string();
    assert!(
        reason.contains("520") && reason.contains("100005"),
        "{reason}"
    );
    let mut xml = Vec::new();
    write_xml(&record, &mut xml).unwrap();
    assert_eq!(outcomes(&xml), [Ok(record)]);
}

#[test]
fn nul_is_replaced_and_said() {
    let record = parse_text("001 a\u{0}b\n500   $ax\u{0}\u{0}y\u{1}z").unwrap();
    let bytes = write_iso2709(&record).unwrap();
    let (read, warnings) = parse_iso2709(&bytes).unwrap();
    assert_eq!(read.control("001"), Some("a\u{FFFD}b"));
    let note = read.data("500").next().unwrap().get('a').unwrap();
    assert_eq!(note, "x\u{FFFD}\u{FFFD}y\u{1}z");
    let counts: Vec<usize> = warnings
        .iter()
        .map(|warning| match warning {
            Warning::Utf8Repaired { count, .. } => *count,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(counts, [1, 2]);
}

#[test]
fn nul_as_the_code_of_a_subfield_is_replaced_too() {
    let record = parse_text("001 1\n500   $ax$by").unwrap();
    let mut bytes = write_iso2709(&record).unwrap();
    let code = bytes.windows(2).position(|two| two == b"\x1Fb").unwrap() + 1;
    bytes[code] = 0;
    let (read, warnings) = parse_iso2709(&bytes).unwrap();
    let note = read.data("500").next().unwrap();
    assert_eq!(
        (note.get('a'), note.get('\u{FFFD}')),
        (Some("x"), Some("y"))
    );
    assert_eq!(Record::from_json(&read.to_json()).unwrap(), read);
    assert!(
        matches!(warnings[..], [Warning::Utf8Repaired { count: 1, .. }]),
        "{warnings:?}"
    );
}

#[test]
fn mixed_encodings_cost_single_characters() {
    // One field in UTF-8, one in MARC-8 (a combining acute before its letter), the leader says UTF-8.
    let data = b"10\x1FaG\xC3\xBCnter\x1E  \x1Facaf\xE2e\x1E";
    let directory = "245001100000500000900011";
    let mut bytes = format!("00000nam a22{:05}   4500{directory}\x1E", 49).into_bytes();
    bytes.extend_from_slice(data);
    bytes.push(0x1D);
    let (record, warnings) = parse_iso2709(&bytes).unwrap();
    assert_eq!(record.data("245").next().unwrap().get('a'), Some("Günter"));
    let note = record.data("500").next().unwrap().get('a').unwrap();
    assert_eq!(note, "caf\u{FFFD}e");
    let repaired = |w: &Warning| matches!(w, Warning::Utf8Repaired { count: 1, .. });
    assert_eq!(warnings.iter().filter(|w| repaired(w)).count(), 1);
}

#[test]
fn a_leader_of_nonsense_is_kept_as_far_as_it_is_text() {
    let mut bytes = write_iso2709(&sample()).unwrap();
    bytes[..Leader::LENGTH].copy_from_slice(b"\xFF\xFEx\x00yzabcdefghijklmnopq\x80");
    let read = outcomes(&bytes);
    let record = read[0].as_ref().unwrap();
    assert_eq!(record.fields, sample().fields);
    assert_eq!(&record.leader.as_str()[..8], "  x yzab");
}

#[test]
fn entities_are_never_expanded_and_nothing_outside_is_read() {
    let mut bomb = "<!DOCTYPE lolz [<!ENTITY lol0 \"lol\">".to_owned();
    for level in 1..20 {
        let below = format!("&lol{};", level - 1).repeat(10);
        let _ = write!(bomb, "<!ENTITY lol{level} \"{below}\">");
    }
    let good = "<record><controlfield tag='001'>1</controlfield></record>";
    for (declared, used) in [
        (bomb.as_str(), "lol19"),
        (
            "<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">",
            "x",
        ),
        (
            "<!DOCTYPE r [<!ENTITY x SYSTEM \"http://127.0.0.1/x\">",
            "x",
        ),
        (
            "<!DOCTYPE r [<!ENTITY % p SYSTEM \"http://127.0.0.1/x\"> %p;",
            "x",
        ),
    ] {
        let bad = format!("<record><controlfield tag='001'>&{used};</controlfield></record>");
        let inside = format!("<record><datafield tag='245' ind1='&{used};'/></record>");
        let xml = format!("{declared}]>\n<collection>{bad}{inside}{good}</collection>");
        let read = outcomes(xml.as_bytes());
        assert_eq!(read.len(), 3, "{declared:.60}");
        let reason = read[0].as_ref().unwrap_err();
        assert_eq!(*reason, format!("the entity {used} is not declared"));
        assert!(read[1].is_err());
        assert_eq!(read[2].as_ref().unwrap().control("001"), Some("1"));
    }
    // A document type declaration inside a record is rejected too.
    let xml = "<record><!DOCTYPE r [<!ENTITY x 'y'>]><leader>&x;</leader></record>";
    assert!(outcomes(xml.as_bytes())[0].is_err());
}

#[test]
fn what_is_cut_off_says_so_wherever_it_is_cut() {
    let good = write_iso2709(&sample()).unwrap();
    for length in 1..good.len() {
        let file = [&good[..], &good[..length]].concat();
        let read = outcomes(&file);
        assert_eq!(read[0].as_ref().unwrap().fields, sample().fields);
        for record in read[1..].iter().flatten() {
            // Only where nothing but terminators is missing.
            assert!(good[..length].ends_with(b"\x1E"), "{length}");
            assert!(record.fields.len() <= sample().fields.len());
        }
    }
    let endless = vec![b'x'; 11 * 1024 * 1024];
    let error = MarcReader::open(endless.as_slice())
        .unwrap()
        .next()
        .unwrap();
    assert!(matches!(
        error.unwrap_err().reason,
        Malformed::TooLong { .. }
    ));
}
