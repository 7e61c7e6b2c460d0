//! Functions applied to values before they are written to fields.

use jiff::Timestamp;
use serde_json::Value;

use super::references::{Entry, List, References};

/// A function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Function {
    /// Nothing.
    Keep,
    /// The name of the list's record with this id.
    Name(List),
    /// A property of the location of this id, or of the library, campus or institution it is in.
    Location(Option<List>, LocationProperty),
    /// The first or second half of a format's name, `audio -- audio disc`.
    Format(usize),
    /// Values of the identifiers of the type with this name; the path leads to the identifiers.
    Identifier(String),
    /// The same for names of contributors.
    Contributor(String),
    /// The same for other titles.
    AlternativeTitle(String),
    /// The location of holdings, unless a temporary one takes its place.
    PermanentLocation,
    /// Field 005.
    TransactionTime,
    /// Field 008.
    FixedLength,
    /// A date in the form of FOLIO's profiles.
    MetadataTime,
}

/// A property of a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LocationProperty {
    Name,
    Code,
}

impl Function {
    /// The function of this name in the table of default rules.
    pub(super) fn named(name: &str, argument: &str) -> Option<Function> {
        Some(match name {
            "" => Function::Keep,
            "identifier" => Function::Identifier(argument.to_owned()),
            "contributor" => Function::Contributor(argument.to_owned()),
            "alternative-title" => Function::AlternativeTitle(argument.to_owned()),
            "format" => Function::Format(argument.parse().ok()?),
            "instance-type" => Function::Name(List::InstanceTypes),
            "nature-of-content" => Function::Name(List::NatureOfContentTerms),
            "location" => Function::Location(None, LocationProperty::Name),
            "permanent-location" => Function::PermanentLocation,
            "loan-type" => Function::Name(List::LoanTypes),
            "material-type" => Function::Name(List::MaterialTypes),
            "transaction-time" => Function::TransactionTime,
            "fixed-length" => Function::FixedLength,
            _ => return None,
        })
    }

    /// FOLIO's function for the field of this id in a mapping profile.
    pub(super) fn of_field(field_id: &str) -> Function {
        let parts: Vec<&str> = field_id.split('.').collect();
        let place = |kind: &str| parts.get(1) == Some(&kind);
        if place("permanentlocation") || place("temporarylocation") || place("effectivelocation") {
            let last_part = match parts.last() {
                Some(&"code") => LocationProperty::Code,
                _ => LocationProperty::Name,
            };
            let within = match parts.get(2) {
                Some(&"library") => Some(List::Libraries),
                Some(&"campus") => Some(List::Campuses),
                Some(&"institution") => Some(List::Institutions),
                _ => None,
            };
            return Function::Location(within, last_part);
        }
        for (word, function) in [
            ("materialtypeid", Function::Name(List::MaterialTypes)),
            ("permanentloantypeid", Function::Name(List::LoanTypes)),
            ("instancetypeid", Function::Name(List::InstanceTypes)),
            ("callnumbertype", Function::Name(List::CallNumberTypes)),
            ("modeofissuanceid", Function::Name(List::ModesOfIssuance)),
            ("metadata.updateddate", Function::MetadataTime),
            ("metadata.createddate", Function::MetadataTime),
        ] {
            if field_id.contains(word) {
                return function;
            }
        }
        Function::Keep
    }

    /// The property of the elements that the path leads to which holds the type, the list of types,
    /// the type's name, and the property that is the value.
    pub(super) fn typed(&self) -> Option<(&'static str, List, &str, &'static str)> {
        match self {
            Function::Identifier(name) => {
                Some(("identifierTypeId", List::IdentifierTypes, name, "value"))
            }
            Function::Contributor(name) => Some((
                "contributorNameTypeId",
                List::ContributorNameTypes,
                name,
                "name",
            )),
            Function::AlternativeTitle(name) => Some((
                "alternativeTitleTypeId",
                List::AlternativeTitleTypes,
                name,
                "alternativeTitle",
            )),
            _ => None,
        }
    }

