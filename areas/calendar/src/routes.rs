//! mod-calendar.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module};

use crate::collections as own;
use crate::http::{calendars, dates};
use crate::shapes;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    shapes::declared(vec![
        Module::new("mod-calendar", "3.3.1")
            .permissions(include_str!("permissions.tsv"))
            .collection(own::calendars())
            .migration(
                "calendar_version",
                include_str!("migrations/calendar_version.sql"),
            )
            .interface(interface()),
    ])
}

fn interface() -> Interface {
    let path = "/calendar/calendars";
    let item = "/calendar/calendars/{calendarId}";
    let permission = |verb: &str| format!("calendar.endpoint.calendars.{verb}");
    Interface::new("calendar", "5.0")
        .route(
            Method::GET,
            path,
            &permission("get"),
            Handler::call(calendars::list),
        )
        .answering(Content::List(own::TABLE))
        .route(
            Method::POST,
            path,
            &permission("post"),
            Handler::transaction(calendars::create),
        )
        .taking(Content::Record(own::TABLE))
        .answering(Content::Record(own::TABLE))
        .route(
            Method::DELETE,
            path,
            &permission("delete"),
            Handler::transaction(calendars::delete_several),
        )
        .route(
            Method::GET,
            item,
            &permission("calendarId.get"),
            Handler::call(calendars::read),
        )
        .answering(Content::Record(own::TABLE))
        .route(
            Method::PUT,
            item,
            &permission("calendarId.put"),
            Handler::transaction(calendars::update),
        )
        .taking(Content::Record(own::TABLE))
        .answering(Content::Record(own::TABLE))
        .route(
            Method::DELETE,
            item,
            &permission("calendarId.delete"),
            Handler::transaction(calendars::delete),
        )
        .route(
            Method::GET,
            "/calendar/dates/{servicePointId}/surrounding-openings",
            &permission("surroundingOpenings.get"),
            Handler::call(dates::surrounding_openings),
        )
        .route(
            Method::GET,
            "/calendar/dates/{servicePointId}/all-openings",
            &permission("allOpenings.get"),
            Handler::call(dates::all_openings),
        )
}
