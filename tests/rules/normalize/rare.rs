//! What is *rare* in messages: each case tells a branch of a rule from none.

use serde_json::{Value, json};

use super::build::{attachment, case, text, told, user, ut, verdict};

#[test]
fn an_attachment_tells_whole_numbers_and_no_others() {
    let is_lost = |said: Value, blocks: Vec<Value>| {
        let note = attachment(json!({"type": "date_change", "newDate": said}));
        let request = json!([ut([blocks, vec![text("go")]].concat())]);
        verdict("normalize/conserves", &case(&json!([note, user("go")]), None, &request)).is_broken()
    };
    for whole in [json!(7), json!(-7), json!(u64::MAX)] {
        assert!(!is_lost(whole.clone(), vec![told(&whole.to_string())]), "{whole}");
        assert!(is_lost(whole.clone(), Vec::new()), "{whole}");
    }
    for other in [json!(1.5), json!(true), json!(null), json!(" ")] {
        assert!(!is_lost(other.clone(), Vec::new()), "{other}");
    }
}
