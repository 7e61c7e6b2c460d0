//! `/search/{recordType}/facets`.

use axum::response::Response;
use octavo_platform::{ApiError, Call};

use super::{ok, place, refusal, required};
use crate::app::{Failure, authorities, browse::option, facets};
use crate::query::Fault;
use crate::store::browse::List;

pub async fn count(call: Call) -> Result<Response, ApiError> {
    let query = required(&call, "query")?;
    let asked = call.parameters("facet")?;
    if asked.is_empty() {
        return Err(refusal::missing("facet"));
    }
    let kind = call.segment("recordType");
    let place = place(&call);
    let counted = match kind {
        "instances" => facets::instances(place, &query, &asked).await,
        "subjects" => facets::headings(place, List::Subjects, &query, &asked).await,
        "contributors" => facets::headings(place, List::Contributors, &query, &asked).await,
        "classifications" => {
            let (kind, _) = option(place, "instance-classification", "all")
                .await
                .map_err(refusal::of)?;
            facets::headings(place, List::Classifications(kind), &query, &asked).await
        }
        "call-numbers" => {
            let (kind, _) = option(place, "instance-call-number", "all")
                .await
                .map_err(refusal::of)?;
            facets::headings(place, List::CallNumbers(kind), &query, &asked).await
        }
        "authorities" => authorities::facets(place, &query, &asked).await,
        other => Err(Failure::Refused(Fault::of(
            format!("Unexpected value '{other}'"),
            "recordType",
            other,
        ))),
    };
    Ok(ok(&counted.map_err(refusal::of)?))
}
