import type { ExplainData, JournalEntry, Reason } from "../wire.ts";

/** What happened to a request and why, for somebody who has only its id. */
export const explain = (entry: JournalEntry): ExplainData => ({
  entry,
  sentences: [opening(entry), ...entry.reasons.map(sentenceOf), ...scoreOf(entry)],
  remedies: [...new Set(entry.reasons.flatMap((reason) => remedyOf(reason, entry)))],
});

const verdicts: Record<JournalEntry["verdict"], string> = {
  blocked: "was blocked",
  "would-block": "would have been blocked, and passed because of development mode",
  limited: "was refused because there were too many",
  noticed: "passed and was written down",
};

const opening = ({ method, path, address, country, at, verdict, user, status }: JournalEntry): string => {
  const who = user === null ? "a visitor" : `${user.name} (${user.role})`;
  const where = country === null ? address : `${address} (${country})`;
  return `${method} ${path} by ${who} from ${where} at ${at} ${verdicts[verdict]}; it was answered with ${status}.`;
};

const placeOf = ({ place, name }: Reason): string => {
  if (place === "") return "";
  return name === "" ? ` in the ${place}` : ` in ${place} ${name}`;
};

const sentenceOf = (reason: Reason): string => {
  const found = reason.excerpt === "" ? "" : `: ${reason.excerpt}`;
  const pattern = reason.by === "pattern" ? `Pattern ${reason.rule}: ` : "";
  const score = reason.score > 0 ? ` (+${reason.score})` : "";
  return `${pattern}${reason.text}${placeOf(reason)}${score}${found}`;
};

const scoreOf = ({ score, threshold }: JournalEntry): string[] =>
  score === 0 ? [] : [`The anomaly score is ${score}; requests count as attacks from ${threshold}.`];

/** An attack that stands in the path guesses at a file: there is nothing to exempt, as no honest call goes there. */
const isGuessed = ({ path, reasons }: JournalEntry): boolean =>
  !path.startsWith("/api/") && reasons.some(({ place }) => place === "path");

const exemptionOf = ({ name, place }: Reason, { method, path }: JournalEntry): string =>
  place === "query" || place === "body"
    ? `If the text is honest, exempt the field ${name} of ${method} ${path}`
    : `If the text is honest, exempt ${method} ${path}`;

const remedyOf = (reason: Reason, entry: JournalEntry): string[] => {
  const { by, rule } = reason;
  const { address, method, path } = entry;
  switch (by) {
    case "address":
      return [`Let this address in: atrium firewall allow ${address}`];
    case "ban":
      return [`Lift the ban of ${rule}, or let the address in: atrium firewall allow ${address}`];
    case "country":
      return [`Change the country rules, or let this address in: atrium firewall allow ${address}`];
    case "rate":
      return [rule === "core" ? "Raise the limit on calls" : "Change or switch off the rate rule"];
    case "pattern":
      return [
        ...(isGuessed(entry) ? [] : [exemptionOf(reason, entry)]),
        `Switch pattern ${rule} off if it is often wrong here`,
      ];
    case "obstacle":
      return isGuessed(entry) ? [] : [`If such requests are honest, exempt ${method} ${path}`];
    case "engine":
      return ["Look into the plugin's log: this is a fault of the firewall"];
  }
};
