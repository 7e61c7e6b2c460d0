//! The MARC records behind the instances.

use std::collections::HashMap;

use octavo_demo::{Document, Policies, SampleSize, sample_library, small_library, table};
use octavo_mapping::fixed::instance_from_marc;
use octavo_marc::{Field, Record, parse_iso2709, parse_text};
use serde_json::Value;

use crate::common::{Library, now};

fn small() -> Library {
    Library::read(small_library(42, now(), Policies::default()))
}

fn sample() -> Library {
    let size = SampleSize {
        items: 1_500,
        patrons: 1,
        open_loans: 0,
    };
    Library::read(sample_library(size, 42, now(), Policies::default()).unwrap())
}

fn marc(source_record: &Value) -> Record {
    Record::from_json(&source_record["parsedRecord"]["content"]).unwrap()
}

/// The source record of the instance with this title, as text.
#[track_caller]
fn text_of(library: &Library, title: &str) -> String {
    let mut instances = library.of(table::INSTANCE);
    let instance = instances
        .find(|instance| instance["title"] == title)
        .unwrap();
    let mut records = library.of(table::SOURCE_RECORD);
    let record = records.find(|record| record["externalIdsHolder"]["instanceId"] == instance["id"]);
    let text = &record.unwrap()["parsedRecord"]["formattedContent"];
    text.as_str().unwrap().to_owned()
}

#[test]
fn mapping_the_record_makes_the_instance_again() {
    for library in [small(), sample()] {
        let instances: HashMap<&str, &Value> = library
            .of(table::INSTANCE)
            .map(|instance| (instance["id"].as_str().unwrap(), instance))
            .collect();
        assert_eq!(library.count(table::SOURCE_RECORD), instances.len());
        for record in library.of(table::SOURCE_RECORD) {
            let id = record["externalIdsHolder"]["instanceId"].as_str().unwrap();
            let instance = instances[id];
            let mapped = instance_from_marc(&marc(record)).unwrap().to_json();
            for (property, value) in mapped.as_object().unwrap() {
                assert_eq!(&instance[property], value, "{property} of {instance}");
            }
        }
    }
}

#[test]
fn the_record_is_tied_to_its_instance() {
    for library in [small(), sample()] {
        for record in library.of(table::SOURCE_RECORD) {
            let marc = marc(record);
            let holder = &record["externalIdsHolder"];
            assert_eq!(marc.control("001").unwrap(), holder["instanceHrid"]);
            let own = marc.data("999").next().unwrap();
            assert_eq!(own.indicators, ['f', 'f']);
            assert_eq!(own.get('i').unwrap(), holder["instanceId"]);
            assert_eq!(own.get('s').unwrap(), record["matchedId"]);
            for part in ["rawRecord", "parsedRecord"] {
                assert_eq!(record[part]["id"], record["id"]);
            }
        }
    }
}

#[test]
fn all_forms_of_the_record_say_the_same() {
    for library in [small(), sample()] {
        for record in library.of(table::SOURCE_RECORD) {
            let mut marc = marc(record);
            assert_eq!(record["parsedRecord"]["content"], marc.to_json());
            let text = record["parsedRecord"]["formattedContent"].as_str().unwrap();
            assert_eq!(parse_text(text).unwrap(), marc);
            let raw = record["rawRecord"]["content"].as_str().unwrap();
            let (read, warnings) = parse_iso2709(raw.as_bytes()).unwrap();
            assert!(warnings.is_empty(), "{warnings:?}");
            assert!(matches!(marc.fields.pop(), Some(Field::Data(own)) if own.tag == "999"));
            assert_eq!(read, marc);
        }
    }
}

#[test]
fn fixed_fields_are_of_fixed_length() {
    for library in [small(), sample()] {
        for record in library.of(table::SOURCE_RECORD) {
            let marc = marc(record);
            let fixed = marc.control("008").unwrap();
            assert_eq!(fixed.chars().count(), 40, "{fixed}");
            assert_eq!(marc.control("005").unwrap().len(), 16);
            assert_ne!(&fixed[15..18], "xx ", "{marc}");
        }
    }
}

#[test]
fn a_book_a_film_and_a_journal() {
    let library = small();
    let book = text_of(&library, "A tale of two cities");
    for line in [
        "020   $a9780141439600\n",
        "082 04$a823.8$223\n",
        "100 1 $aDickens, Charles,$eauthor\n",
        "245 12$aA tale of two cities\n",
        "264  1$aLondon :$bPenguin Books,$c2003\n",
        "338   $avolume$bnc$2rdacarrier\n",
        "651  0$aFrance\n",
    ] {
        assert!(book.contains(line), "{line} in {book}");
    }
    let film = text_of(&library, "Mad Max : fury road");
    for line in [
        "245 00$aMad Max :$bfury road\n",
        "700 1 $aMiller, George,$efilm director\n",
    ] {
        assert!(film.contains(line), "{line} in {film}");
    }
    let journal = text_of(&library, "Nature");
    for line in ["022   $a0028-0836\n", ",$c1869-\n", "655  0$aPeriodicals\n"] {
        assert!(journal.contains(line), "{line} in {journal}");
    }
}

#[test]
fn two_libraries_have_two_snapshots() {
    let snapshots = |documents: &mut dyn Iterator<Item = Document>| {
        let found: Vec<_> = documents
            .filter(|document| document.table == table::SNAPSHOT)
            .map(|document| document.id)
            .collect();
        assert_eq!(found.len(), 1);
        found[0]
    };
    let size = SampleSize {
        items: 3,
        patrons: 1,
        open_loans: 0,
    };
    let sample =
        |seed| snapshots(&mut sample_library(size, seed, now(), Policies::default()).unwrap());
    let small = snapshots(&mut small_library(42, now(), Policies::default()));
    assert_ne!(sample(42), small);
    assert_ne!(sample(42), sample(43));
}
