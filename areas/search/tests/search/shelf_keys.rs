//! The keys by which call numbers are browsed are those that items are shelved by.

use octavo_inventory::rules::shelf_key;
use octavo_postgres::ToSql;

use octavo_server_testkit::library;

const PARTS: [&str; 24] = [
    "PN", "QA", "K", "76", "9", "102.5", "0", "00", ".", " ", ".B2", " .C12", "/", ":", "-",
    "v. 3", "no.2", "1999", "a", "É", "(Map)", "bis", "T22.19", "A 62",
];

/// Texts of parts of call numbers, always the same ones.
fn texts(count: usize) -> Vec<String> {
    let mut state: u64 = 7;
    let mut next = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or_default() % below
    };
    let text = |_| {
        let length = 1 + next(7);
        (0..length).map(|_| PARTS[next(PARTS.len())]).collect()
    };
    (0..count).map(text).collect()
}

#[tokio::test]
async fn the_databases_keys_are_the_rules_keys() {
    let library = library().await;
    let database = &library.platform.store.database;
    let texts = texts(5_000);
    let schema = library.tenant().schema().to_owned();
    for (algorithm, type_id) in [
        ("lc", shelf_key::LC),
        ("nlm", shelf_key::NLM),
        ("dewey", shelf_key::DEWEY),
        ("sudoc", shelf_key::SUDOC),
    ] {
        let sql =
            format!("SELECT {schema}.search_shelf_key($1, one) FROM unnest($2::text[]) AS one");
        let values: [&(dyn ToSql + Sync); 2] = [&algorithm, &texts];
        let rows = database.query(&sql, &values).await.expect("keys");
        for (row, text) in rows.iter().zip(&texts) {
            let key: String = row.get(0);
            let rule: String = shelf_key::of(Some(type_id), text)
                .chars()
                .take(200)
                .collect();
            assert_eq!(key, rule, "{algorithm} {text:?}");
        }
    }
}
