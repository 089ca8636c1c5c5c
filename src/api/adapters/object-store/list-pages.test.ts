import { afterEach, describe, expect, test } from "bun:test";
import { BucketError } from "#api/core/objects.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { openBucketFiles } from "./s3-files.ts";

let stop: () => unknown = () => null;
afterEach(() => stop());

/** A bucket whose list is what `page` says, and how often it was asked. */
const bucketOf = (page: (asked: number) => Promise<string> | string, listMs?: number) => {
  let asked = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async () => {
      asked += 1;
      const text = `<?xml version="1.0"?><ListBucketResult>${await page(asked)}</ListBucketResult>`;
      return new Response(text, { headers: { "content-type": "application/xml" } });
    },
  });
  const endpoint = `http://127.0.0.1:${server.port}`;
  const files = openBucketFiles(
    { endpoint, bucket: "b", accessKeyId: "key", secretAccessKey: "secret", token: null },
    { otherOrigins: [endpoint], prefix: "backups/", ...(listMs === undefined ? {} : { listMs }) },
  );
  stop = () => {
    files.close();
    return server.stop(true);
  };
  return { files, asked: () => asked };
};
const row = (name: string) => `<Contents><Key>backups/${name}</Key><Size>1</Size></Contents>`;
const more = (token: string) =>
  `<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`;
const faultOf = async (work: Promise<unknown>) => {
  const error = await failureOf(work);
  return error instanceof BucketError ? error.fault : error;
};

describe("S8: a bucket's list", () => {
  test("is read over all of its pages", async () => {
    const { files, asked } = bucketOf((page) => `${row(`f${page}`)}${page < 50 ? more(`t${page}`) : ""}`);
    expect(await files.list()).toHaveLength(50);
    expect(asked()).toBe(50);
  });

  test("that never ends is given up", async () => {
    const { files, asked } = bucketOf((page) => `${row(`f${page}`)}${more(`t${page}`)}`);
    expect(await faultOf(files.list())).toBe("endless");
    expect(asked()).toBe(200);
  });

  test("that leads back to a page is given up immediately", async () => {
    const { files, asked } = bucketOf((page) => `${row(`f${page}`)}${more(`t${page % 2}`)}`);
    expect(await faultOf(files.list())).toBe("endless");
    expect(asked()).toBe(3);
  });

  test("that comes too slowly ends with its time, in the middle of a page too", async () => {
    const endless = new Promise<never>(() => {});
    const { files, asked } = bucketOf((page) => (page === 3 ? endless : more(`t${page}`)), 1_500);
    expect(await faultOf(files.list())).toBe("slow");
    expect(asked()).toBe(3);
  });
});
