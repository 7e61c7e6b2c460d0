//! mod-event-config, mod-template-engine, mod-email, mod-sender and mod-notify, and the area's modules.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module, ReferenceData, Timer};

use crate::collections as own;
use crate::http::{
    email, email_settings, message_delivery, notifications, smtp_configuration, template_request,
    templates, timers,
};
use crate::printing_routes::batch_print;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![
        event_config(),
        template_engine(),
        mod_email(),
        batch_print(),
        sender(),
        notify(),
    ]
}

fn event_config() -> Module {
    Module::new("mod-event-config", "2.9.1")
        .permissions(include_str!("permissions/event-config.tsv"))
        .collection(own::event_configurations())
        .reference(
            ReferenceData::json(
                "event_configurations",
                include_str!("reference/event_configurations.json"),
            )
            .essential(),
        )
        .interface(Interface::new("mod-event", "1.0").records(
            "/eventConfig",
            "event_configurations",
            "event.config",
        ))
}

fn template_engine() -> Module {
    let path = "/templates";
    let interface = Interface::new("template-engine", "2.2")
        .satisfying(&["2.3"])
        .readable(path, "template", "templates")
        .route(
            Method::POST,
            path,
            "templates.item.post",
            Handler::create("template"),
        )
        .by_id(
            Method::PUT,
            path,
            "templates.item.put",
            Handler::replace("template"),
        )
        .by_id(
            Method::DELETE,
            path,
            "templates.item.delete",
            Handler::call(templates::delete),
        )
        .hooked(path, &templates::HOOKS)
        .route(
            Method::POST,
            "/template-request",
            "template-request.post",
            Handler::call(template_request::process),
        )
        .route(
            Method::POST,
            "/template-request/preview",
            "template-request.preview.post",
            Handler::call(template_request::preview),
        );
    Module::new("mod-template-engine", "1.22.2")
        .reads("patron_notice_policy")
        .needs(include_str!("needs/template-engine.tsv"))
        .permissions(include_str!("permissions/template-engine.tsv"))
        .collection(own::templates())
        .reference(
            ReferenceData::json("template", include_str!("reference/template.json")).essential(),
        )
        .interface(interface)
}

fn mod_email() -> Module {
    Module::new("mod-email", "1.19.1")
        .reads("config_data")
        .needs(include_str!("needs/email.tsv"))
        .permissions(include_str!("permissions/email.tsv"))
        .collection(own::emails())
        .collection(own::smtp_configurations())
        .collection(own::email_settings())
        .migration("outgoing_messages", include_str!("migrations/outgoing.sql"))
        .migration(
            "one_mail_server",
            include_str!("migrations/one_mail_server.sql"),
        )
        .migration(
            "lean_email_indexes",
            include_str!("migrations/lean_email_indexes.sql"),
        )
        .timer(Timer {
            method: Method::DELETE,
            ..Timer::every(
                30,
                "minute",
                "/delayedTask/expiredMessages",
                Handler::call(email::delete_expired),
            )
        })
        .timer(Timer::every(
            5,
            "minute",
            "/delayedTask/retryFailedEmails",
            Handler::call(timers::retry_failed),
        ))
        .timer(Timer::every(
            10,
            "second",
            "/delayedTask/sendWaitingEmails",
            Handler::call(timers::send_waiting),
        ))
        .interface(
            Interface::new("email", "1.1")
                .route(
                    Method::GET,
                    "/email",
                    "email.message.collection.get",
                    Handler::list("email_statistics"),
                )
                .route(
                    Method::POST,
                    "/email",
                    "email.message.post",
                    Handler::call(email::send),
                )
                .taking(Content::Record("email_statistics")),
        )
        .interface(Interface::new("delayedTasks", "2.0").route(
            Method::DELETE,
            "/delayedTask/expiredMessages",
            "email.message.delete",
            Handler::call(email::delete_expired),
        ))
        .interface(mail_server())
        .interface(settings())
}

fn mail_server() -> Interface {
    let (path, table) = ("/smtp-configuration", "smtp_configuration");
    Interface::new("smtpConfiguration", "0.1")
        .readable(path, table, "email.smtp-configuration")
        .route(
            Method::POST,
            path,
            "email.smtp-configuration.item.post",
            Handler::call(smtp_configuration::create),
        )
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(
            Method::PUT,
            path,
            "email.smtp-configuration.item.put",
            Handler::replace(table),
        )
        .by_id(
            Method::DELETE,
            path,
            "email.smtp-configuration.item.delete",
            Handler::delete(table),
        )
}

fn settings() -> Interface {
    let path = "/email/settings";
    Interface::new("email.settings", "1.0")
        .records(path, "email_settings", "email.settings")
        .hooked(path, &email_settings::HOOKS)
}

fn sender() -> Module {
    Module::new("mod-sender", "1.14.2")
        .needs(include_str!("needs/sender.tsv"))
        .permissions(include_str!("permissions/sender.tsv"))
        .interface(Interface::new("message-delivery", "1.1").route(
            Method::POST,
            "/message-delivery",
            "sender.message-delivery.post",
            Handler::call(message_delivery::send),
        ))
}

fn notify() -> Module {
    let (path, table) = ("/notify", "notify_data");
    let interface = Interface::new("notify", "2.2")
        .readable(path, table, "notify")
        .route(
            Method::POST,
            path,
            "notify.item.post",
            Handler::call(notifications::create),
        )
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(
            Method::PUT,
            path,
            "notify.item.put",
            Handler::replace(table),
        )
        .by_id(
            Method::DELETE,
            path,
            "notify.item.delete",
            Handler::delete(table),
        )
        .hooked(path, &notifications::HOOKS)
        .route(
            Method::POST,
            "/notify/_username/{uid}",
            "notify.users.item.post",
            Handler::call(notifications::create_for),
        )
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .route(
            Method::GET,
            "/notify/user/_self",
            "notify.user.collection.get",
            Handler::call(notifications::list_own),
        )
        .answering(Content::List(table))
        .route(
            Method::DELETE,
            "/notify/user/_self",
            "notify.user.collection.delete",
            Handler::call(notifications::delete_own),
        );
    Module::new("mod-notify", "3.4.1")
        .reads("users")
        .needs(include_str!("needs/notify.tsv"))
        .permissions(include_str!("permissions/notify.tsv"))
        .collection(own::notifications())
        .interface(interface)
        .interface(Interface::new("patron-notice", "1.1").route(
            Method::POST,
            "/patron-notice",
            "patron-notice.post",
            Handler::call(notifications::notify_patron),
        ))
}
