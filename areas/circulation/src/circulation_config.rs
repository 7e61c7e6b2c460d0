//! A tenant's circulation configuration: locations, service points, types, groups, policies. Cached by
//! version, so that operations at a desk need not read it each time.

use std::collections::{HashMap, HashSet};

use octavo_library::{
    InstanceId, ItemId, LoanPolicyId, LocationId, NoticePolicyId, OverdueFinePolicyId,
    PatronGroupId, Place, RequestPolicyId, ScheduleId, ServicePointId,
};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use crate::due_date::HoldShelf;
use crate::loan_policy::{FixedDueDateSchedule, LoanPolicy};
use crate::notice::{Event, NoticePolicy};
use crate::overdue_fine::OverdueFinePolicy;
use crate::queue_upkeep::{Queue, QueueOf};
use crate::reminder::RemindersPolicy;
use crate::renewal::RenewalTerms;
use crate::request_policy::RequestPolicy;
use crate::settings::{CheckOutLock, TitleLevelRequests};

/// The configuration of one tenant in one version.
#[derive(Debug, Clone, Default)]
pub struct CirculationConfig {
    pub locations: HashMap<LocationId, Location>,
    /// Service points, as stored.
    pub service_points: HashMap<ServicePointId, Value>,
    /// Names of libraries, campuses, institutions, material types, loan types and lost item fee
    /// policies.
    pub names: HashMap<Uuid, String>,
    /// Codes of libraries, campuses and institutions.
    pub codes: HashMap<Uuid, String>,
    /// Patron groups, as stored.
    pub groups: HashMap<PatronGroupId, Value>,
    pub loan_policies: HashMap<LoanPolicyId, LoanPolicy>,
    pub schedules: HashMap<ScheduleId, FixedDueDateSchedule>,
    pub request_policies: HashMap<RequestPolicyId, RequestPolicy>,
    /// Overdue fine policies, as stored.
    pub overdue_policies: HashMap<OverdueFinePolicyId, Value>,
    /// The reminders of those overdue fine policies that have some.
    pub reminders: HashMap<OverdueFinePolicyId, RemindersPolicy>,
    /// The fines of those overdue fine policies that charge something.
    pub fines: HashMap<OverdueFinePolicyId, OverdueFinePolicy>,
    /// The groups that have block limits.
    pub limited_groups: HashSet<PatronGroupId>,
    /// Title level requests: if enabled, queues are those of titles.
    pub titles: TitleLevelRequests,
    /// The check-out lock, if enabled.
    pub check_out_lock: Option<CheckOutLock>,
    /// Those patron notice policies that send something.
    pub notice_policies: HashMap<NoticePolicyId, NoticePolicy>,
}

#[derive(Debug, Clone, Default)]
pub struct Location {
    /// The location's facts for decisions.
    pub place: Place,
    pub name: Option<String>,
    pub code: Option<String>,
    /// Its name for the public.
    pub discovery_display_name: Option<String>,
}

impl CirculationConfig {
    /// The name of something, if it has one.
    #[must_use]
    pub fn name(&self, id: Option<impl Into<Uuid>>) -> Option<&str> {
        self.names.get(&id?.into()).map(String::as_str)
    }

    /// Whether a code is that of a location, or of the library, campus or institution that it
    /// belongs to.
    #[must_use]
    pub fn is_at(&self, location: LocationId, code: &str) -> bool {
        let Some(location) = self.locations.get(&location) else {
            return false;
        };
        let place = &location.place;
        let units = [
            place.library_id.map(Uuid::from),
            place.campus_id.map(Uuid::from),
            place.institution_id.map(Uuid::from),
        ];
        let mut units = units.iter().flatten().filter_map(|id| self.codes.get(id));
        location.code.as_deref() == Some(code) || units.any(|unit| unit == code)
    }

    /// A loan policy and the schedule that it names.
    #[must_use]
    pub fn loan_policy(
        &self,
        id: LoanPolicyId,
    ) -> Option<(&LoanPolicy, Option<&FixedDueDateSchedule>)> {
        let policy = self.loan_policies.get(&id)?;
        let terms = policy.loans_policy.as_ref();
        let schedule = terms.and_then(|terms| terms.fixed_due_date_schedule_id);
        Some((policy, schedule.and_then(|id| self.schedules.get(&id))))
    }

