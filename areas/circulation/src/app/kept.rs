//! What an act of circulation takes from the [`Books`](crate::books::Books): rules, house and opening
//! days, of the versions that the tenant's terms were read with.

use std::sync::Arc;

use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Desk;
use crate::due_date::Openings;
use crate::house::House;
use crate::rules::CompiledRules;
use crate::store::policy::TenantTerms;

impl Desk<'_> {
    /// The compiled rules.
    ///
    /// # Errors
    /// When the tenant has none, or they have changed and the database does not answer.
    pub async fn rules(
        &self,
        executor: &impl Executor,
        terms: &TenantTerms,
    ) -> Result<Arc<CompiledRules>, StoreError> {
        self.books.rules(executor, self.tables(), terms).await
    }

    /// What the library sets up once.
    ///
    /// # Errors
    /// When it has changed and the database does not answer.
    pub async fn house(
        &self,
        executor: &impl Executor,
        terms: &TenantTerms,
    ) -> Result<Arc<House>, StoreError> {
        self.books.house(executor, self.tables(), terms).await
    }

    /// The opening days of a service point.
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
        let calendars = self.books.calendars(executor, self.tables(), terms).await?;
        Ok(match calendars.of(service_point) {
            Some(point) => Openings::Point(point.clone()),
            None => Openings::NoCalendar,
        })
    }
}
