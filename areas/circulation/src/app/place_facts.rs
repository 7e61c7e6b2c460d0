//! Reads the facts for placing a request in two round trips, three if an item of a title has to be
//! chosen. Lock order: title, then item, then their queues are read.

use std::collections::HashSet;
use std::sync::Arc;

use futures_util::try_join;
use octavo_library::{DatedStatus, InstanceId, ItemId, LocationId, Patron, RequestLevel};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::Value;

use super::automated_blocks::automated_blocks;
use super::{Declined, Desk};
use crate::circulation_config::CirculationConfig;
use crate::facts::{Item, rule_criteria};
use crate::placing::{Choice, Copy, Form, ItemLoan, PlaceFacts, PlaceRequest, Unfit, choose};
use crate::refusal::Refusal;
use crate::request_policy::RequestPolicy;
use crate::rules::CompiledRules;
use crate::settings::TitleLevelRequests;
use crate::store::item::{HeldItem, ItemKey, hold};
use crate::store::loan::{HeldLoan, LoanAtHand};
use crate::store::open_loan;
use crate::store::placing::{self, CopyRow, People, PlacingQuestion, Waiting};
use crate::store::policy::{TenantTerms, tenant_terms};

/// The facts, with the documents to change.
pub(super) struct Read {
    pub(super) request: PlaceRequest,
    pub(super) form: Form,
    pub(super) facts: PlaceFacts,
    pub(super) people: People,
    pub(super) instance: Option<Value>,
    pub(super) item: Option<HeldItem>,
    pub(super) loan: Option<LoanAtHand>,
    pub(super) terms: TenantTerms,
    pub(super) config: Arc<CirculationConfig>,
}

/// Reads all facts.
pub(super) async fn gather(
    desk: Desk<'_>,
    transaction: &Transaction,
    request: &PlaceRequest,
    permissions: &HashSet<String>,
) -> Result<Read, Declined> {
    let tables = desk.tables();
    let request = completed(desk, transaction, request).await?;
    let instance_id = request.id("instanceId");
    let of_item = if request.is_for_title() {
        None
    } else {
        request.id("itemId")
    };
    let (requester_id, proxy_id) = (request.id("requesterId"), request.id("proxyUserId"));
    // Pipelined in the order of locks: title, item, requester.
    let (instance, item, people, terms) = try_join!(
        placing::hold_title(transaction, tables, instance_id),
        held(desk, transaction, of_item),
        placing::people(transaction, tables, requester_id, proxy_id),
        tenant_terms(transaction, tables),
    )?;
    let rules = desk.rules(transaction, &terms).await?;
    let config = desk.config(transaction, &terms).await?;
    let titles = config.titles;
    let form = Form::of(&request, titles.enabled).map_err(unfit)?;
    let of_title = instance_id.filter(|_| form.level == RequestLevel::Title);
    let asked = PlacingQuestion {
        requester: requester_id,
        instance: instance_id,
        item: of_item,
    };
    // Only after the locks: the ends of the queues must include requests of earlier lock holders.
    let (waiting, loan, borrower, rows, blocks) = try_join!(
        placing::waiting(transaction, tables, asked),
        open_loan(desk, transaction, of_item),
        borrower(desk, transaction, of_item),
        placing::copies(transaction, tables, of_title),
        automated_blocks(desk, transaction, &config, people.requester.as_ref()),
    )?;
    let policies = Policies {
        rules: &rules,
        config: &config,
        requester: people.requester.as_ref(),
    };
    let copies = rows.iter().map(|row| policies.copy(row, instance_id));
    let copies = copies.collect();
    let pickup = request.id("pickupServicePointId");
    let facts = PlaceFacts {
        titles,
        instance_exists: instance.is_some(),
        requester: people.requester.clone(),
        proxy_relationships: people.relationships.clone(),
        manual_blocks: people.manual_blocks.clone(),
        automated_blocks: blocks
            .into_iter()
            .filter(|block| block.block_requests)
            .map(|block| block.message)
            .collect(),
        pickup_location: pickup.and_then(|point| config.pickup_location(point)),
        item: None,
        loan: None,
        title_loan: waiting.title_loan,
        last_position: last_position(&waiting, titles),
        own: waiting.own,
        policy: None,
        copies,
        nothing_to_recall: false,
        zone: terms.zone.clone(),
        operator_permissions: permissions.clone(),
    };
    let mut read = Read {
        request,
        form,
        facts,
        people,
        instance,
        item,
        loan: at_hand_of(loan, borrower),
        terms,
        config,
    };
    if of_title.is_some() {
        read.choose(desk, transaction).await?;
    }
    if let (Some(loan), Some(item)) = (&mut read.loan, &read.item) {
        loan.item = Some(item.clone());
    }
    read.facts.loan = read.loan.as_ref().map(|at_hand| ItemLoan {
        id: at_hand.loan.loan.id,
        user_id: at_hand.loan.loan.user_id,
    });
    read.facts.item = read.item.as_ref().map(|held| held.item.clone());
    let requester = read.people.requester.as_ref();
    let asked = read.facts.item.as_ref().zip(requester);
    let asked = asked.filter(|(_, requester)| requester.patron_group.is_some());
    if let Some((item, requester)) = asked {
        read.facts.policy = policy_of(&rules, &read.config, item, requester)?;
    }
    Ok(read)
}

