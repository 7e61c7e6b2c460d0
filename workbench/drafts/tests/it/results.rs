//! Result files in the forms that JMeter, k6 and Gatling write.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use octavo_drafts::results::{
    Figures, ForeignRun, LabelKind, ReadError, Sink, Tool, read, read_into,
};

/// A folder that is deleted with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("octavo-results-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, content).expect("a temporary file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The samples that a sink received.
#[derive(Default)]
struct Seen(Vec<(String, bool, i64, u64, bool, u64)>);

impl Sink for Seen {
    fn sample(
        &mut self,
        label: &str,
        transaction: bool,
        at_ms: i64,
        elapsed_us: u64,
        success: bool,
        bytes: u64,
    ) {
        let label = label.to_owned();
        self.0
            .push((label, transaction, at_ms, elapsed_us, success, bytes));
    }
}

fn figures(run: &ForeignRun, name: &str) -> (LabelKind, Figures) {
    let label = run.labels.iter().find(|one| one.name == name);
    let label = label.unwrap_or_else(|| panic!("no {name} in {:?}", run.labels));
    (label.kind, label.samples.figures().clone())
}

const JTL: &str = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,\
failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n\
1700000000000,41,GET items,200,OK,G 1-1,text,true,,316,133,1,1,http://h/items,38,0,31\n\
1700000000100,60,\"POST, \"\"odd\"\"\nname\",404,Not Found,G 1-1,text,false,\"a\nb, c\",20,1,1,1,http://h/x,42,0,0\n\
1700000000200,45,GET redirected,200,OK,G 1-1,text,true,,448,246,1,1,http://h/items,2,0,0\n\
1700000000200,2,GET redirected-0,302,Found,G 1-1,,true,,132,123,1,1,http://h/redir,2,0,0\n\
1700000000203,42,GET redirected-1,200,OK,G 1-1,text,true,,316,123,1,1,http://h/items,43,0,0\n\
1699999999900,400,Desk,,\"Number of samples in transaction : 3, number of failing samples : 1\",G 1-1,,false,,784,626,1,1,null,128,0,31\n";

#[test]
fn a_jmeter_file_is_read_as_jmeter_writes_it() {
    let folder = Folder::new("jtl");
    let mut seen = Seen::default();
    let run = read_into(&folder.file("a.jtl", JTL.as_bytes()), &mut seen).unwrap();
    assert_eq!(run.tool, Tool::JmeterCsv);
    assert_eq!(run.errors, 1, "the transaction is not counted again");
    assert_eq!(run.started_at_ms, Some(1_699_999_999_900));
    assert_eq!(run.seconds, Some(0.4));
    assert_eq!(
        seen.0[0],
        (
            "GET items".into(),
            false,
            1_700_000_000_000,
            41_000,
            true,
            316
        )
    );
    assert_eq!(seen.0[1].0, "POST, \"odd\"\nname");
    assert_eq!(
        seen.0.len(),
        4,
        "redirects count with their request: {:?}",
        seen.0
    );
    let (kind, desk) = figures(&run, "Desk");
    assert_eq!(
        (kind, desk.average_ms, desk.errors),
        (LabelKind::Transaction, Some(400.0), Some(1))
    );
    assert!(
        run.notes[0].starts_with("2 rows are redirects"),
        "{:?}",
        run.notes
    );
}

#[test]
fn columns_delimiters_and_times_may_be_others() {
    let folder = Folder::new("columns");
    for (name, text) in [
        (
            "order",
            "label;success;elapsed;timeStamp\nx;true;5;1700000000000\n",
        ),
        (
            "tab",
            "timeStamp\telapsed\tlabel\tsuccess\r\n1700000000000\t5\tx\ttrue\r\n",
        ),
        (
            "date",
            "timeStamp,elapsed,label,success\n2023/11/14 22:13:20.000,5,x,true\n",
        ),
        (
            "headless",
            "1700000000000,5,x,200,OK,T 1-1,text,true,,1,1,1,1,u,1,0,0\n",
        ),
        (
            "marked",
            "\u{feff}timeStamp,elapsed,label,success\n1700000000000,5,x,true",
        ),
    ] {
        let mut seen = Seen::default();
        read_into(&folder.file(name, text.as_bytes()), &mut seen).unwrap();
        let (label, _, at, elapsed, success, _) = &seen.0[0];
        assert_eq!(
            (label.as_str(), *at, *elapsed, *success, seen.0.len()),
            ("x", 1_700_000_000_000, 5000, true, 1),
            "{name}"
        );
    }
}

