//! Loads that are interrupted, repeated or concurrent: no record is lost or stored twice.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::sync::mpsc;

use octavo_data_import::load::{Input, LoadError, LoadOptions, Loaded};
use octavo_testkit::Library;
use serde_json::json;

use super::{bib, bibs, failing_at, iso2709, known_as, load_bytes, load_input, total};
use octavo_server_testkit::library;

/// A file of twelve records, the third and the tenth of which make no instance.
fn file() -> Vec<u8> {
    (1..=12)
        .flat_map(|at| match at {
            3 | 10 => iso2709(&format!("001 {at}\n500   $aLoose")),
            _ => bib(at, ""),
        })
        .collect()
}

/// Every title that is stored, and the progress that the load reports.
async fn stored(library: &Library) -> (Vec<String>, Vec<(i64, i64, i64, bool)>) {
    let (database, tenant) = (&library.platform.store.database, library.tenant());
    let schema = tenant.schema();
    let sql = format!("SELECT jsonb->>'title' FROM {schema}.instance ORDER BY 1");
    let rows = database.query(&sql, &[]).await.expect("an answer");
    let titles = rows.iter().map(|row| row.get(0)).collect();
    let sql = format!(
        "SELECT position, created, problems, finished_at IS NOT NULL \
         FROM {schema}.import_progress ORDER BY started_at"
    );
    let rows = database.query(&sql, &[]).await.expect("an answer");
    let progress = rows
        .iter()
        .map(|row| (row.get(0), row.get(1), row.get(2), row.get(3)))
        .collect();
    (titles, progress)
}

#[tokio::test]
async fn a_load_that_was_cut_off_goes_on_behind_what_was_stored() {
    let library = library().await;
    let options = LoadOptions {
        with_bytes: true,
        ..known_as("one", 2)
    };
    let result = load_input(&library, failing_at(8, file()), &options).await;
    assert!(
        matches!(result.outcome, Err(LoadError::Input(_))),
        "{:?}",
        result.outcome
    );
    let (titles, progress) = stored(&library).await;
    // Six records are three whole batches; the seventh was read and not stored.
    assert_eq!(progress, [(6, 5, 1, false)]);
    assert_eq!(titles.len(), 5);

    let result = load_bytes(&library, file(), &options).await;
    let begun = result.begun.expect("it began");
    assert_eq!((begun.position, begun.created, begun.problems), (6, 5, 1));
    let done = result.complete();
    assert_eq!(done.job_id, begun.job_id);
    assert_eq!((done.position, done.created, done.problems), (12, 10, 2));
    // The earlier problem is reported again, with its bytes, for files that are written again.
    let [earlier] = &result.earlier[..] else {
        panic!("{:?}", result.earlier)
    };
    assert_eq!((earlier.position, &*earlier.control_number), (3, "3"));
    assert_eq!(earlier.bytes, iso2709("001 3\n500   $aLoose"));
    assert!(earlier.reason.contains("title"), "{earlier:?}");
    assert_eq!(result.positions(), [10]);

    let (titles, progress) = stored(&library).await;
    assert_eq!(progress, [(12, 10, 2, true)]);
    let distinct: BTreeSet<&String> = titles.iter().collect();
    assert_eq!((titles.len(), distinct.len()), (10, 10));
    let client = library.client().await;
    assert_eq!(total(&client, "/source-storage/records").await, 10);
}

