//! Import and export of MARC records: uploads, jobs that are polled, downloads.

use octavo_driver::drive;
use octavo_driver::workload;

use crate::canned::{ALWAYS, Canned, SOURCE_RECORDS, can, compare};
use crate::mini_folio::MiniFolio;
use crate::support::options;

const IMPORT: [Canned; 7] = [
    (
        "POST /data-import/uploadDefinitions/up-1/processFiles",
        204,
        "",
        ALWAYS,
    ),
    (
        "POST /data-import/uploadDefinitions/up-1/files/file-1",
        200,
        r#"{"id":"up-1","status":"LOADED","fileDefinitions":[{"id":"file-1","jobExecutionId":"job-1","sourcePath":"/tmp/x"}]}"#,
        ALWAYS,
    ),
    (
        "POST /data-import/uploadDefinitions",
        201,
        r#"{"id":"up-1","metaJobExecutionId":"meta-1","createDate":"2026-01-01","fileDefinitions":[{"id":"file-1","uploadDefinitionId":"up-1"}]}"#,
        ALWAYS,
    ),
    (
        "GET /data-import-profiles/jobProfiles?",
        200,
        r#"{"jobProfiles":[{"id":"p-0","name":"Other"},{"id":"p-1","name":"Default - Create instance and SRS MARC Bib"}]}"#,
        ALWAYS,
    ),
    (
        "GET /data-import-profiles/jobProfiles/p-1",
        200,
        r#"{"id":"p-1","dataType":"MARC"}"#,
        ALWAYS,
    ),
    (
        "GET /metadata-provider/jobExecutions?statusAny=COMMITTED",
        200,
        r#"{"jobExecutions":[{"id":"job-0"}]}"#,
        3,
    ),
    (
        "GET /metadata-provider/jobExecutions?statusAny=COMMITTED",
        200,
        r#"{"jobExecutions":[{"id":"job-0"},{"id":"job-1","status":"COMMITTED"}]}"#,
        ALWAYS,
    ),
];

/// The plan's text with shorter pauses between polls.
fn hurried(name: &str) -> workload::Workload {
    let built_in = workload::BUILT_IN
        .iter()
        .find(|one| one.name == name)
        .unwrap();
    let text = built_in.text.replace("every_ms = 5000", "every_ms = 5");
    let text = text.replace("every_ms = 3000", "every_ms = 5");
    workload::parse(&format!("{name}.toml"), &text).unwrap()
}

#[test]
fn an_import_uploads_marc_records_and_waits_for_its_job() {
    let folio = MiniFolio::start(0, 0);
    can(&folio, &IMPORT);
    let summary = drive::run(options(&folio.url, hurried("marc-import"), 1)).unwrap();
    assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
    let seen = folio.seen_by_users().split_off(1);
    let values = [
        ("uploadDefinitionId", "up-1"),
        ("fileDefinitionId", "file-1"),
        ("JobProfileID", "p-1"),
    ];
    let plan = include_str!("plans/marc-import.txt");
    let lines: Vec<_> = plan.lines().collect();
    // The job is missing once before polling begins, and in two polls.
    let poll = &lines[10..12];
    let plan = [&lines[..], poll, poll].concat().join("\n");
    compare(&seen, &plan, &values);
    let upload = &seen[3];
    assert_eq!(upload.header("content-type"), "application/octet-stream");
    assert_eq!(
        upload.header("content-length"),
        upload.body.len().to_string()
    );
    let records: Vec<_> = upload.body.split_inclusive('\u{1d}').collect();
    assert_eq!(records.len(), 100);
    for record in records {
        assert_eq!(record[..5].parse::<usize>().unwrap(), record.len());
        assert!(record.contains("\u{1f}aThe ") && record.ends_with("\u{1e}\u{1d}"));
    }
    let process: serde_json::Value = serde_json::from_str(&seen[7].body).unwrap();
    assert_eq!(process["jobProfileInfo"]["dataType"], "MARC");
    let file = &process["uploadDefinition"]["fileDefinitions"][0];
    assert_eq!(file["jobExecutionId"], "job-1");
    assert!(seen[1].body.contains(file["name"].as_str().unwrap()));
    // All polls are one line of the report.
    let requests = &summary.transactions[0].requests;
    let done = requests
        .iter()
        .find(|one| one.label.ends_with(", done"))
        .unwrap();
    assert_eq!(done.figures.statistics.samples, 1 + 3);
}

