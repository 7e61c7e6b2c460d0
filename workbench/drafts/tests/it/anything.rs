//! Any file is read or refused, whatever its content.

use std::io::Write as _;

use octavo_drafts::draft::{from_har, from_jmx};
use octavo_drafts::results::{Sink, read_into};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::{element, group, load, plan, raw, sampler, text};

struct Count(u64);

impl Sink for Count {
    fn sample(&mut self, _: &str, _: bool, _: i64, _: u64, _: bool, _: u64) {
        self.0 += 1;
    }
}

/// Reads bytes as a result file.
fn read_bytes(bytes: &[u8]) {
    let name = format!(
        "octavo-drafts-{}-{:x}",
        std::process::id(),
        bytes.as_ptr() as usize
    );
    let path = std::env::temp_dir().join(name);
    let mut file = std::fs::File::create(&path).expect("a temporary file");
    file.write_all(bytes).expect("a temporary file");
    let mut count = Count(0);
    let read = read_into(&path, &mut count);
    std::fs::remove_file(&path).expect("a temporary file");
    if let Ok(run) = read
        && run.started_at_ms.is_some()
    {
        let counted: u64 = run
            .labels
            .iter()
            .filter_map(|one| one.samples.figures().count)
            .sum();
        assert_eq!(counted, count.0);
    }
}

/// Parts of supported files, in any order.
fn parts() -> impl Strategy<Value = String> {
    let parts = select(vec![
        "timeStamp,elapsed,label,success\n",
        "1700000000000,5,a,true\n",
        "\"",
        ",",
        ";",
        "\n",
        "<testResults>",
        "<httpSample t=\"1\" ts=\"1700000000000\" s=\"true\" lb=\"a\">",
        "</httpSample>",
        "<sample",
        "/>",
        "{",
        "}",
        "[",
        "]",
        ":",
        "\"metrics\"",
        "\"http_req_duration\"",
        "{\"type\":\"Point\",\"metric\":\"http_req_duration\",\"data\":{\"time\":\"2026-01-01T00:00:00Z\",\
         \"value\":1.5,\"tags\":{\"name\":\"a\"}}}\n",
        "metric_name,timestamp,metric_value,name\n",
        "http_req_duration,1700000000,1.5,a\n",
        "RUN\ta\tb\t1\n",
        "REQUEST\t",
        "GROUP\t",
        "OK",
        "KO\t",
        "1700000000000\t",
        "-1",
        "99999999999999999999",
        "\"stats\":",
        "\"numberOfRequests\":",
        "\"total\"",
        "\0",
        "\u{feff}",
        "ü",
        "\r\n",
    ]);
    vec(parts, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..600)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = from_jmx(&text, "x");
        let _ = from_har(&text, "x");
        read_bytes(&bytes);
    }

    #[test]
    fn parts_of_result_files_are_read_or_refused(text in parts()) {
        read_bytes(text.as_bytes());
    }

    #[test]
    fn whatever_texts_a_plan_has_its_draft_loads(
        name in "[ -~äß\\n]{0,20}",
        path in "[a-z/?&=%+ ${}\"'()_,.0-9\\\\]{0,40}",
        body in "[ -~\\n\\r\\tä]{0,60}",
        value in "(\\$\\{(__)?[a-zA-Z(){,} ]{0,12}\\}?|[ -~]){0,6}",
    ) {
        let escaped = |text: &str| {
            text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
        };
        let header = element(
            "HeaderManager",
            "H",
            &format!(
                "<collectionProp name=\"HeaderManager.headers\"><elementProp name=\"\">{}{}\
                 </elementProp></collectionProp>",
                text("Header.name", "X-Any"),
                text("Header.value", &value)
            ),
            "",
        );
        let request = sampler(&escaped(&name), "POST", &path, &raw(&(body + &value)), &header);
        let draft = from_jmx(&plan(&group(&escaped(&name), &value, &request)), &name).unwrap();
        load(&draft);
    }

    #[test]
    fn whatever_a_recording_has_its_draft_loads(
        path in "[a-z/?&=%+ ${}\"'()_,.0-9\\\\]{0,40}",
        body in "[ -~\\n\\r\\tä]{0,60}",
        key in "[ -~]{0,8}",
        value in "[a-f0-9-]{6,12}",
    ) {
        let url = format!("https://h/{path}");
        let answer = serde_json::json!({ key: [value.clone()] }).to_string();
        let request = |url: &str| serde_json::json!({
            "request": { "method": "POST", "url": url, "headers": [{ "name": "X-Any", "value": body.clone() }],
                         "postData": { "mimeType": "text/plain", "text": body.clone() } },
            "response": { "status": 200, "content": { "mimeType": "application/json", "text": answer.clone() } }
        });
        let again = format!("https://h/x/{value}");
        let log = serde_json::json!({ "log": { "entries": [request(&url), request(&again)] } });
        if let Ok(draft) = from_har(&log.to_string(), &key_name(&body)) {
            load(&draft);
        }
    }
}

fn key_name(text: &str) -> String {
    text.chars().take(10).collect()
}
