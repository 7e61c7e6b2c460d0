//! Match details: the values of an incoming record, and comparison with those of an existing one.

use octavo_marc::{Field, Record};
use octavo_source_records::terms;
use serde_json::Value;

use super::mapping_profile::list_of;
use super::wanted::{MatchValue, day, static_value};

/// One match detail.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detail<'a>(pub &'a Value);

/// The compared part of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    Numerics,
    Alphanumerics,
}

/// Maximal number of values of a match.
pub(crate) const VALUES_MAX: usize = 100;

/// The path of a value in a MARC record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MarcPath {
    pub tag: String,
    /// `None` for any.
    pub indicators: [Option<char>; 2],
    pub code: Option<char>,
}

/// How values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Criterion {
    Exactly,
    ExistingContains,
    ExistingBegins,
    ExistingEnds,
    IncomingContains,
    IncomingBegins,
    IncomingEnds,
}

impl<'a> Detail<'a> {
    /// The detail of a match profile.
    ///
    /// # Errors
    /// When there is none, or several: FOLIO's clients make one.
    pub(crate) fn of(profile: &'a Value) -> Result<Detail<'a>, String> {
        match profile["matchDetails"].as_array().map(Vec::as_slice) {
            Some([only]) => Ok(Detail(only)),
            Some([_, ..]) => Err(invalid(
                "a match profile compares one thing; put a second profile below it for the next",
            )),
            _ => Err(invalid("there is none")),
        }
    }

    /// The type of the existing record.
    pub(crate) fn existing_type(&self) -> &'a str {
        self.0["existingRecordType"].as_str().unwrap_or_default()
    }

    /// The expression of one side.
    fn side(&self, name: &str) -> &'a Value {
        &self.0[name]
    }

    /// How values are compared.
    pub(crate) fn criterion(&self) -> Option<Criterion> {
        Some(match self.named_criterion() {
            "EXACTLY_MATCHES" => Criterion::Exactly,
            "EXISTING_VALUE_CONTAINS_INCOMING_VALUE" => Criterion::ExistingContains,
            "EXISTING_VALUE_BEGINS_WITH_INCOMING_VALUE" => Criterion::ExistingBegins,
            "EXISTING_VALUE_ENDS_WITH_INCOMING_VALUE" => Criterion::ExistingEnds,
            "INCOMING_VALUE_CONTAINS_EXISTING_VALUE" => Criterion::IncomingContains,
            "INCOMING_VALUE_BEGINS_WITH_EXISTING_VALUE" => Criterion::IncomingBegins,
            "INCOMING_VALUE_ENDS_WITH_EXISTING_VALUE" => Criterion::IncomingEnds,
            _ => return None,
        })
    }

    fn named_criterion(&self) -> &'a str {
        let named = self.0["matchCriterion"].as_str();
        named.unwrap_or("EXACTLY_MATCHES")
    }

    /// The wanted values; `today` in ISO notation. An unsupported detail is always refused, so that a
    /// record that cannot be searched for is not taken as missing.
    ///
    /// # Errors
    /// The unsupported part.
    pub(crate) fn wanted(&self, record: &Record, today: &str) -> Result<MatchValue, String> {
        if self.criterion().is_none() {
            let named = self.named_criterion();
            return Err(invalid(&format!("the criterion {named} is not known")));
        }
        let (incoming, existing) = (
            self.side("incomingMatchExpression"),
            self.side("existingMatchExpression"),
        );
        for side in [incoming, existing] {
            check_qualifier(&side["qualifier"])?;
        }
        if existing["dataValueType"] == "STATIC_VALUE" {
            let why = "what is there is compared by its own values";
            return Err(invalid(why));
        }
        if incoming["dataValueType"] == "STATIC_VALUE" {
            let wanted = static_value(&incoming["staticValueDetails"], today)?;
            let is_day = matches!(wanted, MatchValue::Days(..));
            return match self.criterion() {
                Some(Criterion::Exactly) => Ok(wanted),
                _ if is_day => Err(invalid("days are matched exactly")),
                _ => Ok(wanted),
            };
        }
        let place = place(incoming)?;
        let qualifier = &incoming["qualifier"];
        let mut compared: Vec<String> = values(record, &place)
            .iter()
            .filter(|value| is_qualified(value, qualifier))
            .map(|value| part(value, qualifier))
            .filter(|value| !value.is_empty())
            .collect();
        compared.dedup();
        compared.truncate(VALUES_MAX);
        Ok(MatchValue::Values(compared))
    }

    /// The path in an existing MARC record.
    pub(crate) fn existing_place(&self) -> Result<MarcPath, String> {
        place(self.side("existingMatchExpression"))
    }

    /// The compared property, `hrid`, and its identifier type.
    pub(crate) fn existing_property(&self) -> Option<(&'a str, Option<&'a str>)> {
        let fields = self.side("existingMatchExpression")["fields"].as_array()?;
        let path = fields.first()?["value"].as_str()?;
        let property = path.split_once('.').map_or(path, |(_, property)| property);
        let kind = fields.get(1).and_then(|field| field["value"].as_str());
        Some((property, kind))
    }

    /// The reference list of the property, if it has one.
    pub(crate) fn list(&self) -> Option<&'static str> {
        let (property, _) = self.existing_property()?;
        list_of(property.trim_end_matches("[]"))
    }

    /// The compared part of the existing value.
    pub(crate) fn existing_part(&self) -> Part {
        part_of(&self.side("existingMatchExpression")["qualifier"])
    }

    /// Whether an existing record with these values matches.
    pub(crate) fn fits(&self, existing: &[String], wanted: &MatchValue) -> bool {
        let Some(criterion) = self.criterion() else {
            return false;
        };
        let qualifier = &self.side("existingMatchExpression")["qualifier"];
        existing
            .iter()
            .filter(|value| is_qualified(value, qualifier))
            .map(|value| part(value, qualifier))
            .any(|value| match wanted {
                MatchValue::Values(values) => {
                    let mut values = values.iter();
                    values.any(|wanted| compare(criterion, &value, wanted))
                }
                MatchValue::Days(first, last) => {
                    day(&value).is_some_and(|day| (*first..=*last).contains(&day))
                }
            })
    }
}

