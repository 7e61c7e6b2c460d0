//! Any bytes are read to their end as MARCXML, and no entity but XML's own five is ever resolved.

#![no_main]

use libfuzzer_sys::fuzz_target;
use octavo_marc::{Record, XmlReader, write_xml};

fuzz_target!(|bytes: &[u8]| {
    let mut reader = XmlReader::new(bytes);
    while let Some(read) = reader.next() {
        assert!(reader.raw().len() <= bytes.len());
        let Ok(record) = read else { continue };
        // Nothing can be in the record that was not in the file.
        let text: usize = record.to_string().len();
        assert!(text <= 64 + bytes.len() * 8, "{text} of {}", bytes.len());
        assert_eq!(Record::from_json(&record.to_json()).as_ref(), Ok(&record));
        let mut written = Vec::new();
        write_xml(&record, &mut written).expect("memory takes what is written");
        assert!(XmlReader::new(written.as_slice()).all(|read| read.is_ok()));
    }
});