#[tokio::test]
async fn a_load_is_listed_with_its_current_progress() {
    let library = library().await;
    let client = library.client().await;
    let result = async || {
        let path = "/metadata-provider/jobExecutions?fileName=file.mrc";
        let jobs = client.get(path).await.expect(200).json();
        assert_eq!(jobs["totalRecords"], 1);
        jobs["jobExecutions"][0].clone()
    };
    let options = known_as("one", 2);
    let failed = load_input(&library, failing_at(8, file()), &options).await;
    assert!(failed.outcome.is_err());
    let before = result().await;
    assert_eq!(
        (&before["status"], &before["progress"]["current"]),
        (&json!("ERROR"), &json!(6))
    );
    assert_eq!(before["errorStatus"], "FILE_PROCESSING_ERROR");
    assert!(before["completedDate"].is_string());

    // It continues, and stops before its eleventh record.
    let (go_on, waits) = mpsc::channel::<()>();
    let mut records = Input::open(Cursor::new(file())).expect("bytes in memory");
    let mut taken = 0;
    let slow = std::iter::from_fn(move || {
        taken += 1;
        if taken == 11 {
            let _ = waits.recv();
        }
        records.next()
    });
    let first = load_input(&library, slow, &options);
    let second = async {
        while stored(&library).await.1[0].0 < 8 {
            tokio::task::yield_now().await;
        }
        let (now, reached) = (result().await, stored(&library).await.1[0].0);
        go_on.send(()).expect("the load waits");
        (now, reached)
    };
    let (done, (now, reached)) = tokio::join!(first, second);
    assert_eq!(now["status"], "PROCESSING_IN_PROGRESS");
    assert!(now["progress"]["current"].as_i64() >= Some(8), "{now}");
    assert!(
        now["progress"]["current"].as_i64() <= Some(reached),
        "{now}"
    );
    assert_eq!(
        (now.get("errorStatus"), now.get("completedDate")),
        (None, None)
    );
    assert_eq!(now["hrId"], before["hrId"]);

    assert_eq!(done.complete().created, 10);
    let after = result().await;
    assert_eq!(
        (&after["status"], &after["progress"]["current"]),
        (&json!("COMMITTED"), &json!(12))
    );
    assert_eq!(after.get("errorStatus"), None);
    assert_eq!(
        (&after["id"], &after["hrId"]),
        (&before["id"], &before["hrId"])
    );
}

#[tokio::test]
async fn the_same_file_is_loaded_once_unless_it_is_said_again() {
    let library = library().await;
    let options = known_as("same", 500);
    let first = load_bytes(&library, bibs(1..=3), &options).await.complete();
    let result = load_bytes(&library, bibs(1..=3), &options).await;
    let Ok(Loaded::Before {
        progress,
        finished_at,
    }) = result.outcome
    else {
        panic!("{:?}", result.outcome)
    };
    assert_eq!((progress.job_id, progress.created), (first.job_id, 3));
    assert!(finished_at <= jiff::Timestamp::now());
    assert!(result.begun.is_none());
    assert_eq!(stored(&library).await.0.len(), 3);

    let again = LoadOptions {
        again: true,
        ..options
    };
    let second = load_bytes(&library, bibs(1..=3), &again).await.complete();
    assert_ne!(second.job_id, first.job_id);
    assert_eq!(stored(&library).await.0.len(), 6);
    // What is not known again is loaded each time.
    for _ in 0..2 {
        load_bytes(&library, bib(9, ""), &super::options())
            .await
            .complete();
    }
    assert_eq!(stored(&library).await.0.len(), 8);
}

#[tokio::test]
async fn of_two_who_load_the_same_at_once_one_does_it() {
    let library = library().await;
    let (go_on, waits) = mpsc::channel::<()>();
    let mut records = Input::open(Cursor::new(bibs(1..=4))).expect("bytes in memory");
    let mut taken = 0;
    let slow = std::iter::from_fn(move || {
        taken += 1;
        if taken == 3 {
            let _ = waits.recv();
        }
        records.next()
    });
    let known = known_as("both", 1);
    let first = load_input(&library, slow, &known);
    let second = async {
        // The first has its lock once it has noted that it began.
        while stored(&library).await.1.is_empty() {
            tokio::task::yield_now().await;
        }
        let result = load_bytes(&library, bibs(1..=4), &known).await;
        let other = load_bytes(&library, bibs(5..=5), &known_as("other", 1)).await;
        go_on.send(()).expect("the first waits");
        (result, other)
    };
    let (first, (second, other)) = tokio::join!(first, second);
    assert_eq!(first.complete().created, 4);
    assert!(
        matches!(second.outcome, Err(LoadError::Elsewhere)),
        "{:?}",
        second.outcome
    );
    assert_eq!(other.complete().created, 1);
    assert_eq!(stored(&library).await.0.len(), 5);
}

#[tokio::test]
async fn progress_is_what_is_stored_after_every_failure() {
    let library = library().await;
    let file = bibs(1..=20);
    for position in 2..=20 {
        let options = known_as("failing", 3);
        let result = load_input(&library, failing_at(position, file.clone()), &options).await;
        assert!(matches!(result.outcome, Err(LoadError::Input(_))));
        let (titles, progress) = stored(&library).await;
        let [(reached, created, 0, false)] = progress[..] else {
            panic!("{progress:?}")
        };
        assert_eq!((titles.len() as i64, reached), (created, created));
        assert!(reached < position as i64);
    }
    let result = load_bytes(&library, file, &known_as("failing", 3)).await;
    assert_eq!(result.complete().created, 20);
    assert_eq!(stored(&library).await.0.len(), 20);
}
