//! `/source-storage/stream/marc-record-identifiers`

use octavo_records::{Context, Stamp};
use octavo_source_records::app::keep_terms::work;
use octavo_source_records::app::{Freshness, MarcQuery, SearchRefusal, marc_search};
use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{bib, field, snapshot, stored};
use octavo_server_testkit::library;

const SEARCH: &str = "/source-storage/stream/marc-record-identifiers";

async fn search(client: &Client, body: &Value) -> (Vec<String>, i64) {
    let answer = client.post(SEARCH, body).await.expect(200).json();
    let ids = answer["records"].as_array().expect("a list").iter();
    let mut ids: Vec<String> = ids
        .map(|id| id.as_str().expect("an id").to_owned())
        .collect();
    ids.sort();
    (ids, answer["totalCount"].as_i64().expect("a number"))
}

#[tokio::test]
async fn each_kind_of_comparison_finds_what_meets_it() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let (one, other) = (Uuid::new_v4(), Uuid::new_v4());
    let fixed = |language: &str| format!("830419m19559999gw mua   hiz        {language}  ");
    let first = bib(
        snapshot_id,
        one,
        "393893",
        json!([
            {"005": "20141107001016.0"},
            {"008": fixed("ger")},
            field("035", "  ", "a", "(OCoLC)63611770"),
            field("050", "14", "a", "M3"),
            field("240", "10", "a", "Works"),
            field("245", "10", "a", "Neue Ausgabe sämtlicher Werke, it's \"all\""),
            field("948", "2 ", "b", "20130128"),
        ]),
    );
    stored(&client, &first).await;
    let mut second = bib(
        snapshot_id,
        other,
        "in0000000002",
        json!([
            {"005": "20200229120000.0"},
            {"008": fixed("eng")},
            field("035", "9 ", "a", "(DE-599)1"),
            field("050", " 4", "a", "M300"),
            field("245", "00", "a", "Semantic web"),
            field("245", "0A", "b", "an unusual indicator"),
        ]),
    );
    second["parsedRecord"]["content"]["leader"] = json!("00000nam a2200000   4500");
    stored(&client, &second).await;
    for (expression, expected) in [
        // Values.
        ("001.value = '393893'", "1"),
        ("001.value == '393893'", "1"),
        ("001.value = '39389'", ""),
        ("001.value ^= 'in0000'", "2"),
        ("001.value not= '393893'", "2"),
        ("245.value = 'Semantic web'", "2"),
        ("245.value ^= 'Neue Ausgabe sämtlicher'", "1"),
        ("999.s is 'present'", "12"),
        // Subfields.
        ("035.a = '(OCoLC)63611770'", "1"),
        ("035.a ^= '(OCoLC)'", "1"),
        ("035.a ^= '('", "12"),
        ("050.a ^= 'M3'", "12"),
        ("050.a ^= 'M30'", "2"),
        ("050.a ^= 'M300'", "2"),
        ("050.a ^= 'M3000'", ""),
        ("050.a not= 'M3'", "2"),
        ("245.a ^= '%'", ""),
        ("240.a is 'present'", "1"),
        ("240.a is 'absent'", ""),
        ("245.b is 'absent'", "1"),
        ("240.value is 'absent'", "2"),
        ("100.value is 'absent'", "12"),
        // Indicators.
        ("035.ind1 = '#'", "1"),
        ("035.ind1 = '9'", "2"),
        ("035.ind1 not= '#'", "2"),
        ("035.ind1 is 'present'", "2"),
        ("035.ind2 is 'absent'", "12"),
        ("245.ind2 = 'A'", "2"),
        ("245.ind2 = 'B'", ""),
        ("245.ind2 not= 'A'", "12"),
        ("050.ind1 ^= '1'", "1"),
        ("050.ind1 = '14'", ""),
        // Positions.
        ("008.35_03 = 'eng'", "2"),
        ("008.35_03 not= 'eng'", "1"),
        ("008.38_02 = '  '", "12"),
        ("008.06_01 = 'm'", "12"),
        ("008.18_06 = 'mua   '", "12"),
        ("008.15_06 = 'gw mua'", "12"),
        // Dates.
        ("005.date = '20141107'", "1"),
        ("005.date not= '20141107'", "2"),
        ("005.date from '20141108'", "2"),
        ("005.date to '20141107'", "1"),
        ("005.date in '20141107-20200229'", "12"),
        ("948.date to '20130128'", "1"),
        ("948.date from '20130129'", ""),
        ("245.date = '20130128'", ""),
        // Leader.
        ("p_05 = 'c' and p_06 = 'c' and p_07 = 'm'", "1"),
        ("p_05 not= 'c'", "2"),
        ("p_00_04 = '01542'", "1"),
        ("p_12_16 not= '00361'", "2"),
        ("p_18 = '#'", "12"),
        // Together.
        (
            "001.value = '393893' and 005.value ^= '2014110' and 035.ind1 = '#'",
            "1",
        ),
        ("(001.value == '393893' or 035.ind1 == '9')", "12"),
        (
            "050.a ^= 'M3' and (240.a ^= 'Works' or 245.a ^= 'Sem') and 948.ind1 = '2'",
            "1",
        ),
        (
            "(035.a = '(OCoLC)63611770' and 036.ind1 = '1') or 245.a ^= 'Semantic w'",
            "2",
        ),
        ("(948.ind1 = '2' and 948.value = '20130128')", "1"),
    ] {
        let name = match expression.starts_with("p_") {
            true => "leaderSearchExpression",
            false => "fieldsSearchExpression",
        };
        let (found, total) = search(&client, &json!({name: expression})).await;
        let mut wanted: Vec<String> = Vec::new();
        for (sign, id) in [('1', one), ('2', other)] {
            if expected.contains(sign) {
                wanted.push(id.to_string());
            }
        }
        wanted.sort();
        assert_eq!(found, wanted, "{expression}");
        assert_eq!(total, wanted.len() as i64, "{expression}");
        // A page leads to the same.
        let paged = json!({name: expression, "limit": 10});
        assert_eq!(
            search(&client, &paged).await,
            (found, total),
            "{expression}"
        );
    }
    let both = json!({
        "leaderSearchExpression": "p_05 = 'c'", "fieldsSearchExpression": "001.value = '393893'",
    });
    assert_eq!(search(&client, &both).await, (vec![one.to_string()], 1));
    let page = json!({"fieldsSearchExpression": "050.a ^= 'M3'", "limit": 1, "offset": 1});
    let (found, total) = search(&client, &page).await;
    assert_eq!((found.len(), total), (1, 2));
    let page = json!({"fieldsSearchExpression": "050.a ^= 'M3'", "limit": 0});
    assert_eq!(search(&client, &page).await, (Vec::new(), 2));
    let behind = json!({"fieldsSearchExpression": "050.a ^= 'M3'", "offset": 7});
    assert_eq!(search(&client, &behind).await, (Vec::new(), 2));
}

