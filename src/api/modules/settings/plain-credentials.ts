import type { Context } from "#api/core/context.ts";
import {
  accessKeyIdComplaint,
  apiTokenComplaint,
  bucketComplaint,
  redisEndpointComplaint,
  redisPasswordComplaint,
  s3EndpointComplaint,
  secretAccessKeyComplaint,
} from "#contract/credential-rules.ts";
import { plainS3Endpoint, splitRedisEndpoint } from "#contract/endpoints.ts";
import type { FieldError } from "#contract/errors.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import type { CredentialsChange } from "./contract.ts";
import type { PlainCredentials } from "./setting-plan.ts";

/** What somebody entered, brought into the form in which it is kept, and what is wrong with it, field by field. */
export type Entered = { plain: PlainCredentials; complaints: FieldError[] };

type Judge = Pick<Context, "s3Endpoints" | "isCallableHost">;

/**
 * Checks what was entered and brings it into the form that is kept: texts trimmed, hosts in small letters, the password
 * of a Redis endpoint beside it. Empty secrets are absent ones.
 */
export const plainCredentials = async (
  judge: Judge,
  { redis = {}, cloudflareR2 = {} }: CredentialsChange,
): Promise<Entered> => {
  const one = await plainRedis(judge, redis);
  const two = await plainBucket(judge, cloudflareR2);
  return {
    plain: {
      redis: one.fields,
      cloudflareR2: two.fields,
      secrets: { ...one.secrets, ...two.secrets },
    },
    complaints: [...one.complaints, ...two.complaints],
  };
};

const plainRedis = async (judge: Judge, entered: NonNullable<CredentialsChange["redis"]>) => {
  const endpoint = entered.endpoint?.trim();
  const split = endpoint === undefined || endpoint === "" ? null : splitRedisEndpoint(endpoint);
  const form = endpoint === undefined ? null : redisEndpointComplaint(endpoint);
  const inEndpoint = split?.password ?? null;
  const complaint = form ?? redisPasswordComplaint(inEndpoint ?? "") ?? (await hostComplaint(judge, split));
  // A password of Redis may begin or end with a space.
  const password = entered.password === "" ? undefined : entered.password;
  return {
    fields: endpoint === undefined ? {} : { endpoint: split?.endpoint ?? "" },
    secrets: secretsOf({ "redis.password": password ?? inEndpoint ?? password }),
    complaints: [
      ...asError("redis.endpoint", complaint),
      ...asError("redis.password", redisPasswordComplaint(password ?? "")),
    ],
  };
};

const hostComplaint = async (judge: Judge, split: { endpoint: string } | null): Promise<string | null> => {
  if (split === null) return null;
  const host = /^\w+:\/\/(?:[^@]*@)?(\[[^\]]+\]|[^:/]+)/.exec(split.endpoint)?.[1] ?? "";
  return (await judge.isCallableHost(host)) ? null : settingsTexts.addressRefused;
};

const plainBucket = async (judge: Judge, entered: NonNullable<CredentialsChange["cloudflareR2"]>) => {
  const bucket = entered.bucket?.trim();
  const endpointS3 = entered.endpointS3 === undefined ? undefined : plainS3Endpoint(entered.endpointS3);
  const [token, accessKeyId, secretAccessKey] = [
    trimmed(entered.token),
    trimmed(entered.accessKeyId),
    trimmed(entered.secretAccessKey),
  ];
  return {
    fields: {
      ...(bucket === undefined ? {} : { bucket }),
      ...(endpointS3 === undefined ? {} : { endpointS3 }),
    },
    secrets: secretsOf({
      "cloudflareR2.token": token,
      "cloudflareR2.accessKeyId": accessKeyId,
      "cloudflareR2.secretAccessKey": secretAccessKey,
    }),
    complaints: [
      ...asError("cloudflareR2.bucket", bucketComplaint(bucket ?? "")),
      ...asError("cloudflareR2.token", apiTokenComplaint(token ?? "")),
      ...asError("cloudflareR2.accessKeyId", accessKeyIdComplaint(accessKeyId ?? "")),
      ...asError("cloudflareR2.secretAccessKey", secretAccessKeyComplaint(secretAccessKey ?? "")),
      ...asError("cloudflareR2.endpointS3", await originComplaint(judge, endpointS3 ?? "")),
    ],
  };
};

const originComplaint = async (judge: Judge, endpoint: string): Promise<string | null> => {
  const form = s3EndpointComplaint(endpoint, judge.s3Endpoints);
  if (form !== null || endpoint === "") return form;
  return (await judge.isCallableHost(new URL(endpoint).hostname)) ? null : settingsTexts.addressRefused;
};

const trimmed = (secret: string | null | undefined): string | null | undefined =>
  secret === null ? null : secret?.trim() || undefined;

const secretsOf = (entered: { [Name in keyof PlainCredentials["secrets"]]: string | null | undefined }) => {
  const given: PlainCredentials["secrets"] = {};
  return Object.assign(
    given,
    Object.fromEntries(Object.entries(entered).filter(([, value]) => value !== undefined)),
  );
};

const asError = (path: string, message: string | null): FieldError[] =>
  message === null ? [] : [{ path, message }];
