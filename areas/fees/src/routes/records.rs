//! mod-feesfines: records that have rules beside their shapes.

use std::sync::Arc;

use ::http::Method;
use axum::response::Response;
use octavo_platform::{ApiError, Call, Content, Handler, Interface};

use crate::account_followers::Follower;
use crate::http::policies::{self, Kind};
use crate::http::{account_records, fee_types, plain_lists};

/// Adds the routes of accounts, actions, fee types and policies.
pub(super) fn extend(interface: Interface, follower: &Arc<dyn Follower>) -> Interface {
    let interface = accounts(interface, follower);
    let interface = actions(interface, follower);
    let interface = fee_types(interface);
    let overdue = ("/overdue-fines-policies", "overdue_fine_policy");
    let interface = policy(interface, overdue, "overdue-fines-policies", Kind::Overdue);
    let lost = ("/lost-item-fees-policies", "lost_item_fee_policy");
    policy(interface, lost, "lost-item-fees-policies", Kind::Lost)
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
    let list = Handler::call(account_records::list);
    let create = Handler::transaction(account_records::create);
    let read = Handler::call(account_records::read);
    let replace = with(follower, account_records::replace);
    let delete = Handler::transaction(account_records::delete);
    interface
        .route(Method::GET, path, "accounts.collection.get", list)
        .answering(Content::List("accounts"))
        .route(Method::POST, path, "accounts.item.post", create)
        .taking(Content::Record("accounts"))
        .answering(Content::Record("accounts"))
        .by_id(Method::GET, path, "accounts.item.get", read)
        .answering(Content::Record("accounts"))
        .by_id(Method::PUT, path, "accounts.item.put", replace)
        .taking(Content::Record("accounts"))
        .by_id(Method::DELETE, path, "accounts.item.delete", delete)
}

fn actions(interface: Interface, follower: &Arc<dyn Follower>) -> Interface {
    let (path, table) = ("/feefineactions", "feefineactions");
    let create = with(follower, account_records::create_action);
    let replace = Handler::call(account_records::replace_action);
    interface
        .readable(path, table, table)
        .route(Method::POST, path, "feefineactions.item.post", create)
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(Method::PUT, path, "feefineactions.item.put", replace)
        .taking(Content::Record(table))
        .by_id(
            Method::DELETE,
            path,
            "feefineactions.item.delete",
            Handler::delete(table),
        )
}

fn fee_types(interface: Interface) -> Interface {
    let (path, table) = ("/feefines", "feefines");
    let create = Handler::call(fee_types::create);
    let replace = Handler::call(fee_types::replace);
    let delete = Handler::call(fee_types::delete);
    interface
        .readable(path, table, table)
        .route(Method::POST, path, "feefines.item.post", create)
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(Method::PUT, path, "feefines.item.put", replace)
        .taking(Content::Record(table))
        .by_id(Method::DELETE, path, "feefines.item.delete", delete)
}

/// Adds the five routes of a list whose new records are refused in words of their own.
pub(super) fn plain(
    interface: Interface,
    path: &'static str,
    stem: &str,
    table: &'static str,
) -> Interface {
    let create = Handler::call(move |call| plain_lists::create(call, table));
    let (replace, delete) = (Handler::replace(table), Handler::delete(table));
    interface
        .readable(path, table, stem)
        .route(Method::POST, path, &format!("{stem}.item.post"), create)
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(Method::PUT, path, &format!("{stem}.item.put"), replace)
        .by_id(Method::DELETE, path, &format!("{stem}.item.delete"), delete)
}

fn policy(
    interface: Interface,
    (path, table): (&'static str, &'static str),
    stem: &str,
    kind: Kind,
) -> Interface {
    let create = Handler::call(move |call| policies::create(kind, call));
    let replace = Handler::call(move |call| policies::replace(kind, call));
    interface
        .readable(path, table, stem)
        .route(Method::POST, path, &format!("{stem}.item.post"), create)
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(Method::PUT, path, &format!("{stem}.item.put"), replace)
        .taking(Content::Record(table))
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::delete(table),
        )
}
