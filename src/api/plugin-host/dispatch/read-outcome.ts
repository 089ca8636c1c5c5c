import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";

/** The checked result of a plugin's handler, ready to be sent. `isJson`: its body was given as JSON. */
export type Outcome = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | string | null;
  isJson: boolean;
};

type Fields = { [key: string]: Json };

const bodiless: readonly number[] = [204, 205];

/**
 * Reads what a handler returned: JSON, nothing (204), or its own response (`$response`). Throws an `Error` that tells
 * the plugin's author what is wrong.
 */
export const readOutcome = (value: Json | undefined): Outcome => {
  if (value === undefined) return { status: 204, headers: {}, body: null, isJson: false };
  const own = isObject(value) ? value.$response : undefined;
  if (own === undefined) return { status: 200, headers: jsonHeaders, body: jsonText(value), isJson: true };
  if (!isObject(own)) throw new Error("The argument of ctx.respond must be an object");
  const status = readStatus(own.status);
  const { type, body } = readBody(own);
  if (body !== null && bodiless.includes(status))
    throw new Error(`An answer with status ${status} has no body`);
  const headers = { ...(type === null ? {} : { "content-type": type }), ...readHeaders(own.headers) };
  return { status, headers, body, isJson: own.json !== undefined };
};

const jsonHeaders = { "content-type": "application/json" };

const isObject = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const readStatus = (status: Json | undefined): number => {
  if (status === undefined || status === null) return 200;
  const isStatus = typeof status === "number" && Number.isInteger(status) && status >= 200 && status <= 599;
  if (!isStatus || status === 304)
    throw new Error("status must be a whole number from 200 to 599, except 304");
  return status;
};

const tooLarge = () => new Error(`An answer's body has at most ${pluginLimits.bodyBytes} bytes`);

const bounded = (text: string): string => {
  const { bodyBytes } = pluginLimits;
  // A character has at most three bytes per code unit.
  if (text.length * 3 > bodyBytes && Buffer.byteLength(text) > bodyBytes) throw tooLarge();
  return text;
};

const jsonText = (value: Json): string => bounded(JSON.stringify(value));

type Body = { type: string | null; body: Uint8Array | string | null };

const readBody = ({ json, text, base64 }: Fields): Body => {
  const given = [json, text, base64].filter((value) => value !== undefined);
  if (given.length > 1) throw new Error("An answer has at most one of json, text and base64");
  if (json !== undefined) return { type: "application/json", body: jsonText(json) };
  if (text !== undefined) {
    if (typeof text !== "string") throw new Error("text must be a text");
    return { type: "text/plain; charset=utf-8", body: bounded(text) };
  }
  if (base64 === undefined) return { type: null, body: null };
  if (typeof base64 !== "string") throw new Error("base64 must be a text");
  if (base64.length > pluginLimits.bodyBytes * 1.4) throw tooLarge();
  const body = Buffer.from(base64, "base64");
  if (body.toString("base64").replace(/=+$/, "") !== base64.replace(/=+$/, ""))
    throw new Error("base64 is not encoded according to RFC 4648");
  if (body.byteLength > pluginLimits.bodyBytes) throw tooLarge();
  return { type: "application/octet-stream", body };
};

const mostHeaders = 50;
const longestHeader = 2_000;
// Proxies and browsers also obey unknown headers: only these are sent.
const allowed =
  /^(?:content-(?:type|language|disposition)|cache-control|etag|last-modified|retry-after|x-total-count|x-plugin-[a-z0-9-]{1,60})$/;

const readHeaders = (given: Json | undefined): Record<string, string> => {
  if (given === undefined || given === null) return {};
  if (!isObject(given)) throw new Error("headers must be an object of texts");
  const headers: Record<string, string> = {};
  const entries = Object.entries(given);
  if (entries.length > mostHeaders) throw new Error(`An answer has at most ${mostHeaders} headers`);
  for (const [written, value] of entries) {
    const name = written.toLowerCase();
    if (!allowed.test(name)) throw new Error(`An answer cannot have the header ${name.slice(0, 60)}`);
    if (typeof value !== "string" || value.length > longestHeader || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new Error(`The header ${name} must be a text of at most ${longestHeader} characters in one line`);
    headers[name] = value;
  }
  checkType(headers["content-type"]);
  return headers;
};

const checkType = (type: string | undefined): void => {
  if (type === undefined) return;
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;[^\r\n]*)?$/.test(type))
    throw new Error("content-type must be a media type");
  // A page's policy allows scripts of this origin: only files of packages may be scripts.
  if (/^[^;]*(?:javascript|ecmascript|jscript|livescript)/i.test(type))
    throw new Error("A response can't be a script: scripts belong in the package");
};
