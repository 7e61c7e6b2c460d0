//! Random records. Texts are made of few words, so that queries find something. Words for full-text
//! search are chosen so that PostgreSQL's parser does not take them for addresses, signed numbers
//! or hyphenated words; those are tested by examples.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use uuid::Uuid;

const WORDS: &str = "war War peace PEACE Émile emile Straße strasse Łódź naïve Ørsted Æsop œuvre Ω \
    Σοφός σοφός Жук жук Ёж 日本 a of the 1984 2 10 007 x2 cafe\u{301} café";

/// What separates words, one a line.
const BETWEEN: &str = " \n \n \n, \n; \n: \n  \n & \n&\n'\n\"\n (\n) \n! \n? \n * \n* \n % \n_ \n\\\n…\n ’\n“\n\
    ％\n＿\n＼\n＇\n＊\n\t\nï\n（\n^ \n | ";

/// What else a text can contain, one a line.
const ODD: &str = "\n \n%\n_\n\\\n100%\na_b\nC:\\x\n\\%\n''\n\"\n[]\n{}\n*\n?\n\u{1}\nnull\nİstanbul\nﬁn\n\
    -\n--\n12-34\n1.5\n-7\n1e3\n+5\n 5\n00012.50\nfoo/bar\n😀\n\u{7f}\n\u{fdd0}\nＡＢＣ";

const NUMERIC: &str = "1\n2\n10\n-3\n2.50\n2.5\nx\n\n1e3\n+5\n 5\n007\n12345678901234567890\n.";

/// One of the lines.
fn line(of: &'static str) -> impl Strategy<Value = String> {
    select(of.split('\n').collect::<Vec<_>>()).prop_map(str::to_owned)
}

fn id(seed: u8) -> Uuid {
    // Few first digits, so that truncated ids find several.
    Uuid::from_bytes([
        seed % 5 * 16 + seed % 3,
        seed,
        0x4a,
        1,
        0x4a,
        2,
        0x8a,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        seed,
    ])
}

/// A text of clearly separated words.
pub fn words() -> BoxedStrategy<String> {
    let word = || select(WORDS.split_whitespace().collect::<Vec<_>>());
    let between = prop_oneof![20 => line(BETWEEN), 1 => Just("\n".to_owned())];
    let (first, more) = (word(), vec((between, word()), 0..4));
    (first, more)
        .prop_map(|(first, more)| {
            let mut text = first.to_owned();
            for (between, word) in more {
                text.push_str(&between);
                text.push_str(word);
            }
            text
        })
        .boxed()
}

/// Any text; long ones too, which share their first 600 characters.
fn text() -> BoxedStrategy<String> {
    prop_oneof![
        8 => words(),
        2 => line(ODD),
        1 => (select(&["ab", "ß", "…", "Éa"] [..]), 290..620_usize, words())
            .prop_map(|(unit, times, end)| unit.repeat(times) + &end),
    ]
    .boxed()
}

fn number() -> BoxedStrategy<Value> {
    prop_oneof![
        (-20..20_i64).prop_map(Value::from),
        (-50..50_i32).prop_map(|tenths| json!(f64::from(tenths) / 10.0)),
        select(vec![
            json!(1e21),
            json!(1e-7),
            json!(9_007_199_254_740_993_i64),
            json!(1.5e300)
        ]),
    ]
    .boxed()
}

/// A property: mostly present, sometimes missing, sometimes null.
fn maybe(
    name: &'static str,
    value: BoxedStrategy<Value>,
) -> BoxedStrategy<Option<(String, Value)>> {
    prop_oneof![
        6 => value,
        1 => Just(Value::Null),
    ]
    .prop_map(move |value| Some((name.to_owned(), value)))
    .boxed()
    .prop_union(Just(None).boxed())
    .boxed()
}

fn json_of(text: BoxedStrategy<String>) -> BoxedStrategy<Value> {
    text.prop_map(Value::from).boxed()
}

