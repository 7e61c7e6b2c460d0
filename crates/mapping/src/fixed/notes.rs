//! Notes: the 5XX fields and 255.

use octavo_marc::DataField;

use super::fields::{Fields, joined};
use super::instance::Note;
use super::punctuation::trim_period;
use super::reference::instance_note_type as types;

/// Which subfields of a field make a note, and of which type.
struct Rule {
    tag: &'static str,
    codes: &'static str,
    note_type_id: &'static str,
}

const fn rule(tag: &'static str, codes: &'static str, note_type_id: &'static str) -> Rule {
    Rule {
        tag,
        codes,
        note_type_id,
    }
}

/// Notes whose first indicator may call them private.
const PRIVATE_TAGS: [&str; 5] = ["541", "542", "561", "583", "590"];

/// FOLIO's default rules.
#[rustfmt::skip]
static RULES: &[Rule] = &[
    rule("255", "abcdefg", types::CARTOGRAPHIC_MATHEMATICAL_DATA),
    rule("500", "a35", types::GENERAL),
    rule("501", "a5", types::WITH),
    rule("502", "abcdgo", types::DISSERTATION),
    rule("504", "ab", types::BIBLIOGRAPHY),
    rule("505", "agrtu", types::FORMATTED_CONTENTS),
    rule("506", "abcdefu235", types::RESTRICTIONS_ON_ACCESS),
    rule("507", "ab", types::SCALE_NOTE_FOR_GRAPHIC_MATERIAL),
    rule("508", "a", types::CREATION_OR_PRODUCTION_CREDITS),
    rule("510", "abcux3", types::CITATION_OR_REFERENCES),
    rule("511", "a", types::PARTICIPANT_OR_PERFORMER),
    rule("513", "ab", types::TYPE_OF_REPORT_AND_PERIOD_COVERED),
    rule("514", "abcdefghijkmuz", types::DATA_QUALITY),
    rule("515", "a", types::NUMBERING_PECULIARITIES),
    rule("516", "a", types::TYPE_OF_COMPUTER_FILE_OR_DATA),
    rule("518", "adop23", types::DATE_OR_TIME_AND_PLACE_OF_AN_EVENT),
    rule("520", "abcu23", types::SUMMARY),
    rule("521", "ab3", types::TARGET_AUDIENCE),
    rule("522", "a", types::GEOGRAPHIC_COVERAGE),
    rule("524", "a23", types::PREFERRED_CITATION_OF_DESCRIBED_MATERIALS),
    rule("525", "a", types::SUPPLEMENT),
    rule("526", "abcd5xz", types::STUDY_PROGRAM_INFORMATION),
    rule("530", "abcdu3", types::ADDITIONAL_PHYSICAL_FORM_AVAILABLE),
    rule("532", "a", types::ACCESSIBILITY),
    rule("533", "abcdefmn35", types::REPRODUCTION),
    rule("534", "abcefklmnoptxz3", types::ORIGINAL_VERSION),
    rule("535", "abcdg3", types::LOCATION_OF_ORIGINALS_OR_DUPLICATES),
    rule("536", "abcdefgh", types::FUNDING_INFORMATION),
    rule("538", "au35", types::SYSTEM_DETAILS),
    rule("540", "abcdu35", types::TERMS_GOVERNING_USE_AND_REPRODUCTION),
    rule("541", "abcdefhno35", types::IMMEDIATE_SOURCE_OF_ACQUISITION),
    rule("542", "abcdefghijklmnopqrsu3", types::INFORMATION_RELATED_TO_COPYRIGHT_STATUS),
    rule("544", "abcden3", types::LOCATION_OF_OTHER_ARCHIVAL_MATERIALS),
    rule("545", "abu", types::BIOGRAPHICAL_OR_HISTORICAL_DATA),
    rule("546", "ab3", types::LANGUAGE),
    rule("547", "a", types::FORMER_TITLE_COMPLEXITY),
    rule("550", "a", types::ISSUING_BODY),
    rule("552", "abcdefghijklmnopuz", types::ENTITY_AND_ATTRIBUTE_INFORMATION),
    rule("555", "abcdu3", types::CUMULATIVE_INDEX_OR_FINDING_AIDS),
    rule("556", "az", types::INFORMATION_ABOUT_DOCUMENTATION),
    rule("561", "au35", types::OWNERSHIP_AND_CUSTODIAL_HISTORY),
    rule("562", "abcde35", types::COPY_AND_VERSION_IDENTIFICATION),
    rule("563", "au35", types::BINDING_INFORMATION),
    rule("565", "abcde3", types::CASE_FILE_CHARACTERISTICS),
    rule("567", "ab2", types::METHODOLOGY),
    rule("580", "a", types::LINKING_ENTRY_COMPLEXITY),
    rule("581", "az3", types::PUBLICATIONS_ABOUT_DESCRIBED_MATERIALS),
    rule("583", "abcdefhijklnouxz235", types::ACTION),
    rule("584", "ab35", types::ACCUMULATION_AND_FREQUENCY_OF_USE),
    rule("585", "a35", types::EXHIBITIONS),
    rule("586", "a3", types::AWARDS),
    rule("588", "a5", types::SOURCE_OF_DESCRIPTION),
    rule("590", "a", types::LOCAL),
];

/// The notes in the order of the record's fields.
pub(super) fn notes(fields: &Fields<'_>) -> Vec<Note> {
    fields
        .all()
        .filter_map(|(tag, field)| {
            let rule = RULES.iter().find(|rule| rule.tag == tag)?;
            let note = trim_period(&joined(field, rule.codes)).to_owned();
            (!note.is_empty()).then(|| Note {
                instance_note_type_id: rule.note_type_id,
                note,
                staff_only: is_private(tag, field),
            })
        })
        .collect()
}

fn is_private(tag: &str, field: &DataField) -> bool {
    PRIVATE_TAGS.contains(&tag) && field.indicators[0] == '0'
}