    /// A loan policy with the schedules of its loans and of its renewals.
    #[must_use]
    pub fn renewal_terms(&self, id: LoanPolicyId) -> Option<RenewalTerms> {
        let (policy, schedule) = self.loan_policy(id)?;
        let renewals = policy.renewals_policy.as_ref();
        let alternate = renewals.and_then(|terms| terms.alternate_fixed_due_date_schedule_id);
        Some(RenewalTerms {
            policy: policy.clone(),
            schedule: schedule.cloned(),
            alternate_schedule: alternate.and_then(|id| self.schedules.get(&id)).cloned(),
        })
    }

    /// Whether an overdue fine policy lets loans be renewed for which a reminder fee was billed.
    #[must_use]
    pub fn renews_with_reminders(&self, overdue_policy: Option<OverdueFinePolicyId>) -> bool {
        let policy = overdue_policy.and_then(|id| self.overdue_policies.get(&id));
        policy.is_some_and(|policy| {
            policy["reminderFeesPolicy"]["allowRenewalOfItemsWithReminderFees"] == true
        })
    }

    /// The reminders of an overdue fine policy; `None` if it has none.
    #[must_use]
    pub fn reminders(
        &self,
        overdue_policy: Option<OverdueFinePolicyId>,
    ) -> Option<&RemindersPolicy> {
        self.reminders.get(&overdue_policy?)
    }

    /// A patron notice policy; `None` if it sends nothing.
    #[must_use]
    pub fn notice_policy(&self, id: Option<NoticePolicyId>) -> Option<&NoticePolicy> {
        self.notice_policies.get(&id?)
    }

    /// Whether some policy sends notices for one of these events.
    #[must_use]
    pub fn sends_notices_for(&self, events: &[Event]) -> bool {
        let mut policies = self.notice_policies.values();
        policies.any(|policy| events.iter().any(|event| policy.sends_for(*event)))
    }

    #[must_use]
    pub fn point_name(&self, id: ServicePointId) -> Option<String> {
        let point = self.service_points.get(&id)?;
        point["name"].as_str().map(str::to_owned)
    }

    /// Whether a service point is a pickup location; `None` if it does not exist.
    #[must_use]
    pub fn pickup_location(&self, id: ServicePointId) -> Option<bool> {
        let point = self.service_points.get(&id)?;
        Some(point["pickupLocation"] == true)
    }

    /// The queue of a request for this item of this title.
    #[must_use]
    pub fn queue(&self, item: Option<ItemId>, title: Option<InstanceId>) -> Option<Queue> {
        match self.titles.enabled {
            true => title.map(|id| Queue {
                of: QueueOf::Title,
                id: id.uuid(),
            }),
            false => item.map(|id| Queue {
                of: QueueOf::Item,
                id: id.uuid(),
            }),
        }
    }

    /// The hold shelf period of a service point; the default when it is missing or invalid.
    #[must_use]
    pub fn hold_shelf(&self, service_point: Option<ServicePointId>) -> HoldShelf {
        let point = service_point.and_then(|id| self.service_points.get(&id));
        let shelf = point.map(HoldShelf::deserialize);
        shelf.and_then(Result::ok).unwrap_or_default()
    }

    /// How an item for use at the location is held: the period of the loan policy, and the closed
    /// library date management of the check-out's service point.
    #[must_use]
    pub fn keeping(
        &self,
        policy: Option<LoanPolicyId>,
        service_point: Option<ServicePointId>,
    ) -> HoldShelf {
        let policy = policy.and_then(|id| self.loan_policies.get(&id));
        let terms = policy.and_then(|policy| policy.loans_policy.as_ref());
        let terms = terms.filter(|terms| terms.for_use_at_location);
        HoldShelf {
            hold_shelf_expiry_period: terms
                .and_then(|terms| terms.hold_shelf_expiry_period_for_use_at_location.clone()),
            ..self.hold_shelf(service_point)
        }
    }

    /// Whether a limit can block a patron of this group.
    #[must_use]
    pub fn limits(&self, group: Option<PatronGroupId>) -> bool {
        group.is_some_and(|group| self.limited_groups.contains(&group))
    }
}

#[cfg(test)]
mod tests {
    use octavo_library::{CampusId, InstitutionId, LibraryId};
    use serde_json::json;

    use super::*;
    use crate::loan_policy::Period;

    const POLICY: LoanPolicyId = LoanPolicyId::from_u128(1);
    const OTHER: LoanPolicyId = LoanPolicyId::from_u128(2);
    const POINT: ServicePointId = ServicePointId::from_u128(3);

    fn house_of(policy: Value) -> CirculationConfig {
        let mut config = CirculationConfig::default();
        let policy = serde_json::from_value(policy).expect("a loan policy");
        config.loan_policies.insert(POLICY, policy);
        config
    }

