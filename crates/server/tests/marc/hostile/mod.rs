//! Tests of hostile.

use crate::library;

#[tokio::test]
async fn the_composed_product_starts() {
    let library = library().await;
    library
        .client()
        .await
        .get("/source-storage/snapshots")
        .await
        .expect(200);
}
