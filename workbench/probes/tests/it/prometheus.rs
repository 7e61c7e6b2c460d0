//! Endpoints on loopback that restart, send nonsense or disappear.

use octavo_probes::{ProbeOptions, PrometheusTarget};

use crate::support::{Web, noted, options, series, started, value_of};

fn probing(url: &str, prefixes: &str) -> ProbeOptions {
    let target: PrometheusTarget = format!("{url}{prefixes}").parse().unwrap();
    ProbeOptions {
        prometheus: vec![target],
        ..options()
    }
}

fn source(web: &Web) -> String {
    format!("{}/metrics", web.url.trim_start_matches("http://"))
}

#[tokio::test]
async fn counters_that_begin_anew_and_garbage_do_no_harm() {
    let web = Web::start(|path, number| {
        assert_eq!(path, "/metrics");
        // Ten more at each scrape; from the fifth on it is another process.
        let requests = if number < 5 {
            number * 10
        } else {
            (number - 4) * 10
        };
        let body = format!(
            "# TYPE app_requests_total counter\napp_requests_total{{path=\"/a\"}} {requests}\n\
             garbage here {{\napp_temperature 21.5\nother_thing 1\n\
             # TYPE jvm_memory_used_bytes gauge\n\
             jvm_memory_used_bytes{{area=\"heap\",id=\"x\"}} 5.0E7\n\
             jvm_threads_live_threads {number}\n"
        );
        (200, body)
    })
    .await;
    let probes = started(probing(&web.url, ",app_")).await;
    let source = source(&web);
    value_of(&probes, &source, "jvm-threads", |count| count >= 10.0).await;
    let probed = probes.finish().await;
    let rate = series(&probed, &source, "app_requests_total{path=\"/a\"}");
    assert_eq!(rate.unit, "/s");
    assert!(rate.points.len() >= 8);
    for (_, value) in &rate.points {
        // Ten in a tenth of a second, or in more when the machine is busy; never less than zero.
        assert!((1.0..400.0).contains(value), "{:?}", rate.points);
    }
    assert_eq!(
        series(&probed, &source, "app_temperature").range(),
        Some((21.5, 21.5, 21.5))
    );
    assert_eq!(
        series(&probed, &source, "jvm-heap").range(),
        Some((50.0, 50.0, 50.0))
    );
    assert!(!probed.series.iter().any(|one| one.measure == "other_thing"));
    assert!(
        noted(&probed, &["1 lines", "passed over"]),
        "{:?}",
        probed.notes
    );
    assert_eq!(probed.notes.len(), 1, "{:?}", probed.notes);
}

#[tokio::test]
async fn an_endpoint_with_too_much_is_cut_and_reported() {
    let web = Web::start(|_, _| {
        let lines = (0..500).map(|number| format!("m{{n=\"{number}\"}} 1\n"));
        (200, lines.collect())
    })
    .await;
    let probed = started(probing(&web.url, "")).await.finish().await;
    let kept = probed
        .series
        .iter()
        .filter(|one| one.source == source(&web))
        .count();
    assert_eq!(kept, 200);
    assert!(
        noted(&probed, &["300 more series", "prefixes"]),
        "{:?}",
        probed.notes
    );
}

#[tokio::test]
async fn an_endpoint_that_is_none_or_goes_away_is_reported() {
    let missing = Web::start(|_, _| (404, String::new())).await;
    let page = Web::start(|_, _| (200, "<html><body>hello</body></html>".into())).await;
    let vanishing = Web::start(|_, _| (200, "up 1\n".into())).await;
    let mut options = probing(&missing.url, "");
    options.prometheus.extend(probing(&page.url, "").prometheus);
    options
        .prometheus
        .extend(probing(&vanishing.url, "").prometheus);
    let probes = started(options).await;
    value_of(&probes, &source(&vanishing), "up", |up| up == 1.0).await;
    vanishing.stop();
    tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    let probed = probes.finish().await;
    for (web, words) in [
        (&missing, "/actuator/prometheus"),
        (&page, "no metrics"),
        (&vanishing, "connect"),
    ] {
        assert!(
            noted(&probed, &[&source(web), words]),
            "{words}: {:?}",
            probed.notes
        );
    }
    assert_eq!(probed.notes.len(), 3, "each once: {:?}", probed.notes);
}
