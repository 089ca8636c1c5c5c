import type { ExplainData, JournalEntry, Reason } from "../wire.ts";

/** What happened to a request and why, for an admin who has only its ID. */
export const explain = (entry: JournalEntry): ExplainData => ({
  entry,
  sentences: [opening(entry), ...entry.reasons.map(sentenceOf), ...scoreOf(entry)],
  remedies: [...new Set(entry.reasons.flatMap((reason) => remedyOf(reason, entry)))],
});

const verdicts: Record<JournalEntry["verdict"], string> = {
  blocked: "was blocked",
  "would-block": "would have been blocked, but passed because of development mode",
  limited: "was refused because there were too many requests",
  noticed: "was allowed and logged",
};

const opening = ({ method, path, address, country, at, verdict, user, status }: JournalEntry): string => {
  const who = user === null ? "a visitor" : `${user.name} (${user.role})`;
  const where = country === null ? address : `${address} (${country})`;
  return `${method} ${path} by ${who} from ${where} at ${at} ${verdicts[verdict]}; the response status was ${status}.`;
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
  score === 0 ? [] : [`The anomaly score is ${score}; from ${threshold} on, a request counts as an attack.`];

/** An attack in the path guesses at a file: there is nothing to exempt, because no legitimate request goes there. */
const isGuessed = ({ path, reasons }: JournalEntry): boolean =>
  !path.startsWith("/api/") && reasons.some(({ place }) => place === "path");

const exemptionOf = ({ name, place }: Reason, { method, path }: JournalEntry): string =>
  place === "query" || place === "body"
    ? `If the text is legitimate, exempt the field ${name} of ${method} ${path}`
    : `If the text is legitimate, exempt ${method} ${path}`;

const remedyOf = (reason: Reason, entry: JournalEntry): string[] => {
  const { by, rule } = reason;
  const { address, method, path } = entry;
  switch (by) {
    case "address":
      return [`Allow this IP address: atrium firewall allow ${address}`];
    case "ban":
      return [`Lift the ban of ${rule}, or allow the IP address: atrium firewall allow ${address}`];
    case "country":
      return [`Change the country rules, or allow this IP address: atrium firewall allow ${address}`];
    case "rate":
      return [rule === "core" ? "Raise the rate limit" : "Change or disable the rate rule"];
    case "pattern":
      return [
        ...(isGuessed(entry) ? [] : [exemptionOf(reason, entry)]),
        `Disable pattern ${rule} if it often causes false alarms here`,
      ];
    case "obstacle":
      return isGuessed(entry) ? [] : [`If such requests are legitimate, exempt ${method} ${path}`];
    case "engine":
      return ["Check the plugin's log: this is an error in the firewall"];
  }
};
