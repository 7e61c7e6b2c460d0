//! Custom fields: definitions that a library makes for the records of a module, and the values that records
//! have of them. A module that has some declares a [`CustomFields`], its collection and its interface.

pub mod app;
mod http;
pub mod rules;
mod store;

pub use app::Refusal;
pub use app::change::change;
pub use app::values::hold;
pub use http::response as refused;
pub use rules::definition::Definition;
pub use rules::value::{FieldError, check};

use ::http::Method;
use octavo_platform::{Handler, Interface};
use octavo_records::{Collection, Index};

/// The custom fields of a module.
#[derive(Debug, Clone, Copy)]
pub struct CustomFields {
    /// The table of the definitions.
    pub table: &'static str,
    /// The records that have values. Definitions for others are kept, too.
    pub holders: &'static [Holder],
}

/// A record type that has values, in its property `customFields`.
#[derive(Debug, Clone, Copy)]
pub struct Holder {
    /// Its name in definitions: their `entityType`.
    pub entity: &'static str,
    pub table: &'static str,
    /// SQL for its values: `jsonb->'customFields'`, or a column of them where the record changes often.
    pub values: &'static str,
    /// The property that gets the date when options are removed from a record.
    pub dated: Option<&'static str>,
}

impl CustomFields {
    /// The record type that a definition is for, if it is one of the module's.
    fn holder(&self, definition: &Definition) -> Option<&'static Holder> {
        let entity = rules::definition::text(definition, "entityType");
        self.holders.iter().find(|holder| holder.entity == entity)
    }

    /// The collection of the definitions. A tenant has few of them.
    #[must_use]
    pub fn collection(&self) -> Collection {
        let shape = include_str!("shapes/custom_fields.shape");
        Collection::new(self.table, "customFields", shape)
            .index(Index::unique("refId").case_sensitive().keep_accents())
            .index(Index::plain("entityType"))
            .index(Index::number("order"))
    }

    /// The interface, whose permissions begin with `stem`. Several modules have it; a client names the one
    /// that it means.
    #[must_use]
    pub fn interface(&'static self, stem: &str) -> Interface {
        let path = "/custom-fields";
        Interface::new("custom-fields", "3.0")
            .satisfying(&["3.1"])
            .multiple()
            .route(
                Method::GET,
                path,
                &format!("{stem}.collection.get"),
                Handler::list(self.table),
            )
            .route(
                Method::POST,
                path,
                &format!("{stem}.item.post"),
                Handler::transaction(move |call| http::create(self, call)),
            )
            .route(
                Method::PUT,
                path,
                &format!("{stem}.collection.put"),
                Handler::transaction(move |call| http::replace_all(self, call)),
            )
            .by_id(
                Method::GET,
                path,
                &format!("{stem}.item.get"),
                Handler::read(self.table),
            )
            .by_id(
                Method::PUT,
                path,
                &format!("{stem}.item.put"),
                Handler::transaction(move |call| http::change(self, call)),
            )
            .by_id(
                Method::DELETE,
                path,
                &format!("{stem}.item.delete"),
                Handler::transaction(move |call| http::delete(self, call)),
            )
            .hooked(path, &http::HOOKS)
            .route(
                Method::GET,
                "/custom-fields/{id}/stats",
                &format!("{stem}.item.stats.get"),
                Handler::call(move |call| http::stats(self, call)),
            )
            .route(
                Method::GET,
                "/custom-fields/{id}/options/{optId}/stats",
                &format!("{stem}.item.option.stats.get"),
                Handler::call(move |call| http::option_stats(self, call)),
            )
    }
}
