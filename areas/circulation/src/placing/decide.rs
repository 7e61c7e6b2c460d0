//! The checks of placing a request, in FOLIO's order. Everything that can be checked is checked; a check
//! whose facts were not found is skipped, since that is reported already.

use jiff::Timestamp;
use octavo_library::{
    DatedStatus, FulfillmentPreference, ItemStatus, Patron, RequestLevel, RequestType,
    ServicePointId,
};

use super::allowed::allows;
use super::choice::pageable;
use super::facts::PlaceFacts;
use super::form::Form;
use super::request::PlaceRequest;
use crate::facts::Item;
use crate::refusal::{LoanRefusal, OverridableBlock, PlacingRefusal, Refusal};
use crate::request_policy::RequestPolicy;

/// The changes of placing a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacePlan {
    /// Hold, recall or page.
    pub kind: RequestType,
    /// Its position in the queue; none for a closed request.
    pub position: Option<u32>,
    /// The item's new status.
    pub item_status: Option<DatedStatus>,
    /// Whether the item's loan is recalled.
    pub recalls: bool,
    /// Whether blocks of the patron were overridden.
    pub overridden: bool,
}

/// Decides on a request that is placed at `now`.
///
/// # Errors
/// All refusals, in FOLIO's order.
pub fn decide(
    request: &PlaceRequest,
    form: &Form,
    facts: &PlaceFacts,
    now: Timestamp,
) -> Result<PlacePlan, Vec<Refusal>> {
    let check = Check {
        request,
        form,
        facts,
        now,
    };
    let mut refusals: Vec<Refusal> = Vec::new();
    let mut refuse = |refusal: Refusal| {
        if !refusals.contains(&refusal) {
            refusals.push(refusal);
        }
    };
    let names = check.names();
    names.iter().cloned().for_each(|one| refuse(one.into()));
    if facts.nothing_to_recall {
        refuse(PlacingRefusal::NothingToRecall.into());
    }
    check.proxy().into_iter().for_each(&mut refuse);
    check
        .pickup()
        .into_iter()
        .for_each(|one| refuse(one.into()));
    check.people().into_iter().for_each(&mut refuse);
    let known = !names.iter().any(PlacingRefusal::is_about_names);
    if known {
        check.item().into_iter().for_each(|one| refuse(one.into()));
        check
            .policy()
            .into_iter()
            .for_each(|one| refuse(one.into()));
        check
            .page_instead()
            .into_iter()
            .for_each(|one| refuse(one.into()));
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let Some(kind) = request.kind() else {
        return Err(vec![PlacingRefusal::TypeNotAllowed { kind: "" }.into()]);
    };
    let paged = kind == RequestType::Page;
    let item = facts.item.as_ref();
    let fetched =
        item.filter(|item| paged && form.status.is_open() && item.is(ItemStatus::Available));
    Ok(PlacePlan {
        kind,
        position: form.status.is_open().then_some(facts.last_position + 1),
        item_status: fetched.map(|item| item.change_status(ItemStatus::Paged, now)),
        recalls: kind == RequestType::Recall && facts.loan.is_some(),
        overridden: request.overrides_patron_block(),
    })
}

struct Check<'a> {
    request: &'a PlaceRequest,
    form: &'a Form,
    facts: &'a PlaceFacts,
    now: Timestamp,
}

