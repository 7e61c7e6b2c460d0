//! Migrations run once, whichever process runs them.

use octavo_postgres::{Database, Migration};

use crate::support::{database, options};

fn steps() -> Vec<Migration> {
    vec![
        Migration::new(
            "0001-item",
            "CREATE TABLE item (id int); INSERT INTO item VALUES (1);",
        ),
        Migration::new("0002-title", "ALTER TABLE item ADD COLUMN title text"),
    ]
}

#[tokio::test]
async fn each_runs_once_in_its_schema() {
    let (database, _test) = database().await;
    let outcome = database
        .migrate("diku\"_items", &steps()[..1])
        .await
        .unwrap();
    assert_eq!(outcome.applied, ["0001-item"]);
    let outcome = database.migrate("diku\"_items", &steps()).await.unwrap();
    assert_eq!(outcome.applied, ["0002-title"]);
    assert!(
        database
            .migrate("diku\"_items", &steps())
            .await
            .unwrap()
            .applied
            .is_empty()
    );
    let rows = database
        .query("SELECT title FROM \"diku\"\"_items\".item", &[])
        .await
        .unwrap();
    assert_eq!(rows.len(), 1);
}

/// Steps are sent many at once: none runs into the next one, whatever it ends with, each sees what those
/// before it made, and each is noted.
#[tokio::test]
async fn steps_that_are_sent_together_are_each_run_and_noted() {
    let (database, _test) = database().await;
    let long = format!("INSERT INTO book VALUES (2, '{}');", "x".repeat(70_000));
    let steps = [
        Migration::new(
            "book",
            "CREATE TABLE book (id int, title text) -- the first",
        ),
        Migration::new("empty", "-- nothing any more"),
        Migration::new("one", "INSERT INTO book VALUES (1, 'a');;"),
        Migration::new("two", long),
        Migration::new(
            "function",
            "CREATE FUNCTION books() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM book; $$",
        ),
        Migration::new("three", "INSERT INTO book VALUES (books() + 1)"),
    ];
    let ids: Vec<&str> = steps.iter().map(|step| step.id.as_str()).collect();
    assert_eq!(database.migrate("s", &steps).await.unwrap().applied, ids);
    let sql = "SELECT array_agg(id ORDER BY id) FROM s.book";
    let rows = database.query(sql, &[]).await.unwrap();
    assert_eq!(rows[0].get::<_, Vec<i32>>(0), [1, 2, 3]);
    let noted = "SELECT count(*) FROM s.octavo_migrations WHERE length(checksum) = 64";
    let rows = database.query(noted, &[]).await.unwrap();
    assert_eq!(rows[0].get::<_, i64>(0), 6);
    let again = database.migrate("s", &steps).await.unwrap();
    assert!(again.applied.is_empty() && again.changed.is_empty());
}

#[tokio::test]
async fn a_changed_step_is_reported_and_not_run() {
    let (database, _test) = database().await;
    database.migrate("s", &steps()).await.unwrap();
    let mut changed = steps();
    changed[0].sql.push_str("SELECT 1/0;");
    let outcome = database.migrate("s", &changed).await.unwrap();
    assert_eq!(
        (outcome.applied.len(), outcome.changed),
        (0, vec!["0001-item".to_owned()])
    );
}

#[tokio::test]
async fn a_failed_step_leaves_nothing() {
    let (database, _test) = database().await;
    let mut steps = steps();
    steps.push(Migration::new("0003-wrong", "SELECT 1/0"));
    database.migrate("s", &steps).await.unwrap_err();
    let sql = "SELECT count(*) FROM pg_namespace WHERE nspname = 's'";
    assert_eq!(
        database.query(sql, &[]).await.unwrap()[0].get::<_, i64>(0),
        0
    );
}

#[tokio::test]
async fn two_at_once_do_the_work_once() {
    let (first, test) = database().await;
    let second = Database::connect(options(&test)).await.unwrap();
    let steps = steps();
    let (one, two) = tokio::join!(
        first.migrate("diku", &steps),
        second.migrate("diku", &steps)
    );
    let mut applied = [one.unwrap().applied.len(), two.unwrap().applied.len()];
    applied.sort_unstable();
    assert_eq!(applied, [0, 2]);
}

#[tokio::test]
async fn a_template_is_copied() {
    let cluster = octavo_postgres::testing::TestCluster::shared();
    let build = |config| async move {
        let options = octavo_postgres::DatabaseOptions::new(config);
        let database = Database::connect(options).await.unwrap();
        database
            .execute("CREATE TABLE book AS SELECT 1 AS id", &[])
            .await
            .unwrap();
    };
    let template = cluster.template("books", build).await;
    assert_eq!(
        cluster
            .template("books", async |_| panic!("built twice"))
            .await,
        template
    );
    for _ in 0..2 {
        let test = cluster.create_database_from_template(&template).await;
        let database = Database::connect(options(&test)).await.unwrap();
        database
            .execute("INSERT INTO book VALUES (2)", &[])
            .await
            .unwrap();
        assert_eq!(
            database
                .query("SELECT * FROM book", &[])
                .await
                .unwrap()
                .len(),
            2
        );
    }
}