    #[test]
    fn a_place_goes_by_the_codes_of_all_that_it_is_in() {
        let mut config = CirculationConfig::default();
        let id = LocationId::from_u128;
        let location = Location {
            code: Some("KU/CC/DI/A".to_owned()),
            place: Place {
                library_id: Some(LibraryId::from_u128(5)),
                campus_id: Some(CampusId::from_u128(6)),
                institution_id: Some(InstitutionId::from_u128(7)),
                ..Place::default()
            },
            ..Location::default()
        };
        config.locations.insert(id(4), location);
        for (unit, code) in [(5, "DI"), (6, "CC"), (7, "KU"), (8, "E")] {
            config.codes.insert(Uuid::from_u128(unit), code.to_owned());
        }
        for code in ["KU/CC/DI/A", "DI", "CC", "KU"] {
            assert!(config.is_at(id(4), code), "{code}");
        }
        for (location, code) in [(4, "E"), (4, "di"), (4, ""), (9, "KU")] {
            assert!(!config.is_at(id(location), code), "{location} {code}");
        }
    }

    #[test]
    fn a_renewal_has_the_schedules_that_its_policy_names() {
        let mut config = house_of(json!({"id": POLICY,
            "loansPolicy": {"fixedDueDateScheduleId": POLICY},
            "renewalsPolicy": {"alternateFixedDueDateScheduleId": OTHER}}));
        assert!(config.renewal_terms(OTHER).is_none());
        let terms = config.renewal_terms(POLICY).expect("terms");
        assert_eq!((terms.schedule, terms.alternate_schedule), (None, None));
        let schedule = |due| {
            let range = json!({"from": "2026-01-01", "to": "2026-06-30", "due": due});
            FixedDueDateSchedule::deserialize(json!({"schedules": [range]})).expect("a schedule")
        };
        let (first, second) = (schedule("2026-07-01"), schedule("2026-08-01"));
        config.schedules.insert(POLICY.uuid().into(), first.clone());
        config.schedules.insert(OTHER.uuid().into(), second.clone());
        let terms = config.renewal_terms(POLICY).expect("terms");
        assert_eq!(terms.schedule, Some(first));
        assert_eq!(terms.alternate_schedule, Some(second));
    }

    #[test]
    fn only_what_is_for_use_at_the_location_is_kept_for_a_time() {
        let policy = |here: bool| {
            json!({"id": POLICY, "loansPolicy": {"forUseAtLocation": here,
                "holdShelfExpiryPeriodForUseAtLocation": {"duration": 2, "intervalId": "Days"}}})
        };
        let management = "Keep_the_current_due_date_time";
        let point = json!({"holdShelfExpiryPeriod": {"duration": 9, "intervalId": "Weeks"},
            "holdShelfClosedLibraryDateManagement": management});
        let mut config = house_of(policy(true));
        config.service_points.insert(POINT, point.clone());
        let kept = config.keeping(Some(POLICY), Some(POINT));
        let days = Period {
            duration: Some(2),
            interval_id: Some("Days".to_owned()),
        };
        assert_eq!(kept.hold_shelf_expiry_period, Some(days.clone()));
        let by = kept.hold_shelf_closed_library_date_management;
        assert_eq!(by.as_deref(), Some(management));
        let kept = config.keeping(Some(POLICY), None);
        assert_eq!(kept.hold_shelf_expiry_period, Some(days));
        assert_eq!(kept.hold_shelf_closed_library_date_management, None);

        let mut config = house_of(policy(false));
        config.service_points.insert(POINT, point);
        for policy in [Some(POLICY), Some(OTHER), None] {
            let kept = config.keeping(policy, Some(POINT));
            assert_eq!(kept.hold_shelf_expiry_period, None, "{policy:?}");
        }
    }

    #[test]
    fn loans_with_reminders_are_renewed_where_the_fine_policy_says_so() {
        const POLICY: OverdueFinePolicyId = OverdueFinePolicyId::from_u128(1);
        const OTHER: OverdueFinePolicyId = OverdueFinePolicyId::from_u128(2);
        let mut config = CirculationConfig::default();
        let allowed = "allowRenewalOfItemsWithReminderFees";
        for (policy, expected) in [
            (json!({"reminderFeesPolicy": {allowed: true}}), true),
            (json!({"reminderFeesPolicy": {allowed: false}}), false),
            (json!({"name": "No reminders"}), false),
        ] {
            config.overdue_policies.insert(POLICY, policy);
            assert_eq!(config.renews_with_reminders(Some(POLICY)), expected);
        }
        assert!(!config.renews_with_reminders(Some(OTHER)));
        assert!(!config.renews_with_reminders(None));
    }
}
