import type { InspectedRequest } from "../engine-types.ts";
import { addText } from "./add-text.ts";
import type { Collector } from "./collector.ts";
import { decodeBytes } from "./decode-bytes.ts";
import { addMultipart, boundaryOf } from "./multipart.ts";
import { unpack } from "./unpack.ts";

/** A body and how many bytes of it, unpacked, may be looked through. */
export type BodyToRead = { request: InspectedRequest; body: Uint8Array; roomBytes: number };

/** Adds what a body says, by what it is called and by what it looks like: a wrong name hides nothing. */
export const addBody = (collector: Collector, { request, body, roomBytes }: BodyToRead): void => {
  const type = headerOf(request, "content-type");
  const unpacked = unpack(body, headerOf(request, "content-encoding"), roomBytes);
  if (typeof unpacked === "string") {
    collector.obstacle = unpacked;
    return;
  }
  const boundary = boundaryOf(type, unpacked);
  if (boundary === null) addText(collector, decodeBytes(unpacked, type), type);
  else addMultipart(collector, unpacked, boundary);
};

const headerOf = ({ headers }: InspectedRequest, name: string): string =>
  headers
    .filter(([header]) => header.toLowerCase() === name)
    .map(([, value]) => value)
    .join(",");
