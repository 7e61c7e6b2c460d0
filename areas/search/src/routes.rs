//! mod-search.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, Timer};

use crate::http::{authorities, browse, config, facets, fill, instances, jobs};
use crate::shapes;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    shapes::declared(vec![
        Module::new("mod-search", "5.0.12")
            .reads(
                "authority bound_with_part classification_type holdings_record instance \
                 instance_authority_link item",
            )
            .system("_tenant", "2.0")
            .needs(include_str!("needs.tsv"))
            .permissions(include_str!("permissions.tsv"))
            .migration("search_tables", include_str!("migrations/tables.sql"))
            .migration(
                "search_shelf_keys",
                include_str!("migrations/shelf_keys.sql"),
            )
            .migration("search_rows", include_str!("migrations/rows.sql"))
            .migration("search_triggers", include_str!("migrations/triggers.sql"))
            .migration("search_rows_lean", include_str!("migrations/rows_lean.sql"))
            .migration("search_filters", include_str!("migrations/filters.sql"))
            .migration("search_filling", include_str!("migrations/filling.sql"))
            .migration("search_rows_once", include_str!("migrations/rows_once.sql"))
            .migration(
                "search_authorities",
                include_str!("migrations/authorities.sql"),
            )
            .timer(Timer::every(
                1,
                "minute",
                "/search/index/fill",
                Handler::call(fill::fill),
            ))
            .migration("search_config", include_str!("migrations/config.sql"))
            .migration(
                "search_cheaper_call_numbers",
                include_str!("migrations/cheaper_call_numbers.sql"),
            )
            .migration(
                "search_rows_narrow",
                include_str!("migrations/rows_narrow.sql"),
            )
            .migration(
                "search_item_trigger",
                include_str!("migrations/item_trigger.sql"),
            )
            .migration(
                "search_items_lean",
                include_str!("migrations/items_lean.sql"),
            )
            .interface(searching())
            .interface(browsing())
            .interface(browse_config())
            .interface(search_config())
            .interface(id_jobs())
            // Later releases' names of parts of `search` and `browse`.
            .interface(Interface::new("search-inventory", "1.0"))
            .interface(Interface::new("search-authorities", "1.0"))
            .interface(Interface::new("search-facets", "1.0"))
            .interface(Interface::new("browse-inventory", "1.0"))
            .interface(Interface::new("browse-authorities", "1.0")),
    ])
}

fn searching() -> Interface {
    let permission = "search.instances.collection.get";
    Interface::new("search", "1.3")
        .route(
            Method::GET,
            "/search/instances",
            permission,
            Handler::call(instances::search),
        )
        .route(
            Method::GET,
            "/search/suggestions",
            permission,
            Handler::call(instances::suggest),
        )
        .route(
            Method::GET,
            "/search/authorities",
            "search.authorities.collection.get",
            Handler::call(authorities::search),
        )
        .route(
            Method::GET,
            "/search/{recordType}/facets",
            "search.facets.collection.get",
            Handler::call(facets::count),
        )
        .route(
            Method::GET,
            "/search/instances/ids",
            "search.instances.ids.collection.get",
            Handler::call(jobs::instances),
        )
        .route(
            Method::GET,
            "/search/holdings/ids",
            "search.holdings.ids.collection.get",
            Handler::call(jobs::holdings),
        )
}

fn browsing() -> Interface {
    Interface::new("browse", "2.0")
        .route(
            Method::GET,
            "/browse/call-numbers/{browseOptionId}/instances",
            "browse.call-numbers.instances.collection.get",
            Handler::call(browse::call_numbers),
        )
        .route(
            Method::GET,
            "/browse/classification-numbers/{browseOptionId}/instances",
            "browse.classification-numbers.instances.collection.get",
            Handler::call(browse::classifications),
        )
        .route(
            Method::GET,
            "/browse/subjects/instances",
            "browse.subjects.instances.collection.get",
            Handler::call(browse::subjects),
        )
        .route(
            Method::GET,
            "/browse/contributors/instances",
            "browse.contributors.instances.collection.get",
            Handler::call(browse::contributors),
        )
        .route(
            Method::GET,
            "/browse/authorities",
            "browse.authorities.collection.get",
            Handler::call(authorities::browse),
        )
}

fn browse_config() -> Interface {
    Interface::new("browse-config", "1.0")
        .route(
            Method::GET,
            "/browse/config/{browseType}",
            "browse.config.collection.get",
            Handler::call(config::list),
        )
        .route(
            Method::PUT,
            "/browse/config/{browseType}/{browseConfigId}",
            "browse.config.item.put",
            Handler::call(config::replace),
        )
}

fn search_config() -> Interface {
    Interface::new("search-config", "0.2")
        .route(
            Method::GET,
            "/search/config/languages",
            "search.config.languages.collection.get",
            Handler::call(config::languages),
        )
        .route(
            Method::POST,
            "/search/config/languages",
            "search.config.languages.item.post",
            Handler::call(config::add_language),
        )
        .route(
            Method::PUT,
            "/search/config/languages/{id}",
            "search.config.languages.item.put",
            Handler::call(config::change_language),
        )
        .route(
            Method::DELETE,
            "/search/config/languages/{id}",
            "search.config.languages.item.delete",
            Handler::call(config::remove_language),
        )
        .route(
            Method::GET,
            "/search/config/features",
            "search.config.features.collection.get",
            Handler::call(config::features),
        )
        .route(
            Method::POST,
            "/search/config/features",
            "search.config.features.item.post",
            Handler::call(config::add_feature),
        )
        .route(
            Method::PUT,
            "/search/config/features/{id}",
            "search.config.features.item.put",
            Handler::call(config::change_feature),
        )
        .route(
            Method::DELETE,
            "/search/config/features/{id}",
            "search.config.features.item.delete",
            Handler::call(config::remove_feature),
        )
}

fn id_jobs() -> Interface {
    let path = "/search/resources/jobs";
    Interface::new("resource-ids-streaming", "0.3")
        .satisfying(&["1.0"])
        .route(
            Method::POST,
            path,
            "search.resources.ids.jobs.post",
            Handler::call(jobs::create),
        )
        .route(
            Method::GET,
            "/search/resources/jobs/{jobId}",
            "search.resources.ids.jobs.get",
            Handler::call(jobs::read),
        )
        .route(
            Method::GET,
            "/search/resources/jobs/{jobId}/ids",
            "search.resources.ids.collection.get",
            Handler::call(jobs::ids),
        )
}
