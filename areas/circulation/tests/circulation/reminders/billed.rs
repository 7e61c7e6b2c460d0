//! Reminders in turn, from the first to the last, on open days, and what each leaves behind.

use super::*;
use crate::support::timer;
use octavo_server_testkit::stock::DVD;

#[tokio::test]
async fn reminders_follow_one_another_until_the_schedule_ends() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "1", LENT).await;
    // A day after Saturday is Sunday, which is closed.
    let planned = notices(client, &lent.loan).await;
    let expected = json!({"id": planned[0]["id"], "loanId": lent.loan,
        "recipientUserId": lent.patron, "triggeringEvent": "Due date - with reminder fee",
        "nextRunTime": "2024-03-04T10:00:00.000+00:00", "metadata": planned[0]["metadata"],
        "noticeConfig": {"timing": "After", "templateId": TEMPLATE, "format": "Email",
                         "sendInRealTime": true}});
    assert_eq!(planned, [expected]);
    assert_eq!(
        run(&library, "2024-03-04T09:59:59Z").await,
        Reminded::default()
    );

    assert_eq!(run(&library, "2024-03-04T10:00:30Z").await, billed());
    let loan = lent.loan(client).await;
    assert_eq!(loan["action"], "reminderFee");
    let first = json!({"number": 1, "date": "2024-03-04T10:00:30.000+00:00"});
    assert_eq!(loan["reminders"]["lastFeeBilled"], first);
    // Two days later, at the full hour, in the format of its own.
    assert_eq!(due(client, &lent.loan).await, "2024-03-06T10:00");
    let planned = notices(client, &lent.loan).await;
    assert_eq!(planned[0]["noticeConfig"]["format"], "Print");
    assert_eq!(
        run(&library, "2024-03-04T10:00:30Z").await,
        Reminded::default()
    );

    let free = Reminded {
        charged: 0,
        ..billed()
    };
    assert_eq!(run(&library, "2024-03-06T10:20:00Z").await, free);
    assert_eq!(number(&lent, client).await, 2);
    assert_eq!(accounts(client, &lent.loan).await.len(), 1);
    assert_eq!(due(client, &lent.loan).await, "2024-03-07T10:00");

    // Nothing happens on a weekend, whatever is due.
    let closed = Reminded {
        waiting: 1,
        ..Reminded::default()
    };
    assert_eq!(run(&library, "2024-03-09T12:00:00Z").await, closed);
    assert_eq!(run(&library, "2024-03-11T08:00:00Z").await, billed());
    assert_eq!(number(&lent, client).await, 3);
    assert_eq!(notices(client, &lent.loan).await, Vec::<Value>::new());
    assert_eq!(
        run(&library, "2024-12-02T08:00:00Z").await,
        Reminded::default()
    );

    let owed = accounts(client, &lent.loan).await;
    let amounts: Vec<_> = owed.iter().map(|one| one["remaining"].clone()).collect();
    assert_eq!(amounts, [json!(1.5), json!(2.29)]);
    let history = client
        .query(
            "/loan-storage/loan-history",
            &format!("loan.id=={} sortby createdDate", lent.loan),
        )
        .await
        .expect(200)
        .json();
    let history = history["loansHistory"].as_array().expect("a list");
    let acts: Vec<_> = history.iter().map(|one| &one["loan"]["action"]).collect();
    assert_eq!(
        acts,
        ["checkedout", "reminderFee", "reminderFee", "reminderFee"]
    );
    let numbers = history
        .iter()
        .map(|one| &one["loan"]["reminders"]["lastFeeBilled"]["number"]);
    let numbers: Vec<_> = numbers.cloned().collect();
    assert_eq!(numbers, [Value::Null, json!(1), json!(2), json!(3)]);
    // The fee of each, and each notice that was to be sent; the last reminder has none.
    let log = logged(&library).await;
    let kinds: Vec<_> = log.iter().map(|line| &line["object"]).collect();
    assert_eq!(kinds, ["Fee/Fine", "Notice", "Notice", "Fee/Fine"]);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn the_account_the_action_and_the_log_tell_of_the_reminder() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "1", LENT).await;
    assert_eq!(run(&library, "2024-03-04T10:00:30Z").await, billed());
    let owners = client.get("/owners").await.expect(200).json();
    let loan = lent.loan(client).await;
    let owed = accounts(client, &lent.loan).await;
    let account = &owed[0];
    for (name, expected) in [
        ("amount", json!(1.5)),
        ("remaining", json!(1.5)),
        ("status", json!({"name": "Open"})),
        ("paymentStatus", json!({"name": "Outstanding"})),
        ("feeFineType", json!("Reminder fee")),
        ("feeFineId", json!("6b830703-f828-4e38-a0bb-ee81deacbd03")),
        ("feeFineOwner", json!("Town library")),
        ("ownerId", owners["owners"][0]["id"].clone()),
        ("title", json!("Middlemarch")),
        ("contributors", json!([{"name": "Eliot, George"}])),
        ("barcode", json!("i-1")),
        ("callNumber", json!("PR4662 .A1")),
        ("location", json!("Stacks")),
        ("materialType", json!("dvd")),
        ("materialTypeId", json!(DVD)),
        ("loanId", json!(lent.loan)),
        ("userId", json!(lent.patron)),
        ("itemId", json!(lent.item)),
        ("dueDate", loan["dueDate"].clone()),
        ("loanPolicyId", loan["loanPolicyId"].clone()),
        ("overdueFinePolicyId", json!(POLICY)),
        ("lostItemFeePolicyId", loan["lostItemPolicyId"].clone()),
    ] {
        assert_eq!(account[name], expected, "{name}");
    }
    // It is a record that clients may store again.
    let id = account["id"].as_str().expect("an id");
    let _ = client
        .put(&format!("/accounts/{id}"), account)
        .await
        .expect(204);
    let query = format!("accountId=={id}");
    let actions = client
        .query("/feefineactions", &query)
        .await
        .expect(200)
        .json();
    let action = &actions["feefineactions"][0];
    let expected = json!({"id": action["id"], "accountId": id, "userId": lent.patron,
        "typeAction": "Reminder fee", "amountAction": 1.5, "balance": 1.5, "source": "System",
        "createdAt": CIRC_DESK_1, "comments": "STAFF: Reminder fee 1", "notify": false,
        "dateAction": "2024-03-04T10:00:30.000+00:00"});
    assert_eq!((&actions["totalRecords"], action), (&json!(1), &expected));

    let log = logged(&library).await;
    let fee = &log[0];
    assert_eq!(
        (&fee["action"], &fee["source"]),
        (&json!("Billed"), &json!("System"))
    );
    assert_eq!(fee["userBarcode"], "p-1");
    assert_eq!(fee["items"][0]["loanId"], json!(lent.loan));
    assert_eq!(fee["servicePointId"], CIRC_DESK_1);
    let links = json!({"userId": lent.patron, "feeFineId": id});
    assert_eq!(fee["linkToIds"], links);
    let said = "Fee/Fine type: Reminder fee. Fee/Fine owner: Town library. Amount: 1.50. automated. \
                Additional information to staff: STAFF: Reminder fee 1";
    assert_eq!(fee["description"], said);
    let notice = &log[1];
    assert_eq!(notice["action"], "Send error");
    assert_eq!(notice["items"][0]["itemBarcode"], "i-1");
    assert_eq!(notice["linkToIds"]["templateId"], TEMPLATE);
    let said = format!(
        "Template: unknown. Triggering event: Due date - with reminder fee. Error message: \
         template record with ID \"{TEMPLATE}\" cannot be found"
    );
    assert_eq!(notice["description"], said);
    // The patron's debts, and whether the loan may be renewed, are in its view.
    let path = format!("/circulation/loans/{}", lent.loan);
    let shown = client.get(&path).await.expect(200).json();
    assert_eq!(shown["feesAndFines"]["amountRemainingToPay"], 1.5);
    assert_eq!(shown["reminders"]["renewalBlocked"], false);
}

