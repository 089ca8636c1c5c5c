import { tryAgainIn } from "#contract/relative-time.ts";
import { apiPageTexts as texts } from "./texts.ts";

type Security = Record<string, unknown>[];
type Operation = { description?: string; security?: Security };

type ApiDocument = {
  servers?: object[];
  paths?: Record<string, Record<string, Operation>>;
  components?: { securitySchemes?: Record<string, { type?: string }> };
};

/**
 * The API's document as the page shows it. Calls go to where the page came from, whose policy allows no other host. No one
 * is asked for what cannot be typed in, such as a cookie, which the browser sends automatically: each call says in words who
 * may make it.
 */
export const documentToShow = (read: unknown, origin: string): object => {
  const document = asApiDocument(read);
  const schemes = document.components?.securitySchemes ?? {};
  const isTyped = (name: string) => schemes[name]?.type === "http";
  const shown = ({ security = [], description = "", ...operation }: Operation) => ({
    ...operation,
    description: `*${audienceOf(security)}*\n\n${description}`.trim(),
    security: security.filter((requirement) => Object.keys(requirement).every(isTyped)),
  });
  return {
    ...document,
    servers: [{ url: origin }],
    components: {
      ...document.components,
      securitySchemes: Object.fromEntries(Object.entries(schemes).filter(([name]) => isTyped(name))),
    },
    paths: mapValues(document.paths ?? {}, (item) => mapValues(item, shown)),
  };
};

/** Who may make a call, in words; the schemes are named as the server names them. */
const audienceOf = (security: Security): string => {
  const ways = Object.assign({}, ...security);
  const isOpen = security.length === 0 || security.some((way) => Object.keys(way).length === 0);
  if (isOpen) return "metrics" in ways ? texts.everybodyMoreByToken : texts.everybody;
  if (!("session" in ways)) return "token" in ways || "metrics" in ways ? texts.token : texts.operator;
  if (!asWords(ways.session).includes("admin")) return texts.signedIn;
  return "token" in ways ? texts.adminsAndTokens(asWords(ways.token).join(", ")) : texts.admins;
};

/** What stands beside a scheme: roles of the person, or scopes of the token. */
const asWords = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const mapValues = <From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

/** Trusts the server that the page came from. */
const asApiDocument = (read: unknown): ApiDocument => read as ApiDocument;

/** Why the description could not be read, and what to do; `null` stands for an answer that never came. */
export const whyUnread = (answer: Pick<Response, "status" | "headers"> | null): string => {
  if (answer?.status !== 429) return texts.failed;
  const waitS = Number(answer.headers.get("retry-after"));
  return `${texts.tooMany} ${waitS > 0 ? tryAgainIn(waitS) : texts.later}`;
};
