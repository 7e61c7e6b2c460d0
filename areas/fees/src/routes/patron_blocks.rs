//! mod-patron-blocks' routes other than conditions and limits.

use std::sync::LazyLock;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, Timer};
use octavo_records::Shape;

use crate::http::user_summary;

macro_rules! event {
    ($name:ident, $file:literal) => {
        static $name: LazyLock<Shape> = LazyLock::new(|| {
            Shape::parse(include_str!(concat!("../shapes/events/", $file)))
                .expect("invariant: the shape is well formed")
        });
    };
}

event!(LOAN, "loan.shape");
event!(LOAN_DUE, "loan_due.shape");
event!(DUE_DATE, "due_date.shape");
event!(BALANCE, "balance.shape");

/// Adds summaries, event handlers, and jobs.
pub(super) fn extend(module: Module) -> Module {
    let start = "/automated-patron-blocks/synchronization/start";
    let run = Handler::call(user_summary::run_jobs);
    module
        .interface(Interface::new("user-summary", "0.1").route(
            Method::GET,
            "/user-summary/{userId}",
            "patron-blocks.user-summary.item.get",
            Handler::call(user_summary::summary),
        ))
        .interface(jobs(events()))
        .timer(Timer::every(1, "minute", start, run))
}

fn events() -> Interface {
    let events: [(&str, &str, &'static LazyLock<Shape>); 8] = [
        (
            "/automated-patron-blocks/handlers/fee-fine-balance-changed",
            "fee-fine-balance-changed",
            &BALANCE,
        ),
        (
            "/automated-patron-blocks/handlers/item-checked-out",
            "item-checked-out",
            &LOAN_DUE,
        ),
        (
            "/automated-patron-blocks/handlers/item-checked-in",
            "item-checked-in",
            &LOAN,
        ),
        (
            "/automated-patron-blocks/handlers/item-declared-lost",
            "item-declared-lost",
            &LOAN,
        ),
        (
            "/automated-patron-blocks/handlers/item-aged-to-lost",
            "item-aged-to-lost",
            &LOAN,
        ),
        (
            "/automated-patron-blocks/handlers/item-claimed-returned",
            "item-claimed-returned",
            &LOAN,
        ),
        (
            "/automated-patron-blocks/handlers/loan-due-date-changed",
            "loan-due-date-changed",
            &DUE_DATE,
        ),
        (
            "/automated-patron-blocks/handlers/loan-closed",
            "loan-closed",
            &LOAN,
        ),
    ];
    let interface = Interface::new("patron-blocks-event-handlers", "1.1");
    events
        .into_iter()
        .fold(interface, |interface, (path, name, shape)| {
            interface.route(
                Method::POST,
                path,
                &format!("patron-blocks.handlers.{name}.post"),
                Handler::call(move |call| user_summary::heard(shape, call)),
            )
        })
}

fn jobs(interface: Interface) -> Interface {
    interface
        .route(
            Method::POST,
            "/automated-patron-blocks/synchronization/job",
            "patron-blocks.synchronization.job.post",
            Handler::call(user_summary::create_job),
        )
        .route(
            Method::GET,
            "/automated-patron-blocks/synchronization/job/{syncJobId}",
            "patron-blocks.synchronization.job.get",
            Handler::call(user_summary::job),
        )
}
