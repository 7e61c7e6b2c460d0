//! What a match profile looks for: the values of an incoming record, and whether those of an existing
//! one fit.

use octavo_marc::{Field, Record};
use serde_json::Value;

/// One match detail.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detail<'a>(pub &'a Value);

/// Values that are looked for at most.
pub(crate) const VALUES_MAX: usize = 100;

/// Where in a MARC record a value stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub tag: String,
    /// Nothing for any.
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

/// What of a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    Digits,
    Alphanumerics,
}

impl Part {
    fn of(qualifier: &Value) -> Part {
        match qualifier["comparisonPart"].as_str() {
            Some("NUMERICS_ONLY") => Part::Digits,
            Some("ALPHANUMERICS_ONLY") => Part::Alphanumerics,
            _ => Part::Whole,
        }
    }
}

impl<'a> Detail<'a> {
    /// The kind of record that is looked for.
    pub(crate) fn existing_type(&self) -> &'a str {
        self.0["existingRecordType"].as_str().unwrap_or_default()
    }

    /// The expression of one side.
    fn side(&self, name: &str) -> &'a Value {
        &self.0[name]
    }

    /// How values are compared.
    pub(crate) fn criterion(&self) -> Option<Criterion> {
        Some(
            match self.0["matchCriterion"]
                .as_str()
                .unwrap_or("EXACTLY_MATCHES")
            {
                "EXACTLY_MATCHES" => Criterion::Exactly,
                "EXISTING_VALUE_CONTAINS_INCOMING_VALUE" => Criterion::ExistingContains,
                "EXISTING_VALUE_BEGINS_WITH_INCOMING_VALUE" => Criterion::ExistingBegins,
                "EXISTING_VALUE_ENDS_WITH_INCOMING_VALUE" => Criterion::ExistingEnds,
                "INCOMING_VALUE_CONTAINS_EXISTING_VALUE" => Criterion::IncomingContains,
                "INCOMING_VALUE_BEGINS_WITH_EXISTING_VALUE" => Criterion::IncomingBegins,
                "INCOMING_VALUE_ENDS_WITH_EXISTING_VALUE" => Criterion::IncomingEnds,
                _ => return None,
            },
        )
    }

    /// The values that are looked for; `today` in ISO notation.
    pub(crate) fn incoming(&self, record: &Record, today: &str) -> Vec<String> {
        let side = self.side("incomingMatchExpression");
        if side["dataValueType"] == "STATIC_VALUE" {
            let details = &side["staticValueDetails"];
            let named = match details["staticValueType"].as_str() {
                Some("NUMBER") => &details["number"],
                Some("EXACT_DATE") => &details["exactDate"],
                Some("DATE_RANGE") => &details["fromDate"],
                _ => &details["text"],
            };
            let text = named
                .as_str()
                .map_or_else(|| named.to_string(), str::to_owned);
            let text = if text == "###TODAY###" {
                today.to_owned()
            } else {
                text
            };
            return if named.is_null() || text.is_empty() {
                Vec::new()
            } else {
                vec![text]
            };
        }
        let Some(place) = place(side) else {
            return Vec::new();
        };
        let mut values = values(record, &place);
        values.retain(|value| is_qualified(value, &side["qualifier"]));
        let mut compared: Vec<String> = values
            .iter()
            .map(|value| part(value, &side["qualifier"]))
            .collect();
        compared.retain(|value| !value.is_empty());
        compared.dedup();
        compared.truncate(VALUES_MAX);
        compared
    }

    /// Where the existing record has what is compared, when it is MARC.
    pub(crate) fn existing_place(&self) -> Option<Place> {
        place(self.side("existingMatchExpression"))
    }

    /// The property that is compared, `hrid`, and the type of the identifier that it is in.
    pub(crate) fn existing_property(&self) -> Option<(&'a str, Option<&'a str>)> {
        let fields = self.side("existingMatchExpression")["fields"].as_array()?;
        let path = fields.first()?["value"].as_str()?;
        let property = path.split_once('.').map_or(path, |(_, property)| property);
        let kind = fields.get(1).and_then(|field| field["value"].as_str());
        Some((property, kind))
    }

    /// Whether only a part of the existing value is compared.
    pub(crate) fn compares_part(&self) -> bool {
        let part = &self.side("existingMatchExpression")["qualifier"]["comparisonPart"];
        part.as_str().is_some_and(|part| !part.is_empty())
    }

    /// What of the existing value is compared.
    pub(crate) fn existing_part(&self) -> Part {
        Part::of(&self.side("existingMatchExpression")["qualifier"])
    }

    /// Whether an existing record with these values is one that is looked for.
    pub(crate) fn fits(&self, existing: &[String], incoming: &[String]) -> bool {
        let Some(criterion) = self.criterion() else {
            return false;
        };
        let qualifier = &self.side("existingMatchExpression")["qualifier"];
        existing
            .iter()
            .filter(|value| is_qualified(value, qualifier))
            .map(|value| part(value, qualifier))
            .any(|value| {
                incoming
                    .iter()
                    .any(|wanted| compare(criterion, &value, wanted))
            })
    }
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

fn place(side: &Value) -> Option<Place> {
    let fields = side["fields"].as_array()?;
    let of = |label: &str| {
        let mut found = fields.iter().filter(|field| field["label"] == label);
        found
            .find_map(|field| field["value"].as_str())
            .unwrap_or_default()
    };
    let tag = of("field");
    let is_tag = tag.len() == 3 && tag.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let indicator = |text: &str| match text.chars().next() {
        Some('*') => None,
        Some('\\') | None => Some(' '),
        Some(other) => Some(other),
    };
    is_tag.then(|| Place {
        tag: tag.to_owned(),
        indicators: [indicator(of("indicator1")), indicator(of("indicator2"))],
        code: of("recordSubfield").chars().next(),
    })
}

/// The values at a place.
pub(crate) fn values(record: &Record, place: &Place) -> Vec<String> {
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

fn part(value: &str, qualifier: &Value) -> String {
    match Part::of(qualifier) {
        Part::Digits => value.chars().filter(char::is_ascii_digit).collect(),
        Part::Alphanumerics => value.chars().filter(char::is_ascii_alphanumeric).collect(),
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
        assert_eq!(detail.incoming(&record, ""), ["00123"]);
        let found = |value: &str| detail.fits(&[value.to_owned()], &["00123".to_owned()]);
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
            let fitted = Detail(&detail).fits(&[existing.to_owned()], &[incoming.to_owned()]);
            assert_eq!(fitted, fits, "{criterion} {existing} {incoming}");
        }
    }

    #[test]
    fn static_values_are_looked_for_as_they_are() {
        let detail = json!({"incomingMatchExpression": {"dataValueType": "STATIC_VALUE",
            "staticValueDetails": {"staticValueType": "TEXT", "text": "in1"}}});
        assert_eq!(Detail(&detail).incoming(&Record::default(), ""), ["in1"]);
    }
}
