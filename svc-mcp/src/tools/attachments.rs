//! Attachments: upload, download, garbage collection.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use futures_util::TryStreamExt as _;
use rmcp::model::ContentBlock;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::attachments::Download;
use svc_core::formats::neutral;
use svc_core::participants::ParticipantKind;
use svc_core::trust::{Acquaintance, OwnerRelation, Standing};
use svc_core::{Error, limits};

use crate::answers;
use crate::budget::beginning;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::error::Refusal;
use crate::shown::File;

/// Bytes per token in text that is not natural language.
const BYTES_PER_TOKEN: u64 = 4;
/// Most bytes of a text that are read for one result.
const TEXT_MAX: u64 = 512 * 1024;

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new(
            "upload_attachment",
            Effect::Sets,
            "Upload a file up to 4 MiB; put its hash into attachments. Larger: POST /api/attachments.",
            upload_attachment,
        )
        .answers::<File>()
        .also(&[("content", "text"), ("name", "filename")]),
        Entry::new(
            "download_attachment",
            Effect::Reads,
            "Get a file: text from from_byte on, a picture if it fits, else its path.",
            download_attachment,
        )
        .answers::<Downloaded>(),
        Entry::new(
            "gc_attachments",
            Effect::Removes,
            "Remove your files unused by messages for a day.",
            gc_attachments,
        )
        .answers::<Removed>()
        .for_all(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UploadAttachment {
    /// with extension
    #[schemars(length(max = limits::FILENAME_MAX))]
    filename: String,
    /// or base64
    #[serde(default)]
    #[schemars(length(max = limits::MCP_UPLOAD_MAX))]
    text: Option<String>,
    /// or text
    #[serde(default)]
    #[schemars(length(max = limits::MCP_BODY_MAX))]
    base64: Option<String>,
}

async fn upload_attachment(call: Call, args: UploadAttachment) -> Outcome {
    let content = match (args.text, args.base64) {
        (Some(text), None) => text.into_bytes(),
        (None, Some(encoded)) => decode(&encoded)?,
        _ => return Err(Error::invalid("text", "pass exactly one of text and base64").into()),
    };
    let uploaded = call.hub.attachments().upload(&call.caller, &args.filename, content.as_slice()).await?;
    Answer::of(&File::from(&uploaded))
}

fn decode(encoded: &str) -> Result<Vec<u8>, Refusal> {
    // Whitespace that models and shells insert.
    let dense: String = encoded.chars().filter(|letter| !letter.is_ascii_whitespace()).collect();
    let decoded = STANDARD.decode(&dense).or_else(|_| URL_SAFE_NO_PAD.decode(dense.trim_end_matches('=')));
    decoded.map_err(|_| Error::invalid("base64", "must be base64").into())
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DownloadAttachment {
    /// hash
    #[schemars(length(max = 64))]
    hash: String,
    /// offset
    #[serde(default)]
    from_byte: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Downloaded {
    #[serde(flatten)]
    file: File,
    #[serde(flatten)]
    author: Option<Author>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Number of omitted bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<u64>,
    /// Offset of the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    from_byte: Option<u64>,
    /// Tokens needed for an omitted picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs_tokens: Option<u64>,
    /// Path of the whole file, for clients that can fetch it with the same key.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

/// The author of a file.
#[derive(Serialize, JsonSchema)]
struct Author {
    from: String,
    #[schemars(with = "answers::Kind")]
    from_kind: ParticipantKind,
    #[schemars(with = "answers::Owner")]
    owner: OwnerRelation,
    #[schemars(with = "answers::Trust")]
    trust: Standing,
}

impl Author {
    async fn of(call: &Call, hash: &str) -> Result<Option<Self>, Refusal> {
        let Some(from) = call.hub.attachments().author(&call.caller, hash).await? else { return Ok(None) };
        let mut known = call.hub.trust().acquaintances(&call.caller, [from.clone()]).await?;
        let author = |known: Acquaintance| Self {
            from_kind: known.kind,
            owner: known.owner,
            trust: known.trust,
            from: from.clone(),
        };
        Ok(known.remove(&from).map(author))
    }
}

/// Cost of a picture of this size in bytes when it is encoded as base64, in tokens.
fn picture_tokens(size: u64) -> u64 {
    size.div_ceil(3) * 4 / BYTES_PER_TOKEN
}

async fn download_attachment(call: Call, args: DownloadAttachment) -> Outcome {
    let download = call.hub.attachments().open_file(&call.caller, &args.hash).await?;
    let (size, start) = (download.size(), args.from_byte.unwrap_or(0));
    if start > size {
        return Err(Error::invalid("from_byte", format!("must be at most {size}, the size of the file")).into());
    }
    let file = File::from(&download.attachment);
    let author = Author::of(&call, &args.hash).await?;
    let path = Some(format!("/api/attachments/{}", file.hash));
    let shown = Downloaded { file, author, text: None, omitted: None, from_byte: None, needs_tokens: None, path };
    if download.attachment.is_image && start == 0 {
        return picture(&call, &download, shown).await;
    }
    let is_text = !download.attachment.is_image && download.attachment.mime_type != "application/pdf";
    if !is_text {
        return Answer::of(&Downloaded { omitted: Some(size), ..shown });
    }
    let bytes = read(&download, start..size.min(start + TEXT_MAX)).await?;
    // An offset inside a character moves to the next one.
    let inside = bytes.iter().take_while(|byte| (0x80..0xc0).contains(*byte)).count().min(3);
    let start = start + inside as u64;
    let whole = whole_characters(&bytes[inside..]);
    let text = beginning(whole, (call.max_tokens as usize).saturating_sub(120).max(40));
    let end = start + text.len() as u64;
    let left = if text.is_empty() { 0 } else { size - end };
    Answer::of(&Downloaded {
        text: Some(neutral(text).into_owned()),
        omitted: (left > 0).then_some(left),
        from_byte: (left > 0).then_some(end),
        path: None,
        ..shown
    })
}

/// A picture, if it fits; otherwise its size and path.
async fn picture(call: &Call, download: &Download, shown: Downloaded) -> Outcome {
    let size = download.size();
    let needs = picture_tokens(size);
    if needs > u64::from(call.max_tokens) {
        // A budget above the allowed maximum is of no use.
        let needs_tokens = Some(needs).filter(|needs| *needs <= u64::from(*limits::READ_TOKENS.end()));
        return Answer::of(&Downloaded { omitted: Some(size), needs_tokens, ..shown });
    }
    let bytes = read(download, 0..size).await?;
    let block = ContentBlock::image(STANDARD.encode(bytes), shown.file.mime_type.clone());
    let mut answer = Answer::of(&shown)?;
    answer.blocks.push(block);
    Ok(answer)
}

/// The longest prefix that is valid text.
fn whole_characters(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

async fn read(download: &Download, range: std::ops::Range<u64>) -> Result<Vec<u8>, Refusal> {
    let mut stream = download.read(range).await?;
    let mut bytes = Vec::new();
    while let Some(piece) = stream.try_next().await? {
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// Attachments that were removed.
#[derive(Serialize, JsonSchema)]
struct Removed {
    removed: u64,
    bytes: u64,
}

async fn gc_attachments(call: Call, _: Nothing) -> Outcome {
    let collected = call.hub.attachments().gc(&call.caller).await?;
    Answer::of(&Removed { removed: collected.removed, bytes: collected.bytes })
}
