//! mod-feesfines: records with rules beyond their shapes.

use std::sync::Arc;

use ::http::Method;
use axum::response::Response;
use octavo_platform::{ApiError, Call, Content, Handler, Interface};

use crate::account_followers::Follower;
use crate::http::{account_records, fee_types, manual_blocks, plain_lists, policies};

/// Adds the routes of accounts, actions, manual blocks, fee types and policies.
pub(super) fn extend(interface: Interface, follower: &Arc<dyn Follower>) -> Interface {
    let interface = accounts(interface, follower);
    let interface = actions(interface, follower);
    let interface = blocks(interface, follower);
    let interface = fee_types(interface);
    let (overdue, lost) = ("/overdue-fines-policies", "/lost-item-fees-policies");
    interface
        .records(overdue, "overdue_fine_policy", "overdue-fines-policies")
        .hooked(overdue, &policies::OVERDUE)
        .records(lost, "lost_item_fee_policy", "lost-item-fees-policies")
        .hooked(lost, &policies::LOST)
}

fn with<F, R>(follower: &Arc<dyn Follower>, function: F) -> Handler
where
    F: Fn(Arc<dyn Follower>, Call) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Response, ApiError>> + Send + 'static,
{
    let follower = Arc::clone(follower);
    Handler::transaction(move |call| function(Arc::clone(&follower), call))
}

fn accounts(interface: Interface, follower: &Arc<dyn Follower>) -> Interface {
    let path = "/accounts";
    let create = Handler::transaction(account_records::create);
    let replace = with(follower, account_records::replace);
    let delete = Handler::transaction(account_records::delete);
    interface
        .readable(path, "accounts", "accounts")
        .route(Method::POST, path, "accounts.item.post", create)
        .taking(Content::Record("accounts"))
        .answering(Content::Record("accounts"))
        .by_id(Method::PUT, path, "accounts.item.put", replace)
        .taking(Content::Record("accounts"))
        .by_id(Method::DELETE, path, "accounts.item.delete", delete)
        .hooked(path, &account_records::HOOKS)
}

fn actions(interface: Interface, follower: &Arc<dyn Follower>) -> Interface {
    let (path, table) = ("/feefineactions", "feefineactions");
    let create = with(follower, account_records::create_action);
    interface
        .readable(path, table, table)
        .route(Method::POST, path, "feefineactions.item.post", create)
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(
            Method::PUT,
            path,
            "feefineactions.item.put",
            Handler::replace(table),
        )
        .by_id(
            Method::DELETE,
            path,
            "feefineactions.item.delete",
            Handler::delete(table),
        )
        .hooked(path, &account_records::ACTIONS)
}

fn blocks(interface: Interface, follower: &Arc<dyn Follower>) -> Interface {
    let (path, table) = ("/manualblocks", "manualblocks");
    let create = with(follower, manual_blocks::create);
    let replace = with(follower, manual_blocks::replace);
    let delete = with(follower, manual_blocks::delete);
    interface
        .readable(path, table, table)
        .route(Method::POST, path, "manualblocks.item.post", create)
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(Method::PUT, path, "manualblocks.item.put", replace)
        .taking(Content::Record(table))
        .by_id(Method::DELETE, path, "manualblocks.item.delete", delete)
        .hooked(path, &plain_lists::HOOKS)
}

fn fee_types(interface: Interface) -> Interface {
    interface
        .records("/feefines", "feefines", "feefines")
        .hooked("/feefines", &fee_types::HOOKS)
}

/// Adds the five routes of a list with special refusals for new records.
pub(super) fn plain(
    interface: Interface,
    path: &'static str,
    stem: &str,
    table: &'static str,
) -> Interface {
    interface
        .records(path, table, stem)
        .hooked(path, &plain_lists::HOOKS)
}
