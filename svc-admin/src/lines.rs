//! Lines of bounded length from a stream.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// One line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line within the bound.
    Text(Vec<u8>),
    /// A longer line, which was read to its end and discarded.
    TooLong,
}

/// Reads lines; none takes more memory than the bound.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    limit: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(reader: R, limit: usize) -> Self {
        Self { reader: BufReader::new(reader), limit }
    }

    /// The next line; `None` at the end of the stream. A last line needs no line feed.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Line>> {
        let mut text = Vec::new();
        let mut too_long = false;
        loop {
            let chunk = self.reader.fill_buf().await?;
            if chunk.is_empty() {
                return Ok((too_long || !text.is_empty()).then(|| finish(text, too_long)));
            }
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let taken = &chunk[..end.unwrap_or(chunk.len())];
            if too_long || text.len() + taken.len() > self.limit {
                too_long = true;
                text = Vec::new();
            } else {
                text.extend_from_slice(taken);
            }
            let consumed = taken.len() + usize::from(end.is_some());
            self.reader.consume(consumed);
            if end.is_some() {
                return Ok(Some(finish(text, too_long)));
            }
        }
    }
}

fn finish(mut text: Vec<u8>, too_long: bool) -> Line {
    if too_long {
        return Line::TooLong;
    }
    if text.last() == Some(&b'\r') {
        text.pop();
    }
    Line::Text(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(input: &[u8], limit: usize) -> Vec<Line> {
        let mut lines = Lines::new(input, limit);
        let mut found = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            found.push(line);
        }
        found
    }

    fn text(line: &str) -> Line {
        Line::Text(line.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn lines_end_with_lf_crlf_or_the_stream() {
        assert_eq!(all(b"one\ntwo\r\n\nlast", 10).await, [text("one"), text("two"), text(""), text("last")]);
        assert_eq!(all(b"", 10).await, []);
    }

    #[tokio::test]
    async fn a_line_of_exactly_the_bound_is_accepted() {
        assert_eq!(all(b"12345\n123456\n12\n", 5).await, [text("12345"), Line::TooLong, text("12")]);
        assert_eq!(all(b"123456", 5).await, [Line::TooLong]);
    }

    #[tokio::test]
    async fn a_line_of_many_chunks_is_put_together() {
        let long = "x".repeat(100_000);
        assert_eq!(all(format!("{long}\nend\n").as_bytes(), 100_000).await, [text(&long), text("end")]);
    }
}
