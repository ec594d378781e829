//! The attribute of the integration tests: one story, run on SQLite and on PostgreSQL.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, FnArg, ItemFn, Result, ReturnType};

/// Runs an asynchronous function as two tests, `name::sqlite` and `name::postgres`.
///
/// Its one argument is what the story runs on. The type has `async fn sqlite() -> Self` and
/// `async fn postgres() -> Option<Self>`; where the latter is `None`, PostgreSQL is not there and the test passes.
#[proc_macro_attribute]
pub fn both_engines(arguments: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(&arguments.into(), item.into()).unwrap_or_else(Error::into_compile_error).into()
}

fn expand(arguments: &TokenStream, item: TokenStream) -> Result<TokenStream> {
    if !arguments.is_empty() {
        return Err(Error::new_spanned(arguments, "`#[both_engines]` takes no arguments"));
    }
    let story: ItemFn = syn::parse2(item)?;
    let signature = &story.sig;
    if signature.asyncness.is_none() {
        return Err(Error::new_spanned(signature, "a story on both engines is an `async fn`"));
    }
    if !signature.generics.params.is_empty() || !matches!(signature.output, ReturnType::Default) {
        let words = "a story on both engines has no type parameters and returns nothing";
        return Err(Error::new_spanned(signature, words));
    }
    let mut inputs = signature.inputs.iter();
    let (Some(FnArg::Typed(hub)), None) = (inputs.next(), inputs.next()) else {
        let words = "a story on both engines takes one argument, the hub or the server that it runs on";
        return Err(Error::new_spanned(signature, words));
    };
    let (attributes, name, body, kind) = (&story.attrs, &signature.ident, &story.block, &hub.ty);
    Ok(quote! {
        #(#attributes)*
        mod #name {
            use super::*;

            async fn story(#hub) #body

            #[tokio::test(flavor = "multi_thread")]
            async fn sqlite() {
                story(<#kind>::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn postgres() {
                if let Some(hub) = <#kind>::postgres().await {
                    story(hub).await;
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use syn::{Item, ItemMod};

    use super::*;

    fn expanded(arguments: &str, item: &str) -> Result<TokenStream> {
        expand(&arguments.parse().unwrap(), item.parse().unwrap())
    }

    fn refusal(item: &str) -> String {
        expanded("", item).unwrap_err().to_string()
    }

    #[test]
    fn a_story_becomes_a_module_with_a_test_for_each_engine() {
        let made = expanded("", "async fn greets(test: TestHub) { test.greet().await; }").unwrap();
        let module: ItemMod = syn::parse2(made).unwrap();
        assert_eq!(module.ident, "greets");
        let (_, items) = module.content.unwrap();
        let functions = items.iter().filter_map(|item| if let Item::Fn(found) = item { Some(found) } else { None });
        let names: Vec<_> = functions.map(|function| function.sig.ident.to_string()).collect();
        assert_eq!(names, ["story", "sqlite", "postgres"]);
    }

    #[test]
    fn wrong_use_is_told_in_a_sentence() {
        assert!(refusal("fn greets(test: TestHub) {}").contains("is an `async fn`"));
        for arguments in ["", "one: TestHub, two: TestHub", "self"] {
            let told = refusal(&format!("async fn greets({arguments}) {{}}"));
            assert!(told.contains("takes one argument"), "{told}");
        }
        assert!(refusal("async fn greets(test: TestHub) -> u8 { 1 }").contains("returns nothing"));
        assert!(refusal("async fn greets<T>(test: T) {}").contains("no type parameters"));
        let told = expanded("sqlite", "async fn greets(test: TestHub) {}").unwrap_err().to_string();
        assert!(told.contains("takes no arguments"), "{told}");
    }
}
