//! How the reference lists of R1-2025 answer, list by list and case by case: `reference_answers.tsv`.

use octavo_testkit::Answer;
use serde_json::{Value, json};

use super::{HOLDINGS, INSTANCES, NOWHERE, Shelf, another_title, error, id, post};

const TABLE: &str = include_str!("reference_answers.tsv");
const NOTHING: &str = "Internal Server Error, Please contact System Administrator or try again";

/// An entry like the first of the list, with another name and code.
async fn an_entry(shelf: &Shelf, list: &str, name: &str) -> Value {
    let page = shelf.client.get(&format!("{list}?limit=1")).await;
    let page = page.expect(200).json();
    let page = page.as_object().expect("an object");
    let entries = page.values().find_map(Value::as_array).expect("entries");
    let mut entry = entries[0].clone();
    let entry = entry.as_object_mut().expect("an object");
    for property in ["id", "metadata", "source"] {
        entry.remove(property);
    }
    entry.insert("name".to_owned(), json!(name));
    if entry.contains_key("code") {
        entry.insert("code".to_owned(), json!(name));
    }
    if list != "/contributor-name-types" && list != "/instance-relationship-types" {
        entry.insert("source".to_owned(), json!("local"));
    }
    Value::Object(entry.clone())
}

/// Compares a response with the table's expectation; `database` is the database's message.
fn assert_answers(case: &str, answer: &Answer, expected: &str, database: [&str; 2]) {
    let text = &answer.text;
    match expected.split_once(' ') {
        None if expected == "database" => {
            assert_eq!(answer.status, 400, "{case}: {text}");
            assert!(text.starts_with(database[0]), "{case}: {text}");
            assert!(text.ends_with(database[1]), "{case}: {text}");
        }
        None => {
            let [id, _] = database;
            let sentence = format!(
                "foreign_key_violation: Key (id)=({id}) is still referenced from table \"item\"."
            );
            assert_eq!((answer.status, text), (400, &sentence), "{case}");
        }
        Some(("422", told)) => {
            assert_eq!(answer.status, 422, "{case}: {text}");
            let body = answer.json();
            let (of, sentence) = told.split_once(' ').expect("what, and the sentence");
            let (message, key) = error(&body);
            assert_eq!(message, sentence, "{case}");
            match of {
                "name" => assert_eq!(
                    (key.as_str(), &body["errors"][0]["code"]),
                    ("name", &json!("-1"))
                ),
                code => {
                    assert_eq!(key, "fieldLabel", "{case}");
                    assert_eq!(body["errors"][0]["code"], code, "{case}");
                }
            }
        }
        Some((status, told)) => {
            assert_eq!(answer.status.to_string(), status, "{case}: {text}");
            let sentence = match told {
                "nothing" => NOTHING,
                "none updated" => "No records match the query, no records updated",
                "none deleted" => {
                    "Number of deleted items is incorrect. Expected 1 record deleted, but there \
                     was 0"
                }
                "not found" => "Not found",
                other => panic!("{case}: {other}"),
            };
            assert_eq!(text, sentence, "{case}");
        }
    }
}

/// Lets a record refer to an entry, where records do; says by which column of which table.
async fn used(shelf: &Shelf, list: &str, entry: &str) -> Option<(&'static str, &'static str)> {
    let (path, property, column, table) = match list {
        "/loan-types" => ("item", "permanentLoanTypeId", "permanentloantypeid", "item"),
        "/statistical-codes" => ("item", "statisticalCodeIds", "", "item"),
        "/instance-types" => (INSTANCES, "instanceTypeId", "instancetypeid", "instance"),
        "/modes-of-issuance" => (INSTANCES, "modeOfIssuanceId", "", "instance"),
        "/holdings-types" => (
            HOLDINGS,
            "holdingsTypeId",
            "holdingstypeid",
            "holdings_record",
        ),
        "/ill-policies" => (HOLDINGS, "illPolicyId", "illpolicyid", "holdings_record"),
        "/instance-relationship-types" => (
            "/instance-storage/instance-relationships",
            "instanceRelationshipTypeId",
            "instancerelationshiptypeid",
            "instance_relationship",
        ),
        "/statistical-code-types" => ("/statistical-codes", "statisticalCodeTypeId", "", ""),
        _ => return None,
    };
    let (path, mut record) = match path {
        "item" => (super::ITEMS, shelf.an_item(entry)),
        INSTANCES => (INSTANCES, super::an_instance("Ferries")),
        HOLDINGS => {
            let mut holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
            for property in ["id", "hrid", "_version"] {
                holdings
                    .as_object_mut()
                    .expect("an object")
                    .remove(property);
            }
            (HOLDINGS, holdings)
        }
        "/statistical-codes" => {
            let code = json!({"name": "user", "code": "user", "source": "local"});
            (path, code)
        }
        _ => {
            let (part, _) = another_title(shelf, "Part").await;
            let pair = json!({"superInstanceId": shelf.instance, "subInstanceId": part});
            (path, pair)
        }
    };
    record[property] = match property {
        "statisticalCodeIds" => json!([entry]),
        _ => json!(entry),
    };
    let _ = post(&shelf.client, path, record).await;
    Some((column, table))
}

