//! An instance as a MARC 21 bibliographic record.
//!
//! FOLIO's default mapping rules make the same instance from it. Punctuation is ISBD's between
//! elements and left out at the end of a field (leader position 18 says `i`).

use octavo_marc::{ControlField, DataField, Field, Leader, Record, Subfield, Tag};

use super::country::country_code;
use super::{Contributor, Instance, Medium, Role, Subject, SubjectKind, hrid};
use crate::clock::utc;

/// The agency in 040: MARC's code for an unknown one.
const AGENCY: &str = "XX-XxUND";

/// The description of an instance, without the field that links it to the catalogue.
pub(crate) fn description(instance: &Instance<'_>) -> Record {
    let mut fields = Fields(Vec::with_capacity(24));
    fields.control("001", hrid("in", instance.number));
    fields.control("005", latest_transaction(instance));
    fields.control("008", fixed_data(instance));
    identification(&mut fields, instance);
    let main_entry = instance.has_main_entry();
    if let Some(first) = instance.contributors.first().filter(|_| main_entry) {
        fields.name(first, ["100", "110"]);
    }
    title_and_publication(&mut fields, instance);
    carrier(&mut fields, instance.medium);
    for subject in instance.subjects {
        fields.subject(subject);
    }
    for contributor in instance.contributors.iter().skip(usize::from(main_entry)) {
        fields.name(contributor, ["700", "710"]);
    }
    Record {
        leader: leader(instance.medium),
        fields: fields.0,
    }
}

/// The catalogue's 999 field: the ids of the instance and of the source record.
pub(crate) fn own_field(instance_id: &str, source_record_id: &str) -> Field {
    data_field("999", "ff", &[('i', instance_id), ('s', source_record_id)])
}

fn identification(fields: &mut Fields, instance: &Instance<'_>) {
    if let Some(identifier) = instance.identifier {
        let (tag, value) = identifier.field();
        fields.data(tag, "  ", &[('a', value)]);
    }
    let agency = [('a', AGENCY), ('b', "eng"), ('e', "rda"), ('c', AGENCY)];
    fields.data("040", "  ", &agency);
    fields.data("082", "04", &[('a', instance.dewey), ('2', "23")]);
}

fn title_and_publication(fields: &mut Fields, instance: &Instance<'_>) {
    let main_entry = if instance.has_main_entry() { '1' } else { '0' };
    let article = instance.article().chars().count();
    let indicators = format!("{main_entry}{article}");
    match instance.title.split_once(" : ") {
        Some((proper, rest)) => {
            let proper = format!("{proper} :");
            fields.data("245", &indicators, &[('a', &proper), ('b', rest)]);
        }
        None => fields.data("245", &indicators, &[('a', instance.title)]),
    }
    let place = format!("{} :", instance.place);
    let publisher = format!("{},", instance.publisher);
    let date = instance.date_of_publication();
    let publication = [('a', &*place), ('b', &*publisher), ('c', &*date)];
    fields.data("264", " 1", &publication);
}

/// Extent (300), and RDA's terms for content, media and carrier (336 to 338).
fn carrier(fields: &mut Fields, medium: Medium) {
    fields.data("300", "  ", &[('a', medium.description())]);
    let terms = match medium {
        Medium::Book | Medium::Journal => [("text", "txt"), ("unmediated", "n"), ("volume", "nc")],
        Medium::Dvd => [
            ("two-dimensional moving image", "tdi"),
            ("video", "v"),
            ("videodisc", "vd"),
        ],
        Medium::Cd => [
            ("performed music", "prm"),
            ("audio", "s"),
            ("audio disc", "sd"),
        ],
    };
    let lists = [
        ("336", "rdacontent"),
        ("337", "rdamedia"),
        ("338", "rdacarrier"),
    ];
    for ((tag, list), (term, code)) in lists.into_iter().zip(terms) {
        fields.data(tag, "  ", &[('a', term), ('b', code), ('2', list)]);
    }
}

