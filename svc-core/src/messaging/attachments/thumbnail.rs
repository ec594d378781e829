//! Small pictures of pictures, drawn when they are first asked for and kept.
//!
//! What always holds: one is drawn at a time, on a thread of its own, and few wait for that; whoever asks
//! and goes away leaves the picture for the next one.

use std::time::Duration;

use futures_util::TryStreamExt;
use image::ImageFormat;
use svc_macros::boxed_futures;

use super::model::{Download, Thumbnail};
use super::picture::{self, Drawn, Size};
use super::read::missing;
use super::service::Attachments;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::limits;

#[boxed_futures]
impl Attachments {
    /// A picture of at most 512 by 512; `no_thumbnail` for what cannot be drawn, `picture_too_large` for
    /// what has too many pixels.
    pub async fn thumbnail(&self, caller: &Caller, hash: &str) -> Result<Thumbnail> {
        let file = self.open_file(caller, hash).await?;
        let format = picture::format_of(&file.attachment.mime_type).ok_or_else(none)?;
        let drawn = match self.drawn_before.find(&file.hash).await {
            Some(drawn) => drawn,
            None => self.drawn_now(file, format).await?,
        };
        match drawn {
            Drawn::Small(thumbnail) => Ok(thumbnail),
            Drawn::TooLarge(size) => Err(too_large(size)),
            Drawn::Nothing => Err(none()),
        }
    }

    /// Draws it when its turn comes, unless somebody before it in the line has.
    async fn drawn_now(&self, file: Download, format: ImageFormat) -> Result<Drawn> {
        let place = self.drawing.line.clone().try_acquire_owned().map_err(|_| busy())?;
        let this = self.clone();
        let drawing = tokio::spawn(async move {
            // Before the file is read, because that is where the memory goes.
            let turn = this.drawing.turn.clone().acquire_owned().await.map_err(|_| missing())?;
            let drawn = match this.drawn_before.find(&file.hash).await {
                Some(drawn) => drawn,
                None => this.draw_and_keep(&file, format).await?,
            };
            drop((turn, place));
            Ok(drawn)
        });
        drawing.await.map_err(|error| Error::internal(format!("drawing a picture panicked: {error}")))?
    }

    async fn draw_and_keep(&self, file: &Download, format: ImageFormat) -> Result<Drawn> {
        let mut content = Vec::with_capacity(usize::try_from(file.size()).unwrap_or_default());
        let mut pieces = file.read(0..file.size()).await?;
        while let Some(piece) = pieces.try_next().await? {
            content.extend_from_slice(&piece);
        }
        let drawn = tokio::task::spawn_blocking(move || picture::draw(&content, format)).await;
        // A decoder that panics over odd bytes has drawn nothing.
        let drawn = drawn.unwrap_or(Drawn::Nothing);
        self.drawn_before.keep(&file.hash, &drawn, self.entropy.as_ref()).await;
        Ok(drawn)
    }
}

fn none() -> Error {
    Error::new(ErrorKind::NotFound, "no_thumbnail", "There is no small picture of this file: fetch the file itself.")
}

fn too_large(size: Size) -> Error {
    let Size { width, height } = size;
    let most = limits::PICTURE_PIXELS_MAX;
    let sentence = format!(
        "The picture has {width} by {height} pixels, and small ones are drawn of up to {most} in all: fetch the file itself."
    );
    Error::new(ErrorKind::NotFound, "picture_too_large", sentence)
        .with_detail("width", width)
        .with_detail("height", height)
        .with_detail("limit_pixels", most)
}

fn busy() -> Error {
    Error::new(ErrorKind::TooMany, "thumbnails_busy", "Too many small pictures are being drawn: ask again soon.")
        .with_retry_after(Duration::from_secs(1))
}