#[tokio::test]
async fn what_changes_is_found_as_it_is_now() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let instance_id = Uuid::new_v4();
    let title = |title: &str| {
        let fields = json!([field("245", "10", "a", title)]);
        bib(snapshot_id, instance_id, "in1", fields)
    };
    let of = |text: &str| json!({"fieldsSearchExpression": format!("245.a = '{text}'")});
    let old = stored(&client, &title("Bridges")).await;
    assert_eq!(search(&client, &of("Bridges")).await.1, 1);
    // A generation is old, and no longer found.
    let new = stored(&client, &title("Roads")).await;
    assert_eq!(new["matchedId"], old["matchedId"]);
    assert_eq!(search(&client, &of("Bridges")).await.1, 0);
    assert_eq!(search(&client, &of("Roads")).await.1, 1);
    // Hidden and deleted ones are found as they are asked for.
    let path = format!("/source-storage/records/{instance_id}");
    let hide = format!("{path}/suppress-from-discovery?idType=INSTANCE&suppress=true");
    let _ = client.put(&hide, &json!({})).await.expect(200);
    let mut wanted = of("Roads");
    wanted["suppressFromDiscovery"] = json!(false);
    assert_eq!(search(&client, &wanted).await.1, 0);
    wanted["suppressFromDiscovery"] = json!(true);
    assert_eq!(search(&client, &wanted).await.1, 1);
    let _ = client
        .delete(&format!("{path}?idType=INSTANCE"))
        .await
        .expect(204);
    let mut wanted = of("Roads");
    assert_eq!(search(&client, &wanted).await.1, 1);
    wanted["deleted"] = json!(false);
    assert_eq!(search(&client, &wanted).await.1, 0);
    wanted["deleted"] = json!(true);
    assert_eq!(search(&client, &wanted).await.1, 1);
    // It is deleted with its snapshot.
    let gone = format!("/source-storage/snapshots/{snapshot_id}");
    let _ = client.delete(&gone).await.expect(204);
    assert_eq!(search(&client, &of("Roads")).await.1, 0);
}

