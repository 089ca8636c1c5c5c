import { type Script, s3Error, startS3Stub } from "./s3-stub.ts";

/** A bucket on a stub: what it holds, and the parts of uploads that no one has completed or given up. */
export type StubBucket = {
  origin: string;
  objects: Map<string, Uint8Array>;
  parts: Map<string, Uint8Array[]>;
  stop(): void;
};

/** Starts a stub that knows enough of S3 for files in parts; what `fault` answers takes the place of its own answer. */
export const startStubBucket = (
  fault: (method: string, path: string) => Response | null = () => null,
): StubBucket => {
  const objects = new Map<string, Uint8Array>();
  const parts = new Map<string, Uint8Array[]>();
  const upload: Script = ({ method, path }, body) => {
    const [name = "", query = ""] = path.split("?");
    if (method === "POST" && query.startsWith("uploads")) {
      parts.set(name, []);
      return xml("<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>");
    }
    if (method === "POST") {
      objects.set(name, Buffer.concat(parts.get(name) ?? []));
      parts.delete(name);
      return xml('<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>');
    }
    if (method === "PUT") {
      if (query.includes("partNumber")) parts.get(name)?.push(body.slice());
      else objects.set(name, body.slice());
      return new Response(null, { headers: { etag: '"x"' } });
    }
    if (query.includes("uploadId")) parts.delete(name);
    else objects.delete(name);
    return new Response(null, { status: 204 });
  };
  const read: Script = ({ method, path, headers }) => {
    const [name = "", query = ""] = path.split("?");
    if (/^uploads|&uploads/.test(query))
      return xml("<ListMultipartUploadsResult></ListMultipartUploadsResult>");
    if (query.includes("list-type")) return xml(listing(objects, new URLSearchParams(query).get("prefix")));
    const found = objects.get(name);
    if (found === undefined) return s3Error(404, "NoSuchKey");
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.get("range") ?? "") ?? [];
    const piece = first === undefined ? found : found.subarray(Number(first), Number(last) + 1);
    const length = { "content-length": String(piece.byteLength) };
    return new Response(method === "HEAD" ? null : piece.slice(), {
      status: first === undefined ? 200 : 206,
      headers: length,
    });
  };
  const stub = startS3Stub((request, body) => {
    const { method, path } = request;
    const isReading = method === "GET" || method === "HEAD";
    return fault(method, path) ?? (isReading ? read(request, body) : upload(request, body));
  });
  return { origin: stub.origin, objects, parts, stop: stub.stop };
};

const xml = (text: string): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, {
    headers: { "content-type": "application/xml" },
  });

const listing = (objects: Map<string, Uint8Array>, prefix: string | null): string => {
  const rows = [...objects]
    .map(([path, { byteLength }]) => ({ key: path.replace(/^\/[^/]+\//, ""), byteLength }))
    .filter(({ key }) => key.startsWith(prefix ?? ""))
    .map(({ key, byteLength }) => `<Contents><Key>${key}</Key><Size>${byteLength}</Size></Contents>`);
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${rows.join("")}</ListBucketResult>`;
};
