//! Templates, stored and rendered.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{library, template};

#[tokio::test]
async fn templates_are_kept_with_what_front_ends_add() {
    let library = library().await;
    let client = library.client().await;
    let body = json!({"name": "Due", "active": true, "category": "Loan", "colour": "red",
                      "outputFormats": ["text/html"], "templateResolver": "mustache",
                      "localizedTemplates": {"en": {"header": "h", "body": "b {{a}}"}}});
    let stored = client.post("/templates", &body).await.expect(201).json();
    assert_eq!(stored["colour"], "red");
    let id = stored["id"].as_str().expect("an id");
    let path = format!("/templates/{id}");
    assert_eq!(client.get(&path).await.expect(200).json(), stored);
    let found = client
        .query("/templates", "category==\"Loan\" sortby name")
        .await;
    assert_eq!(found.expect(200).json()["totalRecords"], 1);
    let mut changed = stored.clone();
    changed["localizedTemplates"]["en"]["body"] = json!("other");
    // FOLIO answers with the template here.
    let answer = client.put(&path, &changed).await.expect(200).json();
    assert_eq!(answer["localizedTemplates"]["en"]["body"], "other");
    let _ = client.delete(&path).await.expect(204);
    let gone = client.get(&path).await.expect(404);
    assert_eq!(gone.text, format!("Template with id '{id}' not found"));
    let _ = client.put(&path, &changed).await.expect(404);
    let _ = client.delete(&path).await.expect(404);
    // Those that every tenant starts with.
    let reset = client
        .get("/templates/ed8c1c67-897b-4a23-a702-c36e280c6a93")
        .await;
    assert_eq!(
        reset.expect(200).json()["outputFormats"],
        json!(["text/html"])
    );
}

#[tokio::test]
async fn what_is_no_template_is_refused_with_its_place() {
    let library = library().await;
    let client = library.client().await;
    let with = |resolver: &str, content: Value| {
        json!({"outputFormats": ["text/html"], "templateResolver": resolver,
               "localizedTemplates": {"en": content}})
    };
    let good = json!({"header": "h", "body": "b"});
    let refused = client
        .post("/templates", &with("velocity", good))
        .await
        .expect(400);
    assert_eq!(
        refused.text,
        "Template resolver 'velocity' is not supported"
    );
    for (content, key, part) in [
        (
            json!({"header": "h", "body": "b\n{{#loans}}"}),
            "localizedTemplates[en].body",
            "line 2, column 1",
        ),
        (
            json!({"header": "{{x", "body": "b"}),
            "localizedTemplates[en].header",
            "not closed",
        ),
        (
            json!({"header": "h"}),
            "localizedTemplates[en].body",
            "null",
        ),
        (
            json!({"header": "h", "body": "b", "footer": "f"}),
            "localizedTemplates[en].footer",
            "Unrecognized",
        ),
    ] {
        let refused = client
            .post("/templates", &with("mustache", content))
            .await
            .expect(422)
            .json();
        let error = &refused["errors"][0];
        assert_eq!(error["parameters"][0]["key"], key, "{refused}");
        assert!(
            error["message"].as_str().expect("text").contains(part),
            "{refused}"
        );
    }
    let page = client
        .query("/templates", "cql.allRecords=1")
        .await
        .expect(200)
        .json();
    assert_eq!(page["totalRecords"], 5, "nothing was kept");
}

#[tokio::test]
async fn a_template_in_use_is_not_deleted() {
    let library = library().await;
    let client = library.client().await;
    for kind in ["loanNotices", "requestNotices", "feeFineNotices"] {
        let id = template(&client, "h", "b").await;
        let when = match kind {
            "loanNotices" => "Check out",
            "requestNotices" => "Available",
            _ => "Overdue fine returned",
        };
        let mut policy = json!({"name": format!("Policy with {kind}"), "active": true});
        policy[kind] = json!([{"name": "n", "templateId": id, "format": "Email", "realTime": true,
                               "frequency": "One time",
                               "sendOptions": {"sendHow": "Upon At", "sendWhen": when}}]);
        let policies = "/patron-notice-policy-storage/patron-notice-policies";
        let stored = client.post(policies, &policy).await.expect(201).json();
        let path = format!("/templates/{id}");
        let refused = client.delete(&path).await.expect(400);
        assert_eq!(
            refused.text,
            "Cannot delete template which is currently in use"
        );
        let policy = format!("{policies}/{}", stored["id"].as_str().expect("an id"));
        let _ = client.delete(&policy).await.expect(204);
        let _ = client.delete(&path).await.expect(204);
    }
}

