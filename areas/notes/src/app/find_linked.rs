//! Searches the notes of a domain by their link to a record.

use octavo_records::expression;
use octavo_records::index::Index;
use octavo_records::plan::{Crossing, Plan, Predicate, SortTerm, TextMatch};
use serde_json::json;

use crate::collections::readable_text;
use crate::store::{Linked, folded_type_name};

#[derive(Debug, Clone, PartialEq)]
pub struct LinkedNotesFilter<'a> {
    /// Their domain.
    pub domain: &'a str,
    pub record: Linked<'a>,
    /// Whether they are linked to the record.
    pub assigned: Option<bool>,
    /// A text that title or content contain.
    pub search: Option<&'a str>,
    /// Names of note types; any without one.
    pub types: &'a [String],
    /// The order; unspecified when absent.
    pub order: Option<Order>,
}

/// An order of notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// By what.
    pub by: OrderBy,
    /// Largest first.
    pub descending: bool,
}

/// What notes are ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderBy {
    Title,
    /// The text.
    Content,
    /// The name of the type.
    NoteType,
    /// When it was last changed.
    UpdatedDate,
}

impl OrderBy {
    /// mod-notes' default direction of the order.
    #[must_use]
    pub fn descends_by_default(self) -> bool {
        self == OrderBy::UpdatedDate
    }

    fn expression(self, schema: &str) -> String {
        match self {
            OrderBy::Title => "lower(public.f_unaccent(jsonb->>'title')) COLLATE \"C\"".to_owned(),
            OrderBy::Content => content(),
            OrderBy::NoteType => folded_type_name(schema),
            OrderBy::UpdatedDate => "(jsonb->'metadata'->>'updatedDate') COLLATE \"C\"".to_owned(),
        }
    }
}

/// The text without markup, title first; also breaks ties.
fn content() -> String {
    expression::folded(&readable_text())
}

impl LinkedNotesFilter<'_> {
    /// The search as a plan of the record store.
    #[must_use]
    pub fn plan(&self, schema: &str) -> Plan {
        let mut parts = vec![text("domain", "=", self.domain)];
        let links = json!([{"type": self.record.kind, "id": self.record.id}]).to_string();
        let linked = Predicate::Contains("(jsonb->'links')".to_owned(), links);
        match self.assigned {
            Some(true) => parts.push(linked),
            Some(false) => parts.push(Predicate::Except(
                Box::new(Predicate::Everything),
                Box::new(linked),
            )),
            None => {}
        }
        if let Some(search) = self.search.filter(|search| !search.trim().is_empty()) {
            parts.push(containing(search));
        }
        if !self.types.is_empty() {
            parts.push(of_types(self.types));
        }
        Plan {
            predicate: Predicate::All(parts),
            sort: self.sort(schema),
        }
    }

    fn sort(&self, schema: &str) -> Vec<SortTerm> {
        let Some(order) = self.order else {
            return Vec::new();
        };
        let by = SortTerm {
            expression: order.by.expression(schema),
            descending: order.descending,
        };
        vec![
            by,
            SortTerm {
                expression: content(),
                descending: false,
            },
        ]
    }
}

fn text(field: &str, operator: &'static str, value: &str) -> Predicate {
    Predicate::Text(TextMatch::declared(Index::plain(field), operator, value))
}

/// Title and content are indexed together, without the markup.
fn containing(search: &str) -> Predicate {
    let mut pattern = String::from("%");
    for character in search.trim().chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    Predicate::Like(TextMatch::declared(readable_text(), "LIKE", pattern))
}

fn of_types(names: &[String]) -> Predicate {
    let named = names.iter().map(|name| {
        Predicate::Text(TextMatch::declared(
            Index::unique("name"),
            "=",
            name.clone(),
        ))
    });
    Predicate::Across(Box::new(Crossing {
        column: "typeid".to_owned(),
        table: "note_type".to_owned(),
        other: "id".to_owned(),
        predicate: Predicate::Any(named.collect()),
    }))
}
