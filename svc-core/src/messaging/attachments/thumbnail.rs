//! Thumbnails, rendered on first request and cached.
//!
//! Invariant: one thumbnail is rendered at a time, on its own thread, and few requests wait for it.
//! If a client disconnects, its thumbnail is still cached for the next request.

use std::time::Duration;

use futures_util::TryStreamExt;
use image::ImageFormat;
use svc_macros::boxed_futures;

use super::model::{Download, Thumbnail};
use super::picture::{self, Rendered, Size};
use super::read::missing;
use super::service::Attachments;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::limits;

#[boxed_futures]
impl Attachments {
    /// A thumbnail of at most 512 by 512 pixels. The error is `no_thumbnail` for a file that cannot
    /// be rendered and `picture_too_large` for one with too many pixels.
    pub async fn thumbnail(&self, caller: &Caller, hash: &str) -> Result<Thumbnail> {
        let file = self.open_file(caller, hash).await?;
        let format = picture::format_of(&file.attachment.mime_type).ok_or_else(none)?;
        let rendered = match self.thumbnail_cache.find(&file.hash).await {
            Some(rendered) => rendered,
            None => self.render_in_turn(file, format).await?,
        };
        match rendered {
            Rendered::Small(thumbnail) => Ok(thumbnail),
            Rendered::TooLarge(size) => Err(too_large(size)),
            Rendered::Nothing => Err(none()),
        }
    }

    /// Draws the middle of a picture as the square of an avatar, in turn with thumbnails.
    pub(crate) async fn square(&self, picture: Vec<u8>) -> Result<Thumbnail> {
        let waiting = self.render_queue.waiting.clone().try_acquire_owned().map_err(|_| busy())?;
        let running = self.render_queue.running.clone().acquire_owned().await.map_err(|_| missing())?;
        // The turn ends with the drawing, even if the caller has gone.
        let drawing = tokio::task::spawn_blocking(move || {
            let rendered = picture::render_square(&picture, limits::AVATAR_SIDE);
            drop((running, waiting));
            rendered
        });
        // A decoder that panics has drawn nothing.
        match drawing.await.unwrap_or(Rendered::Nothing) {
            Rendered::Small(thumbnail) => Ok(thumbnail),
            Rendered::TooLarge(_) => {
                Err(Error::invalid("file", format!("must have at most {} pixels", limits::PICTURE_PIXELS_MAX)))
            }
            Rendered::Nothing => Err(Error::invalid("file", "must be a PNG, JPEG, WebP or GIF that can be drawn")),
        }
    }

    /// Renders a thumbnail in turn, unless an earlier request has rendered it.
    async fn render_in_turn(&self, file: Download, format: ImageFormat) -> Result<Rendered> {
        let waiting = self.render_queue.waiting.clone().try_acquire_owned().map_err(|_| busy())?;
        let this = self.clone();
        let rendering = tokio::spawn(async move {
            // Acquired before the file is read, because reading takes the memory.
            let running = this.render_queue.running.clone().acquire_owned().await.map_err(|_| missing())?;
            let rendered = match this.thumbnail_cache.find(&file.hash).await {
                Some(rendered) => rendered,
                None => this.render_and_cache(&file, format).await?,
            };
            drop((running, waiting));
            Ok(rendered)
        });
        rendering.await.map_err(|error| Error::internal(format!("rendering a thumbnail panicked: {error}")))?
    }

    async fn render_and_cache(&self, file: &Download, format: ImageFormat) -> Result<Rendered> {
        let mut content = Vec::with_capacity(usize::try_from(file.size()).unwrap_or_default());
        let mut pieces = file.read(0..file.size()).await?;
        while let Some(piece) = pieces.try_next().await? {
            content.extend_from_slice(&piece);
        }
        let rendered = tokio::task::spawn_blocking(move || picture::render(&content, format)).await;
        // A decoder that panics has rendered nothing.
        let rendered = rendered.unwrap_or(Rendered::Nothing);
        self.thumbnail_cache.keep(&file.hash, &rendered, self.entropy.as_ref()).await;
        Ok(rendered)
    }
}

fn none() -> Error {
    Error::new(ErrorKind::NotFound, "no_thumbnail", "This file has no thumbnail. Fetch the file itself.")
}

fn too_large(size: Size) -> Error {
    let Size { width, height } = size;
    let most = limits::PICTURE_PIXELS_MAX;
    let sentence = format!(
        "A picture of {width} by {height} pixels has no thumbnail; the maximum is {most} pixels. Fetch the file itself."
    );
    Error::new(ErrorKind::NotFound, "picture_too_large", sentence)
        .with_detail("width", width)
        .with_detail("height", height)
        .with_detail("limit_pixels", most)
}

fn busy() -> Error {
    Error::new(ErrorKind::TooMany, "thumbnails_busy", "Too many thumbnails are being rendered. Try again soon.")
        .with_retry_after(Duration::from_secs(1))
}
