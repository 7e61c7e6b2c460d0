//! mod-organizations-storage and mod-organizations.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module, ReferenceData, Timer};

use crate::collections as own;
use crate::http::{banking, credentials, organizations, storage};

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![mod_organizations_storage(), mod_organizations()]
}

fn mod_organizations_storage() -> Module {
    let mut module = Module::new("mod-organizations-storage", "4.9.2")
        .permissions(include_str!("permissions/mod-organizations-storage.tsv"))
        .timer(Timer::every(
            30,
            "minute",
            "/organizations-storage/audit-outbox/process",
            Handler::call(storage::process_outbox),
        ))
        .collection(own::categories())
        .collection(own::organization_types())
        .collection(own::contacts())
        .collection(own::privileged_contacts())
        .collection(own::interfaces())
        .collection(own::interface_credentials())
        .collection(own::organizations())
        .collection(own::banking_account_types())
        .collection(own::banking_information())
        .collection(own::settings())
        .reference(ReferenceData::tsv(
            "categories",
            include_str!("reference/categories.tsv"),
        ))
        .reference(ReferenceData::tsv(
            "organization_types",
            include_str!("reference/organization_types.tsv"),
        ))
        .reference(
            ReferenceData::tsv(
                "organization_settings",
                include_str!("reference/organization_settings.tsv"),
            )
            .essential(),
        );
    for collection in own::free_standing() {
        module = module.collection(collection);
    }
    lists(module)
        .interface(stored_interfaces())
        .interface(stored_organization_types())
        .interface(stored_organizations())
}

/// The lists that are generic but for patterns.
fn lists(module: Module) -> Module {
    const LISTS: [(&str, &str, &str, &str); 10] = [
        (
            "addresses",
            "1.1",
            "/organizations-storage/addresses",
            "addresses",
        ),
        (
            "categories",
            "1.1",
            "/organizations-storage/categories",
            "categories",
        ),
        (
            "contacts",
            "2.0",
            "/organizations-storage/contacts",
            "contacts",
        ),
        (
            "privileged-contacts",
            "1.0",
            "/organizations-storage/privileged-contacts",
            "privileged_contacts",
        ),
        ("emails", "1.1", "/organizations-storage/emails", "emails"),
        (
            "phone-numbers",
            "2.0",
            "/organizations-storage/phone-numbers",
            "phone_numbers",
        ),
        ("urls", "1.1", "/organizations-storage/urls", "urls"),
        (
            "banking-account-types",
            "1.0",
            "/organizations-storage/banking-account-types",
            "banking_account_types",
        ),
        (
            "banking-information",
            "1.0",
            "/organizations-storage/banking-information",
            "banking_information",
        ),
        (
            "settings",
            "1.1",
            "/organizations-storage/settings",
            "organization_settings",
        ),
    ];
    LISTS
        .into_iter()
        .fold(module, |module, (name, version, path, table)| {
            // Names live as long as the process, like the routes made of them.
            let id: &'static str =
                Box::leak(format!("organizations-storage.{name}").into_boxed_str());
            let interface = Interface::new(id, version).records(path, table, id);
            module.interface(match name {
                "contacts" | "privileged-contacts" => interface.hooked(path, &storage::CONTACTS),
                "urls" => interface.hooked(path, &storage::URLS),
                _ => interface,
            })
        })
}

fn stored_interfaces() -> Interface {
    let (path, stem) = (
        "/organizations-storage/interfaces",
        "organizations-storage.interfaces",
    );
    let below = "/organizations-storage/interfaces/{id}/credentials";
    let table = Content::Record("interface_credentials");
    Interface::new(stem, "2.1")
        .records(path, "interfaces", stem)
        .route(
            Method::POST,
            below,
            "organizations-storage.interfaces.credentials.item.post",
            Handler::transaction(credentials::create),
        )
        .taking(table)
        .answering(table)
        .route(
            Method::GET,
            below,
            "organizations-storage.interfaces.credentials.item.get",
            Handler::call(credentials::read),
        )
        .answering(table)
        .route(
            Method::PUT,
            below,
            "organizations-storage.interfaces.credentials.item.put",
            Handler::transaction(credentials::replace),
        )
        .taking(table)
        .route(
            Method::DELETE,
            below,
            "organizations-storage.interfaces.credentials.item.delete",
            Handler::transaction(credentials::delete),
        )
}

fn stored_organization_types() -> Interface {
    let (path, table, stem) = (
        "/organizations-storage/organization-types",
        "organization_types",
        "organizations-storage.organization-types",
    );
    Interface::new(stem, "1.0")
        .readable(path, table, stem)
        .route(
            Method::POST,
            path,
            "organizations-storage.organization-types.item.post",
            Handler::create(table),
        )
        .by_id(
            Method::PUT,
            path,
            "organizations-storage.organization-types.item.put",
            Handler::replace(table),
        )
        .by_id(
            Method::DELETE,
            path,
            "organizations-storage.organization-types.item.delete",
            Handler::transaction(storage::delete_type),
        )
}

fn stored_organizations() -> Interface {
    let (path, one, table, stem) = (
        "/organizations-storage/organizations",
        "/organizations-storage/organizations/{organizations_id}",
        "organizations",
        "organizations-storage.organizations",
    );
    let record = Content::Record(table);
    Interface::new(stem, "3.3")
        .route(
            Method::GET,
            path,
            "organizations-storage.organizations.collection.get",
            Handler::list(table),
        )
        .route(
            Method::POST,
            path,
            "organizations-storage.organizations.item.post",
            Handler::transaction(storage::create),
        )
        .taking(record)
        .answering(record)
        .route(
            Method::GET,
            one,
            "organizations-storage.organizations.item.get",
            Handler::read(table),
        )
        .route(
            Method::PUT,
            one,
            "organizations-storage.organizations.item.put",
            Handler::transaction(storage::replace),
        )
        .taking(record)
        .route(
            Method::DELETE,
            one,
            "organizations-storage.organizations.item.delete",
            Handler::delete(table),
        )
}

fn mod_organizations() -> Module {
    Module::new("mod-organizations", "2.1.1")
        .reads("acquisitions_unit acquisitions_unit_membership")
        .needs(include_str!("needs/mod-organizations.tsv"))
        .permissions(include_str!("permissions/mod-organizations.tsv"))
        .interface(business())
        .interface(
            Interface::new("banking-information", "1.0")
                .records(
                    "/organizations/banking-information",
                    "banking_information",
                    "organizations.banking-information",
                )
                .hooked("/organizations/banking-information", &banking::HOOKS),
        )
}

fn business() -> Interface {
    let path = "/organizations/organizations";
    let record = Content::Record("organizations");
    Interface::new("organizations.organizations", "1.2")
        .route(
            Method::GET,
            path,
            "organizations.organizations.collection.get",
            Handler::call(organizations::list),
        )
        .answering(Content::List("organizations"))
        .route(
            Method::POST,
            path,
            "organizations.organizations.item.post",
            Handler::transaction(organizations::create),
        )
        .taking(record)
        .answering(record)
        .by_id(
            Method::GET,
            path,
            "organizations.organizations.item.get",
            Handler::call(organizations::read),
        )
        .answering(record)
        .by_id(
            Method::PUT,
            path,
            "organizations.organizations.item.put",
            Handler::transaction(organizations::replace),
        )
        .desiring(&[organizations::MANAGE])
        .taking(record)
        .by_id(
            Method::DELETE,
            path,
            "organizations.organizations.item.delete",
            Handler::transaction(organizations::delete),
        )
}
