/**
 * A neutral history as `ModelMessage`s of the AI SDK: user, assistant and tool messages, made of parts.
 *
 * A message of the user becomes a tool message for its results and a user message for the rest, in their order. The
 * options of parts are those that `@ai-sdk/anthropic` documents: `signature` and `redactedData` of reasoning, `title`
 * and `context` of files.
 */
import { Unsupported } from "../kit/node/turnproof-subject.mjs";
import { namesById, TOOL, unsupported } from "./neutral.mjs";

/**
 * `file` makes the part of an image or document in a prompt. The AI SDK takes it tagged or bare.
 */
export function modelMessages(history, file = taggedFile) {
  const names = namesById(history);
  return history.flatMap(({ role, content }) => {
    if (typeof content === "string") {
      return [{ role, content }];
    }
    return role === "assistant" ? [{ role, content: content.map(replyPart) }] : userMessages(content, names, file);
  });
}

function userMessages(content, names, file) {
  const messages = [];
  for (const block of content) {
    const role = block.type === "tool_result" ? "tool" : "user";
    if (messages.at(-1)?.role !== role) {
      messages.push({ role, content: [] });
    }
    messages.at(-1).content.push(role === "tool" ? resultPart(block, names) : promptPart(block, file));
  }
  return messages.length > 0 ? messages : [{ role: "user", content: [] }];
}

function replyPart(block) {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return { type: "reasoning", text: block.thinking, ...withOptions({ signature: block.signature }) };
    case "redacted_thinking":
      return { type: "reasoning", text: "", ...withOptions({ redactedData: block.data }) };
    case "tool_use":
      // `input` is `unknown`: a call whose JSON was cut off keeps it as a text.
      return { type: "tool-call", toolCallId: block.id, toolName: block.name, input: block.input };
    default:
      throw unsupported(block, "a reply");
  }
}

function promptPart(block, file) {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "document":
      return file(block);
    default:
      throw unsupported(block, "a prompt");
  }
}

/** What a file is: documents by their URL are PDF, and what an image by its URL is, is not known. */
export const mediaType = ({ type, source }) =>
  source.media_type ?? (type === "document" ? "application/pdf" : "image/*");

function taggedFile(block) {
  const { source, title, context } = block;
  const data = {
    url: () => ({ type: "url", url: new URL(source.url) }),
    text: () => ({ type: "text", text: source.data }),
    base64: () => ({ type: "data", data: source.data }),
  };
  return { type: "file", mediaType: mediaType(block), data: data[source.type](), ...withOptions({ title, context }) };
}

/** The same with the file as bare data: a URL, or base64. In results it has to be tagged. */
export function bareFile(block) {
  const { source, title, context } = block;
  const data = {
    url: () => new URL(source.url),
    text: () => Buffer.from(source.data).toString("base64"),
    base64: () => source.data,
  };
  return { type: "file", mediaType: mediaType(block), data: data[source.type](), ...withOptions({ title, context }) };
}

function resultPart(block, names) {
  const toolName = names.get(block.tool_use_id) ?? TOOL;
  return { type: "tool-result", toolCallId: block.tool_use_id, toolName, output: output(block) };
}

function output({ content, is_error: isError }) {
  const text = typeof content === "string" ? content : isError ? onlyText(content) : undefined;
  if (text !== undefined) {
    return { type: isError ? "error-text" : "text", value: text };
  }
  if (isError) {
    throw new Unsupported("an error that is more or less than one text: the types know errors of a text or of JSON");
  }
  const part = (block) => (block.type === "text" ? { type: "text", text: block.text } : taggedFile(block));
  return { type: "content", value: (content ?? []).map(part) };
}

/** The text of a content that is one block of text. */
const onlyText = (content) => (content?.length === 1 && content[0].type === "text" ? content[0].text : undefined);

/** Options of the provider, without those that are not there. */
function withOptions(options) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return given.length > 0 ? { providerOptions: { anthropic: Object.fromEntries(given) } } : {};
}
