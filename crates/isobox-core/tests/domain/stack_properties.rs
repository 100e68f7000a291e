//! Properties of any text from which details of the host are removed.

use isobox_core::{without_host_traces, without_stacks};
use proptest::prelude::*;

fn names() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9_]{2,10}"
}

proptest! {
    #[test]
    fn cleaning_takes_any_text_and_is_done_after_once(text in "(?s).{0,200}") {
        let clean = without_host_traces(&text);
        prop_assert_eq!(without_host_traces(&clean), clean);
        let clean = without_stacks(&text);
        prop_assert_eq!(without_stacks(&clean), clean);
    }

    #[test]
    fn no_folder_of_a_path_survives_wherever_it_stands(
        before in "[ a-z=:(\\[\"'`,]{0,6}", folders in prop::collection::vec(names(), 1..5), name in names(),
        windows: bool,
    ) {
        // A letter or a digit before the path would be part of a relative one.
        let before = format!("{before} ");
        let path = if windows {
            format!("C:\\{}\\{name}.txt", folders.join("\\"))
        } else {
            format!("/{}/{name}.txt", folders.join("/"))
        };
        let clean = without_host_traces(&format!("{before}{path}: no"));
        prop_assert!(clean.ends_with(&format!("…/{name}.txt: no")), "{}", clean);
        prop_assert_eq!(clean.matches(['/', '\\']).count(), 1, "{}", clean);
    }
}
