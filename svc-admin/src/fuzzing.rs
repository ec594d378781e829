//! Fuzz target of `make fuzz`; it panics where a rule does not hold. It is not part of an ordinary build.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tokio::io::AsyncReadExt;

use crate::lines::{Line, Lines};
use crate::wire::Request;

/// Short, so that some lines are too long.
const LIMIT: usize = 200;

/// A stream of requests; its first byte says where the stream has a pause.
pub fn rpc(data: &[u8]) {
    let Some((pause, stream)) = data.split_first() else { return };
    let (first, second) = stream.split_at(usize::from(*pause).min(stream.len()));
    let lines = all(first, second);
    assert_eq!(lines, all(stream, b""), "a pause changes nothing");
    let expected =
        stream.split(|byte| *byte == b'\n').count() - usize::from(stream.is_empty() || stream.ends_with(b"\n"));
    assert_eq!(lines.len(), expected, "a line is a line");
    for line in lines {
        let Line::Text(text) = line else { continue };
        assert!(text.len() <= LIMIT && !text.contains(&b'\n'));
        let Ok(value) = serde_json::from_slice(&text) else { continue };
        if let Err(refusal) = Request::parse(value) {
            assert!(refusal.error.is_some() && serde_json::to_string(&refusal).is_ok(), "an error can be serialized");
        }
    }
}

fn all(first: &[u8], second: &[u8]) -> Vec<Line> {
    let mut lines = Lines::new(first.chain(second), LIMIT);
    let mut found = Vec::new();
    loop {
        // Data in memory is always available.
        let next = pin!(lines.next()).poll(&mut Context::from_waker(Waker::noop()));
        match next {
            Poll::Ready(Ok(Some(line))) => found.push(line),
            Poll::Ready(Ok(None)) => return found,
            Poll::Ready(Err(error)) => panic!("memory cannot be read: {error}"),
            Poll::Pending => panic!("memory has to be waited for"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arbitrary_input_is_accepted() {
        let request = br#"{"jsonrpc": "2.0", "id": 1, "method": "status"}"#;
        for stream in [&b""[..], b"\n", b"\r\n\r", b"a\nb", b"[{}]\n{\"id\": {}}\n", request, &[b'x'; 300]] {
            for pause in [0, 1, 3, 255] {
                rpc(&[&[pause], stream].concat());
            }
        }
        rpc(b"");
    }
}
