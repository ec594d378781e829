//! Rendering a thumbnail from the bytes of a picture, within a pixel budget.
//!
//! Invariants:
//! - The size of a picture is read from its headers before anything is decoded, and a picture
//!   beyond the limit is not decoded at all.
//! - Of an animated picture, the first frame is used.

use std::io::Cursor;

use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::model::Thumbnail;
use crate::limits;

/// JPEG quality, out of 100.
const QUALITY: u8 = 80;

/// The result of rendering a picture.
#[derive(Debug, Clone)]
pub(super) enum Rendered {
    Small(Thumbnail),
    /// It has more pixels than the limit.
    TooLarge(Size),
    /// It is not a picture, or a broken one.
    Nothing,
}

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Size {
    pub(super) fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// The format of a picture type that can be rendered.
pub(super) fn format_of(mime_type: &str) -> Option<ImageFormat> {
    match mime_type {
        "image/png" => Some(ImageFormat::Png),
        "image/jpeg" => Some(ImageFormat::Jpeg),
        "image/gif" => Some(ImageFormat::Gif),
        "image/webp" => Some(ImageFormat::WebP),
        _ => None,
    }
}

/// Renders a thumbnail.
pub(super) fn render(content: &[u8], format: ImageFormat) -> Rendered {
    match opened(content, format) {
        Ok(decoder) => shrink(decoder).map_or(Rendered::Nothing, Rendered::Small),
        Err(rendered) => rendered,
    }
}

/// Renders the middle of a picture as a square. The format is that of its first bytes.
pub(super) fn render_square(content: &[u8], side: u32) -> Rendered {
    let known = |format: &ImageFormat| format_of(format.to_mime_type()).is_some();
    let Some(format) = image::guess_format(content).ok().filter(known) else { return Rendered::Nothing };
    match opened(content, format) {
        Ok(decoder) => square(decoder, side).map_or(Rendered::Nothing, Rendered::Small),
        Err(rendered) => rendered,
    }
}

/// The decoder of a picture within the bounds.
fn opened(content: &[u8], format: ImageFormat) -> Result<impl ImageDecoder + '_, Rendered> {
    let frame = if format == ImageFormat::WebP { largest_webp_frame(content) } else { None };
    if let Some(size) = frame.filter(|size| size.pixels() > limits::PICTURE_PIXELS_MAX) {
        return Err(Rendered::TooLarge(size));
    }
    let mut reader = ImageReader::with_format(Cursor::new(content), format);
    let mut bounds = Limits::default();
    bounds.max_alloc = Some(limits::PICTURE_MEMORY_MAX);
    reader.limits(bounds);
    let Ok(decoder) = reader.into_decoder() else { return Err(Rendered::Nothing) };
    let (width, height) = decoder.dimensions();
    let size = Size { width, height };
    if size.pixels() > limits::PICTURE_PIXELS_MAX {
        return Err(Rendered::TooLarge(size));
    }
    if decoder.total_bytes() > limits::PICTURE_MEMORY_MAX {
        return Err(Rendered::Nothing);
    }
    Ok(decoder)
}

fn square(mut decoder: impl ImageDecoder, side: u32) -> Option<Thumbnail> {
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).ok()?;
    let (width, height) = (picture.width(), picture.height());
    let shorter = width.min(height);
    let middle = picture.crop_imm((width - shorter) / 2, (height - shorter) / 2, shorter, shorter);
    let mut small = if shorter > side {
        middle.thumbnail_exact(side, side)
    } else {
        middle.resize_exact(side, side, FilterType::Triangle)
    };
    small.apply_orientation(orientation);
    encode(&small)
}

fn shrink(mut decoder: impl ImageDecoder) -> Option<Thumbnail> {
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).ok()?;
    let side = limits::THUMBNAIL_SIDE;
    let mut small = if picture.width().max(picture.height()) > side { picture.thumbnail(side, side) } else { picture };
    small.apply_orientation(orientation);
    encode(&small)
}

/// Encodes as JPEG, or as PNG if the picture has transparency.
fn encode(picture: &DynamicImage) -> Option<Thumbnail> {
    let mut content = Vec::new();
    if picture.color().has_alpha() {
        DynamicImage::from(picture.to_rgba8()).write_to(&mut Cursor::new(&mut content), ImageFormat::Png).ok()?;
        return Some(Thumbnail { mime_type: "image/png", content: Bytes::from(content) });
    }
    picture.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut content, QUALITY)).ok()?;
    Some(Thumbnail { mime_type: "image/jpeg", content: Bytes::from(content) })
}

/// The largest frame of a WebP. The file header may declare a small picture, but the decoder
/// allocates memory for the size that a frame declares and compares the two only afterwards. Frames
/// are searched at every offset, so that the decoder cannot find one that this function misses.
fn largest_webp_frame(content: &[u8]) -> Option<Size> {
    let starts = content.windows(3).enumerate().filter(|(_, window)| *window == b"VP8");
    starts.filter_map(|(at, _)| webp_frame(content.get(at..)?)).max_by_key(|size| size.pixels())
}

