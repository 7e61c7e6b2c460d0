//! Exports of large records and of records with many holdings and items: portions fit into memory,
//! and omissions are reported.

use super::*;
use octavo_server_testkit::library;

/// The portions of a whole export.
async fn portions(library: &Library, form: Form, format: Format) -> Vec<ExportedPortion> {
    let database = &library.platform.store.database;
    let exporter = Exporter::open(database, &tenant(), wanted(form, format)).await;
    let mut walk = exporter.unwrap().walk(Predicate::Everything);
    let mut portions = Vec::new();
    while let Some(made) = walk.next().await.unwrap() {
        portions.push(made);
    }
    portions
}

fn bytes(portions: &[ExportedPortion]) -> Vec<u8> {
    portions
        .iter()
        .flat_map(|made| made.bytes.clone())
        .collect()
}

async fn run(library: &Library, sql: &str) {
    let sql = sql.replace("{schema}", tenant().schema());
    let database = &library.platform.store.database;
    database.execute(&sql, &[]).await.unwrap();
}

async fn holdings(client: &Client, instance: &Value, location: &Value) -> Value {
    let holdings = json!({"instanceId": instance["id"], "permanentLocationId": location["id"],
        "sourceId": "f32d531e-df79-46b3-8932-cdd35f7a2264"});
    let made = client.post("/holdings-storage/holdings", &holdings).await;
    made.expect(201).json()
}

/// Records of a megabyte and a half each.
fn large(count: usize) -> String {
    let mut text = "<collection xmlns=\"http://www.loc.gov/MARC21/slim\">".to_owned();
    for number in 0..count {
        text.push_str(&format!(
            "<record><leader>00000nam a2200000   4500</leader>\
             <datafield tag=\"245\" ind1=\"1\" ind2=\"0\"><subfield code=\"a\">Title {number}</subfield>\
             </datafield>"
        ));
        let note = format!(
            "<datafield tag=\"950\" ind1=\" \" ind2=\" \"><subfield code=\"a\">{}</subfield></datafield>",
            "note ".repeat(15_000)
        );
        text.push_str(&note.repeat(20));
        text.push_str("</record>");
    }
    text.push_str("</collection>");
    text
}

#[tokio::test]
async fn large_records_leave_in_portions_that_fit() {
    let library = library().await;
    assert_eq!(load(&library, large(9).as_bytes()).await, 9);
    let made = portions(&library, Form::Catalogue, Format::Json).await;
    let all = bytes(&made);
    let exported: Vec<u64> = made.iter().map(|made| made.exported).collect();
    assert!(
        exported.iter().sum::<u64>() == 9 && exported.len() > 2,
        "{exported:?}"
    );
    let text = String::from_utf8(all.clone()).unwrap();
    let titles: Vec<Option<usize>> = (0..9)
        .map(|number| text.find(&format!("Title {number}")))
        .collect();
    assert!(titles.is_sorted() && titles[0].is_some());
    // The same by the JSON of each, which is read apart; and with nothing but that.
    for gone in ["'{parsedRecord,formattedContent}'", "'{rawRecord,content}'"] {
        let sql = format!("UPDATE {{schema}}.source_record SET jsonb = jsonb #- {gone}");
        run(&library, &sql).await;
        let made = portions(&library, Form::Catalogue, Format::Json).await;
        assert!(made.len() > 1, "{gone}");
        assert!(bytes(&made) == all, "{gone}");
        assert!(made.iter().all(|made| made.bytes.len() < 12 << 20));
    }
}

#[tokio::test]
async fn large_records_of_inventory_leave_in_portions_that_fit() {
    let library = library().await;
    let client = library.client().await;
    let location = location(&client).await;
    for number in 0..5 {
        let instance = folio_instance(&client, &format!("Title {number}")).await;
        let _ = holdings(&client, &instance, &location).await;
    }
    let large = "jsonb || jsonb_build_object('acquisitionFormat', repeat('note ', 600000))";
    let small = "jsonb - 'acquisitionFormat'";
    // First documents, then what belongs to them.
    for (instance, belonging) in [(large, small), (small, large)] {
        for (table, sql) in [("instance", instance), ("holdings_record", belonging)] {
            run(
                &library,
                &format!("UPDATE {{schema}}.{table} SET jsonb = {sql}"),
            )
            .await;
        }
        let made = portions(&library, Form::Catalogue, Format::Iso2709).await;
        let exported: Vec<u64> = made.iter().map(|made| made.exported).collect();
        assert_eq!(exported, [2, 2, 1]);
        let all = records(&bytes(&made));
        let titles: Vec<_> = all
            .iter()
            .map(|record| record.data("245").next().unwrap().get('a').unwrap())
            .collect();
        let expected = ["Title 0", "Title 1", "Title 2", "Title 3", "Title 4"];
        assert_eq!(titles, expected);
        assert!(all.iter().all(|record| record.data("852").count() == 1));
    }
}

