//! The modifiers of a relation.

use octavo_cql::{Clause, Comparison, Term};

use super::PlanError;
use crate::index::Index;

/// The modifiers of a clause.
#[derive(Default)]
pub(super) struct Modifiers {
    /// Whether values are compared as numbers.
    pub number: bool,
    /// `/@name` and `/@name=value`.
    pub elements: Vec<ElementModifier>,
    case: Option<bool>,
    accents: Option<bool>,
}

/// A modifier that names a property of an array's elements.
pub(super) struct ElementModifier {
    pub name: String,
    /// The condition on it; none where the modifier only names the property.
    pub value: Option<(Comparison, Term)>,
}

impl Modifiers {
    /// Parses the modifiers; an unknown one is refused.
    pub fn read(clause: &Clause) -> Result<Modifiers, PlanError> {
        let mut read = Modifiers::default();
        for modifier in &clause.relation.modifiers {
            if let Some(name) = modifier.name.strip_prefix('@') {
                read.elements.push(ElementModifier {
                    name: name.to_owned(),
                    value: modifier.comparison.zip(modifier.value_term()),
                });
                continue;
            }
            match modifier.name.to_ascii_lowercase().as_str() {
                "number" => read.number = true,
                "string" | "masked" => {}
                other if read.folding(other) => {}
                _ => {
                    return Err(PlanError::new(format!(
                        "CQL: Unsupported relation modifier {}",
                        modifier.name
                    )));
                }
            }
        }
        Ok(read)
    }

    /// Applies a modifier about case or accents, whose name is in lower case; returns whether it is
    /// one.
    pub fn folding(&mut self, name: &str) -> bool {
        match name {
            "respectcase" => self.case = Some(true),
            "ignorecase" => self.case = Some(false),
            "respectaccents" => self.accents = Some(true),
            "ignoreaccents" => self.accents = Some(false),
            _ => return false,
        }
        true
    }

    /// Overrides the folding that the index declares.
    pub fn apply(&self, index: &mut Index) {
        if let Some(case) = self.case {
            index.case_sensitive = case;
        }
        if let Some(accents) = self.accents {
            index.remove_accents = !accents;
        }
    }
}
