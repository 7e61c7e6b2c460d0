//! Lists of source records by what FOLIO's parameters name: right, and by an index each.

use octavo_records::plan::{Parameter, Plan, Predicate, SortTerm, Sql};
use octavo_source_records::app::IdType;
use octavo_source_records::app::search::{
    current, equal, order, order_of_suppressed, parsed, suppressed,
};
use octavo_source_records::store;
use octavo_testkit::Library;
use serde_json::{Value, json};
use uuid::Uuid;

use super::snapshot;
use octavo_server_testkit::library;

/// Records in the store.
const RECORDS: i64 = 6_000;
/// One in so many is hidden from discovery.
const HIDDEN: i64 = 100;

/// Fills the store: the records of one run in another order than that of their ids.
async fn fill(library: &Library, snapshot_id: Uuid) {
    let database = &library.platform.store.database;
    let schema = library.tenant().schema().to_owned();
    let sql = format!(
        "INSERT INTO {schema}.source_record (id, jsonb) SELECT id, jsonb_build_object(\
         'id', id, 'matchedId', id, 'snapshotId', $1::text, 'generation', 0, \
         'recordType', 'MARC_BIB', 'state', 'ACTUAL', 'order', n, 'deleted', false, \
         'rawRecord', jsonb_build_object('id', id, 'content', 'as it came'), \
         'parsedRecord', jsonb_build_object('id', id, 'content', jsonb_build_object(\
           'leader', '00000cam a2200000   4500', 'fields', jsonb_build_array(\
             jsonb_build_object('001', 'in' || n)))), \
         'externalIdsHolder', jsonb_build_object('instanceId', \
           '00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'), 'instanceHrid', 'in' || n), \
         'additionalInfo', jsonb_build_object('suppressDiscovery', n % $3::bigint = 0), \
         'metadata', jsonb_build_object('updatedDate', to_char(\
           timestamp '2026-01-01' + n * interval '1 minute', \
           'YYYY-MM-DD\"T\"HH24:MI:SS.000+00:00'))) \
         FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, $2::bigint) AS n) AS made"
    );
    let snapshot_id = snapshot_id.to_string();
    database
        .execute(&sql, &[&snapshot_id, &RECORDS, &HIDDEN])
        .await
        .expect("records");
    let sql = format!("ANALYZE {schema}.source_record");
    database.execute(&sql, &[]).await.expect("statistics");
}

/// PostgreSQL's plan for a page of source records.
async fn plan_of(library: &Library, parts: Vec<Predicate>, sort: Option<SortTerm>) -> String {
    let plan = Plan {
        predicate: Predicate::All(parts),
        sort: sort.into_iter().collect(),
    };
    let tenant = library.tenant();
    explained(
        library,
        &store::source_records(tenant.schema(), &plan, 10, 0),
    )
    .await
}

async fn explained(library: &Library, sql: &Sql) -> String {
    let database = &library.platform.store.database;
    let explain = format!("EXPLAIN {}", sql.text);
    let rows = database.query(&explain, &sql.bound()).await;
    let lines: Vec<String> = rows.expect("a plan").iter().map(|row| row.get(0)).collect();
    lines.join("\n")
}