#[tokio::test]
async fn a_request_makes_the_text_in_the_tenants_language_and_zone() {
    let library = library().await;
    let client = library.client().await;
    let locale = json!({"locale": "de-DE", "currency": "EUR", "timezone": "Europe/Berlin"});
    let _ = client.put("/locale", &locale).await.expect(201);
    let id = template(
        &client,
        "Due {{loan.dueDate}}",
        "<p>{{user.name}}</p>{{#loans}}<li>{{item.title}} {{dueDateTime}} {{item.barcodeImage}}</li>{{/loans}}",
    )
    .await;
    let at = "2026-07-01T21:30:00.000+00:00";
    let context = json!({
        "user": {"name": "O'Hara <b>"}, "loan": {"dueDate": at},
        "loans": [{"item": {"title": "A", "barcode": "123456"}, "dueDate": at},
                  {"item": {"title": "B", "barcode": "123456"}, "dueDate": "no date"}],
    });
    let request = json!({"templateId": id, "lang": "en", "outputFormat": "text/html",
                         "context": context});
    let made = client
        .post("/template-request", &request)
        .await
        .expect(200)
        .json();
    assert_eq!(made["result"]["header"], "Due 01.07.26");
    let picture = "<img src='cid:barcode_123456' alt='barcode_123456'>";
    let body = format!(
        "<p>O&#39;Hara &lt;b&gt;</p><li>A 01.07.26, 23:30 {picture}</li><li>B no date {picture}</li>"
    );
    assert_eq!(made["result"]["body"], body);
    let attachments = made["result"]["attachments"].as_array().expect("a list");
    assert_eq!(attachments.len(), 1);
    assert_eq!(attachments[0]["contentType"], "image/png");
    assert_eq!(made["meta"]["size"], body.len());
    assert_eq!(made["templateId"], json!(id));
}

#[tokio::test]
async fn requests_that_cannot_be_met_say_why() {
    let library = library().await;
    let client = library.client().await;
    let id = template(&client, "h", "b").await;
    let other = Uuid::new_v4().to_string();
    for (template, language, format, message) in [
        (
            &other,
            "en",
            "text/html",
            format!("Template with id {other} does not exist"),
        ),
        (
            &id,
            "en",
            "text/xml",
            "Requested template does not support 'text/xml' output format".to_owned(),
        ),
        (
            &id,
            "de",
            "text/html",
            "Requested template does not have localized template for language 'de'".to_owned(),
        ),
    ] {
        let request = json!({"templateId": template, "lang": language, "outputFormat": format});
        let refused = client.post("/template-request", &request).await.expect(400);
        assert_eq!(refused.text, message);
    }
    let _ = client
        .post("/template-request", &json!({"templateId": id}))
        .await
        .expect(422);
}

#[tokio::test]
async fn a_preview_needs_nothing_stored() {
    let library = library().await;
    let client = library.client().await;
    let path = "/template-request/preview";
    let context = json!({"loan": {"dueDate": "2019-06-18T14:04:33.205Z"}});
    let body =
        json!({"header": "{{a}}h", "body": "Due date is {{loan.dueDateTime}}", "context": context});
    let made = client.post(path, &body).await.expect(200).json();
    assert_eq!(
        made,
        json!({"header": "h", "body": "Due date is 6/18/19, 2:04\u{202f}PM"})
    );
    assert_eq!(
        client.post(path, &json!({})).await.expect(200).json(),
        json!({"header": "", "body": ""})
    );
    let refused = client
        .post(path, &json!({"body": "{{#a}}"}))
        .await
        .expect(400);
    assert!(
        refused
            .text
            .starts_with("Template could not be rendered: body: line 1, column 1"),
        "{}",
        refused.text
    );
    let endless =
        json!({"body": "{{#a}}{{#a}}{{#a}}x{{/a}}{{/a}}{{/a}}", "context": {"a": vec![1; 1_000]}});
    let refused = client.post(path, &endless).await.expect(400);
    assert!(refused.text.contains("more than"), "{}", refused.text);
}
