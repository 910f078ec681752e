//! How the macro [`conformance!`](crate::conformance) *expands*: it reads the subject token by token up to its
//! operations or settings. Each operation becomes a module, each of its families a module in it, and each rule a test.

/// Judges a subject by every rule, one `#[test]` a rule: `normalize_api::pairing::results_first`.
///
/// The first argument is an expression that gives a [`Subject`](crate::subject::Subject). Write it at the top level of
/// a file or module, such as `tests/conformance.rs`. After a colon come the operations that the subject does, then the
/// settings. All of them are optional:
///
/// ```text
/// turnproof::conformance!(Mine);
/// turnproof::conformance!(Mine::new(3): parse, normalize_api);
/// turnproof::conformance!(Mine: parse, normalize_api, rules = ["wire/*", "pairing/*", "api/first-user"]);
/// turnproof::conformance!(Mine, cases = 2_000, seed = 7, regressions = "tests/regressions");
/// ```
///
/// | setting | meaning | default |
/// |---|---|---|
/// | `cases` | how many cases are played for each operation; the variable `TURNPROOF_CASES` overrides it | 1,000 |
/// | `seed` | the seed of the cases; the variable `TURNPROOF_SEED` overrides it | 1 |
/// | `rules` | the claimed rules, a literal or a list: `"family/*"`, `"family/rule"`, `"*"` | `"*"` |
/// | `regressions` | a folder in the package for cases that break a rule, which are replayed first | none |
///
/// `cargo test pairing` runs one family. A test never passes when there is nothing to judge:
///
/// * A **panic** of the subject is a violation, and is not printed.
/// * An operation that the subject **does not do** fails the tests of its rules. `operations_are_as_declared` fails
///   when the list and the subject differ.
/// * A rule that **no case puts to the test** fails. A stored case that holds counts.
/// * A rule that is **not claimed** has no test, so a pipeline can adopt the rules family by family.
///
/// `settings_are_understood` fails on globs that name no rule, variables that are no number, and stored cases that
/// cannot be read.
///
/// The cases of an operation are played once for all its rules, on all cores. Under `cargo nextest` each test is a
/// process, which plays them for its own rule. In debug builds, `opt-level = 1` in `[profile.dev.package.turnproof]`
/// and `3` in `[profile.dev.package."*"]` make the tests about three times as fast.
///
/// # Examples
///
/// ```test_harness
/// use turnproof::subject::{Outcome, Subject};
///
/// /// Keeps the first six letters and digits.
/// struct Shortening;
///
/// impl Subject for Shortening {
///     fn name(&self) -> &str {
///         "shortening"
///     }
///
///     fn short_id(&self, uuid: &str) -> Outcome<String> {
///         turnproof::message::id::short_id(uuid)
///             .map_or_else(|error| Outcome::Rejected(error.to_string()), Outcome::Output)
///     }
/// }
///
/// turnproof::conformance!(Shortening: short_id, cases = 100);
/// ```
#[macro_export]
macro_rules! conformance {
    ($($input:tt)+) => {
        $crate::__conformance! { subject [] $($input)+ }
    };
}

