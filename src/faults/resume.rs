//! Faults in *resuming*: a reader that takes the chain, replies, boundaries or withdrawals otherwise.

use std::collections::HashSet;

use serde_json::Value;

use crate::operation::{Conversation, ConversationRecord};
use crate::subject::Outcome;

use super::view::{Seen, View, children, found, seeing, seeing_each, view, without};
use super::walk::{blocks_mut, is, kind, text};
use super::{Fault, Wrong};

/// The faults of `resume` on files as they should be.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "resume/orders-by-time",
        title: "puts records in the order of their times, and so ends at a late one of an old branch",
        source: Some("anthropics/claude-code#33651"),
        rule: "resume/complete",
        wrong: Wrong::Resume(|file| {
            seeing(file, |view| {
                view.sort_by(|a, b| text(&a.value, "timestamp").cmp(text(&b.value, "timestamp")));
            })
        }),
    },
    Fault {
        id: "resume/filters-attachments-first",
        title: "leaves attachments out before it walks over parents",
        source: Some("BytePioneer-AI/codex-host#171"),
        rule: "resume/complete",
        wrong: Wrong::Resume(|file| without(file, |seen| kind(&seen.value) == "attachment")),
    },
    Fault {
        id: "resume/first-of-a-uuid-wins",
        title: "takes the first record of a repeated uuid",
        source: Some("anthropics/claude-code#66947"),
        rule: "resume/complete",
        wrong: Wrong::Resume(|file| {
            let mut known = HashSet::new();
            seeing(file, |view| {
                view.retain(|seen| seen.uuid().is_empty() || known.insert(seen.uuid().to_owned()));
            })
        }),
    },
    Fault {
        id: "resume/brings-back-left-branches",
        title: "takes the order of the file for the conversation, rewound prompts included",
        source: Some("anthropics/claude-code CHANGELOG 2.1.122"),
        rule: "resume/complete",
        wrong: Wrong::Resume(|file| seeing(file, chained_in_order)),
    },
    Fault {
        id: "resume/loses-notices-beside-the-path",
        title: "loses a hook's attachment that hangs on the same record as what came after it",
        source: Some("anthropics/claude-code#38575"),
        rule: "resume/complete",
        wrong: Wrong::Resume(|file| seeing(file, lose_notices_beside)),
    },
    Fault {
        id: "resume/walks-parents-alone",
        title: "finds what a walk over parents meets, of parallel calls one",
        source: Some("anthropics/claude-code#31330"),
        rule: "resume/parallel-results",
        wrong: Wrong::Resume(|file| {
            seeing_each(file, |seen| {
                split_replies(seen);
                hide_results(seen);
            })
        }),
    },
    Fault {
        id: "resume/loses-parallel-results",
        title: "finds all lines of a reply, but only the results that a walk over parents meets",
        source: Some("anthropics/claude-code CHANGELOG 2.1.80"),
        rule: "resume/parallel-results",
        wrong: Wrong::Resume(|file| seeing_each(file, hide_results)),
    },
    Fault {
        id: "resume/groups-replies-by-neighbourhood",
        title: "takes lines of a reply for another one when something stands between them",
        source: Some("anthropics/claude-code#19460"),
        rule: "resume/parallel-results",
        wrong: Wrong::Resume(|file| seeing(file, split_interleaved_replies)),
    },
    Fault {
        id: "resume/appends-parallel-results",
        title: "puts parallel calls and results at the conversation's end",
        source: Some("anthropics/claude-code#37779"),
        rule: "resume/parallel-results",
        wrong: Wrong::Resume(|file| {
            last_what_is_lost(file, |seen| {
                split_replies(seen);
                hide_results(seen);
            })
        }),
    },
    Fault {
        id: "resume/follows-the-notice",
        title: "loses a reply when the next prompt hangs on a notice beside it",
        source: Some("anthropics/claude-code#88597"),
        rule: "resume/no-delivered-reply-lost",
        wrong: Wrong::Resume(|file| seeing_each(file, |seen| seen.set("isApiErrorMessage", true))),
    },
    Fault {
        id: "resume/appends-what-it-puts-back",
        title: "puts a reply that a notice pushed off the chain at the conversation's end",
        source: Some("anthropics/claude-code#83460"),
        rule: "resume/no-delivered-reply-lost",
        wrong: Wrong::Resume(|file| last_what_is_lost(file, |seen| seen.set("isApiErrorMessage", true))),
    },
    Fault {
        id: "resume/ends-at-a-gap",
        title: "takes a parent that was never written for the beginning",
        source: Some("anthropics/claude-code#58554"),
        rule: "resume/bridges-gap",
        wrong: Wrong::Resume(|file| {
            seeing(file, |view| {
                let uuids: HashSet<String> = view.iter().map(|seen| seen.uuid().to_owned()).collect();
                for seen in view.iter_mut().filter(|seen| !uuids.contains(seen.parent())) {
                    seen.set("parentUuid", Value::Null);
                }
            })
        }),
    },
    Fault {
        id: "resume/bridges-in-silence",
        title: "says nothing of what it bridges",
        source: Some("anthropics/claude-code#22526"),
        rule: "resume/bridges-gap",
        wrong: Wrong::Resume(|file| {
            let silent = |found: Conversation| Conversation { notes: Vec::new(), ..found };
            Outcome::Output(found(&view(file)).map(silent))
        }),
    },
    Fault {
        id: "resume/bridges-to-other-sessions",
        title: "bridges a gap to a record of another session",
        source: Some("anthropics/claude-code#26964"),
        rule: "resume/bridges-gap",
        wrong: Wrong::Resume(|file| seeing_each(file, |seen| seen.remove("sessionId"))),
    },
    Fault {
        id: "resume/begins-at-an-odd-parent",
        title: "takes a parent that is no string for the beginning",
        source: None,
        rule: "resume/bridges-gap",
        wrong: Wrong::Resume(|file| {
            seeing_each(file, |seen| {
                if !seen.value["parentUuid"].is_string() {
                    seen.set("parentUuid", Value::Null);
                }
            })
        }),
    },
    Fault {
        id: "resume/filters-progress-first",
        title: "leaves progress out before it walks over parents",
        source: Some("anthropics/claude-code#35024"),
        rule: "resume/old-progress",
        wrong: Wrong::Resume(|file| without(file, |seen| kind(&seen.value) == "progress")),
    },
    Fault {
        id: "resume/brings-back-progress",
        title: "gives progress back as a part of the conversation",
        source: Some("anthropics/claude-code#18905"),
        rule: "resume/old-progress",
        wrong: Wrong::Resume(|file| {
            seeing_each(file, |seen| {
                if kind(&seen.value) == "progress" {
                    seen.set("type", "system");
                }
            })
        }),
    },
    Fault {
        id: "resume/skips-unknown-kinds",
        title: "does not index records whose type it does not know",
        source: Some("datadog-labs/trajectory#78"),
        rule: "resume/old-progress",
        wrong: Wrong::Resume(|file| {
            without(file, |seen| crate::message::Kind::of(kind(&seen.value)).is_none())
        }),
    },
    Fault {
        id: "resume/undoes-the-compaction",
        title: "follows a boundary to what came before it",
        source: Some("anthropics/claude-code#14462"),
        rule: "resume/boundary",
        wrong: Wrong::Resume(|file| {
            seeing_each(file, |seen| {
                if seen.is_boundary() {
                    let before = seen.value["logicalParentUuid"].clone();
                    seen.set("parentUuid", before);
                    seen.set("subtype", "informational");
                }
            })
        }),
    },
    Fault {
        id: "resume/loses-what-is-preserved",
        title: "brings back nothing of what a boundary preserves",
        source: Some("tamaratran/fast-jev-compaction#89"),
        rule: "resume/boundary",
        wrong: Wrong::Resume(|file| seeing_each(file, |seen| seen.remove("compactMetadata"))),
    },
    Fault {
        id: "resume/knows-segments-alone",
        title: "does not know boundaries that name what they preserve one by one",
        source: Some("tamaratran/fast-jev-compaction#89"),
        rule: "resume/boundary",
        wrong: Wrong::Resume(|file| {
            seeing_each(file, |seen| {
                if let Some(metadata) = seen.value["compactMetadata"].as_object_mut() {
                    metadata.remove("preservedMessages");
                }
            })
        }),
    },
    Fault {
        id: "resume/forgets-the-anchor",
        title: "puts what is preserved right behind the boundary, before the summary",
        source: Some("tamaratran/fast-jev-compaction#89"),
        rule: "resume/boundary",
        wrong: Wrong::Resume(|file| seeing_each(file, anchor_at_the_boundary)),
    },
    Fault {
        id: "resume/brings-back-the-withdrawn",
        title: "does not look for withdrawals",
        source: Some("anthropics/claude-code CHANGELOG 2.1.69"),
        rule: "resume/withdrawn",
        wrong: Wrong::Resume(|file| {
            seeing_each(file, |seen| {
                seen.remove("supersedesUuids");
                seen.remove("retractedMessageUuids");
            })
        }),
    },
    Fault {
        id: "resume/knows-superseding-alone",
        title: "does not know messages that a refusal retracts",
        source: None,
        rule: "resume/withdrawn",
        wrong: Wrong::Resume(|file| seeing_each(file, |seen| seen.remove("retractedMessageUuids"))),
    },
    Fault {
        id: "resume/ends-at-the-withdrawn",
        title: "leaves what is withdrawn out before it walks over parents",
        source: Some("anthropics/claude-code CHANGELOG 2.1.101"),
        rule: "resume/withdrawn",
        wrong: Wrong::Resume(|file| {
            let named: HashSet<String> = view(file).iter().flat_map(withdrawn).map(str::to_owned).collect();
            without(file, |seen| named.contains(seen.uuid()))
        }),
    },
    Fault {
        id: "resume/mixes-subagents-in",
        title: "takes what a subagent said for a part of the conversation",
        source: Some("anthropics/claude-code#33651"),
        rule: "resume/sidechain-apart",
        wrong: Wrong::Resume(|file| seeing_each(file, |seen| seen.remove("isSidechain"))),
    },
    Fault {
        id: "resume/mixes-teams-in",
        title: "takes what a team said for a part of the conversation",
        source: None,
        rule: "resume/sidechain-apart",
        wrong: Wrong::Resume(|file| seeing_each(file, |seen| seen.remove("teamName"))),
    },
];

