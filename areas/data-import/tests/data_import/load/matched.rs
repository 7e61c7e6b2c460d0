//! Records that match existing ones: left unchanged, or stored singly.

use std::sync::{Arc, Mutex};

use octavo_data_import::load::{LoadOptions, Refused, Single, Singly, Storing};
use octavo_mapping::RecordKind;
use octavo_postgres::Transaction;
use octavo_records::Context;
use octavo_records::StoreError;
use octavo_records::store::emit;
use serde_json::json;
use uuid::Uuid;

use super::{bib, bibs, iso2709, load_bytes, options, text, total};
use octavo_server_testkit::library;

fn matching(by: &str) -> LoadOptions {
    LoadOptions {
        matching: Some(by.parse().expect("a match")),
        batch_records: 3,
        ..options()
    }
}

#[tokio::test]
async fn what_is_there_is_left_alone_by_each_kind_of_match() {
    let library = library().await;
    let client = library.client().await;
    let isbn = "020   $a9780306406157\n035   $a(X)77\n035   $a(OCoLC)0078";
    let first = load_bytes(&library, [bibs(1..=3), bib(4, isbn)].concat(), &options()).await;
    assert_eq!(first.complete().created, 4);
    // By the original number, which 035 has; the fifth is new and is in the file twice.
    let again = [bibs(1..=3), bib(5, ""), bib(5, ""), bib(4, "")].concat();
    let loaded = load_bytes(&library, again, &matching("001")).await;
    let progress = loaded.complete();
    assert_eq!(
        (progress.created, progress.matched),
        (1, 5),
        "{:?}",
        loaded.problems
    );
    for (by, record) in [
        ("020.a", "245 10$aOther\n020   $a9780306406157"),
        ("035a", "245 10$aOther\n035   $a(X)77"),
        ("035.a", "245 10$aOther\n035   $a(Y)1\n035   $a(NoOU)2"),
        ("035a", "245 10$aOther\n035   $a(OCoLC)ocm00078"),
    ] {
        let loaded = load_bytes(&library, iso2709(record), &matching(by)).await;
        let progress = loaded.complete();
        assert_eq!((progress.created, progress.matched), (0, 1), "{by}");
    }
    let page = client.get("/instance-storage/instances?limit=1").await;
    let page = page.expect(200).json();
    let hrid = text(&page["instances"][0], "hrid").to_owned();
    let record = format!("001 {hrid}\n245 10$aOther");
    let loaded = load_bytes(&library, iso2709(&record), &matching("hrid")).await;
    assert_eq!(loaded.complete().matched, 1);
    // A part of a number is another number.
    let loaded = load_bytes(
        &library,
        iso2709("245 10$aOther\n035   $a(X)7"),
        &matching("035a"),
    )
    .await;
    assert_eq!(loaded.complete().created, 1);
    // Two that match are one too many.
    let both = iso2709("245 10$aOther\n035   $a(NoOU)1\n035   $a(NoOU)2");
    let loaded = load_bytes(&library, both, &matching("035a")).await;
    assert_eq!(loaded.complete().problems, 1);
    assert!(loaded.problems[0].reason.starts_with("2 instances"));
    assert_eq!(total(&client, "/instance-storage/instances").await, 6);
}

#[tokio::test]
async fn of_two_loads_at_once_the_second_finds_what_the_first_made() {
    let library = library().await;
    let client = library.client().await;
    let options = LoadOptions {
        batch_records: 10,
        ..matching("001")
    };
    let (first, second) = tokio::join!(
        load_bytes(&library, bibs(1..=40), &options),
        load_bytes(&library, bibs((1..=30).chain(41..=50)), &options),
    );
    let (first, second) = (first.complete(), second.complete());
    assert_eq!(first.created + second.created, 50);
    assert_eq!(first.matched + second.matched, 30);
    assert_eq!(total(&client, "/instance-storage/instances").await, 50);
    assert_eq!(total(&client, "/source-storage/records").await, 50);
}

/// Notes what it is given, writes something, and refuses records with 001 `no`.
#[derive(Debug, Default)]
struct Noting(Mutex<Vec<(u64, RecordKind, Option<Uuid>)>>);

