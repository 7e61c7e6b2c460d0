//! Items have the shelving order that the server computes: a loaded item must not change its order
//! when it is saved for the first time.

use std::collections::HashMap;

use octavo_demo::{Policies, SampleLibrary, SampleSize, small_library, table};
use octavo_inventory::rules::call_number::CallNumber;
use serde_json::Value;

use crate::common::{Library, now};

/// Asserts that call number and shelving order of all items are the server's; returns the number of
/// call numbers.
fn assert_shelved(library: &Library) -> usize {
    let holdings: HashMap<&str, &Value> = library
        .of(table::HOLDINGS)
        .map(|held| (held["id"].as_str().unwrap(), held))
        .collect();
    let mut numbers: Vec<String> = Vec::new();
    for item in library.of(table::ITEM) {
        let held = holdings[item["holdingsRecordId"].as_str().unwrap()];
        let number = CallNumber::effective(item, held);
        assert_eq!(item["effectiveCallNumberComponents"], number.to_json());
        let order = number.shelving_order(item);
        assert_eq!(
            item["effectiveShelvingOrder"].as_str(),
            order.as_deref(),
            "{:?}",
            number.call_number
        );
        numbers.extend(number.call_number);
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len()
}

#[test]
fn the_small_library_stands_in_the_servers_order() {
    for seed in [0, 42] {
        let library = Library::read(small_library(seed, now(), Policies::default()));
        assert!(assert_shelved(&library) > 200);
    }
}

#[test]
fn a_sample_stands_in_the_servers_order() {
    for seed in [1, 42] {
        let size = SampleSize {
            items: 5_000,
            patrons: 1,
            open_loans: 0,
        };
        let library = SampleLibrary::new(size, seed, now(), Policies::default()).unwrap();
        assert!(assert_shelved(&Library::read(library.documents())) > 500);
    }
}
