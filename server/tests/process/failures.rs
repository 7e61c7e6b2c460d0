//! A failed request can be traced: its log line has the request's id, the place in the code and the
//! statement, and no value of the request.

use octavo_postgres::{Database, DatabaseOptions};
use reqwest::Method;

use crate::octavo::Octavo;
use crate::place::DataDir;

#[tokio::test]
async fn the_line_of_a_500_says_whose_request_failed_and_where() {
    let directory = DataDir::of_demo().await;
    let mut octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    let config = directory.database_url().parse().expect("a URL");
    let database = Database::connect(DatabaseOptions::new(config)).await;
    let database = database.expect("a connection");
    let column = "ALTER TABLE tenant_diku.service_point RENAME COLUMN jsonb TO gone";
    let _ = database.execute(column, &[]).await.expect("renamed");

    let path = "/service-points?query=name==%22Dorothea%22";
    let request = client
        .request(Method::GET, path)
        .header("x-okapi-request-id", "424242/service-points");
    let answer = client.send(request).await.expect(500);
    assert_eq!(answer.text, "Internal Server Error");
    octavo.logs("request failed").await;
    octavo.terminate();
    octavo.ended_well().await;

    let log = octavo.log();
    let line = log.lines().find(|line| line.contains("request failed"));
    let line = line.expect("the line");
    for part in [
        "ERROR request{id=\"424242/service-points\"",
        "tenant=\"diku\"",
        "route=GET /service-points ",
        "user=",
        "at=foundation/records/src/store/",
        "sqlstate=\"42703\"",
        "statement=SELECT ",
        "tenant_diku.service_point",
    ] {
        assert!(line.contains(part), "{part} in\n{line}");
    }
    assert!(!log.contains("Dorothea"), "{log}");
}
