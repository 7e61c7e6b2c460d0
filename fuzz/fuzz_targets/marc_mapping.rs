//! No record and no rules make the mapping panic: the first line is text of rules in JSON (the default
//! rules where it is none), the rest a file of MARC.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use octavo_mapping::{RecordKind, References, Rules};
use octavo_marc::MarcReader;

const KINDS: [RecordKind; 3] = [
    RecordKind::Bib,
    RecordKind::Holdings,
    RecordKind::Authority,
];

static DEFAULTS: LazyLock<Vec<Rules>> = LazyLock::new(|| {
    let rules = |kind| Rules::parse(kind, &Rules::defaults(kind));
    KINDS.into_iter().map(|kind| rules(kind).expect("the default rules are right")).collect()
});

fuzz_target!(|bytes: &[u8]| {
    let (head, file) = match bytes.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (&[][..], bytes),
    };
    let given = serde_json::from_slice(head).ok();
    let given: Vec<Rules> = given
        .iter()
        .flat_map(|given| KINDS.into_iter().filter_map(|kind| Rules::parse(kind, given).ok()))
        .collect();
    let references = References::default();
    let reader = MarcReader::open(file).expect("memory can be read");
    for record in reader.flatten() {
        for rules in given.iter().chain(DEFAULTS.iter()) {
            let _ = rules.map(&record, &references);
        }
    }
});
