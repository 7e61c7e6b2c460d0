//! Maps one record: the leader, then control fields, then data fields, each in the record's order.

mod draft;
mod field;
mod values;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use octavo_marc::{DataField, Field, Record, Tag};

use crate::finish;
use crate::functions::View;
use crate::rules::{Mapped, OfTag, Problem, Row, Rules};
use crate::{RecordKind, References};
use draft::{Draft, Remembered};

/// The most problems that are reported for one record.
const PROBLEMS_MAX: usize = 100;

/// The state of mapping one record.
pub(crate) struct Run<'r> {
    rules: &'r Rules,
    references: &'r References,
    leader: &'r str,
    draft: Draft,
    problems: Vec<Problem>,
    /// Reference records that were not found for the current field.
    missed: Vec<String>,
    /// Tags whose first field has been used.
    taken: Vec<Tag>,
}

pub(crate) fn map(rules: &Rules, record: &Record, references: &References) -> Mapped {
    let mut run = Run {
        rules,
        references,
        leader: record.leader.as_str(),
        draft: Draft::new(rules.properties),
        problems: Vec::new(),
        missed: Vec::new(),
        taken: Vec::new(),
    };
    run.bare("LDR", &rules.leader, record.leader.as_str());
    run.control_fields(record);
    let mut view = View::default();
    for field in record.data_fields() {
        run.data_field(field, &mut view);
    }
    if !run.draft.has_room() {
        let reason = "the rules make more of the record than an entity may hold";
        run.missed.push(reason.to_owned());
        run.report_missed("");
    }
    let Run {
        draft, problems, ..
    } = run;
    let mut mapped = Mapped {
        entity: draft.finish(rules.kind),
        problems,
    };
    match rules.kind {
        RecordKind::Bib => finish::instance(&mut mapped, references),
        RecordKind::Holdings => finish::holdings(&mut mapped),
        RecordKind::Authority => finish::authority(&mut mapped, record, references),
    }
    mapped
}

impl<'r> Run<'r> {
    /// Maps control fields. Of several control numbers the last is the record's, and comes first.
    fn control_fields(&mut self, record: &'r Record) {
        let rules = self.rules;
        let controls = || {
            record.fields.iter().filter_map(|field| match field {
                Field::Control(control) => Some(control),
                Field::Data(_) => None,
            })
        };
        let number = controls().rfind(|control| control.tag == "001");
        let others = controls().filter(|control| control.tag != "001");
        for control in number.into_iter().chain(others) {
            if let Some(rows) = rules.control.get(&control.tag) {
                self.bare(control.tag.as_str(), rows, &control.value);
            }
        }
    }

    /// Maps the leader or a control field.
    fn bare(&mut self, tag: &str, rows: &'r [Row], value: &'r str) {
        let mut remembered: Option<Remembered> = None;
        let mut makes_new = true;
        for row in rows {
            let made = self.processed(row, Cow::Borrowed(value), None, false);
            if made.is_empty() {
                continue;
            }
            if row.is_single {
                self.draft.put_single(row.target, made.into_owned());
            } else {
                self.draft
                    .put(row.target, made.into_owned(), makes_new, &mut remembered);
            }
            makes_new = false;
        }
        self.report_missed(tag);
    }

    fn data_field(&mut self, field: &'r DataField, view: &mut View<'r>) {
        let rules = self.rules;
        let Some(mut of_tag) = rules.data.get(&field.tag) else {
            return;
        };
        let mut tag = field.tag;
        if !of_tag.replacements.is_empty() {
            match replaced(of_tag, field) {
                Some(other) => tag = other,
                None => return,
            }
            match rules.data.get(&tag) {
                Some(other) => of_tag = other,
                None => return,
            }
        }
        view.indicators = field.indicators;
        view.subfields.clear();
        let subfields = field.subfields.iter();
        view.subfields
            .extend(subfields.map(|subfield| (subfield.code, subfield.value.as_str())));
        self.entries(tag, of_tag, view);
        self.report_missed(field.tag.as_str());
    }

    fn report_missed(&mut self, tag: &str) {
        for reason in self.missed.drain(..) {
            if self.problems.len() < PROBLEMS_MAX {
                self.problems.push(Problem {
                    tag: tag.to_owned(),
                    reason,
                });
            }
        }
    }
}

/// The tag under which the field counts; `None` when its replacement is not a tag.
fn replaced(of_tag: &OfTag, field: &DataField) -> Option<Tag> {
    let mut tag = Some(field.tag);
    for replacement in &of_tag.replacements {
        for value in replacement.codes.iter().filter_map(|code| field.get(*code)) {
            if let Some((end, _)) = value
                .char_indices()
                .nth(3)
                .or((value.chars().count() == 3).then_some((value.len(), ' ')))
            {
                let digits = &value[..end];
                tag = match replacement.tags.get(digits) {
                    Some(known) => *known,
                    None => Tag::new(digits),
                };
            }
        }
    }
    tag
}
