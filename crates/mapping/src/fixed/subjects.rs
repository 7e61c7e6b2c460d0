//! Subject headings, terms of genre and form, and the like: the 6XX fields.

use octavo_marc::DataField;

use super::fields::{Fields, authority_id, distinct, filled, joined, joined_by};
use super::instance::Subject;
use super::punctuation::trim_period;
use super::reference::{subject_source as sources, subject_type as types};

/// How a heading is put together: `heading` subfields with blanks between, then `divisions`, each
/// after two hyphens.
struct Rule {
    tag: &'static str,
    type_id: &'static str,
    heading: &'static str,
    divisions: &'static str,
}

const fn rule(
    tag: &'static str,
    type_id: &'static str,
    heading: &'static str,
    divisions: &'static str,
) -> Rule {
    Rule {
        tag,
        type_id,
        heading,
        divisions,
    }
}

const ANY_NAME: &str = "abcdjqtfgklmnoprs";

/// FOLIO's default rules.
static RULES: &[Rule] = &[
    rule("600", types::PERSONAL, ANY_NAME, "xyzv"),
    rule("610", types::CORPORATE, "abcdtfgklmnops", "xyzv"),
    rule("611", types::MEETING, "acdeqtfgklnps", "xyzv"),
    rule("630", types::UNIFORM_TITLE, "adfgklmnoprs", "xyzv"),
    rule("647", types::NAMED_EVENT, "", "acdgxyzv"),
    rule("648", types::CHRONOLOGICAL, "", "axyzv"),
    rule("650", types::TOPICAL, "", "abcdegvxyz"),
    rule("651", types::GEOGRAPHIC, "", "aegvxyz"),
    rule("653", types::UNCONTROLLED, ANY_NAME, "xyzv"),
    rule("654", types::FACETED, ANY_NAME, "xyzv"),
    rule("655", types::GENRE, "", "avxyz"),
    rule("656", types::OCCUPATION, ANY_NAME, "xyzv"),
    rule("657", types::FUNCTION, ANY_NAME, "xyzv"),
    rule("658", types::CURRICULUM, ANY_NAME, "xyzv"),
    rule("662", types::PLACE_HIERARCHY, ANY_NAME, "xyzv"),
    rule("688", types::UNSPECIFIED, ANY_NAME, "xyzv"),
];

/// The subjects in the order of the record's fields.
pub(super) fn subjects(fields: &Fields<'_>) -> Vec<Subject> {
    let subjects = fields.all().filter_map(|(tag, field)| {
        let rule = RULES.iter().find(|rule| rule.tag == tag)?;
        let parts = [
            joined(field, rule.heading),
            joined_by(field, rule.divisions, "--"),
        ];
        let parts: Vec<&str> = parts
            .iter()
            .map(String::as_str)
            .filter(|p| !p.is_empty())
            .collect();
        Some(Subject {
            value: filled(trim_period(&parts.join("--")))?,
            type_id: rule.type_id,
            source_id: source_id(field),
            authority_id: authority_id(field),
        })
    });
    distinct(subjects)
}

/// The thesaurus, by the second indicator or the code in `$2`.
fn source_id(field: &DataField) -> Option<&'static str> {
    Some(match field.indicators[1] {
        '0' => sources::LCSH,
        '1' => sources::CHILDREN,
        '2' => sources::MESH,
        '3' => sources::AGRICULTURE,
        '4' => sources::NOT_SPECIFIED,
        '5' => sources::CANADIAN,
        '6' => sources::RVM,
        '7' => match field.get('2')?.trim() {
            "lcsh" => sources::LCSH,
            "cyac" => sources::CHILDREN,
            "mesh" => sources::MESH,
            "cash" => sources::CANADIAN,
            "rvm" => sources::RVM,
            _ => return None,
        },
        _ => return None,
    })
}
