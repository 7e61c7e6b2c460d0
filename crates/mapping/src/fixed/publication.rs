//! Who issued the resource, where, when and how often.

use octavo_marc::{DataField, Record};

use super::fields::{Fields, distinct, filled, joined};
use super::instance::{Dates, Publication};
use super::punctuation::{trim_announcing, trim_period};
use super::reference::{DATE_TYPES, id_of_code};

/// Imprints (260) and statements of production, publication and so on (264).
pub(super) fn publication(fields: &Fields<'_>) -> Vec<Publication> {
    fields
        .all()
        .filter(|(tag, _)| matches!(*tag, "260" | "264"))
        .filter_map(|(tag, field)| {
            let publication = Publication {
                publisher: each_trimmed(field, 'b', trim_announcing),
                place: each_trimmed(field, 'a', trim_announcing),
                date_of_publication: each_trimmed(field, 'c', |date| {
                    trim_period(trim_announcing(date))
                }),
                role: (tag == "264").then(|| role(field)).flatten(),
            };
            let Publication {
                publisher,
                place,
                date_of_publication,
                role: _,
            } = &publication;
            let said = publisher.is_some() || place.is_some() || date_of_publication.is_some();
            said.then_some(publication)
        })
        .collect()
}

fn each_trimmed(field: &DataField, code: char, trim: impl Fn(&str) -> &str) -> Option<String> {
    let values: Vec<&str> = field
        .values(code)
        .map(trim)
        .filter(|v| !v.is_empty())
        .collect();
    filled(&values.join(" ; "))
}

fn role(field: &DataField) -> Option<&'static str> {
    match field.indicators[1] {
        '0' => Some("Production"),
        '1' => Some("Publication"),
        '2' => Some("Distribution"),
        '3' => Some("Manufacture"),
        '4' => Some("Copyright notice date"),
        _ => None,
    }
}

/// Present (310) and former (321) frequencies.
pub(super) fn frequency(fields: &Fields<'_>) -> Vec<String> {
    let fields = fields
        .all()
        .filter(|(tag, _)| matches!(*tag, "310" | "321"));
    distinct(fields.filter_map(|(_, field)| filled(trim_period(&joined(field, "ab")))))
}

/// Dates and numbering of a serial's parts.
pub(super) fn range(fields: &Fields<'_>) -> Vec<String> {
    let ranges = fields.tagged("362").map(|field| joined(field, "az"));
    distinct(ranges.filter_map(|range| filled(trim_period(&range))))
}

/// The dates of 008; `None` when it has none.
pub(super) fn dates(record: &Record) -> Option<Dates> {
    let field = record.control("008")?;
    let date = |start: usize| {
        let date: String = field.chars().skip(start).take(4).collect();
        filled(date.trim_end())
    };
    let date_type: String = field.chars().skip(6).take(1).collect();
    let dates = Dates {
        date_type_id: id_of_code(DATE_TYPES, &date_type),
        date1: date(7),
        date2: date(11),
    };
    (dates
        != Dates {
            date_type_id: None,
            date1: None,
            date2: None,
        })
    .then_some(dates)
}
