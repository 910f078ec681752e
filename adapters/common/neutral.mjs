/** Reads a neutral history (SPEC.md 10.4.1): what adapters need of it, whatever the library. */
import { Unsupported } from "../kit/node/turnproof-subject.mjs";

/** The tool that a request has beside those that its history names, and the name of a tool whose call is missing. */
export const TOOL = "run";

/** The parameters of all tools. No rule looks at them. */
export const SCHEMA = { type: "object", properties: { command: { type: "string" } } };

/** Role and content of each message, as they stand: the content is a text or a list of blocks. */
export function turns(messages, options) {
  if (options?.context) {
    throw new Unsupported("a context before the first message");
  }
  return messages.map(({ type, message }) => {
    if (type !== "user" && type !== "assistant") {
      throw new Unsupported(`a message of type ${type}`);
    }
    return { role: type, content: message.content };
  });
}

/** The blocks of a content, for libraries in which a text is nothing but a block. */
export const blocks = (content) => (typeof content === "string" ? [{ type: "text", text: content }] : content);

/** The calls of all replies, in order. */
export const calls = (history) =>
  history
    .filter(({ role }) => role === "assistant")
    .flatMap(({ content }) => blocks(content).filter(({ type }) => type === "tool_use"));

/**
 * The tools that the history calls, each once, or `run` when it calls none.
 *
 * Libraries want the tools of a request to be declared. Hosts want so too, where a history holds calls.
 */
export function toolNames(history) {
  const names = new Set(calls(history).map(({ name }) => name));
  return names.size > 0 ? [...names] : [TOOL];
}

/** The name of the tool for each id of a call. Some libraries want it at the result. */
export const namesById = (history) => new Map(calls(history).map(({ id, name }) => [id, name]));

/** That the library has no type for a block there. */
export function unsupported(block, place) {
  const source = block.source?.type;
  return new Unsupported(source ? `${block.type} (${source}) in ${place}` : `${block.type} in ${place}`);
}

/** The URL of an image or document: its own, or `data:` with what it holds. */
export const dataUrl = ({ source }) =>
  source.type === "url" ? source.url : `data:${source.media_type};base64,${source.data}`;

/** The input of a call for libraries whose types want an object. */
export function argumentsObject({ input }) {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new Unsupported("an input that was cut off: the type of a call wants an object");
  }
  return input;
}
