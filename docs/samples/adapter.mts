import { history, serve, type Message, type Options } from "./turnproof-subject.mjs";

function normalize_api(messages: Message[], options: Options) {
  return history(messages);
}

serve({ name: "my-pipeline", operations: { normalize_api } });
