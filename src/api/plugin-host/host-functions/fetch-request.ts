import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { invalid, PluginFault } from "./plugin-fault.ts";
import { bytesArgument, fieldsArgument, numberArgument, textArgument } from "./read-argument.ts";

/** What a plugin wants to send. */
export type FetchRequest = {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
  timeoutMs: number;
};

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const token = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const printable = /^[\t\x20-\x7e]{0,4096}$/;
const mostHeaders = 50;
const urlLength = 2_048;
// What belongs to the connection, to whoever is in between, or to a browser's own memory.
const ownHeaders =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|cookie|accept-encoding|proxy-.*|sec-.*)$/;

/** Reads the arguments of `ctx.fetch`. Throws `INVALID` and `LIMIT_EXCEEDED`. */
export const readFetch = ([address, init]: Json[]): FetchRequest => {
  const text = textArgument(address, "url", urlLength);
  if (!URL.canParse(text)) throw invalid("url has to be an absolute address");
  const given = fieldsArgument(init, "init", ["method", "headers", "text", "base64", "timeoutMs"]);
  const method = given.method ?? "GET";
  if (typeof method !== "string" || !methods.includes(method))
    throw invalid(`method has to be one of ${methods.join(", ")}`);
  const body = bytesArgument(given, "init");
  if (body !== null && (method === "GET" || method === "HEAD")) throw invalid(`${method} has no body`);
  if (body !== null && body.byteLength > pluginLimits.fetchBodyBytes)
    throw new PluginFault("LIMIT_EXCEEDED", `A body has at most ${pluginLimits.fetchBodyBytes} bytes`);
  return {
    url: new URL(text),
    method,
    headers: { "user-agent": "Atrium", ...readHeaders(given.headers), "accept-encoding": "identity" },
    body,
    timeoutMs:
      numberArgument(given.timeoutMs, "timeoutMs", [1, pluginLimits.fetchMs]) ?? pluginLimits.fetchMs,
  };
};

const readHeaders = (value: Json | undefined): Record<string, string> => {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw invalid("headers has to be an object");
  const entries = Object.entries(value);
  if (entries.length > mostHeaders) throw invalid(`headers has at most ${mostHeaders} entries`);
  return Object.fromEntries(
    entries.map(([written, content]) => {
      const name = written.toLowerCase();
      if (!token.test(name)) throw invalid("a header's name holds characters that are not allowed");
      if (ownHeaders.test(name)) throw invalid(`the header ${name} cannot be set`);
      if (typeof content !== "string" || !printable.test(content))
        throw invalid(`the header ${name} holds characters that are not allowed`);
      return [name, content];
    }),
  );
};
