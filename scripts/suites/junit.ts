/** What one test file took. */
export type FileTime = { file: string; seconds: number; tests: number };

/** A failed test, with what `bun test` says of it. */
export type FailedTest = { file: string; title: string; text: string };

/** Reads the report that `bun test --reporter=junit` writes: a file that could not be loaded is not in it. */
export const readJunit = (xml: string): { times: FileTime[]; failed: FailedTest[] } => {
  const times = [...xml.matchAll(/^ {2}<testsuite ([^>]*)>/gm)].map(([, attributes = ""]) => ({
    file: attribute(attributes, "file"),
    seconds: Number(attribute(attributes, "time")),
    tests: Number(attribute(attributes, "tests")),
  }));
  const failures = xml.matchAll(/<testcase ([^>]*[^/])>\s*<failure([^>]*)>([^<]*)/g);
  const failed = [...failures].map(([, test = "", failure = "", text = ""]) => ({
    file: attribute(test, "file"),
    title: attribute(test, "name"),
    text: decode(text).trim() || attribute(failure, "message"),
  }));
  return { times, failed };
};

const attribute = (text: string, name: string): string =>
  decode(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(text)?.[1] ?? "");

const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const decode = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? entity;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