#[test]
fn rows_that_cannot_be_read_are_counted_and_a_killed_run_is_reported() {
    let folder = Folder::new("bad");
    let text = "timeStamp,elapsed,label,success\n1700000000000,5,x,true\nsoon,5,x,true\n1,2\n\
                timeStamp,elapsed,label,success\n1700000000000,7,x,true\n1700000000000,6";
    let run = read(&folder.file("a.csv", text.as_bytes())).unwrap();
    assert_eq!(
        (run.unreadable_rows, figures(&run, "x").1.count),
        (2, Some(2))
    );
    assert!(run.notes[0].contains("middle of line 7"), "{:?}", run.notes);
    assert!(
        run.notes[1].contains("the first at line 3: timeStamp is no time"),
        "{:?}",
        run.notes
    );

    let open = "timeStamp,elapsed,label,success\n1700000000000,5,x,true\n1700000000000,5,\"x\n"
        .to_owned()
        + &"1700000000000,5,x,true\n".repeat(5000);
    let run = read(&folder.file("open.csv", open.as_bytes())).unwrap();
    let count = figures(&run, "x").1.count.unwrap();
    assert!(
        (3000..5001).contains(&count),
        "an open quote costs a part only: {count}"
    );
    assert!(matches!(
        read(&folder.file("none.csv", b"timeStamp,elapsed,label,success\n")),
        Err(ReadError::Empty { .. })
    ));
    assert!(matches!(
        read(&folder.file("few.csv", b"timeStamp,elapsed,label\n1,2,x\n")),
        Err(ReadError::Malformed { line: 1, .. })
    ));
}

#[test]
fn packed_files_are_unpacked_on_the_way_and_may_be_cut() {
    let folder = Folder::new("gz");
    let text = JTL.to_owned()
        + &"1700000000000,5,more,200,OK,T 1-1,text,true,,1,1,1,1,u,1,0,0\n".repeat(5000);
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    let run = read(&folder.file("a.jtl.gz", &packed)).unwrap();
    assert_eq!(figures(&run, "more").1.count, Some(5000));
    let run = read(&folder.file("cut.jtl.gz", &packed[..packed.len() / 2])).unwrap();
    assert!(figures(&run, "more").1.count.unwrap() > 100);
    assert!(
        run.notes.iter().any(|note| note.contains("killed run")),
        "{:?}",
        run.notes
    );
}

#[test]
fn jmeters_xml_is_read_with_samples_in_transactions() {
    let folder = Folder::new("xml");
    let whole = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testResults version=\"1.2\">\n\
        <sample t=\"261\" ts=\"1700000000000\" s=\"false\" lb=\"Desk\" rc=\"404\" \
        rm=\"Number of samples in transaction : 2, number of failing samples : 1\" by=\"5\">\n\
        <httpSample t=\"22\" ts=\"1700000000010\" s=\"true\" lb=\"a &amp; b\" by=\"316\">\
        <java.net.URL>http://h/</java.net.URL></httpSample>\n\
        <httpSample t=\"48\" ts=\"1700000000100\" s=\"false\" lb=\"c\" by=\"1\">\
        <httpSample t=\"1\" ts=\"1700000000100\" s=\"true\" lb=\"c-0\"/></httpSample>\n</sample>\n\
        <httpSample t=\"x\" ts=\"1\" s=\"true\" lb=\"bad\"/>\n</testResults>\n";
    let mut seen = Seen::default();
    let run = read_into(&folder.file("a.xml", whole.as_bytes()), &mut seen).unwrap();
    let labels: Vec<_> = seen.0.iter().map(|one| (one.0.as_str(), one.1)).collect();
    assert_eq!(labels, [("Desk", true), ("a & b", false), ("c", false)]);
    assert_eq!(
        (run.tool, run.errors, run.unreadable_rows),
        (Tool::JmeterXml, 1, 1)
    );
    let cut = read(&folder.file("cut.xml", &whole.as_bytes()[..500])).unwrap();
    assert!(
        cut.notes[0].contains("without its last tag"),
        "{:?}",
        cut.notes
    );
    let bomb = b"<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY x \"y\">]><testResults/>";
    assert!(matches!(
        read(&folder.file("b.xml", bomb)),
        Err(ReadError::Malformed { .. })
    ));
}

