//! Any bytes are an OpenAPI document whose tools can all be declared, or are refused.

#![no_main]

#[path = "../bodies/offers.rs"]
mod offers;
#[path = "../bodies/parsing.rs"]
mod parsing;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(offer) = isobox_connect::fuzzing::openapi(data) {
        offers::check(&offer, parsing::parses);
    }
});
