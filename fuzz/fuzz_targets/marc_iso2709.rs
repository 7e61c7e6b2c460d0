//! Any bytes are read to their end as ISO 2709: records or refusals, and what is read can be written
//! in every format and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use octavo_marc::{Iso2709Reader, Record, decode_marc8, parse_iso2709, write_iso2709};

fuzz_target!(|bytes: &[u8]| {
    decode_marc8(bytes);
    let mut reader = Iso2709Reader::new(bytes);
    while let Some(read) = reader.next() {
        assert!(reader.raw().len() <= bytes.len());
        assert!(reader.offset() <= bytes.len() as u64);
        let Ok(record) = read else { continue };
        let json = record.to_json();
        let text = record.to_json_text();
        assert_eq!(text, json.to_string());
        assert_eq!(Record::from_json_text(&text).as_ref(), Ok(&record));
        assert_eq!(Record::from_json(&json).as_ref(), Ok(&record));
        let _ = record.to_string();
        // What can be written is read as it was, and written the same again.
        if let Ok(written) = write_iso2709(&record) {
            let (again, _) = parse_iso2709(&written).expect("what was written can be read");
            assert_eq!(write_iso2709(&again).as_ref(), Ok(&written));
        }
    }
});
