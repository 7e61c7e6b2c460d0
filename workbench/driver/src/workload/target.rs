//! Request targets as authors write them, unencoded, and in their encoded form.

use super::template::{Encoding, encode};

/// Path, then the query's names and values, still unencoded.
pub(crate) fn split_target(target: &str) -> (&str, Vec<(&str, Option<&str>)>) {
    let Some((path, query)) = target.split_once('?') else {
        return (target, Vec::new());
    };
    let parameters = query
        .split('&')
        .map(|parameter| match parameter.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (parameter, None),
        });
    (path, parameters.collect())
}

/// Encodes an unencoded target that has no variables.
pub(crate) fn encode_target(target: &str) -> String {
    let (path, query) = split_target(target);
    let mut out = path.as_bytes().to_vec();
    for (at, (name, value)) in query.into_iter().enumerate() {
        out.push(if at == 0 { b'?' } else { b'&' });
        encode(name, Encoding::Query, &mut out);
        if let Some(value) = value {
            out.push(b'=');
            encode(value, Encoding::Query, &mut out);
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
