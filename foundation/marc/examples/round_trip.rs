//! Reads a file of MARC records, writes each back to ISO 2709 and counts those that are the same
//! byte for byte: `cargo run --example round_trip -- records.mrc`.

use std::fs::File;
use std::io::{BufReader, Error};

use octavo_marc::{MarcReader, Record, parse_iso2709, write_iso2709};

fn main() -> Result<(), Error> {
    let path = std::env::args_os()
        .nth(1)
        .ok_or_else(|| Error::other("a file is expected"))?;
    let bytes = std::fs::read(&path)?;
    let originals = bytes.split_inclusive(|&byte| byte == 0x1D);
    let identical = originals
        .filter(|&original| {
            let written = parse_iso2709(original)
                .ok()
                .and_then(|(r, _)| write_iso2709(&r).ok());
            written.is_some_and(|written| written == original)
        })
        .count();
    let mut reader = MarcReader::open(BufReader::new(File::open(&path)?))?;
    let (mut good, mut malformed, mut repaired, mut through_json) = (0, 0, 0, 0);
    while let Some(read) = reader.next() {
        match read {
            Ok(record) => {
                good += 1;
                repaired += usize::from(!reader.warnings().is_empty());
                let again = Record::from_json(&record.to_json());
                through_json += usize::from(again.is_ok_and(|again| again == record));
            }
            Err(error) => {
                malformed += 1;
                println!("{error}: {}", error.reason);
            }
        }
    }
    println!("{good} records read, {malformed} malformed, {repaired} repaired");
    println!("{identical} byte for byte the same in ISO 2709, {through_json} equal through JSON");
    Ok(())
}
