import { describe, expect, spyOn, test } from "bun:test";
import { accountSettings, coreSettings } from "#contract/core-settings.ts";
import { settingsTexts } from "#contract/settings.ts";
import { ApiError } from "#ui/lib/api.ts";
import { someCredentials, someSite } from "#ui/testing/answers.ts";
import { type DraftPath, savedSettings } from "./draft.ts";
import { saveSettings } from "./use-settings-form.ts";

const credentials = someCredentials();
const { draft } = savedSettings({
  credentials,
  core: coreSettings.defaults,
  accounts: accountSettings.defaults,
});
const both: DraftPath[] = ["redis.endpoint", "rateLimiting.maxRequests"];
const away = new ApiError("The database is away", { status: 503, code: "DB_UNAVAILABLE" });

type Options = { changed?: DraftPath[]; isManaged?: boolean; services?: Error; core?: Error };

const save = async ({ changed = both, isManaged = false, services, core }: Options) => {
  const sent: unknown[] = [];
  const put =
    <T>(saved: T, failure: Error | undefined) =>
    async (change: unknown) => {
      sent.push(change);
      if (failure !== undefined) throw failure;
      return saved;
    };
  const outcome = await saveSettings({
    draft,
    changed,
    isManaged,
    puts: {
      credentials: put(credentials, services),
      core: put(coreSettings.defaults, core),
      accounts: put(accountSettings.defaults, undefined),
      site: put(someSite(), undefined),
    },
  });
  return { ...outcome, sent };
};

describe("saving", () => {
  test("sends each part with what was changed of it, and nothing of a part that was not", async () => {
    const whole = await save({});
    expect(whole.sent).toEqual([{ redis: { endpoint: "" } }, { rateLimiting: { maxRequests: 100 } }]);
    expect(whole.success).toBe(settingsTexts.allSaved);
    const half = await save({ changed: ["security.corsEnabled"] });
    expect(half.sent).toEqual([{ security: { corsEnabled: true } }]);
    expect([half.success, half.saved.credentials]).toEqual([settingsTexts.allSaved, undefined]);
  });

  test("sends account settings separately, with or without the firewall managing the core settings", async () => {
    const outcome = await save({ changed: ["accounts.verification"], isManaged: true });
    expect(outcome.sent).toEqual([{ verification: "same-browser" }]);
    expect([outcome.success, outcome.saved.accounts]).toEqual([
      settingsTexts.accountsSaved,
      accountSettings.defaults,
    ]);
  });

  test("leaves the core settings alone while the firewall manages them, and says so", async () => {
    const { sent, success } = await save({ isManaged: true });
    expect(sent).toEqual([{ redis: { endpoint: "" } }]);
    expect(success).toBe(settingsTexts.servicesSavedOnly);
  });

  test("of nothing sends nothing and claims nothing", async () => {
    for (const isManaged of [false, true]) {
      const { sent, success, problems } = await save({ changed: [], isManaged });
      expect([sent, success, problems]).toEqual([[], null, []]);
    }
  });

  test("continues when one part fails, and says which part was saved and which wasn't", async () => {
    const one = await save({ services: away });
    expect([one.success, one.problems]).toEqual([
      settingsTexts.coreSaved,
      [settingsTexts.servicesError("The database is away")],
    ]);
    expect(one.saved).toEqual({ core: coreSettings.defaults });
    const other = await save({ core: away });
    expect([other.success, other.problems]).toEqual([
      settingsTexts.servicesSaved,
      [settingsTexts.coreError("The database is away")],
    ]);
    expect((await save({ services: away, core: away })).success).toBeNull();
  });

  test("puts the server's complaints beside their fields, and those about none into words", async () => {
    const refusal = (path: string) =>
      new ApiError("Please check the highlighted fields", {
        status: 422,
        code: "VALIDATION_FAILED",
        errors: [{ path, message: "Not this one" }],
      });
    const placed = await save({ services: refusal("redis.endpoint") });
    expect(placed.refusals).toEqual({ "redis.endpoint": "Not this one" });
    expect(placed.problems).toEqual([settingsTexts.servicesNotSaved]);
    const other = await save({ core: refusal("somewhere.else") });
    expect([other.refusals, other.problems]).toEqual([{}, [settingsTexts.coreError("Not this one")]]);
  });

  test("names a response without a message, and an unexpected failure", async () => {
    const mute = new ApiError("An error occurred", { status: 500, code: "UNKNOWN" });
    expect((await save({ core: mute })).problems).toEqual([settingsTexts.coreNotSaved]);
    const logged = spyOn(console, "error").mockImplementation(() => {});
    expect((await save({ core: new TypeError("bug") })).problems).toEqual([settingsTexts.unexpectedError]);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});
