//! Faults of *libraries* that turn a history of their own into a request. Plain dialogues show them: there is nothing
//! in their histories that one client alone has.

use turnproof_rules::json;
use turnproof_rules::operation::Value;
use turnproof_suite::scenario::Profile;

use super::walk::{blocks, blocks_mut, each_of, is, is_of, kind, text, text_block, turn};
use super::{Fault, Wrong, fault};

/// Begins the entry of a fault that must be detected in plain dialogues.
const fn plain(id: &'static str, rule: &'static str) -> Fault {
    fault(id, rule).in_profile(Profile::Plain)
}

pub(super) const FAULTS: &[Fault] = &[
    plain("normalize_api/says-that-failures-succeeded", "normalize/conserves")
        .that("knows no errors of tools, and sends failed results without `is_error`")
        .seen_in("pydantic/pydantic-ai#4363")
        .by(Wrong::List(|_, turns| {
            each_result(turns, |result| {
                if is(result, "is_error") {
                    result["is_error"] = json!(false);
                }
            });
        })),
    plain("normalize_api/keeps-the-texts-of-results-alone", "normalize/conserves")
        .that("sends the texts of a result, and drops its images")
        .seen_in("BerriAI/litellm#6953")
        .by(Wrong::List(|_, turns| {
            each_result(turns, |result| {
                if let Some(parts) = result.get_mut("content").and_then(Value::as_array_mut) {
                    parts.retain(|part| kind(part) == "text");
                }
            });
        })),
    plain("normalize_api/writes-lists-of-results-as-json", "normalize/conserves")
        .that("writes a result that is a list as JSON text")
        .by(Wrong::List(|_, turns| {
            each_result(turns, |result| {
                let list = result.get("content").filter(|content| content.is_array()).map(Value::to_string);
                list.into_iter().for_each(|json| result["content"] = json.into());
            });
        })),
    plain("normalize_api/sends-calls-without-their-text", "normalize/conserves")
        .that("sends the calls of a reply, and drops the text beside them")
        .by(Wrong::Blocks("assistant", |blocks| {
            if blocks.iter().any(|block| kind(block) == "tool_use") {
                blocks.retain(|block| kind(block) != "text");
            }
        })),
    plain("normalize_api/sends-one-of-two-prompts", "normalize/conserves")
        .that("keeps the first of two prompts in a row, so that roles alternate")
        .by(Wrong::Messages(|messages| {
            let is_prompt = |message: &Value| {
                kind(message) == "user" && !blocks(message).iter().any(|one| kind(one) == "tool_result")
            };
            messages.dedup_by(|next, last| is_prompt(next) && is_prompt(last));
        })),
    plain("normalize_api/knows-images-alone", "normalize/conserves").that("sends images, and drops documents").by(
        Wrong::Blocks("user", |blocks| {
            if blocks.iter().any(|block| kind(block) != "document") {
                blocks.retain(|block| kind(block) != "document");
            }
        }),
    ),
    plain("normalize_api/reads-arguments-as-doubles", "normalize/conserves")
        .that("reads whole numbers in arguments as doubles, and so changes large ones")
        .by(Wrong::List(|_, turns| {
            each_of(turns, "assistant", "tool_use", |call| {
                for argument in
                    call.get_mut("input").and_then(Value::as_object_mut).into_iter().flat_map(|it| it.values_mut())
                {
                    let rounded = argument.as_u64().map(|number| number as f64 as u64);
                    rounded.into_iter().for_each(|number| *argument = json!(number));
                }
            });
        })),
    plain("normalize_api/joins-parallel-results", "pairing/result-follows-use")
        .that("sends one result for all parallel calls, with the texts of all")
        .by(Wrong::Blocks("user", |blocks| {
            let all: Vec<&str> =
                blocks.iter().map(|block| text(block, "content")).filter(|text| !text.is_empty()).collect();
            let all = all.join("\n");
            let mut is_first = true;
            blocks.retain_mut(|block| {
                if kind(block) != "tool_result" {
                    return true;
                }
                if !all.is_empty() {
                    block["content"] = all.as_str().into();
                }
                std::mem::take(&mut is_first)
            });
        })),
    plain("normalize_api/numbers-calls-anew", "pairing/result-follows-use")
        .that("numbers the calls of a request again, and leaves the results their ids")
        .by(Wrong::List(|_, turns| {
            let mut number = 0;
            each_of(turns, "assistant", "tool_use", |call| {
                call["id"] = format!("call_{number}").into();
                number += 1;
            });
        })),
    plain("normalize_api/passes-over-replies-without-text", "pairing/no-orphan-result")
        .that("takes a reply of calls alone for an empty one, and leaves it out")
        .by(Wrong::List(|_, turns| {
            let says = |turn: &Value| blocks(turn).iter().any(|block| kind(block) == "text");
            turns.retain(|turn| !is_of(turn, "assistant") || says(turn));
        })),
    plain("normalize_api/texts-before-results", "pairing/results-first")
        .that("puts what the user says before results")
        .by(Wrong::Blocks("user", |blocks| blocks.sort_by_key(|block| kind(block) == "tool_result"))),
    plain("normalize_api/arguments-as-text", "pairing/input-object")
        .that("sends arguments as JSON text, as other vendors take them")
        .by(Wrong::List(|_, turns| {
            each_of(turns, "assistant", "tool_use", |call| {
                let json = call.get("input").map(Value::to_string);
                json.into_iter().for_each(|json| call["input"] = json.into());
            });
        })),
    plain("normalize_api/an-empty-text-for-no-result", "api/no-empty-text")
        .that("writes an empty text for a result without content")
        .by(Wrong::List(|_, turns| {
            each_result(turns, |result| {
                let content = result.get("content");
                if content.is_none_or(|content| content.as_array().is_some_and(Vec::is_empty)) {
                    result["content"] = json!([{"type": "text", "text": ""}]);
                }
            });
        })),
    plain("normalize_api/an-empty-text-beside-calls", "api/no-empty-text")
        .that("writes an empty text in front of calls that have none")
        .seen_in("vercel/ai#5576")
        .by(Wrong::Blocks("assistant", |blocks| {
            if blocks.first().is_some_and(|first| kind(first) == "tool_use") {
                blocks.insert(0, text_block(""));
            }
        })),
    plain("normalize_api/a-turn-for-each-result", "api/alternation")
        .that("sends each of several results as a turn of its own, and so several turns of the user in a row")
        .seen_in("agentscope-ai/agentscope#1892")
        .by(Wrong::List(|_, turns| {
            let apart = |mut whole: Value| {
                let is_several = blocks(&whole).iter().filter(|block| kind(block) == "tool_result").count() > 1;
                match blocks_mut(&mut whole).filter(|_| is_several).map(std::mem::take) {
                    Some(blocks) => blocks.into_iter().map(|block| turn("user", vec![block])).collect(),
                    None => vec![whole],
                }
            };
            *turns = std::mem::take(turns).into_iter().flat_map(apart).collect();
        })),
    plain("normalize_api/loses-signatures", "thinking/signed")
        .that("keeps the text of thinking, and not its signature")
        .seen_in("WordPress/ai-provider-for-anthropic#30")
        .by(Wrong::List(|_, turns| {
            each_of(turns, "assistant", "thinking", |thought| thought["signature"] = "".into());
        })),
    plain("normalize_api/knows-readable-thinking-alone", "thinking/unmodified")
        .that("sends thinking, and drops redacted thinking")
        .seen_in("BerriAI/litellm#9058")
        .by(Wrong::Blocks("assistant", |blocks| blocks.retain(|block| kind(block) != "redacted_thinking"))),
];

/// Changes each result of a request.
fn each_result(turns: &mut [Value], change: impl FnMut(&mut Value)) {
    each_of(turns, "user", "tool_result", change);
}