/// Makes each record that links to something hang on the record before it.
fn chained_in_order(view: &mut View) {
    let mut before = None;
    for seen in view.iter_mut().filter(|seen| !seen.uuid().is_empty() && !is(&seen.value, "isSidechain")) {
        if let (Some(before), false) = (before, seen.is_boundary()) {
            seen.set("parentUuid", Value::String(before));
        }
        before = Some(seen.uuid().to_owned());
    }
}

/// Leaves out notices on which nothing hangs, and which do not stand alone on their parent.
fn lose_notices_beside(view: &mut View) {
    let children = children(view);
    let count = |uuid: &str| children.get(uuid).copied().unwrap_or_default();
    view.retain(|seen| {
        let is_notice = matches!(kind(&seen.value), "attachment" | "system" | "hook_result");
        !(is_notice && count(seen.uuid()) == 0 && count(seen.parent()) > 1)
    });
}

/// Makes each line a reply of its own.
fn split_replies(seen: &mut Seen) {
    if let Some(body) = seen.value["message"].as_object_mut() {
        body.remove("id");
    }
}

/// Hides which calls a message answers.
fn hide_results(seen: &mut Seen) {
    for block in blocks_mut(&mut seen.value).into_iter().flatten().filter_map(Value::as_object_mut) {
        block.remove("tool_use_id");
    }
}