#[test]
fn a_job_that_is_never_done_is_an_error_after_the_last_question() {
    let folio = MiniFolio::start(0, 0);
    can(&folio, &IMPORT[..6]);
    let built_in = workload::BUILT_IN
        .iter()
        .find(|one| one.name == "marc-import");
    let text = built_in
        .unwrap()
        .text
        .replace("every_ms = 5000", "every_ms = 1");
    let text = text.replace("at_most = 2000", "at_most = 4");
    let workload = workload::parse("w.toml", &text).unwrap();
    let summary = drive::run(options(&folio.url, workload, 1)).unwrap();
    assert_eq!(summary.totals.errors, 1);
    let failure = &summary.failures[0];
    assert_eq!(
        failure.kind,
        "after 4 times still the body does not contain `\"job-1\"`"
    );
}

#[test]
fn an_export_gives_ids_and_fetches_the_file() {
    let folio = MiniFolio::start(0, 0);
    let ids: Vec<_> = (0..100)
        .map(|at| format!(r#"{{"externalIdsHolder":{{"instanceId":"i-{at}"}}}}"#))
        .collect();
    let records = format!(r#"{{"sourceRecords":[{}]}}"#, ids.join(","));
    let records: &'static str = records.leak();
    can(
        &folio,
        &[
            (SOURCE_RECORDS.0, 200, records, ALWAYS),
            (
                "POST /data-export/file-definitions/f-1/upload",
                200,
                r#"{"jobExecutionId":"job-1"}"#,
                ALWAYS,
            ),
            (
                "POST /data-export/file-definitions",
                201,
                r#"{"id":"f-1"}"#,
                ALWAYS,
            ),
            (
                "GET /data-export/job-profiles",
                200,
                r#"{"jobProfiles":[{"id":"p-1","name":"Default instances export job profile"}]}"#,
                ALWAYS,
            ),
            ("POST /data-export/export", 204, "", ALWAYS),
            (
                "POST /data-export/quick-export",
                200,
                r#"{"jobExecutionId":"job-1"}"#,
                ALWAYS,
            ),
            (
                "GET /data-export/job-executions?query=id==job-1",
                200,
                r#"{"jobExecutions":[{"status":"IN_PROGRESS"}]}"#,
                2,
            ),
            (
                "GET /data-export/job-executions?query=id==job-1",
                200,
                r#"{"jobExecutions":[{"status":"COMPLETED","exportedFiles":[{"fileId":"x-1"}]}]}"#,
                ALWAYS,
            ),
            (
                "GET /data-export/job-executions/job-1/download/x-1",
                200,
                r#"{"link":"http://x"}"#,
                ALWAYS,
            ),
            (
                "GET /data-export/job-executions?",
                200,
                r#"{"jobExecutions":[]}"#,
                ALWAYS,
            ),
        ],
    );
    let values = [
        ("fileDefinitionId", "f-1"),
        ("jobExecutionId", "job-1"),
        ("exportedFileId", "x-1"),
    ];
    let run = |weights: [u32; 2]| {
        folio.state.lock().unwrap().seen.clear();
        let mut options = options(&folio.url, hurried("marc-export"), 1);
        options.weights = Some(weights.to_vec());
        let summary = drive::run(options).unwrap();
        assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
        folio.seen_by_users().split_off(1)
    };
    let seen = run([1, 0]);
    let lines: Vec<_> = include_str!("plans/marc-export.txt").lines().collect();
    let plan = [&lines[..7], &lines[6..7], &lines[6..]].concat().join("\n");
    compare(&seen, &plan, &values);
    let ids: Vec<_> = seen[1].body.lines().collect();
    assert_eq!((ids.len(), ids[99]), (100, "i-99"));
    let seen = run([0, 1]);
    compare(&seen, include_str!("plans/quick-export.txt"), &values);
    let body: serde_json::Value = serde_json::from_str(&seen[0].body).unwrap();
    assert_eq!(body["uuids"].as_array().unwrap().len(), 100);
}
