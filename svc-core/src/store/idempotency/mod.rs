//! Idempotency keys: a repeated request gets the first response and changes nothing more.
//!
//! Invariants: the key is stored in the transaction of the change, so a crash leaves both or neither; two
//! concurrent requests with one key have one effect; a key belongs to its caller.

mod store;
pub(crate) mod sweep;

use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

pub(crate) use store::LISTED;

use crate::error::{Error, Result};
use crate::limits;
use crate::store::db::StoreFailure as _;
use crate::store::db::job::{Output, unpack};
use crate::store::db::{Db, DbError, Running, Tx, Unit, Work};

/// An idempotency key within the scope of its caller and operation, with the fingerprint of its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    scope: String,
    key: String,
    fingerprint: Vec<u8>,
}

impl IdempotencyKey {
    /// `scope` identifies the caller and the operation, `key` comes from the client, and `request` is all
    /// input that the response depends on besides the caller.
    pub fn new(scope: impl Into<String>, key: &str, request: &impl Serialize) -> Result<Self> {
        Self::check(key)?;
        Ok(Self { scope: scope.into(), key: key.to_owned(), fingerprint: fingerprint(request)? })
    }

    /// Checks the form of a client's key.
    pub(crate) fn check(key: &str) -> Result<()> {
        let is_valid =
            (1..=limits::IDEMPOTENCY_KEY_MAX).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        if is_valid {
            return Ok(());
        }
        Err(Error::invalid(
            "Idempotency-Key",
            format!("must be 1 to {} visible ASCII characters", limits::IDEMPOTENCY_KEY_MAX),
        ))
    }

    /// A unique text of this key, to which its stored response is bound.
    pub(crate) fn context(&self) -> String {
        format!("{} {}", self.scope, self.key)
    }
}

/// A result, and whether it was replayed from an earlier request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Once<T> {
    /// The result.
    pub value: T,
    /// Whether it is the stored result of an earlier request.
    pub replayed: bool,
}

impl<T> Once<T> {
    /// The result.
    pub fn into_value(self) -> T {
        self.value
    }
}

fn fingerprint(request: &impl Serialize) -> Result<Vec<u8>> {
    let canonical = serde_json::to_vec(request)
        .map_err(|error| Error::internal(format!("an input cannot be fingerprinted: {error}")))?;
    Ok(Sha256::digest(&canonical).to_vec())
}

/// A type-erased unit of work whose result is stored as JSON.
trait StoredJob: Send + Sync {
    fn run<'t>(&'t self, tx: &'t mut Tx) -> Work<'t, (Output, String)>;
}

struct Packed<I, T, F> {
    input: I,
    work: F,
    output: PhantomData<fn() -> T>,
}

impl<I, T, F> StoredJob for Packed<I, T, F>
where
    I: Send + Sync + 'static,
    T: Serialize + Send + 'static,
    F: Unit<I, T>,
{
    fn run<'t>(&'t self, tx: &'t mut Tx) -> Work<'t, (Output, String)> {
        Box::pin(keep((self.work)(tx, &self.input)))
    }
}

async fn keep<T: Serialize + Send + 'static>(work: Work<'_, T>) -> Result<(Output, String)> {
    let value = work.await?;
    let answer = serde_json::to_string(&value)
        .map_err(|error| Error::internal(format!("a result cannot be stored: {error}")))?;
    Ok((Box::new(value), answer))
}

struct Request {
    key: IdempotencyKey,
    job: Box<dyn StoredJob>,
}

/// The response to a request with a key.
enum Answer {
    /// This request did the work.
    New(Output),
    /// The JSON that an earlier request stored.
    Replayed(String),
}

impl Answer {
    fn read<T: DeserializeOwned + 'static>(self) -> Result<Once<T>> {
        match self {
            Self::New(output) => Ok(Once { value: unpack(output)?, replayed: false }),
            Self::Replayed(answer) => {
                let value = serde_json::from_str(&answer)
                    .map_err(|error| Error::internal(format!("a stored response cannot be read: {error}")))?;
                Ok(Once { value, replayed: true })
            }
        }
    }
}

impl Db {
    /// Like [`Db::write`], but requests with the same key and content have one effect within 24 hours. A
    /// request with the same key and another content fails with `idempotency_conflict`. An error is not
    /// stored.
    pub async fn write_once<I, T, F>(&self, key: Option<IdempotencyKey>, input: I, work: F) -> Result<Once<T>>
    where
        I: Send + Sync + 'static,
        T: Serialize + DeserializeOwned + Send + 'static,
        F: Unit<I, T>,
    {
        let Some(key) = key else {
            return Ok(Once { value: self.write(input, work).await?, replayed: false });
        };
        self.answer_once(key, Box::new(Packed { input, work, output: PhantomData })).await?.read()
    }

    fn answer_once(&self, key: IdempotencyKey, job: Box<dyn StoredJob>) -> Running<'_, Answer> {
        self.write(Request { key, job }, |tx, request| Box::pin(answer(tx, request)))
    }
}

async fn answer(tx: &mut Tx, Request { key, job }: &Request) -> Result<Answer> {
    if let Some(first) = store::find(tx, key).await? {
        return replay(first, &key.fingerprint);
    }
    let (output, answer) = match job.run(tx).await {
        Ok(done) => done,
        Err(error) => return Err(unless_answered(tx, key, error).await),
    };
    store::insert(tx, key, &answer).await.map_err(try_again)?;
    Ok(Answer::New(output))
}

/// An error may be caused by the same request that came first (its name is taken: by itself). Then a retry
/// finds the stored response.
async fn unless_answered(tx: &mut Tx, key: &IdempotencyKey, refusal: Error) -> Error {
    if tx.has_failed() {
        return refusal;
    }
    match store::find(tx, key).await {
        Ok(None) => refusal,
        Ok(Some(_)) => DbError::Serialization("the same request came first".into()).into(),
        Err(error) => error,
    }
}

fn replay(first: store::FirstAnswer, fingerprint: &[u8]) -> Result<Answer> {
    if first.fingerprint != fingerprint {
        return Err(Error::conflict(
            "idempotency_conflict",
            "This Idempotency-Key was used before with another request. Use a new key for a new request.",
        ));
    }
    Ok(Answer::Replayed(first.answer))
}

/// Another request with this key was committed concurrently; a retry finds its response.
fn try_again(error: Error) -> Error {
    if error.violates("idempotency_keys_pkey") {
        DbError::Serialization("another request with this key came first".into()).into()
    } else {
        error
    }
}
