//! Applies the steps of a row to a value.

use std::borrow::Cow;

use super::Run;
use crate::functions::{At, View};
use crate::rules::{Condition, Row, Step};

impl<'r> Run<'r> {
    /// The value after all steps.
    pub(super) fn processed(
        &mut self,
        row: &'r Row,
        value: Cow<'r, str>,
        field: Option<&View<'r>>,
        keeps_backslash: bool,
    ) -> Cow<'r, str> {
        let mut value = value;
        let needs_original = row.steps.iter().any(|step| step.can_fail);
        let original = needs_original.then(|| value.clone());
        for step in &row.steps {
            let is_met;
            (value, is_met) = self.step(step, value, original.as_ref(), field);
            if is_met && let Some(constant) = &step.constant {
                value = Cow::Borrowed(constant);
                break;
            }
        }
        cleaned(value, keeps_backslash)
    }

    /// The value after the conditions of a step, and whether all were met.
    fn step(
        &mut self,
        step: &'r Step,
        value: Cow<'r, str>,
        original: Option<&Cow<'r, str>>,
        field: Option<&View<'r>>,
    ) -> (Cow<'r, str>, bool) {
        let mut value = value;
        let mut is_met = true;
        for condition in &step.conditions {
            let holds;
            (value, holds) = self.condition(condition, step, value, field);
            is_met &= holds;
            if !is_met && let Some(original) = original {
                value = original.clone();
            }
        }
        (value, is_met)
    }

    fn condition(
        &mut self,
        condition: &'r Condition,
        step: &Step,
        value: Cow<'r, str>,
        field: Option<&View<'r>>,
    ) -> (Cow<'r, str>, bool) {
        let mut value = value;
        for function in &condition.functions {
            if condition.of_leader {
                value = Cow::Borrowed(self.leader);
            }
            let mut at = At {
                field,
                references: self.references,
                missed: &mut self.missed,
            };
            // With a constant, the functions only decide whether it applies; they do not change the
            // value.
            match (&condition.expected, &step.constant) {
                (None, None) => value = function.apply(value, &mut at),
                (Some(expected), constant) => {
                    let made = function.apply(value.clone(), &mut at);
                    if made != *expected {
                        return (value, false);
                    }
                    if constant.is_none() {
                        value = made;
                    }
                }
                (None, Some(_)) => {}
            }
        }
        (value, true)
    }
}

/// The value as it is stored: bars become blanks, and a trailing backslash is removed.
fn cleaned(value: Cow<'_, str>, keeps_backslash: bool) -> Cow<'_, str> {
    let value = if !keeps_backslash && value.ends_with('\\') {
        let end = value.len() - 1;
        match value {
            Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
            Cow::Owned(mut text) => {
                text.truncate(end);
                Cow::Owned(text)
            }
        }
    } else {
        value
    };
    if value.contains('|') {
        Cow::Owned(value.replace('|', " "))
    } else {
        value
    }
}
