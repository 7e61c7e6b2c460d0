//! Messages to the person at the terminal when a start cannot succeed: the error, the remedy, and
//! status 2.

use std::fs;
use std::net::TcpListener;

use octavo_postgres::{Database, DatabaseOptions};
use octavo_testkit::{TestCluster, database_url};

use crate::octavo::run;
use crate::place::DataDir;

/// Runs `octavo serve` and asserts that it fails with a message of these parts.
async fn refused(arguments: &[&str], variables: &[(&str, &str)], parts: &[&str]) -> String {
    let mut whole = vec!["serve"];
    if !arguments.contains(&"--listen") {
        whole.extend(["--listen", "127.0.0.1:0"]);
    }
    whole.extend(arguments);
    let outcome = run(&whole, variables).await;
    assert_eq!(outcome.status.code(), Some(2), "{}", outcome.stderr);
    for part in parts {
        assert!(
            outcome.stderr.contains(part),
            "no {part:?} in: {}",
            outcome.stderr
        );
    }
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
    outcome.stderr
}

#[tokio::test]
async fn a_port_that_is_taken() {
    let directory = DataDir::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let port = format!("port {}", taken.local_addr().expect("an address").port());
    let arguments = ["--listen", address.as_str(), "--data-dir", directory.arg()];
    refused(
        &arguments,
        &[],
        &[&port, "is taken by another program", "--listen"],
    )
    .await;
    // Nothing was started.
    assert_eq!(
        fs::read_dir(directory.path())
            .expect("the directory")
            .count(),
        0
    );
}

#[tokio::test]
async fn an_address_of_another_machine() {
    let directory = DataDir::new();
    let arguments = ["--listen", "192.0.2.1:9130", "--data-dir", directory.arg()];
    refused(
        &arguments,
        &[],
        &["192.0.2.1 is no address of this machine", "0.0.0.0:9130"],
    )
    .await;
}

#[tokio::test]
async fn postgresql_programs_that_are_not_where_they_should_be() {
    let (directory, empty) = (DataDir::new(), DataDir::new());
    let parts = [
        "cannot be used as PostgreSQL",
        "no program `postgres` in it",
        "OCTAVO_PG_BIN",
    ];
    let arguments = ["--data-dir", directory.arg(), "--postgres-bin", empty.arg()];
    refused(&arguments, &[], &parts).await;
    let arguments = ["--data-dir", directory.arg()];
    refused(&arguments, &[("OCTAVO_PG_BIN", empty.arg())], &parts).await;
}

#[tokio::test]
async fn data_of_another_major_version() {
    let directory = DataDir::new();
    let cluster = directory.path().join("cluster");
    fs::create_dir(&cluster)
        .and_then(|()| fs::write(cluster.join("PG_VERSION"), "14\n"))
        .expect("a file");
    let parts = [
        "was made by PostgreSQL 14",
        "install PostgreSQL 14",
        "pg_upgrade",
    ];
    refused(&["--data-dir", directory.arg()], &[], &parts).await;
    fs::write(cluster.join("PG_VERSION"), "fifteen\n").expect("a file");
    refused(
        &["--data-dir", directory.arg()],
        &[],
        &["PG_VERSION", "not a version"],
    )
    .await;
}

#[tokio::test]
async fn a_database_url_that_is_none() {
    let directory = DataDir::new();
    for url in ["postgresql://app:hunter2@db:port/octavo", "hunter2"] {
        let arguments = ["--data-dir", directory.arg(), "--database-url", url];
        let said = refused(&arguments, &[], &["is not of the form postgresql://"]).await;
        assert!(!said.contains("hunter2"), "{said}");
        let said = refused(
            &["--data-dir", directory.arg()],
            &[("OCTAVO_DATABASE_URL", url)],
            &[],
        )
        .await;
        assert!(!said.contains("hunter2"), "{said}");
    }
    let help = run(
        &["serve", "--help"],
        &[("OCTAVO_DATABASE_URL", "postgresql://app:hunter2@db/x")],
    )
    .await;
    assert!(
        help.status.success() && !help.stdout.contains("hunter2"),
        "{}",
        help.stdout
    );
}