/// The size that a frame header declares: a name of four letters, a length of four bytes, the
/// header.
fn webp_frame(chunk: &[u8]) -> Option<Size> {
    match chunk.get(..4)? {
        b"VP8 " => {
            let head = chunk.get(8..18)?;
            let side = |at: usize| u32::from(u16::from_le_bytes([head[at], head[at + 1]]) & 0x3fff);
            (head[3..6] == [0x9d, 0x01, 0x2a]).then(|| Size { width: side(6), height: side(8) })
        }
        b"VP8L" => {
            let head = chunk.get(8..13)?;
            let bits = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
            let side = |bits: u32| (bits & 0x3fff) + 1;
            (head[0] == 0x2f).then(|| Size { width: side(bits), height: side(bits >> 14) })
        }
        _ => None,
    }
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

    fn small(content: &[u8], format: ImageFormat) -> Thumbnail {
        match render(content, format) {
            Rendered::Small(thumbnail) => thumbnail,
            other => panic!("{other:?}"),
        }
    }

    /// A chunk of a WebP file.
    fn chunk(name: [u8; 4], content: &[u8]) -> Vec<u8> {
        let length = u32::try_from(content.len()).unwrap();
        [name.as_slice(), &length.to_le_bytes(), content].concat()
    }

    fn webp(chunks: &[Vec<u8>]) -> Vec<u8> {
        chunk(*b"RIFF", &[b"WEBP".as_slice(), &chunks.concat()].concat())
    }

    /// The header of a lossy frame of 16,383 by 16,383 pixels, without data.
    fn huge_frame() -> Vec<u8> {
        chunk(*b"VP8 ", &[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f])
    }

    #[test]
    fn a_large_picture_is_made_small_and_keeps_its_shape() {
        let plain = DynamicImage::from(RgbImage::from_pixel(1200, 300, Rgb([200, 10, 10])));
        let rendered = small(&png(&plain), ImageFormat::Png);
        assert_eq!(rendered.mime_type, "image/jpeg");
        let seen = image::load_from_memory(&rendered.content).unwrap();
        assert_eq!((seen.width(), seen.height()), (512, 128));
        let clear = DynamicImage::from(RgbaImage::from_pixel(20, 10, Rgba([1, 2, 3, 0])));
        let kept = small(&png(&clear), ImageFormat::Png);
        assert_eq!(kept.mime_type, "image/png");
        assert_eq!(image::load_from_memory(&kept.content).unwrap().width(), 20);
    }

    #[test]
    fn a_square_is_the_middle_of_a_picture() {
        let mut wide = RgbImage::from_pixel(300, 100, Rgb([200, 10, 10]));
        for x in 100..200 {
            for y in 0..100 {
                wide.put_pixel(x, y, Rgb([10, 10, 200]));
            }
        }
        for (content, side) in [
            (png(&DynamicImage::from(wide.clone())), 64),
            (png(&DynamicImage::from(wide)), 128),
            (png(&DynamicImage::from(RgbImage::from_pixel(1, 3, Rgb([10, 10, 200])))), 128),
        ] {
            let Rendered::Small(drawn) = render_square(&content, side) else { panic!("nothing") };
            let seen = image::load_from_memory(&drawn.content).unwrap().to_rgb8();
            assert_eq!((seen.width(), seen.height()), (side, side));
            for at in [(3, 3), (side - 4, side - 4), (side / 2, side / 2)] {
                let Rgb([red, _, blue]) = *seen.get_pixel(at.0, at.1);
                assert!(red < 60 && blue > 150, "{at:?}: {red} {blue}");
            }
        }
        for other in [&b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..], b"BM", b"", b"\x89PNG\r\n\x1a\n"] {
            assert!(matches!(render_square(other, 128), Rendered::Nothing));
        }
    }

    #[test]
    fn a_png_that_announces_too_much_is_not_decoded() {
        for (width, height) in [(60_000_u32, 60_000_u32), (16_000, 16_000), (6_000, 4_200)] {
            let mut bomb = png(&DynamicImage::from(RgbImage::new(1, 1)));
            bomb[16..20].copy_from_slice(&width.to_be_bytes());
            bomb[20..24].copy_from_slice(&height.to_be_bytes());
            let crc = crc32fast::hash(&bomb[12..29]);
            bomb[29..33].copy_from_slice(&crc.to_be_bytes());
            let rendered = render(&bomb, ImageFormat::Png);
            assert!(matches!(rendered, Rendered::TooLarge(size) if size == Size { width, height }), "{rendered:?}");
        }
    }

    #[test]
    fn a_webp_is_as_large_as_its_largest_frame() {
        let huge = Size { width: 16_383, height: 16_383 };
        // A canvas of one pixel.
        let canvas = || chunk(*b"VP8X", &[0; 10]);
        let lossless = chunk(*b"VP8L", &[0x2f, 0xff, 0xff, 0xff, 0x0f]);
        for (content, size) in [
            (webp(&[huge_frame()]), huge),
            (webp(&[canvas(), huge_frame()]), huge),
            (webp(&[lossless]), Size { width: 16_384, height: 16_384 }),
        ] {
            let rendered = render(&content, ImageFormat::WebP);
            assert!(matches!(rendered, Rendered::TooLarge(found) if found == size), "{rendered:?}");
        }
        let fits = chunk(*b"VP8 ", &[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x10, 0, 0x10, 0]);
        assert!(matches!(render(&webp(&[canvas(), fits]), ImageFormat::WebP), Rendered::Nothing));
    }

    #[test]
    fn a_webp_of_ordinary_size_is_drawn() {
        let picture = DynamicImage::from(RgbaImage::from_pixel(700, 350, Rgba([9, 80, 200, 255])));
        let mut content = Vec::new();
        picture.write_to(&mut Cursor::new(&mut content), ImageFormat::WebP).unwrap();
        let seen = image::load_from_memory(&small(&content, ImageFormat::WebP).content).unwrap();
        assert_eq!((seen.width(), seen.height()), (512, 256));
    }

    proptest! {
        #[test]
        fn invalid_bytes_never_panic(mut tail in proptest::collection::vec(any::<u8>(), 0..300), at in 0_usize..60) {
            let mut bytes = png(&DynamicImage::from(RgbImage::new(4, 4)));
            let at = at.min(bytes.len());
            bytes.truncate(at);
            bytes.append(&mut tail);
            for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
                drop(render(&bytes, format));
            }
        }
    }
}