    /// Applies the function to a value found in `owner`.
    pub(super) fn apply(
        &self,
        value: &str,
        owner: &Value,
        references: &References,
    ) -> Option<String> {
        match self {
            Function::Keep
            | Function::Identifier(_)
            | Function::Contributor(_)
            | Function::AlternativeTitle(_) => Some(value.to_owned()),
            Function::Name(list) => references.name(*list, value).map(str::to_owned),
            Function::Location(within, last_part) => {
                let location = references.get(List::Locations, value)?;
                let place = match within {
                    None => location,
                    Some(list) => references.get(*list, containing(location, *list)?)?,
                };
                match last_part {
                    LocationProperty::Name => Some(place.name.clone()),
                    LocationProperty::Code => place.code.clone(),
                }
            }
            Function::Format(half) => {
                let name = references.name(List::InstanceFormats, value)?;
                name.split("--")
                    .nth(*half)
                    .map(|half| half.trim().to_owned())
            }
            Function::PermanentLocation => {
                let temporary = owner["temporaryLocationId"].as_str().unwrap_or_default();
                match temporary {
                    "" => references.name(List::Locations, value).map(str::to_owned),
                    _ => None,
                }
            }
            Function::TransactionTime => time(value, "%Y%m%d%H%M%S.0"),
            Function::FixedLength => Some(fixed_length(value, owner)),
            Function::MetadataTime => time(value, "%Y-%m-%d:%H-%M-%S"),
        }
    }
}

fn containing(location: &Entry, list: List) -> Option<&str> {
    match list {
        List::Libraries => location.library_id.as_deref(),
        List::Campuses => location.campus_id.as_deref(),
        List::Institutions => location.institution_id.as_deref(),
        _ => None,
    }
}

fn time(value: &str, form: &str) -> Option<String> {
    let at: Timestamp = value.parse().ok()?;
    Some(at.strftime(form).to_string())
}

/// Field 008 of an instance that was made at this time: dates and language if known, fill characters
/// otherwise.
fn fixed_length(created: &str, instance: &Value) -> String {
    let entered = time(created, "%y%m%d").unwrap_or_else(|| "||||||".to_owned());
    let dates = instance["publication"].as_array();
    let dates: Vec<&str> = dates
        .into_iter()
        .flatten()
        .map(|publication| {
            publication["dateOfPublication"]
                .as_str()
                .unwrap_or_default()
        })
        .collect();
    let year = |at: usize| match dates.get(at) {
        Some(date) if date.chars().count() == 4 => *date,
        _ => "||||",
    };
    let languages = instance["languages"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let language = match languages {
        [] => "und",
        [only] => match only.as_str() {
            Some(code) if code.len() == 3 => code,
            _ => "und",
        },
        _ => "mul",
    };
    format!(
        "{entered}|{}{}||||||||       |||||{language}||",
        year(0),
        year(1)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fixed_fields_are_forty_characters() {
        let created = "2026-03-04T15:06:07.000+00:00";
        let check = |instance: Value, expected: &str| {
            let field = fixed_length(created, &instance);
            assert_eq!(field.len(), 40);
            assert_eq!(field, expected);
        };
        check(json!({}), "260304|||||||||||||||||       |||||und||");
        check(
            json!({"publication": [{"dateOfPublication": "1999"}, {"dateOfPublication": "2001"}],
                "languages": ["eng"]}),
            "260304|19992001||||||||       |||||eng||",
        );
        check(
            json!({"publication": [{"dateOfPublication": "c1999"}], "languages": ["eng", "ger"]}),
            "260304|||||||||||||||||       |||||mul||",
        );
        let time = Function::TransactionTime.apply(created, &json!({}), &References::default());
        assert_eq!(time.as_deref(), Some("20260304150607.0"));
    }

    #[test]
    fn fields_of_profiles_name_what_is_behind_ids() {
        let of = Function::of_field;
        assert_eq!(
            of("holdings.permanentlocation.code"),
            Function::Location(None, LocationProperty::Code)
        );
        assert_eq!(
            of("item.effectivelocation.campus.name"),
            Function::Location(Some(List::Campuses), LocationProperty::Name)
        );
        assert_eq!(
            of("item.materialtypeid"),
            Function::Name(List::MaterialTypes)
        );
        assert_eq!(
            of("holdings.callnumbertype"),
            Function::Name(List::CallNumberTypes)
        );
        assert_eq!(of("holdings.callnumber"), Function::Keep);
        assert_eq!(of("item.metadata.createddate"), Function::MetadataTime);
    }
}