#[test]
fn k6_points_are_requests_and_groups() {
    let folder = Folder::new("k6");
    let json = r#"{"type":"Metric","data":{"name":"http_req_duration","type":"trend"},"metric":"http_req_duration"}
{"metric":"http_reqs","type":"Point","data":{"time":"2026-03-01T10:00:00.5+01:00","value":1,"tags":{"name":"login"}}}
{"metric":"http_req_duration","type":"Point","data":{"time":"2026-03-01T10:00:00.5+01:00","value":459.8657,"tags":{"expected_response":"true","method":"GET","name":"login","status":"200","url":"http://h/login"}}}
{"type":"Point","data":{"time":"2026-03-01T09:00:01Z","value":20.5,"tags":{"status":"500","url":"http://h/x"}},"metric":"http_req_duration"}
{"type":"Point","data":{"time":"2026-03-01T09:00:02Z","value":1500,"tags":{"group":"::outer::check out"}},"metric":"group_duration"}
{"type":"Point","data":{"time":"soon","value":1,"tags":{"name":"login"}},"metric":"http_req_duration"}
{"type":"Point","data":{"time":"2026-03-01T09:0"#;
    let mut seen = Seen::default();
    let run = read_into(&folder.file("a.json", json.as_bytes()), &mut seen).unwrap();
    assert_eq!(
        (run.tool, run.errors, run.unreadable_rows),
        (Tool::K6Json, 1, 1)
    );
    let begun = 1_772_355_600_500 - 459;
    assert_eq!(seen.0[0], ("login".into(), false, begun, 459_866, true, 0));
    assert_eq!(seen.0[1].0, "http://h/x");
    assert_eq!(
        (seen.0[2].0.as_str(), seen.0[2].1),
        ("outer / check out", true)
    );
    assert!(run.notes[0].contains("middle of line 7"), "{:?}", run.notes);

    let csv = "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,\
proto,scenario,status,subproto,tls_version,url,extra_tags\n\
http_reqs,1772355600,1.000000,,,,true,,GET,login,HTTP/1.1,default,200,,,http://h/login,\n\
http_req_duration,1772355600,221.899000,,,,true,,GET,login,HTTP/1.1,default,200,,,http://h/login,\n\
http_req_duration,1772355601,5.5,,dial,1212,false,,GET,,HTTP/1.1,default,0,,,http://h/y,\n\
group_duration,1772355602,900,,,,,::desk,,,,default,,,,,\n\
http_req_duration,17723";
    let run = read(&folder.file("a.csv", csv.as_bytes())).unwrap();
    assert_eq!((run.tool, run.errors), (Tool::K6Csv, 1));
    assert_eq!(figures(&run, "login").1.average_ms, Some(221.899));
    assert_eq!(figures(&run, "desk").0, LabelKind::Transaction);
}

#[test]
fn k6_summaries_have_figures_only() {
    let folder = Folder::new("k6-summary");
    let exported = r#"{ "root_group": {}, "metrics": {
        "http_reqs": { "count": 200, "rate": 20 },
        "http_req_failed": { "passes": 3, "fails": 197, "value": 0.015 },
        "http_req_duration": { "avg": 12.5, "min": 1, "med": 10, "max": 90.25, "p(90)": 20, "p(95)": 30 },
        "http_req_duration{name:login}": { "avg": 50, "min": 1, "med": 40, "max": 90, "p(99.9)": 60 },
        "iterations": { "count": 10, "rate": 1 } } }"#;
    let run = read(&folder.file("a.json", exported.as_bytes())).unwrap();
    assert_eq!(
        (run.tool, run.errors, run.seconds),
        (Tool::K6Summary, 3, Some(10.0))
    );
    let (_, all) = figures(&run, "all requests");
    assert_eq!(
        (all.count, all.average_ms, all.max_ms),
        (Some(200), Some(12.5), Some(90.25))
    );
    assert_eq!(
        all.percentiles_ms,
        [(50.0, 10.0), (90.0, 20.0), (95.0, 30.0)]
    );
    assert_eq!(
        figures(&run, "login").1.percentiles_ms,
        [(50.0, 40.0), (99.9, 60.0)]
    );
    let handled = r#"{"metrics":{"http_req_duration":{"type":"trend","contains":"time",
        "values":{"avg":7,"med":6,"p(95)":9}},"http_reqs":{"values":{"count":4,"rate":2}}},
        "state":{"testRunDurationMs":2500}}"#;
    let run = read(&folder.file("b.json", handled.as_bytes())).unwrap();
    assert_eq!(
        (run.seconds, figures(&run, "all requests").1.average_ms),
        (Some(2.5), Some(7.0))
    );
}

