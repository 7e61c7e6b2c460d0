//! What an act of circulation takes from the [`Books`](crate::config_cache::Books): rules, house and opening
//! days, of the versions that the tenant's terms were read with.

use std::sync::Arc;

use octavo_library::ServicePointId;
use octavo_records::{Executor, StoreError};

use super::Desk;
use crate::circulation_config::CirculationConfig;
use crate::due_date::Openings;
use crate::facts::{Item, QueuedRequest, group_criteria};
use crate::rules::CompiledRules;
use crate::store::item_loan_and_queue::{self, Standing};
use crate::store::policy::TenantTerms;

impl Desk<'_> {
    /// The compiled rules.
    ///
    /// # Errors
    /// When the tenant has none, or they have changed and the database does not answer.
    pub async fn rules(
        &self,
        executor: &dyn Executor,
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
        executor: &dyn Executor,
        terms: &TenantTerms,
    ) -> Result<Arc<CirculationConfig>, StoreError> {
        self.books.house(executor, self.tables(), terms).await
    }

    /// What stands on an item that is held. Of those who wait for any item of its title the rules
    /// say who may have this one.
    ///
    /// # Errors
    /// When the database does not answer, or requests wait for the title and there are no rules.
    pub async fn standing(
        &self,
        executor: &dyn Executor,
        terms: &TenantTerms,
        house: &CirculationConfig,
        item: &Item,
    ) -> Result<Standing, StoreError> {
        let titles = house.titles.enabled;
        let standing = item_loan_and_queue::of_item(executor, self.tables(), item, titles).await?;
        self.ask_rules(executor, terms, house, item, standing).await
    }

    /// What was read to stand on an item that is held, as [`Desk::standing`] gives it.
    ///
    /// # Errors
    /// As there.
    pub async fn standing_read(
        &self,
        executor: &dyn Executor,
        terms: &TenantTerms,
        house: &CirculationConfig,
        item: &Item,
        read: Standing,
    ) -> Result<Standing, StoreError> {
        let standing = read.of(item.id, house.titles.enabled);
        self.ask_rules(executor, terms, house, item, standing).await
    }

    async fn ask_rules(
        &self,
        executor: &dyn Executor,
        terms: &TenantTerms,
        house: &CirculationConfig,
        item: &Item,
        mut standing: Standing,
    ) -> Result<Standing, StoreError> {
        let queue = &mut standing.queue.queue;
        if queue.has_requests_of_title() {
            let rules = self.rules(executor, terms).await?;
            queue.ask_rules(|request| may_have(&rules, house, item, request));
        }
        Ok(standing)
    }

    /// The opening days of a service point.
    ///
    /// # Errors
    /// When the calendars have changed and the database does not answer.
    pub async fn openings(
        &self,
        executor: &dyn Executor,
        terms: &TenantTerms,
        service_point: Option<ServicePointId>,
    ) -> Result<Openings, StoreError> {
        let Some(service_point) = service_point else {
            return Ok(Openings::NoCalendar);
        };
        let calendars = self.books.calendars(executor, self.tables(), terms).await?;
        Ok(match calendars.of(service_point.uuid()) {
            Some(point) => Openings::Point(point.clone()),
            None => Openings::NoCalendar,
        })
    }
}

/// Whether who asks for a title may have this item of it: the request policy takes such requests, and
/// the loan policy lends it. What the rules cannot be asked about is for nobody.
fn may_have(
    rules: &CompiledRules,
    house: &CirculationConfig,
    item: &Item,
    request: &QueuedRequest,
) -> bool {
    let Ok(criteria) = group_criteria(item, request.patron_group) else {
        return false;
    };
    let requests = rules.match_request_policy(&criteria).policy_id;
    let loans = rules.match_loan_policy(&criteria).policy_id;
    let requests = house.request_policies.get(&requests);
    let loans = house.loan_policies.get(&loans);
    requests.is_some_and(|policy| policy.allows(request.request_type))
        && loans.is_some_and(|policy| policy.loanable)
}
