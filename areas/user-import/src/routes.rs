//! mod-user-import with its route.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::http::import;

/// The module of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    let interface = Interface::new("user-import", "2.2")
        .route(
            Method::POST,
            "/user-import",
            "user-import.post",
            Handler::call(import::import),
        )
        .streaming();
    vec![
        Module::new("mod-user-import", "3.10.3")
            .reads("custom_fields service_point users")
            .writes("departments permissions_users user_request_preference")
            .permissions(include_str!("permissions.tsv"))
            .requires("users", "15.2 16.0")
            .requires("okapi", "1.9")
            .requires("permissions", "5.0")
            .requires("request-preference-storage", "2.0")
            .requires("service-points", "3.2")
            .interface(interface),
    ]
}
