//! Methods that set the fields of non-exhaustive options: `Limits::default().calls(10)`.

/// Defines a setter for each field. The setter of an optional field takes the inner value.
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
