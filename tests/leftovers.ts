/** What a file of tests could change for the files that its process runs after it, by a name that says what it is. */
type Stock = ReadonlyMap<string, unknown>;

/** Watches over what files of tests that share a process leave to each other. */
export type Leftovers = {
  /** To be called before each test, with the path of its file; tells what the file before it has left behind, once. */
  before(file: string): string | null;
  /** To be called after each test. */
  after(): void;
};

/** What is there now is what each file is to find. */
export const createLeftovers = (): Leftovers => {
  let clean = takeStock();
  let file: string | null = null;
  let last: Stock = clean;
  return {
    before: (next) => {
      if (next === file) return null;
      const former = file;
      file = next;
      if (former === null) return null;
      // What the next file has put there itself by now is another thing than what lay there after the former's last test.
      const now = takeStock();
      const left = changes(clean, now).filter((name) => Object.is(last.get(name), now.get(name)));
      if (left.length === 0) return null;
      clean = now;
      return `${former} changes what the files after it find: ${left.join(", ")}`;
    },
    after: () => {
      last = takeStock();
    },
  };
};

const takeStock = (): Stock => {
  const stock = new Map<string, unknown>([["the working folder", process.cwd()]]);
  for (const [name, value] of Object.entries(process.env)) stock.set(`the variable ${name}`, value);
  // Libraries that are loaded on demand have places of their own there.
  for (const key of Object.keys(globalThis)) if (!ofLibraries.test(key)) stock.set(`globalThis.${key}`, true);
  for (const { name, holder, key } of places) stock.set(name, Reflect.get(holder, key));
  return stock;
};

const changes = (before: Stock, now: Stock): string[] =>
  [...new Set([...before.keys(), ...now.keys()])].filter(
    (name) => !Object.is(before.get(name), now.get(name)),
  );

/** What libraries replace when they are loaded: those that drive the browser have a working folder that cannot be lost. */
const byLibraries = /^process\.(?:chdir|cwd)$/;

/** What tests put something else in the place of: functions that are there from the start. */
const places = Object.entries({
  globalThis,
  console,
  process,
  performance,
  Date,
  Math,
  AbortSignal,
  Bun,
}).flatMap(([name, holder]: [string, object]) =>
  Object.entries(Object.getOwnPropertyDescriptors(holder))
    .filter(([key, { value }]) => typeof value === "function" && !byLibraries.test(`${name}.${key}`))
    .map(([key]) => ({ name: `${name}.${key}`, holder, key })),
);

const ofLibraries = /^(?:__|awslambda$)/;
