//! Access to the cache for operations: rules, configuration and opening days of the versions that the
//! tenant's terms were read with.

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
    /// When the tenant has none.
    pub async fn rules(
        &self,
        executor: &dyn Executor,
        terms: &TenantTerms,
    ) -> Result<Arc<CompiledRules>, StoreError> {
        self.cache.rules(executor, self.tables(), terms).await
    }

    /// The tenant's circulation configuration.
    pub async fn config(
        &self,
        executor: &dyn Executor,
        terms: &TenantTerms,
    ) -> Result<Arc<CirculationConfig>, StoreError> {
        self.cache.config(executor, self.tables(), terms).await
    }

    /// Open loan and queue of a locked item. For title level requests the rules decide who may have this
    /// item.
    ///
    /// # Errors
    /// When requests wait for the title and there are no rules.
    pub async fn standing(
        &self,
        executor: &dyn Executor,
        terms: &TenantTerms,
        config: &CirculationConfig,
        item: &Item,
    ) -> Result<Standing, StoreError> {
        let titles = config.titles.enabled;
        let standing = item_loan_and_queue::of_item(executor, self.tables(), item, titles).await?;
        self.ask_rules(executor, terms, config, item, standing)
            .await
    }

    /// What was read to stand on an item that is held, as [`Desk::standing`] gives it.
    ///
    /// # Errors
    /// As there.
    pub async fn standing_read(
        &self,
        executor: &dyn Executor,
        terms: &TenantTerms,
        config: &CirculationConfig,
        item: &Item,
        read: Standing,
    ) -> Result<Standing, StoreError> {
        let standing = read.of(item.id, config.titles.enabled);
        self.ask_rules(executor, terms, config, item, standing)
            .await
    }

    async fn ask_rules(
        &self,
        executor: &dyn Executor,
        terms: &TenantTerms,
        config: &CirculationConfig,
        item: &Item,
        mut standing: Standing,
    ) -> Result<Standing, StoreError> {
        let queue = &mut standing.queue.queue;
        if queue.has_requests_of_title() {
            let rules = self.rules(executor, terms).await?;
            queue.ask_rules(|request| may_have(&rules, config, item, request));
        }
        Ok(standing)
    }

    /// The opening days of a service point.
    pub async fn openings(
        &self,
        executor: &dyn Executor,
        terms: &TenantTerms,
        service_point: Option<ServicePointId>,
    ) -> Result<Openings, StoreError> {
        let Some(service_point) = service_point else {
            return Ok(Openings::NoCalendar);
        };
        let calendars = self.cache.calendars(executor, self.tables(), terms).await?;
        Ok(match calendars.of(service_point.uuid()) {
            Some(point) => Openings::Point(point.clone()),
            None => Openings::NoCalendar,
        })
    }
}

/// Whether a title level requester may have this item: the request policy must allow the request, and
/// the loan policy the loan. False when the rules lack a criterion.
fn may_have(
    rules: &CompiledRules,
    config: &CirculationConfig,
    item: &Item,
    request: &QueuedRequest,
) -> bool {
    let Ok(criteria) = group_criteria(item, request.patron_group) else {
        return false;
    };
    let requests = rules.match_request_policy(&criteria).policy_id;
    let loans = rules.match_loan_policy(&criteria).policy_id;
    let requests = config.request_policies.get(&requests);
    let loans = config.loan_policies.get(&loans);
    requests.is_some_and(|policy| policy.allows(request.request_type))
        && loans.is_some_and(|policy| policy.loanable)
}
