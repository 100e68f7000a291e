//! Methods that set the fields of options, which other crates cannot write as literals: `Limits::default().calls(10)`.

/// Writes a method for each field, with what it takes; a field that is an option takes what is in it.
macro_rules! setters {
    ($($field:ident: $takes:ty),* $(,)?) => {
        $(
            #[doc = concat!("Sets `", stringify!($field), "`.")]
            #[must_use]
            pub fn $field(mut self, $field: $takes) -> Self {
                self.$field = $field.into();
                self
            }
        )*
    };
}
