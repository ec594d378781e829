//! The attribute macro `boxed_futures`.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Error, FnArg, GenericParam, ImplItem, ImplItemFn, ItemImpl, Lifetime, LifetimeParam, ReceiverKind, Result,
    ReturnType, TypeImplTrait, TypeReference, Visibility, parse_quote,
};

pub(crate) fn expand(arguments: TokenStream, block: TokenStream) -> Result<TokenStream> {
    if !arguments.is_empty() {
        return Err(Error::new_spanned(arguments, "`boxed_futures` takes no arguments"));
    }
    let mut block: ItemImpl = syn::parse2(block)?;
    if let Some((path, _)) = &block.trait_ {
        return Err(Error::new_spanned(
            path,
            "`boxed_futures` is for the methods of a type; a trait has `async_trait`",
        ));
    }
    let items = std::mem::take(&mut block.items);
    let mut found = false;
    for item in items {
        match item {
            ImplItem::Fn(method) if is_boxed(&method) => {
                found = true;
                block.items.push(written(method.clone()));
                block.items.push(ImplItem::Fn(boxed(method)));
            }
            item => block.items.push(item),
        }
    }
    if !found {
        let text = "this block has no public async method without type parameters, so there is nothing to box";
        return Err(Error::new_spanned(&block.self_ty, text));
    }
    Ok(block.into_token_stream())
}

fn is_boxed(method: &ImplItemFn) -> bool {
    let signature = &method.sig;
    let is_typed = signature.generics.params.iter().any(|parameter| !matches!(parameter, GenericParam::Lifetime(_)));
    matches!(method.vis, Visibility::Public(_)) && signature.asyncness.is_some() && !is_typed && !takes_impl(method)
}

/// Whether an argument is an `impl Trait`, which is a type parameter too.
fn takes_impl(method: &ImplItemFn) -> bool {
    struct Finder(bool);
    impl VisitMut for Finder {
        fn visit_type_impl_trait_mut(&mut self, _: &mut TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut finder = Finder(false);
    for argument in &mut method.sig.inputs.clone() {
        finder.visit_fn_arg_mut(argument);
    }
    finder.0
}

/// The method as it is written, for the documentation.
fn written(mut method: ImplItemFn) -> ImplItem {
    method.attrs.push(parse_quote!(#[cfg(doc)]));
    ImplItem::Fn(method)
}

fn boxed(mut method: ImplItemFn) -> ImplItemFn {
    let mut names = Names::default();
    for argument in &mut method.sig.inputs {
        names.visit_fn_arg_mut(argument);
    }
    let output = match &mut method.sig.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, output) => {
            if let Some(of_self) = names.added.first() {
                Elided(of_self).visit_type_mut(output);
            }
            output.as_ref().clone()
        }
    };
    let future = Lifetime::new("'future", Span::call_site());
    let given = method.sig.generics.lifetimes().map(|parameter| parameter.lifetime.clone());
    let all: Vec<_> = given.chain(names.added).collect();
    let generics = &mut method.sig.generics;
    let given: Vec<_> = generics.lifetimes().map(|parameter| parameter.lifetime.clone()).collect();
    for lifetime in all.iter().filter(|lifetime| !given.contains(lifetime)).chain([&future]) {
        generics.params.push(GenericParam::Lifetime(LifetimeParam::new(lifetime.clone())));
    }
    let bounds = generics.make_where_clause();
    for lifetime in &all {
        bounds.predicates.push(parse_quote!(#lifetime: #future));
    }
    method.sig.asyncness = None;
    method.sig.output = parse_quote! {
        -> ::std::pin::Pin<::std::boxed::Box<dyn ::std::future::Future<Output = #output> + ::std::marker::Send + #future>>
    };
    let body = &method.block;
    method.block = parse_quote!({ ::std::boxed::Box::pin(async move #body) });
    method.attrs.push(parse_quote!(#[cfg(not(doc))]));
    method
}

/// Names each elided lifetime of the arguments. The first is that of `self`.
#[derive(Default)]
struct Names {
    added: Vec<Lifetime>,
}

impl Names {
    fn next(&mut self) -> Lifetime {
        let lifetime = Lifetime::new(&format!("'borrowed{}", self.added.len()), Span::call_site());
        self.added.push(lifetime.clone());
        lifetime
    }
}

impl VisitMut for Names {
    fn visit_fn_arg_mut(&mut self, argument: &mut FnArg) {
        match argument {
            FnArg::Receiver(receiver) => match &mut receiver.kind {
                ReceiverKind::Reference(_, lifetime @ None, _) => *lifetime = Some(self.next()),
                ReceiverKind::Typed(_, of) => self.visit_type_mut(of),
                _ => {}
            },
            FnArg::Typed(typed) => self.visit_type_mut(&mut typed.ty),
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.next());
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.next();
        }
    }
}

/// Writes out the lifetime from which a result borrows.
struct Elided<'l>(&'l Lifetime);

impl VisitMut for Elided<'_> {
    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        reference.lifetime.get_or_insert_with(|| self.0.clone());
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.0.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(block: &str) -> String {
        expand(TokenStream::new(), block.parse().unwrap()).unwrap().to_string()
    }

    fn refused(block: &str) -> String {
        expand(TokenStream::new(), block.parse().unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn a_public_method_is_boxed_and_documented_as_written() {
        let text =
            expanded("impl Hub { pub async fn ask(&self, name: &str, page: Page<'_>) -> Result<&str> { todo() } }");
        assert!(text.contains("# [cfg (doc)] pub async fn ask (& self ,"), "{text}");
        assert!(text.contains("# [cfg (not (doc))] pub fn ask"), "{text}");
        // Each borrowed argument outlives the future, and the result borrows from the receiver.
        for lifetime in ["'borrowed0 : 'future", "'borrowed1 : 'future", "'borrowed2 : 'future"] {
            assert!(text.contains(lifetime), "{text}");
        }
        assert!(text.contains("Output = Result < & 'borrowed0 str >"), "{text}");
    }

    #[test]
    fn generic_and_private_methods_are_left_alone() {
        let text = expanded(
            "impl Hub { pub async fn ask(&self) {} pub async fn put<R: Read>(&self, from: R) {} \
             pub async fn open(&self, path: impl Into<PathBuf>) {} async fn own(&self) {} pub fn now(&self) {} }",
        );
        assert_eq!(text.matches("cfg (not (doc))").count(), 1, "{text}");
    }

    #[test]
    fn wrong_uses_are_explained() {
        assert!(refused("impl Clone for Hub { fn clone(&self) -> Self { todo() } }").contains("async_trait"));
        assert!(refused("impl Hub { pub fn now(&self) {} }").contains("nothing to box"));
        let arguments = expand("each".parse().unwrap(), "impl Hub {}".parse().unwrap());
        assert!(arguments.unwrap_err().to_string().contains("no arguments"));
    }
}
