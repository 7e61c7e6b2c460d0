//! The allowed pickup service points of a request: one statement and the versions, then cached rules,
//! policies and locations.

use std::collections::{BTreeSet, HashMap, HashSet};

use futures_util::try_join;
use octavo_library::{ItemStatus, PatronGroupId, RequestPolicyId, RequestType, ServicePointId};
use octavo_platform::trace;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Declined, Desk};
use crate::allowed_points::{
    Allowed, KINDS, Operation, Question, allowed_by, combine, kinds_for_status,
};
use crate::circulation_config::CirculationConfig;
use crate::refusal::{AroundRequests, Refusal};
use crate::rules::{CompiledRules, Criteria};
use crate::store::allowed_points::{AllowedPointFacts, ItemGroup, facts};
use crate::store::{policy, settings};

/// The service points by request type, in FOLIO's form.
///
/// # Errors
/// When a record of the query does not exist.
pub async fn allowed_service_points(
    desk: Desk<'_>,
    question: &Question,
) -> Result<Value, Declined> {
    let (database, tables) = (&desk.store.database, desk.tables());
    let (terms, found) = try_join!(
        policy::tenant_terms(database, tables),
        facts(database, tables, question),
    )?;
    refuse_unless_there(question, &found)?;
    let (config, rules) = try_join!(
        desk.cache.config(database, tables, &terms),
        desk.cache.rules(database, tables, &terms),
    )?;
    let places = places(&config, question.ecs_request_routing);
    if !question.use_stub_item && found.kinds.is_empty() {
        // A title without items: only holds, if the settings exempt them from the rules.
        if question.operation != Operation::Create || places.is_empty() {
            return Ok(json!({}));
        }
        let set = settings::settings(database, tables).await?;
        let titles = set.title_level_requests();
        let allowed = match titles.enabled && !titles.holds_follow_rules {
            true => vec![(RequestType::Hold, places)],
            false => Vec::new(),
        };
        return Ok(points_document(&allowed, &config));
    }
    let _deciding = trace::span("decide by the policies");
    let group = question.patron_group.or(found.patron_group);
    let group = group.ok_or(Refusal::CirculationRulesNotApplicable {
        reason: "Unable to apply circulation rules to a user with null value as patronGroupId",
    })?;
    let allowed = if question.use_stub_item {
        of_stub(&rules, &config, group, &places)?
    } else {
        let ignore_status = question.operation == Operation::Replace;
        of_items(&rules, &config, group, &found.kinds, ignore_status, &places)
    };
    Ok(points_document(&allowed, &config))
}

fn refuse_unless_there(question: &Question, found: &AllowedPointFacts) -> Result<(), Refusal> {
    let absent = |what, id: Option<String>| {
        let id = id.unwrap_or_else(|| "null".to_owned());
        Err(AroundRequests::Absent { what, id }.into())
    };
    if let Some(id) = question.instance.filter(|_| !found.instance) {
        return absent("Instance", Some(id.to_string()));
    }
    if let Some(id) = question.request.filter(|_| !found.request) {
        return absent("Request", Some(id.to_string()));
    }
    if question.patron_group.is_none() && !found.user {
        return absent("User", found.requester.clone());
    }
    if !found.of_title && !found.item_is_there {
        let id = found.item.clone().unwrap_or_else(|| "null".to_owned());
        return Err(AroundRequests::ItemAbsent { id }.into());
    }
    Ok(())
}

/// All pickup service points.
fn places(config: &CirculationConfig, ecs_request_routing: bool) -> BTreeSet<ServicePointId> {
    let is = |point: &Value, name: &str| point[name] == true;
    let points = config.service_points.iter();
    let points = points.filter(|(_, point)| match ecs_request_routing {
        true => is(point, "ecsRequestRouting"),
        false => is(point, "pickupLocation") && !is(point, "ecsRequestRouting"),
    });
    points.map(|(id, _)| *id).collect()
}

/// What the policies of some items allow together. A deleted policy allows nothing.
fn of_items(
    rules: &CompiledRules,
    config: &CirculationConfig,
    patron_group: PatronGroupId,
    kinds: &[ItemGroup],
    ignore_status: bool,
    places: &BTreeSet<ServicePointId>,
) -> Allowed {
    let mut statuses: HashMap<RequestPolicyId, HashSet<ItemStatus>> = HashMap::new();
    for kind in kinds {
        if let Some(criteria) = criteria(config, patron_group, kind) {
            let policy = rules.match_request_policy(&criteria).policy_id;
            let _ = statuses.entry(policy).or_default().insert(kind.status);
        }
    }
    let parts = statuses.iter().filter_map(|(policy, statuses)| {
        let policy = config.request_policies.get(policy)?;
        let of_statuses = statuses.iter().flat_map(|one| kinds_for_status(*one));
        let by_status: Vec<RequestType> = match ignore_status {
            true => KINDS.to_vec(),
            false => of_statuses.copied().collect(),
        };
        Some(allowed_by(policy, &by_status, places))
    });
    combine(parts)
}

/// The criteria of items for the rules; `None` if one is missing.
pub(super) fn criteria(
    config: &CirculationConfig,
    patron_group: PatronGroupId,
    kind: &ItemGroup,
) -> Option<Criteria> {
    let location = kind.location?;
    let place = config.locations.get(&location).map(|found| &found.place);
    Some(Criteria {
        patron_group,
        material_type: kind.material_type?,
        loan_type: kind.loan_type?,
        location,
        institution: place.and_then(|place| place.institution_id),
        campus: place.and_then(|place| place.campus_id),
        library: place.and_then(|place| place.library_id),
    })
}

/// What the policy for a group allows for an unknown item.
fn of_stub(
    rules: &CompiledRules,
    config: &CirculationConfig,
    patron_group: PatronGroupId,
    places: &BTreeSet<ServicePointId>,
) -> Result<Allowed, Refusal> {
    let nobodys = Uuid::new_v4();
    let id = rules
        .match_request_policy(&Criteria {
            patron_group,
            material_type: nobodys.into(),
            loan_type: nobodys.into(),
            location: nobodys.into(),
            institution: None,
            campus: None,
            library: None,
        })
        .policy_id;
    let policy = config.request_policies.get(&id);
    let policy = policy.ok_or(AroundRequests::PolicyAbsent { id: id.uuid() })?;
    Ok(allowed_by(policy, &KINDS, places))
}

fn points_document(allowed: &Allowed, config: &CirculationConfig) -> Value {
    let mut told = Map::new();
    for (kind, points) in allowed {
        let points = points.iter().filter_map(|id| {
            let point = config.service_points.get(id)?;
            let name = point["name"].as_str().unwrap_or_default();
            let mut shown = json!({"id": id, "name": name});
            if let Some(public) = point["discoveryDisplayName"].as_str() {
                shown["discoveryDisplayName"] = json!(public);
            }
            Some((name, shown))
        });
        let mut points: Vec<(&str, Value)> = points.collect();
        points.sort_by_key(|(name, _)| *name);
        let points = points.into_iter().map(|(_, shown)| shown).collect();
        told.insert(kind.name().to_owned(), Value::Array(points));
    }
    Value::Object(told)
}
