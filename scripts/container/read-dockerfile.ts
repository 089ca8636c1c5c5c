/** One line of a Dockerfile: its word and the rest as it stands, continued lines joined. */
export type Instruction = { word: string; rest: string };

/** A stage: what it begins with, its own name, and what is done in it. */
export type Stage = { from: string; name: string | null; steps: Instruction[] };

/** What an image says of how it is run. */
export type RunSettings = {
  env: Record<string, string>;
  user: string;
  folder: string;
  volumes: string[];
  stopSignal: string;
  healthCheck: string[];
  command: string[];
};

/** Reads the stages of a Dockerfile, as far as ours goes. Throws for what stands before the first FROM. */
export const readDockerfile = (text: string): Stage[] => {
  const lines = text
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .join("\n")
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, word = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (word === "FROM") {
      const [from = "", , name] = rest.split(/\s+/);
      stages.push({ from, name: name ?? null, steps: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`nothing to do this in: ${line}`);
    stage.steps.push({ word, rest });
  }
  return stages;
};

/** What the steps of a stage say of how its image is run. */
export const runSettings = ({ steps }: Stage): RunSettings => {
  const last = (word: string): string => steps.findLast((step) => step.word === word)?.rest ?? "";
  return {
    env: Object.assign({}, ...steps.filter(({ word }) => word === "ENV").map(({ rest }) => pairsOf(rest))),
    user: last("USER"),
    folder: last("WORKDIR") || "/",
    volumes: steps.filter(({ word }) => word === "VOLUME").flatMap(({ rest }) => rest.split(/\s+/)),
    stopSignal: last("STOPSIGNAL") || "SIGTERM",
    healthCheck: wordsOf(/CMD (\[.*\])$/.exec(last("HEALTHCHECK"))?.[1] ?? "[]"),
    command: [...wordsOf(last("ENTRYPOINT") || "[]"), ...wordsOf(last("CMD") || "[]")],
  };
};

/** `COPY` as ours are written: options, sources, and where to. */
export const copyOf = (rest: string) => {
  const words = rest.split(/\s+/);
  const option = (name: string): string | null =>
    words.find((word) => word.startsWith(`--${name}=`))?.split("=")[1] ?? null;
  const paths = words.filter((word) => !word.startsWith("--"));
  return {
    from: option("from"),
    owner: option("chown"),
    sources: paths.slice(0, -1),
    to: paths.at(-1) ?? "",
  };
};

const pairsOf = (rest: string): Record<string, string> =>
  Object.fromEntries(
    [...rest.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [
      name,
      quoted ?? plain,
    ]),
  );

/** The form of a list, which alone needs no shell. Throws for any other. */
const wordsOf = (list: string): string[] => {
  const words: unknown = JSON.parse(list);
  if (!Array.isArray(words)) throw new Error(`expected a list of words: ${list}`);
  return words.map(String);
};
