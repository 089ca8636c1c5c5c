import { OutboundError } from "#api/adapters/outbound/check-address.ts";
import { BucketError, type BucketFault } from "#api/core/objects.ts";

/** What a failure of the S3 client, of the network or of TLS means. The error itself may hold keys and foreign words. */
export const bucketFaultOf = (error: unknown): BucketFault => {
  if (error instanceof BucketError) return error.fault;
  if (error instanceof OutboundError) return "refused";
  const named = codesOf(error)
    .map((code) => faultOfCode[code] ?? (tlsCode.test(code) ? "certificate" : undefined))
    .find((fault) => fault !== undefined);
  return named ?? faultOfStatus(statusOf(error));
};

/** The region that a server names when it was asked with another one, or `null`. */
export const namedRegion = (error: unknown): string | null => {
  const region: unknown = Reflect.get(Object(error), "Region");
  return typeof region === "string" && /^[A-Za-z0-9-]{1,40}$/.test(region) ? region : null;
};

/** Status of the answer that an error of the client stands for, or `null` when there was none. */
export const statusOf = (error: unknown): number | null => {
  const status: unknown = Reflect.get(Object(Reflect.get(Object(error), "$metadata")), "httpStatusCode");
  return typeof status === "number" ? status : null;
};

// Servers send the code as `Code`, the client puts it into `name`, and system errors have a `code`.
const codesOf = (error: unknown): string[] =>
  ["name", "Code", "code"]
    .map((field): unknown => Reflect.get(Object(error), field))
    .filter((code) => typeof code === "string");

const faultOfCode: Partial<Record<string, BucketFault>> = {
  InvalidAccessKeyId: "unknownKey",
  SignatureDoesNotMatch: "signature",
  AccessDenied: "denied",
  Unauthorized: "denied",
  NoSuchBucket: "noBucket",
  InvalidBucketName: "noBucket",
  AuthorizationHeaderMalformed: "region",
  PermanentRedirect: "redirect",
  TemporaryRedirect: "redirect",
  RequestTimeTooSkewed: "clock",
  RequestExpired: "clock",
  QuotaExceeded: "full",
  EntityTooLarge: "full",
  SlowDown: "broken",
  InternalError: "broken",
  ServiceUnavailable: "broken",
  ENOTFOUND: "unknownHost",
  EAI_AGAIN: "unknownHost",
  ENODATA: "unknownHost",
  DNS_ENOTFOUND: "unknownHost",
  ECONNREFUSED: "closed",
  ConnectionRefused: "closed",
  ECONNRESET: "unreachable",
  ConnectionClosed: "unreachable",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EPIPE: "unreachable",
  EPROTO: "certificate",
  ETIMEDOUT: "slow",
  AbortError: "slow",
  TimeoutError: "slow",
};

// What TLS calls its failures: expired, self-signed, of unknown issuer, for another name.
const tlsCode = /CERT|^UNABLE_TO_|^ERR_(?:TLS|SSL)_/;

const faultOfStatus = (status: number | null): BucketFault => {
  if (status === 401 || status === 403) return "denied";
  if (status === 507) return "full";
  return status !== null && status >= 500 ? "broken" : "odd";
};
