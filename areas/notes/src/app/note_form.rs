//! The form in which a note is stored: links complete and each of them once.

use serde_json::Value;

/// Completes the links of a note; gives how many there are.
pub fn complete_links(note: &mut Value) -> usize {
    let Some(note) = note.as_object_mut() else {
        return 0;
    };
    let links = note
        .entry("links")
        .or_insert_with(|| Value::Array(Vec::new()));
    let Some(links) = links.as_array_mut() else {
        return 0;
    };
    let mut known: Vec<Value> = Vec::with_capacity(links.len());
    for link in links.drain(..) {
        if !known.contains(&link) {
            known.push(link);
        }
    }
    *links = known;
    links.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_link_counts_once() {
        let link = json!({"id": "7", "type": "user"});
        let mut note = json!({"links": [link, {"id": "7", "type": "item"}, link]});
        assert_eq!(complete_links(&mut note), 2);
        assert_eq!(note["links"], json!([link, {"id": "7", "type": "item"}]));
        let mut bare = json!({});
        assert_eq!(complete_links(&mut bare), 0);
        assert_eq!(bare, json!({"links": []}));
    }
}
