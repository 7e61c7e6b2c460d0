//! `#[boxed]` before an `async fn`: its future is built and compiled in the crate of the function.
//!
//! The future of a plain `async fn` is compiled again in each crate that awaits it, with everything
//! inside. A boxed one is a pointer and a vtable, so callers of the functions through which all
//! statements and requests pass compile no more than a call. The price is one allocation a call.

use proc_macro::TokenStream;
use proc_macro2::Span;
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, GenericParam, Ident, Lifetime, Pat, ReturnType, Signature, parse_quote};

/// Turns `async fn f(…) -> T` into `fn f(…) -> Pin<Box<dyn Future<Output = T> + Send>>`, for functions
/// and methods. What the arguments borrow is borrowed until the future ends, as by an `async fn`.
#[proc_macro_attribute]
pub fn boxed(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut function = syn::parse_macro_input!(item as syn::ImplItemFn);
    if let Err(error) = change(&mut function.sig) {
        return error.into_compile_error().into();
    }
    let kept = whole(&function.sig);
    let block = &function.block;
    let body = quote!({ ::std::boxed::Box::pin(async move { #(let _ = ::std::convert::identity(&#kept);)* #block }) });
    match syn::parse2(body) {
        Ok(block) => function.block = block,
        Err(error) => return error.into_compile_error().into(),
    }
    // Lifetimes that the output elides from `self` stay elided, as written in the source.
    quote!(#[allow(mismatched_lifetime_syntaxes, clippy::type_complexity)] #function).into()
}

fn change(signature: &mut Signature) -> syn::Result<()> {
    let Some(asyncness) = signature.asyncness.take() else {
        let message = "#[boxed] is for an async fn";
        return Err(syn::Error::new_spanned(signature.fn_token, message));
    };
    let span = asyncness.span;
    let mut elided = Elided::default();
    for input in &mut signature.inputs {
        elided.visit_fn_arg_mut(input);
    }
    for lifetime in &elided.named {
        signature.generics.params.push(parse_quote!(#lifetime));
    }
    let outlive = Lifetime::new("'boxed", Span::call_site());
    let borrowed: Vec<GenericParam> = signature.generics.params.iter().cloned().collect();
    signature.generics.params.push(parse_quote!(#outlive));
    let of_self = names_self(signature);
    let bounds = signature.generics.make_where_clause();
    for parameter in borrowed {
        bounds.predicates.push(match parameter {
            GenericParam::Lifetime(named) => {
                let lifetime = named.lifetime;
                parse_quote!(#lifetime: #outlive)
            }
            GenericParam::Type(named) => {
                let name = named.ident;
                parse_quote!(#name: #outlive)
            }
            GenericParam::Const(_) => continue,
        });
    }
    for lifetime in elided.seen {
        bounds.predicates.push(parse_quote!(#lifetime: #outlive));
    }
    if of_self {
        bounds.predicates.push(parse_quote!(Self: #outlive));
    }
    let output = match &signature.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, kind) => quote!(#kind),
    };
    signature.output = syn::parse_quote_spanned! {span=>
        -> ::std::pin::Pin<::std::boxed::Box<
            dyn ::std::future::Future<Output = #output> + ::std::marker::Send + #outlive>>
    };
    Ok(())
}

/// Whether `Self` is mentioned in an argument or in the output.
fn names_self(signature: &Signature) -> bool {
    let has_receiver = signature
        .inputs
        .iter()
        .any(|input| matches!(input, FnArg::Receiver(_)));
    let output = signature.output.to_token_stream().to_string();
    has_receiver
        || output
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == "Self")
}

/// The owned arguments. An `async move` block captures only the fields it uses, and the rest of an
/// argument would be dropped before the future begins; an `async fn` keeps all of it to the end.
fn whole(signature: &Signature) -> Vec<Ident> {
    let mut names = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(receiver) => names.push(Ident::new("self", receiver.self_token.span)),
            FnArg::Typed(argument) => {
                if let Pat::Ident(name) = &*argument.pat {
                    names.push(name.ident.clone());
                }
            }
        }
    }
    names
}

/// Names the lifetimes that the arguments leave out.
#[derive(Default)]
struct Elided {
    named: Vec<Lifetime>,
    /// The named lifetimes, those of the surrounding block included.
    seen: Vec<Lifetime>,
}

impl Elided {
    fn name(&mut self) -> Lifetime {
        let name = format!("'argument{}", self.named.len());
        let lifetime = Lifetime::new(&name, Span::call_site());
        self.named.push(lifetime.clone());
        lifetime
    }
}

impl VisitMut for Elided {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.name());
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_receiver_mut(&mut self, receiver: &mut syn::Receiver) {
        if let syn::ReceiverKind::Reference(_, lifetime, _) = &mut receiver.kind
            && lifetime.is_none()
        {
            *lifetime = Some(self.name());
        }
        visit_mut::visit_receiver_mut(self, receiver);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.name();
        } else if lifetime.ident != "static" {
            self.seen.push(lifetime.clone());
        }
    }

    // Elided lifetimes inside a function pointer type or a `Fn` bound belong to that type.
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
    fn visit_parenthesized_generic_arguments_mut(
        &mut self,
        _: &mut syn::ParenthesizedGenericArguments,
    ) {
    }
}
