//! Starting, stopping and adopting the embedded server.

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use octavo_postgres::{Database, DatabaseOptions, Embedded, EmbeddedError};

use crate::support::Scratch;

async fn one(embedded: &Embedded, sql: &str) -> i32 {
    let options = DatabaseOptions {
        lanes: 1,
        ..DatabaseOptions::new(embedded.config())
    };
    let database = Database::connect(options).await.unwrap();
    database.query(sql, &[]).await.unwrap()[0].get(0)
}

#[tokio::test]
async fn data_outlive_a_stop_and_the_second_start_is_fast() {
    let scratch = Scratch::new();
    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    let database = Database::connect(DatabaseOptions::new(embedded.config()))
        .await
        .unwrap();
    database
        .execute("CREATE TABLE book AS SELECT 7 AS id", &[])
        .await
        .unwrap();
    drop(database);
    embedded.stop().await;
    assert!(!scratch.path().join("cluster/postmaster.pid").exists());

    let begun = Instant::now();
    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    let took = begun.elapsed();
    assert_eq!(one(&embedded, "SELECT id FROM book").await, 7);
    embedded.stop().await;
    // Well under a second on an idle machine; tests share theirs.
    assert!(took < Duration::from_secs(3), "{took:?}");
}

#[tokio::test]
async fn locale_folds_letters_beyond_ascii() {
    let scratch = Scratch::new();
    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    assert_eq!(
        one(&embedded, "SELECT (lower('ÄÉЖ') = 'äéж')::int").await,
        1
    );
    embedded.stop().await;
}

#[tokio::test]
async fn durable_by_default() {
    let scratch = Scratch::new();
    let options = octavo_postgres::EmbeddedOptions::new(scratch.path());
    let embedded = Embedded::start(options).await.unwrap();
    let fsync = "SELECT (current_setting('fsync') = 'on')::int";
    assert_eq!(one(&embedded, fsync).await, 1);
    let listens = "SELECT (current_setting('listen_addresses') <> '')::int";
    assert_eq!(one(&embedded, listens).await, 0);
    embedded.stop().await;
}

#[tokio::test]
async fn a_second_octavo_learns_who_holds_the_directory() {
    let scratch = Scratch::new();
    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    let message = Embedded::start(scratch.relaxed())
        .await
        .unwrap_err()
        .to_string();
    let expected = format!("is in use by octavo process {}", std::process::id());
    assert!(message.contains(&expected), "{message}");
    assert!(message.contains("--data-dir"), "{message}");
    embedded.stop().await;
}

#[tokio::test]
async fn a_server_left_running_is_taken_over() {
    let scratch = Scratch::new();
    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    let pid = embedded.pid().unwrap();
    embedded.leave_running().await;

    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    assert_eq!(embedded.pid(), Some(pid));
    assert_eq!(one(&embedded, "SELECT 1").await, 1);
    embedded.stop().await;
    assert!(!scratch.path().join("cluster/postmaster.pid").exists());
}

#[tokio::test]
async fn dropping_stops_the_server() {
    let scratch = Scratch::new();
    drop(Embedded::start(scratch.relaxed()).await.unwrap());
    assert!(!scratch.path().join("cluster/postmaster.pid").exists());
}

#[tokio::test]
async fn the_pid_file_of_a_dead_server_does_not_hinder() {
    let scratch = Scratch::new();
    Embedded::start(scratch.relaxed())
        .await
        .unwrap()
        .stop()
        .await;
    let socket = scratch.path().join("run");
    // The id of this process, which lives and is not PostgreSQL, as after a reboot.
    let text = format!(
        "{}\n{}\n1\n5432\n{}\n\n1 1\nready\n",
        std::process::id(),
        scratch.path().join("cluster").display(),
        socket.display()
    );
    std::fs::write(scratch.path().join("cluster/postmaster.pid"), text).unwrap();
    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    assert_eq!(one(&embedded, "SELECT 1").await, 1);
    embedded.stop().await;
}

