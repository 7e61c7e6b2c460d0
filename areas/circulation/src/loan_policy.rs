//! A loan policy and a fixed due date schedule as circulation reads them from their stored documents.
//! Reading is lenient: unknown properties are ignored, `null` counts as absent, and invalid values are
//! kept so that the loan is refused with FOLIO's message. Shapes validate what is stored.

use jiff::Timestamp;
use octavo_library::{LoanPolicyId, ScheduleId, wire_time};
use serde::{Deserialize, Deserializer};

/// A loan policy.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoanPolicy {
    pub id: LoanPolicyId,
    /// Its name, shown in refusals.
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    /// Whether items may be lent at all.
    #[serde(default, deserialize_with = "null_as_default")]
    pub loanable: bool,
    /// The terms of a loan; absent when not loanable.
    #[serde(default)]
    pub loans_policy: Option<LoansPolicy>,
    /// Whether loans may be renewed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub renewable: bool,
    /// The terms of renewal.
    #[serde(default)]
    pub renewals_policy: Option<RenewalsPolicy>,
    /// What waiting requests change.
    #[serde(default, deserialize_with = "null_as_default")]
    pub request_management: RequestManagement,
}

/// The terms of a loan.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoansPolicy {
    /// `Rolling` or `Fixed`, in any case of letters.
    pub profile_id: Option<String>,
    /// The length of a rolling loan.
    pub period: Option<Period>,
    /// What to do when the library is closed on the due date; see [`ClosedLibraryManagement`].
    pub closed_library_due_date_management_id: Option<String>,
    /// The grace period.
    pub grace_period: Option<Period>,
    /// How long after opening a moved loan is due.
    pub opening_time_offset: Option<Period>,
    /// The schedule that gives fixed due dates, or limits rolling ones.
    pub fixed_due_date_schedule_id: Option<ScheduleId>,
    /// How many loans of the same kind a patron may have.
    pub item_limit: Option<u32>,
    /// Items may be used at the location only.
    #[serde(default, deserialize_with = "null_as_default")]
    pub for_use_at_location: bool,
    /// How long an item for use at the location is held at the desk.
    pub hold_shelf_expiry_period_for_use_at_location: Option<Period>,
}

/// The terms of renewal.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenewalsPolicy {
    /// No limit to the number of renewals.
    #[serde(default, deserialize_with = "null_as_default")]
    pub unlimited: bool,
    /// The number of renewals; the schema allows any number, so it may come as `2.0`.
    pub number_allowed: Option<f64>,
    /// `SYSTEM_DATE` or `CURRENT_DUE_DATE`.
    pub renew_from_id: Option<String>,
    /// Whether `period` replaces the period of the loan.
    #[serde(default, deserialize_with = "null_as_default")]
    pub different_period: bool,
    /// The period of a renewal.
    pub period: Option<Period>,
    /// The schedule for renewals.
    pub alternate_fixed_due_date_schedule_id: Option<ScheduleId>,
}

/// What waiting requests change.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestManagement {
    /// When someone recalls the item.
    #[serde(default, deserialize_with = "null_as_default")]
    pub recalls: Recalls,
    /// When someone waits for the item.
    #[serde(default, deserialize_with = "null_as_default")]
    pub holds: AlternatePeriods,
    /// When someone asked for the item to be fetched.
    #[serde(default, deserialize_with = "null_as_default")]
    pub pages: AlternatePeriods,
}

/// What a recall does to the loan.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recalls {
    /// The grace period after a recall.
    pub alternate_grace_period: Option<Period>,
    /// The time every borrower gets.
    pub minimum_guaranteed_loan_period: Option<Period>,
    /// The time to bring the item back.
    pub recall_return_interval: Option<Period>,
    /// Whether a recall may move a due date to a later day.
    #[serde(default, deserialize_with = "null_as_default")]
    pub allow_recalls_to_extend_overdue_loans: bool,
    /// The time to bring an overdue item back.
    pub alternate_recall_return_interval: Option<Period>,
}

/// Periods that hold while a request waits.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AlternatePeriods {
    /// The length of a loan instead of the usual one.
    pub alternate_checkout_loan_period: Option<Period>,
    /// Whether loans may be renewed anyway.
    #[serde(default, deserialize_with = "null_as_default")]
    pub renew_items_with_request: bool,
    /// The length of a renewal instead of the usual one.
    pub alternate_renewal_loan_period: Option<Period>,
}

/// A stretch of time as stored; neither part is sure to be there or to make sense.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Period {
    /// How many units.
    pub duration: Option<i64>,
    /// The unit's name: `Months`, `Weeks`, `Days`, `Hours` or `Minutes`.
    pub interval_id: Option<String>,
}