fn leader(medium: Medium) -> Leader {
    let (record_type, level) = match medium {
        Medium::Book => ('a', 'm'),
        Medium::Dvd => ('g', 'm'),
        Medium::Cd => ('j', 'm'),
        Medium::Journal => ('a', 's'),
    };
    let mut leader = Leader::default();
    leader.set(6, record_type);
    leader.set(7, level);
    leader.set(18, 'i');
    leader
}

/// Field 005: date and time of the latest change.
fn latest_transaction(instance: &Instance<'_>) -> String {
    let moment = utc(instance.audit.updated);
    format!(
        "{:04}{:02}{:02}{:02}{:02}{:02}.0",
        moment.year(),
        moment.month(),
        moment.day(),
        moment.hour(),
        moment.minute(),
        moment.second()
    )
}

/// Field 008: 40 characters of codes, 17 of them in the middle by the kind of material.
fn fixed_data(instance: &Instance<'_>) -> String {
    let entered = utc(instance.audit.created);
    let (date_type, date2) = match instance.medium {
        Medium::Journal => ('c', "9999"),
        _ => ('s', "    "),
    };
    format!(
        "{:02}{:02}{:02}{date_type}{}{date2}{}{}{} d",
        entered.year().rem_euclid(100),
        entered.month(),
        entered.day(),
        instance.year,
        country_code(instance.place),
        of_material(instance.medium, instance.dewey),
        instance.language
    )
}

/// Positions 18 to 34 of field 008.
fn of_material(medium: Medium, dewey: &str) -> &'static str {
    match medium {
        // Position 33 is the literary form; in Dewey's classes of literature 8x3 is fiction.
        Medium::Book if dewey.starts_with('8') && dewey.get(2..3) == Some("3") => {
            "           000 1 "
        }
        Medium::Book => "           000 0 ",
        Medium::Journal => "uu p       0   a0",
        Medium::Dvd => "---            vu",
        Medium::Cd => "uunn           n ",
    }
}

/// Fields that are being collected.
struct Fields(Vec<Field>);

impl Fields {
    fn control(&mut self, name: &str, value: String) {
        let tag = tag(name);
        self.0.push(Field::Control(ControlField { tag, value }));
    }

    fn data(&mut self, tag: &str, indicators: &str, subfields: &[(char, &str)]) {
        self.0.push(data_field(tag, indicators, subfields));
    }

    /// Adds a person or corporate body with its role; `tags` are those for a person and for a body.
    fn name(&mut self, contributor: &Contributor<'_>, tags: [&str; 2]) {
        let [person, body] = tags;
        let (tag, indicators) = match contributor.role {
            Role::Band => (body, "2 "),
            // A personal name without a comma is in direct order, which MARC files as a forename.
            _ if contributor.name.contains(',') => (person, "1 "),
            _ => (person, "0 "),
        };
        let name = format!("{},", contributor.name);
        self.data(
            tag,
            indicators,
            &[('a', &name), ('e', contributor.role.term())],
        );
    }

    fn subject(&mut self, subject: &Subject<'_>) {
        let tag = match subject.kind {
            SubjectKind::Topic => "650",
            SubjectKind::Place => "651",
            SubjectKind::Form => "655",
        };
        self.data(tag, " 0", &[('a', subject.heading)]);
    }
}

fn data_field(name: &str, indicators: &str, subfields: &[(char, &str)]) -> Field {
    let mut indicators = indicators.chars();
    let subfields = subfields.iter().map(|&(code, value)| Subfield {
        code,
        value: value.to_owned(),
    });
    Field::Data(DataField {
        tag: tag(name),
        indicators: [(); 2].map(|()| indicators.next().unwrap_or(' ')),
        subfields: subfields.collect(),
    })
}

fn tag(name: &str) -> Tag {
    Tag::new(name).expect("invariant: a tag of three digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_codes_fill_their_places() {
        for medium in [Medium::Book, Medium::Journal, Medium::Dvd, Medium::Cd] {
            assert_eq!(of_material(medium, "823.7").len(), 17, "{medium:?}");
        }
        assert_ne!(
            of_material(Medium::Book, "823.7"),
            of_material(Medium::Book, "505")
        );
    }
}
