//! The opening hours of service points: mod-calendar, and the compiled calendars by which circulation
//! adjusts due dates.

pub mod app;
mod book;
pub mod collections;
mod compiled;
pub mod http;
mod record;
pub mod routes;
pub mod rules;
mod shapes;
pub mod store;

pub use book::CalendarBook;
pub use compiled::{Calendars, Day, Opening, PointCalendars};
pub use record::{CalendarRecord, ExceptionHours, ExceptionRange, NormalHours, Weekday};
pub use routes::modules;