#[tokio::test]
async fn closed_days_count_where_the_policy_says_so_but_nobody_is_reminded_on_one() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let mut counting = schedule();
    counting["countClosed"] = json!(true);
    reminding(client, counting).await;
    let lent = Lent::new(&stock, "1", LENT).await;
    assert_eq!(due(client, &lent.loan).await, "2024-03-03T10:00");
    assert_eq!(run(&library, "2024-03-03T10:00:00Z").await.waiting, 1);
    assert_eq!(due(client, &lent.loan).await, "2024-03-03T10:00");
    assert_eq!(run(&library, "2024-03-04T00:01:00Z").await, billed());
}

#[tokio::test]
async fn the_timer_itself_reminds_by_the_clock() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = OwnPolicy::new(&stock).await;
    let _ = owner(client).await;
    // Open every day and hour, for as long as anybody runs this.
    let days = json!([{"startDay": "MONDAY", "startTime": "00:00", "endDay": "SUNDAY",
                       "endTime": "23:59"}]);
    let calendar = json!({"name": "Always", "startDate": "2024-01-01", "endDate": "2199-12-31",
        "assignments": [CIRC_DESK_1], "normalHours": days, "exceptions": []});
    let path = "/calendar/calendars";
    let _ = client.post(path, &calendar).await.expect(201);
    reminding(client, schedule()).await;
    let lent = Lent::new(&stock, "1", LENT).await;
    // One that is not overdue at all.
    let early = Lent::new(&stock, "2", "2125-11-01T10:00:00Z").await;
    for _ in 0..3 {
        assert_eq!(timer(&library, &library.platform, TIMER).await, 204);
    }
    // Overdue for years, yet reminded once: the next one is two days ahead.
    assert_eq!(number(&lent, client).await, 1);
    assert_eq!(number(&early, client).await, Value::Null);
    assert_eq!(notices(client, &early.loan).await.len(), 1);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn loans_wait_until_somebody_is_owed_to() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = OwnPolicy::new(&stock).await;
    open_on_workdays(client).await;
    reminding(client, schedule()).await;
    let lent = Lent::new(&stock, "1", LENT).await;
    let waits = Reminded {
        without_owner: 1,
        ..Reminded::default()
    };
    assert_eq!(run(&library, "2024-03-04T10:00:00Z").await, waits);
    assert_eq!(number(&lent, client).await, Value::Null);
    let _ = owner(client).await;
    assert_eq!(run(&library, "2024-03-05T10:00:00Z").await, billed());
    assert_eq!(number(&lent, client).await, 1);
}

#[tokio::test]
async fn a_reminder_is_charged_under_the_librarys_own_type_or_folios() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let database = &library.platform.store.database;
    let forget = "DELETE FROM tenant_diku.feefines WHERE jsonb->>'feeFineType' = 'Reminder fee'";
    assert_eq!(database.execute(forget, &[]).await.expect("it goes"), 1);
    // FOLIO charges it whether there is a record or not.
    let without = Lent::new(&stock, "1", LENT).await;
    assert_eq!(run(&library, "2024-03-04T10:00:30Z").await, billed());
    let account = &accounts(client, &without.loan).await[0];
    assert_eq!(account["feeFineId"], "6b830703-f828-4e38-a0bb-ee81deacbd03");
    let own = json!({"feeFineType": "Reminder fee", "automatic": true});
    let own = client.post("/feefines", &own).await.expect(201).json();
    let with = Lent::new(&stock, "2", LENT).await;
    assert_eq!(run(&library, "2024-03-04T10:00:30Z").await, billed());
    let account = &accounts(client, &with.loan).await[0];
    assert_eq!(account["feeFineId"], own["id"]);
    assert_eq!(account["feeFineType"], "Reminder fee");
}
