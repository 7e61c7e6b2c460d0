//! MARCXML files: namespaces, entities, and continuing after a malformed record.

use octavo_marc::{Format, MarcReader, Record, XmlReader, write_xml, write_xml_collection};

use super::sample;

fn read(xml: &str) -> Vec<Result<Record, String>> {
    XmlReader::new(xml.as_bytes())
        .map(|read| read.map_err(|error| format!("{error}: {}", error.reason)))
        .collect()
}

#[test]
fn records_survive_the_way_there_and_back() {
    let mut xml = Vec::new();
    write_xml_collection([&sample(), &sample()], &mut xml).unwrap();
    let mut reader = MarcReader::open(xml.as_slice()).unwrap();
    assert_eq!(reader.format(), Format::Xml);
    let records: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(records, [sample(), sample()]);
    assert_eq!(reader.warnings(), []);

    let mut xml = Vec::new();
    write_xml(&sample(), &mut xml).unwrap();
    assert_eq!(read(&String::from_utf8(xml).unwrap()), [Ok(sample())]);
}

#[test]
fn prefixes_references_and_foreign_elements_are_no_matter() {
    let xml =
        "\u{FEFF}<?xml version='1.0'?>\n<m:collection xmlns:m='http://www.loc.gov/MARC21/slim'>
        <m:record type='Bibliographic'><!-- <b> --><m:leader>00000nam a2200000 i 4500</m:leader>
          <m:controlfield tag='001'>a&amp;b&#x41;<![CDATA[<c>]]></m:controlfield>
          <m:datafield tag='245' ind1='1' ind2=' '>
            <m:subfield code='a'> Glass </m:subfield><x>no</x>
            <m:subfield code='b'/></m:datafield>
        </m:record></m:collection>";
    let mut records = MarcReader::open(xml.as_bytes()).unwrap();
    let record = records.next().unwrap().unwrap();
    let lines = record.to_string();
    assert_eq!(
        lines.lines().collect::<Vec<_>>(),
        [
            "LEADER 00000nam a2200000 i 4500",
            "001 a&bA<c>",
            "245 1 $a Glass $b",
        ]
    );
    assert!(records.next().is_none());
}

#[test]
fn reading_goes_on_after_a_malformed_record() {
    let good = "<record><controlfield tag='001'>1</controlfield></record>";
    let xml = format!(
        "<collection>{good}<record><datafield tag='245'></record>{good}\
         <record><controlfield tag='1'/></record><record><leader>&nbsp;</leader></record>\
         <record><leader>{good}<record>"
    );
    let read = read(&xml);
    let reasons: Vec<_> = read
        .iter()
        .map(|read| {
            read.as_ref()
                .map_or_else(|e| e.split(": ").nth(1).unwrap(), |_| "good")
        })
        .collect();
    assert_eq!(reasons[0], "good");
    assert_eq!(
        read[1].as_ref().unwrap_err().split(" is").next(),
        Some("record 2 at byte 69")
    );
    assert_eq!(
        reasons[2..],
        [
            "good",
            "\"1\" is not a tag",
            "the entity nbsp is not declared",
            "the record element has no end",
            "good",
            "the input ends inside the record",
        ]
    );
}

#[test]
fn a_limit_bounds_a_record_and_a_text() {
    let good = "<record><controlfield tag='001'>1</controlfield></record>";
    let long = format!("<record><leader>{}</leader></record>", "x".repeat(5_000));
    let many = format!("<record>{}</record>", "<leader/>".repeat(600));
    let xml = format!("<collection>{long}{good}{many}{good}</collection>");
    let reader = XmlReader::new(xml.as_bytes()).with_record_bytes_max(4_000);
    let good: Vec<_> = reader.map(|read| read.is_ok()).collect();
    assert_eq!(good, [false, true, false, true]);
}

#[test]
fn characters_that_xml_forbids_are_replaced() {
    let mut record = sample();
    record.fields.truncate(1);
    if let octavo_marc::Field::Control(control) = &mut record.fields[0] {
        control.value = "a\u{1}b".to_owned();
    }
    let mut xml = Vec::new();
    write_xml(&record, &mut xml).unwrap();
    let read = read(&String::from_utf8(xml).unwrap());
    assert_eq!(read[0].as_ref().unwrap().control("001"), Some("a\u{FFFD}b"));
}