#[tokio::test]
async fn each_list_answers_in_its_own_way() {
    let shelf = Shelf::new().await;
    let client = &shelf.client;
    let mut lists = 0;
    for row in TABLE.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let &[list, at_post, at_put, unknown_put, unknown_delete, in_use] = cells.as_slice() else {
            panic!("{row}");
        };
        lists += 1;
        let entry = an_entry(&shelf, list, "first of two").await;
        let created = client.post(list, &entry).await.expect(201);
        let own = id(&created.json());
        let location = match list {
            // FOLIO's slip of the pen, and the one list that says nothing.
            "/statistical-code-types" => format!("/statistical-code_types/{own}"),
            "/holdings-types" => own.clone(),
            _ => format!("{list}/{own}"),
        };
        assert_eq!(created.header("location"), Some(location.as_str()));

        let key = [
            "duplicate key value violates unique constraint \"",
            "_name_idx_unique\": Key (lower(f_unaccent(jsonb ->> 'name'::text)))=(first of two) \
             already exists.",
        ];
        let mut same = entry.clone();
        if list == "/statistical-code-types" {
            // Their names may repeat: the key is on a code that they do not have.
            same["id"] = json!(own);
        }
        let taken = client.post(list, &same).await;
        assert_answers(&format!("POST {list}"), &taken, at_post, key);
        if list != "/statistical-code-types" {
            let mut other = an_entry(&shelf, list, "second of two").await;
            let path = format!("{list}/{}", id(&post(client, list, other.clone()).await));
            other["name"] = json!("First of Two");
            let taken = client.put(&path, &other).await;
            assert_answers(&format!("PUT {path}"), &taken, at_put, key);
        }

        let nowhere = format!("{list}/{NOWHERE}");
        let mut unknown = entry.clone();
        unknown["name"] = json!("third");
        let answer = client.put(&nowhere, &unknown).await;
        assert_answers(&format!("PUT {nowhere}"), &answer, unknown_put, ["", ""]);
        let answer = client.delete(&nowhere).await;
        assert_answers(
            &format!("DELETE {nowhere}"),
            &answer,
            unknown_delete,
            ["", ""],
        );

        let path = format!("{list}/{own}");
        if let Some((column, user)) = used(&shelf, list, &own).await {
            let refused = client.delete(&path).await;
            let table = match list {
                "/ill-policies" => "ill_policy".to_owned(),
                _ => list.trim_matches(['/', 's']).replace('-', "_"),
            };
            let begins = format!("update or delete on table \"{table}\" ");
            let ends = format!(
                "violates foreign key constraint \"{column}_{table}_fkey\" on table \"{user}\": Key \
                 (id)=({own}) is still referenced from table \"{user}\"."
            );
            let told = match in_use {
                "trigger" => [own.as_str(), ""],
                _ => [begins.as_str(), ends.as_str()],
            };
            assert_answers(&format!("DELETE {path}"), &refused, in_use, told);
        } else {
            let _ = client.delete(&path).await.expect(204);
        }
    }
    assert_eq!(lists, 21);
}

#[tokio::test]
async fn a_material_type_in_use_is_told_as_by_other_lists() {
    let shelf = Shelf::new().await;
    let _ = shelf.item("1001").await;
    let path = format!("/material-types/{}", super::BOOK);
    let refused = shelf.client.delete(&path).await.expect(400);
    let sentence = format!(
        "Cannot delete material_type.id = {} because id is still referenced from table item.",
        super::BOOK
    );
    assert_eq!(refused.text, sentence);
}
