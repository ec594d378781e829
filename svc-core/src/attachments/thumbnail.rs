//! Small pictures of pictures, drawn when they are asked for.
//!
//! What always holds: no picture takes more memory than the limit, however small its file is; only a
//! few are drawn at a time, on threads of their own.

use std::io::Cursor;

use bytes::Bytes;
use futures_util::TryStreamExt;
use image::codecs::jpeg::JpegEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::model::Thumbnail;
use super::read::missing;
use super::service::Attachments;
use crate::auth::Caller;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// How good a JPEG is, of 100.
const QUALITY: u8 = 80;

impl Attachments {
    /// A picture of at most 512 by 512; `no_thumbnail` for what cannot be drawn.
    pub async fn thumbnail(&self, caller: &Caller, hash: &str) -> Result<Thumbnail> {
        let file = self.open_file(caller, hash).await?;
        let format = format_of(&file.attachment.mime_type).ok_or_else(none)?;
        // Before the file is read, because that is where the memory goes.
        let place = self.drawing.clone().acquire_owned().await.map_err(|_| missing())?;
        let mut content = Vec::with_capacity(usize::try_from(file.size()).unwrap_or_default());
        let mut pieces = file.read(0..file.size()).await?;
        while let Some(piece) = pieces.try_next().await? {
            content.extend_from_slice(&piece);
        }
        let drawn = tokio::task::spawn_blocking(move || {
            let drawn = draw(&content, format);
            drop(place);
            drawn
        });
        // A decoder that panics over odd bytes has drawn nothing.
        drawn.await.ok().flatten().ok_or_else(none)
    }
}

fn none() -> Error {
    Error::new(ErrorKind::NotFound, "no_thumbnail", "There is no small picture of this file: fetch the file itself.")
}

fn format_of(mime_type: &str) -> Option<ImageFormat> {
    match mime_type {
        "image/png" => Some(ImageFormat::Png),
        "image/jpeg" => Some(ImageFormat::Jpeg),
        "image/gif" => Some(ImageFormat::Gif),
        "image/webp" => Some(ImageFormat::WebP),
        _ => None,
    }
}

fn draw(content: &[u8], format: ImageFormat) -> Option<Thumbnail> {
    let mut reader = ImageReader::with_format(Cursor::new(content), format);
    let mut bounds = Limits::default();
    bounds.max_image_width = Some(limits::PICTURE_SIDE_MAX);
    bounds.max_image_height = Some(limits::PICTURE_SIDE_MAX);
    bounds.max_alloc = Some(limits::PICTURE_MEMORY_MAX);
    reader.limits(bounds.clone());
    let mut decoder = reader.into_decoder().ok()?;
    // What it comes to in memory is known before anything is decoded.
    bounds.check_dimensions(decoder.dimensions().0, decoder.dimensions().1).ok()?;
    if decoder.total_bytes() > limits::PICTURE_MEMORY_MAX {
        return None;
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).ok()?;
    let side = limits::THUMBNAIL_SIDE;
    let mut small = if picture.width().max(picture.height()) > side { picture.thumbnail(side, side) } else { picture };
    small.apply_orientation(orientation);
    encode(&small)
}

/// JPEG, unless something shines through.
fn encode(picture: &DynamicImage) -> Option<Thumbnail> {
    let mut content = Vec::new();
    if picture.color().has_alpha() {
        DynamicImage::from(picture.to_rgba8()).write_to(&mut Cursor::new(&mut content), ImageFormat::Png).ok()?;
        return Some(Thumbnail { mime_type: "image/png", content: Bytes::from(content) });
    }
    picture.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut content, QUALITY)).ok()?;
    Some(Thumbnail { mime_type: "image/jpeg", content: Bytes::from(content) })
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage, Rgba, RgbaImage};
    use proptest::prelude::*;

    use super::*;

    fn png(picture: &DynamicImage) -> Vec<u8> {
        let mut content = Vec::new();
        picture.write_to(&mut Cursor::new(&mut content), ImageFormat::Png).unwrap();
        content
    }

    #[test]
    fn a_large_picture_is_made_small_and_keeps_its_shape() {
        let plain = DynamicImage::from(RgbImage::from_pixel(1200, 300, Rgb([200, 10, 10])));
        let small = draw(&png(&plain), ImageFormat::Png).unwrap();
        assert_eq!(small.mime_type, "image/jpeg");
        let seen = image::load_from_memory(&small.content).unwrap();
        assert_eq!((seen.width(), seen.height()), (512, 128));
        let clear = DynamicImage::from(RgbaImage::from_pixel(20, 10, Rgba([1, 2, 3, 0])));
        let kept = draw(&png(&clear), ImageFormat::Png).unwrap();
        assert_eq!(kept.mime_type, "image/png");
        assert_eq!(image::load_from_memory(&kept.content).unwrap().width(), 20);
    }

    #[test]
    fn a_bomb_is_not_lit() {
        // A header that announces far more than its file could hold.
        for (width, height) in [(60_000_u32, 60_000_u32), (16_000, 16_000), (u32::MAX, 1), (0, 0)] {
            let mut bomb = png(&DynamicImage::from(RgbImage::new(1, 1)));
            bomb[16..20].copy_from_slice(&width.to_be_bytes());
            bomb[20..24].copy_from_slice(&height.to_be_bytes());
            let crc = crc32fast::hash(&bomb[12..29]);
            bomb[29..33].copy_from_slice(&crc.to_be_bytes());
            assert!(draw(&bomb, ImageFormat::Png).is_none(), "{width} x {height}");
        }
    }

    proptest! {
        #[test]
        fn odd_bytes_draw_nothing_and_break_nothing(mut tail in proptest::collection::vec(any::<u8>(), 0..300), at in 0_usize..60) {
            let mut bytes = png(&DynamicImage::from(RgbImage::new(4, 4)));
            let at = at.min(bytes.len());
            bytes.truncate(at);
            bytes.append(&mut tail);
            for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
                drop(draw(&bytes, format));
            }
        }
    }
}
