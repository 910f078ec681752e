//! The *cost* of a reply as one of its lines tells it: the model, and the usage.

use crate::message::constants::SYNTHETIC_MODEL;

use super::{AssistantForm, Form, forms};

forms! {
    /// The usage that a reply's line tells, with its key and a comma in front. `@` stands for the reply's number, and
    /// `#` for one more than the line's number. `OtherModel` and `NoModel` are [usual](UsageForm::Usual), of another
    /// model or of none.
    UsageForm in "usage" {
        Usual [] r#","usage":{"input_tokens":@,"output_tokens":1,"service_tier":null}"#
        Final ["cache-written" "cache-read"] r#","usage":{"input_tokens":@,"output_tokens":31,"cache_creation_input_tokens":100,"cache_read_input_tokens":2000,"service_tier":"standard"}"#
        Growing ["cache-read"] r#","usage":{"input_tokens":@,"output_tokens":#,"cache_creation_input_tokens":0,"cache_read_input_tokens":5}"#
        OtherModel ["other-model"] r#","usage":{"input_tokens":@,"output_tokens":1,"service_tier":null}"#
        OutputAlone ["in-part"] r#","usage":{"output_tokens":9}"#
        Absent ["absent"] ""
        Null ["null"] r#","usage":null"#
        Nothing ["nothing"] r#","usage":{"output_tokens":0}"#
        Empty ["absent"] r#","usage":{}"#
        OddNumbers ["odd-number"] r#","usage":{"input_tokens":1.5,"output_tokens":-1,"cache_creation_input_tokens":null,"cache_read_input_tokens":9007199254740993}"#
        OtherNotation ["other-notation"] r#","usage":{"input_tokens":2.0,"output_tokens":3e1}"#
        CacheAlone ["in-part" "cache-written"] r#","usage":{"cache_creation_input_tokens":400,"cache_creation":{"ephemeral_5m_input_tokens":400,"ephemeral_1h_input_tokens":0}}"#
        NoModel ["no-model"] r#","usage":{"input_tokens":@,"output_tokens":1,"service_tier":null}"#
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

    /// Whether it tells a number that counts.
    pub(super) fn tells(self) -> bool {
        !matches!(self, Self::Absent | Self::Null | Self::Empty | Self::OddNumbers)
    }

    /// The output that it tells in a line, if it does.
    pub(super) fn output(self, line: usize) -> Option<usize> {
        match self {
            Self::Usual | Self::OtherModel | Self::NoModel => Some(1),
            Self::Final => Some(31),
            Self::Growing => Some(line + 1),
            Self::OutputAlone => Some(9),
            Self::Nothing => Some(0),
            Self::OtherNotation => Some(30),
            Self::Absent | Self::Null | Self::Empty | Self::OddNumbers | Self::CacheAlone => None,
        }
    }
}
