//! How often acts of orders ask the database: counted in the traces of their requests.

use octavo_server_testkit::traced;
use octavo_testkit::{Answer, Client};
use octavo_trace::Summary;
use reqwest::Method;
use serde_json::{Value, json};

use super::house::{House, LINES, ORDERS};
use super::text;

/// FOLIO's identifier type for numbers of OCLC.
const OCLC: &str = "439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef";

/// The instances that orders made.
async fn instances(house: &House) -> usize {
    let query = "title==\"A field guide, part*\"";
    let path = "/instance-storage/instances";
    house.found(path, query, "instances").await.len()
}

/// Sends a request that is traced; returns its answer and how much it asked.
async fn summed(
    client: &Client,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> (Answer, Summary) {
    let (answer, tree) = traced(client, method, path, body).await;
    (answer, tree.summary)
}

/// A connection that has not seen the statements yet prepares them one after the other.
const ROUNDS: usize = 3;

/// The tenant's settings, what is locked, and what is written with COMMIT.
#[tokio::test]
async fn creating_changing_and_deleting_takes_three_round_trips() {
    let house = House::operated().await;
    let client = &house.client;
    let order = house.order("Pending", &[]);
    let lined = house.ordered("Pending", &[]).await;
    let mut fewest = [usize::MAX; 6];
    for _ in 0..ROUNDS {
        let (made, post) = summed(client, Method::POST, ORDERS, Some(&order)).await;
        let made = made.expect(201).json();
        let path = format!("{ORDERS}/{}", text(&made["id"]));
        let mut closed = order.clone();
        closed["poNumber"] = made["poNumber"].clone();
        closed["workflowStatus"] = json!("Closed");
        let (answer, put) = summed(client, Method::PUT, &path, Some(&closed)).await;
        let _ = answer.expect(204);
        let (answer, delete) = summed(client, Method::DELETE, &path, None).await;
        let _ = answer.expect(204);

        let mut line = house.line(1, 10.0);
        line["fundDistribution"] = json!([]);
        line["purchaseOrderId"] = lined["id"].clone();
        let (made, post_line) = summed(client, Method::POST, LINES, Some(&line)).await;
        let made = made.expect(201).json();
        let path = format!("{LINES}/{}", text(&made["id"]));
        line["selector"] = json!("History");
        let (answer, put_line) = summed(client, Method::PUT, &path, Some(&line)).await;
        let _ = answer.expect(204);
        let (answer, delete_line) = summed(client, Method::DELETE, &path, None).await;
        let _ = answer.expect(204);

        let sums = [post, put, delete, post_line, put_line, delete_line];
        let statements = sums.each_ref().map(|sum| sum.statements);
        assert_eq!(statements, [3, 4, 6, 6, 5, 8]);
        for (fewest, sum) in fewest.iter_mut().zip(sums) {
            *fewest = (*fewest).min(sum.round_trips);
        }
    }
    assert_eq!(fewest, [3; 6]);
    house.in_order().await;
}

#[tokio::test]
async fn many_lines_are_opened_by_as_many_statements_as_few() {
    let house = House::operated().await;
    let mut counted = Vec::new();
    for lines in [2, 10] {
        let sent: Vec<Value> = (0..lines)
            .map(|number| {
                let mut line = house.line(1, 1.0);
                line["titleOrPackage"] = json!(format!("A field guide, part {number}"));
                let product = line["details"]["productIds"][0]
                    .as_object_mut()
                    .expect("a product");
                product.insert("productId".to_owned(), json!(format!("{number}")));
                product.insert("productIdType".to_owned(), json!(OCLC));
                line
            })
            .collect();
        let order = house.order("Pending", &sent);
        let (made, create) = summed(&house.client, Method::POST, ORDERS, Some(&order)).await;
        let mut order = made.expect(201).json();
        order["workflowStatus"] = json!("Open");
        let path = format!("{ORDERS}/{}", text(&order["id"]));
        let (answer, open) = summed(&house.client, Method::PUT, &path, Some(&order)).await;
        let _ = answer.expect(204);
        counted.push([create.statements, open.statements]);
    }
    let [[created, opened], [more_created, more_opened]] = counted[..] else {
        panic!("two orders");
    };
    assert_eq!(created, more_created);
    // An instance with its product is looked for by each line, all at once.
    assert_eq!(more_opened, opened + 8);
    // The products of the two lines are among those of the ten.
    assert_eq!(instances(&house).await, 10);
    assert_eq!(house.items().await.len(), 12);
    assert_eq!(house.pieces().await.len(), 12);
    assert_eq!(house.encumbrances().await.len(), 12);
    house.in_order().await;
}

/// The second and the third line find the instance of the first.
#[tokio::test]
async fn lines_with_one_product_share_its_instance() {
    let house = House::operated().await;
    let lines = [house.line(1, 1.0), house.line(1, 1.0), house.line(1, 1.0)];
    let order = house.ordered("Open", &lines).await;
    let order = house.stored(&order).await;
    let lines = order["compositePoLines"].as_array().expect("a list");
    let first = &lines[0]["instanceId"];
    assert!(first.is_string());
    assert!(lines.iter().all(|line| line["instanceId"] == *first));
    house.in_order().await;
}
