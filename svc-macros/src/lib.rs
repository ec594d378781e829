//! Attribute macros of `svc-core`.

mod boxed;

use proc_macro::TokenStream;

/// Boxes the futures of the public async methods of an `impl` block.
///
/// The body of an `async fn` is compiled in the crate that awaits it, so each method of the Hub would be
/// compiled again in every crate and every test binary that calls it. A boxed future is compiled once, in the
/// crate of the method. Methods with type parameters are left alone, because only their caller knows the
/// types.
///
/// The documentation shows the methods as they are written.
#[proc_macro_attribute]
pub fn boxed_futures(arguments: TokenStream, block: TokenStream) -> TokenStream {
    boxed::expand(arguments.into(), block.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}
