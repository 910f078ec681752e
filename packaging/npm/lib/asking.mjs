// The thread that talks to the program: it passes each question on, and wakes whoever waits for the answer.

import { spawn } from "node:child_process";
import { workerData } from "node:worker_threads";

const { program, signal, port } = workerData;

function wake(message) {
  port.postMessage(message);
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
}

const child = spawn(program, ["serve"], { stdio: ["pipe", "pipe", "ignore"] });
child.on("error", (error) => wake({ ended: error.message }));
child.on("exit", (code, by) => wake({ ended: `it ended with ${by ?? `exit code ${code}`}` }));
child.stdin.on("error", () => {});
let pieces = [];
child.stdout.setEncoding("utf8");
child.stdout.on("data", (piece) => {
  let from = 0;
  for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", from)) {
    wake({ line: pieces.join("") + piece.slice(from, end) });
    pieces = [];
    from = end + 1;
  }
  if (from < piece.length) pieces.push(piece.slice(from));
});
port.on("message", (line) => child.stdin.write(line));
