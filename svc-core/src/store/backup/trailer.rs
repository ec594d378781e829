//! The end of an archive file: a checksum of all its bytes before. The checksums inside are of what was compressed, and
//! the same content may be compressed to other bytes.
//!
//! It is a frame that programs for zstd skip.

use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};

/// The beginning of a frame that is skipped, with its size.
const FRAME: [u8; 8] = [0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0];
/// The size of the whole trailer.
const SIZE: usize = FRAME.len() + 32;

/// Hashes what is written.
pub(super) struct HashedOutput<W> {
    out: W,
    hasher: Sha256,
}

impl<W: Write> HashedOutput<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, hasher: Sha256::new() }
    }

    /// Writes the trailer.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.out.write_all(&FRAME)?;
        self.out.write_all(&self.hasher.finalize())?;
        Ok(self.out)
    }
}

impl<W: Write> Write for HashedOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Hashes what is read, but for the last bytes, which are the trailer.
pub(super) struct HashedInput<R> {
    input: R,
    hasher: Sha256,
    last: Vec<u8>,
}

impl<R: Read> HashedInput<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, hasher: Sha256::new(), last: Vec::with_capacity(SIZE) }
    }

    /// Whether the trailer is that of everything before it. The input must have been read to its end.
    pub(super) fn ends_right(self) -> bool {
        let Self { hasher, last, .. } = self;
        last.strip_prefix(&FRAME) == Some(hasher.finalize().as_slice())
    }
}

impl<R: Read> Read for HashedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        let new = &buffer[..read];
        let leaving = (self.last.len() + read).saturating_sub(SIZE);
        let old = leaving.min(self.last.len());
        self.hasher.update(&self.last[..old]);
        self.last.drain(..old);
        let (passed, kept) = new.split_at(leaving - old);
        self.hasher.update(passed);
        self.last.extend_from_slice(kept);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_is_found() {
        for size in [0, 1, 39, 40, 41, 1000] {
            let mut out = HashedOutput::new(Vec::new());
            out.write_all(&vec![7; size]).unwrap();
            let whole = out.finish().unwrap();
            let is_right = |bytes: &[u8], step: usize| {
                let mut input = HashedInput::new(bytes);
                let mut buffer = vec![0; step];
                while input.read(&mut buffer).unwrap() > 0 {}
                input.ends_right()
            };
            for step in [1, 3, 40, 4096] {
                assert!(is_right(&whole, step), "{size} {step}");
            }
            for at in 0..whole.len() {
                let mut changed = whole.clone();
                changed[at] ^= 1;
                assert!(!is_right(&changed, 64), "{at} of {size}");
                assert!(!is_right(&whole[..at], 64), "cut at {at} of {size}");
            }
        }
    }
}
