//! Declares enums whose variants are names on the wire, with each name written once.

/// Declares such an enum. Serde, SQL and `Display` use the names.
macro_rules! closed_set {
    (
        $(#[$meta:meta])*
        pub enum $set:ident {
            $($(#[$doc:meta])* $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $set {
            $($(#[$doc])* $variant,)+
        }

        impl $set {
            /// All variants.
            pub const ALL: &[$set] = &[$($set::$variant),+];

            const NAMES: &[&str] = &[$($name),+];

            /// The name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($set::$variant => $name,)+
                }
            }

            /// The variant of this name.
            #[must_use]
            pub fn named(name: &str) -> Option<$set> {
                match name {
                    $($name => Some($set::$variant),)+
                    _ => None,
                }
            }

            /// The variant of this name, ignoring case.
            #[must_use]
            pub fn named_in_any_case(name: &str) -> Option<$set> {
                let mut all = $set::ALL.iter().copied();
                all.find(|one| one.name().eq_ignore_ascii_case(name))
            }

            /// The name as an SQL string literal.
            #[must_use]
            pub const fn sql(self) -> &'static str {
                match self {
                    $($set::$variant => concat!("'", $name, "'"),)+
                }
            }
        }

        impl std::fmt::Display for $set {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl From<$set> for serde_json::Value {
            fn from(one: $set) -> serde_json::Value {
                one.name().into()
            }
        }

        impl serde::Serialize for $set {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $set {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$set, D::Error> {
                let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
                $set::named(&name).ok_or_else(|| {
                    serde::de::Error::unknown_variant(&name, $set::NAMES)
                })
            }
        }

        impl $crate::ClosedSet for $set {
            fn named(name: &str) -> Option<$set> {
                $set::named(name)
            }

            fn name(self) -> &'static str {
                $set::name(self)
            }
        }
    };
}

pub(crate) use closed_set;
