/**
 * Preloaded into a server: each function of the product's sources says that it is entered. SIGUSR2 writes the files of the
 * functions that requests entered since the last one, in their order, to `ENTERED_FILES_TO` as a list in JSON.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { renameSync, writeFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { plugin } from "bun";
import { parseAst } from "vite";

const sources = `${import.meta.dir.split(`${sep}tests${sep}`)[0]}${sep}src${sep}`;
const files: string[] = [];
let entered: number[] = [];

// What runs beside the request or after its answer, such as the sending of emails, is no part of its way.
const requests = new AsyncLocalStorage<{ isAnswered: boolean }>();
type Answering = { fetch: (...given: unknown[]) => unknown };
const watched = (options: Answering): Answering => ({
  ...options,
  fetch: (...given) => {
    const request = { isAnswered: false };
    return requests.run(request, async () => {
      const answer = await options.fetch(...given);
      request.isAnswered = true;
      return answer;
    });
  },
});
const { serve } = Bun;
Object.assign(Bun, {
  serve: (options: Answering) => {
    const server = Reflect.apply(serve, Bun, [watched(options)]);
    const reload = server.reload.bind(server);
    return Object.assign(server, { reload: (next: Answering) => reload(watched(next)) });
  },
});
Object.assign(globalThis, {
  enteredFile: (index: number) => {
    if (requests.getStore()?.isAnswered === false) entered.push(index);
  },
});

process.on("SIGUSR2", () => {
  const file = process.env.ENTERED_FILES_TO ?? "";
  writeFileSync(`${file}.new`, JSON.stringify(entered.map((index) => files[index])));
  renameSync(`${file}.new`, file);
  entered = [];
});

type Node = { type: string; start: number; end: number };

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value;

const functions = new Set(["ArrowFunctionExpression", "FunctionDeclaration", "FunctionExpression"]);

/** The bodies of all functions below `node`. */
const bodiesBelow = (node: unknown): Node[] => {
  if (Array.isArray(node)) return node.flatMap(bodiesBelow);
  if (!isNode(node)) return [];
  const below = Object.values(node).flatMap(bodiesBelow);
  return functions.has(node.type) && "body" in node && isNode(node.body) ? [node.body, ...below] : below;
};

/** `source` with a call at the beginning of each function. */
const instrument = (source: string, index: number): string => {
  const insertions = bodiesBelow(parseAst(source, { lang: "ts" }))
    .flatMap(({ type, start, end }) =>
      type === "BlockStatement"
        ? [{ at: start + 1, text: `enteredFile(${index});` }]
        : [
            { at: start, text: `(enteredFile(${index}),` },
            { at: end, text: ")" },
          ],
    )
    .toSorted((a, b) => b.at - a.at);
  return insertions.reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source);
};

plugin({
  name: "count entries",
  setup: (build) => {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const contents = await Bun.file(path).text();
      if (!path.startsWith(sources)) return { contents, loader: "ts" };
      return { contents: instrument(contents, files.push(relative(sources, path)) - 1), loader: "ts" };
    });
  },
});
