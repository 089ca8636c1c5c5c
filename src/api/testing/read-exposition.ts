type ReadSample = { name: string; labels: Record<string, string>; value: number };
export type ReadFamily = { kind: string; help: string; samples: ReadSample[] };

const namePattern = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const linePattern = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const pairPattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;

/**
 * Reads Prometheus' text format 0.0.4, strictly: each metric has its help and its type in front, once; its lines stand
 * together; no line comes twice; counters end in `_total`; buckets only grow, and the last one is the count. Throws otherwise.
 */
export const readExposition = (text: string): Map<string, ReadFamily> => {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const families = new Map<string, ReadFamily>();
  const seen = new Set<string>();
  let current: [name: string, family: ReadFamily] | null = null;
  for (const line of text.slice(0, -1).split("\n")) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === "HELP") {
      if (!namePattern.test(name) || families.has(name)) throw new Error(`a second or bad HELP: ${line}`);
      current = [name, { kind: "", help: rest, samples: [] }];
      families.set(...current);
      continue;
    }
    if (current === null) throw new Error(`a line in front of all: ${line}`);
    if (keyword === "TYPE") {
      if (name !== current[0] || current[1].kind !== "" || !/^(?:counter|gauge|histogram)$/.test(rest))
        throw new Error(`a wrong TYPE: ${line}`);
      current[1].kind = rest;
      continue;
    }
    const sample = readLine(line);
    if (!belongs(sample.name, ...current)) throw new Error(`not a line of ${current[0]}: ${line}`);
    const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    if (seen.has(key)) throw new Error(`twice: ${line}`);
    seen.add(key);
    current[1].samples.push(sample);
  }
  for (const [name, family] of families) checkFamily(name, family);
  return families;
};

const belongs = (sample: string, name: string, { kind }: ReadFamily): boolean =>
  kind === "histogram"
    ? [`${name}_bucket`, `${name}_sum`, `${name}_count`].includes(sample)
    : sample === name;

const readLine = (line: string): ReadSample => {
  const [, name, pairs = "", number = ""] = linePattern.exec(line) ?? [];
  if (name === undefined) throw new Error(`not a line: ${line}`);
  const labels: Record<string, string> = {};
  pairPattern.lastIndex = 0;
  while (pairPattern.lastIndex < pairs.length) {
    const [, label, value = ""] = pairPattern.exec(pairs) ?? [];
    if (label === undefined || label in labels) throw new Error(`bad labels: ${line}`);
    labels[label] = value.replace(/\\(.)/g, (_, mark) => (mark === "n" ? "\n" : mark));
  }
  const value = number === "+Inf" ? Number.POSITIVE_INFINITY : Number(number);
  if (number === "" || Number.isNaN(value)) throw new Error(`not a number: ${line}`);
  return { name, labels, value };
};

const checkFamily = (name: string, { kind, help, samples }: ReadFamily): void => {
  if (kind === "" || help === "" || samples.length === 0) throw new Error(`${name} is not whole`);
  if (kind === "counter" && !name.endsWith("_total")) throw new Error(`${name} counts and is not called so`);
  if (kind !== "gauge" && samples.some(({ value }) => value < 0)) throw new Error(`${name} is below zero`);
  if (kind !== "histogram") return;
  const last = new Map<string, number>();
  for (const { name: line, labels, value } of samples) {
    const { le, ...rest } = labels;
    const key = JSON.stringify(rest);
    if (line === `${name}_bucket` && value < (last.get(key) ?? 0))
      throw new Error(`${name} shrinks at ${le}`);
    if (line === `${name}_bucket`) last.set(key, value);
    if (line === `${name}_count` && value !== last.get(key)) throw new Error(`${name} does not add up`);
  }
};
