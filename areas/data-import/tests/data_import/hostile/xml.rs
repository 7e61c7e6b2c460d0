//! Files in MARCXML: entities are never expanded, and nothing outside is ever read.

use std::time::{Duration, Instant};

use super::{load, titles};
use octavo_server_testkit::library;

fn record(title: &str) -> String {
    format!(
        "<record><leader>00000cam a2200000   4500</leader>\
         <controlfield tag=\"001\">1</controlfield>\
         <datafield tag=\"245\" ind1=\"1\" ind2=\"0\"><subfield code=\"a\">{title}</subfield></datafield>\
         </record>"
    )
}

fn collection(head: &str, records: &[String]) -> String {
    let records = records.concat();
    format!(
        "<?xml version=\"1.0\"?>{head}<collection xmlns=\"http://www.loc.gov/MARC21/slim\">{records}\
         </collection>"
    )
}

/// Ten levels of ten references each: ten thousand million laughs.
fn laughs() -> String {
    let mut declarations = "<!ENTITY lol0 \"lol\">".to_owned();
    for level in 1..=10 {
        let below = format!("&lol{};", level - 1).repeat(10);
        declarations.push_str(&format!("<!ENTITY lol{level} \"{below}\">"));
    }
    format!("<!DOCTYPE lolz [{declarations}]>")
}

#[tokio::test]
async fn entities_are_reported_and_never_expanded() {
    let library = library().await;
    let client = library.client().await;
    let mut kept = 0;
    for (head, reference) in [
        (laughs(), "&lol10;"),
        (
            "<!DOCTYPE r [<!ENTITY out SYSTEM \"file:///etc/passwd\">]>".to_owned(),
            "&out;",
        ),
        (
            "<!DOCTYPE r [<!ENTITY out SYSTEM \"http://127.0.0.1:9/secret\">]>".to_owned(),
            "&out;",
        ),
        (
            "<!DOCTYPE r SYSTEM \"http://127.0.0.1:9/all.dtd\" [<!ENTITY % all SYSTEM \
             \"file:///etc/hostname\"> %all;]>"
                .to_owned(),
            "&all;",
        ),
        (String::new(), "&nothing;"),
    ] {
        let began = Instant::now();
        let file = collection(
            &head,
            &[record("First"), record(reference), record("Third")],
        );
        let loaded = load(&library, file.as_bytes()).await;
        assert_eq!(loaded.positions(), [2], "{head}: {:?}", loaded.problems);
        assert!(loaded.reason(2).contains("entity"), "{}", loaded.reason(2));
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "{reference} is not expanded"
        );
        kept += 2;
        assert_eq!(titles(&client).await, kept);
    }
    // The five that XML has and characters by number are meant as such.
    let file = collection("", &[record("Tom &amp; Jerry &lt;&#x41;&#66;&gt;")]);
    assert_eq!(load(&library, file.as_bytes()).await.positions(), [0; 0]);
    let found = client
        .query("/instance-storage/instances", "title=\"Tom\"")
        .await;
    let found = found.expect(200).json();
    assert_eq!(found["instances"][0]["title"], "Tom & Jerry <AB>");
}

#[tokio::test]
async fn one_record_that_is_no_xml_costs_no_other() {
    let library = library().await;
    let client = library.client().await;
    let with = |old: &str, new: &str| record("Broken").replace(old, new);
    let mut kept = 0;
    for (name, broken) in [
        ("a number of no character", record("&#0;")),
        ("a number beyond all characters", record("&#x110000;")),
        ("a tag that is none", with("\"245\"", "\"24\"")),
        ("no tag", with(" tag=\"245\"", "")),
        ("a subfield without a code", with(" code=\"a\"", "")),
        (
            "elements that cross",
            with("</subfield></datafield>", "</datafield></subfield>"),
        ),
        ("an attribute without quotes", with("\"245\"", "245")),
        ("no title", with("245", "500")),
        (
            "no fields",
            "<record><leader>00000cam a2200000   4500</leader></record>".to_owned(),
        ),
    ] {
        let file = collection("", &[record("First"), broken, record("Third")]);
        let loaded = load(&library, file.as_bytes()).await;
        assert_eq!(loaded.positions(), [2], "{name}: {:?}", loaded.problems);
        kept += 2;
        assert_eq!(titles(&client).await, kept, "{name}");
    }
    // U+0000 is replaced, as in ISO 2709.
    let file = collection("", &[record("Odd\u{0}ity")]);
    assert_eq!(load(&library, file.as_bytes()).await.positions(), [0; 0]);
    kept += 1;
    let found = client
        .query("/instance-storage/instances", "title=\"Odd*\"")
        .await;
    let found = found.expect(200).json();
    assert_eq!(found["instances"][0]["title"], "Odd\u{FFFD}ity");
    // An element without content is not a record, and no position either.
    let file = collection(
        "",
        &[record("First"), "<record/>".to_owned(), record("Third")],
    );
    let loaded = load(&library, file.as_bytes()).await;
    assert_eq!((loaded.summary.position, loaded.summary.created), (2, 2));
    kept += 2;
    // A truncated record is reported once.
    let file = collection("", &[record("First"), record("Second")]);
    let cut = file.len() - 60;
    let loaded = load(&library, &file.as_bytes()[..cut]).await;
    assert_eq!(loaded.positions(), [2], "{:?}", loaded.problems);
    // Depth costs no stack.
    let deep = format!(
        "<record>{}{}</record>",
        "<a>".repeat(100_000),
        "</a>".repeat(100_000)
    );
    let file = collection("", &[record("First"), deep, record("Third")]);
    let loaded = load(&library, file.as_bytes()).await;
    assert_eq!(loaded.positions(), [2], "{:?}", loaded.problems);
    assert_eq!(titles(&client).await, kept + 3);
}