#[tokio::test]
async fn a_database_that_does_not_answer() {
    let directory = DataDir::new();
    // Port 1 of this machine: nothing listens there.
    let url = "postgresql://app:hunter2@127.0.0.1:1/octavo";
    let arguments = ["--data-dir", directory.arg(), "--database-url", url];
    let parts = [
        "database octavo at 127.0.0.1:1",
        "refused",
        "tried for",
        "--database-url",
    ];
    let said = refused(&arguments, &[], &parts).await;
    assert!(!said.contains("hunter2"), "{said}");
}

#[tokio::test]
async fn a_database_of_somebody_else() {
    let cluster = TestCluster::shared();
    let (database, directory) = (cluster.create_database().await, DataDir::new());
    let owner = Database::connect(DatabaseOptions::new(database.superuser_config())).await;
    let owner = owner.expect("a connection");
    let role = format!("octavo_guest_{}", std::process::id());
    owner
        .execute(&format!("CREATE ROLE {role} LOGIN PASSWORD 'hunter2'"), &[])
        .await
        .expect("a role");
    let mut config = database.config();
    config.user(&role).password("hunter2");
    let url = database_url(&config);
    let arguments = ["--data-dir", directory.arg(), "--database-url", &url];
    let parts = [
        "cannot be prepared",
        "its user has to own it",
        "permission denied",
    ];
    let said = refused(&arguments, &[], &parts).await;
    assert!(!said.contains("hunter2"), "{said}");
    owner
        .execute(&format!("DROP ROLE {role}"), &[])
        .await
        .expect("no role");
}

#[tokio::test]
async fn a_certificate_that_is_none() {
    let directory = DataDir::new();
    let (chain, key) = (
        directory.path().join("chain.txt"),
        directory.path().join("key.txt"),
    );
    fs::write(&chain, "not a certificate\n")
        .and_then(|()| fs::write(&key, "nor a key\n"))
        .expect("files");
    let chain = chain.to_str().expect("UTF-8");
    let key = key.to_str().expect("UTF-8");
    let arguments = [
        "--data-dir",
        directory.arg(),
        "--tls-cert",
        chain,
        "--tls-key",
        key,
    ];
    refused(&arguments, &[], &[chain, "certificate in PEM form"]).await;
    let arguments = [
        "--data-dir",
        directory.arg(),
        "--tls-cert",
        "/nowhere/chain.pem",
        "--tls-key",
        key,
    ];
    refused(&arguments, &[], &["/nowhere/chain.pem", "No such file"]).await;
    assert!(
        !directory.path().join("cluster").exists(),
        "PostgreSQL was begun for nothing"
    );
    let arguments = ["--data-dir", directory.arg(), "--tls-cert", chain];
    refused(&arguments, &[], &["--tls-key"]).await;
}

#[tokio::test]
async fn a_data_directory_that_cannot_be() {
    let directory = DataDir::new();
    let file = directory.path().join("file");
    fs::write(&file, "").expect("a file");
    let inside = file.join("data");
    let inside = inside.to_str().expect("UTF-8");
    refused(
        &["--data-dir", inside],
        &[],
        &[inside, "cannot be made", "--data-dir"],
    )
    .await;
}

#[tokio::test]
async fn a_signing_key_that_is_none() {
    let directory = DataDir::new();
    fs::write(directory.path().join("signing.key"), "short").expect("a file");
    let parts = ["signing.key is not a key of 32 bytes", "remove it"];
    refused(&["--data-dir", directory.arg()], &[], &parts).await;
}

#[tokio::test]
async fn a_demo_that_others_reach_is_refused() {
    let directory = DataDir::new();
    let begin = ["--demo", "--data-dir", directory.arg()];
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:9130"] {
        let arguments = [&begin[..], &["--listen", address]].concat();
        refused(&arguments, &[], &["--demo-anyway", address]).await;
    }
}
