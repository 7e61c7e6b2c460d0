//! mod-feesfines: actions on accounts.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface};

use crate::account_followers::Follower;
use crate::accounting::ActionKind;
use crate::app::act::Act;
use crate::http::accounts;

/// Adds the routes of actions and of their checks.
pub(super) fn extend(interface: Interface, follower: &Arc<dyn Follower>) -> Interface {
    const ACTS: [(&str, Act); 5] = [
        ("pay", Act::Settle(ActionKind::Pay)),
        ("waive", Act::Settle(ActionKind::Waive)),
        ("transfer", Act::Settle(ActionKind::Transfer)),
        ("cancel", Act::Cancel),
        ("refund", Act::Refund),
    ];
    ACTS.into_iter().fold(interface, |interface, (name, act)| {
        let with = |many: bool| {
            let follower = Arc::clone(follower);
            Handler::transaction(move |call| {
                let follower = Arc::clone(&follower);
                async move {
                    match many {
                        true => accounts::many(follower, act, call).await,
                        false => accounts::one(follower, act, call).await,
                    }
                }
            })
        };
        let interface = post(
            interface,
            &format!("/accounts/{{id}}/{name}"),
            name,
            with(false),
        );
        let bulk = format!("/accounts-bulk/{name}");
        let interface = post(interface, &bulk, name, with(true));
        if act == Act::Cancel {
            return interface;
        }
        let refund = act == Act::Refund;
        let check = format!("check-{name}");
        let one = Handler::call(move |call| accounts::check_one(refund, call));
        let many = Handler::call(move |call| accounts::check_many(refund, call));
        let interface = post(interface, &format!("/accounts/{{id}}/{check}"), &check, one);
        post(interface, &format!("/accounts-bulk/{check}"), &check, many)
    })
}

fn post(interface: Interface, pattern: &str, name: &str, handler: Handler) -> Interface {
    let stem = match pattern.starts_with("/accounts-bulk") {
        true => "feesfines.accounts-bulk",
        false => "feesfines.accounts",
    };
    // Patterns live as long as the process, like the routes made of them.
    let pattern: &'static str = Box::leak(pattern.to_owned().into_boxed_str());
    interface.route(
        Method::POST,
        pattern,
        &format!("{stem}.{name}.post"),
        handler,
    )
}
