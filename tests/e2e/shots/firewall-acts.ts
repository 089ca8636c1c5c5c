import type { Page } from "playwright-core";
import { type FirewallAnswers, refused, tellFirewall } from "../firewall-stage.ts";
import { blocked, config, pending } from "./firewall-answers.ts";
import type { Step as Act } from "./steps.ts";

/** Shows the firewall with these answers, and waits for what is to be seen. */
const show =
  (wait: (page: Page) => Promise<void>, answers: FirewallAnswers = {}): Act =>
  async (page, go) => {
    await tellFirewall(page, answers);
    await go();
    await wait(page);
  };

const text = (words: string) => (page: Page) => page.getByText(words).first().waitFor();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

export const overview = show(async (page) => {
  await page.getByText("at most", { exact: false }).first().waitFor();
  await page.getByText("/wp-login.php").waitFor();
});

export const loading: Act = async (page, go) => {
  await tellFirewall(page);
  await page.route("**/api/firewall/**", () => {});
  await go();
  await page.locator("[aria-busy=true]").first().waitFor();
};

export const failed = show(text("The database is restarting."), {
  "GET /config": () => refused(503, "DB_UNAVAILABLE", "The database is restarting."),
});

export const troubled = show(text("The stored rules are damaged"), {
  "GET /config": () =>
    config({
      trouble: {
        ...{ kind: "unreadable", message: "The second part of the rules cannot be read." },
        inForce: "copy",
      },
    }),
});

export const onTrial = show(text("Your change is waiting to be confirmed"), {
  "GET /config": () => config({ pending, developmentModeEnabled: true }),
});

export const traffic = show(text("/assets/index-4f9a2c.js"));

export const request = show(text("Two patterns were found"), {
  "GET /explain/*": () => ({ entry: blocked, sentences: ["Two patterns were found."], remedies: [] }),
});

export const noTraffic = show(text("No requests yet"), {
  "GET /traffic": () => ({ rows: [], last: 0, missed: 0, replica: "a1b2", isWatching: false }),
});

export const addresses = show(async (page) => {
  await page.getByText("2001:db8:1234:5678::/64").first().waitFor();
  await page.getByLabel("Select 203.0.113.0/24").first().click();
});

export const noAddresses = show(text("No IP addresses yet"), {
  "GET /addresses": () => ({
    entries: [],
    ...{ pagination: { total: 0, limit: 50, offset: 0 }, revision: 12 },
  }),
});

export const addressRefused = show(
  async (page) => {
    await press(page, "Add IP address");
    await page.getByLabel("IP address or range").fill("198.51.100.0/24");
    await page.getByRole("dialog").getByRole("button", { name: "Add IP address" }).click();
    await page.getByText("your own IP address", { exact: false }).first().waitFor();
  },
  {
    "POST /addresses": () =>
      refused(
        409,
        "OWN_ADDRESS",
        "This would lock you out: your IP address 198.51.100.7 is in 198.51.100.0/24.",
      ),
  },
);

export const importing = show(
  async (page) => {
    await press(page, "Import");
    await page.getByLabel("Or paste it here").fill("kind,address\ndeny,203.0.113.7\ndeny,nonsense");
    await press(page, "Check");
    await page.getByText("invalid", { exact: false }).first().waitFor();
  },
  {
    "POST /addresses/import": () => ({
      ...{ added: 1, known: 0, refused: 1, revision: 12, obstacle: null },
      lines: [
        { line: 3, outcome: "refused", range: "nonsense", message: "Please enter an IP address" },
        { line: 2, outcome: "added", range: "203.0.113.7", message: "" },
      ],
    }),
  },
);

export const countries = show(text("This server has no country database"), {
  "GET /countries": () => ({
    ...{ mode: "deny", codes: ["FR", "KP"], knowsCountries: false, ownCountry: null, hits: 0, revision: 12 },
    notice: "Set GEOIP_DB to a country database and restart the server.",
  }),
});

export const rate = show(async (page) => {
  await press(page, "Contact form");
  await page.getByRole("dialog").getByLabel("Counted by").waitFor();
});

export const patterns = show(text("A list of commands one after the other"));

export const exemption = show(async (page) => {
  await press(page, "Add exemption");
  await page.getByText("this route is not checked", { exact: false }).waitFor();
});

export const bans = show((page) =>
  page
    .getByRole("button", { name: /^Lift the ban/ })
    .first()
    .waitFor(),
);

export const history = show(text("Changed later"));

export const noHistory = show(text("No changes yet"), {
  "GET /history": () => ({ changes: [], revision: 0 }),
});

export const replay = show(async (page) => {
  await page.getByLabel("Paranoia level").selectOption("2");
  await page.getByRole("button", { name: "Run on the last 24 hours" }).click();
  await page.getByText("were made by signed-in admins", { exact: false }).waitFor();
});

export const explained = show(text("If it was a mistake"));

export const unexplained = show(text("No log entry with this ID"), {
  "GET /explain/*": () => refused(404, "NOT_FOUND", "There is no log entry for this request."),
});
