//! Searches of organizations find what they need by indexes.

use octavo_server_testkit::library;
use octavo_testkit::plans::assert_indexed;

const ID: &str = "11fb627a-cdf1-11e8-a8d5-f2801f1b9fd1";

#[tokio::test]
async fn searches_of_organizations_use_indexes() {
    let library = library().await;
    for (table, queries) in [
        (
            "organizations",
            &[
                "id==(ID or ID)",
                "code==RIVER",
                "code=river",
                "name==\"River*\"",
                "name=river",
                "status==Active",
                "aliases=rivers",
                "language=eng",
                "erpCode=7",
                "taxId=7",
                "contacts=ID",
                "privilegedContacts=ID",
                "interfaces=ID",
                "acqUnitIds=ID",
            ][..],
        ),
        (
            "banking_information",
            &["organizationId==ID", "bankAccountNumber=DE12"][..],
        ),
    ] {
        for query in queries {
            let query = query.replace("ID", ID);
            assert_indexed(&library, table, &query, &[]).await;
        }
    }
}
