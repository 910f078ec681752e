// The *environment* of a test: the variables that name a mock, and what was there before.

/** Sets the variables of a mock; gives what puts back those that were there. */
export function entered(mock) {
  const wanted = { ...mock.env, ANTHROPIC_AUTH_TOKEN: undefined };
  const before = Object.keys(wanted).map((name) => [name, process.env[name]]);
  const set = (name, value) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const [name, value] of Object.entries(wanted)) set(name, value);
  return () => before.forEach(([name, value]) => set(name, value));
}
