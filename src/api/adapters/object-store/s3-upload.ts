import type { PutObjectCommandInput, S3Client } from "@aws-sdk/client-s3";

type Sdk = typeof import("@aws-sdk/client-s3");
type Sender = { sdk: Sdk; client: S3Client; abortSignal: AbortSignal };
type Upload = {
  place: Pick<PutObjectCommandInput, "Bucket" | "Key" | "ContentType">;
  bytes: Uint8Array;
  partBytes: number;
};

/** Stores an object in parts, one after the other. What was sent of one that fails is given up. */
export const putInParts = async (
  { sdk, client, abortSignal }: Sender,
  { place, bytes, partBytes }: Upload,
): Promise<void> => {
  const { Bucket, Key } = place;
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(place), { abortSignal });
  try {
    const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
    for (let start = 0; start < bytes.byteLength; start += partBytes) {
      const PartNumber = Parts.length + 1;
      const Body = bytes.subarray(start, start + partBytes);
      const part = new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body });
      const { ETag } = await client.send(part, { abortSignal });
      Parts.push({ ETag, PartNumber });
    }
    const whole = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
    await client.send(new sdk.CompleteMultipartUploadCommand(whole), { abortSignal });
  } catch (error) {
    const give = new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId });
    // What stays is removed with the name, later: the caller has noted it.
    await client.send(give, { abortSignal: AbortSignal.timeout(2_000) }).catch(() => {});
    throw error;
  }
};