#[tokio::test]
async fn an_interrupted_initdb_is_done_again() {
    let scratch = Scratch::new();
    let half_made = scratch.path().join("cluster.initializing/base");
    std::fs::create_dir_all(&half_made).unwrap();
    std::fs::set_permissions(scratch.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    assert_eq!(one(&embedded, "SELECT 1").await, 1);
    assert!(!half_made.exists());
    embedded.stop().await;
}

#[tokio::test]
async fn data_of_another_version_are_refused_with_both_named() {
    let scratch = Scratch::new();
    std::fs::create_dir_all(scratch.path().join("cluster")).unwrap();
    std::fs::write(scratch.path().join("cluster/PG_VERSION"), "9\n").unwrap();
    let error = Embedded::start(scratch.relaxed()).await.unwrap_err();
    assert!(
        matches!(error, EmbeddedError::WrongVersion { cluster: 9, .. }),
        "{error:?}"
    );
    let message = error.to_string();
    assert!(message.contains("made by PostgreSQL 9,"), "{message}");
    assert!(message.contains("pg_upgrade"), "{message}");
}

#[tokio::test]
async fn a_bin_directory_without_postgres_is_refused() {
    let scratch = Scratch::new();
    let mut options = scratch.relaxed();
    options.bin_dir = Some("/nowhere/bin".into());
    let message = Embedded::start(options).await.unwrap_err().to_string();
    assert!(message.contains("/nowhere/bin cannot be used"), "{message}");
}

#[tokio::test]
async fn a_long_data_directory_gets_a_short_socket() {
    let scratch = Scratch::new();
    let mut options = scratch.relaxed();
    options.data_dir = scratch.path().join("x".repeat(90));
    let embedded = Embedded::start(options).await.unwrap();
    assert!(embedded.url().len() < 120, "{}", embedded.url());
    assert_eq!(one(&embedded, "SELECT 1").await, 1);
    embedded.stop().await;
}

#[tokio::test]
async fn as_root_a_closed_parent_directory_is_named() {
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    let scratch = Scratch::new();
    std::fs::create_dir_all(scratch.path()).unwrap();
    std::fs::set_permissions(scratch.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
    let mut options = scratch.relaxed();
    options.data_dir = scratch.path().join("data");
    let error = Embedded::start(options).await.unwrap_err();
    assert!(
        matches!(error, EmbeddedError::NotTraversable { .. }),
        "{error:?}"
    );
    let message = error.to_string();
    let expected = format!("chmod o+x {}", scratch.path().display());
    assert!(message.contains(&expected), "{message}");
}

#[tokio::test]
async fn a_broken_setting_shows_the_log() {
    let scratch = Scratch::new();
    Embedded::start(scratch.relaxed())
        .await
        .unwrap()
        .stop()
        .await;
    let settings = scratch.path().join("cluster/postgresql.auto.conf");
    std::fs::write(settings, "shared_buffers = nonsense\n").unwrap();
    let message = Embedded::start(scratch.relaxed())
        .await
        .unwrap_err()
        .to_string();
    assert!(message.contains("did not start"), "{message}");
    assert!(message.contains("nonsense"), "{message}");
}

#[tokio::test]
async fn the_server_runs_as_a_role_that_is_no_superuser() {
    let scratch = Scratch::new();
    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    let superuser = "SELECT count(*)::int FROM pg_roles WHERE rolname = current_user \
                     AND (rolsuper OR rolcreaterole OR rolreplication OR rolbypassrls)";
    assert_eq!(one(&embedded, superuser).await, 0);
    let database = Database::connect(DatabaseOptions::new(embedded.config()))
        .await
        .unwrap();
    for forbidden in [
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "SELECT pg_read_file('/etc/passwd')",
        "ALTER SYSTEM SET log_connections = on",
    ] {
        assert!(
            database.execute(forbidden, &[]).await.is_err(),
            "{forbidden}"
        );
    }
    // What octavo needs of its own database.
    let connection = database.connection().await.unwrap();
    let needed = "CREATE EXTENSION IF NOT EXISTS unaccent; CREATE EXTENSION pg_trgm; \
                  CREATE SCHEMA shelf; CREATE TABLE shelf.book (id int)";
    connection.batch_execute(needed).await.unwrap();
    // What only the superuser can declare, in an index of the role's own.
    let indexed = "CREATE INDEX ON shelf.book (public.octavo_unaccent('public.unaccent', id::text)); \
                   INSERT INTO shelf.book VALUES (1)";
    connection.batch_execute(indexed).await.unwrap();
    let unaccented = "SELECT (public.octavo_unaccent('public.unaccent', 'é') = 'e')::int";
    assert_eq!(one(&embedded, unaccented).await, 1);
    embedded.stop().await;
}

#[tokio::test]
async fn what_the_superuser_made_becomes_the_roles() {
    let scratch = Scratch::new();
    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    // The state that an earlier release, or a restore of its backup, leaves.
    let mut options = DatabaseOptions::new(embedded.superuser_config());
    options.lanes = 1;
    let before = Database::connect(options).await.unwrap();
    let connection = before.connection().await.unwrap();
    connection
        .batch_execute(
            "CREATE EXTENSION pg_trgm; CREATE SCHEMA \"it's\"; SET search_path = \"it's\"; \
             CREATE TABLE book (id int GENERATED ALWAYS AS IDENTITY, title text, number serial); \
             CREATE INDEX ON book (title); CREATE VIEW titles AS SELECT title FROM book; \
             CREATE SEQUENCE hrid; CREATE TYPE mood AS ENUM ('good'); \
             CREATE FUNCTION twice(int) RETURNS int LANGUAGE sql AS 'SELECT 2 * $1'; \
             CREATE FUNCTION public.fold(text) RETURNS text LANGUAGE sql AS 'SELECT lower($1)'",
        )
        .await
        .unwrap();
    drop(connection);
    before.close();
    embedded.stop().await;

    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    let database = Database::connect(DatabaseOptions::new(embedded.config()))
        .await
        .unwrap();
    let connection = database.connection().await.unwrap();
    connection
        .batch_execute(
            "SET search_path = \"it's\", public; ALTER TABLE book ADD pages int; \
             INSERT INTO book (title) VALUES ('Emma'); SELECT nextval('hrid'); \
             ALTER TYPE mood ADD VALUE 'bad'; DROP VIEW titles; \
             CREATE OR REPLACE FUNCTION twice(int) RETURNS int LANGUAGE sql AS 'SELECT $1 + $1'; \
             CREATE OR REPLACE FUNCTION public.fold(text) RETURNS text LANGUAGE sql AS 'SELECT upper($1)'; \
             DROP SCHEMA \"it's\" CASCADE",
        )
        .await
        .unwrap();
    embedded.stop().await;
}
