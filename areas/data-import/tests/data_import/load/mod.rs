//! Loading files of MARC by the command line: results, malformed records, and loads that are
//! interrupted, repeated or concurrent.

mod broken;
mod files;
mod first;
mod matched;
mod resumed;
mod singly;
mod ways;

use std::io::{Cursor, ErrorKind};

use octavo_data_import::load::{Input, InputRecord};
use octavo_marc::{Malformed, RecordError, parse_text, write_iso2709};
use octavo_server_testkit::load::{known_as, load_bytes, load_input, options};
use octavo_testkit::Client;
use serde_json::Value;

/// A record in ISO 2709.
fn bib(number: usize, more: &str) -> Vec<u8> {
    let text = format!(
        "001 {number}\n003 NoOU\n050  4$aTG300$b.M{number}\n100 1 $aMason, Ada\n\
         245 10$aBridges, volume {number} /$cAda Mason\n{more}"
    );
    iso2709(&text)
}

fn iso2709(text: &str) -> Vec<u8> {
    write_iso2709(&parse_text(text).expect("well-formed lines")).expect("a short record")
}

fn bibs(numbers: impl IntoIterator<Item = usize>) -> Vec<u8> {
    numbers.into_iter().flat_map(|one| bib(one, "")).collect()
}

/// The records of bytes up to one, before which the input fails.
fn failing_at(position: usize, bytes: Vec<u8>) -> impl Iterator<Item = InputRecord> + Send {
    let input = Input::open(Cursor::new(bytes)).expect("bytes in memory can be read");
    let failure = std::iter::once_with(move || InputRecord {
        byte_offset: 0,
        bytes: Vec::new(),
        record: Err(RecordError {
            number: position as u64,
            offset: 0,
            reason: Malformed::Io(ErrorKind::UnexpectedEof.into()),
        }),
    });
    input.take(position - 1).chain(failure)
}

async fn total(client: &Client, path: &str) -> u64 {
    let page = client.get(&format!("{path}?limit=0")).await.expect(200);
    page.json()["totalRecords"].as_u64().expect("a number")
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {value}"))
}
