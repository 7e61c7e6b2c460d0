//! Suggestions: looks up the authorities that fields name, with their MARC records.

use octavo_boxed::boxed;
use octavo_records::StoreError;
use octavo_source_records::app::search::{IdType, current};
use serde_json::Value;
use uuid::Uuid;

use super::{Context, Refusal};
use crate::rules::suggest::{By, Candidate, SuggestionOptions};
use crate::store;

/// Authorities that are looked up in one statement.
const PORTION: usize = 500;
/// Authorities that one request may name.
const NAMES_MAX: usize = 5_000;

/// Marks in these records which field could follow which authority.
///
/// # Errors
/// When they name too many.
#[boxed]
pub async fn suggest(
    context: &Context<'_>,
    records: &mut [Value],
    by: By,
    all_rules: bool,
) -> Result<(), Refusal> {
    let (database, tenant) = (&context.store.database, context.tenant);
    let rules = store::rules::all(database, tenant).await?;
    let asked = SuggestionOptions {
        rules: &rules,
        by,
        all_rules,
    };
    let names: Vec<String> = asked.names(records).into_iter().collect();
    if names.len() > NAMES_MAX {
        let message = format!("A request names at most {NAMES_MAX} authorities");
        return Err(Refusal::invalid(message, "records", names.len()));
    }
    let mut candidates = Vec::new();
    for portion in names.chunks(PORTION) {
        candidates.extend(look_up(context, portion, by).await?);
    }
    asked.fill(records, &candidates);
    Ok(())
}

async fn look_up(
    context: &Context<'_>,
    names: &[String],
    by: By,
) -> Result<Vec<Candidate>, StoreError> {
    let (database, tenant) = (&context.store.database, context.tenant);
    let known = match by {
        By::NaturalId => store::authorities::of_natural_ids(database, tenant, names).await?,
        By::Id => {
            let ids: Vec<Uuid> = names
                .iter()
                .filter_map(|id| Uuid::try_parse(id).ok())
                .collect();
            store::authorities::of_ids(database, tenant, &ids).await?
        }
    };
    let ids: Vec<Uuid> = known.iter().map(|one| one.id).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let (wanted, state) = (IdType::Authority.among(&ids), current(false));
    let contents = store::authorities::contents_of(database, tenant, &wanted, &state).await?;
    let candidates = contents.into_iter().filter_map(|(id, content)| {
        let one = known.iter().find(|one| one.id == id)?;
        Some(Candidate {
            id,
            natural_id: one.natural_id.clone(),
            base_url: one.base_url.clone(),
            record: octavo_marc::Record::from_json(&content).ok()?,
        })
    });
    Ok(candidates.collect())
}