#[tokio::test]
async fn what_is_no_expression_is_refused_with_its_place() {
    let library = library().await;
    let client = library.client().await;
    for (name, expression, message) in [
        (
            "fieldsSearchExpression",
            "001.value = '3451991' and 005.value = '20140701')".to_owned(),
            "The number of opened brackets should be equal to number of closed brackets \
             [expression: marcFieldSearchExpression] (position 49)",
        ),
        (
            "leaderSearchExpression",
            "p_05 is 'present'".to_owned(),
            "Operator [is] is not supported for the given Leader operand. Supported operators: \
             [=] (position 1)",
        ),
        (
            "fieldsSearchExpression",
            "245.a = 'x' 245.b = 'y'".to_owned(),
            "The given expression [245.b = 'y'] is not parsable (position 13)",
        ),
        (
            "fieldsSearchExpression",
            "(".repeat(5_000) + &")".repeat(5_000),
            "The given expression is too large: it has more than 20 brackets in each other \
             (position 21)",
        ),
        (
            "fieldsSearchExpression",
            "'; DROP TABLE marc_term; --'".to_owned(),
            "The given expression ['; DROP TABLE marc_term; --'] is not parsable (position 1)",
        ),
    ] {
        let answer = client.post(SEARCH, &json!({name: expression})).await;
        assert_eq!(answer.expect(400).text, message);
    }
    let nothing = client.post(SEARCH, &json!({"limit": 3})).await.expect(400);
    assert_eq!(
        nothing.text,
        "The 'leaderSearchExpression' and the 'fieldsSearchExpression' are missing"
    );
    for wrong in [
        json!({"fieldsSearchExpression": "001.value = '1'", "limit": -1}),
        json!({"fieldsSearchExpression": "001.value = '1'", "colour": "red"}),
    ] {
        assert_eq!(client.post(SEARCH, &wrong).await.status, 422, "{wrong}");
    }
    for unread in [json!({"fieldsSearchExpression": 7}), json!([])] {
        assert_eq!(client.post(SEARCH, &unread).await.status, 400, "{unread}");
    }
}