fn object(properties: Vec<BoxedStrategy<Option<(String, Value)>>>) -> BoxedStrategy<Value> {
    properties
        .prop_map(|found| Value::Object(found.into_iter().flatten().collect()))
        .boxed()
}

fn reference(seeds: std::ops::Range<u8>) -> BoxedStrategy<Value> {
    seeds.prop_map(|seed| json!(id(seed).to_string())).boxed()
}

fn library() -> BoxedStrategy<Value> {
    object(vec![
        maybe("city", json_of(words())),
        maybe("founded", (1800..1810_i64).prop_map(Value::from).boxed()),
    ])
}

fn book() -> BoxedStrategy<Value> {
    let status = object(vec![
        maybe("name", json_of(words())),
        maybe("date", json_of(words())),
    ]);
    let contributor = object(vec![
        maybe("name", json_of(words())),
        maybe("kind", json_of(words())),
    ]);
    let status = prop_oneof![5 => status, 1 => json_of(words())].boxed();
    let elements = prop_oneof![6 => words(), 1 => Just(String::new())];
    let contributors = prop_oneof![
        6 => vec(prop_oneof![6 => contributor, 1 => json_of(words())], 0..3).prop_map(Value::from),
        1 => json_of(words()),
    ];
    let anything = prop_oneof![
        json_of(text()),
        number(),
        any::<bool>().prop_map(Value::from),
        vec(number(), 0..3).prop_map(Value::from),
        object(vec![
            maybe("deep", json_of(text())),
            maybe("z", number()),
            maybe("longer", number())
        ]),
    ];
    object(vec![
        maybe("libraryId", reference(0..LIBRARIES)),
        maybe("seriesId", reference(0..20)),
        maybe("genreId", reference(0..20)),
        maybe("title", json_of(words())),
        maybe("subtitle", json_of(words())),
        maybe("series", json_of(text())),
        maybe("shelfmark", json_of(text())),
        maybe("signature", json_of(text())),
        maybe("mark", json_of(text())),
        maybe("note", json_of(words())),
        maybe("remark", json_of(text())),
        maybe("status", status),
        maybe(
            "languages",
            vec(elements, 0..3).prop_map(Value::from).boxed(),
        ),
        maybe("contributors", contributors.boxed()),
        maybe("copiesCount", (0..12_i64).prop_map(Value::from).boxed()),
        maybe("price", number()),
        maybe("volume", json_of(line(NUMERIC).boxed())),
        maybe("circulates", any::<bool>().prop_map(Value::from).boxed()),
        maybe("anything", anything.boxed()),
    ])
}

fn copy(books: u8) -> BoxedStrategy<Value> {
    let named = reference(0..books).prop_map(|book| Some(("bookId".to_owned(), book)));
    object(vec![named.boxed(), maybe("condition", json_of(words()))])
}

const LIBRARIES: u8 = 8;
const BOOKS: u8 = 200;
const COPIES: u8 = 120;

/// Records for every table; unique keys are numbered.
pub fn records() -> BoxedStrategy<BTreeMap<String, Vec<Value>>> {
    let number = |records: Vec<Value>, key: &str, unit: &str| -> Vec<Value> {
        let numbered = records.into_iter().enumerate().map(|(at, mut record)| {
            let map: &mut Map<String, Value> = record.as_object_mut().unwrap();
            map.insert(
                "id".to_owned(),
                json!(id(u8::try_from(at).unwrap()).to_string()),
            );
            if at % 7 != 3 {
                map.insert(key.to_owned(), json!(format!("{unit} {at}")));
            }
            record
        });
        numbered.collect()
    };
    let all = (
        vec(library(), usize::from(LIBRARIES)),
        vec(book(), usize::from(BOOKS)),
        vec(copy(BOOKS), usize::from(COPIES)),
    );
    all.prop_map(move |(libraries, books, copies)| {
        BTreeMap::from([
            (
                "library".to_owned(),
                number(libraries, "name", "Łódź Library"),
            ),
            ("book".to_owned(), number(books, "hrid", "bk")),
            ("copy".to_owned(), number(copies, "barcode", "Bar Code")),
        ])
    })
    .boxed()
}