impl Read {
    /// Chooses an item of the title, and locks it. If it was taken concurrently, the choice is repeated.
    async fn choose(&mut self, desk: Desk<'_>, transaction: &Transaction) -> Result<(), Declined> {
        let (request, config) = (&self.request, &self.config);
        if !self.facts.instance_exists || self.people.requester.is_none() {
            return Ok(());
        }
        let point = request.id("pickupServicePointId").unwrap_or_default();
        let near: Vec<_> = config
            .locations
            .iter()
            .filter(|(_, location)| location.place.service_point_ids.contains(&point))
            .map(|(id, location)| (*id, &location.place))
            .collect();
        let code = request.text("itemLocationCode");
        let at = |id: LocationId| code.is_some_and(|code| config.is_at(id, code));
        let at: &dyn Fn(LocationId) -> bool = &at;
        let instance = request.text("instanceId").unwrap_or_default();
        let copies = &self.facts.copies;
        let choice = choose(request.kind(), instance, copies, &near, code.zip(Some(at)))?;
        let id = match choice {
            Choice::Item(id) => id,
            Choice::Any => return Ok(()),
            Choice::NothingToRecall => {
                self.facts.nothing_to_recall = true;
                return Ok(());
            }
        };
        let (item, loan, borrower) = try_join!(
            held(desk, transaction, Some(id)),
            open_loan(desk, transaction, Some(id)),
            borrower(desk, transaction, Some(id)),
        )?;
        let before = copies.iter().find(|copy| copy.item.id == id);
        let before = before.map(|copy| copy.item.status.name);
        let now = item.as_ref().map(|held| held.item.status.name);
        // The item was chosen before it was locked: if its status changed meanwhile, choose again.
        if before != now {
            return Err(StoreError::Contended.into());
        }
        self.loan = at_hand_of(loan, borrower);
        self.item = item;
        Ok(())
    }
}

fn unfit(unfit: Unfit) -> Declined {
    match unfit {
        Unfit::Malformed(message) => Declined::Malformed { message },
        Unfit::Refused(refusal) => refusal.into(),
    }
}

/// The last place in the queue that a request enters: that of the title where there are requests for
/// titles, else that of its item.
pub(super) fn last_position(waiting: &Waiting, titles: TitleLevelRequests) -> u32 {
    if titles.enabled {
        waiting.last_of_title
    } else {
        waiting.last_of_item
    }
}

/// The request, with holdings and title of its item if the client has not sent them.
async fn completed(
    desk: Desk<'_>,
    transaction: &Transaction,
    request: &PlaceRequest,
) -> Result<PlaceRequest, StoreError> {
    if !request.names_item_alone() {
        return Ok(request.clone());
    }
    let found = match request.id("itemId") {
        Some(item) => placing::holdings_and_title(transaction, desk.tables(), item).await?,
        None => None,
    };
    let (holdings, title) = found.unzip();
    Ok(request.completed(holdings, title))
}

pub(super) async fn held(
    desk: Desk<'_>,
    transaction: &Transaction,
    item: Option<ItemId>,
) -> Result<Option<HeldItem>, StoreError> {
    match item {
        Some(id) => hold(transaction, desk.tables(), ItemKey::Id(id)).await,
        None => Ok(None),
    }
}

pub(super) async fn open_loan(
    desk: Desk<'_>,
    transaction: &Transaction,
    item: Option<ItemId>,
) -> Result<Option<HeldLoan>, StoreError> {
    match item {
        Some(id) => open_loan::open_loan(transaction, desk.tables(), ItemKey::Id(id)).await,
        None => Ok(None),
    }
}

/// The borrower of the open loan of an item.
pub(super) async fn borrower(
    desk: Desk<'_>,
    transaction: &Transaction,
    item: Option<ItemId>,
) -> Result<Option<Patron>, StoreError> {
    match item {
        Some(id) => open_loan::borrower(transaction, desk.tables(), ItemKey::Id(id)).await,
        None => Ok(None),
    }
}

pub(super) fn at_hand_of(loan: Option<HeldLoan>, patron: Option<Patron>) -> Option<LoanAtHand> {
    let item = None;
    loan.map(|loan| LoanAtHand { loan, item, patron })
}

/// The request policy that the rules name for an item and a requester.
pub(super) fn policy_of(
    rules: &CompiledRules,
    config: &CirculationConfig,
    item: &Item,
    requester: &Patron,
) -> Result<Option<RequestPolicy>, Refusal> {
    let matched = rules.match_request_policy(&rule_criteria(item, requester)?);
    let policy = config.request_policies.get(&matched.policy_id);
    let missing = Refusal::CirculationRulesNotApplicable {
        reason: "Request policy could not be found, please check circulation rules",
    };
    policy.cloned().map(Some).ok_or(missing)
}

/// The input for the policies of a title's items.
struct Policies<'a> {
    rules: &'a CompiledRules,
    config: &'a CirculationConfig,
    requester: Option<&'a Patron>,
}

impl Policies<'_> {
    fn copy(&self, row: &CopyRow, instance: Option<InstanceId>) -> Copy {
        let place = row
            .location_id
            .and_then(|id| self.config.locations.get(&id));
        let item = Item {
            id: row.id,
            barcode: None,
            status: DatedStatus {
                name: row.status,
                date: None,
            },
            material_type_id: row.material_type_id,
            material_type_name: None,
            loan_type_id: row.loan_type_id,
            effective_location_id: row.location_id,
            place: place.map(|location| location.place.clone()),
            holdings_record_id: row.holdings_record_id,
            instance_id: instance.unwrap_or_default(),
            title: None,
        };
        // An item that lacks a criterion of the rules allows nothing.
        let policy = self.requester.and_then(|requester| {
            let policy = policy_of(self.rules, self.config, &item, requester);
            policy.ok().flatten()
        });
        Copy {
            item,
            policy,
            loan: row.loan,
            recalls: row.recalls,
        }
    }
}
