//! Field selection of updates, if their profile names fields.

use octavo_marc::Record;
use serde_json::Value;

use super::modify::{Rule, insert};

/// The record to overlay on the current one: the incoming record, or only its fields that the profile
/// names, with the others from the current record.
///
/// # Errors
/// Unsupported details.
pub(crate) fn taken_over(
    current: &Record,
    came: &Record,
    profile: &Value,
) -> Result<Record, String> {
    let details = &profile["mappingDetails"];
    let named = details["marcMappingDetails"].as_array().map(Vec::as_slice);
    let named = match named {
        Some(named @ [_, ..]) if details["marcMappingOption"] == "UPDATE" => named,
        _ => return Ok(came.clone()),
    };
    let rules: Result<Vec<Rule<'_>>, String> =
        named.iter().map(|one| Rule::read(&one["field"])).collect();
    let rules = rules?;
    if !rules.iter().all(Rule::is_whole) {
        return Err(
            "an update takes over whole fields: choose the subfield * in its field mappings"
                .to_owned(),
        );
    }
    let mut taken = current.clone();
    let is_named = |field: &_| rules.iter().any(|rule| rule.is_of(field));
    taken.fields.retain(|field| !is_named(field));
    for field in came.fields.iter().filter(|field| is_named(field)) {
        insert(&mut taken, field.tag(), vec![field.clone()]);
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use octavo_marc::parse_text;
    use serde_json::json;

    use super::*;

    fn profile(subfield: &str) -> Value {
        json!({"mappingDetails": {"marcMappingOption": "UPDATE", "marcMappingDetails": [{"order": 0,
            "field": {"field": "500", "indicator1": "*", "indicator2": "*",
                "subfields": [{"subfield": subfield}]}}]}})
    }

    #[test]
    fn only_what_is_named_is_taken_over() {
        let current = parse_text("245 10$aOld\n500   $aOld\n650  0$aOld").unwrap();
        let came = parse_text("245 10$aNew\n500   $aOne\n500   $aTwo").unwrap();
        let fields = |profile: &Value| {
            let taken = taken_over(&current, &came, profile).unwrap().to_string();
            taken.split_once('\n').unwrap().1.to_owned()
        };
        assert_eq!(
            fields(&profile("*")),
            "245 10$aOld\n500   $aOne\n500   $aTwo\n650  0$aOld\n"
        );
        let all = json!({"mappingDetails": {"marcMappingOption": "UPDATE",
            "marcMappingDetails": []}});
        assert_eq!(fields(&all), "245 10$aNew\n500   $aOne\n500   $aTwo\n");
        assert!(taken_over(&current, &came, &profile("a")).is_err());
    }
}
