//! Rules for the service points and id of a location.

use std::collections::HashSet;

use serde_json::Value;
use uuid::Uuid;

/// The violated rules, in FOLIO's order: the property, and FOLIO's message. `id` is that of the location
/// it replaces.
#[must_use]
pub fn refusals(location: &Value, id: Option<Uuid>) -> Vec<(&'static str, &'static str)> {
    let mut refusals = Vec::new();
    let sent = location.get("id").and_then(Value::as_str);
    if let (Some(id), Some(sent)) = (id, sent)
        && Uuid::try_parse(sent).ok() != Some(id)
    {
        refusals.push(("id", "Illegal operation: id cannot be changed"));
    }
    let points = service_points(location);
    if points.is_empty() {
        refusals.push((
            "servicePointIds",
            "A location must have at least one Service Point assigned.",
        ));
    }
    let different: HashSet<Uuid> = points.iter().copied().collect();
    if different.len() < points.len() {
        refusals.push((
            "servicePointIds",
            "A Service Point can only appear once on a Location.",
        ));
    }
    if primary(location).is_none_or(|primary| !different.contains(&primary)) {
        refusals.push((
            "primaryServicePoint",
            "A Location's Primary Service point must be included as a Service Point.",
        ));
    }
    refusals
}

/// The service points of a checked location.
#[must_use]
pub fn service_points(location: &Value) -> Vec<Uuid> {
    let ids = location.get("servicePointIds").and_then(Value::as_array);
    ids.into_iter()
        .flatten()
        .filter_map(|id| Uuid::try_parse(id.as_str()?).ok())
        .collect()
}

fn primary(location: &Value) -> Option<Uuid> {
    Uuid::try_parse(location.get("primaryServicePoint")?.as_str()?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn service_points_are_there_once_and_the_primary_one_is_among_them() {
        let [a, b] = [1, 2].map(Uuid::from_u128);
        let keys = |location: Value, id: Option<Uuid>| -> Vec<&'static str> {
            let refusals = refusals(&location, id);
            refusals.into_iter().map(|(key, _)| key).collect()
        };
        let good = json!({"id": a, "primaryServicePoint": a, "servicePointIds": [b, a]});
        assert_eq!(keys(good.clone(), None), Vec::<&str>::new());
        assert_eq!(keys(good.clone(), Some(a)), Vec::<&str>::new());
        assert_eq!(keys(good, Some(b)), ["id"]);
        let none = json!({"primaryServicePoint": a});
        assert_eq!(keys(none, None), ["servicePointIds", "primaryServicePoint"]);
        let twice = json!({"primaryServicePoint": a, "servicePointIds": [a, b, a]});
        assert_eq!(keys(twice, None), ["servicePointIds"]);
        let other = json!({"primaryServicePoint": a, "servicePointIds": [b]});
        assert_eq!(keys(other, Some(a)), ["primaryServicePoint"]);
    }
}
