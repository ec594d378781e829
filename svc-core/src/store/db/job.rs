//! Type erasure for units of work, so that everything below [`Db`](super::Db) is compiled once.
//!
//! [`Db::read`](super::Db::read) and its siblings are called with hundreds of closures. Each call packs its
//! closure and input into a [`Job`]; the engines run jobs, retry them and return an [`Output`], and
//! [`Running`] turns that back into the type of the closure. Only this file is compiled for each call.

use std::any::Any;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::tx::Tx;
use crate::error::{Error, Result};

/// The future of a unit of work. It borrows the transaction and the input.
pub type Work<'t, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 't>>;

/// A function that can be run as a unit of work. Closures with this signature implement it.
pub trait Unit<I, T>: for<'t> Fn(&'t mut Tx, &'t I) -> Work<'t, T> + Send + Sync + 'static {}

impl<I, T, F> Unit<I, T> for F where F: for<'t> Fn(&'t mut Tx, &'t I) -> Work<'t, T> + Send + Sync + 'static {}

/// The type-erased result of a unit of work.
pub(crate) type Output = Box<dyn Any + Send>;

/// A type-erased unit of work with its input. It may be run any number of times.
pub(crate) trait Job: Send + Sync {
    fn run<'t>(&'t self, tx: &'t mut Tx) -> Work<'t, Output>;
}

/// Packs a unit of work with its input.
pub(crate) fn pack<I, T, F>(input: I, work: F) -> Box<dyn Job>
where
    I: Send + Sync + 'static,
    T: Send + 'static,
    F: Unit<I, T>,
{
    Box::new(Packed { input, work, output: PhantomData })
}

struct Packed<I, T, F> {
    input: I,
    work: F,
    output: PhantomData<fn() -> T>,
}

impl<I, T, F> Job for Packed<I, T, F>
where
    I: Send + Sync + 'static,
    T: Send + 'static,
    F: Unit<I, T>,
{
    fn run<'t>(&'t self, tx: &'t mut Tx) -> Work<'t, Output> {
        Box::pin(Untyped((self.work)(tx, &self.input)))
    }
}

/// A running unit of work whose result is type-erased.
struct Untyped<'t, T>(Work<'t, T>);

impl<T: Send + 'static> Future for Untyped<'_, T> {
    type Output = Result<Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(context).map(|outcome| outcome.map(|value| Box::new(value) as Output))
    }
}

/// A call of the store: a future that resolves to the result of the unit of work.
#[must_use = "a unit of work is run when this is awaited"]
pub struct Running<'d, T> {
    call: Work<'d, Output>,
    output: PhantomData<fn() -> T>,
}

impl<'d, T> Running<'d, T> {
    pub(super) fn new(call: Work<'d, Output>) -> Self {
        Self { call, output: PhantomData }
    }
}

impl<T: 'static> Future for Running<'_, T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(ready!(self.call.as_mut().poll(context)).and_then(unpack))
    }
}

/// The typed result of a job. Another type than the unit of work has is an error of the hub.
pub(crate) fn unpack<T: 'static>(output: Output) -> Result<T> {
    output.downcast().map(|value| *value).map_err(|_| Error::internal("a unit of work returned another type"))
}
