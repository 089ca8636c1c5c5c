import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { newToken } from "#api/core/ids.ts";
import { plainSchema } from "#api/http/document/paths.ts";
import { emailComplaint } from "#contract/account-rules.ts";
import { coreSettings } from "#contract/core-settings.ts";
import {
  accessKeyIdComplaint,
  bucketComplaint,
  credentialLengths,
  redisEndpointComplaint,
  redisPasswordComplaint,
  s3EndpointComplaint,
} from "#contract/credential-settings.ts";
import { withChange } from "#contract/define-settings.ts";
import { plainS3Endpoint } from "#contract/endpoints.ts";
import { limits } from "#contract/limits.ts";
import { authContract } from "./auth/contract.ts";
import { backupsContract } from "./backups/contract.ts";
import { contactContract } from "./contact/contract.ts";
import { emailField, nameField, newPasswordField, presentPasswordField } from "./fields.ts";
import { kit } from "./kit.ts";
import { mailContract } from "./mail/contract.ts";
import { pluginKeysContract } from "./plugins/contract.ts";
import { settingsContract } from "./settings/contract.ts";
import { tokensContract } from "./tokens/contract.ts";

type Field = {
  schema: TSchema;
  /** Whether the rule takes a text; the field's own check unless it is the operation's. */
  takes?: (text: string) => boolean;
  /** What the rule just takes, and what it just does not. */
  longest: string;
  tooLong: string;
  shortest: string;
};

const { properties: tokenBody } = tokensContract.create.schemas(kit).body;
const { redis, cloudflareR2 } = settingsContract.setCredentials.schemas(kit).body.properties;
const { message: limitMessage } = Object(settingsContract.setCore.schemas(kit).body).properties.rateLimiting
  .properties;
const recipient = `age1${"q".repeat(58)}`;
const network = `${"ffff:".repeat(6)}255.255.255.255/128`;
const mail = (length: number) => `${"a".repeat(length - "@example.com".length)}@example.com`;
const lines = "a\r\n".repeat(limits.messageLength / 2 - 1);
const origin = `https://${"a.".repeat(126)}a.:65535/`;
const endpoint = (length: number) => `redis://:${"p".repeat(length - "redis://:@cache".length)}@cache`;
const secret = "x".repeat(credentialLengths.secret);

const fields: { [name: string]: Field } = {
  "an email address": { schema: emailField, longest: mail(254), tooLong: mail(255), shortest: "a@b.c" },
  "a name": { schema: nameField, longest: "😀".repeat(100), tooLong: "a".repeat(101), shortest: "A" },
  "a line": {
    schema: kit.line({ most: 200, description: "A title", error: "Please enter a title" }),
    ...{ longest: "😀".repeat(200), tooLong: "a".repeat(201), shortest: "A" },
  },
  "a new password": {
    schema: newPasswordField,
    ...{ longest: "😀".repeat(128), tooLong: "a".repeat(129), shortest: "12345678" },
  },
  "a password": {
    schema: presentPasswordField,
    ...{ longest: "😀".repeat(128), tooLong: "a".repeat(129), shortest: " " },
  },
  "a message": {
    schema: contactContract.send.schemas(kit).body.properties.message,
    ...{ longest: `${lines}😀b`, tooLong: `${lines}abc`, shortest: "a" },
  },
  "a token's name": {
    schema: tokenBody.name,
    ...{ longest: "😀".repeat(60), tooLong: "a".repeat(61), shortest: "a" },
  },
  "a network": {
    schema: tokenBody.allowedNetworks.items,
    ...{ longest: network, tooLong: `${network}8`, shortest: "::" },
  },
  "a key's label": {
    schema: pluginKeysContract.trust.schemas(kit).body.properties.label,
    ...{ longest: "é".repeat(60), tooLong: "a".repeat(61), shortest: "a" },
  },
  "a recipient": {
    schema: backupsContract.create.schemas(kit).body.properties.recipients.items,
    ...{ longest: recipient, tooLong: `${recipient}q`, shortest: recipient },
  },
  "a setup token": {
    schema: authContract.setup.schemas(kit).body.properties.token,
    takes: (text) => text.length <= newToken(limits.mailedTokenBytes).length,
    ...{ longest: newToken(limits.mailedTokenBytes), tooLong: "a".repeat(44), shortest: "" },
  },
  "the recipient of a test email": {
    schema: mailContract.test.schemas(kit).body.properties.to,
    takes: (text) => text.trim() === "" || emailComplaint(text) === null,
    ...{ longest: mail(254), tooLong: mail(255), shortest: "" },
  },
  "message for clients that exceed the limit": {
    schema: limitMessage,
    takes: (message) =>
      withChange(coreSettings, coreSettings.defaults, { rateLimiting: { message } }).errors.length === 0,
    ...{ longest: "😀".repeat(200), tooLong: "a".repeat(201), shortest: "a" },
  },
  "an endpoint of Redis": {
    schema: redis.properties.endpoint,
    takes: (text) => redisEndpointComplaint(text.trim()) === null,
    ...{ longest: endpoint(500), tooLong: endpoint(501), shortest: "" },
  },
  "a password of Redis": {
    schema: redis.properties.password,
    takes: (text) => redisPasswordComplaint(text) === null,
    ...{ longest: secret, tooLong: `${secret}x`, shortest: "" },
  },
  "a bucket": {
    schema: cloudflareR2.properties.bucket,
    takes: (text) => bucketComplaint(text.trim()) === null,
    ...{ longest: "b".repeat(63), tooLong: "b".repeat(64), shortest: "" },
  },
  "an access key's id": {
    schema: cloudflareR2.properties.accessKeyId,
    takes: (text) => accessKeyIdComplaint(text.trim()) === null,
    ...{ longest: secret, tooLong: `${secret}x`, shortest: "" },
  },
  "an endpoint of object storage": {
    schema: cloudflareR2.properties.endpointS3,
    takes: (text) => s3EndpointComplaint(plainS3Endpoint(text), [origin.slice(0, -1)]) === null,
    ...{ longest: origin, tooLong: `${origin}/`, shortest: "" },
  },
};

type Words = { minLength?: number; maxLength?: number; pattern?: string; anyOf?: Words[] };

/** Whether a text is one by JSON Schema, which counts code points; what the product checks with gives up on long ones. */
const isOne = (
  { minLength = 0, maxLength = Infinity, pattern = "", anyOf = [] }: Words,
  text: string,
): boolean => {
  const length = [...text].length;
  const isWithin = length >= minLength && length <= maxLength && new RegExp(pattern, "u").test(text);
  return isWithin && (anyOf[0] === undefined || isOne(anyOf[0], text));
};
const around = ["", " ", "\t\n", "\u00a0\ufeff", " ".repeat(10_000)];

describe("what the API's document states of", () => {
  test.each(Object.entries(fields))(
    "%s is never narrower than its rule, and ends where it ends",
    (_, field) => {
      const { schema, longest, tooLong, shortest, takes = (text) => Value.Check(schema, text) } = field;
      const isDocumented = (text: string) => isOne(plainSchema(schema), text);
      for (const text of [longest, shortest]) {
        expect([text, takes(text), isDocumented(text)]).toEqual([text, true, true]);
        for (const space of around)
          for (const spaced of [space + text, text + space, space + text + space])
            if (takes(spaced)) expect([spaced, isDocumented(spaced)]).toEqual([spaced, true]);
      }
      expect([takes(tooLong), isDocumented(tooLong)]).toEqual([false, false]);
    },
  );
});
