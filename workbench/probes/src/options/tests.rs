//! Valid and invalid targets of probes.

use super::*;

#[test]
fn processes_are_named_in_seven_ways() {
    let text = "server, postgres,1234,java@8081,port:9130,cgroup:/system.slice/x.service,name:java";
    let list = ProcessTarget::list(text).unwrap();
    let expected = [
        ProcessTarget::Server,
        ProcessTarget::Postgres,
        ProcessTarget::Pid(1234),
        ProcessTarget::NameAtPort("java".into(), 8081),
        ProcessTarget::Port(9130),
        ProcessTarget::Cgroup("/system.slice/x.service".into()),
        ProcessTarget::Name("java".into()),
    ];
    assert_eq!(list, expected);
    let written: Vec<String> = list.iter().map(ToString::to_string).collect();
    assert_eq!(ProcessTarget::list(&written.join(",")).unwrap(), expected);
}

#[test]
fn what_names_no_process_is_refused_with_the_ways_to_name_one() {
    for text in [
        "",
        "server,",
        "serve",
        "-1",
        "0",
        "port:0",
        "port:70000",
        "port:x",
        "cgroup:x",
        "cgroup:/../../etc",
        "name:",
        "name:a/b",
        "@8081",
        "java@",
        "java@x",
        "99999999999",
    ] {
        let message = ProcessTarget::list(text).unwrap_err().to_string();
        assert!(message.contains("write server, postgres"), "{message}");
    }
}

#[test]
fn databases_are_addresses_and_never_shown_with_their_password() {
    assert!(matches!("server".parse(), Ok(PostgresTarget::OfServer)));
    for (text, place) in [
        (
            "postgres://app:secret@db.example:6432/folio",
            "db.example:6432/folio",
        ),
        (
            "host=/run/pg user=app password=secret dbname=x",
            "/run/pg:5432/x",
        ),
        ("postgresql://app@%2Frun%2Fpg/x", "/run/pg:5432/x"),
        ("user=folio", "this machine:5432/folio"),
    ] {
        let target: PostgresTarget = text.parse().unwrap();
        assert!(!format!("{target:?}").contains("secret"), "{target:?}");
        let PostgresTarget::At(config) = target else {
            panic!("{text}");
        };
        assert_eq!(PostgresTarget::place(&config), place);
    }
    for text in [
        "",
        "nowhere",
        "postgres://a:secret@b:port/x",
        "mysql://a:secret@b/x",
    ] {
        let message = text.parse::<PostgresTarget>().unwrap_err().to_string();
        assert!(message.contains("postgres://user@host:5432"), "{message}");
        assert!(!message.contains("secret"), "{message}");
    }
}

#[test]
fn endpoints_have_metrics_at_their_usual_place_and_prefixes_behind_commas() {
    let target: PrometheusTarget = "http://a:8081,jvm_, http_".parse().unwrap();
    assert_eq!(target.url, "http://a:8081/metrics");
    assert_eq!(target.prefixes, ["jvm_", "http_"]);
    let target: PrometheusTarget = "https://a/admin/prometheus".parse().unwrap();
    assert_eq!(target.url, "https://a/admin/prometheus");
    for text in [
        "",
        "a:8081",
        "ftp://a",
        "http://",
        "http:///x",
        "u:secret@a",
        "http://a,b{",
    ] {
        let message = text.parse::<PrometheusTarget>().unwrap_err().to_string();
        assert!(message.contains("http://host:port/metrics"), "{message}");
        assert!(!message.contains("secret"), "{message}");
    }
    for text in ["http://u:secret@a/metrics", "http://a/metrics?token=secret"] {
        let message = text.parse::<PrometheusTarget>().unwrap_err().to_string();
        assert!(message.contains("without them"), "{message}");
        assert!(!message.contains("secret"), "{message}");
    }
}

#[test]
fn logs_are_followed_from_their_end_unless_configured_otherwise() {
    let target: LogTarget = "/var/log/mod-users.log".parse().unwrap();
    assert_eq!(
        (target.whole, target.path.to_str()),
        (false, Some("/var/log/mod-users.log"))
    );
    let target: LogTarget = "whole:a.log".parse().unwrap();
    assert_eq!((target.whole, target.path.to_str()), (true, Some("a.log")));
    for text in ["", " ", "whole:"] {
        assert_eq!(text.parse::<LogTarget>(), Err(OptionError::Log));
    }
}

#[test]
fn a_token_is_not_shown() {
    let server = ServerTarget {
        url: "http://a".into(),
        tenant: "diku".into(),
        token: "secret".into(),
    };
    assert!(!format!("{server:?}").contains("secret"));
}
