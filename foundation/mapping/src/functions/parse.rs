//! Parses a function from its name and the parameters of its condition.

use serde_json::{Map, Value};

use super::{Function, Name, Pattern};
use crate::references::folded;

/// The longest text parameter, in characters.
const TEXT_MAX: usize = 1_000;

/// The highest position that `char_select` accepts.
const PLACE_MAX: u64 = 100_000;

/// An error in a parameter, or in the function itself.
pub(crate) struct Wrong {
    pub parameter: Option<&'static str>,
    /// What is expected.
    pub problem: String,
}

pub(crate) fn function(
    name: &str,
    parameter: Option<&Map<String, Value>>,
) -> Result<Function, Wrong> {
    let given = ConditionParameters(parameter);
    Ok(match name.trim().to_ascii_lowercase().as_str() {
        "char_select" => Function::CharSelect {
            from: given.place("from")?,
            to: given.place("to")?,
        },
        "remove_ending_punc" => Function::RemoveEndingPunc,
        "trim" => Function::Trim,
        "trim_period" => Function::TrimPeriod,
        "trim_punctuation" => Function::TrimPunctuation,
        "remove_substring" => Function::RemoveSubstring(given.text("substring")?.to_owned()),
        "remove_prefix_by_indicator" => Function::RemovePrefixByIndicator,
        "capitalize" => Function::Capitalize,
        "concat_subfields_by_name" => Function::ConcatSubfieldsByName {
            codes: given.codes("subfieldsToConcat")?,
            stops: match given.value("subfieldsToStopConcat") {
                Some(_) => given.codes("subfieldsToStopConcat")?,
                None => Vec::new(),
            },
        },
        "set_date_type_id" => Function::SetDateTypeId,
        "set_publisher_role" => Function::SetPublisherRole,
        "set_instance_format_id" => Function::SetInstanceFormatId,
        "set_classification_type_id" => Function::SetClassificationTypeId(given.name("name")?),
        "set_contributor_type_id" => Function::SetContributorTypeId,
        "set_contributor_type_text" => Function::SetContributorTypeText,
        "set_contributor_name_type_id" => Function::SetContributorNameTypeId(given.name("name")?),
        "set_contributor_type_id_by_code_or_name" => Function::SetContributorTypeIdByCodeOrName {
            code: given.code("contributorCodeSubfield")?,
            name: given.code("contributorNameSubfield")?,
        },
        "set_instance_type_id" => Function::SetInstanceTypeId {
            unspecified: given.name("unspecifiedInstanceTypeCode")?,
        },
        "set_electronic_access_relations_id" => Function::SetElectronicAccessRelationsId,
        "set_subject_source_id" => Function::SetSubjectSourceId(given.name("name")?),
        "set_subject_source_id_by_code" => Function::SetSubjectSourceIdByCode,
        "set_subject_type_id" => Function::SetSubjectTypeId(given.name("name")?),
        "set_authority_identifier_type_id_by_code" => {
            Function::SetAuthorityIdentifierTypeIdByCode(given.name("code")?)
        }
        "set_identifier_type_id_by_name" => {
            Function::SetIdentifierTypeIdByName(given.name("name")?)
        }
        "set_identifier_type_id_by_value" => by_value(&given)?,
        "set_note_type_id" => Function::SetNoteTypeId(given.name("name")?),
        "set_heading_type_by_name" => {
            Function::SetHeadingTypeByName(given.text("name")?.to_owned())
        }
        "set_alternative_title_type_id" => Function::SetAlternativeTitleTypeId(given.name("name")?),
        "set_deleted" => Function::SetDeleted,
        "set_issuance_mode_id" => Function::SetIssuanceModeId,
        "set_note_staff_only_via_indicator" => Function::SetNoteStaffOnlyViaIndicator,
        "set_holdings_type_id" => Function::SetHoldingsTypeId,
        "set_call_number_type_id" => Function::SetCallNumberTypeId,
        "set_permanent_location_id" => Function::SetPermanentLocationId,
        "set_holdings_note_type_id" => Function::SetHoldingsNoteTypeId(given.name("name")?),
        "set_authority_note_type_id" => Function::SetAuthorityNoteTypeId(given.name("name")?),
        "custom" => {
            return Err(Wrong {
                parameter: None,
                problem: "a script (\"custom\") is not carried out".to_owned(),
            });
        }
        _ => {
            return Err(Wrong {
                parameter: None,
                problem: format!("there is no function {:?}", name.trim()),
            });
        }
    })
}

/// `set_identifier_type_id_by_value`: the type of an identifier by the beginning of its value.
fn by_value(given: &ConditionParameters<'_>) -> Result<Function, Wrong> {
    const NAMES: &str = "names";
    const PATTERN: &str = "oclc_regex";
    let names: Vec<&str> = given
        .value(NAMES)
        .and_then(Value::as_array)
        .and_then(|names| names.iter().map(Value::as_str).collect())
        .unwrap_or_default();
    let expected = || wrong(NAMES, "a list of one or two names is expected");
    let plain = name(names.first().ok_or_else(expected)?);
    let other = match given.value(PATTERN) {
        None => None,
        Some(_) => {
            let pattern = Pattern::new(given.text(PATTERN)?);
            let pattern = pattern.map_err(|problem| wrong(PATTERN, &problem))?;
            Some((pattern, name(names.get(1).ok_or_else(expected)?)))
        }
    };
    Ok(Function::SetIdentifierTypeIdByValue { plain, other })
}

/// A condition's parameters.
struct ConditionParameters<'a>(Option<&'a Map<String, Value>>);

impl<'a> ConditionParameters<'a> {
    fn value(&self, key: &str) -> Option<&'a Value> {
        self.0?.get(key)
    }

    fn text(&self, key: &'static str) -> Result<&'a str, Wrong> {
        self.value(key)
            .and_then(Value::as_str)
            .filter(|text| text.len() <= TEXT_MAX)
            .ok_or_else(|| {
                wrong(
                    key,
                    &format!("a text of at most {TEXT_MAX} letters is expected"),
                )
            })
    }

    fn name(&self, key: &'static str) -> Result<Name, Wrong> {
        self.text(key).map(name)
    }

    fn place(&self, key: &'static str) -> Result<usize, Wrong> {
        self.value(key)
            .and_then(Value::as_u64)
            .filter(|place| *place <= PLACE_MAX)
            .and_then(|place| usize::try_from(place).ok())
            .ok_or_else(|| wrong(key, &format!("a number from 0 to {PLACE_MAX} is expected")))
    }

    fn code(&self, key: &'static str) -> Result<char, Wrong> {
        single(self.text(key)?).ok_or_else(|| wrong(key, "the code of a subfield is expected"))
    }

    fn codes(&self, key: &'static str) -> Result<Vec<char>, Wrong> {
        self.value(key)
            .and_then(Value::as_array)
            .filter(|codes| codes.len() <= 100)
            .and_then(|codes| codes.iter().map(|code| single(code.as_str()?)).collect())
            .ok_or_else(|| wrong(key, "a list of the codes of subfields is expected"))
    }
}

/// The only character of a text.
pub(crate) fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}

fn name(written: &str) -> Name {
    Name {
        written: written.to_owned(),
        folded: folded(written),
    }
}

fn wrong(parameter: &'static str, problem: &str) -> Wrong {
    Wrong {
        parameter: Some(parameter),
        problem: problem.to_owned(),
    }
}