pub(super) fn invalid(why: &str) -> String {
    format!("Match detail is invalid: {why}")
}

fn check_qualifier(qualifier: &Value) -> Result<(), String> {
    for (name, known) in [
        (
            "qualifierType",
            &["BEGINS_WITH", "ENDS_WITH", "CONTAINS"][..],
        ),
        (
            "comparisonPart",
            &["NUMERICS_ONLY", "ALPHANUMERICS_ONLY"][..],
        ),
    ] {
        let given = qualifier[name].as_str().filter(|text| !text.is_empty());
        if let Some(given) = given.filter(|given| !known.contains(given)) {
            return Err(invalid(&format!("the {name} {given} is not known")));
        }
    }
    Ok(())
}

fn compare(criterion: Criterion, existing: &str, incoming: &str) -> bool {
    if existing.is_empty() || incoming.is_empty() {
        return false;
    }
    match criterion {
        Criterion::Exactly => existing == incoming,
        Criterion::ExistingContains => existing.contains(incoming),
        Criterion::ExistingBegins => existing.starts_with(incoming),
        Criterion::ExistingEnds => existing.ends_with(incoming),
        Criterion::IncomingContains => incoming.contains(existing),
        Criterion::IncomingBegins => incoming.starts_with(existing),
        Criterion::IncomingEnds => incoming.ends_with(existing),
    }
}

fn place(side: &Value) -> Result<MarcPath, String> {
    let fields = side["fields"].as_array();
    let of = |label: &str| {
        let mut found = fields.into_iter().flatten();
        let found = found.find(|field| field["label"] == label);
        found
            .and_then(|field| field["value"].as_str())
            .unwrap_or_default()
    };
    let tag = of("field");
    if tag.len() != 3 || !tag.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(invalid(&format!("\"{tag}\" is no tag of MARC")));
    }
    let indicator = |text: &str| match text.chars().next() {
        Some('*') => None,
        Some('\\') | None => Some(' '),
        Some(other) => Some(other),
    };
    let code = of("recordSubfield").chars().next();
    if code.is_none() && !tag.starts_with("00") {
        let why = format!("it names no subfield of {tag}");
        return Err(invalid(&why));
    }
    Ok(MarcPath {
        tag: tag.to_owned(),
        indicators: [indicator(of("indicator1")), indicator(of("indicator2"))],
        code,
    })
}

pub(crate) fn values(record: &Record, place: &MarcPath) -> Vec<String> {
    let mut values = Vec::new();
    for field in &record.fields {
        if field.tag().as_str() != place.tag {
            continue;
        }
        match field {
            Field::Control(control) => values.push(control.value.clone()),
            Field::Data(data) => {
                let fits =
                    |at: usize| place.indicators[at].is_none_or(|one| one == data.indicators[at]);
                if let (true, true, Some(code)) = (fits(0), fits(1), place.code) {
                    values.extend(data.values(code).map(str::to_owned));
                }
            }
        }
    }
    values
}

