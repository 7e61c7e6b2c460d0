//! Completes a record after all rules: properties that no rule sets, and corrections that FOLIO's
//! mappers make.

use octavo_marc::Record;
use serde_json::{Map, Value, json};

use crate::references::List;
use crate::rules::Mapped;
use crate::{Problem, RecordKind, References};

/// The `source` of records that MARC controls.
const MARC: &str = "MARC";

/// The holdings records source for MARC; every tenant has it with this id.
const MARC_SOURCE_ID: &str = "036ee84a-6afd-4c3c-9ad3-4a12ab875f59";

/// The content type "unspecified".
const UNSPECIFIED: &str = "zzz";

/// Lists of an instance that cataloguers maintain or that other records hold. A tenant's rules may
/// fill them; otherwise they are left out, so that an update does not empty them.
const OWN_LISTS: [&str; 6] = [
    "administrativeNotes",
    "statisticalCodeIds",
    "parentInstances",
    "childInstances",
    "precedingTitles",
    "succeedingTitles",
];

/// Whether an empty list is written.
pub(crate) fn is_kept_empty(kind: RecordKind, name: &str) -> bool {
    match kind {
        RecordKind::Bib | RecordKind::Holdings => !OWN_LISTS.contains(&name),
        RecordKind::Authority => false,
    }
}

/// Completes an instance.
pub(crate) fn instance(mapped: &mut Mapped, references: &References) {
    let entity = &mut mapped.entity;
    entity.insert("source".to_owned(), MARC.into());
    if let Some(Value::Array(identifiers)) = entity.get_mut("identifiers") {
        part(identifiers, "identifierTypeId", "value");
    }
    if let Some(Value::Array(classifications)) = entity.get_mut("classifications") {
        part(
            classifications,
            "classificationTypeId",
            "classificationNumber",
        );
    }
    if let Some(Value::Array(languages)) = entity.get_mut("languages") {
        languages.retain(|code| code.as_str().is_some_and(|code| !code.trim().is_empty()));
    }
    for list in ["precedingTitles", "succeedingTitles"] {
        if let Some(Value::Array(titles)) = entity.get_mut(list) {
            titles
                .iter_mut()
                .filter_map(Value::as_object_mut)
                .for_each(gather_identifiers);
        }
    }
    if !entity.contains_key("instanceTypeId") {
        match references.coded_in_any_case(List::InstanceTypes, UNSPECIFIED) {
            Some((_, unspecified)) => {
                let id = unspecified.id.as_str().into();
                entity.insert("instanceTypeId".to_owned(), id);
            }
            None => mapped.problems.push(Problem {
                tag: "336".to_owned(),
                reason: format!("instanceTypes has no {UNSPECIFIED:?}"),
            }),
        }
    }
    entity.entry("previouslyHeld").or_insert(Value::Bool(false));
}

/// Completes holdings.
pub(crate) fn holdings(mapped: &mut Mapped) {
    mapped
        .entity
        .insert("sourceId".to_owned(), MARC_SOURCE_ID.into());
}

/// Completes an authority: its source file, found by the letters that its control number begins
/// with, and its natural id.
pub(crate) fn authority(mapped: &mut Mapped, record: &Record, references: &References) {
    let entity = &mut mapped.entity;
    entity.insert("source".to_owned(), MARC.into());
    if references.list("authoritySourceFiles").is_empty() {
        return;
    }
    let own = record.control("001");
    let numbers = || record.data("010").flat_map(|field| field.values('a'));
    let first_010 = numbers().next();
    let found = numbers()
        .chain(own)
        .map(letters_and_digits)
        .find_map(|number| Some((source_file(&number, references)?.to_owned(), number)));
    let natural_id = match found {
        Some((file, number)) => {
            entity.insert("sourceFileId".to_owned(), file.into());
            Some(number)
        }
        // Without a source file the natural id is the control number (001), else the LCCN (010).
        None => own.or(first_010).map(letters_and_digits),
    };
    if let Some(natural_id) = natural_id {
        entity.insert("naturalId".to_owned(), natural_id.into());
    }
}

/// The source file whose code is the letters at the beginning of a number.
fn source_file<'r>(number: &str, references: &'r References) -> Option<&'r str> {
    let end = number.find(|c: char| !c.is_ascii_alphabetic());
    let prefix = &number[..end.unwrap_or(number.len())];
    let file = references.coded(List::AuthoritySourceFiles, prefix)?;
    Some(&file.id)
}

fn letters_and_digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Splits records of a list whose rows ran for several subfields at once: they have several ids in
/// one text, and as many values. The last value takes the rest.
fn part(records: &mut Vec<Value>, id: &str, value: &str) {
    let mut parted = Vec::new();
    for record in records.iter_mut().filter_map(Value::as_object_mut) {
        let text = |key: &str| record.get(key).and_then(Value::as_str);
        let Some(ids) = text(id).filter(|ids| ids.len() > 36).and_then(several_ids) else {
            continue;
        };
        let values = text(value).unwrap_or_default().to_owned();
        let mut values = values.splitn(ids.len(), ' ');
        let Some(first) = values.next() else { continue };
        let rest: Vec<Value> = ids[1..]
            .iter()
            .zip(values)
            .map(|(own, rest)| json!({ value: rest, id: own }))
            .collect();
        record.insert(value.to_owned(), first.into());
        record.insert(id.to_owned(), ids[0].as_str().into());
        parted.extend(rest);
    }
    records.append(&mut parted);
}

/// The ids of a text that consists of ids separated by blanks.
fn several_ids(text: &str) -> Option<Vec<String>> {
    let is_id = |word: &str| word.len() == 36 && word.split('-').count() == 5;
    let words: Vec<&str> = text.split(' ').collect();
    let all = words.len() > 1 && words.iter().all(|word| is_id(word));
    all.then(|| words.into_iter().map(str::to_owned).collect())
}

/// Turns the numbers of a preceding or succeeding title into its identifiers.
fn gather_identifiers(title: &mut Map<String, Value>) {
    let mut identifiers = Vec::new();
    for (id, value) in [("isbnId", "isbnValue"), ("issnId", "issnValue")] {
        let (id, value) = (title.shift_remove(id), title.shift_remove(value));
        if let (Some(id), Some(value)) = (id, value) {
            identifiers.push(json!({"value": value, "identifierTypeId": id}));
        }
    }
    if !identifiers.is_empty() {
        title.insert("identifiers".to_owned(), identifiers.into());
    }
}
