//! No text makes the parser panic or loop, and what it reads it prints as text that reads alike.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match octavo_cql::parse(text) {
        Ok(query) => {
            let printed = query.to_string();
            assert_eq!(octavo_cql::parse(&printed).as_ref(), Ok(&query), "{printed}");
        }
        Err(error) => {
            assert!(text.is_char_boundary(error.offset));
            assert!(!error.render(text).is_empty());
        }
    }
});
