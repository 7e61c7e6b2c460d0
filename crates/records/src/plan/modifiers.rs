//! The modifiers of a relation.

use octavo_cql::Clause;

use super::PlanError;
use crate::index::Index;

/// What a clause's modifiers say.
#[derive(Default)]
pub(super) struct Modifiers {
    /// Whether values are compared as numbers.
    pub number: bool,
    case: Option<bool>,
    accents: Option<bool>,
}

impl Modifiers {
    /// Reads them; one that is not known is refused.
    pub fn read(clause: &Clause) -> Result<Modifiers, PlanError> {
        let mut read = Modifiers::default();
        for modifier in &clause.relation.modifiers {
            match modifier.name.to_ascii_lowercase().as_str() {
                "number" => read.number = true,
                "respectcase" => read.case = Some(true),
                "ignorecase" => read.case = Some(false),
                "respectaccents" => read.accents = Some(true),
                "ignoreaccents" => read.accents = Some(false),
                "string" | "masked" => {}
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

    /// Folds as they say, whatever the index declares.
    pub fn apply(&self, index: &mut Index) {
        if let Some(case) = self.case {
            index.case_sensitive = case;
        }
        if let Some(accents) = self.accents {
            index.remove_accents = !accents;
        }
    }
}
