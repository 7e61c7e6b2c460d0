//! The collections that the dialect is tested on: libraries, their books, the books' copies, with
//! every kind of field and index; and a store filled with given records beside the same records in
//! memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use octavo_records::{Collection, Index, IndexKind, Search, SearchRows, StoreError, Totals};
use serde_json::Value;

use super::evaluator::Library;
use crate::shelf::Shelf;

/// Libraries, books and copies; each table after those it refers to.
pub fn collections() -> Vec<Collection> {
    vec![
        Collection::new(
            "library",
            "libraries",
            "id uuid\nname string\ncity string\nfounded integer\n",
        )
        .index(Index::unique("name"))
        .index(Index::full_text("name"))
        .shorthand("copies", "books.copies"),
        book(),
        Collection::new(
            "copy",
            "copies",
            "id uuid\nbookId uuid required\nbarcode string\ncondition string\n",
        )
        .crossing("bookId", "book", "copies", "book")
        .index(Index::unique("barcode").present())
        // Other values than these are rare.
        .index(Index::plain("condition").except(&["war", "", "peace a"])),
    ]
}

/// The same with every index on generated columns.
pub fn often_updated() -> Vec<Collection> {
    let collections = collections().into_iter();
    collections.map(Collection::often_updated).collect()
}

fn book() -> Collection {
    let shape = "id uuid
libraryId uuid
seriesId uuid
series string
genreId uuid
hrid string
title string
subtitle string
shelfmark string
signature string
mark string
note string
remark string
status object
  name string
  date string
languages array of string
contributors array of object
  name string
  kind string
copiesCount integer
price number
volume string
circulates boolean
anything any
";
    Collection::new("book", "books", shape)
        .crossing("libraryId", "library", "books", "library")
        .index(Index::unique("hrid"))
        .index(Index::plain("genreId"))
        // Every kind on one field.
        .index(Index::plain("title"))
        .index(Index::gin("title"))
        .index(Index::full_text("title"))
        // Every way to fold.
        .index(Index::like("shelfmark").case_sensitive())
        .index(Index::plain("signature").keep_accents())
        .index(Index::new(IndexKind::Hash, "signature").keep_accents())
        .index(Index::like("mark").case_sensitive().keep_accents())
        // One kind alone.
        .index(Index::full_text("note"))
        .index(Index::gin("remark"))
        .index(Index::new(IndexKind::Gist, "subtitle"))
        .index(Index::new(IndexKind::SpGist, "series"))
        .index(Index::new(IndexKind::Brin, "status.date"))
        .index(Index::number("copiesCount"))
        .index(Index::number("volume"))
        // Inside an object, over arrays, over several fields.
        .index(Index::plain("status.name"))
        .index(Index::gin("languages"))
        .index(Index::full_text("languages"))
        .index(Index::full_text("contributors").elements("name", &["kind"]))
        .index(Index::gin("contributors").elements("name", &["kind"]))
        .index(Index::full_text("keyword").over(&[
            "title",
            "contributors[*].name",
            "languages[*]",
            "subtitle",
        ]))
        // Few enough that all three ways are gone: sorted, walked along, sorted after all.
        .search_rows(SearchRows::of("keyword", &["title", "status.name"]).bounded(2, 12))
        .index(Index::plain("heading").over(&["shelfmark", "status.name"]))
        // A partial index serves no search of the whole table.
        .index(Index::plain("subtitle").when("jsonb->>'subtitle' IS NOT NULL"))
}

/// A store and the same records in memory.
pub struct Bookcase {
    pub shelf: Shelf,
    pub library: Library,
}

impl Bookcase {
    /// Inserts records without validation, since imported records may contain nulls.
    pub async fn filled(records: BTreeMap<String, Vec<Value>>) -> Bookcase {
        Bookcase::of(collections(), records).await
    }

    /// The same with collections that are declared otherwise.
    pub async fn of(
        collections: Vec<Collection>,
        records: BTreeMap<String, Vec<Value>>,
    ) -> Bookcase {
        let shelf = Shelf::with(collections).await;
        for collection in shelf.store.catalog.iter() {
            let own = records
                .get(&collection.table)
                .map_or(&[][..], Vec::as_slice);
            let sql = format!(
                "INSERT INTO {}.{} (id, jsonb) SELECT (one->>'id')::uuid, one \
                 FROM jsonb_array_elements($1::text::jsonb) AS one",
                shelf.tenant.schema(),
                collection.table
            );
            let json = Value::from(own.to_vec()).to_string();
            shelf.store.database.execute(&sql, &[&json]).await.unwrap();
        }
        let catalog = Arc::clone(&shelf.store.catalog);
        Bookcase {
            shelf,
            library: Library { catalog, records },
        }
    }

    /// The records that the store finds, in the order of the page.
    pub async fn find(&self, table: &str, query: &str) -> Result<Vec<Value>, StoreError> {
        self.page(table, query, 0, 1_000).await
    }

    /// A page of them.
    pub async fn page(
        &self,
        table: &str,
        query: &str,
        offset: i64,
        limit: i64,
    ) -> Result<Vec<Value>, StoreError> {
        let search = Search {
            query: Some(query),
            offset,
            limit,
            totals: Totals::None,
        };
        let mut page = self.shelf.page(table, search).await?;
        let key = self.shelf.collection(table).list_key.clone();
        let Value::Array(found) = page[key.as_str()].take() else {
            panic!("a page without its list: {page}");
        };
        Ok(found)
    }
}
