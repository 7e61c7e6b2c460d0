//! Narrow rows for searching: a collection with them finds what the same records without them are found
//! by, in the same order, and they follow every change.

use std::collections::{BTreeMap, BTreeSet};

use octavo_cql::Term;
use octavo_records::{
    Collection, Index, Search, SearchRows, Stamp, Store, StoreError, Tenant, Totals,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::shelf::{Shelf, store};

const SHAPE: &str = "id uuid\nname string\ncode string\nmail string\nplace string\n";
const FIELDS: [&str; 3] = ["name", "code", "mail"];

/// What texts are made of: what PostgreSQL's parser of words takes for words, numbers, addresses and tags,
/// and characters that become others without their accents.
const PIECES: [&str; 44] = [
    "a", "A", "ab", "abc", "b1", "1", "12", "1e5", "e", "x", "0x1f", "<", "<b", ">", "</", "://",
    "http://", "ftp://", "www.", "a.b", "b.org", "@", "a@b.org", ".", "-", "_", "/", "&", "&amp;",
    " ", " ", " ", "'", "é", "ß", "：//", "＜", "ŉ", "日", ":", "%", "\\", "+5", "\"",
];

/// The same records without rows and with them.
fn people() -> Vec<Collection> {
    let plain = |table: &str| {
        let mut people = Collection::new(table, table, SHAPE);
        for field in FIELDS {
            people = people
                .index(Index::plain(field))
                .index(Index::full_text(field));
        }
        people.index(Index::full_text("all").over(&["name", "code", "mail", "id"]))
    };
    let rows = SearchRows::of("all", &["name", "code"]).bounded(3, 60);
    vec![plain("without"), plain("people").search_rows(rows)]
}

fn text() -> impl Strategy<Value = String> {
    vec(select(PIECES.to_vec()), 0..7).prop_map(|pieces| pieces.concat())
}

fn person() -> impl Strategy<Value = Value> {
    let place = select(vec!["here", "there"]);
    let maybe = || proptest::option::weighted(0.8, text());
    (maybe(), maybe(), maybe(), place).prop_map(|(name, code, mail, place)| {
        let mut person = json!({"place": place});
        for (field, value) in FIELDS.into_iter().zip([name, code, mail]) {
            if let Some(value) = value {
                person[field] = json!(value);
            }
        }
        person
    })
}

/// What is typed: the beginning of a text, or of one of its words, with a star behind it.
fn typed(texts: Vec<String>) -> impl Strategy<Value = String> {
    (
        select(texts),
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
    )
        .prop_map(|(text, word, end)| {
            let words: Vec<&str> = text.split(' ').collect();
            let word = match word.index(words.len() + 1) {
                0 => text.as_str(),
                at => words[at - 1],
            };
            let characters: Vec<char> = word.chars().collect();
            let end = end.index(characters.len().min(4) + 1);
            let cut: String = characters[..end].iter().collect();
            format!("\"{}*\"", Term::exactly(&cut).as_str())
        })
}

/// A search as forms send it: each typed word in one of the fields, or in all together.
fn query(texts: Vec<String>) -> impl Strategy<Value = (String, &'static str)> {
    let word = (typed(texts), 0..6_u8).prop_map(|(typed, form)| match form {
        0 | 1 => format!("all={typed}"),
        2 => format!("(name=={typed} or code=={typed} or mail=={typed})"),
        3 => format!("(name={typed} or code={typed} or mail={typed} or id==1*)"),
        4 => format!("(name=={typed} or all={typed})"),
        _ => format!("(mail any {typed} or name all {typed})"),
    });
    let filter = select(vec!["", "", " and place==here", " not code==\"a*\""]);
    let sort = select(vec![
        "name code",
        "name code",
        "name",
        "name/sort.descending code/sort.descending",
        "code",
        "name code/sort.descending",
    ]);
    (vec(word, 1..4), filter, sort)
        .prop_map(|(words, filter, sort)| (words.join(" and ") + filter, sort))
}

async fn page(
    shelf: &Shelf,
    table: &str,
    query: &str,
    offset: i64,
    limit: i64,
) -> Result<Vec<Value>, StoreError> {
    let search = Search {
        query: Some(query),
        offset,
        limit,
        totals: Totals::Auto,
    };
    let mut page = shelf.page(table, search).await?;
    match page[table].take() {
        Value::Array(found) => Ok(found),
        other => panic!("no list: {other}"),
    }
}

/// What the table is sorted by: the keys of each record, as the rows have them.
async fn keys(shelf: &Shelf) -> BTreeMap<String, [Option<String>; 2]> {
    let sql = "SELECT id::text, key_1, key_2 FROM tenant_diku.people_search";
    let rows = shelf.store.database.query(sql, &[]).await.unwrap();
    let keys = rows.iter().map(|row| {
        (
            row.get("id"),
            [row.get::<_, Option<String>>("key_1"), row.get("key_2")],
        )
    });
    keys.collect()
}

fn ids(found: &[Value]) -> Vec<String> {
    let id = |record: &Value| record["id"].as_str().unwrap().to_owned();
    found.iter().map(id).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_typed_finds_the_same_with_rows_and_without() {
    let shelf = Shelf::with(people()).await;
    let mut chance = TestRunner::default();
    let people = vec(person(), 250).new_tree(&mut chance).unwrap().current();
    let mut texts = Vec::new();
    for mut person in people {
        let texts_of = FIELDS.iter().filter_map(|field| person[*field].as_str());
        texts.extend(texts_of.map(str::to_owned));
        person["id"] = json!(Uuid::new_v4().to_string());
        shelf.put("without", person.clone()).await;
        shelf.put("people", person).await;
    }
    let keys = keys(&shelf).await;
    assert_eq!(keys.len(), 250);
    let queries = query(texts);
    let (mut walked, mut sorted, mut refused) = (0, 0, 0);
    for _ in 0..700 {
        let (wanted, sort) = queries.new_tree(&mut chance).unwrap().current();
        let asked = format!("{wanted} sortBy {sort}");
        let without = page(&shelf, "without", &asked, 0, 1_000).await;
        let with = page(&shelf, "people", &asked, 0, 1_000).await;
        let (without, with) = match (without, with) {
            (Ok(without), Ok(with)) => (ids(&without), ids(&with)),
            (Err(StoreError::Query(one)), Err(StoreError::Query(other))) => {
                assert_eq!(one, other, "{asked}");
                refused += 1;
                continue;
            }
            other => panic!("{asked}: {other:?}"),
        };
        let order = |ids: &[String]| -> Vec<_> {
            let keys = ids.iter().map(|id| keys[id].clone());
            match sort {
                "name" => keys.map(|[name, _]| [name, None]).collect(),
                "code" => keys.map(|[_, code]| [code, None]).collect(),
                _ => keys.collect::<Vec<_>>(),
            }
        };
        let set = |ids: &[String]| ids.iter().cloned().collect::<BTreeSet<_>>();
        assert_eq!(set(&without), set(&with), "{asked}");
        assert_eq!(order(&without), order(&with), "{asked}");
        // Pages within: those that are met along the order among them.
        let small = page(&shelf, "people", &asked, 1, 2).await.unwrap();
        let small = ids(&small);
        let within: Vec<_> = without.iter().skip(1).take(2).cloned().collect();
        assert_eq!(order(&small), order(&within), "{asked}");
        assert!(set(&small).is_subset(&set(&with)), "{asked}");
        match with.len() {
            0..=3 => sorted += 1,
            _ => walked += 1,
        }
    }
    // All ways were gone, and what was asked was mostly something.
    assert!(
        walked > 50 && sorted > 50 && refused < 500,
        "{walked} {sorted} {refused}"
    );
}

/// What is in the rows and should not be, or is not and should be.
async fn differences(store: &Store) -> i64 {
    let sql = "SELECT count(*) AS differing FROM tenant_diku.people AS record \
        LEFT JOIN LATERAL tenant_diku.people_search_row(record.id, record.jsonb) AS made ON true \
        FULL JOIN tenant_diku.people_search AS kept ON kept.id = record.id \
        WHERE kept IS DISTINCT FROM made";
    let rows = store.database.query(sql, &[]).await.unwrap();
    rows[0].get("differing")
}

#[tokio::test]
async fn rows_follow_every_change() {
    let shelf = Shelf::with(people()).await;
    let person = shelf.collection("people");
    let found = async |query: &str| {
        let asked = format!("{query} sortBy name code");
        page(&shelf, "people", &asked, 0, 10).await.unwrap().len()
    };
    let ada = shelf
        .put(
            "people",
            json!({"name": "Ada", "code": "1815", "place": "here"}),
        )
        .await;
    shelf.put("people", json!({"name": "Alan"})).await;
    assert_eq!(found("all=\"ada*\" and all=\"18*\"").await, 1);
    for changed in [
        json!({"name": "Ada", "code": "1852", "place": "here"}),
        json!({"name": "Ada", "code": "1852", "place": "there"}),
        json!({"name": "Augusta <Ada>", "mail": "ada@example.org"}),
    ] {
        let stamp = Stamp::now(None);
        let store = &shelf.store;
        store
            .replace(&shelf.tenant, &person, ada, changed, &stamp)
            .await
            .unwrap();
        assert_eq!(differences(store).await, 0);
    }
    assert_eq!(found("all=\"18*\"").await, 0);
    assert_eq!(found("mail==\"ada@*\"").await, 1);
    let store = &shelf.store;
    store.delete(&shelf.tenant, &person, ada).await.unwrap();
    assert_eq!(differences(store).await, 0);
    assert_eq!(found("all=\"a*\"").await, 1);
}

#[tokio::test]
async fn records_of_an_earlier_release_get_their_rows() {
    let mut older = people();
    older[1].search_rows = None;
    let shelf = Shelf::with(older).await;
    shelf
        .put("people", json!({"name": "Ada", "code": "1815"}))
        .await;
    let now = store(&shelf.database, people()).await;
    let outcome = now.provision(&shelf.tenant, &[]).await.unwrap();
    assert_eq!(outcome.applied, ["search rows people"]);
    assert_eq!(outcome.pending_indexes, [""; 0]);
    assert_eq!(outcome.undeclared_indexes, [""; 0]);
    assert_eq!(differences(&now).await, 0);
    let fresh = Tenant::new("fresh").unwrap();
    now.provision(&fresh, &[]).await.unwrap();
    let config = shelf.database.config();
    assert_eq!(
        octavo_postgres::testing::catalogue(&config, "tenant_diku").await,
        octavo_postgres::testing::catalogue(&config, "tenant_fresh").await
    );
}