impl Singly for Noting {
    fn store<'a>(
        &'a self,
        context: &'a Context<'a>,
        transaction: &'a Transaction,
        single: Single,
    ) -> Storing<'a> {
        Box::pin(async move {
            let key = Uuid::new_v4();
            let payload = json!({});
            emit(
                transaction,
                context.tenant,
                "single",
                key,
                "CREATE",
                &payload,
            )
            .await
            .map_err(Refused::Store)?;
            match single.record.control("001") {
                Some("no") => return Err(Refused::Record("not wanted".to_owned())),
                Some("taken") => {
                    return Err(Refused::Store(StoreError::Duplicate {
                        status: 422,
                        message: "it is taken".to_owned(),
                        field: "hrid".to_owned(),
                        value: "taken".to_owned(),
                    }));
                }
                _ => {}
            }
            let mut noted = self.0.lock().expect("no panic");
            noted.push((single.position, single.kind, single.changes));
            Ok(())
        })
    }
}

fn of_type(letter: u8, text: &str) -> Vec<u8> {
    let mut record = iso2709(text);
    record[6] = letter;
    record
}

#[tokio::test]
async fn singles_are_stored_behind_the_new_ones_and_a_refused_one_leaves_nothing() {
    let library = library().await;
    let client = library.client().await;
    load_bytes(&library, bib(1, ""), &options())
        .await
        .complete();
    let singly = Arc::new(Noting::default());
    let file = [
        of_type(b'y', "001 h1\n004 in1"),
        bib(1, ""),
        of_type(b'z', "001 a1\n100 1 $aMason"),
        of_type(b'z', "001 no\n100 1 $aMason"),
        bib(2, ""),
        of_type(b'x', "001 taken\n004 in1"),
    ]
    .concat();
    let wanted = LoadOptions {
        update: true,
        singly: Some(Arc::clone(&singly) as Arc<dyn Singly>),
        batch_records: 500,
        ..matching("001")
    };
    let loaded = load_bytes(&library, file.clone(), &wanted).await;
    let progress = loaded.complete();
    assert_eq!(
        (
            progress.created,
            progress.updated,
            progress.matched,
            progress.problems
        ),
        (1, 3, 0, 2),
        "{:?}",
        loaded.problems
    );
    let reasons: Vec<(u64, &str)> = (loaded.problems.iter())
        .map(|one| (one.position, one.reason.as_str()))
        .collect();
    assert_eq!(reasons, [(4, "not wanted"), (6, "it is taken")]);
    let noted = singly.0.lock().expect("no panic").clone();
    let kinds: Vec<(u64, RecordKind)> = noted.iter().map(|one| (one.0, one.1)).collect();
    assert_eq!(
        kinds,
        [
            (1, RecordKind::Holdings),
            (2, RecordKind::Bib),
            (3, RecordKind::Authority)
        ]
    );
    let known = noted[1].2.expect("the instance that it changes");
    let path = format!("/instance-storage/instances/{known}");
    let title = client.get(&path).await.expect(200).json();
    assert!(text(&title, "title").contains("volume 1"));
    let sql = format!(
        "SELECT count(*) FROM {}.outbox WHERE topic = 'single'",
        library.tenant().schema()
    );
    let database = &library.platform.store.database;
    let rows = database.query(&sql, &[]).await.expect("an answer");
    assert_eq!(rows[0].get::<_, i64>(0), 3);

    // Of one kind only; records that are not stored are reported.
    let bibs_only = LoadOptions {
        kind: Some(RecordKind::Bib),
        ..matching("001")
    };
    let loaded = load_bytes(&library, file.clone(), &bibs_only).await;
    assert_eq!(loaded.positions(), [1, 3, 4, 6]);
    let loaded = load_bytes(&library, file, &matching("001")).await;
    assert_eq!(loaded.positions(), [1, 3, 4, 6]);
    assert!(loaded.problems[0].reason.contains("not bibliographic"));
    assert_eq!(total(&client, "/instance-storage/instances").await, 2);
}
