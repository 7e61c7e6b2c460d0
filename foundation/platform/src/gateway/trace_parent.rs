//! W3C's `traceparent`: the distributed trace that a request is part of. Its id goes into the log lines and
//! traces of the request, and its exported spans belong to it; remote modules receive the header as any other.

use http::{HeaderMap, HeaderName};

const HEADER: HeaderName = HeaderName::from_static("traceparent");

/// A valid header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TraceParent {
    trace_id: String,
    span_id: String,
    sampled: bool,
}

impl TraceParent {
    /// The header of a request; one that is not valid counts as none, as its specification requires.
    pub(crate) fn of(headers: &HeaderMap) -> Option<TraceParent> {
        let mut values = headers.get_all(HEADER).iter();
        let (value, None) = (values.next()?.to_str().ok()?, values.next()) else {
            return None;
        };
        parse(value)
    }

    /// 32 hexadecimal digits.
    pub(crate) fn trace_id(&self) -> &str {
        &self.trace_id
    }

    /// 16 hexadecimal digits: the span of the client.
    pub(crate) fn span_id(&self) -> &str {
        &self.span_id
    }

    /// Whether the client records the trace.
    pub(crate) fn is_sampled(&self) -> bool {
        self.sampled
    }
}

fn parse(value: &str) -> Option<TraceParent> {
    let mut parts = value.split('-');
    let (version, trace, span, flags) =
        (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |part: &str, digits: usize| {
        let lower = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        part.len() == digits && part.bytes().all(lower)
    };
    let is_set = |part: &str| part.bytes().any(|byte| byte != b'0');
    // Later versions may have more parts; this one has none.
    let fits = is_hex(version, 2)
        && version != "ff"
        && (version != "00" || parts.next().is_none())
        && is_hex(trace, 32)
        && is_set(trace)
        && is_hex(span, 16)
        && is_set(span)
        && is_hex(flags, 2);
    fits.then(|| TraceParent {
        trace_id: trace.to_owned(),
        span_id: span.to_owned(),
        // The lowest bit of the flags.
        sampled: u8::from_str_radix(flags, 16).is_ok_and(|flags| flags & 1 == 1),
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn only_valid_headers_name_a_trace() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        for good in [
            format!("00-{trace}-00f067aa0ba902b7-01"),
            format!("01-{trace}-00f067aa0ba902b7-01-more"),
        ] {
            let found = parse(&good).expect("it is valid");
            assert_eq!(found.trace_id(), trace);
            assert_eq!(found.span_id(), "00f067aa0ba902b7");
            assert!(found.is_sampled());
        }
        let unsampled = parse(&format!("00-{trace}-00f067aa0ba902b7-02"));
        assert!(unsampled.is_some_and(|found| !found.is_sampled()));
        for bad in [
            String::new(),
            format!("ff-{trace}-00f067aa0ba902b7-01"),
            format!("00-{trace}-00f067aa0ba902b7"),
            format!("00-{trace}-00f067aa0ba902b7-01-more"),
            format!("00-{trace}-0000000000000000-01"),
            format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)),
            format!("00-{}-00f067aa0ba902b7-01", trace.to_uppercase()),
            format!("00-{}-00f067aa0ba902b7-01", &trace[1..]),
        ] {
            assert_eq!(parse(&bad), None, "{bad}");
        }
    }

    #[test]
    fn two_headers_are_none() {
        let mut headers = HeaderMap::new();
        let value = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        headers.append(HEADER, HeaderValue::from_static(value));
        assert!(TraceParent::of(&headers).is_some());
        headers.append(HEADER, HeaderValue::from_static(value));
        assert_eq!(TraceParent::of(&headers), None);
    }
}