#[tokio::test]
async fn each_list_is_read_by_an_index() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    fill(&library, snapshot_id).await;
    let shown = || vec![equal("recordType", "MARC_BIB"), current(false), parsed()];

    let mut of_run = shown();
    of_run.push(Predicate::IdIn("snapshotid".to_owned(), vec![snapshot_id]));
    for direction in ["order,ASC", "order,DESC"] {
        let plan = plan_of(&library, of_run.clone(), order(direction)).await;
        assert!(plan.contains("source_record_snapshotid_idx"), "{plan}");
        assert!(!plan.contains("Sort"), "{plan}");
    }

    let mut hidden = shown();
    hidden.push(suppressed(true));
    let plan = plan_of(&library, hidden, order_of_suppressed()).await;
    let index = "source_record_additionalinfo_suppressdiscovery_id_idx";
    assert!(plan.contains(index), "{plan}");
    assert!(!plan.contains("Sort"), "{plan}");

    let plan = plan_of(&library, shown(), order("updatedDate,DESC")).await;
    assert!(
        plan.contains("source_record_metadata_updateddate_idx"),
        "{plan}"
    );
    assert!(!plan.contains("Sort"), "{plan}");

    // As import jobs ask, in a statement of their own.
    let mut described = Sql::default();
    described.push(&format!(
        "SELECT 1 FROM {}.source_record WHERE {} = ",
        library.tenant().schema(),
        store::described_by("instanceId")
    ));
    described.bind(Parameter::Text(Uuid::nil().to_string()), "text");
    let plan = explained(&library, &described).await;
    let index = "source_record_externalidsholder_instanceid_idx";
    assert!(plan.contains(index), "{plan}");

    let ids: Vec<Uuid> = (0..30)
        .map(|number| Uuid::from_u128(0x4000_8000_0000_0000_0001 + number))
        .collect();
    for (kind, indexes) in [
        (
            IdType::External,
            &[
                "source_record_externalidsholder_instanceid_idx",
                "source_record_externalidsholder_holdingsid_idx",
                "source_record_externalidsholder_authorityid_idx",
            ][..],
        ),
        (
            IdType::Record,
            &["source_record_matchedid_generation_idx_unique"][..],
        ),
    ] {
        let mut wanted = shown();
        wanted.push(kind.among(&ids));
        let plan = plan_of(&library, wanted, None).await;
        for index in indexes {
            assert!(plan.contains(index), "{kind:?}\n{plan}");
        }
        assert!(!plan.contains("Seq Scan"), "{kind:?}\n{plan}");
    }
}

#[tokio::test]
async fn lists_are_in_the_order_that_is_asked_for() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    fill(&library, snapshot_id).await;
    let list = async |parameters: &str| -> Vec<Value> {
        let path = format!("/source-storage/source-records?{parameters}");
        let page = client.get(&path).await.expect(200).json();
        page["sourceRecords"].as_array().cloned().expect("a list")
    };
    let orders = |records: &[Value]| -> Vec<i64> {
        let each = records.iter();
        each.map(|one| one["order"].as_i64().expect("a number"))
            .collect()
    };
    let of_run = format!("snapshotId={snapshot_id}&limit=3");
    // As numbers, not as texts.
    let page = list(&format!("{of_run}&orderBy=order,ASC&offset=8")).await;
    assert_eq!(orders(&page), [9, 10, 11]);
    let page = list(&format!("{of_run}&orderBy=order,DESC")).await;
    assert_eq!(orders(&page), [RECORDS, RECORDS - 1, RECORDS - 2]);
    let page = list("orderBy=updatedDate,DESC&limit=2&updatedBefore=2026-01-01T02:00:00Z").await;
    assert_eq!(orders(&page), [120, 119]);
    let page = list("updatedAfter=2026-01-05T03:59:00Z&limit=10").await;
    assert_eq!(page.len(), 2);

    let hidden = list("suppressFromDiscovery=true&limit=1000").await;
    assert_eq!(hidden.len() as i64, RECORDS / HIDDEN);
    let hides = |one: &Value| one["additionalInfo"]["suppressDiscovery"] == true;
    assert!(hidden.iter().all(hides));
    let ids: Vec<&str> = hidden
        .iter()
        .map(|one| one["recordId"].as_str().expect("an id"))
        .collect();
    assert!(ids.is_sorted());
    let seen = list("suppressFromDiscovery=false&limit=1000").await;
    assert_eq!(seen.len(), 1_000);
    assert!(!seen.iter().any(hides));
    let page = list("suppressFromDiscovery=true&orderBy=order&limit=2").await;
    assert_eq!(orders(&page), [HIDDEN, 2 * HIDDEN]);
    assert_eq!(
        list("suppressFromDiscovery=true&recordType=MARC_HOLDING").await,
        [json!(null); 0]
    );
}
