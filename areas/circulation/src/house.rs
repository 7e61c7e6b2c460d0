//! What a library sets up once and every act of circulation asks: places, service points, types,
//! groups, policies. Kept in memory by version, so that a desk need not read it each time.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use crate::due_date::HoldShelf;
use crate::facts::Place;
use crate::loan_policy::{FixedDueDateSchedule, LoanPolicy};

/// The house of one tenant, of one version.
#[derive(Debug, Clone, Default)]
pub struct House {
    /// Locations.
    pub locations: HashMap<Uuid, Location>,
    /// Service points, as stored.
    pub service_points: HashMap<Uuid, Value>,
    /// Names of libraries, campuses, institutions, material types, loan types and lost item fee
    /// policies.
    pub names: HashMap<Uuid, String>,
    /// Patron groups, as stored.
    pub groups: HashMap<Uuid, Value>,
    /// Loan policies.
    pub loan_policies: HashMap<Uuid, LoanPolicy>,
    /// Fixed due date schedules.
    pub schedules: HashMap<Uuid, FixedDueDateSchedule>,
    /// Overdue fine policies, as stored.
    pub overdue_policies: HashMap<Uuid, Value>,
    /// The groups whose patrons some limit can block.
    pub limited_groups: HashSet<Uuid>,
}

/// A location.
#[derive(Debug, Clone, Default)]
pub struct Location {
    /// What circulation decides by.
    pub place: Place,
    /// Its name.
    pub name: Option<String>,
    /// Its name for the public.
    pub discovery_display_name: Option<String>,
}

impl House {
    /// The name of something, if it has one.
    #[must_use]
    pub fn name(&self, id: Option<Uuid>) -> Option<&str> {
        self.names.get(&id?).map(String::as_str)
    }

    /// A loan policy and the schedule that it names.
    #[must_use]
    pub fn loan_policy(&self, id: Uuid) -> Option<(&LoanPolicy, Option<&FixedDueDateSchedule>)> {
        let policy = self.loan_policies.get(&id)?;
        let terms = policy.loans_policy.as_ref();
        let schedule = terms.and_then(|terms| terms.fixed_due_date_schedule_id);
        Some((policy, schedule.and_then(|id| self.schedules.get(&id))))
    }

    /// The name of a service point.
    #[must_use]
    pub fn point_name(&self, id: Uuid) -> Option<String> {
        let point = self.service_points.get(&id)?;
        point["name"].as_str().map(str::to_owned)
    }

    /// How long a service point keeps items for those who asked for them; as by default when there
    /// is none, or it cannot be read.
    #[must_use]
    pub fn hold_shelf(&self, service_point: Option<Uuid>) -> HoldShelf {
        let point = service_point.and_then(|id| self.service_points.get(&id));
        let shelf = point.map(HoldShelf::deserialize);
        shelf.and_then(Result::ok).unwrap_or_default()
    }

    /// Whether a limit can block a patron of this group.
    #[must_use]
    pub fn limits(&self, group: Option<Uuid>) -> bool {
        group.is_some_and(|group| self.limited_groups.contains(&group))
    }
}
