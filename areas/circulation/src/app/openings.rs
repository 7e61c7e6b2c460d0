//! The opening days that an act of circulation goes by.

use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Desk;
use crate::due_date::Openings;
use crate::store::policy::TenantTerms;

impl Desk<'_> {
    /// The opening days of a service point, from the calendars of the version that the terms were
    /// read with.
    ///
    /// # Errors
    /// When the calendars have changed and the database does not answer.
    pub async fn openings(
        &self,
        executor: &impl Executor,
        terms: &TenantTerms,
        service_point: Option<Uuid>,
    ) -> Result<Openings, StoreError> {
        let Some(service_point) = service_point else {
            return Ok(Openings::NoCalendar);
        };
        let version = terms.calendars_version.as_deref();
        let book = &self.rules.calendars;
        let calendars = book.calendars(executor, self.tables(), version).await?;
        Ok(match calendars.of(service_point) {
            Some(point) => Openings::Point(point.clone()),
            None => Openings::NoCalendar,
        })
    }
}