impl Check<'_> {
    fn is_for_title(&self) -> bool {
        self.form.level == RequestLevel::Title
    }

    /// Checks that the referenced records exist.
    fn names(&self) -> Vec<PlacingRefusal> {
        let (request, facts) = (self.request, self.facts);
        let given = |name: &str| request.given(name);
        let filled = |name: &str| request.filled(name).is_some();
        let mut refusals = Vec::new();
        let named = filled("instanceId");
        if !named {
            let given = given("instanceId");
            refusals.push(PlacingRefusal::WithoutInstance { given });
        }
        let (item, holdings) = (filled("itemId"), filled("holdingsRecordId"));
        if self.is_for_title() && (item || holdings) {
            if item && !holdings {
                let given = given("holdingsRecordId");
                refusals.push(PlacingRefusal::WithoutHoldings { given });
            } else {
                refusals.push(PlacingRefusal::TitleWithItem {
                    item_id: given("itemId"),
                    holdings_record_id: given("holdingsRecordId"),
                });
            }
        }
        if !self.is_for_title() && !item {
            let given = given("itemId");
            refusals.push(PlacingRefusal::WithoutItem { given });
        } else if !self.is_for_title() && !holdings {
            let given = given("holdingsRecordId");
            refusals.push(PlacingRefusal::WithoutHoldings { given });
        }
        if request.instant("requestDate").is_none() {
            refusals.push(PlacingRefusal::WithoutDate);
        }
        if let (true, false, Some(id)) = (named, facts.instance_exists, given("instanceId")) {
            refusals.push(PlacingRefusal::InstanceNotFound { id });
        }
        refusals
    }

    fn proxy(&self) -> Option<Refusal> {
        let proxy_user_id = self.request.id("proxyUserId")?;
        if self.request.id("requesterId") == Some(proxy_user_id) {
            return Some(Refusal::ProxyForThemselves { proxy_user_id });
        }
        let mut relations = self.facts.proxy_relationships.iter();
        let valid = relations.any(|relation| relation.is_active(self.now));
        (!valid).then(|| LoanRefusal::ProxyNotValid { proxy_user_id }.into())
    }

    fn pickup(&self) -> Option<PlacingRefusal> {
        let Some(id) = self.request.given("pickupServicePointId") else {
            let shelved = self.form.fulfillment == FulfillmentPreference::HoldShelf;
            let request_id = self.request.given("id");
            return shelved.then_some(PlacingRefusal::WithoutPickupPoint { request_id });
        };
        match self.facts.pickup_location {
            None => Some(PlacingRefusal::PickupPointNotFound { id }),
            Some(false) => Some(PlacingRefusal::NoPickupLocation { id }),
            Some(true) => None,
        }
    }

    fn people(&self) -> Vec<Refusal> {
        let (request, facts) = (self.request, self.facts);
        let mut refusals = Vec::new();
        refusals.extend(without_group(facts.requester.as_ref(), request).map(Refusal::from));
        let inactive =
            |patron: &&Patron| patron.active != Some(true) || !patron.is_current(self.now);
        if facts.requester.as_ref().is_some_and(|one| inactive(&one)) {
            let refusal = PlacingRefusal::RequesterInactive {
                requester_id: request.given("requesterId"),
                item_id: self.item_id(),
            };
            refusals.push(refusal.into());
        }
        refusals.extend(self.already_requested().map(Refusal::from));
        refusals.extend(self.blocks());
        refusals
    }

    /// The item as refusals name it: the one that was given, or chosen.
    fn item_id(&self) -> Option<String> {
        let chosen = self.facts.item.as_ref().map(|item| item.id.to_string());
        self.request.given("itemId").or(chosen)
    }

    fn already_requested(&self) -> Option<PlacingRefusal> {
        let (request, facts) = (self.request, self.facts);
        let (item, instance) = (request.id("itemId"), request.id("instanceId"));
        let titles = facts.titles.enabled;
        let other = facts.own.iter().find(|own| {
            let of_title = titles && own.instance_id == instance;
            own.counts()
                && match (self.is_for_title(), own.level) {
                    (true, _) | (false, RequestLevel::Title) => of_title,
                    (false, RequestLevel::Item) => item.is_some() && own.item_id == item,
                }
        })?;
        let requester_id = request.given("requesterId");
        let instance_id = request.given("instanceId");
        Some(match (self.is_for_title(), other.level) {
            (true, RequestLevel::Title) => PlacingRefusal::TitleRequested {
                requester_id,
                instance_id,
            },
            (true, RequestLevel::Item) => PlacingRefusal::ItemOfTitleRequested {
                requester_id,
                instance_id,
            },
            (false, _) => PlacingRefusal::ItemRequested {
                item_id: request.given("itemId"),
                requester_id,
                request_id: request.given("id"),
            },
        })
    }

    /// Automated blocks, then manual ones; or what their override lacks.
    fn blocks(&self) -> Vec<Refusal> {
        let facts = self.facts;
        let block = OverridableBlock::Patron;
        let missing_permissions = block.missing_permissions(&facts.operator_permissions);
        if self.request.overrides_patron_block() {
            let lacking = (!missing_permissions.is_empty()).then_some(
                Refusal::InsufficientOverridePermissions {
                    block,
                    missing_permissions,
                },
            );
            return lacking.into_iter().collect();
        }
        let automated = facts.automated_blocks.iter();
        let mut refusals: Vec<Refusal> = automated
            .map(|message| Refusal::PatronBlockedAutomatically {
                message: message.clone(),
                missing_permissions: missing_permissions.clone(),
            })
            .collect();
        let mut manual = facts.manual_blocks.iter();
        if manual.any(|block| block.forbids_requesting(self.now)) {
            // FOLIO reports the reasons of all the patron's blocks once one of them applies.
            let reasons = facts.manual_blocks.iter();
            let reasons: Vec<&str> = reasons
                .map(|block| block.desc.as_deref().unwrap_or("null"))
                .collect();
            let refusal = PlacingRefusal::BlockedManually {
                reason: reasons.join(";"),
                missing_permissions,
            };
            refusals.push(refusal.into());
        }
        refusals
    }

    fn item(&self) -> Vec<PlacingRefusal> {
        let (request, facts) = (self.request, self.facts);
        let user_id = request.given("requesterId").unwrap_or_default();
        let mut refusals = Vec::new();
        if self.is_for_title() {
            let named = ["itemId", "holdingsRecordId"];
            let names_item = named.iter().any(|name| request.filled(name).is_some());
            if let Some(item_id) = facts.title_loan.filter(|_| !names_item) {
                let item_id = item_id.to_string();
                refusals.push(PlacingRefusal::ItemOfTitleOnLoan { item_id, user_id });
            }
            return refusals;
        }
        match &facts.item {
            None => {
                let id = request.given("itemId").unwrap_or_default();
                refusals.push(PlacingRefusal::ItemNotFound { id });
            }
            Some(item) => refusals.extend(status_forbids(request.kind(), item)),
        }
        let loan = facts
            .loan
            .filter(|loan| loan.user_id.is_some() && loan.user_id == request.id("requesterId"));
        if let (Some(loan), Some(item_id)) = (loan, request.given("itemId")) {
            refusals.push(PlacingRefusal::ItemOnLoan {
                item_id,
                user_id,
                loan_id: loan.id.to_string(),
            });
        }
        refusals
    }

    fn policy(&self) -> Option<PlacingRefusal> {
        let (request, facts) = (self.request, self.facts);
        let requester = facts.requester.as_ref()?;
        requester.patron_group?;
        let kind = request.kind();
        if self.is_for_title() && kind == Some(RequestType::Hold) {
            let mut policies = facts.copies.iter().filter_map(|copy| copy.policy.as_ref());
            let possible = policies.any(|policy| policy.allows(RequestType::Hold));
            let refused = facts.titles.holds_follow_rules && !possible;
            return refused.then(|| PlacingRefusal::HoldOfTitleNotAllowed {
                requester_id: request.given("requesterId").unwrap_or_default(),
                instance_id: request.given("instanceId").unwrap_or_default(),
            });
        }
        facts.item.as_ref()?;
        let point = request.given("pickupServicePointId");
        policy_forbids(facts.policy.as_ref(), kind, self.form.fulfillment, point)
    }

    /// If an item could be paged, holds and recalls are refused.
    fn page_instead(&self) -> Option<PlacingRefusal> {
        let waiting = matches!(
            self.request.kind(),
            Some(RequestType::Hold | RequestType::Recall)
        );
        if !self.is_for_title() || !waiting {
            return None;
        }
        let copy = pageable(&self.facts.copies).next()?;
        Some(PlacingRefusal::PageableItemFound {
            item_id: copy.item.id.to_string(),
            instance_id: self.request.given("instanceId").unwrap_or_default(),
        })
    }
}

