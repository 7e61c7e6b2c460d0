//! The page that shows a run in progress, requested as a browser does.

use std::io::{Read, Write};
use std::net::TcpStream;

use octavo_driver::drive::{self, Control, Live, Observer, RunOptions};
use octavo_driver::page::{Page, PageError};

use crate::mini_folio::MiniFolio;
use crate::support::{look_up, options};

/// Sends a request to the page's server; returns status and body.
fn ask(page: &Page, method: &str, target: &str) -> (u16, String) {
    let (host, _) = host_and_key(page);
    let mut stream = TcpStream::connect(host).unwrap();
    let request =
        format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer[9..12].parse().unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    (status, body.to_owned())
}

fn host_and_key(page: &Page) -> (&str, &str) {
    let rest = page.address.strip_prefix("http://").unwrap();
    rest.split_once("/?key=").unwrap()
}

struct Browser {
    page: Page,
    seconds: usize,
    users: Vec<usize>,
}

impl Observer for Browser {
    fn second(&mut self, live: &Live<'_>) -> bool {
        self.page.show(live);
        self.seconds += 1;
        self.users.push(live.users);
        let key = host_and_key(&self.page).1.to_owned();
        match self.seconds {
            1 => {
                let set = ask(&self.page, "POST", &format!("/users?key={key}&users=4"));
                assert_eq!(set.0, 204);
                let none = ask(&self.page, "POST", &format!("/users?key={key}&users=0"));
                assert_eq!(none.0, 422);
                let other = ask(&self.page, "POST", "/stop?key=guessed");
                assert_eq!(other.0, 403);
            }
            3 => assert_eq!(ask(&self.page, "POST", &format!("/stop?key={key}")).0, 204),
            _ => {}
        }
        false
    }
}

#[test]
fn a_browser_sees_the_run_and_changes_it() {
    let folio = MiniFolio::start(50, 0);
    let options = RunOptions {
        iterations: None,
        stages: vec!["2 users for 60s".parse().unwrap()],
        ..options(&folio.url, look_up(), 0)
    };
    let local = "127.0.0.1:0".parse().unwrap();
    let page = Page::start(local, "a <run>", options.control.clone(), false).unwrap();
    page.wait();
    let mut browser = Browser {
        page,
        seconds: 0,
        users: Vec::new(),
    };
    let run = drive::run_watched(options, &mut browser).unwrap();
    assert_eq!(browser.users, [2, 4, 4]);
    assert!(run.ended_early.unwrap().contains("on its page"));
    let key = host_and_key(&browser.page).1.to_owned();
    let (status, text) = ask(&browser.page, "GET", &format!("/?key={key}"));
    assert!(
        status == 200 && text.contains("a &lt;run&gt;") && text.contains("uPlot"),
        "{status}"
    );
    // Nothing is loaded from other servers.
    assert!(
        !text.contains("src=") && !text.contains("@import"),
        "another source"
    );
    assert_eq!(ask(&browser.page, "GET", "/").0, 403);
    browser.page.over();
    let (_, text) = ask(&browser.page, "GET", &format!("/live?key={key}&after=1.5"));
    let live: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(live["points"].as_array().unwrap().len(), 2);
    assert_eq!(live["state"]["phase"], "over");
    assert_eq!(live["state"]["names"][0], "Look-up");
    let p95 = live["points"][0]["times"][0][1].as_f64().unwrap();
    assert!(p95 > 0.0 && p95 < 1_000.0, "{p95}");
}

#[test]
fn a_run_waits_for_start_and_the_page_stays_on_this_machine() {
    let local = "127.0.0.1:0".parse().unwrap();
    let page = Page::start(local, "x", Control::default(), true).unwrap();
    let key = host_and_key(&page).1.to_owned();
    let (_, text) = ask(&page, "GET", &format!("/live?key={key}"));
    assert!(text.contains("\"phase\":\"waiting\""), "{text}");
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| page.wait());
        assert!(!waits.is_finished());
        assert_eq!(ask(&page, "POST", &format!("/start?key={key}")).0, 204);
        waits.join().unwrap();
    });
    let everywhere = "0.0.0.0:0".parse().unwrap();
    let refused = Page::start(everywhere, "x", Control::default(), false);
    assert!(matches!(refused, Err(PageError::NotLocal(_))));
}
