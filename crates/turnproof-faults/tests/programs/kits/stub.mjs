/** Answers each question with no turns, on the kit: what an adapter costs before it does anything. */
import { serve } from "../../../../../adapters/kit/node/turnproof-subject.mjs";

serve({ name: "stub", operations: { normalize_api: () => [] } });