/// The steps of [`conformance!`](crate::conformance), by their first word. `subject`, `operations` and `settings` read
/// the input, `literal` refuses rules that are no literals, `claimed` makes a macro that keeps the tests of claimed
/// rules, and `expand` writes all.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance {
    (subject $subject:tt $(,)?) => {
        $crate::__conformance! { operations $subject [] }
    };
    (subject $subject:tt , $setting:ident = $($rest:tt)+) => {
        $crate::__conformance! { operations $subject [] $setting = $($rest)+ }
    };
    (subject $subject:tt : $($rest:tt)+) => {
        $crate::__conformance! { operations $subject [] $($rest)+ }
    };
    (subject [$($subject:tt)*] $token:tt $($rest:tt)*) => {
        $crate::__conformance! { subject [$($subject)* $token] $($rest)* }
    };

    (operations $subject:tt $operations:tt $setting:ident = $($rest:tt)+) => {
        $crate::__conformance! { settings $subject $operations [] ["*"] $setting = $($rest)+ }
    };
    (operations $subject:tt [$($operations:ident)*] $operation:ident $(, $($rest:tt)*)?) => {
        $crate::__conformance! { operations $subject [$($operations)* $operation] $($($rest)*)? }
    };
    (operations $subject:tt $operations:tt) => {
        $crate::__conformance! { settings $subject $operations [] ["*"] }
    };

    (settings $subject:tt $operations:tt $calls:tt $old:tt rules = [$($rules:tt),+ $(,)?] $(, $($rest:tt)*)?) => {
        $crate::__conformance! { settings $subject $operations $calls [$($rules)+] $($($rest)*)? }
    };
    (settings $subject:tt $operations:tt $calls:tt $old:tt rules = $rules:tt $(, $($rest:tt)*)?) => {
        $crate::__conformance! { settings $subject $operations $calls [$rules] $($($rest)*)? }
    };
    (settings $subject:tt $operations:tt [$($calls:tt)*] $rules:tt
     $setting:ident = $value:expr $(, $($rest:tt)*)?) => {
        $crate::__conformance! {
            settings $subject $operations [$($calls)* .$setting($value)] $rules $($($rest)*)?
        }
    };
    (settings $subject:tt [] $calls:tt $rules:tt) => {
        $crate::__conformance_operations! { expand $subject $calls $rules }
    };
    (settings $subject:tt $operations:tt $calls:tt $rules:tt) => {
        $crate::__conformance! { expand $subject $operations $calls $rules }
    };

    (literal $rule:literal) => {};
    (literal $rule:tt) => {
        ::core::compile_error!("`rules` takes literals, such as \"pairing/*\" or [\"api/*\", \"pairing/id-form\"]");
    };

    (claimed [$dollar:tt] $($rule:tt)+) => {
        macro_rules! turnproof_claimed {
            $(
                ($rule $dollar _glob:tt $dollar _all:tt $dollar($dollar item:tt)*) => { $dollar($dollar item)* };
                ($dollar _id:tt $rule $dollar _all:tt $dollar($dollar item:tt)*) => { $dollar($dollar item)* };
                ($dollar _id:tt $dollar _glob:tt $rule $dollar($dollar item:tt)*) => { $dollar($dollar item)* };
            )+
            ($dollar($dollar item:tt)*) => {};
        }
    };

    (expand [$($subject:tt)+] [$($operation:ident)+] [$($calls:tt)*] [$($rule:tt)+]) => {
        $($crate::__conformance! { literal $rule })+

        #[cfg(test)]
        static CONFORMANCE: ::std::sync::LazyLock<$crate::suite::conformance::Conformance> =
            ::std::sync::LazyLock::new(|| {
                $crate::suite::conformance::Conformance::new(
                    ::core::stringify!($($subject)+),
                    || ::std::boxed::Box::new($($subject)+),
                    &[$(::core::stringify!($operation)),+],
                    $crate::suite::conformance::Settings::default()
                        .rules(&[$(::core::stringify!($rule)),+])
                        $($calls)*,
                )
            });

        #[cfg(test)]
        #[test]
        fn operations_are_as_declared() -> ::core::result::Result<(), $crate::suite::conformance::Failed> {
            CONFORMANCE.operations_are_as_declared()
        }

        #[cfg(test)]
        #[test]
        fn settings_are_understood() -> ::core::result::Result<(), $crate::suite::conformance::Failed> {
            CONFORMANCE.settings_are_understood()
        }

        $crate::__conformance! { claimed [$] $($rule)+ }

        $($crate::__conformance_rules! { $operation => __conformance_tests })+
    };
}

/// The tests of one operation, a module a family.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_tests {
    ($operation:ident $($family:ident $glob:tt { $($test:ident $id:tt,)* })*) => {
        #[cfg(test)]
        mod $operation {
            $(
                mod $family {
                    $(
                        turnproof_claimed! { $id $glob "*"
                            #[test]
                            fn $test() -> ::core::result::Result<(), $crate::suite::conformance::Failed> {
                                let name = ::core::concat!(
                                    ::core::module_path!(), "::", ::core::stringify!($test)
                                );
                                super::super::CONFORMANCE.rule($id, name)
                            }
                        }
                    )*
                }
            )*
        }
    };
}
