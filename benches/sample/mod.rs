//! A *sample* is a generated transcript, shaped like those of real sessions and the same on every
//! machine: about 3 KB a line, a third of the lines under 600 bytes, one block an assistant line,
//! results with the tool's raw output beside them, and every rule held.
//!
//! [`write`] streams one of any size.

mod text;

use std::io::{self, Write};

use text::{Random, code, prose};

/// Writes a transcript of at least `size` bytes; gives how many lines it has.
pub(crate) fn write(out: &mut dyn Write, size: u64) -> io::Result<u64> {
    let mut session = Session { random: Random(7), parent: None, lines: 0, bytes: 0, out, line: Vec::new() };
    session.title()?;
    while session.bytes < size {
        session.turn()?;
        if session.random.one_in(60) {
            session.compaction()?;
        }
    }
    Ok(session.lines)
}

const SESSION: &str = "5b3f0a52-7d1e-4c1b-9f0a-0d8c6c1e2a77";

/// A session being written.
struct Session<'a> {
    random: Random,
    /// The uuid that the next line of the chain names.
    parent: Option<String>,
    lines: u64,
    bytes: u64,
    out: &'a mut dyn Write,
    line: Vec<u8>,
}

/// What all lines of one reply share.
struct Reply {
    id: String,
    request: String,
}

/// A call, and the line that holds it.
struct Call {
    id: String,
    line: String,
    tool: &'static str,
}

