//! Parses responses: the end of the head, the length of the body, and chunked bodies. Pure
//! functions over the bytes received so far.

use super::HEADERS_MAX;

/// A parsed head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) status: u16,
    /// Bytes of status line, headers and blank line.
    pub(super) length: usize,
    pub(super) body: BodyLength,
    /// Whether the connection may be used again afterwards.
    pub(super) keep_alive: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyLength {
    Bytes(usize),
    Chunked,
    UntilClose,
}

/// Why a response is malformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Malformed {
    #[error("the answer is not HTTP/1.1")]
    Head,
    #[error("the answer's length is contradictory")]
    Length,
    #[error("a chunk of the answer is malformed")]
    Chunk,
}

/// Parses a head; `None` when more bytes are needed.
pub(super) fn head(bytes: &[u8], to_head_request: bool) -> Result<Option<Head>, Malformed> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut parsed = httparse::Response::new(&mut headers);
    let length = match parsed.parse(bytes).map_err(|_| Malformed::Head)? {
        httparse::Status::Partial => return Ok(None),
        httparse::Status::Complete(length) => length,
    };
    let status = parsed.code.ok_or(Malformed::Head)?;
    let mut keep_alive = parsed.version == Some(1);
    let mut content_length = None;
    let mut chunked = false;
    for header in parsed.headers.iter() {
        let name = header.name;
        if name.eq_ignore_ascii_case("content-length") {
            let text = std::str::from_utf8(header.value).map_err(|_| Malformed::Length)?;
            let bytes: usize = text.trim().parse().map_err(|_| Malformed::Length)?;
            if content_length.is_some_and(|other| other != bytes) {
                return Err(Malformed::Length);
            }
            content_length = Some(bytes);
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            chunked = header.value.to_ascii_lowercase().ends_with(b"chunked");
        } else if name.eq_ignore_ascii_case("connection") {
            let value = header.value.to_ascii_lowercase();
            keep_alive = if value == b"close" {
                false
            } else {
                keep_alive || value == b"keep-alive"
            };
        }
    }
    let body = match (status, chunked, content_length) {
        (100..200 | 204 | 304, ..) => BodyLength::Bytes(0),
        _ if to_head_request => BodyLength::Bytes(0),
        (_, true, _) => BodyLength::Chunked,
        (_, _, Some(bytes)) => BodyLength::Bytes(bytes),
        _ => BodyLength::UntilClose,
    };
    keep_alive &= body != BodyLength::UntilClose;
    Ok(Some(Head {
        status,
        length,
        body,
        keep_alive,
    }))
}

/// Progress through a chunked body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chunks {
    /// More bytes are needed; so many of those given have been used.
    Partial(usize),
    /// The body is complete; so many of the bytes given belonged to it.
    Complete(usize),
}

/// Moves the data of complete chunks from `bytes` to the end of `body`.
pub(super) fn chunks(
    bytes: &[u8],
    body: &mut Vec<u8>,
    body_max: usize,
) -> Result<Chunks, Malformed> {
    let mut used = 0;
    loop {
        let rest = &bytes[used..];
        let (line, size) = match httparse::parse_chunk_size(rest) {
            Ok(httparse::Status::Complete(found)) => found,
            Ok(httparse::Status::Partial) => return Ok(Chunks::Partial(used)),
            Err(_) => return Err(Malformed::Chunk),
        };
        let size = usize::try_from(size).map_err(|_| Malformed::Chunk)?;
        if size == 0 {
            return Ok(match trailers_end(&rest[line..]) {
                Some(end) => Chunks::Complete(used + line + end),
                None => Chunks::Partial(used),
            });
        }
        if size > body_max.saturating_sub(body.len()) {
            return Err(Malformed::Length);
        }
        let Some(chunk) = rest.get(line..line + size + 2) else {
            return Ok(Chunks::Partial(used));
        };
        let (data, end) = chunk.split_at(size);
        if end != b"\r\n" {
            return Err(Malformed::Chunk);
        }
        body.extend_from_slice(data);
        used += line + size + 2;
    }
}

/// The end of the trailer lines, which an empty line closes.
fn trailers_end(bytes: &[u8]) -> Option<usize> {
    if bytes.starts_with(b"\r\n") {
        return Some(2);
    }
    let at = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    Some(at + 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Option<Head>, Malformed> {
        head(text.as_bytes(), false)
    }

    #[test]
    fn heads_give_the_length_of_the_body() {
        let body = |text: &str| parse(text).unwrap().unwrap().body;
        assert_eq!(
            body("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
            BodyLength::Bytes(5)
        );
        assert_eq!(
            body("HTTP/1.1 204 No Content\r\n\r\n"),
            BodyLength::Bytes(0)
        );
        let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, Chunked\r\n\r\n";
        assert_eq!(body(chunked), BodyLength::Chunked);
        let open = parse("HTTP/1.1 200 OK\r\n\r\n").unwrap().unwrap();
        assert_eq!(
            (open.body, open.keep_alive),
            (BodyLength::UntilClose, false)
        );
    }

    #[test]
    fn heads_decide_whether_the_connection_stays() {
        let keeps = |text: &str| parse(text).unwrap().unwrap().keep_alive;
        assert!(keeps("HTTP/1.1 204 No\r\n\r\n"));
        assert!(!keeps("HTTP/1.1 204 No\r\nConnection: Close\r\n\r\n"));
        assert!(!keeps("HTTP/1.0 204 No\r\n\r\n"));
        assert!(keeps("HTTP/1.0 204 No\r\nConnection: keep-alive\r\n\r\n"));
    }

    #[test]
    fn broken_heads_are_refused_and_short_ones_wait() {
        assert_eq!(parse("HTTP/1.1 200 OK\r\nContent-Le").unwrap(), None);
        assert_eq!(parse("SSH-2.0-x\r\n\r\n"), Err(Malformed::Head));
        for length in ["-1", "1x", "99999999999999999999", "1\r\nContent-Length: 2"] {
            let text = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n");
            assert_eq!(parse(&text), Err(Malformed::Length), "{length}");
        }
    }

    #[test]
    fn chunks_come_together_however_they_are_cut() {
        let whole = b"4;x=y\r\nwiki\r\n0a\r\npedia in  \r\n0\r\nTrailer: 1\r\n\r\nNEXT";
        let end = whole.len() - 4;
        for cut in 0..whole.len() {
            let mut body = Vec::new();
            let used = match chunks(&whole[..cut], &mut body, 100).unwrap() {
                Chunks::Partial(used) => used,
                Chunks::Complete(used) => {
                    assert_eq!((used, cut >= end), (end, true));
                    continue;
                }
            };
            assert_eq!(
                chunks(&whole[used..], &mut body, 100),
                Ok(Chunks::Complete(end - used))
            );
            assert_eq!(body, b"wikipedia in  ", "cut at {cut}");
        }
    }

    #[test]
    fn oversized_and_broken_chunks_are_refused() {
        let refuse = |text: &str| chunks(text.as_bytes(), &mut Vec::new(), 10).unwrap_err();
        assert_eq!(refuse("b\r\nhello world\r\n"), Malformed::Length);
        assert_eq!(refuse("ffffffffffffffff\r\n"), Malformed::Length);
        assert_eq!(refuse("x\r\n"), Malformed::Chunk);
        assert_eq!(refuse("1\r\nabc"), Malformed::Chunk);
    }
}