#[tokio::test]
async fn a_load_is_announced_and_then_searched_and_long_lists_are_streamed() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let count = 1_300;
    for part in 0..(count / 650) {
        let records: Vec<Value> = (0..650)
            .map(|number| {
                let number = part * 650 + number;
                let fields = json!([field("245", "10", "a", &format!("Bridges {}", number % 7))]);
                bib(snapshot_id, Uuid::new_v4(), &format!("in{number}"), fields)
            })
            .collect();
        let batch = json!({"records": records, "totalRecords": 650});
        let _ = client
            .post("/source-storage/batch/records", &batch)
            .await
            .expect(201);
    }
    let tenant = library.tenant();
    let context = Context {
        store: &library.platform.store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let wanted = MarcQuery::bibs("245.a ^= 'Brid'");
    let behind = marc_search(&context, wanted, 10, 0)
        .await
        .expect("a search");
    assert_eq!(behind.freshness, Freshness::Behind(1_001));
    let all = json!({"fieldsSearchExpression": "245.a ^= 'Bridges'"});
    let answer = client.post(SEARCH, &all).await.expect(200);
    assert_eq!(answer.headers["x-octavo-records-waiting"], "1001");

    // Two workers at once leave nothing and do nothing twice.
    let (one, other) = tokio::join!(
        work(context.store, context.tenant),
        work(context.store, context.tenant)
    );
    let rest = work(context.store, context.tenant).await.expect("the rest");
    let done = one.expect("a worker") + other.expect("a worker") + rest;
    assert!(done <= count, "{done}");
    let found = marc_search(&context, wanted, 10, 0)
        .await
        .expect("a search");
    assert_eq!(found.freshness, Freshness::Complete);
    assert_eq!((found.ids.len(), found.total.things), (10, count as i64));
    assert!(!found.total.estimated);
    // What must be looked at again is not counted to its end.
    let again = MarcQuery::bibs("245.a ^= 'Bridges'");
    let some = marc_search(&context, again, 10, 1_200)
        .await
        .expect("a search");
    assert_eq!(some.ids.len(), 10);
    assert!(some.total.estimated && some.total.things > 1_000);
    // But on its last page.
    let last = marc_search(&context, again, 10, 1_295)
        .await
        .expect("a search");
    assert_eq!((last.ids.len(), last.total.things), (5, count as i64));
    assert!(!last.total.estimated);
    assert!(found.ids.is_sorted());
    let (ids, total) = search(&client, &all).await;
    assert_eq!((ids.len(), total), (count, count as i64));
    let limited = json!({"fieldsSearchExpression": "245.a = 'Bridges 3'", "limit": 1_200});
    let (ids, total) = search(&client, &limited).await;
    assert_eq!((ids.len() as i64, total), (total, 186));
    let refused = marc_search(&context, MarcQuery::bibs("245"), 1, 0).await;
    assert!(matches!(refused, Err(SearchRefusal::Expression(_))));
}

#[tokio::test]
async fn what_is_common_but_hardly_ever_met_together_is_found() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    for (number, tags) in [
        (1, ["020", "024"]),
        (2, ["022", "024"]),
        (3, ["020", "022"]),
    ] {
        let fields: Vec<Value> = tags.map(|tag| field(tag, "  ", "a", tag)).into();
        let record = bib(
            snapshot_id,
            Uuid::new_v4(),
            &format!("in{number}"),
            json!(fields),
        );
        stored(&client, &record).await;
    }
    let tenant = library.tenant();
    let context = Context {
        store: &library.platform.store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let one = MarcQuery::bibs("020.a is 'present'");
    let both = MarcQuery::bibs("020.a is 'present' and 022.a is 'present'");
    let found = marc_search(&context, both, 10, 0).await.expect("a search");
    assert_eq!((found.ids.len(), found.total.things), (1, 1));
    // Each of the first two stands for very many that have as much in common.
    let database = &library.platform.store.database;
    for sql in [
        "ALTER TABLE tenant_diku.marc_term DROP CONSTRAINT marc_term_id_fkey",
        "WITH few AS MATERIALIZED (SELECT array(SELECT unnest(term.terms) EXCEPT \
           SELECT unnest(other.terms)) AS terms \
           FROM tenant_diku.marc_term AS term JOIN tenant_diku.marc_term AS other \
             ON term.id <> other.id \
           WHERE NOT EXISTS (SELECT FROM tenant_diku.source_record AS source \
             WHERE source.id IN (term.id, other.id) AND source.jsonb::text LIKE '%in3%')) \
         INSERT INTO tenant_diku.marc_term (id, external_id, kind, deleted, suppressed, terms) \
         SELECT gen_random_uuid(), gen_random_uuid(), 1, false, false, few.terms \
         FROM few, generate_series(1, 50000)",
        "ANALYZE tenant_diku.marc_term",
    ] {
        let _ = database.query(sql, &[]).await.expect("the rows");
    }
    let common = marc_search(&context, one, 10, 0).await.expect("a search");
    assert_eq!(common.ids.len(), 10);
    assert!(
        common.total.estimated && common.total.things > 40_000,
        "{common:?}"
    );
    let rare = marc_search(&context, both, 10, 0).await.expect("a search");
    assert_eq!((rare.ids, rare.total), (found.ids, found.total));
}
