import { history, serve } from "./turnproof-subject.mjs";

serve({
  name: "my-pipeline",
  operations: { normalize_api: (messages, options) => history(messages) },
});
