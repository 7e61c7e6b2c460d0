//! The texts that indexes are made of are the same, whichever function makes them.

use octavo_postgres::testing::TestCluster;
use octavo_records::Executor;
use serde_json::{Value, json};

use super::shelf::{collections, store};

/// Lists as records have them, and as they should not.
fn lists() -> Vec<Value> {
    let element = |number: usize| match number % 6 {
        0 => json!({"value": format!("978 0-14 {number} (paperback)"), "type": "a"}),
        1 => json!({"value": format!("Ünïcode ß {number}"), "type": "b"}),
        2 => json!({"value": null, "type": "a"}),
        3 => json!({"value": {"nested": [number]}, "type": "a"}),
        4 => json!({"type": "a"}),
        _ => json!(format!("text {number}")),
    };
    let mut lists: Vec<Value> = [0, 1, 2, 3, 5, 6, 7, 13, 50, 51, 200]
        .into_iter()
        .flat_map(|length| {
            [0, 1, 4].map(|from| Value::Array((from..from + length).map(element).collect()))
        })
        .collect();
    lists.extend([
        json!({"value": "no list"}),
        json!("text"),
        json!(3),
        Value::Null,
        json!([null]),
        json!([[1], [{"value": "inside"}], true, ""]),
    ]);
    lists
}

#[tokio::test]
async fn lists_are_joined_as_one_query_over_their_elements_joins_them() {
    let database = TestCluster::shared().create_database().await;
    let store = store(&database, collections()).await;
    store.provision_shared().await.unwrap();
    let joined = |what: &str, only: &str| {
        format!(
            "(SELECT string_agg({what}, ' ' ORDER BY at) FROM jsonb_array_elements(CASE WHEN \
             jsonb_typeof(list) = 'array' THEN list ELSE '[]'::jsonb END) WITH ORDINALITY AS \
             _(element, at){only})"
        )
    };
    for (function, query) in [
        (
            "octavo_join(list, 'value')",
            joined("element ->> 'value'", ""),
        ),
        ("octavo_join(list)", joined("element #>> '{}'", "")),
        (
            "octavo_identifiers(list, 'a')",
            joined(
                "public.octavo_digits(element ->> 'value')",
                " WHERE element ->> 'identifierTypeId' = 'a'",
            ),
        ),
    ] {
        // The two name the type of an element differently.
        let lists: Vec<Value> = lists()
            .into_iter()
            .map(|list| {
                let text = list.to_string().replace("\"type\"", "\"identifierTypeId\"");
                serde_json::from_str(&text).unwrap()
            })
            .collect();
        let sql = format!(
            "SELECT public.{function} AS made, {query} AS wanted FROM unnest($1::jsonb[]) AS _(list)"
        );
        let rows = store.database.rows(&sql, &[&lists]).await.unwrap();
        assert_eq!(rows.len(), lists.len());
        let mut found = 0;
        for (row, list) in rows.iter().zip(&lists) {
            let made: Option<String> = row.get("made");
            assert_eq!(
                made,
                row.get::<_, Option<String>>("wanted"),
                "{function} of {list}"
            );
            found += usize::from(made.is_some());
        }
        assert!(found > 10, "{function} gave {found} texts");
    }
}

#[tokio::test]
async fn accents_are_taken_off_as_the_extension_does_with_and_without_its_function_declared_anew() {
    let database = TestCluster::shared().create_database().await;
    let store = store(&database, collections()).await;
    store.provision_shared().await.unwrap();
    let texts = [
        "",
        "plain",
        "Ærøskøbing",
        "straße",
        "ﬁne",
        "Ελληνικά",
        "a\u{301}",
        "‘quoted’",
    ];
    let sql = "SELECT public.f_unaccent(one) AS made, public.unaccent('public.unaccent', one) AS \
               wanted FROM unnest($1::text[]) AS _(one)";
    let as_it_is = store.database.rows(sql, &[&texts.to_vec()]).await.unwrap();
    let wrapped = "CREATE OR REPLACE FUNCTION public.f_unaccent(text) RETURNS text LANGUAGE sql \
                   IMMUTABLE PARALLEL SAFE STRICT \
                   AS $$ SELECT public.unaccent('public.unaccent', $1) $$";
    store.database.rows(wrapped, &[]).await.unwrap();
    let in_a_wrapper = store.database.rows(sql, &[&texts.to_vec()]).await.unwrap();
    for (one, other) in as_it_is.iter().zip(&in_a_wrapper) {
        let wanted: String = one.get("wanted");
        assert_eq!(one.get::<_, String>("made"), wanted);
        assert_eq!(other.get::<_, String>("made"), wanted);
    }
    assert_eq!(as_it_is[2].get::<_, String>("made"), "AEroskobing");
}
