//! Pages: what is found, in which order, and what is said about how many.

use octavo_records::{Search, Totals};

use crate::shelf::{Shelf, titled};

#[tokio::test]
async fn a_page_holds_what_the_query_finds() {
    let shelf = Shelf::new().await;
    for title in ["Emma", "Persuasion", "Sense and Sensibility"] {
        shelf.put("instance", titled(title)).await;
    }
    assert_eq!(
        shelf.find("instance", "title=sense", "title").await,
        ["Sense and Sensibility"]
    );
    assert_eq!(
        shelf
            .find(
                "instance",
                "cql.allRecords=1 sortBy title/sort.descending",
                "title"
            )
            .await,
        ["Sense and Sensibility", "Persuasion", "Emma"]
    );
    let search = Search {
        query: Some("title==e* sortBy title"),
        offset: 0,
        limit: 10,
        totals: Totals::Exact,
    };
    assert_eq!(
        shelf.page("instance", search).await.unwrap()["totalRecords"],
        1
    );
}
