//! The *cost* of a reply as one of its lines states it: the model, and the usage.

use crate::message::constants::SYNTHETIC_MODEL;

use super::{AssistantForm, Form, forms};

forms! {
    /// The usage in a reply's line, with its key and a comma in front. `@` marks the place of the reply's number, and
    /// `#` that of one more than the line's number. `OtherModel` and `NoModel` are [usual](UsageForm::Usual), of
    /// another model or of none. `Beside` and the two after it end the message: their usage is the record's own.
    UsageForm {
        Usual r#","usage":{"input_tokens":@,"output_tokens":1,"service_tier":null}"#
        Final r#","usage":{"input_tokens":@,"output_tokens":31,"cache_creation_input_tokens":100,"cache_read_input_tokens":2000,"service_tier":"standard"}"#
        Growing r#","usage":{"input_tokens":@,"output_tokens":#,"cache_creation_input_tokens":0,"cache_read_input_tokens":5}"#
        OtherModel r#","usage":{"input_tokens":@,"output_tokens":1,"service_tier":null}"#
        OutputAlone r#","usage":{"output_tokens":9}"#
        Absent ""
        Null r#","usage":null"#
        Nothing r#","usage":{"output_tokens":0}"#
        Empty r#","usage":{}"#
        OddNumbers r#","usage":{"input_tokens":1.5,"output_tokens":-1,"cache_creation_input_tokens":null,"cache_read_input_tokens":9007199254740993}"#
        OtherNotation r#","usage":{"input_tokens":2.0,"output_tokens":3e1,"cache_creation":{"ephemeral_5m_input_tokens":400,"ephemeral_1h_input_tokens":0}}"#
        CacheAlone r#","usage":{"cache_creation_input_tokens":400,"cache_creation":{"ephemeral_5m_input_tokens":400,"ephemeral_1h_input_tokens":0}}"#
        NoModel r#","usage":{"input_tokens":@,"output_tokens":1,"service_tier":null}"#
        Beside r#"},"usage":{"input_tokens":@,"output_tokens":#"#
        BesideNone r#","usage":null},"usage":{"input_tokens":@,"output_tokens":12"#
        Twice r#","usage":{"output_tokens":1}},"usage":{"input_tokens":@,"output_tokens":9"#
    }
}

impl UsageForm {
    /// The member `usage` of a line.
    pub(super) fn member(self, reply: u8, line: usize) -> String {
        self.json().replace('@', &reply.to_string()).replace('#', &(line + 1).to_string())
    }

    /// The member `model` of a line, with a comma behind it.
    pub(super) fn model(self, form: AssistantForm) -> String {
        match (form, self) {
            (AssistantForm::Synthetic, _) => format!("\"model\":\"{SYNTHETIC_MODEL}\","),
            (_, Self::NoModel) => String::new(),
            (_, Self::OtherModel) => "\"model\":\"n\",".to_owned(),
            _ => "\"model\":\"m\",".to_owned(),
        }
    }
}