/// There is no requester, or one without a group.
pub(super) fn without_group(
    requester: Option<&Patron>,
    request: &PlaceRequest,
) -> Option<PlacingRefusal> {
    match requester {
        None => Some(PlacingRefusal::RequesterNotFound {
            id: request.given("requesterId"),
        }),
        Some(patron) if patron.patron_group.is_none() => Some(PlacingRefusal::WithoutPatronGroup),
        Some(_) => None,
    }
}

/// The item's status prevents the request.
pub(super) fn status_forbids(kind: Option<RequestType>, item: &Item) -> Option<PlacingRefusal> {
    let allowed = kind.is_some_and(|kind| allows(kind, item.status.name));
    (!allowed).then(|| not_allowed(kind))
}

/// The policy prevents the request.
pub(super) fn policy_forbids(
    policy: Option<&RequestPolicy>,
    kind: Option<RequestType>,
    fulfillment: FulfillmentPreference,
    pickup: Option<String>,
) -> Option<PlacingRefusal> {
    let allowed = policy
        .zip(kind)
        .filter(|(policy, kind)| policy.allows(*kind));
    let Some((policy, kind)) = allowed else {
        return Some(not_allowed(kind));
    };
    let service_point_id = pickup.filter(|_| fulfillment == FulfillmentPreference::HoldShelf)?;
    let point = ServicePointId::parse(&service_point_id).unwrap_or_default();
    let allowed = policy.allows_pickup_at(kind, point);
    (!allowed).then(|| PlacingRefusal::PickupPointNotAllowed {
        service_point_id,
        kind: kind.name(),
        policy_id: policy.id.to_string(),
    })
}

fn not_allowed(kind: Option<RequestType>) -> PlacingRefusal {
    let kind = kind.map_or("", RequestType::name);
    PlacingRefusal::TypeNotAllowed { kind }
}
