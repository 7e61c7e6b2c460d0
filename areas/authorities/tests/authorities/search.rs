//! Searching and browsing of authorities: results include the last saved change, are exact, and use
//! an index whatever the number of records.

use octavo_platform::Handler;
use octavo_platform::system_call;
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AUTHORITIES, LCNAF, name, path_of, stored};
use octavo_server_testkit::library;

const SEARCH: &str = "/search/authorities";
const BROWSE: &str = "/browse/authorities";
const LCSH: &str = "837e2c7b-037b-4113-9dfd-b1b8aeeb1fb8";
const LCCN: &str = "c858e4f2-2b6b-4385-842b-60732ee14abb";

async fn found(client: &Client, query: &str) -> Vec<String> {
    let page = client.query(SEARCH, query).await.expect(200).json();
    let found = headings(&page["authorities"]);
    assert_eq!(page["totalRecords"], found.len(), "{query}");
    found
}

fn headings(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("a list").iter();
    list.map(|one| one["headingRef"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// Two names and a subject: seven forms of headings.
async fn some(client: &Client) -> [Value; 3] {
    let mut woolf = name("Woolf, Virginia, 1882-1941", "n79041870");
    woolf["sftPersonalName"] = json!(["Stephen, Virginia", "Wulf, Virdzhiniia"]);
    woolf["saftCorporateName"] = json!(["Hogarth Press"]);
    woolf["identifiers"] = json!([{"value": "n  79-041870", "identifierTypeId": LCCN}]);
    let titled = json!({"id": Uuid::new_v4(), "source": "MARC", "naturalId": "n2", "sourceFileId": LCNAF,
                        "personalNameTitle": "Woolf, Virginia. Orlando"});
    let whales = json!({"id": Uuid::new_v4(), "source": "MARC", "naturalId": "sh85146242", "sourceFileId": LCSH,
                        "topicalTerm": "Whales", "sftTopicalTerm": ["Cetacea"], "subjectHeadings": "a"});
    [
        stored(client, &woolf).await,
        stored(client, &titled).await,
        stored(client, &whales).await,
    ]
}

#[tokio::test]
async fn every_form_of_a_heading_is_found_by_itself() {
    let library = library().await;
    let client = library.client().await;
    let [woolf, titled, whales] = some(&client).await;
    let page = client
        .query(
            SEARCH,
            "keyword=virginia and authRefType==Authorized sortBy headingRef",
        )
        .await;
    let page = page.expect(200).json();
    assert_eq!(
        page["authorities"][0],
        json!({"id": woolf["id"], "tenantId": "diku", "shared": false, "headingType": "Personal Name",
               "authRefType": "Authorized", "headingRef": "Woolf, Virginia, 1882-1941",
               "sourceFileId": LCNAF, "naturalId": "n79041870", "numberOfTitles": 0})
    );
    assert_eq!(page["authorities"][1]["id"], titled["id"]);
    for (query, wanted) in [
        (
            "cql.allRecords=1 sortBy headingRef",
            vec![
                "Cetacea",
                "Hogarth Press",
                "Stephen, Virginia",
                "Whales",
                "Woolf, Virginia, 1882-1941",
                "Woolf, Virginia. Orlando",
                "Wulf, Virdzhiniia",
            ],
        ),
        (
            "keyword=woolf sortBy headingRef/sort.descending",
            vec!["Woolf, Virginia. Orlando", "Woolf, Virginia, 1882-1941"],
        ),
        (
            "keyword==\"virginia 1882\"",
            vec!["Woolf, Virginia, 1882-1941"],
        ),
        (
            "keyword all \"1882 virg*\"",
            vec!["Woolf, Virginia, 1882-1941"],
        ),
        ("personalName=virginia", vec!["Woolf, Virginia, 1882-1941"]),
        ("sftPersonalName=virginia", vec!["Stephen, Virginia"]),
        ("saftCorporateName=press", vec!["Hogarth Press"]),
        ("personalNameTitle=*", vec!["Woolf, Virginia. Orlando"]),
        ("isTitleHeadingRef==true", vec!["Woolf, Virginia. Orlando"]),
        ("headingRef==\"wulf, *\"", vec!["Wulf, Virdzhiniia"]),
        ("headingRef==WHALES", vec!["Whales"]),
        // Under the general name identifiers are found too.
        (
            "keyword=\"n  79-041870\" and authRefType==Authorized",
            vec!["Woolf, Virginia, 1882-1941"],
        ),
        ("keyword==\"*irdzh*\"", vec!["Wulf, Virdzhiniia"]),
        (
            "personalName=\"W*f, *nia\" and authRefType==Authorized",
            vec![],
        ),
        ("id==\"*zz*\"", vec![]),
        (
            "headingType==Topical sortBy headingRef",
            vec!["Cetacea", "Whales"],
        ),
        (
            "headingType==(\"Topical\" or \"Corporate Name\") and authRefType==(Authorized or \"Auth/Ref\") sortBy headingType",
            vec!["Hogarth Press", "Whales"],
        ),
        (
            "lccn==\"n79041870\" and authRefType==Authorized",
            vec!["Woolf, Virginia, 1882-1941"],
        ),
        (
            "identifiers.value==\"N  79-041870\" and authRefType==Authorized",
            vec!["Woolf, Virginia, 1882-1941"],
        ),
        ("canceledLccn==n79041870", vec![]),
        (
            "naturalId==SH85146242 sortBy headingRef",
            vec!["Cetacea", "Whales"],
        ),
        (
            "subjectHeadings==a and authRefType==Reference",
            vec!["Cetacea"],
        ),
        (
            &format!("sourceFileId=={LCSH} sortBy headingRef"),
            vec!["Cetacea", "Whales"],
        ),
        ("sourceFileId==NULL", vec![]),
        ("tenantId==diku and keyword=cetacea", vec!["Cetacea"]),
        ("shared==true", vec![]),
        (
            "metadata.createdDate>2020-01-01 and keyword=whales",
            vec!["Whales"],
        ),
        ("metadata.updatedDate<2020-01-01", vec![]),
        ("keyword=whales not headingType==Topical", vec![]),
        (
            &format!(
                "id=={} sortBy headingRef",
                whales["id"].as_str().expect("an id")
            ),
            vec!["Cetacea", "Whales"],
        ),
    ] {
        assert_eq!(found(&client, query).await, wanted, "{query}");
    }
    for wrong in [
        "title=x",
        "isTitleHeadingRef==t*",
        "id>x",
        "keyword=x sortBy naturalId",
        "keyword=",
        "(((",
    ] {
        let answer = client.query(SEARCH, wrong).await;
        assert_eq!(answer.status, 400, "{wrong}: {}", answer.text);
    }
    let _ = client.get(SEARCH).await.expect(400);
}

#[tokio::test]
async fn what_is_found_is_what_was_saved_last() {
    let library = library().await;
    let client = library.client().await;
    let [woolf, ..] = some(&client).await;
    let mut changed = woolf.clone();
    changed["personalName"] = json!("Woolf, V.");
    changed["sftPersonalName"] = json!([]);
    let _ = client.put(&path_of(&woolf), &changed).await.expect(204);
    assert_eq!(found(&client, "personalName=woolf").await, ["Woolf, V."]);
    assert!(found(&client, "keyword=stephen").await.is_empty());
    let instance = Uuid::new_v4();
    let link = json!({"instanceId": instance, "authorityId": woolf["id"], "linkingRuleId": 1,
                      "authorityNaturalId": "n79041870"});
    let mut second = link.clone();
    second["linkingRuleId"] = json!(15);
    let path = format!("/links/instances/{instance}");
    let _ = client
        .put(&path, &json!({"links": [link, second]}))
        .await
        .expect(204);
    let page = client
        .query(SEARCH, "personalName=woolf")
        .await
        .expect(200)
        .json();
    assert_eq!(
        page["authorities"][0]["numberOfTitles"], 1,
        "one title, linked twice"
    );
    let path =
        format!("{SEARCH}?query=personalName%3Dwoolf&includeNumberOfTitles=false&expandAll=true");
    let whole = client.get(&path).await.expect(200).json();
    assert!(whole["authorities"][0].get("numberOfTitles").is_none());
    assert_eq!(whole["authorities"][0]["source"], "MARC");
    let _ = client.delete(&path_of(&woolf)).await.expect(204);
    assert!(found(&client, "personalName=woolf").await.is_empty());
    let job = json!({"query": "headingType==Topical", "entityType": "AUTHORITY"});
    let job = client
        .post("/search/resources/jobs", &job)
        .await
        .expect(200)
        .json();
    let path = format!(
        "/search/resources/jobs/{}/ids",
        job["id"].as_str().expect("an id")
    );
    assert_eq!(
        client.get(&path).await.expect(200).json()["totalRecords"],
        1
    );
}

#[tokio::test]
async fn facets_count_forms_and_leave_their_own_filter_out() {
    let library = library().await;
    let client = library.client().await;
    some(&client).await;
    let path =
        "/search/authorities/facets?facet=headingType&facet=sourceFileId:1&facet=subjectHeadings";
    let counted = client
        .get(&format!("{path}&query=headingType%3D%3DTopical"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        counted["facets"]["headingType"]["values"],
        json!([{"id": "Personal Name", "totalRecords": 4}, {"id": "Topical", "totalRecords": 2},
               {"id": "Corporate Name", "totalRecords": 1}])
    );
    assert_eq!(
        counted["facets"]["sourceFileId"]["values"],
        json!([{"id": LCSH, "totalRecords": 2}])
    );
    assert_eq!(
        counted["facets"]["subjectHeadings"]["values"],
        json!([{"id": "a", "totalRecords": 2}])
    );
    let _ = client
        .get("/search/authorities/facets?facet=colour&query=cql.allRecords%3D1")
        .await
        .expect(400);
}

#[tokio::test]
async fn headings_are_browsed_around_before_and_after_an_anchor() {
    let library = library().await;
    let client = library.client().await;
    some(&client).await;
    for at in 0..20 {
        stored(&client, &name(&format!("Name {at:02}"), &format!("n{at}"))).await;
    }
    let browse = async |query: &str, more: &str| {
        let path = format!("{BROWSE}?limit=5{more}");
        client.query_more(&path, query).await
    };
    let around = browse("headingRef>=\"Name 10\" or headingRef<\"Name 10\"", "").await;
    assert_eq!(
        headings(&around["items"]),
        ["Name 08", "Name 09", "Name 10", "Name 11", "Name 12"]
    );
    assert_eq!(around["items"][2]["isAnchor"], true);
    assert_eq!(
        around["items"][2]["authority"]["headingType"],
        "Personal Name"
    );
    assert_eq!(
        (&around["prev"], &around["next"]),
        (&json!("Name 08"), &json!("Name 12"))
    );
    assert_eq!(
        around["totalRecords"], 26,
        "what records only point to is not walked along"
    );
    let missing = browse(
        "headingRef>=\"Name 10a\" or headingRef<\"Name 10a\"",
        "&precedingRecordsCount=2",
    )
    .await;
    assert_eq!(
        headings(&missing["items"]),
        ["Name 09", "Name 10", "Name 10a", "Name 11", "Name 12"]
    );
    assert_eq!(
        missing["items"][2],
        json!({"headingRef": "Name 10a", "isAnchor": true})
    );
    let plain = browse(
        "headingRef>=\"Name 10a\" or headingRef<\"Name 10a\"",
        "&highlightMatch=false",
    )
    .await;
    assert_eq!(
        headings(&plain["items"]),
        ["Name 09", "Name 10", "Name 11", "Name 12", "Name 13"]
    );
    let after = browse("headingRef>\"Name 18\"", "").await;
    assert_eq!(
        headings(&after["items"])[..2],
        ["Name 19", "Stephen, Virginia"]
    );
    let before = browse("headingRef<\"Name 00\"", "").await;
    assert_eq!(headings(&before["items"]), ["Cetacea"]);
    assert!(before.get("prev").is_none());
    let kept = browse(
        "(headingRef>=a or headingRef<a) and headingType==Topical",
        "",
    )
    .await;
    assert_eq!(headings(&kept["items"]), ["a", "Cetacea", "Whales"]);
    let titles = browse("headingRef>=a and isTitleHeadingRef==true", "").await;
    assert_eq!(headings(&titles["items"]), ["Woolf, Virginia. Orlando"]);
    for wrong in [
        "headingType==Topical",
        "headingRef>a and headingRef<b",
        "headingRef>a sortBy headingRef",
    ] {
        assert_eq!(client.query(BROWSE, wrong).await.status, 400, "{wrong}");
    }
    let path = format!("{BROWSE}?limit=2&precedingRecordsCount=2&query=headingRef%3Ea");
    let _ = client.get(&path).await.expect(400);
    // Page by page, nothing is missing and nothing is repeated.
    let mut all = Vec::new();
    let mut query = "headingRef>=\" \"".to_owned();
    loop {
        let page = browse(&query, "").await;
        all.extend(headings(&page["items"]));
        match page["next"].as_str() {
            Some(next) => query = format!("headingRef>\"{next}\""),
            None => break,
        }
    }
    assert_eq!(all.len(), 26, "{all:?}");
}

trait QueryMore {
    async fn query_more(&self, path: &str, query: &str) -> Value;
}

impl QueryMore for Client {
    /// A path that has parameters already, and a query.
    async fn query_more(&self, path: &str, query: &str) -> Value {
        let request = self
            .request(reqwest::Method::GET, path)
            .query(&[("query", query)]);
        self.send(request).await.expect(200).json()
    }
}

/// Fills the tables for searching as the timer does.
async fn fill(library: &Library) {
    let platform = &library.platform;
    let view = platform.registry.known(library.tenant().id());
    let view = view.expect("the tenant was asked for");
    let modules = octavo_search::modules();
    let mut timers = modules.iter().flat_map(|one| &one.timers);
    let Some(Handler::Call(handler)) = timers.next().map(|timer| &timer.handler) else {
        panic!("there is no timer of the area's own");
    };
    let _ = handler(system_call(platform, &view)).await.expect("filled");
}

/// A hundred thousand authorities at once, as a table of PostgreSQL makes them.
async fn many(library: &Library) {
    let schema = library.tenant().schema().to_owned();
    let sql = format!(
        "INSERT INTO {schema}.authority (id, jsonb) SELECT id, jsonb_build_object('id', id, 'source', 'MARC', \
         'naturalId', 'n' || at, 'sourceFileId', CASE at % 50 WHEN 0 THEN '{LCSH}' ELSE '{LCNAF}' END, \
         CASE at % 10 WHEN 0 THEN 'topicalTerm' WHEN 1 THEN 'personalNameTitle' ELSE 'personalName' END, \
         'Heading ' || md5(at::text) || ' ' || at, 'sftPersonalName', jsonb_build_array('Ref ' || md5((at + 7)::text)), \
         'saftPersonalName', jsonb_build_array('See ' || at), 'subjectHeadings', chr(97 + at % 20), \
         'identifiers', jsonb_build_array(jsonb_build_object('value', 'n' || at, 'identifierTypeId', '{LCCN}')), \
         'metadata', jsonb_build_object('createdDate', '2026-01-01T00:00:00.000+00:00', \
         'updatedDate', to_char(timestamp '2026-01-01' + at * interval '1 minute', 'YYYY-MM-DD\"T\"HH24:MI:SS')), \
         '_version', 0) FROM (SELECT at, gen_random_uuid() AS id FROM generate_series(1, 100000) AS at) AS new"
    );
    let database = &library.platform.store.database;
    let transaction = database.transaction().await.expect("a transaction");
    transaction
        .batch_execute("SET LOCAL statement_timeout = 0")
        .await
        .expect("no limit");
    transaction.execute(&sql, &[]).await.expect("authorities");
    transaction.commit().await.expect("committed");
    let sql = format!("ANALYZE {schema}.search_authority");
    database.execute(&sql, &[]).await.expect("analyzed");
    let sql = format!("ANALYZE {schema}.authority");
    database.execute(&sql, &[]).await.expect("analyzed");
}

#[tokio::test]
async fn among_a_hundred_thousand_everything_is_found_by_an_index() {
    let library = library().await;
    let client = library.client().await;
    many(&library).await;
    let schema = library.tenant().schema().to_owned();
    let database = &library.platform.store.database;
    for condition in [
        "a.words @@ public.octavo_phrase('99999')".to_owned(),
        "field = 'personalName' AND a.words @@ public.octavo_phrase('99999')".to_owned(),
        "sort_key = 'see 5'".to_owned(),
        "sort_key > 'see 5' ORDER BY sort_key, id, at LIMIT 20".to_owned(),
        "ref <> 'Auth/Ref' AND sort_key < 'm' ORDER BY sort_key DESC, id DESC, at DESC LIMIT 20".to_owned(),
        "ref <> 'Auth/Ref' AND sort_key >= 'm' AND heading_type = 'Topical' ORDER BY sort_key, id, at LIMIT 20".to_owned(),
        "natural_id = 'n77'".to_owned(),
        format!("source_file = '{LCSH}' AND sort_key < 'heading 1'"),
        "lccns @> ARRAY['n77'] AND lccns <> '{}'".to_owned(),
        "identifiers @> ARRAY['n77'] AND identifiers <> '{}'".to_owned(),
        "updated > '2026-03-11'".to_owned(),
        "created > '2026-03-11'".to_owned(),
        "subject_headings = 'z'".to_owned(),
        "is_title ORDER BY sort_key, id, at LIMIT 20".to_owned(),
        "ref = 'Authorized' ORDER BY sort_key, id, at LIMIT 20".to_owned(),
        "heading_type = 'Topical' ORDER BY sort_key, id, at LIMIT 20".to_owned(),
        "true ORDER BY sort_key, id, at LIMIT 20".to_owned(),
        "field = 'topicalTerm' AND sort_key < 'heading 01'".to_owned(),
    ] {
        let sql = format!("EXPLAIN SELECT * FROM {schema}.search_authority AS a WHERE {condition}");
        let rows = database.query_fresh(&sql, &[]).await.expect("a plan");
        let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        let plan = plan.join("\n");
        assert!(plan.contains("Index") && !plan.contains("Seq Scan"), "{condition}\n{plan}");
    }
    for condition in [
        "left(jsonb->>'naturalId', 600) COLLATE \"C\" = ANY(ARRAY['n5', 'n6'])",
        "sourcefileid = '837e2c7b-037b-4113-9dfd-b1b8aeeb1fb8' LIMIT 1",
    ] {
        let sql = format!("EXPLAIN SELECT id FROM {schema}.authority WHERE {condition}");
        let rows = database.query_fresh(&sql, &[]).await.expect("a plan");
        let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        println!("{condition}: {plan:?}");
        assert!(
            condition.contains("LIMIT") || plan.iter().any(|line| line.contains("Index")),
            "{plan:?}"
        );
    }
    let page = client
        .query(SEARCH, "keyword=77777")
        .await
        .expect(200)
        .json();
    assert_eq!(page["totalRecords"], 2, "the heading and what points to it");
    let page = client
        .query(
            SEARCH,
            "headingType==Topical and authRefType==Authorized sortBy headingRef",
        )
        .await;
    assert_eq!(page.expect(200).json()["totalRecords"], 10_000);
    for query in [
        "naturalId==n5",
        "headingType==topicalTerm and createdDate>2020",
        "heading==\"heading x\"",
    ] {
        let _ = client.query(AUTHORITIES, query).await.expect(200);
    }
    // Told with --nocapture: what each costs over HTTP.
    for (path, query) in [
        (SEARCH, "keyword=77777"),
        (SEARCH, "keyword=heading sortBy headingRef"),
        (SEARCH, "cql.allRecords=1 sortBy headingRef"),
        (
            BROWSE,
            "headingRef>=\"heading 5\" or headingRef<\"heading 5\"",
        ),
        (
            BROWSE,
            "(headingRef>=\"heading 5\" or headingRef<\"heading 5\") and headingType==Topical",
        ),
    ] {
        let mut times = Vec::new();
        for _ in 0..20 {
            let started = std::time::Instant::now();
            let _ = client.query(path, query).await.expect(200);
            times.push(started.elapsed());
        }
        times.sort_unstable();
        println!(
            "{path} {query}: median {:?}, worst {:?}",
            times[10], times[19]
        );
    }
}

#[tokio::test]
async fn authorities_of_before_are_taken_up() {
    let library = library().await;
    let client = library.client().await;
    some(&client).await;
    let schema = library.tenant().schema().to_owned();
    let database = &library.platform.store.database;
    let sql = format!("DELETE FROM {schema}.search_authority");
    database.execute(&sql, &[]).await.expect("emptied");
    let sql = format!(
        "UPDATE {schema}.search_fill SET done = false, after = '00000000-0000-0000-0000-000000000000' \
         WHERE kind = 'authority'"
    );
    database.execute(&sql, &[]).await.expect("to be taken up");
    assert!(found(&client, "keyword=whales").await.is_empty());
    fill(&library).await;
    assert_eq!(found(&client, "keyword=whales").await, ["Whales"]);
    assert_eq!(found(&client, "cql.allRecords=1").await.len(), 7);
}
