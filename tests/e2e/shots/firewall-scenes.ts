import { type FirewallAnswers, refused, tellFirewall } from "../firewall-stage.ts";
import { blocked, config, pending } from "./firewall-answers.ts";
import {
  hangs,
  isBusy,
  meets,
  open,
  presses,
  pressesExactly,
  restarting,
  type Scene,
  type Steps,
  scenesOn,
  sees,
  selects,
  types,
} from "./steps.ts";

/** Has the firewall answer so, and opens the page. */
const told = (answers: FirewallAnswers = {}): Steps => [(page) => tellFirewall(page, answers), open];
/** The same until the words are seen. */
const shows = (words: string, answers?: FirewallAnswers) => [told(answers), sees(words)];

const damaged = { kind: "unreadable", message: "The second part of the rules cannot be read." } as const;
const locksOut =
  "This would lock you out: your IP address 198.51.100.7 is in 198.51.100.0/24. Nothing was changed. Add your own IP address to the allow list first, or narrow the rule.";
const importReport = {
  ...{ added: 1, known: 0, refused: 1, revision: 12, obstacle: null },
  lines: [
    { line: 3, outcome: "refused", range: "nonsense", message: "Please enter an IP address" },
    { line: 2, outcome: "added", range: "203.0.113.7", message: "" },
  ],
};
const countries = {
  ...{ mode: "deny", codes: ["FR", "KP"], knowsCountries: false, ownCountry: null, hits: 0, revision: 12 },
  notice: "Set GEOIP_DB to a country database and restart the server.",
};
const noAddresses = { entries: [], pagination: { total: 0, limit: 50, offset: 0 }, revision: 12 };
const noTraffic = { rows: [], last: 0, missed: 0, replica: "a1b2", isWatching: false };

const on = (part: string, steps: Record<string, Steps>) => scenesOn("admin", `/admin/firewall${part}`, steps);

/** The pages of the firewall. */
export const firewallScenes: readonly Scene[] = [
  ...on("", {
    "firewall-overview": [told(), sees("at most"), sees("/wp-login.php")],
    "firewall-loading": [(page) => tellFirewall(page), [hangs("**/api/firewall/**"), open, isBusy]],
    "firewall-failed": shows(restarting, {
      "GET /config": () => refused(503, "DB_UNAVAILABLE", restarting),
    }),
    "firewall-troubled": shows("The stored rules are damaged", {
      "GET /config": () => config({ trouble: { ...damaged, inForce: "copy" } }),
    }),
    "firewall-on-trial": shows("Your change is waiting to be confirmed", {
      "GET /config": () => config({ pending, developmentModeEnabled: true }),
    }),
  }),
  ...on("/traffic", {
    "firewall-traffic": shows("/assets/index-4f9a2c.js"),
    "firewall-no-traffic": shows("No requests yet", { "GET /traffic": () => noTraffic }),
  }),
  ...on("/traffic?request=request-2", {
    "firewall-request": shows("Two patterns were found", {
      "GET /explain/*": () => ({ entry: blocked, sentences: ["Two patterns were found."], remedies: [] }),
    }),
  }),
  ...on("/addresses", {
    "firewall-addresses": [
      shows("2001:db8:1234:5678::/64"),
      (page) => page.getByLabel("Select 203.0.113.0/24").first().click(),
    ],
    "firewall-no-addresses": shows("No IP addresses yet", { "GET /addresses": () => noAddresses }),
    "firewall-address-refused": [
      told({ "POST /addresses": () => refused(409, "OWN_ADDRESS", locksOut) }),
      pressesExactly("Add IP address"),
      types("IP address or range", "198.51.100.0/24"),
      [presses("Add IP address", "dialog"), sees("your own IP address")],
    ],
    "firewall-import": [
      told({ "POST /addresses/import": () => importReport }),
      pressesExactly("Import"),
      types("Or paste it here", "kind,address\ndeny,203.0.113.7\ndeny,nonsense"),
      [pressesExactly("Check"), sees("invalid")],
    ],
  }),
  ...on("/countries", {
    "firewall-countries": shows("This server has no country database", { "GET /countries": () => countries }),
  }),
  ...on("/rates", {
    "firewall-rate": [
      [told(), pressesExactly("Contact form")],
      (page) => page.getByRole("dialog").getByLabel("Counted by").waitFor(),
    ],
  }),
  ...on("/attacks?show=found", { "firewall-patterns": shows("A list of commands one after the other") }),
  ...on("/attacks?list=exemptions", {
    "firewall-exemption": [told(), pressesExactly("Add exemption"), sees("this route is not checked")],
  }),
  ...on("/bans", { "firewall-bans": [told(), meets("button", /^Lift the ban/)] }),
  ...on("/history", {
    "firewall-history": shows("Changed later"),
    "firewall-no-history": shows("No changes yet", { "GET /history": () => ({ changes: [], revision: 0 }) }),
  }),
  ...on("/replay", {
    "firewall-replay": [
      [told(), selects("Paranoia level", "2"), presses("Run on the last 24 hours")],
      sees("were made by signed-in admins"),
    ],
  }),
  ...on("/explain/01JD2K7Q9W3X5Y7Z", { "firewall-explained": shows("If it was a mistake") }),
  ...on("/explain/none", {
    "firewall-unexplained": shows("No log entry with this ID", {
      "GET /explain/*": () => refused(404, "NOT_FOUND", "There is no log entry for this request."),
    }),
  }),
];
