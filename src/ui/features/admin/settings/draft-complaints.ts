import type { Complaint } from "#contract/account-rules.ts";
import {
  accessKeyIdComplaint,
  apiTokenComplaint,
  bucketComplaint,
  redisEndpointComplaint,
  redisPasswordComplaint,
  s3EndpointComplaint,
  secretAccessKeyComplaint,
} from "#contract/credential-rules.ts";
import { settingComplaint } from "#contract/define-settings.ts";
import { keepsSecrets, plainS3Endpoint, splitRedisEndpoint } from "#contract/endpoints.ts";
import { pageSettingsTexts } from "#contract/page-settings-texts.ts";
import {
  type Draft,
  type DraftPath,
  declaredFields,
  type SavedSettings,
  type SecretPath,
  wireValue,
} from "./draft.ts";

/** Complaints by field; a field without one is absent. */
export type DraftErrors = Partial<Record<DraftPath, string>>;

/** Everything that keeps the draft from being saved, in the server's own words. */
export const draftComplaints = (draft: Draft, saved: SavedSettings): DraftErrors => {
  const redis = draft["redis.endpoint"].trim();
  const bucketServer = draft["cloudflareR2.endpointS3"].trim();
  const entered = (path: SecretPath) => {
    const typed = draft[path] ?? "";
    return path === "redis.password" ? typed : typed.trim();
  };
  const secret = (path: SecretPath, rule: (typed: string) => Complaint) => {
    const complaint = rule(entered(path));
    if (complaint !== null) return complaint;
    const endpoint = path === "redis.password" ? redis : bucketServer;
    if (entered(path) !== "" && endpoint === "") return pageSettingsTexts.endpointFirst;
    return mustBeEnteredAgain(path, draft, saved) ? pageSettingsTexts.enterAgain : null;
  };
  const complaints: Partial<Record<DraftPath, Complaint>> = {
    "redis.endpoint": redisEndpointComplaint(redis),
    "redis.password": secret("redis.password", redisPasswordComplaint),
    "cloudflareR2.bucket": bucketComplaint(draft["cloudflareR2.bucket"].trim()),
    "cloudflareR2.token": secret("cloudflareR2.token", apiTokenComplaint),
    "cloudflareR2.accessKeyId": secret("cloudflareR2.accessKeyId", accessKeyIdComplaint),
    "cloudflareR2.secretAccessKey": secret("cloudflareR2.secretAccessKey", secretAccessKeyComplaint),
    "cloudflareR2.endpointS3": s3EndpointComplaint(plainS3Endpoint(bucketServer), saved.otherEndpoints),
  };
  for (const { path, setting } of declaredFields)
    complaints[path] = settingComplaint(setting, wireValue(path, draft[path]));
  return Object.fromEntries(Object.entries(complaints).filter(([, complaint]) => complaint !== null));
};

/** Whether a saved secret would have to go to another server than it was entered for, which it never does. */
const mustBeEnteredAgain = (path: SecretPath, draft: Draft, saved: SavedSettings): boolean => {
  if (!saved.hasSecret[path] || draft[path] !== "") return false;
  if (path === "redis.password") {
    const next = splitRedisEndpoint(draft["redis.endpoint"]);
    // A password within the endpoint is one that was entered.
    return (
      next !== null && next.password === null && !keepsSecrets(saved.draft["redis.endpoint"], next.endpoint)
    );
  }
  const next = plainS3Endpoint(draft["cloudflareR2.endpointS3"]);
  return next !== "" && !keepsSecrets(saved.draft["cloudflareR2.endpointS3"], next);
};