/// Makes the lines of a reply behind another record a reply of their own.
fn split_interleaved_replies(view: &mut View) {
    let mut stretch = 0;
    let mut last = String::new();
    for seen in view.iter_mut().filter(|seen| !seen.uuid().is_empty()) {
        let id = match kind(&seen.value) {
            "assistant" => text(&seen.value["message"], "id").to_owned(),
            _ => String::new(),
        };
        stretch += u32::from(id != last);
        if !id.is_empty() {
            seen.value["message"]["id"] = Value::String(format!("{id} {stretch}"));
        }
        last = id;
    }
}

/// The conversation with those records at its end that a reader would lose who takes each record so.
fn last_what_is_lost(file: &[u8], change: impl FnMut(&mut Seen)) -> Outcome<Option<Conversation>> {
    let whole = found(&view(file));
    let Outcome::Output(Some(mut rest)) = seeing_each(file, change) else { return Outcome::Output(whole) };
    let is_lost = |record: &ConversationRecord| !rest.records.contains(record);
    let lost: Vec<_> =
        whole.iter().flat_map(|whole| &whole.records).filter(|record| is_lost(record)).cloned().collect();
    rest.records.extend(lost);
    rest.notes = whole.map(|whole| whole.notes).unwrap_or_default();
    Outcome::Output(Some(rest))
}

/// Makes a boundary the anchor of what it preserves.
fn anchor_at_the_boundary(seen: &mut Seen) {
    let own = seen.value["uuid"].clone();
    let Some(metadata) = seen.value.get_mut("compactMetadata").and_then(Value::as_object_mut) else { return };
    for name in ["preservedMessages", "preservedSegment"] {
        if let Some(preserved) = metadata.get_mut(name).and_then(Value::as_object_mut) {
            preserved.insert("anchorUuid".to_owned(), own.clone());
        }
    }
}

/// The uuids that a record withdraws.
fn withdrawn(seen: &Seen) -> impl Iterator<Item = &str> {
    let lists = ["supersedesUuids", "retractedMessageUuids"].into_iter();
    lists.filter_map(|name| seen.value.get(name)?.as_array()).flatten().filter_map(Value::as_str)
}
