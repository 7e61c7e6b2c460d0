//! The parameters of `/inventory/items-by-holdings-id`: a query of one fixed form.

use uuid::Uuid;

/// Which items of a holdings record are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemsQuery {
    /// The holdings record.
    pub holdings_id: Uuid,
    /// Those that belong to it.
    pub own_items: bool,
    /// Bound-with items that belong to it.
    pub bound_items_of_own: bool,
    /// CQL's clause that sorts them, if there is one.
    pub sort: Option<String>,
}

const ONLY_BOUND: &str = "onlyBoundWiths";
const ONLY_FOREIGN: &str = "onlyBoundWithsSkipDirectlyLinkedItem";

/// Maximal size of a page, as in FOLIO.
pub const LIMIT_MAX: i64 = 10_000;

/// A number of the request; an invalid one counts as absent.
#[must_use]
pub fn number(sent: Option<&str>, default: i64) -> i64 {
    sent.filter(|text| text.bytes().all(|one| one.is_ascii_digit()))
        .and_then(|text| text.parse::<i32>().ok())
        .map_or(default, i64::from)
}

/// Reads `query` and `relations`.
///
/// # Errors
/// FOLIO's message when they are of another form.
pub fn parse(query: Option<&str>, relations: Option<&str>) -> Result<ItemsQuery, String> {
    let shown: String = query.unwrap_or("null").chars().take(200).collect();
    let query = query
        .filter(|query| query.contains("holdingsRecordId"))
        .ok_or_else(|| {
            format!(
                "Items must be retrieved by 'holdingsRecordId' from this API. Query was: {shown}"
            )
        })?;
    let (own_items, bound_items_of_own) = match relations {
        None => (true, true),
        Some(ONLY_BOUND) => (false, true),
        Some(ONLY_FOREIGN) => (false, false),
        Some(_) => {
            return Err(format!(
                "The only valid values of the request parameter 'relations' are: '{ONLY_BOUND}' \
                 and '{ONLY_FOREIGN}'"
            ));
        }
    };
    // FOLIO's storage sorts by whatever follows the id.
    let (about, sort) = match sort_clause(query) {
        Some(at) => query.split_at(at),
        None => (query, ""),
    };
    let holdings_id = about
        .rsplit_once('=')
        .filter(|(field, _)| field.trim_matches(['(', ')', '=', ' ']) == "holdingsRecordId")
        .and_then(|(_, id)| Uuid::try_parse(id.trim_matches(['(', ')', '"', ' '])).ok())
        .ok_or_else(|| {
            format!(
                "Items must be retrieved by 'holdingsRecordId' from this API: \
                 query=holdingsRecordId==[a UUID]. Query was: {shown}"
            )
        })?;
    Ok(ItemsQuery {
        holdings_id,
        own_items,
        bound_items_of_own,
        sort: (!sort.is_empty()).then(|| sort.trim_end_matches(')').to_owned()),
    })
}

/// The position of the word `sortBy`, in any case.
fn sort_clause(query: &str) -> Option<usize> {
    const WORD: &str = "sortby";
    let bytes = query.as_bytes();
    (1..bytes.len().saturating_sub(WORD.len())).find(|at| {
        let word = &bytes[*at..*at + WORD.len()];
        word.eq_ignore_ascii_case(WORD.as_bytes())
            && matches!(bytes[at - 1], b' ' | b')' | b'"')
            && bytes[at + WORD.len()] == b' '
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_was_not_sent() {
        for (sent, number) in [
            (Some("7"), 7),
            (Some("x"), 200),
            (Some("-1"), 200),
            (Some(""), 200),
            (None, 200),
        ] {
            assert_eq!(super::number(sent, 200), number, "{sent:?}");
        }
    }

    #[test]
    fn one_id_in_a_fixed_form() {
        let id = Uuid::from_u128(7);
        for query in [
            format!("holdingsRecordId=={id}"),
            format!("(holdingsRecordId={id})"),
            format!("holdingsRecordId == \"{id}\""),
        ] {
            let parsed = parse(Some(&query), None).map(|parsed| parsed.holdings_id);
            assert_eq!(parsed, Ok(id), "{query}");
        }
        for query in [None, Some("barcode==1"), Some("holdingsRecordId==7")] {
            assert!(parse(query, None).is_err(), "{query:?}");
        }
        for (query, sort) in [
            (
                format!("holdingsRecordId=={id} sortBy barcode"),
                "sortBy barcode",
            ),
            (
                format!("(holdingsRecordId=={id}) SORTBY volume/sort.descending copyNumber"),
                "SORTBY volume/sort.descending copyNumber",
            ),
            (
                format!("(holdingsRecordId=={id} sortby hrid)"),
                "sortby hrid",
            ),
        ] {
            let parsed = parse(Some(&query), None).expect("a query");
            assert_eq!(
                (parsed.holdings_id, parsed.sort.as_deref()),
                (id, Some(sort))
            );
        }
        let query = format!("barcode==1 and holdingsRecordId=={id}");
        assert!(parse(Some(&query), None).is_err());
        let query = format!("holdingsRecordId=={id}");
        assert!(parse(Some(&query), Some("all")).is_err());
        let foreign = parse(Some(&query), Some(ONLY_FOREIGN)).expect("a query");
        assert!(!foreign.own_items && !foreign.bound_items_of_own);
    }
}
