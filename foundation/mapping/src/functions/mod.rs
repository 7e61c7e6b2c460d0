//! The functions that conditions of rules name: they convert a value, or look up the id of a
//! reference record.
//!
//! Where a value is too short or a record does not exist, a function does what FOLIO's does, so
//! that both map records alike.

mod lookup;
mod parse;
mod pattern;
mod text;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::References;
pub(crate) use parse::{function, single};
use pattern::Pattern;

/// FOLIO's placeholder id for a reference record that was not found.
pub(crate) const STUB_ID: &str = "fe19bae4-da28-472b-be90-d442e2428ead";

/// A function with its parameters.
#[derive(Clone, Debug)]
pub(crate) enum Function {
    CharSelect {
        from: usize,
        to: usize,
    },
    RemoveEndingPunc,
    Trim,
    TrimPeriod,
    TrimPunctuation,
    RemoveSubstring(String),
    RemovePrefixByIndicator,
    Capitalize,
    ConcatSubfieldsByName {
        codes: Vec<char>,
        stops: Vec<char>,
    },
    SetDateTypeId,
    SetPublisherRole,
    SetInstanceFormatId,
    SetClassificationTypeId(Name),
    SetContributorTypeId,
    SetContributorTypeText,
    SetContributorNameTypeId(Name),
    SetContributorTypeIdByCodeOrName {
        code: char,
        name: char,
    },
    SetInstanceTypeId {
        unspecified: Name,
    },
    SetElectronicAccessRelationsId,
    SetSubjectSourceId(Name),
    SetSubjectSourceIdByCode,
    SetSubjectTypeId(Name),
    SetAuthorityIdentifierTypeIdByCode(Name),
    SetIdentifierTypeIdByName(Name),
    SetIdentifierTypeIdByValue {
        plain: Name,
        other: Option<(Pattern, Name)>,
    },
    SetNoteTypeId(Name),
    SetHeadingTypeByName(String),
    SetAlternativeTitleTypeId(Name),
    SetDeleted,
    SetIssuanceModeId,
    SetNoteStaffOnlyViaIndicator,
    SetHoldingsTypeId,
    SetCallNumberTypeId,
    SetPermanentLocationId,
    SetHoldingsNoteTypeId(Name),
    SetAuthorityNoteTypeId(Name),
}

/// The name or code of a reference record, as written and folded for comparison.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub written: String,
    pub folded: String,
}

/// The input of a function apart from its value.
pub(crate) struct At<'a, 'r> {
    /// The field, unless it is the leader or a control field.
    pub field: Option<&'a View<'r>>,
    /// The tenant's reference data.
    pub references: &'r References,
    /// Reference records that were not found, reported to the caller.
    pub missed: &'a mut Vec<String>,
}

/// A data field as rules see it.
#[derive(Debug, Default)]
pub(crate) struct View<'r> {
    /// The two indicators.
    pub indicators: [char; 2],
    /// The subfields, some perhaps split.
    pub subfields: Vec<(char, &'r str)>,
    /// The index of the current subfield.
    pub at: usize,
}

impl<'r> View<'r> {
    pub fn values(&self, code: char) -> impl Iterator<Item = &'r str> {
        let of_code = self.subfields.iter().filter(move |(own, _)| *own == code);
        of_code.map(|(_, value)| *value)
    }
}

impl Function {
    /// Whether the result does not depend on the value.
    pub fn reads_no_text(&self) -> bool {
        matches!(
            self,
            Function::SetPublisherRole
                | Function::SetClassificationTypeId(_)
                | Function::SetContributorNameTypeId(_)
                | Function::SetContributorTypeIdByCodeOrName { .. }
                | Function::SetElectronicAccessRelationsId
                | Function::SetSubjectSourceId(_)
                | Function::SetSubjectTypeId(_)
                | Function::SetAuthorityIdentifierTypeIdByCode(_)
                | Function::SetIdentifierTypeIdByName(_)
                | Function::SetNoteTypeId(_)
                | Function::SetHeadingTypeByName(_)
                | Function::SetAlternativeTitleTypeId(_)
                | Function::SetNoteStaffOnlyViaIndicator
                | Function::SetCallNumberTypeId
                | Function::SetHoldingsNoteTypeId(_)
                | Function::SetAuthorityNoteTypeId(_)
        )
    }

    /// Applies the function to a value.
    pub fn apply<'r>(&'r self, value: Cow<'r, str>, at: &mut At<'_, 'r>) -> Cow<'r, str> {
        match self {
            Function::CharSelect { from, to } => text::char_select(value, *from, *to),
            Function::RemoveEndingPunc => text::remove_ending_punctuation(value),
            Function::Trim => text::trim(value),
            Function::TrimPeriod => text::trim_period(value),
            Function::TrimPunctuation => text::trim_punctuation(value),
            Function::RemoveSubstring(substring) => text::remove_all(value, substring),
            Function::RemovePrefixByIndicator => text::remove_prefix(value, at.field),
            Function::Capitalize => text::capitalize(value),
            Function::ConcatSubfieldsByName { codes, stops } => {
                text::concat_subfields(value, at.field, codes, stops)
            }
            Function::SetHeadingTypeByName(name) => Cow::Borrowed(name),
            Function::SetDeleted => lookup::deleted(value),
            Function::SetNoteStaffOnlyViaIndicator => lookup::staff_only(value, at.field),
            Function::SetPublisherRole => lookup::publisher_role(value, at.field),
            found => lookup::id(found, value, at),
        }
    }
}