#[tokio::test]
async fn a_record_with_too_many_holdings_is_reported() {
    let library = library().await;
    let client = library.client().await;
    let location = location(&client).await;
    let (one, other) = (
        folio_instance(&client, "One").await,
        folio_instance(&client, "Other").await,
    );
    let _ = holdings(&client, &one, &location).await;
    let _ = holdings(&client, &other, &location).await;
    let sql = format!(
        "INSERT INTO {{schema}}.holdings_record (id, jsonb) \
         SELECT new.id, kept.jsonb || jsonb_build_object('id', new.id, 'hrid', 'more' || new.number) \
         FROM (SELECT gen_random_uuid() AS id, number FROM generate_series(1, 10000) AS number) AS new, \
         (SELECT jsonb FROM {{schema}}.holdings_record WHERE instanceid = '{}') AS kept",
        one["id"].as_str().unwrap()
    );
    run(&library, &sql).await;
    let made = portions(&library, Form::Catalogue, Format::Json).await;
    assert_eq!(made.iter().map(|made| made.exported).sum::<u64>(), 1);
    let failures: Vec<_> = made.iter().flat_map(|made| &made.failures).collect();
    assert_eq!(failures.len(), 1);
    assert_eq!(json!(failures[0].id), one["id"]);
    let reason = failures[0].reason.to_string();
    assert!(reason.contains("10000 holdings and items"), "{reason}");
}

#[tokio::test]
async fn a_walk_goes_on_behind_a_record_that_is_gone() {
    let library = library().await;
    let client = library.client().await;
    for number in 0..4 {
        let _ = folio_instance(&client, &format!("Title {number}")).await;
    }
    let ids = instance_ids(&client).await;
    let database = &library.platform.store.database;
    let wanted = wanted(Form::Catalogue, Format::Json);
    let exporter = Exporter::open(database, &tenant(), wanted).await.unwrap();
    let reader = exporter.reader();
    let first = reader.walk(&Predicate::Everything, "", 2).await.unwrap();
    let path = format!("/instance-storage/instances/{}", ids[1]);
    let _ = client.delete(&path).await.expect(204);
    let behind = first.key.clone().unwrap();
    let second = reader.walk(&Predicate::Everything, &behind, 2).await;
    let second = second.unwrap();
    let walked: Vec<String> = first
        .wanted
        .iter()
        .chain(&second.wanted)
        .map(|(id, _)| id.to_string())
        .collect();
    assert_eq!(walked, ids);
    assert!(!first.is_last && !second.is_last);
    let behind = second.key.clone().unwrap();
    let third = reader.walk(&Predicate::Everything, &behind, 2).await;
    assert!(third.unwrap().is_last);
}

#[tokio::test]
async fn of_several_generations_the_current_one_leaves() {
    let library = library().await;
    let texts = ["001 1\n245 10$aOne", "001 2\n245 10$aTwo"];
    load(&library, &file(&texts)).await;
    // A newer one of the second record, and one with a higher number that does not count.
    for (generation, state) in [(1, "ACTUAL"), (2, "OLD")] {
        let sql = format!(
            "INSERT INTO {{schema}}.source_record (id, jsonb) SELECT new, replace(jsonb::text, 'Two', \
             'Generation {generation}')::jsonb || jsonb_build_object('id', new, 'state', '{state}', \
             'generation', {generation}) FROM (SELECT gen_random_uuid() AS new) AS given, \
             {{schema}}.source_record WHERE jsonb::text LIKE '%Two%'"
        );
        run(&library, &sql).await;
    }
    for form in [Form::Catalogue, Form::Loaded] {
        let made = portions(&library, form, Format::Iso2709).await;
        let all = records(&bytes(&made));
        let titles: Vec<_> = all
            .iter()
            .map(|record| record.data("245").next().unwrap().get('a').unwrap())
            .collect();
        assert_eq!(titles, ["One", "Generation 1"]);
    }
}
