//! Small pictures: drawn within a budget of pixels, one after the other, and once.

use std::time::Duration;

use serde_json::json;
use svc_core::attachments::ContentHash;
use svc_core::limits;
use svc_test_macros::both_engines;

use crate::support::files::{blob, files_in, png};
use crate::support::server::{TestServer, problem};

/// 24 by 16, grey, in five scans.
const PROGRESSIVE: &str = "\
    ffd8ffe000104a46494600010100000100010000ffdb004300281c1e231e19282321232d2b28303c64413c37373c7b585d49\
    64918099968f808c8aa0b4e6c3a0aadaad8a8cc8ffcbdaeef5ffffff9bc1fffffffaffe6fdfff8ffc2000b08001000180101\
    1100ffc4001500010100000000000000000000000000000405ffda00080101000000012a113d08ffc4001510010100000000\
    000000000000000000000001ffda0008010100010502888888ffc40014100100000000000000000000000000000020ffda00\
    08010100063f025fffc40014100100000000000000000000000000000020ffda0008010100013f215fff00ffda0008010100\
    000010ff00ffc40014100100000000000000000000000000000020ffda0008010100013f105fff00ffd9";

fn progressive_jpeg() -> Vec<u8> {
    let digits = PROGRESSIVE.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    digits.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

/// A part of a WebP, or all of it.
fn chunk(name: &str, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap();
    [name.as_bytes(), &length.to_le_bytes(), content].concat()
}

/// The head of a lossy frame of 16,383 by 16,383, and eight bytes that say nothing: 38 in all.
fn huge_webp() -> Vec<u8> {
    let frame = [0x10, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0];
    chunk("RIFF", &[b"WEBP".as_slice(), &chunk("VP8 ", &frame)].concat())
}

/// The same frame behind a header that says one by one.
fn hidden_huge_webp() -> Vec<u8> {
    let parts = [b"WEBP".to_vec(), chunk("VP8X", &[0; 10]), huge_webp().split_off(12)];
    chunk("RIFF", &parts.concat())
}

/// 38 bytes, all of a picture in one colour of any size: each of its five codes has one word, of no bits.
fn plain_webp(side: u32) -> Vec<u8> {
    let head = (side - 1) | ((side - 1) << 14);
    let codes: u64 = (0..5).map(|number| 1 << (3 + 4 * number)).sum();
    let frame = [&[0x2f], head.to_le_bytes().as_slice(), &codes.to_le_bytes(), &[0; 5]].concat();
    chunk("RIFF", &[b"WEBP".as_slice(), &chunk("VP8L", &frame)].concat())
}

#[both_engines]
async fn what_announces_too_many_pixels_is_told_so_and_not_drawn(test: TestServer) {
    let ann = test.person("ann").await;
    assert_eq!((huge_webp().len(), plain_webp(9_400).len()), (38, 38));
    for (name, content, side) in
        [("a.webp", huge_webp(), 16_383), ("b.webp", hidden_huge_webp(), 16_383), ("c.webp", plain_webp(9_400), 9_400)]
    {
        let file = test.upload(&ann, name, &content).await;
        assert_eq!((&file["mime_type"], &file["is_image"]), (&json!("image/webp"), &json!(true)));
        // Asked for again it is not even read.
        for _ in 0..2 {
            let answer = test.fetch(&ann, file["hash"].as_str().unwrap(), "/thumbnail").await;
            let told = problem(answer, 404, "picture_too_large").await;
            assert_eq!((&told["width"], &told["height"]), (&json!(side), &json!(side)), "{name}");
            assert_eq!(told["limit_pixels"], limits::PICTURE_PIXELS_MAX);
            std::fs::remove_file(blob(&test.hub, &ContentHash::of(&content))).ok();
        }
    }
    test.stop().await;
}

#[both_engines]
async fn pictures_of_every_kind_are_drawn_or_told_apart(test: TestServer) {
    let ann = test.person("ann").await;
    let file = test.upload(&ann, "waves.jpg", &progressive_jpeg()).await;
    let small = test.fetch(&ann, file["hash"].as_str().unwrap(), "/thumbnail").await;
    assert_eq!(small.status(), 200);
    let picture = image::load_from_memory(&small.bytes().await.unwrap()).unwrap();
    assert_eq!((picture.width(), picture.height()), (24, 16));
    let file = test.upload(&ann, "plain.webp", &plain_webp(1_024)).await;
    let small = test.fetch(&ann, file["hash"].as_str().unwrap(), "/thumbnail").await;
    let picture = image::load_from_memory(&small.bytes().await.unwrap()).unwrap();
    assert_eq!((picture.width(), picture.height()), (512, 512));
    // There is no decoder for this one, and none is tried.
    let avif = [b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf".as_slice(), &[0; 64]].concat();
    let file = test.upload(&ann, "new.avif", &avif).await;
    assert_eq!(file["mime_type"], "image/avif");
    problem(test.fetch(&ann, file["hash"].as_str().unwrap(), "/thumbnail").await, 404, "no_thumbnail").await;
    test.stop().await;
}

#[both_engines]
async fn a_small_picture_is_drawn_once_and_goes_with_its_file(test: TestServer) {
    let ann = test.person("ann").await;
    let content = png(900, 600, 3);
    let file = test.upload(&ann, "large.png", &content).await;
    let hash = file["hash"].as_str().unwrap();
    let first = test.fetch(&ann, hash, "/thumbnail").await;
    assert_eq!(first.status(), 200);
    let first = first.bytes().await.unwrap();
    // Nobody reads the file again.
    std::fs::remove_file(blob(&test.hub, &ContentHash::of(&content))).unwrap();
    let again = test.fetch(&ann, hash, "/thumbnail").await;
    assert_eq!((again.status().as_u16(), again.headers()["content-type"].to_str().unwrap()), (200, "image/jpeg"));
    assert_eq!(again.bytes().await.unwrap(), first);
    // Whoever may not see the file does not see this either.
    let bob = test.person("bob").await;
    assert_eq!(test.fetch(&bob, hash, "/thumbnail").await.status(), 404);
    let kept = || files_in(&test.hub.config().data.join("thumbnails"));
    assert_eq!(kept().len(), 1);
    test.clock.advance(limits::ATTACHMENT_UNUSED + Duration::from_secs(1));
    assert_eq!(test.hub.attachments().gc(&svc_core::Caller::root()).await.unwrap().removed, 1);
    assert!(kept().is_empty());
    test.stop().await;
}
