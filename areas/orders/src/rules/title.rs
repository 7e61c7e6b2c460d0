//! The titles of a line: a line that is no package has one, which follows it.

use serde_json::{Value, json};

use super::doc::{Doc, at, flag, list, set, set_or_clear};

/// What a title has from its line: its property, and where the line has it.
const FROM_LINE: [(&str, &str); 16] = [
    ("title", "titleOrPackage"),
    ("poLineNumber", "poLineNumber"),
    ("instanceId", "instanceId"),
    ("publisher", "publisher"),
    ("edition", "edition"),
    ("publishedDate", "publicationDate"),
    ("contributors", "contributors"),
    ("productIds", "details.productIds"),
    ("subscriptionFrom", "details.subscriptionFrom"),
    ("subscriptionTo", "details.subscriptionTo"),
    ("subscriptionInterval", "details.subscriptionInterval"),
    ("receivingNote", "details.receivingNote"),
    ("expectedReceiptDate", "physical.expectedReceiptDate"),
    ("claimingActive", "claimingActive"),
    ("claimingInterval", "claimingInterval"),
    ("poLineId", "id"),
];
/// What every title of a package has from its line.
const FROM_PACKAGE: [(&str, &str); 4] = [
    ("packageName", "titleOrPackage"),
    ("poLineNumber", "poLineNumber"),
    ("receivingNote", "details.receivingNote"),
    ("expectedReceiptDate", "physical.expectedReceiptDate"),
];

/// The title of a new line that is no package.
#[must_use]
pub fn of_line(line: &Doc, order: Option<&Doc>) -> Doc {
    let mut title = Doc::new();
    follow(&mut title, line);
    set(
        &mut title,
        "isAcknowledged",
        flag(line, "details.isAcknowledged"),
    );
    with_units(&mut title, order);
    super::completed::title(&mut title);
    title
}

/// Lets a title follow its line.
pub fn follow(title: &mut Doc, line: &Doc) {
    let from: &[(&str, &str)] = match flag(line, "isPackage") {
        true => &FROM_PACKAGE,
        false => &FROM_LINE,
    };
    for (name, path) in from {
        set_or_clear(title, name, at(line, path).cloned());
    }
    super::completed::title(title);
}

/// Completes a title that is added to a line.
pub fn added(title: &mut Doc, line: &Doc, order: Option<&Doc>) {
    if flag(line, "isPackage") {
        follow(title, line);
    } else if let Some(number) = at(line, "poLineNumber") {
        set(title, "poLineNumber", number.clone());
    }
    with_units(title, order);
    super::completed::title(title);
}

/// A title without units gets its order's.
fn with_units(title: &mut Doc, order: Option<&Doc>) {
    if let Some(order) = order
        && list(title, "acqUnitIds").is_empty()
    {
        set(title, "acqUnitIds", list(order, "acqUnitIds").to_vec());
    }
}

/// Lets a line take over what an instance says of its title.
pub fn from_instance(line: &mut Doc, instance: &Doc) {
    if let Some(title) = at(instance, "title") {
        set(line, "titleOrPackage", title.clone());
    }
    let publication = list(instance, "publication")
        .first()
        .and_then(Value::as_object);
    let published = |name| publication.and_then(|one| at(one, name)).cloned();
    set_or_clear(line, "publisher", published("publisher"));
    set_or_clear(line, "publicationDate", published("dateOfPublication"));
    let contributors: Vec<Value> = super::doc::objects(instance, "contributors")
        .map(|one| {
            json!({"contributor": one.get("name"),
                          "contributorNameTypeId": one.get("contributorNameTypeId")})
        })
        .collect();
    set(line, "contributors", contributors);
    let ids: Vec<Value> = super::doc::objects(instance, "identifiers")
        .map(|one| {
            json!({"productId": one.get("value"),
                          "productIdType": one.get("identifierTypeId")})
        })
        .collect();
    set(super::doc::object_in(line, "details"), "productIds", ids);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::doc::object;

    #[test]
    fn a_title_follows_its_line_and_keeps_its_own() {
        let mut line = object(json!({
            "id": "l", "titleOrPackage": "Mills", "poLineNumber": "1-1", "instanceId": "i",
            "details": {"isAcknowledged": true, "receivingNote": "n",
                        "productIds": [{"productId": "p"}]},
            "physical": {"expectedReceiptDate": "d"}
        }));
        let order = object(json!({"acqUnitIds": ["u"]}));
        let mut title = of_line(&line, Some(&order));
        assert_eq!(title["title"], "Mills");
        assert_eq!(title["poLineId"], "l");
        assert_eq!(title["isAcknowledged"], true);
        assert_eq!(title["acqUnitIds"], json!(["u"]));
        assert_eq!(title["expectedReceiptDate"], "d");
        assert_eq!(title["productIds"], json!([{"productId": "p"}]));
        set(&mut title, "isAcknowledged", false);
        set(&mut line, "titleOrPackage", "Rivers");
        set(&mut line, "instanceId", Value::Null);
        follow(&mut title, &line);
        assert_eq!(title["title"], "Rivers");
        assert_eq!(title["isAcknowledged"], false);
        assert_eq!(title["acqUnitIds"], json!(["u"]));
        assert!(!title.contains_key("instanceId"));
    }

    #[test]
    fn a_title_of_a_package_has_its_own_name() {
        let line = object(
            json!({"id": "l", "isPackage": true, "titleOrPackage": "All",
                                 "poLineNumber": "1-1"}),
        );
        let mut title = object(json!({"title": "One", "poLineId": "l"}));
        added(&mut title, &line, None);
        assert_eq!(title["title"], "One");
        assert_eq!(title["packageName"], "All");
        assert_eq!(title["poLineNumber"], "1-1");
    }
}