impl Session<'_> {
    /// Writes one line.
    fn line(&mut self, fields: std::fmt::Arguments<'_>) -> io::Result<()> {
        self.line.clear();
        self.line.write_fmt(fields)?;
        self.line.push(b'\n');
        self.lines += 1;
        self.bytes += self.line.len() as u64;
        self.out.write_all(&self.line)
    }

    /// Writes one line with the envelope around `fields`; gives its uuid.
    fn record(&mut self, parent: Option<&str>, fields: &str) -> io::Result<String> {
        let uuid = self.random.uuid();
        let parent = parent.map_or_else(|| "null".to_owned(), |parent| format!("\"{parent}\""));
        let time = self.time();
        self.line(format_args!(
            r#"{{"parentUuid":{parent},"isSidechain":false,"userType":"external","cwd":"/home/ada/work/engine","sessionId":"{SESSION}","version":"2.1.42","gitBranch":"main","slug":"quiet-humming-teapot",{fields},"uuid":"{uuid}","timestamp":"{time}"}}"#
        ))?;
        Ok(uuid)
    }

    /// Writes the next line of the chain.
    fn chained(&mut self, fields: &str) -> io::Result<String> {
        let parent = self.parent.take();
        let uuid = self.record(parent.as_deref(), fields)?;
        self.parent = Some(uuid.clone());
        Ok(uuid)
    }

    fn time(&self) -> String {
        let seconds = self.lines * 2;
        let (day, hour, minute) = (seconds / 86_400 % 28 + 1, seconds / 3600 % 24, seconds / 60 % 60);
        format!("2026-01-{day:02}T{hour:02}:{minute:02}:{:02}.{:03}Z", seconds % 60, self.bytes % 1000)
    }

    fn title(&mut self) -> io::Result<()> {
        self.line(format_args!(r#"{{"type":"ai-title","aiTitle":"Make the engine run","sessionId":"{SESSION}"}}"#))
    }

    /// A prompt and everything up to the end of its answer.
    fn turn(&mut self) -> io::Result<()> {
        self.side_records()?;
        let prompt = prose(&mut self.random, 40, 500);
        let prompt = self.chained(&format!(
            r#""type":"user","message":{{"role":"user","content":"{prompt}"}},"thinkingMetadata":{{"level":"high","disabled":false,"triggers":[]}},"todos":[],"permissionMode":"default""#
        ))?;
        self.snapshot(&prompt)?;
        for _ in 0..self.random.below(3) {
            self.attachment()?;
        }
        for _ in 0..1 + self.random.below(8) {
            self.reply_with_calls()?;
        }
        let reply = self.reply();
        let text = prose(&mut self.random, 200, 2_500);
        self.assistant(&reply, &format!(r#"{{"type":"text","text":"{text}"}}"#), "\"end_turn\"")?;
        self.notices()
    }

    /// A thought or a text, one to three calls, progress, and the results in order.
    fn reply_with_calls(&mut self) -> io::Result<()> {
        let reply = self.reply();
        if self.random.one_in(2) {
            let (thought, signature) = (prose(&mut self.random, 100, 1_200), self.random.letters(300));
            let block = format!(r#"{{"type":"thinking","thinking":"{thought}","signature":"{signature}"}}"#);
            self.assistant(&reply, &block, "null")?;
        } else {
            let text = prose(&mut self.random, 30, 300);
            self.assistant(&reply, &format!(r#"{{"type":"text","text":"{text}"}}"#), "null")?;
        }
        let mut calls = Vec::new();
        for _ in 0..1 + self.random.below(4) / 2 {
            calls.push(self.call(&reply)?);
        }
        for call in calls {
            for _ in 0..self.random.below(3) {
                self.progress(&call)?;
            }
            self.result(&call)?;
        }
        Ok(())
    }

    fn reply(&mut self) -> Reply {
        Reply { id: format!("msg_{}", self.random.letters(24)), request: format!("req_{}", self.random.letters(24)) }
    }

    /// One line of a reply.
    fn assistant(&mut self, reply: &Reply, block: &str, stop_reason: &str) -> io::Result<String> {
        let Reply { id, request } = reply;
        let (read, written, out) = (self.random.below(150_000), self.random.below(9_000), 1 + self.random.below(900));
        self.chained(&format!(
            r#""message":{{"model":"claude-opus-4-5-20251101","id":"{id}","type":"message","role":"assistant","content":[{block}],"stop_reason":{stop_reason},"stop_sequence":null,"usage":{{"input_tokens":3,"cache_creation_input_tokens":{written},"cache_read_input_tokens":{read},"cache_creation":{{"ephemeral_5m_input_tokens":{written},"ephemeral_1h_input_tokens":0}},"output_tokens":{out},"service_tier":"standard","inference_geo":"not_available"}}}},"requestId":"{request}","type":"assistant""#
        ))
    }

    /// One call, on a line of its own.
    fn call(&mut self, reply: &Reply) -> io::Result<Call> {
        let id = format!("toolu_{}", self.random.letters(24));
        let (tool, input) = match self.random.below(10) {
            0..4 => ("Read", r#"{"file_path":"/home/ada/work/engine/src/valve.rs","limit":400}"#.to_owned()),
            4..7 => {
                let (old, new) = (code(&mut self.random, 80, 900), code(&mut self.random, 80, 1_200));
                let path = "/home/ada/work/engine/src/piston.rs";
                let input = format!(r#"{{"file_path":"{path}","old_string":"{old}","new_string":"{new}"}}"#);
                ("Edit", input)
            }
            _ => {
                let description = prose(&mut self.random, 10, 60);
                let input = format!(
                    r#"{{"command":"cargo test --workspace 2>&1 | grep -c \"ok\"","description":"{description}"}}"#
                );
                ("Bash", input)
            }
        };
        let block = format!(r#"{{"type":"tool_use","id":"{id}","name":"{tool}","input":{input}}}"#);
        let line = self.assistant(reply, &block, "null")?;
        Ok(Call { id, line, tool })
    }

    /// A hook that runs, beside the chain.
    fn progress(&mut self, call: &Call) -> io::Result<()> {
        let Call { id, line: _, tool } = call;
        let fields = format!(
            r#""type":"progress","data":{{"type":"hook_progress","hookEvent":"PreToolUse","hookName":"PreToolUse:{tool}","command":"check"}},"toolUseID":"{id}","parentToolUseID":"{id}""#
        );
        self.record(Some(&call.line), &fields).map(drop)
    }

    /// A result: once as the model sees it, once as the tool gave it.
    fn result(&mut self, call: &Call) -> io::Result<()> {
        let Call { id, line, tool } = call;
        let seen = code(&mut self.random, 100, 23_000);
        let raw = match *tool {
            "Read" => format!(
                r#"{{"type":"text","file":{{"filePath":"/home/ada/work/engine/src/valve.rs","content":"{seen}","numLines":120,"startLine":1,"totalLines":120}}}}"#
            ),
            "Edit" => {
                let original = code(&mut self.random, 500, 17_000);
                format!(
                    r#"{{"filePath":"/home/ada/work/engine/src/piston.rs","oldString":"a","newString":"b","originalFile":"{original}","structuredPatch":[{{"oldStart":12,"oldLines":7,"newStart":12,"newLines":8,"lines":["-a","+b"," }}"]}}],"userModified":false,"replaceAll":false}}"#
                )
            }
            _ => format!(r#"{{"stdout":"{seen}","stderr":"","interrupted":false,"isImage":false}}"#),
        };
        self.parent = Some(line.clone());
        self.chained(&format!(
            r#""type":"user","message":{{"role":"user","content":[{{"tool_use_id":"{id}","type":"tool_result","content":"{seen}","is_error":false}}]}},"toolUseResult":{raw},"sourceToolAssistantUUID":"{line}""#
        ))
        .map(drop)
    }

    fn attachment(&mut self) -> io::Result<()> {
        let content = prose(&mut self.random, 300, 1_500);
        self.chained(&format!(
            r#""type":"attachment","attachment":{{"type":"nested_memory","path":"/home/ada/work/engine/NOTES.md","content":"{content}"}}"#
        ))
        .map(drop)
    }

    /// The lines that end a turn.
    fn notices(&mut self) -> io::Result<()> {
        let tool = self.random.uuid();
        self.chained(&format!(
            r#""type":"system","subtype":"stop_hook_summary","hookCount":1,"hookInfos":[{{"command":"just check","durationMs":31}}],"hookErrors":[],"preventedContinuation":false,"stopReason":"","hasOutput":true,"level":"suggestion","toolUseID":"{tool}""#
        ))?;
        let milliseconds = 1_000 + self.random.below(600_000);
        self.chained(&format!(
            r#""type":"system","subtype":"turn_duration","durationMs":{milliseconds},"isMeta":false"#
        ))
        .map(drop)
    }

    /// A boundary, and the summary that continues after it.
    fn compaction(&mut self) -> io::Result<()> {
        let before = self.parent.take().unwrap_or_default();
        self.chained(&format!(
            r#""logicalParentUuid":"{before}","type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","compactMetadata":{{"trigger":"auto","preTokens":155004}}"#
        ))?;
        let summary = prose(&mut self.random, 3_000, 9_000);
        self.chained(&format!(
            r#""type":"user","message":{{"role":"user","content":"{summary}"}},"isVisibleInTranscriptOnly":true,"isCompactSummary":true"#
        ))
        .map(drop)
    }

    fn side_records(&mut self) -> io::Result<()> {
        let time = self.time();
        for operation in ["enqueue", "dequeue"] {
            self.line(format_args!(
                r#"{{"type":"queue-operation","operation":"{operation}","timestamp":"{time}","sessionId":"{SESSION}"}}"#
            ))?;
        }
        let prompt = prose(&mut self.random, 20, 80);
        self.line(format_args!(r#"{{"type":"last-prompt","lastPrompt":"{prompt}","sessionId":"{SESSION}"}}"#))
    }

    fn snapshot(&mut self, prompt: &str) -> io::Result<()> {
        let time = self.time();
        self.line(format_args!(
            r#"{{"type":"file-history-snapshot","messageId":"{prompt}","snapshot":{{"messageId":"{prompt}","trackedFileBackups":{{"src/valve.rs":{{"backupFileName":"1f0c@v2","version":2,"backupTime":"{time}"}}}},"timestamp":"{time}"}},"isSnapshotUpdate":false}}"#
        ))
    }
}
