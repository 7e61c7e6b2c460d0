//! Links of instances, their rules, suggestions and reports.

use ::http::Method;
use octavo_platform::{Handler, Interface};

use crate::http::{links, rules, stats, suggestions};

pub(super) fn interfaces() -> Vec<Interface> {
    vec![
        of_instances(),
        linking_rules(),
        reports(),
        Interface::new("instance-authority-links-suggestions", "1.2").route(
            Method::POST,
            "/links-suggestions/marc",
            "instance-authority-links.suggestions.post",
            Handler::call(suggestions::marc),
        ),
    ]
}

fn of_instances() -> Interface {
    let path = "/links/instances/{instanceId}";
    Interface::new("instance-authority-links", "2.1")
        .satisfying(&["2.2"])
        .route(
            Method::GET,
            path,
            "instance-authority-links.instances.collection.get",
            Handler::call(links::list),
        )
        .route(
            Method::PUT,
            path,
            "instance-authority-links.instances.collection.put",
            Handler::transaction(links::put),
        )
        .route(
            Method::POST,
            "/links/authorities/bulk/count",
            "instance-authority-links.authorities.bulk.post",
            Handler::call(links::count),
        )
}

fn linking_rules() -> Interface {
    let path = "/linking-rules/instance-authority";
    let item = "/linking-rules/instance-authority/{linkId}";
    Interface::new("instance-authority-linking-rules", "1.1")
        .route(
            Method::GET,
            path,
            "instance-authority.linking-rules.collection.get",
            Handler::call(rules::list),
        )
        .route(
            Method::GET,
            item,
            "instance-authority.linking-rules.item.get",
            Handler::call(rules::read),
        )
        .route(
            Method::PATCH,
            item,
            "instance-authority.linking-rules.item.patch",
            Handler::call(rules::patch),
        )
}

fn reports() -> Interface {
    Interface::new("instance-authority-links-statistics", "2.0")
        .satisfying(&["3.0"])
        .route(
            Method::GET,
            "/links/stats/authority",
            "instance-authority-links.authority-statistics.collection.get",
            Handler::call(stats::authorities),
        )
        .route(
            Method::GET,
            "/links/stats/instance",
            "instance-authority-links.instance-statistics.collection.get",
            Handler::call(stats::instances),
        )
}
