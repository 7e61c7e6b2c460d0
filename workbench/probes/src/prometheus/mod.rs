//! Endpoints in Prometheus' text format, scraped at each interval.

mod series;
mod text;

use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_client::{Client, Endpoint, Limits, Trust};

use crate::drive::Probe;
use crate::health::Health;
use crate::options::PrometheusTarget;
use crate::recorder::Recorder;

const LIMITS: Limits = Limits {
    connect: Duration::from_secs(3),
    response: Duration::from_secs(5),
    body_bytes: 16 << 20,
};

/// One endpoint.
pub(crate) struct Scraper {
    target: PrometheusTarget,
    source: String,
    trust: Trust,
    recorder: Arc<Recorder>,
    health: Health,
    connection: Option<Connection>,
    series: series::Endpoint,
}

struct Connection {
    client: Client,
    request: Vec<u8>,
}

impl Scraper {
    pub(crate) fn new(target: PrometheusTarget, trust: Trust, recorder: &Arc<Recorder>) -> Self {
        let place = target.url.split_once("://").map_or("", |(_, place)| place);
        let source = place.to_owned();
        Self {
            health: Health::new(source.clone(), recorder),
            series: series::Endpoint::new(target.prefixes.clone()),
            recorder: Arc::clone(recorder),
            connection: None,
            target,
            source,
            trust,
        }
    }

    async fn connection(&mut self) -> Result<&mut Connection, String> {
        if self.connection.is_none() {
            let resolved = Endpoint::resolve(&self.target.url, &self.trust).await;
            let endpoint = resolved.map_err(|error| error.to_string())?;
            let path = match endpoint.prefix.as_str() {
                "" => "/",
                path => path,
            };
            let request = format!(
                "GET {path} HTTP/1.1\r\nHost: {}\r\nAccept: text/plain;version=0.0.4\r\n\
                 User-Agent: octavo-probe\r\n\r\n",
                endpoint.host
            );
            self.connection = Some(Connection {
                request: request.into_bytes(),
                client: Client::new(Arc::new(endpoint), LIMITS),
            });
        }
        self.connection.as_mut().ok_or_else(String::new)
    }

    async fn scrape(&mut self) -> Result<(), String> {
        let Connection { client, request } = self.connection().await?;
        let exchanged = client.exchange(request, true).await;
        let exchange = exchanged.map_err(|fault| fault.to_string())?;
        if exchange.status != 200 {
            return Err(format!(
                "answered with HTTP {}; name the path of its metrics, often /metrics, \
                 /admin/metrics or /actuator/prometheus",
                exchange.status
            ));
        }
        let at = Instant::now();
        let body = String::from_utf8_lossy(client.body(&exchange)).into_owned();
        let page = text::parse(&body);
        if page.samples.is_empty() {
            return Err("its answer holds no metrics in Prometheus' text format".to_owned());
        }
        if page.strange > 0 {
            let text = format!(
                "{}: {} lines of its answer are no metrics and were passed over",
                self.source, page.strange
            );
            self.recorder.note(&format!("{} lines", self.source), text);
        }
        for one in self.series.values(at, &page.samples) {
            self.recorder
                .value(at, &self.source, &one.measure, one.unit, one.value);
        }
        Ok(())
    }

    async fn attempt(&mut self) {
        match self.scrape().await {
            Ok(()) => self.health.works(),
            Err(reason) => self.health.failed(reason),
        }
    }
}

impl Probe for Scraper {
    async fn begin(&mut self) {
        self.attempt().await;
    }

    async fn take_sample(&mut self) {
        self.attempt().await;
    }

    async fn finish(&mut self, fresh: bool) {
        if !fresh {
            self.attempt().await;
        }
        let cut = self.series.cut();
        if cut > 0 {
            let text = format!(
                "{}: {cut} more series were left out; name those that matter by their prefixes: \
                 --probe-prometheus {},jvm_,http_",
                self.source, self.target.url
            );
            self.recorder.note(&format!("{} series", self.source), text);
        }
    }
}
