/** One line of a metric: `suffix` is what a histogram's parts have behind the name. */
export type ExposedSample = {
  suffix?: string;
  labels: readonly (readonly [string, string])[];
  value: number;
};

/** One metric with all of its lines. */
export type ExposedFamily = {
  name: string;
  kind: "counter" | "gauge" | "histogram";
  help: string;
  samples: readonly ExposedSample[];
};

/** The media type of what {@link writeExposition} writes. */
export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/** Metrics as Prometheus reads them, in its text format 0.0.4. Metrics without a line are left out. */
export const writeExposition = (families: readonly ExposedFamily[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, kind, help, samples }) => {
      const head = `# HELP ${name} ${help.replace(/\\/g, "\\\\").replace(/\n/g, "\\n")}\n# TYPE ${name} ${kind}\n`;
      return head + samples.map((sample) => lineOf(name, sample)).join("");
    })
    .join("");

const lineOf = (name: string, { suffix = "", labels, value }: ExposedSample): string => {
  const pairs = labels.map(([label, text]) => `${label}="${escaped(text)}"`).join(",");
  return `${name}${suffix}${pairs === "" ? "" : `{${pairs}}`} ${numberOf(value)}\n`;
};

const escaped = (text: string): string =>
  text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");

const numberOf = (value: number): string => {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
};
