//! Large libraries generated from a seed, in sizes that a test can afford.

use octavo_demo::{
    Policies, SampleError, SampleLibrary, SampleSize, item_barcode, patron_barcode, sample_library,
    table,
};
use serde_json::Value;

use crate::common::{Library, now};

fn described(items: u64, patrons: u64, open_loans: u64) -> SampleLibrary {
    let size = SampleSize {
        items,
        patrons,
        open_loans,
    };
    SampleLibrary::new(size, 42, now(), Policies::default()).unwrap()
}

#[test]
fn any_size_is_consistent_and_complete() {
    for (items, patrons, loans) in [
        (0, 0, 0),
        (1, 1, 1),
        (2, 1, 0),
        (3, 5, 2),
        (7, 3, 7),
        (1_000, 100, 333),
        (2_500, 7, 2_499),
    ] {
        let described = described(items, patrons, loans);
        let library = Library::read(described.documents());
        assert_eq!(library.count(table::ITEM) as u64, items);
        assert_eq!(library.count(table::USERS) as u64, patrons);
        assert_eq!(library.count(table::LOAN) as u64, loans);
        assert_eq!(library.count(table::INSTANCE) as u64, described.instances());
        assert_eq!(library.count(table::HOLDINGS) as u64, described.instances());
        let places = octavo_demo::PLACE_TABLES.map(|table| library.count(table));
        assert_eq!(
            (library.records.len() - places.iter().sum::<usize>()) as u64,
            described.documents_beside_places()
        );
        library.assert_references_resolve();
        library.assert_unique();
        library.assert_complete();
        library.assert_loans_match_items();
    }
}

#[test]
fn there_are_two_instances_for_three_items() {
    let library = described(900, 0, 0);
    assert_eq!(library.instances(), 600);
    let instances: Vec<u64> = (1..=7).map(|item| library.instance_of_item(item)).collect();
    assert_eq!(instances, [1, 2, 2, 3, 4, 4, 5]);
}

#[test]
fn each_instance_has_one_item_where_that_is_asked_for() {
    let described = described(100, 10, 20).one_item_each();
    assert_eq!(described.instances(), 100);
    let library = Library::read(described.documents());
    assert_eq!(library.count(table::INSTANCE), 100);
    assert_eq!(library.count(table::SOURCE_RECORD), 100);
    for (number, item) in (1..).zip(library.of(table::ITEM)) {
        assert_eq!(
            item["holdingsRecordId"],
            described.holdings_id(number).to_string()
        );
        assert!(item.get("order").is_none());
    }
    library.assert_references_resolve();
    library.assert_unique();
    library.assert_loans_match_items();
}

#[test]
fn marc_records_can_be_left_out() {
    let described = described(100, 10, 20).without_marc();
    let library = Library::read(described.documents());
    assert_eq!(library.count(table::SOURCE_RECORD), 0);
    assert_eq!(library.count(table::SNAPSHOT), 0);
    let places = octavo_demo::PLACE_TABLES.map(|table| library.count(table));
    assert_eq!(
        (library.records.len() - places.iter().sum::<usize>()) as u64,
        described.documents_beside_places()
    );
    library.assert_references_resolve();
}

#[test]
fn items_are_about_a_thousand_bytes_as_the_database_prints_them() {
    let library = Library::read(described(1_000, 10, 100).documents());
    let sizes: Vec<usize> = library
        .of(table::ITEM)
        .map(|item| spaced(item).len())
        .collect();
    let average = sizes.iter().sum::<usize>() / sizes.len();
    assert!((950..1_150).contains(&average), "{average} bytes");
}

/// The text form of a jsonb value: with a space after each separating comma and colon.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| format!("\"{name}\": {}", spaced(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(elements) => {
            format!(
                "[{}]",
                elements.iter().map(spaced).collect::<Vec<_>>().join(", ")
            )
        }
        other => other.to_string(),
    }
}

#[test]
fn a_load_generator_can_compute_what_it_needs() {
    let described = described(100, 10, 20);
    let library = Library::read(described.documents());
    for (number, item) in (1..).zip(library.of(table::ITEM)) {
        assert_eq!(item["barcode"], item_barcode(number));
        assert_eq!(item["id"], described.item_id(number).to_string());
        let instance = described.instance_of_item(number);
        assert_eq!(
            item["holdingsRecordId"],
            described.holdings_id(instance).to_string()
        );
        let lent = described.loan_of_item(number).is_some();
        assert_eq!(item["status"]["name"] == "Checked out", lent);
    }
    for (number, user) in (1..).zip(library.of(table::USERS)) {
        assert_eq!(user["barcode"], patron_barcode(number));
        assert_eq!(user["username"], format!("patron{number:09}"));
        assert_eq!(
            user["patronGroup"],
            described.patron_group_id(number).to_string()
        );
    }
    for (number, loan) in (1..).zip(library.of(table::LOAN)) {
        assert_eq!(
            loan["itemId"],
            described
                .item_id(described.item_of_loan(number))
                .to_string()
        );
        let patron = described.patron_of_loan(number);
        assert_eq!(loan["userId"], described.patron_id(patron).to_string());
    }
}

#[test]
fn loans_and_items_find_each_other_at_any_size() {
    for (items, loans) in [
        (10, 10),
        (10, 3),
        (1_000_003, 77_777),
        (499_999_999, 123_456_789),
    ] {
        let library = described(items, 1_000, loans);
        for loan in (1..=loans).step_by((loans / 1_000).max(1) as usize) {
            let item = library.item_of_loan(loan);
            assert!((1..=items).contains(&item));
            assert_eq!(library.loan_of_item(item), Some(loan));
        }
    }
}

#[test]
fn keyword_aba_finds_a_title_and_authors_match_call_numbers() {
    let library = Library::read(described(3_000, 1, 0).documents());
    let titles = library
        .of(table::INSTANCE)
        .map(|instance| instance["title"].as_str().unwrap());
    assert_eq!(
        titles.filter(|title| title.starts_with("Aba and ")).count(),
        4
    );
    for (instance, held) in library.of(table::INSTANCE).zip(library.of(table::HOLDINGS)) {
        let author = instance["contributors"][0]["name"]
            .as_str()
            .unwrap()
            .to_uppercase();
        let letters: String = author.chars().take(3).collect();
        let call_number = held["callNumber"].as_str().unwrap();
        assert!(call_number.ends_with(&letters), "{author}: {call_number}");
        assert!(
            call_number
                .split(' ')
                .next()
                .unwrap()
                .parse::<f64>()
                .is_ok(),
            "{call_number}"
        );
    }
}

#[test]
fn documents_depend_on_nothing_but_seed_and_number() {
    let size = SampleSize {
        items: 50,
        patrons: 5,
        open_loans: 5,
    };
    let documents = |seed| {
        sample_library(size, seed, now(), Policies::default())
            .unwrap()
            .collect::<Vec<_>>()
    };
    assert_eq!(documents(1), documents(1));
    assert_ne!(documents(1).last(), documents(2).last());
    let described = described(50, 5, 5);
    let streamed: Vec<_> = described
        .documents()
        .filter(|d| d.table == table::ITEM)
        .collect();
    assert_eq!(streamed[41], described.item(42));
}

#[test]
fn impossible_sizes_are_refused() {
    let size = SampleSize {
        items: 1,
        patrons: 1,
        open_loans: 2,
    };
    let refused = SampleLibrary::new(size, 1, now(), Policies::default());
    assert_eq!(
        refused.err(),
        Some(SampleError::MoreLoansThanItems {
            open_loans: 2,
            items: 1
        })
    );
}