#[test]
fn gatlings_log_is_read_in_the_columns_of_its_versions() {
    let folder = Folder::new("gatling");
    let log = "ASSERTION\tAAECAA\n\
        RUN\tdesk.Simulation\tdesk\t1700000000000\t \t3.9.5\n\
        USER\tDesk\tSTART\t1700000000000\n\
        REQUEST\t\tGET items\t1700000000000\t1700000000120\tOK\t \n\
        REQUEST\tOuter,Inner\tPOST x\t1700000000200\t1700000000260\tKO\tstatus.find.is(201), found 422\n\
        GROUP\tOuter,Inner\t1700000000000\t1700000009000\t180\tKO\n\
        REQUEST\t7\t\tGET items\t1700000001000\t1700000001080\tOK\t \n\
        ERROR\tno attribute\t1700000001000\n\
        REQUEST\tbroken\n\
        REQUEST\t\tGET items\t170000";
    let path = folder.file("run/simulation.log", log.as_bytes());
    let mut seen = Seen::default();
    let run = read_into(&path, &mut seen).unwrap();
    assert_eq!(
        (run.tool, run.errors, run.unreadable_rows),
        (Tool::GatlingLog, 1, 1)
    );
    assert_eq!(figures(&run, "GET items").1.count, Some(2));
    let (kind, inner) = figures(&run, "Outer / Inner");
    assert_eq!(
        (kind, inner.average_ms),
        (LabelKind::Transaction, Some(180.0))
    );
    assert_eq!(
        seen.0[1],
        ("POST x".into(), false, 1_700_000_000_200, 60_000, false, 0)
    );
    assert_eq!(read(path.parent().unwrap()).unwrap().labels, run.labels);
}

#[test]
fn gatlings_binary_log_leads_to_its_figures() {
    let folder = Folder::new("gatling-stats");
    let stats = r#"{ "type": "GROUP", "name": "All Requests", "path": "", "stats": {
        "name": "All Requests", "numberOfRequests": { "total": 1200, "ok": 1190, "ko": 10 },
        "meanResponseTime": { "total": 25, "ok": 24, "ko": 90 },
        "meanNumberOfRequestsPerSecond": { "total": 60.0, "ok": 59.5, "ko": 0.5 } },
        "contents": { "req_a": { "type": "REQUEST", "name": "GET items", "stats": {
            "numberOfRequests": { "total": "1,200", "ok": "1,190", "ko": "-" },
            "minResponseTime": { "total": "2" }, "maxResponseTime": { "total": "300" },
            "meanResponseTime": { "total": "25" }, "percentiles1": { "total": "20" },
            "percentiles2": { "total": "30" }, "percentiles3": { "total": "70" },
            "percentiles4": { "total": "120" } } } } }"#;
    let log = folder.file("simulation.log", b"\0\0\0\x063.13.1\0desk");
    match read(&log) {
        Err(error @ ReadError::Refused { .. }) => {
            assert!(error.to_string().contains("js/stats.json"), "{error}");
        }
        other => panic!("{other:?}"),
    }
    folder.file("js/stats.json", stats.as_bytes());
    let run = read(&folder.0).unwrap();
    assert_eq!(
        (run.tool, run.errors, run.seconds),
        (Tool::GatlingStats, 10, Some(20.0))
    );
    let (_, items) = figures(&run, "GET items");
    assert_eq!(
        (items.count, items.errors, items.min_ms),
        (Some(1200), None, Some(2.0))
    );
    assert_eq!(
        items.percentiles_ms,
        [(50.0, 20.0), (75.0, 30.0), (95.0, 70.0), (99.0, 120.0)]
    );
}

#[test]
fn other_files_are_refused_with_what_is_read() {
    let folder = Folder::new("other");
    let refusal =
        |name: &str, content: &[u8]| read(&folder.file(name, content)).unwrap_err().to_string();
    assert!(refusal("empty", b"").contains("it is empty"));
    assert!(refusal("html", b"<html></html>").contains("it begins with `<html></html>`"));
    assert!(refusal("ours.json", b"{\n  \"virtual_users\": 8,").contains("compared as it is"));
    assert!(refusal("stats.js", b"var stats = {").contains("js/stats.json"));
    assert!(matches!(
        read(Path::new("/no/such/file")),
        Err(ReadError::Unreadable { .. })
    ));
    assert!(matches!(read(&folder.0), Err(ReadError::Unknown { .. })));
}
