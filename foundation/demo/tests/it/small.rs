//! The small library of the demo tenant.

use std::collections::{HashMap, HashSet};

use octavo_demo::{PLACE_TABLES, Policies, SampleSize, sample_library, small_library, table};

use crate::common::{Library, now, time};

fn library(seed: u64) -> Library {
    Library::read(small_library(seed, now(), Policies::default()))
}

#[test]
fn it_is_consistent_and_complete() {
    for seed in [0, 1, 42, u64::MAX] {
        let library = library(seed);
        library.assert_references_resolve();
        library.assert_unique();
        library.assert_complete();
        library.assert_loans_match_items();
    }
}

#[test]
fn it_has_the_size_that_was_promised() {
    for seed in [1, 42] {
        let library = library(seed);
        assert!((300..400).contains(&library.count(table::INSTANCE)));
        let items = library.count(table::ITEM);
        assert!((1_100..1_300).contains(&items), "{items} items");
        assert!((115..130).contains(&library.count(table::USERS)));
        assert_eq!(library.count(table::LOAN), 60);
        assert_eq!(library.count(table::LOCATION), 6);
        let overdue = library.overdue_percent();
        assert!((5..50).contains(&overdue), "{overdue} % overdue");
    }
}

#[test]
fn the_same_seed_gives_the_same_documents() {
    let documents = |seed| small_library(seed, now(), Policies::default()).collect::<Vec<_>>();
    assert_eq!(documents(7), documents(7));
    assert_ne!(documents(7), documents(8));
}

#[test]
fn every_title_has_one_to_six_items() {
    let library = library(42);
    let titles: HashMap<&str, &str> = library
        .of(table::HOLDINGS)
        .map(|held| {
            (
                held["id"].as_str().unwrap(),
                held["instanceId"].as_str().unwrap(),
            )
        })
        .collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for item in library.of(table::ITEM) {
        *counts
            .entry(titles[item["holdingsRecordId"].as_str().unwrap()])
            .or_default() += 1;
    }
    assert_eq!(counts.len(), library.count(table::INSTANCE));
    assert!(counts.values().all(|count| (1..=6).contains(count)));
}

#[test]
fn some_items_are_astray_and_transit_has_a_destination() {
    let library = library(42);
    let statuses: HashSet<&str> = library
        .of(table::ITEM)
        .map(|item| item["status"]["name"].as_str().unwrap())
        .collect();
    for status in [
        "Available",
        "Checked out",
        "In transit",
        "Missing",
        "In process",
        "Withdrawn",
    ] {
        assert!(statuses.contains(status), "{status}");
    }
    for item in library.of(table::ITEM) {
        let destination = item.get("inTransitDestinationServicePointId");
        assert_eq!(
            item["status"]["name"] == "In transit",
            destination.is_some()
        );
    }
}

#[test]
fn only_active_patrons_borrow_and_a_handful_are_not() {
    let library = library(42);
    let active: HashMap<&str, bool> = library
        .of(table::USERS)
        .map(|user| {
            (
                user["id"].as_str().unwrap(),
                user["active"].as_bool().unwrap(),
            )
        })
        .collect();
    assert!(
        library
            .of(table::LOAN)
            .all(|loan| active[loan["userId"].as_str().unwrap()])
    );
    let inactive = active.values().filter(|active| !**active).count();
    assert!((5..15).contains(&inactive), "{inactive} inactive");
    for user in library.of(table::USERS) {
        assert!(
            user["personal"]["email"]
                .as_str()
                .unwrap()
                .ends_with(".example.org")
        );
        let current = time(&user["expirationDate"]) > now();
        assert!(current || user["active"] == false);
    }
}

#[test]
fn barcodes_are_fourteen_digits() {
    let library = library(42);
    for (table, first) in [(table::ITEM, '3'), (table::USERS, '2')] {
        for value in library.of(table) {
            let barcode = value["barcode"].as_str().unwrap();
            assert!(
                barcode.len() == 14 && barcode.starts_with(first),
                "{barcode}"
            );
        }
    }
}

#[test]
fn a_large_sample_with_the_same_seed_fits_into_the_same_tenant() {
    let size = SampleSize {
        items: 2_000,
        patrons: 200,
        open_loans: 50,
    };
    let sample = sample_library(size, 42, now(), Policies::default()).unwrap();
    let more = sample.filter(|document| !PLACE_TABLES.contains(&document.table));
    let both = Library::read(small_library(42, now(), Policies::default()).chain(more));
    both.assert_references_resolve();
    both.assert_unique();
}
