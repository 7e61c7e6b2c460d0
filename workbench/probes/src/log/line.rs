//! A line of a FOLIO module's log: whether it reports a search without an index, and of which
//! field.

/// The field without an index.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct MissingField {
    pub table: String,
    pub field: String,
    pub kind: &'static str,
}

/// The longest name that is kept, in characters.
const NAME_CHARS_MAX: usize = 200;

/// RMB's storage modules write `Doing FT search without index for users.jsonb->>'name', CQL >>>
/// SQL: … >>> …`. The text after the comma contains users' search terms and is not read.
pub(super) fn missing_field(line: &str) -> Option<MissingField> {
    let (_, rest) = line.split_once("Doing ")?;
    let (kind, rest) = rest.split_once(' ')?;
    let kind = match kind {
        "FT" => "full text index",
        "LIKE" => "like index",
        "SQL" => "index",
        _ => return None,
    };
    let rest = rest
        .strip_prefix("search ")
        .or_else(|| rest.strip_prefix("query "))?;
    let rest = rest.strip_prefix("without index for ")?;
    let what = rest.split(", CQL >>> SQL").next().unwrap_or_default();
    let what = what.split(" >>> ").next().unwrap_or_default().trim();
    let cut = |text: &str| text.chars().take(NAME_CHARS_MAX).collect::<String>();
    let (table, field) = parts(what);
    Some(MissingField {
        table: cut(&table),
        field: cut(&field),
        kind,
    })
}

/// Table and field of an expression such as `lower(f_unaccent(users.jsonb->'personal'->>'email'))`.
fn parts(expression: &str) -> (String, String) {
    let keys: Vec<&str> = expression.split('\'').skip(1).step_by(2).collect();
    let (before, _) = match expression.split_once("jsonb") {
        Some(found) => found,
        None => return (String::new(), expression.to_owned()),
    };
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let table = before.trim_end_matches(['.', '"']);
    let table = table.rsplit(|letter: char| !is_name(letter)).next();
    let field = match keys.is_empty() {
        true => expression.to_owned(),
        false => keys.join("."),
    };
    (table.unwrap_or_default().to_owned(), field)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn table_and_field_are_found_and_words_of_readers_are_not() {
        for (what, table, field) in [
            ("users.jsonb->>'username'", "users", "username"),
            (
                "lower(f_unaccent(diku_mod_users.users.jsonb->'personal'->>'email'))",
                "users",
                "personal.email",
            ),
            ("item.jsonb->'status'->>'name'", "item", "status.name"),
            ("jsonb->>'title'", "", "title"),
            ("something else", "", "something else"),
        ] {
            let line = format!(
                "10:01:02 [vert.x-eventloop] [1/a] [diku] [] [mod_users] WARN  CQL2PgJSON           \
                 Doing FT search without index for {what}, CQL >>> SQL: personal = smith >>> \
                 get_tsvector('smith')"
            );
            let found = missing_field(&line).unwrap();
            assert_eq!((found.table.as_str(), found.field.as_str()), (table, field));
            assert_eq!(found.kind, "full text index");
        }
    }

    #[test]
    fn the_kind_is_that_of_the_search() {
        let line = |kind| {
            format!("WARN CQL2PgJSON Doing {kind} search without index for t.jsonb->>'a', CQL")
        };
        assert_eq!(missing_field(&line("LIKE")).unwrap().kind, "like index");
        assert_eq!(missing_field(&line("SQL")).unwrap().kind, "index");
        assert_eq!(missing_field(&line("XYZ")), None);
        assert_eq!(missing_field("INFO all is well"), None);
        assert_eq!(missing_field("Doing FT search with an index"), None);
    }

    proptest! {
        #[test]
        fn no_line_makes_it_panic(text in any::<String>()) {
            let _ = missing_field(&text);
            let _ = missing_field(&format!("Doing FT search without index for {text}"));
        }
    }
}