/// The kind of policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// A period from the loan date.
    Rolling,
    /// The due date of a schedule.
    Fixed,
}

/// The closed library due date managements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClosedLibraryManagement {
    /// The end of the day.
    CurrentDueDate,
    /// The end of the last open day up to then.
    EndOfThePreviousOpenDay,
    /// The end of the first open day from then on.
    EndOfTheNextOpenDay,
    /// No change.
    CurrentDueDateTime,
    /// Closing time of the opening hours at the time of the loan.
    EndOfTheCurrentServicePointHours,
    /// The next opening time plus the policy's offset.
    BeginningOfTheNextOpenServicePointHours,
}

impl LoanPolicy {
    /// The profile, if it is one of the two there are.
    pub fn profile(&self) -> Option<Profile> {
        let name = self.loans_policy.as_ref()?.profile_id.as_deref()?;
        if name.eq_ignore_ascii_case("Rolling") {
            Some(Profile::Rolling)
        } else if name.eq_ignore_ascii_case("Fixed") {
            Some(Profile::Fixed)
        } else {
            None
        }
    }

    /// How many loans of the same kind a patron may have.
    pub fn item_limit(&self) -> Option<u32> {
        self.loans_policy.as_ref()?.item_limit
    }

    /// The closed-library management; In FOLIO an unknown or missing name means `CURRENT_DUE_DATE`, and
    /// a policy without terms `CURRENT_DUE_DATE_TIME`.
    pub fn closed_library_management(&self) -> ClosedLibraryManagement {
        use ClosedLibraryManagement as Management;
        let Some(loans_policy) = &self.loans_policy else {
            return Management::CurrentDueDateTime;
        };
        match loans_policy
            .closed_library_due_date_management_id
            .as_deref()
        {
            Some("END_OF_THE_PREVIOUS_OPEN_DAY") => Management::EndOfThePreviousOpenDay,
            Some("END_OF_THE_NEXT_OPEN_DAY") => Management::EndOfTheNextOpenDay,
            Some("CURRENT_DUE_DATE_TIME") => Management::CurrentDueDateTime,
            Some("END_OF_THE_CURRENT_SERVICE_POINT_HOURS") => {
                Management::EndOfTheCurrentServicePointHours
            }
            Some("BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS") => {
                Management::BeginningOfTheNextOpenServicePointHours
            }
            _ => Management::CurrentDueDate,
        }
    }
}

/// Due dates fixed in advance, for loans made within certain ranges of dates.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct FixedDueDateSchedule {
    /// The ranges; they do not overlap.
    #[serde(default, deserialize_with = "null_as_default")]
    pub schedules: Vec<ScheduleRange>,
}

/// One range of loan dates and the due date it gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct ScheduleRange {
    /// The exclusive beginning.
    #[serde(with = "wire_time")]
    pub from: Timestamp,
    /// The exclusive end.
    #[serde(with = "wire_time")]
    pub to: Timestamp,
    /// When loans made within the range are due.
    #[serde(with = "wire_time")]
    pub due: Timestamp,
}

impl FixedDueDateSchedule {
    /// The due date for a loan made at an instant. As in FOLIO both ends of a range are exclusive, and
    /// instants are compared in milliseconds.
    pub fn due_for(&self, loan_date: Timestamp) -> Option<Timestamp> {
        let made = loan_date.as_millisecond();
        self.schedules
            .iter()
            .find(|range| range.from.as_millisecond() < made && made < range.to.as_millisecond())
            .map(|range| range.due)
    }
}

fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn policy(document: serde_json::Value) -> LoanPolicy {
        serde_json::from_value(document).unwrap()
    }

    #[test]
    fn a_full_policy_is_read() {
        let read = policy(json!({
            "id": "d9cd0bed-1b49-4b5e-a7bd-064b8d177231",
            "name": "Two weeks",
            "loanable": true,
            "loansPolicy": {
                "profileId": "Rolling",
                "period": {"duration": 2, "intervalId": "Weeks"},
                "closedLibraryDueDateManagementId": "END_OF_THE_NEXT_OPEN_DAY",
                "gracePeriod": {"duration": 1, "intervalId": "Days"},
                "openingTimeOffset": {"duration": 30, "intervalId": "Minutes"},
                "fixedDueDateScheduleId": "a0000000-0000-4000-8000-000000000001",
                "itemLimit": 5
            },
            "renewable": true,
            "renewalsPolicy": {"unlimited": false, "numberAllowed": 3.0, "renewFromId": "SYSTEM_DATE"},
            "requestManagement": {
                "recalls": {"recallReturnInterval": {"duration": 3, "intervalId": "Days"}},
                "holds": {"alternateCheckoutLoanPeriod": {"duration": 4, "intervalId": "Days"}}
            },
            "metadata": {"createdDate": "2024-01-01"},
            "unheardOf": [1]
        }));
        assert_eq!(read.profile(), Some(Profile::Rolling));
        assert_eq!(read.item_limit(), Some(5));
        let management = ClosedLibraryManagement::EndOfTheNextOpenDay;
        assert_eq!(read.closed_library_management(), management);
        let terms = read.loans_policy.unwrap();
        let weeks = Period {
            duration: Some(2),
            interval_id: Some("Weeks".into()),
        };
        assert_eq!(terms.period, Some(weeks));
        assert_eq!(read.renewals_policy.unwrap().number_allowed, Some(3.0));
        let recalls = read.request_management.recalls;
        assert_eq!(recalls.recall_return_interval.unwrap().duration, Some(3));
        assert!(!recalls.allow_recalls_to_extend_overdue_loans);
    }

    #[test]
    fn nulls_and_gaps_are_read() {
        let read = policy(json!({
            "id": "d9cd0bed-1b49-4b5e-a7bd-064b8d177231",
            "name": null,
            "loanable": null,
            "loansPolicy": {"profileId": null, "period": {"duration": null}, "itemLimit": null},
            "requestManagement": null
        }));
        assert!(!read.loanable);
        assert_eq!(read.profile(), None);
        assert_eq!(read.item_limit(), None);
        assert_eq!(
            read.closed_library_management(),
            ClosedLibraryManagement::CurrentDueDate
        );
    }

    #[test]
    fn managements_go_by_name_and_default_to_the_current_due_date() {
        use ClosedLibraryManagement as Management;
        let table = [
            (json!("CURRENT_DUE_DATE"), Management::CurrentDueDate),
            (
                json!("CURRENT_DUE_DATE_TIME"),
                Management::CurrentDueDateTime,
            ),
            (
                json!("END_OF_THE_PREVIOUS_OPEN_DAY"),
                Management::EndOfThePreviousOpenDay,
            ),
            (
                json!("END_OF_THE_NEXT_OPEN_DAY"),
                Management::EndOfTheNextOpenDay,
            ),
            (
                json!("END_OF_THE_CURRENT_SERVICE_POINT_HOURS"),
                Management::EndOfTheCurrentServicePointHours,
            ),
            (
                json!("BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS"),
                Management::BeginningOfTheNextOpenServicePointHours,
            ),
            (json!("SOMETHING_ELSE"), Management::CurrentDueDate),
            (json!(null), Management::CurrentDueDate),
        ];
        for (name, expected) in table {
            let read = policy(json!({
                "id": "d9cd0bed-1b49-4b5e-a7bd-064b8d177231",
                "loansPolicy": {"closedLibraryDueDateManagementId": name}
            }));
            assert_eq!(read.closed_library_management(), expected, "{name}");
        }
        let without = policy(json!({"id": "d9cd0bed-1b49-4b5e-a7bd-064b8d177231"}));
        assert_eq!(
            without.closed_library_management(),
            Management::CurrentDueDateTime
        );
    }

    #[test]
    fn neither_end_of_a_range_belongs_to_it() {
        let schedule: FixedDueDateSchedule = serde_json::from_value(json!({
            "id": "a0000000-0000-4000-8000-000000000001",
            "name": "Term",
            "schedules": [
                {"from": "2024-01-01T00:00:00.000Z", "to": "2024-06-30T23:59:59.000Z",
                 "due": "2024-07-15T23:59:59.000Z"},
                {"from": "2024-07-01", "to": "2024-12-31T23:59:59.000+0000",
                 "due": "2025-01-15T23:59:59.000Z"}
            ]
        }))
        .unwrap();
        let table = [
            ("2024-01-01T00:00:00Z", None),
            (
                "2024-01-01T00:00:00.001Z",
                Some("2024-07-15T23:59:59.000+00:00"),
            ),
            (
                "2024-06-30T23:59:58.999Z",
                Some("2024-07-15T23:59:59.000+00:00"),
            ),
            ("2024-06-30T23:59:59Z", None),
            ("2024-07-01T00:00:00.0009Z", None),
            (
                "2024-07-02T00:00:00Z",
                Some("2025-01-15T23:59:59.000+00:00"),
            ),
            ("2025-01-01T00:00:00Z", None),
        ];
        for (date, expected) in table {
            let due = schedule
                .due_for(date.parse().unwrap())
                .map(wire_time::format);
            assert_eq!(due.as_deref(), expected, "{date}");
        }
    }
}