fn is_qualified(value: &str, qualifier: &Value) -> bool {
    let wanted = qualifier["qualifierValue"].as_str().unwrap_or_default();
    match qualifier["qualifierType"].as_str() {
        Some("BEGINS_WITH") => value.starts_with(wanted),
        Some("ENDS_WITH") => value.ends_with(wanted),
        Some("CONTAINS") => value.contains(wanted),
        _ => true,
    }
}

fn part_of(qualifier: &Value) -> Part {
    match qualifier["comparisonPart"].as_str() {
        Some("NUMERICS_ONLY") => Part::Numerics,
        Some("ALPHANUMERICS_ONLY") => Part::Alphanumerics,
        _ => Part::Whole,
    }
}

fn part(value: &str, qualifier: &Value) -> String {
    match part_of(qualifier) {
        Part::Numerics => terms::only_digits(value),
        Part::Alphanumerics => terms::only_wordly(value),
        Part::Whole => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use octavo_marc::parse_text;
    use serde_json::json;

    use super::*;

    fn detail(incoming: Value, existing: Value, criterion: &str) -> Value {
        let fields = |tag: &str| {
            json!([{"label": "field", "value": tag}, {"label": "indicator1", "value": ""},
                   {"label": "indicator2", "value": ""}, {"label": "recordSubfield", "value": "a"}])
        };
        json!({
            "existingRecordType": "MARC_BIBLIOGRAPHIC", "matchCriterion": criterion,
            "incomingMatchExpression": {"dataValueType": "VALUE_FROM_RECORD", "fields": fields("035"),
                "qualifier": incoming},
            "existingMatchExpression": {"dataValueType": "VALUE_FROM_RECORD", "fields": fields("035"),
                "qualifier": existing},
        })
    }

    #[test]
    fn values_are_qualified_and_cut() {
        let record = parse_text("035   $a(OCoLC)00123\n035   $a(XX)9\n035 9 $a(OCoLC)7").unwrap();
        let qualifier = json!({"qualifierType": "BEGINS_WITH", "qualifierValue": "(OCoLC)",
            "comparisonPart": "NUMERICS_ONLY"});
        let detail = detail(qualifier.clone(), qualifier, "EXACTLY_MATCHES");
        let detail = Detail(&detail);
        let wanted = detail.wanted(&record, "").unwrap();
        assert_eq!(wanted, one("00123"));
        let found = |value: &str| detail.fits(&[value.to_owned()], &wanted);
        assert!(found("(OCoLC)00123") && !found("(XX)00123") && !found("(OCoLC)123"));
    }

    #[test]
    fn criteria_compare_as_they_say() {
        for (criterion, existing, incoming, fits) in [
            ("EXACTLY_MATCHES", "abc", "abc", true),
            ("EXACTLY_MATCHES", "abcd", "abc", false),
            (
                "EXISTING_VALUE_CONTAINS_INCOMING_VALUE",
                "xabcx",
                "abc",
                true,
            ),
            (
                "EXISTING_VALUE_BEGINS_WITH_INCOMING_VALUE",
                "abcx",
                "abc",
                true,
            ),
            (
                "EXISTING_VALUE_BEGINS_WITH_INCOMING_VALUE",
                "xabc",
                "abc",
                false,
            ),
            ("INCOMING_VALUE_ENDS_WITH_EXISTING_VALUE", "bc", "abc", true),
            ("EXISTING_VALUE_CONTAINS_INCOMING_VALUE", "abc", "", false),
            ("SOMETHING_ELSE", "abc", "abc", false),
        ] {
            let detail = detail(Value::Null, Value::Null, criterion);
            let fitted = Detail(&detail).fits(&[existing.to_owned()], &one(incoming));
            assert_eq!(fitted, fits, "{criterion} {existing} {incoming}");
        }
    }

    fn one(value: &str) -> MatchValue {
        MatchValue::Values(vec![value.to_owned()])
    }

    #[test]
    fn what_is_not_understood_is_refused_whatever_the_record_has() {
        let record = Record::default();
        let qualifier = |name: &str| json!({name: "SOMETHING"});
        for wrong in [
            detail(Value::Null, Value::Null, "SOMETHING"),
            detail(qualifier("qualifierType"), Value::Null, "EXACTLY_MATCHES"),
            detail(Value::Null, qualifier("comparisonPart"), "EXACTLY_MATCHES"),
            json!({"incomingMatchExpression": {"fields": [{"label": "field", "value": "24"}]}}),
            json!({"incomingMatchExpression": {"fields": [{"label": "field", "value": "245"}]}}),
        ] {
            let error = Detail(&wrong).wanted(&record, "").unwrap_err();
            assert!(error.starts_with("Match detail is invalid: "), "{error}");
        }
    }
}
