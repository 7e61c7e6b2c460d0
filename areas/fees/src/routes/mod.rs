//! mod-feesfines and mod-patron-blocks with their generic routes.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, ReferenceData};

use crate::account_followers::Follower;
use crate::collections as own;
use crate::http;
use crate::shapes;

mod accounts;
mod patron_blocks;
mod records;
mod reports;

/// The modules of this area. `follower` is called for actions on accounts in their transactions; `more`
/// are mod-feesfines' interfaces about records of areas to the right.
#[must_use]
pub fn modules(follower: &Arc<dyn Follower>, more: Vec<Interface>) -> Vec<Module> {
    let fees = more
        .into_iter()
        .fold(mod_feesfines(follower), Module::interface);
    shapes::declared(vec![fees, mod_patron_blocks()])
}

fn mod_feesfines(follower: &Arc<dyn Follower>) -> Module {
    Module::new("mod-feesfines", "19.3.3")
        .reads(
            "groups holdings_record instance item loan loan_policy location patron_loan \
             service_point users",
        )
        .needs(include_str!("../needs/mod-feesfines.tsv"))
        .permissions(include_str!("../permissions/mod-feesfines.tsv"))
        .collection(own::owners())
        .collection(own::fee_fine_types())
        .collection(own::accounts())
        .collection(own::actions())
        .collection(own::manual_blocks())
        .collection(own::block_templates())
        .collection(own::overdue_fine_policies())
        .collection(own::lost_item_fee_policies())
        .collection(own::payments())
        .collection(own::waives())
        .collection(own::transfers())
        .collection(own::refunds())
        .collection(own::comments())
        .collection(own::transfer_criteria())
        .migration("patron_debt", include_str!("../migrations/patron_debt.sql"))
        .reference(
            ReferenceData::tsv("feefines", include_str!("../reference/feefines.tsv")).essential(),
        )
        .reference(ReferenceData::tsv(
            "overdue_fine_policy",
            include_str!("../reference/overdue_fine_policy.tsv"),
        ))
        .reference(ReferenceData::json(
            "lost_item_fee_policy",
            include_str!("../reference/lost_item_fee_policy.json"),
        ))
        .interface(accounts::extend(
            records::extend(feesfines(), follower),
            follower,
        ))
        .interface(reports::interface())
}

fn feesfines() -> Interface {
    const LISTS: [(&str, &str, &str); 7] = [
        ("/owners", "owners", "owners"),
        ("/payments", "payments", "payments"),
        ("/waives", "waives", "waives"),
        ("/refunds", "refunds", "refunds"),
        ("/transfers", "transfers", "transfers"),
        ("/comments", "comments", "comments"),
        (
            "/transfer-criterias",
            "transfer-criterias",
            "transfer_criteria",
        ),
    ];
    let interface = Interface::new("feesfines", "19.1");
    let lists = LISTS.into_iter();
    let interface = lists.fold(interface, |interface, (path, stem, table)| {
        records::plain(interface, path, stem, table)
    });
    interface.records(
        "/manual-block-templates",
        "manual_block_templates",
        "manual-block-templates",
    )
}

fn mod_patron_blocks() -> Module {
    let module = Module::new("mod-patron-blocks", "1.12.3")
        .needs(include_str!("../needs/mod-patron-blocks.tsv"))
        .permissions(include_str!("../permissions/mod-patron-blocks.tsv"))
        .collection(own::block_conditions())
        .collection(own::block_limits())
        .collection(own::synchronization_jobs())
        .migration(
            "patron_counters_job_queue",
            include_str!("../migrations/job_queue.sql"),
        )
        .reference(
            ReferenceData::tsv(
                "patron_block_conditions",
                include_str!("../reference/patron_block_conditions.tsv"),
            )
            .essential(),
        )
        .interface(block_conditions())
        .interface(block_limits())
        .interface(Interface::new("automated-patron-blocks", "0.1").route(
            Method::GET,
            "/automated-patron-blocks/{userId}",
            "patron-blocks.automated-patron-blocks.collection.get",
            Handler::call(http::automated_blocks::list),
        ));
    patron_blocks::extend(module)
}

fn block_conditions() -> Interface {
    let path = "/patron-block-conditions";
    let stem = "patron-blocks.patron-block-conditions";
    Interface::new("patron-block-conditions", "0.1")
        .readable(path, "patron_block_conditions", stem)
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::replace("patron_block_conditions"),
        )
        .hooked(path, &http::block_conditions::HOOKS)
}

fn block_limits() -> Interface {
    let (path, table) = ("/patron-block-limits", "patron_block_limits");
    let stem = "patron-blocks.patron-block-limits";
    Interface::new("patron-block-limits", "0.1")
        .records(path, table, stem)
        .hooked(path, &http::block_limits::HOOKS)
}
