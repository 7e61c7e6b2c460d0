//! mod-password-validator: validation rules for new passwords.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module, ReferenceData};

use crate::http::{password_check, rules};
use crate::password_collections::{VALIDATION_RULES, validation_rules};
use crate::validation_rule::SHIPPED;

#[must_use]
pub fn mod_password_validator() -> Module {
    Module::new("mod-password-validator", "3.4.1")
        .needs(include_str!("needs/mod-password-validator.tsv"))
        .permissions(include_str!("permissions/mod-password-validator.tsv"))
        .collection(validation_rules())
        .reference(ReferenceData::json(VALIDATION_RULES, SHIPPED).essential())
        .interface(interface())
}

fn interface() -> Interface {
    let one = Content::Record(VALIDATION_RULES);
    Interface::new("password-validator", "1.0")
        .route(
            Method::POST,
            "/password/validate",
            "validation.validate.post",
            Handler::call(password_check::validate),
        )
        .route(
            Method::POST,
            "/password/check",
            "validation.validate.post",
            Handler::call(password_check::check),
        )
        .logged_in(
            Method::GET,
            "/tenant/rules",
            Handler::list(VALIDATION_RULES),
        )
        .hooked("/tenant/rules", &rules::HOOKS)
        .route(
            Method::POST,
            "/tenant/rules",
            "validation.rules.item.post",
            Handler::transaction(rules::create),
        )
        .taking(one)
        .answering(one)
        .route(
            Method::PUT,
            "/tenant/rules",
            "validation.rules.item.put",
            Handler::transaction(rules::replace),
        )
        .taking(one)
        .answering(one)
        .route(
            Method::GET,
            "/tenant/rules/{ruleId}",
            "validation.rules.item.get",
            Handler::read(VALIDATION_RULES),
        )
        .hooked("/tenant/rules", &rules::HOOKS)
}
