//! Compiles the conditions of a workload file: on responses, on variables, on continuing; and the
//! extractions from responses.

use std::ops::Range;
use std::time::Duration;

use toml::Spanned;

use super::check::{Check, Expectation, Extract, ValueSource};
use super::compile::{Compiler, Lifetime, fault, json_path};
use super::format::{ExpectSection, ExtractSection, RepeatSection, Statuses, ValueIs, WhenSection};
use super::plan::{Repeat, When};
use super::source::Fault;
use super::template::{Encoding, Template};

/// The most repetitions.
const TIMES_MAX: u32 = 1_000_000;

impl Compiler<'_> {
    pub(super) fn when(&mut self, section: &Spanned<WhenSection>) -> Result<When, Fault> {
        let WhenSection {
            variable,
            is,
            is_not,
        } = section.get_ref();
        let (text, equal) = match (is, is_not) {
            (Some(text), None) => (text, true),
            (None, Some(text)) => (text, false),
            _ => return Err(fault(section.span(), "give either `is` or `is_not`")),
        };
        Ok(When {
            slot: self.names.used(variable),
            text: text.clone(),
            equal,
        })
    }

    pub(super) fn repeat(&mut self, section: &Spanned<RepeatSection>) -> Result<Repeat, Fault> {
        let RepeatSection {
            until,
            requests,
            every_ms,
            at_most,
        } = section.get_ref();
        if !(1..=TIMES_MAX).contains(at_most) {
            let message = format!("`at_most` is 1 to {TIMES_MAX} times");
            return Err(fault(section.span(), message));
        }
        Ok(Repeat {
            until: self.check(until)?,
            requests: *requests as usize,
            every: Duration::from_millis(u64::from(*every_ms)),
            at_most: *at_most,
        })
    }

    pub(super) fn check(&mut self, section: &Spanned<ExpectSection>) -> Result<Check, Fault> {
        const SUBJECTS: &str =
            "give one of `json`, `header`, `status`, `body_contains`, `body_lacks`";
        let span = section.span();
        let expect = section.get_ref();
        let subjects = [
            expect.json.is_some(),
            expect.header.is_some(),
            expect.status.is_some(),
            expect.body_contains.is_some(),
            expect.body_lacks.is_some(),
        ];
        let judged = [
            expect.is.is_some(),
            expect.equals.is_some(),
            expect.one_of.is_some(),
        ];
        let count = |given: &[bool]| given.iter().filter(|given| **given).count();
        if count(&judged) > 0 && expect.json.is_none() && expect.header.is_none() {
            return Err(fault(
                span,
                "`is`, `equals` and `one_of` need `json` or `header`",
            ));
        }
        if count(&subjects) != 1 {
            return Err(fault(span, SUBJECTS));
        }
        if count(&judged) > 1 {
            return Err(fault(span, "give one of `is`, `equals`, `one_of`"));
        }
        match expect {
            ExpectSection {
                json: Some(path), ..
            } => {
                let place = ValueSource::Json(json_path(path, span.clone())?);
                Ok(Check::Value(place, self.wanted(expect, span)?))
            }
            ExpectSection {
                header: Some(name), ..
            } => {
                let place = ValueSource::Header(name.clone());
                Ok(Check::Value(place, self.wanted(expect, span)?))
            }
            ExpectSection {
                status: Some(status),
                ..
            } => Ok(Check::Status(statuses(status, span)?)),
            ExpectSection {
                body_contains: Some(text),
                ..
            } => Ok(Check::BodyContains(self.text(text, span)?)),
            ExpectSection {
                body_lacks: Some(text),
                ..
            } => Ok(Check::BodyLacks(self.text(text, span)?)),
            _ => Err(fault(span, SUBJECTS)),
        }
    }

    fn wanted(&mut self, expect: &ExpectSection, span: Range<usize>) -> Result<Expectation, Fault> {
        let texts = match (&expect.is, &expect.equals, &expect.one_of) {
            (Some(ValueIs::Absent), ..) => return Ok(Expectation::Absent),
            (Some(ValueIs::WholeNumber), ..) => return Ok(Expectation::WholeNumber),
            (_, Some(text), _) => std::slice::from_ref(text),
            (_, _, Some(texts)) if texts.is_empty() => {
                return Err(fault(span, "`one_of` needs a text"));
            }
            (_, _, Some(texts)) => texts,
            _ => return Ok(Expectation::Present),
        };
        let texts = texts.iter().map(|text| self.text(text, span.clone()));
        Ok(Expectation::OneOf(texts.collect::<Result<_, _>>()?))
    }

    /// A text for comparison: it may contain variables, but no functions.
    fn text(&mut self, text: &str, span: Range<usize>) -> Result<Template, Fault> {
        let parsed = Template::parse(text, Encoding::Raw, true, self.names);
        let parsed = parsed.map_err(|error| fault(span.clone(), error.to_string()))?;
        match parsed.has_call() {
            false => Ok(parsed),
            true => Err(fault(
                span,
                "a function gives another value each time; `set` a variable and compare with that",
            )),
        }
    }

    pub(super) fn extract(
        &mut self,
        section: Spanned<ExtractSection>,
        lifetime: Lifetime,
    ) -> Result<Extract, Fault> {
        let span = section.span();
        let section = section.into_inner();
        let from = match (section.json, section.header, section.cookie) {
            (Some(path), None, None) => ValueSource::Json(json_path(&path, span.clone())?),
            (None, Some(header), None) => ValueSource::Header(header),
            (None, None, Some(cookie)) => ValueSource::Cookie(cookie),
            _ => return Err(fault(span, "give either `json`, `header` or `cookie`")),
        };
        if !section.change.is_empty() && !matches!(from, ValueSource::Json(_)) {
            return Err(fault(span, "`change` needs `json`"));
        }
        let mut change = Vec::new();
        for (names, text) in &section.change {
            let names = names.split('.').map(str::to_owned).collect();
            change.push((names, self.text(text, span.clone())?));
        }
        let slot = match lifetime {
            Lifetime::Once => self.names.set_once(&section.variable),
            Lifetime::Iteration => self.names.set_often(&section.variable),
        };
        Ok(Extract {
            slot,
            from,
            pick: section.pick,
            change,
            default: section.default,
        })
    }
}

fn statuses(section: &Statuses, span: Range<usize>) -> Result<Vec<u16>, Fault> {
    let statuses = match section {
        Statuses::One(status) => vec![*status],
        Statuses::Several(statuses) => statuses.clone(),
    };
    let real = |status: &u16| (100..1000).contains(status);
    match !statuses.is_empty() && statuses.iter().all(real) {
        true => Ok(statuses),
        false => Err(fault(span, "a status has three digits")),
    }
}
